//! Packages of a registry: what is asked, what is answered, and what a stranger may answer.

use manifest_core::Limits;
use manifest_core::json::Document;
use mcpkg::registry::{MAX_PAGE_SIZE, PackageIndex, Page, Search, parse_software};
use mcpkg::select::Criteria;

/// The tool of section 10.2: JavaScript, .NET and Python.
const PDF: &str = include_str!("../../fixtures/mcpkg/spec/10_manifest.json");
/// The tool of section 9, without implementations.
const ECHO: &str = include_str!("../../fixtures/mcpkg/spec/09_manifest.json");

fn offers() -> PackageIndex {
    let mut offers = PackageIndex::default();
    for (text, digest) in [(PDF, "sha256:aa"), (ECHO, "sha256:bb")] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        offers.add(&document, digest);
    }
    offers
}

/// The ids that a client finds, through the address and the answer.
fn found(search: &Search) -> Vec<String> {
    let url = search.url("http://localhost/base/").unwrap();
    let query = url.strip_prefix("http://localhost/base/mcpkg/v1/packages?").unwrap();
    let body = offers().answer(query).unwrap();
    let document = Document::parse(body.as_bytes(), &Limits::default()).unwrap();
    let page = Page::read(&document, search).unwrap();
    assert_eq!(page.rejected, 0, "{body}");
    page.packages.iter().map(|found| found.manifest.tool_id.to_string()).collect()
}

fn wanted(wanted: Criteria) -> Search {
    Search { criteria: wanted, ..Search::default() }
}

/// Section 10.3: "a tool to read PDFs locally for JavaScript".
#[test]
fn a_registry_filters_by_capability_language_runtime_and_platform() {
    let pdf = ["tools.pdf.read_local"];
    let local =
        Criteria { capabilities: vec!["pdf".into(), "local".into()], ..Criteria::default() };
    let language = |name: &str| Criteria { language: Some(name.into()), ..local.clone() };
    assert_eq!(found(&wanted(language("javascript"))), pdf);
    assert_eq!(found(&wanted(language("ruby"))), [""; 0]);
    let runtime =
        |name: &str, text: &str| Criteria { runtime: Some(parse_software(text)), ..language(name) };
    assert_eq!(found(&wanted(runtime("python", "python@3.11.4"))), pdf);
    assert_eq!(found(&wanted(runtime("python", "python@3.12"))), [""; 0]);
    // One implementation must have all of it.
    assert_eq!(found(&wanted(runtime("javascript", "python"))), [""; 0]);
    let platform =
        |name: &str, text: &str| Criteria { platform: Some(text.into()), ..language(name) };
    assert_eq!(found(&wanted(platform("dotnet", "win-x64"))), pdf);
    assert_eq!(found(&wanted(platform("dotnet", "darwin-arm64"))), [""; 0]);
    let other =
        Criteria { capabilities: vec!["pdf".into(), "cloud".into()], ..Criteria::default() };
    assert_eq!(found(&wanted(other)), [""; 0]);
    let words = |words: &[&str]| Search {
        words: words.iter().map(ToString::to_string).collect(),
        ..Search::default()
    };
    assert_eq!(found(&words(&["echo"])), ["demo.echo"]);
    assert_eq!(found(&words(&["local machine", "EXTRACT"])), pdf);
    assert_eq!(found(&Search::default()), ["tools.pdf.read_local", "demo.echo"]);
    let second = Search { limit: 1, offset: 1, ..Search::default() };
    assert_eq!(found(&second), ["demo.echo"]);
}

#[test]
fn a_query_comes_back_as_it_was_asked() {
    let search = Search {
        criteria: Criteria {
            capabilities: vec!["a&b=c".into(), "ü %41+".into()],
            language: Some("c#".into()),
            runtime: Some(parse_software("node@>=18 <20")),
            platform: Some("linux-x64".into()),
        },
        words: vec!["two words".into(), String::new()],
        limit: MAX_PAGE_SIZE,
        offset: 7,
    };
    let url = search.url("https://example.com").unwrap();
    let (_, query) = url.split_once('?').unwrap();
    assert!(query.bytes().all(|b| b.is_ascii_graphic()), "{query}");
    assert_eq!(Search::parse(query), Ok(search));
    for base in ["ftp://example.com", "https://user:pass@example.com", "https://a.example/?b", ""] {
        assert!(Search::default().url(base).is_err(), "{base}");
    }
}

/// A filter that is passed over would find what nobody asked for.
#[test]
fn what_is_not_understood_is_refused() {
    let many = "q=a&".repeat(65);
    for query in [
        "langauge=javascript",
        "language=a&language=b",
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=1e1",
        "offset=99999999999999999999999",
        many.as_str(),
    ] {
        assert!(offers().answer(query).is_err(), "{query}");
    }
    assert!(offers().answer("offset=18446744073709551615").unwrap().contains("\"packages\":[]"));
}

/// A registry can answer anything.
#[test]
fn a_client_takes_what_it_asked_for_and_nothing_else() {
    let search = wanted(Criteria { language: Some("python".into()), ..Criteria::default() });
    let read = |text: &str, search: &Search| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        Page::read(&document, search).map(|page| (page.packages.len(), page.rejected))
    };
    let one = r#"{"toolId": "a.b", "implementations": [{"language": "python"}]}"#;
    let other = r#"{"toolId": "a.c", "implementations": [{"language": "perl"}]}"#;
    let nameless = r#"{"implementations": [{"language": "python"}]}"#;
    let list = [one, other, nameless, "7", "[]", "null"].join(",");
    let body = format!(r#"{{"packages": [{list}], "total": 6}}"#);
    assert_eq!(read(&body, &search), Ok((1, 5)));
    // No more than were asked for.
    let body = format!(r#"{{"packages": [{}], "total": 3}}"#, [one; 3].join(","));
    assert_eq!(read(&body, &Search { limit: 2, ..search.clone() }), Ok((2, 1)));
    for body in ["{}", "[]", "7", r#"{"packages": {}, "total": 0}"#, r#"{"packages": []}"#] {
        assert!(read(body, &search).is_err(), "{body}");
    }
    assert!(read(r#"{"packages": [], "total": -1}"#, &search).is_err());
}
