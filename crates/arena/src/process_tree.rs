//! A process and all that it starts, ended together: a process group on Unix, a job object on
//! Windows. An interrupt of the terminal reaches neither.
//!
//! A process that has left the group, as `setsid` makes one, is found on Linux by a variable in its
//! environment.

use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A child process and its descendants.
#[derive(Debug)]
pub(super) struct ProcessTree {
    id: u32,
    #[cfg(unix)]
    mark: String,
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
        let tree = ProcessTree {
            id: root.id(),
            #[cfg(unix)]
            mark: root.mark().to_owned(),
            root: Mutex::new(root),
        };
        Ok((tree, pipes))
    }

    /// The number of the child. The system may give it to another process once the child has been
    /// waited for.
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Kills every process of the tree, from any thread. One that has ended is no error.
    pub(super) fn kill(&self) {
        #[cfg(unix)]
        system::kill(self.id, &self.mark);
        #[cfg(windows)]
        system::kill(&self.root);
    }

    /// Stops every process of the child's group until [`ProcessTree::resume`]. If this process ends
    /// before, the system ends them. Unix only.
    pub(super) fn pause(&self) {
        #[cfg(unix)]
        system::signal(self.id, nix::sys::signal::Signal::SIGSTOP);
    }

    /// Lets the processes go on. Unix only.
    pub(super) fn resume(&self) {
        #[cfg(unix)]
        system::signal(self.id, nix::sys::signal::Signal::SIGCONT);
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
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::{SystemTime, UNIX_EPOCH};

    use nix::sys::signal::{Signal, kill as kill_one, killpg};
    use nix::unistd::Pid;

    use super::Pipes;

    /// Variable in the environment of every process of a tree; its value is the tree's own.
    const MARK: &str = "UMIGAME_MATCH_ENGINE";

    /// A child, and the mark of its tree.
    #[derive(Debug)]
    pub(super) struct Root {
        child: Child,
        mark: String,
    }

    impl Root {
        pub(super) fn id(&self) -> u32 {
            self.child.id()
        }

        pub(super) fn mark(&self) -> &str {
            &self.mark
        }
    }

    pub(super) fn spawn(mut command: Command) -> io::Result<(Root, Pipes)> {
        static TREES: AtomicU64 = AtomicU64::new(0);
        let number = TREES.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let value = format!("{}.{number}.{now}", std::process::id());
        let mut child = command.process_group(0).env(MARK, &value).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok((Root { child, mark: format!("{MARK}={value}") }, pipes))
    }

    /// Sends a signal to the child's group.
    pub(super) fn signal(id: u32, signal: Signal) {
        if let Ok(group) = i32::try_from(id) {
            // An error means that the group has ended.
            let _ = killpg(Pid::from_raw(group), signal);
        }
    }

    pub(super) fn kill(id: u32, mark: &str) {
        signal(id, Signal::SIGKILL);
        // A process may start another between the look at it and its end.
        for _ in 0..MAX_SWEEPS {
            if kill_marked(mark) == 0 {
                break;
            }
        }
    }

    /// Looks for processes that have left the group, at most.
    const MAX_SWEEPS: u32 = 10;

    /// Kills the processes whose environment has the mark, and returns their number. Linux alone
    /// shows the environment of a process.
    fn kill_marked(mark: &str) -> usize {
        if !cfg!(target_os = "linux") {
            return 0;
        }
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let marked = processes.filter_map(|process| {
            let id: i32 = process.file_name().to_str()?.parse().ok()?;
            // That of another user's process, or of one that has ended, cannot be read.
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            let mut variables = environment.split(|&byte| byte == 0);
            variables.any(|variable| variable == mark.as_bytes()).then_some(id)
        });
        marked.filter(|&id| kill_one(Pid::from_raw(id), Signal::SIGKILL).is_ok()).count()
    }

    pub(super) fn try_wait(root: &mut Root) -> Option<ExitStatus> {
        root.child.try_wait().ok().flatten()
    }

    pub(super) fn wait(root: &mut Root) {
        let _ = root.child.wait();
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

    pub(super) fn kill(root: &Mutex<Root>) {
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
