//! A command line that tools share.

use std::ops::Deref;
use std::sync::Arc;

use json_text::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::provenance::Sourced;

/// A command line: the program, then its arguments. The tools of a package share one
/// allocation, so that memory and time do not grow with arguments times tools:
/// [`is_plain`](Self::is_plain) is computed once per line, and a line is equal to itself
/// without a comparison.
#[derive(Clone, Debug)]
pub struct SharedArgv<'a>(Arc<ArgvData<'a>>);

#[derive(Debug)]
struct ArgvData<'a> {
    words: Box<[Sourced<Text<'a>>]>,
    is_plain: bool,
}

impl SharedArgv<'_> {
    /// Returns true if [`is_plain_argv`] holds for the whole line.
    pub fn is_plain(&self) -> bool {
        self.0.is_plain
    }

    /// Returns true if the line begins with all of `other`.
    pub fn begins_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.starts_with(other)
    }

    /// Returns the address in memory, which is equal for lines that share an allocation.
    pub fn memory_address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// Returns true if no argument contains NUL, which systems refuse, or `${`, which hosts
/// take for a template.
pub fn is_plain_argv(words: &[Sourced<Text<'_>>]) -> bool {
    words.iter().all(|word| !word.contains('\0') && !word.contains("${"))
}

/// Compares two lines or parts of lines. The same slice is equal without a comparison.
pub fn same_argv(one: &[Sourced<Text<'_>>], other: &[Sourced<Text<'_>>]) -> bool {
    std::ptr::eq(one, other) || one == other
}

impl<'a> From<Vec<Sourced<Text<'a>>>> for SharedArgv<'a> {
    fn from(words: Vec<Sourced<Text<'a>>>) -> Self {
        let is_plain = is_plain_argv(&words);
        Self(Arc::new(ArgvData { words: words.into(), is_plain }))
    }
}

impl<'a, const N: usize> From<[Sourced<Text<'a>>; N]> for SharedArgv<'a> {
    fn from(words: [Sourced<Text<'a>>; N]) -> Self {
        Vec::from(words).into()
    }
}

impl<'a> FromIterator<Sourced<Text<'a>>> for SharedArgv<'a> {
    fn from_iter<I: IntoIterator<Item = Sourced<Text<'a>>>>(words: I) -> Self {
        words.into_iter().collect::<Vec<_>>().into()
    }
}

impl Default for SharedArgv<'_> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<'a> Deref for SharedArgv<'a> {
    type Target = [Sourced<Text<'a>>];

    fn deref(&self) -> &Self::Target {
        &self.0.words
    }
}

impl PartialEq for SharedArgv<'_> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl Serialize for SharedArgv<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, 'a> Deserialize<'de> for SharedArgv<'a>
where
    Sourced<Text<'a>>: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into())
    }
}

#[cfg(feature = "schemars")]
impl<'a> schemars::JsonSchema for SharedArgv<'a> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Sourced<Text<'a>>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(texts: &[&'static str]) -> SharedArgv<'static> {
        texts.iter().map(|text| Sourced::from(Text::Borrowed(*text))).collect()
    }

    #[test]
    fn lines_are_the_same_by_their_words() {
        assert_eq!(words(&["a", "b"]), words(&["a", "b"]));
        assert_ne!(words(&["a", "b"]), words(&["a"]));
        let line = words(&["a"]);
        assert_eq!(line.memory_address(), line.clone().memory_address());
        assert_ne!(line.memory_address(), words(&["a"]).memory_address());
    }

    #[test]
    fn a_part_is_not_the_whole() {
        let line = words(&["a", "a"]);
        let [first, second] = [&line[..1], &line[1..]];
        assert!(same_argv(first, second) && same_argv(&line, &line));
        assert!(!same_argv(first, &line));
    }

    #[test]
    fn plain_words_are_no_templates() {
        assert!(words(&[]).is_plain() && words(&["a", "$", "{}", "$HOME"]).is_plain());
        assert!(!words(&["a", "${b}"]).is_plain());
        assert!(!words(&["a", "b\0"]).is_plain());
    }
}
