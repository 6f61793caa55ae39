//! Converts values between the spelling of a model and that of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer};
use json_text::{Document, Kind, Node, quote_into};
use manifest_core::Limits;

use crate::classes::Classes;
use crate::json::write_comma;
use crate::parts::SchemaParts;
use crate::rules;
use crate::write::Spelling;

#[cfg(feature = "schema")]
mod encode;

/// Undoes changes that only affect the spelling of values: `null` for absent members, a
/// root that became a member of an object, and renamed properties. A name is changed
/// everywhere, even as a key of a map, because keys and properties cannot always be told
/// apart.
///
/// The default changes nothing.
#[derive(Clone, Debug, Default)]
pub struct Codec {
    spelling: Spelling,
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // encoding goes by it
    schema: Arc<SchemaParts>,
    classes: Vec<Class>,
    root: usize,
    /// The original names of renamed properties, by their new names.
    source_names: BTreeMap<String, String>,
}

/// The children of the values of one class.
#[derive(Clone, Debug, Default)]
struct Class {
    members: BTreeMap<String, Member>,
    others: Option<usize>,
    elements: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    class: usize,
    /// Whether `null` means that the member is absent.
    null_means_absent: bool,
}

impl Codec {
    pub(crate) fn new(schema: Arc<SchemaParts>, spelling: Spelling) -> Self {
        if spelling.wrap.is_none()
            && spelling.new_names.is_empty()
            && spelling.null_members.is_empty()
        {
            return Self::default();
        }
        let found = Classes::of(&schema);
        let mut absent: BTreeSet<(usize, &str)> = BTreeSet::new();
        for (id, name) in &spelling.null_members {
            absent.insert((found.class(*id), name));
        }
        let mut classes = vec![Class::default(); schema.parts.len()];
        for (id, class) in classes.iter_mut().enumerate() {
            let Some(inside) = found.children(id) else { continue };
            if found.class(id) != id {
                continue;
            }
            for (name, part) in &inside.members {
                let null_means_absent = absent.contains(&(id, name.as_str()));
                let member = Member { class: found.class(*part), null_means_absent };
                class.members.insert(name.clone(), member);
            }
            class.others = inside.others.map(|id| found.class(id));
            class.elements = inside.elements.map(|id| found.class(id));
        }
        let mut source_names = BTreeMap::new();
        for (name, sent) in &spelling.new_names {
            source_names.insert(sent.clone(), name.clone());
        }
        let root = found.class(0);
        Self { spelling, schema, classes, root, source_names }
    }

    /// Returns true if the codec changes nothing.
    pub fn is_identity(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the value that the model sent, in the spelling of the source. It is not
    /// checked, and unexpected values stay as they are. Fails if the text is not JSON, or
    /// if an object has a property twice, under its old and its new name.
    pub fn decode(&self, sent: &str, limits: &Limits) -> Result<String, Diagnostic> {
        let document = Document::parse(sent.as_bytes(), limits)?;
        let mut root = document.root();
        if self.is_identity() {
            return Ok(root.raw().to_owned());
        }
        // Models sometimes omit the wrapper. Gemini's cannot refuse other members.
        if let Some(name) = self.spelling.wrap
            && let Some(wrapped) = root.get(name)
            && (self.spelling.gemini || root.members().nth(1).is_none())
        {
            root = wrapped;
        }
        let mut out = String::with_capacity(sent.len());
        if self.decode_value(root, Some(self.root), &mut out).is_none() {
            let message = "a property is here twice, under two names";
            return Err(rules::ARGUMENTS.at_pointer(Pointer::root(), message));
        }
        Ok(out)
    }

    /// Writes a value in the spelling of the source. The depth is limited by that of parsed
    /// documents.
    fn decode_value(&self, node: Node<'_>, class: Option<usize>, out: &mut String) -> Option<()> {
        let class = class.and_then(|class| self.classes.get(class));
        match node.kind() {
            Kind::Object if class.is_some() || !self.source_names.is_empty() => {
                self.decode_object(node, class, out)
            }
            Kind::Array => {
                let elements = class.and_then(|class| class.elements);
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    write_comma(index, out);
                    self.decode_value(element, elements, out)?;
                }
                out.push(']');
                Some(())
            }
            _ => {
                out.push_str(node.raw());
                Some(())
            }
        }
    }

    fn decode_object(&self, node: Node<'_>, class: Option<&Class>, out: &mut String) -> Option<()> {
        let mut names = BTreeSet::new();
        out.push('{');
        for member in node.members() {
            let sent = member.name();
            let name = match self.source_names.get(sent.as_ref()) {
                Some(name) => name,
                None => sent.as_ref(),
            };
            let known = class.and_then(|class| class.members.get(name));
            let mut inside = class.and_then(|class| class.others);
            if let Some(known) = known {
                if known.null_means_absent && member.value.is_null() {
                    continue;
                }
                inside = Some(known.class);
            }
            if !names.is_empty() {
                out.push(',');
            }
            quote_into(name, out);
            out.push(':');
            self.decode_value(member.value, inside, out)?;
            // The property is present under both its old and its new name.
            if !names.insert(name.to_owned()) {
                return None;
            }
        }
        out.push('}');
        Some(())
    }

    /// Converts a pointer into a decoded value to one into the value as it was sent.
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // only faults have a place
    pub(crate) fn sent_pointer(&self, pointer: &Pointer) -> Pointer {
        let mut sent = Pointer::root();
        if let Some(member) = self.spelling.wrap {
            sent = sent.push(member);
        }
        for token in pointer.tokens() {
            sent = sent.push(self.spelling.sent_name(&token));
        }
        sent
    }
}
