//! Tools and servers that do what they should not. Nothing leaks, nothing hangs, and memory is
//! bounded.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use call::{End, Outcome, Program, Server as At, Step, ToolCall};
use peak_alloc::PeakAlloc;
use tokio::io::AsyncWriteExt;
use toolglot_host::{Origin, Values};

use support::{LONG, Server, answer, done, done_within, get, host, program, run, runs, sh, until};

#[allow(dead_code)] // the other tests need more of it
#[path = "host/support.rs"]
mod support;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// All tests together, each of which takes a mebibyte at most: of each output, once more while
/// it grows.
fn memory_is_bounded() {
    let peak = ALLOCATOR.peak_usage_as_mb();
    assert!(peak < 48.0, "{peak} MB");
}

const SOON: Duration = Duration::from_millis(400);
const TOO_MUCH: Outcome = Outcome::TooMuch { limit: 1 << 20 };

async fn run_for(time: Duration, program: Program) -> Outcome {
    let start = Instant::now();
    let step = Step::Run(program);
    let outcome = done_within(time, &host(), &step).await;
    assert!(start.elapsed() < LONG);
    outcome
}

#[tokio::test]
async fn a_tool_that_hangs_is_ended() {
    assert_eq!(run_for(SOON, program(&["sleep", "7391.01"])).await, Outcome::TimedOut);
    until("it is ended", || !runs("7391.01")).await;
    // Whatever it thinks of signals.
    let deaf = "trap '' INT TERM HUP; while :; do sleep 7391.02; done";
    assert_eq!(run_for(SOON, sh(deaf)).await, Outcome::TimedOut);
    until("it is ended", || !runs("7391.02") && !runs(deaf)).await;
}

#[tokio::test]
async fn a_tool_that_floods_is_cut_off() {
    for script in ["yes 7391.03", "yes 7391.03 >&2", "yes 7391.03 | tee /dev/stderr"] {
        assert_eq!(run_for(LONG, sh(script)).await, TOO_MUCH, "{script}");
        until("it is ended", || !runs("7391.03")).await;
    }
    memory_is_bounded();
    // Exactly as much as is taken is taken.
    let exact = run(sh("head -c 1048576 /dev/zero; head -c 1048576 /dev/zero >&2")).await;
    assert!(matches!(exact, Outcome::Exited { stdout, stderr, .. }
        if stdout.len() == 1 << 20 && stderr.len() == 1 << 20));
    assert_eq!(run(sh("head -c 1048577 /dev/zero")).await, TOO_MUCH);
}

#[tokio::test]
async fn a_tool_that_forks_and_hangs_is_ended_with_all_it_started() {
    let script = "for i in 1 2 3; do (sleep 7391.04 & sleep 7391.04) & done; wait";
    assert_eq!(run_for(SOON, sh(script)).await, Outcome::TimedOut);
    until("all are ended", || !runs("7391.04")).await;
}

#[tokio::test]
async fn what_a_tool_leaves_behind_is_ended_and_not_waited_for() {
    let start = Instant::now();
    let outcome = run(sh("sleep 7391.05 & echo done")).await;
    let Outcome::Exited { end, stdout, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!((end, stdout.as_slice()), (End::Exit(0), &b"done\n"[..]));
    assert!(start.elapsed() < Duration::from_secs(30));
    until("it is ended", || !runs("7391.05")).await;
    // The same where it closed its output.
    let outcome = run(sh("sleep 7391.06 >/dev/null 2>&1 & echo done")).await;
    assert!(matches!(outcome, Outcome::Exited { end: End::Exit(0), .. }));
    until("it is ended", || !runs("7391.06")).await;
}

#[tokio::test]
async fn a_child_that_leaves_the_group_is_not_waited_for() {
    let start = Instant::now();
    let outcome = run(sh("setsid sleep 45.07 & echo done")).await;
    assert!(matches!(outcome, Outcome::Exited { end: End::Exit(0), .. }), "{outcome:?}");
    assert_eq!(run_for(SOON, sh("setsid sleep 45.08 & wait")).await, Outcome::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[tokio::test]
async fn a_tool_that_dies_by_a_signal_is_seen_to() {
    for (name, number) in [("SEGV", 11), ("KILL", 9), ("PIPE", 13)] {
        let outcome = run(sh(&format!("ulimit -c 0; kill -{name} $$"))).await;
        let Outcome::Exited { end: End::Signal { number: seen, .. }, .. } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(seen, number);
    }
}

#[tokio::test]
async fn a_future_that_is_dropped_ends_its_tool() {
    let host = host();
    let step = Step::Run(sh("sleep 7391.09 & sleep 7391.09"));
    let (origin, values) = (Origin::default(), Values::new());
    tokio::select! {
        outcome = host.run_unchecked(&step, &origin, &values, LONG) => panic!("{outcome:?}"),
        () = until("it runs", || runs("7391.09")) => {}
    }
    until("it is ended", || !runs("7391.09")).await;
}

/// Neither processes that wait to be reaped, nor threads, nor open files remain.
#[tokio::test]
async fn many_runs_leave_nothing_open() {
    let count = |folder: &str| std::fs::read_dir(folder).unwrap().count();
    let host = host();
    let (origin, values) = (Origin::default(), Values::new());
    let step = Step::Run(program(&["true"]));
    for _ in 0..300 {
        let outcome = host.run_unchecked(&step, &origin, &values, LONG).await;
        assert!(matches!(outcome, Outcome::Exited { .. }), "{outcome:?}");
    }
    // The other tests of this program have some as well.
    until("files are closed", || count("/proc/self/fd") < 200).await;
    until("threads are over", || count("/proc/self/task") < 100).await;
    until("children are reaped", || children() < 50).await;
}

/// Processes whose parent is this one.
fn children() -> usize {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let parent = |stat: String| {
        let (_, rest) = stat.rsplit_once(") ")?;
        rest.split(' ').nth(1).map(str::to_owned)
    };
    let stats =
        processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter_map(parent).filter(|parent| *parent == own).count()
}

async fn send(url: String, time: Duration) -> Outcome {
    let start = Instant::now();
    let step = Step::Send(get(url));
    let outcome = done_within(time, &host(), &step).await;
    assert!(start.elapsed() < LONG);
    outcome
}

#[tokio::test]
async fn a_server_that_is_slow_is_not_waited_for() {
    let server = Server::handling(|_, stream| async move {
        tokio::time::sleep(LONG).await;
        drop(stream);
    })
    .await;
    assert_eq!(send(server.url("/"), SOON).await, Outcome::TimedOut);
}

#[tokio::test]
async fn a_server_that_drips_is_not_waited_for() {
    for start in ["HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "HTTP/1.1 200 OK\r\nX: "] {
        let server = Server::handling(move |_, mut stream| async move {
            let mut open = stream.write_all(start.as_bytes()).await.is_ok();
            while open {
                tokio::time::sleep(Duration::from_millis(20)).await;
                open = stream.write_all(b"x").await.is_ok();
            }
        })
        .await;
        assert_eq!(send(server.url("/"), SOON).await, Outcome::TimedOut, "{start}");
        let fetched = host().fetch(&get(server.url("/")), SOON).await;
        assert_eq!(fetched.unwrap_err(), "there was no answer in time", "{start}");
    }
}

#[tokio::test]
async fn a_gigabyte_is_not_taken() {
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    for (head, chunk) in [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk.as_str()),
        ("HTTP/1.1 200 OK\r\n\r\n", &chunk),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", &chunk),
    ] {
        let chunk = chunk.to_owned();
        let server = Server::handling(move |_, mut stream| {
            let chunk = chunk.clone();
            async move {
                let mut open = stream.write_all(head.as_bytes()).await.is_ok();
                while open {
                    open = stream.write_all(chunk.as_bytes()).await.is_ok();
                }
            }
        })
        .await;
        assert_eq!(send(server.url("/"), LONG).await, TOO_MUCH, "{head}");
    }
    memory_is_bounded();
}

#[tokio::test]
async fn headers_without_end_are_not_taken() {
    let server = Server::handling(|_, mut stream| async move {
        let mut open = stream.write_all(b"HTTP/1.1 200 OK\r\n").await.is_ok();
        while open {
            open =
                stream.write_all(format!("X: {}\r\n", "y".repeat(1000)).as_bytes()).await.is_ok();
        }
    })
    .await;
    let outcome = send(server.url("/"), LONG).await;
    assert!(matches!(outcome, Outcome::Lost(_)), "{outcome:?}");
    memory_is_bounded();
}

#[tokio::test]
async fn a_server_that_goes_away_is_told_from_one_that_is_not_there() {
    for half in ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "not HTTP at all\r\n\r\n"]
    {
        let server = Server::answering(move |_| half.to_owned()).await;
        let outcome = send(server.url("/"), LONG).await;
        assert!(matches!(outcome, Outcome::Lost(_)), "{half:?}: {outcome:?}");
        assert_eq!(server.requests().len(), 1, "it is not tried again");
    }
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outcome = send(format!("http://{nobody}/"), LONG).await;
    assert!(matches!(outcome, Outcome::NotDone(_)), "{outcome:?}");
}

/// A server that asks without end, and reads no answer.
#[tokio::test]
async fn an_mcp_server_that_does_not_read_is_cut_off() {
    let server = r#"read -r line
        printf '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}\n'
        seq 1 99999999 | sed 's/.*/{"jsonrpc":"2.0","id":&,"method":"ping"}/'"#;
    let server = At::Stdio(sh(server));
    let call = ToolCall { server, tool: "any".to_owned(), arguments: "{}".to_owned() };
    let step = Step::CallTool(call);
    let outcome = done(&host(), &step).await;
    assert!(matches!(outcome, Outcome::Lost(_) | Outcome::NotDone(_)), "{outcome:?}");
    memory_is_bounded();
}

#[tokio::test]
async fn a_redirect_to_a_private_address_is_not_followed() {
    let inner = Server::answering(|_| answer("200 OK", "", "the keys")).await;
    let header = format!("Location: http://127.0.0.2:{}/\r\n", inner.port);
    let outer = Server::answering(move |_| answer("307 Temporary Redirect", &header, "")).await;
    let outcome = send(outer.url("/"), LONG).await;
    assert!(matches!(outcome, Outcome::Responded { status: 307, .. }), "{outcome:?}");
    assert!(inner.requests().is_empty());
}

#[tokio::test]
async fn a_request_that_is_given_up_closes_its_connection() {
    let (closed, mut is_closed) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::handling(move |_, mut stream| {
        let closed = closed.clone();
        async move {
            let mut byte = [0];
            let read = tokio::io::AsyncReadExt::read(&mut stream, &mut byte).await;
            let _ = closed.send(read.unwrap_or(0));
        }
    })
    .await;
    assert_eq!(send(server.url("/"), SOON).await, Outcome::TimedOut);
    let read = tokio::time::timeout(LONG, is_closed.recv()).await.unwrap();
    assert_eq!(read, Some(0));
}
