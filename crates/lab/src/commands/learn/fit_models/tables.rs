//! What the steps print: a table each, for people or as lines of JSON.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use umigame_eval::{ProbCutModel, ScoreCalibration};
use umigame_support::exit::shown;
use umigame_training::models::calibrate::{CalibrationLine, CalibrationPair};
use umigame_training::models::noise::PhaseFit;
use umigame_training::models::probcut::Cell;
use umigame_training::models::scores::Observation;
use umigame_training::models::{Fitted, Step};

/// Prints one table after the other.
pub(super) struct Tables<'a> {
    jsonl: bool,
    out: &'a mut dyn Write,
    /// Step of the current table.
    step: Step,
    /// Headings of the columns of the current table, as wide as what stands below them.
    headings: &'static [&'static str],
    is_first: bool,
}

impl<'a> Tables<'a> {
    pub(super) fn new(jsonl: bool, out: &'a mut dyn Write) -> Tables<'a> {
        Tables { jsonl, out, step: Step::Calibrate, headings: &[], is_first: true }
    }

    /// Prints what a step has found.
    pub(super) fn print(&mut self, found: &Fitted) -> Result<()> {
        match found {
            Fitted::Calibrate { pairs, lines } => self.print_lines(pairs, lines),
            Fitted::Probcut { positions, cells, model } => {
                self.print_cells(cells, model)?;
                let coefficients: Vec<_> = model.0.iter().map(|it| format!("{it:.4}")).collect();
                self.end(&format!("{positions} positions; {}", coefficients.join(" ")))
            }
            Fitted::Noise { positions, phases } => {
                self.print_phases(phases)?;
                self.end(&format!("{positions} positions"))
            }
            Fitted::Scores { positions, observations, model } => {
                self.print_errors(observations, model)?;
                self.end(&format!("{positions} positions"))
            }
        }
    }

    /// Begins the table of a step.
    fn begin(&mut self, step: Step, headings: &'static [&'static str], unit: &str) -> Result<()> {
        (self.step, self.headings) = (step, headings);
        if !self.jsonl {
            if !self.is_first {
                writeln!(self.out)?;
            }
            writeln!(self.out, "{}  ({unit})", headings.join("  "))?;
        }
        self.is_first = false;
        Ok(())
    }

    /// Prints a row, from its cells or as JSON; without cells as JSON alone.
    fn row(&mut self, cells: &[String], mut json: Value) -> Result<()> {
        if self.jsonl {
            json["step"] = self.step.name().into();
            writeln!(self.out, "{json}")?;
        } else if !cells.is_empty() {
            let cells = cells.iter().zip(self.headings);
            let cells = cells.map(|(cell, heading)| format!("{cell:>0$}", heading.len()));
            writeln!(self.out, "{}", cells.collect::<Vec<_>>().join("  "))?;
        }
        Ok(())
    }

    /// Ends the table with its last line, which JSON has not.
    fn end(&mut self, summary: &str) -> Result<()> {
        if !self.jsonl {
            writeln!(self.out, "# {}: {summary}", self.step.name())?;
        }
        Ok(())
    }

    fn print_lines(&mut self, pairs: &[CalibrationPair], lines: &[CalibrationLine]) -> Result<()> {
        const HEADINGS: [&str; 6] =
            ["plies", "positions", "scale", "offset", " error", "calibrated"];
        self.begin(Step::Calibrate, &HEADINGS, "discs")?;
        let before = |pair: &CalibrationPair| f64::from(pair.value);
        let after = |pair: &CalibrationPair| {
            lines.get(pair.phase).map_or(0.0, |line| line.apply(pair.value))
        };
        for (phase, line) in lines.iter().enumerate() {
            let own = || pairs.iter().filter(|pair| pair.phase == phase);
            let (first, last, offset) = (2 * phase, 2 * phase + 1, line.offset / 100.0);
            let (before, after) = (error(own(), before), error(own(), after));
            let (count, scale) = (own().count(), line.scale);
            self.row(
                &[
                    format!("{first}-{last}"),
                    count.to_string(),
                    format!("{scale:.3}"),
                    format!("{offset:+.2}"),
                    format!("{before:.2}"),
                    format!("{after:.2}"),
                ],
                json!({
                    "first": first, "last": last, "positions": count, "scale": scale,
                    "offset": offset, "error_before": before, "error_after": after,
                }),
            )?;
        }
        let (count, before) = (pairs.len(), error(pairs.iter(), before));
        let after = error(pairs.iter(), after);
        self.end(&format!("{count} positions, error {before:.2}, calibrated {after:.2}"))
    }

    fn print_cells(&mut self, cells: &[Cell], model: &ProbCutModel) -> Result<()> {
        const HEADINGS: [&str; 7] =
            ["empties", "shallow", "deep", "positions", " mean", "sigma", "fitted"];
        self.begin(Step::Probcut, &HEADINGS, "discs")?;
        for cell in cells {
            let Cell { empties, shallow, deep, count, .. } = *cell;
            let fitted = match deep {
                Some(deep) => model.midgame(empties, shallow, deep),
                None => model.endgame(empties, shallow),
            };
            let (mean, sigma) = (cell.mean / 100.0, cell.sigma / 100.0);
            let text = || {
                let depth = deep.map_or("end".to_owned(), |deep| deep.to_string());
                [
                    empties.to_string(),
                    shallow.to_string(),
                    depth,
                    count.to_string(),
                    format!("{mean:.2}"),
                    format!("{sigma:.2}"),
                    format!("{:.2}", fitted.sigma / 100.0),
                ]
            };
            // Even depths tell people enough.
            let is_shown = shallow.is_multiple_of(2) && deep.is_none_or(|it| it.is_multiple_of(2));
            let cells: &[String] = if is_shown { &text() } else { &[] };
            self.row(
                cells,
                json!({
                    "empties": empties, "shallow": shallow, "deep": deep, "positions": count,
                    "mean": mean, "sigma": sigma, "fitted_mean": fitted.mean / 100.0,
                    "fitted_sigma": fitted.sigma / 100.0,
                }),
            )?;
        }
        Ok(())
    }

    fn print_phases(&mut self, phases: &[PhaseFit]) -> Result<()> {
        const HEADINGS: [&str; 5] = ["plies", "positions", "5 % below", "5 % above", " gain"];
        self.begin(Step::Noise, &HEADINGS, "factors of sigma")?;
        for PhaseFit { phase, positions, low, high, gain } in phases {
            let (first, last) = (2 * phase, 2 * phase + 1);
            self.row(
                &[
                    format!("{first}-{last}"),
                    positions.to_string(),
                    format!("{low:.2}"),
                    format!("{high:.2}"),
                    format!("{gain:.3}"),
                ],
                json!({
                    "first": first, "last": last, "positions": positions, "low": low,
                    "high": high, "gain": gain,
                }),
            )?;
        }
        Ok(())
    }

    /// Prints the errors of estimates of exact scores, by depth.
    fn print_errors(
        &mut self,
        observations: &[Observation],
        model: &ScoreCalibration,
    ) -> Result<()> {
        const HEADINGS: [&str; 6] =
            ["  search", "positions", "error", "estimate", "std dev", "within"];
        /// Depths of the table, and the ending.
        const SHOWN: [Option<u32>; 9] =
            [Some(1), Some(2), Some(4), Some(6), Some(8), Some(10), Some(12), Some(15), None];
        self.begin(Step::Scores, &HEADINGS, "discs")?;
        for plies in SHOWN {
            let is_of_row = |one: &&Observation| {
                let is_cut = one.features.cut_sigmas.is_finite();
                one.noise == 0.0
                    && one.features.plies == plies
                    && plies.is_none_or(|plies| is_cut == (plies > 3))
            };
            let mut errors = ScoreErrors::default();
            observations.iter().filter(is_of_row).for_each(|one| errors.add(one, model));
            if errors.count == 0.0 {
                continue;
            }
            let name = plies.map_or("ending".to_owned(), |plies| format!("depth {plies}"));
            let mean = |sum: f64| sum / errors.count;
            let (before, after) = (mean(errors.before), mean(errors.after));
            let (std_dev, within) = (mean(errors.std_dev), mean(errors.within));
            self.row(
                &[
                    name.clone(),
                    errors.count.to_string(),
                    format!("{before:.2}"),
                    format!("{after:.2}"),
                    format!("{std_dev:.2}"),
                    format!("{:.1} %", 100.0 * within),
                ],
                json!({
                    "search": name, "positions": errors.count, "error_before": before,
                    "error_after": after, "std_dev": std_dev, "within": within,
                }),
            )?;
        }
        Ok(())
    }
}

/// Returns the mean absolute difference between `value` and score of pairs, in discs.
fn error<'a>(
    pairs: impl Iterator<Item = &'a CalibrationPair>,
    value: impl Fn(&CalibrationPair) -> f64,
) -> f64 {
    let (sum, count) = pairs.fold((0.0, 0), |(sum, count), pair| {
        (sum + (value(pair) - f64::from(pair.score)).abs(), count + 1)
    });
    sum / f64::from(count.max(1)) / 100.0
}

/// Sums over the observations of one kind of search.
#[derive(Default)]
struct ScoreErrors {
    count: f64,
    before: f64,
    after: f64,
    std_dev: f64,
    within: f64,
}

impl ScoreErrors {
    fn add(&mut self, one: &Observation, model: &ScoreCalibration) {
        let distribution = model.distribution(&one.features, one.value);
        let error = (one.truth - distribution.center).abs();
        self.count += 1.0;
        self.before += (one.truth - one.value).abs();
        self.after += error;
        self.std_dev += distribution.std_dev;
        self.within += f64::from(u8::from(error <= distribution.std_dev));
    }
}

/// Writes the observations of the step scores; nothing of other steps.
pub(super) fn write_observations(path: &Path, found: &Fitted) -> Result<()> {
    let Fitted::Scores { observations, .. } = found else { return Ok(()) };
    let mut text = "kind,empties,plies,cut_sigmas,noise_log,value,truth,variance\n".to_owned();
    for Observation { features, value, truth, noise } in observations {
        let kind = if features.plies.is_some() { "depth" } else { "ending" };
        let plies = features.plies.map_or(String::new(), |plies| plies.to_string());
        let (empties, sigmas, log) = (features.empties, features.cut_sigmas, features.noise.log());
        // Writing to a string cannot fail.
        let _ = write!(text, "{kind},{empties},{plies},{sigmas},{log:.3},");
        let _ = writeln!(text, "{value:.2},{truth},{noise:.2}");
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", shown(path)))
}
