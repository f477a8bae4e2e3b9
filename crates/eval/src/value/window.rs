//! Windows of the alpha-beta search.
//!
//! A search in a window is fail-soft: a value at most `alpha` is an upper bound of the true one, a
//! value of at least `beta` a lower bound, and a value between them is exact.

use std::ops::Neg;

use super::units::{Centidiscs, Discs, Unit};

/// An open interval of values, `alpha < beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<V> {
    /// Lower end.
    pub alpha: V,
    /// Upper end.
    pub beta: V,
}

impl<V: Unit> Window<V> {
    /// The window between two values.
    #[inline(always)]
    pub const fn new(alpha: V, beta: V) -> Window<V> {
        Window { alpha, beta }
    }

    /// Whether a value lies inside, and so is exact.
    #[inline(always)]
    pub fn contains(self, value: V) -> bool {
        value > self.alpha && value < self.beta
    }

    /// The window left once `best` has been found.
    #[inline(always)]
    pub fn raise_alpha(self, best: V) -> Window<V> {
        Window { alpha: self.alpha.max(best), ..self }
    }

    /// The window as a null window, if it is one.
    #[inline(always)]
    pub fn null(self) -> Option<NullWindow<V>> {
        (self.alpha + V::STEP == self.beta).then_some(NullWindow { alpha: self.alpha })
    }

    /// The null window at the lower end; all of a window that is null.
    #[inline(always)]
    pub const fn lower_end(self) -> NullWindow<V> {
        NullWindow { alpha: self.alpha }
    }

    /// The same in centidiscs.
    #[inline(always)]
    pub fn to_centidiscs(self) -> Window<Centidiscs> {
        Window { alpha: self.alpha.to_centidiscs(), beta: self.beta.to_centidiscs() }
    }
}

/// The window as the opponent sees it.
impl<V: Unit> Neg for Window<V> {
    type Output = Window<V>;

    #[inline(always)]
    fn neg(self) -> Window<V> {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

impl<V: Unit> From<NullWindow<V>> for Window<V> {
    #[inline(always)]
    fn from(window: NullWindow<V>) -> Window<V> {
        Window { alpha: window.alpha, beta: window.beta() }
    }
}

impl Window<Centidiscs> {
    /// The narrowest window of whole discs around this one.
    pub const fn to_discs(self) -> Window<Discs> {
        Window { alpha: self.alpha.floor(), beta: self.beta.ceil() }
    }
}

/// A window between two neighbouring values: a search tells on which side of it the value lies.
/// One integer, as most nodes have no other window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct NullWindow<V> {
    /// Lower end; the upper one is a step above it.
    pub alpha: V,
}

impl<V: Unit> NullWindow<V> {
    /// The window just above `alpha`.
    #[inline(always)]
    pub const fn above(alpha: V) -> NullWindow<V> {
        NullWindow { alpha }
    }

    /// The window just below `beta`.
    #[inline(always)]
    pub fn below(beta: V) -> NullWindow<V> {
        NullWindow { alpha: beta - V::STEP }
    }

    /// The upper end.
    #[inline(always)]
    pub fn beta(self) -> V {
        self.alpha + V::STEP
    }

    /// The window outside of which a shallow value puts the deep one outside this window: the deep
    /// value is `mean` more on average, and lies within `margin` of that.
    #[inline(always)]
    pub fn for_shallow(self, mean: V, margin: V) -> Window<V> {
        Window { alpha: self.alpha - mean - margin, beta: self.beta() - mean + margin }
    }
}

/// The window as the opponent sees it.
impl<V: Unit> Neg for NullWindow<V> {
    type Output = NullWindow<V>;

    #[inline(always)]
    fn neg(self) -> NullWindow<V> {
        NullWindow { alpha: -self.alpha - V::STEP }
    }
}

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds<V> {
    /// At least.
    pub lower: V,
    /// At most.
    pub upper: V,
}

impl<V: Unit> Bounds<V> {
    /// The bound that decides a null window, if either does.
    #[inline(always)]
    pub fn cutoff(self, window: NullWindow<V>) -> Option<V> {
        if self.lower > window.alpha {
            Some(self.lower)
        } else {
            (self.upper <= window.alpha).then_some(self.upper)
        }
    }
}

impl Bounds<Centidiscs> {
    /// The same in another unit; bounds in discs are whole.
    #[inline(always)]
    pub fn to_unit<V: Unit>(self) -> Bounds<V> {
        Bounds { lower: V::floor_of(self.lower), upper: V::floor_of(self.upper) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_is_the_opponents_window() {
        for alpha in -64..64 {
            let null = NullWindow::above(Discs(alpha));
            assert_eq!(Window::from(-null), -Window::from(null));
            assert_eq!(-(-null), null);
            assert_eq!(NullWindow::below(null.beta()), null);
            assert_eq!(Window::from(null).lower_end(), null);
            for value in -64..=64 {
                let window = Window::new(Discs(alpha), Discs(alpha + 5));
                assert_eq!(window.contains(Discs(value)), (-window).contains(Discs(-value)));
                assert!(!Window::from(null).contains(Discs(value)));
            }
        }
    }

    #[test]
    fn bounds_cut_off_exactly_where_they_lie_outside_the_window() {
        let bounds = Bounds { lower: Discs(-2), upper: Discs(4) };
        let cutoff = |alpha| bounds.cutoff(NullWindow::above(Discs(alpha)));
        assert_eq!(cutoff(-3), Some(Discs(-2)));
        assert_eq!(cutoff(-2), None);
        assert_eq!(cutoff(3), None);
        assert_eq!(cutoff(4), Some(Discs(4)));
    }

    #[test]
    fn a_window_in_discs_covers_the_window_in_centidiscs() {
        for alpha in [-6401, -250, -100, -1, 0, 1, 99, 300] {
            let window = Window::new(Centidiscs(alpha), Centidiscs(alpha + 1));
            let wider = window.to_discs().to_centidiscs();
            assert!(wider.alpha <= window.alpha && wider.beta >= window.beta);
        }
    }
}
