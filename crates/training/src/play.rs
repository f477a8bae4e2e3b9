//! Self-play: games from random starts by shallow searches, solved exactly in the endgame, with a
//! label for every position.
//!
//! A game depends on its number and the recipe alone, because the engine is cleared before it. So
//! any number of threads write the same file.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use fastrand::Rng;

use super::data::{Block, Generator, Label, Recipe, Record, Searched, Writer};
use super::error::LearnError;
use super::searches::Searches;
use super::starts::{Starts, random_square};
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Engine, Limits, Megabytes, Report, ScoreKind, SharedEvaluation};
use umigame_othello::{Eval, Move, Position, Score};
use umigame_support::random;

/// Games of a block: a few seconds of work, which are lost in a kill.
pub(crate) const BLOCK_GAMES: u64 = 16;
/// Revision of the generator: changes when the same settings come to mean other games.
const REVISION: u8 = 1;
/// Transposition table of a thread: cleared before every game, so no larger than a game can use.
const TABLE_PER_THREAD: Megabytes = Megabytes(2);

/// How games are played.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// Plies of the searches, 1 to 60.
    pub depth: u8,
    /// Empties from which a game is solved, 1 to 60.
    pub exact: u8,
    /// Empties from which moves are searched to the end of the game at 73 %, at most 60; no more than
    /// `exact` for none.
    pub end_from: u8,
    /// Share of searched moves replaced by random ones, in units of 1 / 10,000.
    pub explore: u32,
    /// Weight of the value of each later search beside the one before it, in percent, 0 to 99: a
    /// position is stored with the weighted mean of the values that the game's searches found from
    /// there on, as long as best moves were played.
    pub lambda: u8,
    /// Evaluation of the searches.
    pub evaluation: SharedEvaluation,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Positions where games begin.
    pub starts: Starts,
}

impl PlaySettings {
    /// Returns the recipe of the blocks made with these settings.
    pub fn recipe(&self) -> Recipe {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&[REVISION]);
        hasher.update(&self.explore.to_le_bytes());
        hasher.update(&self.starts.checksum().to_le_bytes());
        if self.end_from > self.exact {
            hasher.update(&[self.end_from]);
        }
        if self.lambda > 0 {
            hasher.update(&[0, self.lambda]);
        }
        Recipe {
            generator: Generator::Play,
            depth: self.depth,
            exact: self.exact,
            confidence: Confidence::P73.percent(),
            weights: self.evaluation.checksum(),
            settings: hasher.finalize(),
            seed: self.seed,
        }
    }

    fn limits(&self, empties: u32) -> Limits {
        let to_the_end = empties <= u32::from(self.end_from);
        let depth = if to_the_end { empties } else { u32::from(self.depth) };
        Limits::midgame(depth, Confidence::P73)
    }
}

/// When self-play ends.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// When the file holds this many games of the recipe.
    Games(u64),
    /// At this time: no block is begun after it.
    Time(Instant),
}

/// Returns the depth of a search; one to the end of the game is as deep as there are empties.
pub(super) fn searched_plies(report: &Report, position: Position) -> u8 {
    match report.kind {
        ScoreKind::Depth { plies, .. } => plies,
        _ => position.empties() as u8,
    }
}

/// Plays games, beginning with the first that the file does not hold, and appends them block by
/// block in their order.
///
/// `written` is called for each block. When `stop` is set, self-play ends after whole blocks.
///
/// # Errors
/// A file that cannot be written, no memory for the transposition table, or a fault in the search.
pub fn play(
    settings: &PlaySettings,
    until: Until,
    threads: usize,
    writer: &mut Writer,
    stop: &AtomicBool,
    written: impl FnMut(&Block),
) -> Result<(), LearnError> {
    let recipe = settings.recipe();
    let searches = Searches { evaluation: &settings.evaluation, threads, stop };
    let blocks = blocks(writer.games(&recipe), until);
    let answer = |worker: &mut Worker<'_>, GameRange { first, games }: GameRange| {
        let mut records = Vec::new();
        for number in first..first + u64::from(games) {
            match play_game(settings, number, worker, searches)? {
                Ok(played) => records.extend(played),
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(Block { recipe, first, games, records }))
    };
    searches.write(blocks, TABLE_PER_THREAD, answer, writer, written)
}

/// Plays games `first` to `first + games` and returns the records of each, in their order; fewer if
/// `searches` are stopped. A game has the same records as in a file that [`play`] writes.
///
/// # Errors
/// No memory for the transposition table, or a fault in the search.
pub fn play_games(
    settings: &PlaySettings,
    first: u64,
    games: u64,
    searches: Searches<'_>,
) -> Result<Vec<Vec<Record>>, LearnError> {
    let answer =
        |worker: &mut Worker<'_>, number: u64| play_game(settings, number, worker, searches);
    let numbers = first..first.saturating_add(games);
    searches.all(numbers, TABLE_PER_THREAD, answer, || ())?.into_iter().collect()
}

/// Plays one game and returns its records; `None` if it was stopped.
fn play_game(
    settings: &PlaySettings,
    number: u64,
    worker: &mut Worker<'_>,
    searches: Searches<'_>,
) -> Option<Result<Vec<Record>, LearnError>> {
    match Game::new(settings, number, worker.own(), searches).play() {
        Ok(records) => Some(Ok(records)),
        Err(GameFault::Stopped) => None,
        Err(GameFault::Unproven) => Some(Err(LearnError::Unproven(number))),
    }
}

/// Numbers of the games of a block.
#[derive(Clone, Copy, Debug)]
struct GameRange {
    first: u64,
    games: u32,
}

/// Returns the blocks from game `next` on.
fn blocks(mut next: u64, until: Until) -> impl Iterator<Item = GameRange> + Send {
    std::iter::from_fn(move || {
        let end = (next - next % BLOCK_GAMES).saturating_add(BLOCK_GAMES);
        let end = match until {
            Until::Games(games) => end.min(games),
            Until::Time(time) if Instant::now() >= time => return None,
            Until::Time(_) => end,
        };
        let first = next;
        next = next.max(end);
        (first < end).then(|| GameRange { first, games: (end - first) as u32 })
    })
}

/// Reason why a game has no result.
#[derive(Debug)]
enum GameFault {
    Stopped,
    /// The solved endgame contradicts itself.
    Unproven,
}

/// A game in progress.
struct Game<'a> {
    settings: &'a PlaySettings,
    engine: &'a mut Engine,
    searches: Searches<'a>,
    random: Rng,
    position: Position,
    /// Whether the side to move is the one that moved first.
    is_first: bool,
}

/// A searched position of the game, before the result is known.
struct SearchedPosition {
    position: Position,
    is_first: bool,
    searched: Searched,
    /// Whether the best move was played.
    is_best: bool,
}

/// Replaces the value of every position by the mean of its own and those of the later ones, each
/// with `lambda` times the weight of the one before, up to the next random move.
///
/// Later searches see farther: at 24 empties, the mean with 0.85 of games at depth 4 has half the
/// squared error of a result and four fifths of that of the first value.
///
/// After: R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988.
fn average_values(played: &mut [SearchedPosition], lambda: f64) {
    let (mut sum, mut weight, mut later_is_first) = (0.0, 0.0, true);
    for of in played.iter_mut().rev() {
        if !of.is_best {
            (sum, weight) = (0.0, 0.0);
        }
        let sign = if of.is_first == later_is_first { 1.0 } else { -1.0 };
        sum = f64::from(of.searched.value.centidiscs()) + lambda * sign * sum;
        weight = 1.0 + lambda * weight;
        of.searched.value = Eval::from_centidiscs((sum / weight).round() as i32);
        later_is_first = of.is_first;
    }
}

impl<'a> Game<'a> {
    fn new(
        settings: &'a PlaySettings,
        number: u64,
        engine: &'a mut Engine,
        searches: Searches<'a>,
    ) -> Game<'a> {
        engine.clear();
        let mut random = random::numbered(settings.seed, number);
        let position = settings.starts.choose(&mut random);
        Game { settings, engine, searches, random, position, is_first: true }
    }

    fn search(&mut self, limits: &Limits) -> Result<Report, GameFault> {
        self.searches.search(self.engine, self.position, limits).ok_or(GameFault::Stopped)
    }

    fn step(&mut self, played: Move) -> Result<(), GameFault> {
        self.position = self.position.play(played).ok_or(GameFault::Unproven)?;
        self.is_first = !self.is_first;
        Ok(())
    }

    /// Plays the game to its end and returns the records of its positions in order.
    fn play(&mut self) -> Result<Vec<Record>, GameFault> {
        let mut played: Vec<SearchedPosition> = Vec::new();
        // Positions before the last random move: the result says nothing about them.
        let mut spoiled = 0;
        while self.position.empties() > u32::from(self.settings.exact) && !self.position.is_over() {
            if self.position.legal_moves().is_empty() {
                self.step(Move::Pass)?;
                continue;
            }
            let report = self.search(&self.settings.limits(self.position.empties()))?;
            let best = report.best().ok_or(GameFault::Unproven)?;
            let depth = searched_plies(&report, self.position);
            let searched = Searched { value: best.raw, depth };
            let (position, is_first) = (self.position, self.is_first);
            let mut next = best.first();
            let mut is_best = true;
            if self.random.u32(0..10_000) < self.settings.explore
                && let Some(square) = random_square(self.position, &mut self.random)
                && next != Move::Place(square)
            {
                next = Move::Place(square);
                is_best = false;
            }
            played.push(SearchedPosition { position, is_first, searched, is_best });
            if !is_best {
                spoiled = played.len();
            }
            self.step(next)?;
        }
        let last_is_first = self.is_first;
        let (score, endgame) = self.play_endgame()?;
        average_values(&mut played, f64::from(self.settings.lambda) / 100.0);
        let label = |(index, of): (usize, &SearchedPosition)| {
            let score = if of.is_first == last_is_first { score } else { -score };
            let label = if index < spoiled { Label::Searched } else { Label::Game(score) };
            Record::new(of.position, label, Some(of.searched))
        };
        Ok(played.iter().enumerate().map(label).chain(endgame).collect())
    }

    /// Solves the position and plays best moves to the end of the game. Returns the score for the
    /// side to move and the record of every position on the way.
    fn play_endgame(&mut self) -> Result<(Score, Vec<Record>), GameFault> {
        let mut records = Vec::new();
        let mut proven: Option<Score> = None;
        let solver_is_first = self.is_first;
        let mut first = None;
        while !self.position.is_over() {
            let report = self.search(&Limits::exact())?;
            let best = report.best().ok_or(GameFault::Unproven)?;
            let mut score = best.eval().round();
            // Solved again where the variation ends early: the scores must agree.
            if report.kind != ScoreKind::Exact || proven.is_some_and(|proven| proven != score) {
                return Err(GameFault::Unproven);
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
            return Err(GameFault::Unproven);
        }
        let score = first.unwrap_or(end);
        assert_eq!(if self.is_first == solver_is_first { end } else { -end }, score);
        Ok((score, records))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_values_count_less_and_not_beyond_a_random_move() {
        let searched =
            |centidiscs: i32| Searched { value: Eval::from_centidiscs(centidiscs), depth: 4 };
        let of = |(centidiscs, is_first, is_best)| SearchedPosition {
            position: Position::START,
            is_first,
            searched: searched(centidiscs),
            is_best,
        };
        // The second side moves twice in a row, and the move after that is random.
        let path = [(100, true, true), (-300, false, true), (200, false, false), (900, true, true)];
        let averaged = |lambda: f64| {
            let mut played = path.map(of);
            average_values(&mut played, lambda);
            played.map(|of| of.searched.value.centidiscs())
        };
        assert_eq!(averaged(0.0), [100, -300, 200, 900]);
        // Of the first: (100 + 300 / 2 - 200 / 4) / 1.75; of the second: (-300 + 200 / 2) / 1.5.
        assert_eq!(averaged(0.5), [114, -133, 200, 900]);
    }
}
