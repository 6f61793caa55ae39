//! Requests, errors and pages.

use jumith::cache::SeenVersions;
use jumith::client::{Client, Failure, RequestError, Search};
use jumith::{ApiError, Code, ExpectedBundle, SearchResults, install};
use manifest_core::{Limits, Profile, ValidateOptions, json::Document};

fn search(q: &str) -> Search {
    Search { q: q.to_owned(), ..Search::default() }
}

#[test]
fn the_path_of_the_base_url_is_kept() {
    for base in ["http://h/api", "http://h/api/", "http://h/api//"] {
        let url = Client::new(base).unwrap().describe("tool:e").unwrap().url;
        assert_eq!(url, "http://h/api/v1/tools/tool%3Ae");
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let url = Client::with_options(base, options).unwrap().describe("tool:e").unwrap().url;
        assert_eq!(url, "http://h/v1/tools/tool%3Ae", "the published client drops it");
    }
    for base in ["ftp://h", "h", "http://u:p@h", "http://", "http://h/?a", "http://h/#a"] {
        assert!(Client::new(base).is_err(), "{base}");
    }
}

/// Row B14 of the catalogue of attacks.
#[test]
fn ids_and_versions_are_encoded_or_refused() {
    let client = Client::new("http://h").unwrap();
    let url = |id: &str| client.describe(id).map(|request| request.url);
    assert_eq!(url("é (x)!").unwrap(), "http://h/v1/tools/%C3%A9%20%28x%29%21");
    for id in [
        "tool:../../x",
        "a?b",
        "a#b",
        "a/b",
        "%2e%2e",
        "..",
        ".",
        "",
        " ",
        "a\\b",
        "a\0b",
        "a\u{202e}b",
    ] {
        assert!(matches!(url(id), Err(RequestError::Id(_))), "{id:?}");
    }
    for version in ["../1", "", "..", "1/2"] {
        assert!(matches!(client.bundle("tool:a", version), Err(RequestError::Version(_))));
    }
    let url = client.bundle("tool:a", "1.0.0+b").unwrap().url;
    assert_eq!(url, "http://h/v1/tools/tool%3Aa/versions/1.0.0%2Bb/bundle");
}

#[test]
fn searches_are_checked() {
    let client = Client::new("http://h").unwrap();
    assert_eq!(client.search(&search(" ")), Err(RequestError::EmptyQuery));
    for limit in [0, 101] {
        let search = Search { limit: Some(limit), ..search("a") };
        assert_eq!(client.search(&search), Err(RequestError::Limit));
    }
    let tags = |tags: &[&str]| Search {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        offset: Some(40),
        limit: Some(100),
        ..search("a b&c=d")
    };
    assert_eq!(client.search(&tags(&["a,b"])), Err(RequestError::Tag));
    assert_eq!(
        client.search(&tags(&["x", "é"])).unwrap().url,
        "http://h/v1/tools/search?q=a+b%26c%3Dd&limit=100&offset=40&tags=x%2C%C3%A9"
    );
}

/// Row B19 of the catalogue of attacks.
#[test]
fn errors_are_read_whatever_they_are() {
    let read = |status, body: &str| ApiError::read(status, body.as_bytes(), &Limits::default());
    let error =
        read(404, r#"{"error":{"code":"TOOL_NOT_FOUND","message":"gone","details":{"a":1}}}"#);
    assert_eq!(error.kind(), Some(Code::ToolNotFound));
    assert_eq!(error.details.as_deref(), Some("{\"a\":1}"));
    let error = read(418, r#"{"error":{"code":"TEAPOT","message":"short and stout"}}"#);
    assert_eq!((error.kind(), error.code.as_deref()), (None, Some("TEAPOT")), "kept");
    for body in ["<html>\u{1b}[2J", "", "{", r#"{"error":{"code":5}}"#, r#"{"error":"x"}"#, "null"]
    {
        let error = read(503, body);
        assert_eq!(error.code, None, "{body}");
        assert_eq!(error.kind(), Some(Code::InternalError));
        assert!(!error.to_string().contains('\u{1b}'));
    }
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(read(500, &deep).code, None);
    let long = read(500, &"x".repeat(1 << 20));
    assert!(long.body.len() <= 1024 && long.to_string().len() < 1024);
    assert_eq!(ApiError::read(500, b"\xff\xfe", &Limits::default()).message, "\u{fffd}\u{fffd}");
}

#[test]
fn every_2xx_is_an_answer() {
    let client = Client::new("http://h").unwrap();
    let request = client.search(&search("a")).unwrap();
    for status in [200, 203, 299] {
        assert!(client.parse_answer(&request, status, b"{}").is_ok());
    }
    for status in [199, 301, 304, 400, 500] {
        assert!(matches!(client.parse_answer(&request, status, b"{}"), Err(Failure::Api(_))));
    }
    let twice = client.parse_answer(&request, 200, br#"{"total":1,"total":2}"#);
    let Err(Failure::Unreadable(found)) = twice else { panic!() };
    assert_eq!(found.rule.code, "json/duplicate-key");
}

/// The published client reads the body as JSON within its request, and says of both what it says
/// of a request.
#[test]
fn an_answer_that_is_no_json_is_a_request_that_failed() {
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let client = Client::with_options("http://h", options).unwrap();
    let requests = [
        (client.search(&search("a")).unwrap(), "search"),
        (client.describe("tool:a").unwrap(), "describe"),
        (client.bundle("tool:a", "1.0.0").unwrap(), "download"),
    ];
    for (request, what) in requests {
        for body in ["<html></html>", "", "{"] {
            let failure = client.parse_answer(&request, 200, body.as_bytes()).unwrap_err();
            let said = failure.reference_message(request.endpoint);
            let start = format!("Registry {what} failed: Registry request failed: ");
            assert!(said.starts_with(&start) && said.len() > start.len(), "{said}");
        }
    }
}

/// Neither its files nor what people have read of it may change.
///
/// Row B13 of the catalogue of attacks.
#[test]
fn a_version_that_changes_is_refused() {
    let plan_of = |summary: &str, content: &str, seen: &mut SeenVersions| {
        let text = format!(
            r#"{{"manifest":{{"id":"tool:x","name":"x","version":"1.0.0","summary":"{summary}",
            "description":"d","entry":{{"runtime":"node","main":"x.js"}}}},
            "files":[{{"path":"x.js","content":"{content}"}}]}}"#
        );
        let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).unwrap();
        let plan =
            install::plan(&document, &ExpectedBundle::default(), &ValidateOptions::default())
                .unwrap();
        seen.record_plan(&plan).map_err(|found| found.rule.code)
    };
    let mut seen = SeenVersions::default();
    assert_eq!(plan_of("Sends mail", "one", &mut seen), Ok(true));
    assert_eq!(plan_of("Sends mail", "one", &mut seen), Ok(false));
    let mut seen: SeenVersions =
        seen.iter().map(|(key, digest)| (key.clone(), digest.to_owned())).collect();
    for (summary, content) in [("Sends mail", "two"), ("Sends mail, and your keys", "one")] {
        assert_eq!(plan_of(summary, content, &mut seen), Err("jumith/immutable-version"));
    }
}

/// Row B12 of the catalogue of attacks.
#[test]
fn an_answer_about_another_tool_is_refused() {
    let client = Client::new("http://h").unwrap();
    let request = client.describe("tool:a").unwrap();
    let body = br#"{"id":"tool:b","name":"b","version":"1.0.0","summary":"s","description":"d",
        "entry":{"runtime":"node","main":"x.js"}}"#;
    let document = client.parse_answer(&request, 200, body).unwrap();
    let Err(Failure::Invalid(report)) = client.manifest(&request, &document) else { panic!() };
    assert_eq!(report.errors().next().unwrap().rule.code, "jumith/identity");
}

/// A registry that always has more is not followed for ever.
#[test]
fn paging_ends() {
    let client = Client::new("http://h").unwrap();
    let run = |body: &str, most: u64| {
        let document = Document::parse(body.as_bytes(), &Limits::default()).unwrap();
        let page = SearchResults::read(&document);
        let mut pages = client.pages(search("a")).unwrap().at_most(most);
        let mut urls = Vec::new();
        while let Some(request) = pages.request() {
            urls.push(request.url);
            pages.feed(&page);
            assert!(urls.len() < 1000);
        }
        urls
    };
    let one = r#"{"id":"i","name":"n","version":"1.0.0","summary":"s"}"#;
    let urls = run(&format!(r#"{{"results":[{one}],"total":3}}"#), 100);
    assert_eq!(urls.len(), 3);
    assert_eq!(urls[2], "http://h/v1/tools/search?q=a&offset=2");
    assert_eq!(run(r#"{"results":[],"total":99}"#, 100).len(), 1, "an empty page is the last");
    assert_eq!(run(&format!(r#"{{"results":[{one}],"total":9007199254740993}}"#), 50).len(), 50);
}
