//! A connection that is closed if its client reads too slowly.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The longest single wait for a client, and the longest total wait before it has read
/// anything.
const PATIENCE: Duration = Duration::from_secs(20);
/// A client gets another second for this many bytes that it has read.
const PER_SECOND: u64 = 16 << 10;

/// A connection that is closed if its client reads too slowly. Until then it occupies a
/// slot, and memory for the unread data.
pub(super) struct Timed {
    stream: TcpStream,
    /// The total time that we have waited for the client to read.
    waited: Duration,
    written: u64,
    /// The start and the end of the current wait.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Timed {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, waited: Duration::ZERO, written: 0, waiting: None }
    }

    /// Passes on the result of a write, or fails if the wait for it took too long.
    fn timed(
        &mut self,
        poll: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(done) = &poll {
            if let Some((since, _)) = self.waiting.take() {
                self.waited += since.elapsed();
            }
            if let Ok(count) = done {
                self.written = self.written.saturating_add(*count as u64);
            }
            return poll;
        }
        let granted = PATIENCE + Duration::from_secs(self.written / PER_SECOND);
        let left = granted.saturating_sub(self.waited).min(PATIENCE);
        let waiting = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        ready!(waiting.1.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(poll, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.timed(poll, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
