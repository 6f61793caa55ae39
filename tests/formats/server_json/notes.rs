//! What the texts about the format say, sentence by sentence.

use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use mcp::server_json::validate;
use serde_json::{Value, json};

fn clean() -> Value {
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "com.example/notes", "version": "1.0.0", "description": "Keeps notes.",
        "packages": [{
            "registryType": "npm", "identifier": "notes", "version": "1.0.0",
            "transport": {"type": "stdio"},
            "packageArguments": [{"type": "positional", "valueHint": "folder"}],
            "environmentVariables": [{"name": "TOKEN"}],
        }],
        "remotes": [{"type": "sse", "url": "https://example.com/mcp"}],
    })
}

fn is_valid(value: &Value) -> bool {
    let text = value.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    validate(&document, &ValidateOptions::default()).is_valid()
}

/// Whether the clean document stays valid with another value in one place.
fn takes(at: &str, value: Value) -> bool {
    let mut server = clean();
    let (above, name) = at.rsplit_once('/').unwrap();
    let object = server.pointer_mut(above).unwrap().as_object_mut().unwrap();
    match value {
        Value::Null => drop(object.remove(name).unwrap_or_else(|| panic!("{at} is there"))),
        value => drop(object.insert(name.to_owned(), value)),
    }
    is_valid(&server)
}

#[test]
fn what_is_required() {
    assert!(is_valid(&clean()));
    for at in ["/name", "/description", "/version"] {
        assert!(!takes(at, Value::Null), "{at}");
    }
    for at in ["registryType", "identifier", "transport"] {
        assert!(!takes(&format!("/packages/0/{at}"), Value::Null), "{at}");
    }
    for at in ["/packages", "/remotes", "/packages/0/version", "/$schema"] {
        assert!(takes(at, Value::Null), "{at}");
    }
}

#[test]
fn a_name_is_a_namespace_a_slash_and_a_name() {
    for name in ["a/b", "io.github.a-b/C_1.x", &format!("a/{}", "b".repeat(198))] {
        assert!(takes("/name", json!(name)), "{name}");
    }
    for name in ["notes", "a/b/c", "/a", "a/", "a_b/c", "a b/c", &format!("a/{}", "b".repeat(199))]
    {
        assert!(!takes("/name", json!(name)), "{name}");
    }
}

#[test]
fn texts_have_so_many_characters() {
    for (at, least, most) in [("/description", 1, 100), ("/title", 1, 100), ("/version", 0, 255)] {
        assert!(takes(at, json!("é".repeat(most))), "{at}");
        assert!(!takes(at, json!("é".repeat(most + 1))), "{at}");
        assert_eq!(takes(at, json!("")), least == 0, "{at}");
    }
}

#[test]
fn a_version_is_one() {
    for at in ["/version", "/packages/0/version"] {
        for version in ["1.2.3", "2025.11", "v3", "1.2.3-rc.1+build"] {
            assert!(takes(at, json!(version)), "{version}");
        }
        for version in ["latest", "^1.2.3", "~1.2.3", ">=1.2.3", "1.x", "1.*"] {
            assert!(!takes(at, json!(version)), "{version}");
        }
    }
}

#[test]
fn a_bundle_needs_its_digest() {
    assert!(!takes("/packages/0/registryType", json!("mcpb")));
    let digest = "0123456789abcdef".repeat(4);
    assert!(takes("/packages/0/fileSha256", json!(digest)));
    for wrong in [&digest[1..], &digest.to_uppercase(), "g"] {
        assert!(!takes("/packages/0/fileSha256", json!(wrong)), "{wrong}");
    }
    let mut server = clean();
    server["packages"] = json!([{
        "registryType": "mcpb", "identifier": "https://example.com/a.mcpb", "fileSha256": digest,
        "transport": {"type": "stdio"},
    }]);
    assert!(is_valid(&server));
}

#[test]
fn an_argument_is_named_or_positional() {
    for (argument, is_one) in [
        (json!({"type": "positional", "value": "x"}), true),
        (json!({"type": "positional", "valueHint": "x"}), true),
        (json!({"type": "positional"}), false),
        (json!({"type": "named", "name": "--flag"}), true),
        (json!({"type": "named"}), false),
        (json!({"type": "flag", "name": "--flag"}), false),
        (json!({"type": "named", "name": "-x", "format": "filepath", "isRepeated": true}), true),
        (json!({"type": "named", "name": "-x", "format": "folder"}), false),
    ] {
        assert_eq!(takes("/packages/0/packageArguments", json!([argument])), is_one, "{argument}");
    }
}

#[test]
fn a_transport_has_a_url_over_http() {
    let remote = |kind: &str, url: &str| takes("/remotes", json!([{"type": kind, "url": url}]));
    for url in ["https://example.com/mcp", "http://x", "{base}/mcp", "https://{host}/"] {
        assert!(remote("streamable-http", url) && remote("sse", url), "{url}");
    }
    for url in ["", "example.com", "ftp://example.com", "https://a b", "{1}/", "https://"] {
        assert!(!remote("streamable-http", url), "{url}");
    }
    assert!(!remote("stdio", "https://example.com/"));
    assert!(takes("/packages/0/transport", json!({"type": "sse", "url": "http://localhost/"})));
    assert!(!takes("/packages/0/transport", json!({"type": "sse"})));
}

#[test]
fn an_icon_is_fetched_over_https() {
    let icon = |src: &str| takes("/icons", json!([{"src": src, "sizes": ["48x48", "any"]}]));
    assert!(icon("https://example.com/a.png"));
    assert!(!icon("http://example.com/a.png"));
}
