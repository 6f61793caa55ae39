//! The rules of conversion.

use crate::diagnostic::{Depth, Rule, Severity};

/// Every rule of conversion.
pub static RULES: &[&Rule] = &[&ASSUMED, &RESIDUE, &UNRELATED, &COLLISION, &CONFLICT, &IN_BAND];

const fn conversion(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, depth: Depth::Meaning, summary, explanation }
}

/// In strict mode, a target member would have to be assumed.
pub static ASSUMED: Rule = conversion(
    "convert/assumed",
    "in strict mode, the source must say everything that the target requires",
    "The target format requires a member for which the source has nothing to say. Without strict \
     mode a cautious default fills it, and the report lists it as assumed.",
);
/// A residue cannot be read or applied.
pub static RESIDUE: Rule = conversion(
    "convert/residue",
    "a residue must be one that a conversion wrote",
    "A residue is data that `convert` writes beside its output. Give `restore` the file as it was \
     written, together with the document that came with it.",
);
/// A residue belongs to another document.
pub static UNRELATED: Rule = conversion(
    "convert/unrelated",
    "a residue must belong to the document that is restored",
    "The residue names the formats that it stands between, and what the document said when it was \
     written. An edited document still fits; another document does not.",
);
/// Two tools would get the same name.
pub static COLLISION: Rule = conversion(
    "convert/collision",
    "two tools must not get the same name in the target",
    "The target's grammar makes two different names equal. Rename one of the tools in the source: \
     a suffix that nobody chose would be a name that nobody knows.",
);
/// The source and the target were edited in the same place.
pub static CONFLICT: Rule = conversion(
    "convert/conflict",
    "an edit to the source and an edit to the target must not contradict each other",
    "Both the source and its converted form were edited since the conversion, and say different \
     things in the same place. Nothing is decided for you: undo one of the two edits, or make them \
     say the same.",
);
/// A residue cannot travel inside the target.
pub static IN_BAND: Rule = conversion(
    "convert/in-band",
    "a residue can travel inside the target only in the input schema of a tool",
    "The document has no tool, the input schema of one is not an object, or the document would pass \
     a limit. Keep the residue in a file of its own instead.",
);
