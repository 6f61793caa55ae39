//! An MCP server in a process of its own: a message on each line.

use std::io;
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};
use std::time::Duration;

use call::End;
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::raw::Waiting;
use crate::process::{Group, Process};

/// How much is kept of what a server says about itself.
const REMEMBERED: usize = 2000;

type Input = Arc<Mutex<Option<ChildStdin>>>;

/// The process of a server. Dropping this closes its input, and ends it if that does not help.
pub(crate) struct ServerProcess {
    input: Input,
    said: Arc<SyncMutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    group: Option<(Group, oneshot::Receiver<End>)>,
    patience: Duration,
}

/// Messages to a server and from it.
pub(crate) struct Lines {
    input: Input,
    output: ChildStdout,
    waiting: Waiting,
    limit: usize,
    /// What was read and is not yet a whole line.
    buffer: Vec<u8>,
    /// Bytes since the last message that were none.
    passed_over: usize,
}

impl ServerProcess {
    pub(crate) fn new(
        process: Process,
        waiting: Waiting,
        limit: usize,
        patience: Duration,
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
            passed_over: 0,
        };
        (Self { input, said, listener, group: Some((group, ended)), patience }, lines)
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
        if let Some((group, ended)) = self.group.take() {
            group.end_gently(ended, self.patience);
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
    async fn line(&mut self) -> Option<Vec<u8>> {
        let mut looked_at = 0;
        let mut chunk = vec![0; 16 << 10];
        loop {
            let rest = self.buffer.get(looked_at..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(looked_at + end + 1);
                return Some(std::mem::replace(&mut self.buffer, rest));
            }
            looked_at = self.buffer.len();
            if looked_at > self.limit {
                self.waiting.overflow();
                return None;
            }
            // Nothing is lost when this is given up: what was read is in the buffer at once.
            match self.output.read(&mut chunk).await {
                Ok(0) | Err(_) => return None,
                Ok(count) => {
                    self.buffer.extend_from_slice(chunk.get(..count).unwrap_or_default());
                }
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
        let input = Arc::clone(&self.input);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            match input.lock().await.as_mut() {
                Some(input) => input.write_all(&line).await,
                None => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let line = self.line().await?;
            // What is no message is passed over: many a server prints where it should not.
            if let Ok(message) = serde_json::from_slice(&line) {
                self.passed_over = 0;
                self.waiting.came(&line);
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
