//! Interrupts, sent to a child as a terminal sends them.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::process::{Child, Command, ExitStatus};

#[cfg(windows)]
pub mod windows_event;

/// Prepares a command so that its process can be interrupted alone.
pub fn alone(command: &mut Command) -> &mut Command {
    #[cfg(windows)]
    windows_event::own_console(command);
    command
}

/// Whether the process was ended by an interrupt that it did not handle.
pub fn was_killed(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return status.code().is_none();
    #[cfg(windows)]
    return status.code() == Some(windows_event::CONTROL_C_EXIT);
}

/// Sends Ctrl-C. On Windows the process must come from a command of [`alone`].
pub fn interrupt(child: &Child) {
    #[cfg(unix)]
    send(child, nix::sys::signal::Signal::SIGINT);
    #[cfg(windows)]
    windows_event::send(child, 1);
}

/// Sends Ctrl-C twice in quick succession.
pub fn interrupt_twice(child: &Child) {
    #[cfg(unix)]
    send_twice(child, nix::sys::signal::Signal::SIGINT);
    #[cfg(windows)]
    windows_event::send(child, 2);
}

/// Asks the process to end, twice in quick succession. Windows has no such signal, and gets Ctrl-C.
pub fn terminate_twice(child: &Child) {
    #[cfg(unix)]
    send_twice(child, nix::sys::signal::Signal::SIGTERM);
    #[cfg(windows)]
    windows_event::send(child, 2);
}

#[cfg(unix)]
fn send_twice(child: &Child, signal: nix::sys::signal::Signal) {
    send(child, signal);
    std::thread::sleep(std::time::Duration::from_millis(10));
    send(child, signal);
}

/// An error means that the process has ended.
#[cfg(unix)]
fn send(child: &Child, signal: nix::sys::signal::Signal) {
    let pid = i32::try_from(child.id()).expect("a number of a process");
    let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), signal);
}
