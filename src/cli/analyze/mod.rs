//! `umigame analyze`: games judged move by move.

pub(super) mod input;
mod pages;

use std::io::Write;

use crate::session::Options;
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use input::Source;
use pages::Pages;
use umigame_analysis::{Analysis, Judgement, judge};
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::batch::in_order;
use umigame_engine::search::{Engine, EngineError, EngineOptions, Level, Limits, Stoppable};
use umigame_othello::text;

use super::args::{AnalyzeArgs, EngineArgs};
use super::interrupt::{INTERRUPTED, is_interrupted, outcome, stop_when_interrupted};
use super::progress::styled;
use super::{Outcome, settings};

/// The level of an analysis, unless the user chooses: a game of 60 moves
/// takes some seconds.
const LEVEL: u32 = 16;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &AnalyzeArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let options = options(&args.engine, args.exact);
    let limits = options.limits(1, None);
    let engine_options = settings::engine_options(&args.engine.machine);
    let sources = input::read(&args.game, args.games)?;
    if sources.games.is_empty() {
        // Each file or game has had its line on standard error.
        return Ok(Outcome::BadInput);
    }
    stop_when_interrupted()?;
    let failed = sources.failed;
    let settings = settings_sentence(&limits);
    let pages = args.html.as_deref().map(|path| Pages::new(path, sources.games.len(), settings));
    let left = sources.games.len();
    let mut report = Reporter { args, out, first: true, left, pages: pages.transpose()? };
    match sources.games.len() {
        1 => {
            for source in sources.games {
                one(source, evaluation, engine_options, &limits, &mut report)?;
            }
        }
        _ => many(sources.games, evaluation, engine_options, &limits, &mut report)?,
    }
    report.finish()?;
    Ok(match (outcome(), failed) {
        (Outcome::Done, 1..) => Outcome::BadInput,
        (outcome, _) => outcome,
    })
}

/// What the options mean for an analysis.
fn options(engine: &EngineArgs, exact: Option<u32>) -> Options {
    let mut options = settings::options(engine);
    let bounded = options.nodes.is_some() || options.move_time.is_some();
    if options.level.is_none() && options.depth.is_none() && !bounded {
        options.level = Level::new(LEVEL);
    }
    options.solve_from = exact.or(options.solve_from);
    options
}

/// What the searches were to do, in a sentence.
fn settings_sentence(limits: &Limits) -> String {
    let mut text = match limits.move_time {
        Some(time) => format!("Each move was given {time:?}"),
        None => format!("Each position was searched to {} plies", limits.depth),
    };
    if let Some(nodes) = limits.nodes {
        text += &format!(", with {nodes} nodes for a move");
    }
    text + &format!(
        ", cuts sure at {} %, and read out exactly from {} empty squares.",
        limits.confidence.percent(),
        limits.solve_from
    )
}

/// Judges one game with all threads.
fn one(
    source: Source,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    limits: &Limits,
    report: &mut Reporter<'_>,
) -> Result<()> {
    let mut engine = settings::engine(evaluation, options)?;
    let board = source.record.board().context("a game was read with an illegal move")?;
    let bar = bar(board.plies() as u64 + 1, "{bar:30} {pos}/{len} positions, {elapsed}");
    let analysis = analyze(&mut engine, source, limits, &mut |judged| {
        log::info!("judged: move {}", judged.number);
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    report.add(&analysis)
}

/// Judges many games, a thread for each, in their order.
fn many(
    games: Vec<Source>,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    limits: &Limits,
    report: &mut Reporter<'_>,
) -> Result<()> {
    let bar = bar(games.len() as u64, "{bar:30} {pos}/{len} games, {elapsed}, {eta} left");
    let answer = |worker: &mut umigame_engine::search::batch::Worker<'_>, source: Source| {
        let engine = worker.own();
        // What a game comes to must not depend on the games before it.
        engine.clear();
        Some(analyze(engine, source, limits, &mut |_| {}))
    };
    let result =
        in_order(games.into_iter(), evaluation, options, &INTERRUPTED, answer, |analysis| {
            bar.inc(1);
            report.add(&analysis?).map_err(Failure)
        });
    bar.finish_and_clear();
    result.map_err(|Failure(error)| error)
}

/// What ends the work on many games.
struct Failure(anyhow::Error);

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure(settings::name_option(error))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure(error)
    }
}

/// A game judged, as far as it goes where the user interrupted it.
fn analyze(
    engine: &mut Engine,
    source: Source,
    limits: &Limits,
    found: &mut dyn FnMut(&Judgement),
) -> Result<Judged> {
    let board = source.record.board().context("a game was read with an illegal move")?;
    let mut judgements = Vec::new();
    let mut search = |position, limits: &Limits| {
        let report = engine.search(position, limits, &Stoppable::new(&INTERRUPTED));
        (!is_interrupted()).then_some(report)
    };
    judge(&board, limits, &mut search, &mut |judged| {
        judgements.push(judged.clone());
        found(judged);
    });
    let Source { file, number, record } = source;
    Ok(Judged { file, number, analysis: Analysis::new(record, judgements)? })
}

/// A game judged, and where it is from.
struct Judged {
    file: String,
    number: usize,
    analysis: Analysis,
}

/// A bar on standard error, where that is a terminal.
fn bar(steps: u64, template: &str) -> ProgressBar {
    styled(ProgressBar::new(steps), template)
}

/// Writes what was found, game by game.
struct Reporter<'a> {
    args: &'a AnalyzeArgs,
    out: &'a mut dyn Write,
    first: bool,
    /// Games still to come.
    left: usize,
    pages: Option<Pages>,
}

impl Reporter<'_> {
    fn add(&mut self, judged: &Judged) -> Result<()> {
        let analysis = &judged.analysis;
        if self.args.jsonl {
            let file = (!judged.file.is_empty()).then_some(judged.file.as_str());
            writeln!(self.out, "{}", umigame_analysis::json(analysis, file, judged.number))?;
        } else {
            if !self.first {
                writeln!(self.out)?;
            }
            if !judged.file.is_empty() {
                writeln!(self.out, "# {}, game {}", text::shown(&judged.file), judged.number)?;
            }
            write!(self.out, "{analysis}")?;
        }
        self.first = false;
        self.left -= 1;
        self.out.flush()?;
        // A page that was there before is worth more than one that says nothing.
        match &mut self.pages {
            Some(pages) if !analysis.judgements().is_empty() => pages.add(analysis),
            _ => Ok(()),
        }
    }

    /// Writes what belongs to all games together.
    fn finish(&mut self) -> Result<()> {
        if self.left > 0 {
            let were = if self.left == 1 { "game was" } else { "games were" };
            let said = format!("{} more {were} not begun", self.left);
            match self.args.jsonl {
                true => log::warn!("interrupted: {said}"),
                false => writeln!(self.out, "\n# incomplete: {said}")?,
            }
        }
        match &mut self.pages {
            Some(pages) => pages.finish(),
            None => Ok(()),
        }
    }
}
