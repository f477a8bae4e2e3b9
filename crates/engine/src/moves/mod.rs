//! Moves of a node and the order in which they are searched.

pub(crate) mod move_picker;
pub(crate) mod ordering;
