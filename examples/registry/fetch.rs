//! A small HTTP client: one request, plain `http` only. For services on this machine;
//! others are reached through `curl`.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Sends a GET request. No more than `limit` bytes of a body are taken.
pub(crate) fn get(
    url: &str,
    headers: &[(&str, &str)],
    timeout: Duration,
    limit: usize,
) -> io::Result<(u16, Vec<u8>)> {
    send("GET", url, headers, "", timeout, limit)
}

/// Sends a request. No more than `limit` bytes of a body are taken.
pub(crate) fn send(
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
    timeout: Duration,
    limit: usize,
) -> io::Result<(u16, Vec<u8>)> {
    let wrong = |message: &str| io::Error::new(io::ErrorKind::InvalidInput, message.to_owned());
    let rest = url.strip_prefix("http://").ok_or_else(|| wrong("only http:// is spoken here"))?;
    // What follows a `#` is not for the server.
    let rest = rest.split('#').next().unwrap_or(rest);
    let (host, target) = match rest.find(['/', '?']) {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    let slash = if target.starts_with('/') { "" } else { "/" };
    let mut lines = vec![format!("{method} {slash}{target} HTTP/1.1"), format!("Host: {host}")];
    lines.extend(headers.iter().map(|(name, value)| format!("{name}: {value}")));
    if !body.is_empty() {
        lines.push(format!("Content-Length: {}", body.len()));
    }
    lines.push("Connection: close".to_owned());
    if lines.iter().any(|line| line.contains(['\r', '\n'])) {
        return Err(wrong("a line of the request has a line break"));
    }
    let mut stream = connect(host, timeout)?;
    stream.write_all(format!("{}\r\n\r\n{body}", lines.join("\r\n")).as_bytes())?;
    let mut bytes = Vec::new();
    // The headers need room too.
    let room = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(64 << 10);
    stream.take(room).read_to_end(&mut bytes)?;
    answer(&bytes, limit)
}

fn connect(host: &str, timeout: Duration) -> io::Result<TcpStream> {
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    let address = if has_port { host.to_owned() } else { format!("{host}:80") };
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, timeout) {
            Ok(stream) => {
                stream.set_read_timeout(Some(timeout))?;
                stream.set_write_timeout(Some(timeout))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The status and the body.
fn answer(bytes: &[u8], limit: usize) -> io::Result<(u16, Vec<u8>)> {
    let wrong = |message: &str| io::Error::new(io::ErrorKind::InvalidData, message.to_owned());
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.ok_or_else(|| wrong("the answer is not HTTP"))?;
    let (head, body) = bytes.split_at(end + 4);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.filter(|_| head.starts_with("http/1."));
    let status = status.ok_or_else(|| wrong("the answer is not HTTP/1.1"))?;
    let header = |name: &str| {
        head.split("\r\n").filter_map(|line| line.split_once(':')).find(|(n, _)| *n == name)
    };
    let chunked = header("transfer-encoding").is_some_and(|(_, value)| value.contains("chunked"));
    let body = if chunked {
        unchunk(body).ok_or_else(|| wrong("the answer is cut off"))?
    } else {
        let length = header("content-length").and_then(|(_, value)| value.trim().parse().ok());
        let length = length.unwrap_or(body.len());
        body.get(..length).ok_or_else(|| wrong("the answer is cut off, or too long"))?.to_vec()
    };
    if body.len() > limit {
        return Err(wrong("the answer is too long"));
    }
    Ok((status, body))
}

/// The body without the lengths of its chunks.
fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|window| window == b"\r\n")?;
        let (line, tail) = rest.split_at(end);
        let digits = line.split(|b| *b == b';').next()?;
        let length = usize::from_str_radix(std::str::from_utf8(digits).ok()?.trim(), 16).ok()?;
        let tail = tail.get(2..)?;
        if length == 0 {
            return Some(body);
        }
        body.extend(tail.get(..length)?);
        rest = tail.get(length..)?.strip_prefix(b"\r\n")?;
    }
}
