//! The parts of JSON Schema that targets support, as data.

use crate::names::{ANTHROPIC_PROPERTY, GEMINI_PROPERTY, NameGrammar};

/// The schemas that a target supports.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(crate) struct Dialect {
    /// The supported keywords, unless all are supported.
    pub(crate) subset: Option<&'static Subset>,
    /// The required form of the root.
    pub(crate) root: Root,
    /// Whether values are arguments, which are objects even if the schema declares no type.
    pub(crate) arguments: bool,
    /// The grammar of property names, if they are restricted.
    pub(crate) property: Option<&'static NameGrammar>,
    /// Whether lists require a schema for their elements.
    pub(crate) items: bool,
    /// Whether required names must be among the properties.
    pub(crate) named: bool,
    /// Whether only 2020-12 is supported.
    pub(crate) newest: bool,
    /// Whether the schemas of properties at the root must be objects.
    pub(crate) object_properties: bool,
    /// Whether schemas have Gemini's spelling.
    pub(crate) gemini: bool,
    /// The name of the member that a wrapped root becomes.
    pub(crate) wrap: &'static str,
    /// The limits on the size of a schema, if any.
    pub(crate) sizes: Option<&'static Sizes>,
}

/// The required form of the root of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// Anything but `true` or `false`.
    Any,
    /// An object.
    Object,
    /// An object that is not a choice.
    Plain,
}

/// A subset of JSON Schema.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(crate) struct Subset {
    /// The supported keywords that have a value, besides those of objects, lists and
    /// choices.
    pub(crate) words: &'static [&'static str],
    /// The supported values of `format`.
    pub(crate) formats: &'static [&'static str],
    /// Whether objects must refuse unnamed members.
    pub(crate) closed: bool,
    /// Whether every member must be required.
    pub(crate) required: bool,
    /// Whether a schema has only one type, besides `null`.
    pub(crate) single_type: bool,
    /// Whether references are supported.
    pub(crate) references: bool,
    /// Whether `enum` may list only strings.
    pub(crate) string_enums: bool,
    /// The maximum value of `minItems`.
    pub(crate) min_items: Option<u32>,
}

/// The limits on the size of a schema.
#[derive(Debug)]
pub(crate) struct Sizes {
    pub(crate) properties: usize,
    pub(crate) depth: usize,
    /// The characters in names of properties and definitions and in listed values, in
    /// total.
    pub(crate) characters: usize,
    pub(crate) values: usize,
    /// Two numbers: an enum with more values than the first must not have more characters
    /// than the second.
    pub(crate) long_enum: (usize, usize),
}

const WHOLE: Dialect = Dialect {
    subset: None,
    root: Root::Object,
    arguments: true,
    property: None,
    items: false,
    named: false,
    newest: false,
    object_properties: false,
    gemini: false,
    wrap: "arguments",
    sizes: None,
};

/// Input schemas of MCP.
pub(crate) static MCP: Dialect = WHOLE;
/// Input schemas of MCP before 2026.
pub(crate) static MCP_2025: Dialect =
    Dialect { root: Root::Plain, object_properties: true, ..WHOLE };
/// Output schemas of MCP before 2026.
pub(crate) static MCP_2025_RESULT: Dialect = Dialect { object_properties: true, ..OBJECT_RESULT };
/// Schemas of results that may be anything.
pub(crate) static ANY_RESULT: Dialect =
    Dialect { root: Root::Any, arguments: false, wrap: "result", ..WHOLE };
/// Schemas of results that must be objects.
pub(crate) static OBJECT_RESULT: Dialect = Dialect { arguments: false, wrap: "result", ..WHOLE };
/// Parameters of OpenAI.
pub(crate) static OPENAI: Dialect = Dialect { root: Root::Plain, items: true, ..WHOLE };
/// Input schemas of Anthropic.
pub(crate) static ANTHROPIC: Dialect =
    Dialect { root: Root::Plain, property: Some(&ANTHROPIC_PROPERTY), newest: true, ..WHOLE };
/// `parametersJsonSchema` of Gemini.
pub(crate) static GEMINI: Dialect =
    Dialect { property: Some(&GEMINI_PROPERTY), items: true, named: true, ..WHOLE };

/// Parameters of OpenAI, strict.
pub(crate) static OPENAI_STRICT: Dialect = Dialect {
    subset: Some(&Subset {
        words: &[
            "const",
            "enum",
            "format",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "pattern",
            "minItems",
            "maxItems",
        ],
        formats: &[
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
        ],
        closed: true,
        required: true,
        single_type: false,
        references: true,
        string_enums: false,
        min_items: None,
    }),
    root: Root::Plain,
    items: true,
    sizes: Some(&Sizes {
        properties: 5000,
        depth: 10,
        characters: 120_000,
        values: 1000,
        long_enum: (250, 15_000),
    }),
    ..WHOLE
};

/// Input schemas of Anthropic, strict.
pub(crate) static ANTHROPIC_STRICT: Dialect = Dialect {
    subset: Some(&Subset {
        words: &["enum", "format", "minItems"],
        formats: &[
            "date-time",
            "time",
            "date",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uuid",
            "uri",
        ],
        closed: true,
        required: false,
        single_type: false,
        references: true,
        string_enums: false,
        min_items: Some(1),
    }),
    root: Root::Plain,
    property: Some(&ANTHROPIC_PROPERTY),
    ..WHOLE
};

/// `parameters` of Gemini.
pub(crate) static GEMINI_SCHEMA: Dialect = Dialect {
    subset: Some(&Subset {
        words: &[
            "enum",
            "format",
            "minimum",
            "maximum",
            "pattern",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "default",
        ],
        formats: &["date-time", "enum", "float", "double", "int32", "int64"],
        closed: false,
        required: false,
        single_type: true,
        references: false,
        string_enums: true,
        min_items: None,
    }),
    root: Root::Object,
    property: Some(&GEMINI_PROPERTY),
    items: true,
    gemini: true,
    ..WHOLE
};
/// `response` of Gemini.
pub(crate) static GEMINI_RESULT_SCHEMA: Dialect =
    Dialect { arguments: false, wrap: "result", ..GEMINI_SCHEMA };
