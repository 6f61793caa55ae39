//! An MCP server in a process of its own, with one message per line.

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

use super::raw::PendingResults;
use crate::process::{AliveGuard, Process, ProcessGroup};

/// Bytes of a server's standard error that are kept.
const MAX_STDERR_BYTES: usize = 2000;

/// The most requests of a server without an answer. Each is a task until it is answered.
const MAX_OPEN_REQUESTS: usize = 1000;

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

type Input = Arc<Mutex<Option<ChildStdin>>>;

/// The process of a server. Dropping it closes its input, and then ends the process if it
/// still runs.
pub(crate) struct ServerProcess {
    input: Input,
    stderr_tail: Arc<SyncMutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    group: Option<(ProcessGroup, oneshot::Receiver<End>, AliveGuard)>,
    patience: Duration,
}

/// The messages to a server and from it.
pub(crate) struct LineTransport {
    input: Input,
    output: ChildStdout,
    waiting: PendingResults,
    limit: usize,
    /// Bytes that were read. The first `consumed` bytes were already returned as lines.
    buffer: Vec<u8>,
    consumed: usize,
    queue: Arc<Queue>,
    /// Bytes since the last message that were not part of one.
    skipped_bytes: usize,
    /// Requests of the server that have no answer yet.
    open_requests: usize,
}

/// Messages that the server has not read yet. Each waits in a task of its own, so without a
/// limit a server that sends many requests and reads nothing would fill the memory.
#[derive(Default)]
struct Queue {
    bytes: AtomicUsize,
    /// True once there was no room. Then nothing more is written or read.
    full: watch::Sender<bool>,
}

/// A message in the queue. Dropping it removes it.
struct QueueSlot(Arc<Queue>, usize);

impl Queue {
    /// Adds a message. Returns `None` if there is no room.
    fn add(self: &Arc<Self>, bytes: usize, limit: usize) -> Option<QueueSlot> {
        let queued = QueueSlot(Arc::clone(self), bytes);
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) > limit {
            self.full.send_replace(true);
            return None;
        }
        Some(queued)
    }

    /// Waits until there is no room.
    async fn wait_for_overflow(&self) {
        // This fails only if the sender is dropped, and `self` owns it.
        let _ = self.full.subscribe().wait_for(|full| *full).await;
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        self.0.bytes.fetch_sub(self.1, Ordering::Relaxed);
    }
}

impl ServerProcess {
    pub(crate) fn new(
        process: Process,
        waiting: PendingResults,
        limit: usize,
        patience: Duration,
        alive: AliveGuard,
    ) -> (Self, LineTransport) {
        let Process { stdin, stdout, stderr, end: ended, group } = process;
        let input = Arc::new(Mutex::new(Some(stdin)));
        let stderr_tail = Arc::default();
        let listener = tokio::spawn(read_stderr(stderr, Arc::clone(&stderr_tail)));
        let lines = LineTransport {
            input: Arc::clone(&input),
            output: stdout,
            waiting,
            limit,
            buffer: Vec::new(),
            consumed: 0,
            queue: Arc::default(),
            skipped_bytes: 0,
            open_requests: 0,
        };
        let group = Some((group, ended, alive));
        (Self { input, stderr_tail, listener, group, patience }, lines)
    }

    /// Returns the end of the standard error of a server that did not start properly.
    pub(crate) async fn into_stderr_tail(mut self) -> String {
        let _ = timeout(self.patience, &mut self.listener).await;
        call::decode_lossy(&self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.listener.abort();
        // A task that writes at this moment holds the lock. Then the input is closed with
        // the process.
        if let Ok(mut input) = self.input.try_lock() {
            input.take();
        }
        if let Some((group, ended, alive)) = self.group.take() {
            group.terminate(ended, self.patience, alive);
        }
    }
}

/// Reads the standard error of a server, and keeps the end of it.
async fn read_stderr(mut stderr: ChildStderr, tail: Arc<SyncMutex<Vec<u8>>>) {
    let mut chunk = vec![0; 4 << 10];
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(chunk.get(..count).unwrap_or_default());
        let excess = tail.len().saturating_sub(MAX_STDERR_BYTES);
        tail.drain(..excess);
    }
}

impl LineTransport {
    /// Returns the next line, or `None` at the end or if a line is too long.
    ///
    /// Nothing is lost if the future is dropped: bytes are in the buffer as soon as they
    /// were read.
    async fn line(&mut self) -> Option<Vec<u8>> {
        let mut looked_at = self.consumed;
        loop {
            let rest = self.buffer.get(looked_at..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.get(self.consumed..=looked_at + end).map(<[u8]>::to_vec);
                self.consumed = looked_at + end + 1;
                return line;
            }
            // Only an incomplete line is moved, and only before more is read.
            self.buffer.drain(..self.consumed);
            self.consumed = 0;
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

impl Transport<RoleClient> for LineTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.waiting.register(&message);
        if matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
            self.open_requests = self.open_requests.saturating_sub(1);
        }
        let input = Arc::clone(&self.input);
        let line = serde_json::to_vec(&message);
        let length = line.as_ref().map_or(0, Vec::len);
        let queued = self.queue.add(length, self.limit);
        async move {
            let QueueSlot(queue, _) = &queued.ok_or(io::ErrorKind::StorageFull)?;
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
                () = queue.wait_for_overflow() => Err(io::ErrorKind::StorageFull.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            // Buffered lines would otherwise keep all other tasks from running.
            tokio::task::consume_budget().await;
            let queue = Arc::clone(&self.queue);
            let line = tokio::select! {
                line = self.line() => line?,
                () = queue.wait_for_overflow() => return None,
            };
            // Other lines are skipped, because many servers print to their standard output.
            if let Ok(message) = serde_json::from_slice(&line) {
                self.skipped_bytes = 0;
                self.waiting.deliver(&line);
                self.open_requests += usize::from(matches!(message, JsonRpcMessage::Request(_)));
                if self.open_requests > MAX_OPEN_REQUESTS {
                    self.queue.full.send_replace(true);
                    return None;
                }
                return Some(message);
            }
            self.skipped_bytes += line.len();
            if self.skipped_bytes > self.limit {
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
