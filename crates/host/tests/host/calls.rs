//! Whole calls, from the plan to the answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use call::{
    Answer, FailureKind, Judge, Missing, OutcomeUse, PlaceholderPosition, Plan, Program, Request,
    Step, Template, Variable,
};
use manifest_core::descriptor::OutputFormat;
use manifest_core::format::OutcomeRules;
use tokio::io::AsyncWriteExt;
use toolglot_host::{CallEnd, Error, Host, Limits, Log, Options, Origin, Record, Values};

use crate::support::{LONG, Server, answer, folder, get, host, program, runs, sh, until};

fn judge() -> Judge {
    Judge::for_reading(OutcomeRules::Declared)
}

fn plan(step: Step) -> Plan {
    Plan {
        tool: "notes.find".to_owned(),
        step,
        then: OutcomeUse::Judge(judge()),
        timeout_ms: None,
        variables: Vec::new(),
        missing: Vec::new(),
        warnings: Vec::new(),
    }
}

/// A call that may take so long.
pub(crate) fn plan_within(step: Step, timeout_ms: u64) -> Plan {
    Plan { timeout_ms: Some(timeout_ms), ..plan(step) }
}

fn variable(name: &str, secret: bool) -> Variable {
    let text = format!(r#"{{"name": "{name}", "secret": {secret}, "required": true}}"#);
    serde_json::from_str(&text).unwrap()
}

async fn call(host: &Host, plan: &Plan) -> Result<Answer, Error> {
    host.call(plan, &Origin::default(), &Values::new()).await
}

fn reason(answer: Result<Answer, Error>) -> FailureKind {
    match answer {
        Err(Error::Failed(failure)) => failure.reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_answer_is_judged_by_the_plan() {
    let host = host();
    let said = call(&host, &plan(Step::Run(sh("echo hello")))).await;
    assert_eq!(said, Ok(Answer::Text("hello\n".to_owned())));
    let failed = call(&host, &plan(Step::Run(sh("exit 3")))).await;
    assert!(matches!(reason(failed), FailureKind::Exit(_)));
    // Garbage is bytes where nothing is declared, and a failure where JSON is.
    let garbage = Step::Run(sh(r"printf '\377\376\000{]'"));
    let said = call(&host, &plan(garbage.clone())).await;
    assert_eq!(said, Ok(Answer::Bytes(b"\xff\xfe\0{]".to_vec())));
    let then = OutcomeUse::Judge(Judge { format: Some(OutputFormat::Json), ..judge() });
    let failed = call(&host, &Plan { then, ..plan(garbage) }).await;
    assert!(matches!(reason(failed), FailureKind::Output(_)));
    let slow = Plan { timeout_ms: Some(200), ..plan(Step::Run(sh("sleep 7391.51"))) };
    assert_eq!(reason(call(&host, &slow).await), FailureKind::TimedOut);
    until("nothing is left", || !runs("7391.51")).await;
}

#[tokio::test]
async fn a_call_of_several_steps_is_made_to_its_end() {
    let tool = Server::answering(|request| {
        assert!(request.starts_with("POST /base/tools/find HTTP/1.1\r\n"), "{request}");
        assert!(request.ends_with(r#"{"arguments":{"q":1}}"#), "{request}");
        answer("200 OK", "", r#"{"found":2}"#)
    })
    .await;
    let list = format!(r#"[{{"id":"s","base_url":"{}","tools":[]}}]"#, tool.url("/base"));
    let registry = Server::answering(move |_| answer("200 OK", "", &list)).await;
    let then = OutcomeUse::Registry {
        server: Some("s".to_owned()),
        tool: "find".to_owned(),
        arguments: r#"{"q":1}"#.to_owned(),
        reach: None,
        judge: Judge { reading: OutcomeRules::Json, ..judge() },
    };
    let plan = Plan { then, ..plan(Step::Send(get(registry.url("/")))) };
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&records);
    let host = host().with_audit(move |record: &Record| kept.lock().unwrap().push(record.clone()));
    assert_eq!(call(&host, &plan).await, Ok(Answer::Json(r#"{"found":2}"#.to_owned())));
    let records = records.lock().unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].targets, [registry.url(""), tool.url("")]);
}

#[tokio::test]
async fn nothing_is_done_while_something_is_missing() {
    let server = Server::answering(|_| answer("200 OK", "", "")).await;
    let host = host();
    for missing in
        [Missing::Value("KEY".to_owned()), Missing::Installation("npm install x".to_owned())]
    {
        let plan =
            Plan { missing: vec![missing.clone()], ..plan(Step::Send(get(server.url("/")))) };
        assert_eq!(call(&host, &plan).await, Err(Error::Missing(vec![missing])));
    }
    // A plan of another day says nothing of values that are gone.
    let plan =
        Plan { variables: vec![variable("KEY", true)], ..plan(Step::Send(get(server.url("/")))) };
    let lacks = vec![Missing::Value("KEY".to_owned())];
    assert_eq!(call(&host, &plan).await, Err(Error::Missing(lacks)));
    assert!(server.requests().is_empty());
    let mut values = Values::new();
    values.set("KEY", "1");
    let plan = Plan { missing: vec![Missing::Value("KEY".to_owned())], ..plan };
    assert!(host.call(&plan, &Origin::default(), &values).await.is_ok());
}

#[tokio::test]
async fn a_secret_is_never_an_argument_or_part_of_a_url() {
    let host = host();
    let mut values = Values::new();
    values.set("KEY", "s3cret");
    let mut word = Template::default();
    word.push_placeholder("KEY", PlaceholderPosition::Plain);
    let mut url = Template::from("http://127.0.0.1:1/");
    url.push_placeholder("KEY", PlaceholderPosition::Url);
    let run = Step::Run(Program { argv: vec!["echo".into(), word], ..program(&[]) });
    let send = Request { method: "GET".to_owned(), url, headers: Vec::new(), body: None };
    for step in [run, Step::Send(send)] {
        for variables in [vec![variable("KEY", true)], vec![]] {
            let plan = Plan { variables, ..plan(step.clone()) };
            let refused = host.call(&plan, &Origin::default(), &values).await;
            assert_eq!(refused, Err(Error::Exposed("KEY".to_owned())));
        }
    }
}

#[tokio::test]
async fn what_a_tool_says_of_its_failure_is_told_without_secrets() {
    let program =
        Program { variables: vec!["KEY".to_owned()], ..sh("echo \"no $KEY\" >&2; exit 1") };
    let plan = Plan { variables: vec![variable("KEY", true)], ..plan(Step::Run(program)) };
    let mut values = Values::new();
    values.set("KEY", "plain-words");
    let failed = host().call(&plan, &Origin::default(), &values).await.unwrap_err().to_string();
    assert!(failed.contains("no ${KEY}") && !failed.contains("plain-words"), "{failed}");
}

#[tokio::test]
async fn a_record_has_names_and_no_values() {
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&records);
    let host = host().with_audit(move |record: &Record| kept.lock().unwrap().push(record.clone()));
    let mut values = Values::new();
    values.set("KEY", "s3cret");
    let server = Server::answering(|_| answer("200 OK", "", "s3cret")).await;
    let variables = vec![variable("KEY", true)];
    for step in [
        Step::Run(sh("echo s3cret >&2; exit 1")),
        Step::Send(get(server.url("/s3cret?q=s3cret"))),
        Step::Run(program(&["s3cret-not-there"])),
    ] {
        let plan = Plan { variables: variables.clone(), ..plan(step) };
        let _ = host.call(&plan, &Origin::default(), &values).await;
    }
    let _ = call(&host, &Plan { variables, ..plan(Step::Run(sh("true"))) }).await;
    let given_up = plan(Step::Run(sh("sleep 7391.52")));
    let _ = tokio::time::timeout(Duration::from_millis(200), call(&host, &given_up)).await;

    let records = records.lock().unwrap();
    let ends: Vec<CallEnd> = records.iter().map(|record| record.end).collect();
    let expected =
        [CallEnd::Failed, CallEnd::Answered, CallEnd::Failed, CallEnd::Refused, CallEnd::Cancelled];
    assert_eq!(ends, expected);
    for record in [&records[0], &records[1]] {
        let line = record.to_string();
        assert!(!line.contains("s3cret"), "{line}");
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(line["tool"], "notes.find");
        assert_eq!(line["variables"], serde_json::json!(["KEY"]));
        assert!(line["began_ms"].as_u64() > Some(1_700_000_000_000) && line["took_ms"].is_u64());
    }
    let end = |record: &Record| {
        let line: serde_json::Value = serde_json::from_str(&record.to_string()).unwrap();
        line["end"].clone()
    };
    let ends: Vec<_> = records.iter().map(end).collect();
    assert_eq!(ends, ["failed", "answered", "failed", "refused", "given-up"]);
    assert_eq!(records[0].targets, ["sh"]);
    assert_eq!(records[1].targets, [server.url("")]);
}

/// Each call is a line of the log; what has grown too large is put aside.
#[tokio::test]
async fn calls_are_logged() {
    let root = folder("log");
    std::fs::remove_dir(&root).unwrap();
    let log = || Log::in_folder(&root).unwrap();
    let lines = |file: &str| {
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        text.lines().filter(|line| line.contains("\"end\":\"answered\"")).count()
    };
    let logged = host().with_audit(log());
    for number in 1..3 {
        call(&logged, &plan(Step::Run(sh("true")))).await.unwrap();
        assert_eq!((lines("calls.jsonl"), lines("calls.1.jsonl")), (number, 0));
    }
    let large = [vec![b' '; 8 << 20], b"\n".to_vec()].concat();
    std::fs::write(root.join("calls.jsonl"), large).unwrap();
    call(&host().with_audit(log()), &plan(Step::Run(sh("true")))).await.unwrap();
    assert_eq!((lines("calls.jsonl"), lines("calls.1.jsonl")), (1, 0));
    assert!(root.join("calls.1.jsonl").metadata().unwrap().len() > 8 << 20);
}

/// Only modules of Node export anything.
#[tokio::test]
async fn a_program_exports_nothing() {
    let exported = host().list_exports(&Step::Run(sh("true")), &Origin::default(), LONG).await;
    assert_eq!(exported, Ok(None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_wait_for_their_turn() {
    let at_once = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (now, peak) = (Arc::clone(&at_once), Arc::clone(&most));
    let server = Server::handling(move |_, mut stream| {
        let (now, peak) = (Arc::clone(&now), Arc::clone(&peak));
        async move {
            peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(5)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            let _ = stream.write_all(answer("200 OK", "", "x").as_bytes()).await;
        }
    })
    .await;
    let limits = Limits { calls: 8, ..Limits::default() };
    let host =
        Host::new(Options { limits, private_addresses: true, ..Options::default() }).unwrap();
    let (send, run) = (plan(Step::Send(get(server.url("/")))), plan(Step::Run(program(&["true"]))));
    let calls = (0..1000).map(|index| call(&host, if index % 4 == 0 { &run } else { &send }));
    for answer in futures_util::future::join_all(calls).await {
        assert!(answer.is_ok(), "{answer:?}");
    }
    let most = most.load(Ordering::SeqCst);
    assert!((1..=8).contains(&most), "{most} at once");
}

#[tokio::test]
async fn no_more_calls_wait_than_may() {
    let limits = Limits { calls: 1, waiting: 2, ..Limits::default() };
    let host = Host::new(Options { limits, ..Options::default() }).unwrap();
    let slow = plan(Step::Run(sh("sleep 0.3")));
    let calls = (0..5).map(|_| call(&host, &slow));
    let answers = futures_util::future::join_all(calls).await;
    let busy = answers.iter().filter(|answer| **answer == Err(Error::Busy)).count();
    let made = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!((made, busy), (3, 2));
    assert!(call(&host, &slow).await.is_ok(), "there is room again");
}

#[tokio::test]
async fn calls_that_are_given_up_leave_nothing_behind() {
    let limits = Limits { calls: 4, ..Limits::default() };
    let host = Host::new(Options { limits, ..Options::default() }).unwrap();
    let hangs = plan(Step::Run(sh("sleep 7391.53 & sleep 7391.53")));
    {
        let calls = futures_util::future::join_all((0..20).map(|_| call(&host, &hangs)));
        tokio::select! {
            _ = calls => panic!("they hang"),
            () = until("they run", || runs("7391.53")) => {}
        }
    }
    until("they are ended", || !runs("7391.53")).await;
    let said = call(&host, &plan(Step::Run(sh("echo here")))).await;
    assert_eq!(said, Ok(Answer::Text("here\n".to_owned())));
}

/// A file is kept only if it is the one that was promised, and can be run then.
#[tokio::test]
async fn what_is_fetched_is_what_was_promised() {
    use call::{Download, FindKind, FindTarget, Outcome};
    use std::os::unix::fs::PermissionsExt;

    let server = Server::answering(|_| answer("200 OK", "", "abc")).await;
    let folder = std::env::temp_dir().join(format!("toolglot-fetch-{}", std::process::id()));
    let (host, origin, second) = (host(), Origin::folder(&folder), Duration::from_secs(5));
    let fetched = |sha256: &str| {
        let (url, sha256) = (server.url("/tool"), sha256.to_owned());
        Step::Fetch(Download { url, sha256, path: "bin/tool".to_owned() })
    };
    let wrong = fetched(&"0".repeat(64));
    let done = host.run_unchecked(&wrong, &origin, &Values::new(), second).await;
    assert!(matches!(done, Outcome::NotDone(_)), "{done:?}");
    assert!(!folder.exists());
    let right = fetched("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    let done = host.run_unchecked(&right, &origin, &Values::new(), second).await;
    assert_eq!(done, Outcome::Done);
    let about = folder.join("bin/tool").metadata().unwrap();
    assert_eq!(about.permissions().mode() & 0o100, 0o100);
    std::fs::remove_dir_all(&folder).unwrap();

    for (what, name, there) in [
        (FindKind::Program, "sh", true),
        (FindKind::Program, "not-there-7391", false),
        (FindKind::Program, "../sh", false),
        (FindKind::Server, "sh", false),
    ] {
        let step = Step::Find(FindTarget { what, name: name.to_owned() });
        let done = host.run_unchecked(&step, &Origin::default(), &Values::new(), second).await;
        assert_eq!(done == Outcome::Done, there, "{name} {done:?}");
    }
}
