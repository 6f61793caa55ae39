//! The rules for embedded JSON Schemas. They apply in every format and profile.

use diagnostic::Rule;

/// Every rule of this module.
pub static RULES: &[&Rule] = &[
    &INVALID,
    &DIALECT,
    &REMOTE_REF,
    &REF_UNRESOLVED,
    &REF_CYCLE,
    &DYNAMIC_REF,
    &DUPLICATE_ID,
    &PATTERN,
    &SIZE,
    &COUNT,
    &DEPTH,
    &COST,
    &NUMBER,
    &FUEL,
];

/// A keyword has a value that its dialect does not allow.
pub static INVALID: Rule = Rule::semantics(
    "schema/invalid",
    "a schema must be what the meta-schema of its dialect allows",
    "Each keyword takes values of one shape: `required` an array of different strings, `minLength` \
     an integer that is not negative, `properties` an object of schemas. The message names the \
     shape that is expected.",
);
/// The schema names an unknown dialect or vocabulary.
pub static DIALECT: Rule = Rule::semantics(
    "schema/dialect",
    "a schema must be written in a dialect that is known",
    "The dialects are draft-04, draft-06, draft-07, 2019-09 and 2020-12. A schema without `$schema` \
     is 2020-12. Another meta-schema would have to be fetched, and nothing is ever fetched. One \
     schema is written in one dialect, with what it embeds.",
);
/// A reference leads out of the document.
pub static REMOTE_REF: Rule = Rule::semantics(
    "schema/remote-ref",
    "a reference must lead to a place in the same schema",
    "Nothing is ever fetched: a reference of a stranger could name a local file or a host inside \
     your network. Put the schema that is meant under `$defs` and refer to it there.",
);
/// The target of a reference does not exist.
pub static REF_UNRESOLVED: Rule = Rule::semantics(
    "schema/ref-unresolved",
    "a reference must lead to a schema that exists",
    "There is no value at the pointer, or no anchor of that name. Correct the reference.",
);
/// A schema applies itself to the same value again.
pub static REF_CYCLE: Rule = Rule::semantics(
    "schema/ref-cycle",
    "a schema must not apply itself to the same value",
    "Such a schema has no meaning: checking it would never end. Recursion is fine through keywords \
     that go into the value, such as `properties` and `items`.",
);
/// A reference has more than one possible target.
pub static DYNAMIC_REF: Rule = Rule::semantics(
    "schema/dynamic-ref",
    "a dynamic reference must have one possible target",
    "Where `$dynamicRef` and `$recursiveRef` lead depends on the way they were reached, if several \
     schemas in the document carry the anchor. Use `$ref`, or carry the anchor once.",
);
/// Two subschemas have the same name.
pub static DUPLICATE_ID: Rule = Rule::semantics(
    "schema/duplicate-id",
    "the identifiers and anchors in a schema must be different",
    "A reference to the name would have two meanings. Rename one of the two.",
);
/// A regular expression is invalid, unsupported or too large.
pub static PATTERN: Rule = Rule::semantics(
    "schema/pattern",
    "a pattern must be an ECMAScript regular expression that matches in linear time",
    "Look-around and back-references are refused because a stranger's pattern could keep a matcher \
     busy for hours. So are patterns that are larger than `Limits::pattern_bytes` or, compiled, \
     `Limits::pattern_compiled_bytes`.",
);
/// A schema, or an instance with its defaults, is too long.
pub static SIZE: Rule = Rule::semantics(
    "schema/size",
    "a schema, and an instance with its defaults, must not be longer than the limit",
    "The limits are `Limits::schema_bytes` and `Limits::document_bytes`.",
);
/// The schema has too many subschemas.
pub static COUNT: Rule = Rule::semantics(
    "schema/count",
    "a schema must not have more subschemas than the limit",
    "The limit is `Limits::subschemas`.",
);
/// Schemas or values are nested too deeply.
pub static DEPTH: Rule = Rule::semantics(
    "schema/depth",
    "subschemas, and values to check, must not be nested deeper than the limit",
    "The limit for subschemas is `Limits::schema_depth`, whether they are written inside each other \
     or refer to each other. No real schema comes near it.",
);
/// Checking any value against the schema takes too long.
pub static COST: Rule = Rule::semantics(
    "schema/cost",
    "a schema must not take more steps per value than the limit",
    "Subschemas that refer to each other many times multiply: forty lines can take days. The limit \
     is `Limits::schema_cost`.",
);
/// A number cannot be represented exactly.
pub static NUMBER: Rule = Rule::semantics(
    "schema/number",
    "a number to check or to check against must fit a double exactly",
    "Numbers are compared as 64-bit integers or doubles. One that would be rounded could pass a \
     check that it should fail, so it is refused.",
);
/// Checking this value takes too long.
pub static FUEL: Rule = Rule::semantics(
    "schema/fuel",
    "checking a value must not take more steps than the limit",
    "The steps are counted before anything runs. The limit is `Limits::schema_fuel`.",
);
