//! Puts other builds of umigame inside this one, for processors of other levels; src/dispatch.rs
//! chooses one at the start.
//!
//! A build for any x86-64, as `cargo install` makes it, holds one for the level of this machine, made
//! here by a second run of cargo. `UMIGAME_BUILDS_INSIDE` names finished ones instead, for example
//! `x86-64=FILE:x86-64-v4=FILE`, or is empty for none.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[cfg(target_arch = "x86_64")]
#[path = "src/x86_64_level.rs"]
mod x86_64_level;

const BUILDS_INSIDE: &str = "UMIGAME_BUILDS_INSIDE";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/x86_64_level.rs");
    println!("cargo:rerun-if-env-changed={BUILDS_INSIDE}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let builds = match env::var(BUILDS_INSIDE) {
        Ok(list) => list.split(':').filter(|part| !part.is_empty()).map(named).collect(),
        Err(_) if is_wanted() => build_for_this_machine(&out).into_iter().collect(),
        Err(_) => Vec::new(),
    };
    let builds: Vec<String> = builds.iter().map(|(level, path)| code(level, path)).collect();
    let code = format!("&[{}]", builds.join(", "));
    fs::write(out.join("builds.rs"), code).expect("OUT_DIR can be written to");
}

/// Reads `LEVEL=FILE`.
fn named(part: &str) -> (String, PathBuf) {
    let (level, path) = part
        .split_once('=')
        .unwrap_or_else(|| panic!("{BUILDS_INSIDE}: `{part}`: expected LEVEL=FILE"));
    println!("cargo:rerun-if-changed={path}");
    (level.to_owned(), PathBuf::from(path))
}

/// Returns the code of a build.
fn code(level: &str, path: &Path) -> String {
    let number = match level {
        "x86-64" => 1,
        "x86-64-v3" => 3,
        "x86-64-v4" => 4,
        _ => panic!("{BUILDS_INSIDE}: `{level}`: expected x86-64, x86-64-v3 or x86-64-v4"),
    };
    let path = path
        .canonicalize()
        .unwrap_or_else(|error| panic!("{BUILDS_INSIDE}: {}: {error}", path.display()));
    format!("Build {{ level: {number}, program: include_bytes!({path:?}) }}")
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

/// Builds the binary for the level of this machine, if that is above the least. A failure costs speed
/// only, so it is a warning.
fn build_for_this_machine(out: &Path) -> Option<(String, PathBuf)> {
    let level = level_of_this_machine()?;
    // The build inside is made again with each change; in a packaged crate there are no others.
    for source in ["src", "crates", "Cargo.toml", "Cargo.lock"] {
        if Path::new(source).exists() {
            println!("cargo:rerun-if-changed={source}");
        }
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = out.join(level);
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?).join("Cargo.toml");
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--bin", "umigame", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(&folder);
    // Cargo tells build scripts about the build they belong to; this one is another.
    for (name, _) in env::vars_os().filter(|(name, _)| belongs_to_the_outer_build(name)) {
        command.env_remove(name);
    }
    command.env("RUSTFLAGS", format!("-C target-cpu={level}")).env(BUILDS_INSIDE, "");
    let built = command.output().map_err(|error| error.to_string()).and_then(|output| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    });
    match built {
        Ok(()) => Some((level.to_owned(), folder.join("release/umigame"))),
        Err(said) => {
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            println!("cargo:warning=no faster build for newer processors is inside: {last}");
            None
        }
    }
}

/// Returns the level of this machine's processor, `None` for the least.
fn level_of_this_machine() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    match x86_64_level::supported() {
        4 => return Some("x86-64-v4"),
        3 => return Some("x86-64-v3"),
        _ => {}
    }
    None
}

/// Returns whether a variable describes the build that this script is part of.
fn belongs_to_the_outer_build(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let prefixes = ["CARGO_CFG_", "CARGO_FEATURE_", "CARGO_PKG_", "CARGO_MANIFEST_", "DEP_"];
    let names = ["CARGO_ENCODED_RUSTFLAGS", "TARGET", "HOST", "OUT_DIR", "PROFILE", "OPT_LEVEL"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || names.contains(&&*name)
}
