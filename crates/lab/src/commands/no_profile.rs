//! `umigame-lab profile` in a build that counts nothing.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_othello::text::shown;
use umigame_support::exit::{Exit, bad_input};

/// Count what the solver does at each number of empties (not in this build)
///
/// Counting costs time. A build with the feature `profile` has this command:
///
///   cargo run --release -p umigame-lab --features profile -- profile --help
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct ProfileArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

pub(super) fn run(_: &SharedEvaluation, args: &ProfileArgs, _: &mut dyn Write) -> Result<Exit> {
    let words: Vec<_> = args.words.iter().map(|word| word.to_string_lossy()).collect();
    Err(bad_input(format!(
        "profile: this build counts nothing: \
         cargo run --release -p umigame-lab --features profile -- profile {}",
        shown(&words.join(" "))
    )))
}
