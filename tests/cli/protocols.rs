//! How the protocols are started.

use std::path::Path;

use crate::support::run_in;

const NBOARD: &str = "nboard 2\nset depth 3\nping 1\ngo\n";
const GTP: &str = "7 name\nplay b f5\ngenmove w\nquit\n";

#[test]
fn without_a_command_the_first_line_decides_the_protocol() {
    let here = Path::new(".");
    let (code, out, err) = run_in(here, &[], NBOARD);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\npong 1\n") && out.contains("\n=== "), "{out}");
    let (code, out, err) = run_in(here, &[], GTP);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("=7 umigame\n\n=\n\n= "), "{out}");
    assert_eq!(run_in(here, &[], ""), (0, String::new(), String::new()));
}

#[test]
fn a_table_larger_than_the_memory_is_refused_with_the_option_named() {
    for command in ["nboard", "gtp", "play"] {
        let (code, out, err) = run_in(Path::new("."), &[command, "--hash", "1048576"], "");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("--hash") && err.contains("not enough memory"), "{err}");
    }
}
