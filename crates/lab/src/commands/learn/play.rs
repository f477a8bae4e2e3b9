//! `umigame-lab learn play`: training data from self-play.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_training::data::Writer;
use umigame_training::play::{self, PlaySettings, Until};
use umigame_training::starts::{Mix, Starts, wthor_games};

use super::super::common::read_positions;
use super::common::{explain, threads};
use umigame_support::args::{number_in, range_in};
use umigame_support::exit::{Exit, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::{progress, time};

/// Generate training data by self-play
///
/// A game begins after random moves, the beginning of a human game, or an opening. Every move is
/// searched to --depth at 73 %; at --exact-from empties the game is solved and finished with best moves.
/// Every position is stored with the value of its search and its score: exact in the endgame,
/// before that the result of the game, unless a random move came after it. A game depends on the
/// seed and its number only, so the file does not depend on the number of threads. Run the same
/// command again to resume; an interrupt or a kill costs the unfinished blocks of 16 games.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn play --out a.umi --games 10000
  umigame-lab learn play --out a.umi --hours 2 --wthor wthor --openings xot.txt
  umigame-lab learn play --out b.umi --hours 2 --depth 6 --exact-from 16 --seed 2 --threads 2")]
pub(super) struct PlayArgs {
    /// Training data to append to; created if missing
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of games with these settings in the file at the end
    #[arg(long, value_name = "COUNT", required_unless_present = "hours", conflicts_with = "hours")]
    games: Option<u64>,

    /// Time to play: 0.5, 8
    #[arg(long, value_name = "HOURS", value_parser = time::parse_hours)]
    hours: Option<Duration>,

    /// Plies of the searches
    #[arg(long, value_name = "1-30", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=30))]
    depth: u8,

    /// Empties from which a game is solved exactly
    #[arg(long, value_name = "1-30", default_value_t = 14,
          value_parser = clap::value_parser!(u8).range(1..=30))]
    exact_from: u8,

    /// Empties from which moves are searched to the end at 73 %, until --exact-from [default: none]
    #[arg(long, value_name = "1-30", value_parser = clap::value_parser!(u8).range(1..=30))]
    end_from: Option<u8>,

    /// Games played at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Begin a part of the games like those in the .wtb files of this folder
    #[arg(long, value_name = "FOLDER")]
    wthor: Option<PathBuf>,

    /// Begin a part of the games with these openings, one a line: moves or positions; up to six random
    /// moves follow
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Shares of games that begin with random moves, like human games, and with openings; missing
    /// kinds count as random
    #[arg(long, value_name = "RANDOM,HUMAN,OPENINGS", default_value = "50,35,15",
          value_parser = parse_mix)]
    mix: [u32; 3],

    /// Number of random moves at the beginning, uniformly distributed
    #[arg(long, value_name = "FIRST-LAST", default_value = "6-44", value_parser = parse_plies)]
    random_plies: RangeInclusive<u32>,

    /// Number of moves of a human game at the beginning, uniformly distributed
    #[arg(long, value_name = "FIRST-LAST", default_value = "8-40", value_parser = parse_plies)]
    wthor_plies: RangeInclusive<u32>,

    /// Share of searched moves replaced by random ones
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = parse_percent)]
    explore: f64,

    /// Store with each position the mean of the values of its own search and the later ones up to the
    /// next random move, each with this percentage of the weight of the one before
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(0..=99))]
    lambda: u8,

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

/// Parses a range of plies. Later starts would be hard to find: games end.
fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    range_in(text, ..=50, "a number up to 50, or a range of them such as 6-44")
}

fn parse_percent(text: &str) -> Result<f64, String> {
    number_in(text, 0.0..=100.0, "a number from 0 to 100")
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &PlayArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let games = args.wthor.as_deref().map(wthor_games).transpose().map_err(explain)?;
    let openings =
        args.openings.as_deref().map(|path| read_positions(path, usize::MAX)).transpose()?;
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
        exact: args.exact_from,
        end_from: args.end_from.unwrap_or(0),
        lambda: args.lambda,
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
    let bar = progress::bar(args.games, "games");
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

/// Games and positions of this run.
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
            let (rates, file) = (self.rates(), shown(&args.out));
            write!(out, "{games} games, {positions} positions in {seconds:.1} s: {rates}; ")?;
            writeln!(out, "{file} holds {all} positions")?;
        }
        Ok(())
    }
}
