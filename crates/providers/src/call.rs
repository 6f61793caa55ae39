//! Checks arguments and results against the source.

use std::fmt;

use diagnostic::{Diagnostic, Pointer, Report, Rule, printable};
use json_schema::Schema;
use json_text::Document;
use manifest_core::Limits;

use crate::codec::Codec;
use crate::rules;

/// Converts and checks values between a model and a tool.
///
/// ```
/// use manifest_core::{Limits, Text, ToolDescriptor, json::Raw};
/// use toolglot_providers::{Options, Target, export};
///
/// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"},
///                  "days": {"type": "integer", "maximum": 9}}, "required": ["city"]}"#;
/// let tool = ToolDescriptor {
///     id: Text::Borrowed("weather").into(),
///     input_schema: Some(Raw::parse(schema)?.into()),
///     ..ToolDescriptor::default()
/// };
/// let tools = [tool];
/// let options = Options { strict: true, ..Options::new(Target::OpenAiChat) };
/// let export = export(&tools, &options);
/// let argument_converter = export.offers[0].argument_converter(&Limits::default()).expect("a schema that can be run");
/// assert_eq!(argument_converter.decode(r#"{"city": "Ulm", "days": null}"#)?, r#"{"city":"Ulm"}"#);
/// let refusal = argument_converter.decode(r#"{"city": "Ulm", "days": 12}"#).unwrap_err();
/// assert_eq!(refusal.faults[0].pointer.as_str(), "/days");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ValueConverter {
    codec: Codec,
    schema: Schema,
    limits: Limits,
}

/// The error for a value that the source does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The violated rule: that of arguments or that of results.
    pub rule: &'static Rule,
    /// The faults, with their places.
    pub faults: Vec<Fault>,
}

/// One fault of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The place in the value as the model knows it.
    pub pointer: Pointer,
    /// The problem.
    pub message: String,
}

impl fmt::Display for Refusal {
    /// Writes a message for the model, which can then correct its call.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.rule.code == rules::RESULT.code;
        let subject = if result { "result" } else { "arguments" };
        writeln!(f, "The {subject} of this call cannot be used:")?;
        for Fault { pointer, message } in &self.faults {
            if pointer.is_root() {
                writeln!(f, "- {message}")?;
            } else {
                writeln!(f, "- at {}: {message}", printable(pointer.as_str(), 512))?;
            }
        }
        f.write_str(if result {
            "The tool does not keep to its schema."
        } else {
            "Correct this and call the tool again."
        })
    }
}

impl std::error::Error for Refusal {}

/// Refuses a value for one fault.
impl From<Diagnostic> for Refusal {
    fn from(found: Diagnostic) -> Self {
        refuse(found.rule, found.pointer.clone(), found.message.clone())
    }
}

impl ValueConverter {
    /// Creates a conversion for values of the schema `source`, which was compiled with
    /// `codec`.
    pub fn new(source: &str, codec: Codec, limits: &Limits) -> Result<Self, Report> {
        let document = Document::parse(source.as_bytes(), limits)?;
        let schema = Schema::compile(document.root(), limits)?;
        Ok(Self { codec, schema, limits: limits.clone() })
    }

    /// Decodes and checks the arguments that the model sent. An empty text counts as an
    /// empty object, because some models send no arguments at all.
    pub fn decode(&self, sent: &str) -> Result<String, Refusal> {
        let sent = if sent.trim().is_empty() { "{}" } else { sent };
        let decoded = self.codec.decode(sent, &self.limits).map_err(|found| {
            let is_own = found.rule.code == rules::ARGUMENTS.code;
            let why = if is_own { "" } else { "this is no JSON that can be read: " };
            refuse(&rules::ARGUMENTS, Pointer::root(), format!("{why}{}", found.message))
        })?;
        self.check(&decoded, &rules::ARGUMENTS)?;
        Ok(decoded)
    }

    /// Checks a result, and returns it in the spelling of the target.
    pub fn encode(&self, value: &str) -> Result<String, Refusal> {
        self.check(value, &rules::RESULT)?;
        self.codec
            .encode(value, &self.limits)
            .map_err(|found| refuse(&rules::RESULT, Pointer::root(), found.message.clone()))
    }

    fn check(&self, value: &str, rule: &'static Rule) -> Result<(), Refusal> {
        let cannot_check = |found: Diagnostic| {
            refuse(rule, self.codec.sent_pointer(&found.pointer), found.message.clone())
        };
        let document = Document::parse(value.as_bytes(), &self.limits).map_err(cannot_check)?;
        let outcome = self.schema.validate(document.root()).map_err(cannot_check)?;
        if outcome.is_valid() {
            return Ok(());
        }
        let mut faults = Vec::with_capacity(outcome.violations.len());
        for violation in outcome.violations {
            let pointer = self.codec.sent_pointer(&violation.pointer);
            faults.push(Fault { pointer, message: violation.message });
        }
        Err(Refusal { rule, faults })
    }
}

fn refuse(rule: &'static Rule, pointer: Pointer, message: String) -> Refusal {
    Refusal { rule, faults: vec![Fault { pointer, message }] }
}
