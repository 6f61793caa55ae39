//! Making calls: programs, and HTTP requests, those with TLS by way of `curl`.
//!
//! `curl` is on most systems, and heeds proxies. It is given nothing on its command
//! line that is secret or that a stranger wrote.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::registry::fetch;

/// What came of a call.
pub(crate) enum Answer {
    /// The result. For a request, the status and the body.
    Output { status: u16, body: Vec<u8> },
    /// There is none, for this reason.
    Failed(String),
    /// It took too long.
    TimedOut,
}

/// How often a program is looked after.
const TICK: Duration = Duration::from_millis(5);
/// How long to wait for the rest of the output of a program that has ended.
const GRACE: Duration = Duration::from_secs(2);
/// The code by which curl says that it took too long.
const CURL_TIMED_OUT: i32 = 28;

/// Runs a program. Its output is the result.
pub(crate) fn program(argv: &[String], timeout: Duration, limit: usize) -> Answer {
    let Some((name, arguments)) = argv.split_first() else {
        return Answer::Failed("there is no program to run".to_owned());
    };
    let mut command = Command::new(name);
    command.args(arguments);
    match finish(command, Vec::new(), timeout, limit) {
        Ok(Some(done)) if done.code == Some(0) => Answer::Output { status: 200, body: done.out },
        Ok(Some(done)) => Answer::Failed(done.failure(name)),
        Ok(None) => Answer::TimedOut,
        Err(error) => Answer::Failed(format!("cannot run {name}: {error}")),
    }
}

/// A request to send.
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) body: &'a str,
    /// A header with a secret in it.
    pub(crate) header: Option<String>,
}

/// Sends a request.
pub(crate) fn http(request: &Request<'_>, timeout: Duration, limit: usize) -> Answer {
    if request.url.starts_with("http://") {
        plain(request, timeout, limit)
    } else {
        curl(request, timeout, limit)
    }
}

/// Sends a request without TLS.
fn plain(request: &Request<'_>, timeout: Duration, limit: usize) -> Answer {
    let Request { method, url, body, header } = request;
    let [method, url, body] = [method, url, body].map(|text| (*text).to_owned());
    let secret = header.clone();
    let (sender, receiver) = mpsc::channel();
    // A server may send a byte now and then: what counts is the whole time.
    std::thread::spawn(move || {
        let secret = secret.as_deref().and_then(|header| header.split_once(": "));
        let json = "application/json";
        let mut headers = vec![("Content-Type", json), ("Accept", json)];
        headers.extend(secret);
        // The other side may have given up.
        let _ = sender.send(fetch::send(&method, &url, &headers, &body, timeout, limit));
    });
    match receiver.recv_timeout(timeout) {
        Ok(Ok((status, body))) => Answer::Output { status, body },
        Ok(Err(error)) if is_late(&error) => Answer::TimedOut,
        Ok(Err(error)) => Answer::Failed(error.to_string()),
        Err(_) => Answer::TimedOut,
    }
}

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// Sends a request with TLS.
fn curl(request: &Request<'_>, timeout: Duration, limit: usize) -> Answer {
    let mut command = Command::new("curl");
    // The first argument keeps it from reading a file of its own.
    command.args(["--disable", "--config", "-"]);
    let seconds = format!("{:.3}", timeout.as_secs_f64().clamp(0.001, 86_400.0));
    let limit_text = limit.to_string();
    let mut options = vec![
        ("url", request.url),
        ("request", request.method),
        ("data-binary", request.body),
        ("header", "Content-Type: application/json"),
        ("header", "Accept: application/json"),
        // No waiting for leave to send a long body.
        ("header", "Expect:"),
        ("proto", "=https"),
        ("max-time", &seconds),
        ("max-filesize", &limit_text),
        ("write-out", "\\n%{http_code}"),
    ];
    options.extend(request.header.as_deref().map(|header| ("header", header)));
    let options = options.iter().map(|(name, value)| {
        // The status is the one value that is written with an escape of curl's.
        let value = if *name == "write-out" { (*value).to_owned() } else { escape(value) };
        format!("{name} = \"{value}\"\n")
    });
    let config: String =
        ["silent\nshow-error\ngloboff\n".to_owned()].into_iter().chain(options).collect();
    match finish(command, config.into_bytes(), timeout + GRACE, limit.saturating_add(64)) {
        Ok(None) => Answer::TimedOut,
        Ok(Some(done)) if done.code == Some(CURL_TIMED_OUT) => Answer::TimedOut,
        Ok(Some(done)) if done.code == Some(0) => split_status(done.out),
        Ok(Some(done)) => Answer::Failed(done.failure("curl")),
        Err(error) => Answer::Failed(format!("cannot run curl: {error}")),
    }
}

/// The status stands in a line of its own after the body.
fn split_status(mut out: Vec<u8>) -> Answer {
    let line = out.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    let status = out.split_off(line);
    let status = String::from_utf8_lossy(&status).trim().parse();
    match status {
        Ok(status) => Answer::Output { status, body: out },
        Err(_) => Answer::Failed("the answer is cut off".to_owned()),
    }
}

/// A value in a configuration of curl, between quotes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out
}

/// A program that has ended.
struct Done {
    code: Option<i32>,
    out: Vec<u8>,
    err: Vec<u8>,
}

impl Done {
    /// Why it did not go well.
    fn failure(&self, name: &str) -> String {
        let said = String::from_utf8_lossy(&self.err);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let code = self.code.map_or("no exit code".to_owned(), |code| format!("exit code {code}"));
        if said.is_empty() { format!("{name}: {code}") } else { format!("{name}: {code}: {said}") }
    }
}

/// Runs a program to its end, unless that takes too long.
fn finish(
    mut command: Command,
    input: Vec<u8>,
    timeout: Duration,
    limit: usize,
) -> io::Result<Option<Done>> {
    let deadline = Instant::now().checked_add(timeout);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take();
    std::thread::spawn(move || {
        // A program that does not read its input need not.
        stdin.as_mut().map(|stdin| stdin.write_all(&input))
    });
    let out = reader(child.stdout.take(), limit);
    let err = reader(child.stderr.take(), 4096);
    let Some(code) = wait(&mut child, deadline)? else {
        // One that has ended meanwhile needs no killing.
        let _ = child.kill();
        let _ = child.wait();
        return Ok(None);
    };
    // A program may leave others behind that keep the pipes open.
    let out = out.recv_timeout(GRACE).unwrap_or_default();
    let err = err.recv_timeout(GRACE).unwrap_or_default();
    Ok(Some(Done { code, out, err }))
}

/// The exit code; nothing when the deadline passes.
#[allow(clippy::option_option)] // a program that was killed by a signal has no code
fn wait(child: &mut Child, deadline: Option<Instant>) -> io::Result<Option<Option<i32>>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code()));
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok(None);
        }
        std::thread::sleep(TICK);
    }
}

/// Reads a pipe to its end on a thread of its own. Past the limit, nothing is kept.
fn reader(pipe: Option<impl Read + Send + 'static>, limit: usize) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut pipe) = pipe {
            let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            let read = pipe.by_ref().take(most).read_to_end(&mut kept);
            // The program must not stop at a full pipe.
            let drained = io::copy(&mut pipe, &mut io::sink());
            if read.and(drained).is_err() {
                kept.clear();
            }
        }
        // The other side may have given up.
        let _ = sender.send(kept);
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_value_stays_inside_its_quotes() {
        assert_eq!(escape("a\"\\\n\r\tb"), "a\\\"\\\\\\n\\r\\tb");
    }
}
