//! Makes the scripts of pages that are one file, and compiles the crate again where a file of the page
//! has come or gone.

use std::path::Path;
use std::{env, fs};

#[path = "src/bundle.rs"]
mod bundle;

fn main() {
    for folder in ["page", "report", "static", "umigame", "src/bundle.rs"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    let out = env::var_os("OUT_DIR").expect("cargo names a folder");
    for name in ["report.js", "index.js"] {
        let script = bundle::bundle(&Path::new("report").join(name));
        let script = script.unwrap_or_else(|error| panic!("{error}"));
        fs::write(Path::new(&out).join(name), script).expect("cargo's folder is writable");
    }
}
