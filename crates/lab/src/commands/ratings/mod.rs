//! `umigame-lab ratings`: levels against each other, on one scale.

mod elo;
pub(super) mod players;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use umigame_arena::openings::{self, Opening};
use umigame_arena::{Moments, Pentanomial};
use umigame_engine::{SharedEvaluation, Strength};
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::random::numbered;

use elo::{Pairing, Rating, ratings};
use players::{Player, Searchers, made};

/// Play levels against each other inside this process, and rate them on one scale
///
/// Players from weak to strong; the first is rated 0. Each plays its next neighbours, every opening
/// twice with colours swapped.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab ratings                      random, greedy, every weak level, levels 1 to 8
  umigame-lab ratings 1 2 3 4 --openings xot.txt
  umigame-lab ratings casual careless:0.35 --games 1000

Players: random (any move), greedy (most discs flipped), a level's name or number,
careless:0 to careless:1, error:DISCS.")]
pub(super) struct RatingsArgs {
    /// Players, the weakest first
    #[arg(value_name = "PLAYER")]
    players: Vec<Player>,

    /// Games of a pair; an odd number is rounded up
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,

    /// How many of the next stronger players each one meets
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    neighbours: usize,

    /// Openings, one a line, instead of eight random moves
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Seed of all random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games played at once
    #[arg(short = 'j', long, value_name = "COUNT", default_value_t = 1)]
    threads: usize,
}

/// Plies of a random opening.
const RANDOM_PLIES: usize = 8;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &RatingsArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let players = if args.players.is_empty() { default_players() } else { args.players.clone() };
    if players.len() < 2 {
        return Err(bad_input("expected at least two players: they are rated against each other"));
    }
    let openings = openings(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    writeln!(out, "# {} games a pair, seed {}", 2 * openings.len(), args.seed)?;
    writeln!(
        out,
        "{:12} {:12} {:>7}  {:14}  {:>7}",
        "stronger", "weaker", "score", "95 %", "discs"
    )?;
    let mut pairings = Vec::new();
    for weaker in 0..players.len() {
        for stronger in (weaker + 1..players.len()).take(args.neighbours) {
            let pair = [&players[stronger], &players[weaker]];
            let results = pool.install(|| play(evaluation, pair, &openings, args.seed))?;
            let (pairs, discs) = (tally(&results), results.iter().flatten().copied());
            let discs: Moments = discs.map(f64::from).collect();
            let score = pairs.score().context("no games")?;
            let percent = |share: f64| 100.0 * share;
            let interval = format!("{:.1} to {:.1}", percent(score.low), percent(score.high));
            writeln!(
                out,
                "{:12} {:12} {:5.1} %  {interval:14}  {:+7.1}",
                pair[0],
                pair[1],
                percent(score.value),
                discs.mean().unwrap_or_default(),
            )?;
            out.flush()?;
            pairings.push(Pairing { stronger, weaker, pairs });
        }
    }
    writeln!(out, "\nplayer        rating")?;
    for (player, Rating { elo, error }) in
        players.iter().zip(ratings(players.len(), &pairings, args.seed))
    {
        writeln!(out, "{player:12} {elo:+7.0} +-{error:.0}")?;
    }
    Ok(Exit::Done)
}

/// The players without which there is no scale, every weak level, and the first numbers.
fn default_players() -> Vec<Player> {
    let levels =
        Strength::all().filter(|level| level.level().is_none_or(|level| level.number() <= 8));
    let names = ["random", "greedy"].map(str::to_owned).into_iter();
    let names = names.chain(levels.map(|level| level.to_string()));
    names.filter_map(|name| name.parse().ok()).collect()
}

fn openings(args: &RatingsArgs) -> Result<Vec<Opening>> {
    let count = args.games.div_ceil(2) as usize;
    let Some(path) = &args.openings else {
        return openings::random(RANDOM_PLIES, count, args.seed).map_err(bad_input);
    };
    let mut found =
        openings::load(path).map_err(|error| bad_input(format!("{}: {error}", shown(path))))?;
    openings::shuffle(&mut found, args.seed);
    found.truncate(count);
    Ok(found)
}

/// Plays every opening twice; the discs of the first player with Black, then with White.
fn play(
    evaluation: &SharedEvaluation,
    players: [&Player; 2],
    openings: &[Opening],
    seed: u64,
) -> Result<Vec<[i32; 2]>> {
    let of_opening = |searchers: &mut Result<Searchers, _>, (index, opening): (usize, &Opening)| {
        let searchers = made(searchers)?;
        let mut random = numbered(seed, index as u64);
        let mut game =
            |players| searchers.play(opening, players, random.u64(..)).score_for_black().discs();
        let [first, second] = players;
        Ok([game([first, second]), -game([second, first])])
    };
    let indexed = openings.par_iter().enumerate();
    indexed.map_init(|| Searchers::new(evaluation), of_opening).collect()
}

fn tally(results: &[[i32; 2]]) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for discs in results {
        let half_points = |discs: &i32| (1 + discs.signum()) as usize;
        pairs.add(discs.iter().map(half_points).sum());
    }
    pairs
}
