//! `umigame nboard`, `umigame gtp` and bare `umigame`: a protocol on standard input and output.

use std::io;

use anyhow::Result;
use umigame_engine::SharedEvaluation;

use crate::protocol::{self, Protocol};

use super::args::GameArgs;
use super::settings;
use umigame_support::exit::Exit;

/// Serves `protocol`, or the protocol that the first line of input belongs to.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    protocol: Option<Protocol>,
    args: &GameArgs,
) -> Result<Exit> {
    protocol::log_panics();
    let session = settings::session(evaluation, args)?;
    protocol::run(protocol, io::stdin(), io::stdout(), session)?;
    Ok(Exit::Done)
}
