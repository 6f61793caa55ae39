//! A host keeps its tools in one box.

use std::collections::BTreeMap;
use std::thread;

use serde_json::{Value, json};
use toolglot::call::{Answer, End, Grant, HostFacts, Next, Outcome, Plan, Planned, Policy, Step};
use toolglot::providers::{Options, Revision, Target};
use toolglot::testkit::{Rng, Testkit};
use toolglot::{DetectError, Limits, Toolbox, testkits};

/// A `tools.json` with one tool.
fn tool(name: &str, schema: &Value) -> String {
    let program = format!("./tools/bin/{name}");
    let tool = json!({"name": name, "description": "Does it.", "command": [program],
                      "schema": schema});
    json!({ "tools": [tool] }).to_string()
}

fn schema() -> Value {
    json!({"type": "object", "additionalProperties": false, "required": ["city"], "properties":
        {"city": {"type": "string"}, "days": {"type": "integer", "maximum": 9}}})
}

fn granted() -> Policy {
    Policy { grants: [Grant::Unknown].into(), ..Policy::default() }
}

fn weather() -> Toolbox {
    let mut tools = Toolbox::new(granted());
    tools.add("weather.json", tool("weather", &schema())).unwrap();
    tools
}

fn ready(planned: Planned) -> Plan {
    match planned {
        Planned::Ready(plan) => plan,
        other => panic!("{other:?}"),
    }
}

fn stdin(plan: &Plan) -> Value {
    let Step::Run(program) = &plan.step else { panic!("{plan:?}") };
    serde_json::from_str(program.stdin.as_deref().unwrap()).unwrap()
}

fn names(tools: &mut Toolbox, target: Target) -> Vec<String> {
    tools.offers(target).iter().map(|offer| offer.name().to_owned()).collect()
}

#[test]
fn arguments_are_text_values_and_maps() {
    let tools = weather();
    let expected = json!({"city": "Ulm"});
    let map = BTreeMap::from([("city".to_owned(), "Ulm")]);
    let Value::Object(object) = expected.clone() else { panic!() };
    // Chat completions of OpenAI send arguments as a string.
    let call = json!({"function": {"arguments": r#"{"city": "Ulm"}"#}});
    for plan in [
        tools.plan("weather", r#"{"city": "Ulm"}"#),
        tools.plan("weather", r#"{"city": "Ulm"}"#.to_owned()),
        tools.plan("weather", &expected),
        tools.plan("weather", &call["function"]["arguments"]),
        tools.plan("weather", object),
        tools.plan("weather", &map),
    ] {
        assert_eq!(stdin(&ready(plan)), expected);
    }
}

#[test]
fn arguments_are_decoded_as_the_offer_promises() {
    let mut tools = weather();
    let strict = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    let offers = serde_json::to_value(tools.offers(strict)).unwrap();
    let parameters = &offers[0]["function"]["parameters"];
    assert_eq!(parameters["required"], json!(["city", "days"]), "{offers}");
    // What must be sent there, and the tool itself would refuse.
    let sent = json!({"city": "Ulm", "days": null});
    assert_eq!(stdin(&ready(tools.plan("weather", &sent))), json!({"city": "Ulm"}));

    let Planned::Refused(refused) = tools.plan("weather", json!({"city": "Ulm", "days": 12}))
    else {
        panic!()
    };
    assert!(refused.for_model().contains("- at /days: "), "{}", refused.for_model());
    assert!(matches!(weather().plan("weather", &sent), Planned::Refused(_)));
}

#[test]
fn names_are_readable() {
    let mut tools = Toolbox::new(granted());
    for file in ["github.json", "notes.json"] {
        tools.add(file, tool("search", &schema())).unwrap();
    }
    tools.add("time.json", tool("get_time", &schema())).unwrap();
    let expected = ["github__search", "notes__search", "get_time"];
    assert_eq!(names(&mut tools, Target::Anthropic), expected);
    assert_eq!(tools.find("notes__search").unwrap().manifest.name(), "notes.json");
    // Its id alone could be either.
    let ambiguous = tools.find("search").unwrap_err();
    assert!(ambiguous.message.contains("several documents"), "{ambiguous}");
    // An id that is unique is enough.
    assert_eq!(tools.find("get_time").unwrap().manifest.name(), "time.json");

    // Files of one name in different folders.
    let mut tools = Toolbox::new(granted());
    for file in ["a/tools.json", "b/tools.json", "b.tools/tools.json"] {
        tools.add(file, tool("search", &schema())).unwrap();
    }
    let names = names(&mut tools, Target::OpenAiChat);
    assert_eq!(names[..2], ["a_tools_json__search", "b_tools_json__search"]);
    assert_eq!(names[2], "b_tools_tools_json__search");
}

/// Names that become one name even with the names of their files get a digest.
#[test]
fn names_have_a_digest_only_if_they_must() {
    let mut tools = Toolbox::new(granted());
    for file in ["a b.json", "a-b.json", "a_b.json"] {
        tools.add(file, tool("search", &schema())).unwrap();
    }
    let names = names(&mut tools, Target::OpenAiChat);
    assert_eq!(names[1], "a-b__search");
    for name in [&names[0], &names[2]] {
        let digest = name.strip_prefix("a_b__search_").unwrap();
        assert!(digest.len() == 8 && digest.bytes().all(|b| b.is_ascii_hexdigit()), "{name}");
    }
}

#[test]
fn a_broken_document_does_not_affect_the_others() {
    let mut tools = weather();
    let broken = tools.add("broken.json", "{\n").unwrap_err();
    assert!(broken.to_string().starts_with("broken.json:2:1: error[json/syntax]"), "{broken}");
    let other = tools.add("other.json", "{}").unwrap_err();
    assert_eq!(other.to_string(), format!("other.json: {}", DetectError::Unrecognized));
    let invalid = r#"{"tools": [{"name": "x", "description": "X.", "command": []}]}"#;
    let invalid = tools.add("invalid.json", invalid).unwrap_err();
    assert_eq!(invalid.diagnostics()[0].rule.code, "tools-json/command-empty");
    let files: Vec<&str> = tools.problems().map(|problem| problem.file.as_str()).collect();
    assert_eq!(files, ["broken.json", "other.json", "invalid.json"]);
    assert_eq!(names(&mut tools, Target::Gemini), ["weather"]);

    // A document that is corrected is a problem no more.
    tools.replace("broken.json", tool("find", &schema())).unwrap();
    assert!(tools.remove("other.json") && tools.remove("invalid.json"));
    assert!(!tools.remove("invalid.json"));
    assert_eq!(tools.problems().count(), 0);
    assert_eq!(names(&mut tools, Target::Gemini), ["weather", "find"]);
}

#[test]
fn a_tool_that_cannot_be_called_or_offered_does_not_affect_the_others() {
    let list = json!({"tools": [{"name": "remote", "inputSchema": {"type": "object"}}]});
    let mut tools = weather();
    // A list of tools does not say how they are called.
    tools.add("list.json", list.to_string()).unwrap();
    assert_eq!(names(&mut tools, Target::OpenAiChat), ["weather"]);
    let problem = tools.problems().next().unwrap();
    assert_eq!((problem.file.as_str(), problem.tool.as_deref()), ("list.json", Some("remote")));
    let Planned::Refused(refused) = tools.plan("remote", "{}") else { panic!() };
    assert!(refused.for_model().contains("no call"), "{}", refused.for_model());
    assert!(matches!(tools.plan("weather", r#"{"city": "Ulm"}"#), Planned::Ready(_)));
}

/// A model that guesses an id cannot call what it was not offered.
#[test]
fn a_tool_that_is_not_offered_is_not_called() {
    let mut tools = weather();
    // No provider takes a schema that nothing can satisfy.
    let impossible = json!({"type": "object", "required": ["a"], "properties": {"a": false}});
    tools.add("never.json", tool("never", &impossible)).unwrap();
    let strict = Options { strict: true, ..Options::new(Target::OpenAiChat) };
    assert_eq!(tools.offers(strict).len(), 1);
    let Planned::Refused(refused) = tools.plan("never", r#"{"a": 1}"#) else { panic!() };
    assert!(refused.for_model().contains("whatever its arguments are"), "{}", refused.for_model());
}

#[test]
fn an_unknown_name_is_refused_with_those_that_are_known() {
    let mut tools = weather();
    let Planned::Refused(refused) = tools.plan("wether", "{}") else { panic!() };
    assert!(refused.for_model().contains("did you mean \"weather\"?"), "{}", refused.for_model());
    let Planned::Refused(refused) = tools.plan("nope", "{}") else { panic!() };
    assert!(refused.for_model().contains("available: \"weather\""), "{}", refused.for_model());
    tools.remove("weather.json");
    let Planned::Refused(refused) = tools.plan("weather", "{}") else { panic!() };
    assert!(refused.for_model().contains("available: none"), "{}", refused.for_model());
}

#[test]
fn offers_follow_changes() {
    let mut tools = weather();
    assert!(tools.current_offers().is_empty());
    assert_eq!(names(&mut tools, Target::OpenAiChat), ["weather"]);
    let mut versions = vec![tools.version()];

    tools.add("time.json", tool("get_time", &schema())).unwrap();
    assert!(tools.current_offers().by_name("get_time").is_some());
    versions.push(tools.version());
    // A document that becomes invalid takes its tools with it: the file says that no more.
    tools.replace("time.json", "{").unwrap_err();
    assert!(tools.current_offers().by_name("get_time").is_none());
    versions.push(tools.version());
    tools.replace("time.json", tool("get_date", &schema())).unwrap();
    assert!(tools.current_offers().by_name("get_date").is_some());
    versions.push(tools.version());
    tools.remove("time.json");
    versions.push(tools.version());
    let mut distinct = versions.clone();
    distinct.dedup();
    assert_eq!(distinct, versions);

    // What changes no tools changes no version.
    let before = tools.version();
    tools.replace("weather.json", tool("weather", &schema())).unwrap();
    tools.add("broken.json", "{").unwrap_err();
    tools.remove("broken.json");
    assert_eq!(tools.version(), before);
}

#[test]
fn a_replaced_document_keeps_its_place() {
    let mut tools = weather();
    tools.add("time.json", tool("get_time", &schema())).unwrap();
    tools.replace("weather.json", tool("forecast", &schema())).unwrap();
    assert_eq!(names(&mut tools, Target::OpenAiChat), ["forecast", "get_time"]);
    let again = tools.add("time.json", tool("x", &schema())).unwrap_err();
    assert!(again.to_string().contains("[toolbox/file-name]"), "{again}");
}

#[test]
fn answers_are_encoded_as_the_offer_promises() {
    // MCP of 2025 takes schemas of objects alone, so that a list becomes the member of one.
    let manifest = json!({
        "toolId": "demo.count", "name": "Count", "version": "1.0.0", "description": "Counts.",
        "capabilities": ["count"], "input_schema": {"type": "object"},
        "endpoint": {"type": "http", "method": "POST", "url": "https://example.com/count"},
        "output_schema": {"type": "array", "items": {"type": "integer"}},
    });
    let mut tools = Toolbox::new(granted());
    tools.add("count.json", manifest.to_string()).unwrap();
    let answer = Answer::Json("[1,2]".to_owned());
    assert_eq!(tools.find("demo.count").unwrap().encode(&answer).unwrap(), "[1,2]");
    let offers = serde_json::to_value(tools.offers(Target::Mcp(Revision::R20251125))).unwrap();
    let count = tools.find("demo.count").unwrap();
    let encoded: Value = serde_json::from_str(&count.encode(&answer).unwrap()).unwrap();
    match offers[0].get("outputSchema") {
        // Whatever the listed schema is, the encoded answer is of it.
        Some(schema) => assert!(jsonschema::is_valid(schema, &encoded), "{schema} {encoded}"),
        None => assert!(!count.offer.unwrap().has_result_schema()),
    }
    assert!(count.encode(&Answer::Bytes(vec![0xff])).is_err());
}

#[test]
fn a_plan_goes_on_with_the_outcome() {
    let tools = weather();
    let plan = ready(tools.plan("weather", r#"{"city": "Ulm"}"#));
    let outcome = Outcome::Exited { end: End::Exit(0), stdout: b"sun".to_vec(), stderr: vec![] };
    assert_eq!(plan.next(&outcome, tools.limits()), Next::Done(Ok(Answer::Text("sun".into()))));
}

#[test]
fn the_policy_is_asked() {
    let mut tools = Toolbox::new(Policy::default());
    tools.add("weather.json", tool("weather", &schema())).unwrap();
    assert!(matches!(tools.plan("weather", r#"{"city": "Ulm"}"#), Planned::Ask(_)));
    // Facts about the host have a policy of their own.
    let policy = granted();
    let planned = tools.plan_with("weather", r#"{"city": "Ulm"}"#, &HostFacts::new(&policy));
    assert!(matches!(planned, Planned::Ready(_)));
}

#[test]
fn limits_hold_for_the_whole_box() {
    let document = tool("weather", &schema());
    let limits = |limits: Limits| Toolbox::new(granted()).with_limits(limits);
    let refused = |mut tools: Toolbox| -> String {
        tools.add("one.json", &document).unwrap();
        tools.add("two.json", tool("find", &schema())).unwrap_err().to_string()
    };
    let documents = limits(Limits { toolbox_documents: 1, ..Limits::default() });
    assert!(refused(documents).contains("more than 1 documents"));
    let bytes = limits(Limits { toolbox_bytes: document.len(), ..Limits::default() });
    assert!(refused(bytes).contains("[toolbox/limit]"));
    let tools = limits(Limits { toolbox_tools: 1, ..Limits::default() });
    assert!(refused(tools).contains("more than 1 tools"));
    // Broken documents count, or else problems would have no limit.
    let mut tools = limits(Limits { toolbox_documents: 1, ..Limits::default() });
    tools.add("broken.json", "{").unwrap_err();
    assert!(tools.add("one.json", &document).unwrap_err().to_string().contains("documents"));
    assert_eq!(tools.problems().count(), 1);
}

/// Documents of all formats in one box: every tool is offered under one name, or is a problem.
#[test]
fn every_tool_is_offered_or_a_problem() {
    let mut tools = Toolbox::new(granted());
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..16 {
            let text = generate(&mut Rng::new(seed), 3);
            // Some documents are those of several formats.
            let _ = tools.add(format!("{}-{seed}.json", format.name), text);
        }
    }
    for target in [Target::OpenAiChat, Target::Gemini, Target::Mcp(Revision::R20260728)] {
        let count = tools.offers(target).len();
        let mut problems = Vec::new();
        for problem in tools.problems() {
            problems.extend(problem.tool.clone().map(|tool| (problem.file.clone(), tool)));
        }
        let mut all = 0;
        for manifest in tools.manifests() {
            let mut ids: Vec<&str> = manifest.tools().iter().map(|tool| &**tool.id).collect();
            ids.sort_unstable();
            ids.dedup();
            all += ids.len();
        }
        assert_eq!(count + problems.len(), all, "{target:?}");
        assert!(count > 50, "{count}");
        for offer in tools.current_offers() {
            let found = tools.find(offer.name()).unwrap();
            assert_eq!(found.manifest.name(), offer.manifest().name());
            let json: Value = serde_json::from_str(offer.json()).unwrap();
            assert_eq!(serde_json::to_value(offer).unwrap(), json);
        }
    }
}

/// A box is shared by the threads of a host, and a copy changes without the others.
#[test]
fn a_box_is_shared_and_cloned() {
    let mut tools = weather();
    tools.offers(Target::OpenAiChat);
    let copy = tools.clone();
    tools.remove("weather.json");
    thread::scope(|scope| {
        scope.spawn(|| {
            assert!(matches!(copy.plan("weather", r#"{"city": "Ulm"}"#), Planned::Ready(_)));
        });
        scope.spawn(|| assert!(matches!(tools.plan("weather", "{}"), Planned::Refused(_))));
    });
}
