//! `umigame learn test`: errors of the static evaluation against known scores, by ply.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use umigame_engine::SharedEvaluation;
use umigame_lab::learn::data::{Sample, fold};
use umigame_lab::learn::errors::{self, Errors, PLIES, Truth};
use umigame_lab::learn::sources;

use super::common::explain;
use crate::cli::exit::{Exit, bad_input, shown};

/// Print the errors of the static evaluation against known scores, by ply
///
/// FILES are training data, OBF lines with scores, or lines of 64 squares and White's disc
/// difference, White to move. Nothing is searched. Errors are in discs, evaluation minus score:
/// mean absolute (error), mean squared (square) and mean (bias).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn test held-out.umi --svg errors.svg
  umigame learn test problems.obf --group 10
  umigame learn test a.umi b.umi --truth search --json")]
pub(super) struct TestArgs {
    /// Files of positions; symmetric positions count once
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    /// Reference for the evaluation
    #[arg(long, value_name = "REFERENCE", value_enum, default_value_t)]
    truth: TruthArg,

    /// Plies in a row of the table
    #[arg(long, value_name = "PLIES", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    group: u32,

    /// Draw error and bias by ply into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print the table as JSON
    #[arg(long)]
    json: bool,
}

#[derive(ValueEnum, Clone, Copy, Default, Debug)]
pub(super) enum TruthArg {
    /// Exact score if known, otherwise the mean result of games
    #[default]
    Score,
    /// Exact score; positions without one are skipped
    Exact,
    /// Value of the deepest search
    Search,
}

impl From<TruthArg> for Truth {
    fn from(truth: TruthArg) -> Truth {
        match truth {
            TruthArg::Score => Truth::Score,
            TruthArg::Exact => Truth::Exact,
            TruthArg::Search => Truth::Search,
        }
    }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &TestArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let samples = read(args)?;
    let value = |position| evaluation.evaluate_position(position);
    let errors = errors::by_ply(&samples, args.truth.into(), value);
    if errors.iter().all(|errors| errors.count == 0) {
        return Err(bad_input("no position with such a score in the files"));
    }
    if let Some(path) = &args.svg {
        let picture = errors::svg(&errors).map_err(anyhow::Error::msg).context("drawing")?;
        std::fs::write(path, picture)
            .map_err(|error| bad_input(format!("--svg {}: {error}", shown(path))))?;
    }
    let rows = rows(&errors, args.group as usize);
    match args.json {
        true => write_json(&rows, Errors::sum(&errors), out)?,
        false => write_table(&rows, Errors::sum(&errors), out)?,
    }
    Ok(Exit::Done)
}

fn read(args: &TestArgs) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for file in &args.files {
        samples.extend(sources::read(file).map_err(explain)?);
    }
    if args.files.len() > 1 {
        fold(&mut samples);
    }
    Ok(samples)
}

/// Errors over a range of plies.
struct Row {
    first: usize,
    last: usize,
    errors: Errors,
}

/// Returns the rows of `group` plies that have a position.
fn rows(errors: &[Errors; PLIES], group: usize) -> Vec<Row> {
    let row = |(place, errors): (usize, &[Errors])| Row {
        first: place * group,
        last: place * group + errors.len() - 1,
        errors: Errors::sum(errors),
    };
    errors.chunks(group).enumerate().map(row).filter(|row| row.errors.count > 0).collect()
}

fn write_table(rows: &[Row], all: Errors, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{:7}{:>10}{:>8}{:>9}{:>8}", "ply", "positions", "error", "square", "bias")?;
    let mut line = |plies: &str, errors: Errors| {
        let [error, square, bias] = [errors.mean_absolute(), errors.mean_square(), errors.bias()];
        writeln!(out, "{plies:7}{:>10}{error:>8.2}{square:>9.2}{bias:>+8.2}", errors.count)
    };
    for Row { first, last, errors } in rows {
        match first == last {
            true => line(&first.to_string(), *errors)?,
            false => line(&format!("{first}-{last}"), *errors)?,
        }
    }
    line("all", all)?;
    Ok(())
}

fn write_json(rows: &[Row], all: Errors, out: &mut dyn Write) -> Result<()> {
    let object = |row: &Row| {
        json!({
            "first": row.first,
            "last": row.last,
            "positions": row.errors.count,
            "mean_absolute": row.errors.mean_absolute(),
            "mean_square": row.errors.mean_square(),
            "bias": row.errors.bias(),
        })
    };
    let plies: Vec<_> = rows.iter().map(object).collect();
    let all = object(&Row { first: 0, last: PLIES - 1, errors: all });
    writeln!(out, "{}", json!({ "plies": plies, "all": all }))?;
    Ok(())
}
