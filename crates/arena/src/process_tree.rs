//! A process and all that it starts, ended together: a process group on Unix, a job object on
//! Windows. An interrupt of the terminal reaches neither.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A child process and its descendants.
#[derive(Debug)]
pub(super) struct ProcessTree {
    id: u32,
    root: Mutex<system::Root>,
}

/// The ends of a child's pipes that are its parent's.
pub(super) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

impl ProcessTree {
    /// Starts a command.
    ///
    /// # Errors
    /// The program does not start.
    pub(super) fn spawn(command: Command) -> io::Result<(ProcessTree, Pipes)> {
        let (root, pipes) = system::spawn(command)?;
        Ok((ProcessTree { id: root.id(), root: Mutex::new(root) }, pipes))
    }

    /// The number of the child. The system may give it to another process once the child has been
    /// waited for.
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Kills every process of the tree, from any thread. One that has ended is no error.
    pub(super) fn kill(&self) {
        system::kill(self.id, &self.root);
    }

    /// Returns the exit status of the child if it has ended.
    pub(super) fn try_wait(&self) -> Option<ExitStatus> {
        system::try_wait(&mut self.root())
    }

    /// Waits for the end of the child.
    pub(super) fn wait(&self) {
        system::wait(&mut self.root());
    }

    fn root(&self) -> MutexGuard<'_, system::Root> {
        self.root.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
mod system {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, ExitStatus};
    use std::sync::Mutex;

    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;

    use super::Pipes;

    pub(super) type Root = Child;

    pub(super) fn spawn(mut command: Command) -> io::Result<(Root, Pipes)> {
        let mut child = command.process_group(0).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok((child, pipes))
    }

    pub(super) fn kill(id: u32, _: &Mutex<Root>) {
        if let Ok(group) = i32::try_from(id) {
            // An error means that the group has ended.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }

    pub(super) fn try_wait(root: &mut Root) -> Option<ExitStatus> {
        root.try_wait().ok().flatten()
    }

    pub(super) fn wait(root: &mut Root) {
        let _ = root.wait();
    }
}

#[cfg(windows)]
mod system {
    use std::io;
    use std::process::{Command, ExitStatus};
    use std::sync::{Mutex, PoisonError};

    use process_wrap::std::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
    use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

    use super::Pipes;

    pub(super) type Root = Box<dyn ChildWrapper>;

    pub(super) fn spawn(command: Command) -> io::Result<(Root, Pipes)> {
        // The job is joined before the first instruction, so that no process escapes it.
        let mut child = CommandWrap::from(command)
            .wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP))
            .wrap(JobObject)
            .spawn()?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        Ok((child, pipes))
    }

    pub(super) fn kill(_: u32, root: &Mutex<Root>) {
        let _ = root.lock().unwrap_or_else(PoisonError::into_inner).start_kill();
    }

    // The job itself is not waited for: its messages come once, and the next wait would hang.

    pub(super) fn try_wait(root: &mut Root) -> Option<ExitStatus> {
        root.inner_mut().try_wait().ok().flatten()
    }

    pub(super) fn wait(root: &mut Root) {
        let _ = root.inner_mut().wait();
    }
}
