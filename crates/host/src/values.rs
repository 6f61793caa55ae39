//! Values of variables, collected for calls.
//!
//! They are held in memory and nowhere else. Nothing here prints, stores or sends one.

use std::collections::BTreeMap;
use std::fmt;

use call::Variable;

/// Values of variables, by name.
///
/// There is no way to print or to serialise a value: `Debug` shows names.
///
/// ```
/// use host::Values;
///
/// let mut values = Values::new();
/// values.set("API_KEY", "sk_live_1");
/// assert_eq!(values.get("API_KEY"), Some("sk_live_1"));
/// assert_eq!(format!("{values:?}"), r#"{"API_KEY": …}"#);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The values that the environment of this process has for these variables. One that is not
    /// UTF-8, or empty, is none.
    pub fn from_environment(variables: &[Variable]) -> Self {
        let mut values = Self::new();
        for variable in variables {
            match std::env::var(&variable.name) {
                Ok(value) if !value.is_empty() => values.set(&variable.name, value),
                _ => {}
            }
        }
        values
    }

    /// Sets the value of a variable.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Whether a variable has a value: what [`call::Facts`] asks for.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Puts the values of another in. Those of the other win.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Only the values of these variables.
    pub(crate) fn only<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let kept = names.into_iter().filter_map(|name| self.0.get_key_value(name));
        Self(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.keys().map(|name| (name, format_args!("…")))).finish()
    }
}
