//! Schemas from strangers: what is refused, what is accepted, and what it costs.
//!
//! Everything runs on a stack of 512 KiB. Costs are checked by the counters that
//! the limits are about, never by a clock.
//!
//! More of the same, on demand:
//!
//! - `PROPTEST_CASES=200000 cargo test --release --test schemas agreement`
//! - `cargo test --test schemas --features jsonschema/resolve-file`, where the
//!   engine could open files if it were allowed to. Under `strace -f -e openat`,
//!   the test `files_are_not_opened` opens its file to write it, and never again.

use diagnostic::Diagnostic;
use json_schema::Limits;
use json_schema::{Dialect, Schema};
use json_text::Document;
use toolglot_tests::on_a_small_stack;

mod agreement;
mod defaults;
mod instances;
mod rows;

/// What the guard says, as codes and pointers.
fn found(schema: &str, limits: &Limits) -> Vec<(&'static str, String)> {
    let document = Document::parse(schema.as_bytes(), json_text::Limits::default()).unwrap();
    let diagnostics = json_schema::check(document.root(), limits);
    for diagnostic in &diagnostics {
        is_printable(&diagnostic.message);
        assert!(diagnostic.span.is_some(), "{diagnostic}");
    }
    let found = diagnostics.into_iter();
    found.map(|d| (d.rule.code, d.pointer.clone().into())).collect()
}

fn compiled(schema: &str) -> Schema {
    let limits = Limits::default();
    let document = Document::parse(schema.as_bytes(), json_text::Limits::default()).unwrap();
    Schema::compile(document.root(), limits).unwrap_or_else(|d| panic!("{schema}: {d:?}"))
}

fn refused(schema: &str, limits: &Limits) -> Diagnostic {
    let document = Document::parse(schema.as_bytes(), json_text::Limits::default()).unwrap();
    let mut diagnostics = Schema::compile(document.root(), limits).unwrap_err();
    diagnostics.remove(0)
}

/// Whether a message is one line that shows little of what it is about.
fn is_printable(message: &str) {
    assert!(!message.chars().any(char::is_control), "{message:?}");
    assert!(message.len() < 600, "{message:?}");
}

/// `inner` inside `times` pairs of `open` and `close`.
fn nested(times: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

/// Definitions `d0`, `d1` and so on, each made from a reference to the next.
fn chain(length: usize, link: impl Fn(&str) -> String) -> String {
    let links = (0..length).map(|n| {
        let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, n + 1);
        format!(r#""d{n}":{}"#, link(&next))
    });
    let links: Vec<_> = links.collect();
    format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d{length}":{{"type":"string"}}}}}}"##,
        links.join(",")
    )
}

/// Row S09 of the catalogue of attacks.
#[test]
fn limits_hold_exactly() {
    on_a_small_stack(|| {
        let limits = Limits::default();
        let not = |depth| nested(depth, r#"{"not":"#, "{}", "}");
        assert_eq!(found(&not(64), &limits), []);
        assert_eq!(found(&not(65), &limits)[0].0, "schema/depth");
        compiled(&not(64));

        let refs = |length| chain(length, ToOwned::to_owned);
        assert_eq!(found(&refs(63), &limits), []);
        assert_eq!(found(&refs(64), &limits)[0].0, "schema/depth");

        let properties = |count: usize| {
            let members: Vec<_> = (0..count).map(|n| format!(r#""p{n}":{{}}"#)).collect();
            format!(r#"{{"properties":{{{}}}}}"#, members.join(","))
        };
        assert_eq!(found(&properties(9_999), &limits), []);
        assert_eq!(found(&properties(10_000), &limits)[0].0, "schema/count");

        let text = r#"{"title":"abc"}"#;
        let exact = |schema_bytes| Limits { schema_bytes, ..Limits::default() };
        assert_eq!(found(text, &exact(text.len())), []);
        assert_eq!(found(text, &exact(text.len() - 1))[0].0, "schema/size");

        let names: Vec<_> = (0..100_000).map(|n| format!("\"n{n}\"")).collect();
        let required = format!(r#"{{"required":[{}]}}"#, names.join(","));
        assert_eq!(found(&required, &limits)[0].0, "schema/size");

        // One step for itself and one for each of its two uses.
        let two = r#"{"allOf":[{},{}]}"#;
        let cost = |schema_cost| Limits { schema_cost, ..Limits::default() };
        assert_eq!(found(two, &cost(5)), []);
        assert_eq!(found(two, &cost(4))[0].0, "schema/cost");

        let fuel = |schema_fuel| {
            let limits = Limits { schema_fuel, ..Limits::default() };
            let document =
                Document::parse(br#"{"items":{}}"#, json_text::Limits::default()).unwrap();
            let schema = Schema::compile(document.root(), limits).unwrap();
            let instance = Document::parse(b"[1,2]", json_text::Limits::default()).unwrap();
            schema.validate(instance.root()).is_ok()
        };
        // Two for the whole, and for each element one to find it and one to
        // check it.
        assert!(fuel(6) && !fuel(5));
    });
}

/// Makes a subschema from a reference to the next.
type Link = fn(&str) -> String;

/// Row S08 of the catalogue of attacks.
#[test]
fn cost_multiplies_along_every_keyword_that_stays_in_place() {
    on_a_small_stack(|| {
        let limits = Limits::default();
        let shapes: [(&str, Link); 6] = [
            ("allOf", |r| format!(r#"{{"allOf":[{r},{r}]}}"#)),
            ("anyOf", |r| format!(r#"{{"anyOf":[{r},{r}]}}"#)),
            ("oneOf", |r| format!(r#"{{"oneOf":[{r},{r}]}}"#)),
            ("if", |r| format!(r#"{{"if":{r},"then":{r},"else":{r}}}"#)),
            ("dependentSchemas", |r| format!(r#"{{"dependentSchemas":{{"a":{r},"b":{r}}}}}"#)),
            ("unevaluatedProperties", |r| {
                format!(r#"{{"allOf":[{r}],"unevaluatedProperties":false}}"#)
            }),
        ];
        for (name, link) in shapes {
            assert_eq!(found(&chain(4, link), &limits), [], "{name}");
            compiled(&chain(4, link));
            let codes = found(&chain(20, link), &limits);
            assert_eq!(codes[0].0, "schema/cost", "{name}");
        }
        // Applied to parts of a value, the same number of references is fine.
        let tree = chain(20, |r| format!(r#"{{"properties":{{"a":{r},"b":{r}}}}}"#));
        assert_eq!(found(&tree, &limits), []);
    });
}

#[test]
fn all_patterns_together_are_bounded() {
    on_a_small_stack(|| {
        let limits = Limits::default();
        let of = |count: usize, pattern: &str| {
            let all: Vec<_> =
                (0..count).map(|n| format!(r#"{{"pattern":"{n}{pattern}"}}"#)).collect();
            found(&format!(r#"{{"anyOf":[{}]}}"#, all.join(",")), &limits)
        };
        assert_eq!(of(1_000, "[a-z]+"), []);
        assert_eq!(of(4, "[a-z]{2000}"), []);
        assert_eq!(of(100, "[a-z]{2000}")[0].0, "schema/pattern");
    });
}

#[test]
fn a_schema_names_its_dialect() {
    let of = |text: &str| {
        Dialect::of(Document::parse(text.as_bytes(), json_text::Limits::default()).unwrap().root())
    };
    assert_eq!(of("{}"), Some(Dialect::Draft202012));
    assert_eq!(of("true"), Some(Dialect::Draft202012));
    let draft7 = r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#;
    assert_eq!(of(draft7), Some(Dialect::Draft7));
    assert_eq!(of(r#"{"$schema":"urn:unknown"}"#), None);
    assert_eq!(Dialect::Draft7.name(), "draft-07");
}

/// A file that a schema must not make anyone read.
fn secret(name: &str) -> String {
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, r#"{"const":"TOP-SECRET"}"#).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Row S01 of the catalogue of attacks.
#[test]
fn files_are_not_opened() {
    on_a_small_stack(|| {
        let path = secret("toolglot-schema-unread.json");
        for schema in [
            format!(r#"{{"$ref":"file://{path}"}}"#),
            format!(r#"{{"$id":"file://{path}x","properties":{{"a":{{"$ref":"{path}"}}}}}}"#),
            format!(r#"{{"allOf":[{{"$id":"file:///","$ref":".{path}"}}]}}"#),
            format!(r#"{{"$schema":"file://{path}"}}"#),
        ] {
            let diagnostic = refused(&schema, &Limits::default());
            let code = diagnostic.rule.code;
            assert!(["schema/remote-ref", "schema/dialect"].contains(&code));
            assert!(!format!("{diagnostic:?}").contains("TOP-SECRET"));
        }
    });
}

/// What the test above is about: the engine alone reads the file, if any crate
/// in the build asks for `jsonschema/resolve-file`.
#[test]
fn the_engine_alone_opens_files() {
    let path = secret("toolglot-schema-read.json");
    let schema = serde_json::json!({ "$ref": format!("file://{path}") });
    let opens = jsonschema::options().build(&schema).is_ok();
    println!("the engine alone opens files in this build: {opens}");
    assert!(jsonschema::options().offline().build(&schema).is_err());
}
