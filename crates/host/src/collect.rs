//! Collects the values that a call needs, or all problems with them.

use std::fmt;

use call::Variable;
use diagnostic::quoted;
use json_schema::pattern::{Pattern, PatternLimits};

use crate::values::Values;

/// How often a person is asked for one value.
const TIMES: usize = 3;

/// Asks a person for values.
pub trait Ask {
    /// Returns the value of a variable, or `None` if the person has none or cannot be
    /// asked. `before` is the problem with the previous value. A secret must never be
    /// shown, not even while it is typed.
    fn ask(&mut self, variable: &Variable, before: Option<&Wrong>) -> Option<String>;
}

/// A variable that has no valid value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the variable.
    pub name: String,
    /// The problem with its value.
    pub wrong: Wrong,
    /// Where to get a value, if the manifest declares it.
    pub obtain_url: Option<String>,
}

/// A problem with a value. It never contains the value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong {
    /// There is no value.
    Missing,
    /// The value does not match this pattern.
    Mismatch(String),
    /// The pattern of the manifest cannot be used, for this reason.
    Pattern(String),
    /// The value contains a NUL, which no environment and no header can carry.
    Nul,
}

impl fmt::Display for Wrong {
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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", quoted(&self.name), self.wrong)?;
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
/// use host::{Values, Wrong, collect};
///
/// let key: Variable = serde_json::from_str(
///     r#"{"name": "KEY", "secret": true, "required": true, "pattern": "^sk_"}"#,
/// )?;
/// let mut given = Values::new();
/// given.set("KEY", "pk_1");
/// let problems = collect(&[key], &given, None).unwrap_err();
/// assert_eq!(problems[0].wrong, Wrong::Mismatch("^sk_".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collect(
    variables: &[Variable],
    given: &Values,
    mut ask: Option<&mut dyn Ask>,
) -> Result<Values, Vec<Problem>> {
    let (mut values, mut problems) = (Values::new(), Vec::new());
    for variable in variables {
        let asks = variable.required && variable.default.is_none();
        let value = match (given.get(&variable.name), &mut ask) {
            (Some(value), _) => checked(variable, value).map(Some),
            (None, Some(ask)) if asks => asked(variable, *ask).map(Some),
            (None, _) => match &variable.default {
                Some(value) => checked(variable, value).map(Some),
                None if variable.required => Err(Wrong::Missing),
                None => Ok(None),
            },
        };
        match value {
            Ok(Some(value)) => values.set(&variable.name, value),
            Ok(None) => {}
            Err(wrong) => problems.push(Problem {
                name: variable.name.clone(),
                wrong,
                obtain_url: variable.obtain_url.clone(),
            }),
        }
    }
    if problems.is_empty() { Ok(values) } else { Err(problems) }
}

fn asked(variable: &Variable, ask: &mut dyn Ask) -> Result<String, Wrong> {
    let mut wrong = Wrong::Missing;
    for time in 0..TIMES {
        let Some(value) = ask.ask(variable, (time > 0).then_some(&wrong)) else { break };
        match checked(variable, &value) {
            Ok(value) => return Ok(value),
            // Asking again does not help.
            Err(Wrong::Pattern(why)) => return Err(Wrong::Pattern(why)),
            Err(found) => wrong = found,
        }
    }
    Err(wrong)
}

/// Returns the value if it is valid for this variable.
fn checked(variable: &Variable, value: &str) -> Result<String, Wrong> {
    if value.contains('\0') {
        return Err(Wrong::Nul);
    }
    if let Some(source) = &variable.pattern {
        let unusable =
            |error: json_schema::pattern::PatternError| Wrong::Pattern(error.to_string());
        let pattern = Pattern::new(source, &PatternLimits::default()).map_err(unusable)?;
        if !pattern.matches(value).map_err(unusable)? {
            return Err(Wrong::Mismatch(source.clone()));
        }
    }
    Ok(value.to_owned())
}
