//! Every rule of this format.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of this format.
pub static RULES: &[&Rule] = &[&STRUCTURE, &URI, &DUPLICATE_TOOL];

/// A value that is not as the table says.
pub static STRUCTURE: Rule = Rule {
    code: "mcpb/structure",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write what the format has a word for",
    explanation: "All objects are closed: what a publisher adds goes into `_meta`. Types, \
                  platforms and versions are fixed words; names, sizes and locales have a form.",
};

/// A text that should be a URI.
pub static URI: Rule = Rule {
    code: "mcpb/uri",
    severity: Severity::Warning,
    depth: Depth::Structure,
    summary: "write a URI, such as https://example.com/",
    explanation: "The schema names the format of pages, and validators may leave it unchecked.",
};

/// Two tools of one name.
pub static DUPLICATE_TOOL: Rule = Rule {
    code: "mcpb/duplicate-tool",
    severity: Severity::Error,
    depth: Depth::Meaning,
    summary: "the tools of a bundle must have different names",
    explanation: "A host calls a tool by its name. Of two with one name it can call only one.",
};
