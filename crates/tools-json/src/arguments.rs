//! Checks the arguments of a call against the schema of its tool.

use manifest_core::json::Document;
use manifest_core::schema::{Schema, Violation};
use manifest_core::{Diagnostic, Limits};

use crate::plan::text_or_empty_object;

/// The reason for refusing the arguments of a call. Its text is for the model: see
/// [`error_content`](crate::error_content).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentsError {
    /// The arguments are not JSON, or exceed a limit.
    #[error("invalid arguments: {0}")]
    Refused(Diagnostic),
    /// The arguments do not match the schema.
    #[error("invalid arguments: {}", list(.0))]
    Mismatch(Vec<Violation>),
}

fn list(violations: &[Violation]) -> String {
    let one = |violation: &Violation| match violation.pointer.as_str() {
        "" => violation.message.clone(),
        pointer => format!("{pointer}: {}", violation.message),
    };
    let all: Vec<String> = violations.iter().map(one).collect();
    all.join("; ")
}

/// Checks arguments as the model wrote them, before a call is [planned](crate::Tool::plan).
/// Blank arguments are checked as `{}`.
///
/// The reference has no such check: it leaves this to the tool.
///
/// ```
/// use manifest_core::{Limits, json::Document, schema::Schema};
/// use tools_json::check_arguments;
///
/// let limits = Limits::default();
/// let schema = br#"{"type": "object", "required": ["zone"]}"#;
/// let schema = Document::parse(schema, &limits)?;
/// let schema = Schema::compile(schema.root(), &limits).expect("a schema");
/// assert_eq!(check_arguments(r#"{"zone": "UTC"}"#, &schema, &limits), Ok(()));
/// assert!(check_arguments("", &schema, &limits).is_err());
/// assert!(check_arguments("{", &schema, &limits).is_err());
/// # Ok::<(), manifest_core::Diagnostic>(())
/// ```
pub fn check_arguments(
    arguments: &str,
    schema: &Schema,
    limits: &Limits,
) -> Result<(), ArgumentsError> {
    let text = text_or_empty_object(arguments);
    let document = Document::parse(text.as_bytes(), limits).map_err(ArgumentsError::Refused)?;
    let outcome = schema.validate(document.root()).map_err(ArgumentsError::Refused)?;
    if outcome.is_valid() { Ok(()) } else { Err(ArgumentsError::Mismatch(outcome.violations)) }
}
