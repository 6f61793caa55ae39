//! Collects the values that a call needs, or all problems with them.

use std::fmt;

use call::Variable;
use diagnostic::quoted;
use json_schema::pattern::{Pattern, PatternLimits};

use crate::values::Values;

/// How often a person is asked for one value.
const MAX_ATTEMPTS: usize = 3;

/// Asks a person for values.
pub trait Ask {
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

impl fmt::Display for VariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", quoted(&self.name), self.error)?;
        match &self.obtain_url {
            Some(url) => write!(f, "; get one at {}", quoted(url)),
            None => Ok(()),
        }
    }
}

/// Returns the values of a plan's variables. Each is the given value, or else the default.
/// A person is asked for required values that have neither. Fails with all problems at
/// once.
///
/// ```
/// use call::Variable;
/// use host::{Values, ValueError, collect};
///
/// let key: Variable = serde_json::from_str(
///     r#"{"name": "KEY", "secret": true, "required": true, "pattern": "^sk_"}"#,
/// )?;
/// let mut given = Values::new();
/// given.set("KEY", "pk_1");
/// let problems = collect(&[key], &given, None).unwrap_err();
/// assert_eq!(problems[0].error, ValueError::Mismatch("^sk_".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collect(
    variables: &[Variable],
    given: &Values,
    mut ask: Option<&mut dyn Ask>,
) -> Result<Values, Vec<VariableError>> {
    let (mut values, mut problems) = (Values::new(), Vec::new());
    for variable in variables {
        let asks = variable.required && variable.default.is_none();
        let value = match (given.get(&variable.name), &mut ask) {
            (Some(value), _) => check_value(variable, value).map(Some),
            (None, Some(ask)) if asks => ask_until_valid(variable, *ask).map(Some),
            (None, _) => match &variable.default {
                Some(value) => check_value(variable, value).map(Some),
                None if variable.required => Err(ValueError::Missing),
                None => Ok(None),
            },
        };
        match value {
            Ok(Some(value)) => values.set(&variable.name, value),
            Ok(None) => {}
            Err(wrong) => problems.push(VariableError {
                name: variable.name.clone(),
                error: wrong,
                obtain_url: variable.obtain_url.clone(),
            }),
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

fn ask_until_valid(variable: &Variable, ask: &mut dyn Ask) -> Result<String, ValueError> {
    let mut wrong = ValueError::Missing;
    for time in 0..MAX_ATTEMPTS {
        let Some(value) = ask.ask(variable, (time > 0).then_some(&wrong)) else { break };
        match check_value(variable, &value) {
            Ok(value) => return Ok(value),
            // Asking again does not help.
            Err(ValueError::Pattern(why)) => return Err(ValueError::Pattern(why)),
            Err(found) => wrong = found,
        }
    }
    Err(wrong)
}

/// Returns the value if it is valid for this variable.
fn check_value(variable: &Variable, value: &str) -> Result<String, ValueError> {
    if value.contains('\0') {
        return Err(ValueError::Nul);
    }
    if let Some(source) = &variable.pattern {
        let unusable =
            |error: json_schema::pattern::PatternError| ValueError::Pattern(error.to_string());
        let pattern = Pattern::new(source, &PatternLimits::default()).map_err(unusable)?;
        if !pattern.matches(value).map_err(unusable)? {
            return Err(ValueError::Mismatch(source.clone()));
        }
    }
    Ok(value.to_owned())
}
