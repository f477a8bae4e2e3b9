//! The summary of a file.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::record::SolveRecord;
use crate::cli::json::write_line;
use umigame_support::exit::Exit;

/// Sums over the records.
#[derive(Default, Debug)]
pub(super) struct Summary {
    solved: u64,
    compared: u64,
    right: u64,
    unproven: u64,
    /// Lines that could not be read.
    pub unreadable: u64,
    nodes: u64,
    /// Sum of the search times; with several threads more than the wall-clock time.
    seconds: f64,
    threads: usize,
    /// Positions whose records were saved by an earlier run, and their nodes.
    saved: u64,
    saved_nodes: u64,
    /// Positions with an expected score whose evals were compared.
    estimated: u64,
    /// Sum of the absolute errors in discs.
    sum_of_errors: f64,
    within_3: u64,
    within_6: u64,
    /// Positions of which the file gives scores of moves.
    with_moves: u64,
    best_found: u64,
    /// Positions of which the file gives the score of the chosen move.
    with_loss: u64,
    /// Sum of the discs that these moves lose.
    sum_of_losses: f64,
}

/// Errors of evals against the scores of the file.
#[derive(Serialize, Debug)]
struct Errors {
    positions: u64,
    compared: u64,
    mean_absolute_error: Option<f64>,
    best_move_found: Option<f64>,
    mean_loss: Option<f64>,
    within_3_discs: Option<f64>,
    within_6_discs: Option<f64>,
    nodes_per_position: Option<f64>,
    seconds_per_position: Option<f64>,
    /// Wall-clock time of this run.
    wall_seconds: f64,
    nodes_per_second: f64,
    unreadable: u64,
}

/// Returns a share or a mean; `None` if `count` is 0.
fn ratio(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

impl Summary {
    pub(super) fn new(threads: usize) -> Summary {
        Summary { threads, ..Summary::default() }
    }

    /// Adds a record of an earlier run; its time does not count in the speed of this run.
    pub(super) fn add_saved(&mut self, record: &SolveRecord) {
        self.add(record);
        self.saved += 1;
        self.saved_nodes += record.nodes;
    }

    /// Adds a record of this run.
    pub(super) fn add(&mut self, record: &SolveRecord) {
        self.solved += 1;
        self.nodes += record.nodes;
        self.seconds += record.seconds;
        self.unproven += u64::from(!record.proven);
        self.right += u64::from(record.right == Some(true));
        self.compared += u64::from(record.right.is_some() && record.proven);
        if let Some(error) = record.error {
            self.estimated += 1;
            self.sum_of_errors += error.abs();
            self.within_3 += u64::from(error.abs() <= 3.0);
            self.within_6 += u64::from(error.abs() <= 6.0);
        }
        self.with_moves += u64::from(record.best_found.is_some());
        self.best_found += u64::from(record.best_found == Some(true));
        if let Some(lost) = record.lost {
            self.with_loss += 1;
            self.sum_of_losses += f64::from(lost);
        }
    }

    /// Writes the numbers of right and wrong scores, nodes and speed.
    pub(super) fn write(&self, wall: Duration, out: &mut dyn Write) -> Result<()> {
        let Summary { solved, right, compared, unproven, unreadable, .. } = self;
        let (wrong, not_compared) = (compared - right, solved - compared - unproven);
        write!(out, "# {solved} positions: {right} right, {wrong} wrong, ")?;
        write!(out, "{not_compared} without an expected score, {unproven} not proven, ")?;
        writeln!(out, "{unreadable} lines not read")?;
        self.write_speed(wall, out)
    }

    /// Returns the nodes of this run a second of wall-clock time.
    fn speed(&self, wall: Duration) -> f64 {
        (self.nodes - self.saved_nodes) as f64 / wall.as_secs_f64().max(1e-9)
    }

    fn write_speed(&self, wall: Duration, out: &mut dyn Write) -> Result<()> {
        let (nodes, seconds) = (self.nodes - self.saved_nodes, wall.as_secs_f64());
        let threads = match self.threads {
            0 | 1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        let saved = match self.saved {
            0 => String::new(),
            saved => format!("; {saved} positions were answered before"),
        };
        let speed = self.speed(wall);
        writeln!(out, "# {nodes} nodes, {seconds:.3} s, {speed:.0} nodes/s, {threads}{saved}")?;
        Ok(())
    }

    fn errors(&self, wall: Duration) -> Errors {
        Errors {
            positions: self.solved,
            compared: self.estimated,
            mean_absolute_error: ratio(self.sum_of_errors, self.estimated),
            best_move_found: ratio(self.best_found as f64, self.with_moves),
            mean_loss: ratio(self.sum_of_losses, self.with_loss),
            within_3_discs: ratio(self.within_3 as f64, self.estimated),
            within_6_discs: ratio(self.within_6 as f64, self.estimated),
            nodes_per_position: ratio(self.nodes as f64, self.solved),
            seconds_per_position: ratio(self.seconds, self.solved),
            wall_seconds: wall.as_secs_f64(),
            nodes_per_second: self.speed(wall),
            unreadable: self.unreadable,
        }
    }

    /// Writes the errors of evals.
    pub(super) fn write_errors(&self, wall: Duration, out: &mut dyn Write) -> Result<()> {
        let errors = self.errors(wall);
        let percent = |share: Option<f64>| {
            share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
        };
        let mean = |mean: Option<f64>, places| {
            mean.map_or("-".to_owned(), |mean| format!("{mean:.places$}"))
        };
        writeln!(
            out,
            "# {} positions, {} compared, {} lines not read",
            errors.positions, errors.compared, errors.unreadable
        )?;
        writeln!(out, "# mean absolute error {} discs", mean(errors.mean_absolute_error, 3))?;
        writeln!(out, "# best move found     {}", percent(errors.best_move_found))?;
        writeln!(out, "# lost a move         {} discs", mean(errors.mean_loss, 3))?;
        writeln!(out, "# within 3 discs      {}", percent(errors.within_3_discs))?;
        writeln!(out, "# within 6 discs      {}", percent(errors.within_6_discs))?;
        writeln!(out, "# nodes a position    {}", mean(errors.nodes_per_position, 0))?;
        writeln!(out, "# seconds a position  {}", mean(errors.seconds_per_position, 6))?;
        self.write_speed(wall, out)
    }

    /// Writes the errors of evals as one JSON object.
    pub(super) fn write_errors_json(&self, wall: Duration, out: &mut dyn Write) -> Result<()> {
        write_line(&self.errors(wall), out)
    }

    /// Returns the exit code of solving.
    pub(super) fn exit(&self) -> Exit {
        if self.unreadable > 0 {
            Exit::BadInput
        } else if self.right < self.compared || self.unproven > 0 {
            Exit::Failed
        } else {
            Exit::Done
        }
    }

    /// Returns the exit code of searches with a depth, whose evals may differ from the file.
    pub(super) fn exit_of_estimates(&self) -> Exit {
        if self.unreadable > 0 { Exit::BadInput } else { Exit::Done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::Report;
    use umigame_othello::Score;
    use umigame_othello::formats::obf::parse_line;

    /// Returns a record of 500 nodes in ten seconds.
    fn record() -> SolveRecord {
        let board = "X".repeat(64) + " X; +64;";
        let problem = parse_line(&board).expect("a line").expect("a problem");
        assert_eq!(problem.position.final_score(), Score::MAX);
        let ten = Duration::from_secs(10);
        let report = Report { nodes: 500, elapsed: ten, ..Report::default() };
        SolveRecord::new(1, &problem, &report, "score")
    }

    fn last_line(summary: &Summary, wall: u64) -> String {
        let mut out = Vec::new();
        summary.write(Duration::from_secs(wall), &mut out).expect("memory can be written");
        let text = String::from_utf8(out).expect("text");
        text.lines().next_back().expect("a last line").to_owned()
    }

    #[test]
    fn the_speed_is_nodes_by_wall_clock_time_with_any_number_of_threads() {
        let mut summary = Summary::new(2);
        summary.add(&record());
        summary.add(&record());
        assert_eq!(last_line(&summary, 10), "# 1000 nodes, 10.000 s, 100 nodes/s, 2 threads");
        let errors = summary.errors(Duration::from_secs(10));
        assert_eq!((errors.seconds_per_position, errors.wall_seconds), (Some(10.0), 10.0));
        assert_eq!(errors.nodes_per_second, 100.0);
    }

    #[test]
    fn saved_records_do_not_count_in_the_speed() {
        let mut summary = Summary::new(1);
        summary.add_saved(&record());
        summary.add_saved(&record());
        summary.add(&record());
        let expected =
            "# 500 nodes, 5.000 s, 100 nodes/s, 1 thread; 2 positions were answered before";
        assert_eq!(last_line(&summary, 5), expected);
    }
}
