//! What the checks of a manifest have at hand.

use std::fmt::Display;

use manifest_core::json::Node;
use manifest_core::{Report, Rule, Validate};

/// The methods that everybody knows.
pub(crate) const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/// The checks look at typed values. Where a value stands in the text is looked
/// up only for what is wrong.
pub(crate) struct Check<'o> {
    pub(crate) report: &'o mut Report,
    pub(crate) options: &'o Validate,
    /// The manifest.
    pub(crate) node: Node<'o>,
}

/// Where a problem is, from the manifest: members by name, elements by index.
#[derive(Clone, Copy)]
pub(crate) enum At<'p> {
    Name(&'p str),
    Index(usize),
}

impl Check<'_> {
    /// Reports a problem at a place, or at what is there of it.
    pub(crate) fn push(&mut self, rule: &'static Rule, at: &[At<'_>], message: impl Display) {
        if self.report.takes(rule) {
            let node = at.iter().try_fold(self.node, |node, step| stepped(node, *step).ok_or(node));
            let node = node.unwrap_or_else(|node| node);
            self.report.push(rule.at(node, message.to_string()));
        }
    }
}

pub(crate) fn stepped<'a>(node: Node<'a>, step: At<'_>) -> Option<Node<'a>> {
    match step {
        At::Name(name) => node.get(name),
        At::Index(index) => node.element(index),
    }
}
