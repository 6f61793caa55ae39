//! Changing a text so that it says what another value says, and no more.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::align::align;
use super::layout::{compact, pretty_at};
use super::splice::{Gaps, Item, Splice, item_spans, splice_items, splice_text};
use super::{Document, Kind, Node, Span, quote};

/// Deeper than this, a changed value is replaced whole.
const DEPTH: usize = 128;

/// The text of `base`, changed only where its value is not that of `target`.
///
/// Members keep their order. Elements that are objects are recognised by the
/// first of `identity` that they have as a member, others by their value; an
/// element that changed its identity is recognised when it is the only one on
/// both sides that is left over.
///
/// ```
/// use manifest_core::{Limits, json::{Document, patch}};
///
/// let limits = Limits::default();
/// let base = Document::parse(b"{ \"b\" : 1e2,\n \"a\": [ 1,2 ] }", &limits)?;
/// let target = Document::parse(br#"{"a":[2,1,3],"b":100}"#, &limits)?;
/// assert_eq!(patch(&base, target.root(), &[]), "{ \"b\" : 1e2,\n \"a\": [ 2,1,3 ] }");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn patch(base: &Document<'_>, target: Node<'_>, identity: &[&str]) -> String {
    let mut patcher = Patcher { identity, splices: Vec::new() };
    patcher.value(base.root(), target, 0);
    let mut splices = patcher.splices;
    splices.sort_by_key(|splice| (splice.span.start, splice.span.end));
    splice_text(base.text(), splices)
}

struct Patcher<'i> {
    identity: &'i [&'i str],
    splices: Vec<Splice>,
}

impl Patcher<'_> {
    fn value(&mut self, base: Node<'_>, target: Node<'_>, depth: usize) {
        if base.same_value(target) {
            return;
        }
        match (base.kind(), target.kind()) {
            (Kind::Object, Kind::Object) if depth < DEPTH => {
                match self.enclosed(base, target, depth) {
                    Some(text) => self.splices.push(Splice::new(base.span(), text)),
                    None => self.object(base, target, depth),
                }
            }
            (Kind::Array, Kind::Array) if depth < DEPTH => self.array(base, target, depth),
            _ => {
                let text = self
                    .wrapped(base, target, depth)
                    .unwrap_or_else(|| pretty_at(target, margin_of_line(base)));
                self.splices.push(Splice::new(base.span(), text));
            }
        }
    }

    fn object(&mut self, base: Node<'_>, target: Node<'_>, depth: usize) {
        let (old, new) = (base.index_members(), target.index_members());
        let gone: Vec<_> = base.members().filter(|m| new.get(&m.name()).is_none()).collect();
        let come: Vec<_> = target.members().filter(|m| old.get(&m.name()).is_none()).collect();
        let renamed = match (gone.as_slice(), come.as_slice()) {
            ([gone], [come]) if gone.value.same_value(come.value) => Some((*gone, *come)),
            _ => None,
        };
        if let Some((gone, come)) = renamed {
            self.splices.push(Splice::new(gone.key.span(), come.key.raw().to_owned()));
        } else if !(gone.is_empty() && come.is_empty()) {
            self.members(base, target, &old, &new);
        }
        for member in target.members() {
            if let Some(value) = old.get(&member.name()) {
                self.value(value, member.value, depth + 1);
            }
        }
    }

    /// Removes the members that `target` has not, and adds those that only it
    /// has, each behind the member that it follows there.
    fn members(
        &mut self,
        base: Node<'_>,
        target: Node<'_>,
        old: &super::MemberIndex<'_>,
        new: &super::MemberIndex<'_>,
    ) {
        let style = Style::of(base);
        let mut front = Vec::new();
        let mut behind: BTreeMap<Cow<'_, str>, Vec<Item>> = BTreeMap::new();
        let mut last_kept = None;
        for member in target.members() {
            let name = member.name();
            if old.get(&name).is_some() {
                last_kept = Some(name);
                continue;
            }
            let text = format!("{}{}{}", quote(&name), style.colon, style.lay_out(member.value));
            match &last_kept {
                Some(kept) => behind.entry(kept.clone()).or_default().push(Item::New(text)),
                None => front.push(Item::New(text)),
            }
        }
        let mut items = front;
        for (index, member) in base.members().enumerate() {
            let name = member.name();
            if new.get(&name).is_some() {
                items.push(Item::Kept(index));
                items.append(&mut behind.remove(&name).unwrap_or_default());
            }
        }
        self.splices.extend(splice_items(base, items));
    }

    fn array(&mut self, base: Node<'_>, target: Node<'_>, depth: usize) {
        let old: Vec<_> = base.elements().collect();
        let new: Vec<_> = target.elements().collect();
        let aligned = align(&old, &new, self.identity);
        let kept: Vec<usize> = aligned.iter().flatten().copied().collect();
        let style = Style::of(base);
        if kept.is_sorted() {
            let items = new.iter().zip(&aligned).map(|(element, old)| match old {
                Some(index) => Item::Kept(*index),
                None => Item::New(style.lay_out(*element)),
            });
            let items: Vec<_> = items.collect();
            if items.len() != old.len() || kept.len() != old.len() {
                self.splices.extend(splice_items(base, items));
            }
            for (element, index) in new.iter().zip(&aligned) {
                if let Some(old) = index.and_then(|index| old.get(index)) {
                    self.value(*old, *element, depth + 1);
                }
            }
        } else {
            self.reordered(base, &old, &new, &aligned, depth);
        }
    }

    /// Writes all elements in their new order, each as it was where it stays.
    fn reordered(
        &mut self,
        base: Node<'_>,
        old: &[Node<'_>],
        new: &[Node<'_>],
        aligned: &[Option<usize>],
        depth: usize,
    ) {
        let spans = item_spans(base);
        let gaps = Gaps::of(base, &spans);
        let style = Style::of(base);
        let whole = base.span();
        let mut text = gaps.lead.to_owned();
        for (position, (element, index)) in new.iter().zip(aligned).enumerate() {
            if position > 0 {
                // The gap that stood at this position, while there are any.
                let gap = spans.get(position - 1).zip(spans.get(position));
                let gap = gap.and_then(|(a, b)| base.document.text.get(a.end..b.start));
                text.push_str(gap.unwrap_or(&gaps.between));
            }
            match index.and_then(|index| old.get(index)) {
                Some(old) => text.push_str(&self.patched(*old, *element, depth + 1)),
                None => text.push_str(&style.lay_out(*element)),
            }
        }
        text.push_str(gaps.tail);
        let inner = Span { start: whole.start + 1, end: whole.end - 1 };
        self.splices.push(Splice::new(inner, text));
    }

    /// An array around an object, when the object is one of its elements.
    fn wrapped(&self, base: Node<'_>, target: Node<'_>, depth: usize) -> Option<String> {
        let elements: Vec<_> = target.elements().collect();
        let aligned = align(&[base], &elements, self.identity);
        if !base.is_object() || depth >= DEPTH || !aligned.contains(&Some(0)) {
            return None;
        }
        let lines = base.raw().contains('\n');
        let texts = elements.iter().zip(aligned).map(|(element, old)| {
            if old.is_some() {
                self.patched(base, *element, depth + 1)
            } else if lines {
                pretty_at(*element, margin_of_line(base))
            } else {
                compact(*element)
            }
        });
        let (margin, gap) = if lines { ("\n", ",\n") } else { ("", ", ") };
        let text = texts.collect::<Vec<_>>().join(gap);
        Some(format!("[{margin}{text}{margin}]"))
    }

    /// An object around an object, when the inner one is an element of a list in
    /// the outer one: a document that became an entry of a catalog.
    fn enclosed(&self, base: Node<'_>, target: Node<'_>, depth: usize) -> Option<String> {
        if target.members().any(|member| base.get(&member.name()).is_some()) {
            return None;
        }
        let holds = |list: Node<'_>| {
            let elements: Vec<_> = list.elements().collect();
            align(&[base], &elements, self.identity).contains(&Some(0))
        };
        let list = target.members().find(|member| holds(member.value))?.value.span();
        let members = target.members().map(|member| {
            let value = if member.value.span() == list {
                self.wrapped(base, member.value, depth)?
            } else {
                compact(member.value)
            };
            Some(format!("{}: {value}", member.key.raw()))
        });
        let members = members.collect::<Option<Vec<_>>>()?;
        Some(format!("{{{}}}", members.join(", ")))
    }

    /// The text of one value after its own changes.
    fn patched(&self, base: Node<'_>, target: Node<'_>, depth: usize) -> String {
        let mut inner = Patcher { identity: self.identity, splices: Vec::new() };
        inner.value(base, target, depth);
        let start = base.span().start;
        for splice in &mut inner.splices {
            splice.span.start -= start;
            splice.span.end -= start;
        }
        inner.splices.sort_by_key(|splice| (splice.span.start, splice.span.end));
        splice_text(base.raw(), inner.splices)
    }
}

/// How a container lays out what is in it.
struct Style {
    /// The indentation of its items, when each has a line of its own.
    margin: Option<String>,
    colon: &'static str,
}

impl Style {
    fn of(container: Node<'_>) -> Self {
        let spans = item_spans(container);
        let gaps = Gaps::of(container, &spans);
        let step = if spans.is_empty() { "  " } else { "" };
        // What stands before the comma is not the beginning of a line.
        let (_, after) = gaps.between.rsplit_once(',').unwrap_or_default();
        let margin = after.rsplit_once('\n').map(|(_, indent)| format!("{indent}{step}"));
        let tight = container.members().next().is_some_and(|member| {
            let between = member.key.span().end..member.value.span().start;
            container.document.text.get(between) == Some(":")
        });
        Self { margin, colon: if tight { ":" } else { ": " } }
    }

    fn lay_out(&self, node: Node<'_>) -> String {
        match &self.margin {
            Some(margin) => pretty_at(node, margin),
            None => compact(node),
        }
    }
}

/// The white space that the line of a value begins with.
fn margin_of_line(node: Node<'_>) -> &str {
    let before = node.document.text.get(..node.span().start).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or("", |(_, line)| line);
    let width = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..width).unwrap_or_default()
}
