//! Messages about values that do not match.
//!
//! The engine's own messages repeat the value, and show patterns as we rewrote them. These
//! messages describe the violated constraint, and show at most a few names from the value.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use diagnostic::{printable, quoted};

/// At most this many names or values are listed.
const MAX_LISTED: usize = 5;

/// Returns one line without a full stop that lists at most a few names.
pub(super) fn message(kind: &Kind, keyword: &str) -> String {
    match kind {
        Kind::FalseSchema if keyword == "additionalProperties" => {
            "no members are allowed here".to_owned()
        }
        Kind::Type { kind } => format!("expected {}", types(kind)),
        Kind::Required { property } => format!("{} is missing", format_value(property)),
        Kind::Enum { options } => format!("expected {}", one_of(options)),
        Kind::Constant { expected_value } => format!("expected {}", format_value(expected_value)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!("unexpected {}", names(unexpected))
        }
        Kind::AdditionalItems { limit } => format!("more than the {limit} elements allowed"),
        Kind::UnevaluatedItems { .. } => "unexpected elements".to_owned(),
        Kind::AnyOf { .. } => "expected to match one of several schemas, matched none".to_owned(),
        Kind::OneOfNotValid { .. } => {
            "expected to match exactly one of several schemas, matched none".to_owned()
        }
        Kind::OneOfMultipleValid { .. } => {
            "expected to match exactly one of several schemas, matched more".to_owned()
        }
        Kind::Not { .. } => "matched a schema that it must not match".to_owned(),
        Kind::FalseSchema => "no value is allowed here".to_owned(),
        Kind::Contains => "too few or too many elements match `contains`".to_owned(),
        Kind::UniqueItems => "two elements are equal".to_owned(),
        Kind::PropertyNames { error } => {
            format!("a name is refused: {}", message(error.kind(), keyword))
        }
        Kind::Format { format } => format!("expected the format {}", quoted(format)),
        Kind::Pattern { .. } => "the text does not match the pattern".to_owned(),
        Kind::Minimum { limit } => format!("expected at least {}", format_value(limit)),
        Kind::Maximum { limit } => format!("expected at most {}", format_value(limit)),
        Kind::ExclusiveMinimum { limit } => format!("expected more than {}", format_value(limit)),
        Kind::ExclusiveMaximum { limit } => format!("expected less than {}", format_value(limit)),
        Kind::MultipleOf { multiple_of } => format!("expected a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("expected at least {limit} characters"),
        Kind::MaxLength { limit } => format!("expected at most {limit} characters"),
        Kind::MinItems { limit } => format!("expected at least {limit} elements"),
        Kind::MaxItems { limit } => format!("expected at most {limit} elements"),
        Kind::MinProperties { limit } => format!("expected at least {limit} members"),
        Kind::MaxProperties { limit } => format!("expected at most {limit} members"),
        other => format!("{} is not met", other.keyword()),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(set) => {
            let names: Vec<_> = set.iter().map(|one| one.to_string()).collect();
            names.join(" or ")
        }
    }
}

fn one_of(options: &Value) -> String {
    match options.as_array().map(Vec::as_slice) {
        Some([only]) => format_value(only),
        Some(options) => format!("one of {}", join_limited(options.iter().map(format_value))),
        None => format_value(options),
    }
}

/// Formats a value of the schema, shortened.
fn format_value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        scalar => printable(&scalar.to_string(), 64),
    }
}

/// Lists member names of the instance. After the first, only names that fit 64 bytes are
/// shown; the rest are counted.
fn names(unexpected: &[String]) -> String {
    let mut room = 64_usize;
    let fits = unexpected.iter().take_while(|name| {
        let fits = room == 64 || name.len() <= room;
        room = room.saturating_sub(name.len());
        fits
    });
    let shown: Vec<_> = fits.take(MAX_LISTED).map(|name| quoted(name)).collect();
    match unexpected.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn join_limited(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(MAX_LISTED);
    let shown = items.take(MAX_LISTED).collect::<Vec<_>>().join(", ");
    match more {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
