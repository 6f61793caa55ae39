//! Targets of an export, and its options.

use manifest_core::Limits;

use crate::dialect::{self, TargetDialect};
use crate::names::{ANTHROPIC_NAME, GEMINI_NAME, MCP_NAME, NameGrammar, OPENAI_NAME};

/// A revision of MCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Revision {
    /// 2025-06-18
    R20250618,
    /// 2025-11-25
    R20251125,
    /// 2026-07-28
    #[default]
    R20260728,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: &'static [Self] = &[Self::R20250618, Self::R20251125, Self::R20260728];

    /// Returns the date, which is the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::R20250618 => "2025-06-18",
            Self::R20251125 => "2025-11-25",
            Self::R20260728 => "2026-07-28",
        }
    }

    /// Returns the revision with a date.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|revision| revision.name() == name)
    }
}

/// The provider or client that tools are exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Clients of an MCP server.
    Mcp(Revision),
    /// Chat completions of OpenAI.
    OpenAiChat,
    /// Responses of OpenAI.
    OpenAiResponses,
    /// Messages of Anthropic.
    Anthropic,
    /// Gemini.
    Gemini,
}

impl Target {
    /// All targets by name, with the newest revision of MCP.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("openai", Self::OpenAiChat),
        ("openai-responses", Self::OpenAiResponses),
        ("anthropic", Self::Anthropic),
        ("gemini", Self::Gemini),
        ("mcp", Self::Mcp(Revision::R20260728)),
    ];

    /// Returns the target with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let (_, target) = Self::ALL.iter().find(|(own, _)| *own == name)?;
        Some(*target)
    }
}

/// The options of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub struct Options {
    /// The target.
    pub target: Target,
    /// Whether the provider must keep the model to the schema. Only OpenAI and Anthropic
    /// support this.
    pub strict: bool,
    /// Whether Gemini gets its own `parameters`, as its Live API requires, instead of
    /// `parametersJsonSchema`.
    pub gemini_schema: bool,
    /// Whether descriptions mention constraints that a schema cannot express.
    pub sentences: bool,
    /// Whether names are [readable](crate::Names::readable). Otherwise a changed name has a
    /// digest, and tools that would share a name are left out.
    pub readable_names: bool,
    /// The limits on the given schemas.
    pub limits: Limits,
}

/// Creates options with all switches off and the default limits.
impl From<Target> for Options {
    fn from(target: Target) -> Self {
        Self::new(target)
    }
}

impl Options {
    /// Creates options with all switches off and the default limits.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            strict: false,
            gemini_schema: false,
            sentences: false,
            readable_names: false,
            limits: Limits::default(),
        }
    }

    /// Returns the grammar of tool names.
    pub fn name_grammar(&self) -> &'static NameGrammar {
        match self.target {
            Target::Mcp(_) => &MCP_NAME,
            Target::OpenAiChat | Target::OpenAiResponses => &OPENAI_NAME,
            Target::Anthropic => &ANTHROPIC_NAME,
            Target::Gemini => &GEMINI_NAME,
        }
    }

    /// Returns the dialect of input schemas.
    pub(crate) fn input_dialect(&self) -> &'static TargetDialect {
        match (self.target, self.strict) {
            (Target::Mcp(Revision::R20260728), _) => &dialect::MCP,
            (Target::Mcp(_), _) => &dialect::MCP_2025,
            (Target::OpenAiChat | Target::OpenAiResponses, false) => &dialect::OPENAI,
            (Target::OpenAiChat | Target::OpenAiResponses, true) => &dialect::OPENAI_STRICT,
            (Target::Anthropic, false) => &dialect::ANTHROPIC,
            (Target::Anthropic, true) => &dialect::ANTHROPIC_STRICT,
            (Target::Gemini, _) if self.gemini_schema => &dialect::GEMINI_SCHEMA,
            (Target::Gemini, _) => &dialect::GEMINI,
        }
    }

    /// Returns the dialect of output schemas, if the target supports them.
    pub(crate) fn output_dialect(&self) -> Option<&'static TargetDialect> {
        match self.target {
            Target::Mcp(Revision::R20260728) | Target::OpenAiResponses => {
                Some(&dialect::ANY_RESULT)
            }
            Target::Mcp(_) => Some(&dialect::MCP_2025_RESULT),
            Target::OpenAiChat | Target::Anthropic => None,
            Target::Gemini if self.gemini_schema => Some(&dialect::GEMINI_RESULT_SCHEMA),
            Target::Gemini => Some(&dialect::OBJECT_RESULT),
        }
    }
}
