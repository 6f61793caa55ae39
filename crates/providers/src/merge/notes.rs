//! Texts for the model.

use super::part::{BOUNDS, Merge, OTHERS, VALUES};
use crate::graph::Word;
use crate::making::NOTES;
use crate::sentence::with_sentences;

impl Merge<'_, '_> {
    /// Writes the texts for the model, and drops other annotations.
    pub(super) fn notes(&mut self) {
        for id in self.ids.clone().iter().copied() {
            let known = |word: &str| {
                BOUNDS.iter().any(|(own, ..)| *own == word)
                    || VALUES.iter().chain(OTHERS).any(|(own, _)| *own == word)
            };
            let dropped: Vec<String> = self
                .part(id)
                .words
                .iter()
                .map(|(word, _)| word.clone())
                .filter(|word| NOTES.contains(&word.as_str()) && !known(word))
                .filter(|word| !matches!(word.as_str(), "title" | "description" | "$comment"))
                .collect();
            for word in dropped {
                self.drop(id, &word);
            }
        }
        let note = |merge: &Self, word: &str| {
            let texts = merge.ids.iter().copied();
            let mut texts = texts.filter_map(|id| merge.part(id).json(word).map(str::to_owned));
            texts.next()
        };
        let title = note(self, "title");
        let mut description = note(self, "description");
        if self.lower.sentences && !self.lost.is_empty() {
            description = Some(with_sentences(description.as_deref(), &self.lost));
        }
        let notes = [("title", title), ("description", description)];
        let notes = notes.into_iter().filter_map(|(word, text)| Some((word, text?)));
        self.words.splice(1..1, notes.map(|(word, text)| (word.to_owned(), Word::Json(text))));
    }
}
