//! A process in a group of its own, which ends with whoever holds it.

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

/// Held by whatever has a process. The other half of the channel closes when all have ended.
pub(crate) type Alive = tokio::sync::mpsc::Sender<std::convert::Infallible>;

/// Threads that only wait need little.
const STACK: usize = 64 << 10;

/// A running program.
pub(crate) struct Process {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
    /// How it ended.
    pub(crate) ended: oneshot::Receiver<End>,
    /// Dropping this ends it.
    pub(crate) group: Group,
}

/// The process and all that it started, except what left the group. Dropping this ends them.
pub(crate) struct Group {
    leader: Pid,
    /// While this is there, the leader is not reaped, so that no other process can have its
    /// number.
    _reaper: mpsc::Sender<()>,
}

impl Process {
    /// Starts a program. Call this within a runtime.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.process_group(0).spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (ended, group) = watch(child)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("the program has no pipes"));
        };
        Ok(Self {
            stdin: ChildStdin::from_std(stdin)?,
            stdout: ChildStdout::from_std(stdout)?,
            stderr: ChildStderr::from_std(stderr)?,
            ended,
            group,
        })
    }
}

/// Waits for a process in a thread, and reaps it when its group is dropped.
///
/// The number of a process is free once it is reaped. A signal to the group that comes later
/// could end a stranger: so the group is ended first.
fn watch(mut child: Child) -> io::Result<(oneshot::Receiver<End>, Group)> {
    let leader = Pid::from_child(&child);
    let (ended, end) = oneshot::channel();
    let (reaper, released) = mpsc::channel::<()>();
    let group = Group { leader, _reaper: reaper };
    // A child that nobody can wait for in a thread is handed back, and waited for here.
    let (hand, handed) = mpsc::channel::<Child>();
    let reap = move || {
        let Ok(mut child) = handed.recv() else { return };
        if let Some(end) = end_of(leader) {
            let _ = ended.send(end);
        }
        // Nothing is ever sent: it ends when the group is dropped.
        let _ = released.recv();
        let _ = child.wait();
    };
    let started = thread::Builder::new().name("reaper".to_owned()).stack_size(STACK).spawn(reap);
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

/// Waits until a child ends, and leaves it to be reaped.
fn end_of(child: Pid) -> Option<End> {
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

impl Group {
    /// Lets the process end by itself, whose input was closed; then asks it to, and then ends it.
    /// Returns at once, and drops `alive` when it has ended.
    pub(crate) fn end_gently(
        self,
        mut ended: oneshot::Receiver<End>,
        patience: Duration,
        alive: Alive,
    ) {
        let gently = move || {
            let mut waits = |time: Duration| {
                let start = Instant::now();
                while start.elapsed() < time && ended.try_recv() == Err(TryRecvError::Empty) {
                    thread::sleep(Duration::from_millis(5));
                }
            };
            waits(patience / 2);
            let _ = kill_process_group(self.leader, Signal::TERM);
            waits(patience / 2);
            let _ = kill_process_group(self.leader, Signal::KILL);
            waits(patience / 2);
            drop(self);
            drop(alive);
        };
        // Without a thread it is dropped here, which ends it at once.
        let _ = thread::Builder::new().name("ender".to_owned()).stack_size(STACK).spawn(gently);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It fails when there is nobody left.
        let _ = kill_process_group(self.leader, Signal::KILL);
    }
}
