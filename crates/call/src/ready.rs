//! What a host checks and knows before it carries out a plan, and hides afterwards.

use std::fmt;
use std::time::Duration;

use diagnostic::quoted;

use crate::plan::{Missing, Plan};
use crate::step::Step;

/// The most bytes that a host accepts by default: of each output of a program, of a body, or
/// of a message. If there are more, the outcome is
/// [`Outcome::TooMuch`](crate::Outcome::TooMuch).
pub const MAX_ANSWER_BYTES: usize = 8 << 20;

/// The default time limit of a call that declares none.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest time that a call may take by default, whatever it declares.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// The reason why a plan cannot be carried out now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The host does not provide these things.
    Missing(Vec<Missing>),
    /// The secret of this name would be visible in an argument or a URL.
    Exposed(String),
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call is not made: ")?;
        match self {
            Self::Missing(missing) => {
                let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
                f.write_str(&missing.join("; "))
            }
            Self::Exposed(name) => write!(f, "{} is secret, and would be seen", quoted(name)),
        }
    }
}

impl std::error::Error for NotReady {}

impl Plan {
    /// Checks that nothing is missing and that no secret would be visible.
    ///
    /// Planning checks secrets too, but a plan that was stored may have been changed.
    pub fn check_ready(&self, has_value: &dyn Fn(&str) -> bool) -> Result<(), NotReady> {
        let mut missing = self.missing.clone();
        missing.retain(|one| match one {
            Missing::Value(name) => !has_value(name),
            Missing::Installation(_) => true,
        });
        for variable in &self.variables {
            let value = Missing::Value(variable.name.clone());
            if variable.required && !has_value(&variable.name) && !missing.contains(&value) {
                missing.push(value);
            }
        }
        if !missing.is_empty() {
            return Err(NotReady::Missing(missing));
        }
        let is_open = |name: &str| self.variables.iter().any(|one| one.name == name && !one.secret);
        let visible = match &self.step {
            Step::Send(request) => request.url.variables().find(|name| !is_open(name)),
            step => step.placeholders().into_iter().find(|name| !is_open(name)),
        };
        match visible {
            Some(name) => Err(NotReady::Exposed(name.to_owned())),
            None => Ok(()),
        }
    }

    /// Returns the time that the call may take: what it declares, otherwise `default`, but at
    /// most `most`.
    pub fn time_limit(&self, default: Duration, most: Duration) -> Duration {
        let declared = self.timeout_ms.map(Duration::from_millis);
        declared.unwrap_or(default).min(most)
    }

    /// Replaces the secrets of the call in a text by their names. Tools print their
    /// environment, and the input that they failed on.
    pub fn mask_secrets<'v>(
        &self,
        mut text: String,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> String {
        /// Replacing shorter values would damage any text, and they reveal little.
        const MIN_SECRET_BYTES: usize = 6;
        for variable in &self.variables {
            if let Some(value) = value(&variable.name)
                && variable.secret
                && value.len() >= MIN_SECRET_BYTES
            {
                text = text.replace(value, &format!("${{{}}}", variable.name));
            }
        }
        text
    }
}
