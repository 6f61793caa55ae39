//! Equivalence classes of values.
//!
//! Every value of the three trees gets the number of its class: two values have the same
//! number exactly if they are the same JSON value. One pass from the leaves to the root
//! assigns them, so that no part is compared again at every level. Unlike hashes, the
//! numbers cannot collide for crafted input, because they are assigned and not computed
//! from the content. To assign them, scalars are sorted by hash, then by text if hashes are
//! equal.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Kind, Node, NodeValue};

/// The number of a class of equal values.
pub(super) type Class = usize;

/// The first part of a container's key in [`Containers`], which keeps arrays and objects
/// apart.
const ARRAY: Class = 0;
const OBJECT: Class = 1;

/// Returns the classes of some values and of everything inside them, and the number of
/// steps.
pub(super) fn classify<const N: usize>(roots: [Node<'_>; N]) -> ([TreeClasses; N], u64) {
    let mut sides = roots.map(TreeClasses::new);
    let next = classify_scalars(&roots, &mut sides, OBJECT + 1);
    let mut containers = Containers { classes: BTreeMap::new(), next, steps: 0 };
    for (root, side) in roots.iter().zip(&mut sides) {
        // The contents of a container come after it.
        for index in (root.index..root.entry().next).rev() {
            let node = root.sibling(index);
            if matches!(node.kind(), Kind::Array | Kind::Object) {
                let class = containers.class(node, side);
                side.set(index, class);
            }
        }
    }
    let values: usize = sides.iter().map(|side| side.classes.len()).sum();
    (sides, containers.steps + values as u64)
}

/// Assigns a class to every scalar, from `next` on. Returns the next unused class.
fn classify_scalars(roots: &[Node<'_>], sides: &mut [TreeClasses], mut next: Class) -> Class {
    let (mut strings, mut plain) = (Vec::new(), Vec::new());
    for (number, root) in (0_u32..).zip(roots) {
        for index in root.index..root.entry().next {
            let node = root.sibling(index);
            match node.value() {
                NodeValue::Null | NodeValue::Bool(_) => {
                    plain.push((Cow::from(node.raw()), number, index));
                }
                // By the canonical spelling of its value.
                NodeValue::Number(value) => plain.push((value.into_canonical(), number, index)),
                NodeValue::String(text) => strings.push((text, number, index)),
                NodeValue::Array(_) | NodeValue::Object(_) => {}
            }
        }
    }
    for leaves in [strings, plain] {
        let mut sorted: Vec<((u64, &str), u32, u32)> = leaves
            .iter()
            .map(|(text, number, index)| ((hash(text), &**text), *number, *index))
            .collect();
        // Sorting by hash first means that few texts are compared.
        sorted.sort_unstable_by_key(|(key, ..)| *key);
        for same in sorted.chunk_by(|a, b| a.0 == b.0) {
            for (_, number, index) in same {
                if let Some(side) = sides.get_mut(*number as usize) {
                    side.set(*index, next);
                }
            }
            next += 1;
        }
    }
    next
}

/// FNV-1a. Collisions cost time only.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The classes of containers, by the classes of their contents.
struct Containers {
    classes: BTreeMap<Vec<Class>, Class>,
    next: Class,
    steps: u64,
}

impl Containers {
    fn class(&mut self, node: Node<'_>, side: &TreeClasses) -> Class {
        let parts: Vec<Class> = if node.kind() == Kind::Array {
            let elements = node.elements().map(|element| side.class(element));
            std::iter::once(ARRAY).chain(elements).collect()
        } else {
            let mut members: Vec<_> =
                node.members().map(|m| [side.class(m.key), side.class(m.value)]).collect();
            members.sort_unstable();
            std::iter::once(OBJECT).chain(members.into_iter().flatten()).collect()
        };
        self.steps += parts.len() as u64;
        let class = *self.classes.entry(parts).or_insert(self.next);
        self.next += Class::from(class == self.next);
        class
    }
}

/// The classes of one tree.
pub(super) struct TreeClasses {
    first: u32,
    classes: Vec<Class>,
}

/// A member or element, with the classes that it is compared by.
#[derive(Clone, Copy)]
pub(super) struct Item<'m> {
    /// The class of the name; zero for an element.
    pub(super) name: Class,
    pub(super) key: Option<Node<'m>>,
    pub(super) value: Node<'m>,
    pub(super) class: Class,
}

impl TreeClasses {
    fn new(root: Node<'_>) -> Self {
        let (first, end) = (root.index, root.entry().next);
        Self { first, classes: vec![0; end.saturating_sub(first) as usize] }
    }

    fn set(&mut self, index: u32, class: Class) {
        let at = index.saturating_sub(self.first) as usize;
        if let Some(slot) = self.classes.get_mut(at) {
            *slot = class;
        }
    }

    /// Returns the class of a value, or of a member's name.
    pub(super) fn class(&self, node: Node<'_>) -> Class {
        let at = node.index.checked_sub(self.first).map(|at| at as usize);
        // Callers pass only nodes of this tree.
        at.and_then(|at| self.classes.get(at)).copied().unwrap_or(Class::MAX)
    }

    /// Returns the items of a container.
    pub(super) fn items<'m>(&self, container: Node<'m>) -> Vec<Item<'m>> {
        let items = container.items().map(|(key, value)| {
            let name = key.map_or(0, |key| self.class(key));
            Item { name, key, value, class: self.class(value) }
        });
        items.collect()
    }
}

/// Positions of the members of an object, by name.
pub(super) struct NameIndex(Vec<(Class, usize)>);

impl NameIndex {
    pub(super) fn of(items: &[Item<'_>]) -> Self {
        let mut index: Vec<_> =
            items.iter().enumerate().map(|(at, item)| (item.name, at)).collect();
        index.sort_unstable();
        Self(index)
    }

    pub(super) fn get(&self, name: Class) -> Option<usize> {
        let at = self.0.partition_point(|(other, _)| *other < name);
        self.0.get(at).filter(|(other, _)| *other == name).map(|(_, at)| *at)
    }
}
