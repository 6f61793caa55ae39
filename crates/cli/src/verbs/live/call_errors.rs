//! Messages for calls that are refused or fail.

use host::Error;
use toolglot::call::{Concern, Missing, Planned, join_concerns};
use toolglot::core::printable;

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;

/// Describes everything that a planned call lacks, the approval or grant first.
pub(crate) fn describe_lacks(planned: &Planned) -> Vec<String> {
    let mut lacks = Vec::new();
    match planned {
        Planned::Ready(_) => {}
        Planned::Ask(ask) => lacks.push(format!("approval: {}", join_concerns(ask.concerns()))),
        Planned::Refused(refused) => lacks.push(describe_grant(refused.concerns())),
    }
    lacks.extend(planned.missing().iter().map(describe_missing));
    lacks
}

/// Describes what no approval and no value helps against: a grant or the installation that a
/// planned call lacks.
pub(crate) fn describe_obstacles(planned: &Planned) -> Vec<String> {
    let mut obstacles = Vec::new();
    if let Planned::Refused(refused) = planned {
        obstacles.push(describe_grant(refused.concerns()));
    }
    for missing in planned.missing() {
        if matches!(missing, Missing::Installation(_)) {
            obstacles.push(describe_missing(missing));
        }
    }
    obstacles
}

/// Describes the grant that is missing because of these concerns.
pub(crate) fn describe_grant(concerns: &[Concern]) -> String {
    let is_final = concerns.iter().any(|concern| concern.is_final());
    let what = if is_final { "what no grant gives" } else { "a grant (--allow)" };
    format!("{what}: {}", join_concerns(concerns))
}

/// Describes a missing value or installation.
pub(crate) fn describe_missing(missing: &Missing) -> String {
    match missing {
        Missing::Value(name) => format!("a value of {}", printable(name, 128)),
        Missing::Installation(how) => {
            format!("the installation ({}), which `toolglot install` makes", printable(how, 512))
        }
    }
}

/// Asks a person a question. Fails unless the answer is yes.
pub(crate) fn confirm(question: &str, terminal: &Terminal) -> Result<(), Failure> {
    if person::confirm(question, terminal) { Ok(()) } else { Err(Failure::Refused) }
}

/// Shows what a call lacks that is not made.
pub(crate) fn show_missing(lacks: &[String], terminal: &Terminal) -> Failure {
    for what in lacks {
        terminal.error(&format!("missing: {what}"));
    }
    Failure::Refused
}

/// Shows why a call returned no answer.
pub(crate) fn show_error(error: &Error, terminal: &Terminal) -> Failure {
    match error {
        Error::Failed(failure) => {
            terminal.error(&failure.to_string());
            Failure::Failed
        }
        Error::Missing(missing) => {
            let missing: Vec<String> = missing.iter().map(describe_missing).collect();
            show_missing(&missing, terminal)
        }
        other => {
            terminal.error(&other.to_string());
            Failure::Refused
        }
    }
}
