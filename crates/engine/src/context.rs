//! What the threads of a search share.

use crate::parallel::Team;
use crate::table::TableRef;
use crate::time::stop_control::StopControl;
use umigame_eval::Evaluation;

/// What a search shares among its threads and never changes.
pub(crate) struct SearchContext<'a> {
    pub table: TableRef<'a>,
    pub evaluation: &'a Evaluation,
    /// Limits, clock and listener.
    pub control: &'a StopControl<'a>,
    /// The threads themselves.
    pub team: &'a Team<'a>,
}
