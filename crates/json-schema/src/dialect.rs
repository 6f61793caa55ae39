//! The dialects of JSON Schema.

use json_text::Node;

/// A dialect of JSON Schema, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// draft-04
    Draft4,
    /// draft-06
    Draft6,
    /// draft-07
    Draft7,
    /// 2019-09
    Draft201909,
    /// 2020-12, the dialect of a schema without `$schema`.
    #[default]
    Draft202012,
}

/// The vocabularies of 2019-09 and 2020-12.
const VOCABULARIES: &[&str] = &[
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format",
    "format-annotation",
    "format-assertion",
    "content",
];

impl Dialect {
    /// Returns the dialect of a schema, or `None` if `$schema` does not name a known
    /// meta-schema.
    pub fn of(schema: Node<'_>) -> Option<Self> {
        match schema.get("$schema") {
            Some(uri) => Self::from_uri(&uri.text()?),
            None => Some(Self::default()),
        }
    }

    /// Returns the dialect of a meta-schema.
    pub(super) fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        let name = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        match name {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            _ => None,
        }
    }

    /// Returns true if the dialect defines the vocabulary.
    pub(super) fn has_vocabulary(self, uri: &str) -> bool {
        let prefix = match self {
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/vocab/",
            _ => "https://json-schema.org/draft/2020-12/vocab/",
        };
        uri.strip_prefix(prefix).is_some_and(|name| VOCABULARIES.contains(&name))
    }

    /// Returns the common name, such as `draft-07`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }

    /// Returns true if `$ref` disables every keyword beside it.
    #[doc(hidden)]
    pub fn ref_disables_siblings(self) -> bool {
        self <= Self::Draft7
    }

    /// Returns the keyword that identifies a schema.
    #[doc(hidden)]
    pub fn id_keyword(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }
}
