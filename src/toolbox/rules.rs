//! The rules of toolboxes.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of a toolbox.
pub static RULES: &[&Rule] = &[&LIMIT, &FILE_NAME];

const fn rule(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, depth: Depth::Semantics, summary, explanation }
}

/// A toolbox would exceed a limit.
pub static LIMIT: Rule = rule(
    "toolbox/limit",
    "a toolbox must not contain more than its limits",
    "The limits count documents, their bytes and their tools, over the whole toolbox. They are \
     `Limits::toolbox_documents`, `Limits::toolbox_bytes` and `Limits::toolbox_tools`.",
);
/// A document is added under a name that another one has.
pub static FILE_NAME: Rule = rule(
    "toolbox/file-name",
    "every document of a toolbox must have a name of its own",
    "A document is replaced, removed and mentioned in messages by its name. To update it, use \
     `Toolbox::replace`.",
);
