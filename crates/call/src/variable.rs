//! The variables of a tool: the ones that a step needs, and collecting their values.
//!
//! The rules are here: which values are needed, whose value counts, which values are valid,
//! and how often a person is asked. Hosts only know the places to look.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;

use diagnostic::quoted;
use json_schema::pattern::{Pattern, PatternError, PatternLimits};
use json_text::Text;
use manifest_core::descriptor::EnvVar;
use manifest_core::format::HostRules;
use manifest_core::{Sourced, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::step::Step;

/// The number of times that a person is asked for one value.
pub const MAX_ATTEMPTS: usize = 3;

/// A variable that a call needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// True if its value must never be shown.
    pub secret: bool,
    /// True if the call requires a value.
    pub required: bool,
    /// The question for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The ECMAScript pattern of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The value if the person gives none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The URL where a person can get a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<String>,
    /// A reference to the stored value, for example `vault://kv/github#token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl Variable {
    /// Returns true if a call cannot be made unless someone gives a value.
    pub const fn needs_value(&self) -> bool {
        self.required && self.default.is_none()
    }

    /// Returns the variables that a step needs, as the tool declares them.
    pub(crate) fn of_step(tool: &ToolDescriptor<'_>, rules: &HostRules, step: &Step) -> Vec<Self> {
        let declared: BTreeMap<&str, &EnvVar<'_>> =
            tool.package.env.iter().map(|variable| (variable.name.as_ref(), variable)).collect();
        let in_text: BTreeSet<&str> = step.placeholders().into_iter().collect();
        let mut variables = Vec::new();
        for name in step.variables() {
            let Some(found) = declared.get(name) else { continue };
            variables.push(Self {
                name: name.to_owned(),
                secret: found.is_secret(),
                // Without the value, the text would mean something else.
                required: rules.requires(found) || in_text.contains(name),
                prompt: to_text(found.prompt.as_ref()),
                pattern: to_text(found.pattern.as_ref()),
                default: to_text(found.default.as_ref()),
                obtain_url: to_text(found.obtain_url.as_ref()),
                reference: to_text(found.reference.as_ref()),
            });
        }
        variables
    }
}

fn to_text(text: Option<&Sourced<Text<'_>>>) -> Option<String> {
    text.map(|text| text.to_string())
}

/// Asks a person for the values of variables.
pub trait AskValue {
    /// Returns the value of a variable, or `None` if the person has none or cannot be
    /// asked. `before` is the problem with the previous value. A secret must never be
    /// shown, not even while it is typed.
    fn ask(&mut self, variable: &Variable, before: Option<&ValueError>) -> Option<String>;
}

/// A variable that has no valid value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VariableError {
    /// The name of the variable.
    pub name: String,
    /// The problem with its value.
    pub error: ValueError,
    /// Where to get a value, if the manifest declares it.
    pub obtain_url: Option<String>,
}

impl std::error::Error for VariableError {}

/// The variables of a call that have no valid value. Displays one line for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableErrors(Vec<VariableError>);

impl Deref for VariableErrors {
    type Target = [VariableError];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl IntoIterator for VariableErrors {
    type Item = VariableError;
    type IntoIter = std::vec::IntoIter<VariableError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for VariableErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let before = if index == 0 { "" } else { "\n" };
            write!(f, "{before}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VariableErrors {}

/// A problem with a value. It never contains the value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// There is no value.
    Missing,
    /// The value does not match this pattern.
    Mismatch(String),
    /// The pattern of the manifest cannot be used, for this reason.
    Pattern(String),
    /// The value contains a NUL, which no environment and no header can carry.
    Nul,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("has no value"),
            Self::Mismatch(pattern) => {
                write!(f, "has a value that does not match {}", quoted(pattern))
            }
            Self::Pattern(why) => write!(f, "has a pattern that cannot be used: {why}"),
            Self::Nul => f.write_str("has a value with a NUL in it"),
        }
    }
}

impl std::error::Error for ValueError {}

impl From<PatternError> for ValueError {
    fn from(error: PatternError) -> Self {
        Self::Pattern(error.to_string())
    }
}

impl fmt::Display for VariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", quoted(&self.name), self.error)?;
        match &self.obtain_url {
            Some(url) => write!(f, "; get one at {}", quoted(url)),
            None => Ok(()),
        }
    }
}

/// The values that a variable can have: texts without NUL that match its pattern, if it has
/// one.
#[derive(Debug)]
pub struct ValidValues(Option<Pattern>);

impl ValidValues {
    /// Compiles the pattern of a variable.
    pub fn new(pattern: Option<&str>, limits: &PatternLimits) -> Result<Self, PatternError> {
        match pattern {
            Some(source) => Ok(Self(Some(Pattern::new(source, limits)?))),
            None => Ok(Self(None)),
        }
    }

    /// Returns true if a variable can have this value. Fails if the value is too long to
    /// match.
    pub fn contains(&self, value: &str) -> Result<bool, PatternError> {
        let matches = match &self.0 {
            Some(pattern) => pattern.matches(value)?,
            None => true,
        };
        Ok(matches && !value.contains('\0'))
    }
}

/// Returns the values of a plan's variables. Each is the given value, or else the default.
/// A person is asked for required values that have neither. Fails with all problems at
/// once.
///
/// ```
/// use toolglot_call::{ValueError, Variable, collect_values};
///
/// let key: Variable = serde_json::from_str(
///     r#"{"name": "KEY", "secret": true, "required": true, "pattern": "^sk_"}"#,
/// )?;
/// let problems = collect_values(&[key], &|_| Some("pk_1"), None).unwrap_err();
/// assert_eq!(problems[0].error, ValueError::Mismatch("^sk_".to_owned()));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn collect_values<'v>(
    variables: &[Variable],
    given: &dyn Fn(&str) -> Option<&'v str>,
    mut ask: Option<&mut dyn AskValue>,
) -> Result<Vec<(String, String)>, VariableErrors> {
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for variable in variables {
        let known = given(&variable.name).or(variable.default.as_deref());
        let value = match (known, &mut ask) {
            (Some(value), _) => check_value(variable, value),
            (None, Some(ask)) if variable.required => ask_until_valid(variable, *ask),
            (None, _) if variable.required => Err(ValueError::Missing),
            (None, _) => continue,
        };
        match value {
            Ok(value) => values.push((variable.name.clone(), value)),
            Err(error) => problems.push(VariableError {
                name: variable.name.clone(),
                error,
                obtain_url: variable.obtain_url.clone(),
            }),
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(VariableErrors(problems)) }
}

fn ask_until_valid(variable: &Variable, ask: &mut dyn AskValue) -> Result<String, ValueError> {
    let mut problem = None;
    for _ in 0..MAX_ATTEMPTS {
        let Some(value) = ask.ask(variable, problem.as_ref()) else { break };
        match check_value(variable, &value) {
            Ok(value) => return Ok(value),
            // Asking again does not help.
            Err(ValueError::Pattern(why)) => return Err(ValueError::Pattern(why)),
            Err(error) => problem = Some(error),
        }
    }
    Err(problem.unwrap_or(ValueError::Missing))
}

/// Returns the value if it is valid for this variable.
fn check_value(variable: &Variable, value: &str) -> Result<String, ValueError> {
    if value.contains('\0') {
        return Err(ValueError::Nul);
    }
    let valid = ValidValues::new(variable.pattern.as_deref(), &PatternLimits::default())?;
    match (valid.contains(value)?, &variable.pattern) {
        (false, Some(pattern)) => Err(ValueError::Mismatch(pattern.clone())),
        _ => Ok(value.to_owned()),
    }
}
