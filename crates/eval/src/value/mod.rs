//! Values inside the search, in two units, and windows of them.

mod units;
mod window;

pub use units::{BestMove, Centidiscs, Discs, Unit};
pub use window::{Bounds, NullWindow, Window};
