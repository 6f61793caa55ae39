//! One error from a text to the answer of a call.

use std::error::Error as _;

use toolglot::call::{Variable, collect_values};
use toolglot::json::Document;
use toolglot::providers::{Options, Target, export};
use toolglot::stream::{SplitOptions, Splitter};
use toolglot::{
    DetectError, Error, FORMATS, FormatName, Limits, Report, ToolDescriptor, UnknownFormat,
    convert, detect,
};

/// Goes the whole way with `?` only.
fn go(text: &[u8], to: &str) -> Result<String, Error> {
    let limits = Limits::default();
    let document = Document::parse(text, &limits)?;
    let (from, _) = detect(&document)?;
    let to: FormatName = to.parse()?;
    let converted = convert(&document, from, to, &toolglot::Options::default())?;
    let tools = from.lift(&document, &limits)?.tools;
    let tool = tools.first().ok_or("there is no tool")?;
    let sent = export(&tools, &Options::new(Target::OpenAiChat));
    let offer = sent.offers.first().ok_or("no tool is offered")?;
    offer.argument_converter(&limits)?.decode("{}")?;
    let policy = toolglot::call::Policy {
        grants: [toolglot::call::Grant::Unknown].into(),
        ..toolglot::call::Policy::default()
    };
    let facts = toolglot::call::HostFacts {
        has_value: &|_| true,
        ..toolglot::call::HostFacts::new(&policy)
    };
    let plan = toolglot::call::plan(tool, &(from.contract)(tool), "{}", &facts, &limits).ready()?;
    collect_values(&plan.variables, &|_| None, None)?;
    Ok(converted.documents.iter().map(|document| document.text.as_str()).collect())
}

fn fails(text: &str, to: &str) -> Error {
    go(text.as_bytes(), to).unwrap_err().in_text("notes.json", text)
}

#[test]
fn an_error_shows_the_file_the_line_and_the_column() {
    let syntax = fails("{\n  \"tools\": [,]\n}", "mcpkg");
    assert!(syntax.to_string().starts_with("notes.json:2:13: error[json/syntax]"), "{syntax}");
    let (file, at) = (syntax.file(), syntax.position().unwrap());
    assert_eq!((file, at.line, at.column), (Some("notes.json"), 2, 13));

    let invalid = "{\"tools\": [\n  {\"name\": \"a\", \"command\": []},\n  {\"name\": 1, \"command\": [\"./tools/bin/b\"]}\n]}";
    let error = fails(invalid, "mcpkg");
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let [first, second] = lines.as_slice() else { panic!("two problems: {text}") };
    assert!(
        first.starts_with("notes.json:2:28: error[tools-json/command-empty] at /tools/0"),
        "{text}"
    );
    assert!(second.starts_with("notes.json:3:12: error[json/type] at /tools/1/name"), "{text}");
    assert_eq!(error.diagnostics().len(), error.report().unwrap().diagnostics.len());
}

#[test]
fn what_knows_no_place_shows_the_file() {
    let error = fails("{}", "mcpkg");
    assert_eq!(error.to_string(), format!("notes.json: {}", DetectError::Unrecognized));
    assert!(error.source().unwrap().downcast_ref::<DetectError>().is_some());
    assert!(error.diagnostics().is_empty());

    let tools = r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"]}]}"#;
    let error = fails(tools, "mcpgk");
    assert_eq!(
        error.to_string(),
        r#"notes.json: there is no format "mcpgk": did you mean "mcpkg"?"#
    );
    assert!(error.source().unwrap().downcast_ref::<UnknownFormat>().is_some());
    assert!(go(tools.as_bytes(), "mcpkg").is_ok());
}

/// `main` prints `Debug`.
#[test]
fn debug_is_what_is_displayed() {
    for error in [fails("{", "mcpkg"), fails("{}", "mcpkg"), Error::new("no tool")] {
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.source().is_some());
    }
}

/// The first to know the place is the nearest to it.
#[test]
fn a_place_that_is_known_stays() {
    let inner = fails("{\n  \"tools\": [,]\n}", "mcpkg");
    let shown = inner.to_string();
    assert_eq!(inner.in_text("other.json", "").in_file("third.json").to_string(), shown);

    let mut splitter = Splitter::new(SplitOptions::default());
    splitter.push(b"[{},\n{}");
    splitter.finish();
    let mut broken = std::iter::from_fn(|| splitter.next().map(|entry| entry.map(drop)));
    let broken = broken.find_map(Result::err).unwrap();
    let at = broken.place.position();
    let error = Error::from(broken).in_text("notes.jsonl", "another text");
    let begins = format!("notes.jsonl:{}:{}: error[", at.line, at.column);
    assert!(error.to_string().starts_with(&begins), "{error}");
}

#[test]
fn many_problems_are_cut_off() {
    let tools = vec![r#"{"name": "a"}"#; 30].join(",\n");
    let text = format!(r#"{{"tools": [{tools}]}}"#);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = FORMATS.by_name("tools-json").unwrap().lift(&document, &Limits::default());
    let report = report.unwrap_err();
    let others = report.errors().count() - 10;
    let error = Error::from(report).in_text("notes.json", &text).to_string();
    assert_eq!(error.lines().count(), 11);
    assert!(error.ends_with(&format!("\n(and {others} more errors)")), "{error}");
    assert!(error.lines().take(10).all(|line| line.starts_with("notes.json:")), "{error}");
}

/// Two lists that are no errors in themselves.
#[test]
fn lists_of_problems_are_errors() {
    let variable = |name: &str| Variable {
        name: name.to_owned(),
        secret: true,
        required: true,
        prompt: None,
        pattern: None,
        default: None,
        obtain_url: None,
        reference: None,
    };
    let missing = collect_values(&[variable("A"), variable("B")], &|_| None, None).unwrap_err();
    assert_eq!(missing.len(), 2);
    let error = Error::from(missing);
    assert_eq!(error.to_string(), "\"A\" has no value\n\"B\" has no value");

    let schema = toolglot::json::Raw::parse(r##"{"$ref": "#/$defs/none"}"##).unwrap();
    let tools = [ToolDescriptor {
        id: toolglot::core::Text::Borrowed("a").into(),
        input_schema: Some(schema.into()),
        ..ToolDescriptor::default()
    }];
    let options = Options::new(Target::OpenAiChat);
    let given = export(&tools, &options);
    let refused: Vec<Report> = given
        .offers
        .iter()
        .filter_map(|offer| offer.argument_converter(&Limits::default()).err())
        .chain(given.skipped.into_iter().map(|skipped| Report::from(skipped.reasons)))
        .collect();
    assert!(!refused.is_empty());
    for report in refused {
        let count = report.errors().count();
        assert!(count > 0);
        assert_eq!(Error::from(report).to_string().lines().count(), count);
    }
}

/// A feature that is off cannot be tested here, where all are on: see the example of
/// `FormatName::format`.
#[test]
fn a_name_without_a_format_is_a_report_too() {
    let unknown = "nope".parse::<FormatName>().unwrap_err();
    assert!(unknown.to_string().ends_with("server-json, tool-list"), "{unknown}");
    let report = Report::from(unknown);
    assert_eq!(report.diagnostics[0].rule.code, "toolglot/unknown-format");
    assert!(!report.is_valid());
}

#[test]
fn every_format_has_a_name() {
    let names: Vec<&str> = FormatName::compiled().map(FormatName::as_str).collect();
    let formats: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names, formats);
    for name in FormatName::ALL {
        assert_eq!(name.as_str().parse::<FormatName>().as_ref(), Ok(name));
        assert_eq!(name.format().unwrap().name, name.as_str());
    }
}
