//! A connection whose client has to take what it is sent.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// How long a client may let us wait at once, and in all before it has taken anything.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many bytes buy a client another second.
const PER_SECOND: u64 = 16 << 10;

/// A connection that ends when its client reads too slowly: what it does not take is held for it,
/// and so is its place.
pub(super) struct Timed {
    stream: TcpStream,
    /// How long we have waited for it to take something, in all.
    waited: Duration,
    written: u64,
    /// Since when we wait, and until when.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Timed {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, waited: Duration::ZERO, written: 0, waiting: None }
    }

    /// Passes on what came of writing, unless that took too long.
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
