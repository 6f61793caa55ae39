//! Revoking.

use call::{End, Instructions, Outcome, Step};
use install_engine::revoke::{self, Revocation};
use serde_json::{Value, json};

use crate::{changed, is_masked, value, with_tools};

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
    let Step::Send(request) = step(json!({"kind": "url", "url": "https://example.com/x"})) else {
        panic!("a request")
    };
    assert_eq!((request.method.as_str(), request.url), ("DELETE", "https://example.com/x".into()));
    let told = step(json!({"kind": "manual", "instructions": "Unplug it."}));
    assert_eq!(told, Step::Ask(Instructions { url: None, text: Some("Unplug it.".into()) }));

    for url in ["file:///x", "https://u:p@h/", "https://h/${API_KEY}", "javascript:x"] {
        let refused = plan(json!({"kind": "url", "url": url})).unwrap_err();
        assert_eq!(refused, "install-manifest/url", "{url}");
    }
    let refused = plan(json!({"kind": "shell", "command": ["x\0"]})).unwrap_err();
    assert_eq!(refused, "install-manifest/control-character");
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
