//! `toolglot bridge`

use std::path::{Path, PathBuf};

use host::{Options, Resolvers};
use installer::packages::FOLDER;
use toolglot::call::{Answer, Policy};
use toolglot::core::{printable, quoted};
use toolglot::descriptor::Invocation;
use toolglot::{AcceptedLoss, Format, Formats};

use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::call::{Allow, granted_channel};
use crate::verbs::live::call_chain::ChainCall;
use crate::verbs::live::call_errors::{describe_lacks, show_error, show_missing};
use crate::verbs::live::callable::{self, Callable};
use crate::verbs::live::modules::{self, CallApproval};
use crate::verbs::live::values;

/// Make the call of the source that a converted manifest stands for
#[derive(clap::Args)]
#[command(after_help = "\
Converted manifests have this line where their format has no words for the call of the source. The
source is found by its digest, below .toolglot/sources of the folder or in the user's store; other
bytes are refused. Arguments are read from standard input, or are the last argument.

Exit codes: 0 answered, 1 the source or the arguments are wrong, 2 wrong usage or no source,
3 refused, 4 called, and failed")]
pub(crate) struct Args {
    /// The format whose host calls
    #[arg(long = "for", value_name = "FORMAT")]
    host: String,
    /// The digest of the source: sha256:HEX
    #[arg(long, value_name = "DIGEST")]
    source: String,
    /// The id of the tool in the source
    #[arg(long, value_name = "ID")]
    tool: String,
    /// What was accepted when the source was converted
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    accept: Vec<AcceptArg>,
    /// What the host that runs this line grants
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// The folder of the converted manifest
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Only see whether the call could be made
    #[arg(long)]
    check: bool,
    /// The arguments: a JSON object
    #[arg(value_name = "JSON")]
    arguments: Option<String>,
}

/// What can be accepted when a tool is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AcceptArg {
    /// That a tool which is switched off becomes callable
    Disabled,
    /// That nobody is asked before a call
    Approval,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let Some(format) = formats.by_name(&args.host) else {
        return Err(terminal.usage_error(&format!("there is no format {}", quoted(&args.host))));
    };
    let Some(digest) = args.source.strip_prefix("sha256:") else {
        return Err(terminal.usage_error("--source is sha256: and 64 hexadecimal digits"));
    };
    let source = callable::find_source(digest, args.folder.as_deref(), terminal)?;
    callable::with_source(&source, formats, terminal, |document| {
        let tool = document.choose(Some(&args.tool), terminal)?;
        let policy = bridge_policy(args, &tool, format, terminal)?;
        if args.check {
            return check(&tool, source.folder.as_deref(), terminal);
        }
        let text = match &args.arguments {
            Some(text) => text.clone(),
            None => callable::read_arguments(&tool, Some("-"), &[], terminal)?,
        };
        let answer = if tool.tool.is_chain() {
            let beside = args.folder.iter().map(|folder| folder.join(FOLDER));
            let chained = ChainCall {
                file: source.file.clone(),
                tool_paths: beside.filter(|folder| folder.is_dir()).collect(),
                formats,
                policy,
                values: None,
                resolvers: Resolvers::default(),
                private_addresses: args.allow.contains(&Allow::Private),
                trace: false,
                terminal,
            };
            chained.call(&tool, &text)?
        } else {
            call_source(args, &tool, &text, &policy, source.folder.is_some(), terminal)?
        };
        terminal.print_bytes(&gateway::encode_for_host(answer, format))
    })
}

/// Returns the grants of the bridge command. Fails if it must not call the tool.
fn bridge_policy(
    args: &Args,
    tool: &Callable<'_>,
    host: &Format,
    terminal: &Terminal,
) -> Result<Policy, Failure> {
    let accept = |accepted: &AcceptArg| match accepted {
        AcceptArg::Disabled => AcceptedLoss::Disabled,
        AcceptArg::Approval => AcceptedLoss::Approval,
    };
    let accepted: Vec<AcceptedLoss> = args.accept.iter().map(accept).collect();
    let untrusted = args.allow.contains(&Allow::Untrusted);
    let grants = gateway::bridge_grants(tool.tool, host, &accepted, untrusted).map_err(|why| {
        terminal.error(why);
        Failure::Refused
    })?;
    let channels = granted_channel(&args.allow).into_iter().collect();
    Ok(Policy { grants, channels, ..Policy::default() })
}

/// Calls the tool of the source. `kept` is true if the source's files are stored with it.
fn call_source(
    args: &Args,
    tool: &Callable<'_>,
    text: &str,
    policy: &Policy,
    kept: bool,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let given = values::available_values(None, tool, terminal)?;
    let mut planned = tool.plan(text, policy, &|name| given.has(name), terminal)?;
    let mut lacks_files = false;
    planned.adapt(|step, _| lacks_files = gateway::lacks_files(step, tool.tool, kept));
    if lacks_files {
        terminal.error(
            "the files that the call names are not kept with the source: convert it again \
             with --store, or with -o FOLDER, and name that with --folder",
        );
        return Err(Failure::Refused);
    }
    let lacks = describe_lacks(&planned);
    let Ok(mut plan) = planned.ready() else { return Err(show_missing(&lacks, terminal)) };
    let values = values::collect(&plan, &given, terminal)?;
    let private_addresses = args.allow.contains(&Allow::Private);
    let options = Options { private_addresses, ..Options::default() };
    let origin = tool.origin();
    values::with_host(values::recording_host(options, terminal)?, terminal, async |host| {
        modules::check_module(host, &mut plan, tool, CallApproval::InAdvance, terminal).await?;
        host.call(&plan, &origin, &values).await.map_err(|error| show_error(&error, terminal))
    })
}

/// Checks that the source declares a call of the tool, and that the files it names exist.
/// Does not check any arguments.
fn check(tool: &Callable<'_>, folder: Option<&Path>, terminal: &Terminal) -> Result<(), Failure> {
    if !tool.tool.has_call() {
        return Err(terminal.usage_error("the source does not say how the tool is called"));
    }
    let is_there = |name: &String| folder.is_some_and(|folder| folder.join(name).is_file());
    // A Python module does not need its file: it may be installed.
    let is_python = tool.tool.invocations().any(|call| matches!(call, Invocation::Python(_)));
    let files = if is_python { Vec::new() } else { tool.tool.local_files() };
    if let Some(name) = files.iter().find(|name| !is_there(name)) {
        let message = format!("{}, which the source names, is not there", printable(name, 128));
        return Err(terminal.usage_error(&message));
    }
    terminal.print("the source is there, and says how it is called\n")
}
