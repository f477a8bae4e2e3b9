//! Settings of a fit.

use super::super::data::{Sample, SampleOutcome};
use super::super::models::calibrate::{self, CalibrationLine, CalibrationPair};
use umigame_eval::patterns::{PHASES, phase_of};

/// Targets of positions, and how much each position counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Targets {
    /// Share of the result of games in the target of a position that also has a search value, 0
    /// to 1. Exact scores stand alone.
    pub blend: f32,
    /// Magnitude of the target, in discs, at which a position counts half as much as an even one;
    /// infinite if all count alike.
    pub half: f32,
    /// Line from the search values of each phase to true scores.
    pub lines: [CalibrationLine; PHASES],
}

impl Default for Targets {
    fn default() -> Targets {
        let lines = [CalibrationLine::IDENTITY; PHASES];
        Targets { blend: 0.6, half: f32::INFINITY, lines }
    }
}

impl Targets {
    /// Returns these targets with the lines from the search values of `samples` to their scores.
    ///
    /// Weights that learn from values that are too small become too small themselves.
    #[must_use]
    pub(crate) fn with_lines_of(self, samples: &[Sample]) -> Targets {
        let pair =
            |sample: &Sample| CalibrationPair::of(sample, sample.searched()?.value.centidiscs());
        let pairs: Vec<CalibrationPair> = samples.iter().filter_map(pair).collect();
        Targets { lines: calibrate::lines(&pairs), ..self }
    }

    /// Returns the target of a position in discs; `None` if nothing is known.
    pub(in super::super) fn of(&self, sample: &Sample) -> Option<f32> {
        let discs = |centidiscs: i32| centidiscs as f32 / 100.0;
        let line = &self.lines[phase_of(sample.position.empties())];
        let true_score = |value: i32| line.apply(value) as f32 / 100.0;
        let searched = sample.searched().map(|it| true_score(it.value.centidiscs()));
        match (sample.outcome(), searched) {
            (SampleOutcome::Exact(score), _) => Some(score.discs() as f32),
            (SampleOutcome::Games(score), Some(value)) => {
                Some(self.blend * discs(score.centidiscs()) + (1.0 - self.blend) * value)
            }
            (SampleOutcome::Games(score), None) => Some(discs(score.centidiscs())),
            (SampleOutcome::Unknown, searched) => searched,
        }
    }

    /// Returns the weight of a position with this target.
    pub(in super::super) fn weight(&self, target: f32) -> f32 {
        1.0 / (1.0 + (target / self.half).powi(2))
    }
}

/// How weights are fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// Targets of positions.
    pub targets: Targets,
    /// Ridge: the number of positions that move a weight halfway from its start to their mean.
    pub ridge: f32,
    /// Passes over the positions for each third and each phase.
    pub iterations: usize,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        let targets = Targets::default();
        FitSettings { targets, ridge: 60.0, iterations: 30 }
    }
}
