//! Every rule of this format.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of this format.
pub static RULES: &[&Rule] = &[&STRUCTURE, &DUPLICATE_TOOL];

/// A value that is not as the table says.
pub static STRUCTURE: Rule = Rule {
    code: "utcp/structure",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write what the format has a word for",
    explanation: "A tool has a name without control characters, and a call template has a type.",
};

/// Two tools of one name.
pub static DUPLICATE_TOOL: Rule = Rule {
    code: "utcp/duplicate-tool",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "the tools of a manual must have different names",
    explanation: "A client calls a tool by its name. Of two with one name it can call only one.",
};
