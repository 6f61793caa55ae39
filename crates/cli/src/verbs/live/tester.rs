//! Calls for the tests of a package.

use std::time::Instant;

use host::{Host, Options, Origin, Values};
use toolglot::call::{self, End, Grant, HostFacts, Outcome, Policy, Program, ProgramSearch, Step};
use toolglot::core::printable;
use toolglot::descriptor::{Body, Http, Invocation};
use toolglot::mcpkg::FORMAT;
use toolglot::mcpkg::testing::{TestCall, TestRun};
use toolglot::{Limits, ToolDescriptor};

use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};

/// How the tool is called.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("how").args(["command", "http"]))]
pub(crate) struct InvocationArgs {
    /// Run this command line for each test
    #[arg(long, value_name = "LINE")]
    command: Option<String>,
    /// Send a request to the endpoint of the manifest for each test
    #[arg(long)]
    http: bool,
    /// Send requests to this URL in place of that of the manifest
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    url: Option<String>,
    /// The environment variable whose value may be sent to authenticate
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    secret: Option<String>,
}

impl InvocationArgs {
    /// Returns true if a command line or HTTP is requested.
    pub(crate) const fn is_given(&self) -> bool {
        self.http || self.command.is_some()
    }

    /// Returns the invocation to test: the command line, the URL, or the endpoint of the
    /// manifest.
    fn invocation<'a>(
        &'a self,
        tool: &ToolDescriptor<'a>,
        terminal: &Terminal,
    ) -> Result<Invocation<'a>, Failure> {
        let written = match tool.invocation.as_deref() {
            Some(Invocation::Http(http)) => Some(http.clone()),
            _ => None,
        };
        Ok(match (&self.command, &self.url, written) {
            (Some(line), ..) => Invocation::CommandLine(line.as_str().into()),
            (None, Some(url), written) => {
                if let Err(error) = toolglot::core::url::check_http(url) {
                    return Err(terminal.usage_error(&format!("--url: {error}")));
                }
                let method = written.map_or("POST".into(), |http| http.method);
                let (path, headers, url) = (None, <_>::default(), url.as_str().into());
                Invocation::Http(Http { method, url, path, headers, body: Body::Whole })
            }
            (None, None, Some(http)) => Invocation::Http(http),
            (None, None, None) => {
                let message = "the tool has no HTTP endpoint; use --url or --command";
                return Err(terminal.usage_error(message));
            }
        })
    }
}

/// Makes the calls of a test run.
pub(crate) struct TestCaller<'a> {
    tool: ToolDescriptor<'a>,
    /// The name and value of the variable that may be sent.
    secret: Option<(&'a str, String)>,
    limits: Limits,
    /// The origin of an installed tool, which is called as its manifest declares.
    origin: Option<Origin>,
    host: Host,
    runtime: tokio::runtime::Runtime,
}

impl<'a> TestCaller<'a> {
    pub(crate) fn new(
        how: &'a InvocationArgs,
        tool: ToolDescriptor<'a>,
        origin: Option<Origin>,
        terminal: &Terminal,
    ) -> Result<Self, Failure> {
        let limits = limits::document();
        // The run checks inputs itself if its profile requires that.
        let tool = ToolDescriptor { input_schema: None, ..tool };
        let tool = if origin.is_none() {
            let call = how.invocation(&tool, terminal)?;
            ToolDescriptor { invocation: Some(call.into()), ..tool }
        } else if tool.invocations().next().is_none() {
            let message = "a chain is tested with --command 'toolglot call ID --yes --args'";
            return Err(terminal.usage_error(message));
        } else {
            tool
        };
        let secret = how.secret.as_deref().map(|name| match std::env::var(name) {
            Ok(value) if !value.is_empty() && !value.chars().any(char::is_control) => {
                Ok((name, value))
            }
            _ => {
                let name = printable(name, 64);
                Err(terminal.usage_error(&format!("{name} is not set, or cannot be sent")))
            }
        });
        // The user chooses the address of the tool, and it may be on this machine.
        let mut options = Options { private_addresses: true, ..Options::default() };
        options.limits.answer_bytes = limits.document_bytes;
        let host = Host::new(options).map_err(|error| terminal.usage_error(&error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| terminal.usage_error(&error.to_string()))?;
        let secret = secret.transpose()?;
        Ok(Self { tool, secret, limits, origin, host, runtime })
    }

    pub(crate) fn run_all(&self, run: &mut TestRun<'_>, terminal: &Terminal) {
        let total = run.total();
        loop {
            let number = run.results().len() + 1;
            let Some(call) = run.next() else { break };
            terminal.progress(&format!("test {number} of {total}: {}", printable(call.name, 64)));
            let start = Instant::now();
            let outcome = self.call(&call);
            let latency = start.elapsed();
            run.resume(&outcome, latency);
        }
        terminal.progress("");
        if total == 0 {
            terminal.status("the manifest lists no tests\n");
        }
    }

    fn call(&self, call: &TestCall<'_>) -> Outcome {
        let (step, values) = match self.step(call) {
            Ok(made) => made,
            Err(message) => return Outcome::NotDone(message),
        };
        let here = Origin::folder(".");
        let origin = self.origin.as_ref().unwrap_or(&here);
        let done = self.host.run_unchecked(&step, origin, &values, call.timeout);
        Self::adapt_outcome(self.runtime.block_on(done))
    }

    /// Returns the step of a test, and the values that it needs.
    fn step(&self, call: &TestCall<'_>) -> Result<(Step, Values), String> {
        let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
        let may_send = |name: &str| self.secret.as_ref().is_some_and(|(known, _)| *known == name);
        let planned = if let Some(origin) = &self.origin {
            gateway::plan_call(&self.tool, &FORMAT, origin, call.input, &policy, &may_send)
        } else {
            let facts = HostFacts { has_value: &may_send, ..HostFacts::new(&policy) };
            let contract = (FORMAT.contract)(&self.tool);
            call::plan(&self.tool, &contract, call.input, &facts, &self.limits)
        };
        let plan = match planned.ready() {
            Ok(plan) => plan,
            Err(refused) => {
                let first = refused.report().and_then(|report| report.diagnostics.first());
                return Err(
                    first.map_or_else(|| refused.to_string(), |found| found.message.clone())
                );
            }
        };
        let mut values = Values::new();
        if let Some((name, value)) = &self.secret {
            values.set(name, value.as_str());
        }
        let step = match plan.step {
            // The program is the user's own: it runs here, with the user's environment.
            Step::Run(program) if self.origin.is_none() => Step::Run(Program {
                base: ProgramSearch::SearchPath,
                cwd: None,
                inherit: std::env::vars().map(|(name, _)| name).collect(),
                ..program
            }),
            // A header whose credential may not be sent is dropped, as in the published
            // tool.
            Step::Send(mut request) => {
                request.headers.retain(|(_, value)| value.variables().all(&may_send));
                Step::Send(request)
            }
            step => step,
        };
        Ok((step, values))
    }

    /// Adapts an outcome for the run.
    fn adapt_outcome(outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Exited { end, stderr, .. } if end != End::Exit(0) => {
                let said = call::decode_lossy(&stderr);
                let said = said.lines().find(|line| !line.trim().is_empty());
                let end = match end {
                    End::Exit(code) => format!("exit code {code}"),
                    End::Signal { .. } => "no exit code".to_owned(),
                };
                Outcome::NotDone(said.map_or(end.clone(), |said| format!("{end}: {said}")))
            }
            outcome => outcome,
        }
    }
}
