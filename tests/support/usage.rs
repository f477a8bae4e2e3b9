//! Processor time, memory and threads of a process; `None` if the system does not report them.

pub(super) use system::{memory, processor_time, threads};

#[cfg(target_os = "linux")]
mod system {
    use std::time::Duration;

    /// Processor time of all threads, in steps of 10 ms.
    pub fn processor_time(id: u32) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name of the process comes before, in brackets, and may hold blanks.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
    }

    /// Resident memory in kB.
    pub fn memory(id: u32) -> Option<u64> {
        status(id, "VmRSS:")
    }

    pub fn threads(id: u32) -> Option<u64> {
        status(id, "Threads:")
    }

    fn status(id: u32, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

#[cfg(windows)]
mod system {
    use std::time::Duration;

    use sysinfo::{Pid, Process, ProcessRefreshKind, ProcessesToUpdate, System};

    /// Processor time of all threads.
    pub fn processor_time(id: u32) -> Option<Duration> {
        figure(id, Process::accumulated_cpu_time).map(Duration::from_millis)
    }

    /// Resident memory in kB.
    pub fn memory(id: u32) -> Option<u64> {
        Some(figure(id, Process::memory)? >> 10)
    }

    pub fn threads(_: u32) -> Option<u64> {
        None
    }

    fn figure(id: u32, figure: impl Fn(&Process) -> u64) -> Option<u64> {
        let mut system = System::new();
        let id = Pid::from_u32(id);
        let wanted = ProcessRefreshKind::nothing().with_cpu().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), false, wanted);
        system.process(id).map(figure)
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    use std::time::Duration;

    pub fn processor_time(_: u32) -> Option<Duration> {
        None
    }

    pub fn memory(_: u32) -> Option<u64> {
        None
    }

    pub fn threads(_: u32) -> Option<u64> {
        None
    }
}
