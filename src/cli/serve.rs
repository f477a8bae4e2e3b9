//! `umigame nboard`, `umigame gtp` and bare `umigame`: a protocol on standard input and output.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use umigame_engine::SharedEvaluation;

use crate::protocol::{self, Protocol, Recorder};

use super::args::ServeArgs;
use super::exit::{Exit, bad_input, shown};
use super::settings;

/// Serves `protocol`, or the protocol that the first line of input belongs to.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    protocol: Option<Protocol>,
    args: &ServeArgs,
) -> Result<Exit> {
    protocol::log_panics();
    let session = settings::session(evaluation, &args.game)?;
    let recorder = match &args.record {
        Some(path) => record_to(path)?,
        None => Recorder::default(),
    };
    protocol::run(protocol, io::stdin(), io::stdout(), session, recorder)?;
    Ok(Exit::Done)
}

/// Creates a recorder that writes to a file. The first line holds the arguments of the command,
/// with which `umigame replay` starts the engine again.
fn record_to(path: &Path) -> Result<Recorder> {
    let unwritable = |error: io::Error| bad_input(format!("--record {}: {error}", shown(path)));
    let mut file = File::create(path).map_err(unwritable)?;
    writeln!(file, "{}", super::replay::header_line(std::env::args_os())).map_err(unwritable)?;
    Ok(Recorder::new(file))
}
