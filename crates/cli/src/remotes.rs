//! Registries elsewhere, for the verbs that ask them.

use gateway::registry::{Remote, Trouble};
use toolglot::jumith::client::Failure as Answered;

use crate::values;
use console::terminal::{Failure, Terminal};

/// Asks the registry at a base URL.
pub(crate) fn asked<T>(
    base: &str,
    terminal: &Terminal,
    ask: impl AsyncFnOnce(&Remote) -> Result<T, Trouble>,
) -> Result<T, Failure> {
    let Some(state) = host::user::state() else {
        return Err(terminal.trouble("there is no state folder: set XDG_STATE_HOME or HOME"));
    };
    let remote = Remote::new(base, host::user::cache().as_deref(), &state);
    let remote = remote.map_err(|trouble| told(&trouble, terminal))?;
    let done = values::driven(terminal, async {
        let done = tokio::select! {
            done = ask(&remote) => done.map_err(|trouble| told(&trouble, terminal)),
            () = values::interrupted() => {
                terminal.error("interrupted");
                Err(Failure::Refused)
            }
        };
        remote.close().await;
        done
    })?;
    done.ok_or(Failure::Refused)
}

/// Says what is wrong.
fn told(trouble: &Trouble, terminal: &Terminal) -> Failure {
    match trouble {
        Trouble::Changed(diagnostic) => {
            let report = console::terminal::report_of(diagnostic.clone());
            terminal.show(&report, None);
            Failure::Refused
        }
        Trouble::Answer(Answered::Invalid(report)) => {
            let mut report = report.clone();
            // The place is in an answer, which nobody has seen.
            report.diagnostics.iter_mut().for_each(toolglot::Diagnostic::clear_spans);
            terminal.show(&report, None);
            Failure::Invalid
        }
        trouble => terminal.trouble(&trouble.to_string()),
    }
}
