//! Formats as arguments, and the detection of a document's format.

use std::any::TypeId;
use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use toolglot::core::quoted;
use toolglot::json::Document;
use toolglot::{
    Depth, DetectError, Detection, FORMATS, Format, Formats, Pointer, Report, Rule, Severity,
};

use crate::terminal::console::single_report;

/// The first names in help texts, before those of other formats.
const FIRST_NAMES: [&str; 5] = ["install-manifest", "tools-json", "mcpkg", "capability", "jumith"];

/// A document is in no known format.
pub(crate) static UNKNOWN_FORMAT: Rule = Rule {
    code: "cli/unknown-format",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "a document must be in a format that toolglot knows",
    explanation: "The format is recognised by members that only it has. A document that lacks them \
                  may still be in that format, and broken: name the format with --from to see what \
                  is wrong. Formats that look like one of ours and are not are refused by name.",
};

/// Returns a parser for an argument that is a format. [`restrict_formats`] sets the possible formats.
pub(crate) fn parser() -> impl TypedValueParser<Value = &'static Format> {
    format_parser(NO_FORMATS)
}

/// Returns a parser for an argument of the form FORMAT or FORMAT@VERSION.
pub(crate) fn target_parser() -> impl TypedValueParser<Value = TargetFormat> {
    TargetFormatParser(NO_FORMATS)
}

/// Returns a parser for an argument that is the code of a rule.
pub(crate) fn rule() -> impl TypedValueParser<Value = &'static Rule> {
    rule_parser(NO_FORMATS)
}

/// The formats of a parser before [`restrict_formats`] sets them.
const NO_FORMATS: Formats<'static> = Formats::new(&[]);

/// Makes every argument that is a format or a rule, also of subcommands, accept those of
/// this set.
pub(crate) fn restrict_formats(formats: Formats<'static>, command: Command) -> Command {
    let command = command.mut_args(|argument| restrict_argument(formats, argument));
    command.mut_subcommands(|verb| restrict_formats(formats, verb))
}

fn restrict_argument(formats: Formats<'static>, argument: Arg) -> Arg {
    let kind = argument.get_value_parser().type_id();
    if kind == TypeId::of::<&'static Format>() {
        argument.value_parser(format_parser(formats))
    } else if kind == TypeId::of::<TargetFormat>() {
        argument.value_parser(TargetFormatParser(formats))
    } else if kind == TypeId::of::<&'static Rule>() {
        argument.value_parser(rule_parser(formats))
    } else {
        argument
    }
}

fn argument_names(formats: Formats<'static>) -> Vec<&'static str> {
    let first = FIRST_NAMES.into_iter().filter_map(|name| formats.by_name(name));
    let others = formats.iter().copied().filter(|format| !FIRST_NAMES.contains(&format.name));
    first.chain(others).map(|format| format.name).collect()
}

fn format_parser(formats: Formats<'static>) -> impl TypedValueParser<Value = &'static Format> {
    PossibleValuesParser::new(argument_names(formats))
        .try_map(move |name| formats.by_name(&name).ok_or("there is no such format"))
}

/// Returns the rules of this library and of these formats.
pub(crate) fn rules(formats: Formats<'static>) -> impl Iterator<Item = &'static Rule> {
    let more = formats.into_iter().filter(|format| FORMATS.by_name(format.name).is_none());
    toolglot::rules().chain(more.flat_map(|format| format.rules).copied())
}

fn rule_parser(formats: Formats<'static>) -> impl TypedValueParser<Value = &'static Rule> {
    move |code: &str| {
        let rule = rules(formats).find(|rule| rule.code == code);
        rule.or_else(|| toolglot::install_manifest::rules::find(code))
            .ok_or_else(|| format!("there is no rule {}", quoted(code)))
    }
}

/// A format to convert to, with its version if one was named.
#[derive(Clone, Debug)]
pub(crate) struct TargetFormat {
    /// The format.
    pub(crate) format: &'static Format,
    /// The version, as it was written.
    pub(crate) version: Option<String>,
}

#[derive(Clone)]
struct TargetFormatParser(Formats<'static>);

impl TypedValueParser for TargetFormatParser {
    type Value = TargetFormat;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<TargetFormat, clap::Error> {
        let (name, version) = match value.to_str().and_then(|text| text.split_once('@')) {
            Some((name, version)) => (OsStr::new(name), Some(version.to_owned())),
            None => (value, None),
        };
        let format = format_parser(self.0).parse_ref(command, argument, name)?;
        if let Some(version) = &version {
            format.version(version).map_err(|why| {
                let message = format!("{why}\n");
                clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
            })?;
        }
        Ok(TargetFormat { format, version })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(argument_names(self.0).into_iter().map(PossibleValue::new)))
    }
}

/// The possible formats of a document: the named one, or all formats of a set.
#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    /// The formats of this program.
    pub(crate) set: Formats<'static>,
    /// The format that the person named.
    pub(crate) explicit: Option<&'static Format>,
}

impl Candidates {
    /// Returns the possible formats.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Format> {
        let others = self.set.into_iter().copied().filter(move |_| self.explicit.is_none());
        self.explicit.into_iter().chain(others)
    }

    /// Returns the format of a document, and the evidence for it. A named format is not
    /// checked.
    pub(crate) fn detect(
        self,
        document: &Document<'_>,
    ) -> Result<(&'static Format, Detection), Report> {
        if let Some(format) = self.explicit {
            let detected = (format.detect)(document.root())
                .unwrap_or(Detection { version: None, evidence: Vec::new() });
            return Ok((format, detected));
        }
        self.set.detect(document).map_err(|unknown| self.refuse(&unknown))
    }

    /// Returns the report for a document in an unknown format.
    pub(crate) fn refuse(self, unknown: &DetectError) -> Report {
        let help = match unknown {
            DetectError::Near(near) => {
                format!("`toolglot validate --from {}` says all that is wrong", near.format)
            }
            _ => format!("the formats of this toolglot are {}", format_names(self.set)),
        };
        single_report(UNKNOWN_FORMAT.at_pointer(Pointer::root(), unknown.to_string()).help(help))
    }
}

/// Returns the name and version of a format, for people.
pub(crate) fn title(format: &Format, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{} {}", format.name, toolglot::core::printable(version, 32)),
        None => format.name.to_owned(),
    }
}

/// Returns the names of formats, for people.
pub(crate) fn format_names(formats: Formats<'static>) -> String {
    let names: Vec<_> = formats.iter().map(|format| format.name).collect();
    names.join(", ")
}
