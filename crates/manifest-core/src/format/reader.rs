//! Reads a document into fields, and notes every entry that was read.

use std::collections::BTreeMap;

use json_text::{Document, Node, Number, Raw, Text};

use crate::provenance::{InfluenceId, Influences, Marks, Place, Sourced};

/// Reads the values of a valid document.
///
/// Each value that a method returns knows its place, and its entry is marked as read. A
/// value of the wrong type is not returned. Its entry stays unmarked, like every entry that
/// descriptors cannot express.
#[derive(Debug)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    /// The number of the document in a conversion.
    number: u16,
    marks: Marks,
    influences: Influences,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document<'a>, number: u16) -> Self {
        Self { document, number, marks: Marks::default(), influences: Influences::default() }
    }

    pub(super) fn into_parts(self) -> (Marks, Influences) {
        (self.marks, self.influences)
    }

    /// Returns the root value of the document.
    pub fn root(&self) -> Node<'a> {
        self.document.root()
    }

    /// Returns the place of a value without marking it as read, for values that only
    /// contain others.
    pub fn place(&self, node: Node<'_>) -> Place {
        Place::at(self.number, node)
    }

    /// Records values that influence others without being read themselves. A change of one
    /// of them may change the values that it influences.
    pub fn add_influences(&mut self, nodes: impl IntoIterator<Item = Node<'a>>) -> InfluenceId {
        self.influences.add(nodes.into_iter().map(Node::index).collect(), false)
    }

    /// Records values with a joint influence. Each of them could be missing, because any
    /// other is reason enough to read the same.
    pub fn add_joint_influences(
        &mut self,
        nodes: impl IntoIterator<Item = Node<'a>>,
    ) -> InfluenceId {
        self.influences.add(nodes.into_iter().map(Node::index).collect(), true)
    }

    /// Removes duplicate names, and returns the first node of each name. A name that occurs
    /// more than once has a joint influence of all its nodes: without one of them, another
    /// takes its place.
    pub fn deduplicate<N: Clone + Ord>(
        &mut self,
        names: impl IntoIterator<Item = (Node<'a>, N)>,
    ) -> Vec<(Node<'a>, N, InfluenceId)> {
        let mut nodes_by_name: BTreeMap<N, Vec<Node<'a>>> = BTreeMap::new();
        let mut first = Vec::new();
        for (node, name) in names {
            let nodes = nodes_by_name.entry(name.clone()).or_default();
            if nodes.is_empty() {
                first.push((node, name));
            }
            nodes.push(node);
        }
        let mut unique = Vec::new();
        for (node, name) in first {
            let influence = match nodes_by_name.remove(&name) {
                Some(nodes) if nodes.len() > 1 => self.add_joint_influences(nodes),
                _ => InfluenceId::default(),
            };
            unique.push((node, name, influence));
        }
        unique
    }

    /// Marks a node as read, and returns its value with an exact place.
    fn consume<T>(&mut self, node: Node<'_>, value: T) -> Sourced<T> {
        self.marks.set(node.index(), node.index_after());
        Sourced { value, at: Some(self.place(node)) }
    }

    /// Marks a node as read, and returns a value that was computed from it. The value must
    /// express the whole node.
    pub fn derived<T>(&mut self, node: Node<'_>, value: T) -> Sourced<T> {
        self.marks.set(node.index(), node.index_after());
        Sourced { value, at: Some(Place { exact: false, ..self.place(node) }) }
    }

    /// Returns a value that was inferred from a node. The node is not marked, because
    /// descriptors cannot express it.
    pub fn inferred<T>(&self, node: Node<'_>, value: T) -> Sourced<T> {
        Sourced { value, at: Some(Place { exact: false, ..self.place(node) }) }
    }

    /// Reads a string.
    pub fn text(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Text<'a>>> {
        let node = node?;
        let text = node.text()?;
        Some(self.consume(node, text))
    }

    /// Reads a string that every valid document has. In any other document, it may be missing:
    /// the text is then empty and has no place.
    pub fn required_text(&mut self, node: Option<Node<'a>>) -> Sourced<Text<'a>> {
        self.text(node).unwrap_or_default()
    }

    /// Reads the name of a tool, and returns the id `PACKAGE.NAME`. A valid document has both,
    /// as for [`required_text`](Self::required_text).
    pub fn id_in_package(
        &mut self,
        package: Option<&Sourced<Text<'a>>>,
        name: Option<Node<'a>>,
    ) -> Sourced<Text<'a>> {
        let package = package.map_or("", |id| id.value.as_ref());
        match name.and_then(|node| Some((node, node.text()?))) {
            Some((node, name)) => self.derived(node, Text::Owned(format!("{package}.{name}"))),
            None => Sourced::default(),
        }
    }

    /// Reads the elements of an array of strings. Returns an empty list if any element is
    /// not a string.
    pub fn texts(&mut self, node: Option<Node<'a>>) -> Vec<Sourced<Text<'a>>> {
        let Some(list) = node else { return Vec::new() };
        if list.elements().any(|element| element.text().is_none()) {
            return Vec::new();
        }
        list.elements().filter_map(|element| self.text(Some(element))).collect()
    }

    /// Reads a boolean.
    pub fn boolean(&mut self, node: Option<Node<'a>>) -> Option<Sourced<bool>> {
        let node = node?;
        let value = node.bool()?;
        Some(self.consume(node, value))
    }

    /// Reads a number.
    pub fn number(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Number<'a>>> {
        let node = node?;
        let value = node.number()?;
        Some(self.consume(node, value))
    }

    /// Reads any value, as written.
    pub fn raw(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Raw<'a>>> {
        let node = node?;
        Some(self.consume(node, Raw::from_node(node)))
    }

    /// Reads a string as one of a set of words. `meaning` returns `None` for an unknown
    /// word.
    pub fn word<T>(
        &mut self,
        node: Option<Node<'a>>,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Option<Sourced<T>> {
        let node = node?;
        let value = meaning(&node.text()?)?;
        Some(self.consume(node, value))
    }
}
