//! Programs of the user that look up secrets.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use call::{End, Outcome, Variable};
use diagnostic::{printable, quoted};
use tokio::time::timeout;

use crate::limits::Limits;
use crate::process::Process;
use crate::program::finish;
use crate::values::Values;

/// The time limit of a program, which may ask a person to unlock the secrets.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The longest value, in bytes.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// Programs that look up values, by the scheme of the reference that a manifest declares:
/// `vault` of `vault://kv/github#token`.
///
/// The user configures them, and a manifest cannot. A program runs with the argument `get`,
/// reads the reference from its standard input, and prints the value. A line break at the
/// end is removed. It gets the environment of this process. Neither a value nor a reference
/// is ever an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolvers(BTreeMap<String, PathBuf>);

/// The reason why a reference has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} has no value: {why}", quoted(.name))]
#[non_exhaustive]
pub struct ResolveError {
    /// The name of the variable.
    pub name: String,
    /// The reason, which never contains output of the program.
    pub why: String,
}

impl Resolvers {
    /// Parses `SCHEME=PROGRAM` texts. A scheme has letters, digits, `+`, `.` and `-`, and
    /// only one program. The program is looked for on the search path if its name has no
    /// `/`.
    ///
    /// ```
    /// use toolglot_host::Resolvers;
    ///
    /// let resolvers = Resolvers::parse(["vault=vault-helper"])?;
    /// assert!(resolvers.supports("vault://kv/github#token"));
    /// assert!(!resolvers.supports("aws://prod/token"));
    /// assert!(Resolvers::parse(["vault-helper"]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let mut all = BTreeMap::new();
        for text in texts {
            let (scheme, program) = match text.split_once('=') {
                Some((scheme, program)) if is_scheme(scheme) && !program.is_empty() => {
                    (scheme, program)
                }
                _ => return Err(format!("{} is not SCHEME=PROGRAM", quoted(text))),
            };
            if all.insert(scheme.to_ascii_lowercase(), PathBuf::from(program)).is_some() {
                return Err(format!("there are two programs for {scheme}"));
            }
        }
        Ok(Self(all))
    }

    /// Returns true if there is a program for a reference.
    pub fn supports(&self, reference: &str) -> bool {
        self.program(reference).is_some()
    }

    /// Looks up the values of secrets that have a reference and no value yet. Call this
    /// after the call is approved, because programs may ask the person for a password.
    pub async fn resolve(
        &self,
        variables: &[Variable],
        values: &mut Values,
    ) -> Result<(), ResolveError> {
        for variable in variables.iter().filter(|variable| variable.secret) {
            let Some(reference) = variable.reference.as_deref() else { continue };
            let Some(program) = self.program(reference) else { continue };
            if values.has(&variable.name) {
                continue;
            }
            let got = run_resolver(Command::new(program), reference).await.map_err(|why| {
                let program = printable(&program.to_string_lossy(), 128);
                ResolveError { name: variable.name.clone(), why: format!("{program} {why}") }
            })?;
            values.set(&variable.name, got);
        }
        Ok(())
    }

    fn program(&self, reference: &str) -> Option<&PathBuf> {
        let (scheme, place) = reference.split_once("://")?;
        // The program reads the reference as one line.
        if place.is_empty() || place.contains(|c: char| c.is_control()) {
            return None;
        }
        self.0.get(&scheme.to_ascii_lowercase())
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
}

/// Returns the value that a program prints for a reference. Fails with a description of the
/// problem.
async fn run_resolver(mut command: Command, reference: &str) -> Result<String, String> {
    command.arg("get");
    let process = Process::start(command).map_err(|error| format!("cannot be run: {error}"))?;
    let limits = Limits { answer_bytes: MAX_VALUE_BYTES, ..Limits::default() };
    let input = format!("{reference}\n");
    let done = timeout(TIMEOUT, finish(process, &input, &limits)).await;
    let printed = match done {
        Ok(Outcome::Exited { end: End::Exit(0), stdout, .. }) => stdout,
        Ok(Outcome::Exited { end: End::Exit(code), .. }) => {
            return Err(format!("ended with exit code {code}"));
        }
        Ok(Outcome::TooMuch { limit }) => {
            return Err(format!("printed more than {limit} bytes"));
        }
        Ok(_) => return Err("did not end by itself".to_owned()),
        Err(_) => return Err(format!("took more than {} seconds", TIMEOUT.as_secs())),
    };
    let text = String::from_utf8(printed).map_err(|_| "printed what is not UTF-8".to_owned())?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let value = text.strip_suffix('\r').unwrap_or(text);
    if value.is_empty() { Err("printed no value".to_owned()) } else { Ok(value.to_owned()) }
}
