//! Time, processor time and context switches of a piece of work.

use std::time::{Duration, Instant};

/// Processor time and context switches of this process, or of a thread of it.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Usage {
    /// Wall-clock time.
    pub time: Duration,
    /// Processor time; `None` where the system does not tell.
    pub processor_time: Option<Duration>,
    /// Times that a thread gave its processor up to wait.
    pub voluntary_switches: Option<u64>,
}

impl Usage {
    /// Runs `work` and returns its result and the usage of the process meanwhile.
    pub fn of<R>(work: impl FnOnce() -> R) -> (R, Usage) {
        Usage::between(so_far, work)
    }

    /// Runs `work` and returns its result and the usage of the calling thread. Only Linux tells
    /// that.
    pub fn of_thread<R>(work: impl FnOnce() -> R) -> (R, Usage) {
        Usage::between(so_far_in_thread, work)
    }

    fn between<R>(
        so_far: impl Fn() -> Option<(Duration, u64)>,
        work: impl FnOnce() -> R,
    ) -> (R, Usage) {
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
    use nix::sys::resource::UsageWho::RUSAGE_SELF;
    Some((clock(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID)?, switches(RUSAGE_SELF)?))
}

/// Processor time and voluntary switches of the calling thread so far.
#[cfg(target_os = "linux")]
fn so_far_in_thread() -> Option<(Duration, u64)> {
    use nix::sys::resource::UsageWho::RUSAGE_THREAD;
    Some((clock(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID)?, switches(RUSAGE_THREAD)?))
}

/// Reads a clock of processor time. `getrusage` has one too, but may count whole ticks of the
/// system's timer, which are longer than a search.
#[cfg(unix)]
fn clock(id: nix::time::ClockId) -> Option<Duration> {
    nix::time::clock_gettime(id).ok().map(Duration::from)
}

#[cfg(unix)]
fn switches(who: nix::sys::resource::UsageWho) -> Option<u64> {
    let usage = nix::sys::resource::getrusage(who).ok()?;
    usage.voluntary_context_switches().try_into().ok()
}

/// Not known.
#[cfg(not(unix))]
fn so_far() -> Option<(Duration, u64)> {
    None
}

/// Not known.
#[cfg(not(target_os = "linux"))]
fn so_far_in_thread() -> Option<(Duration, u64)> {
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

    #[test]
    fn the_time_of_a_thread_leaves_out_that_of_others() {
        let busy = || (0..20_000_000u64).map(std::hint::black_box).sum::<u64>();
        let (_, usage) = Usage::of_thread(|| std::thread::scope(|scope| scope.spawn(busy).join()));
        let (_, other) = Usage::of_thread(busy);
        assert_eq!(usage.processor_time.is_some(), cfg!(target_os = "linux"));
        // Ticks of a timer would be whole milliseconds.
        let nanoseconds = |it: &Usage| it.processor_time.map_or(1, |time| time.subsec_nanos());
        assert!(nanoseconds(&usage) % 1_000_000 != 0, "{usage:?}");
        assert!(usage.processor_time <= other.processor_time, "{usage:?} {other:?}");
    }
}
