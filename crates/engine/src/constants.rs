//! The list of constants that can be set.

use crate::endgame::{hash_search, move_list};
use crate::midgame::{futility, null_window, probcut};
use crate::moves::ordering;
use crate::tunable::Constant;

/// Returns all constants that can be set.
pub fn constants() -> impl Iterator<Item = &'static Constant> {
    let modules = [
        null_window::TUNABLE,
        ordering::TUNABLE,
        probcut::TUNABLE,
        futility::TUNABLE,
        hash_search::TUNABLE,
        move_list::TUNABLE,
    ];
    modules.into_iter().flatten()
}
