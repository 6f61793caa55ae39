//! Collecting environment variables from the owner of an agent.
//!
//! [`Collection`] is a small machine: ask it what is next, put its prompt to the
//! user, hand back the answer, until it is done. A value comes from the host's
//! overrides, else from its environment, else from the manifest's default, else
//! from the user. An empty text is no value, wherever it comes from.
//!
//! ```
//! use install_manifest::EnvVar;
//! use install_engine::env::{Collection, Next, Options, Reply};
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

use install_manifest::EnvVar;
use manifest_core::pattern::{Pattern, PatternError, PatternLimits};
use manifest_core::{Limits, Profile, Text, printable};
use serde::Serialize;

pub use crate::values::{Sensitive, Values};

/// How often a user is asked for one value.
const ATTEMPTS: usize = 3;

/// How values are collected.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether there is a user to ask.
    pub interactive: bool,
    /// Whose behaviour to follow. The published implementation matches a
    /// `validation_regex` against the whole value, takes an empty one for none,
    /// and uses the default of a secret.
    pub profile: Profile,
    /// Bounds on patterns and on what they are matched against.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { interactive: true, profile: Profile::Spec, limits: Limits::default() }
    }
}

/// Why values could not be collected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// There is no value, and nobody to ask.
    #[error("{name}: required and not provided in non-interactive mode")]
    Missing {
        /// The variable.
        name: String,
    },
    /// There is a value that does not match, and nobody to ask.
    #[error("{name}: value does not match expected pattern")]
    Mismatch {
        /// The variable.
        name: String,
    },
    /// The variable's pattern cannot be used.
    #[error("{name}: {error}")]
    Pattern {
        /// The variable.
        name: String,
        /// What is wrong with the pattern.
        error: PatternError,
    },
    /// The user was asked three times.
    #[error("{name}: too many invalid attempts ({ATTEMPTS})")]
    TooManyAttempts {
        /// The variable.
        name: String,
    },
    /// The user is gone.
    #[error("{name}: stdin closed")]
    Closed {
        /// The variable.
        name: String,
    },
    /// There was an answer, but no question.
    #[error("nothing was asked")]
    NotAsked,
}

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // the four places that are looked at
pub enum Source {
    /// The host gave it.
    Given,
    /// The environment has it.
    Environment,
    /// The manifest has it.
    Default,
    /// The user gave it.
    User,
}

impl Source {
    /// The word for it, for a record.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Environment => "environment",
            Self::Default => "default",
            Self::User => "user",
        }
    }
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Put this to the user, and [reply](Collection::reply).
    Ask(Prompt),
    /// All is collected.
    Done(Values),
}

/// What the user says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reply<'r> {
    /// This text, without the line break at its end.
    Text(&'r str),
    /// Nothing any more.
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

/// A question for the user. Printing gives the words to ask it with, safe for a
/// terminal; if it is secret, what the user types must not be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Prompt {
    /// The variable.
    pub name: String,
    /// What the manifest asks.
    pub text: String,
    /// Whether the value is secret.
    pub secret: bool,
    /// Whether the user may leave it out.
    pub optional: bool,
    /// Where to get a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<String>,
    /// The pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Which attempt this is, from one.
    pub attempt: usize,
    /// What was wrong with the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// What was wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Problem {
    /// There was none, and the tool needs one.
    Required,
    /// It does not match the pattern.
    Mismatch,
}

impl Prompt {
    fn new(variable: &EnvVar<'_>) -> Self {
        let owned = |text: &Option<Text<'_>>| text.as_ref().map(|text| text.clone().into_owned());
        Self {
            name: variable.name.clone().into_owned(),
            text: variable.prompt.clone().into_owned(),
            secret: variable.secret,
            optional: !variable.is_required(),
            obtain_url: owned(&variable.obtain_url),
            pattern: owned(&variable.validation_regex),
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
                let pattern = printable(self.pattern.as_deref().unwrap_or_default(), 256);
                writeln!(f, "  ! value does not match expected pattern ({pattern})")?;
            }
            None => {}
        }
        let optional = if self.optional { " [optional, blank to skip]" } else { "" };
        write!(f, "{}{optional}: ", printable(&self.text, 4096))
    }
}

/// Every question that a user may be asked, for a host that shows them all at
/// once. Variables with a default come without a question.
pub fn prompts(variables: &[EnvVar<'_>]) -> Vec<Prompt> {
    let asked = |variable: &&EnvVar<'_>| {
        variable.secret || variable.default.as_deref().unwrap_or_default().is_empty()
    };
    variables.iter().filter(asked).map(Prompt::new).collect()
}

/// Collects the values of a manifest's variables.
#[derive(Debug)]
pub struct Collection<'m> {
    variables: &'m [EnvVar<'m>],
    patterns: Vec<Option<Pattern>>,
    /// What is known of each variable before the user is asked.
    known: Vec<Option<(Sensitive, Source)>>,
    interactive: bool,
    index: usize,
    asked: Option<Prompt>,
    values: Values,
    sources: BTreeMap<String, Source>,
}

/// Something that has values, by name.
type Lookup<'s> = &'s dyn Fn(&str) -> Option<String>;

impl<'m> Collection<'m> {
    /// Begins a collection: with what the host overrides, and with the host's
    /// environment. Every pattern is compiled now, so a broken one asks nobody.
    pub fn new(
        variables: &'m [EnvVar<'m>],
        overrides: Lookup<'_>,
        environment: Lookup<'_>,
        options: &Options,
    ) -> Result<Self, EnvError> {
        let reference = options.profile == Profile::Reference;
        let patterns = variables
            .iter()
            .map(|variable| {
                let source = variable.validation_regex.as_deref();
                let source = source.filter(|source| !(reference && source.is_empty()));
                source.map(|source| compile(&variable.name, source, reference, &options.limits))
            })
            .map(Option::transpose)
            .collect::<Result<_, _>>()?;
        let given = |value: Option<String>| value.filter(|value| !value.is_empty());
        let known = variables.iter().map(|variable| {
            let default = variable.default.as_deref().filter(|_| reference || !variable.secret);
            let from = |source: Source| move |value: String| (value, source);
            let (value, source) = given(overrides(&variable.name))
                .map(from(Source::Given))
                .or_else(|| given(environment(&variable.name)).map(from(Source::Environment)))
                .or_else(|| given(default.map(str::to_owned)).map(from(Source::Default)))?;
            Some((sensitive(variable, value), source))
        });
        Ok(Self {
            variables,
            patterns,
            known: known.collect(),
            interactive: options.interactive,
            index: 0,
            asked: None,
            values: Values::default(),
            sources: BTreeMap::new(),
        })
    }

    /// Where the values came from that there are by now.
    pub fn sources(&self) -> &BTreeMap<String, Source> {
        &self.sources
    }

    /// What to do next. Asking again without a reply gives the same prompt.
    #[allow(clippy::should_implement_trait)] // it can fail, and does not end with `None`
    pub fn next(&mut self) -> Result<Next, EnvError> {
        while let Some(variable) = self.variables.get(self.index) {
            if let Some(prompt) = &self.asked {
                return Ok(Next::Ask(prompt.clone()));
            }
            let known = self.known.get_mut(self.index).and_then(Option::take);
            let name = || variable.name.clone().into_owned();
            match known {
                Some((value, source)) if self.accepts(value.expose()) => {
                    self.sources.insert(name(), source);
                    self.values.insert(name(), value);
                    self.index += 1;
                }
                Some(_) if !self.interactive => return Err(EnvError::Mismatch { name: name() }),
                None if !self.interactive && variable.is_required() => {
                    return Err(EnvError::Missing { name: name() });
                }
                None if !self.interactive => self.index += 1,
                _ => self.asked = Some(Prompt::new(variable)),
            }
        }
        Ok(Next::Done(self.values.clone()))
    }

    /// Takes the user's answer to the last prompt.
    pub fn reply(&mut self, reply: Reply<'_>) -> Result<(), EnvError> {
        let (Some(variable), Some(mut prompt)) =
            (self.variables.get(self.index), self.asked.take())
        else {
            return Err(EnvError::NotAsked);
        };
        let name = || variable.name.clone().into_owned();
        let Reply::Text(text) = reply else { return Err(EnvError::Closed { name: name() }) };
        let problem = match text {
            "" if !variable.is_required() => {
                self.index += 1;
                return Ok(());
            }
            "" => Problem::Required,
            text if self.accepts(text) => {
                self.sources.insert(name(), Source::User);
                self.values.insert(name(), sensitive(variable, text.to_owned()));
                self.index += 1;
                return Ok(());
            }
            _ => Problem::Mismatch,
        };
        if prompt.attempt >= ATTEMPTS {
            return Err(EnvError::TooManyAttempts { name: name() });
        }
        prompt.attempt += 1;
        prompt.problem = Some(problem);
        self.asked = Some(prompt);
        Ok(())
    }

    /// Whether a value can be one of the variable at hand. No variable holds a
    /// NUL, and what is too long to match does not match.
    fn accepts(&self, value: &str) -> bool {
        let pattern = self.patterns.get(self.index).and_then(Option::as_ref);
        let matches = pattern.is_none_or(|pattern| pattern.matches(value).unwrap_or(false));
        matches && !value.contains('\0')
    }
}

fn sensitive(variable: &EnvVar<'_>, value: String) -> Sensitive {
    if variable.secret { Sensitive::secret(value) } else { Sensitive::public(value) }
}

fn compile(name: &str, source: &str, whole: bool, limits: &Limits) -> Result<Pattern, EnvError> {
    let bounds = PatternLimits {
        source_bytes: limits.pattern_bytes,
        compiled_bytes: limits.pattern_compiled_bytes,
        nesting: limits.pattern_nesting,
        haystack_bytes: limits.pattern_haystack_bytes,
        ..PatternLimits::default()
    };
    let refused = |error| EnvError::Pattern { name: name.to_owned(), error };
    let pattern = Pattern::new(source, &bounds).map_err(refused)?;
    if !whole {
        return Ok(pattern);
    }
    // One more group, and a few more bytes.
    let bounds = PatternLimits {
        source_bytes: bounds.source_bytes + 8,
        nesting: bounds.nesting + 1,
        ..bounds
    };
    Pattern::new(&format!("^(?:{source})$"), &bounds).map_err(refused)
}
