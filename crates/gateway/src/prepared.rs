//! A call between its two halves: prepared, and not yet made.

use std::fmt;
use std::sync::Arc;

use host::{Origin, Values};
use toolglot::Format;
use toolglot::call::{Missing, Plan};
use toolglot::core::quoted;

use crate::chain::Called;
use crate::claims::Claims;
use crate::tool::Tool;

/// Why a call is not made, in words for whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The arguments are not those of the tool.
    Arguments(String),
    /// The manifest speaks against it, and nobody has granted it.
    NotGranted(String),
    /// A person has not approved it.
    NotApproved(String),
    /// Something is missing here: a value, or the program.
    Missing(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Arguments(text)
        | Self::NotGranted(text)
        | Self::NotApproved(text)
        | Self::Missing(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Refusal {}

/// A call that can be made, perhaps after a person has approved it.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) tool: Arc<Tool>,
    pub(crate) work: Work,
    /// What the person is asked, as long as that is to be done.
    pub(crate) question: Option<Question>,
}

/// What a person has to be asked.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// What to tell whoever cannot be asked.
    pub(crate) unasked: String,
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Work {
    /// One call.
    Call(Box<Ready>),
    /// A chain of them, with these arguments.
    Chain { called: Called, arguments: String },
}

/// A call with all that it takes.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) plan: Plan,
    pub(crate) origin: Origin,
    pub(crate) given: Values,
    /// What the manifest says of a tool of an MCP server.
    pub(crate) claims: Option<Claims>,
    pub(crate) format: &'static Format,
    /// Whether a person has approved it.
    pub(crate) approved: bool,
}

impl Prepared {
    /// What a person has to be asked first.
    pub fn question(&self) -> Option<&str> {
        self.question.as_ref().map(|question| question.text.as_str())
    }

    /// The person agrees.
    pub fn approve(&mut self) {
        self.question = None;
        if let Work::Call(ready) = &mut self.work {
            ready.approved = true;
            ready.plan.missing.retain(|missing| !matches!(missing, Missing::Approval(_)));
        }
    }

    /// Why it is not made, where nobody could be asked.
    pub fn unasked(&self) -> Refusal {
        let unasked = self.question.as_ref().map(|question| question.unasked.clone());
        Refusal::NotApproved(unasked.unwrap_or_default())
    }

    /// Why it is not made, where a person was asked.
    pub fn declined(&self) -> Refusal {
        let tool = quoted(self.tool.id());
        let message = format!("{tool} is not called: the person did not approve this call.");
        Refusal::NotApproved(message)
    }
}
