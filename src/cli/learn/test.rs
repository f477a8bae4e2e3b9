//! `umigame learn test`: how far the evaluation is from the truth, ply by
//! ply.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use umigame_engine::eval::{SharedEvaluation, evaluate_by_hand};
use umigame_lab::learn::data::{Sample, fold};
use umigame_lab::learn::errors::{self, Curve, Errors, PLIES, Truth};
use umigame_lab::learn::sources;

use super::explain;
use crate::cli::{Outcome, bad_input};

/// Print how far the evaluation is from the scores of some files, by ply
///
/// The files are training data, OBF lines with scores, or lines of 64 squares
/// and White's disc difference, White to move. Nothing is searched. Errors
/// are in discs, evaluation less score: their mean size (error), the mean of
/// their squares (square), and their mean (bias).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn test held-out.umi --beside --svg errors.svg
  umigame learn test problems.obf --group 10
  umigame learn test a.umi b.umi --truth search --json")]
pub(super) struct TestArgs {
    /// The files; positions that are the same by symmetry count once
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,

    /// What the evaluation is compared with
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    truth: TruthArg,

    /// Also the handmade evaluation, for comparison
    #[arg(long)]
    beside: bool,

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
    /// The exact score, or else the mean result of games
    #[default]
    Score,
    /// The exact score; other positions do not count
    Exact,
    /// The value of the deepest search
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
) -> Result<Outcome> {
    let samples = read(args)?;
    let truth = args.truth.into();
    let value = |position| evaluation.evaluate_position(position);
    let mut curves = vec![("evaluation".to_owned(), errors::by_ply(&samples, truth, value))];
    if args.beside {
        let by_hand = errors::by_ply(&samples, truth, evaluate_by_hand);
        curves.push(("handmade".to_owned(), by_hand));
    }
    if curves.iter().all(|(_, errors)| errors.iter().all(|errors| errors.count == 0)) {
        return Err(bad_input("there is no position with such a score in the files"));
    }
    if let Some(path) = &args.svg {
        let picture = errors::svg(&curves).map_err(anyhow::Error::msg).context("drawing")?;
        std::fs::write(path, picture)
            .map_err(|error| bad_input(format!("--svg {}: {error}", crate::cli::shown(path))))?;
    }
    let rows = rows(&curves, args.group as usize);
    match args.json {
        true => write_json(&curves, &rows, out)?,
        false => write_table(&curves, &rows, out)?,
    }
    Ok(Outcome::Done)
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

/// Some plies with the errors of each evaluation at them.
struct Row {
    first: usize,
    last: usize,
    errors: Vec<Errors>,
}

/// The rows that have any position, and at the end the sum of all.
fn rows(curves: &[Curve], group: usize) -> Vec<Row> {
    let row = |first: usize, last: usize| {
        let sum = |(_, errors): &Curve| Errors::sum(errors.get(first..=last).unwrap_or_default());
        Row { first, last, errors: curves.iter().map(sum).collect() }
    };
    let groups = (0..PLIES).step_by(group);
    groups
        .map(|first| row(first, (first + group - 1).min(PLIES - 1)))
        .filter(|row| row.errors.iter().any(|errors| errors.count > 0))
        .chain([row(0, PLIES - 1)])
        .collect()
}

fn write_table(curves: &[Curve], rows: &[Row], out: &mut dyn Write) -> Result<()> {
    if let [_, (name, _)] = curves {
        writeln!(out, "{:47}{name}", "")?;
    }
    write!(out, "{:7}{:>10}", "ply", "positions")?;
    for _ in curves {
        write!(out, "{:>8}{:>9}{:>8}   ", "error", "square", "bias")?;
    }
    writeln!(out)?;
    for (index, Row { first, last, errors }) in rows.iter().enumerate() {
        let plies = match first == last {
            _ if index + 1 == rows.len() => "all".to_owned(),
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let count = errors.first().map_or(0, |errors| errors.count);
        write!(out, "{plies:7}{count:>10}")?;
        for errors in errors {
            let [error, square, bias] =
                [errors.mean_absolute(), errors.mean_square(), errors.bias()];
            write!(out, "{error:>8.2}{square:>9.2}{bias:>+8.2}   ")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_json(curves: &[Curve], rows: &[Row], out: &mut dyn Write) -> Result<()> {
    let row = |row: &Row| {
        let numbers = |((name, _), errors): (&Curve, &Errors)| {
            let numbers = json!({
                "mean_absolute": errors.mean_absolute(),
                "mean_square": errors.mean_square(),
                "bias": errors.bias(),
            });
            (name.clone(), numbers)
        };
        let evaluations: serde_json::Map<_, _> =
            curves.iter().zip(&row.errors).map(numbers).collect();
        let count = row.errors.first().map_or(0, |errors| errors.count);
        json!({ "first": row.first, "last": row.last, "positions": count, "errors": evaluations })
    };
    let (all, plies) = rows.split_last().context("no rows")?;
    let plies: Vec<_> = plies.iter().map(row).collect();
    writeln!(out, "{}", json!({ "plies": plies, "all": row(all) }))?;
    Ok(())
}
