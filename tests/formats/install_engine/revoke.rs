//! Revoking.

use call::{End, Instructions, Outcome, Step};
use install_manifest::engine::revoke::{self, Revocation};
use serde_json::{Value, json};

use super::{changed, is_masked, value, with_tools};

fn plan(kill_switch: Value) -> Result<Revocation, &'static str> {
    with_tools(&changed(&[("/kill_switch", kill_switch)]), |manifest, tools| {
        let plan = revoke::plan(manifest, tools, &|name| value(name).is_some());
        is_masked(&format!("{plan:?}"));
        plan.map_err(|found| found.rule.code)
    })
}

#[test]
fn every_kill_switch() {
    let made = plan(json!({"kind": "none"})).unwrap();
    assert_eq!((made.plan, made.forget), (None, vec!["API_KEY".to_owned()]));
    let step = |kill_switch: Value| plan(kill_switch).unwrap().plan.unwrap().step;
    let Step::Run(program) = step(json!({"kind": "shell", "command": ["notes", "revoke"]})) else {
        panic!("a program")
    };
    assert_eq!(program.argv, ["notes".into(), "revoke".into()]);
    assert_eq!(program.environment(&|_| None, &value).get("API_KEY"), Some(&"hunter2"));
    let told = step(json!({"kind": "manual", "instructions": "Unplug it."}));
    assert_eq!(told, Step::Ask(Instructions { url: None, text: Some("Unplug it.".into()) }));

    for url in ["file:///x", "https://u:p@h/", "https://h/${API_KEY}", "javascript:x"] {
        let refused = plan(json!({"kind": "url", "url": url})).unwrap_err();
        assert_eq!(refused, "install-manifest/url", "{url}");
    }
    let refused = plan(json!({"kind": "shell", "command": ["x\0"]})).unwrap_err();
    assert_eq!(refused, "install-manifest/control-character");
}

/// A request is authenticated as the actions are, to the same service and no other.
#[test]
fn a_request_has_the_credentials_of_the_installation() {
    let act = |headers: Value| {
        json!({"name": "act", "summary": "Acts.", "side_effects": "read", "invocation":
            {"kind": "http", "method": "GET", "path": "/notes", "headers": headers}})
    };
    let step = |url: &str, env: Value, actions: &[Value]| {
        let kill_switch = json!({"kind": "url", "url": url});
        let changes = [("/kill_switch", kill_switch), ("/env", env), ("/actions", json!(actions))];
        with_tools(&changed(&changes), |manifest, tools| {
            revoke::plan(manifest, tools, &|_| true).unwrap().plan.unwrap().step
        })
    };
    let sent = |step: Step| match step {
        Step::Send(request) => {
            assert_eq!(request.method, "DELETE");
            let filled = request
                .headers
                .iter()
                .map(|(name, text)| format!("{name}: {}", text.fill(&value).unwrap()));
            Some(filled.collect::<Vec<_>>())
        }
        Step::Ask(Instructions { url: Some(_), text: Some(text) }) => {
            assert!(text.contains("DELETE"), "{text}");
            None
        }
        other => panic!("{other:?}"),
    };
    let here = "https://API.good.com:443/installs/7";
    let secret = || {
        json!([{"name": "API_KEY", "prompt": "Key?", "secret": true},
        {"name": "REGION", "prompt": "Region?", "secret": false}])
    };
    let bearer = json!({"Authorization": "Bearer ${env.API_KEY}", "X-Region": "${env.REGION}"});
    let keyed = act(bearer.clone());
    let public = act(json!({"Accept": "text/plain"}));
    let found = Some(vec!["authorization: Bearer hunter2".to_owned()]);
    assert_eq!(sent(step(here, secret(), std::slice::from_ref(&keyed))), found);
    assert_eq!(sent(step(here, secret(), &[public.clone(), keyed.clone()])), found);
    // There is nothing to send.
    assert_eq!(sent(step(here, json!([]), std::slice::from_ref(&public))), Some(Vec::new()));
    // Nobody says how: no header, two that differ, another service, or without encryption.
    let other = act(json!({"X-Key": "${env.API_KEY}"}));
    let argument = act(json!({"Authorization": "${env.API_KEY}${input.more}"}));
    for (url, actions) in [
        (here, vec![public]),
        (here, vec![keyed.clone(), other]),
        (here, vec![argument]),
        ("https://good.com/installs/7", vec![keyed.clone()]),
        ("https://api.good.com:8443/installs/7", vec![keyed.clone()]),
        ("http://api.good.com/installs/7", vec![keyed]),
    ] {
        assert_eq!(sent(step(url, secret(), &actions)), None, "{url}");
    }
}

#[test]
fn whether_it_is_revoked() {
    let ended = |end| Outcome::Exited { end, stdout: Vec::new(), stderr: Vec::new() };
    let exit = |code| ended(End::Exit(code));
    let status = |status| Outcome::Responded { status, body: Vec::new() };
    for done in [exit(0), status(200), status(204), status(404), status(410), Outcome::Done] {
        assert_eq!(revoke::judge(&done), Ok(()));
    }
    let not = [
        exit(1),
        ended(End::Signal { number: 15, core_dumped: false }),
        status(301),
        status(401),
        status(500),
        Outcome::TimedOut,
        Outcome::NotDone("no\nnetwork".to_owned()),
        Outcome::Returned("{}".to_owned()),
    ];
    for not in not {
        assert!(!revoke::judge(&not).unwrap_err().contains('\n'));
    }
}
