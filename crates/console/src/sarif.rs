//! What is found, as SARIF 2.1.0: for views of code scanning.

use std::collections::BTreeMap;

use serde::Serialize;
use toolglot::core::{SourceText, certain, secret};
use toolglot::json::Span;
use toolglot::{Diagnostic, Report, Rule, Severity};

/// Something that was found in a file.
#[derive(Clone, Debug)]
pub struct Finding {
    rule: &'static Rule,
    severity: Severity,
    message: String,
    pointer: Option<String>,
    uri: String,
    region: Option<Region>,
    /// What to write, in place of what.
    fix: Option<(Region, String)>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// All that was found in a file.
pub fn findings(report: &Report, source: &SourceText<'_>) -> Vec<Finding> {
    report.diagnostics.iter().map(|found| finding(found, source)).collect()
}

fn finding(found: &Diagnostic, source: &SourceText<'_>) -> Finding {
    let help = found.help.as_deref().unwrap_or(found.rule.summary);
    let message = format!("{} ({help})", found.message);
    Finding {
        rule: found.rule,
        severity: found.severity,
        message: secret::masked(&message).into_owned(),
        pointer: (!found.pointer.is_root()).then(|| found.pointer.as_str().to_owned()),
        uri: uri(source.name),
        region: found.span.map(|span| region(span, source)),
        fix: found.fix.as_ref().map(|fix| (region(fix.span, source), fix.text.clone())),
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

/// The log of a run that could read all files, or not.
pub fn log(found: &[Finding], all_read: bool) -> String {
    let rules: BTreeMap<&str, &Rule> =
        found.iter().map(|finding| (finding.rule.code, finding.rule)).collect();
    let codes: BTreeMap<&str, usize> = rules.keys().copied().zip(0..).collect();
    let driver = Driver {
        name: "toolglot",
        version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: rules.values().map(|rule| described(rule)).collect(),
    };
    let run = SarifRun {
        tool: SarifTool { driver },
        column_kind: "unicodeCodePoints",
        invocations: [Invocation { execution_successful: all_read }],
        results: found.iter().map(|finding| finding.result(&codes)).collect(),
    };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    };
    certain(serde_json::to_string_pretty(&log)).unwrap_or_default() + "\n"
}

impl Finding {
    fn result(&self, codes: &BTreeMap<&str, usize>) -> SarifResult<'_> {
        let names = self.pointer.iter().map(|pointer| Logical { fully_qualified_name: pointer });
        SarifResult {
            rule_id: self.rule.code,
            rule_index: codes.get(self.rule.code).copied(),
            level: level(self.severity),
            message: Text { text: &self.message },
            locations: [Location {
                physical_location: Physical {
                    artifact_location: Artifact { uri: &self.uri },
                    region: self.region,
                },
                logical_locations: names.collect(),
            }],
            fixes: self
                .fix
                .iter()
                .map(|(deleted_region, text)| self.correction(*deleted_region, text))
                .collect(),
        }
    }
}

impl Finding {
    fn correction<'a>(&'a self, deleted_region: Region, text: &'a str) -> Correction<'a> {
        let replacement = Replacement { deleted_region, inserted_content: Text { text } };
        let artifact_location = Artifact { uri: &self.uri };
        Correction {
            artifact_changes: [ArtifactChange { artifact_location, replacements: [replacement] }],
        }
    }
}

fn described(rule: &Rule) -> Described<'_> {
    Described {
        id: rule.code,
        short_description: Text { text: rule.summary },
        full_description: Text { text: rule.explanation },
        default_configuration: Configuration { level: level(rule.severity) },
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a relative or absolute URI.
fn uri(path: &str) -> String {
    let escaped = path.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    let root = if path.starts_with('/') { "file://" } else { "" };
    root.chars().map(String::from).chain(escaped).collect()
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
    rules: Vec<Described<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    id: &'a str,
    short_description: Text<'a>,
    full_description: Text<'a>,
    default_configuration: Configuration<'a>,
}

#[derive(Serialize)]
struct Configuration<'a> {
    level: &'a str,
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
    message: Text<'a>,
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
    artifact_location: Artifact<'a>,
    replacements: [Replacement<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<'a>,
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
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
    artifact_location: Artifact<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical<'a> {
    fully_qualified_name: &'a str,
}
