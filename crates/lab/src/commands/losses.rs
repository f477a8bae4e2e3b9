//! `umigame-lab losses`: what players lose a game and a move, by stage, beside people who err as much.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use rayon::prelude::*;
use umigame_analysis::judge;
use umigame_arena::Moments;
use umigame_arena::openings;
use umigame_engine::{Engine, EngineOptions, Level, Limits, Megabytes, SharedEvaluation};
use umigame_othello::formats::transcript;
use umigame_othello::{Board, Color};
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::files;
use umigame_support::random::numbered;

use super::ratings::players::{Player, Searchers, made};

/// Measure what players lose in games against their like, a game and a move by stage
///
/// With --people, beside each player stands the same number of sides of recorded games: those whose loss
/// a game is nearest to the player's mean.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame convert wthor/WTH_1987.wtb 1987.txt
  umigame-lab losses casual hobbyist amateur --people 1987.txt -j 2")]
pub(super) struct LossesArgs {
    /// Players, as in `ratings`
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<Player>,

    /// Games of each player against its like
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 100)]
    games: usize,

    /// Games of people, one transcript a line
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,

    /// Level of the searches that judge
    #[arg(long, value_name = "1-30", default_value_t = 8,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    judge: u32,

    /// Seed of all random choices
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games played or judged at once
    #[arg(short = 'j', long, value_name = "COUNT", default_value_t = 1)]
    threads: usize,
}

/// Largest file of games, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Random plies at the start of a game, which are not judged.
const OPENING_PLIES: usize = 6;
/// Least empties of each stage, in the order of play: those of the table's head.
const STAGES: [u32; 3] = [41, 21, 1];

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &LossesArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let limits = Level::checked(args.judge)?.limits();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let people = match &args.people {
        None => Vec::new(),
        Some(path) => {
            let boards = read_games(path)?;
            pool.install(|| judge_all(evaluation, &boards, 0, &limits))?
        }
    };
    writeln!(
        out,
        "# discs lost, judged at level {}; {} games, seed {}",
        args.judge, args.games, args.seed
    )?;
    writeln!(out, "player        sides   a game         60-41  40-21   20-1  a move, by empties")?;
    for player in &args.players {
        let sides = pool.install(|| {
            let boards = play(evaluation, player, args)?;
            judge_all(evaluation, &boards, OPENING_PLIES, &limits)
        })?;
        let mean = row(&player.to_string(), &sides, out)?;
        if !people.is_empty() {
            let mut near = people.clone();
            near.sort_by(|a, b| (a.lost() - mean).abs().total_cmp(&(b.lost() - mean).abs()));
            near.truncate(sides.len());
            row("  people", &near, out)?;
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// Reads games, one a line.
fn read_games(path: &Path) -> Result<Vec<Board>> {
    let wrong = |why: String| bad_input(format!("{}: {why}", shown(path)));
    let text =
        files::text_at_most(path, MAX_FILE_BYTES).map_err(|error| wrong(error.to_string()))?;
    let read = |(index, line)| {
        let in_line = |why: &dyn std::fmt::Display| wrong(format!("line {}: {why}", index + 1));
        let record = transcript::parse(line).map_err(|error| in_line(&error))?;
        record.board().map_err(|error| in_line(&error))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(read).collect()
}

/// Writes a row; returns the mean loss of a game.
fn row(name: &str, sides: &[SideLoss], out: &mut dyn Write) -> Result<f64> {
    let games: Moments = sides.iter().map(SideLoss::lost).collect();
    let mean = games.mean().unwrap_or_default();
    let error = games.estimate().map_or(0.0, |found| found.high - found.value);
    write!(out, "{name:12} {:6}  {mean:6.1} +-{error:4.1}  ", sides.len())?;
    for stage in 0..STAGES.len() {
        let sum = |value: fn(&StageLoss) -> f64| {
            sides.iter().map(|side| value(&side.0[stage])).sum::<f64>()
        };
        let (lost, moves) = (sum(|loss| loss.lost), sum(|loss| loss.moves));
        write!(out, " {:6.2}", lost / moves.max(1.0))?;
    }
    writeln!(out)?;
    Ok(mean)
}

/// What one side lost in a stage of one game.
#[derive(Clone, Copy, Debug, Default)]
struct StageLoss {
    lost: f64,
    /// Moves with a choice.
    moves: f64,
}

/// What one side lost in one game, by stage.
#[derive(Clone, Copy, Debug, Default)]
struct SideLoss([StageLoss; STAGES.len()]);

impl SideLoss {
    fn lost(&self) -> f64 {
        self.0.iter().map(|stage| stage.lost).sum()
    }
}

fn play(evaluation: &SharedEvaluation, player: &Player, args: &LossesArgs) -> Result<Vec<Board>> {
    let openings = openings::random(OPENING_PLIES, args.games, args.seed).map_err(bad_input)?;
    let played = |searchers: &mut Result<Searchers, _>, (index, opening)| {
        let searchers = made(searchers)?;
        let seed = numbered(args.seed, index as u64).u64(..);
        Ok(searchers.play(opening, [player, player], seed))
    };
    let indexed = openings.par_iter().enumerate();
    indexed.map_init(|| Searchers::new(evaluation), played).collect()
}

/// Judges every move after the first ones of each game.
fn judge_all(
    evaluation: &SharedEvaluation,
    boards: &[Board],
    skip: usize,
    limits: &Limits,
) -> Result<Vec<SideLoss>> {
    let engine = || {
        let options = EngineOptions { hash: Megabytes(8), threads: 1 };
        Engine::new(evaluation.clone(), options)
    };
    let judged = |engine: &mut Result<Engine, _>, board: &Board| {
        let engine = made(engine)?;
        engine.clear();
        let mut sides = [SideLoss::default(); 2];
        let mut search = |position, limits: &Limits| Some(engine.search(position, limits, &()));
        judge(board, limits, &mut search, &mut |judged| {
            let stage = STAGES.iter().position(|least| judged.position.empties() >= *least);
            if let (Some(stage), Some(loss)) = (stage, judged.loss())
                && judged.ply >= skip
                && judged.choices() > 1
            {
                let side = &mut sides[usize::from(judged.side == Color::White)].0[stage];
                side.lost += f64::from(loss) / 100.0;
                side.moves += 1.0;
            }
        });
        Ok(sides)
    };
    let sides: Result<Vec<[SideLoss; 2]>> = boards.par_iter().map_init(engine, judged).collect();
    Ok(sides?.into_iter().flatten().collect())
}
