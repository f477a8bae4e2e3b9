//! Options that several objectives share.

use std::io::Write;
use std::ops::Bound::{Excluded, Included};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame_engine::{Limits, Megabytes, SharedEvaluation};
use umigame_othello::{Position, text::shown_path};
use umigame_support::args::number_in;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::interrupt::{self, INTERRUPTED};
use umigame_support::{progress, time};

use crate::commands::common::read_positions;
use crate::tune::error::TuneError;
use crate::tune::objectives::constants::TunedConstants;
use crate::tune::objectives::positions::TuningPositions;
use crate::tune::objectives::searches::SearchSettings;
use crate::tune::objectives::settings::{engine_settings, named};
use crate::tune::spsa::Spsa;
use crate::tune::summary::{self, ResultUnit};
use crate::tune::work::{Objective, WorkBounds, tune};

/// Options of games and searches: how many at once, their memory and random numbers.
#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// Searches or games at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(super) threads: Option<u32>,

    /// Size of each transposition table in MB; a thread has one, in games two
    #[arg(long, value_name = "MB", default_value_t = 16)]
    pub(super) hash: u32,

    /// Seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,
}

/// Reads constants with values.
pub(super) fn chosen_values(words: &[String]) -> Result<TunedConstants> {
    TunedConstants::with_values(words).map_err(|error| bad_input(error.to_string()))
}

impl RunArgs {
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(umigame_engine::processors, |threads| threads as usize)
    }

    pub(super) fn search(&self, limits: Limits, by_time: bool) -> SearchSettings {
        let hash = Megabytes(self.hash as usize);
        SearchSettings { limits, by_time, hash, threads: self.threads() }
    }
}

/// Options of all objectives.
#[derive(Args, Debug)]
pub(super) struct WorkArgs {
    /// Log of the work, JSON Lines; created if missing
    #[arg(long, value_name = "FILE")]
    pub(super) log: PathBuf,

    /// Constants or modules to tune, separated by commas; NAME=MIN..MAX narrows the range
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) constants: Vec<String>,

    /// Iterations in all
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub(super) iterations: u64,

    /// Begin no iteration after this time: 0.5, 30m, 8h
    #[arg(long, value_name = "HOURS", value_parser = time::parse_hours)]
    pub(super) hours: Option<Duration>,

    /// Compare the values found on at most this many positions, 0 for none
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub(super) check: usize,

    #[command(flatten)]
    pub(super) run: RunArgs,

    /// Length of the first steps, in steps of each constant
    #[arg(long, value_name = "STEPS", default_value_t = 0.3, value_parser = parse_gain)]
    pub(super) gain: f64,
}

/// Options of files of positions.
#[derive(Args, Debug)]
pub(super) struct PositionsArgs {
    /// Use only this many positions, from the start of the file
    #[arg(long, value_name = "COUNT")]
    pub(super) positions: Option<usize>,

    /// Compare the values found on these positions instead of those held out
    #[arg(long, value_name = "FILE")]
    pub(super) check_file: Option<PathBuf>,
}

impl PositionsArgs {
    pub(super) fn read(&self, file: &Path) -> Result<Vec<Position>> {
        read_positions(file, self.positions.unwrap_or(usize::MAX))
    }

    /// Divides positions into those to tune on and those of the check, at most `check`.
    pub(super) fn divide(&self, positions: Vec<Position>, check: usize) -> Result<TuningPositions> {
        let positions = TuningPositions::new(positions)?;
        let positions = match &self.check_file {
            None => positions,
            Some(path) => positions.with_check(file_name(path), read_positions(path, usize::MAX)?),
        };
        Ok(positions.with_check_of(check))
    }
}

impl WorkArgs {
    /// Chooses the constants, with `only_order` those alone that change no result, and makes their
    /// start.
    pub(super) fn start(&self, only_order: bool) -> Result<(TunedConstants, Spsa)> {
        let constants = TunedConstants::choose(&self.constants, only_order)?;
        let spsa = Spsa::new(constants.parameters().to_vec(), self.run.seed, self.gain);
        Ok((constants, spsa))
    }

    /// Does the work and writes its summary.
    pub(super) fn run(
        &self,
        evaluation: &SharedEvaluation,
        spsa: Spsa,
        objective: &mut dyn Objective,
        unit: ResultUnit,
        out: &mut dyn Write,
    ) -> Result<Exit> {
        interrupt::on_interrupt(|| ())?;
        let bounds = WorkBounds {
            iterations: self.iterations,
            until: self.hours.map(|hours| Instant::now() + hours),
        };
        let bar = progress::bar(Some(self.iterations), "iterations");
        let mut tell = |iterations| bar.set_position(iterations);
        let mut settings = objective.settings();
        settings.extend(named(engine_settings(evaluation).map_err(TuneError::from)?));
        for (name, value) in &settings {
            writeln!(out, "# {name}: {value}")?;
        }
        out.flush()?;
        let course = tune(spsa, objective, settings, &self.log, bounds, &INTERRUPTED, &mut tell)?;
        bar.finish_and_clear();
        write!(out, "{}", summary::text(&course, unit))?;
        if course.is_complete {
            return Ok(Exit::Done);
        }
        writeln!(out, "# interrupted: the same command goes on")?;
        Ok(Exit::Interrupted)
    }
}

/// Returns the last part of a path.
fn file_name(path: &Path) -> String {
    shown_path(path.file_name().map_or(path, Path::new))
}

fn parse_gain(text: &str) -> Result<f64, String> {
    number_in(text, (Excluded(0.0), Included(10.0)), "a number of steps above 0, at most 10")
}
