//! Equal values, told by a number.
//!
//! Every value of the three trees gets the number of its class: two values have
//! the same number exactly when they are the same JSON value. One pass from the
//! leaves to the root finds them, so that no part is compared again at every level.
//! The numbers are given out, not computed from the content: unlike hashes they
//! cannot collide, whoever wrote the text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Kind, Node};

/// The number of a class of equal values.
pub(super) type Class = usize;

/// What comes first in the parts of a container's value.
const ARRAY: Class = 0;
const OBJECT: Class = 1;

/// All classes that there are.
pub(super) struct Classes<'m> {
    strings: BTreeMap<Cow<'m, str>, Class>,
    /// `null`, the booleans, and numbers by the one spelling of their value.
    plain: BTreeMap<Cow<'m, str>, Class>,
    containers: BTreeMap<Vec<Class>, Class>,
    count: Class,
    pub(super) steps: u64,
}

impl<'m> Classes<'m> {
    pub(super) const fn new() -> Self {
        Self {
            strings: BTreeMap::new(),
            plain: BTreeMap::new(),
            containers: BTreeMap::new(),
            count: 0,
            steps: 0,
        }
    }

    /// The class of a value and of everything inside it.
    pub(super) fn side(&mut self, root: Node<'m>) -> Side {
        let (first, end) = (root.index, root.entry().next);
        let mut side = Side { first, classes: vec![0; end.saturating_sub(first) as usize] };
        // What is inside a container comes behind it.
        for index in (first..end).rev() {
            let node = root.sibling(index);
            let class = self.class(node, &side);
            if let Some(slot) = side.classes.get_mut((index - first) as usize) {
                *slot = class;
            }
        }
        side
    }

    fn class(&mut self, node: Node<'m>, side: &Side) -> Class {
        self.steps += 1;
        let new = self.count;
        let class = match node.kind() {
            Kind::Null | Kind::Bool => *self.plain.entry(node.raw().into()).or_insert(new),
            Kind::Number => {
                let text = node.number().map(crate::Number::into_canonical);
                *self.plain.entry(text.unwrap_or_default()).or_insert(new)
            }
            Kind::String => *self.strings.entry(node.text().unwrap_or_default()).or_insert(new),
            Kind::Array => {
                let elements = node.elements().map(|element| side.class(element));
                let parts: Vec<_> = std::iter::once(ARRAY).chain(elements).collect();
                self.steps += parts.len() as u64;
                *self.containers.entry(parts).or_insert(new)
            }
            Kind::Object => {
                let mut members: Vec<_> =
                    node.members().map(|m| [side.class(m.key), side.class(m.value)]).collect();
                members.sort_unstable();
                let members = members.into_iter().flatten();
                let parts: Vec<_> = std::iter::once(OBJECT).chain(members).collect();
                self.steps += parts.len() as u64;
                *self.containers.entry(parts).or_insert(new)
            }
        };
        self.count += usize::from(class == new);
        class
    }
}

/// The classes of one tree.
#[derive(Clone)]
pub(super) struct Side {
    first: u32,
    classes: Vec<Class>,
}

/// A member or an element, with the classes that it is compared by.
#[derive(Clone, Copy)]
pub(super) struct Item<'m> {
    /// The class of the name; zero for an element, which has none.
    pub(super) name: Class,
    pub(super) key: Option<Node<'m>>,
    pub(super) value: Node<'m>,
    pub(super) class: Class,
}

impl Side {
    /// The class of a value, or of a member's name.
    pub(super) fn class(&self, node: Node<'_>) -> Class {
        let at = node.index.checked_sub(self.first).map(|at| at as usize);
        // Every node that is asked for is one of the tree.
        at.and_then(|at| self.classes.get(at)).copied().unwrap_or(Class::MAX)
    }

    /// What is inside a container.
    pub(super) fn items<'m>(&self, container: Node<'m>) -> Vec<Item<'m>> {
        let items = container.items().map(|(key, value)| {
            let name = key.map_or(0, |key| self.class(key));
            Item { name, key, value, class: self.class(value) }
        });
        items.collect()
    }
}

/// Members by name: where each is in its object.
pub(super) struct Index(Vec<(Class, usize)>);

impl Index {
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
