//! The course of tuning as text.

use std::fmt::Write;

use super::log::{CheckEntry, CheckResult, IterationEntry};
use super::work::Course;
use umigame_arena::{Moments, elo_of_score};

/// Maximum rows of the table of costs.
const MAX_ROWS: usize = 10;

/// What the results of an objective mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultUnit {
    /// Nodes as a fraction of those with the start values.
    Nodes,
    /// Processor time as a fraction of that with the start values.
    Time,
    /// Square discs of error, less those of the start values.
    Accuracy,
    /// Share of the points against the start values.
    Points,
}

/// Returns the values at the start and those found, the costs of the iterations in up to ten parts,
/// and the checks.
pub fn text(course: &Course, unit: ResultUnit) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_values(&mut text, course)
        .and_then(|()| write_costs(&mut text, &course.iterations))
        .and_then(|()| course.checks.iter().try_for_each(|it| write_check(&mut text, it, unit)));
    text
}

fn write_values(text: &mut String, course: &Course) -> std::fmt::Result {
    let parameters = course.spsa.parameters();
    let width = parameters.iter().map(|it| it.name.len()).max().unwrap_or(0).max(10);
    writeln!(text, "{:width$} {:>9} {:>9}  range", "# constant", "start", "found")?;
    for (parameter, found) in parameters.iter().zip(course.spsa.found()) {
        let (name, start) = (&parameter.name, parameter.start);
        writeln!(
            text,
            "{name:width$} {start:>9} {found:>9}  {} to {}",
            parameter.min, parameter.max
        )?;
    }
    Ok(())
}

fn write_costs(text: &mut String, iterations: &[IterationEntry]) -> std::fmt::Result {
    writeln!(text, "# iterations     cost   spread  difference")?;
    for part in iterations.chunks(iterations.len().div_ceil(MAX_ROWS).max(1)) {
        let costs: Moments = part.iter().map(|entry| entry.costs.mean()).collect();
        let difference = |entry: &IterationEntry| (entry.costs.plus - entry.costs.minus).abs();
        let differences: Moments = part.iter().map(difference).collect();
        let (first, last) =
            part.first().zip(part.last()).map_or((0, 0), |(a, b)| (a.number, b.number));
        let [cost, difference] = [&costs, &differences].map(|it| it.mean().unwrap_or(0.0));
        let spread = costs.variance().sqrt();
        writeln!(text, "{first:>5} to {last:<5} {cost:7.4}  {spread:7.4}     {difference:7.4}")?;
    }
    Ok(())
}

fn write_check(text: &mut String, check: &CheckEntry, unit: ResultUnit) -> std::fmt::Result {
    let CheckEntry { after, set, result: CheckResult { count, value, low, high }, .. } = check;
    write!(text, "# check after {after} iterations, {set}: ")?;
    match unit {
        ResultUnit::Nodes | ResultUnit::Time => {
            let what = if unit == ResultUnit::Nodes { "nodes" } else { "processor time" };
            writeln!(text, "{what} {value:.4} [{low:.4}, {high:.4}] of that with the start values")
        }
        ResultUnit::Accuracy => writeln!(
            text,
            "squared error and nodes {value:+.3} [{low:+.3}, {high:+.3}] beside the start values"
        ),
        ResultUnit::Points => {
            // Adding 0 turns -0 into 0.
            let elo = |score: &f64| elo_of_score(*score) + 0.0;
            let [elo, low_elo, high_elo] = [value, low, high].map(elo);
            writeln!(
                text,
                "{:.1} % of the points in {count} pairs, Elo {elo:+.0} [{low_elo:+.0}, \
                 {high_elo:+.0}]",
                100.0 * value
            )
        }
    }
}
