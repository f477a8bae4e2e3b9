//! `umigame solve`: searches the positions of a file, several at once, and compares the results
//! with the scores in the file. Results come in the order of the lines; memory does not grow with
//! their number.

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
use umigame_engine::{Confidence, Goal, Limits, Report, Stoppable};
use umigame_othello::Score;
use umigame_othello::formats::obf::{ObfError, Problem, problems};

use super::args::SolveArgs;
use super::settings;
use record::SolveRecord;
use resume::SavedRecords;
use summary::Summary;
use umigame_support::exit::{Exit, bad_input, complain, is_dash, shown};
use umigame_support::files;
use umigame_support::interrupt::{
    INTERRUPTED, UntilInterrupt, is_interrupted, stop_when_interrupted,
};
use umigame_support::progress::bar;

/// At least the legal moves of any position.
const ALL_MOVES: usize = 64;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SolveArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let start = Instant::now();
    let limits = limits(args)?;
    let estimates = args.depth.is_some();
    let options = settings::engine_options(&args.machine);
    let task = task(args, &limits);
    let problems = Box::new(problems(open(&args.file)?));
    let resumed = args.resume.as_deref().map(|file| resume::open(file, &task)).transpose()?;
    let (saved, mut resume_file) = resumed.unzip();
    let jobs = Jobs { problems, saved };
    let mut printer = Printer {
        file: &args.file,
        json: args.jsonl || resume_file.is_some(),
        estimates,
        progress: progress(&args.file, resume_file.is_some()),
        summary: Summary::new(options.threads),
    };
    stop_when_interrupted()?;
    if !printer.json {
        writeln!(out, "# line   score  move  depth        nodes   seconds  principal variation")?;
    }
    let work = |worker: &mut Worker<'_>, job| work(worker, job, &limits);
    let print = |result| {
        let to = resume_file.as_mut().map_or(&mut *out, |file| file as &mut dyn Write);
        printer.print(result, &task, to)
    };
    batch::in_order(jobs, evaluation, options, &INTERRUPTED, work, print)
        .map_err(settings::name_option)
        .inspect_err(|_| printer.progress.finish_and_clear())?;
    printer.progress.finish_and_clear();
    let wall = start.elapsed();
    match (estimates, args.jsonl && resume_file.is_none()) {
        (true, true) => printer.summary.write_errors_json(wall, out)?,
        (true, false) => printer.summary.write_errors(wall, out)?,
        (false, true) => {}
        (false, false) => printer.summary.write(wall, out)?,
    }
    Ok(if is_interrupted() {
        Exit::Interrupted
    } else if estimates {
        printer.summary.exit_of_estimates()
    } else {
        printer.summary.exit()
    })
}

/// Returns the limits of every search: a depth if one is given, else the end of the game; and a
/// number of nodes.
fn limits(args: &SolveArgs) -> Result<Limits> {
    let goal = match args.window.as_deref() {
        Some(&[low, high]) => window(low, high)?,
        _ if args.wld => Goal::WinLossDraw,
        _ => Goal::Score,
    };
    let lines = if args.all_moves { ALL_MOVES } else { 1 };
    let solved = Limits::exact().with_goal(goal).with_lines(lines).with_nodes(args.nodes);
    let Some(depth) = args.depth else { return Ok(solved) };
    let confidence = args.confidence.unwrap_or(Confidence::FULL);
    Ok(solved.with_depth(depth).with_confidence(confidence).with_exact_from(0))
}

fn window(low: i32, high: i32) -> Result<Goal> {
    match (Score::new(low), Score::new(high)) {
        (Some(low), Some(high)) if low < high => Ok(Goal::Window(low, high)),
        _ => Err(bad_input(format!(
            "--window {low} {high}: expected two scores from -64 to 64, the lower one first"
        ))),
    }
}

/// Describes the search of every position. `--resume` accepts only records of the same task.
fn task(args: &SolveArgs, limits: &Limits) -> String {
    let mut task = match limits.goal() {
        _ if args.depth.is_some() => {
            format!("depth {}@{}", limits.max_depth(), limits.confidence())
        }
        Goal::Score => "score".to_owned(),
        Goal::WinLossDraw => "wld".to_owned(),
        Goal::Window(low, high) => format!("window {low} {high}"),
    };
    if args.all_moves {
        task.push_str(", all moves");
    }
    if let Some(nodes) = limits.nodes() {
        task.push_str(&format!(", {nodes} nodes"));
    }
    task
}

fn open(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    if is_dash(path) {
        return Ok(Box::new(BufReader::new(UntilInterrupt(io::stdin()))));
    }
    let unreadable = |error: io::Error| bad_input(format!("{}: {error}", shown(path)));
    let file = files::open(path).map_err(unreadable)?;
    Ok(Box::new(BufReader::new(UntilInterrupt(file))))
}

/// Returns a bar on standard error, hidden unless that is a terminal and the records go elsewhere.
fn progress(path: &Path, saved: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || (io::stdout().is_terminal() && !saved) {
        return ProgressBar::hidden();
    }
    // A pipe can be read only once.
    let lines = match File::open(path) {
        Ok(file) if file.metadata().is_ok_and(|data| data.is_file()) => {
            BufReader::new(file).split(b'\n').count() as u64
        }
        _ => return bar(None, "lines"),
    };
    bar(Some(lines), "lines")
}

/// Work of a thread for one line of the file.
enum Job {
    Search {
        number: usize,
        problem: Problem,
    },
    /// Needs no search.
    Finished(JobResult),
}

/// Result of the work for one line.
enum JobResult {
    Searched {
        number: usize,
        problem: Problem,
        report: Report,
    },
    Unreadable {
        number: usize,
        error: ObfError,
    },
    /// An earlier run has saved the record.
    Saved(Box<SolveRecord>),
    /// The saved records belong to another file or task.
    Mismatch(Error),
}

/// Jobs of a file, in the order of its lines.
struct Jobs {
    problems: Box<dyn Iterator<Item = (usize, Result<Problem, ObfError>)> + Send>,
    saved: Option<SavedRecords>,
}

impl Iterator for Jobs {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let (number, problem) = self.problems.next()?;
        let problem = match problem {
            Ok(problem) => problem,
            Err(error) => return Some(Job::Finished(JobResult::Unreadable { number, error })),
        };
        Some(match self.saved.as_mut().map(|saved| saved.record_of(number, &problem)) {
            Some(Ok(Some(record))) => Job::Finished(JobResult::Saved(Box::new(record))),
            Some(Err(error)) => {
                // The file stays as it is: what follows a foreign record is not read.
                self.problems = Box::new(std::iter::empty());
                Job::Finished(JobResult::Mismatch(error))
            }
            Some(Ok(None)) | None => Job::Search { number, problem },
        })
    }
}

/// Searches the position of a job. Returns `None` if the search was interrupted.
fn work(worker: &mut Worker<'_>, job: Job, limits: &Limits) -> Option<JobResult> {
    match job {
        Job::Search { number, problem } => {
            let report = worker.search(problem.position, limits, &Stoppable::new(&INTERRUPTED));
            (!is_interrupted()).then_some(JobResult::Searched { number, problem, report })
        }
        Job::Finished(result) => Some(result),
    }
}

/// Prints results and sums them up.
struct Printer<'a> {
    file: &'a Path,
    json: bool,
    /// The searches have a depth; their scores are evals.
    estimates: bool,
    progress: ProgressBar,
    summary: Summary,
}

impl Printer<'_> {
    fn print(&mut self, result: JobResult, task: &str, out: &mut dyn Write) -> Result<()> {
        match result {
            JobResult::Searched { number, problem, report } => {
                let mut record = SolveRecord::new(number, &problem, &report, task);
                if self.estimates {
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
            JobResult::Unreadable { number, error } => {
                self.summary.unreadable += 1;
                let message = format!("{}, line {number}: {error}", shown(self.file));
                self.progress.suspend(|| complain(&message));
                self.progress.set_position(number as u64);
            }
            JobResult::Saved(record) => {
                self.summary.add_saved(&record);
                self.progress.set_position(record.line as u64);
            }
            JobResult::Mismatch(error) => return Err(error),
        }
        Ok(())
    }
}
