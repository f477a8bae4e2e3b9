//! Players of games inside this process: levels, and two that need no search.

use std::fmt;
use std::str::FromStr;

use umigame_arena::openings::Opening;
use umigame_engine::{
    Engine, EngineError, EngineOptions, Level, LimitOptions, Megabytes, SharedEvaluation, Strength,
    WeakPlayer, Weakness,
};
use umigame_othello::{Board, Move, Position, Square};

/// A player by name.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Player {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Any legal move.
    Random,
    /// The move that flips the most discs.
    Greedy,
    /// A move by its carelessness, over the search of a level.
    Weak(Weakness, LimitOptions),
    /// The best move.
    Level(Level),
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

impl FromStr for Player {
    type Err = String;

    /// Reads `random`, `greedy`, a level, `careless:0.4` or `error:30`.
    fn from_str(text: &str) -> Result<Player, String> {
        let number =
            |text: &str| text.parse::<f64>().map_err(|_| format!("`{text}`: expected a number"));
        let at_default = LimitOptions { level: Level::new(4), ..LimitOptions::default() };
        let kind = match (text, text.split_once(':')) {
            ("random", _) => Kind::Random,
            ("greedy", _) => Kind::Greedy,
            (_, Some(("careless", share))) => {
                let (share, most) = share.split_once('/').unwrap_or((share, "128"));
                let (share, level) = share.split_once('@').unwrap_or((share, "4"));
                let weakness = Weakness::careless(number(share)?).with_max_error(number(most)?);
                let level = level.parse().ok().and_then(Level::new);
                Kind::Weak(weakness, LimitOptions { level, ..at_default })
            }
            (_, Some(("error", discs))) => {
                let limits = LimitOptions { level: Level::new(8), ..LimitOptions::default() };
                Kind::Weak(Weakness::losing(number(discs)?), limits)
            }
            _ => match text.parse::<Strength>().map_err(|error| error.to_string())? {
                Strength::Weak(level) => Kind::Weak(level.into(), LimitOptions::default()),
                Strength::Level(level) => Kind::Level(level),
            },
        };
        Ok(Player { name: text.to_owned(), kind })
    }
}

/// The engines of the players on one thread.
pub(in crate::commands) struct Searchers {
    pub engine: Engine,
    weak: WeakPlayer,
}

/// Returns what a thread has made for its work.
///
/// # Errors
/// It could not be made.
pub(in crate::commands) fn made<T>(made: &mut Result<T, EngineError>) -> anyhow::Result<&mut T> {
    made.as_mut().map_err(|error| anyhow::anyhow!("no engine: {error}"))
}

impl Searchers {
    /// # Errors
    /// The machine lacks the memory.
    pub fn new(evaluation: &SharedEvaluation) -> Result<Searchers, EngineError> {
        let options = EngineOptions { hash: Megabytes(8), threads: 1 };
        let engine = Engine::new(evaluation.clone(), options)?;
        Ok(Searchers { engine, weak: WeakPlayer::new(evaluation.clone()) })
    }

    /// Plays a game from an opening; the first player has Black.
    pub fn play(&mut self, opening: &Opening, players: [&Player; 2], seed: u64) -> Board {
        let (mut board, mut random) = (opening.board(), fastrand::Rng::with_seed(seed));
        while !board.is_over() {
            let played = if board.must_pass() {
                Move::Pass
            } else {
                let side = board.side_to_move().index();
                // Both may be the same level: each has a seed of its own.
                let seed = seed.wrapping_add(side as u64);
                self.choose(board.position(), &players[side].kind, seed, &mut random)
            };
            if board.play(played).is_err() {
                break;
            }
        }
        board
    }

    /// Chooses a move where there is one.
    fn choose(
        &mut self,
        position: Position,
        kind: &Kind,
        seed: u64,
        random: &mut fastrand::Rng,
    ) -> Move {
        let legal: Vec<Square> = position.legal_moves().iter().collect();
        let report = match kind {
            Kind::Random => return random.choice(&legal).copied().map_or(Move::Pass, Move::Place),
            Kind::Greedy => {
                let flips = |square: &Square| position.flips(*square).count();
                let most = legal.iter().map(flips).max();
                let best: Vec<_> =
                    legal.iter().filter(|square| Some(flips(square)) == most).collect();
                return random.choice(&best).map_or(Move::Pass, |square| Move::Place(**square));
            }
            Kind::Weak(weakness, limits) => {
                let limits = weakness.limits(limits);
                self.weak.choose(position, &limits, weakness, seed, &()).unwrap_or_default()
            }
            Kind::Level(level) => {
                self.engine.clear();
                self.engine.search(position, &level.limits(), &())
            }
        };
        report.best().map_or(Move::Pass, |line| line.first())
    }
}
