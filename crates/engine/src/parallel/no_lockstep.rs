//! In place of simulated processors, which are the feature `simulate`.

/// No simulated processors.
#[derive(Debug)]
pub(crate) enum Lockstep {}

impl Lockstep {
    pub(super) fn enter(&self, _thread: usize) {
        match *self {}
    }

    pub(super) fn take(&self, _thread: usize, _nodes: u64) {
        match *self {}
    }

    pub(super) fn leave(&self, _thread: usize) {
        match *self {}
    }
}
