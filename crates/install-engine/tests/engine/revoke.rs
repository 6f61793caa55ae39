//! Revoking.

use install_engine::plan::Outcome;
use install_engine::revoke::{self, Plan, Step};
use serde_json::{Value, json};

use crate::{changed, is_masked, values, with};

fn plan(kill_switch: Value) -> Result<Plan, &'static str> {
    with(&changed(&[("/kill_switch", kill_switch)]), |manifest| {
        let plan = revoke::plan(&manifest.kill_switch, &manifest.env, &values());
        is_masked(&format!("{plan:?}"));
        plan.map_err(|found| found.rule.code)
    })
}

#[test]
fn every_kill_switch() {
    let made = plan(json!({"kind": "none"})).unwrap();
    assert_eq!((made.step, made.forget), (Step::Nothing, vec!["API_KEY".to_owned()]));
    let made = plan(json!({"kind": "shell", "command": ["notes", "revoke"]})).unwrap();
    let Step::Run(program) = made.step else { panic!("a program") };
    assert_eq!(program.argv, ["notes", "revoke"]);
    assert_eq!(program.env.get("API_KEY").unwrap().expose(), "hunter2");
    let made = plan(json!({"kind": "url", "url": "https://example.com/x"})).unwrap();
    let Step::Send(request) = made.step else { panic!("a request") };
    assert_eq!((request.method.word(), request.url.as_str()), ("DELETE", "https://example.com/x"));
    let made = plan(json!({"kind": "manual", "instructions": "Unplug it."})).unwrap();
    assert_eq!(made.step, Step::Tell { url: None, instructions: Some("Unplug it.".into()) });

    for url in ["file:///x", "https://u:p@h/", "https://h/${API_KEY}", "javascript:x"] {
        let refused = plan(json!({"kind": "url", "url": url})).unwrap_err();
        assert_eq!(refused, "install-manifest/url", "{url}");
    }
    let refused = plan(json!({"kind": "shell", "command": ["x\0"]})).unwrap_err();
    assert_eq!(refused, "install-manifest/control-character");
}

#[test]
fn whether_it_is_revoked() {
    let exit = |code| Outcome::Exited { code, stdout: b"", stderr: b"" };
    let status = |status| Outcome::Responded { status, body: b"" };
    for done in [exit(Some(0)), status(200), status(204), status(404), status(410)] {
        assert_eq!(revoke::judge(&done), Ok(()));
    }
    let not = [
        exit(Some(1)),
        exit(None),
        status(301),
        status(401),
        status(500),
        Outcome::TimedOut,
        Outcome::NotDone("no\nnetwork"),
        Outcome::Returned { result: "{}" },
    ];
    for not in not {
        assert!(!revoke::judge(&not).unwrap_err().contains('\n'));
    }
}
