//! Values of variables for calls: from a file, from the environment, from a person. Also
//! runs hosts and servers until they end or are interrupted.

use std::path::Path;
use std::time::Duration;

use host::{AskValue, Host, Log, Options, Resolvers, ValueError, Values};
use tokio::signal::unix::{SignalKind, signal};
use toolglot::call::{Plan, Variable};
use toolglot::core::printable;

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::verbs::live::callable::Callable;

/// Programs that know where secrets are kept.
#[derive(clap::Args)]
pub(crate) struct ResolverArgs {
    /// A program that gets secrets by their reference: vault=PROGRAM for vault://…
    #[arg(
        long = "resolver",
        value_name = "SCHEME=PROGRAM",
        long_help = "\
A program that gets secrets by the reference that a manifest has for them: vault=PROGRAM for vault://….
It is run with the word `get` when the call is approved, reads the reference from standard input, and
prints the value. May be given several times."
    )]
    programs: Vec<String>,
}

impl ResolverArgs {
    pub(crate) fn read(&self, terminal: &Terminal) -> Result<Resolvers, Failure> {
        Resolvers::parse(self.programs.iter().map(String::as_str))
            .map_err(|why| terminal.usage_error(&why))
    }
}

/// Resolves secret references through the configured programs and adds the values to
/// `given`.
pub(crate) fn resolve_secrets(
    plan: &Plan,
    resolvers: &Resolvers,
    given: &mut Values,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let done = block_on(terminal, async {
        tokio::select! {
            done = resolvers.resolve(&plan.variables, given) => Ok(done.map_err(|why| why.to_string())),
            () = wait_for_signal() => Ok(Err("interrupted".to_owned())),
        }
    })?;
    done.unwrap_or(Ok(())).map_err(|why| {
        terminal.error(&why);
        Failure::Refused
    })
}

/// Returns the values that are available without asking a person. Those of a file override
/// the environment.
pub(crate) fn available_values(
    file: Option<&Path>,
    tool: &Callable<'_>,
    terminal: &Terminal,
) -> Result<Values, Failure> {
    gateway::available_values(tool.tool, file)
        .map_err(|error| terminal.usage_error(&error.to_string()))
}

/// Returns all values that a plan needs. Asks for the missing ones if there is a terminal.
pub(crate) fn collect(plan: &Plan, given: &Values, terminal: &Terminal) -> Result<Values, Failure> {
    let mut person = Person { terminal };
    let asked = person::is_present();
    let ask: Option<&mut dyn AskValue> = if asked { Some(&mut person) } else { None };
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

impl AskValue for Person<'_> {
    fn ask(&mut self, variable: &Variable, before: Option<&ValueError>) -> Option<String> {
        if let Some(wrong) = before {
            self.terminal.status(&format!("{wrong}\n"));
        }
        let prompt = variable.prompt.as_deref().unwrap_or("");
        let shown = format!("{} {}: ", printable(&variable.name, 64), printable(prompt, 256));
        let answer = if variable.secret {
            rpassword::prompt_password(shown).ok()?
        } else {
            person::ask(&shown, self.terminal)?
        };
        (!answer.is_empty()).then_some(answer)
    }
}

/// The time limit for remaining work when a runtime shuts down.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Creates a host that records each call in the user's log.
pub(crate) fn recording_host(options: Options, terminal: &Terminal) -> Result<Host, Failure> {
    let host = Host::new(options).map_err(|error| terminal.usage_error(&error.to_string()))?;
    Ok(match user_log(terminal) {
        Some(log) => host.with_audit(log),
        None => host,
    })
}

/// Opens the user's log of calls. If that fails, prints a warning and returns `None`.
pub(crate) fn user_log(terminal: &Terminal) -> Option<Log> {
    let said =
        |error| terminal.status(&format!("warning: no record of the call is kept: {error}\n"));
    Log::of_user().map_err(said).ok()
}

/// Runs `work` with a host. Returns after all processes that the host started have ended.
pub(crate) fn with_host<T>(
    host: Host,
    terminal: &Terminal,
    work: impl AsyncFnOnce(&Host) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let done = block_on(terminal, async {
        let done = tokio::select! {
            done = work(&host) => Some(done),
            // Dropping the future stops our child processes when we are interrupted.
            () = wait_for_signal() => None,
        };
        host.close().await;
        Ok(done)
    })?;
    done.flatten().unwrap_or_else(|| {
        terminal.error("interrupted");
        Err(Failure::Refused)
    })
}

/// Runs a server until it ends or is interrupted.
pub(crate) fn run_server(
    terminal: &Terminal,
    work: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    let ended = async {
        tokio::select! { done = work => done, () = wait_for_signal() => Ok(()) }
    };
    block_on(terminal, ended).map(drop)
}

/// Runs a future to completion on a new runtime.
pub(crate) fn block_on<T>(
    terminal: &Terminal,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<Option<T>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| terminal.usage_error(&error.to_string()))?;
    let done = runtime.block_on(work);
    // A read from standard input or a name lookup may block forever.
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    done.map(Some)
}

/// Waits for a signal to terminate this process.
pub(crate) async fn wait_for_signal() {
    let signals = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [one, two, three] = signals.map(|kind| async move {
        match signal(kind) {
            Ok(mut signals) => signals.recv().await,
            Err(_) => std::future::pending().await,
        }
    });
    tokio::select! { _ = one => {}, _ = two => {}, _ = three => {} }
}
