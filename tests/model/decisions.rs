//! Decisions about planned calls: who gets a step, and what people and models are told.

use std::time::Duration;

use call::http::{redirect_method, stays_on_host};
use call::{
    Concern, Grant, HostFacts, Missing, NotReady, Plan, Planned, Policy, RefusalReason, Refused,
    Step, plan,
};
use manifest_core::format::{Contract, HostRules};
use manifest_core::url::check_http;
use manifest_core::{Limits, ToolDescriptor};
use serde_json::{Value, json};

const CONTRACT: Contract = Contract {
    extra_arguments: Contract::REFUSED,
    examples: "",
    fills_defaults: true,
    keeps_timeout: true,
    environment: "",
    directory: "",
    timeout: "",
    result: "",
    failure: "",
    host_rules: HostRules { sign_in_prefix: Some("OAUTH_"), ..HostRules::PLAIN },
};

/// A tool that is called with one argument, with these members besides.
#[allow(clippy::needless_pass_by_value)] // written out where it is called
fn tool(more: Value) -> Value {
    let mut tool = json!({
        "id": "notes.find", "side_effects": "read",
        "input_schema": {"properties": {"q": {"type": "string"}, "n": {}}, "required": ["q"]},
        "invocation": {"command": {
            "argv": ["notes"], "input": {"templates_and_stdin": ["find", "${input.q}"]},
        }},
        "package": {"acquisition": {"pip": {"package": "notes"}}},
    });
    tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    tool
}

fn planned(tool: &Value, arguments: &str, policy: &Policy) -> Planned {
    let text = tool.to_string();
    let tool: ToolDescriptor<'_> = serde_json::from_str(&text).expect("a descriptor");
    let facts = HostFacts { installed: false, ..HostFacts::new(policy) };
    plan(&tool, &CONTRACT, arguments, &facts, &Limits::default())
}

const TEA: &str = r#"{"q": "green tea"}"#;

/// Tools that are asked about or refused, with a policy.
fn undecided() -> Vec<(Value, Policy)> {
    let read = Policy { devices: ["screen".to_owned()].into(), ..Policy::default() };
    let secret = json!([{
        "name": "KEY", "secret": true, "required": true, "reference": "vault://kv/notes",
    }]);
    [
        json!({"side_effects": "destructive"}),
        json!({"side_effects": "write", "package": {"env": secret, "cost": {"payment": true}}}),
        json!({"side_effects": null, "permissions": {"devices": ["camera"]}}),
        json!({"requires_approval": true}),
        json!({"enabled": false}),
        json!({"trust": "untrusted", "side_effects": "destructive"}),
        json!({"channel": "vdi-vpn"}),
        json!({"auth": {"scheme": "oauth2"}}),
    ]
    .map(|more| (tool(more), read.clone()))
    .into()
}

/// Takes the plan of a call without a decision, as if everything were granted.
fn ready(tool: &Value) -> Plan {
    let mut open = tool.clone();
    for name in ["enabled", "trust", "channel", "auth"] {
        open.as_object_mut().unwrap().remove(name);
    }
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    planned(&open, TEA, &policy).ready().unwrap()
}

#[test]
fn a_call_that_is_not_ready_is_shown_with_its_step_and_cannot_be_read_back() {
    for (tool, policy) in undecided() {
        let planned = planned(&tool, TEA, &policy);
        let approval = match &planned {
            Planned::Ready(_) => panic!("{tool}"),
            Planned::Ask(ask) => json!({"approval": {"ask": ask.concerns()}}),
            Planned::Refused(refused) => json!({"approval": {"refuse": refused.concerns()}}),
        };
        let shown = serde_json::to_value(&planned).unwrap();
        let open = ready(&tool);
        let mut expected = serde_json::to_value(&open).unwrap();
        let mut missing = vec![approval];
        missing.extend(open.missing.iter().map(|one| serde_json::to_value(one).unwrap()));
        expected["missing"] = missing.into();
        assert_eq!(shown, expected);
        assert!(serde_json::from_value::<Plan>(shown).is_err());
        assert_eq!(planned.missing(), open.missing);
    }
}

#[test]
fn a_question_says_what_is_done_and_why_it_is_asked() {
    let mut asked = 0;
    for (tool, policy) in undecided() {
        let Planned::Ask(ask) = planned(&tool, TEA, &policy) else { continue };
        asked += 1;
        let question = ask.question();
        assert!(!ask.concerns().is_empty());
        for concern in ask.concerns() {
            assert!(question.contains(concern.message()), "{question}");
        }
        for part in ["\"notes.find\"", ask.action().as_str(), "Input: ", "green tea"] {
            assert!(question.contains(part), "{question}");
        }
        for reference in ask.variables().iter().filter_map(|one| one.reference.as_deref()) {
            assert!(question.contains(reference), "{question}");
        }
        let plan = ask.clone().approve();
        assert_eq!(plan, ready(&tool));
        assert_eq!(ask.action(), plan.step.to_string());
        // Who is not asked, or says no, hears the same concerns.
        let nobody = Planned::Ask(ask.clone()).ready().unwrap_err();
        assert!(matches!(nobody.reason(), RefusalReason::NotAsked(_)));
        let declined = ask.clone().declined();
        assert!(matches!(declined.reason(), RefusalReason::Declined(_)));
        for refused in [&nobody, &declined] {
            assert_eq!(refused.concerns(), ask.concerns());
            assert_eq!(refused.report(), None);
            assert!(refused.for_model().contains(&refused.to_string()));
        }
        for concern in ask.concerns() {
            assert!(nobody.for_model().contains(concern.message()));
        }
        assert_ne!(nobody.for_model(), declined.for_model());
    }
    assert_eq!(asked, 4);
}

#[test]
fn a_refusal_has_a_reason_for_the_model() {
    let mut finals = 0;
    for (tool, policy) in undecided() {
        let Planned::Refused(refused) = planned(&tool, TEA, &policy) else { continue };
        assert!(matches!(refused.reason(), RefusalReason::Policy(_)));
        let text = refused.for_model();
        for concern in refused.concerns() {
            assert!(text.contains(concern.message()), "{text}");
        }
        let is_final = refused.concerns().iter().any(|concern| concern.is_final());
        finals += usize::from(is_final);
        assert_eq!(text.ends_with("No grant helps."), is_final, "{text}");
        assert_eq!(refused.report(), None);
    }
    assert_eq!(finals, 1);
}

/// A model that sends wrong arguments is told of all of them. No argument makes up for a wrong
/// manifest.
#[test]
fn errors_are_those_of_the_arguments_or_of_the_manifest() {
    let template = |text: &str| {
        tool(json!({"invocation": {"command": {"argv": ["t"], "input": {"templates": [text]}}}}))
    };
    let cases = [
        (tool(json!({})), "[1]", true),
        (tool(json!({})), "{", true),
        (tool(json!({})), r#"{"q": 1, "more": true}"#, true),
        // Only the template needs it.
        (template("${input.n}"), TEA, true),
        (template("${input.n}"), r#"{"q": "a", "n": [1]}"#, true),
        (template("${input.q"), TEA, false),
        (template("${env.NONE}"), TEA, false),
        (tool(json!({"invocation": null})), TEA, false),
        (tool(json!({"invocation": {"command_line": "a | b"}})), TEA, false),
    ];
    for (tool, arguments, about_arguments) in cases {
        let Planned::Refused(refused) = planned(&tool, arguments, &Policy::default()) else {
            panic!("{tool}")
        };
        let is_about = matches!(refused.reason(), RefusalReason::Arguments(_));
        assert_eq!(is_about, about_arguments, "{tool} {arguments}");
        let (report, text) = (refused.report().unwrap(), refused.for_model());
        assert!(report.errors().count() > 0);
        for error in report.errors() {
            assert!(text.contains(&error.message), "{text}");
            assert!(error.pointer.is_root() || text.contains(error.pointer.as_str()), "{text}");
        }
        assert_eq!(text.ends_with("call the tool again."), about_arguments, "{text}");
        assert!(refused.concerns().is_empty());
        // A person reads what a report says.
        assert_eq!(refused.to_string(), report.to_string());
        let mut refused = Planned::Refused(refused);
        refused.adapt(|_, _| panic!("there is no step"));
    }
}

/// A host fits the step to its machine before anybody decides, and decides nothing by that.
#[test]
fn a_host_adapts_a_call_whatever_the_decision_is() {
    for (tool, policy) in undecided() {
        let mut changed = planned(&tool, TEA, &policy);
        let before = changed.clone();
        changed.adapt(|step, missing| {
            let Step::Run(program) = step else { panic!("a program") };
            program.argv[0] = "/opt/notes".into();
            missing.clear();
        });
        assert!(changed.missing().is_empty());
        let shown = serde_json::to_value(&changed).unwrap();
        assert_eq!(shown["step"]["argv"][0], "/opt/notes");
        assert_eq!(shown["missing"][0], serde_json::to_value(&before).unwrap()["missing"][0]);
        assert_eq!(changed.ready().is_ok(), before.ready().is_ok());
    }
}

#[test]
fn a_refusal_can_be_made_of_a_report() {
    let report = || call::rules::NO_CALL.at_pointer(manifest_core::Pointer::root(), "none").into();
    let wrong = Refused::wrong_arguments("t", report());
    let none = Refused::no_call("t", report());
    assert_eq!(wrong.for_model(), call::explain_arguments(wrong.report().unwrap()));
    assert_ne!(wrong.for_model(), none.for_model());
    for refused in [wrong, none] {
        let shown = serde_json::to_value(&refused).unwrap();
        assert_eq!(shown["tool"], "t");
        assert_eq!(shown["report"], serde_json::to_value(refused.report().unwrap()).unwrap());
        assert_eq!(Planned::Refused(refused.clone()).ready(), Err(refused));
    }
    assert_eq!(call::join_concerns(&[]), "");
    let both = [Concern::Changes, Concern::Secrets];
    assert_eq!(call::join_concerns(&both), both.map(Concern::message).join("; "));
}

/// What a host knows of a plan before it carries it out.
#[test]
fn a_plan_is_checked_before_it_is_carried_out() {
    let env = json!([{"name": "KEY", "secret": true, "required": true}]);
    let mut plan = ready(&tool(json!({"package": {"env": env}})));
    let lacks = NotReady::Missing(vec![Missing::Value("KEY".into())]);
    assert_eq!(plan.check_ready(&|_| false), Err(lacks));
    assert_eq!(plan.check_ready(&|name| name == "KEY"), Ok(()));
    let key = |name: &str| (name == "KEY").then_some("s3cret-7");
    assert_eq!(plan.mask_secrets("it printed s3cret-7".to_owned(), &key), "it printed ${KEY}");
    let (usual, most) = (Duration::from_secs(60), Duration::from_secs(100));
    for (declared, expected) in [(None, 60), (Some(5_000), 5), (Some(900_000), 100)] {
        plan.timeout_ms = declared;
        assert_eq!(plan.time_limit(usual, most), Duration::from_secs(expected));
    }
}

/// A redirect that a host follows keeps the headers, so it must not lead to another host.
#[test]
fn a_redirect_stays_on_its_host() {
    for (from, to, stays) in [
        ("https://a.example/x", "https://a.example/y?z", true),
        ("https://a.example/", "https://A.EXAMPLE:443/", true),
        ("http://a.example/", "https://a.example/", true),
        ("http://a.example:80/", "https://a.example:443/", true),
        ("https://a.example/", "http://a.example/", false),
        ("http://a.example:8080/", "https://a.example:8443/", false),
        ("http://a.example:8080/", "https://a.example/", false),
        ("https://a.example/", "https://a.example:8443/", false),
        ("https://a.example/", "https://b.example/", false),
        ("https://a.example/", "https://x.a.example/", false),
        ("https://a.example/", "https://a.example./", false),
    ] {
        let urls = [from, to].map(|url| check_http(url).unwrap());
        assert_eq!(stays_on_host(&urls[0], &urls[1]), stays, "{from} {to}");
    }
    // RFC 9110, 15.4, and what clients do.
    for (method, status, then) in [
        ("POST", 301, Some("GET")),
        ("POST", 302, Some("GET")),
        ("PUT", 302, Some("PUT")),
        ("DELETE", 303, Some("GET")),
        ("HEAD", 303, Some("HEAD")),
        ("POST", 307, Some("POST")),
        ("POST", 308, Some("POST")),
        ("GET", 300, None),
        ("GET", 304, None),
        ("GET", 200, None),
    ] {
        assert_eq!(redirect_method(method, status), then, "{method} {status}");
    }
}
