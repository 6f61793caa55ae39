//! The registry, as the specification has it.

use jumith::client::{Client, Search};
use jumith::reference::Hub;
use jumith::server::{Package, Registry, Response};
use jumith::{Code, SearchResults};
use manifest_core::{Limits, ValidateOptions, json::Document};
use serde_json::{Value, json};

fn package(name: &str, version: &str, change: impl FnOnce(&mut Value)) -> Package {
    let mut manifest = json!({
        "id": format!("tool:{name}"), "name": name, "version": version,
        "summary": format!("About {name}"), "description": "Does it.",
        "entry": {"runtime": "node", "main": "index.js"}
    });
    change(&mut manifest);
    let files = vec![("index.js".to_owned(), b"x".to_vec())];
    Package { manifest: manifest.to_string(), files, yanked: false }
}

fn registry() -> Registry {
    let packages = vec![
        package("beta", "1.9.0", |m| m["tags"] = json!(["Mail"])),
        package("beta", "1.10.0", |m| m["tags"] = json!(["mail", "new"])),
        package("beta", "2.0.0-rc.1", |m| m["summary"] = json!("Candidate")),
        package("beta", "2.0.0", |m| m["provider"] = json!("acme")),
        package("alpha", "0.1.0", |m| m["tags"] = json!(["MAIL"])),
        package("gamma", "1.0.0", |m| m["provider"] = json!("acme")),
    ];
    Registry::new(packages, &ValidateOptions::default()).unwrap()
}

fn body(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

fn header<'r>(response: &'r Response, name: &str) -> Option<&'r str> {
    response.headers.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
}

#[test]
fn the_latest_version_is_that_of_semver() {
    let registry = registry();
    let response = registry.handle("GET", "/v1/tools/tool%3Abeta", &[]);
    assert_eq!(body(&response)["version"], "2.0.0");
    let versions = body(&registry.handle("GET", "/v1/tools/tool:beta/versions", &[]));
    let order: Vec<_> =
        versions["versions"].as_array().unwrap().iter().map(|v| &v["version"]).collect();
    assert_eq!(order, ["2.0.0", "2.0.0-rc.1", "1.10.0", "1.9.0"]);
}

#[test]
fn our_client_takes_what_our_registry_gives() {
    let registry = registry();
    let client = Client::new("http://localhost").unwrap();
    let send =
        |url: &str| registry.handle("GET", url.strip_prefix("http://localhost").unwrap(), &[]);
    let request = client.describe("tool:beta").unwrap();
    let response = send(&request.url);
    let described = client.parse_answer(&request, response.status, &response.body).unwrap();
    let manifest = client.manifest(&request, &described).unwrap();
    let request = client.bundle("tool:beta", &manifest.version).unwrap();
    let response = send(&request.url);
    let document = client.parse_answer(&request, response.status, &response.body).unwrap();
    let plan = client.plan(&request, &document, Some(&described)).unwrap();
    assert_eq!(manifest.sha256.as_deref(), Some(plan.digest.as_str()));

    let request = client.bundle("tool:beta", "9.9.9").unwrap();
    let response = send(&request.url);
    let refused = client.parse_answer(&request, response.status, &response.body).unwrap_err();
    let jumith::client::Failure::Api(error) = refused else { panic!("{refused}") };
    assert_eq!(error.kind(), Some(Code::VersionNotFound));
}

#[test]
fn pages_do_not_overlap_and_miss_nothing() {
    let packages = (0..57).map(|i| package(&format!("tool{i}"), "1.0.0", |_| ())).collect();
    let registry = Registry::new(packages, &ValidateOptions::default()).unwrap();
    let client = Client::new("http://localhost/").unwrap();
    let search = Search { q: "about".to_owned(), limit: Some(10), ..Search::default() };
    let mut pages = client.pages(search).unwrap();
    let mut seen = Vec::new();
    while let Some(request) = pages.request() {
        let response =
            registry.handle("GET", request.url.strip_prefix("http://localhost").unwrap(), &[]);
        let document = client.parse_answer(&request, response.status, &response.body).unwrap();
        let page = client.results(&document).unwrap();
        assert_eq!(page.total(), Some(57));
        seen.extend(page.results.iter().map(|tool| tool.id.to_string()));
        pages.feed(&page);
    }
    assert_eq!(seen.len(), 57);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 57);
}

#[test]
fn searching() {
    let registry = registry();
    let found = |target: &str| {
        let body = body(&registry.handle("GET", target, &[]));
        let results = body["results"].as_array().unwrap().iter();
        let names: Vec<_> = results.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        (names, body["total"].as_u64().unwrap())
    };
    assert_eq!(found("/v1/tools/search?q=bata").0, ["beta"], "a slip");
    assert_eq!(found("/v1/tools/search?q=gam").0, ["gamma"], "a beginning");
    assert_eq!(found("/v1/tools/search?tags=mail").0, ["alpha"], "the latest version counts");
    assert_eq!(
        found("/v1/tools/search?q=about&limit=2&offset=1"),
        (vec!["beta".into(), "gamma".into()], 3)
    );
    assert_eq!(found("/v1/tools/search?q=about&offset=99"), (Vec::new(), 3));
    assert_eq!(found("/v1/tools?limit=1").1, 3);
    assert_eq!(registry.handle("GET", "/v1/tools/search", &[]).status, 400);
}

#[test]
fn lists_of_tags_and_providers() {
    let registry = registry();
    let tags = body(&registry.handle("GET", "/v1/tags", &[]));
    assert_eq!(tags, json!({"tags": [{"name": "mail", "count": 1}], "total": 1}));
    let providers = body(&registry.handle("GET", "/v1/providers", &[]));
    assert_eq!(providers, json!({"providers": [{"name": "acme", "count": 2}], "total": 1}));
}

#[test]
fn caching() {
    let registry = registry();
    let bundle = "/v1/tools/tool:beta/versions/2.0.0/bundle";
    for (target, kept) in [(bundle, "immutable"), ("/v1/tools/tool:beta", "no-cache")] {
        let response = registry.handle("GET", target, &[]);
        assert!(header(&response, "Cache-Control").unwrap().contains(kept));
        let tag = header(&response, "ETag").unwrap().to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
            let again = registry.handle("GET", target, &[("if-none-match", &known)]);
            assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
            assert_eq!(header(&again, "ETag"), Some(tag.as_str()));
        }
        assert_eq!(registry.handle("GET", target, &[("If-None-Match", "\"x\"")]).status, 200);
        let head = registry.handle("HEAD", target, &[]);
        assert_eq!((head.status, head.body.len()), (200, 0));
    }
}

#[test]
fn errors() {
    let registry = registry();
    let code = |method: &str, target: &str| {
        let response = registry.handle(method, target, &[]);
        let code = body(&response)["error"]["code"].as_str().unwrap().to_owned();
        (response.status, code)
    };
    assert_eq!(code("GET", "/v1/tools/tool:x"), (404, "TOOL_NOT_FOUND".into()));
    assert_eq!(code("GET", "/v1/tools/beta"), (404, "TOOL_NOT_FOUND".into()), "not by name");
    assert_eq!(
        code("GET", "/v1/tools/tool:beta/versions/v2.0.0/bundle"),
        (404, "VERSION_NOT_FOUND".into())
    );
    assert_eq!(code("GET", "/v2/tools"), (404, "INVALID_REQUEST".into()));
    assert_eq!(code("GET", "/v1/tools/%ff"), (400, "INVALID_REQUEST".into()));
    assert_eq!(code("GET", "/v1/tools/%zz"), (400, "INVALID_REQUEST".into()));
    assert_eq!(code("POST", "/v1/tools/upload"), (405, "INVALID_REQUEST".into()));
    // What the error repeats of the request is JSON, whatever it is.
    assert_eq!(code("GET", "/v1/tools/%22%7D%0a"), (404, "TOOL_NOT_FOUND".into()));
}

/// The specification suggests a code for it. The version that can be installed is there all the same.
#[test]
fn a_runtime_that_is_not_supported_has_a_code_of_its_own() {
    let python = |name, version| {
        package(name, version, |m| m["entry"]["runtime"] = json!("python")).manifest
    };
    let registry = registry()
        .with_unsupported(&python("p", "1.0.0"))
        .with_unsupported(&python("beta", "3.0.0"))
        .with_unsupported(&package("n", "1.0.0", |_| ()).manifest)
        .with_unsupported("{");
    let code = |target: &str| {
        let response = registry.handle("GET", target, &[]);
        let error = body(&response)["error"].clone();
        (response.status, error["code"].as_str().unwrap_or_default().to_owned())
    };
    let unsupported = (422, "UNSUPPORTED_RUNTIME".to_owned());
    assert_eq!(code("/v1/tools/tool:p"), unsupported);
    assert_eq!(code("/v1/tools/tool:p/versions/1.0.0/bundle"), unsupported);
    assert_eq!(code("/v1/tools/tool:beta/versions/3.0.0/bundle"), unsupported);
    assert_eq!(code("/v1/tools/tool:beta").0, 200);
    assert_eq!(code("/v1/tools/tool:beta/versions/4.0.0/bundle").1, "VERSION_NOT_FOUND");
    assert_eq!(code("/v1/tools/tool:n").1, "TOOL_NOT_FOUND");
    let response = registry.handle("GET", "/v1/tools/tool:p", &[]);
    assert_eq!(body(&response)["error"]["details"], json!({"runtime": "python"}));
}

/// As registries of other languages have it: no upgrade leads there, and who depends on it keeps it.
#[test]
fn a_yanked_version_is_there_for_those_who_name_it() {
    let yanked = |name, version| Package { yanked: true, ..package(name, version, |_| ()) };
    let packages = vec![
        package("a", "1.0.0", |_| ()),
        yanked("a", "1.1.0"),
        yanked("b", "1.0.0"),
        package("c", "1.0.0", |_| ()),
    ];
    let registry = Registry::new(packages.clone(), &ValidateOptions::default()).unwrap();
    assert_eq!(registry.len(), 2);
    let get = |target: &str| registry.handle("GET", target, &[]);
    assert_eq!(body(&get("/v1/tools/tool:a"))["version"], "1.0.0");
    for target in ["/v1/tools/search?q=about", "/v1/tools"] {
        let found = body(&get(target));
        let ids: Vec<_> = found["results"].as_array().unwrap().iter().map(|t| &t["id"]).collect();
        assert_eq!(ids, ["tool:a", "tool:c"], "{target}");
        assert_eq!(found["total"], 2, "{target}");
    }
    let versions = body(&get("/v1/tools/tool:a/versions"));
    assert_eq!(versions["versions"][0].get("yanked"), None);
    assert_eq!(versions["versions"][1]["yanked"], json!(true));
    let gone = get("/v1/tools/tool:b");
    assert_eq!((gone.status, &body(&gone)["error"]["code"]), (404, &json!("TOOL_NOT_FOUND")));
    for (id, version) in [("a", "1.1.0"), ("b", "1.0.0")] {
        let bundle = get(&format!("/v1/tools/tool:{id}/versions/{version}/bundle"));
        assert_eq!(body(&bundle)["manifest"]["version"], version);
    }
    // The published hub has no word for it.
    let hub = Hub::new(packages, &Limits::default());
    assert_eq!(hub.handle("GET", "/v1/tools/tool:b", &[]).status, 404);
    assert_eq!(body(&hub.handle("GET", "/v1/tools/tool:a", &[]))["version"], "1.0.0");
}

/// Row V08 of the catalogue of attacks.
#[test]
fn packages_that_no_client_would_install_are_refused() {
    let python = package("p", "1.0.0", |m| m["entry"]["runtime"] = json!("python"));
    let mut outside = package("o", "1.0.0", |_| ());
    outside.files.push(("../x".to_owned(), Vec::new()));
    let empty = Package { files: Vec::new(), ..package("e", "1.0.0", |_| ()) };
    let packages = vec![
        package("a", "1.0.0", |_| ()),
        python,
        outside,
        empty,
        package("a", "1.0.0+other", |_| ()),
        Package { manifest: "{".to_owned(), ..Package::default() },
        package("s", "1.0.0", |m| m["sha256"] = json!("0".repeat(64))),
    ];
    let refused = Registry::new(packages, &ValidateOptions::default()).unwrap_err();
    let refused: Vec<_> =
        refused.iter().map(|r| (r.index, r.report.errors().next().unwrap().rule.code)).collect();
    assert_eq!(
        refused,
        [
            (1, "jumith/unsupported-runtime"),
            (2, "jumith/file-path"),
            (3, "jumith/entry-missing"),
            (4, "jumith/immutable-version"),
            (5, "json/syntax"),
            (6, "jumith/digest"),
        ]
    );
}

/// Row B17 of the catalogue of attacks.
#[test]
fn a_page_of_results_is_checked() {
    let check = |text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = SearchResults::check(&document, &ValidateOptions::default());
        report
            .diagnostics
            .iter()
            .map(|d| format!("{} {}", d.rule.code, d.pointer))
            .collect::<Vec<_>>()
    };
    assert_eq!(check(r#"{"results":[],"total":0}"#), [""; 0]);
    for total in ["-1", "1e99", "1.5"] {
        assert_eq!(
            check(&format!(r#"{{"results":[],"total":{total}}}"#)),
            ["json/number-range /total"]
        );
    }
    assert_eq!(
        check(r#"{"results":[{"id":"a/b","name":" ","version":"..","summary":"s"},{"id":"x"}]}"#),
        [
            "json/required /results/1",
            "json/required /results/1",
            "json/required /results/1",
            "json/required ",
            "jumith/id /results/0/id",
            "jumith/blank /results/0/name",
            "jumith/version /results/0/version"
        ]
    );
}
