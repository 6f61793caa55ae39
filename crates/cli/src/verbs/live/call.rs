//! `toolglot call`

use std::path::{Path, PathBuf};
use std::time::Instant;

use gateway::Approvals;
use host::{Options, Values};
use toolglot::Formats;
use toolglot::call::{Answer, Ask, Grant, Plan, Planned, Policy, Verdict};
use toolglot::core::{printable, quoted};
use toolglot::descriptor::{Channel, Invocation};

use crate::files::input;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::verbs::live::audit;
use crate::verbs::live::call_chain::ChainCall;
use crate::verbs::live::call_errors::{
    confirm, describe_grant, describe_lacks, describe_obstacles, show_error, show_missing,
};
use crate::verbs::live::callable::{self, Callable, CallableManifest};
use crate::verbs::live::modules::{self, CallApproval};
use crate::verbs::live::packages;
use crate::verbs::live::policy_file::PolicyFile;
use crate::verbs::live::values::{self, ResolverArgs};

/// Call a tool of a manifest of any format
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot call tools.json get_time --arg zone=UTC
  toolglot call install.json find --args '{\"query\": \"tea\"}' --dry-run
  toolglot call mcpkg.json --args @arguments.json --values secrets.env --yes
  toolglot call acme.crm.search --arg name=Ada
  toolglot call chain.json --args '{\"file\": \"a.pdf\"}' --with tools/ --trace

Values of variables are taken from --values, then from the environment; secrets that have a reference
from the program of --resolver; a terminal is asked for what is missing. They are never shown, and
never on a command line.

A line for each call, with names and without values, is added to calls.jsonl of the user's state
folder: $XDG_STATE_HOME/toolglot, or ~/.local/state/toolglot.

Of a package that is installed, and of those that it calls as a chain, the files must be what was agreed
to, and a signature must hold.

What a manifest asks approval for is asked on a terminal; elsewhere, --yes approves it, or
`toolglot approve` did before. What is switched off or untrusted is called with --allow only.

The module of a Jumith tool is loaded in Node once that is approved, and must be what its manifest
says. What it says of the call is shown, and asked for where a person was asked. Its secrets are
values of their names, or of the keys NAME_OF_THE_TOOL-NAME.

Exit codes: 0 answered, 1 the manifest or the arguments are wrong, 2 wrong usage or an unreadable
file, 3 refused: not approved, or something is missing, 4 called, and failed")]
pub(crate) struct Args {
    /// The manifest, or the id of a package that is installed; - is standard input
    #[arg(value_name = "FILE|ID")]
    file: PathBuf,
    /// The tool: its id, or the name that callers use. Not needed where there is one
    #[arg(value_name = "TOOL")]
    tool: Option<String>,
    #[command(flatten)]
    call: CallArgs,
    /// Approve the call
    #[arg(long)]
    yes: bool,
    /// Grant what is not granted by approval
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// A file or folder with tools that a chain calls; those in .mcp/tools are known
    #[arg(long, value_name = "PATH")]
    with: Vec<PathBuf>,
    /// Tell of each step of a chain: what it was given, and what came of it
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    policy: PolicyFile,
    /// A folder that gets the line of agentcli's audit log, in a file of the day: for tools.json
    #[arg(long, value_name = "FOLDER")]
    audit: Option<PathBuf>,
}

/// How a call is made, wherever the tool is from.
#[derive(clap::Args)]
pub(crate) struct CallArgs {
    /// The arguments: a JSON object, @FILE, or - for standard input
    #[arg(long = "args", value_name = "JSON", conflicts_with = "single")]
    pub(crate) arguments: Option<String>,
    /// One argument; the schema tells whether its value is JSON or text
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    single: Vec<String>,
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    #[command(flatten)]
    resolvers: ResolverArgs,
    /// Print the plan and what is missing, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// What can be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Allow {
    /// Tools that are switched off
    Disabled,
    /// Tools that their manifest calls untrusted
    Untrusted,
    /// Requests to this machine and to private networks
    Private,
    /// Tools that are driven at a screen or over a private network
    #[value(name = "vdi_vpn")]
    VdiVpn,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let arguments = args.call.arguments.as_deref().filter(|text| *text == "-").map(PathBuf::from);
    input::check_stdin_once([&args.file].into_iter().chain(&arguments), terminal)?;
    let file = packages::manifest_path(&args.file, terminal)?;
    packages::verify_before_call(&file, terminal)?;
    callable::with_file(&file, formats, terminal, |document| {
        let tool = document.choose(args.tool.as_deref(), terminal)?;
        let call = Call {
            args: &args.call,
            policy: policy(args, terminal)?,
            private_addresses: args.allow.contains(&Allow::Private),
            tool_paths: &args.with,
            trace: args.trace,
            audit: args.audit.as_deref(),
            formats,
            terminal,
        };
        call.check_permitted(&tool)?;
        call.run(&file, document, &tool)
    })
}

/// A call to make, with its grants.
pub(crate) struct Call<'c> {
    pub(crate) args: &'c CallArgs,
    pub(crate) policy: Policy,
    /// True if requests may go to this machine and to private networks.
    pub(crate) private_addresses: bool,
    /// Files and folders with the tools that a chain calls.
    pub(crate) tool_paths: &'c [PathBuf],
    /// True to print each step of a chain.
    pub(crate) trace: bool,
    /// The folder of agentcli's audit log.
    pub(crate) audit: Option<&'c Path>,
    pub(crate) formats: Formats<'static>,
    pub(crate) terminal: &'c Terminal,
}

impl Call<'_> {
    /// Refuses a converted tool if its own manifest forbids the call. Decides nothing if
    /// the manifest lacks a sign-in, because the source is judged later.
    fn check_permitted(&self, tool: &Callable<'_>) -> Result<(), Failure> {
        let stands_for_another = tool.tool.invocations().any(Invocation::is_pinned);
        match self.policy.judge(tool.tool, &tool.host_rules()) {
            Verdict::Refuse(concerns)
                if stands_for_another && !concerns.iter().any(|concern| concern.is_final()) =>
            {
                Err(show_missing(&[describe_grant(&concerns)], self.terminal))
            }
            _ => Ok(()),
        }
    }

    /// Calls a tool of a file. If the tool is a bridge, calls the tool of its source
    /// instead.
    pub(crate) fn run(
        &self,
        file: &Path,
        document: &CallableManifest<'_>,
        tool: &Callable<'_>,
    ) -> Result<(), Failure> {
        let terminal = self.terminal;
        let Some(pin) = tool.tool.invocations().find_map(Invocation::pin) else {
            return self.call_tool(file, tool);
        };
        // The `--accept` and `--allow` of a bridge apply to the host that runs it. Here, a
        // person is asked about the tool of the source.
        let source = callable::find_source(&pin.source, document.folder.as_deref(), terminal)?;
        callable::with_source(&source, self.formats, terminal, |original| {
            let Some(tool) = original.find_pinned(&pin) else {
                return Err(terminal.usage_error("the source has no such tool"));
            };
            if tool.tool.invocations().any(Invocation::is_pinned) {
                terminal.error("the source calls a bridge itself");
                return Err(Failure::Refused);
            }
            terminal.status(&format!("note: this stands for {} of its source\n", tool.quoted_id()));
            self.call_tool(&source.file, &tool)
        })
    }

    /// Calls a tool of a file, or reports missing values and grants.
    fn call_tool(&self, file: &Path, tool: &Callable<'_>) -> Result<(), Failure> {
        let Self { args: making, terminal, .. } = self;
        if self.audit.is_some() && tool.format().name != "tools-json" {
            return Err(terminal.usage_error("--audit is for the tools of a tools.json"));
        }
        let text =
            callable::read_arguments(tool, making.arguments.as_deref(), &making.single, terminal)?;
        if tool.tool.is_chain() && !making.dry_run {
            return self.call_chain(file, tool, &text);
        }
        let mut given = values::available_values(making.values.as_deref(), tool, terminal)?;
        let resolvers = making.resolvers.read(terminal)?;
        let kept = gateway::resolvable_secrets(tool.tool, &resolvers);
        let mut policy = self.policy.clone();
        let approvals = Approvals::of_user();
        if approvals.is_some_and(|all| all.has(tool.digest(), &tool.tool.id)) {
            policy.grants.insert(Grant::Approved);
        }
        let has = |name: &str| given.has(name) || kept.contains(name);
        let planned = tool.plan(&text, &policy, &has, terminal)?;
        for warning in planned.warnings() {
            terminal.status(&format!("warning[{}]: {}\n", warning.rule, warning.message));
        }
        if making.dry_run {
            return print_plan(&planned, terminal);
        }
        // Do not ask a person anything if the call is refused in any case.
        let obstacles = describe_obstacles(&planned);
        if !obstacles.is_empty() {
            return Err(show_missing(&obstacles, terminal));
        }
        let mut approval = CallApproval::from_policy(&policy);
        let plan = match planned {
            Planned::Ready(plan) => plan,
            Planned::Ask(ask) => {
                ask_approval(tool, &ask, terminal)?;
                policy.grants.insert(Grant::Approved);
                approval = CallApproval::Interactive;
                ask.approve()
            }
            // It has an obstacle.
            Planned::Refused(_) => return Err(Failure::Refused),
        };
        values::resolve_secrets(&plan, &resolvers, &mut given, terminal)?;
        let values = values::collect(&plan, &given, terminal)?;
        // With the new values, the plan may use other variables.
        let planned = tool.plan(&text, &policy, &|name| values.has(name), terminal)?;
        let lacks = describe_lacks(&planned);
        let Ok(plan) = planned.ready() else { return Err(show_missing(&lacks, terminal)) };
        let answer = self.execute(plan, tool, &values, approval)?;
        terminal.print_answer(answer)
    }

    fn call_chain(&self, file: &Path, tool: &Callable<'_>, text: &str) -> Result<(), Failure> {
        let chained = ChainCall {
            file: file.to_owned(),
            tool_paths: self.tool_paths.to_vec(),
            formats: self.formats,
            policy: self.policy.clone(),
            values: self.args.values.clone(),
            resolvers: self.args.resolvers.read(self.terminal)?,
            private_addresses: self.private_addresses,
            trace: self.trace,
            terminal: self.terminal,
        };
        self.terminal.print_answer(chained.call(tool, text)?)
    }

    /// Carries out a plan that lacks nothing.
    fn execute(
        &self,
        mut plan: Plan,
        tool: &Callable<'_>,
        values: &Values,
        approval: CallApproval,
    ) -> Result<Answer, Failure> {
        let terminal = self.terminal;
        let private_addresses = self.private_addresses;
        let options = Options { private_addresses, ..Options::default() };
        let origin = tool.origin();
        values::with_host(values::recording_host(options, terminal)?, terminal, async |host| {
            modules::check_module(host, &mut plan, tool, approval, terminal).await?;
            let began = Instant::now();
            let called = host.call_with_progress(&plan, &origin, values, &|_| ()).await;
            if let Some((folder, outcome)) = self.audit.zip(called.outcome.as_ref()) {
                audit::append_call(folder, &plan, outcome, began.elapsed(), terminal)?;
            }
            called.answer.map_err(|error| show_error(&error, terminal))
        })
    }
}

/// Returns the channel that the options grant, if any.
pub(crate) fn granted_channel(allowed: &[Allow]) -> Option<Channel> {
    allowed.contains(&Allow::VdiVpn).then_some(Channel::VdiVpn)
}

fn policy(args: &Args, terminal: &Terminal) -> Result<Policy, Failure> {
    let mut policy = args.policy.read(terminal)?;
    if args.yes {
        policy.grants.insert(Grant::Approved);
    }
    let granted = args.allow.iter().filter_map(|allow| match allow {
        Allow::Disabled => Some(Grant::Disabled),
        Allow::Untrusted => Some(Grant::Untrusted),
        Allow::Private | Allow::VdiVpn => None,
    });
    policy.grants.extend(granted);
    policy.channels.extend(granted_channel(&args.allow));
    Ok(policy)
}

/// Prints the plan, and on standard error its missing values and grants.
fn print_plan(planned: &Planned, terminal: &Terminal) -> Result<(), Failure> {
    for what in describe_lacks(planned) {
        terminal.status(&format!("missing: {what}\n"));
    }
    let json =
        serde_json::to_value(planned).map_err(|error| terminal.usage_error(&error.to_string()))?;
    terminal.print_document(&format!("{json:#}\n"))
}

/// Asks a person for approval. Fails if there is no terminal, or unless the answer is yes.
fn ask_approval(tool: &Callable<'_>, ask: &Ask, terminal: &Terminal) -> Result<(), Failure> {
    terminal.status(&format!("note: {} {}\n", tool.quoted_id(), ask.action()));
    for concern in ask.concerns() {
        terminal.status(&format!("note: {}\n", concern.message()));
    }
    // Show the references, because a manifest can name any secret that the person's
    // programs can read.
    for variable in ask.variables() {
        if let Some(place) = &variable.reference {
            let (name, place) = (quoted(&variable.name), printable(place, 400));
            terminal.status(&format!("note: {name} is kept at {place}\n"));
        }
    }
    if !person::is_present() {
        terminal
            .error("the call needs approval: look at it with --dry-run, and approve with --yes");
        return Err(Failure::Refused);
    }
    confirm(&format!("Call {}?", tool.quoted_id()), terminal)
}
