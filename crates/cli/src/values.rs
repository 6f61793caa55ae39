//! Values of variables for calls: from a file, from the environment, from a person.

use std::io::{IsTerminal, Write};
use std::path::Path;

use host::{Ask, Host, Log, Options, Values, Wrong};
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
    let declared: Vec<Variable> = tool
        .tool
        .package
        .env
        .iter()
        .map(|variable| Variable {
            name: variable.name.to_string(),
            secret: variable.is_secret(),
            required: false,
            prompt: None,
            pattern: None,
            default: None,
            obtain_url: None,
        })
        .collect();
    let mut values = Values::from_environment(&declared);
    if let Some(file) = file {
        let read = Values::from_file(file, &declared);
        values.extend(read.map_err(|error| terminal.trouble(&error.to_string()))?);
    }
    Ok(values)
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

/// Does something with a host, which has ended all that it started when this returns.
pub(crate) fn hosted<T>(
    options: Options,
    terminal: &Terminal,
    work: impl AsyncFnOnce(&Host) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let trouble = |error: std::io::Error| terminal.trouble(&error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(trouble)?;
    let done = runtime.block_on(async {
        let host = Host::new(options).map_err(trouble)?;
        let host = match Log::of_user() {
            Ok(log) => host.audited_by(log),
            Err(error) => {
                terminal.say(&format!("warning: no record of the call is kept: {error}\n"));
                host
            }
        };
        let done = tokio::select! {
            done = work(&host) => done,
            // Whoever ends us ends what we started: dropping the work does that.
            () = interrupted() => {
                terminal.error("interrupted");
                Err(Failure::Refused)
            }
        };
        host.close().await;
        done
    });
    // A name that is still being resolved is not waited for.
    runtime.shutdown_background();
    done
}

/// Waits until somebody wants this process to end.
async fn interrupted() {
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [one, two, three] = signals.map(|kind| async move {
        match signal(kind) {
            Ok(mut signals) => signals.recv().await,
            Err(_) => std::future::pending().await,
        }
    });
    tokio::select! { _ = one => {}, _ = two => {}, _ = three => {} }
}
