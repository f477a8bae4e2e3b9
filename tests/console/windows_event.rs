//! Console events of Windows; no crate offers them without `unsafe`.
//!
//! A Ctrl-C goes to every process of a console, so the process to be interrupted has a console of
//! its own, without a window. The test binary starts itself as a sender, which joins that console.
#![allow(unsafe_code)]

use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use windows_sys::Win32::System::Console::{
    AttachConsole, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent, SetConsoleCtrlHandler,
};

/// `CREATE_NO_WINDOW` of `CreateProcess`.
const NO_WINDOW: u32 = 0x0800_0000;
/// Exit code of a process that handles no console events: `STATUS_CONTROL_C_EXIT`.
pub(super) const CONTROL_C_EXIT: i32 = 0xC000_013A_u32.cast_signed();
/// Environment variable with the number of the process to be interrupted; if set, the binary is a
/// sender.
const RECEIVER: &str = "UMIGAME_TEST_INTERRUPT";
/// Environment variable with the number of events to send.
const COUNT: &str = "UMIGAME_TEST_INTERRUPT_COUNT";

pub(super) fn own_console(command: &mut Command) {
    command.creation_flags(NO_WINDOW);
}

/// Sends Ctrl-C `count` times to a child of [`own_console`].
pub(super) fn send(child: &Child, count: u32) {
    let sender = Command::new(std::env::current_exe().expect("this binary"))
        .args(["--ignored", "--exact", "console::windows_event::is_a_sender_if_the_tests_say_so"])
        .env(RECEIVER, child.id().to_string())
        .env(COUNT, count.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(sender.expect("a sender").success(), "the event was not sent");
}

#[test]
#[ignore = "the sender of other tests' events"]
fn is_a_sender_if_the_tests_say_so() {
    was_sender();
}

/// Sends the events if this process is a sender, and returns whether it is.
pub fn was_sender() -> bool {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    let (Some(receiver), Some(count)) = (number(RECEIVER), number(COUNT)) else { return false };
    // SAFETY: all arguments are plain numbers or null. The receiver is a child of the test, which
    // has not waited for it, so its number belongs to no other process.
    unsafe {
        FreeConsole();
        if AttachConsole(receiver) == 0 {
            // It has ended.
            return true;
        }
        // The sender itself ignores the events.
        SetConsoleCtrlHandler(None, 1);
        for _ in 0..count {
            assert_ne!(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0), 0, "the event is sent");
            thread::sleep(Duration::from_millis(10));
        }
    }
    true
}
