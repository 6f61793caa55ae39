//! Remote registries, for the verbs that query them.

use std::path::Path;

use gateway::registry::{RemoteError, RemoteRegistry};
use toolglot::jumith::client::Failure as Answered;

use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::values;

/// The environment variable with the default registry.
const BASE_URL: &str = "REGISTRY_BASE_URL";

pub(crate) fn is_address(place: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| place.starts_with(scheme))
}

/// Returns the registry and the remaining words. If `REGISTRY_BASE_URL` is set, the first
/// word is the registry only if it is an address or a folder.
pub(crate) fn split_registry<'w>(
    words: &'w [String],
    terminal: &Terminal,
) -> Result<(String, &'w [String]), Failure> {
    let registry = std::env::var(BASE_URL).ok().filter(|base| !base.is_empty());
    match (words, registry) {
        ([first, rest @ ..], None) => Ok((first.clone(), rest)),
        ([first, rest @ ..], _) if is_address(first) || Path::new(first).is_dir() => {
            Ok((first.clone(), rest))
        }
        (words, Some(base)) => Ok((base, words)),
        ([], None) => Err(terminal.usage_error(&format!("say where, or set {BASE_URL}"))),
    }
}

/// Calls `ask` with the registry at a base URL.
pub(crate) fn with_remote<T>(
    base: &str,
    terminal: &Terminal,
    ask: impl AsyncFnOnce(&RemoteRegistry) -> Result<T, RemoteError>,
) -> Result<T, Failure> {
    let Some(state) = disk::user::state() else {
        return Err(terminal.usage_error("there is no state folder: set XDG_STATE_HOME or HOME"));
    };
    let remote = RemoteRegistry::new(base, disk::user::cache().as_deref(), &state);
    let remote = remote.map_err(|trouble| show_error(&trouble, terminal))?;
    let done = values::block_on(terminal, async {
        let done = tokio::select! {
            done = ask(&remote) => done.map_err(|trouble| show_error(&trouble, terminal)),
            () = values::wait_for_signal() => {
                terminal.error("interrupted");
                Err(Failure::Refused)
            }
        };
        remote.close().await;
        done
    })?;
    done.ok_or(Failure::Refused)
}

/// Shows an error of a registry.
fn show_error(trouble: &RemoteError, terminal: &Terminal) -> Failure {
    match trouble {
        RemoteError::Changed(diagnostic) => {
            let report = crate::terminal::console::single_report(diagnostic.clone());
            terminal.show(&report, None);
            Failure::Refused
        }
        RemoteError::Answer(Answered::Invalid(report)) => {
            let mut report = report.clone();
            // The user has not seen the answer that the spans refer to.
            report.diagnostics.iter_mut().for_each(toolglot::Diagnostic::clear_spans);
            terminal.show(&report, None);
            Failure::Invalid
        }
        trouble => terminal.usage_error(&trouble.to_string()),
    }
}
