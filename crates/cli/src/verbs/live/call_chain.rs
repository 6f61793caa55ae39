//! Calls of chains: tools that call other tools.

use std::path::PathBuf;

use gateway::{Gateway, Options, PreparedCall, Refusal};
use host::{Audit, Record, Resolvers};
use installer::packages::FOLDER;
use toolglot::Formats;
use toolglot::call::{Answer, Policy};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::Trace;

use crate::files::input::is_standard;
use crate::terminal::console::{Colour, Failure, Terminal};
use crate::terminal::person;
use crate::verbs::live::call_errors::{confirm, show_error};
use crate::verbs::live::callable::Callable;
use crate::verbs::live::values;

/// The options for the call of a chain.
pub(crate) struct ChainCall<'c> {
    /// The file of the chain.
    pub(crate) file: PathBuf,
    /// Files and folders with the tools that it calls.
    pub(crate) tool_paths: Vec<PathBuf>,
    pub(crate) formats: Formats<'static>,
    pub(crate) policy: Policy,
    pub(crate) values: Option<PathBuf>,
    pub(crate) resolvers: Resolvers,
    pub(crate) private_addresses: bool,
    /// True to print each step.
    pub(crate) trace: bool,
    pub(crate) terminal: &'c Terminal,
}

impl ChainCall<'_> {
    /// Calls the chain, after asking for approval if it is needed.
    pub(crate) fn call(self, tool: &Callable<'_>, arguments: &str) -> Result<Answer, Failure> {
        let (terminal, trace) = (self.terminal, self.trace);
        if is_standard(&self.file) {
            return Err(
                terminal.usage_error("a chain is called from a file, not from standard input")
            );
        }
        let gateway = self.gateway()?;
        let prepared = prepare(&gateway, tool, arguments, terminal)?;
        let told = |step: &Trace| {
            if trace {
                Terminal::new(Colour::Never).status(&format!("{}\n", format_step(step)));
            }
        };
        let called = values::block_on(terminal, async {
            let called = tokio::select! {
                called = gateway.call_traced(&prepared, &|_| (), &told) => Some(called),
                () = values::wait_for_signal() => None,
            };
            gateway.close().await;
            Ok(called)
        })?;
        match called.flatten() {
            None => {
                terminal.error("interrupted");
                Err(Failure::Refused)
            }
            Some(Err(refusal)) => Err(show_refusal(&refusal, terminal)),
            Some(Ok(called)) => called.answer.map_err(|error| show_error(&error, terminal)),
        }
    }

    /// Creates the gateway to all tools that the chain may call. Prints a warning for each
    /// file or tool that is left out.
    fn gateway(self) -> Result<Gateway, Failure> {
        let terminal = self.terminal;
        let installed = [PathBuf::from(FOLDER)];
        let folders =
            self.tool_paths.into_iter().chain(installed.into_iter().filter(|all| all.is_dir()));
        let options = Options {
            places: [self.file].into_iter().chain(folders).collect(),
            formats: self.formats,
            policy: self.policy,
            values: self.values,
            resolvers: self.resolvers,
            private_addresses: self.private_addresses,
            approvals: gateway::Approvals::of_user(),
        };
        let log = values::user_log(terminal);
        let audit = move |record: &Record| {
            if let Some(log) = &log {
                log.record(record);
            }
        };
        let notice = |odd: &str| Terminal::new(Colour::Never).status(&format!("warning: {odd}\n"));
        let gateway = Gateway::new(options, audit, notice);
        let gateway = gateway.map_err(|error| terminal.usage_error(&error.to_string()))?;
        for left in gateway.catalogue().skipped() {
            terminal.status(&format!("warning: {left}\n"));
        }
        Ok(gateway)
    }
}

fn prepare(
    gateway: &Gateway,
    tool: &Callable<'_>,
    arguments: &str,
    terminal: &Terminal,
) -> Result<PreparedCall, Failure> {
    let catalogue = gateway.catalogue();
    let Some(found) = catalogue.tool_by_id(&tool.tool.id) else {
        return Err(terminal.usage_error(&format!("{} cannot be called", tool.quoted_id())));
    };
    let mut prepared = gateway
        .prepare_call(found, arguments)
        .map_err(|refusal| show_refusal(&refusal, terminal))?;
    let Some(question) = prepared.question() else { return Ok(prepared) };
    if !person::is_present() {
        terminal.error(&format!("{} Or with --yes.", prepared.approval_required()));
        return Err(Failure::Refused);
    }
    terminal.status(&format!("{question}\n"));
    confirm(&format!("Call {}?", tool.quoted_id()), terminal)?;
    prepared.approve();
    Ok(prepared)
}

fn show_refusal(refusal: &Refusal, terminal: &Terminal) -> Failure {
    terminal.error(&refusal.to_string());
    match refusal {
        Refusal::Arguments(_) => Failure::Invalid,
        _ => Failure::Refused,
    }
}

/// Formats a step with its input and output.
fn format_step(step: &Trace) -> String {
    /// The maximum number of bytes shown of a value.
    const MAX_BYTES: usize = 200;
    let (name, tool) = (printable(&step.name, 64), quoted(&step.tool));
    // A step that failed has no output.
    let output = step.output.as_deref().unwrap_or("");
    let omitted = match step.omitted.as_slice() {
        [] => String::new(),
        names => format!(", without {}", printable(&names.join(", "), MAX_BYTES)),
    };
    let (input, output) = (printable(&step.input, MAX_BYTES), printable(output, MAX_BYTES));
    format!("{name}: {tool} {input}{omitted} -> {output}")
}
