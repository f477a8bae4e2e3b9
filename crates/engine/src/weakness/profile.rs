//! How a player errs, in numbers.

use super::level::WeakLevel;
use crate::limits::Limits;
use crate::limits::options::LimitOptions;
use umigame_eval::value::Centidiscs;

/// How a player errs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weakness {
    /// The named level, if it is one: its search replaces that of the limits.
    level: Option<WeakLevel>,
    /// From 0, which plays the best move of its search, to 1.
    carelessness: f64,
    /// Maximum loss of a move, by the player's own search.
    max_error: Option<Centidiscs>,
}

/// A mean loss and the carelessness that causes it.
struct ErrorPoint {
    discs: f64,
    carelessness: f64,
}

const fn point(discs: f64, carelessness: f64) -> ErrorPoint {
    ErrorPoint { discs, carelessness }
}

/// Mean loss of a game by carelessness, beyond that of the search: rounded from `umigame-lab losses` of
/// `careless:0@8` to `careless:0.9@8`; the last one continues the line.
const ERROR_BY_CARELESSNESS: [ErrorPoint; 11] = [
    point(0.0, 0.0),
    point(14.0, 0.05),
    point(28.0, 0.1),
    point(46.0, 0.2),
    point(69.0, 0.3),
    point(95.0, 0.4),
    point(130.0, 0.5),
    point(155.0, 0.6),
    point(185.0, 0.75),
    point(257.0, 0.9),
    point(320.0, 1.0),
];

impl Weakness {
    /// A player of this carelessness, from 0 to 1, without a bound on the loss of a move.
    pub fn careless(carelessness: f64) -> Weakness {
        Weakness { level: None, carelessness: carelessness.clamp(0.0, 1.0), max_error: None }
    }

    /// A player that loses about so many discs in a game in the mean, beyond what its search loses.
    pub fn losing(discs: f64) -> Weakness {
        let points = &ERROR_BY_CARELESSNESS;
        let between = points.windows(2).find_map(|pair| {
            let [low, high] = pair else { return None };
            let share = (discs - low.discs) / (high.discs - low.discs);
            let step = high.carelessness - low.carelessness;
            (discs <= high.discs).then_some(low.carelessness + share * step)
        });
        Weakness::careless(between.unwrap_or(1.0))
    }

    /// The same player with another bound on the loss of a move, by its own search, in discs.
    #[must_use]
    pub fn with_max_error(self, discs: f64) -> Weakness {
        Weakness { max_error: Some(Centidiscs((100.0 * discs).round() as i32)), ..self }
    }

    /// The named level, if it is one.
    pub fn level(&self) -> Option<WeakLevel> {
        self.level
    }

    /// From 0, which plays the best move of its search, to 1.
    pub fn carelessness(&self) -> f64 {
        self.carelessness
    }

    /// Maximum loss of a move, by the player's own search, in discs; `None` without a bound.
    pub fn max_error(&self) -> Option<f64> {
        self.max_error.map(|bound| f64::from(bound.0) / 100.0)
    }

    /// Whether a move may lose as much, in centidiscs.
    pub(super) fn allows(&self, loss: Centidiscs) -> bool {
        self.max_error.is_none_or(|bound| loss <= bound)
    }

    /// The limits of the player's search where these are stated: a named level has its own depth, and
    /// every move gets a line.
    pub fn limits(&self, stated: &LimitOptions) -> Limits {
        let limits = match self.level {
            Some(_) => {
                let own = Some(WeakLevel::SEARCH);
                LimitOptions { level: own, depth: None, exact_from: None, ..stated.clone() }
                    .limits()
            }
            None => stated.limits(),
        };
        limits.with_lines(usize::MAX)
    }
}

impl From<WeakLevel> for Weakness {
    fn from(level: WeakLevel) -> Weakness {
        let own = Weakness { level: Some(level), ..Weakness::careless(level.carelessness()) };
        level.max_error().map_or(own, |discs| own.with_max_error(discs))
    }
}
