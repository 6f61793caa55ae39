//! Indexes of manifests.

use install_manifest::engine::index::{
    PublisherIndex, RegistryIndex, RegistryStatus, validate_publisher_index,
    validate_registry_index,
};
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use serde_json::{Value, json};

fn index() -> Value {
    json!({
        "version": "1",
        "publisher": {"kind": "github", "id": "acme/tools", "display_name": "Acme"},
        "generated_at": "2026-01-01T00:00:00Z",
        "manifests": [{"id": "notes", "manifest_url": "https://example.com/notes.json",
            "manifest_version": "0.4", "status": "active", "summary": "s", "tags": ["a-b"]}]
    })
}

/// The places of what is wrong after a change; `null` removes.
fn wrong(at: &str, value: Value) -> Vec<String> {
    let mut index = index();
    let (holder, name) = at.rsplit_once('/').unwrap();
    match index.pointer_mut(holder).unwrap() {
        object if value.is_null() => drop(object.as_object_mut().unwrap().remove(name)),
        object => object[name] = value,
    }
    places(&index, validate_publisher_index)
}

fn places(
    index: &Value,
    validate: fn(&Document<'_>, &ValidateOptions) -> manifest_core::Report,
) -> Vec<String> {
    let text = index.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = validate(&document, &ValidateOptions::default());
    report.diagnostics.iter().map(|found| found.pointer.to_string()).collect()
}

#[test]
fn what_is_valid() {
    assert_eq!(places(&index(), validate_publisher_index), [""; 0]);
    assert_eq!(wrong("/manifests", json!([])), [""; 0]);
    for version in ["0.1", "0.2", "0.3", "0.3.1", "0.4"] {
        assert_eq!(wrong("/manifests/0/manifest_version", json!(version)), [""; 0]);
    }
    let publisher = |kind: &str, id: &str, more: bool| {
        let mut publisher = json!({"kind": kind, "id": id, "display_name": "x"});
        if more {
            publisher["atproto_record_uri"] = json!("at://did:plc:x/y/z");
        }
        wrong("/publisher", publisher)
    };
    assert_eq!(publisher("https", "tools.example.com", false), [""; 0]);
    assert_eq!(publisher("atproto", "did:plc:ewvi7nxzyoun6zhxrhs64oiz", true), [""; 0]);
    assert_eq!(publisher("atproto", "did:web:example.com", true), [""; 0]);
    assert_eq!(publisher("atproto", "did:web:example.com", false), ["/publisher"]);
    for (kind, id) in [
        ("github", "acme"),
        ("github", "acme/a/b"),
        ("github", "-a/b"),
        ("github", "a/.."),
        ("github", "a/b?x"),
        ("https", "Example.com"),
        ("https", "example.com:80"),
        ("https", "10.0.0.1"),
        ("https", "localhost"),
        ("https", "a..b"),
        ("https", "example.com/x"),
        ("https", "u@example.com"),
        ("atproto", "did:key:x"),
        ("atproto", "did:plc:short"),
    ] {
        assert_eq!(publisher(kind, id, true), ["/publisher/id"], "{kind} {id}");
    }
}

#[test]
fn what_is_not() {
    assert_eq!(wrong("/version", json!("2")), ["/version"]);
    assert_eq!(wrong("/extra", json!(1)), ["/extra"]);
    for name in ["version", "publisher", "generated_at", "manifests"] {
        assert_eq!(wrong(&format!("/{name}"), Value::Null), [""]);
    }
    for name in ["kind", "id", "display_name"] {
        assert_eq!(wrong(&format!("/publisher/{name}"), Value::Null), ["/publisher"]);
    }
    for name in ["id", "manifest_url", "manifest_version", "status"] {
        assert_eq!(wrong(&format!("/manifests/0/{name}"), Value::Null), ["/manifests/0"]);
    }
    let entry = |name: &str, value: Value| wrong(&format!("/manifests/0/{name}"), value);
    for id in ["Notes", "my_notes", "x"] {
        assert_eq!(entry("id", json!(id)), ["/manifests/0/id"]);
    }
    assert_eq!(entry("manifest_version", json!("0.99")), ["/manifests/0/manifest_version"]);
    assert_eq!(entry("status", json!("experimental")), ["/manifests/0/status"]);
    assert_eq!(entry("status", json!("deprecated")), ["/manifests/0"]);
    assert_eq!(
        entry("deprecated_in_favor_of", json!("Bad Id")),
        ["/manifests/0/deprecated_in_favor_of"]
    );
    assert_eq!(entry("tags", json!(["BadTag"])), ["/manifests/0/tags/0"]);
    assert_eq!(entry("tags", json!(vec!["a"; 17])), ["/manifests/0/tags"]);
    assert_eq!(entry("summary", json!("é".repeat(281))), ["/manifests/0/summary"]);
    assert_eq!(entry("summary", json!("é".repeat(280))), [""; 0]);
    assert_eq!(entry("manifest_url", json!("file:///etc")), ["/manifests/0/manifest_url"]);
    assert_eq!(
        wrong("/publisher/display_name", json!("x".repeat(81))),
        ["/publisher/display_name"]
    );
    assert_eq!(places(&json!([]), validate_publisher_index), [""]);

    let one = index()["manifests"][0].clone();
    assert_eq!(wrong("/manifests", json!([one, one])), ["/manifests/1/id"]);
    let many: Vec<Value> = (0..257)
        .map(|number| {
            let mut one = one.clone();
            one["id"] = json!(format!("notes-{number}"));
            one
        })
        .collect();
    assert_eq!(wrong("/manifests", json!(many)), ["/manifests"]);
}

#[test]
fn where_an_index_is() {
    let url = |kind: &str, id: &str| {
        let mut index = index();
        index["publisher"] = json!({"kind": kind, "id": id, "display_name": "x"});
        let text = index.to_string();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        PublisherIndex::read(&document).unwrap().publisher.index_url()
    };
    assert_eq!(
        url("https", "example.com").unwrap(),
        "https://example.com/.well-known/install-manifests.json"
    );
    assert_eq!(
        url("github", "a/b").unwrap(),
        "https://raw.githubusercontent.com/a/b/main/.well-known/install-manifests.json"
    );
    assert_eq!(url("atproto", "did:web:example.com"), None);
    assert_eq!(url("https", "example.com/@evil"), None, "what is no host leads nowhere");
}

#[test]
fn entries() {
    let text = index().to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let index = PublisherIndex::read(&document).unwrap();
    let entry = index.entry("notes").unwrap();
    assert!(index.publisher.owns(&index));
    super::with(&super::base(), |manifest| assert!(entry.matches(manifest)));
    super::with(&super::changed(&[("/tool/id", json!("other"))]), |manifest| {
        assert!(!entry.matches(manifest));
    });
}

#[test]
fn the_index_of_a_registry() {
    let index = json!({"version": "1", "schema_url": "https://example.com/s.json", "manifests": [
        {"id": "notes", "name": "Notes", "description": "d", "capabilities": ["notes"],
            "manifest_url": "https://example.com/notes.json", "status": "preview"}]});
    assert_eq!(places(&index, validate_registry_index), [""; 0]);
    let text = index.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let registry = RegistryIndex::read(&document).unwrap();
    assert_eq!(registry.entry("notes").unwrap().status, RegistryStatus::Preview);
    let mut bad = index;
    bad["schema_url"] = json!("http://example.com");
    bad["manifests"][0]["status"] = json!("active");
    bad["manifests"][0]["manifest_url"] = json!("http://example.com");
    assert_eq!(
        places(&bad, validate_registry_index),
        ["/schema_url", "/manifests/0/manifest_url", "/manifests/0/status"]
    );
}
