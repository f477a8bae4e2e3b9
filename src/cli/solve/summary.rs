//! What a whole file came to.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

use super::record::SolveRecord;
use crate::cli::Outcome;

/// Sums over the records.
#[derive(Default, Debug)]
pub(super) struct Summary {
    solved: u64,
    compared: u64,
    right: u64,
    unproven: u64,
    /// Lines that are no positions.
    pub unreadable: u64,
    nodes: u64,
    seconds: f64,
    /// Positions with an expected score, where estimates are compared.
    estimated: u64,
    sum_of_errors: f64,
    within_3: u64,
    within_6: u64,
    /// Positions where the scores of moves are known.
    with_moves: u64,
    best_found: u64,
}

/// The errors of limited searches.
#[derive(Serialize, Debug)]
struct Errors {
    positions: u64,
    compared: u64,
    mean_absolute_error: Option<f64>,
    best_move_found: Option<f64>,
    within_3_discs: Option<f64>,
    within_6_discs: Option<f64>,
    nodes_per_position: Option<f64>,
    seconds_per_position: Option<f64>,
    unreadable: u64,
}

/// A share or mean, `None` of nothing.
fn ratio(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

impl Summary {
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
    }

    /// Right and wrong, nodes and speed.
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(
            out,
            "# {} positions: {} right, {} wrong, {} without an expected score, {} not proven, \
             {} lines not read",
            self.solved,
            self.right,
            self.compared - self.right,
            self.solved - self.compared - self.unproven,
            self.unproven,
            self.unreadable
        )?;
        let (nodes, seconds) = (self.nodes, self.seconds);
        let speed = nodes as f64 / seconds.max(1e-9);
        writeln!(out, "# {nodes} nodes, {seconds:.3} s, {speed:.0} nodes/s")?;
        Ok(())
    }

    fn errors(&self) -> Errors {
        Errors {
            positions: self.solved,
            compared: self.estimated,
            mean_absolute_error: ratio(self.sum_of_errors, self.estimated),
            best_move_found: ratio(self.best_found as f64, self.with_moves),
            within_3_discs: ratio(self.within_3 as f64, self.estimated),
            within_6_discs: ratio(self.within_6 as f64, self.estimated),
            nodes_per_position: ratio(self.nodes as f64, self.solved),
            seconds_per_position: ratio(self.seconds, self.solved),
            unreadable: self.unreadable,
        }
    }

    /// The errors of limited searches.
    pub(super) fn write_errors(&self, out: &mut dyn Write) -> Result<()> {
        let errors = self.errors();
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
        writeln!(out, "# within 3 discs      {}", percent(errors.within_3_discs))?;
        writeln!(out, "# within 6 discs      {}", percent(errors.within_6_discs))?;
        writeln!(out, "# nodes a position    {}", mean(errors.nodes_per_position, 0))?;
        writeln!(out, "# seconds a position  {}", mean(errors.seconds_per_position, 6))?;
        Ok(())
    }

    /// The same as one line of JSON.
    pub(super) fn write_errors_json(&self, out: &mut dyn Write) -> Result<()> {
        serde_json::to_writer(&mut *out, &self.errors())?;
        Ok(writeln!(out)?)
    }

    /// Of exact searches.
    pub(super) fn outcome(&self) -> Outcome {
        if self.unreadable > 0 {
            Outcome::BadInput
        } else if self.right < self.compared || self.unproven > 0 {
            Outcome::Failed
        } else {
            Outcome::Done
        }
    }

    /// Of estimates, which may differ.
    pub(super) fn outcome_of_reading(&self) -> Outcome {
        if self.unreadable > 0 { Outcome::BadInput } else { Outcome::Done }
    }
}
