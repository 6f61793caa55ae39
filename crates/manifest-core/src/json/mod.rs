//! JSON text: the one layer that every format reads through.
//!
//! [`Document::parse`] reads the text once, into a flat list of entries that
//! borrow from it. Member order, unknown members and the spelling of numbers
//! are all still there, because the text is. What different readers would read
//! differently (a duplicate key, a lone surrogate, a byte order mark) is
//! refused with a located diagnostic.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//!
//! let document = Document::parse(br#"{"tools":[{"timeout": 1e2}]}"#, &Limits::default())?;
//! let timeout = document.at("/tools/0/timeout").unwrap();
//! assert_eq!(timeout.raw(), "1e2");
//! assert_eq!(timeout.pointer().as_str(), "/tools/0/timeout");
//! assert_eq!(document.position(timeout.span().start).column, 23);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::{Limits, Pointer};

mod align;
mod decode;
mod edit;
mod layout;
mod number;
mod parse;
mod patch;
mod place;
mod raw;
pub mod rules;
mod scan;
mod splice;

pub use decode::quote;
pub(crate) use decode::unescape;
pub use edit::{Edit, EditError, apply};
pub(crate) use layout::compact_ordered;
pub use layout::{compact, pretty};
pub use number::Number;
pub use patch::patch;
use place::Places;
pub use raw::Raw;
pub(crate) use raw::present;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The kind with its article, as a sentence needs it.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A range of bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[allow(clippy::exhaustive_structs)] // a pair, and nothing more
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A place in a text as people count: from one, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[allow(clippy::exhaustive_structs)] // a pair, and nothing more
pub struct Position {
    /// Line, from one.
    pub line: usize,
    /// Character in the line, from one.
    pub column: usize,
}

/// One value, or the name of a member.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    /// The index of the entry after this value and all that is inside it.
    next: u32,
    kind: Kind,
    /// A string with escapes in it.
    escaped: bool,
    /// The name of a member, not a value.
    name: bool,
}

impl Entry {
    // Document::parse refuses texts whose offsets do not fit.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    const fn new(kind: Kind, start: usize, end: usize, next: u32, escaped: bool) -> Self {
        Self { start: start as u32, end: end as u32, next, kind, escaped, name: false }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    const fn close(&mut self, end: usize, next: u32) {
        self.end = end as u32;
        self.next = next;
    }

    const fn span(&self) -> Span {
        Span { start: self.start as usize, end: self.end as usize }
    }
}

/// A JSON text that has been read.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a str,
    tape: Vec<Entry>,
    /// Worked out for the first address that is asked for: a document without
    /// problems does not pay for it.
    places: OnceLock<Places>,
}

impl<'a> Document<'a> {
    /// Reads a text, refusing what has no single meaning or passes a limit.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Self, Diagnostic> {
        let text = decode_text(bytes, limits)?;
        let tape = parse::parse(text, limits)?;
        Ok(Self { text, tape, places: OnceLock::new() })
    }

    /// The text.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }

    /// The value at a pointer.
    pub fn at(&self, pointer: &str) -> Option<Node<'_>> {
        self.root().at(&Pointer::parse(pointer).ok()?)
    }

    /// Line and column of a byte.
    pub fn position(&self, offset: usize) -> Position {
        position(self.text, offset)
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self))
    }
}

/// Line and column of a byte in any text.
pub fn position(text: &str, offset: usize) -> Position {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let column = before.iter().skip(line_start).filter(|&&b| b & 0xC0 != 0x80).count();
    Position { line: before.iter().filter(|&&b| b == b'\n').count() + 1, column: column + 1 }
}

fn decode_text<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Diagnostic> {
    let encoding = |start: usize, end: usize, message: &str| {
        rules::ENCODING.at_pointer(Pointer::root(), message).span(Span { start, end })
    };
    let limit = limits.document_bytes.min(u32::MAX as usize - 1);
    if bytes.len() > limit {
        let message = format!("{} bytes, more than the {limit} allowed", bytes.len());
        return Err(rules::SIZE
            .at_pointer(Pointer::root(), message)
            .span(Span { start: 0, end: 0 }));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(encoding(0, 3, "the text begins with a byte order mark")
            .help("save the file as UTF-8 without a byte order mark"));
    }
    if bytes.iter().take(2).any(|&b| b == 0) && bytes.len().is_multiple_of(2) {
        return Err(
            encoding(0, 2, "the text looks like UTF-16 or UTF-32").help("save the file as UTF-8")
        );
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |len| start + len);
        encoding(start, end, "these bytes are not UTF-8")
    })
}

/// A value inside a [`Document`]. Copying it is free.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    document: &'a Document<'a>,
    index: u32,
}

impl<'a> Node<'a> {
    #[inline]
    fn entry(self) -> Entry {
        // Every index in a node comes from the list itself.
        const NOTHING: Entry =
            Entry { start: 0, end: 0, next: 0, kind: Kind::Null, escaped: false, name: false };
        self.document.tape.get(self.index as usize).copied().unwrap_or(NOTHING)
    }

    #[inline]
    const fn sibling(self, index: u32) -> Self {
        Self { document: self.document, index }
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

    #[inline]
    pub(crate) fn raw_bytes(self) -> &'a [u8] {
        let Span { start, end } = self.span();
        self.document.text.as_bytes().get(start..end).unwrap_or_default()
    }

    /// Whether this is a string that is not written as it reads.
    pub fn is_escaped(self) -> bool {
        self.entry().escaped
    }

    /// The bytes of a string that is written without escapes.
    #[inline]
    pub(crate) fn plain_bytes(self) -> Option<&'a [u8]> {
        let entry = self.entry();
        if entry.kind != Kind::String || entry.escaped {
            return None;
        }
        self.document.text.as_bytes().get(entry.start as usize + 1..entry.end as usize - 1)
    }

    /// The strings inside a value, names of members too, as they are written, if that
    /// takes at least so many bytes, quotes included.
    pub(crate) fn long_strings(self, least: usize) -> impl Iterator<Item = &'a str> {
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
        Members { items: self.items_of(Kind::Object) }
    }

    /// The elements of an array, in order; nothing for other kinds.
    #[inline]
    pub fn elements(self) -> Elements<'a> {
        Elements { items: self.items_of(Kind::Array) }
    }

    #[inline]
    fn items_of(self, kind: Kind) -> Items<'a> {
        let entry = self.entry();
        let end = if entry.kind == kind { entry.next } else { 0 };
        let children = Children { next: self.sibling(self.index + 1), end };
        Items { children, named: kind == Kind::Object }
    }

    /// What is inside a container: elements, or members with their names.
    fn items(self) -> Items<'a> {
        self.items_of(self.kind())
    }

    /// The member of that name.
    #[inline]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find(|member| member.is(name)).map(|member| member.value)
    }

    /// What identifies an object by a name: the text of that member. `a/b` is the
    /// member `b` of the member `a`.
    pub(crate) fn identity(self, name: &str) -> Option<Cow<'a, str>> {
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
        let mut members: Vec<_> = self.members().map(|m| (m.name(), m.value)).collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        MemberIndex(members)
    }
}

/// The number that an array token spells: digits only, without leading zeros.
fn array_index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with('0');
    (plain && token.bytes().all(|b| b.is_ascii_digit())).then(|| token.parse().ok())?
}

/// An object's members by name. See [`Node::index_members`].
#[derive(Clone, Debug)]
pub struct MemberIndex<'a>(Vec<(Cow<'a, str>, Node<'a>)>);

impl<'a> MemberIndex<'a> {
    /// The member of that name.
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
    /// The member that a value belongs to: its name stands before it.
    fn of(value: Node<'a>) -> Self {
        Self { key: value.sibling(value.index.saturating_sub(1)), value }
    }

    /// The name.
    #[inline]
    pub fn name(&self) -> Cow<'a, str> {
        self.key.text().unwrap_or_default()
    }

    /// Whether the name is `name`.
    #[inline]
    pub fn is(&self, name: &str) -> bool {
        let entry = self.key.entry();
        if entry.escaped {
            return self.name() == name;
        }
        // Most names differ in length, and the text need not be looked at.
        let length = (entry.end - entry.start) as usize;
        length == name.len() + "\"\"".len()
            && self.key.plain_bytes().is_some_and(|own| same(own, name))
    }

    /// Which entry of a list has its name. The one at `hint` is looked at first.
    #[inline]
    pub fn position<T>(
        &self,
        list: &[T],
        name_of: impl Fn(&T) -> &str,
        hint: usize,
    ) -> Option<usize> {
        let decoded;
        let own = if let Some(own) = self.key.plain_bytes() {
            own
        } else {
            decoded = self.name();
            decoded.as_bytes()
        };
        let is = |entry: &T| same(own, name_of(entry));
        if list.get(hint).is_some_and(is) {
            return Some(hint);
        }
        list.iter().position(is)
    }
}

/// Whether a name is the one that is asked for. Most are not, and differ in length
/// or in the first letter.
#[inline]
fn same(own: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    own.len() == name.len() && own.first() == name.first() && own == name
}

#[derive(Clone, Debug)]
struct Children<'a> {
    next: Node<'a>,
    end: u32,
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
struct Items<'a> {
    children: Children<'a>,
    named: bool,
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

/// See [`Node::members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    items: Items<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    #[inline]
    fn next(&mut self) -> Option<Member<'a>> {
        let children = &mut self.items.children;
        let key = children.next;
        children.next = key.sibling(key.index + 1);
        Some(Member { key, value: children.advance()? })
    }
}

/// See [`Node::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    items: Items<'a>,
}

impl Elements<'_> {
    /// How many there can be, or `limit` if that is less.
    pub(crate) fn at_most(&self, limit: usize) -> usize {
        let children = &self.items.children;
        (children.end.saturating_sub(children.next.index) as usize).min(limit)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Node<'a>> {
        self.items.children.advance()
    }
}
