//! Messages about the processor: too old for this build, or good for a faster one.

use umigame_othello::kernels;

/// Returns the error for a processor that lacks instructions which the binary
/// was built for.
pub(super) fn unsupported(missing: &str) -> String {
    format!(
        "this binary was built for a newer processor: this one lacks {missing}. \
         Build it on this machine, or build the portable one: \
         RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release"
    )
}

/// Returns the way to a faster build if the processor could run one.
pub(super) fn faster_build() -> Option<String> {
    kernels::faster_build().map(|processor| {
        format!(
            "this build is for {}; one for {processor} is faster here: \
             RUSTFLAGS=\"-C target-cpu=native\" cargo install --path .",
            kernels::BUILT_FOR
        )
    })
}
