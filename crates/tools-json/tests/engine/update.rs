//! Writing into a file that is there.

use manifest_core::{Defaults, Lifted, Limits, Validate, json::Document};
use tools_json::{FORMAT, update, write};

const FILE: &str = r#"{
  "$comment" : "ours",
  "tools": [
    { "name": "b", "command": ["./tools/bin/b"], "timeoutSec": 0, "x-owner": "me" },
    {
      "envPassthrough": [ "tz" ],   "name": "a",
      "command": ["./tools/bin/a", "-v"]
    }
  ]
}
"#;

fn updated(change: impl FnOnce(&mut Lifted<'_>)) -> String {
    let limits = Limits::default();
    let base = Document::parse(FILE.as_bytes(), &limits).unwrap();
    let mut lifted = FORMAT.lift(&base, &limits).unwrap();
    // As if they came from another format, which knows nothing of this file.
    lifted.extras.clear();
    for tool in &mut lifted.tools {
        tool.extras.clear();
    }
    change(&mut lifted);
    update(&base, &lifted, &Defaults::default(), &limits).unwrap()
}

#[test]
fn the_same_tools_change_nothing() {
    assert_eq!(updated(|_| {}), FILE);
}

#[test]
fn only_what_changed_is_written() {
    let text = updated(|lifted| lifted.tools[0].description = Some("New.".into()));
    assert_eq!(text, FILE.replace(r#""name": "b", "#, r#""name": "b", "description": "New.", "#));

    let text = updated(|lifted| {
        lifted.tools.remove(0);
    });
    assert!(!text.contains("x-owner") && text.contains(r#"[ "tz" ],   "name": "a""#), "{text}");

    let text = updated(|lifted| {
        let mut third = lifted.tools[0].clone();
        third.id = "c".into();
        lifted.tools.push(third);
    });
    assert!(text.starts_with(FILE.trim_end_matches("\n  ]\n}\n")), "{text}");
    assert!(text.contains("\"name\": \"c\""), "{text}");
}

#[test]
fn a_new_manifest_is_valid() {
    let limits = Limits::default();
    let base = Document::parse(FILE.as_bytes(), &limits).unwrap();
    let lifted = FORMAT.lift(&base, &limits).unwrap();
    let text = write(&lifted, &Defaults::default(), &limits).unwrap();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let manifest = tools_json::load(&document, &Validate::default()).unwrap();
    assert_eq!(manifest.tools.len(), 2);
    assert!(text.contains("x-owner") && text.contains("$comment"), "{text}");
}

#[test]
fn an_invalid_file_is_left_alone() {
    let limits = Limits::default();
    let base = Document::parse(br#"{"tools": [{}]}"#, &limits).unwrap();
    assert!(update(&base, &Lifted::default(), &Defaults::default(), &limits).is_err());
}
