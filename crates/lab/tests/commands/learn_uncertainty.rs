//! `umigame-lab learn uncertainty` on the real binary.

use crate::support::{folder, learn, run};
use umigame_eval::PositionNoiseModel;
use umigame_eval::file::{self, WeightsFile};

fn games(out: &str) {
    let args = ["play", "--out", out, "--depth", "1", "--exact-from", "6", "--games", "1500"];
    let (code, _, err) = learn(&args);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn the_fit_is_stored_in_a_weights_file_and_changes_nothing_else() {
    let (_folder, file) = folder();
    games(&file("games"));
    for args in [
        ["fit", &file("games"), "--out", &file("weights"), "--iterations", "2"],
        ["network", &file("games"), "--into", &file("weights"), "--passes", "1"],
    ] {
        let (code, _, err) = learn(&args);
        assert_eq!(code, 0, "{err}");
    }
    let before = std::fs::read(file("weights")).expect("the file");
    let uncertainty = |threads: &str| {
        let (from, into) = (file("games"), file("weights"));
        let quick = ["--positions", "700", "--depth", "4", "--solve", "4"];
        let args = ["--weights", &into, "learn", "uncertainty", &from, "--into", &into];
        let (code, out, err) = run(&[&args[..], &["--threads", threads], &quick].concat());
        assert_eq!(code, 0, "{err}");
        (out, std::fs::read(file("weights")).expect("the file"))
    };
    let (out, after) = uncertainty("1");
    assert!(out.starts_with("plies  positions") && out.lines().count() > 20, "{out}");
    assert!(file::from_bytes(&after) == file::from_bytes(&before));
    let models = |bytes| WeightsFile::new(bytes).expect("a complete file").models();
    let (old, new) = (models(&before), models(&after));
    assert_eq!(old.noise, PositionNoiseModel::AVERAGE);
    assert_ne!(new.noise, PositionNoiseModel::AVERAGE);
    assert_eq!((new.error, new.score), (old.error, old.score));
}

#[test]
fn what_cannot_be_fitted_is_named() {
    let (_folder, file) = folder();
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; +18;\n";
    std::fs::write(file("obf"), problem).expect("a file");
    std::fs::write(file("empty"), "").expect("a file");
    for (from, depth, expected) in [
        (file("obf"), "4", "too few positions for a fit"),
        (file("empty"), "4", "no position to search"),
        (file("missing"), "4", "missing"),
        (file("obf"), "3", "4..=30"),
    ] {
        let (code, _, err) = learn(&["uncertainty", &from, "--depth", depth, "--solve", "8"]);
        assert_eq!(code, 2, "{from}");
        assert!(err.contains(expected), "{err}");
    }
}
