//! The keys of secrets, missing secrets, and keys that two tools share by accident. The
//! values stay with the host.
//!
//! ```
//! use toolglot_jumith::secrets::{Naming, key, missing};
//!
//! assert_eq!(key("order_pizza", "dominos_password", Naming::Plain), "order_pizza-dominos_password");
//!
//! let stored = ["email.send-smtp_user"];
//! let prompts = missing("email.send", ["smtp_user", "smtp_pass"], Naming::Plain, |key| {
//!     stored.contains(&key)
//! });
//! assert_eq!(prompts[0].key, "email.send-smtp_pass");
//! assert_eq!(prompts[0].message, "email.send needs the secret \"smtp_pass\"");
//! ```

use std::collections::BTreeMap;
use std::fmt;

use manifest_core::{Diagnostic, Pointer, printable, quoted};

use crate::rules;

/// The scheme for the keys of secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Naming {
    /// `<tool>-<secret>`, as the specification requires.
    #[default]
    Plain,
    /// The same, but a secret with a dot in its name is shared by all tools:
    /// `shared-<secret>`. Newer versions of the published client do this.
    Shared,
}

/// Returns the key from which a tool reads a secret. `tool` is the name that the module
/// gives the tool.
pub fn key(tool: &str, secret: &str, naming: Naming) -> String {
    match naming {
        Naming::Shared if secret.contains('.') => format!("shared-{secret}"),
        _ => format!("{tool}-{secret}"),
    }
}

/// A question to the user for a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// The name of the secret in the manifest.
    pub secret: String,
    /// The key to store the answer under.
    pub key: String,
    /// The message to show, safe to print.
    pub message: String,
}

/// Returns the secrets that are not stored, in the order of the manifest, without
/// duplicates.
pub fn missing<'s>(
    tool: &str,
    secrets: impl IntoIterator<Item = &'s str>,
    naming: Naming,
    is_stored: impl Fn(&str) -> bool,
) -> Vec<Prompt> {
    let mut prompts: Vec<Prompt> = Vec::new();
    for secret in secrets {
        let key = key(tool, secret, naming);
        if is_stored(&key) || prompts.iter().any(|prompt| prompt.key == key) {
            continue;
        }
        let message = format!("{} needs the secret {}", printable(tool, 64), quoted(secret));
        prompts.push(Prompt { secret: secret.to_owned(), key, message });
    }
    prompts
}

/// The value of `context.env` for a tool. The `Debug` output shows only keys.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Iterates over keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Returns the environment of a tool: only its own secrets, with surrounding white space
/// trimmed. Fails with the missing secrets.
pub fn environment<'s>(
    tool: &str,
    secrets: impl IntoIterator<Item = &'s str> + Clone,
    naming: Naming,
    value: impl Fn(&str) -> Option<String>,
) -> Result<Environment, Vec<Prompt>> {
    let is_stored = |key: &str| value(key).is_some_and(|value| !value.trim().is_empty());
    let missing = missing(tool, secrets.clone(), naming, is_stored);
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut environment = Environment::default();
    for secret in secrets {
        let key = key(tool, secret, naming);
        if let Some(value) = value(&key) {
            environment.0.insert(key, value.trim().to_owned());
        }
    }
    Ok(environment)
}

/// Reports different secrets that have the same key. `tools` are names of tools with the
/// names of their secrets. Under [`Naming::Shared`], sharing a secret with a dot is
/// intended and not reported.
pub fn collisions<'s, S: IntoIterator<Item = &'s str>>(
    tools: impl IntoIterator<Item = (&'s str, S)>,
    naming: Naming,
) -> Vec<Diagnostic> {
    let mut taken: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    let mut found = Vec::new();
    for (tool, secrets) in tools {
        for secret in secrets {
            let key = key(tool, secret, naming);
            let first = *taken.entry(key.clone()).or_insert((tool, secret));
            let is_meant = first.1 == secret && (first.0 == tool || key.starts_with("shared-"));
            if !is_meant {
                let message = format!(
                    "{} of {} and {} of {} have the key {}",
                    quoted(first.1),
                    quoted(first.0),
                    quoted(secret),
                    quoted(tool),
                    quoted(&key)
                );
                found.push(rules::SECRET_COLLISION.at_pointer(Pointer::root(), message));
            }
        }
    }
    found
}

/// Returns the question to ask a person before a call, in one line that is safe to print.
/// The host's own words come first, so that the module's message cannot pass for them.
///
/// ```
/// let message = toolglot_jumith::secrets::approval_message("email.send", Some("Send to bob\u{1b}[2J?"));
/// assert_eq!(message, r#"Allow email.send to run? It says: Send to bob\u{1b}[2J?"#);
/// ```
pub fn approval_message(tool: &str, said: Option<&str>) -> String {
    let question = format!("Allow {} to run?", printable(tool, 128));
    match said.map(str::trim) {
        None | Some("") => question,
        Some(said) => format!("{question} It says: {}", printable(said, 1024)),
    }
}
