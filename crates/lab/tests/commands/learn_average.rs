//! `umigame-lab learn average` on the real binary.

use crate::support::{folder, run};
use umigame_eval::file::{self, FittedModels, Weights, WeightsFile};
use umigame_eval::patterns::PHASES;
use umigame_eval::patterns::layout::PACKING;

const EMBEDDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/weights/umigame.weights");

/// Writes weights without a network, all of this value.
fn write(path: &str, value: i16, models: &FittedModels) {
    let weights = Weights::from(vec![value; PHASES * PACKING.len]);
    std::fs::write(path, file::to_bytes(&weights, models)).expect("a file");
}

fn average(args: &[&str]) -> (i32, String, String) {
    run(&[&["learn", "average"], args].concat())
}

#[test]
fn the_mean_has_the_models_of_the_first_file() {
    let (_folder, file) = folder();
    let (first, second, out) = (file("first"), file("second"), file("out"));
    let mut models = FittedModels::DEFAULT;
    models.calibration.std_dev[0] = 1.25;
    write(&first, 300, &models);
    write(&second, -100, &FittedModels::DEFAULT);
    for (shares, expected) in [(&[][..], 100), (&["--shares", "3,1"], 200)] {
        let args = [&first[..], &second, "--out", &out];
        let (code, text, err) = average(&[&args[..], shares].concat());
        assert_eq!((code, err.as_str()), (0, ""));
        let bytes = std::fs::read(&out).expect("the file");
        let mean = file::from_bytes(&bytes).expect("weights");
        assert!(mean.patterns.iter().all(|&weight| weight == expected));
        assert!(text.contains(&format!("2 files, {} bytes, weights", bytes.len())), "{text}");
        assert_eq!(WeightsFile::new(&bytes).expect("complete").models(), models);
    }
}

#[test]
fn the_mean_of_a_file_with_itself_evaluates_alike() {
    let (_folder, file) = folder();
    let out = file("out");
    let (code, text, err) = average(&[EMBEDDED, EMBEDDED, "--out", &out]);
    assert_eq!((code, err.as_str()), (0, ""));
    let original = file::from_bytes(&std::fs::read(EMBEDDED).expect("the file")).expect("weights");
    assert!(text.ends_with(&format!("weights {:08x}\n", original.checksum())), "{text}");
}

#[test]
fn files_without_a_mean_are_refused() {
    let (_folder, file) = folder();
    let (plain, text, out) = (file("plain"), file("text"), file("out"));
    write(&plain, 1, &FittedModels::DEFAULT);
    std::fs::write(&text, "no weights\n").expect("a file");
    for (args, part) in [
        (&[&plain[..]][..], "2 values required"),
        (&[&plain, &text], "not a file of umigame's weights"),
        (&[&plain, &file("missing")], "missing"),
        (&[&plain, EMBEDDED], "only some of the files have a network"),
        (&[&plain, &plain, "--shares", "1,2,3"], "expected 2 numbers for 2 files, found 3"),
        (&[&plain, &plain, "--shares", "0,0"], "add up to 0"),
        (&[&plain, &plain, "--shares", "1,-2"], "a number from 0 to 1000000"),
    ] {
        let (code, _, err) = average(&[args, &["--out", &out]].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
        assert!(!std::path::Path::new(&out).exists());
    }
}
