//! Resolves references.

use std::collections::BTreeMap;

use super::graph::Location;
use super::names::{Anchor, Resource};
use super::walk::{Reference, Walk};
use super::{keywords, rules, uri};
use diagnostic::{Diagnostic, Pointer, quoted};
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
        let found = self.graph.subschemas.get(part).map(|p| (p.node, p.resource));
        let Some((node, resource)) = found else {
            return;
        };
        let dialect = self.graph.dialect;
        let id = node.get(dialect.id_keyword()).filter(|_| !alone);
        let text = id.and_then(Node::text).unwrap_or_default();
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
            let known = |_: &Node<'_>| keywords::find(keyword, dialect).is_some();
            if let Some(name) = node.get(keyword).filter(known).and_then(Node::text) {
                self.register_anchor(part, node, &name, dynamic);
            }
        }
    }

    fn register_resource(&mut self, part: usize, root: Node<'a>, inside: usize, address: &str) {
        let names = &mut self.names;
        let base = names.resources.get(inside);
        let uri = uri::resolve(base.map_or("", |base| &base.uri), address);
        let index = names.resources.len();
        if root.get("$recursiveAnchor").and_then(Node::bool) == Some(true) {
            names.recursive += 1;
        }
        let first = (!address.is_empty())
            .then(|| *names.by_uri.entry(uri.clone()).or_insert(index))
            .filter(|first| *first != index)
            .and_then(|first| names.resources.get(first))
            .map(|first| duplicate_name(root, &uri, first.root));
        names.resources.push(Resource { uri, root, part });
        if let Some(part) = self.graph.subschemas.get_mut(part) {
            part.resource = index;
        }
        if let Some(diagnostic) = first {
            self.report(diagnostic);
        }
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
        while let Some(&reference) = self.references.get(next).filter(|_| !self.stopped) {
            next += 1;
            let target = match self.target(reference, &mut finder) {
                Ok(Target::Subschema(part)) => part,
                Ok(Target::Value(node, resource, pointer)) => {
                    let fresh = self.graph.subschemas.iter().enumerate().skip(indexed);
                    known.extend(fresh.map(|(index, part)| (part.node.span().start, index)));
                    indexed = self.graph.subschemas.len();
                    let part = known.get(&node.span().start).copied();
                    part.unwrap_or_else(|| self.discover(node, resource, pointer))
                }
                Err(diagnostic) => {
                    self.report(diagnostic);
                    continue;
                }
            };
            let part = self.graph.subschemas.get_mut(reference.part);
            if let Some(found) = part.and_then(|part| part.edges.get_mut(reference.index)) {
                found.target = target;
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
        let text = at.text().unwrap_or_default();
        let (address, fragment) = uri::split_fragment(&text);
        let from = self.graph.subschemas.get(reference.part);
        let from = from.map_or(0, |part| part.resource);
        let resource = if address.is_empty() {
            Some(from)
        } else {
            let base = names.resources.get(from).map_or("", |base| &base.uri);
            names.by_uri.get(&uri::resolve(base, address)).copied()
        };
        let found = resource.and_then(|index| Some((index, names.resources.get(index)?)));
        let Some((resource, found)) = found else {
            let message = format!("{} leads out of the schema", quoted(&text));
            return Err(rules::REMOTE_REF.at(at, message));
        };
        let missing = || {
            let message = format!("there is no schema at {}", quoted(&text));
            rules::REF_UNRESOLVED.at(at, message)
        };
        let several = |what: &str| {
            let message = format!("several schemas have {what}, so this leads to any of them");
            rules::DYNAMIC_REF.at(at, message)
        };
        let fragment = uri::decode_fragment(fragment).ok_or_else(missing)?;
        if fragment.is_empty() {
            return if reference.keyword == "$recursiveRef" && names.recursive > 1 {
                Err(several("a recursive anchor"))
            } else {
                Ok(Target::Subschema(found.part))
            };
        }
        if fragment.starts_with('/') {
            let pointer = Pointer::parse(&fragment).map_err(|_| missing())?;
            let node = finder.at(found.root, &pointer).ok_or_else(missing)?;
            return Ok(Target::Value(node, resource, pointer));
        }
        let anchor = names.anchors.get(&(resource, fragment.clone().into_owned()));
        let anchor = anchor.ok_or_else(missing)?;
        let dynamic = reference.keyword == "$dynamicRef" && anchor.dynamic;
        if dynamic && names.dynamic.get(fragment.as_ref()) > Some(&1) {
            return Err(several("this dynamic anchor"));
        }
        Ok(Target::Subschema(anchor.part))
    }
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
        pointer.tokens().try_fold(root, |node, token| {
            let index = self.0.entry(node.span().start).or_insert_with(|| {
                if node.is_object() {
                    Index::Members(node.index_members())
                } else {
                    Index::Elements(node.elements().collect())
                }
            });
            match index {
                Index::Members(members) => members.get(&token),
                Index::Elements(elements) => {
                    let plain = token == "0" || !token.starts_with(['0', '+']);
                    let index = plain.then(|| token.parse().ok())??;
                    elements.get::<usize>(index).copied()
                }
            }
        })
    }
}
