//! Writes an edit into the source's text.
//!
//! The descriptors without and with the edit are written in the source's own format, which
//! gives the texts `was` and `is`. The difference between them is applied to the source's
//! text.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, Report, ok_or_bug};
use json_text::{self, Document, MergeOptions, Node, ParsedEntries, merge};
use manifest_core::descriptor::LiftedDocument;
use manifest_core::format::{Context, Defaults, Derivation, Records, lower};
use manifest_core::rules;

use crate::ledger::Ledger;
use crate::revert::revert_faulty_edits;
use crate::session::RestoreSession;

impl RestoreSession<'_> {
    /// Applies the difference between `was` and `is` to the source's text. Edits that make
    /// the source invalid are reverted. Returns the text, its tape, and whether every edit
    /// was kept.
    pub(crate) fn patch_source(
        &self,
        was: &Document<'_>,
        mut is: String,
    ) -> Result<(String, ParsedEntries, bool), Report> {
        let limits = &self.options.limits;
        let options = MergeOptions { keys: self.from.keys, partial: true };
        for turn in 0..MAX_REVERTS {
            let wanted =
                Document::parse(is.as_bytes(), json_text::Limits::none()).map_err(Report::from)?;
            let text = merge(self.source, was.root(), wanted.root(), &options).text;
            let restored = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
            let tape = restored.tape();
            let Err(report) = self.from.lift(&restored, limits) else {
                return Ok((text, tape, turn == 0));
            };
            let keys = self.from.keys;
            let Some(less) = revert_faulty_edits(&report, &restored, was, &wanted, keys) else {
                return Err(report);
            };
            is = less;
        }
        let wanted =
            Document::parse(is.as_bytes(), json_text::Limits::none()).map_err(Report::from)?;
        let text = merge(self.source, was.root(), wanted.root(), &options).text;
        let restored = Document::parse(text.as_bytes(), limits).map_err(Report::from)?;
        self.from.lift(&restored, limits)?;
        let tape = restored.tape();
        Ok((text, tape, false))
    }

    /// Drops values the format made us invent from the new text, and restores unread source
    /// values that the edit overwrites in the old one. Both texts have the same tools. The
    /// old text is returned only if it changes.
    pub(crate) fn strip_invented(
        &self,
        was: &Document<'_>,
        is: String,
        records: Records,
    ) -> Result<(String, Option<String>), Diagnostic> {
        let now = Document::parse(is.as_bytes(), json_text::Limits::none())?;
        let made_up = |how: Derivation| !how.keeps_meaning();
        let made_up = Ledger { records }.target_values(0, &now, made_up);
        let made_up = made_up.into_iter().map(|(_, node)| node.index()).collect();
        let mut differences = Corrections {
            invented: made_up,
            new_text_edits: Vec::new(),
            old_text_edits: Vec::new(),
        };
        let mut open = vec![(was.root(), now.root(), Some(self.source.root()))];
        while let Some((was, now, source)) = open.pop() {
            differences.compare(was, now, source, &mut open);
        }
        let made = |document: &Document<'_>, edits: &[json_text::Edit]| {
            Some(edits)
                .filter(|edits| !edits.is_empty())
                .and_then(|edits| ok_or_bug(json_text::apply(document, edits)))
        };
        let unread = made(was, &differences.old_text_edits);
        let said = made(&now, &differences.new_text_edits);
        Ok((said.unwrap_or(is), unread))
    }

    /// Writes descriptors in the source's own format. Fails unless the result is one
    /// document.
    pub(crate) fn write_own_format(
        &self,
        lifted: &LiftedDocument<'_>,
        sources: &[&Document<'_>],
    ) -> Result<(String, Records), Diagnostic> {
        let context = Context {
            format: self.from,
            sources,
            same_format: true,
            version: self.from.version_of(self.source),
            defaults: &Defaults::default(),
            accept: &BTreeSet::new(),
            digest: &self.digest,
            as_list: lifted.is_list,
            budget: self.options.limits.work,
        };
        let (documents, records) = lower(lifted, context, false)?;
        let mut texts = documents.into_iter().map(|document| document.text);
        if let (Some(text), None) = (texts.next(), texts.next()) {
            return Ok((text, records));
        }
        let message = "the source is one document, and the edit would make it another number";
        Err(rules::CONFLICT.at_pointer(Pointer::root(), message))
    }
}

/// A value without the edit, with the edit, and in the source.
type ValueVersions<'d> = (Node<'d>, Node<'d>, Option<Node<'d>>);

/// The corrections of the texts without and with the edit.
struct Corrections {
    /// Entries of the new text that were invented: they are neither native nor equivalent.
    invented: BTreeSet<u32>,
    new_text_edits: Vec<json_text::Edit>,
    old_text_edits: Vec<json_text::Edit>,
}

impl Corrections {
    fn compare<'d>(
        &mut self,
        was: Node<'d>,
        now: Node<'d>,
        source: Option<Node<'d>>,
        open: &mut Vec<ValueVersions<'d>>,
    ) {
        if self.invented.contains(&now.index()) {
            if !was.same_value(now) {
                self.new_text_edits.push(json_text::Edit::Set(now.pointer(), was.raw().to_owned()));
            }
        } else if was.is_object() && now.is_object() {
            self.compare_members(was, now, source.filter(|source| source.is_object()), open);
        } else if was.is_array() && now.is_array() {
            let source = source.into_iter().flat_map(Node::elements).map(Some);
            let source = source.chain(std::iter::repeat(None));
            let pairs = was.elements().zip(now.elements()).zip(source);
            open.extend(pairs.map(|((was, now), source)| (was, now, source)));
        }
    }

    fn compare_members<'d>(
        &mut self,
        was: Node<'d>,
        now: Node<'d>,
        source: Option<Node<'d>>,
        open: &mut Vec<ValueVersions<'d>>,
    ) {
        let (old, new) = (was.index_members(), now.index_members());
        let own = source.map(Node::index_members);
        let own = |name: &str| own.as_ref().and_then(|own| own.get(name));
        for member in now.members() {
            let name = member.name();
            match (old.get(&name), own(&name)) {
                (Some(was), own) => open.push((was, member.value, own)),
                (None, _) if self.is_invented(member.value) => {
                    self.new_text_edits.push(json_text::Edit::Remove(member.value.pointer()));
                }
                // The source has a scalar or an empty list here that was not read. The edit
                // replaces it if the old text contains it.
                (None, Some(own)) if is_leaf(own) => {
                    let at = was.pointer().push(&name);
                    self.old_text_edits.push(json_text::Edit::Insert(at, own.raw().to_owned()));
                }
                (None, _) => {}
            }
        }
        // If the last value that was read from an object is removed, its unread members
        // stay.
        for member in was.members().filter(|member| member.value.is_object()) {
            let name = member.name();
            let more = |own: Node<'_>| own.members().count() > member.value.members().count();
            if new.get(&name).is_none() && own(&name).is_some_and(more) {
                self.new_text_edits
                    .push(json_text::Edit::Insert(now.pointer().push(&name), "{}".to_owned()));
            }
        }
    }

    /// Returns true if everything inside a value was invented.
    fn is_invented(&self, value: Node<'_>) -> bool {
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            if self.invented.contains(&node.index()) {
                continue;
            }
            if is_leaf(node) {
                return false;
            }
            open.extend(node.elements().chain(node.members().map(|member| member.value)));
        }
        true
    }
}

/// Returns true if a value has neither members nor elements.
fn is_leaf(value: Node<'_>) -> bool {
    value.members().next().is_none() && value.elements().next().is_none()
}

/// How often edits that the source's format rejects are reverted.
const MAX_REVERTS: usize = 4;
