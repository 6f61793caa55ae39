//! The keywords of every dialect: the shape of their values and their role.
//!
//! The table contains the meta-schemas of all five dialects, written by hand so that
//! checking a schema needs no interpreter. A test compares it with the meta-schemas
//! themselves.

use crate::Dialect;
use crate::Dialect::{
    Draft4 as D4, Draft6 as D6, Draft7 as D7, Draft201909 as D19, Draft202012 as D20,
};

/// A keyword in a range of dialects.
pub struct Keyword {
    pub(crate) name: &'static str,
    since: Dialect,
    until: Dialect,
    pub shape: Shape,
    pub(crate) role: Role,
}

/// The shape of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
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
    NonEmptyStrings,
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
pub(crate) enum Role {
    /// Annotates, and has no effect on validity.
    Annotation,
    /// Names this schema or its dialect.
    Name,
    /// Checks a value against the keyword's own value.
    Assertion,
    /// Checks a string against a regular expression.
    Pattern,
    /// Refers to another schema for the same value.
    Reference,
    /// Contains schemas that check a value, or part of it.
    Applicator(Applies),
}

/// The part of a value that a subschema checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applies {
    /// No part; the subschema is only a target of references.
    Definition,
    /// The same value, which must match.
    Always,
    /// The same value, which may or may not match.
    Conditional,
    /// The member with that name.
    Property,
    /// The members whose names match a pattern.
    PatternProperties,
    /// The members that no sibling keyword names.
    AdditionalProperties,
    /// The members that no other keyword evaluates.
    UnevaluatedProperties,
    /// The names of the members.
    PropertyNames,
    /// The element at that index.
    Item,
    /// The elements after the list of a sibling keyword.
    AdditionalItems,
    /// Every element, some of which must match.
    Contains,
    /// The elements that no other keyword evaluates.
    UnevaluatedItems,
}

use Applies::{
    AdditionalItems, AdditionalProperties, Always, Conditional, Contains, Definition, Item,
    PatternProperties, Property, PropertyNames, UnevaluatedItems, UnevaluatedProperties,
};
use Role::{Annotation, Applicator, Assertion, Name, Pattern, Reference};
use Shape::{
    Anchor, Any, Array, Bool, BoolsByName, Count, Id, NonEmptyStrings, Number, Positive, Schema,
    SchemaOrBool, SchemaOrSchemas, Schemas, SchemasByName, SchemasOrStringsByName, String, Strings,
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
    k("if", D7, D20, Schema, Applicator(Conditional)),
    k("$id", D6, D7, UriReference, Name),
    k("$id", D19, D20, Id, Name),
    k("not", D4, D20, Schema, Applicator(Conditional)),
    k("$ref", D4, D4, String, Reference),
    k("$ref", D6, D7, UriReference, Reference),
    k("$ref", D19, D20, String, Reference),
    k("else", D7, D20, Schema, Applicator(Conditional)),
    k("enum", D4, D20, Array, Assertion),
    k("then", D7, D20, Schema, Applicator(Conditional)),
    k("type", D4, D20, Type, Assertion),
    k("$defs", D19, D20, SchemasByName, Applicator(Definition)),
    k("allOf", D4, D20, Schemas, Applicator(Always)),
    k("anyOf", D4, D20, Schemas, Applicator(Conditional)),
    k("const", D6, D20, Any, Assertion),
    k("items", D4, D19, SchemaOrSchemas, Applicator(AdditionalItems)),
    k("items", D20, D20, Schema, Applicator(AdditionalItems)),
    k("oneOf", D4, D20, Schemas, Applicator(Conditional)),
    k("title", D4, D20, String, Annotation),
    k("format", D4, D20, String, Assertion),
    k("$anchor", D19, D20, Anchor, Name),
    k("$schema", D4, D4, String, Name),
    k("$schema", D6, D20, Uri, Name),
    k("default", D4, D20, Any, Annotation),
    k("maximum", D4, D20, Number, Assertion),
    k("minimum", D4, D20, Number, Assertion),
    k("pattern", D4, D20, String, Pattern),
    k("$comment", D7, D20, String, Annotation),
    k("contains", D6, D20, Schema, Applicator(Contains)),
    k("examples", D6, D20, Array, Annotation),
    k("maxItems", D4, D20, Count, Assertion),
    k("minItems", D4, D20, Count, Assertion),
    k("readOnly", D7, D20, Bool, Annotation),
    k("required", D4, D4, NonEmptyStrings, Assertion),
    k("required", D6, D20, Strings, Assertion),
    k("maxLength", D4, D20, Count, Assertion),
    k("minLength", D4, D20, Count, Assertion),
    k("writeOnly", D7, D20, Bool, Annotation),
    k("deprecated", D19, D20, Bool, Annotation),
    k("multipleOf", D4, D20, Positive, Assertion),
    k("properties", D4, D20, SchemasByName, Applicator(Property)),
    k("$dynamicRef", D20, D20, String, Reference),
    k("$vocabulary", D19, D20, BoolsByName, Name),
    k("definitions", D4, D20, SchemasByName, Applicator(Definition)),
    k("description", D4, D20, String, Annotation),
    k("maxContains", D19, D20, Count, Assertion),
    k("minContains", D19, D20, Count, Assertion),
    k("prefixItems", D20, D20, Schemas, Applicator(Item)),
    k("uniqueItems", D4, D20, Bool, Assertion),
    k("dependencies", D4, D20, SchemasOrStringsByName, Applicator(Conditional)),
    k("$recursiveRef", D19, D19, String, Reference),
    k("$recursiveRef", D20, D20, String, Annotation),
    k("contentSchema", D19, D20, Schema, Applicator(Definition)),
    k("maxProperties", D4, D20, Count, Assertion),
    k("minProperties", D4, D20, Count, Assertion),
    k("propertyNames", D6, D20, Schema, Applicator(PropertyNames)),
    k("$dynamicAnchor", D20, D20, Anchor, Name),
    k("additionalItems", D4, D4, SchemaOrBool, Applicator(AdditionalItems)),
    k("additionalItems", D6, D19, Schema, Applicator(AdditionalItems)),
    k("contentEncoding", D7, D20, String, Annotation),
    k("$recursiveAnchor", D19, D19, Bool, Name),
    k("$recursiveAnchor", D20, D20, Anchor, Annotation),
    k("contentMediaType", D7, D20, String, Annotation),
    k("dependentSchemas", D19, D20, SchemasByName, Applicator(Conditional)),
    k("exclusiveMaximum", D4, D4, Bool, Assertion),
    k("exclusiveMaximum", D6, D20, Number, Assertion),
    k("exclusiveMinimum", D4, D4, Bool, Assertion),
    k("exclusiveMinimum", D6, D20, Number, Assertion),
    k("unevaluatedItems", D19, D20, Schema, Applicator(UnevaluatedItems)),
    k("dependentRequired", D19, D20, StringsByName, Assertion),
    k("patternProperties", D4, D20, SchemasByName, Applicator(PatternProperties)),
    k("additionalProperties", D4, D4, SchemaOrBool, Applicator(AdditionalProperties)),
    k("additionalProperties", D6, D20, Schema, Applicator(AdditionalProperties)),
    k("unevaluatedProperties", D19, D20, Schema, Applicator(UnevaluatedProperties)),
];

/// Returns the keyword with that name, if the dialect has it.
pub fn find(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
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
    pub fn defines(self, keyword: &str) -> bool {
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
