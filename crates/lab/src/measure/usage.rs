//! Time, processor time and context switches of a piece of work.

use std::time::{Duration, Instant};

/// Processor time and context switches of this process.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Usage {
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time of all threads; `None` where the system does not tell.
    pub processor_time: Option<Duration>,
    /// Times that a thread gave its processor up to wait.
    pub voluntary_switches: Option<u64>,
}

impl Usage {
    /// Runs `work` and returns its result and its usage.
    pub fn of<R>(work: impl FnOnce() -> R) -> (R, Usage) {
        let (start, before) = (Instant::now(), so_far());
        let result = work();
        let (time, after) = (start.elapsed(), so_far());
        let spent = before.zip(after).map(|(before, after)| {
            (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1))
        });
        let usage = Usage {
            time,
            processor_time: spent.map(|(time, _)| time),
            voluntary_switches: spent.map(|(_, switches)| switches),
        };
        (result, usage)
    }

    /// The processors used on average.
    pub fn processors(&self) -> Option<f64> {
        Some(self.processor_time?.as_secs_f64() / self.time.as_secs_f64().max(1e-9))
    }
}

/// Processor time and voluntary switches of the process so far.
#[cfg(unix)]
fn so_far() -> Option<(Duration, u64)> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let switches = usage.voluntary_context_switches();
    Some((Duration::from_micros(micros.try_into().ok()?), switches.try_into().ok()?))
}

/// Not known.
#[cfg(not(unix))]
fn so_far() -> Option<(Duration, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time_where_the_system_tells() {
        let (sum, usage) = Usage::of(|| (0..2_000_000u64).map(std::hint::black_box).sum::<u64>());
        assert_eq!(sum, 1_999_999_000_000);
        assert_eq!(usage.processors().is_some(), cfg!(unix));
        assert!(usage.processors().is_none_or(|processors| processors >= 0.0));
    }
}
