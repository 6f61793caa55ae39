//! Values of variables, collected for calls.
//!
//! They are held in memory only. This module prints, stores and sends none of them.

use std::collections::BTreeMap;
use std::fmt;

use call::{AskValue, Variable, VariableErrors, collect_values};

/// Values of variables, by name.
///
/// A value cannot be printed or serialised: `Debug` shows names only.
///
/// ```
/// use toolglot_host::Values;
///
/// let mut values = Values::new();
/// values.set("API_KEY", "sk_live_1");
/// assert_eq!(values.get("API_KEY"), Some("sk_live_1"));
/// assert_eq!(format!("{values:?}"), r#"{"API_KEY": …}"#);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads these variables from the environment of this process. Values that are empty or
    /// not UTF-8 are skipped.
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

    /// Returns the value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns true if a variable has a value. [`call::HostFacts`] needs this.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Adds the values of `other`, which override those of the same name.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns only the values of these variables.
    pub(crate) fn subset<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut subset = Self::new();
        for name in names {
            if let Some(value) = self.get(name) {
                subset.set(name, value);
            }
        }
        subset
    }
}

/// Returns the values of a plan's variables: see [`collect_values`].
pub fn collect(
    variables: &[Variable],
    given: &Values,
    ask: Option<&mut dyn AskValue>,
) -> Result<Values, VariableErrors> {
    let values = collect_values(variables, &|name| given.get(name), ask)?;
    Ok(Values(values.into_iter().collect()))
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.keys().map(|name| (name, format_args!("…")))).finish()
    }
}
