//! Checks of the modules of Jumith tools before they are called.

use gateway::{ModuleCheck, ModuleError};
use host::Host;
use toolglot::call::{Grant, Plan, Policy};

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::verbs::live::call_errors::confirm;
use crate::verbs::live::callable::Callable;

/// The approval of a call by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallApproval {
    /// Not given: the manifest does not require it.
    None,
    /// Given by a flag, or earlier for all calls.
    InAdvance,
    /// Given for this call, when asked.
    Interactive,
}

impl CallApproval {
    /// Returns the approval that a policy gives in advance.
    pub(crate) fn from_policy(policy: &Policy) -> Self {
        if policy.grants.contains(&Grant::Approved) { Self::InAdvance } else { Self::None }
    }
}

/// Loads the module of a Jumith tool, checks it against its manifest, and asks the module's
/// question. Does nothing for other tools.
pub(crate) async fn check_module(
    host: &Host,
    plan: &mut Plan,
    tool: &Callable<'_>,
    approval: CallApproval,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let agreed = match gateway::check_module(host, plan, tool.format(), &tool.origin()).await {
        Ok(Some(agreed)) => agreed,
        Ok(None) => return Ok(()),
        Err(ModuleError::Contract(report)) => {
            terminal.show(&report, None);
            return Err(Failure::Invalid);
        }
        Err(unfit) => {
            terminal.error(&unfit.to_string());
            return Err(Failure::Failed);
        }
    };
    for warning in &agreed.warnings {
        terminal.status(&format!("warning[{}]: {}\n", warning.rule.code, warning.message));
    }
    ask_module_question(&agreed, approval, terminal)
}

/// Asks a person for the approval that the module requires. After approval in advance, only
/// shows its message.
fn ask_module_question(
    agreed: &ModuleCheck,
    approval: CallApproval,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let asks = match approval {
        CallApproval::None => agreed.requires_approval,
        CallApproval::Interactive => agreed.has_message,
        CallApproval::InAdvance => false,
    };
    if !asks {
        if agreed.has_message && approval == CallApproval::InAdvance {
            terminal.status(&format!("note: {}\n", agreed.question));
        }
        return Ok(());
    }
    if person::is_present() {
        return confirm(&agreed.question, terminal);
    }
    terminal.status(&format!("note: {}\n", agreed.question));
    terminal.error("the module asks for approval: approve the call with --yes");
    Err(Failure::Refused)
}
