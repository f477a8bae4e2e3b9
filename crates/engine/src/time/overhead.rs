//! The move overhead: the part of a clock that a move leaves unused, for what the clock sees and the
//! search does not.
//!
//! A search notices the end of its time at its next poll, waits for its threads, and its answer
//! passes through pipes and schedulers. The caller states a time for all that. An overrun, a search
//! that returns later than the overhead allows for, doubles it for the moves after it, at most to a
//! little more than the delay; without further overruns it fades. So a single accident costs little,
//! and delays that come back are covered after a few moves.

use std::time::Duration;

/// The move overhead where none is stated. On an idle processor a search of one thread returns
/// 0.1 ms after its time, and its answer is read 0.1 ms later; the rest is for processors that are
/// not idle.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(2);
/// Maximum overhead learnt from overruns.
const MAX_LEARNT: Duration = Duration::from_millis(100);
/// Overhead after the first overrun where none is stated.
const MIN_LEARNT: Duration = Duration::from_millis(1);
/// The overhead learnt is at most this multiple of the delay.
const MARGIN: f64 = 1.25;
/// Part of the learnt overhead that a search without an overrun keeps: half of it is gone after 23
/// searches, about a game.
const KEPT_PART: f64 = 0.97;
/// Part of the time for a move that the learnt overhead takes at most.
const MAX_LEARNT_PART: f64 = 0.25;

/// The overhead that an engine has learnt from its overruns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LearntOverhead(Duration);

impl LearntOverhead {
    /// Returns the overhead of a move for which `time` is left, at least `stated`.
    pub fn at_least(self, stated: Duration, time: Duration) -> Duration {
        let learnt = self.0.min(time.saturating_sub(stated).mul_f64(MAX_LEARNT_PART));
        stated.max(learnt)
    }

    /// Records a search that ended because its time was up, `delay` after that.
    pub fn record(&mut self, stated: Duration, delay: Duration) {
        let covered = stated.max(self.0);
        self.0 = if delay > covered {
            delay.mul_f64(MARGIN).min(2 * covered.max(MIN_LEARNT)).min(MAX_LEARNT)
        } else {
            self.0.mul_f64(KEPT_PART)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// Random delays in milliseconds, most of them small.
    fn delays(seed: u64) -> Vec<Duration> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..500).map(|_| Duration::from_secs_f64(0.1 * random.f64().powi(8))).collect()
    }

    #[test]
    fn the_overhead_is_never_less_than_stated_nor_takes_the_time_for_the_move() {
        for stated in [ms(0), ms(2), ms(30)] {
            let mut learnt = LearntOverhead::default();
            for delay in delays(1) {
                learnt.record(stated, delay);
                for time in [ms(0), ms(10), ms(25), ms(1000)] {
                    let overhead = learnt.at_least(stated, time);
                    assert!(overhead >= stated);
                    assert!(overhead <= stated.max(time.mul_f64(0.25)), "{overhead:?} of {time:?}");
                }
            }
        }
    }

    #[test]
    fn an_overrun_raises_the_overhead_at_once_and_a_few_cover_its_delay() {
        for stated in [ms(0), ms(2), ms(10)] {
            for delay in [ms(11), ms(20), ms(75)] {
                let mut learnt = LearntOverhead::default();
                let overhead = |learnt: LearntOverhead| learnt.at_least(stated, ms(10_000));
                let mut overruns = 0;
                while overhead(learnt) < delay {
                    let before = overhead(learnt);
                    learnt.record(stated, delay);
                    overruns += 1;
                    assert!(overhead(learnt) > before && overhead(learnt) <= delay.mul_f64(1.25));
                }
                assert!(overruns <= 8, "{overruns} overruns of {delay:?}");
            }
        }
    }

    #[test]
    fn the_learnt_overhead_fades_without_overruns() {
        let mut learnt = LearntOverhead::default();
        learnt.record(ms(2), ms(40));
        assert_eq!(learnt.at_least(ms(2), ms(1000)), ms(4), "an accident doubles it once");
        for _ in 0..23 {
            let before = learnt;
            learnt.record(ms(2), ms(1));
            assert!(learnt.0 < before.0);
        }
        assert_eq!(learnt.at_least(ms(2), ms(1000)), ms(2));
    }

    #[test]
    fn delays_within_the_stated_overhead_teach_nothing() {
        let mut learnt = LearntOverhead::default();
        for delay in delays(2) {
            learnt.record(ms(100), delay);
            assert_eq!(learnt, LearntOverhead::default());
        }
    }

    #[test]
    fn most_delays_that_come_back_are_covered() {
        let mut learnt = LearntOverhead::default();
        let mut overruns = 0;
        for search in 0..100 {
            let delay = if search % 4 == 0 { ms(9) } else { ms(1) };
            overruns += u32::from(delay > learnt.at_least(ms(2), ms(1000)));
            learnt.record(ms(2), delay);
        }
        assert!(overruns <= 10, "{overruns} of 25");
    }
}
