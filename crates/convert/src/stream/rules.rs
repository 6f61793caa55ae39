//! The rules of streams. An error inside an entry violates the rules of JSON text or of the
//! entry's format.

use diagnostic::{Depth, Rule, Severity};

/// Every rule of streams.
pub static RULES: &[&Rule] = &[&ENTRIES, &NO_LIST];

const fn structure(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, depth: Depth::Structure, summary, explanation }
}

/// The stream has too many entries.
pub static ENTRIES: Rule = structure(
    "stream/entries",
    "a stream must not have more entries than the limit",
    "The limit is `Split::entries`. What a stream takes of memory does not grow with its entries, \
     but for a few dozen bytes to remember the name of each. Raise it if you trust where the stream \
     comes from. Nothing after the last entry that is allowed is looked at.",
);
/// The stream is one object, and none of its members is the list of entries.
pub static NO_LIST: Rule = structure(
    "stream/no-list",
    "an object that is read as a stream must have a list of entries",
    "A stream is a document on each line, an array, or an object with an array in one member, such \
     as `tools`. This object has no such member. If it is a single document, read it as one; if \
     each line is a document, say that the stream consists of lines.",
);
