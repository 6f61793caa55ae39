//! What holds for any input, whatever a row says of it: every entry of the library ends, says
//! little, agrees with the others, and costs in proportion.

use std::collections::BTreeSet;

use toolglot::json::{Document, apply, compact};
use toolglot::providers::{self, Target};
use toolglot::stream::{Names, Shape, SplitOptions, Splitter};
use toolglot::testkit::{parsed_bytes, stream};
use toolglot::{
    AcceptedLoss, FORMATS, Format, Limits, Options, Profile, Report, RestoreOptions,
    ValidateOptions, compare, convert, detect, restore, tools_json,
};

use super::answer::said;

const PROFILES: [Profile; 3] = [Profile::Spec, Profile::Strict, Profile::Reference];

/// How often a conversion may read as many bytes as go in and come out.
const READINGS: usize = 40;

/// How much larger than its source a target may be, besides what every document has.
const GROWTH: usize = 4;
const FRAME: usize = 64 << 10;

fn errors(report: &Report) -> BTreeSet<&'static str> {
    report.errors().map(|found| found.rule.code).collect()
}

/// How many bytes are tried as a stream, cut in many ways.
const CUT: usize = 4096;

/// Bytes that may be no JSON: a stream of them may be cut anywhere.
pub(crate) fn cut(bytes: &[u8]) {
    if bytes.len() <= CUT {
        stream::check_laws(bytes, 1).unwrap();
    }
}

/// A text that may be a document of any format, or of none.
pub(crate) fn any_text(bytes: &[u8]) {
    let Ok(document) = Document::parse(bytes, &Limits::default()) else { return };
    drop(detect(&document));
    for format in FORMATS {
        for profile in PROFILES {
            let options = ValidateOptions { profile, ..ValidateOptions::default() };
            let report = format.validate(&document, &options);
            assert!(report.diagnostics.len() <= Limits::default().diagnostics);
            said(&report.diagnostics);
        }
    }
}

/// What was read is written as it was.
pub(crate) fn keeps_every_token(document: &Document<'_>) {
    let text = document.text();
    assert_eq!(apply(document, &[]).as_deref(), Ok(text));
    let compacted = compact(document.root());
    let again = Document::parse(compacted.as_bytes(), &Limits::default()).unwrap();
    assert!(document.root().same_value(again.root()), "{text:.200}");
}

/// A document of a format.
pub(crate) fn hold(format: &'static Format, text: &str) {
    any_text(text.as_bytes());
    let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) else { return };
    let report = format.validate(&document, &ValidateOptions::default());
    streamed(format, text, &report);
    for to in FORMATS {
        converted(&document, format, to, &report);
    }
    if !report.is_valid() {
        return;
    }
    let lifted = format.lift_valid(&document, 0);
    let side = compare::Side { lifted: &lifted, source: Some((format, &document)) };
    let diff = compare::documents(&side, &side, &Limits::default());
    assert!(diff.changes.is_empty(), "{}: {text:.200}", format.name);
    for (_, target) in Target::ALL {
        let export = providers::export(&lifted.tools, &providers::Options::new(*target));
        assert_eq!(export.offers.len() + export.skipped.len(), lifted.tools.len());
        export.skipped.iter().for_each(|left| drop(said(&left.reasons)));
    }
}

/// One line of a stream is judged like the document that it is.
fn streamed(format: &'static Format, text: &str, whole: &Report) {
    if text.contains(['\n', '\r']) {
        return;
    }
    let split = SplitOptions { shape: Some(Shape::Lines), ..SplitOptions::default() };
    let mut splitter = Splitter::new(split);
    splitter.push(text.as_bytes());
    splitter.finish();
    let mut found = BTreeSet::new();
    while let Some(item) = splitter.next() {
        let item = item.expect("an entry");
        found.extend(errors(&item.validate(
            format,
            &ValidateOptions::default(),
            &mut Names::default(),
        )));
    }
    assert_eq!(found, errors(whole), "{} in a line: {text:.300}", format.name);
}

/// What is invalid is not converted; what is converted comes back to the byte.
fn converted(source: &Document<'_>, from: &'static Format, to: &'static Format, report: &Report) {
    let text = source.text();
    let shown = format!("{} to {}: {text:.300}", from.name, to.name);
    let before = parsed_bytes();
    let accept = AcceptedLoss::ALL.into();
    let options = Options { accept, ..Options::default() };
    let done = match convert(source, from, to, &options) {
        Ok(done) => done,
        Err(refused) => return drop(said(&refused.diagnostics)),
    };
    assert!(report.is_valid(), "{shown} is converted and has {:?}", errors(report));
    let written: usize = done.documents.iter().map(|one| one.text.len()).sum();
    assert!(written <= GROWTH * text.len() + FRAME * (done.tools.len() + 1), "{shown} {written}");
    for one in &done.documents {
        let report = to.validate(&one.open(), &ValidateOptions::default());
        assert!(report.is_valid(), "{shown} becomes {:?}", errors(&report));
    }
    let documents: Vec<_> =
        done.documents.iter().map(|one| (one.name.as_str(), one.open())).collect();
    let targets: Vec<_> = documents
        .iter()
        .map(|(name, document)| toolglot::Target { name: Some(name), document })
        .collect();
    let residue = done.residue();
    let back = restore(&targets, &residue, &RestoreOptions::default());
    let back = back.unwrap_or_else(|report| panic!("{shown}: {report}"));
    assert_eq!(back.text, text, "{shown}");
    let read = parsed_bytes() - before;
    assert!(read <= READINGS * (text.len() + written + 1024), "{shown} reads {read}");
}

/// A schema as the input of a tool, given to all providers and converted.
pub(crate) fn schema(schema: &str) {
    let text = format!(
        "{{\"tools\":[{{\"name\":\"t\",\"description\":\"d\",\"command\":[\"./tools/bin/t\"],\"schema\":{schema}}}]}}"
    );
    hold(&tools_json::FORMAT, &text);
}
