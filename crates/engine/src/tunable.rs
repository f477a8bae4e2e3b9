//! Constants of the search that `umigame-lab tune` may change.
//!
//! In a normal build they are constants. With the feature `tune` every thread has values of its
//! own, which begin with the defaults: two settings can play each other in one process, and several
//! such games can go on at once.

#[cfg(feature = "tune")]
use std::cell::Cell;
#[cfg(feature = "tune")]
use std::thread::LocalKey;

/// A constant of the search; see [`tunable`].
#[cfg(not(feature = "tune"))]
#[derive(Debug)]
pub(crate) struct Tunable<T>(pub T);

#[cfg(not(feature = "tune"))]
impl<T: Copy> Tunable<T> {
    /// The value.
    #[inline(always)]
    pub const fn get(&self) -> T {
        self.0
    }
}

/// A constant of the search; see [`tunable`].
#[cfg(feature = "tune")]
#[derive(Debug)]
pub(crate) struct Tunable<T: 'static>(pub &'static LocalKey<Cell<T>>);

#[cfg(feature = "tune")]
impl<T: Copy> Tunable<T> {
    /// The value in the calling thread.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.0.get()
    }
}

/// Effect of a constant, besides that on the nodes.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The order of moves: results of full confidence stay the same.
    Order,
    /// Cuts and reductions: fewer nodes may mean worse results.
    Accuracy,
}

/// A constant of the search that can be set.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    path: &'static str,
    /// Effect of a change.
    pub effect: Effect,
    /// Value in a normal build.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// A change that makes a small difference to the search.
    pub step: f64,
    /// Whether it is a whole number.
    pub is_whole: bool,
    set: fn(f64),
}

#[cfg(feature = "tune")]
impl Constant {
    /// Makes a constant; for [`tunable`].
    #[allow(clippy::too_many_arguments)]
    pub(crate) const fn new(
        path: &'static str,
        effect: Effect,
        default: f64,
        (min, max): (f64, f64),
        step: f64,
        is_whole: bool,
        set: fn(f64),
    ) -> Constant {
        Constant { path, effect, default, min, max, step, is_whole, set }
    }

    /// The module of the search and the name in it, such as `midgame::null_window::LMR_MIN_DEPTH`.
    pub fn name(&self) -> &'static str {
        self.path.split_once("::").map_or(self.path, |(_, name)| name)
    }

    /// Sets the value for searches of the calling thread: rounded if it is a whole number, and kept
    /// within the range. Other threads that help such a search do not see it.
    pub fn set(&self, value: f64) {
        let value = if self.is_whole { value.round() } else { value };
        (self.set)(value.clamp(self.min, self.max));
    }
}

/// Defines constants of a module that tuning may change, one a line: effect, name, type, default,
/// range and step. Read by `NAME.get()`. A module's constants can be
/// set if `constants` lists it.
///
/// ```text
/// tunable! {
///     /// Minimum depth for late move reductions (LMR).
///     Accuracy LMR_MIN_DEPTH: u32 = 5 in 2..=12 by 1;
/// }
/// ```
macro_rules! tunable {
    ($(
        $(#[$doc:meta])*
        $effect:ident $name:ident: $type:ty = $default:literal
            in $min:literal..=$max:literal by $step:literal;
    )+) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            const $name: $crate::tunable::Tunable<$type> =
                $crate::tunable::Tunable($default);

            $(#[$doc])*
            #[cfg(feature = "tune")]
            static $name: $crate::tunable::Tunable<$type> = {
                std::thread_local! {
                    static VALUE: std::cell::Cell<$type> = const { std::cell::Cell::new($default) };
                }
                $crate::tunable::Tunable(&VALUE)
            };
        )+

        /// The constants of this module that can be set.
        #[cfg(feature = "tune")]
        pub(crate) const TUNABLE: &[$crate::tunable::Constant] = &[$(
            $crate::tunable::Constant::new(
                concat!(module_path!(), "::", stringify!($name)),
                $crate::tunable::Effect::$effect,
                $default as f64,
                ($min as f64, $max as f64),
                $step as f64,
                // A cast to an integer cuts the half off.
                (0.5f64 as $type) as f64 == 0.0,
                |value| $name.0.set(value as $type),
            )
        ),+];
    };
}
pub(crate) use tunable;
