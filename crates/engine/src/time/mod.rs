//! Time: what a search may spend of a clock, the order of its iterations, and their predicted cost.

pub(crate) mod budget;
pub(crate) mod iteration;
pub(crate) mod overhead;
pub(crate) mod plan;
pub(crate) mod solve_cost;
pub(crate) mod stop_control;
#[cfg(feature = "system")]
pub(crate) mod stopwatch;
