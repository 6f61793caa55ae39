//! Messages for calls that are refused or fail.

use host::Error;
use toolglot::call::{Concern, Missing, Verdict};
use toolglot::core::printable;

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;

/// Describes a missing value, installation or approval.
pub(crate) fn describe_missing(missing: &Missing) -> String {
    match missing {
        Missing::Value(name) => format!("a value of {}", printable(name, 128)),
        Missing::Installation(how) => {
            format!("the installation ({}), which `toolglot install` makes", printable(how, 512))
        }
        Missing::Approval(Verdict::Refuse(concerns)) => {
            let is_final = concerns.iter().any(|concern| concern.is_final());
            let what = if is_final { "what no grant gives" } else { "a grant (--allow)" };
            format!("{what}: {}", join_concerns(concerns))
        }
        Missing::Approval(Verdict::Ask(concerns)) => {
            format!("approval: {}", join_concerns(concerns))
        }
        Missing::Approval(Verdict::Allow) => "nothing".to_owned(),
    }
}

/// Joins the messages of the concerns about a call.
pub(crate) fn join_concerns(concerns: &[Concern]) -> String {
    concerns.iter().map(|concern| concern.message()).collect::<Vec<_>>().join("; ")
}

/// Asks a person a question. Fails unless the answer is yes.
pub(crate) fn confirm(question: &str, terminal: &Terminal) -> Result<(), Failure> {
    if person::confirm(question, terminal) { Ok(()) } else { Err(Failure::Refused) }
}

/// Shows why a call returned no answer.
pub(crate) fn show_error(error: &Error, terminal: &Terminal) -> Failure {
    match error {
        Error::Failed(failure) => {
            terminal.error(&failure.to_string());
            Failure::Failed
        }
        Error::Missing(missing) => {
            for missing in missing {
                terminal.error(&format!("missing: {}", describe_missing(missing)));
            }
            Failure::Refused
        }
        other => {
            terminal.error(&other.to_string());
            Failure::Refused
        }
    }
}
