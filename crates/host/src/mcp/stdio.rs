//! An MCP server in a process of its own: a message on each line.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};
use std::time::Duration;

use call::End;
use rmcp::RoleClient;
use rmcp::model::JsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{Mutex, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::raw::Waiting;
use crate::process::{Alive, Group, Process};

/// How much is kept of what a server says about itself.
const REMEMBERED: usize = 2000;

/// Questions that a server may ask at once: each is a task until it is answered.
const QUESTIONS: usize = 1000;

/// How much is read at once.
const CHUNK: usize = 16 << 10;

type Input = Arc<Mutex<Option<ChildStdin>>>;

/// The process of a server. Dropping this closes its input, and ends it if that does not help.
pub(crate) struct ServerProcess {
    input: Input,
    said: Arc<SyncMutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    group: Option<(Group, oneshot::Receiver<End>, Alive)>,
    patience: Duration,
}

/// Messages to a server and from it.
pub(crate) struct Lines {
    input: Input,
    output: ChildStdout,
    waiting: Waiting,
    limit: usize,
    /// What was read, of which the first `taken` bytes were lines.
    buffer: Vec<u8>,
    taken: usize,
    queue: Arc<Queue>,
    /// Bytes since the last message that were none.
    passed_over: usize,
    /// Questions of the server that have no answer yet.
    questions: usize,
}

/// Messages that the server has not taken yet. Each waits in a task of its own, so that a server
/// which asks much and reads nothing would fill the memory.
#[derive(Default)]
struct Queue {
    bytes: AtomicUsize,
    /// Whether there was no room: then nothing more is written or read.
    full: watch::Sender<bool>,
}

/// A message in the queue.
struct Queued(Arc<Queue>, usize);

impl Queue {
    /// Adds a message, if there is room.
    fn add(self: &Arc<Self>, bytes: usize, limit: usize) -> Option<Queued> {
        let queued = Queued(Arc::clone(self), bytes);
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) > limit {
            self.full.send_replace(true);
            return None;
        }
        Some(queued)
    }

    /// Ends when there was no room.
    async fn overflow(&self) {
        // It fails when the sender is gone, which is in here.
        let _ = self.full.subscribe().wait_for(|full| *full).await;
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.bytes.fetch_sub(self.1, Ordering::Relaxed);
    }
}

impl ServerProcess {
    pub(crate) fn new(
        process: Process,
        waiting: Waiting,
        limit: usize,
        patience: Duration,
        alive: Alive,
    ) -> (Self, Lines) {
        let Process { stdin, stdout, stderr, ended, group } = process;
        let input = Arc::new(Mutex::new(Some(stdin)));
        let said = Arc::default();
        let listener = tokio::spawn(listen(stderr, Arc::clone(&said)));
        let lines = Lines {
            input: Arc::clone(&input),
            output: stdout,
            waiting,
            limit,
            buffer: Vec::new(),
            taken: 0,
            queue: Arc::default(),
            passed_over: 0,
            questions: 0,
        };
        (Self { input, said, listener, group: Some((group, ended, alive)), patience }, lines)
    }

    /// The last that a server that is no good wrote to its standard error.
    pub(crate) async fn last_words(mut self) -> String {
        let _ = timeout(self.patience, &mut self.listener).await;
        call::lossy(&self.said.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.listener.abort();
        // Somebody who writes at this moment holds it: then it is closed with the process.
        if let Ok(mut input) = self.input.try_lock() {
            input.take();
        }
        if let Some((group, ended, alive)) = self.group.take() {
            group.end_gently(ended, self.patience, alive);
        }
    }
}

/// Reads all that a server says, and remembers the end of it.
async fn listen(mut stderr: ChildStderr, said: Arc<SyncMutex<Vec<u8>>>) {
    let mut chunk = vec![0; 4 << 10];
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let excess = said.len().saturating_sub(REMEMBERED);
        said.drain(..excess);
    }
}

impl Lines {
    /// The next line, if there is one that is not too long.
    ///
    /// Nothing is lost when this is given up: what was read is in the buffer at once.
    async fn line(&mut self) -> Option<Vec<u8>> {
        let mut looked_at = self.taken;
        loop {
            let rest = self.buffer.get(looked_at..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.get(self.taken..=looked_at + end).map(<[u8]>::to_vec);
                self.taken = looked_at + end + 1;
                return line;
            }
            // Only what is not yet a line is moved, and only before more is read.
            self.buffer.drain(..self.taken);
            self.taken = 0;
            looked_at = self.buffer.len();
            if looked_at > self.limit {
                self.waiting.overflow();
                return None;
            }
            self.buffer.reserve(CHUNK);
            match self.output.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}

impl Transport<RoleClient> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.waiting.sent(&message);
        if matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
            self.questions = self.questions.saturating_sub(1);
        }
        let input = Arc::clone(&self.input);
        let line = serde_json::to_vec(&message);
        let length = line.as_ref().map_or(0, Vec::len);
        let queued = self.queue.add(length, self.limit);
        async move {
            let Queued(queue, _) = &queued.ok_or(io::ErrorKind::StorageFull)?;
            let mut line = line?;
            line.push(b'\n');
            let written = async {
                match input.lock().await.as_mut() {
                    Some(input) => input.write_all(&line).await,
                    None => Err(io::ErrorKind::BrokenPipe.into()),
                }
            };
            tokio::select! {
                written = written => written,
                () = queue.overflow() => Err(io::ErrorKind::StorageFull.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            // Lines that are there already would keep everybody else from their turn.
            tokio::task::consume_budget().await;
            let queue = Arc::clone(&self.queue);
            let line = tokio::select! {
                line = self.line() => line?,
                () = queue.overflow() => return None,
            };
            // What is no message is passed over: many a server prints where it should not.
            if let Ok(message) = serde_json::from_slice(&line) {
                self.passed_over = 0;
                self.waiting.came(&line);
                self.questions += usize::from(matches!(message, JsonRpcMessage::Request(_)));
                if self.questions > QUESTIONS {
                    self.queue.full.send_replace(true);
                    return None;
                }
                return Some(message);
            }
            self.passed_over += line.len();
            if self.passed_over > self.limit {
                self.waiting.overflow();
                return None;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.input.lock().await.take();
        Ok(())
    }
}
