//! Compiles the crate again where a file of the page has come or gone.

fn main() {
    for folder in ["page", "umigame"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
