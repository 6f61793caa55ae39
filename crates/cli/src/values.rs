//! Values of variables for calls: from a file, from the environment, from a person.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use host::{Ask, Values, Wrong};
use tokio::signal::unix::{SignalKind, signal};
use toolglot::call::{Plan, Variable};
use toolglot::core::printable;

use crate::callable::Callable;
use crate::terminal::{Failure, Terminal};

/// The values that are there without asking anybody: those of a file win over the environment.
pub(crate) fn given(
    file: Option<&Path>,
    tool: &Callable<'_>,
    terminal: &Terminal,
) -> Result<Values, Failure> {
    gateway::given(tool.tool, file).map_err(|error| terminal.trouble(&error.to_string()))
}

/// All the values that a plan needs. A person is asked for what is missing, where there is one.
pub(crate) fn collected(
    plan: &Plan,
    given: &Values,
    terminal: &Terminal,
) -> Result<Values, Failure> {
    let mut person = Person { terminal };
    let asked = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let ask: Option<&mut dyn Ask> = if asked { Some(&mut person) } else { None };
    host::collect(&plan.variables, given, ask).map_err(|problems| {
        for problem in problems {
            terminal.error(&problem.to_string());
        }
        Failure::Refused
    })
}

struct Person<'t> {
    terminal: &'t Terminal,
}

impl Ask for Person<'_> {
    fn ask(&mut self, variable: &Variable, before: Option<&Wrong>) -> Option<String> {
        if let Some(wrong) = before {
            self.terminal.say(&format!("{wrong}\n"));
        }
        let prompt = variable.prompt.as_deref().unwrap_or_default();
        let shown = format!("{} {}: ", printable(&variable.name, 64), printable(prompt, 256));
        let answer = if variable.secret {
            rpassword::prompt_password(shown).ok()?
        } else {
            self.terminal.say(&shown);
            std::io::stderr().flush().ok()?;
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).ok()?;
            line.trim_end_matches(['\r', '\n']).to_owned()
        };
        (!answer.is_empty()).then_some(answer)
    }
}

/// How long what is left may take when all is done.
const LINGER: Duration = Duration::from_secs(2);

/// Runs something that waits for others, to its end.
pub(crate) fn blocked<T>(
    terminal: &Terminal,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    driven(terminal, work)?.ok_or_else(|| {
        terminal.error("interrupted");
        Failure::Refused
    })
}

/// Runs something that serves others, until somebody ends it.
pub(crate) fn served(
    terminal: &Terminal,
    work: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    driven(terminal, work).map(Option::unwrap_or_default)
}

/// What comes of some work; nothing, if somebody ends it before.
fn driven<T>(
    terminal: &Terminal,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<Option<T>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| terminal.trouble(&error.to_string()))?;
    let done = runtime.block_on(async {
        // Whoever ends us ends what we started: dropping the work does that.
        let stop = async {
            let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
            let [one, two, three] = signals.map(|kind| async move {
                match signal(kind) {
                    Ok(mut signals) => signals.recv().await,
                    Err(_) => std::future::pending().await,
                }
            });
            tokio::select! { _ = one => {}, _ = two => {}, _ = three => {} }
        };
        tokio::select! {
            done = work => done.map(Some),
            () = stop => Ok(None),
        }
    });
    // Whoever still reads from standard input may do so for ever.
    runtime.shutdown_timeout(LINGER);
    done
}
