//! The umigame binary.

use std::time::Instant;
use umigame::board::{PassRule, Position, kernels, perft};

fn main() {
    if let Some(missing) = kernels::unsupported() {
        eprintln!("umigame: this processor lacks {missing}");
        std::process::exit(1);
    }
    let start = Instant::now();
    let n = perft(Position::START, 11, PassRule::CostsPly);
    println!(
        "{} {n} {:?} {:.1} M/s",
        kernels::NAME,
        start.elapsed(),
        n as f64 / start.elapsed().as_secs_f64() / 1e6
    );
}
