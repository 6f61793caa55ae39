//! Targets below the formats: JSON text, schemas, paths, patterns and the like.

use serde::de::IgnoredAny;
use toolglot::core::path::{self as paths, PathLimits, PathStyle};
use toolglot::core::pattern::{Pattern, PatternLimits, translate};
use toolglot::core::schema::{self as schemas, Schema};
use toolglot::core::{SourceText, is_plain, render, url, version};
use toolglot::json::{Document, Edit, Node, apply, patch};
use toolglot::mcpkg::jsonpath::Query;
use toolglot::testkit::Rng;
use toolglot::{Diagnostic, Limits, Pointer};

/// A diagnostic has a place inside the text, and can be shown.
pub(super) fn presentable(found: &Diagnostic, bytes: &[u8]) {
    if let Some(span) = found.span {
        assert!(span.start <= span.end && span.end <= bytes.len(), "{found:?}");
    }
    assert!(found.message.chars().all(is_plain), "{found:?}");
    assert!(found.message.len() < 2048, "{found:?}");
    let page = render(found, Some(&SourceText { name: "input", bytes }), false);
    assert!(page.chars().all(|c| c == '\n' || is_plain(c)), "{page:?}");
}

/// Parsing: what is taken is JSON, every value is where its pointer says, and what
/// is refused as a matter of syntax is refused by others too.
pub fn json(data: &[u8]) {
    let others = serde_json::from_slice::<IgnoredAny>(data);
    let document = match Document::parse(data, &Limits::default()) {
        Ok(document) => document,
        Err(refused) => {
            presentable(&refused, data);
            let syntax = matches!(refused.rule.code, "json/syntax" | "json/trailing");
            assert!(!syntax || others.is_err(), "{refused}");
            return;
        }
    };
    assert!(others.is_ok(), "{others:?}");
    for node in document.root().descendants().take(200) {
        let found = document.root().at(&node.pointer()).expect("a value at its pointer");
        assert_eq!(found.span(), node.span());
        let span = node.span();
        assert_eq!(document.text().get(span.start..span.end), Some(node.raw()));
        let alone = Document::parse(node.raw().as_bytes(), &Limits::default()).expect("a value");
        assert!(alone.root().same_value(node));
    }
}

/// Edits: what was set is there, everything else is as it was, and a patch makes one
/// document say what the other does.
pub fn edit(data: &[u8]) {
    let [left, right] = super::parts(data);
    let Ok(document) = Document::parse(left, &Limits::default()) else { return };
    let rng = &mut Rng::new(data.len() as u64 ^ data.iter().map(|b| u64::from(*b)).sum::<u64>());
    let nodes: Vec<Pointer> = document.root().descendants().map(Node::pointer).collect();
    let place = nodes[rng.below(nodes.len())].clone();
    let edited =
        apply(&document, &[Edit::Set(place.clone(), "[1e2]".to_owned())]).expect("a place");
    let edited = Document::parse(edited.as_bytes(), &Limits { depth: 256, ..Limits::default() });
    assert_eq!(edited.expect("JSON").root().at(&place).expect("what was set").raw(), "[1e2]");
    let Ok(other) = Document::parse(right, &Limits::default()) else { return };
    let patched = patch(&document, other.root(), &["id", "name"]);
    let said = Document::parse(patched.as_bytes(), &Limits::default()).expect("JSON");
    assert!(said.root().same_value(other.root()), "{patched}");
    assert_eq!(patch(&said, other.root(), &["id", "name"]), patched, "nothing is left to do");
}

/// Schemas: the guard, the engine, and the defaults of a schema. What the guard
/// refuses, the engine refuses.
pub fn schema(data: &[u8]) {
    let [schema, instance] = super::parts(data);
    let limits = Limits { schema_fuel: 100_000, ..Limits::default() };
    let Ok(document) = Document::parse(schema, &limits) else { return };
    let guarded = schemas::check(document.root(), &limits);
    let compiled = Schema::compile(document.root(), &limits);
    for found in &guarded {
        presentable(found, schema);
    }
    let Ok(compiled) = compiled else { return };
    assert!(guarded.is_empty(), "{guarded:?}");
    let instance = if instance.is_empty() { schema } else { instance };
    let Ok(instance) = Document::parse(instance, &limits) else { return };
    if let Ok(outcome) = compiled.validate(instance.root()) {
        for violation in &outcome.violations {
            assert!(instance.root().at(&violation.pointer).is_some(), "{violation:?}");
            assert!(violation.message.chars().all(is_plain), "{violation:?}");
        }
    }
    if let Ok(filled) = compiled.fill_defaults(instance.root()) {
        Document::parse(filled.as_bytes(), &limits).expect("JSON");
    }
}

/// JSONPath: a query selects values of the document, and a singular one at most one.
pub fn jsonpath(data: &[u8]) {
    const DOCUMENT: &[u8] = br#"{"a": [1, {"b": null, "a": [[]]}, "x"], "b": {"a": 1.0, "": "~"}}"#;
    let Some([query, document]) = super::texts(data) else { return };
    let limits = Limits { jsonpath_nodes: 10_000, ..Limits::default() };
    let Ok(query) = Query::parse(query, &limits) else { return };
    let document = if document.is_empty() { DOCUMENT } else { document.as_bytes() };
    let Ok(document) = Document::parse(document, &limits) else { return };
    let Ok(found) = query.select(document.root(), &limits) else { return };
    for node in &found {
        assert!(document.root().at(&node.pointer()).is_some());
    }
    if query.is_singular() {
        let one = query.select_one(document.root());
        assert!(found.len() <= 1);
        assert_eq!(found.first().map(|node| node.span()), one.map(Node::span));
    }
}

/// Patterns: what is translated can be compiled, unless it is too large, and matches
/// without trouble.
pub fn pattern(data: &[u8]) {
    let Some([pattern, haystack]) = super::texts(data) else { return };
    let limits = PatternLimits::default();
    let translated = translate(pattern, &limits);
    match Pattern::new(pattern, &limits) {
        Ok(compiled) => {
            assert!(translated.is_ok());
            let _ = compiled.matches(haystack);
            let _ = compiled.matches(pattern);
        }
        Err(error) => assert!(error.to_string().chars().all(is_plain), "{error}"),
    }
}

/// Paths: cleaning twice is cleaning once, and a portable path is clean, relative and
/// goes nowhere else.
pub fn path(data: &[u8]) {
    let Some([text]) = super::texts(data) else { return };
    let clean = paths::clean(text);
    assert_eq!(paths::clean(&clean), clean, "{text:?}");
    let key = paths::collision_key(text);
    assert_eq!(paths::collision_key(&key), key, "{text:?}");
    let _ = paths::findings(text);
    if paths::check_portable(text, &PathLimits::default()).is_ok() {
        assert_eq!(clean, text);
        assert!(!paths::is_absolute(text, PathStyle::Posix), "{text:?}");
        assert!(!paths::is_absolute(text, PathStyle::Windows), "{text:?}");
        assert_eq!(paths::to_slash(text), text);
        assert!(text.split('/').all(|part| !matches!(part, "" | "." | "..")), "{text:?}");
    }
}

/// Pointers, versions and URLs: what is read is written the same.
pub fn words(data: &[u8]) {
    let Some([text]) = super::texts(data) else { return };
    if let Ok(pointer) = Pointer::parse(text) {
        assert_eq!(pointer.as_str(), text);
        let again = pointer.tokens().fold(Pointer::root(), |made, token| made.push(&token));
        assert_eq!(again, pointer);
    }
    if let Ok(version) = version::parse_exact(text) {
        assert_eq!(version.to_string(), text);
    }
    match url::check_http(text) {
        Ok(url) => {
            assert!(!url.host.is_empty() && !url.normal_host().is_empty(), "{text:?}");
            let _ = (url.is_private(), url.effective_port());
        }
        Err(error) => assert!(error.message_for(text).chars().all(is_plain)),
    }
}
