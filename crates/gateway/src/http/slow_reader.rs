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
const MAX_WAIT: Duration = Duration::from_secs(20);
/// A client gets another second for this many bytes that it has read.
const MIN_BYTES_PER_SECOND: u64 = 16 << 10;

/// A connection that is closed if its client reads too slowly. Until then it occupies a
/// slot, and memory for the unread data.
pub(super) struct WriteTimeout {
    stream: TcpStream,
    /// The total time that we have waited for the client to read.
    total_wait: Duration,
    written: u64,
    /// The start and the end of the current wait.
    current_wait: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl WriteTimeout {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, total_wait: Duration::ZERO, written: 0, current_wait: None }
    }

    /// Passes on the result of a write, or fails if the wait for it took too long.
    fn check_wait(
        &mut self,
        poll: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(done) = &poll {
            if let Some((since, _)) = self.current_wait.take() {
                self.total_wait += since.elapsed();
            }
            if let Ok(count) = done {
                self.written = self.written.saturating_add(*count as u64);
            }
            return poll;
        }
        let granted = MAX_WAIT + Duration::from_secs(self.written / MIN_BYTES_PER_SECOND);
        let left = granted.saturating_sub(self.total_wait).min(MAX_WAIT);
        let waiting =
            self.current_wait.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
        ready!(waiting.1.as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_wait(poll, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check_wait(poll, context)
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
