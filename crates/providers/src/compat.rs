//! Checks which tools can be exported to which targets.

use diagnostic::Diagnostic;
use json_schema::Relation;
use manifest_core::Limits;

use crate::catalog::Source;
use crate::export::export_all;
use crate::target::{Options, Revision, Target};

/// A target, with or without its strict mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The name, for people and programs.
    pub name: &'static str,
    /// The target.
    pub target: Target,
    /// Whether the provider must keep the model to the schema.
    pub strict: bool,
}

impl Column {
    /// All columns.
    pub const ALL: &'static [Self] = &[
        Self::new("mcp", Target::Mcp(Revision::R20260728), false),
        Self::new("openai", Target::OpenAiChat, false),
        Self::new("openai-strict", Target::OpenAiChat, true),
        Self::new("openai-responses", Target::OpenAiResponses, false),
        Self::new("openai-responses-strict", Target::OpenAiResponses, true),
        Self::new("anthropic", Target::Anthropic, false),
        Self::new("anthropic-strict", Target::Anthropic, true),
        Self::new("gemini", Target::Gemini, false),
    ];

    const fn new(name: &'static str, target: Target, strict: bool) -> Self {
        Self { name, target, strict }
    }
}

/// The result for one tool and one target.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The tool is exported. The relation compares the arguments that can be sent with
    /// those that the source accepts.
    Offered(Relation),
    /// The tool is left out, for these reasons.
    Skipped(Vec<Diagnostic>),
}

impl Verdict {
    /// Returns the reasons why the tool is left out; empty if it is exported.
    pub fn reasons(&self) -> &[Diagnostic] {
        match self {
            Self::Offered(_) => &[],
            Self::Skipped(why) => why,
        }
    }
}

/// A table of tools and targets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compat {
    /// For each tool, in the order of the sources: the index of its source, its id, and its
    /// verdict for each of [`Column::ALL`].
    pub rows: Vec<(usize, String, Vec<Verdict>)>,
}

impl Compat {
    /// Returns true if every tool can be exported to every target.
    pub fn is_complete(&self) -> bool {
        let mut verdicts = self.rows.iter().flat_map(|(.., verdicts)| verdicts);
        verdicts.all(|verdict| matches!(verdict, Verdict::Offered(_)))
    }
}

/// Checks which tools can be exported to which targets.
pub fn compat(sources: &[Source<'_, '_>], limits: &Limits) -> Compat {
    let mut rows = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        for tool in source.tools {
            rows.push((index, tool.id.to_string(), Vec::new()));
        }
    }
    for column in Column::ALL {
        let options = Options {
            strict: column.strict,
            limits: limits.clone(),
            ..Options::new(column.target)
        };
        let export = export_all(sources, &options);
        let offered = export.offers.into_iter();
        let offered = offered.map(|offer| (offer.index, Verdict::Offered(offer.input.relation)));
        let skipped = export.skipped.into_iter();
        let skipped = skipped.map(|tool| (tool.index, Verdict::Skipped(tool.reasons)));
        for (index, verdict) in offered.chain(skipped) {
            if let Some((.., verdicts)) = rows.get_mut(index) {
                verdicts.push(verdict);
            }
        }
    }
    Compat { rows }
}
