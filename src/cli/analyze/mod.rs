//! `umigame analyze`: games judged move by move.

pub(super) mod input;
pub(super) mod pages;

use std::io::Write;

use anyhow::{Context, Result};
use input::Source;
use pages::Pages;
use umigame_analysis::{Analysis, Judgement, judge};
use umigame_engine::SharedEvaluation;
use umigame_engine::batch::in_order;
use umigame_engine::{Engine, EngineOptions, Level, Limits, Stoppable};
use umigame_othello::text;

use super::args::{AnalyzeArgs, EngineArgs};
use super::format::MAX_MOVES;
use super::{browser, settings};
use umigame_support::exit::Exit;
use umigame_support::interrupt::{INTERRUPTED, is_interrupted, outcome, stop_when_interrupted};
use umigame_support::progress::bar;

/// Level of an analysis unless the user chooses one: a game of 60 moves takes some seconds.
const DEFAULT_LEVEL: u32 = 16;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &AnalyzeArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    settings::require_number(&args.engine)?;
    let limits = limits(&args.engine);
    let limits = if args.all_moves { limits.with_lines(MAX_MOVES) } else { limits };
    let engine_options = settings::engine_options(&args.engine.machine);
    let sources = input::read(&args.game, args.games.clone())?;
    if sources.games.is_empty() {
        // Each unreadable file or game was named on standard error.
        return Ok(Exit::BadInput);
    }
    stop_when_interrupted()?;
    // The time of a search is for thinking, not for unpacking.
    evaluation.prepare();
    let failed = sources.failed;
    let settings = settings_sentence(&limits);
    let games = sources.games.len();
    let pages = args.html.as_deref().map(|path| Pages::new(path, games, settings, args.force));
    let remaining = sources.games.len();
    let mut report = Reporter { args, out, is_first: true, remaining, pages: pages.transpose()? };
    match sources.games.len() {
        1 => {
            for source in sources.games {
                judge_one(source, evaluation, engine_options, &limits, &mut report)?;
            }
        }
        _ => judge_many(sources.games, evaluation, engine_options, &limits, &mut report)?,
    }
    report.finish()?;
    Ok(match (outcome(), failed) {
        (Exit::Done, 1..) => Exit::BadInput,
        (outcome, _) => outcome,
    })
}

/// Returns the limits of an analysis.
fn limits(engine: &EngineArgs) -> Limits {
    let mut limits = settings::limit_options(engine);
    if limits.level.is_none() && limits.depth.is_none() && !limits.is_bounded() {
        limits.level = Level::new(DEFAULT_LEVEL);
    }
    limits.limits()
}

/// Returns a sentence on the limits of the searches.
pub(super) fn settings_sentence(limits: &Limits) -> String {
    let mut text = match limits.move_time() {
        Some(time) => format!("Each move was given {time:?}"),
        None => format!("Each position was searched to {} plies", limits.max_depth()),
    };
    if let Some(nodes) = limits.nodes() {
        text += &format!(", with {nodes} nodes for a move");
    }
    text + &format!(
        ", with cutoffs at {} % confidence, and solved exactly from {} empty squares.",
        limits.confidence().percent(),
        limits.exact_from()
    )
}

/// Judges one game with all threads.
fn judge_one(
    source: Source,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    limits: &Limits,
    report: &mut Reporter<'_>,
) -> Result<()> {
    let mut engine = settings::engine(evaluation, options)?;
    engine.prepare(limits);
    let board = source.record.board().context("a game was read with an illegal move")?;
    let bar = bar(Some(board.plies() as u64 + 1), "positions");
    let analysis = analyze(&mut engine, source, limits, &mut |judged| {
        log::info!("judged: move {}", judged.number);
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    report.add(&analysis)
}

/// Judges many games, one per thread; reports them in order.
fn judge_many(
    games: Vec<Source>,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    limits: &Limits,
    report: &mut Reporter<'_>,
) -> Result<()> {
    let bar = bar(Some(games.len() as u64), "games");
    let answer = |worker: &mut umigame_engine::batch::Worker<'_>, source: Source| {
        let engine = worker.own();
        engine.prepare(limits);
        // The result of a game must not depend on the games before it.
        engine.clear();
        Some(analyze(engine, source, limits, &mut |_| {}))
    };
    let result =
        in_order(games.into_iter(), evaluation, options, &INTERRUPTED, answer, |analysis| {
            bar.inc(1);
            report.add(&analysis?)
        });
    bar.finish_and_clear();
    result.map_err(settings::name_option)
}

/// Judges a game, in part where the user interrupts.
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

/// A judged game and its source.
struct Judged {
    file: String,
    number: usize,
    analysis: Analysis,
}

/// Writes the judged games one by one.
struct Reporter<'a> {
    args: &'a AnalyzeArgs,
    out: &'a mut dyn Write,
    is_first: bool,
    /// Games still to be reported.
    remaining: usize,
    pages: Option<Pages>,
}

impl Reporter<'_> {
    fn add(&mut self, judged: &Judged) -> Result<()> {
        let analysis = &judged.analysis;
        if self.args.jsonl {
            let file = (!judged.file.is_empty()).then_some(judged.file.as_str());
            writeln!(self.out, "{}", umigame_analysis::json(analysis, file, judged.number))?;
        } else {
            if !self.is_first {
                writeln!(self.out)?;
            }
            if !judged.file.is_empty() {
                writeln!(self.out, "# {}, game {}", text::shown(&judged.file), judged.number)?;
            }
            write!(self.out, "{analysis}")?;
        }
        self.is_first = false;
        self.remaining -= 1;
        self.out.flush()?;
        // Without judgements, a page of an earlier run is kept.
        match &mut self.pages {
            Some(pages) if !analysis.judgements().is_empty() => pages.add(analysis),
            _ => Ok(()),
        }
    }

    /// Writes the number of games left out, and the index.
    fn finish(&mut self) -> Result<()> {
        if self.remaining > 0 {
            let were = if self.remaining == 1 { "game was" } else { "games were" };
            let message = format!("{} more {were} not begun", self.remaining);
            if self.args.jsonl {
                log::warn!("interrupted: {message}")
            } else {
                writeln!(self.out, "\n# incomplete: {message}")?
            }
        }
        if let Some(pages) = &mut self.pages {
            let page = pages.finish()?;
            if self.args.open && page.is_file() {
                // The browser may have another folder of its own.
                browser::open(std::path::absolute(&page).unwrap_or(page));
            }
        }
        Ok(())
    }
}
