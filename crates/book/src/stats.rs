//! What games came to: met, won, drawn, lost, and by how many discs.

/// Results of games through a position or by a move, from the view of the
/// side to move there. A game without a result was met and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStats {
    /// Games met.
    pub games: u32,
    /// Games won by the side to move.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost by the side to move.
    pub losses: u32,
    /// The sum of all results, in discs.
    pub total: i64,
    range: Option<(i8, i8)>,
}

impl GameStats {
    /// No games.
    pub const NONE: GameStats =
        GameStats { games: 0, wins: 0, draws: 0, losses: 0, total: 0, range: None };

    /// One game, with its result in discs where it has one.
    pub fn of_game(result: Option<i8>) -> GameStats {
        let Some(discs) = result else { return GameStats { games: 1, ..GameStats::NONE } };
        GameStats {
            games: 1,
            wins: u32::from(discs > 0),
            draws: u32::from(discs == 0),
            losses: u32::from(discs < 0),
            total: i64::from(discs),
            range: Some((discs, discs)),
        }
    }

    /// A tally from its columns.
    pub(super) fn of_columns(
        [games, wins, draws, losses]: [u32; 4],
        total: i64,
        range: Option<(i8, i8)>,
    ) -> GameStats {
        GameStats { games, wins, draws, losses, total, range }
    }

    /// Adds the games of another tally.
    pub fn add(&mut self, other: &GameStats) {
        self.games = self.games.saturating_add(other.games);
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.total = self.total.saturating_add(other.total);
        self.range = match (self.range, other.range) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }

    /// Games with a result.
    pub fn results(&self) -> u32 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Wins and half the draws as a share of the results, 0 to 1.
    pub fn win_rate(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.results() > 0).then(|| points / f64::from(self.results()))
    }

    /// The mean result in discs.
    pub fn mean(&self) -> Option<f64> {
        (self.results() > 0).then(|| self.total as f64 / f64::from(self.results()))
    }

    /// The best result in discs.
    pub fn best(&self) -> Option<i8> {
        self.range.map(|(_, best)| best)
    }

    /// The worst result in discs.
    pub fn worst(&self) -> Option<i8> {
        self.range.map(|(worst, _)| worst)
    }
}
