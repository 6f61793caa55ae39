//! One value of a document, and what can be asked of it.

use std::borrow::Cow;

use super::entry::Entry;
use super::walk::{Children, Elements, Items, MemberIndex, Members};
use super::{Kind, Node, Number, Span, decode};
use diagnostic::Pointer;

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn entry(self) -> Entry {
        // Every index in a node comes from the list itself.
        const NOTHING: Entry =
            Entry { start: 0, end: 0, next: 0, kind: Kind::Null, escaped: false, name: false };
        self.document.tape.get(self.index as usize).copied().unwrap_or(NOTHING)
    }

    #[inline]
    pub(super) const fn sibling(self, index: u32) -> Self {
        Self { document: self.document, index }
    }

    /// The index of its entry in the document.
    #[inline]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The index of the entry after it and all that is inside it.
    #[inline]
    pub fn index_after(self) -> u32 {
        self.entry().next
    }

    /// What the value is.
    #[inline]
    pub fn kind(self) -> Kind {
        self.entry().kind
    }

    /// Its bytes in the text.
    #[inline]
    pub fn span(self) -> Span {
        self.entry().span()
    }

    /// Its text, exactly as written.
    #[inline]
    pub fn raw(self) -> &'a str {
        let Span { start, end } = self.span();
        self.document.text.get(start..end).unwrap_or_default()
    }

    /// The value of a string.
    #[inline]
    pub fn text(self) -> Option<Cow<'a, str>> {
        let entry = self.entry();
        if entry.kind != Kind::String {
            return None;
        }
        Some(if entry.escaped { self.decoded() } else { Cow::Borrowed(self.between_quotes(entry)) })
    }

    /// Its bytes, exactly as written.
    #[inline]
    pub fn raw_bytes(self) -> &'a [u8] {
        let Span { start, end } = self.span();
        self.document.text.as_bytes().get(start..end).unwrap_or_default()
    }

    /// Whether this is a string that is not written as it reads.
    pub fn is_escaped(self) -> bool {
        self.entry().escaped
    }

    /// The bytes of a string that is written without escapes.
    #[inline]
    pub fn plain_bytes(self) -> Option<&'a [u8]> {
        let entry = self.entry();
        if entry.kind != Kind::String || entry.escaped {
            return None;
        }
        self.document.text.as_bytes().get(entry.start as usize + 1..entry.end as usize - 1)
    }

    /// The strings inside a value, names of members too, as they are written, if that
    /// takes at least so many bytes, quotes included.
    pub fn long_strings(self, least: usize) -> impl Iterator<Item = &'a str> {
        let range = self.index as usize..self.entry().next as usize;
        let entries = self.document.tape.get(range).unwrap_or_default().iter();
        let is_long = move |entry: &Entry| (entry.end - entry.start) as usize >= least;
        let strings = entries.filter(move |entry| is_long(entry) && entry.kind == Kind::String);
        strings.filter_map(|entry| self.document.text.get(entry.start as usize..entry.end as usize))
    }

    #[inline]
    fn between_quotes(self, entry: Entry) -> &'a str {
        let (start, end) = (entry.start as usize + 1, entry.end as usize - 1);
        self.document.text.get(start..end).unwrap_or_default()
    }

    #[cold]
    fn decoded(self) -> Cow<'a, str> {
        decode::string(self.raw(), true)
    }

    /// The value of a boolean.
    pub fn bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw_bytes().first() == Some(&b't'))
    }

    /// The value of a number.
    pub fn number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::from_token(self.raw()))
    }

    /// Whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether the value is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether the value is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// The members of an object, in order; nothing for other kinds.
    #[inline]
    pub fn members(self) -> Members<'a> {
        Members(self.items_of(Kind::Object))
    }

    /// The elements of an array, in order; nothing for other kinds.
    #[inline]
    pub fn elements(self) -> Elements<'a> {
        Elements(self.items_of(Kind::Array))
    }

    #[inline]
    fn items_of(self, kind: Kind) -> Items<'a> {
        let entry = self.entry();
        let end = if entry.kind == kind { entry.next } else { 0 };
        let children = Children { next: self.sibling(self.index + 1), end };
        Items { children, named: kind == Kind::Object }
    }

    /// What is inside a container: elements, or members with their names.
    pub(super) fn items(self) -> Items<'a> {
        self.items_of(self.kind())
    }

    /// The member of that name.
    #[inline]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find(|member| member.is(name)).map(|member| member.value)
    }

    /// What identifies an object by a name: the text of that member. `a/b` is the
    /// member `b` of the member `a`.
    pub fn identity(self, name: &str) -> Option<Cow<'a, str>> {
        match name.split_once('/') {
            Some((outer, inner)) => self.get(outer)?.get(inner)?.text(),
            None => self.get(name)?.text(),
        }
    }

    /// The value at a pointer below this one.
    pub fn at(self, pointer: &Pointer) -> Option<Self> {
        pointer.tokens().try_fold(self, |node, token| match node.kind() {
            Kind::Object => node.member(&token),
            Kind::Array => node.element(array_index(&token)?),
            _ => None,
        })
    }

    /// The value and everything inside it, in the order of the text.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        (self.index..self.entry().next)
            .map(move |index| self.sibling(index))
            .filter(|node| !node.entry().name)
    }

    /// What is inside the value and has nothing inside itself, scalars and empty
    /// containers, each with its pointer from here.
    pub fn leaves(self) -> impl Iterator<Item = (Pointer, Self)> {
        let mut open: Vec<(Pointer, std::iter::Enumerate<Items<'a>>)> = Vec::new();
        let mut next = Some((Pointer::root(), self));
        std::iter::from_fn(move || {
            loop {
                if let Some((pointer, node)) = next.take() {
                    if node.entry().next == node.index + 1 {
                        return Some((pointer, node));
                    }
                    open.push((pointer, node.items().enumerate()));
                }
                let (pointer, items) = open.last_mut()?;
                if let Some((index, (key, node))) = items.next() {
                    let pointer = pointer.clone();
                    let pointer = match key.and_then(Node::text) {
                        Some(name) => pointer.push(&name),
                        None => pointer.push_index(index),
                    };
                    next = Some((pointer, node));
                } else {
                    open.pop();
                }
            }
        })
    }

    /// Whether both are the same JSON value: members in any order, numbers by
    /// value, strings by characters.
    pub fn same_value(self, other: Node<'_>) -> bool {
        let mut pending = vec![(self, other)];
        while let Some((a, b)) = pending.pop() {
            if a.kind() != b.kind() {
                return false;
            }
            let equal = a.raw() == b.raw()
                || match a.kind() {
                    Kind::Null | Kind::Bool => false,
                    Kind::Number => a.number() == b.number(),
                    Kind::String => a.text() == b.text(),
                    Kind::Array => {
                        pending.extend(a.elements().zip(b.elements()));
                        a.elements().count() == b.elements().count()
                    }
                    Kind::Object => {
                        let index = b.index_members();
                        a.members().count() == b.members().count()
                            && a.members().all(|member| {
                                let found = index.get(&member.name());
                                pending.extend(found.map(|found| (member.value, found)));
                                found.is_some()
                            })
                    }
                };
            if !equal {
                return false;
            }
        }
        true
    }

    /// The members of an object, for looking up many of them.
    pub fn index_members(self) -> MemberIndex<'a> {
        MemberIndex::of(self)
    }
}

/// The number that an array token spells: digits only, without leading zeros.
pub(super) fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|b| b.is_ascii_digit())).then(|| token.parse().ok())?
}
