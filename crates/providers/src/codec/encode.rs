//! Encodes values of the source as a model would send them.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer, certain};
use json_schema::Schema;
use json_text::{Document, Kind, Node, quote, quote_into};
use manifest_core::Limits;

use super::Codec;
use crate::budget::Budget;
use crate::graph::{Id, Word};
use crate::kinds::{AllKinds, Kinds};
use crate::rules;
use crate::write::{Spelling, write};

impl Codec {
    /// Returns a value that the source accepts, in the spelling of the target. Fails if the
    /// target has no spelling for it.
    pub fn encode(&self, value: &str, limits: &Limits) -> Result<String, Diagnostic> {
        let document = Document::parse(value.as_bytes(), limits)?;
        let root = document.root();
        if self.is_identity() {
            return Ok(root.raw().to_owned());
        }
        let mut out = String::with_capacity(value.len());
        if let Some(member) = self.spelling.wrap {
            out.push('{');
            quote_into(member, &mut out);
            out.push(':');
        }
        let mut budget = Budget::new(limits);
        let written = if self.spelling.absent.is_empty() {
            self.renamed(root, &mut out)
        } else {
            let mut fill = Fill {
                codec: self,
                kinds: AllKinds::of(&self.graph),
                limits,
                budget: &mut budget,
                known: BTreeMap::new(),
                schemas: BTreeMap::new(),
            };
            fill.value(root, 0, &mut out)
        };
        if budget.is_spent() {
            return Err(budget.refusal(Pointer::root()));
        }
        if written.is_none() {
            let message = "the target has no spelling for this value";
            return Err(rules::RESULT.at_pointer(Pointer::root(), message));
        }
        if self.spelling.wrap.is_some() {
            out.push('}');
        }
        Ok(out)
    }

    /// Writes the name of a member as the target knows it. Returns `None` if another member
    /// has that name there.
    fn name(&self, name: &str, out: &mut String) -> Option<()> {
        if self.names.contains_key(name) {
            return None;
        }
        quote_into(self.spelling.renamed.get(name).map_or(name, String::as_str), out);
        out.push(':');
        Some(())
    }

    /// Writes a value with the property names that the target accepts.
    fn renamed(&self, node: Node<'_>, out: &mut String) -> Option<()> {
        match node.kind() {
            Kind::Object => {
                out.push('{');
                for (index, member) in node.members().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.name(&member.name(), out)?;
                    self.renamed(member.value, out)?;
                }
                out.push('}');
            }
            Kind::Array => {
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.renamed(element, out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }
}

/// Writes a value with `null` for absent members.
struct Fill<'c> {
    codec: &'c Codec,
    kinds: AllKinds,
    limits: &'c Limits,
    budget: &'c mut Budget,
    known: BTreeMap<Id, Known<'c>>,
    /// Compiled parts, for alternatives that `could_take` cannot tell apart.
    schemas: BTreeMap<Id, Option<Schema>>,
}

/// The member names of a part.
#[derive(Default)]
struct Known<'c> {
    properties: BTreeMap<&'c str, Id>,
    required: BTreeSet<String>,
}

impl<'c> Fill<'c> {
    fn value(&mut self, node: Node<'_>, part: Id, out: &mut String) -> Option<()> {
        match node.kind() {
            Kind::Object => {
                let part = self.alternative(node, part)?;
                let given = node.index_members();
                let mut first = true;
                out.push('{');
                for member in node.members() {
                    let name = member.name();
                    let inside = *self.known(part).properties.get(name.as_ref())?;
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    self.codec.name(&name, out)?;
                    self.value(member.value, inside, out)?;
                }
                let codec = self.codec;
                let properties = codec.graph.get(part).named("properties").iter();
                for (name, _) in properties.filter(|(name, _)| given.get(name).is_none()) {
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    out.push_str(&quote(codec.spelling.renamed.get(name).unwrap_or(name)));
                    out.push_str(":null");
                }
                out.push('}');
            }
            Kind::Array => {
                let part = self.alternative(node, part)?;
                let items = self.codec.graph.get(part).part("items");
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.value(element, items?, out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }

    fn known(&mut self, id: Id) -> &mut Known<'c> {
        let codec = self.codec;
        self.known.entry(id).or_insert_with(|| {
            let part = codec.graph.get(id);
            let properties = part.named("properties").iter();
            Known {
                properties: properties.map(|(name, id)| (name.as_str(), *id)).collect(),
                required: part.required(),
            }
        })
    }

    /// Returns the alternative of a part that accepts a value.
    fn alternative(&mut self, node: Node<'_>, part: Id) -> Option<Id> {
        let codec = self.codec;
        let mut pending = vec![part];
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(id) = pending.pop().filter(|_| !self.budget.is_spent()) {
            if !seen.insert(id) {
                continue;
            }
            let part = codec.graph.get(id);
            match (part.word("$ref"), part.word("anyOf")) {
                (Some(Word::Ref(target)), _) => pending.push(*target),
                (_, Some(Word::Parts(any))) => pending.extend(any.iter().rev()),
                _ if self.could_take(node, id) => found.push(id),
                _ => {}
            }
        }
        match found.as_slice() {
            [one] => Some(*one),
            _ => found.into_iter().find(|id| self.takes(node, *id)),
        }
    }

    /// Returns true if a part may accept a value, judged by its kind and the names of its
    /// members.
    fn could_take(&mut self, node: Node<'_>, id: Id) -> bool {
        /// The approximate number of bytes read for one name.
        const NAME: usize = 32;
        if !self.kinds.own(id).meets(Kinds::of(node)) || !self.budget.spend(NAME) {
            return false;
        }
        if !node.is_object() {
            return true;
        }
        let known = self.known(id);
        let mut needed = known.required.len();
        let mut count = 0;
        let named = node.members().all(|member| {
            count += 1;
            let name = member.name();
            needed -= usize::from(known.required.contains(name.as_ref()));
            known.properties.contains_key(name.as_ref())
        });
        self.budget.spend(NAME * count) && named && needed == 0
    }

    /// Returns true if a part accepts a value.
    fn takes(&mut self, node: Node<'_>, id: Id) -> bool {
        if !self.schemas.contains_key(&id) {
            let text = write(&self.codec.graph, id, &Spelling::default());
            if !self.budget.spend(text.len()) {
                return false;
            }
            let document = certain(Document::parse(text.as_bytes(), json_text::Limits::none()));
            let compiled = document.and_then(|text| Schema::compile(text.root(), self.limits).ok());
            self.schemas.insert(id, compiled);
        }
        // A value is validated again for each object and list around it.
        if !self.budget.spend(node.raw().len()) {
            return false;
        }
        let schema = self.schemas.get(&id).and_then(Option::as_ref);
        schema.is_some_and(|schema| schema.validate(node).is_ok_and(|found| found.is_valid()))
    }
}
