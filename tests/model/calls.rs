//! Calls of tools that are written down as descriptors: what is refused, what is warned of,
//! what is missing, and what comes of an outcome.

use call::{
    Answer, Concern, End, Failure, FailureKind, Grant, HostFacts, Judge, Missing, Next, Outcome,
    PlaceholderPosition, Plan, Planned, Policy, Program, Retry, Server, Step, Template, Verdict,
    plan,
};
use manifest_core::format::{Contract, HostRules, OutcomeRules, ProgramSearch};
use manifest_core::{Limits, ToolDescriptor};
use serde_json::{Value, json};

const PLAIN: Contract = Contract {
    extra_arguments: Contract::REFUSED,
    examples: "",
    fills_defaults: true,
    keeps_timeout: true,
    environment: "",
    directory: "",
    timeout: "",
    result: "",
    failure: "",
    host_rules: HostRules::PLAIN,
};

fn with<T>(tool: &Value, run: impl FnOnce(&ToolDescriptor<'_>) -> T) -> T {
    let text = tool.to_string();
    run(&serde_json::from_str(&text).expect("a descriptor"))
}

/// The plan of a call that nobody has to approve, or the codes of what is wrong.
fn planned(tool: &Value, arguments: &Value, policy: &Policy) -> Result<Plan, Vec<&'static str>> {
    decided(tool, arguments, policy).ready().map_err(|refused| {
        let report = refused.report().unwrap_or_else(|| panic!("{refused}"));
        report.diagnostics.iter().map(|found| found.rule.code).collect()
    })
}

/// The decision about a call, where only the variable `SET` has a value.
fn decided(tool: &Value, arguments: &Value, policy: &Policy) -> Planned {
    with(tool, |tool| {
        let facts = HostFacts {
            has_value: &|name| name == "SET",
            installed: false,
            ..HostFacts::new(policy)
        };
        plan(tool, &PLAIN, &arguments.to_string(), &facts, &Limits::default())
    })
}

fn any() -> Policy {
    Policy { grants: [Grant::Approved].into(), ..Policy::default() }
}

/// A program that is given templates.
#[allow(clippy::needless_pass_by_value)] // written out where it is called
fn program(templates: &[&str], schema: Value) -> Value {
    json!({
        "id": "t", "side_effects": "read", "input_schema": schema,
        "invocation": {"command": {"argv": ["t"], "input": {"templates": templates}}},
        "package": {"env": [
            {"name": "SET", "secret": false}, {"name": "UNSET", "secret": false},
            {"name": "KEY", "secret": true},
        ]},
    })
}

#[allow(clippy::needless_pass_by_value)] // written out where it is called
fn request(http: Value) -> Value {
    json!({
        "id": "t", "side_effects": "read", "input_schema": {"additionalProperties": true},
        "invocation": {"http": http},
        "package": {"env": [{"name": "KEY", "secret": true}, {"name": "SET", "secret": false}]},
    })
}

#[test]
fn what_cannot_be_called_is_refused_by_a_rule() {
    let open = || json!({"additionalProperties": true});
    let one = |template: &str| program(&[template], open());
    let long = format!("${{input.x}}{}", "x".repeat(20_000));
    let get = |url: &str, path: &str| {
        request(json!({"method": "GET", "url": url, "path": path, "body": "rest"}))
    };
    let header = |name: &str, value: &str| {
        request(
            json!({"method": "POST", "url": "https://a.example", "headers": {name: value}, "body": "whole"}),
        )
    };
    let cases: Vec<(Value, Value, &str)> = vec![
        (program(&[], json!({"required": ["x"]})), json!({}), "call/arguments"),
        (program(&[], open()), json!([1]), "call/arguments"),
        (program(&[], json!({"properties": {}})), json!({"y": 1}), "call/unknown-argument"),
        (json!({"id": "t"}), json!({}), "call/no-call"),
        (
            json!({"id": "t", "invocation": {"command_line": "curl a | sh"}}),
            json!({}),
            "call/shell",
        ),
        (json!({"id": "t", "invocation": {"python": "no_function"}}), json!({}), "call/no-call"),
        (one("${input.x"), json!({}), "call/template"),
        (one("${env.OTHER}"), json!({}), "call/template"),
        (one("${input.x}"), json!({}), "call/missing-argument"),
        (one("${input.x}"), json!({"x": null}), "call/value"),
        (one("${input.x}"), json!({"x": [1]}), "call/value"),
        (one("${input.x}"), json!({"x": "a\u{0}b"}), "call/value"),
        (one("${env.KEY}"), json!({}), "call/secret-place"),
        (one(&long), json!({"x": "a"}), "call/size"),
        (get("https://a.example", "/${env.KEY}"), json!({}), "call/secret-place"),
        (get("https://a.example", "/a/${input.x}"), json!({"x": ".."}), "call/value"),
        (get("https://a.example", "/a/.${input.x}"), json!({"x": "."}), "call/value"),
        (get("https://a.example", "/a/${input.x}"), json!({"x": ""}), "call/value"),
        (get("https://a.example", ".evil.example/"), json!({}), "call/value"),
        (get("https://a.example", "@evil.example/"), json!({}), "call/value"),
        (get("https://a.example", ":8080/"), json!({}), "call/value"),
        (get("https://a.example", "//evil.example/"), json!({}), "call/value"),
        (get("https://a.example", "/a b"), json!({}), "call/value"),
        (get("https://a.example", "/a\u{a0}b"), json!({}), "call/value"),
        (get("https://a.example", "/a\u{7}b"), json!({}), "call/value"),
        (get("https://a.example", "/a\\b"), json!({}), "call/value"),
        (get("https://a.example", "/a#b"), json!({}), "call/value"),
        (get("https://a.example?a=b", "/"), json!({}), "call/url"),
        (get("file:///etc", "/passwd"), json!({}), "call/url"),
        (get("https://me:secret@a.example", "/"), json!({}), "call/url"),
        (get("https://${input.x}", "/"), json!({"x": "evil.example"}), "call/url"),
        (header("X-Y", "${input.x}"), json!({"x": "a\r\nHost: evil"}), "call/value"),
        (header("Host", "evil.example"), json!({}), "call/value"),
        (header("a b", "x"), json!({}), "call/value"),
        (header("X-Y", "x\r\nHost: evil"), json!({}), "call/value"),
        (header("X-Y", " x"), json!({}), "call/value"),
        (one("x\u{0}"), json!({}), "call/value"),
    ];
    for (tool, arguments, code) in cases {
        assert_eq!(planned(&tool, &arguments, &any()).unwrap_err(), [code], "{tool} {arguments}");
    }
}

#[test]
fn what_looks_wrong_is_warned_of() {
    let open = || json!({"additionalProperties": true});
    let warnings = |tool: &Value, arguments: Value| {
        let made = planned(tool, &arguments, &any()).unwrap();
        made.warnings.into_iter().map(|found| found.rule).collect::<Vec<_>>()
    };
    let value = program(&["${input.x}"], open());
    assert_eq!(warnings(&value, json!({"x": "--help"})), ["call/option-value"]);
    assert!(warnings(&value, json!({"x": "-1"})).is_empty());
    assert!(warnings(&program(&["--", "${input.x}"], open()), json!({"x": "--help"})).is_empty());
    let get = request(
        json!({"method": "GET", "url": "https://a.example", "path": "/${input.x}", "body": "rest"}),
    );
    assert_eq!(warnings(&get, json!({"x": "a", "y": 1})), ["call/unsent"]);
    let plain = request(
        json!({"method": "POST", "url": "http://a.example", "headers": {"X": "${env.KEY}"}, "body": "whole"}),
    );
    assert_eq!(warnings(&plain, json!({})), ["call/insecure"]);
    let without = request(json!({"method": "POST", "url": "http://a.example", "body": "whole"}));
    assert!(warnings(&without, json!({})).is_empty());
    let encrypted = request(
        json!({"method": "POST", "url": "https://a.example", "headers": {"X": "${env.KEY}"}, "body": "whole"}),
    );
    assert!(warnings(&encrypted, json!({})).is_empty());
}

#[test]
fn values_go_where_they_belong_and_nowhere_else() {
    let post = request(json!({
        "method": "post", "url": "https://a.example/v1/", "path": "/x/${input.id}?q=${input.q}",
        "headers": {"Authorization": "Bearer ${env.KEY}"}, "body": "rest",
    }));
    let made = planned(&post, &json!({"id": "a/b", "q": "c&d", "rest": 1}), &any()).unwrap();
    let Step::Send(request) = &made.step else { panic!("{made:?}") };
    assert_eq!(request.method, "POST");
    assert_eq!(request.url.to_string(), "https://a.example/v1/x/a%2Fb?q=c%26d");
    assert_eq!(request.body, Some(r#"{"rest":1}"#.into()));
    assert_eq!(request.headers[0].1.to_string(), "Bearer ${KEY}");
    assert_eq!(request.headers[0].1.fill(&|_| Some("k")).as_deref(), Ok("Bearer k"));
    assert!(request.headers[0].1.fill(&|_| Some("k\r\nX: y")).is_err());
    assert_eq!(made.missing, [Missing::Value("KEY".into())]);
    assert!(made.variables[0].secret && made.variables[0].required);
}

/// A program gets its arguments in one way, and is started where its manifest says.
#[test]
fn arguments_reach_a_program_in_one_way() {
    let whole = r#"{"x":"a b","argv_extra":["-v","c d"]}"#;
    let cases = [
        (json!("extra"), vec!["t", "-v", "c d"], None),
        (json!("stdin"), vec!["t"], Some(whole)),
        (json!("argument"), vec!["t", whole], None),
        (json!({"templates": ["--x=${input.x}", "."]}), vec!["t", "--x=a b", "."], None),
        (json!({"templates_and_stdin": ["${input.x}"]}), vec!["t", "a b"], Some(whole)),
    ];
    for (input, argv, stdin) in cases {
        for cwd in [Value::Null, json!("/opt/t")] {
            let tool = json!({
                "id": "t", "input_schema": {"additionalProperties": true},
                "invocation": {"command": {"argv": ["t"], "cwd": cwd, "input": input}},
                "package": {"env": [{"name": "SET"}]},
            });
            let calling = HostRules {
                inherited_env: &["PATH"],
                program_search: ProgramSearch::System,
                ..HostRules::PLAIN
            };
            let made = with(&tool, |tool| {
                let policy = any();
                let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
                let contract = Contract { host_rules: calling, ..PLAIN };
                plan(tool, &contract, whole, &facts, &Limits::default()).ready().unwrap()
            });
            let expected = Program {
                argv: argv.iter().map(|word| Template::from(*word)).collect(),
                cwd: cwd.as_str().map(str::to_owned),
                stdin: stdin.map(str::to_owned),
                base: ProgramSearch::System,
                inherit: vec!["PATH".to_owned()],
                variables: vec!["SET".to_owned()],
            };
            assert!(matches!(&made.step, Step::Run(program) if *program == expected), "{made:#?}");
        }
    }
}

#[test]
fn what_is_missing_is_said_all_at_once() {
    let mut tool =
        program(&["--with=${env.UNSET}", "${env.SET}"], json!({"additionalProperties": true}));
    tool["side_effects"] = json!("destructive");
    tool["package"]["acquisition"] = json!({"pip": {"package": "acme", "version_spec": ">=1"}});
    let Planned::Ask(ask) = decided(&tool, &json!({}), &Policy::default()) else {
        panic!("a question")
    };
    assert_eq!(ask.concerns(), [Concern::Approval, Concern::Destructive, Concern::Secrets]);
    let missing = [Missing::Installation("pip: acme >=1".into()), Missing::Value("UNSET".into())];
    assert_eq!(ask.approve().missing, missing);
}

#[test]
fn policy_allows_asks_or_refuses() {
    let verdict =
        |tool: Value, policy: &Policy| with(&tool, |tool| policy.judge(tool, &HostRules::PLAIN));
    let none = Policy::default();
    let granted = |grant| Policy { grants: [grant].into(), ..Policy::default() };
    let read = |more: Value| {
        let mut tool = json!({"id": "t", "side_effects": "read"});
        tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tool
    };
    assert_eq!(verdict(read(json!({})), &none), Verdict::Allow);
    // What is unknown is asked, and granted by naming the file.
    assert_eq!(verdict(json!({"id": "t"}), &none), Verdict::Ask(vec![Concern::UnknownEffects]));
    assert_eq!(verdict(json!({"id": "t"}), &granted(Grant::Unknown)), Verdict::Allow);
    // What is written is not granted by that.
    let asks = read(json!({"requires_approval": true}));
    assert_eq!(
        verdict(asks.clone(), &granted(Grant::Unknown)),
        Verdict::Ask(vec![Concern::Approval])
    );
    assert_eq!(verdict(asks, &granted(Grant::Approved)), Verdict::Allow);
    // No approval switches a tool on: that needs a word of its own.
    let off = read(json!({"enabled": false}));
    assert_eq!(
        verdict(off.clone(), &granted(Grant::Approved)),
        Verdict::Refuse(vec![Concern::Disabled])
    );
    assert_eq!(verdict(off, &granted(Grant::Disabled)), Verdict::Allow);
    let stranger = read(json!({"trust": "untrusted"}));
    assert_eq!(verdict(stranger, &none), Verdict::Refuse(vec![Concern::Untrusted]));
    let writes = json!({"id": "t", "side_effects": "write"});
    assert_eq!(verdict(writes, &none), Verdict::Ask(vec![Concern::Changes]));
}

/// A grant covers what it names, and what is less, and nothing more.
#[test]
fn a_grant_covers_what_it_names() {
    use Concern::{Changes, Destructive, Devices, Files, Network, Payment};
    let effects = |word: &str| json!({"side_effects": word});
    let files = |word: &str| json!({"permissions": {"filesystem": word}});
    let hosts = |hosts: &[&str]| json!({"permissions": {"network": "allowlist", "hosts": hosts}});
    let devices = |devices: &[&str]| json!({"permissions": {"devices": devices}});
    let cases = [
        (json!({}), effects("read"), None),
        (json!({}), effects("write"), Some(Changes)),
        (json!({}), effects("destructive"), Some(Destructive)),
        (json!({"effects": "write"}), effects("write"), None),
        (json!({"effects": "write"}), effects("destructive"), Some(Destructive)),
        (json!({"effects": "destructive"}), effects("destructive"), None),
        (json!({"effects": "destructive"}), effects("write"), None),
        (json!({}), files("write"), None),
        (json!({"files": "none"}), files("none"), None),
        (json!({"files": "none"}), files("read"), Some(Files)),
        (json!({"files": "read"}), files("none"), None),
        (json!({"files": "read"}), files("read"), None),
        (json!({"files": "read"}), files("write"), Some(Files)),
        (json!({"files": "write"}), files("write"), None),
        (json!({"files": "none"}), json!({}), None),
        (json!({}), hosts(&["a.example"]), None),
        (json!({"hosts": ["a.example"]}), hosts(&["a.example"]), None),
        (json!({"hosts": ["a.example"]}), hosts(&["a.example", "b.example"]), Some(Network)),
        (json!({"hosts": []}), hosts(&["a.example"]), Some(Network)),
        (json!({"hosts": []}), hosts(&[]), None),
        (json!({"hosts": ["a.example"]}), json!({}), None),
        (json!({}), devices(&["camera"]), Some(Devices)),
        (json!({"devices": ["camera"]}), devices(&["camera"]), None),
        (json!({"devices": ["camera"]}), devices(&["camera", "microphone"]), Some(Devices)),
        (json!({}), json!({"package": {"cost": {"payment": true}}}), Some(Payment)),
        (json!({}), json!({"package": {"cost": {"payment": false}}}), None),
    ];
    for (mut policy, more, concern) in cases {
        policy["grants"] = json!(["unknown"]);
        let mut tool = json!({"id": "t"});
        tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let policy: Policy = serde_json::from_value(policy).unwrap();
        let mut found = with(&tool, |tool| policy.concerns(tool, &HostRules::PLAIN));
        // Asked about in any case, where it cannot be undone or costs money.
        found.retain(|concern| *concern != Concern::Approval);
        assert_eq!(found, Vec::from_iter(concern), "{policy:?} {tool}");
    }
}

/// A channel is granted by name, and a sign-in by nobody: the manifest must have a secret for it.
#[test]
fn channels_and_sign_ins() {
    let calling = HostRules { sign_in_prefix: Some("OAUTH_"), ..HostRules::PLAIN };
    let verdict = |tool: &Value, policy: &Policy, calling: &HostRules| {
        with(tool, |tool| policy.judge(tool, calling))
    };
    let approved = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let granted: Policy =
        serde_json::from_str(r#"{"grants": ["approved"], "channels": ["vdi_vpn"]}"#).unwrap();
    for (channel, allowed) in [("programmatic", true), ("vdi-vpn", false)] {
        let tool = json!({"id": "t", "channel": channel});
        let refused = Verdict::Refuse(vec![Concern::Channel, Concern::UnknownEffects]);
        let expected = if allowed { Verdict::Allow } else { refused };
        assert_eq!(verdict(&tool, &approved, &calling), expected, "{channel}");
        assert_eq!(verdict(&tool, &granted, &calling), Verdict::Allow, "{channel}");
    }
    let tool = |scheme: &str, name: &str| json!({"id": "t", "auth": {"scheme": scheme}, "package": {"env": [{"name": name}]}});
    let is_refused = |tool: &Value, calling: &HostRules| {
        matches!(verdict(tool, &granted, calling),
            Verdict::Refuse(concerns) if concerns.contains(&Concern::SignIn))
    };
    assert!(is_refused(&tool("oauth2", "TOKEN"), &calling));
    assert!(is_refused(&json!({"id": "t", "auth": {"scheme": "oauth2"}}), &calling));
    assert!(Concern::SignIn.is_final() && !Concern::Channel.is_final());
    assert!(!is_refused(&tool("oauth2", "oauth_google"), &calling));
    assert!(!is_refused(&tool("bearer", "TOKEN"), &calling));
    // Other formats do not say how such a secret is called.
    assert!(!is_refused(&tool("oauth2", "TOKEN"), &HostRules::PLAIN));
}

fn judged(calling: HostRules, tool: &Value, outcome: &Outcome) -> Result<Answer, Failure> {
    let contract = Contract { host_rules: calling, ..PLAIN };
    let policy = any();
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
    let limits = Limits::default();
    let made = with(tool, |tool| plan(tool, &contract, "{}", &facts, &limits).ready().unwrap());
    match made.next(outcome, &limits) {
        Next::Done(answer) => answer,
        Next::Go(next) => panic!("{next:?}"),
    }
}

fn exited(code: i32, stdout: &str, stderr: &str) -> Outcome {
    Outcome::Exited { end: End::Exit(code), stdout: stdout.into(), stderr: stderr.into() }
}

#[test]
fn each_host_reads_an_outcome_in_its_own_way() {
    let tool = |more: Value| {
        let mut tool =
            json!({"id": "t", "invocation": {"command": {"argv": ["t"], "input": "stdin"}}});
        tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tool
    };
    let plain = tool(json!({}));
    let one_line = HostRules {
        outcome_rules: OutcomeRules::OneLine,
        program_search: ProgramSearch::Folder,
        ..HostRules::PLAIN
    };
    let process = HostRules { outcome_rules: OutcomeRules::Process, ..HostRules::PLAIN };
    let as_json = HostRules { outcome_rules: OutcomeRules::Json, ..HostRules::PLAIN };
    // agentcli: one line; nothing is an empty object; failures are what it wrote.
    assert_eq!(
        judged(one_line, &plain, &exited(0, "{\n \"a\": 1\n}\n", "")),
        Ok(Answer::Text("{ \"a\": 1 }".into()))
    );
    assert_eq!(judged(one_line, &plain, &exited(0, " \n", "")), Ok(Answer::Text("{}".into())));
    assert_eq!(
        judged(one_line, &plain, &exited(3, "", "no zone\n")).unwrap_err().message,
        "no zone"
    );
    assert_eq!(judged(one_line, &plain, &Outcome::TimedOut).unwrap_err().message, "tool timed out");
    // Unison: everything, whatever the code.
    let all = r#"{"returncode":3,"stdout":"a","stderr":"b"}"#;
    assert_eq!(judged(process, &plain, &exited(3, "a", "b")), Ok(Answer::Json(all.into())));
    // MCPKG: JSON, and nothing else.
    assert_eq!(judged(as_json, &plain, &exited(0, "[1]\n", "")), Ok(Answer::Json("[1]".into())));
    assert!(matches!(
        judged(as_json, &plain, &exited(0, "hello", "")).unwrap_err().reason,
        FailureKind::Output(_)
    ));
    // Install manifests: as declared, with the envelope.
    let declared =
        tool(json!({"output_format": "json", "error_envelope": "standard", "idempotent": true,
        "output_schema": {"type": "object"}}));
    assert_eq!(
        judged(HostRules::PLAIN, &declared, &exited(0, "{}", "")),
        Ok(Answer::Json("{}".into()))
    );
    let wrong = judged(HostRules::PLAIN, &declared, &exited(0, "[]", "")).unwrap_err();
    let FailureKind::Output(problems) = &wrong.reason else { panic!("{wrong:?}") };
    assert_eq!(problems[0].rule.code, "call/output");
    let failed = judged(
        HostRules::PLAIN,
        &declared,
        &exited(1, r#"{"error":{"code":"E1","message":"full"}}"#, ""),
    )
    .unwrap_err();
    assert_eq!(failed.to_string(), "E1: full");
    let late = judged(HostRules::PLAIN, &declared, &Outcome::TimedOut).unwrap_err();
    assert_eq!((late.reason, late.retry), (FailureKind::TimedOut, Retry::Safe));
    let text = tool(json!({"output_format": "text"}));
    assert_eq!(
        judged(HostRules::PLAIN, &text, &exited(0, "a\n", "")),
        Ok(Answer::Text("a\n".into()))
    );
    let records = tool(json!({"output_format": "ndjson-stream"}));
    assert_eq!(
        judged(HostRules::PLAIN, &records, &exited(0, "{}\n\n{\"a\":1}\n", "")),
        Ok(Answer::Records(vec!["{}".into(), "{\"a\":1}".into()]))
    );
}

#[test]
fn servers_are_judged_by_status_and_by_what_they_say() {
    let tool = json!({"id": "t", "invocation": {"http": {"method": "POST", "url": "https://a.example", "body": "whole"}}});
    let responded = |status, body: &str| Outcome::Responded { status, body: body.into() };
    assert_eq!(
        judged(HostRules::PLAIN, &tool, &responded(201, "ok")),
        Ok(Answer::Text("ok".into()))
    );
    for (status, retry) in [(404, Retry::Useless), (429, Retry::Safe), (503, Retry::Unsafe)] {
        let failed = judged(HostRules::PLAIN, &tool, &responded(status, "")).unwrap_err();
        assert_eq!((failed.reason, failed.retry), (FailureKind::Status(status), retry));
    }
    let mcp = json!({"id": "t", "invocation": {"mcp_tool": {"tool": "x", "argv": ["server"]}}});
    let returned = |value: Value| Outcome::Returned(value.to_string());
    let content = json!([{"type": "text", "text": "hi"}]);
    assert_eq!(
        judged(HostRules::PLAIN, &mcp, &returned(json!({"content": content}))),
        Ok(Answer::Text("hi".into()))
    );
    let structured = json!({"content": content, "structuredContent": {"a": 1}});
    assert_eq!(
        judged(HostRules::PLAIN, &mcp, &returned(structured)),
        Ok(Answer::Json("{\"a\":1}".into()))
    );
    let failed =
        judged(HostRules::PLAIN, &mcp, &returned(json!({"content": content, "isError": true})));
    assert_eq!(failed.unwrap_err().message, "hi");
    // What a server returns is read as it says, however the host reads what programs print.
    let one_line = HostRules { outcome_rules: OutcomeRules::OneLine, ..HostRules::PLAIN };
    let structured = json!({"content": content, "structuredContent": {"a": [1, 2]}});
    assert_eq!(
        judged(one_line, &mcp, &returned(structured)),
        Ok(Answer::Json("{\"a\":[1,2]}".into()))
    );
}

/// The standard error object says why; the status says whether to try again.
#[test]
fn an_error_object_keeps_its_details_and_the_status_its_say() {
    let tool = json!({"id": "t", "error_envelope": "standard", "invocation":
        {"http": {"method": "POST", "url": "https://a.example", "body": "whole"}}});
    let body = r#"{"error": {"code": "BUSY", "message": "later", "details": {"seconds": 3}}}"#;
    for (status, retry) in [(200, Retry::Useless), (404, Retry::Useless), (429, Retry::Safe)] {
        let outcome = Outcome::Responded { status, body: body.into() };
        let failed = judged(HostRules::PLAIN, &tool, &outcome).unwrap_err();
        assert_eq!((failed.code.as_deref(), failed.message.as_str()), (Some("BUSY"), "later"));
        assert_eq!(failed.details.unwrap().as_str(), r#"{"seconds": 3}"#);
        assert_eq!(failed.retry, retry, "{status}");
    }
}

/// A server is found on the search path, also where programs are files of the package, and starts
/// where its manifest says. A line within a package runs there.
#[test]
fn a_server_and_a_line_are_started_where_they_belong() {
    let policy = any();
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
    let calling = HostRules { program_search: ProgramSearch::Folder, ..HostRules::PLAIN };
    let contract = Contract { host_rules: calling, ..PLAIN };
    let step = |call: Value| {
        let tool = json!({"id": "t", "invocation": call});
        with(&tool, |tool| {
            plan(tool, &contract, "{}", &facts, &Limits::default()).ready().unwrap().step
        })
    };
    let words =
        |program: &Program| program.argv.iter().map(ToString::to_string).collect::<Vec<_>>();

    let server = json!({"mcp_tool": {"tool": "find", "argv": ["npx", "notes"], "cwd": "work"}});
    let Step::CallTool(call) = step(server) else { panic!("a call of a tool") };
    let Server::Stdio(program) = &call.server else { panic!("a program") };
    assert_eq!((call.tool.as_str(), words(program)), ("find", vec!["npx".into(), "notes".into()]));
    assert_eq!((program.base, program.cwd.as_deref()), (ProgramSearch::SearchPath, Some("work")));

    let Step::Run(program) = step(json!({"command_line": "bin/find 'a b'"})) else {
        panic!("a program")
    };
    assert_eq!(words(&program), ["bin/find", "a b", "{}"]);
    assert_eq!((program.base, program.cwd.as_deref()), (ProgramSearch::Folder, Some(".")));
}

/// Unison's registry: a list, or an object with one; a server by its name, or by the tool that
/// it has.
#[test]
fn a_registry_tells_where_the_call_goes() {
    let limits = Limits::default();
    let policy = any();
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
    let calling = HostRules { outcome_rules: OutcomeRules::Json, ..HostRules::PLAIN };
    let contract = Contract { host_rules: calling, extra_arguments: "passed on", ..PLAIN };
    let servers = json!([
        {"id": "one", "base_url": "https://one.example/", "tools": [{"name": "other"}]},
        {"name": "two", "url": "https://two.example", "tools": [{"name": "find it"}]},
    ]);
    let cases = [
        (None, servers.clone(), Ok("https://two.example/tools/find%20it")),
        (Some("one"), json!({"servers": servers}), Ok("https://one.example/tools/find%20it")),
        (Some("three"), servers, Err("call/url")),
        (None, json!([{"url": "file:///etc", "tools": [{"name": "find it"}]}]), Err("call/url")),
    ];
    for (server, registry, wanted) in cases {
        // What the tool returns is of no concern to what the registry answers.
        let tool = json!({"id": "t", "output_schema": {"type": "string"}, "invocation": {
            "registry_tool": {
                "registry": "https://registry.example", "tool": "find it", "server": server,
            },
        }});
        let mut made = with(&tool, |tool| {
            plan(tool, &contract, r#"{"a":1}"#, &facts, &limits).ready().unwrap()
        });
        // What was warned of before the first step is not said again.
        let option = program(&["${input.x}"], json!({"additionalProperties": true}));
        made.warnings = planned(&option, &json!({"x": "--help"}), &any()).unwrap().warnings;
        assert_eq!(made.warnings.len(), 1);
        let outcome = Outcome::Responded { status: 200, body: registry.to_string().into() };
        match (made.next(&outcome, &limits), wanted) {
            (Next::Go(next), Ok(url)) => {
                let Step::Send(request) = &next.step else { panic!("{next:?}") };
                assert_eq!(
                    (request.method.as_str(), request.url.to_string().as_str()),
                    ("POST", url)
                );
                assert_eq!(request.body, Some(r#"{"arguments":{"a":1}}"#.into()));
                assert!(next.warnings.is_empty());
                // What comes then is the answer of the tool.
                let outcome = Outcome::Responded { status: 200, body: r#""found""#.into() };
                let Next::Done(answer) = next.next(&outcome, &limits) else { panic!("{next:?}") };
                assert_eq!(answer, Ok(Answer::Json(r#""found""#.into())));
            }
            (Next::Done(Err(failure)), Err(code)) => {
                let FailureKind::Output(problems) = failure.reason else { panic!("{failure:?}") };
                assert_eq!(problems[0].rule.code, code);
            }
            (next, wanted) => panic!("{next:?} {wanted:?}"),
        }
    }
}

/// What POSIX says of quotes, and of the characters that a shell acts on outside of them.
#[test]
fn a_line_is_split_where_a_shell_would_only_split() {
    for (line, words) in [
        ("a b", Some(vec!["a", "b"])),
        ("  a   b ", Some(vec!["a", "b"])),
        ("a 'b | c'", Some(vec!["a", "b | c"])),
        ("a 'b' | c", None),
        ("a '$b' c", Some(vec!["a", "$b", "c"])),
        (r#"a "b; c""#, Some(vec!["a", "b; c"])),
        (r#"a "b"; c"#, None),
        (r#"a "$b""#, None),
        (r#"a "`b`""#, None),
        (r#"a "it's" $b"#, None),
        (r#"a "it's; so""#, Some(vec!["a", "it's; so"])),
        (r#"a 'say "so"' ; b"#, None),
        (r#"a 'say "$so"'"#, Some(vec!["a", r#"say "$so""#])),
        (r"a \$b", Some(vec!["a", "$b"])),
        (r"a \'$b\'", None),
        (r"a 'b\' | c", None),
        (r"a 'b\' c", Some(vec!["a", r"b\", "c"])),
        (r#"a "b\"$c""#, None),
        ("a 'b", None),
        ("", None),
        (" ", None),
    ] {
        let split = call::split_command_line(line);
        assert_eq!(
            split,
            words.map(|words| words.iter().map(ToString::to_string).collect()),
            "{line}"
        );
    }
    for active in "|&;<>()$`*?[#~\n!".chars() {
        assert!(call::needs_shell(&format!("a {active}")), "{active:?}");
        assert!(!call::needs_shell(&format!("a '{active}'")), "{active:?}");
    }
}

/// A person sees where each word of a command ends.
#[test]
fn steps_are_shown_in_a_line() {
    let argv = ["t", "", "a b", "c\td", "--x=\u{1b}[2J"];
    let argv: Vec<Template> = argv.into_iter().map(Template::from).collect();
    let shown = Step::Run(Program { argv, ..Program::default() }).to_string();
    assert!(shown.starts_with(r#"runs t "" "a b" ""#), "{shown}");
    assert!(!shown.contains(char::is_control), "{shown}");
}

/// A value in the name of a host is a part of it, and nothing that ends it.
#[test]
fn a_value_stays_in_its_place() {
    let filled = |at, value: &str| {
        let mut text = Template::from("a");
        text.push_placeholder("X", at);
        text.fill(&|_| Some(value)).ok()
    };
    let cases = [
        (PlaceholderPosition::Host, "b", Some("ab")),
        (PlaceholderPosition::Host, "b.example-1", Some("ab.example-1")),
        (PlaceholderPosition::Host, "", None),
        (PlaceholderPosition::Host, "b/c", None),
        (PlaceholderPosition::Host, "b@c", None),
        (PlaceholderPosition::Host, "b:1", None),
        (PlaceholderPosition::Url, "b/c?", Some("ab%2Fc%3F")),
        (PlaceholderPosition::Url, "", None),
        (PlaceholderPosition::Header, "b c", Some("ab c")),
        (PlaceholderPosition::Header, "", Some("a")),
        (PlaceholderPosition::Header, " b", None),
        (PlaceholderPosition::Header, "b\n", None),
        (PlaceholderPosition::Header, "é", None),
        (PlaceholderPosition::Plain, "é\n ", Some("aé\n ")),
        (PlaceholderPosition::Plain, "\0", None),
    ];
    for (at, value, whole) in cases {
        assert_eq!(filled(at, value).as_deref(), whole, "{at:?} {value:?}");
    }
}

#[test]
fn an_answer_is_bytes_and_may_be_text() {
    let text = |text: &str| text.to_owned();
    for (answer, bytes, read) in [
        (Answer::Json(text("[1]")), &b"[1]"[..], Some("[1]")),
        (Answer::Text(text("é")), "é".as_bytes(), Some("é")),
        (Answer::Records(vec![text("{}"), text("[]")]), b"{}\n[]", Some("{}\n[]")),
        (Answer::Bytes(vec![0xff]), &[0xff], None),
        (Answer::Bytes(b"x".to_vec()), b"x", Some("x")),
        (Answer::Nothing, b"", Some("")),
    ] {
        assert_eq!(answer.text().as_deref(), read);
        assert_eq!(answer.into_bytes(), bytes);
    }
}

/// What the published runner of MCPKG makes of an answer.
#[test]
fn some_hosts_look_at_no_status() {
    let tool = json!({"id": "t", "invocation": {"http": {"method": "POST", "url": "https://a.example", "body": "whole"}}});
    let calling = HostRules { outcome_rules: OutcomeRules::AnyStatus, ..HostRules::PLAIN };
    for (status, body, expected) in [
        (200, "{\"a\": 1}", "{\"a\": 1}"),
        (500, "{\"a\": 1}", "{\"a\": 1}"),
        (204, " \n", "{}"),
        (502, "<a \"b\">", r#"{"response":"<a \"b\">","statusCode":502}"#),
    ] {
        let outcome = Outcome::Responded { status, body: body.into() };
        assert_eq!(judged(calling, &tool, &outcome), Ok(Answer::Json(expected.into())));
    }
    assert!(judged(calling, &tool, &Outcome::TimedOut).is_err());
}

#[test]
fn a_step_can_ask_for_what_is_printed() {
    let judge =
        Judge { prints: Some("abc".to_owned()), ..Judge::for_reading(OutcomeRules::Declared) };
    let limits = Limits::default();
    assert!(judge.judge(&exited(0, " abc\n", ""), &limits).is_ok());
    for outcome in [exited(0, "abd\n", ""), exited(0, "", ""), exited(1, "abc", "")] {
        assert!(judge.judge(&outcome, &limits).is_err(), "{outcome:?}");
    }
    assert!(judge.judge(&Outcome::Done, &limits).is_err());
    assert_eq!(
        Judge::for_reading(OutcomeRules::Json).judge(&Outcome::Done, &limits),
        Ok(Answer::Nothing)
    );
}

#[test]
fn a_tool_that_is_not_there_is_not_called() {
    let tools = [json!({"id": "notes.find"}), json!({"id": "a.list"}), json!({"id": "b.list"})];
    let text = Value::from(tools.to_vec()).to_string();
    let tools: Vec<ToolDescriptor<'_>> = serde_json::from_str(&text).unwrap();
    assert_eq!(*call::find_tool(&tools, "notes.find").unwrap().id, "notes.find");
    let unknown = call::find_tool(&tools, "notes.fnd").unwrap_err();
    assert_eq!(unknown.rule.code, "call/unknown-tool");
    assert_eq!(unknown.help.as_deref(), Some("did you mean \"notes.find\"?"));
    let none = call::find_tool(&[], "notes.find").unwrap_err();
    assert_eq!(none.help.as_deref(), Some("the manifest has no tools"));
}

/// An empty variable of the host is none, and what was collected wins.
#[test]
fn a_program_has_the_environment_that_its_plan_names() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let program = Program {
        inherit: names(&["PATH", "HOME", "LANG", "A=B"]),
        variables: names(&["KEY", "LANG", "UNSET"]),
        ..Program::default()
    };
    let inherited = |name: &str| Some(if name == "HOME" { "" } else { "host" });
    let collected = |name: &str| (name != "UNSET").then_some("mine");
    let found: Vec<_> = program.environment(&inherited, &collected).into_iter().collect();
    assert_eq!(found, [("KEY", "mine"), ("LANG", "mine"), ("PATH", "host")]);
}

/// What the tool says, else what is usual for its host, and never more than that grants.
#[test]
fn a_call_has_the_time_that_is_said_and_granted() {
    let (policy, limits) = (any(), Limits::default());
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
    let calling =
        HostRules { default_timeout_ms: Some(500), max_timeout_ms: Some(2000), ..HostRules::PLAIN };
    let bounded = Contract { host_rules: calling, ..PLAIN };
    let deaf = Contract { keeps_timeout: false, ..bounded };
    for (contract, said, expected) in [
        (&bounded, json!(1500.2), Some(1501)),
        (&bounded, json!(9000), Some(2000)),
        (&bounded, json!(0), Some(500)),
        (&deaf, json!(1500), Some(500)),
        (&PLAIN, json!(9000), Some(9000)),
        (&PLAIN, json!(0), None),
    ] {
        let mut tool = program(&[], json!({"type": "object"}));
        tool["timeout_ms"] = said.clone();
        let made = with(&tool, |tool| plan(tool, contract, "{}", &facts, &limits).ready()).unwrap();
        assert_eq!(made.timeout_ms, expected, "{said}");
    }
}

/// What Unison asks of calls to registries and agents: the manifest must allow every URL.
#[test]
fn a_call_goes_where_its_manifest_allows() {
    let limits = Limits::default();
    let (policy, calling) =
        (any(), HostRules { outcome_rules: OutcomeRules::Json, ..HostRules::PLAIN });
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
    let contract = Contract { host_rules: calling, extra_arguments: "passed on", ..PLAIN };
    let tool = |call: Value, permissions: Value| json!({"id": "t", "invocation": call, "permissions": permissions});
    let agent = json!({"a2a": "https://agent.example/"});
    let registry = json!({"registry_tool": {"registry": "https://r.example/", "tool": "x"}});
    let list = |hosts: &[&str]| json!({"network": "allowlist", "hosts": hosts});
    for (call, permissions, allowed) in [
        (&agent, json!({}), true),
        (&agent, json!({"network": "deny"}), false),
        (&agent, list(&[]), false),
        (&agent, list(&["agent.example"]), true),
        (&agent, list(&["*.agent.example"]), false),
        (&registry, json!({"network": "deny"}), false),
        (&registry, list(&["r.example"]), true),
    ] {
        let tool = tool(call.clone(), permissions);
        let made = with(&tool, |tool| plan(tool, &contract, "{}", &facts, &limits).ready());
        match made {
            Ok(_) => assert!(allowed, "{tool}"),
            Err(refused) => {
                assert!(!allowed, "{tool}");
                let report = refused.report().expect("errors");
                assert_eq!(report.diagnostics[0].rule.code, "call/network");
            }
        }
    }
    // The registry may name any server; the manifest has the last word.
    let servers = json!([{"url": "https://s.example", "tools": [{"name": "x"}]}]).to_string();
    for (hosts, goes) in [(&["r.example", "s.example"][..], true), (&["r.example"], false)] {
        let tool = tool(registry.clone(), list(hosts));
        let made =
            with(&tool, |tool| plan(tool, &contract, "{}", &facts, &limits).ready()).unwrap();
        let found = Outcome::Responded { status: 200, body: servers.clone().into() };
        match made.next(&found, &limits) {
            Next::Go(next) => {
                let Step::Send(request) = &next.step else { panic!("a request") };
                assert!(goes && request.url.to_string() == "https://s.example/tools/x");
            }
            Next::Done(answer) => {
                let Err(Failure { reason: FailureKind::Output(found), .. }) = answer else {
                    panic!("a failure")
                };
                assert!(!goes && found[0].rule.code == "call/network");
            }
        }
    }
}
