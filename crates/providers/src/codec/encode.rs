//! What the source means, as a model would send it.

use std::collections::{BTreeMap, BTreeSet};

use json_schema::Schema;
use json_text::{Document, Kind, Limits, Node, quote, quote_into};

use super::Codec;
use crate::graph::{Id, Word};
use crate::kinds::Kinds;
use crate::write::{Spelling, write};

impl Codec {
    /// A value that the source takes, as the target spells it; nothing, where the target has
    /// no spelling for it.
    pub fn encode(&self, value: &str) -> Option<String> {
        let document = Document::parse(value.as_bytes(), Limits::default()).ok()?;
        let root = document.root();
        if self.is_identity() {
            return Some(root.raw().to_owned());
        }
        let mut out = String::with_capacity(value.len());
        if let Some(member) = self.spelling.wrap {
            out.push('{');
            quote_into(member, &mut out);
            out.push(':');
        }
        if self.spelling.absent.is_empty() {
            self.renamed(root, &mut out);
        } else {
            self.filled(root, 0, &mut out)?;
        }
        if self.spelling.wrap.is_some() {
            out.push('}');
        }
        Some(out)
    }

    /// Writes a value with the names that the target takes.
    fn renamed(&self, node: Node<'_>, out: &mut String) {
        match node.kind() {
            Kind::Object => {
                out.push('{');
                for (index, member) in node.members().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    let name = member.name();
                    let sent = self.spelling.renamed.get(name.as_ref());
                    quote_into(sent.map_or(name.as_ref(), String::as_str), out);
                    out.push(':');
                    self.renamed(member.value, out);
                }
                out.push('}');
            }
            Kind::Array => {
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.renamed(element, out);
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
    }

    /// Writes a value with `null` for what is left out.
    fn filled(&self, node: Node<'_>, part: Id, out: &mut String) -> Option<()> {
        match node.kind() {
            Kind::Object => {
                let part = self.alternative(node, part)?;
                let properties = self.graph.get(part).named("properties");
                let known: BTreeMap<&str, Id> =
                    properties.iter().map(|(name, id)| (name.as_str(), *id)).collect();
                let given = node.index_members();
                let mut first = true;
                out.push('{');
                for member in node.members() {
                    let name = member.name();
                    let inside = known.get(name.as_ref())?;
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    let sent = self.spelling.renamed.get(name.as_ref());
                    quote_into(sent.map_or(name.as_ref(), String::as_str), out);
                    out.push(':');
                    self.filled(member.value, *inside, out)?;
                }
                for (name, _) in properties.iter().filter(|(name, _)| given.get(name).is_none()) {
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    out.push_str(&quote(self.spelling.renamed.get(name).unwrap_or(name)));
                    out.push_str(":null");
                }
                out.push('}');
            }
            Kind::Array => {
                let part = self.alternative(node, part)?;
                let items = self.graph.get(part).part("items");
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.filled(element, items?, out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }

    /// The alternative of a part that takes a value.
    fn alternative(&self, node: Node<'_>, part: Id) -> Option<Id> {
        let mut pending = vec![part];
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            let part = self.graph.get(id);
            let inner: Vec<Id> = match (part.word("$ref"), part.word("anyOf")) {
                (Some(Word::Ref(target)), _) => vec![*target],
                (_, Some(Word::Parts(any))) => any.clone(),
                _ => Vec::new(),
            };
            if inner.is_empty() && self.could_take(node, id) {
                found.push(id);
            }
            pending.extend(inner.into_iter().rev());
        }
        match found.as_slice() {
            [one] => Some(*one),
            _ => found.into_iter().find(|id| self.takes(node, *id)),
        }
    }

    /// Whether a part takes a value, by its kind and the names of its members.
    fn could_take(&self, node: Node<'_>, id: Id) -> bool {
        let part = self.graph.get(id);
        let named: BTreeSet<&str> =
            part.named("properties").iter().map(|(name, _)| name.as_str()).collect();
        let given = node.index_members();
        part.own_kinds().meets(Kinds::of(node))
            && node.members().all(|member| named.contains(member.name().as_ref()))
            && (!node.is_object() || part.required().iter().all(|name| given.get(name).is_some()))
    }

    /// Whether a part takes a value.
    fn takes(&self, node: Node<'_>, id: Id) -> bool {
        let text = write(&self.graph, id, &Spelling::default());
        let document = Document::parse(text.as_bytes(), Limits::none());
        let schema = document.ok().and_then(|document| {
            Schema::compile(document.root(), json_schema::Limits::default()).ok()
        });
        schema.is_some_and(|schema| schema.validate(node).is_ok_and(|found| found.is_valid()))
    }
}
