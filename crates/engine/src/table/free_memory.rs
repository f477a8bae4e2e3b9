//! The free memory of the machine.

/// Returns the free memory in megabytes, where the system tells.
#[cfg(all(feature = "system", target_os = "linux"))]
pub(crate) fn free_megabytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// Returns the free memory in megabytes, where the system tells.
#[cfg(all(feature = "system", windows))]
pub(crate) fn free_megabytes() -> Option<usize> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    usize::try_from(system.available_memory() >> 20).ok().filter(|&free| free > 0)
}

/// Without the feature `system`, no file is read.
#[cfg(not(all(feature = "system", any(target_os = "linux", windows))))]
pub(crate) fn free_megabytes() -> Option<usize> {
    None
}
