//! Reading a document into fields, with a note of every entry that was read.

use std::collections::BTreeMap;

use json_text::Text;
use json_text::{Document, Node, Number, Raw};

use crate::provenance::{By, Deciding, Marks, Place, Sourced};

/// Reads the values of a valid document.
///
/// What it hands out knows its place, and is marked as read. A value of another kind
/// than is asked for is neither: it stays where it is, as what descriptors have no word
/// for.
#[derive(Debug)]
pub struct Reader<'a> {
    document: &'a Document<'a>,
    /// The number of the document in a conversion.
    number: u16,
    marks: Marks,
    deciding: Deciding,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document<'a>, number: u16) -> Self {
        Self { document, number, marks: Marks::default(), deciding: Deciding::default() }
    }

    pub(super) fn into_parts(self) -> (Marks, Deciding) {
        (self.marks, self.deciding)
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'a> {
        self.document.root()
    }

    /// The place of a value, without reading it: for what only stands around others.
    pub fn place(&self, node: Node<'_>) -> Place {
        Place::at(self.number, node)
    }

    /// Values that decide what is read of others, without being read themselves: a change of one
    /// may move what they decide.
    pub fn deciding(&mut self, nodes: impl IntoIterator<Item = Node<'a>>) -> By {
        self.deciding.add(nodes.into_iter().map(Node::index).collect(), false)
    }

    /// Values because of which others are read, each of which could be missing: there are more
    /// reasons than one.
    pub fn together(&mut self, nodes: impl IntoIterator<Item = Node<'a>>) -> By {
        self.deciding.add(nodes.into_iter().map(Node::index).collect(), true)
    }

    /// Names without those that are there again, and for each, all that say it together: without
    /// one of them, another stands in.
    pub fn once<N: Clone + Ord>(
        &mut self,
        names: impl IntoIterator<Item = (Node<'a>, N)>,
    ) -> Vec<(Node<'a>, N, By)> {
        let mut same: BTreeMap<N, Vec<Node<'a>>> = BTreeMap::new();
        let mut fresh = Vec::new();
        for (node, name) in names {
            let nodes = same.entry(name.clone()).or_default();
            if nodes.is_empty() {
                fresh.push((node, name));
            }
            nodes.push(node);
        }
        let by = |(node, name): (Node<'a>, N)| {
            let nodes = same.remove(&name).filter(|nodes| nodes.len() > 1);
            let by = nodes.map_or_else(By::default, |nodes| self.together(nodes));
            (node, name, by)
        };
        fresh.into_iter().map(by).collect()
    }

    /// A value that was read from a node, and is its own.
    fn own<T>(&mut self, node: Node<'_>, value: T) -> Sourced<T> {
        self.marks.set(node.index(), node.index_after());
        Sourced { value, at: Some(self.place(node)) }
    }

    /// A value that was worked out from a node, all of which it says.
    pub fn derived<T>(&mut self, node: Node<'_>, value: T) -> Sourced<T> {
        self.marks.set(node.index(), node.index_after());
        Sourced { value, at: Some(Place { exact: false, ..self.place(node) }) }
    }

    /// A value that there is because of a node, which stays what descriptors have no word for.
    pub fn because_of<T>(&self, node: Node<'_>, value: T) -> Sourced<T> {
        Sourced { value, at: Some(Place { exact: false, ..self.place(node) }) }
    }

    /// The value of a string.
    pub fn text(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Text<'a>>> {
        let node = node?;
        let text = node.text()?;
        Some(self.own(node, text))
    }

    /// The strings of an array of nothing else.
    pub fn texts(&mut self, node: Option<Node<'a>>) -> Vec<Sourced<Text<'a>>> {
        let elements = || node.into_iter().flat_map(Node::elements);
        if elements().any(|element| element.text().is_none()) {
            return Vec::new();
        }
        elements().filter_map(|element| self.text(Some(element))).collect()
    }

    /// The value of a boolean.
    pub fn boolean(&mut self, node: Option<Node<'a>>) -> Option<Sourced<bool>> {
        let node = node?;
        let value = node.bool()?;
        Some(self.own(node, value))
    }

    /// The value of a number.
    pub fn number(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Number<'a>>> {
        let node = node?;
        let value = node.number()?;
        Some(self.own(node, value))
    }

    /// Any value, as written.
    pub fn raw(&mut self, node: Option<Node<'a>>) -> Option<Sourced<Raw<'a>>> {
        let node = node?;
        Some(self.own(node, Raw::from_node(node)))
    }

    /// What a word stands for.
    pub fn word<T>(
        &mut self,
        node: Option<Node<'a>>,
        meaning: impl FnOnce(&str) -> Option<T>,
    ) -> Option<Sourced<T>> {
        let node = node?;
        let value = meaning(&node.text()?)?;
        Some(self.own(node, value))
    }
}
