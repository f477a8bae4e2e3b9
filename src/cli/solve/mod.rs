//! `umigame solve`: searches a file of positions, many at once, and compares
//! what it finds with the scores that the file expects. Answers come in the
//! order of the lines; memory does not grow with their number.

mod record;
mod resume;
mod summary;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Error, Result};
use indicatif::ProgressBar;
use umigame_engine::SharedEvaluation;
use umigame_engine::batch::{self, Worker};
use umigame_engine::{Confidence, EngineError, Goal, Limits, Report, Stoppable};
use umigame_othello::Score;
use umigame_othello::formats::obf::{ObfError, Problem, problems};

use super::args::SolveArgs;
use super::interrupt::{INTERRUPTED, is_interrupted, stop_when_interrupted};
use super::progress::styled;
use super::{Outcome, bad_input, complain, settings, shown};
use record::SolveRecord;
use resume::Records;
use summary::Summary;

/// Enough for every move of any position.
const ALL_MOVES: usize = 64;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SolveArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let start = Instant::now();
    let limits = limits(args)?;
    let limited = args.depth.is_some();
    let options = settings::engine_options(&args.machine);
    let task = task(args, &limits, limited);
    let records = args.resume.as_deref().map(|file| Records::open(file, &task)).transpose()?;
    let mut saved = args.resume.as_deref().map(resume::appended).transpose()?;
    let questions = Questions { problems: Box::new(problems(open(&args.file)?)), records };
    let mut printer = Printer {
        file: &args.file,
        json: args.jsonl || saved.is_some(),
        limited,
        progress: progress(&args.file, saved.is_some()),
        summary: Summary::new(options.threads),
    };
    stop_when_interrupted()?;
    if !printer.json {
        writeln!(out, "# line   score  move  depth        nodes   seconds  principal variation")?;
    }
    let answer = |worker: &mut Worker<'_>, question| answer(worker, question, &limits);
    let hand_on = |answer| {
        let to = saved.as_mut().map_or(&mut *out, |file| file as &mut dyn Write);
        printer.hand_on(answer, &task, to)
    };
    batch::in_order(questions, evaluation, options, &INTERRUPTED, answer, hand_on)
        .map_err(explain)
        .inspect_err(|_| printer.progress.finish_and_clear())?;
    printer.progress.finish_and_clear();
    let wall = start.elapsed();
    match (limited, args.jsonl && saved.is_none()) {
        (true, true) => printer.summary.write_errors_json(wall, out)?,
        (true, false) => printer.summary.write_errors(wall, out)?,
        (false, true) => {}
        (false, false) => printer.summary.write(wall, out)?,
    }
    Ok(match is_interrupted() {
        true => Outcome::Interrupted,
        false if limited => printer.summary.outcome_of_reading(),
        false => printer.summary.outcome(),
    })
}

/// Everything is read to its end, unless a depth is given; else only a number
/// of nodes may stop a search.
fn limits(args: &SolveArgs) -> Result<Limits> {
    let goal = match args.window.as_deref() {
        Some(&[low, high]) => window(low, high)?,
        _ if args.wld => Goal::WinLossDraw,
        _ => Goal::Score,
    };
    let lines = if args.all_moves { ALL_MOVES } else { 1 };
    let common = Limits { goal, lines, nodes: args.nodes, ..Limits::exact() };
    let Some(depth) = args.depth else { return Ok(common) };
    let confidence = args.selectivity.unwrap_or(Confidence::FULL);
    Ok(Limits { depth, confidence, solve_from: 0, ..common })
}

fn window(low: i32, high: i32) -> Result<Goal> {
    match (Score::new(low), Score::new(high)) {
        (Some(low), Some(high)) if low < high => Ok(Goal::Window(low, high)),
        _ => Err(bad_input(format!(
            "--window {low} {high}: expected two scores from -64 to 64, the lower one first"
        ))),
    }
}

/// What is asked of every position, in a few words: answers to something
/// else are no use to `--resume`.
fn task(args: &SolveArgs, limits: &Limits, limited: bool) -> String {
    let mut task = match limits.goal {
        _ if limited => format!("depth {}@{}", limits.depth, limits.confidence),
        Goal::Score => "score".to_owned(),
        Goal::WinLossDraw => "wld".to_owned(),
        Goal::Window(low, high) => format!("window {low} {high}"),
    };
    if args.all_moves {
        task.push_str(", all moves");
    }
    if let Some(nodes) = limits.nodes {
        task.push_str(&format!(", {nodes} nodes"));
    }
    task
}

/// A table that cannot be had is the fault of `--hash`.
fn explain(error: Error) -> Error {
    match error.downcast::<EngineError>() {
        Ok(error) => settings::name_option(error),
        Err(error) => error,
    }
}

fn open(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let unreadable = |error: io::Error| bad_input(format!("{}: {error}", shown(path)));
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(bad_input(format!("{}: is a directory", shown(path))));
    }
    Ok(Box::new(BufReader::new(file)))
}

/// A bar on standard error where a person looks at it and the records do not
/// go to the same terminal.
fn progress(path: &Path, saved: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || (io::stdout().is_terminal() && !saved) {
        return ProgressBar::hidden();
    }
    // A pipe can be read only once.
    let lines = match File::open(path) {
        Ok(file) if file.metadata().is_ok_and(|data| data.is_file()) => {
            BufReader::new(file).split(b'\n').count() as u64
        }
        _ => return ProgressBar::new_spinner(),
    };
    styled(ProgressBar::new(lines), "{bar:40} {pos}/{len}  {elapsed} (eta {eta})")
}

/// What the threads are given.
enum Question {
    Problem(usize, Problem),
    Unreadable(usize, ObfError),
    /// Answered by an earlier run.
    Known(Box<SolveRecord>),
    /// The earlier run was of another file.
    Mismatch(Error),
}

/// What the threads give back.
enum Answer {
    Solved { number: usize, problem: Problem, report: Report },
    Unreadable(usize, ObfError),
    Known(Box<SolveRecord>),
    Mismatch(Error),
}

/// The problems of a file, without those that an earlier run answered.
struct Questions {
    problems: Box<dyn Iterator<Item = (usize, Result<Problem, ObfError>)> + Send>,
    records: Option<Records>,
}

impl Iterator for Questions {
    type Item = Question;

    fn next(&mut self) -> Option<Question> {
        let (number, problem) = self.problems.next()?;
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => return Some(Question::Unreadable(number, error)),
        };
        match self.records.as_mut().map(|records| records.answer_to(number, &problem)) {
            Some(Ok(Some(record))) => Some(Question::Known(Box::new(record))),
            Some(Err(error)) => Some(Question::Mismatch(error)),
            Some(Ok(None)) | None => Some(Question::Problem(number, problem)),
        }
    }
}

/// `None` where the search was interrupted: that is no answer.
fn answer(worker: &mut Worker<'_>, question: Question, limits: &Limits) -> Option<Answer> {
    Some(match question {
        Question::Problem(number, problem) => {
            let report = worker.search(problem.position, limits, &Stoppable::new(&INTERRUPTED));
            if is_interrupted() {
                return None;
            }
            Answer::Solved { number, problem, report }
        }
        Question::Unreadable(number, error) => Answer::Unreadable(number, error),
        Question::Known(record) => Answer::Known(record),
        Question::Mismatch(error) => Answer::Mismatch(error),
    })
}

/// Where the answers go.
struct Printer<'a> {
    file: &'a Path,
    json: bool,
    limited: bool,
    progress: ProgressBar,
    summary: Summary,
}

impl Printer<'_> {
    fn hand_on(&mut self, answer: Answer, task: &str, out: &mut dyn Write) -> Result<()> {
        match answer {
            Answer::Solved { number, problem, report } => {
                let mut record = SolveRecord::new(number, &problem, &report, task);
                if self.limited {
                    record.compare_estimate(&problem, &report);
                } else {
                    record.compare(&problem, &report);
                }
                self.summary.add(&record);
                if self.json {
                    record.json(out)?;
                } else {
                    record.text(&report, out)?;
                }
                out.flush()?;
                self.progress.set_position(number as u64);
            }
            Answer::Unreadable(number, error) => {
                self.summary.unreadable += 1;
                let message = format!("{}, line {number}: {error}", shown(self.file));
                self.progress.suspend(|| complain(&message));
                self.progress.set_position(number as u64);
            }
            Answer::Known(record) => {
                self.summary.add_known(&record);
                self.progress.set_position(record.line as u64);
            }
            Answer::Mismatch(error) => return Err(error),
        }
        Ok(())
    }
}
