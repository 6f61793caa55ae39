//! Which format a document is in: the one that was named, or the one that shows.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use toolglot::json::Document;
use toolglot::{Depth, Detected, FORMATS, Format, Pointer, Report, Rule, Severity, Unknown};

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

/// A format to convert to, and the version of it if one was named.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) format: &'static Format,
    pub(crate) version: Option<String>,
}

/// Reads FORMAT or FORMAT@VERSION from the command line.
pub(crate) fn wanted() -> impl TypedValueParser<Value = Wanted> {
    WantedParser
}

#[derive(Clone)]
struct WantedParser;

impl TypedValueParser for WantedParser {
    type Value = Wanted;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Wanted, clap::Error> {
        let (name, version) = match value.to_str().and_then(|text| text.split_once('@')) {
            Some((name, version)) => (OsStr::new(name), Some(version.to_owned())),
            None => (value, None),
        };
        let format = parser().parse_ref(command, argument, name)?;
        if let Some(version) = &version {
            format.version(version).map_err(|why| {
                let message = format!("{why}\n");
                clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
            })?;
        }
        Ok(Wanted { format, version })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMES.into_iter().map(PossibleValue::new)))
    }
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
        let help = match &unknown {
            Unknown::Near(near) => format!("--from {} says all that is wrong", near.format),
            _ => format!("the formats of this toolglot are {}", known()),
        };
        report_of(UNKNOWN_FORMAT.at_pointer(Pointer::root(), unknown.to_string()).help(help))
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
