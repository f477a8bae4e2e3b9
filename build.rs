//! Puts a second build of umigame inside this one, for processors of another kind; src/dispatch.rs
//! starts it.
//!
//! A build for any x86-64, as `cargo install` makes it, holds one for x86-64-v3, made here by a
//! second run of cargo. `UMIGAME_SECOND_BUILD` names a finished one instead, or is empty for none.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SECOND_BUILD: &str = "UMIGAME_SECOND_BUILD";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed={SECOND_BUILD}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let second = match env::var_os(SECOND_BUILD) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(PathBuf::from(path)),
        None if is_wanted() => build_for_v3(&out),
        None => None,
    };
    let code = match second {
        Some(path) => {
            let path = path.canonicalize().unwrap_or_else(|error| {
                panic!("{SECOND_BUILD}: {}: {error}", path.display());
            });
            format!("Some(include_bytes!({path:?}))")
        }
        None => "None".to_owned(),
    };
    fs::write(out.join("second.rs"), code).expect("OUT_DIR can be written to");
}

/// Returns whether this is a release build for Linux on any x86-64 that may hold another.
fn is_wanted() -> bool {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    env::var_os("CARGO_FEATURE_DISPATCH").is_some()
        && env::var_os("CARGO_FEATURE_PORTABLE").is_none()
        && is("PROFILE", "release")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && env::var("HOST") == env::var("TARGET")
        && !features.split(',').any(|feature| feature == "avx2")
}

/// Builds the binary for x86-64-v3. A failure costs speed only, so it is a warning.
fn build_for_v3(out: &Path) -> Option<PathBuf> {
    // The second build is made again with each change; in a packaged crate there are no others.
    for source in ["src", "crates", "Cargo.toml", "Cargo.lock"] {
        if Path::new(source).exists() {
            println!("cargo:rerun-if-changed={source}");
        }
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = out.join("v3");
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--bin", "umigame", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(&folder);
    // Cargo tells build scripts about the build they belong to; this one is another.
    for (name, _) in env::vars_os().filter(|(name, _)| belongs_to_the_outer_build(name)) {
        command.env_remove(name);
    }
    command.env("RUSTFLAGS", "-C target-cpu=x86-64-v3").env(SECOND_BUILD, "");
    let built = command.output().map_err(|error| error.to_string()).and_then(|output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    });
    match built {
        Ok(()) => Some(folder.join("release/umigame")),
        Err(said) => {
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            println!("cargo:warning=no faster build for newer processors is inside: {last}");
            None
        }
    }
}

/// Returns whether a variable describes the build that this script is part of.
fn belongs_to_the_outer_build(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let prefixes = ["CARGO_CFG_", "CARGO_FEATURE_", "CARGO_PKG_", "CARGO_MANIFEST_", "DEP_"];
    let names = ["CARGO_ENCODED_RUSTFLAGS", "TARGET", "HOST", "OUT_DIR", "PROFILE", "OPT_LEVEL"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || names.contains(&&*name)
}
