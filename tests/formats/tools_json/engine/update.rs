//! Writing into a file that is there.

use manifest_core::descriptor::{Command, CommandInput, Invocation};
use manifest_core::{
    LiftedDocument, Limits, Text, ToolDescriptor, ValidateOptions, json::Document,
};
use tools_json::update;

const FILE: &str = r#"{
  "$comment" : "ours",
  "tools": [
    { "name": "b", "command": ["./tools/bin/b"], "timeoutSec": 0, "x-owner": "me" },
    {
      "envPassthrough": [ "tz", "TZ", "HOME" ],   "name": "a",
      "command": ["./tools/bin/a", "-v"]
    }
  ]
}
"#;

fn updated(text: &str, change: impl FnOnce(&mut LiftedDocument<'_>)) -> String {
    let limits = Limits::default();
    let base = Document::parse(text.as_bytes(), &limits).unwrap();
    update(&base, &limits, change).unwrap()
}

/// A tool that was built by hand.
fn third() -> ToolDescriptor<'static> {
    let argv = vec![Text::from("./tools/bin/c").into()];
    let call = Command { argv: argv.into(), cwd: None, input: CommandInput::Stdin };
    ToolDescriptor {
        id: Text::from("c").into(),
        invocation: Some(Invocation::Command(call).into()),
        ..ToolDescriptor::default()
    }
}

#[test]
fn the_same_tools_change_nothing() {
    assert_eq!(updated(FILE, |_| {}), FILE);
}

#[test]
fn only_what_changed_is_written() {
    let text =
        updated(FILE, |lifted| lifted.tools[0].description = Some(Text::from("New.").into()));
    assert_eq!(text, FILE.replace(r#""name": "b", "#, r#""name": "b", "description": "New.", "#));

    let text = updated(FILE, |lifted| {
        lifted.tools.remove(0);
    });
    assert!(!text.contains("x-owner") && text.contains(r#""HOME" ],   "name": "a""#), "{text}");

    let text = updated(FILE, |lifted| {
        std::sync::Arc::make_mut(&mut lifted.tools[1].package).env.remove(1);
    });
    assert!(text.contains(r#""envPassthrough": [ "tz", "TZ" ],"#), "{text}");

    let text = updated(FILE, |lifted| lifted.tools.push(third()));
    assert!(text.starts_with(FILE.trim_end_matches("\n  ]\n}\n")), "{text}");
    assert!(text.contains("\"name\": \"c\""), "{text}");
}

#[test]
fn a_new_manifest_is_valid() {
    let text = updated(r#"{"tools": []}"#, |lifted| lifted.tools.push(third()));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let manifest = tools_json::load(&document, &ValidateOptions::default()).unwrap();
    assert_eq!(manifest.tools[0].command, ["./tools/bin/c"]);
}

#[test]
fn what_cannot_be_done_is_left_alone() {
    let limits = Limits::default();
    let base = Document::parse(br#"{"tools": [{}]}"#, &limits).unwrap();
    assert!(update(&base, &limits, |_| {}).is_err());
    let base = Document::parse(FILE.as_bytes(), &limits).unwrap();
    let no_call = |lifted: &mut LiftedDocument<'_>| lifted.tools[0].invocation = None;
    assert!(update(&base, &limits, no_call).is_err());
}
