//! The free memory of the machine.

/// Returns the free memory in megabytes, where the system tells.
#[cfg(feature = "system")]
pub(super) fn free_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// Without the feature `system`, no file is read.
#[cfg(not(feature = "system"))]
pub(super) fn free_megabytes() -> Option<usize> {
    None
}
