//! The node total of the bench is the number in `bench.signature`.
//!
//! A change of the search or the evaluation changes both in one commit; any other change is a
//! fault.

use umigame::bench::SignatureBench;
use umigame_engine::Evaluation;

#[test]
fn the_bench_visits_the_nodes_that_bench_signature_states() {
    let expected: u64 = include_str!("../../bench.signature").trim().parse().expect("a number");
    let mut bench = SignatureBench::new(&Evaluation::embedded()).expect("16 MB of memory");
    let nodes: u64 = bench.run().map(|search| search.nodes).sum();
    assert_eq!(nodes, expected, "`umigame bench` and `bench.signature` differ");
}
