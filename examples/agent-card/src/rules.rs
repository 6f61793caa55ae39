//! The rules of this format.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of this format.
pub static RULES: &[&Rule] = &[&STRUCTURE, &DUPLICATE_SKILL];

/// A value that does not match the table.
pub static STRUCTURE: Rule = Rule {
    code: "agent-card/structure",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write the members that the version of the card has",
    explanation: "A card with `supportedInterfaces` is of version 1.0, any other of version 0.3.",
};

/// Two skills of one id.
pub static DUPLICATE_SKILL: Rule = Rule {
    code: "agent-card/duplicate-skill",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "the skills of a card must have different ids",
    explanation: "A client that names a skill means one. Of two with one id it can name neither.",
};
