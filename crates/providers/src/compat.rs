//! Which tools can be given to which targets.

use diagnostic::Diagnostic;
use json_schema::Relation;
use manifest_core::Limits;

use crate::catalog::Source;
use crate::export::export_all;
use crate::target::{Options, Revision, Target};

/// A target, and how it is given tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name, for people and programs.
    pub name: &'static str,
    /// The target.
    pub target: Target,
    /// Whether it is asked to keep the model to the schema.
    pub strict: bool,
}

impl Column {
    /// All of them.
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

/// What becomes of one tool at one target.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is given the tool, and arguments relate so to those of the source.
    Offered(Relation),
    /// It is not given the tool.
    LeftOut(Vec<Diagnostic>),
}

impl Verdict {
    /// Why the tool is left out, if it is.
    pub fn why(&self) -> &[Diagnostic] {
        match self {
            Self::Offered(_) => &[],
            Self::LeftOut(why) => why,
        }
    }
}

/// Tools against targets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compat {
    /// For each tool, in the order of the sources: which source, its id, and what becomes of it
    /// for each of [`Column::ALL`].
    pub rows: Vec<(usize, String, Vec<Verdict>)>,
}

impl Compat {
    /// Whether every tool can be given to every target.
    pub fn is_whole(&self) -> bool {
        let offered = |verdict: &Verdict| matches!(verdict, Verdict::Offered(_));
        self.rows.iter().all(|(.., verdicts)| verdicts.iter().all(offered))
    }
}

/// Tells for all tools whether they can be given to each target.
pub fn compat(sources: &[Source<'_, '_>], limits: &Limits) -> Compat {
    let tools = sources.iter().enumerate();
    let tools =
        tools.flat_map(|(index, source)| source.tools.iter().map(move |tool| (index, tool)));
    let rows = tools.map(|(source, tool)| (source, tool.id.to_string(), Vec::new()));
    let mut rows: Vec<(usize, String, Vec<Verdict>)> = rows.collect();
    for column in Column::ALL {
        let options = Options { limits: limits.clone(), ..Options::new(column.target) };
        let export = export_all(sources, &Options { strict: column.strict, ..options });
        let offered = export.offers.into_iter();
        let offered = offered.map(|offer| (offer.index, Verdict::Offered(offer.input.relation)));
        let left = export.left_out.into_iter().map(|left| (left.index, Verdict::LeftOut(left.why)));
        for (index, verdict) in offered.chain(left) {
            if let Some((.., verdicts)) = rows.get_mut(index) {
                verdicts.push(verdict);
            }
        }
    }
    Compat { rows }
}
