//! MCP servers: in processes, and over HTTP.

use std::path::PathBuf;
use std::time::Duration;

use call::{Outcome, Program, Server as At, Step, ToolCall};
use toolglot_host::{Host, Options, Origin, Values};

use crate::support::{
    LONG, Server, answer, done, done_within, folder, host, program, runs, script, until,
};

/// A server in a few lines of shell. It notes what it sees in the file that it is given.
const SERVER: &str = r#"#!/bin/sh
echo started >> "$1"
[ "$2" = stubborn ] && trap '' TERM
[ "$2" = silent ] && exec sleep "$3"
echo "to whom it may concern" >&2
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case $line in
  *'"method":"initialize"'*)
    echo 'Welcome to the server!'
    answer '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}' ;;
  *'"name":"odd"'*)
    answer '"result": {"content":[{"type":"text","text":"hi","x-more":1.10}], "isError" : false, "big":12345678901234567890123}' ;;
  *'"name":"key"'*) answer '"result":{"content":[{"type":"text","text":"'"$KEY"'"}]}' ;;
  *'"name":"wrong"'*) answer '"error":{"code":-32602,"message":"no such tool"}' ;;
  *'"name":"far"'*)
    token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([0-9]*\).*/\1/p')
    printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"total":2,"message":"half"}}\n' "$token"
    answer '"result":{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"text","text":"x"}],"isError":true}' ;;
  *'"name":"hang"'*) echo "asked $id" >> "$1" ;;
  *'"name":"die"'*) exit 3 ;;
  *'"name":"leave"'*) answer '"result":{"content":[]}'; exit 0 ;;
  *'"name":"ask"'*)
    for question in 1 2 3; do printf '{"jsonrpc":"2.0","id":"q%s","method":"ping"}\n' "$question"; done
    asked=$id ;;
  *'"id":"q3"'*'"result"'*|*'"result"'*'"id":"q3"'*) id=$asked; answer '"result":{"content":[]}' ;;
  *'"name":"line"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[],"x":"' "$id"; yes | tr -d '\n' ;;
  *'"name":"garbage"'*) yes ;;
  *'notifications/cancelled'*) echo "cancelled $line" >> "$1" ;;
  esac
done
[ "$2" = stubborn ] && while :; do sleep 1; done
echo over >> "$1"
"#;

struct Shell {
    at: PathBuf,
    log: PathBuf,
    more: Vec<String>,
}

impl Shell {
    fn new(name: &str, more: &[&str]) -> Self {
        let at = folder(name);
        script(&at.join("server"), SERVER);
        let more = more.iter().map(ToString::to_string).collect();
        Self { log: at.join("log"), at, more }
    }

    fn step(&self, tool: &str) -> Step {
        let (server, log) = (self.at.join("server"), self.log.to_str().unwrap());
        let mut argv = vec![server.to_str().unwrap(), log];
        argv.extend(self.more.iter().map(String::as_str));
        let variables = vec!["KEY".to_owned()];
        let server = At::Stdio(Program { variables, ..program(&argv) });
        Step::CallTool(ToolCall { server, tool: tool.to_owned(), arguments: "{}".to_owned() })
    }

    async fn call(&self, host: &Host, tool: &str) -> Outcome {
        done(host, &self.step(tool)).await
    }

    fn noted(&self, what: &str) -> usize {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        log.lines().filter(|line| line.starts_with(what)).count()
    }

    fn runs(&self) -> bool {
        runs(self.log.to_str().unwrap())
    }
}

#[tokio::test]
async fn a_result_comes_back_as_the_server_wrote_it() {
    let shell = Shell::new("mcp-odd", &[]);
    let text = r#"{"content":[{"type":"text","text":"hi","x-more":1.10}], "isError" : false, "big":12345678901234567890123}"#;
    let host = host();
    assert_eq!(shell.call(&host, "odd").await, Outcome::Returned(text.to_owned()));
    let outcome = shell.call(&host, "wrong").await;
    assert_eq!(outcome, Outcome::Threw("no such tool".to_owned()));
}

/// What is said on the way is passed on, and what the format of the tool has no word for is kept.
#[tokio::test]
async fn progress_and_the_whole_result_are_passed_on() {
    let shell = Shell::new("mcp-far", &[]);
    let plan: call::Plan = serde_json::from_value(serde_json::json!({
        "tool": "far", "step": shell.step("far"), "then": {"judge": {"reading": "declared"}},
        "variables": [{"name": "KEY", "secret": true, "required": false}],
    }))
    .unwrap();
    let heard = std::sync::Mutex::new(Vec::new());
    let watch = |progress: toolglot_host::Progress| heard.lock().unwrap().push(progress);
    let host = host();
    let called = host.call_with_progress(&plan, &Origin::default(), &Values::new(), &watch).await;
    assert!(
        matches!(&called.answer, Err(toolglot_host::Error::Failed(failure)) if failure.message == "x")
    );
    let result: serde_json::Value = serde_json::from_str(called.mcp_result().unwrap()).unwrap();
    assert_eq!(result["content"][0]["mimeType"], "image/png");
    let heard = heard.lock().unwrap();
    let [half] = heard.as_slice() else { panic!("{heard:?}") };
    assert_eq!(
        (half.progress, half.total, half.message.as_deref()),
        (1.0, Some(2.0), Some("half"))
    );
}

#[tokio::test]
async fn a_server_is_started_once_for_the_same_values() {
    let shell = Shell::new("mcp-once", &[]);
    let host = host();
    let calls = (0..10).map(|_| shell.call(&host, "odd"));
    for outcome in futures_util::future::join_all(calls).await {
        assert!(matches!(outcome, Outcome::Returned(_)), "{outcome:?}");
    }
    assert_eq!(shell.noted("started"), 1);
    for (key, started) in [("one", 2), ("two", 3), ("one", 3)] {
        let mut values = Values::new();
        values.set("KEY", key);
        values.set("OTHER", started.to_string());
        let outcome =
            host.run_unchecked(&shell.step("key"), &Origin::default(), &values, LONG).await;
        assert!(matches!(outcome, Outcome::Returned(text) if text.contains(key)));
        assert_eq!(shell.noted("started"), started);
    }
}

#[tokio::test]
async fn servers_end_with_their_host() {
    let shell = Shell::new("mcp-end", &[]);
    let host_of_it = host();
    shell.call(&host_of_it, "odd").await;
    assert!(shell.runs());
    drop(host_of_it);
    until("it ends", || !shell.runs()).await;
    assert_eq!(shell.noted("over"), 1, "by itself");

    let stubborn = Shell::new("mcp-stubborn", &["stubborn"]);
    let host_of_it = host();
    stubborn.call(&host_of_it, "odd").await;
    assert!(stubborn.runs());
    drop(host_of_it);
    until("it is ended", || !stubborn.runs()).await;
}

#[tokio::test]
async fn a_host_that_is_closed_has_ended_its_servers() {
    let stubborn = Shell::new("mcp-close", &["stubborn"]);
    let host_of_it = host();
    stubborn.call(&host_of_it, "odd").await;
    assert!(stubborn.runs());
    host_of_it.close().await;
    assert!(!stubborn.runs());
}

#[tokio::test]
async fn a_server_that_answers_no_longer_is_started_again() {
    let shell = Shell::new("mcp-wedged", &[]);
    let host = host();
    let (origin, values) = (Origin::default(), Values::new());
    let plan = |tool: &str, timeout_ms| crate::calls::plan_within(shell.step(tool), timeout_ms);
    // Two calls in a row are left without an answer; one that is answered in between counts.
    for (tool, started) in [("hang", 1), ("odd", 1), ("hang", 1), ("hang", 1), ("odd", 2)] {
        let time = if tool == "hang" { 300 } else { 60_000 };
        let answer = host.call(&plan(tool, time), &origin, &values).await;
        assert_eq!(answer.is_ok(), tool == "odd", "{answer:?}");
        assert_eq!(shell.noted("started"), started);
    }
}

#[tokio::test]
async fn the_server_that_was_idle_longest_makes_room() {
    let shells = [0, 1, 2].map(|index| Shell::new(&format!("mcp-room-{index}"), &[]));
    let mut options = Options::default();
    options.limits.servers = 2;
    let host = Host::new(options).unwrap();
    for index in [0, 1, 0, 2, 0] {
        assert!(matches!(shells[index].call(&host, "odd").await, Outcome::Returned(_)));
    }
    until("it ends", || !shells[1].runs()).await;
    assert!(shells[0].runs() && shells[2].runs());
    assert_eq!(shells[0].noted("started"), 1);
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_at_the_server() {
    let shell = Shell::new("mcp-hang", &[]);
    let host = host();
    shell.call(&host, "odd").await;
    let hang = shell.step("hang");
    let soon = Duration::from_millis(300);
    let outcome = done_within(soon, &host, &hang).await;
    assert_eq!(outcome, Outcome::TimedOut);
    until("the server is told", || shell.noted("cancelled") == 1).await;
    // The same when nobody waits any longer.
    {
        let (origin, values) = (Origin::default(), Values::new());
        let call = host.run_unchecked(&hang, &origin, &values, LONG);
        tokio::select! {
            outcome = call => panic!("{outcome:?}"),
            () = until("it is asked", || shell.noted("asked") == 2) => {}
        }
    }
    until("the server is told", || shell.noted("cancelled") == 2).await;
    assert!(matches!(shell.call(&host, "odd").await, Outcome::Returned(_)), "it still serves");
    assert_eq!(shell.noted("started"), 1);
}

#[tokio::test]
async fn a_server_that_has_left_is_started_again() {
    let shell = Shell::new("mcp-leave", &[]);
    let host = host();
    for started in 1..4 {
        let outcome = shell.call(&host, "leave").await;
        assert!(matches!(outcome, Outcome::Returned(_)), "{outcome:?}");
        until("it has left", || !shell.runs()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(shell.noted("started"), started);
    }
}

#[tokio::test]
async fn a_server_that_dies_is_started_again() {
    let shell = Shell::new("mcp-die", &[]);
    let host = host();
    let outcome = shell.call(&host, "die").await;
    assert!(matches!(outcome, Outcome::Lost(_)), "{outcome:?}");
    assert!(matches!(shell.call(&host, "odd").await, Outcome::Returned(_)));
    assert_eq!(shell.noted("started"), 2);
}

/// A server may ask whether anybody is there before it answers.
#[tokio::test]
async fn a_server_may_ask() {
    let shell = Shell::new("mcp-ask", &[]);
    let host = host();
    for _ in 0..2 {
        let outcome = shell.call(&host, "ask").await;
        assert_eq!(outcome, Outcome::Returned(r#"{"content":[]}"#.to_owned()));
    }
    assert_eq!(shell.noted("started"), 1);
}

#[tokio::test]
async fn a_server_that_floods_is_cut_off() {
    let shell = Shell::new("mcp-flood", &[]);
    let host = host();
    for (tool, started) in [("line", 1), ("garbage", 2)] {
        let outcome = shell.call(&host, tool).await;
        assert_eq!(outcome, Outcome::TooMuch { limit: 1 << 20 }, "{tool}");
        until("it is ended", || !shell.runs()).await;
        assert_eq!(shell.noted("started"), started);
    }
    assert!(matches!(shell.call(&host, "odd").await, Outcome::Returned(_)));
}

#[tokio::test]
async fn a_server_that_never_speaks_is_ended() {
    let shell = Shell::new("mcp-silent", &["silent", "7391.41"]);
    let (host, soon) = (host(), Duration::from_millis(500));
    let step = shell.step("odd");
    let outcome = done_within(soon, &host, &step).await;
    assert_eq!(outcome, Outcome::TimedOut);
    until("it is ended", || !runs("7391.41")).await;
}

#[tokio::test]
async fn a_server_that_does_not_start_says_why() {
    let shell = Shell::new("mcp-broken", &[]);
    script(&shell.at.join("server"), "#!/bin/sh\necho the disk is full >&2\nexit 1\n");
    let outcome = shell.call(&host(), "odd").await;
    assert!(
        matches!(&outcome, Outcome::NotDone(why) if why.contains("the disk is full")),
        "{outcome:?}"
    );
    std::fs::remove_file(shell.at.join("server")).unwrap();
    assert!(matches!(shell.call(&host(), "odd").await, Outcome::NotDone(_)));
}

/// A server over HTTP, which answers calls with the body that a function makes.
async fn over_http(call: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    thanking(answer("202 Accepted", "", ""), call).await
}

/// The same, with what it answers to a message that asks for nothing.
async fn thanking(thanks: String, call: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    Server::answering(move |request| {
        let id = request.rsplit_once("\"id\":").map_or("", |(_, rest)| rest);
        let id: String = id.chars().take_while(char::is_ascii_digit).collect();
        if request.contains("\"method\":\"initialize\"") {
            let result = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}"#;
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
            answer("200 OK", "Content-Type: application/json\r\nMcp-Session-Id: s1\r\n", &body)
        } else if request.contains("\"method\":\"tools/call\"") {
            call(&id)
        } else if request.starts_with("POST") {
            thanks.clone()
        } else {
            answer("405 Method Not Allowed", "", "")
        }
    })
    .await
}

fn http_step(server: &Server) -> Step {
    let server = At::Http { url: server.url("/mcp") };
    Step::CallTool(ToolCall { server, tool: "x".to_owned(), arguments: r#"{"a":1}"#.to_owned() })
}

const RESULT: &str = r#"{"content":[], "structuredContent":{"x":1.10},"more":[1e2]}"#;

#[tokio::test]
async fn results_over_http_come_back_as_they_were_written() {
    let message = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{RESULT}}}"#);
    let json =
        over_http(move |id| answer("200 OK", "Content-Type: application/json\r\n", &message(id)));
    let events = over_http(move |id| {
        let notice = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#;
        let body =
            format!("event: message\ndata: {notice}\n\nevent: message\ndata: {}\n\n", message(id));
        answer("200 OK", "Content-Type: text/event-stream\r\n", &body)
    });
    for server in [json.await, events.await] {
        let host = host();
        for _ in 0..2 {
            let outcome = done(&host, &http_step(&server)).await;
            assert_eq!(outcome, Outcome::Returned(RESULT.to_owned()));
        }
        let requests = server.requests();
        let count = |what: &str| requests.iter().filter(|one| one.contains(what)).count();
        assert_eq!(count("\"method\":\"initialize\""), 1, "it is kept");
        let calls: Vec<_> = requests.iter().filter(|one| one.contains("tools/call")).collect();
        assert!(calls.iter().all(|call| call.to_ascii_lowercase().contains("mcp-session-id: s1")));
        assert!(calls[0].contains(r#""arguments":{"a":1}"#), "{}", calls[0]);
        // A session that was begun is ended.
        host.close().await;
        let is_end = |one: &String| one.starts_with("DELETE /mcp ");
        until("the session is ended", || server.requests().iter().any(is_end)).await;
        let end = server.requests().into_iter().find(is_end).unwrap().to_ascii_lowercase();
        assert!(end.contains("mcp-session-id: s1"), "{end}");
    }
}

/// A page is no answer to a call. To what asks for nothing, anything is.
#[tokio::test]
async fn what_asks_for_nothing_may_be_answered_by_anything() {
    let page = || answer("200 OK", "Content-Type: text/html\r\n", "<p>Thanks</p>");
    let body = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{RESULT}}}"#);
    let json = move |id: &str| answer("200 OK", "Content-Type: application/json\r\n", &body(id));
    let call = async |server: Server| done(&host(), &http_step(&server)).await;
    assert_eq!(call(thanking(page(), json).await).await, Outcome::Returned(RESULT.to_owned()));
    let outcome = call(over_http(move |_| page()).await).await;
    assert!(matches!(outcome, Outcome::Lost(_)), "{outcome:?}");
}

#[tokio::test]
async fn answers_over_http_are_bounded() {
    let large = "x".repeat(2 << 20);
    for kind in ["application/json", "text/event-stream"] {
        let large = large.clone();
        let server = over_http(move |id| {
            let start = if kind.contains("event") { "data: " } else { "" };
            let body = format!(
                r#"{start}{{"jsonrpc":"2.0","id":{id},"result":{{"content":[],"x":"{large}"}}}}"#
            );
            let body = format!("{body}\n\n");
            answer("200 OK", &format!("Content-Type: {kind}\r\n"), &body)
        })
        .await;
        let outcome = done(&host(), &http_step(&server)).await;
        assert_eq!(outcome, Outcome::TooMuch { limit: 1 << 20 }, "{kind}");
    }
}

#[tokio::test]
async fn servers_at_private_addresses_are_not_reached_unless_allowed() {
    let server = over_http(|_| String::new()).await;
    let strict = Host::new(Options::default()).unwrap();
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host}:{}/mcp", server.port);
        let (tool, arguments) = ("x".to_owned(), "{}".to_owned());
        let step = Step::CallTool(ToolCall { server: At::Http { url }, tool, arguments });
        let outcome = done(&strict, &step).await;
        assert!(matches!(outcome, Outcome::NotDone(_)), "{outcome:?}");
    }
    assert!(server.requests().is_empty());
}
