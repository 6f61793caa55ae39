//! Checks of the modules of Jumith tools before they are called.

use gateway::{Agreed, Unfit};
use host::Host;
use toolglot::call::{Grant, Plan, Policy};

use crate::live::callable::Callable;
use crate::live::refusals::confirmed;
use console::person;
use console::terminal::{Failure, Terminal};

/// The approval of a call by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approval {
    /// Not given: the manifest does not require it.
    None,
    /// Given by a flag, or earlier for all calls.
    Before,
    /// Given for this call, when asked.
    Now,
}

impl Approval {
    /// Returns the approval that a policy gives in advance.
    pub(crate) fn of(policy: &Policy) -> Self {
        if policy.grants.contains(&Grant::Approved) { Self::Before } else { Self::None }
    }
}

/// Loads the module of a Jumith tool, checks it against its manifest, and asks the module's
/// question. Does nothing for other tools.
pub(crate) async fn agreed(
    host: &Host,
    plan: &mut Plan,
    tool: &Callable<'_>,
    approval: Approval,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let agreed = match gateway::agreed(host, plan, tool.format(), &tool.origin()).await {
        Ok(Some(agreed)) => agreed,
        Ok(None) => return Ok(()),
        Err(Unfit::Broken(report)) => {
            terminal.show(&report, None);
            return Err(Failure::Invalid);
        }
        Err(unfit) => {
            terminal.error(&unfit.to_string());
            return Err(Failure::Failed);
        }
    };
    for warning in &agreed.warnings {
        terminal.say(&format!("warning[{}]: {}\n", warning.rule.code, warning.message));
    }
    ask(&agreed, approval, terminal)
}

/// Asks a person for the approval that the module requires. After approval in advance, only
/// shows its message.
fn ask(agreed: &Agreed, approval: Approval, terminal: &Terminal) -> Result<(), Failure> {
    let asks = match approval {
        Approval::None => agreed.asks,
        Approval::Now => agreed.has_message,
        Approval::Before => false,
    };
    if !asks {
        if agreed.has_message && approval == Approval::Before {
            terminal.say(&format!("note: {}\n", agreed.question));
        }
        return Ok(());
    }
    if person::is_there() {
        return confirmed(&agreed.question, terminal);
    }
    terminal.say(&format!("note: {}\n", agreed.question));
    terminal.error("the module asks for approval: approve the call with --yes");
    Err(Failure::Refused)
}
