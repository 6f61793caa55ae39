//! A process in a group of its own. It ends when it is dropped.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use call::End;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::oneshot::{self, error::TryRecvError};

/// Held by each owner of a process. The receiver closes when all processes have ended.
pub(crate) type AliveGuard = tokio::sync::mpsc::Sender<std::convert::Infallible>;

/// The stack size of threads that only wait.
const STACK_BYTES: usize = 64 << 10;

/// A running program.
pub(crate) struct Process {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
    /// Receives how the program ended.
    pub(crate) end: oneshot::Receiver<End>,
    /// Dropping this ends the program.
    pub(crate) group: ProcessGroup,
}

/// A process and everything it started, except processes that left the group. Dropping this
/// ends them.
pub(crate) struct ProcessGroup {
    leader: Pid,
    /// While this exists, the leader is not reaped, so that no other process can get its
    /// id.
    _reaper: mpsc::Sender<()>,
}

impl Process {
    /// Starts a program. Must be called within a runtime.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.process_group(0).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (ended, group) = watch_child(child)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("the program has no pipes"));
        };
        Ok(Self {
            stdin: ChildStdin::from_std(stdin)?,
            stdout: ChildStdout::from_std(stdout)?,
            stderr: ChildStderr::from_std(stderr)?,
            end: ended,
            group,
        })
    }
}

/// Waits for a process in a thread, and reaps it when its group is dropped.
///
/// The id of a process is free once the process is reaped. A later signal to the group
/// could end an unrelated process, so the group is ended first.
fn watch_child(mut child: Child) -> io::Result<(oneshot::Receiver<End>, ProcessGroup)> {
    let leader = Pid::from_child(&child);
    let (ended, end) = oneshot::channel();
    let (reaper, released) = mpsc::channel::<()>();
    let group = ProcessGroup { leader, _reaper: reaper };
    // If no thread can be started, the child must still be waited for here. So it is handed
    // to the thread only once that has started.
    let (hand, handed) = mpsc::channel::<Child>();
    let reap = move || {
        let Ok(mut child) = handed.recv() else { return };
        if let Some(end) = wait_for_end(leader) {
            let _ = ended.send(end);
        }
        // Nothing is ever sent: this returns when the group is dropped.
        let _ = released.recv();
        let _ = child.wait();
    };
    let started =
        thread::Builder::new().name("reaper".to_owned()).stack_size(STACK_BYTES).spawn(reap);
    match started {
        Ok(_) => {
            let _ = hand.send(child);
            Ok((end, group))
        }
        Err(error) => {
            drop(group);
            let _ = child.wait();
            Err(error)
        }
    }
}

/// Waits until a child ends, without reaping it.
fn wait_for_end(child: Pid) -> Option<End> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(child), options) {
            Ok(Some(status)) => return Some(end(&status)),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

fn end(status: &WaitIdStatus) -> End {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => {
            End::Signal { number: signal.unwrap_or_default(), core_dumped: status.dumped() }
        }
    }
}

impl ProcessGroup {
    /// Waits for the process to end by itself, because its input was closed. Then sends
    /// SIGTERM, and at last SIGKILL. Returns immediately, and drops `alive` when the
    /// process has ended.
    pub(crate) fn terminate(
        self,
        mut ended: oneshot::Receiver<End>,
        patience: Duration,
        alive: AliveGuard,
    ) {
        let end = move || {
            wait_for(&mut ended, patience / 2);
            let _ = kill_process_group(self.leader, Signal::TERM);
            wait_for(&mut ended, patience / 2);
            let _ = kill_process_group(self.leader, Signal::KILL);
            wait_for(&mut ended, patience / 2);
            drop(self);
            drop(alive);
        };
        // If no thread can be started, the closure is dropped, which ends the process
        // immediately.
        let _ = thread::Builder::new().name("ender".to_owned()).stack_size(STACK_BYTES).spawn(end);
    }
}

/// Waits until a process has ended, but no longer than `time`.
fn wait_for(ended: &mut oneshot::Receiver<End>, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time && ended.try_recv() == Err(TryRecvError::Empty) {
        thread::sleep(Duration::from_millis(5));
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // This fails if no process is left.
        let _ = kill_process_group(self.leader, Signal::KILL);
    }
}
