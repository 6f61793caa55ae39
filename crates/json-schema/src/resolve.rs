//! Resolves references.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::graph::{Location, Subschema};
use super::walk::{Anchor, Reference, Resource, Walk};
use super::{rules, uri};
use diagnostic::{Diagnostic, Pointer, quoted, some_or_bug};
use json_text::{MemberIndex, Node};

/// The target of a reference.
enum Target<'a> {
    Subschema(usize),
    /// A value, its resource, and its pointer in that resource.
    Value(Node<'a>, usize, Pointer),
}

impl<'a> Walk<'a, '_> {
    /// Registers the identifier and the anchors of a part. If `alone` is true, a `$ref`
    /// beside them disables them.
    pub(super) fn register_names(&mut self, part: usize, alone: bool) {
        let Some(&Subschema { node, resource, .. }) = self.graph.subschemas.get(part) else {
            return;
        };
        let dialect = self.graph.dialect;
        let mut text = Cow::Borrowed("");
        if !alone && let Some(id) = node.get(dialect.id_keyword()).and_then(Node::text) {
            text = id;
        }
        let (address, fragment) = uri::split_fragment(&text);
        if part == 0 || !address.is_empty() {
            self.register_resource(part, node, resource, address);
        }
        if alone {
            return;
        }
        if dialect.ref_disables_siblings() && !fragment.is_empty() {
            self.register_anchor(part, node, fragment, false);
        }
        for (keyword, dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if dialect.defines(keyword)
                && let Some(name) = node.get(keyword).and_then(Node::text)
            {
                self.register_anchor(part, node, &name, dynamic);
            }
        }
    }

    fn register_resource(&mut self, part: usize, root: Node<'a>, inside: usize, address: &str) {
        let uri = uri::resolve(self.base_uri(inside), address);
        let names = &mut self.names;
        let index = names.resources.len();
        if root.get("$recursiveAnchor").and_then(Node::bool) == Some(true) {
            names.recursive += 1;
        }
        let mut duplicate = None;
        if !address.is_empty() {
            let first = *names.by_uri.entry(uri.clone()).or_insert(index);
            if first != index
                && let Some(first) = names.resources.get(first)
            {
                duplicate = Some(duplicate_name(root, &uri, first.root));
            }
        }
        names.resources.push(Resource { uri, root, part });
        if let Some(part) = self.graph.subschemas.get_mut(part) {
            part.resource = index;
        }
        if let Some(diagnostic) = duplicate {
            self.report(diagnostic);
        }
    }

    fn base_uri(&self, resource: usize) -> &str {
        self.names.resources.get(resource).map_or("", |resource| &resource.uri)
    }

    fn register_anchor(&mut self, part: usize, node: Node<'a>, name: &str, dynamic: bool) {
        let resource = self.graph.subschemas.get(part).map_or(0, |part| part.resource);
        let key = (resource, name.to_owned());
        if let Some(first) = self.names.anchors.get(&key).filter(|a| a.part != part) {
            let diagnostic = duplicate_name(node, name, first.node);
            return self.report(diagnostic);
        }
        let anchor = Anchor { node, part, dynamic };
        self.names.anchors.insert(key, anchor);
        if dynamic {
            *self.names.dynamic.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// Resolves every reference, and reads the subschemas that are discovered on the way.
    pub(super) fn resolve(&mut self) {
        let mut finder = Finder::default();
        let mut known = BTreeMap::new();
        let mut indexed = 0;
        let mut next = 0;
        while let Some(&reference) = self.references.get(next) {
            if self.stopped {
                return;
            }
            next += 1;
            let target = match self.target(reference, &mut finder) {
                Ok(Target::Subschema(part)) => part,
                Ok(Target::Value(node, resource, pointer)) => {
                    for (index, part) in self.graph.subschemas.iter().enumerate().skip(indexed) {
                        known.insert(part.node.span().start, index);
                    }
                    indexed = self.graph.subschemas.len();
                    match known.get(&node.span().start) {
                        Some(part) => *part,
                        None => self.discover(node, resource, pointer),
                    }
                }
                Err(diagnostic) => {
                    self.report(diagnostic);
                    continue;
                }
            };
            if let Some(part) = self.graph.subschemas.get_mut(reference.part)
                && let Some(edge) = part.edges.get_mut(reference.index)
            {
                edge.target = target;
            }
        }
    }

    /// Adds a value as a subschema although no keyword expects one there, because a
    /// reference leads to it.
    fn discover(&mut self, node: Node<'a>, resource: usize, pointer: Pointer) -> usize {
        let part = self.graph.subschemas.len();
        let root = self.names.resources.get(resource).map_or(0, |r| r.part);
        let place = Location::Below { part: root, pointer };
        self.add(node, place, 0, resource);
        self.read_pending();
        part
    }

    fn target(
        &self,
        reference: Reference<'a>,
        finder: &mut Finder<'a>,
    ) -> Result<Target<'a>, Diagnostic> {
        let at = reference.value;
        let names = &self.names;
        // The shape of the keyword was checked: it is a string.
        let text = some_or_bug(at.text());
        let (address, fragment) = uri::split_fragment(&text);
        let mut index = self.graph.subschemas.get(reference.part).map_or(0, |part| part.resource);
        if !address.is_empty() {
            let uri = uri::resolve(self.base_uri(index), address);
            index = names.by_uri.get(&uri).copied().ok_or_else(|| leads_out(at, &text))?;
        }
        let resource = names.resources.get(index).ok_or_else(|| leads_out(at, &text))?;
        let fragment = uri::decode_fragment(fragment).ok_or_else(|| leads_nowhere(at, &text))?;
        if fragment.is_empty() {
            if reference.keyword == "$recursiveRef" && names.recursive > 1 {
                return Err(has_several_targets(at, "a recursive anchor"));
            }
            return Ok(Target::Subschema(resource.part));
        }
        if fragment.starts_with('/') {
            let Ok(pointer) = Pointer::parse(&fragment) else {
                return Err(leads_nowhere(at, &text));
            };
            return match finder.at(resource.root, &pointer) {
                Some(node) => Ok(Target::Value(node, index, pointer)),
                None => Err(leads_nowhere(at, &text)),
            };
        }
        let Some(anchor) = names.anchors.get(&(index, fragment.clone().into_owned())) else {
            return Err(leads_nowhere(at, &text));
        };
        let is_dynamic = reference.keyword == "$dynamicRef" && anchor.dynamic;
        if is_dynamic && names.dynamic.get(fragment.as_ref()) > Some(&1) {
            return Err(has_several_targets(at, "this dynamic anchor"));
        }
        Ok(Target::Subschema(anchor.part))
    }
}

fn leads_out(at: Node<'_>, reference: &str) -> Diagnostic {
    rules::REMOTE_REF.at(at, format!("{} leads out of the schema", quoted(reference)))
}

fn leads_nowhere(at: Node<'_>, reference: &str) -> Diagnostic {
    rules::REF_UNRESOLVED.at(at, format!("there is no schema at {}", quoted(reference)))
}

fn has_several_targets(at: Node<'_>, what: &str) -> Diagnostic {
    let message = format!("several schemas have {what}, so this leads to any of them");
    rules::DYNAMIC_REF.at(at, message)
}

fn duplicate_name(at: Node<'_>, name: &str, first: Node<'_>) -> Diagnostic {
    let message = format!("the name {} is taken", quoted(name));
    rules::DUPLICATE_ID.at(at, message).related(first.span(), "by this schema")
}

/// Finds values by pointer. Each container on the way is indexed once, so many references
/// into a large container take no longer than reading it.
#[derive(Default)]
struct Finder<'a>(BTreeMap<usize, Index<'a>>);

enum Index<'a> {
    Members(MemberIndex<'a>),
    Elements(Vec<Node<'a>>),
}

impl<'a> Finder<'a> {
    fn at(&mut self, root: Node<'a>, pointer: &Pointer) -> Option<Node<'a>> {
        let mut node = root;
        for token in pointer.tokens() {
            let index = self.0.entry(node.span().start).or_insert_with(|| {
                if node.is_object() {
                    Index::Members(node.index_members())
                } else {
                    Index::Elements(node.elements().collect())
                }
            });
            node = match index {
                Index::Members(members) => members.get(&token)?,
                Index::Elements(_) if token != "0" && token.starts_with(['0', '+']) => return None,
                Index::Elements(elements) => *elements.get(token.parse::<usize>().ok()?)?,
            };
        }
        Some(node)
    }
}
