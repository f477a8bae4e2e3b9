//! The meaning of the options, checked once: nothing below sees an argument.

use crate::session::{Options, Session, SessionBook};
use anyhow::Result;
use umigame_book::{ChoiceCriterion, ChoicePolicy, PlayBook};
use umigame_engine::{DEFAULT_MOVE_OVERHEAD, SharedEvaluation};
use umigame_engine::{
    Engine, EngineError, EngineOptions, LimitOptions, Megabytes, Strength, WeakOptions, Weakness,
    WeaknessError,
};

use super::args::{BookArgs, ByArg, EngineArgs, GameArgs, MachineArgs};
use umigame_support::exit::bad_input;

/// Makes a session with an engine and perhaps a book.
///
/// # Errors
/// An engine that the machine has no room for, or a book that cannot be read.
pub(super) fn session(evaluation: &SharedEvaluation, args: &GameArgs) -> Result<Session> {
    let options = Options {
        ponder: args.ponder,
        game_time: args.game_time,
        move_overhead: args.move_overhead.unwrap_or(DEFAULT_MOVE_OVERHEAD),
        limits: limit_options(&args.engine),
        weakness: weakness(args)?,
        seed: args.weak.seed,
    };
    let mut engine = engine(evaluation, engine_options(&args.engine.machine))?;
    engine.warm_up();
    let mut session = Session::new(engine, options);
    let BookArgs { book, book_by, book_loose, book_seed } = &args.book;
    let Some(path) = book else {
        return match args.book.first_given() {
            Some(option) => Err(bad_input(format!("{option}: there is no book: give --book FILE"))),
            None => Ok(session),
        };
    };
    let criterion = match book_by {
        None | Some(ByArg::Value) => ChoiceCriterion::Value,
        Some(ByArg::WinRate) => ChoiceCriterion::WinRate,
    };
    let tolerance_centidiscs = book_loose.map_or(0, |discs| (100.0 * discs).round() as i32);
    let book = PlayBook::open(path).map_err(|error| bad_input(format!("--book {error}")))?;
    let policy = ChoicePolicy { criterion, tolerance_centidiscs };
    session.set_book(SessionBook::new(book, policy, *book_seed));
    Ok(session)
}

/// Limits of the searches, as they were stated.
pub(super) fn limit_options(args: &EngineArgs) -> LimitOptions {
    LimitOptions {
        level: args.level.and_then(Strength::level),
        depth: args.depth,
        exact_from: args.exact_from,
        nodes: args.nodes,
        move_time: args.move_time,
        ..LimitOptions::default()
    }
}

/// How the engine errs where it plays.
///
/// # Errors
/// Options that contradict each other or are out of range.
fn weakness(args: &GameArgs) -> Result<Option<Weakness>> {
    let level = args.engine.level.and_then(Strength::weak);
    let options = WeakOptions { level, error: args.weak.error, max_error: args.weak.max_error };
    options.weakness().map_err(|error| {
        bad_input(match &error {
            WeaknessError::Range { name: "error", .. } => format!("--error: {error}"),
            WeaknessError::Both(name) => {
                format!("--error: level {name} has its own: give one of them")
            }
            _ => format!("--max-error: {error}"),
        })
    })
}

/// Refuses a level that errs: what searches has no use for it.
///
/// # Errors
/// The level has a name.
pub(super) fn require_number(args: &EngineArgs) -> Result<()> {
    match args.level.and_then(Strength::weak) {
        Some(level) => {
            let name = level.name();
            Err(bad_input(format!("--level {name}: it is for play: expected 1 to 30 here")))
        }
        None => Ok(()),
    }
}

/// Memory and threads of an engine.
pub(super) fn engine_options(args: &MachineArgs) -> EngineOptions {
    let default = EngineOptions::default();
    EngineOptions {
        hash: args.hash.map_or(default.hash, |mb| Megabytes(mb as usize)),
        threads: args.threads.map_or(default.threads, |n| n as usize),
    }
}

/// Makes an engine with this evaluation.
///
/// # Errors
/// The machine has too little memory or too few threads for it.
pub(super) fn engine(evaluation: &SharedEvaluation, options: EngineOptions) -> Result<Engine> {
    Engine::new(evaluation.clone(), options).map_err(name_option)
}

/// Adds the option that an engine's error is about.
pub(super) fn name_option(error: impl Into<anyhow::Error>) -> anyhow::Error {
    let error = error.into();
    let option = match error.downcast_ref::<EngineError>() {
        Some(EngineError::HashSize(_) | EngineError::HashMemory { .. }) => "--hash",
        Some(EngineError::Threads(_)) => "--threads",
        None => return error,
    };
    bad_input(format!("{option}: {error}"))
}
