//! A small HTTP/1.1 server over threads: enough to serve a registry to clients on
//! this machine, and to be read in one sitting.
//!
//! One request a connection. A request that is too long, too slow, or not HTTP is
//! answered with an error, and costs a thread no longer than a few seconds.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// Connections that are served at the same time.
const THREADS: usize = 8;
/// Bytes of a request up to the end of its headers.
const LONGEST: usize = 16 << 10;
/// How long a client may take to send them.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a client asks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path with the query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
}

impl Request {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// What it is told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// A short text.
    pub(crate) fn text(status: u16, text: &str) -> Self {
        let headers = vec![("Content-Type", "text/plain; charset=utf-8".to_owned())];
        Self { status, headers, body: text.as_bytes().to_vec() }
    }
}

/// Answers requests for ever, or until the listener fails.
pub(crate) fn serve(
    listener: &TcpListener,
    answer: impl Fn(&Request) -> Answer + Sync,
) -> io::Result<()> {
    let work = || -> io::Result<()> {
        loop {
            match listener.accept() {
                // A client that goes away is its own loss.
                Ok((stream, _)) => drop(converse(stream, &answer)),
                Err(error) if is_passing(&error) => thread::sleep(Duration::from_millis(50)),
                Err(error) => return Err(error),
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        let failed = || io::Error::other("a thread stopped");
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(failed())))
    })
}

/// Whether accepting may work again: the client has gone, or the system is short
/// of something.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

fn converse(mut stream: TcpStream, answer: impl Fn(&Request) -> Answer) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let (answer, head) = match read(&mut stream)? {
        Ok(request) => (answer(&request), request.method == "HEAD"),
        Err(refusal) => (refusal, false),
    };
    write(&mut stream, &answer, head)
}

/// Reads a request, or says why it is none.
fn read(stream: &mut TcpStream) -> io::Result<Result<Request, Answer>> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if bytes.len() >= LONGEST {
            return Ok(Err(Answer::text(431, "The request is too long\n")));
        }
        let left = PATIENCE.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(Err(Answer::text(408, "The request takes too long\n")));
        }
        stream.set_read_timeout(Some(left))?;
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(Err(Answer::text(400, "The request ends early\n")));
        }
        bytes.extend(buffer.iter().take(count));
    };
    let head = bytes.get(..end).unwrap_or_default();
    let request = std::str::from_utf8(head).ok().and_then(parse);
    Ok(request.ok_or_else(|| Answer::text(400, "This is not an HTTP/1.1 request\n")))
}

/// The request line and the headers.
fn parse(head: &str) -> Option<Request> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let is_line = words.next().is_none() && matches!(version, "HTTP/1.1" | "HTTP/1.0");
    let is_token = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
    if !is_line || !is_token || !target.starts_with('/') {
        return None;
    }
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic());
        is_name.then(|| (name.to_owned(), value.trim().to_owned()))
    };
    let headers: Option<Vec<_>> = lines.map(header).collect();
    Some(Request { method: method.to_owned(), target: target.to_owned(), headers: headers? })
}

fn write(stream: &mut TcpStream, answer: &Answer, head: bool) -> io::Result<()> {
    let Answer { status, headers, body } = answer;
    let mut text = Vec::new();
    write!(text, "HTTP/1.1 {status} {}\r\nConnection: close\r\n", reason(*status))?;
    for (name, value) in headers {
        write!(text, "{name}: {value}\r\n")?;
    }
    // The answer to HEAD has no body to tell the length of.
    if *status != 304 && !head {
        write!(text, "Content-Length: {}\r\n", body.len())?;
    }
    text.extend(b"\r\n");
    stream.write_all(&text)?;
    if !head && *status != 304 {
        stream.write_all(body)?;
    }
    stream.flush()?;
    stream.shutdown(std::net::Shutdown::Write)
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        304 => "Not Modified",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        _ => "Unknown",
    }
}
