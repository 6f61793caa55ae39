//! Converts values between the spelling of a model and that of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer};
use json_text::{Document, Kind, Node, quote_into};
use manifest_core::Limits;

use crate::classes::Classes;
use crate::graph::Graph;
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
    pub(crate) spelling: Spelling,
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // encoding goes by it
    pub(crate) graph: Arc<Graph>,
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
    pub(crate) fn new(graph: Arc<Graph>, spelling: Spelling) -> Self {
        if spelling.wrap.is_none()
            && spelling.new_names.is_empty()
            && spelling.null_members.is_empty()
        {
            return Self::default();
        }
        let found = Classes::of(&graph);
        let absent: BTreeSet<(usize, &str)> = spelling
            .null_members
            .iter()
            .map(|(id, name)| (found.class(*id), name.as_str()))
            .collect();
        let class = |id: usize| {
            let Some(inside) = found.children(id).filter(|_| found.class(id) == id) else {
                return Class::default();
            };
            let members = inside.members.iter().map(|(name, part)| {
                let absent = absent.contains(&(id, name.as_str()));
                (name.clone(), Member { class: found.class(*part), null_means_absent: absent })
            });
            Class {
                members: members.collect(),
                others: inside.others.map(|id| found.class(id)),
                elements: inside.elements.map(|id| found.class(id)),
            }
        };
        let classes: Vec<Class> = (0..graph.parts.len()).map(class).collect();
        let root = found.class(0);
        let names = spelling.new_names.iter().map(|(name, sent)| (sent.clone(), name.clone()));
        Self { source_names: names.collect(), spelling, graph, classes, root }
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
        if let Some(name) = self.spelling.wrap {
            // Models sometimes omit the wrapper. Gemini's cannot refuse other members.
            let alone = self.spelling.gemini || root.members().nth(1).is_none();
            root = root.get(name).filter(|_| alone).unwrap_or(root);
        }
        let mut out = String::with_capacity(sent.len());
        self.decode_value(root, Some(self.root), &mut out).map(|()| out).ok_or_else(|| {
            let message = "a property is here twice, under two names";
            rules::ARGUMENTS.at_pointer(Pointer::root(), message)
        })
    }

    /// Writes a value in the spelling of the source. The depth is limited by that of parsed
    /// documents.
    fn decode_value(&self, node: Node<'_>, class: Option<usize>, out: &mut String) -> Option<()> {
        let class = class.and_then(|class| self.classes.get(class));
        match node.kind() {
            Kind::Object if class.is_some() || !self.source_names.is_empty() => {
                let mut names = BTreeSet::new();
                out.push('{');
                for member in node.members() {
                    let sent = member.name();
                    let name =
                        self.source_names.get(sent.as_ref()).map_or(sent.as_ref(), String::as_str);
                    let known = class.and_then(|class| class.members.get(name));
                    if known.is_some_and(|known| known.null_means_absent && member.value.is_null())
                    {
                        continue;
                    }
                    if !names.is_empty() {
                        out.push(',');
                    }
                    quote_into(name, out);
                    out.push(':');
                    let others = class.and_then(|class| class.others);
                    self.decode_value(
                        member.value,
                        known.map(|known| known.class).or(others),
                        out,
                    )?;
                    // The property is present under both its old and its new name.
                    if !names.insert(name.to_owned()) {
                        return None;
                    }
                }
                out.push('}');
            }
            Kind::Array => {
                out.push('[');
                for (index, element) in node.elements().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.decode_value(element, class.and_then(|class| class.elements), out)?;
                }
                out.push(']');
            }
            _ => out.push_str(node.raw()),
        }
        Some(())
    }

    /// Returns the original name of a property.
    pub(crate) fn source_name<'n>(&'n self, sent: &'n str) -> &'n str {
        self.source_names.get(sent).map_or(sent, String::as_str)
    }

    /// Converts a pointer into a decoded value to one into the value as it was sent.
    #[cfg_attr(not(feature = "schema"), allow(dead_code))] // only faults have a place
    pub(crate) fn sent_pointer(&self, pointer: &Pointer) -> Pointer {
        let start = Pointer::root();
        let start = self.spelling.wrap.map_or(start.clone(), |member| start.push(member));
        pointer.tokens().fold(start, |pointer, token| {
            let renamed = self.spelling.new_names.get(token.as_ref());
            pointer.push(renamed.map_or(token.as_ref(), String::as_str))
        })
    }
}
