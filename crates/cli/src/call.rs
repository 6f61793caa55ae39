//! `toolglot call`

use std::io::IsTerminal;
use std::path::PathBuf;

use gateway::Approvals;
use host::{Error, Host, Options, Origin};
use toolglot::Formats;
use toolglot::call::{Concern, Grant, Missing, Plan, Policy, Verdict};

use crate::callable::{self, Callable};
use crate::terminal::{Failure, Terminal};
use crate::values;

/// Call a tool of a manifest of any format
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot call tools.json get_time --arg zone=UTC
  toolglot call install.json find --args '{\"query\": \"tea\"}' --dry-run
  toolglot call mcpkg.json --args @arguments.json --values secrets.env --yes

Values of variables are taken from --values, then from the environment; a terminal is asked for
what is missing. They are never shown, and never on a command line.

What a manifest asks approval for is asked on a terminal; elsewhere, --yes approves it, or
`toolglot approve` did before. What is switched off or untrusted is called with --allow only.

Exit codes: 0 answered, 1 the manifest or the arguments are wrong, 2 wrong usage or an unreadable
file, 3 refused: not approved, or something is missing, 4 called, and failed")]
pub(crate) struct Args {
    /// The manifest; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The tool: its id, or the name that callers use. Not needed where there is one
    #[arg(value_name = "TOOL")]
    tool: Option<String>,
    /// The arguments: a JSON object, @FILE, or - for standard input
    #[arg(long = "args", value_name = "JSON", conflicts_with = "single")]
    whole: Option<String>,
    /// One argument; the schema tells whether its value is JSON or text
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    single: Vec<String>,
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Approve the call
    #[arg(long)]
    yes: bool,
    /// Grant what is not granted by approval
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
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
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    callable::open(&args.file, formats, terminal, |document| {
        let tool = document.choose(args.tool.as_deref(), terminal)?;
        if tool.tool.calls().any(|call| call.pin().is_some()) {
            terminal.error(
                "the tool calls the bridge to another manifest: call that one, where its own \
                 cautions are seen",
            );
            return Err(Failure::Refused);
        }
        let text = callable::arguments(&tool, args.whole.as_deref(), &args.single, terminal)?;
        let mut values = values::given(args.values.as_deref(), &tool, terminal)?;
        let mut policy = policy(args);
        let approvals = Approvals::of_the_user();
        if approvals.is_some_and(|all| all.has(&tool.digest(), &tool.tool.id)) {
            policy.grants.insert(Grant::Approved);
        }
        let mut plan = tool.plan(&text, &policy, &|name| values.has(name), terminal)?;
        for warning in &plan.warnings {
            terminal.say(&format!("warning[{}]: {}\n", warning.rule, warning.message));
        }
        if args.dry_run {
            return dry(&plan, terminal);
        }
        if let Some(concerns) = asks(&plan) {
            approve(&tool, &concerns, terminal)?;
            policy.grants.insert(Grant::Approved);
            plan = tool.plan(&text, &policy, &|name| values.has(name), terminal)?;
        }
        values = values::collected(&plan, &values, terminal)?;
        // Another variable may be the one that has a value now.
        let plan = tool.plan(&text, &policy, &|name| values.has(name), terminal)?;
        let private_addresses = args.allow.contains(&Allow::Private);
        let options = Options { private_addresses, ..Options::default() };
        let origin = Origin { folder: document.folder(), manifest: Some(tool.manifest()) };
        let answer = values::blocked(terminal, async {
            let host = Host::new(options).map_err(|error| terminal.trouble(&error.to_string()))?;
            host.call(&plan, &origin, &values).await.map_err(|error| failed(&error, terminal))
        })?;
        match answer.text() {
            Some(text) => terminal.print(&with_line_end(text)),
            None => terminal.print_bytes(&answer.into_bytes()),
        }
    })
}

fn policy(args: &Args) -> Policy {
    let mut policy = Policy::default();
    if args.yes {
        policy.grants.insert(Grant::Approved);
    }
    let granted = args.allow.iter().filter_map(|allow| match allow {
        Allow::Disabled => Some(Grant::Disabled),
        Allow::Untrusted => Some(Grant::Untrusted),
        Allow::Private => None,
    });
    policy.grants.extend(granted);
    policy
}

/// The plan, for people and programs; what is missing, for people.
fn dry(plan: &Plan, terminal: &Terminal) -> Result<(), Failure> {
    for missing in &plan.missing {
        terminal.say(&format!("missing: {}\n", lacking(missing)));
    }
    let json = serde_json::to_value(plan).map_err(|error| terminal.trouble(&error.to_string()))?;
    terminal.print(&format!("{json:#}\n"))
}

/// What is missing, in words.
fn lacking(missing: &Missing) -> String {
    match missing {
        Missing::Value(name) => format!("a value of {name}"),
        Missing::Installation(how) => format!("the installation ({how})"),
        Missing::Approval(Verdict::Refuse(concerns)) => {
            format!("a grant (--allow): {}", told(concerns))
        }
        Missing::Approval(Verdict::Ask(concerns)) => format!("approval: {}", told(concerns)),
        Missing::Approval(Verdict::Allow) => "nothing".to_owned(),
    }
}

/// What speaks against a call, in words.
pub(crate) fn told(concerns: &[Concern]) -> String {
    concerns.iter().map(|concern| concern.message()).collect::<Vec<_>>().join("; ")
}

/// What a person has to be asked, if that is all that is needed.
fn asks(plan: &Plan) -> Option<Vec<Concern>> {
    plan.missing.iter().find_map(|missing| match missing {
        Missing::Approval(Verdict::Ask(concerns)) => Some(concerns.clone()),
        _ => None,
    })
}

/// Asks a person, where there is one.
fn approve(tool: &Callable<'_>, concerns: &[Concern], terminal: &Terminal) -> Result<(), Failure> {
    for concern in concerns {
        terminal.say(&format!("note: {}\n", concern.message()));
    }
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        terminal
            .error("the call needs approval: look at it with --dry-run, and approve with --yes");
        return Err(Failure::Refused);
    }
    terminal.say(&format!("Call {}? [y/N] ", tool.shown()));
    let mut line = String::new();
    let answered = std::io::stdin().read_line(&mut line).is_ok();
    if answered && matches!(line.trim(), "y" | "Y" | "yes") {
        Ok(())
    } else {
        Err(Failure::Refused)
    }
}

/// Says why there is no answer.
pub(crate) fn failed(error: &Error, terminal: &Terminal) -> Failure {
    match error {
        Error::Failed(failure) => {
            terminal.error(&failure.to_string());
            Failure::Failed
        }
        Error::Missing(missing) => {
            for missing in missing {
                terminal.error(&format!("missing: {}", lacking(missing)));
            }
            Failure::Refused
        }
        other => {
            terminal.error(&other.to_string());
            Failure::Refused
        }
    }
}

/// A text that ends its line.
pub(crate) fn with_line_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
