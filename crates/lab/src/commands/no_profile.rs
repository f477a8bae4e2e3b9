//! `umigame-lab profile` in a build that counts nothing.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_support::exit::Exit;

use super::common::other_build;

/// Print the solver's visits, cuts and time by number of empties (not in this build)
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
    Err(other_build("profile", "this build counts nothing", &args.words))
}
