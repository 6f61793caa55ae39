//! Which format a document is in: the one that was named, or the one that shows.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use toolglot::json::Document;
use toolglot::{Depth, Detected, FORMATS, Format, Pointer, Report, Rule, Severity};

use crate::terminal::report_of;

/// The names that `--from` and `--to` take.
const NAMES: [&str; 5] = ["install-manifest", "tools-json", "mcpkg", "capability", "jumith"];

/// A document is in no format that we know.
pub(crate) static UNKNOWN_FORMAT: Rule = Rule {
    code: "cli/unknown-format",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "a document must be in a format that toolglot knows",
    explanation: "The format is recognised by members that only it has. A document that lacks them \
                  may still be in that format, and broken: name the format with --from to see what \
                  is wrong. Formats that look like one of ours and are not are refused by name.",
};

/// Reads the name of a format from the command line.
pub(crate) fn parser() -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(NAMES).try_map(|name| {
        toolglot::format(&name)
            .ok_or_else(|| format!("{name} is not in this toolglot yet; it has {}", known()))
    })
}

/// The format of a document, and what gave it away.
pub(crate) fn of(
    document: &Document<'_>,
    named: Option<&'static Format>,
) -> Result<(&'static Format, Detected), Report> {
    if let Some(format) = named {
        let detected = (format.detect)(document.root())
            .unwrap_or(Detected { version: None, evidence: Vec::new() });
        return Ok((format, detected));
    }
    toolglot::detect(document).map_err(|unknown| {
        let diagnostic = UNKNOWN_FORMAT
            .at_pointer(Pointer::root(), unknown.to_string())
            .help(format!("the formats of this toolglot are {}", known()));
        report_of(diagnostic)
    })
}

/// The name and version of a format, for people.
pub(crate) fn titled(format: &Format, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{} {}", format.name, toolglot::core::printable(version, 32)),
        None => format.name.to_owned(),
    }
}

fn known() -> String {
    let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
    names.join(", ")
}
