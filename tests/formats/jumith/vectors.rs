//! What the published client answered, and what we answer under its profile.

use jumith::client::{Client, Endpoint, Failure, Request, Search};
use jumith::reference::{reference_folder, reference_path};
use jumith::{Bundle, ExpectedBundle, install};
use manifest_core::path::PathStyle;
use manifest_core::{Limits, Profile, ValidateOptions, json::Document};
use serde_json::{Value, json};

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"))
}

fn reference() -> ValidateOptions {
    ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() }
}

#[test]
fn the_client_asks_and_reads_as_the_published_one() {
    let client = Client::with_options("http://h:1/", reference()).unwrap();
    let mut seen = 0;
    for case in lines(include_str!("../../fixtures/jumith/jumith.client-parse.jsonl")) {
        let name = case["name"].as_str().unwrap();
        let argument = |index: usize| case["args"][index].as_str().unwrap_or_default();
        let request = match case["op"].as_str().unwrap() {
            "searchTools" => client.search(&search(&case["args"])),
            "describeTool" => client.describe(argument(0)),
            "downloadToolBundle" => client.bundle(argument(0), argument(1)),
            other => panic!("{other}"),
        }
        .unwrap();
        assert_eq!(request.url, case["url"], "{name}");
        let body = match &case["body"] {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let status = case["status"].as_u64().unwrap().try_into().unwrap();
        match answer(&client, &request, status, body.as_bytes()) {
            Ok(found) => assert_eq!(found, case["ok"], "{name}"),
            Err(failure) => {
                assert_eq!(failure.reference_message(request.endpoint), case["error"], "{name}");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 20);
}

fn search(arguments: &Value) -> Search {
    let options = &arguments[1];
    let texts = options["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Search {
        q: arguments[0].as_str().unwrap().to_owned(),
        limit: options["limit"].as_u64().map(|limit| limit.try_into().unwrap()),
        offset: options["offset"].as_u64(),
        tags: texts.map(str::to_owned).collect(),
    }
}

fn answer(client: &Client, request: &Request, status: u16, body: &[u8]) -> Result<Value, Failure> {
    let document = client.parse_answer(request, status, body)?;
    Ok(match request.endpoint {
        Endpoint::Search => json!(client.results(&document)?),
        Endpoint::Describe => json!(client.manifest(request, &document)?),
        _ => json!(client.checked_bundle(request, &document, None)?),
    })
}

#[test]
fn paths_on_posix() {
    for case in lines(include_str!("../../fixtures/jumith/jumith.bundle-path-posix.jsonl")) {
        if let Some(id) = case["safeToolId"].as_str() {
            assert_eq!(reference_folder(id), case["out"]);
            continue;
        }
        let path = case["path"].as_str().unwrap();
        match reference_path(path, PathStyle::Posix) {
            Some(found) => assert_eq!(found, case["ok"], "{path:?}"),
            None => assert_eq!(case["error"], format!("Invalid file path: {path}")),
        }
    }
}

#[test]
fn paths_on_windows() {
    for case in lines(include_str!("../../fixtures/jumith/jumith.bundle-path-win32.jsonl")) {
        let path = case["path"].as_str().unwrap();
        let found = reference_path(path, PathStyle::Windows);
        assert_eq!(found.as_deref().unwrap_or("Invalid file path"), case["win32"], "{path:?}");
    }
}

/// Under the `reference` profile, a bundle is refused where the published client
/// of either platform refuses it, and where accepting it would be unsafe.
#[test]
fn paths_of_a_bundle() {
    let posix = lines(include_str!("../../fixtures/jumith/jumith.bundle-path-posix.jsonl"));
    let unsafe_anywhere = ["C:\\x", "C:/x", "\\x", "a/\0b", "a/..", "a/b/../..", "a/foo..", "…"];
    for case in posix.filter(|case| case["path"].is_string()) {
        let path = case["path"].as_str().unwrap();
        let text = json!({
            "manifest": {
                "id": "tool:e", "name": "e", "version": "1.0.0", "summary": "s",
                "description": "d", "entry": {"main": "x.js"}
            },
            "files": [{"path": path, "content": "x"}]
        })
        .to_string();
        let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).unwrap();
        let report = Bundle::check(&document, &ExpectedBundle::default(), &reference());
        let expected = case["ok"].is_string() && !unsafe_anywhere.contains(&path);
        assert_eq!(report.is_valid(), expected, "{path:?}: {report:?}");
        if let Ok(plan) = install::plan(&document, &ExpectedBundle::default(), &reference()) {
            assert_eq!(
                plan.files[0].path,
                format!("tool_e/1.0.0/{}", case["ok"].as_str().unwrap())
            );
        }
    }
}
