//! The provenance of values.
//!
//! A field of a descriptor is a value together with the entry that it was read from.
//! Nothing is reconstructed afterwards: lowering names the fields that a value came from,
//! and they know their places.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use json_text::{Node, Text};

/// An entry of a document: one value in its text.
///
/// Comparisons ignore the influences in [`Place::influence`].
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of the document: zero is the source, the others are edited targets.
    pub document: u16,
    /// The index of the entry in the document.
    pub entry: u32,
    /// True if the value is the entry's own, as written. A number of milliseconds that was
    /// read from seconds is not exact.
    pub exact: bool,
    /// The other entries that influenced the value.
    pub influence: InfluenceId,
}

/// An index into [`Influences`]: the entries that affected a value without being it. Examples
/// are a reference to a setting, and the kind of a package, which decides how its name and
/// version are combined.
#[derive(Clone, Copy, Debug, Default)]
pub struct InfluenceId(u32);

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let own = (self.document, self.entry, self.exact);
        own.cmp(&(other.document, other.entry, other.exact))
    }
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.document, self.entry, self.exact).hash(state);
    }
}

impl Place {
    /// Returns the place of a value that is read as it is written.
    pub fn at(document: u16, node: Node<'_>) -> Self {
        Self { document, entry: node.index(), exact: true, influence: InfluenceId::default() }
    }

    /// Returns the place of another value of the same document.
    #[must_use]
    pub fn with_node(self, node: Node<'_>) -> Self {
        Self { entry: node.index(), ..self }
    }

    /// Returns the place of a part of this value, given its node in a document of this
    /// value alone. Entries have the same order in both documents, so their indices can be
    /// added.
    pub(crate) fn nested(self, node: Node<'_>) -> Self {
        Self { entry: self.entry.saturating_add(node.index()), ..self }
    }
}

/// A value, and the place that it was read from.
///
/// Two are equal if their values are equal. A value built by hand has no place.
///
/// ```
/// use toolglot_manifest_core::Sourced;
///
/// let built = Sourced::from(7);
/// assert_eq!(built.at, None);
/// assert_eq!(*built, 7);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// The place that the value was read from, if there is one.
    pub at: Option<Place>,
}

impl<T> Sourced<T> {
    /// Converts the value, and keeps its place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: change(self.value), at: self.at }
    }

    /// Sets the influences of the value's place.
    #[must_use]
    pub fn with_influence(self, by: InfluenceId) -> Self {
        Self { at: self.at.map(|at| Place { influence: by, ..at }), ..self }
    }
}

impl<T> From<T> for Sourced<T> {
    fn from(value: T) -> Self {
        Self { value, at: None }
    }
}

/// For descriptors that are built by hand.
impl<'a> From<&'a str> for Sourced<Text<'a>> {
    fn from(text: &'a str) -> Self {
        Self { value: Text::Borrowed(text), at: None }
    }
}

impl<T> Deref for Sourced<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Sourced<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Sourced<T> {}

impl<T: Serialize> Serialize for Sourced<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Sourced<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Sourced<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<T>()
    }
}

/// The influences in a document: entries that affect values read from other entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Influences(Vec<Influence>);

/// A group of entries that influence a value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Influence {
    entries: Vec<u32>,
    /// True if removing any one of the entries leaves the value unchanged.
    joint: bool,
}

impl Influences {
    /// Adds a group of entries, and returns its index for the places of the values that it
    /// affects.
    pub(crate) fn add(&mut self, entries: Vec<u32>, joint: bool) -> InfluenceId {
        self.0.push(Influence { entries, joint });
        // Index 0 means no influences. Limits keep the number of entries far below this.
        InfluenceId(u32::try_from(self.0.len()).unwrap_or(0))
    }

    fn influence_at(&self, place: &Place) -> Option<&Influence> {
        self.0.get((place.influence.0 as usize).checked_sub(1)?)
    }

    /// Returns the entries that influenced the value at a place, except the place's own
    /// entry.
    pub fn entries_at(&self, place: &Place) -> &[u32] {
        match self.influence_at(place) {
            Some(influence) => &influence.entries,
            None => &[],
        }
    }

    /// Returns true if removing any one of those entries leaves the value at a place
    /// unchanged.
    pub fn is_joint(&self, place: &Place) -> bool {
        self.influence_at(place).is_some_and(|influence| influence.joint)
    }
}

/// The set of a document's entries that were read into fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// Marks the entries from `first` up to, but not including, `end`.
    pub(crate) fn set(&mut self, first: u32, end: u32) {
        if first >= end {
            return;
        }
        let words = (end as usize).div_ceil(64);
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
        let (first, end) = (first as usize, end as usize);
        for (index, word) in self.0.iter_mut().enumerate().take(words).skip(first / 64) {
            let base = index * 64;
            let low = first.saturating_sub(base);
            let high = (end - base).min(64);
            let ones = u64::MAX >> (64 - (high - low));
            *word |= ones << low;
        }
    }

    /// Returns true if a value of the document was read.
    pub fn has_node(&self, node: Node<'_>) -> bool {
        self.has(node.index())
    }

    /// Returns true if an entry was read.
    pub fn has(&self, entry: u32) -> bool {
        self.0.get(entry as usize / 64).is_some_and(|word| word >> (entry % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn marks_are_what_was_set() {
        for (first, end) in [(0, 1), (0, 64), (63, 65), (64, 128), (5, 200), (127, 128)] {
            let mut marks = Marks::default();
            marks.set(first, end);
            for entry in 0..260 {
                assert_eq!(marks.has(entry), (first..end).contains(&entry), "{first} {end}");
            }
        }
    }
}
