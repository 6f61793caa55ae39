//! Every JSON block of the specification, without its comments.

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, Report, ValidateOptions};
use mcpkg::Manifest;
use mcpkg::archive::Entry;
use mcpkg::chain::{ChainAction, ChainOptions, ChainRun};
use mcpkg::expose::{Shape, expose};
use mcpkg::package::{CheckOptions, Package};
use mcpkg::testing;

macro_rules! block {
    ($name:literal) => {
        include_bytes!(concat!("../../fixtures/mcpkg/spec/", $name, ".json"))
    };
}

fn document(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes, &Limits::default()).unwrap()
}

fn under(profile: Profile) -> ValidateOptions {
    ValidateOptions { profile, ..ValidateOptions::default() }
}

fn messages(report: &Report) -> Vec<&str> {
    report.errors().map(|found| found.message.as_str()).collect()
}

#[test]
fn the_manifests_are_valid() {
    for bytes in [
        block!("04_manifest").as_slice(),
        block!("09_manifest"),
        block!("10_manifest"),
        block!("11_manifest"),
    ] {
        let report = mcpkg::validate(&document(bytes), &under(Profile::Spec));
        assert!(report.is_valid(), "{:?}", messages(&report));
    }
}

/// The published tool refuses every manifest of its own specification: the ids have
/// underscores or two segments, and it does not know 0.2.
#[test]
fn the_published_tool_refuses_the_manifests() {
    let id =
        |id: &str| format!("toolId '{id}' must follow format 'publisher.domain.capability.name'");
    let untyped = |name: &str| format!("{name} should have a 'type' property");
    for (bytes, expected) in [
        (
            block!("04_manifest").as_slice(),
            vec![
                id("stripe.payments.create_charge"),
                untyped("input_schema"),
                untyped("output_schema"),
            ],
        ),
        (block!("09_manifest"), vec![id("demo.echo")]),
    ] {
        let report = mcpkg::validate(&document(bytes), &under(Profile::Reference));
        assert_eq!(messages(&report), expected);
    }
    for bytes in [block!("10_manifest").as_slice(), block!("11_manifest")] {
        let report = mcpkg::validate(&document(bytes), &under(Profile::Reference));
        let found = messages(&report);
        assert!(found[0].contains("missing required properties, including: endpoint"), "{found:?}");
    }
}

#[test]
fn the_tests_are_valid_for_both() {
    for bytes in [block!("05_test").as_slice(), block!("09_test")] {
        for profile in [Profile::Spec, Profile::Strict, Profile::Reference] {
            let report = testing::check(&document(bytes), &under(profile));
            assert_eq!(report.diagnostics, [], "{profile:?}");
        }
    }
}

#[test]
fn the_packages_hold_together() {
    let stripe = Package::new(vec![
        Entry::new("manifest.json", block!("04_manifest").as_slice()),
        Entry::new("tests/basic_charge.test.json", block!("05_test").as_slice()),
        Entry::new("tests/eu_vat_charge.test.json", block!("05_test").as_slice()),
        Entry::new("examples/basic_usage.md", block!("06_example_call").as_slice()),
        Entry::new("meta/publisher.json", block!("07_publisher").as_slice()),
        Entry::new("meta/provenance.json", block!("07_provenance").as_slice()),
    ]);
    let echo = Package::new(vec![
        Entry::new("manifest.json", block!("09_manifest").as_slice()),
        Entry::new("tests/echo.test.json", block!("09_test").as_slice()),
    ]);
    for package in [stripe.unwrap(), echo.unwrap()] {
        let findings = package.check(&CheckOptions::default());
        assert!(findings.is_valid(), "{:?}", findings.errors().collect::<Vec<_>>());
        // Nothing in the metadata is unknown, and its time is one. The commit is shortened.
        for (file, found) in findings.iter() {
            if file.starts_with("meta/") {
                assert_eq!(found.rule.code, "mcpkg/provenance-commit");
            }
        }
    }
}

#[test]
fn a_tool_is_exposed_as_the_specification_shows() {
    let shown = document(block!("10_tool_definition"));
    let manifest = document(block!("10_manifest"));
    let manifest = Manifest::read(&manifest);
    let exposed = serde_json::to_string(&expose(&manifest, Shape::Logical)).unwrap();
    let exposed = document(exposed.as_bytes());
    let names = |document: &Document<'_>| {
        document.root().members().map(|member| member.name().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&exposed), names(&shown));
    assert_eq!(exposed.at("/tool").unwrap().raw(), shown.at("/tool").unwrap().raw());
    let call = document(block!("10_tool_call"));
    assert_eq!(call.at("/tool").unwrap().raw(), shown.at("/tool").unwrap().raw());
}

/// Section 11.3, step by step.
#[test]
fn the_chain_runs_as_the_specification_says() {
    let source = document(block!("11_manifest"));
    let manifest = Manifest::read(&source);
    let call = document(block!("11_tool_call"));
    let with_model = call.at("/arguments").unwrap().raw().to_owned();
    // The model has a default, so a call without it comes to the same.
    let without = r#"{"pdfPath": "/docs/report.pdf"}"#.to_owned();
    for input in [with_model, without] {
        let mut run = ChainRun::new(&manifest, input.as_bytes(), ChainOptions::default()).unwrap();
        let mut calls = Vec::new();
        while let ChainAction::Call(call) = run.next().unwrap() {
            calls.push((call.name.to_owned(), call.call.tool, call.call.arguments));
            let output: &[u8] = match call.step {
                0 => br#"{"content": "T e x t"}"#,
                1 => br#"{"result": "Text"}"#,
                _ => block!("11_output"),
            };
            run.resume(output).unwrap();
        }
        let expected = [
            ("read_pdf", "tools.pdf.read_local", r#"{"path":"/docs/report.pdf"}"#),
            ("clean_text", "tools.text.clean", r#"{"text":"T e x t"}"#),
            (
                "generate_embeddings",
                "tools.embeddings.generate",
                r#"{"text":"Text","model":"text-embedding-3-small"}"#,
            ),
        ];
        assert_eq!(calls, expected.map(|(a, b, c)| (a.into(), b.into(), c.into())));
        let outcome = run.finish().unwrap();
        assert!(
            document(outcome.output.as_bytes())
                .root()
                .same_value(document(block!("11_output")).root())
        );
    }
    // Section 11.4: the mapping is the one of the last step.
    let fragment = document(block!("11_input_mapping"));
    let last = source.at("/chain/2/inputMapping").unwrap();
    assert!(fragment.at("/inputMapping").unwrap().same_value(last));
}
