//! One value of a document.

use std::borrow::Cow;

use super::entry::Entry;
use super::value::NodeValue;
use super::walk::{Children, Elements, Items, MemberIndex, Members};
use super::{Kind, Node, Number, Span, decode};
use diagnostic::{Pointer, some_or_bug};

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn entry(self) -> Entry {
        // Every index of a node comes from the list, so this is never used.
        const EMPTY_ENTRY: Entry = Entry {
            start: 0,
            end: 0,
            next: 0,
            kind: Kind::Null,
            has_escapes: false,
            is_name: false,
        };
        self.document.tape.get(self.index as usize).copied().unwrap_or(EMPTY_ENTRY)
    }

    #[inline]
    pub(super) const fn sibling(self, index: u32) -> Self {
        Self { document: self.document, index }
    }

    /// Returns the index of the value's entry in the document.
    #[inline]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Returns the index of the entry after the value and its contents.
    #[inline]
    pub fn index_after(self) -> u32 {
        self.entry().next
    }

    /// Returns the kind of the value.
    #[inline]
    pub fn kind(self) -> Kind {
        self.entry().kind
    }

    /// Returns the bytes that the value takes in the text.
    #[inline]
    pub fn span(self) -> Span {
        self.entry().span()
    }

    /// Returns the value's text exactly as written.
    #[inline]
    pub fn raw(self) -> &'a str {
        self.span().slice(self.document.text)
    }

    /// Returns the value with its kind.
    pub fn value(self) -> NodeValue<'a> {
        let entry = self.entry();
        match entry.kind {
            Kind::Null => NodeValue::Null,
            Kind::Bool => NodeValue::Bool(self.is_true()),
            Kind::Number => NodeValue::Number(Number::from_token(self.raw())),
            Kind::String => NodeValue::String(self.string(entry)),
            Kind::Array => NodeValue::Array(self.elements()),
            Kind::Object => NodeValue::Object(self.members()),
        }
    }

    /// Returns the value of a string, or `None` for other kinds.
    #[inline]
    pub fn text(self) -> Option<Cow<'a, str>> {
        let entry = self.entry();
        if entry.kind == Kind::String { Some(self.string(entry)) } else { None }
    }

    /// Returns the value of a string, given its entry.
    #[inline]
    pub(super) fn string(self, entry: Entry) -> Cow<'a, str> {
        if entry.has_escapes { self.decode() } else { Cow::Borrowed(self.between_quotes(entry)) }
    }

    /// Returns the value's bytes exactly as written.
    #[inline]
    pub fn raw_bytes(self) -> &'a [u8] {
        self.span().slice_bytes(self.document.text.as_bytes())
    }

    /// Returns true if this is a string that contains escapes.
    pub fn is_escaped(self) -> bool {
        self.entry().has_escapes
    }

    /// Returns the bytes of a string that contains no escapes, or `None` for other values.
    #[inline]
    pub fn plain_bytes(self) -> Option<&'a [u8]> {
        let entry = self.entry();
        if entry.kind != Kind::String || entry.has_escapes {
            return None;
        }
        self.document.text.as_bytes().get(entry.start as usize + 1..entry.end as usize - 1)
    }

    /// Returns the strings inside the value as written, member names included, if they have
    /// at least `least` bytes with their quotes.
    pub fn long_strings(self, least: usize) -> impl Iterator<Item = &'a str> {
        let range = self.index as usize..self.entry().next as usize;
        let entries = some_or_bug(self.document.tape.get(range)).iter();
        let is_long = move |entry: &Entry| (entry.end - entry.start) as usize >= least;
        let strings = entries.filter(move |entry| is_long(entry) && entry.kind == Kind::String);
        strings.filter_map(|entry| self.document.text.get(entry.start as usize..entry.end as usize))
    }

    #[inline]
    fn between_quotes(self, entry: Entry) -> &'a str {
        let inner = Span { start: entry.start as usize + 1, end: entry.end as usize - 1 };
        inner.slice(self.document.text)
    }

    #[cold]
    fn decode(self) -> Cow<'a, str> {
        decode::decode_string(self.raw(), true)
    }

    /// Returns the value of a boolean, or `None` for other kinds.
    pub fn bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.is_true())
    }

    /// Returns true if the value begins as `true` does.
    fn is_true(self) -> bool {
        self.raw_bytes().first() == Some(&b't')
    }

    /// Returns the value of a number, or `None` for other kinds.
    pub fn number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::from_token(self.raw()))
    }

    /// Returns true if the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Returns true if the value is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// Returns true if the value is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Returns the members of an object in order. Empty for other kinds.
    #[inline]
    pub fn members(self) -> Members<'a> {
        Members(self.items_of(Kind::Object))
    }

    /// Returns the elements of an array in order. Empty for other kinds.
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

    /// Returns the elements of an array, or the members of an object with their names.
    pub(super) fn items(self) -> Items<'a> {
        self.items_of(self.kind())
    }

    /// Returns the value of the member with that name.
    #[inline]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find(|member| member.has_name(name)).map(|member| member.value)
    }

    /// Returns the string that identifies an object: the member called `name`. `a/b` is the
    /// member `b` of the member `a`.
    pub fn identity(self, name: &str) -> Option<Cow<'a, str>> {
        match name.split_once('/') {
            Some((outer, inner)) => self.get(outer)?.get(inner)?.text(),
            None => self.get(name)?.text(),
        }
    }

    /// Returns the value at a pointer relative to this one.
    pub fn at(self, pointer: &Pointer) -> Option<Self> {
        pointer.tokens().try_fold(self, |node, token| match node.kind() {
            Kind::Object => node.member(&token),
            Kind::Array => node.element(array_index(&token)?),
            _ => None,
        })
    }

    /// Returns the value and everything inside it, in document order.
    pub fn descendants(self) -> impl Iterator<Item = Self> {
        (self.index..self.entry().next)
            .map(move |index| self.sibling(index))
            .filter(|node| !node.entry().is_name)
    }

    /// Returns the scalars and empty containers inside the value, each with its pointer
    /// relative to this value. A value without contents is its own leaf.
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

    /// Returns true if both are the same JSON value. Members may be in any order, numbers
    /// are compared by value, and strings by characters.
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

    /// Returns an index of the members of an object, for looking up many of them.
    pub fn index_members(self) -> MemberIndex<'a> {
        MemberIndex::of(self)
    }
}

/// Parses the index in an array token: digits without leading zeros.
pub(super) fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|b| b.is_ascii_digit())).then(|| token.parse().ok())?
}
