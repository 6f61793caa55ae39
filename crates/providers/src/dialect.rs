//! What targets take of JSON Schema, as data.

use crate::names::{ANTHROPIC_PROPERTY, GEMINI_PROPERTY, NameGrammar};

/// What a target takes.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(crate) struct Dialect {
    /// The keywords that it takes, where it does not take all.
    pub(crate) subset: Option<&'static Subset>,
    /// What the root must be.
    pub(crate) root: Root,
    /// Whether values are arguments: objects, also where a schema names no type.
    pub(crate) arguments: bool,
    /// What properties may be called.
    pub(crate) property: Option<&'static NameGrammar>,
    /// Whether lists need a schema for their elements.
    pub(crate) items: bool,
    /// Whether what is required must be among the properties.
    pub(crate) named: bool,
    /// Whether only 2020-12 is read.
    pub(crate) newest: bool,
    /// Whether the schemas of properties at the root must be objects.
    pub(crate) object_properties: bool,
    /// Whether it spells schemas as Gemini does.
    pub(crate) gemini: bool,
    /// What the member is called that a wrapped root becomes.
    pub(crate) wrap: &'static str,
    /// How large a schema may be, where that is limited.
    pub(crate) sizes: Option<&'static Sizes>,
}

/// What the root of a schema must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// Anything that is no `true` or `false`.
    Any,
    /// An object.
    Object,
    /// An object that is no choice.
    Plain,
}

/// A part of JSON Schema.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(crate) struct Subset {
    /// Keywords with a value, besides those of objects, lists and choices.
    pub(crate) words: &'static [&'static str],
    /// The values of `format`.
    pub(crate) formats: &'static [&'static str],
    /// Whether objects must refuse members that are not named.
    pub(crate) closed: bool,
    /// Whether every member must be required.
    pub(crate) required: bool,
    /// Whether a schema has one type only, and `null` besides.
    pub(crate) single_type: bool,
    /// Whether there are references.
    pub(crate) references: bool,
    /// Whether only strings are listed in `enum`.
    pub(crate) string_enums: bool,
    /// The most that `minItems` may be.
    pub(crate) min_items: Option<u32>,
}

/// How large a schema may be.
#[derive(Debug)]
pub(crate) struct Sizes {
    pub(crate) properties: usize,
    pub(crate) depth: usize,
    /// Characters in names of properties and definitions, and in listed values, together.
    pub(crate) characters: usize,
    pub(crate) values: usize,
    /// An enum with more values than the first has no more characters than the second.
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
