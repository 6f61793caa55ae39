//! The parts of JSON Schema that targets support, as data.

use crate::names::{ANTHROPIC_PROPERTY, GEMINI_PROPERTY, NameGrammar};

/// The schemas that a target supports.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // a row of a table
pub(crate) struct TargetDialect {
    /// The supported keywords, unless all are supported.
    pub(crate) subset: Option<&'static Subset>,
    /// The required form of the root.
    pub(crate) root: Root,
    /// Whether values are arguments, which are objects even if the schema declares no type.
    pub(crate) arguments: bool,
    /// The grammar of property names, if they are restricted.
    pub(crate) property: Option<&'static NameGrammar>,
    /// Whether lists require a schema for their elements.
    pub(crate) requires_items: bool,
    /// Whether required names must be among the properties.
    pub(crate) requires_properties: bool,
    /// Whether only 2020-12 is supported.
    pub(crate) only_2020_12: bool,
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
    keywords: &'static str,
    /// The supported values of `format`.
    formats: &'static str,
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

impl Subset {
    /// Returns true if the target supports a keyword that has a value.
    pub(crate) fn supports(&self, keyword: &str) -> bool {
        self.keywords.split(' ').any(|own| own == keyword)
    }

    /// Returns true if the target supports a value of `format`.
    pub(crate) fn supports_format(&self, format: &str) -> bool {
        self.formats.split(' ').any(|own| own == format)
    }
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

const UNRESTRICTED: TargetDialect = TargetDialect {
    subset: None,
    root: Root::Object,
    arguments: true,
    property: None,
    requires_items: false,
    requires_properties: false,
    only_2020_12: false,
    object_properties: false,
    gemini: false,
    wrap: "arguments",
    sizes: None,
};

/// Input schemas of MCP.
pub(crate) static MCP: TargetDialect = UNRESTRICTED;
/// Input schemas of MCP before 2026.
pub(crate) static MCP_2025: TargetDialect =
    TargetDialect { root: Root::Plain, object_properties: true, ..UNRESTRICTED };
/// Output schemas of MCP before 2026.
pub(crate) static MCP_2025_RESULT: TargetDialect =
    TargetDialect { object_properties: true, ..OBJECT_RESULT };
/// Schemas of results that may be anything.
pub(crate) static ANY_RESULT: TargetDialect =
    TargetDialect { root: Root::Any, arguments: false, wrap: "result", ..UNRESTRICTED };
/// Schemas of results that must be objects.
pub(crate) static OBJECT_RESULT: TargetDialect =
    TargetDialect { arguments: false, wrap: "result", ..UNRESTRICTED };
/// Parameters of OpenAI.
pub(crate) static OPENAI: TargetDialect =
    TargetDialect { root: Root::Plain, requires_items: true, ..UNRESTRICTED };
/// Input schemas of Anthropic.
pub(crate) static ANTHROPIC: TargetDialect = TargetDialect {
    root: Root::Plain,
    property: Some(&ANTHROPIC_PROPERTY),
    only_2020_12: true,
    ..UNRESTRICTED
};
/// `parametersJsonSchema` of Gemini.
pub(crate) static GEMINI: TargetDialect = TargetDialect {
    property: Some(&GEMINI_PROPERTY),
    requires_items: true,
    requires_properties: true,
    ..UNRESTRICTED
};

/// Parameters of OpenAI, strict.
pub(crate) static OPENAI_STRICT: TargetDialect = TargetDialect {
    subset: Some(&Subset {
        keywords: "const enum format minimum maximum exclusiveMinimum exclusiveMaximum \
                   multipleOf pattern minItems maxItems",
        formats: "date-time time date duration email hostname ipv4 ipv6 uuid",
        closed: true,
        required: true,
        single_type: false,
        references: true,
        string_enums: false,
        min_items: None,
    }),
    root: Root::Plain,
    requires_items: true,
    sizes: Some(&Sizes {
        properties: 5000,
        depth: 10,
        characters: 120_000,
        values: 1000,
        long_enum: (250, 15_000),
    }),
    ..UNRESTRICTED
};

/// Input schemas of Anthropic, strict.
pub(crate) static ANTHROPIC_STRICT: TargetDialect = TargetDialect {
    subset: Some(&Subset {
        keywords: "enum format minItems",
        formats: "date-time time date duration email hostname ipv4 ipv6 uuid uri",
        closed: true,
        required: false,
        single_type: false,
        references: true,
        string_enums: false,
        min_items: Some(1),
    }),
    root: Root::Plain,
    property: Some(&ANTHROPIC_PROPERTY),
    ..UNRESTRICTED
};

/// `parameters` of Gemini.
pub(crate) static GEMINI_SCHEMA: TargetDialect = TargetDialect {
    subset: Some(&Subset {
        keywords: "enum format minimum maximum pattern minLength maxLength minItems \
                   maxItems minProperties maxProperties default",
        formats: "date-time enum float double int32 int64",
        closed: false,
        required: false,
        single_type: true,
        references: false,
        string_enums: true,
        min_items: None,
    }),
    root: Root::Object,
    property: Some(&GEMINI_PROPERTY),
    requires_items: true,
    gemini: true,
    ..UNRESTRICTED
};
/// `response` of Gemini.
pub(crate) static GEMINI_RESULT_SCHEMA: TargetDialect =
    TargetDialect { arguments: false, wrap: "result", ..GEMINI_SCHEMA };
