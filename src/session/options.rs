//! What the user may choose, and the limits that follow from it.

use std::time::Duration;

use umigame_engine::search::{Allowance, Level, Limits};

/// The choices of a user or client. A session starts with them and keeps
/// them through every game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The strength, where nothing below says otherwise. Without it, a clock
    /// or a number of nodes alone bounds the search, and where there is
    /// neither, the default level does.
    pub level: Option<Level>,
    /// Plies to search in the middle game, instead of the level's.
    pub depth: Option<u32>,
    /// Empties from which endings are read out, instead of the level's.
    pub solve_from: Option<u32>,
    /// Positions that one search may visit.
    pub nodes: Option<u64>,
    /// The most time for one search, whatever the clocks show.
    pub move_time: Option<Duration>,
    /// The clock of each player at the start of a game, until the client
    /// sets another.
    pub game_time: Option<Duration>,
    /// What a draw is worth in hundredths of a disc from Black's view, -100
    /// to 100. Kept, and not yet used by the search.
    pub contempt: i32,
    /// Whether to search on while the opponent thinks.
    pub ponder: bool,
}

impl Options {
    /// The limits of a search for this many lines, within the time for a move and what a clock
    /// allows.
    pub fn limits(&self, lines: usize, clock: Option<Allowance>) -> Limits {
        let bounded = clock.is_some() || self.move_time.is_some() || self.nodes.is_some();
        let mut limits = match (self.depth, self.level) {
            (Some(depth), _) => to_depth(depth),
            (None, Some(level)) => level.limits(),
            (None, None) if bounded => to_depth(60),
            (None, None) => Level::DEFAULT.limits(),
        };
        if let Some(solve_from) = self.solve_from {
            limits.solve_from = solve_from;
        }
        Limits { nodes: self.nodes, move_time: self.move_time, clock, ..limits }.with_lines(lines)
    }
}

/// A depth that a client has set, searched like the first level that goes so
/// deep. Endings are read out no earlier than the last level does, so that a
/// game at depth 60 still returns.
fn to_depth(depth: u32) -> Limits {
    let levels = || (1..).map_while(Level::new).map(Level::limits);
    let level = levels().find(|level| level.depth >= depth).or(levels().last());
    Limits { depth: depth.clamp(1, 60), ..level.unwrap_or_else(|| Limits::depth(depth)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::search::LEVELS;

    #[test]
    fn a_depth_solves_like_the_level_that_searches_so_deep() {
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
    fn what_is_chosen_outright_wins_over_the_level() {
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
    fn without_a_level_a_clock_alone_bounds_the_search() {
        let second = Duration::from_secs(1);
        let time = Some(Allowance::Move(second));
        let options = Options::default();
        assert_eq!(options.limits(1, time).depth, 60);
        assert_eq!(options.limits(1, None).depth, Level::DEFAULT.limits().depth);
        let levelled = Options { level: Level::new(3), ..Options::default() };
        assert_eq!(levelled.limits(1, time).depth, LEVELS[2].0);
    }
}
