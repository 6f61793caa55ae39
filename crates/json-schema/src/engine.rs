//! Checks instances with the `jsonschema` crate.

use std::fmt;
use std::sync::Arc;

use jsonschema::{Draft, PatternOptions, Registry, ValidationError, Validator};
use serde_json::{Value, json};

use super::fuel::{Refusal, RunCost};
use super::graph::{Edge, Graph};
use super::message::message;
use super::patterns::translate_sized;
use super::plan::Plan;
use super::value::{SUBSCHEMAS, flatten, pattern_number, translate_patterns, value};
use super::{Dialect, defaults, fuel, guard, rules};
use crate::Limits;
use crate::pattern::PatternError;
use diagnostic::{Diagnostic, Pointer, ok_or_bug};
use json_text::{Document, Node, apply};

/// The URI of a flat schema in the engine's registry.
const SCHEMA_URI: &str = "toolglot:schema";

/// The engine builds all errors before it returns the first. If they could take more bytes
/// than this, only the verdict is reported.
const MAX_REPORT_BYTES: u64 = 64 << 20;

/// Building errors takes more stack than finding a verdict. This many nested subschemas fit
/// 512 KiB.
const MAX_REPORT_FRAMES: u32 = 80;

/// The estimated size of an error without its path.
const ERROR_BYTES: u64 = 512;

/// A schema that is ready to check instances. Cloning it is cheap.
///
/// ```
/// use toolglot_json_schema::{Limits, Schema};
/// use json_text::Document;
///
/// let limits = Limits::default();
/// let document = Document::parse(
///     br#"{"properties": {"name": {"type": "string"}, "dry": {"default": false}},
///          "required": ["name"], "additionalProperties": false}"#,
///     json_text::Limits::default(),
/// )?;
/// let schema = Schema::compile(document.root(), &limits).map_err(|mut all| all.remove(0))?;
///
/// let good = Document::parse(br#"{"name": "a"}"#, json_text::Limits::default())?;
/// assert!(schema.validate(good.root())?.is_valid());
/// assert_eq!(schema.fill_defaults(good.root())?, r#"{"name": "a","dry": false}"#);
///
/// let bad = Document::parse(br#"{"name": 1}"#, json_text::Limits::default())?;
/// let outcome = schema.validate(bad.root())?;
/// let found = outcome.violations.first().unwrap();
/// assert_eq!(found.pointer.as_str(), "/name");
/// assert_eq!(found.schema_pointer.as_str(), "/properties/name/type");
/// assert_eq!(found.message, "expected string");
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    validator: Validator,
    plan: Plan,
    limits: Limits,
}

/// The result of checking an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validation {
    /// The violations, at most [`Limits::diagnostics`].
    pub violations: Vec<Violation>,
    /// True if the list is incomplete.
    pub truncated: bool,
}

impl Validation {
    /// Returns true if the instance matches.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }
}

/// One way in which an instance does not match its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The invalid value, in the document of the instance.
    pub pointer: Pointer,
    /// The violated keyword, in the document of the schema.
    pub schema_pointer: Pointer,
    /// The name of that keyword; empty if only the verdict is known.
    pub keyword: String,
    /// The problem, in one line without control characters.
    pub message: String,
}

impl Schema {
    /// Compiles a schema. Fails if [`check`](super::check) or the engine rejects it.
    ///
    /// `format` is an annotation and is not checked.
    pub fn compile(schema: Node<'_>, limits: impl Into<Limits>) -> Result<Self, Vec<Diagnostic>> {
        Self::build(schema, &limits.into(), false)
    }

    /// Compiles a schema and checks `format` too.
    pub fn compile_with_formats(
        schema: Node<'_>,
        limits: impl Into<Limits>,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::build(schema, &limits.into(), true)
    }

    fn build(schema: Node<'_>, limits: &Limits, formats: bool) -> Result<Self, Vec<Diagnostic>> {
        let graph = guard::graph(schema, limits)?;
        let plan = Plan::new(&graph, limits);
        match compile(&graph, &plan, limits, formats) {
            Ok(validator) => Ok(Self(Arc::new(Compiled { validator, plan, limits: *limits }))),
            Err(diagnostic) => Err(vec![diagnostic]),
        }
    }

    /// Checks an instance.
    ///
    /// Fails if the check would exceed the limits, or if the instance contains a number
    /// that would be rounded.
    pub fn validate(&self, instance: Node<'_>) -> Result<Validation, Diagnostic> {
        let Compiled { validator, plan, limits } = self.0.as_ref();
        let spent = fuel::count(plan, instance, limits.schema_fuel).map_err(|refusal| {
            let message = match refusal {
                Refusal::Steps => format!("takes more than {} steps", limits.schema_fuel),
                Refusal::Depth => "leads too deep into the schema".to_owned(),
            };
            rules::FUEL.at(instance, format!("checking this value {message}"))
        })?;
        let value = value(instance)?;
        if validator.is_valid(&value) {
            return Ok(Validation::default());
        }
        if report_bytes(spent) > MAX_REPORT_BYTES || spent.frames > MAX_REPORT_FRAMES {
            return Ok(verdict_only(plan, instance));
        }
        let mut errors = validator.iter_errors(&value);
        let prefix = instance.pointer();
        let mut violations: Vec<Violation> = errors
            .by_ref()
            .take(limits.diagnostics.max(1))
            .map(|error| violation(plan, &prefix, &error))
            .collect();
        // The engine's order depends on whether another crate in the build enables
        // `preserve_order` in `serde_json`.
        violations.sort_by(|one, other| one.pointer.as_str().cmp(other.pointer.as_str()));
        Ok(Validation { violations, truncated: errors.next().is_some() })
    }

    /// Returns the text of an instance with the `default` of every missing member inserted.
    /// All other bytes stay unchanged.
    ///
    /// Defaults are found through `properties`, `$ref` and `allOf`, in nested objects and
    /// array elements. They are inserted as the schema spells them.
    pub fn fill_defaults(&self, instance: Node<'_>) -> Result<String, Diagnostic> {
        let Compiled { plan, limits, .. } = self.0.as_ref();
        let document = Document::parse(instance.raw().as_bytes(), json_text::Limits::none())?;
        let limit = limits.schema_fuel;
        let Some(edits) = defaults::edits(plan, document.root(), limit) else {
            let message = format!("filling this value takes more than {limit} steps");
            return Err(rules::FUEL.at(instance, message));
        };
        let limit = limits.filled_bytes;
        match ok_or_bug(apply(&document, &edits)) {
            Some(text) if text.len() <= limit => Ok(text),
            _ => {
                let message = format!("with its defaults, this is longer than {limit} bytes");
                Err(rules::SIZE.at(instance, message))
            }
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").finish_non_exhaustive()
    }
}

/// Compiles a schema with the engine.
fn compile(
    graph: &Graph<'_>,
    plan: &Plan,
    limits: &Limits,
    formats: bool,
) -> Result<Validator, Diagnostic> {
    let mut flat = flatten(graph)?;
    meta_validator(graph.dialect)
        .validate(&flat)
        .map_err(|error| refused(plan, &error, error.instance_path().as_str()))?;
    translate_patterns(&mut flat, graph, limits)?;
    engine(&flat, graph.dialect, limits, formats)
        .map_err(|error| refused(plan, &error, error.schema_path().as_str()))
}

/// Returns the diagnostic for a path in the flat schema that the engine refuses.
fn refused(plan: &Plan, error: &ValidationError<'_>, path: &str) -> Diagnostic {
    let (pointer, keyword) = locate(plan, path);
    match keyword.as_str() {
        "pattern" | "patternProperties" => {
            rules::PATTERN.at_pointer(pointer, "the engine cannot compile this pattern")
        }
        _ => rules::INVALID.at_pointer(pointer, message(error.kind(), &keyword)),
    }
}

/// Returns the engine's validator of schemas.
fn meta_validator(dialect: Dialect) -> jsonschema::meta::MetaValidator<'static> {
    match dialect {
        Dialect::Draft4 => jsonschema::draft4::meta::validator(),
        Dialect::Draft6 => jsonschema::draft6::meta::validator(),
        Dialect::Draft7 => jsonschema::draft7::meta::validator(),
        Dialect::Draft201909 => jsonschema::draft201909::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    }
}

fn draft(dialect: Dialect) -> Draft {
    match dialect {
        Dialect::Draft4 => Draft::Draft4,
        Dialect::Draft6 => Draft::Draft6,
        Dialect::Draft7 => Draft::Draft7,
        Dialect::Draft201909 => Draft::Draft201909,
        Dialect::Draft202012 => Draft::Draft202012,
    }
}

/// Builds the engine for a flat schema. It fetches nothing, in any build.
fn engine(
    flat: &Value,
    dialect: Dialect,
    limits: &Limits,
    formats: bool,
) -> Result<Validator, ValidationError<'static>> {
    let draft = draft(dialect);
    let registry =
        Registry::new().draft(draft).add(SCHEMA_URI, draft.create_resource_ref(flat))?.prepare()?;
    let for_formats = *limits;
    let patterns = PatternOptions::regex()
        .size_limit(limits.pattern_compiled_bytes)
        .dfa_size_limit(limits.pattern_compiled_bytes / 16);
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .with_registry(&registry)
        .with_pattern_options(patterns)
        .should_validate_formats(formats)
        .with_format("regex", move |text: &str| {
            let translated = translate_sized(text, &for_formats);
            matches!(translated, Ok(_) | Err(PatternError::Unsupported { .. }))
        })
        .build(&json!({ "$ref": format!("{SCHEMA_URI}#/{SUBSCHEMAS}/0") }))
}

fn report_bytes(spent: RunCost) -> u64 {
    let each = ERROR_BYTES.saturating_add(spent.path as u64);
    spent.errors.saturating_mul(each)
}

fn verdict_only(plan: &Plan, instance: Node<'_>) -> Validation {
    Validation {
        violations: vec![Violation {
            pointer: instance.pointer(),
            schema_pointer: plan.pointer(0),
            keyword: String::new(),
            message: "does not match, and is too large or too deep to say where".to_owned(),
        }],
        truncated: true,
    }
}

fn violation(plan: &Plan, prefix: &Pointer, error: &ValidationError<'_>) -> Violation {
    let below = Pointer::from_trusted(error.instance_path().as_str());
    let (schema_pointer, keyword) = locate(plan, error.schema_path().as_str());
    Violation {
        pointer: prefix.clone().join(&below),
        schema_pointer,
        message: message(error.kind(), &keyword),
        keyword,
    }
}

/// Maps a path in the flat schema to the document of the schema, and returns the keyword
/// there.
fn locate(plan: &Plan, path: &str) -> (Pointer, String) {
    let path = Pointer::from_trusted(path);
    let mut tokens = path.tokens().skip(1);
    // A path without a number is about the schema itself.
    let part = tokens.next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let mut pointer = plan.pointer(part);
    let mut keyword = String::new();
    for token in tokens {
        let mut edge = None;
        if keyword == "patternProperties"
            && let Some(number) = pattern_number(&token)
        {
            edge = plan.get(part).and_then(|part| part.uses().get(number));
        }
        pointer = pointer.push(edge.map_or(&token, Edge::name));
        if keyword.is_empty() {
            keyword = token.into_owned();
        }
    }
    (pointer, keyword)
}
