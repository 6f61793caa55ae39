//! What an owner agrees to.

use install_manifest::SideEffects;
use install_manifest::engine::consent::Summary;
use serde_json::{Value, json};

use super::{base, changed, with};

fn full() -> Value {
    changed(&[
        (
            "/scopes",
            json!([{"resource": "gmail.messages", "actions": ["read", "send"],
            "rationale": "To answer.", "provider_scope": "https://example.com/scope"}]),
        ),
        (
            "/cost",
            json!({"install_fee_cents": 1999, "monthly_fee_cents": 5, "usage_model": "external"}),
        ),
        (
            "/support",
            json!({"issues_url": "https://example.com/issues", "security_email": "s@example.com"}),
        ),
        ("/kill_switch", json!({"kind": "shell", "command": ["notes", "revoke", "a b"]})),
        (
            "/data_boundary",
            json!({
            "reads": [{"resource": "gmail.messages", "sensitivity": "high"}],
            "transmits": [
                {"to_kind": "agent-supplied", "fields": ["body"], "purpose": "sending",
                    "third_party_retention": "unknown", "to_constraint": "https only"},
                {"to": "api.example.com", "fields": ["subject"], "purpose": "search",
                    "third_party_retention": "persistent-indefinite"}],
            "persists": [{"where": "tool_cloud", "fields": ["index"]}],
            "retention": {"tool_cloud_days": 30}}),
        ),
        ("/actions/0/side_effects", json!("destructive")),
    ])
}

#[test]
fn for_a_terminal() {
    let text = with(&full(), |manifest| Summary::new(manifest).text());
    assert_eq!(
        text,
        r#"Install: Notes v1.0.0
  Keeps notes.
  https://example.com/notes
  Id: notes
  From: pip package notes, newest version

Permissions:
  gmail.messages (read, send): To answer.
    known there as https://example.com/scope

Values to give: 1 secret, 1 not secret
  API_KEY (secret): Key?
  REGION (not secret, optional): Region?

Cost: $19.99 once, $0.05 a month, external billing, with your own account at its provider.

Verification: shell smoke test will run after install.
  runs notes --version

Revocation:
  shell — notes revoke "a b"

Data:
  reads gmail.messages (sensitivity high)
  sends body to ANY RECIPIENT that the agent chooses for sending (kept: unknown)
    which it limits to: https only
  sends subject to api.example.com for search (kept: persistent-indefinite)
  keeps index (tool_cloud)
  for 30 days with its author

Risk: does things that cannot be undone
  "act" cannot be undone.
  It may send "gmail.messages".
  It reads "gmail.messages", which is very sensitive.
  It sends data to whom the agent chooses in each call.
  "api.example.com" keeps what it is sent for ever.
  Its author keeps data.
  What is installed can change after you agreed.

Support:
  issues: https://example.com/issues
  security: s@example.com
"#
    );
}

#[test]
fn little_is_said() {
    let mut manifest = base();
    manifest.as_object_mut().unwrap().remove("env");
    manifest["runtime"]["kind"] = json!("mcp-stdio");
    manifest["actions"] = json!([]);
    with(&manifest, |manifest| {
        let summary = Summary::new(manifest);
        assert_eq!(summary.side_effects, SideEffects::Destructive, "what is not said is the worst");
        assert!(summary.concerns.iter().any(|concern| concern.kind == "unknown-actions"));
        let text = summary.text();
        for line in [
            "Permissions: none declared.",
            "Values to give: none.",
            "Cost: not declared.",
            "Data: not declared.",
            "  MANUAL — see https://example.com/revoke",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    });
}

/// Who is asked for a value is told where to get it.
#[test]
fn where_a_value_is_had() {
    let url = "https://example.com/keys";
    let told = |manifest: &Value| with(manifest, |manifest| Summary::new(manifest).text());
    assert!(!told(&base()).contains(url));
    let text = told(&changed(&[("/env/0/obtain_url", json!(url))]));
    let mut lines = text.lines().skip_while(|line| !line.contains("API_KEY (secret): Key?"));
    assert!(lines.nth(1).is_some_and(|line| line.contains(url)), "{text}");
}

/// Texts that a terminal or a Markdown reader would act upon.
const LOUD: &[&str] = &[
    "\u{1b}[2J\u{1b}]8;;https://evil\u{7}link\u{1b}]8;;\u{7}",
    "a\rInstall: Nice",
    "a\n\nPermissions: none",
    "\u{202e}gnp",
    "zero\u{200b}width",
    "\u{e0041}\u{e0042}",
    "[link](https://evil)",
    "![i](https://evil)",
    "<script>x</script>",
    "<!-- x -->",
    "`code`",
    "**bold**",
    "# head",
    "- item",
    "1. item",
    "> quote",
    "| a | b |",
    "https://evil.example",
    "www.evil.example",
    "me@evil.example",
    "&lt;b&gt;",
    "\\",
    "---",
    "~~x~~",
];

#[test]
fn strangers_cannot_format() {
    for loud in LOUD {
        let manifest = changed(&[
            ("/tool/name", json!(loud)),
            ("/tool/summary", json!(loud)),
            ("/tool/author", json!({"name": loud})),
            ("/env/0/prompt", json!(loud)),
            ("/scopes", json!([{"resource": loud, "actions": ["send"], "rationale": loud}])),
            ("/actions/0/side_effects", json!("destructive")),
            ("/runtime/install/package", json!(loud)),
            ("/smoke/command", json!([loud])),
            ("/kill_switch", json!({"kind": "manual", "instructions": loud})),
        ]);
        with(&manifest, |manifest| {
            let summary = Summary::new(manifest);
            let text = summary.text();
            let plain = |c: char| c == '\n' || manifest_core::is_plain(c);
            assert!(text.chars().all(plain), "{text:?}");
            assert_eq!(text.lines().filter(|line| line.starts_with("Install:")).count(), 1);
            assert_eq!(text.matches("\nPermissions:").count(), 1);

            let markdown = summary.markdown();
            assert!(markdown.chars().all(plain), "{markdown:?}");
            // What is left when every escaped sign is taken away holds our own marks only.
            let mut left = String::new();
            let mut chars = markdown.chars();
            while let Some(c) = chars.next() {
                if c == '\\' {
                    assert!(chars.next().is_some_and(|c| c.is_ascii_punctuation()), "{markdown}");
                } else {
                    left.push(c);
                }
            }
            for line in left.lines() {
                let line = line.trim_start_matches(['#', '-', ' ']);
                assert!(
                    !line.contains(['*', '`', '<', '[', '|', '>', '&', '#', '~', '@', '!']),
                    "{line}"
                );
                assert!(!line.contains("://") && !line.contains("www."), "{line}");
            }
        });
    }
}

#[test]
fn for_programs() {
    let value = with(&full(), |manifest| serde_json::to_value(Summary::new(manifest)).unwrap());
    assert_eq!(value["canonical_id"], "notes");
    assert_eq!(value["side_effects"], "destructive");
    assert_eq!(value["concerns"][0]["kind"], "destructive");
    assert_eq!(value["scopes"][0]["actions"], json!(["read", "send"]));
}
