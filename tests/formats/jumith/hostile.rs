//! Broken documents and requests: no panic, no path that leaves its folder, on a
//! small stack.

use ::testkit::Rng;
use jumith::client::Client;
use jumith::reference::Hub;
use jumith::server::{Package, Registry};
use jumith::{
    ApiError, Bundle, ExpectedBundle, Manifest, SearchResults, install, testkit, validate,
};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Limits, Profile, ValidateOptions, json::Document};
use toolglot_tests::on_a_small_stack;

const PROFILES: [Profile; 3] = [Profile::Spec, Profile::Reference, Profile::Strict];

/// Pieces that matter to somebody.
const PIECES: &[&str] = &[
    "null",
    "[]",
    "{}",
    "\"\"",
    "0",
    "-1",
    "1e99",
    "true",
    "\"../x\"",
    "\"a\\u0000b\"",
    "\"C:\\\\x\"",
    "\"path\":",
    "\"content\":\"QQ==\"",
    "\"encoding\":\"base64\"",
    "\"manifest\":",
    "\"files\":[",
    "\"sha256\":\"\"",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\\",
    "\"",
    "é",
    "\u{202e}",
    "/",
    "..",
    "%2f",
    "?",
    "&q=a",
    "+",
    "tags=",
    "limit=",
    ":",
    "\u{0}",
];

/// A text with some of its characters gone, doubled, or replaced by a piece.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut out = text.to_owned();
    for _ in 0..=rng.below(3) {
        let mut at = rng.below(out.len() + 1);
        while !out.is_char_boundary(at) {
            at -= 1;
        }
        let mut end = (at + rng.below(12)).min(out.len());
        while !out.is_char_boundary(end) {
            end += 1;
        }
        let piece = if rng.once_in(3) { "" } else { rng.word(PIECES) };
        out.replace_range(at..end, piece);
    }
    out
}

#[test]
fn documents() {
    on_a_small_stack(|| {
        let client = Client::new("http://h").unwrap();
        let request = client.describe("tool:a").unwrap();
        let mut planned = 0;
        for seed in 0..3000 {
            let rng = &mut Rng::new(seed);
            let manifest = testkit::generate(rng, 2);
            let bundle = format!(
                r#"{{"manifest":{manifest},"files":[{{"path":"dist/index.js","content":"x"}},{{"path":"index.mjs","content":"QQ==","encoding":"base64"}}]}}"#
            );
            let page = format!(r#"{{"results":[{manifest}],"total":1}}"#);
            let error = r#"{"error":{"code":"X","message":"m","details":{}}}"#;
            for text in [manifest.as_str(), &bundle, &page, error] {
                let text = mutate(text, rng);
                let _ = ApiError::read(404, text.as_bytes(), &Limits::default()).to_string();
                let Ok(document) = Document::parse(text.as_bytes(), &Limits::for_bundle()) else {
                    continue;
                };
                let _ = (Manifest::read(&document), Bundle::read(&document));
                let _ = SearchResults::read(&document);
                let _ = client.manifest(&request, &document).map_err(|failure| failure.to_string());
                for profile in PROFILES {
                    let options = ValidateOptions { profile, ..ValidateOptions::default() };
                    let _ = validate(&document, &options);
                    let _ = SearchResults::check(&document, &options);
                    let plan = install::plan(&document, &ExpectedBundle::default(), &options);
                    for file in plan.iter().flat_map(|plan| &plan.files) {
                        planned += 1;
                        let safe = check_portable(&file.path, &PathLimits::default());
                        assert_eq!(safe, Ok(()), "{seed}: {:?}", file.path);
                    }
                }
            }
        }
        assert!(planned > 100, "{planned}");
    });
}

#[test]
fn requests() {
    on_a_small_stack(|| {
        let package = Package {
            manifest:
                r#"{"id":"tool:a","name":"a","version":"1.0.0","summary":"s","description":"d",
                "entry":{"runtime":"node","main":"x.js"}}"#
                    .to_owned(),
            files: vec![("x.js".to_owned(), Vec::new())],
            yanked: false,
        };
        let packages = vec![package];
        let hub = Hub::new(packages.clone(), &Limits::default());
        let registry = Registry::new(packages, &ValidateOptions::default()).unwrap();
        for is_hub in [false, true] {
            let targets = [
                "/v1/tools/search?q=a&limit=1&offset=0&tags=x,y",
                "/v1/tools/tool%3Aa",
                "/v1/tools/tool:a/versions/1.0.0/bundle",
                "/v1/tools?q=s",
            ];
            for seed in 0..2000 {
                let rng = &mut Rng::new(seed);
                let target = mutate(rng.word(&targets), rng);
                let method = rng.word(&["GET", "HEAD", "POST", "", "get"]);
                let known = [("If-None-Match", target.as_str())];
                let response = if is_hub {
                    hub.handle(method, &target, &known)
                } else {
                    registry.handle(method, &target, &known)
                };
                assert!(matches!(response.status, 200 | 304 | 400 | 404 | 405), "{target}");
                if !response.body.is_empty() {
                    Document::parse(&response.body, &Limits::for_bundle()).expect("JSON, always");
                }
            }
        }
    });
}

/// Documents as long as the limits allow, wrong all the way through. All of it is
/// counted; finding the place of each would take minutes.
#[test]
fn long_lists_of_problems() {
    let manifest = |rest: &str| {
        format!(
            r#"{{"id":"tool:x","name":"x","version":"1.0.0","summary":"s","description":"d","entry":{{"runtime":"node","main":"x.js"}}{rest}}}"#
        )
    };
    let list = |element: &str, count: usize| vec![element; count].join(",");
    let check = |text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).expect("JSON");
        let report = validate(&document, &ValidateOptions::default());
        report.diagnostics.len() + report.left_out
    };
    assert!(check(&manifest(&format!(",\"tags\":[{}]", list("1", 190_000)))) > 190_000);
    assert!(check(&manifest(&format!(",\"tags\":[{}]", list(r#""\u0001""#, 110_000)))) > 110_000);
    let unknown: Vec<String> = (0..90_000).map(|i| format!("\"x{i}\":0")).collect();
    assert!(check(&manifest(&format!(",{}", unknown.join(",")))) > 90_000);

    for file in [r#"{"path":"..","content":""}"#, r#"{"path":"a","content":""}"#, "{}"] {
        let text = format!(r#"{{"manifest":{},"files":[{}]}}"#, manifest(""), list(file, 10_000));
        let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).expect("JSON");
        let report =
            Bundle::check(&document, &ExpectedBundle::default(), &ValidateOptions::default());
        assert!(report.diagnostics.len() + report.left_out >= 9_999, "{file}");
    }
    let text = format!(r#"{{"results":[{}],"total":1}}"#, list("{}", 100_000));
    let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).expect("JSON");
    let report = SearchResults::check(&document, &ValidateOptions::default());
    assert_eq!(report.diagnostics.len() + report.left_out, 400_000);
}
