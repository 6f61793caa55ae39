//! Manifests as large as they may be. Quadratic work would take minutes here.

use install_manifest::engine::consent::Summary;
use install_manifest::engine::diff::diff;
use install_manifest::engine::env::{Collection, Next, Options};
use install_manifest::engine::smoke;
use manifest_core::Limits;
use serde_json::{Map, Value, json};

use super::{called, changed, with, with_tools};

fn many(number: usize, entry: impl Fn(usize) -> Value) -> Value {
    (0..number).map(entry).collect()
}

#[test]
fn comparing() {
    let properties = |extra: &str| -> Value {
        let named = |n: usize| (format!("p{n}"), json!({"type": "string", "description": extra}));
        Value::Object((0..10_000).map(named).collect::<Map<_, _>>())
    };
    let input = |extra: &str| {
        let enumeration = many(20_000, |n| json!(format!("{extra}{n}")));
        let required = many(10_000, |n| json!(format!("p{n}")));
        json!({"properties": properties(extra), "required": required,
            "$defs": {"e": {"enum": enumeration}}})
    };
    let lists = |extra: &str| {
        let variable = |n| json!({"name": format!("V{n}"), "prompt": extra, "secret": true});
        let scope =
            |n| json!({"resource": format!("{extra}.{n}"), "actions": ["read"], "rationale": "r"});
        let sent = |n| {
            json!({"to": format!("{extra}{n}"), "fields": ["x"], "purpose": "p",
            "third_party_retention": "unknown"})
        };
        let kept = |n| json!({"where": "tool_local", "fields": [format!("{extra}{n}")]});
        changed(&[
            ("/env", many(2_000, variable)),
            ("/scopes", many(2_000, scope)),
            (
                "/data_boundary",
                json!({"transmits": many(2_000, sent), "persists": many(2_000, kept)}),
            ),
        ])
    };
    for (old, new) in [
        (
            changed(&[("/actions/0/input", input("a"))]),
            changed(&[("/actions/0/input", input("b"))]),
        ),
        (lists("a"), lists("b")),
    ] {
        let found = with(&old, |old| with(&new, |new| diff(old, new, &Limits::default())));
        assert!(found.changes.len() > 5_000);
    }
}

#[test]
fn planning() {
    let variable = |n| json!({"name": format!("V{n}"), "prompt": "p", "secret": true});
    let headers = |template: &str| -> Value {
        let named = |n| (format!("X-{n}"), json!(template));
        Value::Object((0..10_000).map(named).collect::<Map<_, _>>())
    };
    let (ours, theirs) = (headers("${env.V0}"), headers("${V0}"));
    let manifest = changed(&[
        ("/env", many(5_000, variable)),
        (
            "/actions/0/invocation",
            json!({"kind": "http", "method": "POST", "path": "/x", "headers": ours}),
        ),
        (
            "/smoke",
            json!({"kind": "http", "url": "https://example.com", "headers": theirs, "success": {}}),
        ),
    ]);
    let limits = Limits::default();
    with_tools(&manifest, |manifest, tools| {
        let given = |_: &str| Some("x".to_owned());
        let mut collection =
            Collection::new(&manifest.env, &given, &|_| None, &Options::default()).unwrap();
        let Next::Done(values) = collection.next().unwrap() else { panic!("done") };
        let has = |name: &str| values.get(name).is_some();
        assert!(smoke::plan(manifest, tools, &has, &smoke::Options::default()).is_ok());
        assert!(Summary::new(manifest).markdown().len() > 50_000);
    });
    assert!(called(&manifest, "{}", &|_| true).unwrap().missing.is_empty());
    let wrong = changed(&[(
        "/actions/0/invocation",
        json!({"kind": "http", "method": "POST", "path": "/x", "headers": headers("${env.X}")}),
    )]);
    assert_eq!(called(&wrong, "{}", &|_| true).unwrap_err().len(), limits.diagnostics);
}
