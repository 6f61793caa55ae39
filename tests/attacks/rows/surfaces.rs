//! What inputs are given to, by name: `KIND [PLACE] [@PROFILE]`.
//!
//! | name | the input is |
//! |---|---|
//! | `json` | a text, parsed |
//! | `schema` | a JSON Schema |
//! | `pattern` | the pattern of a schema |
//! | `match` | a pattern and a text, which must match |
//! | `query` | the path of an assertion |
//! | `entry` | the name of a file in an archive |
//! | `archive` | the bytes of an archive, or files: name, content and perhaps a mode of Unix |
//! | `package` | files of a package that are changed, or removed by `null` |
//! | `text` | the description of a tool in each format |
//! | `override DOCUMENT PLACE` | what a local capability says there instead |
//! | `call DOCUMENT` | arguments for the first tool |
//! | `export DOCUMENT PLACE` | what a document has there, which is given to each provider |
//! | `probe DOCUMENT PLACE`, `probe-call DOCUMENT` | the same; whatever is said, the laws must hold |
//! | `DOCUMENT PLACE` | what a document of `documents.json` has there; without a place, all of it |

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;
use toolglot_tests::root;

use serde_json::Value;
use toolglot::call::{Grant, HostFacts, Policy};
use toolglot::capability::{Catalog, CatalogEntry, Layers};
use toolglot::core::{pattern, schema};
use toolglot::json::{Document, quote};
use toolglot::mcpkg::archive;
use toolglot::mcpkg::jsonpath::Query;
use toolglot::mcpkg::package::{CheckOptions, Package};
use toolglot::providers::{self, Target};
use toolglot::{Format, FormatName, Limits, Profile, ValidateOptions, jumith, mcpkg};

use super::answer::{Answer, said};
use super::{everywhere, generate, zip};

/// A document that inputs are put into.
pub(crate) struct Harmless {
    kind: String,
    document: Value,
}

pub(crate) fn documents() -> &'static BTreeMap<String, Harmless> {
    static DOCUMENTS: LazyLock<BTreeMap<String, Harmless>> = LazyLock::new(|| {
        let text = fs::read_to_string(root().join("tests/attacks/rows/documents.json")).unwrap();
        let read: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_str(&text).unwrap();
        let one = |mut parts: BTreeMap<String, Value>| Harmless {
            kind: parts["kind"].as_str().unwrap().to_owned(),
            document: parts.remove("document").unwrap(),
        };
        read.into_iter().map(|(name, parts)| (name, one(parts))).collect()
    });
    &DOCUMENTS
}

impl Harmless {
    fn format(&self) -> &'static Format {
        self.kind.parse::<FormatName>().unwrap().format().unwrap()
    }

    /// The document with these values. They are put in as they are spelled.
    fn with(&self, values: &BTreeMap<&str, &Value>) -> String {
        let mut document = self.document.clone();
        for (number, (place, _)) in values.iter().enumerate() {
            put(&mut document, place, Value::String(format!("@{number}@")));
        }
        let mut text = document.to_string();
        for (number, (_, value)) in values.iter().enumerate() {
            text = text.replacen(&format!("\"@{number}@\""), &generate::json(value), 1);
        }
        text
    }
}

fn put(document: &mut Value, place: &str, value: Value) {
    let (holder, name) = place.rsplit_once('/').expect("a place");
    let name = name.replace("~1", "/").replace("~0", "~");
    match document.pointer_mut(holder).unwrap_or_else(|| panic!("nothing is at {holder}")) {
        Value::Array(list) if name == "-" => list.push(value),
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = value,
        Value::Object(object) => drop(object.insert(name, value)),
        other => panic!("{place} is in {other}"),
    }
}

pub(crate) struct Surface<'n> {
    kind: &'n str,
    document: Option<&'static Harmless>,
    place: Option<&'n str>,
    profile: Profile,
}

impl<'n> Surface<'n> {
    pub(crate) fn named(name: &'n str) -> Self {
        let mut words: Vec<&str> = name.split(' ').collect();
        let profile = match words.last().and_then(|word| word.strip_prefix('@')) {
            None => Profile::Spec,
            Some("reference") => Profile::Reference,
            Some("strict") => Profile::Strict,
            Some(other) => panic!("no profile: {other}"),
        };
        words.retain(|word| !word.starts_with('@'));
        let place = words.iter().copied().find(|word| word.starts_with('/'));
        words.retain(|word| !word.starts_with('/'));
        let document = words.last().and_then(|name| documents().get(*name));
        let kind = if words.len() == 1 && document.is_some() { "document" } else { words[0] };
        Self { kind, document, place, profile }
    }

    /// What is said about the document before anything is put into it.
    pub(crate) fn harmless(&self) -> Answer {
        self.check(&self.document.unwrap().document.to_string())
    }

    fn options(&self, limits: Limits) -> ValidateOptions {
        ValidateOptions { profile: self.profile, limits, ..ValidateOptions::default() }
    }

    /// Gives the surface an input.
    pub(crate) fn give(&self, input: &Value, and: &BTreeMap<String, Value>) -> Answer {
        match self.kind {
            "json" => parsed(&generate::bytes(input)),
            "schema" => schema_said(&generate::json(input)),
            "pattern" => pattern_said(&generate::text(input)),
            "match" => matched(&generate::text(&input[0]), &generate::text(&input[1])),
            "entry" => archived(&zip::with_name(&generate::bytes(input))),
            "archive" if input.is_array() => archived(&zip::of(input)),
            "archive" => archived(&generate::bytes(input)),
            "package" => packaged(input),
            "text" => self.described(input),
            "query" => self.asserted(input),
            "call" => self.called(&generate::json(input), and),
            "override" => self.overridden(&self.filled(input, and)),
            "export" => exported(self.document.unwrap().format(), &self.filled(input, and)),
            "probe" => {
                self.check(&self.filled(input, and));
                Answer::new()
            }
            "probe-call" => {
                self.called(&generate::json(input), and);
                Answer::new()
            }
            "document" => self.check(&self.filled(input, and)),
            other => panic!("no surface: {other}"),
        }
    }

    fn filled(&self, input: &Value, and: &BTreeMap<String, Value>) -> String {
        let Some(place) = self.place else { return generate::text(input) };
        let mut values: BTreeMap<&str, &Value> =
            and.iter().map(|(place, value)| (place.as_str(), value)).collect();
        values.insert(place, input);
        self.document.unwrap().with(&values)
    }

    fn check(&self, text: &str) -> Answer {
        let harmless = self.document.unwrap();
        match harmless.kind.as_str() {
            "bundle" => with(text, &Limits::for_bundle(), |document| {
                let options = self.options(Limits::for_bundle());
                let report =
                    jumith::Bundle::check(document, &jumith::ExpectedBundle::default(), &options);
                let plan =
                    jumith::install::plan(document, &jumith::ExpectedBundle::default(), &options);
                assert_eq!(plan.is_ok(), report.is_valid(), "what is invalid is not installed");
                said(&report.diagnostics)
            }),
            "results" => with(text, &Limits::default(), |document| {
                let options = self.options(Limits::default());
                said(&jumith::SearchResults::check(document, &options).diagnostics)
            }),
            "test" => with(text, &Limits::default(), |document| {
                let options = self.options(Limits::default());
                said(&mcpkg::testing::check(document, &options).diagnostics)
            }),
            _ => {
                let format = harmless.format();
                everywhere::hold(format, text);
                with(text, &Limits::default(), |document| {
                    let options = self.options(Limits::default());
                    said(&format.validate(document, &options).diagnostics)
                })
            }
        }
    }

    /// A text as the description of a tool: every format says the same of it, but for the names
    /// of its own rules.
    fn described(&self, input: &Value) -> Answer {
        let places = [
            ("tools-json", "/tools/0/description"),
            ("mcpkg", "/description"),
            ("jumith", "/description"),
            ("capability", "/description"),
            ("install-manifest", "/actions/0/docs/goal"),
            ("mcpb", "/description"),
        ];
        let answers = places.map(|(name, place)| {
            let text = documents()[name].with(&[(place, input)].into());
            let surface = Surface { document: Some(&documents()[name]), ..*self };
            surface.check(&text)
        });
        let shared = |code: &&String| code.contains("text/") || code.starts_with("json/");
        let own = |answer: &Answer| answer.iter().filter(shared).cloned().collect::<Answer>();
        for (answer, (name, _)) in answers.iter().zip(places) {
            assert_eq!(own(answer), own(&answers[0]), "{name}: {input}");
        }
        answers.into_iter().flatten().collect()
    }

    /// The path of an assertion. The reader of queries alone says the same.
    fn asserted(&self, input: &Value) -> Answer {
        let test = &documents()["test"];
        let surface = Surface { document: Some(test), ..*self };
        let answer = surface.check(&test.with(&[("/assertions/0/path", input)].into()));
        let query = Query::parse(&generate::text(input), &Limits::default());
        assert_eq!(query.is_err(), answer.contains("mcpkg/assertion-path"), "{input}");
        answer
    }

    /// Arguments for the first tool of a document.
    fn called(&self, arguments: &str, and: &BTreeMap<String, Value>) -> Answer {
        let harmless = self.document.unwrap();
        let text =
            harmless.with(&and.iter().map(|(place, value)| (place.as_str(), value)).collect());
        with(&text, &Limits::default(), |document| {
            let format = harmless.format();
            let tool = format.lift_valid(document, 0).tools.remove(0);
            let grants = [Grant::Approved, Grant::Disabled, Grant::Untrusted].into();
            let policy = Policy { grants, ..Policy::default() };
            let has = |_: &str| true;
            let facts = HostFacts { has_value: &has, ..HostFacts::new(&policy) };
            let limits = Limits::default();
            let contract = (format.contract)(&tool);
            let planned = toolglot::call::plan_in_manifest(
                document, &tool, &contract, arguments, &facts, &limits,
            );
            match planned.ready() {
                Ok(plan) => plan.warnings.iter().map(|found| format!("({})", found.rule)).collect(),
                Err(refused) => said(&refused.report().expect("errors").diagnostics),
            }
        })
    }

    /// A capability that says something else than the one it takes the place of.
    fn overridden(&self, text: &str) -> Answer {
        let entry = |text: &str| CatalogEntry::parse(text, &ValidateOptions::default());
        let base = entry(&self.document.unwrap().document.to_string()).unwrap();
        let over = match entry(text) {
            Ok(over) => over,
            Err(report) => return said(&report.diagnostics),
        };
        let base: Catalog = [base].into_iter().collect();
        let layers = Layers::new(base, [over.clone()].into_iter().collect());
        let merged = layers.to_catalog();
        assert_eq!(merged.entries().len(), 1);
        assert_eq!(merged.entries()[0].text(), over.text(), "the upper layer wins as a whole");
        said(&layers.check_overrides(self.profile, 100).diagnostics)
    }
}

/// What is said of a text that is a document, or why it is none.
fn with(text: &str, limits: &Limits, check: impl FnOnce(&Document<'_>) -> Answer) -> Answer {
    match Document::parse(text.as_bytes(), limits) {
        Ok(document) => check(&document),
        Err(refused) => said([&refused]),
    }
}

/// A text alone, and in a stream.
fn parsed(bytes: &[u8]) -> Answer {
    everywhere::cut(bytes);
    everywhere::any_text(bytes);
    match Document::parse(bytes, &Limits::default()) {
        Ok(document) => everywhere::keeps_every_token(&document),
        Err(refused) => return said([&refused]),
    }
    Answer::new()
}

/// A schema alone. What has no fault compiles, and is written for every provider.
fn schema_said(text: &str) -> Answer {
    let limits = Limits { document_bytes: 32 << 20, nodes: 4 << 20, ..Limits::default() };
    let document = match Document::parse(text.as_bytes(), &limits) {
        Ok(document) => document,
        Err(refused) => return said([&refused]),
    };
    let found = schema::check(document.root(), &Limits::default());
    assert!(found.len() <= Limits::default().diagnostics);
    everywhere::schema(text);
    let compiled = schema::Schema::compile(document.root(), &Limits::default());
    let refused = compiled.err().unwrap_or_default();
    // The engine alone knows which numbers it would round.
    let known = |code: &String| code == "schema/number" || said(&found).contains(code);
    assert!(said(&refused).iter().all(known), "{text:.300}");
    assert!(found.is_empty() || !refused.is_empty(), "{text:.300}");
    said(found.iter().chain(&refused))
}

/// A pattern: the engine and the check of schemas say the same.
fn pattern_said(source: &str) -> Answer {
    let found = schema_said(&format!("{{\"pattern\":{}}}", quote(source)));
    let compiled = pattern::Pattern::new(source, &pattern::PatternLimits::default());
    assert_eq!(compiled.is_err(), found.contains("schema/pattern"), "{source:.200}");
    found
}

/// Whether a text matches a pattern, as an argument that has to.
fn matched(pattern: &str, text: &str) -> Answer {
    let schema = serde_json::json!({"type": "object", "properties": {"v": {"pattern": pattern}}});
    let and = [("/tools/0/schema".to_owned(), schema)].into();
    Surface::named("call tools-json").called(&format!("{{\"v\":{}}}", quote(text)), &and)
}

fn archived(bytes: &[u8]) -> Answer {
    let limits = Limits::default();
    let read = archive::read(bytes, &limits).and_then(|archive| {
        let warnings = said(&archive.warnings);
        archive::manifest(&archive.entries).map(|_| warnings)
    });
    let package = Package::read(bytes, &limits).is_ok();
    assert_eq!(package, read.is_ok(), "a package is an archive with a manifest");
    read.unwrap_or_else(|report| said(&report.diagnostics))
}

/// Files of a package, changed.
fn packaged(changes: &Value) -> Answer {
    let manifest = documents()["mcpkg"].document.to_string();
    let mut files: BTreeMap<&str, Vec<u8>> = [
        ("manifest.json", manifest.as_bytes()),
        (
            "tests/a.test.json",
            br#"{"name":"a","input":{"text":"a"},"assertions":[{"path":"$.text","exists":true}]}"#,
        ),
        ("examples/a.md", b"# A"),
        ("README.md", b"# Echo"),
        ("meta/publisher.json", br#"{"id":"acme","name":"Acme"}"#),
    ]
    .into_iter()
    .map(|(name, text)| (name, text.to_vec()))
    .collect();
    for (name, content) in changes.as_object().unwrap() {
        match content {
            Value::Null => drop(files.remove(name.as_str())),
            content => drop(files.insert(name, generate::bytes(content))),
        }
    }
    let entries =
        files.into_iter().map(|(name, bytes)| archive::Entry::new(name.to_owned(), bytes));
    let package = match Package::new(entries.collect()) {
        Ok(package) => package,
        Err(report) => return said(&report.diagnostics),
    };
    let options = CheckOptions {
        now: Some(1_800_000_000),
        file_name: Some("acme.demo.echo-1.0.0.mcpkg".to_owned()),
        ..CheckOptions::default()
    };
    said(package.check(&options).iter().map(|(_, found)| found))
}

/// Tools that are given to each provider: what is left out, and why.
fn exported(format: &'static Format, text: &str) -> Answer {
    with(text, &Limits::default(), |document| {
        let lifted = format.lift_valid(document, 0);
        let mut answer = Answer::new();
        for (_, target) in Target::ALL {
            let export = providers::export(&lifted.tools, &providers::Options::new(*target));
            answer.extend(said(export.skipped.iter().flat_map(|left| &left.reasons)));
        }
        answer
    })
}
