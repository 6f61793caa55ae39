//! Texts for the model.

use super::part::{BOUNDS, Merge, UNSUPPORTED, VALUES};
use crate::graph::KeywordValue;
use crate::lowering::NOTES;
use crate::sentence::with_sentences;

impl Merge<'_, '_> {
    /// Writes the texts for the model, and drops other annotations.
    pub(super) fn notes(&mut self) {
        for id in self.ids.clone().iter().copied() {
            let known = |word: &str| {
                BOUNDS.iter().any(|(own, ..)| *own == word)
                    || VALUES.iter().chain(UNSUPPORTED).any(|(own, _)| *own == word)
            };
            let dropped: Vec<String> = self
                .part(id)
                .keywords
                .iter()
                .map(|(word, _)| word.clone())
                .filter(|word| NOTES.contains(&word.as_str()) && !known(word))
                .filter(|word| !matches!(word.as_str(), "title" | "description" | "$comment"))
                .collect();
            for word in dropped {
                self.drop_keyword(id, &word);
            }
        }
        let note = |merge: &Self, word: &str| {
            let texts = merge.ids.iter().copied();
            let mut texts = texts.filter_map(|id| merge.part(id).json(word).map(str::to_owned));
            texts.next()
        };
        let title = note(self, "title");
        let mut description = note(self, "description");
        if self.lower.sentences && !self.sentences.is_empty() {
            description = Some(with_sentences(description.as_deref(), &self.sentences));
        }
        let notes = [("title", title), ("description", description)];
        let notes = notes.into_iter().filter_map(|(word, text)| Some((word, text?)));
        self.keywords
            .splice(1..1, notes.map(|(word, text)| (word.to_owned(), KeywordValue::Json(text))));
    }
}
