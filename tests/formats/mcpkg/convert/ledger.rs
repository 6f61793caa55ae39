//! What the ledger says, checked by changing the source and looking at the target.

use convert::{Class, Conversion, ConversionReport, Options, SourceLeaf, TargetPlace};
use manifest_core::sha256_hex;
use serde_json::{Value, json};

use super::{converted, request, with};

/// Sources that say as much as they can.
fn sources() -> Vec<Value> {
    let mut all = request();
    for (pointer, value) in [
        ("/id", json!("search")),
        ("/name", json!("search")),
        ("/summary", json!("Finds.")),
        (
            "/env",
            json!([{"name": "KEY", "secret": true}, {"name": "REGION", "secret": false},
            {"name": "OTHER"}]),
        ),
        ("/scopes", json!(["crm:read"])),
        (
            "/package",
            json!({"id": "acme.crm", "title": "CRM", "namespace": "acme", "summary": "CRM.",
            "homepage": "https://crm.example", "publisher": {"name": "Acme", "url": "https://a.example",
            "email": "a@a.example"}}),
        ),
    ] {
        all = with(all, pointer, value);
    }
    let header = with(all.clone(), "/call/headers", json!({"Authorization": "Bearer ${env.KEY}"}));
    let program = with(all.clone(), "/call", json!({"kind": "stdin", "argv": ["/bin/x", "-v"]}));
    let argument = with(
        all.clone(),
        "/call",
        json!({"kind": "argument", "argv": ["/bin/x", "-v"],
        "method": "POST", "url": "https://crm.example", "path": "/"}),
    );
    let known = with(program.clone(), "/scheme", json!("oauth2"));
    let mut silent = with(program.clone(), "/timeoutMs", json!(1500.5));
    for name in ["title", "description", "version", "tags", "input", "output"] {
        silent.as_object_mut().unwrap().remove(name);
    }
    let fitted = with(silent.clone(), "/id", json!("search_it"));
    let slash = with(all.clone(), "/call/url", json!("https://crm.example/v1/"));
    vec![all, header, program, argument, known, silent, fitted, slash]
}

/// Other values for a leaf that a source may have there.
fn others(pointer: &str, value: &Value) -> Vec<Value> {
    let words: &[&str] = match pointer {
        "/version" => &["3.2.1"],
        "/call/method" => &["GET", "PUT"],
        "/call/kind" => &["http", "stdin", "argument"],
        "/scheme" => &["bearer", "none"],
        "/call/headers/Authorization" => &["Bearer ${env.OTHER}", "Basic ${env.KEY}", "x"],
        "/input/type" | "/output/type" | "/input/properties/q/type" => &["number"],
        // Renaming what a header refers to makes no valid source.
        "/env/0/name" => &["RENAMED"],
        _ => &[],
    };
    match value {
        Value::String(text) if words.is_empty() => {
            vec![json!(format!("{text}x")), json!(format!("x{text}"))]
        }
        Value::String(text) => {
            words.iter().filter(|word| *word != text).map(|word| json!(word)).collect()
        }
        Value::Bool(value) => vec![json!(!value)],
        _ => vec![json!(4000), json!(1500.4)],
    }
}

/// The values of a target, with the digest of the source masked.
fn values(conversion: &Conversion, source: &str) -> Vec<(TargetPlace, String)> {
    let account = conversion.report();
    let digest = sha256_hex(source.as_bytes());
    let leaves = account.target.into_iter();
    leaves.map(|leaf| (leaf.target, leaf.value.replace(&digest, "SEAL"))).collect()
}

/// Returns the values at a place, which may be an object.
fn values_at<'v>(
    values: &'v [(TargetPlace, String)],
    at: &TargetPlace,
) -> Vec<&'v (TargetPlace, String)> {
    let below = format!("{}/", at.pointer.as_str());
    let inside = |to: &TargetPlace| to == at || to.pointer.as_str().starts_with(&below);
    values.iter().filter(|(to, _)| inside(to)).collect()
}

#[test]
fn the_ledger_is_true() {
    for source in sources() {
        let text = source.to_string();
        let conversion = converted(&source, &Options::default()).unwrap();
        let account = conversion.report();
        let before = values(&conversion, &text);
        for leaf in &account.source {
            let pointer = leaf.source.as_str();
            let header = source.pointer("/call/headers/Authorization").is_some();
            let value = source.pointer(pointer).unwrap();
            // What is said together with others moves nothing by itself.
            let joint = |account: &ConversionReport, leaf: &SourceLeaf| {
                let target =
                    |to: &TargetPlace| account.target.iter().find(|leaf| leaf.target == *to);
                leaf.class == Class::Approximated
                    && leaf.target.iter().filter_map(target).all(|leaf| leaf.joint)
            };
            let with_others = joint(&account, leaf);
            let mut moved = with_others;
            for other in others(pointer, value) {
                let mut changed = source.clone();
                *changed.pointer_mut(pointer).unwrap() = other.clone();
                let (_, name) = pointer.rsplit_once('/').unwrap();
                if header && name == "name" && pointer == "/env/0/name" {
                    changed["call"]["headers"]["Authorization"] = json!("Bearer ${env.RENAMED}");
                }
                let text = changed.to_string();
                let Ok(conversion) = converted(&changed, &Options::default()) else { continue };
                let after = values(&conversion, &text);
                let moves = |at: &TargetPlace| values_at(&before, at) != values_at(&after, at);
                let all = leaf.target.iter().all(moves);
                moved |= leaf.target.iter().any(moves);
                let what = format!("{pointer} from {value} to {other} in {source}");
                match leaf.class {
                    Class::Native | Class::Equivalent => assert!(all, "stayed: {what}"),
                    Class::Approximated if with_others => {
                        let account = conversion.report();
                        let now = account.source.iter().find(|now| now.source == leaf.source);
                        let still = now.is_some_and(|now| joint(&account, now));
                        let any = leaf.target.iter().any(moves);
                        assert!(!(still && any), "moved: {what}");
                    }
                    Class::Approximated => {}
                    Class::ResidueOnly => {
                        let account = conversion.report();
                        let now = account.source.iter().find(|now| now.source == leaf.source);
                        let carried = now.is_some_and(|now| now.class == Class::ResidueOnly);
                        assert!(!carried || before == after, "moved: {what}");
                    }
                }
            }
            assert!(
                leaf.class != Class::Approximated || moved,
                "never moves: {pointer} in {source}"
            );
        }
    }
}
