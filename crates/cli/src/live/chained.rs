//! Calls of chains: tools that call other tools.

use std::path::PathBuf;

use gateway::{Gateway, Options, Prepared, Refusal};
use host::{Audit, Record, Resolvers};
use installer::packages::FOLDER;
use toolglot::Formats;
use toolglot::call::{Answer, Policy};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::Trace;

use crate::live::callable::Callable;
use crate::live::refusals::{confirmed, failed};
use crate::live::values;
use console::input::is_standard;
use console::person;
use console::terminal::{Colour, Failure, Terminal};

/// The options for the call of a chain.
pub(crate) struct Chained<'c> {
    /// The file of the chain.
    pub(crate) file: PathBuf,
    /// Files and folders with the tools that it calls.
    pub(crate) with: Vec<PathBuf>,
    pub(crate) formats: Formats<'static>,
    pub(crate) policy: Policy,
    pub(crate) values: Option<PathBuf>,
    pub(crate) resolvers: Resolvers,
    pub(crate) private_addresses: bool,
    /// True to print each step.
    pub(crate) trace: bool,
    pub(crate) terminal: &'c Terminal,
}

impl Chained<'_> {
    /// Calls the chain, after asking for approval if it is needed.
    pub(crate) fn call(self, tool: &Callable<'_>, arguments: &str) -> Result<Answer, Failure> {
        let (terminal, trace) = (self.terminal, self.trace);
        if is_standard(&self.file) {
            return Err(terminal.trouble("a chain is called from a file, not from standard input"));
        }
        let gateway = self.gateway()?;
        let prepared = prepared(&gateway, tool, arguments, terminal)?;
        let told = |step: &Trace| {
            if trace {
                Terminal::new(Colour::Never).say(&format!("{}\n", shown(step)));
            }
        };
        let called = values::driven(terminal, async {
            let called = tokio::select! {
                called = gateway.call_traced(&prepared, &|_| (), &told) => Some(called),
                () = values::interrupted() => None,
            };
            gateway.close().await;
            Ok(called)
        })?;
        match called.flatten() {
            None => {
                terminal.error("interrupted");
                Err(Failure::Refused)
            }
            Some(Err(refusal)) => Err(refused(&refusal, terminal)),
            Some(Ok(called)) => called.answer.map_err(|error| failed(&error, terminal)),
        }
    }

    /// Creates the gateway to all tools that the chain may call. Prints a warning for each
    /// file or tool that is left out.
    fn gateway(self) -> Result<Gateway, Failure> {
        let terminal = self.terminal;
        let installed = [PathBuf::from(FOLDER)];
        let folders = self.with.into_iter().chain(installed.into_iter().filter(|all| all.is_dir()));
        let options = Options {
            places: [self.file].into_iter().chain(folders).collect(),
            formats: self.formats,
            policy: self.policy,
            values: self.values,
            resolvers: self.resolvers,
            private_addresses: self.private_addresses,
            approvals: gateway::Approvals::of_the_user(),
        };
        let log = values::log(terminal);
        let audit = move |record: &Record| {
            if let Some(log) = &log {
                log.record(record);
            }
        };
        let notice = |odd: &str| Terminal::new(Colour::Never).say(&format!("warning: {odd}\n"));
        let gateway = Gateway::new(options, audit, notice);
        let gateway = gateway.map_err(|error| terminal.trouble(&error.to_string()))?;
        for left in gateway.catalogue().left_out() {
            terminal.say(&format!("warning: {left}\n"));
        }
        Ok(gateway)
    }
}

fn prepared(
    gateway: &Gateway,
    tool: &Callable<'_>,
    arguments: &str,
    terminal: &Terminal,
) -> Result<Prepared, Failure> {
    let catalogue = gateway.catalogue();
    let Some(found) = catalogue.tool_with_id(&tool.tool.id) else {
        return Err(terminal.trouble(&format!("{} cannot be called", tool.shown())));
    };
    let mut prepared =
        gateway.prepare_call(found, arguments).map_err(|refusal| refused(&refusal, terminal))?;
    let Some(question) = prepared.question() else { return Ok(prepared) };
    if !person::is_there() {
        terminal.error(&format!("{} Or with --yes.", prepared.unasked()));
        return Err(Failure::Refused);
    }
    terminal.say(&format!("{question}\n"));
    confirmed(&format!("Call {}?", tool.shown()), terminal)?;
    prepared.approve();
    Ok(prepared)
}

fn refused(refusal: &Refusal, terminal: &Terminal) -> Failure {
    terminal.error(&refusal.to_string());
    match refusal {
        Refusal::Arguments(_) => Failure::Invalid,
        _ => Failure::Refused,
    }
}

/// Formats a step with its input and output.
fn shown(step: &Trace) -> String {
    /// The maximum number of bytes shown of a value.
    const LONGEST: usize = 200;
    let (name, tool) = (printable(&step.name, 64), quoted(&step.tool));
    let output = step.output.as_deref().unwrap_or_default();
    let omitted = match step.omitted.as_slice() {
        [] => String::new(),
        names => format!(", without {}", printable(&names.join(", "), LONGEST)),
    };
    let (input, output) = (printable(&step.input, LONGEST), printable(output, LONGEST));
    format!("{name}: {tool} {input}{omitted} -> {output}")
}
