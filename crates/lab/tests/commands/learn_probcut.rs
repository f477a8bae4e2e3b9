//! `umigame-lab learn probcut` on the real binary.

use crate::support::{folder, learn};
use umigame_eval::file::{self, FittedModels, Weights, WeightsFile};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;

fn games(out: &str) {
    let args = ["play", "--out", out, "--depth", "1", "--exact-from", "6", "--games", "200"];
    let (code, _, err) = learn(&args);
    assert_eq!(code, 0, "{err}");
}

const QUICK: [&str; 6] = ["--positions", "16", "--depth", "6", "--solve", "10"];

#[test]
fn the_fit_is_stored_in_a_weights_file_and_changes_nothing_else() {
    let (_folder, file) = folder();
    games(&file("games"));
    let weights: Vec<i16> = (0..PHASES * PACKING.len).map(|i| (i % 7) as i16).collect();
    let weights = Weights::from(weights);
    let before = file::to_bytes(&weights, &FittedModels::DEFAULT);
    std::fs::write(file("weights"), &before).expect("a file");
    let probcut = |threads: &str| {
        let (from, into) = (file("games"), file("weights"));
        let args = [&["probcut", &from, "--into", &into, "--threads", threads][..], &QUICK];
        let (code, out, err) = learn(&args.concat());
        assert_eq!(code, 0, "{err}");
        (out, std::fs::read(file("weights")).expect("the file"))
    };
    let (out, after) = probcut("1");
    assert!(file::from_bytes(&after).as_ref() == Ok(&weights));
    let read = |bytes| WeightsFile::new(bytes).expect("a complete file").models().error;
    let fitted = read(&after);
    assert_ne!(fitted, read(&before));
    // Deeper probes are nearer, whatever the positions.
    assert!(fitted.midgame(30, 4, 6).sigma < fitted.midgame(30, 0, 6).sigma);
    let cells = out.lines().filter(|line| !line.starts_with('#')).count() - 1;
    assert!(cells > 20, "{out}");
    // The fit does not depend on the number of threads.
    assert_eq!(probcut("2"), (out, after));
}

#[test]
fn bad_files_and_too_few_positions_are_named() {
    let (_folder, file) = folder();
    std::fs::write(file("text"), "no weights\n").expect("a file");
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; +18;\n";
    std::fs::write(file("obf"), problem).expect("a file");
    let into = ["probcut", &file("obf"), "--into", &file("text")];
    let (code, _, err) = learn(&into);
    assert_eq!(code, 2);
    assert!(err.contains("--into") && err.contains("not a file of umigame's weights"), "{err}");
    let (code, _, err) = learn(&["probcut", &file("obf"), "--depth", "4", "--solve", "8"]);
    assert_eq!(code, 2);
    assert!(err.contains("too few positions"), "{err}");
    let (code, _, err) = learn(&["probcut", &file("missing")]);
    assert_eq!(code, 2);
    assert!(err.contains("missing"), "{err}");
}
