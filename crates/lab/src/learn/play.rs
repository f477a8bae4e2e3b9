//! Self-play: games from random starts by searches to a small depth, solved
//! exactly once when few squares are empty, every position labelled.
//!
//! A game depends on its number and the recipe alone: the engine forgets
//! everything before it. So any number of threads make the same file.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use fastrand::Rng;

use super::LearnError;
use super::data::{Block, Generator, Label, Recipe, Record, Searched, Writer};
use super::starts::{Starts, random_square};
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::batch::{self, Worker};
use umigame_engine::search::{
    Confidence, Engine, EngineOptions, Limits, Megabytes, Report, ScoreKind, Stoppable,
};
use umigame_othello::{Move, Position, Score};

/// Games of a block: a few seconds of work, which is what a kill costs.
pub const GAMES_OF_BLOCK: u64 = 16;
/// Changes when the same settings come to mean other games.
const REVISION: u8 = 1;
/// Table of a thread: cleared before every game, so no larger than a game
/// can use.
const TABLE: Megabytes = Megabytes(2);

/// How games are played.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// Plies of the searches, 1 to 60.
    pub depth: u8,
    /// Empties from which a game is solved, 1 to 60.
    pub exact: u8,
    /// Moves in 10,000 that are random instead of searched.
    pub explore: u32,
    /// What the searches evaluate with.
    pub evaluation: SharedEvaluation,
    /// Where random numbers come from.
    pub seed: u64,
    /// Where games begin.
    pub starts: Starts,
}

impl PlaySettings {
    /// What stands in every block made with these settings.
    pub fn recipe(&self) -> Recipe {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&[REVISION]);
        hasher.update(&self.explore.to_le_bytes());
        hasher.update(&self.starts.checksum().to_le_bytes());
        Recipe {
            generator: Generator::Play,
            depth: self.depth,
            exact: self.exact,
            selectivity: Confidence::P73.percent(),
            weights: self.evaluation.checksum(),
            settings: hasher.finalize(),
            seed: self.seed,
        }
    }

    fn limits(&self) -> Limits {
        let limits = Limits::depth(u32::from(self.depth)).with_confidence(Confidence::P73);
        Limits { solve_from: 0, ..limits }
    }
}

/// When to stop playing.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// So many games of the recipe are in the file.
    Games(u64),
    /// No block is begun after this.
    Time(Instant),
}

/// How deep a search of a position was; one to the end of the game, as deep
/// as there are empties.
pub(super) fn plies_of(report: &Report, position: Position) -> u8 {
    match report.kind {
        ScoreKind::Depth { plies, .. } => plies,
        _ => position.empties() as u8,
    }
}

/// Plays games, from the first that the file does not hold, and appends them
/// block by block in their order; `written` is told of each. `stop` ends it
/// with what is done.
///
/// # Errors
/// A file that cannot be written, or a fault in the search.
pub fn play(
    settings: &PlaySettings,
    until: Until,
    threads: usize,
    writer: &mut Writer,
    stop: &AtomicBool,
    mut written: impl FnMut(&Block),
) -> Result<(), LearnError> {
    let recipe = settings.recipe();
    let options = EngineOptions { hash: Megabytes(TABLE.0 * threads), threads };
    let blocks = blocks(writer.games(&recipe), until);
    let answer = |worker: &mut Worker<'_>, (first, games): (u64, u32)| {
        let mut records = Vec::new();
        for number in first..first + u64::from(games) {
            let mut game = Game::new(settings, number, worker.own(), stop);
            match game.play() {
                Ok(played) => records.extend(played),
                Err(End::Stopped) => return None,
                Err(End::Unproven) => return Some(Err(LearnError::Unproven(number))),
            }
        }
        Some(Ok(Block { recipe, first, games, records }))
    };
    batch::in_order(
        blocks,
        &settings.evaluation,
        options,
        stop,
        answer,
        |block: Result<Block, LearnError>| {
            let block = block?;
            writer.write(&block)?;
            written(&block);
            Ok(())
        },
    )
}

/// The games of each block: from `next` on, so many.
fn blocks(mut next: u64, until: Until) -> impl Iterator<Item = (u64, u32)> + Send {
    std::iter::from_fn(move || {
        let end = (next - next % GAMES_OF_BLOCK).saturating_add(GAMES_OF_BLOCK);
        let end = match until {
            Until::Games(games) => end.min(games),
            Until::Time(time) if Instant::now() >= time => return None,
            Until::Time(_) => end,
        };
        let first = next;
        next = next.max(end);
        (first < end).then(|| (first, (end - first) as u32))
    })
}

/// Why there is no game.
#[derive(Debug)]
enum End {
    Stopped,
    Unproven,
}

/// A game being played.
struct Game<'a> {
    settings: &'a PlaySettings,
    engine: &'a mut Engine,
    stop: &'a AtomicBool,
    random: Rng,
    position: Position,
    /// Whether the side to move is the one that was at the start.
    is_first: bool,
}

/// A position of the game before it is known how that ends.
struct Passed {
    position: Position,
    is_first: bool,
    searched: Searched,
}

/// Random numbers of one game, unlike those of its neighbours: two rounds of
/// splitmix64 (S. Vigna) over the seed and the number.
fn random_of_game(seed: u64, number: u64) -> Rng {
    let mix = |mut word: u64| {
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    };
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
    let of_seed = mix(seed.wrapping_add(STEP));
    Rng::with_seed(mix(of_seed.wrapping_add(number.wrapping_add(1).wrapping_mul(STEP))))
}

impl<'a> Game<'a> {
    fn new(
        settings: &'a PlaySettings,
        number: u64,
        engine: &'a mut Engine,
        stop: &'a AtomicBool,
    ) -> Game<'a> {
        engine.clear();
        let mut random = random_of_game(settings.seed, number);
        let position = settings.starts.choose(&mut random);
        Game { settings, engine, stop, random, position, is_first: true }
    }

    fn search(&mut self, limits: &Limits) -> Result<Report, End> {
        let watch = Stoppable::new(self.stop);
        let report = self.engine.search(self.position, limits, &watch);
        if self.stop.load(Relaxed) { Err(End::Stopped) } else { Ok(report) }
    }

    fn step(&mut self, played: Move) -> Result<(), End> {
        self.position = match played {
            Move::Place(square) => self.position.place(square).ok_or(End::Unproven)?,
            Move::Pass => self.position.passed(),
        };
        self.is_first = !self.is_first;
        Ok(())
    }

    /// Plays to the end; the records are in the order of the game.
    fn play(&mut self) -> Result<Vec<Record>, End> {
        let limits = self.settings.limits();
        let mut passed: Vec<Passed> = Vec::new();
        // A random move says nothing of the positions before it.
        let mut spoiled = 0;
        while self.position.empties() > u32::from(self.settings.exact) && !self.position.is_over() {
            if self.position.moves() == 0 {
                self.step(Move::Pass)?;
                continue;
            }
            let report = self.search(&limits)?;
            let best = report.best().ok_or(End::Unproven)?;
            let depth = plies_of(&report, self.position);
            let searched = Searched { value: best.eval, depth };
            passed.push(Passed { position: self.position, is_first: self.is_first, searched });
            let mut played = best.first();
            if self.random.u32(0..10_000) < self.settings.explore
                && let Some(square) = random_square(self.position, &mut self.random)
                && played != Move::Place(square)
            {
                played = Move::Place(square);
                spoiled = passed.len();
            }
            self.step(played)?;
        }
        let last_is_first = self.is_first;
        let (score, ending) = self.ending()?;
        let label = |(index, passed): (usize, &Passed)| {
            let score = if passed.is_first == last_is_first { score } else { -score };
            let label = if index < spoiled { Label::Searched } else { Label::Game(score) };
            Record::new(passed.position, label, Some(passed.searched))
        };
        Ok(passed.iter().enumerate().map(label).chain(ending).collect())
    }

    /// Solves the position and plays the variation to the end of the game:
    /// the score for the side to move, and every position on the way.
    fn ending(&mut self) -> Result<(Score, Vec<Record>), End> {
        let mut records = Vec::new();
        let mut proven: Option<Score> = None;
        let solver_is_first = self.is_first;
        let mut first = None;
        while !self.position.is_over() {
            let report = self.search(&Limits::exact())?;
            let best = report.best().ok_or(End::Unproven)?;
            let mut score = best.eval.round();
            // Solved again where a variation was cut short: it must agree.
            if report.kind != ScoreKind::Exact || proven.is_some_and(|proven| proven != score) {
                return Err(End::Unproven);
            }
            first.get_or_insert(score);
            for &played in &best.moves {
                if played != Move::Pass {
                    records.push(Record::new(self.position, Label::Exact(score), None));
                }
                self.step(played)?;
                score = -score;
            }
            proven = Some(score);
        }
        let end = self.position.final_score();
        if proven.is_some_and(|proven| proven != end) {
            return Err(End::Unproven);
        }
        let score = first.unwrap_or(end);
        debug_assert_eq!(if self.is_first == solver_is_first { end } else { -end }, score);
        Ok((score, records))
    }
}
