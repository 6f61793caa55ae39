//! Iteration over the contents of a container, and access by name.

use std::borrow::Cow;

use super::Node;

/// An object's members by name. See [`Node::index_members`].
#[derive(Clone, Debug)]
pub struct MemberIndex<'a>(Vec<(Cow<'a, str>, Node<'a>)>);

impl<'a> MemberIndex<'a> {
    pub(super) fn of(object: Node<'a>) -> Self {
        let mut members: Vec<_> = object.members().map(|m| (m.name(), m.value)).collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        Self(members)
    }

    /// Returns the value of the member with that name.
    pub fn get(&self, name: &str) -> Option<Node<'a>> {
        let found = self.0.binary_search_by(|(key, _)| key.as_ref().cmp(name)).ok()?;
        self.0.get(found).map(|(_, value)| *value)
    }
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Member<'a> {
    /// The name, as a string value.
    pub key: Node<'a>,
    /// The value.
    pub value: Node<'a>,
}

impl<'a> Member<'a> {
    /// Returns the member that `value` belongs to. Its name is the entry before the value.
    pub(super) fn of(value: Node<'a>) -> Self {
        Self { key: value.sibling(value.index.saturating_sub(1)), value }
    }

    /// Returns the name.
    #[inline]
    pub fn name(&self) -> Cow<'a, str> {
        self.key.string(self.key.entry())
    }

    /// Returns true if the name is `name`.
    #[inline]
    pub fn has_name(&self, name: &str) -> bool {
        let entry = self.key.entry();
        if entry.has_escapes {
            return self.name() == name;
        }
        // Most names differ in length, which avoids reading the text.
        let length = (entry.end - entry.start) as usize;
        length == name.len() + "\"\"".len()
            && self.key.plain_bytes().is_some_and(|own| same_name(own, name))
    }

    /// Returns the index of the list entry with this member's name. Searches from `hint`
    /// first.
    #[inline]
    pub fn position_in<T>(
        &self,
        list: &[T],
        name_of: impl Fn(&T) -> &str,
        hint: usize,
    ) -> Option<usize> {
        match self.key.plain_bytes() {
            // In most documents, the members are in the order of the list.
            Some(own) if list.get(hint).is_some_and(|entry| same_name(own, name_of(entry))) => {
                Some(hint)
            }
            Some(own) => find_name(own, list, name_of, hint),
            None => find_name(self.name().as_bytes(), list, name_of, hint),
        }
    }
}

/// Returns the index of the list entry with a name. Searches from `hint` first.
#[inline(never)] // keeps the common case small
fn find_name<T>(
    own: &[u8],
    list: &[T],
    name_of: impl Fn(&T) -> &str,
    hint: usize,
) -> Option<usize> {
    let is = |entry: &T| same_name(own, name_of(entry));
    let (before, after) = list.split_at_checked(hint).unwrap_or((list, &[]));
    let found = after.iter().position(is).map(|index| hint + index);
    found.or_else(|| before.iter().position(is))
}

/// Returns true if the names are equal. Most names differ in length. Names are short, so
/// comparing both ends is faster than a general comparison.
#[inline]
pub fn same_name(own: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    own.len() == name.len()
        && match own.len() {
            2..=3 => both_ends::<2>(own) == both_ends::<2>(name),
            4..=8 => both_ends::<4>(own) == both_ends::<4>(name),
            9..=16 => both_ends::<8>(own) == both_ends::<8>(name),
            _ => own == name,
        }
}

/// Returns the first and the last `N` bytes.
#[inline]
fn both_ends<const N: usize>(bytes: &[u8]) -> Option<([u8; N], [u8; N])> {
    Some((*bytes.first_chunk()?, *bytes.last_chunk()?))
}

#[derive(Clone, Debug)]
pub(super) struct Children<'a> {
    pub(super) next: Node<'a>,
    pub(super) end: u32,
}

impl<'a> Children<'a> {
    #[inline]
    fn advance(&mut self) -> Option<Node<'a>> {
        (self.next.index < self.end).then(|| {
            let node = self.next;
            self.next = node.sibling(node.entry().next);
            node
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Items<'a> {
    pub(super) children: Children<'a>,
    pub(super) named: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = (Option<Node<'a>>, Node<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.children.next;
        if self.named {
            self.children.next = key.sibling(key.index + 1);
        }
        let value = self.children.advance()?;
        Some((self.named.then_some(key), value))
    }
}

/// The members of an object. See [`Node::members`].
#[derive(Clone, Debug)]
pub struct Members<'a>(pub(super) Items<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    #[inline]
    fn next(&mut self) -> Option<Member<'a>> {
        let children = &mut self.0.children;
        let key = children.next;
        children.next = key.sibling(key.index + 1);
        Some(Member { key, value: children.advance()? })
    }
}

/// The elements of an array. See [`Node::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a>(pub(super) Items<'a>);

impl Elements<'_> {
    /// Returns an upper bound of the number of elements that are left, at most `limit`.
    pub fn max_len(&self, limit: usize) -> usize {
        let children = &self.0.children;
        (children.end.saturating_sub(children.next.index) as usize).min(limit)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        self.0.children.advance()
    }
}
