//! Collects environment variables from the owner of an agent.
//!
//! [`Collection`] is a state machine: get the next prompt, show it to the user, pass on the
//! answer, and repeat until it is done. A value comes from the host's overrides, else from
//! its environment, else from the manifest's default, else from the user. An empty text
//! counts as a missing value.
//!
//! ```
//! use toolglot_install_manifest::EnvVar;
//! use toolglot_install_manifest::engine::env::{Collection, Next, Options, Reply};
//!
//! let variables = [EnvVar {
//!     name: "API_KEY".into(),
//!     prompt: "The key of your account".into(),
//!     secret: true,
//!     validation_regex: Some("^k-[0-9]+$".into()),
//!     ..EnvVar::default()
//! }];
//! let mut collection = Collection::new(&variables, &|_| None, &|_| None, &Options::default())?;
//! let Next::Ask(prompt) = collection.next()? else { return Err("a prompt".into()) };
//! assert_eq!(prompt.to_string(), "The key of your account: ");
//! assert!(prompt.secret);
//!
//! collection.reply(Reply::Text("oops"))?;
//! assert!(matches!(collection.next()?, Next::Ask(prompt) if prompt.attempt == 2));
//! collection.reply(Reply::Text("k-12"))?;
//! let Next::Done(values) = collection.next()? else { return Err("done".into()) };
//! assert_eq!(values.get("API_KEY").map(|value| value.expose()), Some("k-12"));
//! assert_eq!(format!("{values:?}"), r#"Values({"API_KEY": "<secret, 4 chars>"})"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use crate::EnvVar;
use crate::limits::pattern_limits;
use call::{MAX_ATTEMPTS, ValidValues};
use manifest_core::pattern::{Pattern, PatternError, PatternLimits};
use manifest_core::{Limits, Profile, Text, printable};
use serde::Serialize;

pub use crate::engine::values::{Sensitive, Values};

/// Options for collecting values.
#[derive(Clone, Debug)]
pub struct Options {
    /// True if there is a user to ask.
    pub interactive: bool,
    /// The profile. The reference profile behaves like the published implementation: it
    /// matches a `validation_regex` against the whole value, ignores an empty one, and uses
    /// the default of a secret.
    pub profile: Profile,
    /// Limits on patterns and on the values that they are matched against.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { interactive: true, profile: Profile::Spec, limits: Limits::default() }
    }
}

/// The reason why values could not be collected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// A required value is missing, and there is no user to ask.
    #[error("{name}: required and not provided in non-interactive mode")]
    Missing {
        /// The variable.
        name: String,
    },
    /// A value does not match its pattern, and there is no user to ask.
    #[error("{name}: value does not match expected pattern")]
    Mismatch {
        /// The variable.
        name: String,
    },
    /// The pattern of the variable cannot be used.
    #[error("{name}: {error}")]
    Pattern {
        /// The variable.
        name: String,
        /// The problem with the pattern.
        error: PatternError,
    },
    /// The user gave three invalid answers.
    #[error("{name}: too many invalid attempts ({MAX_ATTEMPTS})")]
    TooManyAttempts {
        /// The variable.
        name: String,
    },
    /// The input of the user was closed.
    #[error("{name}: stdin closed")]
    Closed {
        /// The variable.
        name: String,
    },
    /// A reply came without a prompt.
    #[error("nothing was asked")]
    NotAsked,
}

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The host's overrides.
    Given,
    /// The host's environment.
    Environment,
    /// The manifest's default.
    Default,
    /// The user's answer.
    User,
}

impl Source {
    /// Returns the name of the source, for a record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Environment => "environment",
            Self::Default => "default",
            Self::User => "user",
        }
    }
}

/// The next action of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Show this prompt to the user, and call [`reply`](Collection::reply).
    Ask(Prompt),
    /// All values are collected.
    Done(Values),
}

/// The user's reply to a prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reply<'r> {
    /// A text, without the line break at its end.
    Text(&'r str),
    /// The input was closed.
    Closed,
}

impl fmt::Debug for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "Text(…)",
            Self::Closed => "Closed",
        })
    }
}

/// A question for the user. `Display` writes it escaped for a terminal. If the value is
/// secret, the user's input must not be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Prompt {
    /// The name of the variable.
    pub name: String,
    /// The question that the manifest declares.
    pub text: String,
    /// True if the value is secret.
    pub secret: bool,
    /// True if the user may omit the value.
    pub optional: bool,
    /// The URL to get a value from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<String>,
    /// The pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The number of the attempt, from one.
    pub attempt: usize,
    /// The problem with the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// A problem with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Problem {
    /// The answer is empty, but the tool requires a value.
    Required,
    /// The answer does not match the pattern.
    Mismatch,
}

impl Prompt {
    fn new(variable: &EnvVar<'_>) -> Self {
        Self {
            name: variable.name.to_string(),
            text: variable.prompt.to_string(),
            secret: variable.secret,
            optional: !variable.is_required(),
            obtain_url: variable.obtain_url.as_ref().map(Text::to_string),
            pattern: variable.validation_regex.as_ref().map(Text::to_string),
            attempt: 1,
            problem: None,
        }
    }
}

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            Some(Problem::Required) => writeln!(f, "  ! value is required")?,
            Some(Problem::Mismatch) => {
                let pattern = printable(self.pattern.as_deref().unwrap_or(""), 256);
                writeln!(f, "  ! value does not match expected pattern ({pattern})")?;
            }
            None => {}
        }
        let optional = if self.optional { " [optional, blank to skip]" } else { "" };
        write!(f, "{}{optional}: ", printable(&self.text, 4096))
    }
}

/// Returns a prompt for each variable, for a host that shows all of them at once. A
/// variable with a default has no prompt, unless it is secret.
pub fn prompts(variables: &[EnvVar<'_>]) -> Vec<Prompt> {
    let mut prompts = Vec::new();
    for variable in variables {
        let has_default = variable.default.as_ref().is_some_and(|default| !default.is_empty());
        if variable.secret || !has_default {
            prompts.push(Prompt::new(variable));
        }
    }
    prompts
}

/// Collects the values of a manifest's variables.
#[derive(Debug)]
pub struct Collection<'m> {
    variables: &'m [EnvVar<'m>],
    valid: Vec<ValidValues>,
    /// The values that are known before the user is asked.
    known: Vec<Option<(Sensitive, Source)>>,
    interactive: bool,
    index: usize,
    prompt: Option<Prompt>,
    values: Values,
    sources: BTreeMap<String, Source>,
}

/// A lookup of values by name.
type Lookup<'s> = &'s dyn Fn(&str) -> Option<String>;

impl<'m> Collection<'m> {
    /// Starts a collection with the host's overrides and environment. All patterns are
    /// compiled now, so that an invalid one fails before the user is asked.
    pub fn new(
        variables: &'m [EnvVar<'m>],
        overrides: Lookup<'_>,
        environment: Lookup<'_>,
        options: &Options,
    ) -> Result<Self, EnvError> {
        let reference = options.profile == Profile::Reference;
        let (mut valid, mut known) = (Vec::new(), Vec::new());
        for variable in variables {
            valid.push(valid_values(variable, reference, &options.limits)?);
            // The default of a secret is not used.
            let default = variable.default.as_deref().filter(|_| reference || !variable.secret);
            let mut first = None;
            for source in [Source::Given, Source::Environment, Source::Default] {
                let value = match source {
                    Source::Given => overrides(&variable.name),
                    Source::Environment => environment(&variable.name),
                    Source::Default | Source::User => default.map(str::to_owned),
                };
                if let Some(value) = value
                    && !value.is_empty()
                {
                    first = Some((to_sensitive(variable, value), source));
                    break;
                }
            }
            known.push(first);
        }
        Ok(Self {
            variables,
            valid,
            known,
            interactive: options.interactive,
            index: 0,
            prompt: None,
            values: Values::default(),
            sources: BTreeMap::new(),
        })
    }

    /// Returns the sources of the values that were collected so far.
    pub fn sources(&self) -> &BTreeMap<String, Source> {
        &self.sources
    }

    /// Returns the next action. Without a reply in between, it returns the same prompt
    /// again.
    #[allow(clippy::should_implement_trait)] // it can fail, and never returns `None`
    pub fn next(&mut self) -> Result<Next, EnvError> {
        while let Some(variable) = self.variables.get(self.index) {
            if let Some(prompt) = &self.prompt {
                return Ok(Next::Ask(prompt.clone()));
            }
            let known = self.known.get_mut(self.index).and_then(Option::take);
            match known {
                Some((value, source)) if self.accepts(value.expose()) => self.keep(value, source),
                _ if self.interactive => self.prompt = Some(Prompt::new(variable)),
                Some(_) => return Err(EnvError::Mismatch { name: variable.name.to_string() }),
                None if variable.is_required() => {
                    return Err(EnvError::Missing { name: variable.name.to_string() });
                }
                None => self.index += 1,
            }
        }
        Ok(Next::Done(self.values.clone()))
    }

    /// Processes the user's reply to the last prompt.
    pub fn reply(&mut self, reply: Reply<'_>) -> Result<(), EnvError> {
        let (Some(variable), Some(mut prompt)) =
            (self.variables.get(self.index), self.prompt.take())
        else {
            return Err(EnvError::NotAsked);
        };
        let Reply::Text(text) = reply else {
            return Err(EnvError::Closed { name: variable.name.to_string() });
        };
        let problem = match text {
            "" if !variable.is_required() => {
                self.index += 1;
                return Ok(());
            }
            "" => Problem::Required,
            text if self.accepts(text) => {
                self.keep(to_sensitive(variable, text.to_owned()), Source::User);
                return Ok(());
            }
            _ => Problem::Mismatch,
        };
        if prompt.attempt >= MAX_ATTEMPTS {
            return Err(EnvError::TooManyAttempts { name: variable.name.to_string() });
        }
        prompt.attempt += 1;
        prompt.problem = Some(problem);
        self.prompt = Some(prompt);
        Ok(())
    }

    /// Returns true if the current variable can have this value. A value that contains a
    /// NUL, or is too long to match, is not accepted.
    fn accepts(&self, value: &str) -> bool {
        match self.valid.get(self.index) {
            Some(valid) => valid.contains(value).unwrap_or(false),
            None => false,
        }
    }

    /// Stores the value of the current variable, and continues with the next one.
    fn keep(&mut self, value: Sensitive, source: Source) {
        if let Some(variable) = self.variables.get(self.index) {
            self.sources.insert(variable.name.to_string(), source);
            self.values.insert(variable.name.to_string(), value);
        }
        self.index += 1;
    }
}

fn to_sensitive(variable: &EnvVar<'_>, value: String) -> Sensitive {
    if variable.secret { Sensitive::secret(value) } else { Sensitive::public(value) }
}

/// Returns the values that a variable can have. The reference profile matches the pattern
/// against the whole value, and ignores an empty one.
fn valid_values(
    variable: &EnvVar<'_>,
    reference: bool,
    limits: &Limits,
) -> Result<ValidValues, EnvError> {
    let bounds = pattern_limits(limits);
    let compiled = match variable.validation_regex.as_deref() {
        Some("") if reference => ValidValues::new(None, &bounds),
        Some(source) if reference => {
            // The wrapped pattern needs one more group and a few more bytes.
            let wrapped = PatternLimits {
                source_bytes: bounds.source_bytes + 8,
                nesting: bounds.nesting + 1,
                ..bounds
            };
            Pattern::new(source, &bounds)
                .and_then(|_| ValidValues::new(Some(&format!("^(?:{source})$")), &wrapped))
        }
        source => ValidValues::new(source, &bounds),
    };
    compiled.map_err(|error| EnvError::Pattern { name: variable.name.to_string(), error })
}
