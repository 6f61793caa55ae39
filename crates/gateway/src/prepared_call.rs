//! Prepared calls, which are not made yet.

use std::sync::Arc;

use host::{Origin, Values};
use thiserror::Error;
use toolglot::Format;
use toolglot::call::Planned;
use toolglot::core::quoted;

use crate::chain::ChainTools;
use crate::tool::Tool;
use crate::tool_claims::ToolClaims;

/// The reason why a call is not made, as a message for the caller.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The arguments do not fit the tool's schema.
    #[error("{0}")]
    Arguments(String),
    /// The policy refuses the call because of the manifest's declarations.
    #[error("{0}")]
    NotGranted(String),
    /// The call needs an approval that was not given.
    #[error("{0}")]
    NotApproved(String),
    /// A value or a program is missing on this machine.
    #[error("{0}")]
    Missing(String),
}

/// A call that can be made, possibly after a person approves it.
#[derive(Debug)]
pub struct PreparedCall {
    pub(crate) tool: Arc<Tool>,
    pub(crate) work: Work,
    /// The question for a person, until it is approved.
    pub(crate) question: Option<Question>,
}

#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    /// The message for a client that cannot ask a person.
    pub(crate) refusal: String,
}

#[derive(Debug)]
pub(crate) enum Work {
    Call(Box<PlannedCall>),
    /// A chain, with all tools that it calls.
    Chain {
        tools: ChainTools,
        arguments: String,
    },
}

/// A planned call, with everything that is needed to make it.
#[derive(Debug)]
pub(crate) struct PlannedCall {
    /// Ready, or to be approved.
    pub(crate) planned: Planned,
    pub(crate) origin: Origin,
    pub(crate) values: Values,
    /// The manifest's description of the tool, if it belongs to an MCP server.
    pub(crate) claims: Option<ToolClaims>,
    pub(crate) format: &'static Format,
    /// True if a person has approved the call.
    pub(crate) approved: bool,
}

impl PreparedCall {
    /// Returns the question that a person must answer first, if there is one.
    pub fn question(&self) -> Option<&str> {
        self.question.as_ref().map(|question| question.text.as_str())
    }

    /// Marks the call as approved by the person.
    pub fn approve(&mut self) {
        self.question = None;
        if let Work::Call(call) = &mut self.work {
            call.approved = true;
            if let Planned::Ask(ask) = &call.planned {
                call.planned = Planned::Ready(ask.clone().approve());
            }
        }
    }

    /// Returns the refusal for the case that no person can be asked.
    pub fn approval_required(&self) -> Refusal {
        let message = self.question.as_ref().map_or("", |question| &question.refusal);
        Refusal::NotApproved(message.to_owned())
    }

    /// Returns the refusal for the case that a person was asked.
    pub(crate) fn approval_declined(&self) -> Refusal {
        let tool = quoted(self.tool.id());
        Refusal::NotApproved(format!("{tool} is not called: the person did not approve this call."))
    }
}
