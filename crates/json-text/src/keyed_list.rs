//! An ordered list of named entries.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Text;

/// Entries in order, each under its own name.
///
/// Serialized as a JSON object, so that a comparison aligns entries by name. In a list, an
/// inserted entry would make all later ones look changed.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedList<'a, T>(Vec<(Text<'a>, T)>);

impl<'a, T> KeyedList<'a, T> {
    /// Adds an entry and returns true, unless the name is already in use.
    pub fn insert(&mut self, name: Text<'a>, value: T) -> bool {
        let new = self.get(&name).is_none();
        if new {
            self.0.push((name, value));
        }
        new
    }

    /// Returns the entry of that name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value))
    }

    /// Returns the values in order, for changing them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Returns true if there are no entries.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a, T> IntoIterator for KeyedList<'a, T> {
    type Item = (Text<'a>, T);
    type IntoIter = std::vec::IntoIter<(Text<'a>, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> Default for KeyedList<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> FromIterator<(Text<'a>, T)> for KeyedList<'a, T> {
    fn from_iter<I: IntoIterator<Item = (Text<'a>, T)>>(entries: I) -> Self {
        // `insert` for each entry would take quadratic time, and the object may be hostile.
        let mut seen = BTreeSet::new();
        let entries = entries.into_iter().filter(|(name, _)| seen.insert(name.clone()));
        Self(entries.collect())
    }
}

impl<T: Serialize> Serialize for KeyedList<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for KeyedList<'_, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Vec<(Text<'static>, T)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, T>()? {
                    entries.push((Cow::Owned(name), value));
                }
                Ok(entries)
            }
        }

        let entries = deserializer.deserialize_map(Entries(PhantomData))?;
        Ok(entries.into_iter().collect())
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for KeyedList<'_, T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Keyed_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let value = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "object", "additionalProperties": value })
    }
}
