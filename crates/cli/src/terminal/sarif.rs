//! Findings as SARIF 2.1.0, for views of code scanning.

use std::collections::BTreeMap;

use serde::Serialize;
use toolglot::core::{SourceText, secret};
use toolglot::json::{Span, to_pretty_json};
use toolglot::{Diagnostic, Pointer, Report, Rule, Severity};

use crate::terminal::console::escape_json;
use crate::terminal::flags;

/// A finding in a file.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    kind: Kind,
    severity: Severity,
    message: String,
    pointer: Option<String>,
    /// The file, or its name in its archive.
    uri: String,
    /// The archive, if the file is in one.
    archive: Option<String>,
    region: Option<Region>,
    /// The region to replace, and its replacement.
    fix: Option<(Region, String)>,
}

/// The kind of a finding.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A violation of a rule.
    Rule(&'static Rule),
    /// A difference between two files. The name is in kebab case.
    Change(&'static str),
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// Returns the findings in a file.
pub(crate) fn findings(report: &Report, source: &SourceText<'_>) -> Vec<Finding> {
    report.diagnostics.iter().map(|found| finding(found, source)).collect()
}

/// Returns the findings in a file of an archive. Findings without a file name concern the
/// archive.
pub(crate) fn findings_within(
    archive: &str,
    report: &Report,
    file: &SourceText<'_>,
) -> Vec<Finding> {
    let whole = SourceText { name: archive, bytes: &[] };
    let within = |found| match file.name {
        // An archive has no lines.
        "" => Finding { region: None, fix: None, ..finding(found, &whole) },
        name => Finding {
            uri: format!("/{}", percent_encode(name)),
            archive: Some(uri(archive)),
            ..finding(found, file)
        },
    };
    report.diagnostics.iter().map(within).collect()
}

fn finding(found: &Diagnostic, source: &SourceText<'_>) -> Finding {
    let help = flags::advice(found);
    let message = format!("{} ({help})", found.message);
    Finding {
        kind: Kind::Rule(found.rule),
        severity: found.severity,
        message: secret::mask(&message).into_owned(),
        pointer: pointer_text(&found.pointer),
        uri: uri(source.name),
        archive: None,
        region: found.span.map(|span| region(span, source)),
        fix: found.fix.as_ref().map(|fix| (region(fix.span, source), fix.text.clone())),
    }
}

fn pointer_text(pointer: &Pointer) -> Option<String> {
    (!pointer.is_root()).then(|| pointer.as_str().to_owned())
}

/// Creates the finding of a change, at its place in one of the compared files.
pub(crate) fn change_finding(
    kind: &'static str,
    severity: Severity,
    message: String,
    (pointer, span): (&Pointer, Span),
    source: &SourceText<'_>,
) -> Finding {
    Finding {
        kind: Kind::Change(kind),
        severity,
        message,
        pointer: pointer_text(pointer),
        uri: uri(source.name),
        archive: None,
        region: Some(region(span, source)),
        fix: None,
    }
}

fn region(span: Span, source: &SourceText<'_>) -> Region {
    let (start, end) = (source.position(span.start), source.position(span.end));
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// Returns the SARIF log of a run. `all_read` is false if a file could not be read.
pub(crate) fn log(found: &[Finding], all_read: bool) -> String {
    let kinds: BTreeMap<&str, Kind> =
        found.iter().map(|finding| (finding.kind.id(), finding.kind)).collect();
    let codes: BTreeMap<&str, usize> = kinds.keys().copied().zip(0..).collect();
    let driver = Driver {
        name: "toolglot",
        version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: kinds.values().map(Kind::descriptor).collect(),
    };
    let nested = ArtifactIndex::new(found);
    let run = SarifRun {
        tool: SarifTool { driver },
        column_kind: "unicodeCodePoints",
        invocations: [Invocation { execution_successful: all_read }],
        results: found.iter().map(|finding| finding.result(&codes, &nested)).collect(),
        artifacts: nested.artifacts,
    };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    };
    escape_json(&to_pretty_json(&log)) + "\n"
}

/// The archives, each before its files, and the index of each artifact.
#[derive(Default)]
struct ArtifactIndex<'a> {
    artifacts: Vec<Artifact<'a>>,
    indices: BTreeMap<(Option<&'a str>, &'a str), usize>,
}

impl<'a> ArtifactIndex<'a> {
    fn new(found: &'a [Finding]) -> Self {
        let mut nested = Self::default();
        for finding in found {
            if let Some(archive) = &finding.archive {
                let parent = nested.add(None, archive);
                nested.add(Some((archive, parent)), &finding.uri);
            }
        }
        nested
    }

    fn add(&mut self, parent: Option<(&'a str, usize)>, uri: &'a str) -> usize {
        let next = self.artifacts.len();
        let index = *self.indices.entry((parent.map(|(name, _)| name), uri)).or_insert(next);
        if index == next {
            let location = ArtifactLocation { uri, index: None };
            let parent_index = parent.map(|(_, index)| index);
            self.artifacts.push(Artifact { location, parent_index });
        }
        index
    }
}

impl Finding {
    fn result(&self, codes: &BTreeMap<&str, usize>, nested: &ArtifactIndex<'_>) -> SarifResult<'_> {
        let names = self.pointer.iter().map(|pointer| Logical { fully_qualified_name: pointer });
        let index = nested.indices.get(&(self.archive.as_deref(), &self.uri)).copied();
        SarifResult {
            rule_id: self.kind.id(),
            rule_index: codes.get(self.kind.id()).copied(),
            level: level(self.severity),
            message: Text { text: &self.message },
            locations: [Location {
                physical_location: Physical {
                    artifact_location: ArtifactLocation { uri: &self.uri, index },
                    region: self.region,
                },
                logical_locations: names.collect(),
            }],
            fixes: self
                .fix
                .iter()
                .map(|(deleted_region, text)| self.correction(*deleted_region, text, index))
                .collect(),
        }
    }

    fn correction<'a>(
        &'a self,
        deleted_region: Region,
        text: &'a str,
        index: Option<usize>,
    ) -> Correction<'a> {
        let replacement = Replacement { deleted_region, inserted_content: Text { text } };
        let artifact_location = ArtifactLocation { uri: &self.uri, index };
        Correction {
            artifact_changes: [ArtifactChange { artifact_location, replacements: [replacement] }],
        }
    }
}

impl Kind {
    const fn id(&self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.code,
            Self::Change(kind) => kind,
        }
    }

    fn descriptor(&self) -> RuleDescriptor {
        match self {
            Self::Rule(rule) => RuleDescriptor {
                id: rule.code,
                short_description: Text { text: rule.summary.to_owned() },
                full_description: Text { text: rule.explanation.to_owned() },
                default_configuration: Some(Configuration { level: level(rule.severity) }),
            },
            // The severity of a change depends on more than its kind, so each result has
            // its own level.
            Self::Change(kind) => RuleDescriptor {
                id: kind,
                short_description: Text { text: kind.replace('-', " ") },
                full_description: Text { text: CHANGE_DESCRIPTION.to_owned() },
                default_configuration: None,
            },
        }
    }
}

const CHANGE_DESCRIPTION: &str = "The new file is not as the old one was. An error breaks what worked; of a \
    warning it cannot be told, or a model is told something else; a note adds something, or \
    changes nothing that matters.";

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Returns a path as a relative or absolute URI.
fn uri(path: &str) -> String {
    let root = if path.starts_with('/') { "file://" } else { "" };
    format!("{root}{}", percent_encode(path))
}

fn percent_encode(path: &str) -> String {
    let escape = |byte: u8| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    path.bytes().map(escape).collect()
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [SarifRun<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<'a> {
    tool: SarifTool<'a>,
    column_kind: &'a str,
    invocations: [Invocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<Artifact<'a>>,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct SarifTool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'a str,
    version: &'a str,
    information_uri: &'a str,
    rules: Vec<RuleDescriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleDescriptor {
    id: &'static str,
    short_description: Text<String>,
    full_description: Text<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_configuration: Option<Configuration>,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: Option<usize>,
    level: &'a str,
    message: Text<&'a str>,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Correction<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Correction<'a> {
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: ArtifactLocation<'a>,
    replacements: [Replacement<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<&'a str>,
}

#[derive(Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical<'a> {
    artifact_location: ArtifactLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

/// An archive, or a file in one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact<'a> {
    location: ArtifactLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_index: Option<usize>,
}

#[derive(Serialize)]
struct ArtifactLocation<'a> {
    uri: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical<'a> {
    fully_qualified_name: &'a str,
}
