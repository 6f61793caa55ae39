//! What the published hub answered, and what ours answers.

use jumith::reference::Hub;
use jumith::server::Package;
use manifest_core::Limits;
use serde_json::{Value, json};

/// The folders that the hub served, in the order in which it read them.
fn hub() -> Hub {
    let fixture: Value =
        serde_json::from_str(include_str!("../../fixtures/jumith/jumith.hub-fixture.json"))
            .unwrap();
    let package = |entry: &Value| Package {
        manifest: entry["manifest"].to_string(),
        files: entry["files"].as_array().unwrap().iter().map(file).collect(),
        yanked: false,
    };
    let packages = fixture.as_array().unwrap().iter().map(package).collect();
    Hub::new(packages, &Limits::default())
}

fn file(file: &Value) -> (String, Vec<u8>) {
    let bytes = match file["base64"].as_str().unwrap() {
        "" => Vec::new(),
        "eA==" => b"x".to_vec(),
        "AAE=" => vec![0, 1],
        "6Q==" => vec![0xe9],
        other => panic!("{other}"),
    };
    (file["path"].as_str().unwrap().to_owned(), bytes)
}

#[test]
fn every_answer() {
    let hub = hub();
    let mut seen = 0;
    for line in include_str!("../../fixtures/jumith/jumith.hub-http.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        let response = hub.handle("GET", case["path"].as_str().unwrap(), &[]);
        assert_eq!(json!(response.status), case["status"], "{name}");
        let body = String::from_utf8(response.body).unwrap();
        let found: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(found, case["body"], "{name}");
        seen += 1;
    }
    assert_eq!(seen, 22);
}

/// Facts about the hub that have no vector.
#[test]
fn what_else_the_hub_does() {
    let hub = hub();
    let get = |path: &str| hub.handle("GET", path, &[]);
    assert_eq!(get("/v1/tools/search?q=a&q=b").status, 400, "two are none");
    assert_eq!(get("/v1/tools/alpha").status, 200, "the name stands for the id");
    assert_eq!(get("/v1/tags").status, 404);
    assert_eq!(hub.handle("POST", "/v1/tools/alpha", &[]).status, 404);
    let body = get("/nothing").body;
    assert_eq!(
        String::from_utf8(body).unwrap(),
        r#"{"error":{"code":"INVALID_REQUEST","message":"Unknown endpoint","details":{}}}"#
    );
}
