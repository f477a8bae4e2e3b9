//! In place of the profile of the endgame search, which is the feature `profile`.

#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Stability,
    Cache,
    Etc,
    ProbCut,
}

pub(crate) struct Inside;

#[inline(always)]
pub(crate) fn note(_empties: u32, _event: Event) {}

#[inline(always)]
pub(crate) fn note_moves(_empties: u32, _searched: u32, _is_cut: bool) {}

#[inline(always)]
pub(crate) fn enter(_empties: u32) -> Inside {
    Inside
}
