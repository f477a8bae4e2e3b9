//! Aspiration windows at the root: a window around the expected value, widened where the search
//! fails high or low.

use crate::time::iteration::Iteration;
use umigame_eval::value::{Centidiscs, Window};

/// Half of the first window of a midgame iteration.
const MIDGAME_HALF_WIDTH: Centidiscs = Centidiscs(300);
/// Half of the first window of an endgame iteration.
const ENDGAME_HALF_WIDTH: Centidiscs = Centidiscs(100);
/// Half of a window that holds every value.
const FULL_HALF_WIDTH: Centidiscs = Centidiscs(12_800);
/// Changes between failing high and failing low after which the widest window is searched: deeper
/// results left in the table can make narrow windows contradict each other for ever.
const MAX_REVERSALS: u32 = 2;

/// Which end of the window the last search failed at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fail {
    Low,
    High,
}

/// The window of the next search at the root.
pub(crate) struct Aspiration {
    window: Window<Centidiscs>,
    widest: Window<Centidiscs>,
    half_width: Centidiscs,
    /// The least difference of two values of the iteration.
    step: Centidiscs,
    last_fail: Option<Fail>,
    reversals: u32,
}

impl Aspiration {
    /// Makes a window around the value `expected` that is not far above `ceiling`; a window of full
    /// width below the ceiling unless an earlier iteration `is_reliable`.
    pub fn new(
        iteration: Iteration,
        expected: Centidiscs,
        is_reliable: bool,
        ceiling: Centidiscs,
    ) -> Aspiration {
        let (step, half_width) = match iteration {
            Iteration::Midgame(..) => (Centidiscs(1), MIDGAME_HALF_WIDTH),
            Iteration::Endgame(..) => (Centidiscs(100), ENDGAME_HALF_WIDTH),
        };
        let half_width = if is_reliable { half_width } else { FULL_HALF_WIDTH };
        let center = Centidiscs(expected.0 / step.0 * step.0);
        let widest = Window::new(Centidiscs::MIN - step, Centidiscs::MAX + step);
        let beta = (center + half_width).min(ceiling + step);
        let alpha = (center - half_width).max(widest.alpha).min(beta - step - step);
        let window = Window::new(alpha, beta);
        Aspiration { window, widest, half_width, step, last_fail: None, reversals: 0 }
    }

    /// The window to search.
    pub fn window(&self) -> Window<Centidiscs> {
        self.window
    }

    /// Widens the window where `value`, found by searching it, lies outside. Returns whether the
    /// value is exact.
    pub fn accepts(&mut self, value: Centidiscs) -> bool {
        let Window { alpha, beta } = self.window;
        self.half_width = self.half_width + self.half_width;
        // At a lost wipe-out too the search is repeated: the score would be right, but without play
        // that leads to it.
        if value <= alpha && alpha > self.widest.alpha {
            self.reversals += u32::from(self.last_fail.replace(Fail::Low) == Some(Fail::High));
            let lower = (value - self.half_width).max(self.widest.alpha);
            self.window = Window::new(lower, alpha + self.step);
        } else if value >= beta && beta < self.widest.beta {
            self.reversals += u32::from(self.last_fail.replace(Fail::High) == Some(Fail::Low));
            let upper = (value + self.half_width).min(self.widest.beta);
            self.window = Window::new(beta - self.step, upper);
        } else {
            return true;
        }
        if self.reversals >= MAX_REVERSALS {
            self.window = self.widest;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Goal;
    use crate::limits::confidence::Confidence;

    #[test]
    fn windows_widen_until_they_hold_the_value_whatever_searches_say() {
        for iteration in [
            Iteration::Midgame(8, Confidence::P73),
            Iteration::Endgame(Goal::Score, Confidence::FULL),
        ] {
            for (expected, is_reliable) in [(0, false), (-6400, true), (250, true)] {
                let mut random = fastrand::Rng::with_seed(3);
                let expected = Centidiscs(expected);
                let mut aspiration =
                    Aspiration::new(iteration, expected, is_reliable, Centidiscs::MAX);
                let contradicting = |_| Centidiscs(100 * random.i32(-64..=64));
                let searches = (0..).map(contradicting).position(|value| aspiration.accepts(value));
                assert!(searches.is_some_and(|searches| searches < 20), "{searches:?}");
            }
        }
    }
}
