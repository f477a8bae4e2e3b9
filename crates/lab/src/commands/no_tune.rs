//! `umigame-lab tune` in a build whose constants are fixed.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_support::exit::Exit;

use super::common::other_build;

/// Tune constants of the search by node counts or games (not in this build)
///
/// The constants of this build are fixed. A build with the feature `tune` has this command:
///
///   cargo run --release -p umigame-lab --features tune -- tune --help
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct TuneArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<std::ffi::OsString>,
}

pub(super) fn run(_: &SharedEvaluation, args: &TuneArgs, _: &mut dyn Write) -> Result<Exit> {
    Err(other_build("tune", "the constants of this build are fixed", &args.words))
}
