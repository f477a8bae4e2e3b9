//! Finding the games that met a position.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use umigame_othello::{Color, Move, Position, Score, Symmetry};

use super::games::{ArchivedGame, GameArchive};
use crate::canonical::CanonicalPosition;
use crate::game::replay;
use crate::stats::GameStats;

/// Which games to look at. The default takes all.
#[derive(Clone, Debug)]
pub struct GameFilter {
    /// Part of the name of either player, in either case; empty for all.
    pub player: String,
    /// Part of the name of the event, in either case; empty for all.
    pub event: String,
    /// Years; a game without a date has the year 0.
    pub years: RangeInclusive<u16>,
}

impl Default for GameFilter {
    fn default() -> GameFilter {
        GameFilter { player: String::new(), event: String::new(), years: 0..=u16::MAX }
    }
}

/// The games that met a position.
#[derive(Clone, Debug, Default)]
pub struct FoundGames {
    /// All of them, for the side to move.
    pub stats: GameStats,
    /// Moves that they continued with, most games first; equivalent moves are one.
    pub moves: Vec<(Move, GameStats)>,
    /// The newest games.
    pub games: Vec<FoundGame>,
}

/// A game, turned so that it meets the position as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame {
    /// Name of Black, empty where unknown.
    pub black: String,
    /// Name of White, empty where unknown.
    pub white: String,
    /// Event, empty where unknown.
    pub event: String,
    /// Date, empty where unknown.
    pub date: String,
    /// Score for Black.
    pub result: Option<Score>,
    /// First position.
    pub start: Position,
    /// Side to move in the first position.
    pub side: Color,
    /// Moves, passes included.
    pub moves: Vec<Move>,
    /// Moves before the position.
    pub ply: usize,
}

impl FoundGame {
    /// Returns the move played in the position; `None` where the game ends there.
    pub fn next(&self) -> Option<Move> {
        self.moves.get(self.ply).copied()
    }
}

/// The position of a question.
struct Asked {
    position: Position,
    side: Color,
    canonical: CanonicalPosition,
    /// Squares with a disc, of each of the eight images.
    occupied: [u64; 8],
}

/// A game that met the position.
#[derive(Clone, Copy)]
struct Meeting {
    game: ArchivedGame,
    /// The position as the game met it.
    position: Position,
    /// Moves before it, passes included.
    ply: usize,
    /// The move played there.
    next: Option<Move>,
}

impl GameArchive {
    /// Finds the games that met a position with this side to move, in any of the eight orientations,
    /// and returns the newest ones, at most `limit`.
    pub fn find(
        &self,
        position: Position,
        side: Color,
        filter: &GameFilter,
        limit: usize,
    ) -> FoundGames {
        let asked = Asked::new(position, side);
        let mut found = FoundGames::default();
        let mut met: Vec<Meeting> = self
            .filtered(filter)
            .filter_map(|game| self.meeting(game, &asked))
            .inspect(|one| found.count(one, &asked))
            .collect();
        // Games of a year stay in the order of the archive.
        met.sort_by_key(|one| Reverse(one.game.year));
        met.truncate(limit);
        found.games = met.iter().map(|one| self.turned(one, &asked)).collect();
        found.moves.sort_by_key(|(_, stats)| Reverse(stats.games));
        found
    }

    /// Returns the games that a filter takes.
    fn filtered(&self, filter: &GameFilter) -> impl Iterator<Item = &ArchivedGame> {
        let containing = |part: &str| {
            let part = part.trim().to_lowercase();
            let fits = |text: &String| text.to_lowercase().contains(&part);
            (!part.is_empty()).then(|| self.texts.flags(fits))
        };
        let (players, events) = (containing(&filter.player), containing(&filter.event));
        let years = filter.years.clone();
        let has = |flags: &[bool], text: u32| flags.get(text as usize).copied().unwrap_or(false);
        self.games.iter().filter(move |game| {
            let has_player = |flags: &Vec<bool>| has(flags, game.black) || has(flags, game.white);
            years.contains(&game.year)
                && players.as_ref().is_none_or(has_player)
                && events.as_ref().is_none_or(|flags| has(flags, game.event))
        })
    }

    /// Returns how a game met the position, if it did.
    fn meeting(&self, game: &ArchivedGame, asked: &Asked) -> Option<Meeting> {
        let (start, side) = self.start_of(game);
        let squares = self.squares_of(game);
        let placed = start.empties().checked_sub(asked.position.empties())? as usize;
        let occupied = squares
            .get(..placed)?
            .iter()
            .fold(!start.empty().bits(), |occupied, square| occupied | square.bit());
        if !asked.occupied.contains(&occupied) {
            return None;
        }
        let mut ply = 0;
        let (mut position, mut to_move) =
            replay(start, side, squares.get(..placed)?, |_, _, _| ply += 1)?;
        let mut next = squares.get(placed).map(|&square| Move::Place(square));
        if position.must_pass() {
            if asked.is(position, to_move) {
                next = next.and(Some(Move::Pass));
            } else {
                (position, to_move, ply) = (position.passed(), !to_move, ply + 1);
            }
        }
        asked.is(position, to_move).then_some(Meeting { game: *game, position, ply, next })
    }

    /// Returns a game turned so that it meets the position as it was asked for.
    fn turned(&self, met: &Meeting, asked: &Asked) -> FoundGame {
        let (start, side) = self.start_of(&met.game);
        let symmetry = asked.symmetry_of(met, start);
        let mut moves = Vec::new();
        replay(start, side, self.squares_of(&met.game), |_, _, played| {
            moves.push(image(symmetry, played));
        });
        // A record may end before a pass.
        let ply = met.ply.min(moves.len());
        let ArchivedGame { black, white, event, date, result, .. } = met.game;
        let [black, white, event, date] = [black, white, event, date].map(|text| self.text(text));
        let start = symmetry.of_position(start);
        FoundGame { black, white, event, date, result, start, side, moves, ply }
    }
}

impl FoundGames {
    /// Counts a game.
    fn count(&mut self, met: &Meeting, asked: &Asked) {
        let black = met.game.result.map(|score| score.discs() as i8);
        let result = black.map(|discs| if asked.side == Color::Black { discs } else { -discs });
        let stats = GameStats::of_game(result);
        self.stats.add(&stats);
        let Some(next) = met.next.map(|next| asked.usual(met.position, next)) else { return };
        match self.moves.iter_mut().find(|(known, _)| *known == next) {
            Some((_, known)) => known.add(&stats),
            None => self.moves.push((next, stats)),
        }
    }
}

impl Asked {
    fn new(position: Position, side: Color) -> Asked {
        let images = Symmetry::ALL.map(|symmetry| symmetry.of_position(position));
        let occupied = images.map(|image| !image.empty().bits());
        Asked { position, side, canonical: CanonicalPosition::of(position), occupied }
    }

    fn is(&self, position: Position, side: Color) -> bool {
        side == self.side && CanonicalPosition::of(position).position() == self.canonical.position()
    }

    /// Returns a move of an image of the position as people write it in the position itself.
    fn usual(&self, image: Position, played: Move) -> Move {
        self.canonical.usual_move(CanonicalPosition::of(image).canonical_move(played))
    }

    /// Returns the symmetry that turns a game: one that keeps its first position where there is one,
    /// and then one that leads to the usual move.
    fn symmetry_of(&self, met: &Meeting, start: Position) -> Symmetry {
        let usual = met.next.map(|next| self.usual(met.position, next));
        let fits = |symmetry: &Symmetry| symmetry.of_position(met.position) == self.position;
        let cost = |symmetry: &Symmetry| {
            let next = met.next.map(|next| image(*symmetry, next));
            (symmetry.of_position(start) != start, next != usual)
        };
        Symmetry::ALL.into_iter().filter(fits).min_by_key(cost).unwrap_or(Symmetry::IDENTITY)
    }
}

/// Returns the image of a move.
fn image(symmetry: Symmetry, played: Move) -> Move {
    played.square().map_or(Move::Pass, |square| Move::Place(symmetry.of_square(square)))
}
