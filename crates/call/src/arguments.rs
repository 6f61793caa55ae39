//! The arguments of a call, checked as the tool's host checks them.

use diagnostic::{Diagnostic, Pointer};
use json_text::Document;
use manifest_core::Limits;

use crate::rules;

/// The arguments of a call: a JSON object that the tool accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments(String);

impl Arguments {
    /// Accepts any object, for hosts that check it by other means. Blank text is an empty
    /// object. Fails if the text is not a JSON object.
    pub fn parse(text: &str, limits: &Limits) -> Result<Self, Diagnostic> {
        let text = if text.trim().is_empty() { "{}" } else { text };
        let document = Document::parse(text.as_bytes(), limits)?;
        if !document.root().is_object() {
            let kind = document.root().kind().with_article();
            let message = format!("expected an object, found {kind}");
            let help = "write the arguments as {\"name\": value}";
            return Err(rules::ARGUMENTS.at_pointer(Pointer::root(), message).help(help));
        }
        Ok(Self(document.root().raw().to_owned()))
    }

    /// Returns the object as JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(feature = "schema")]
pub(crate) use checked::compile;

#[cfg(feature = "schema")]
mod checked {
    use diagnostic::{Diagnostic, Pointer};
    use json_schema::{Schema, Violation};
    use json_text::{Document, Edit, Node, apply};
    use manifest_core::format::Contract;
    use manifest_core::{Limits, ToolDescriptor};

    use super::Arguments;
    use crate::rules;

    impl Arguments {
        /// Checks the arguments of a call against the tool's schema.
        ///
        /// If the tool's host does so, the defaults of the schema are filled in first, and
        /// properties that the schema does not explicitly permit are refused.
        pub fn validate(
            tool: &ToolDescriptor<'_>,
            contract: &Contract,
            text: &str,
            limits: &Limits,
        ) -> Result<Self, Vec<Diagnostic>> {
            let closes = contract.extra_arguments == Contract::REFUSED;
            let takes_nothing = tool.takes_no_arguments();
            match &tool.input_schema {
                Some(schema) if !takes_nothing => {
                    let fills = contract.fills_defaults;
                    Self::validate_schema(schema.as_str(), closes, fills, text, limits)
                }
                _ => Self::validate_without_schema(text, closes || takes_nothing, limits),
            }
        }

        /// Checks the arguments of a call against a schema, with its defaults filled in.
        pub fn validate_against(
            schema: &str,
            text: &str,
            limits: &Limits,
        ) -> Result<Self, Vec<Diagnostic>> {
            Self::validate_schema(schema, false, true, text, limits)
        }

        /// Checks arguments that no schema describes. If `refuses`, they must be empty.
        fn validate_without_schema(
            text: &str,
            refuses: bool,
            limits: &Limits,
        ) -> Result<Self, Vec<Diagnostic>> {
            let given = Self::parse(text, limits).map_err(|error| vec![error])?;
            let document =
                Document::parse(given.0.as_bytes(), limits).map_err(|error| vec![error])?;
            let mut unknown = Vec::new();
            if refuses {
                for member in document.root().members().take(limits.diagnostics) {
                    let at = Pointer::root().push(&member.name());
                    let message = "the tool takes no arguments";
                    unknown.push(rules::UNKNOWN_ARGUMENT.at_pointer(at, message));
                }
            }
            if unknown.is_empty() { Ok(given) } else { Err(unknown) }
        }

        fn validate_schema(
            schema: &str,
            closes: bool,
            fills: bool,
            text: &str,
            limits: &Limits,
        ) -> Result<Self, Vec<Diagnostic>> {
            let given = Self::parse(text, limits).map_err(|error| vec![error])?;
            let document =
                Document::parse(given.0.as_bytes(), limits).map_err(|error| vec![error])?;
            let schema =
                if closes { compile_closed(schema, limits)? } else { compile(schema, limits)? };
            let filled = if fills {
                schema.fill_defaults(document.root()).map_err(|error| vec![error])?
            } else {
                given.0.clone()
            };
            let document =
                Document::parse(filled.as_bytes(), limits).map_err(|error| vec![error])?;
            let outcome = schema.validate(document.root()).map_err(|error| vec![error])?;
            if outcome.is_valid() {
                return Ok(Self(filled));
            }
            Err(outcome.violations.into_iter().map(violation_diagnostic).collect())
        }
    }

    fn violation_diagnostic(violation: Violation) -> Diagnostic {
        let unknown =
            matches!(violation.keyword.as_str(), "unevaluatedProperties" | "additionalProperties");
        let rule = if unknown { &rules::UNKNOWN_ARGUMENT } else { &rules::ARGUMENTS };
        rule.at_pointer(violation.pointer, violation.message)
    }

    pub(crate) fn compile(schema: &str, limits: &Limits) -> Result<Schema, Vec<Diagnostic>> {
        let document = Document::parse(schema.as_bytes(), limits).map_err(|error| vec![error])?;
        Schema::compile(document.root(), limits)
    }

    /// Compiles the schema of arguments. If it has no rule for other properties, they are
    /// forbidden.
    fn compile_closed(schema: &str, limits: &Limits) -> Result<Schema, Vec<Diagnostic>> {
        const SAY: &[&str] =
            &["additionalProperties", "patternProperties", "unevaluatedProperties"];
        let document = Document::parse(schema.as_bytes(), limits).map_err(|error| vec![error])?;
        let root = document.root();
        if SAY.iter().any(|name| root.get(name).is_some()) || !root.is_object() {
            return Schema::compile(root, limits);
        }
        // `unevaluatedProperties` also permits properties that other subschemas declare.
        // Older dialects do not have it.
        let keyword =
            if is_older_dialect(root) { "additionalProperties" } else { "unevaluatedProperties" };
        let edit = Edit::Insert(Pointer::root().push(keyword), "false".to_owned());
        let closed = apply(&document, &[edit]).map_err(|error| {
            vec![rules::ARGUMENTS.at_pointer(Pointer::root(), error.to_string())]
        })?;
        compile(&closed, limits)
    }

    fn is_older_dialect(schema: Node<'_>) -> bool {
        match schema.get("$schema").and_then(Node::text) {
            Some(dialect) => dialect.contains("//json-schema.org/draft-0"),
            None => false,
        }
    }
}
