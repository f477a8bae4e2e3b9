//! `umigame nboard`, `umigame gtp`, and bare `umigame`: a protocol on
//! standard input and output.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::protocol::{self, Protocol, Recorder};
use anyhow::Result;
use umigame_engine::eval::SharedEvaluation;

use super::args::ServeArgs;
use super::{Outcome, bad_input, settings, shown};

/// Speaks a protocol, or the one that the first line shows.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    protocol: Option<Protocol>,
    args: &ServeArgs,
) -> Result<Outcome> {
    protocol::log_panics();
    unpack_early(evaluation);
    let session = settings::session(evaluation, &args.game)?;
    let recorder = match &args.record {
        Some(path) => record_to(path)?,
        None => Recorder::default(),
    };
    protocol::run(protocol, io::stdin(), io::stdout(), session, recorder)?;
    Ok(Outcome::Done)
}

/// Unpacks the weights while the client is still introducing itself: the
/// first pong does not wait for them. Where no thread is to be had, the first
/// search does it.
fn unpack_early(evaluation: &SharedEvaluation) {
    let evaluation = evaluation.clone();
    let _ = std::thread::Builder::new().spawn(move || evaluation.prepare());
}

/// A recorder that writes to a file, after a line with the command that was
/// run, so that the record can be replayed with the same options.
fn record_to(path: &Path) -> Result<Recorder> {
    let unwritable = |error: io::Error| bad_input(format!("--record {}: {error}", shown(path)));
    let mut file = File::create(path).map_err(unwritable)?;
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    writeln!(file, "{}{}", super::replay::HEADER, words.join(" ")).map_err(unwritable)?;
    Ok(Recorder::new(file))
}
