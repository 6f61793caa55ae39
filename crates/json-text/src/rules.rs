//! The rules of the JSON text layer. They apply to every format and profile.

use diagnostic::Rule;

/// Every rule of this layer.
pub static RULES: &[&Rule] = &[
    &SYNTAX,
    &ENCODING,
    &SURROGATE,
    &DUPLICATE_KEY,
    &KEY_CASE,
    &TRAILING,
    &SIZE,
    &DEPTH,
    &NODES,
    &STRING_SIZE,
    &KEY_SIZE,
    &NUMBER_SIZE,
    &NUMBER_RANGE,
    &TYPE,
    &REQUIRED,
    &UNKNOWN_MEMBER,
];

/// The text is not JSON.
pub static SYNTAX: Rule = Rule::structure(
    "json/syntax",
    "the text must be JSON as RFC 8259 defines it",
    "Comments, trailing commas, single quotes, unquoted names, leading zeros, NaN and Infinity are \
     not JSON, even where a specification shows them for illustration. Remove them.",
);
/// The bytes are not UTF-8, or begin with a byte order mark.
pub static ENCODING: Rule = Rule::structure(
    "json/encoding",
    "the text must be UTF-8 without a byte order mark",
    "JSON that is exchanged between systems is UTF-8. Readers disagree on byte order marks and on \
     invalid sequences, so a document with either has no single meaning. Save the file as UTF-8 \
     without a byte order mark.",
);
/// A `\u` escape is half of a surrogate pair.
pub static SURROGATE: Rule = Rule::structure(
    "json/surrogate",
    "a \\u escape must not be half of a surrogate pair",
    "A lone surrogate is not a character. Some readers keep it, some replace it, some fail. Write \
     both halves of the pair, or the character itself.",
);
/// An object has the same member twice.
pub static DUPLICATE_KEY: Rule = Rule::structure(
    "json/duplicate-key",
    "the members of an object must have different names",
    "Readers disagree on which of two equal members counts, so one document could be two tools. \
     The check holds inside embedded schemas and examples too, and sees through escapes. Remove \
     one of the two.",
);
/// An unknown member differs from a known one only in case.
pub static KEY_CASE: Rule = Rule::structure(
    "json/key-case",
    "a member must not differ from a known one only in upper and lower case",
    "Some readers match names without regard to case, and would read this member as the known one. \
     Use the spelling of the specification.",
);
/// The document is followed by more text.
pub static TRAILING: Rule = Rule::structure(
    "json/trailing",
    "nothing but white space may follow the document",
    "A file holds one JSON document. Remove what comes after it, or split the file.",
);
/// The document is too long.
pub static SIZE: Rule = Rule::structure(
    "json/size",
    "the document must not be longer than the limit",
    "The limit is `Limits::document_bytes`. Raise it if you trust where the document comes from.",
);
/// The document is nested too deeply.
pub static DEPTH: Rule = Rule::structure(
    "json/depth",
    "the document must not be nested deeper than the limit",
    "The limit is `Limits::depth`. No real manifest comes near it.",
);
/// The document has too many values.
pub static NODES: Rule = Rule::structure(
    "json/nodes",
    "the document must not hold more values than the limit",
    "The limit is `Limits::nodes`. Raise it if you trust where the document comes from.",
);
/// A string is too long.
pub static STRING_SIZE: Rule = Rule::structure(
    "json/string-size",
    "a string must not be longer than the limit",
    "The limit is `Limits::string_bytes`.",
);
/// A member name is too long.
pub static KEY_SIZE: Rule = Rule::structure(
    "json/key-size",
    "a member name must not be longer than the limit",
    "The limit is `Limits::key_bytes`.",
);
/// A number is too long.
pub static NUMBER_SIZE: Rule = Rule::structure(
    "json/number-size",
    "a number must not be written with more characters than the limit",
    "The limit is `Limits::number_bytes`. Numbers are kept as they are written, and never rounded.",
);
/// A number is out of range for its member.
pub static NUMBER_RANGE: Rule = Rule::structure(
    "json/number-range",
    "a number must fit the member it is the value of",
    "The message names the range. Numbers are never clamped or rounded.",
);
/// A value has the wrong type.
pub static TYPE: Rule = Rule::structure(
    "json/type",
    "a value must have the type that the specification names",
    "The message names the type that is expected. `null` is a value of its own, not the absence of \
     one: leave the member out instead.",
);
/// A required member is missing.
pub static REQUIRED: Rule = Rule::structure(
    "json/required",
    "an object must have the members that the specification requires",
    "Add the member that the message names.",
);
/// The specification does not define a member.
pub static UNKNOWN_MEMBER: Rule = Rule::advice(
    "json/unknown-member",
    "a member should be one that the specification names",
    "The member is ignored by readers of this format, and kept by toolglot. If it is a \
     slip of the pen, the help names the member that was probably meant.",
);
