//! Options of a session and the search limits that follow from them.

use std::time::Duration;

use umigame_engine::{Allowance, Level, Limits, MAX_DEPTH};

/// Choices of the user or the client; they hold for every game of a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Strength, where nothing below overrides it. Without a level, a clock or a node limit alone
    /// bounds the search; without either, the default level applies.
    pub level: Option<Level>,
    /// Midgame depth in plies, instead of the level's.
    pub depth: Option<u32>,
    /// Empties from which endings are solved, instead of the level's.
    pub solve_from: Option<u32>,
    /// Maximum nodes of one search.
    pub nodes: Option<u64>,
    /// Maximum time of one search, whatever the clocks show.
    pub move_time: Option<Duration>,
    /// Time that a move leaves unused, of `move_time` and of the clock, for what the clock sees and
    /// the search does not.
    pub move_overhead: Duration,
    /// Clock of each player at the start of a game, until the client sets another.
    pub game_time: Option<Duration>,
    /// Value of a draw in centidiscs from Black's view, -100 to 100. Stored; the search does not
    /// use it yet.
    pub contempt: i32,
    /// Whether to search while the opponent thinks.
    pub ponder: bool,
}

impl Options {
    /// Returns the limits of a search for `lines` moves on `clock`.
    pub fn limits(&self, lines: usize, clock: Option<Allowance>) -> Limits {
        let bounded = clock.is_some() || self.move_time.is_some() || self.nodes.is_some();
        let mut limits = match (self.depth, self.level) {
            (Some(depth), _) => Level::limits_to_depth(depth),
            (None, Some(level)) => level.limits(),
            (None, None) if bounded => Level::limits_to_depth(MAX_DEPTH),
            (None, None) => Level::DEFAULT.limits(),
        };
        if let Some(solve_from) = self.solve_from {
            limits.solve_from = solve_from;
        }
        Limits { nodes: self.nodes, move_time: self.move_time, clock, ..limits }.with_lines(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::LEVELS;

    #[test]
    fn a_depth_solves_endings_like_the_level_of_that_depth() {
        for (depth, solve_from) in LEVELS {
            let limits = Options { depth: Some(depth), ..Options::default() }.limits(1, None);
            assert_eq!(limits.depth, depth);
            assert_eq!(limits.confidence, Level::DEFAULT.limits().confidence);
            assert!(limits.solve_from <= solve_from, "depth {depth}");
        }
        let deepest = Options { depth: Some(60), ..Options::default() }.limits(4, None);
        assert_eq!((deepest.depth, deepest.lines), (60, 4));
        assert_eq!(Some(deepest.solve_from), LEVELS.last().map(|(_, solve_from)| *solve_from));
    }

    #[test]
    fn explicit_options_override_the_level() {
        let options = Options {
            level: Level::new(3),
            solve_from: Some(16),
            nodes: Some(1000),
            ..Options::default()
        };
        let limits = options.limits(1, None);
        assert_eq!(limits.depth, LEVELS[2].0);
        assert_eq!((limits.solve_from, limits.nodes), (16, Some(1000)));
    }

    #[test]
    fn without_a_level_the_clock_alone_bounds_the_search() {
        let clock = Some(Allowance::Move(Duration::from_secs(1)));
        let options = Options::default();
        assert_eq!(options.limits(1, clock).depth, 60);
        assert_eq!(options.limits(1, None).depth, Level::DEFAULT.limits().depth);
        let with_level = Options { level: Level::new(3), ..Options::default() };
        assert_eq!(with_level.limits(1, clock).depth, LEVELS[2].0);
    }
}
