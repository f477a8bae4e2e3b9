//! Counts and results of games.

/// Results of the games through a position or a move, for the side to move there.
///
/// A game without a result counts in `games` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct GameStats {
    /// Games, with or without a result.
    pub games: u32,
    /// Games won by the side to move.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost by the side to move.
    pub losses: u32,
    /// Sum of all results, in discs.
    pub total_discs: i64,
    /// Worst and best result, in discs.
    range: Option<(i8, i8)>,
}

impl GameStats {
    /// Returns the statistics of one game; `result` is in discs for the side to move.
    pub fn of_game(result: Option<i8>) -> GameStats {
        let Some(discs) = result else { return GameStats { games: 1, ..GameStats::default() } };
        GameStats {
            games: 1,
            wins: u32::from(discs > 0),
            draws: u32::from(discs == 0),
            losses: u32::from(discs < 0),
            total_discs: i64::from(discs),
            range: Some((discs, discs)),
        }
    }

    /// Builds statistics from the columns of the database.
    pub(crate) fn of_columns(
        [games, wins, draws, losses]: [u32; 4],
        total_discs: i64,
        range: Option<(i8, i8)>,
    ) -> GameStats {
        GameStats { games, wins, draws, losses, total_discs, range }
    }

    /// Adds the games of `other`.
    pub fn add(&mut self, other: &GameStats) {
        self.games = self.games.saturating_add(other.games);
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.total_discs = self.total_discs.saturating_add(other.total_discs);
        self.range = match (self.range, other.range) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }

    /// Returns the number of games with a result.
    pub fn results(&self) -> u32 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Returns wins plus half the draws as a share of the results, 0 to 1.
    pub fn win_rate(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.results() > 0).then(|| points / f64::from(self.results()))
    }

    /// Returns the mean result in discs.
    pub fn mean(&self) -> Option<f64> {
        (self.results() > 0).then(|| self.total_discs as f64 / f64::from(self.results()))
    }

    /// Returns the best result in discs.
    pub fn best(&self) -> Option<i8> {
        self.range.map(|(_, best)| best)
    }

    /// Returns the worst result in discs.
    pub fn worst(&self) -> Option<i8> {
        self.range.map(|(worst, _)| worst)
    }
}
