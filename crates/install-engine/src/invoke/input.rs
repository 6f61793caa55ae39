//! The input of a call.

use manifest_core::json::Document;
use manifest_core::{Diagnostic, Limits, Pointer};

use crate::plan::rules;

/// The input of a call: a JSON object that the action takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input(String);

impl Input {
    /// Takes an object as it is. For hosts that have checked it against the
    /// action's schema and filled in the defaults by other means.
    pub fn unchecked(arguments: &str, limits: &Limits) -> Result<Self, Diagnostic> {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let document = Document::parse(arguments.as_bytes(), limits)?;
        if !document.root().is_object() {
            let kind = document.root().kind().described();
            let message = format!("expected an object, found {kind}");
            return Err(rules::INPUT.at_pointer(Pointer::root(), message));
        }
        Ok(Self(document.root().raw().to_owned()))
    }

    /// The object, as JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(feature = "schema")]
pub use checked::Schemas;

#[cfg(feature = "schema")]
mod checked {
    use manifest_core::json::{Document, Edit, Node, apply};
    use manifest_core::schema::{Schema, Violation};
    use manifest_core::{Diagnostic, Limits, Pointer};

    use super::Input;
    use crate::invoke::answer::{Answer, Failure, Reason, Retry, judge};
    use crate::plan::{Outcome, rules};
    use install_manifest::{Action, OutputFormat};

    /// The schemas of an action, ready for any number of calls.
    #[derive(Clone, Debug)]
    pub struct Schemas {
        input: Option<Schema>,
        output: Option<Schema>,
        limits: Limits,
    }

    impl Schemas {
        /// Compiles what the action declares. Pointers of problems lead into the
        /// schema at fault.
        pub fn compile(action: &Action<'_>, limits: &Limits) -> Result<Self, Vec<Diagnostic>> {
            let input = action.input.as_ref().map(|schema| closed(schema.as_str(), limits));
            let output = action.output.as_ref().and_then(|output| output.schema.as_ref());
            let output = output.map(|schema| compiled(schema.as_str(), limits));
            Ok(Self {
                input: input.transpose()?,
                output: output.transpose()?,
                limits: limits.clone(),
            })
        }

        /// Checks the input of a call, with the defaults of the schema filled in.
        ///
        /// Properties that the schema does not permit in so many words are
        /// refused, as the specification asks. An action without a schema takes
        /// an empty object. Blank text is one.
        pub fn input(&self, arguments: &str) -> Result<Input, Vec<Diagnostic>> {
            let given = Input::unchecked(arguments, &self.limits).map_err(|e| vec![e])?;
            let document =
                Document::parse(given.0.as_bytes(), &self.limits).map_err(|e| vec![e])?;
            let Some(schema) = &self.input else {
                let unknown = document.root().members().map(|member| {
                    let message = "the action takes no input";
                    rules::UNKNOWN_INPUT.at_pointer(Pointer::root().push(&member.name()), message)
                });
                let unknown: Vec<_> = unknown.take(self.limits.diagnostics).collect();
                return if unknown.is_empty() { Ok(given) } else { Err(unknown) };
            };
            let filled = schema.fill_defaults(document.root()).map_err(|e| vec![e])?;
            let document = Document::parse(filled.as_bytes(), &self.limits).map_err(|e| vec![e])?;
            let outcome = schema.validate(document.root()).map_err(|e| vec![e])?;
            if outcome.is_valid() {
                return Ok(Input(filled));
            }
            Err(outcome.violations.into_iter().map(refused).collect())
        }

        /// Judges what came of a call: [`judge`], and then the output against its
        /// schema.
        pub fn judge(&self, action: &Action<'_>, outcome: &Outcome<'_>) -> Result<Answer, Failure> {
            let answer = judge(action, outcome, &self.limits)?;
            let Some(schema) = &self.output else { return Ok(answer) };
            let problem = match &answer {
                Answer::Json(text) => self.mismatch(schema, text, None),
                Answer::Records(records) => records
                    .iter()
                    .enumerate()
                    .find_map(|(index, record)| self.mismatch(schema, record, Some(index))),
                _ => None,
            };
            let declared = action.output.as_ref().map(|output| output.format);
            match problem.filter(|_| declared != Some(OutputFormat::None)) {
                Some(problem) => Err(Failure {
                    reason: Reason::Output(vec![problem]),
                    code: None,
                    message: "the output does not match its schema".to_owned(),
                    details: None,
                    retry: Retry::Useless,
                }),
                None => Ok(answer),
            }
        }

        fn mismatch(
            &self,
            schema: &Schema,
            text: &str,
            record: Option<usize>,
        ) -> Option<Diagnostic> {
            let document = match Document::parse(text.as_bytes(), &self.limits) {
                Ok(document) => document,
                Err(error) => return Some(error),
            };
            let found = match schema.validate(document.root()) {
                Ok(outcome) => outcome.violations.into_iter().next()?,
                Err(error) => return Some(error),
            };
            let root = record.map_or_else(Pointer::root, |at| Pointer::root().push_index(at));
            Some(rules::OUTPUT.at_pointer(root.join(&found.pointer), found.message))
        }
    }

    fn refused(violation: Violation) -> Diagnostic {
        let unknown =
            matches!(violation.keyword.as_str(), "unevaluatedProperties" | "additionalProperties");
        let rule = if unknown { &rules::UNKNOWN_INPUT } else { &rules::INPUT };
        rule.at_pointer(violation.pointer, violation.message)
    }

    fn compiled(schema: &str, limits: &Limits) -> Result<Schema, Vec<Diagnostic>> {
        let document = Document::parse(schema.as_bytes(), limits).map_err(|e| vec![e])?;
        Schema::compile(document.root(), limits)
    }

    /// The schema of an input. One that says nothing about other properties is
    /// closed to them.
    fn closed(schema: &str, limits: &Limits) -> Result<Schema, Vec<Diagnostic>> {
        const SAY: &[&str] =
            &["additionalProperties", "patternProperties", "unevaluatedProperties"];
        let document = Document::parse(schema.as_bytes(), limits).map_err(|e| vec![e])?;
        let root = document.root();
        if SAY.iter().any(|name| root.get(name).is_some()) {
            return Schema::compile(root, limits);
        }
        // The first knows what is declared in other subschemas. Older dialects do
        // not have it.
        let keyword = if is_old(root) { "additionalProperties" } else { "unevaluatedProperties" };
        let edit = Edit::Insert(Pointer::root().push(keyword), "false".to_owned());
        let closed = apply(&document, &[edit]).unwrap_or_else(|_| schema.to_owned());
        compiled(&closed, limits)
    }

    fn is_old(schema: Node<'_>) -> bool {
        let dialect = schema.get("$schema").and_then(Node::text);
        dialect.is_some_and(|dialect| dialect.contains("//json-schema.org/draft-0"))
    }
}
