//! The keywords of every dialect: the shape of their values and their role.
//!
//! The table contains the meta-schemas of all five dialects, written by hand so that
//! checking a schema needs no interpreter. A test compares it with the meta-schemas
//! themselves.

use super::Dialect;
use super::Dialect::{
    Draft4 as D4, Draft6 as D6, Draft7 as D7, Draft201909 as D19, Draft202012 as D20,
};

/// A keyword in a range of dialects.
pub(super) struct Keyword {
    pub(super) name: &'static str,
    since: Dialect,
    until: Dialect,
    pub(super) shape: Shape,
    pub(super) role: Role,
}

/// The shape of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any value.
    Any,
    /// A boolean.
    Bool,
    /// A string.
    String,
    /// A string that is a URI.
    Uri,
    /// A string that is a URI reference.
    UriReference,
    /// A URI reference with an empty fragment, if any.
    Id,
    /// The name of an anchor.
    Anchor,
    /// A number.
    Number,
    /// A number above zero.
    Positive,
    /// An integer, zero or more.
    Count,
    /// An array of any values.
    Array,
    /// The name of a type, or an array of different ones.
    Type,
    /// An array of different strings.
    Strings,
    /// An array of different strings, at least one.
    SomeStrings,
    /// An object of arrays of different strings.
    StringsByName,
    /// An object of booleans.
    BoolsByName,
    /// A schema.
    Schema,
    /// A schema, or a boolean in a dialect where booleans are not schemas.
    SchemaOrBool,
    /// An array of schemas, at least one.
    Schemas,
    /// A schema, or an array of at least one.
    SchemaOrSchemas,
    /// An object of schemas.
    SchemasByName,
    /// An object of schemas and arrays of different strings.
    SchemasOrStringsByName,
}

/// The role of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Annotates, and has no effect on validity.
    Note,
    /// Names this schema or its dialect.
    Name,
    /// Checks a value against the keyword's own value.
    Assert,
    /// Checks a string against a regular expression.
    Pattern,
    /// Refers to another schema for the same value.
    Refer,
    /// Contains schemas that check a value, or part of it.
    Apply(Applies),
}

/// The part of a value that a subschema checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applies {
    /// No part; the subschema is only a target of references.
    Never,
    /// The same value, which must match.
    Always,
    /// The same value, which may or may not match.
    Perhaps,
    /// The member with that name.
    Member,
    /// The members whose names match a pattern.
    MembersLike,
    /// The members that no sibling keyword names.
    OtherMembers,
    /// The members that no other keyword evaluates.
    UnseenMembers,
    /// The names of the members.
    Names,
    /// The element at that index.
    Element,
    /// The elements after the list of a sibling keyword.
    OtherElements,
    /// Every element, some of which must match.
    SomeElements,
    /// The elements that no other keyword evaluates.
    UnseenElements,
}

use Applies::{
    Always, Element, Member, MembersLike, Names, Never, OtherElements, OtherMembers, Perhaps,
    SomeElements, UnseenElements, UnseenMembers,
};
use Role::{Apply, Assert, Name, Note, Pattern, Refer};
use Shape::{
    Anchor, Any, Array, Bool, BoolsByName, Count, Id, Number, Positive, Schema, SchemaOrBool,
    SchemaOrSchemas, Schemas, SchemasByName, SchemasOrStringsByName, SomeStrings, String, Strings,
    StringsByName, Type, Uri, UriReference,
};

const fn k(
    name: &'static str,
    since: Dialect,
    until: Dialect,
    shape: Shape,
    role: Role,
) -> Keyword {
    Keyword { name, since, until, shape, role }
}

/// All keywords, the shortest first, so that most comparisons end at the length.
static KEYWORDS: &[Keyword] = &[
    k("id", D4, D4, String, Name),
    k("if", D7, D20, Schema, Apply(Perhaps)),
    k("$id", D6, D7, UriReference, Name),
    k("$id", D19, D20, Id, Name),
    k("not", D4, D20, Schema, Apply(Perhaps)),
    k("$ref", D4, D4, String, Refer),
    k("$ref", D6, D7, UriReference, Refer),
    k("$ref", D19, D20, String, Refer),
    k("else", D7, D20, Schema, Apply(Perhaps)),
    k("enum", D4, D20, Array, Assert),
    k("then", D7, D20, Schema, Apply(Perhaps)),
    k("type", D4, D20, Type, Assert),
    k("$defs", D19, D20, SchemasByName, Apply(Never)),
    k("allOf", D4, D20, Schemas, Apply(Always)),
    k("anyOf", D4, D20, Schemas, Apply(Perhaps)),
    k("const", D6, D20, Any, Assert),
    k("items", D4, D19, SchemaOrSchemas, Apply(OtherElements)),
    k("items", D20, D20, Schema, Apply(OtherElements)),
    k("oneOf", D4, D20, Schemas, Apply(Perhaps)),
    k("title", D4, D20, String, Note),
    k("format", D4, D20, String, Assert),
    k("$anchor", D19, D20, Anchor, Name),
    k("$schema", D4, D4, String, Name),
    k("$schema", D6, D20, Uri, Name),
    k("default", D4, D20, Any, Note),
    k("maximum", D4, D20, Number, Assert),
    k("minimum", D4, D20, Number, Assert),
    k("pattern", D4, D20, String, Pattern),
    k("$comment", D7, D20, String, Note),
    k("contains", D6, D20, Schema, Apply(SomeElements)),
    k("examples", D6, D20, Array, Note),
    k("maxItems", D4, D20, Count, Assert),
    k("minItems", D4, D20, Count, Assert),
    k("readOnly", D7, D20, Bool, Note),
    k("required", D4, D4, SomeStrings, Assert),
    k("required", D6, D20, Strings, Assert),
    k("maxLength", D4, D20, Count, Assert),
    k("minLength", D4, D20, Count, Assert),
    k("writeOnly", D7, D20, Bool, Note),
    k("deprecated", D19, D20, Bool, Note),
    k("multipleOf", D4, D20, Positive, Assert),
    k("properties", D4, D20, SchemasByName, Apply(Member)),
    k("$dynamicRef", D20, D20, String, Refer),
    k("$vocabulary", D19, D20, BoolsByName, Name),
    k("definitions", D4, D20, SchemasByName, Apply(Never)),
    k("description", D4, D20, String, Note),
    k("maxContains", D19, D20, Count, Assert),
    k("minContains", D19, D20, Count, Assert),
    k("prefixItems", D20, D20, Schemas, Apply(Element)),
    k("uniqueItems", D4, D20, Bool, Assert),
    k("dependencies", D4, D20, SchemasOrStringsByName, Apply(Perhaps)),
    k("$recursiveRef", D19, D19, String, Refer),
    k("$recursiveRef", D20, D20, String, Note),
    k("contentSchema", D19, D20, Schema, Apply(Never)),
    k("maxProperties", D4, D20, Count, Assert),
    k("minProperties", D4, D20, Count, Assert),
    k("propertyNames", D6, D20, Schema, Apply(Names)),
    k("$dynamicAnchor", D20, D20, Anchor, Name),
    k("additionalItems", D4, D4, SchemaOrBool, Apply(OtherElements)),
    k("additionalItems", D6, D19, Schema, Apply(OtherElements)),
    k("contentEncoding", D7, D20, String, Note),
    k("$recursiveAnchor", D19, D19, Bool, Name),
    k("$recursiveAnchor", D20, D20, Anchor, Note),
    k("contentMediaType", D7, D20, String, Note),
    k("dependentSchemas", D19, D20, SchemasByName, Apply(Perhaps)),
    k("exclusiveMaximum", D4, D4, Bool, Assert),
    k("exclusiveMaximum", D6, D20, Number, Assert),
    k("exclusiveMinimum", D4, D4, Bool, Assert),
    k("exclusiveMinimum", D6, D20, Number, Assert),
    k("unevaluatedItems", D19, D20, Schema, Apply(UnseenElements)),
    k("dependentRequired", D19, D20, StringsByName, Assert),
    k("patternProperties", D4, D20, SchemasByName, Apply(MembersLike)),
    k("additionalProperties", D4, D4, SchemaOrBool, Apply(OtherMembers)),
    k("additionalProperties", D6, D20, Schema, Apply(OtherMembers)),
    k("unevaluatedProperties", D19, D20, Schema, Apply(UnseenMembers)),
];

/// Returns the keyword with that name, if the dialect has it.
pub(super) fn find(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
    let wanted = (name.len(), name);
    let first = KEYWORDS.partition_point(|keyword| (keyword.name.len(), keyword.name) < wanted);
    KEYWORDS
        .iter()
        .skip(first)
        .take_while(|keyword| keyword.name == name)
        .find(|keyword| (keyword.since..=keyword.until).contains(&dialect))
}

impl Dialect {
    /// Returns true if the dialect defines the keyword.
    pub fn knows(self, keyword: &str) -> bool {
        find(keyword, self).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::KEYWORDS;

    #[test]
    fn the_table_is_sorted() {
        assert!(KEYWORDS.is_sorted_by_key(|k| (k.name.len(), k.name, k.since)));
    }
}
