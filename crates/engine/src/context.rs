//! State shared by the threads of a search.

use crate::parallel::Team;
use crate::table::TableRef;
use crate::time::stop_control::StopControl;
use umigame_eval::Evaluation;

/// Parts of a search that its threads share and never change.
pub(crate) struct SearchContext<'a> {
    pub table: TableRef<'a>,
    pub evaluation: &'a Evaluation,
    /// Limits, clock and listener.
    pub control: &'a StopControl<'a>,
    /// The threads themselves.
    pub team: &'a Team<'a>,
}
