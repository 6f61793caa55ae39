//! A leaf of one side of a conversion, and what it is on the other.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::ESSENCE;
use crate::json::{Document, Node};
use crate::{Format, Pointer, Row};

/// A leaf seen through a mapping: its tool, its row, and its place below the
/// row's member.
pub(super) struct Placed<'a> {
    /// The tool that it is about; the first of them, where tools share it.
    pub(super) tool: usize,
    pub(super) row: &'static Row,
    pub(super) value: Option<Node<'a>>,
    /// The field that the value was found at: the row's, or a part of it.
    pub(super) field: Pointer,
    /// Whether the leaf is the name that the value goes by in the field.
    pub(super) key: bool,
}

impl<'a> Placed<'a> {
    /// The descriptor field that it feeds.
    pub(super) fn named(&self) -> Option<&'static str> {
        self.row.is_field().then_some(self.row.field)
    }

    pub(super) fn of(
        at: &Pointer,
        leaf: Node<'_>,
        side: &Side<'a>,
        other: &Side<'_>,
    ) -> Option<Self> {
        let own = side.entry_of(at).and_then(|(tool, inside)| {
            let (rows, below) = closest(&side.own, inside)?;
            Self::in_rows((at, leaf), tool, (rows, below), (side, other))
        });
        own.or_else(|| {
            let (first, inside) = side.shared_by(at)?;
            let rows = closest(&side.shared, inside)?;
            // The first of the tools that share it for which the other side has it.
            let shares = |tool: &usize| side.bases.get(*tool) == side.bases.get(first);
            let tools = (0..side.tools.len()).rev().filter(shares);
            let placed =
                tools.filter_map(|tool| Self::in_rows((at, leaf), tool, rows, (side, other)));
            placed.max_by_key(|placed| {
                let there = other.tools.get(placed.tool);
                let both = there.is_some_and(|there| there.at(&placed.field).is_some());
                (placed.value.is_some(), placed.value.is_some() && both)
            })
        })
    }

    /// Of several rows for one member, the last whose field is there, best on both
    /// sides.
    fn in_rows(
        (at, leaf): (&Pointer, Node<'_>),
        tool: usize,
        (rows, below): (&[&'static Row], &str),
        (side, other): (&Side<'a>, &Side<'_>),
    ) -> Option<Self> {
        let descriptor = *side.tools.get(tool)?;
        // An element that says something else is only a part of the same list.
        let differs = |value: &Node<'_>| {
            value.text().zip(leaf.text()).is_some_and(|(value, leaf)| value != leaf)
        };
        let mut closest = rows.iter().filter_map(|row| {
            let field = Pointer::parse(row.field).ok()?;
            let value = descriptor.at(&field);
            let below = Pointer::parse(below).ok()?;
            let there = || other.tools.get(tool).and_then(|there| there.at(&field));
            // The arguments of another program are not the same for looking alike.
            let another = ESSENCE
                .iter()
                .any(|name| field.split_last().is_some_and(|(_, last)| last == *name))
                && value.zip(there()).is_some_and(|(here, there)| !here.same_value(there));
            if let Some((entry, inner)) = value.and_then(|value| side.keyed(at, &below, value)) {
                let field = field.join(&entry);
                let (value, inner_field) = (descriptor.at(&field), field.clone().join(&inner));
                let key = inner.is_root()
                    || side.format.identity.contains(&inner.as_str().trim_start_matches('/'));
                return Some(match descriptor.at(&inner_field).filter(|_| !key) {
                    Some(deep) => Self { tool, row, value: Some(deep), field: inner_field, key },
                    None => Self { tool, row, value, field, key },
                });
            }
            let deep = value.filter(|_| !another).and_then(|value| value.at(&below));
            Some(match deep.filter(|deep| below.is_root() || !differs(deep)) {
                Some(deep) => {
                    Self { tool, row, value: Some(deep), field: field.join(&below), key: false }
                }
                None => Self { tool, row, value, field, key: false },
            })
        });
        let first = closest.next()?;
        // Looking a field up takes time, and most members are for one field.
        let Some(second) = closest.next() else { return Some(first) };
        let there = other.tools.get(tool);
        let on_both = |field: &Pointer| there.is_some_and(|there| there.at(field).is_some());
        [first, second].into_iter().chain(closest).max_by_key(|Self { value, field, .. }| {
            (value.is_some(), value.is_some() && on_both(field))
        })
    }
}

/// The rows whose member is closest around a place in an entry, and the place
/// below that member.
fn closest<'r, 'p>(
    rows: &'r BTreeMap<&str, Vec<&'static Row>>,
    inside: &'p str,
) -> Option<(&'r [&'static Row], &'p str)> {
    let ends = inside.rmatch_indices('/').map(|(end, _)| end);
    std::iter::once(inside.len()).chain(ends).find_map(|end| {
        let (member, below) = inside.split_at_checked(end)?;
        Some((rows.get(member)?.as_slice(), below))
    })
}

/// What a member begins with that several tools share.
pub(super) const SHARED: &str = "^";

/// What is below `prefix` in a pointer, when it is at or inside it.
fn below<'p>(pointer: &'p str, prefix: &str) -> Option<&'p str> {
    let tail = pointer.strip_prefix(prefix)?;
    (tail.is_empty() || tail.starts_with('/')).then_some(tail)
}

/// One side of a conversion, ready to be looked up in.
pub(super) struct Side<'a> {
    pub(super) format: &'static Format,
    pub(super) document: &'a Document<'a>,
    /// The descriptors, as JSON.
    pub(super) tools: Vec<Node<'a>>,
    /// Where each tool stands in the document.
    entries: Vec<Pointer>,
    /// What is around the list that each of them is in.
    pub(super) bases: Vec<Pointer>,
    by_entry: BTreeMap<String, usize>,
    /// The rows for members of an entry.
    own: BTreeMap<&'static str, Vec<&'static Row>>,
    /// The rows for members of what is around the list of entries.
    shared: BTreeMap<&'static str, Vec<&'static Row>>,
    /// Where each name is first in a list, for the lists that were asked about.
    lists: RefCell<BTreeMap<usize, Rc<BTreeMap<String, usize>>>>,
}

impl<'a> Side<'a> {
    pub(super) fn new(
        format: &'static Format,
        document: &'a Document<'a>,
        lifted: &'a Document<'a>,
        entries: Vec<Pointer>,
    ) -> Self {
        let tools = lifted.root().get("tools").into_iter().flat_map(Node::elements).collect();
        let by_entry =
            entries.iter().enumerate().map(|(i, entry)| (entry.to_string(), i)).collect();
        let bases = entries.iter().map(|entry| base(entry, document.root())).collect();
        let (mut own, mut shared) = (BTreeMap::new(), BTreeMap::new());
        for row in format.mapping {
            let (rows, member): (&mut BTreeMap<_, Vec<_>>, _) =
                match row.member.strip_prefix(SHARED) {
                    Some(member) => (&mut shared, member),
                    None => (&mut own, row.member),
                };
            rows.entry(member).or_default().push(row);
        }
        Self {
            format,
            document,
            tools,
            entries,
            bases,
            by_entry,
            own,
            shared,
            lists: RefCell::default(),
        }
    }

    /// The entry of a field, and the place in it, that a place in a list stands for:
    /// the elements of some lists have names in a descriptor, and no position.
    fn keyed(&self, at: &Pointer, below: &Pointer, value: Node<'_>) -> Option<(Pointer, Pointer)> {
        let list = at.as_str().strip_suffix(below.as_str()).filter(|_| value.is_object())?;
        let list = self.document.at(list).filter(|list| list.is_array())?;
        let place = below.as_str().strip_prefix('/')?;
        let (index, inner) = place.split_at(place.find('/').unwrap_or(place.len()));
        let index: usize = index.parse().ok()?;
        let key = self.key(list.element(index)?)?;
        // A second one of the same name says nothing there.
        if value.get(&key).is_none() || self.places_in(list).get(key.as_ref()) != Some(&index) {
            return None;
        }
        Some((Pointer::root().push(&key), Pointer::parse(inner).ok()?))
    }

    /// Where each name is first in a list. It is asked for once for each element.
    fn places_in(&self, list: Node<'_>) -> Rc<BTreeMap<String, usize>> {
        let mut lists = self.lists.borrow_mut();
        let places = lists.entry(list.span().start).or_insert_with(|| {
            let mut places = BTreeMap::new();
            for (index, element) in list.elements().enumerate() {
                if let Some(key) = self.key(element) {
                    places.entry(key.into_owned()).or_insert(index);
                }
            }
            Rc::new(places)
        });
        Rc::clone(places)
    }

    /// The name that an element goes by in a descriptor.
    fn key<'n>(&self, element: Node<'n>) -> Option<Cow<'n, str>> {
        let mut names = self.format.identity.iter();
        element.text().or_else(|| names.find_map(|name| element.identity(name)))
    }

    /// Where another version of the same format has the same member of the same
    /// tool, with the same value.
    pub(super) fn same_member(
        &self,
        at: &Pointer,
        leaf: Node<'_>,
        other: &Side<'_>,
    ) -> Option<Pointer> {
        let family = self.format.mapping == other.format.mapping;
        let (tool, inside) = self.entry_of(at).filter(|_| family)?;
        let place = Pointer::parse(&format!("{}{inside}", other.entries.get(tool)?)).ok()?;
        let there = other.document.root().at(&place)?;
        there.same_value(leaf).then_some(place)
    }

    /// The first tool of those that share a place, and the place below what they
    /// share.
    fn shared_by<'p>(&self, at: &'p Pointer) -> Option<(usize, &'p str)> {
        if self.shared.is_empty() {
            return None;
        }
        let mut bases = self.bases.iter().enumerate();
        bases.find_map(|(tool, base)| Some((tool, below(at.as_str(), base.as_str())?)))
    }

    /// The tool whose entry holds a place, and the place below the entry.
    pub(super) fn entry_of<'p>(&self, at: &'p Pointer) -> Option<(usize, &'p str)> {
        let text = at.as_str();
        let ends = text.match_indices('/').map(|(end, _)| end).chain([text.len()]);
        ends.map(|end| text.split_at(end))
            .find_map(|(entry, inside)| Some((*self.by_entry.get(entry)?, inside)))
    }

    /// Where the document says a field of a tool.
    pub(super) fn places_of(&self, tool: usize, field: &Pointer) -> Vec<(Pointer, Node<'a>)> {
        let Some(entry) = self.entries.get(tool) else {
            return Vec::new();
        };
        let place = |row: &Row, below: &str| {
            let member = match row.member.strip_prefix(SHARED) {
                Some(shared) => format!("{}{shared}", self.bases.get(tool)?),
                None => format!("{entry}{}", row.member),
            };
            let member = Pointer::parse(&member).ok()?;
            let list = self.document.root().at(&member).filter(|list| list.is_array());
            let element = list.and_then(|list| {
                let key = Pointer::parse(below).ok()?.tokens().next()?.into_owned();
                let index = *self.places_in(list).get(&key)?;
                let place = member.clone().push_index(index);
                Some((place, list.element(index)?))
            });
            if element.is_some() {
                return element;
            }
            let deep = Pointer::parse(&format!("{member}{below}")).ok()?;
            let found = self.document.root().at(&deep).map(|node| (deep, node));
            found.or_else(|| self.document.root().at(&member).map(|node| (member, node)))
        };
        let rows = self.format.mapping.iter();
        let about = rows.clone().filter_map(|row| place(row, below(field.as_str(), row.field)?));
        let about: Vec<_> = about.collect();
        if !about.is_empty() {
            return about;
        }
        // No member is about all of it: those that are about a part.
        let part = |row: &&Row| below(row.field, field.as_str()).is_some();
        rows.filter(part).filter_map(|row| place(row, "")).collect()
    }
}

/// What is around the list that an entry is in, if that is a member of an object;
/// otherwise the entry itself.
pub(crate) fn base(entry: &Pointer, root: Node<'_>) -> Pointer {
    let around =
        entry.split_last().and_then(|(list, _)| Some((list.clone(), list.split_last()?.0)));
    match around {
        Some((list, holder)) if root.at(&list).is_some_and(Node::is_array) => holder,
        _ => entry.clone(),
    }
}
