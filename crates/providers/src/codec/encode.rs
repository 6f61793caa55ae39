//! Encodes values of the source as a model would send them.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_schema::Schema;
use json_text::{Document, Kind, Node, quote_into};
use manifest_core::Limits;

use super::Codec;
use crate::budget::Budget;
use crate::json::write_comma;
use crate::part_types::{PartTypes, type_of};
use crate::parts::{Id, KeywordValue, parse_valid};
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
        let written = if self.spelling.null_members.is_empty() {
            self.write_renamed(root, &mut out)
        } else {
            let mut fill = NullFiller {
                codec: self,
                types: PartTypes::of(&self.schema),
                limits,
                budget: &mut budget,
                known: BTreeMap::new(),
                schemas: BTreeMap::new(),
            };
            fill.value(root, 0, &mut out)
        };
        if budget.is_spent() {
            return Err(budget.diagnostic(Pointer::root()));
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
    fn write_name(&self, name: &str, out: &mut String) -> Option<()> {
        if self.source_names.contains_key(name) {
            return None;
        }
        quote_into(self.spelling.sent_name(name), out);
        out.push(':');
        Some(())
    }

    /// Writes a value with the property names that the target accepts.
    fn write_renamed(&self, node: Node<'_>, out: &mut String) -> Option<()> {
        match node.kind() {
            Kind::Object => {
                out.push('{');
                for (index, member) in node.members().enumerate() {
                    write_comma(index, out);
                    self.write_name(&member.name(), out)?;
                    self.write_renamed(member.value, out)?;
                }
                out.push('}');
            }
            Kind::Array => {
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    write_comma(index, out);
                    self.write_renamed(element, out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }
}

/// Writes a value with `null` for absent members.
struct NullFiller<'c> {
    codec: &'c Codec,
    types: PartTypes,
    limits: &'c Limits,
    budget: &'c mut Budget,
    known: BTreeMap<Id, MemberNames<'c>>,
    /// Compiled parts, for alternatives that `may_accept` cannot tell apart.
    schemas: BTreeMap<Id, Option<Schema>>,
}

/// The member names of a part.
#[derive(Default)]
struct MemberNames<'c> {
    properties: BTreeMap<&'c str, Id>,
    required: BTreeSet<String>,
}

impl<'c> NullFiller<'c> {
    fn value(&mut self, node: Node<'_>, part: Id, out: &mut String) -> Option<()> {
        match node.kind() {
            Kind::Object => {
                let part = self.find_alternative(node, part)?;
                let given = node.index_members();
                let mut first = true;
                out.push('{');
                for member in node.members() {
                    let name = member.name();
                    let inside = *self.known(part).properties.get(name.as_ref())?;
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    self.codec.write_name(&name, out)?;
                    self.value(member.value, inside, out)?;
                }
                let codec = self.codec;
                for (name, _) in codec.schema.get(part).properties() {
                    if given.get(name).is_some() {
                        continue;
                    }
                    if !std::mem::take(&mut first) {
                        out.push(',');
                    }
                    quote_into(codec.spelling.sent_name(name), out);
                    out.push_str(":null");
                }
                out.push('}');
            }
            Kind::Array => {
                let part = self.find_alternative(node, part)?;
                let items = self.codec.schema.get(part).subschema("items");
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    write_comma(index, out);
                    self.value(element, items?, out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }

    fn known(&mut self, id: Id) -> &mut MemberNames<'c> {
        let codec = self.codec;
        self.known.entry(id).or_insert_with(|| {
            let part = codec.schema.get(id);
            let properties = part.properties().iter();
            MemberNames {
                properties: properties.map(|(name, id)| (name.as_str(), *id)).collect(),
                required: part.required(),
            }
        })
    }

    /// Returns the alternative of a part that accepts a value.
    fn find_alternative(&mut self, node: Node<'_>, part: Id) -> Option<Id> {
        let codec = self.codec;
        let mut pending = vec![part];
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            if self.budget.is_spent() {
                break;
            }
            if !seen.insert(id) {
                continue;
            }
            let part = codec.schema.get(id);
            match (part.reference(), part.keyword("anyOf")) {
                (Some(target), _) => pending.push(target),
                (_, Some(KeywordValue::List(any))) => pending.extend(any.iter().rev()),
                _ if self.may_accept(node, id) => found.push(id),
                _ => {}
            }
        }
        match found.as_slice() {
            [one] => Some(*one),
            _ => found.into_iter().find(|id| self.accepts(node, *id)),
        }
    }

    /// Returns true if a part may accept a value, judged by its kind and the names of its
    /// members.
    fn may_accept(&mut self, node: Node<'_>, id: Id) -> bool {
        /// The approximate number of bytes read for one name.
        const NAME: usize = 32;
        if !self.types.own(id).intersects(type_of(node)) || !self.budget.spend(NAME) {
            return false;
        }
        if !node.is_object() {
            return true;
        }
        let known = self.known(id);
        let mut needed = known.required.len();
        let mut count = 0;
        let mut are_named = true;
        for member in node.members() {
            let name = member.name();
            count += 1;
            if known.required.contains(name.as_ref()) {
                needed -= 1;
            }
            if !known.properties.contains_key(name.as_ref()) {
                are_named = false;
                break;
            }
        }
        self.budget.spend(NAME * count) && are_named && needed == 0
    }

    /// Returns true if a part accepts a value.
    fn accepts(&mut self, node: Node<'_>, id: Id) -> bool {
        if !self.schemas.contains_key(&id) {
            let text = write(&self.codec.schema, id, &Spelling::default());
            if !self.budget.spend(text.len()) {
                return false;
            }
            let compiled = parse_valid(&text)
                .and_then(|document| Schema::compile(document.root(), self.limits).ok());
            self.schemas.insert(id, compiled);
        }
        // A value is validated again for each object and list around it.
        if !self.budget.spend(node.raw().len()) {
            return false;
        }
        let Some(Some(schema)) = self.schemas.get(&id) else { return false };
        schema.validate(node).is_ok_and(|found| found.is_valid())
    }
}
