//! `umigame learn play`: training data from games that umigame plays against
//! itself.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame_engine::eval::SharedEvaluation;
use umigame_lab::learn::data::Writer;
use umigame_lab::learn::play::{self, PlaySettings, Until};
use umigame_lab::learn::starts::{Mix, Starts, wthor_games};

use super::{explain, progress, threads};
use crate::cli::args::{number_in, parse_hours};
use crate::cli::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use crate::cli::{Outcome, position, shown};

/// Play games against itself and append every position to a file
///
/// A game begins after random moves, after the beginning of a human game, or
/// after an opening. Every move is searched to --depth at 73 %; with --exact
/// empties the game is solved, and played to its end by best moves. The file
/// holds for every position the search's value and the score: exact in the
/// ending, before that the result of the game, unless a random move came
/// between. A game depends on the seed and its number only, so the same
/// command makes the same file with any number of threads. Given again, the
/// command goes on where the file ends; an interrupt or a kill costs the
/// blocks of 16 games at hand.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn play --out a.umi --games 10000
  umigame learn play --out a.umi --hours 2 --wthor wthor --openings xot.txt
  umigame learn play --out b.umi --hours 2 --depth 6 --exact 16 --seed 2 --threads 2")]
pub(super) struct PlayArgs {
    /// The file; what it holds is kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games that the file is to hold of these settings
    #[arg(long, value_name = "COUNT", required_unless_present = "hours", conflicts_with = "hours")]
    games: Option<u64>,

    /// Play for this long: 0.5, 8
    #[arg(long, value_name = "HOURS", value_parser = parse_hours)]
    hours: Option<Duration>,

    /// Plies that a move is searched
    #[arg(long, value_name = "1-30", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=30))]
    depth: u8,

    /// Empties from which a game is solved exactly
    #[arg(long, value_name = "1-30", default_value_t = 14,
          value_parser = clap::value_parser!(u8).range(1..=30))]
    exact: u8,

    /// Games at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Seed of everything that is random
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Begin some games like those in the .wtb files of this folder
    #[arg(long, value_name = "FOLDER")]
    wthor: Option<PathBuf>,

    /// Begin some games with openings, one a line: moves, or positions
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// How many games begin with random moves, like human games, with
    /// openings, in proportion; what is not given counts as random
    #[arg(long, value_name = "RANDOM,HUMAN,OPENINGS", default_value = "50,35,15",
          value_parser = parse_mix)]
    mix: [u32; 3],

    /// How many random moves begin a game, all numbers equally often
    #[arg(long, value_name = "FIRST-LAST", default_value = "6-44", value_parser = parse_plies)]
    random_plies: RangeInclusive<u32>,

    /// How many moves of a human game begin a game
    #[arg(long, value_name = "FIRST-LAST", default_value = "8-40", value_parser = parse_plies)]
    wthor_plies: RangeInclusive<u32>,

    /// How many of the searched moves are replaced by random ones, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = parse_percent)]
    explore: f64,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

fn parse_mix(text: &str) -> Result<[u32; 3], String> {
    let shares: Result<Vec<u32>, _> = text.split(',').map(|share| share.trim().parse()).collect();
    match shares.as_deref() {
        Ok(&[random, wthor, openings])
            if [random, wthor, openings].iter().all(|share| *share <= 1_000_000)
                && random + wthor + openings > 0 =>
        {
            Ok([random, wthor, openings])
        }
        _ => Err("expected three whole numbers, not all 0, such as 50,35,15".to_owned()),
    }
}

/// Later starts would be hard to find: games end.
fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    super::parse_range(text, 50)
}

fn parse_percent(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=100.0, "a number from 0 to 100")
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &PlayArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let games = args.wthor.as_deref().map(wthor_games).transpose().map_err(explain)?;
    let openings = args.openings.as_deref().map(position::openings).transpose()?;
    let [random, wthor, others] = args.mix;
    let mix = Mix {
        random,
        wthor,
        openings: others,
        random_plies: args.random_plies.clone(),
        wthor_plies: args.wthor_plies.clone(),
    };
    let settings = PlaySettings {
        depth: args.depth,
        exact: args.exact,
        explore: (args.explore * 100.0).round() as u32,
        evaluation: evaluation.clone(),
        seed: args.seed,
        starts: Starts::new(mix, games.unwrap_or_default(), openings.unwrap_or_default()),
    };
    let mut writer = Writer::append(&args.out).map_err(|error| explain(error.into()))?;
    let begun = Instant::now();
    let until = match args.hours {
        Some(hours) => Until::Time(begun + hours),
        None => Until::Games(args.games.unwrap_or(0)),
    };
    let bar = progress(args.games, "games");
    let mut before = writer.games(&settings.recipe());
    bar.set_position(before);
    bar.reset_eta();
    stop_when_interrupted()?;
    let mut tally = Tally { games: 0, positions: 0, begun };
    let result =
        play::play(&settings, until, threads(args.threads), &mut writer, &INTERRUPTED, |block| {
            tally.games += u64::from(block.games);
            tally.positions += block.records.len() as u64;
            before += u64::from(block.games);
            bar.set_position(before);
            bar.set_message(tally.rates());
        });
    bar.finish_and_clear();
    tally.write(args, &writer, out)?;
    result.map_err(explain)?;
    Ok(outcome())
}

/// What this run has made.
struct Tally {
    games: u64,
    positions: u64,
    begun: Instant,
}

impl Tally {
    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64().max(1e-9)
    }

    fn rates(&self) -> String {
        let (games, positions) = (self.games as f64, self.positions as f64);
        format!(
            "{:.1} games/s, {:.0} positions/s",
            games / self.seconds(),
            positions / self.seconds()
        )
    }

    fn write(&self, args: &PlayArgs, writer: &Writer, out: &mut dyn Write) -> Result<()> {
        let Tally { games, positions, .. } = self;
        let (all, seconds) = (writer.records(), self.seconds());
        if args.json {
            let summary = serde_json::json!({
                "games": games, "positions": positions, "seconds": seconds,
                "positions_in_file": all,
            });
            writeln!(out, "{summary}")?;
        } else {
            writeln!(
                out,
                "{games} games, {positions} positions in {seconds:.1} s: {}; \
                 {} holds {all} positions",
                self.rates(),
                shown(&args.out)
            )?;
        }
        Ok(())
    }
}
