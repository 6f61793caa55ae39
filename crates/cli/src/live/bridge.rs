//! `toolglot bridge`

use std::path::{Path, PathBuf};

use host::{Options, Resolvers};
use installer::packages::FOLDER;
use toolglot::call::{Answer, Policy};
use toolglot::core::{printable, quoted};
use toolglot::descriptor::Invocation;
use toolglot::{Accept, Format, Formats};

use crate::live::call::{Allow, channels};
use crate::live::callable::{self, Callable};
use crate::live::chained::Chained;
use crate::live::modules::{self, Approval};
use crate::live::refusals::failed;
use crate::live::values;
use console::terminal::{Failure, Terminal};

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
    accept: Vec<Accepted>,
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
enum Accepted {
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
    let Some(format) = formats.named(&args.host) else {
        return Err(terminal.trouble(&format!("there is no format {}", quoted(&args.host))));
    };
    let Some(digest) = args.source.strip_prefix("sha256:") else {
        return Err(terminal.trouble("--source is sha256: and 64 hexadecimal digits"));
    };
    let source = callable::source(digest, args.folder.as_deref(), terminal)?;
    callable::open_source(&source, formats, terminal, |document| {
        let tool = document.choose(Some(&args.tool), terminal)?;
        let policy = policy(args, &tool, format, terminal)?;
        if args.check {
            return check(&tool, source.folder.as_deref(), terminal);
        }
        let text = match &args.arguments {
            Some(text) => text.clone(),
            None => callable::arguments(&tool, Some("-"), &[], terminal)?,
        };
        let answer = if tool.tool.is_chain() {
            let beside = args.folder.iter().map(|folder| folder.join(FOLDER));
            let chained = Chained {
                file: source.file.clone(),
                with: beside.filter(|folder| folder.is_dir()).collect(),
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
            called(args, &tool, &text, &policy, source.folder.is_some(), terminal)?
        };
        terminal.print_bytes(&gateway::for_host(answer, format))
    })
}

/// Returns the grants of the bridge command. Fails if it must not call the tool.
fn policy(
    args: &Args,
    tool: &Callable<'_>,
    host: &Format,
    terminal: &Terminal,
) -> Result<Policy, Failure> {
    let accept = |accepted: &Accepted| match accepted {
        Accepted::Disabled => Accept::Disabled,
        Accepted::Approval => Accept::Approval,
    };
    let accepted: Vec<Accept> = args.accept.iter().map(accept).collect();
    let untrusted = args.allow.contains(&Allow::Untrusted);
    let grants = gateway::grants(tool.tool, host, &accepted, untrusted).map_err(|why| {
        terminal.error(why);
        Failure::Refused
    })?;
    let channels = channels(&args.allow).into_iter().collect();
    Ok(Policy { grants, channels, ..Policy::default() })
}

/// Calls the tool of the source. `kept` is true if the source's files are stored with it.
fn called(
    args: &Args,
    tool: &Callable<'_>,
    text: &str,
    policy: &Policy,
    kept: bool,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let given = values::given(None, tool, terminal)?;
    let mut plan = tool.plan(text, policy, &|name| given.has(name), terminal)?;
    let is_lost = !kept && gateway::is_relative(&plan.step);
    if is_lost || gateway::looks_around(&plan.step, tool.tool) {
        terminal.error(
            "the files that the call names are not kept with the source: convert it again \
             with --store, or with -o FOLDER, and name that with --folder",
        );
        return Err(Failure::Refused);
    }
    let values = values::collected(&plan, &given, terminal)?;
    let private_addresses = args.allow.contains(&Allow::Private);
    let options = Options { private_addresses, ..Options::default() };
    let origin = tool.origin();
    values::hosted(values::recording(options, terminal)?, terminal, async |host| {
        modules::agreed(host, &mut plan, tool, Approval::Before, terminal).await?;
        host.call(&plan, &origin, &values).await.map_err(|error| failed(&error, terminal))
    })
}

/// Checks that the source declares a call of the tool, and that the files it names exist.
/// Does not check any arguments.
fn check(tool: &Callable<'_>, folder: Option<&Path>, terminal: &Terminal) -> Result<(), Failure> {
    if !tool.tool.has_call() {
        return Err(terminal.trouble("the source does not say how the tool is called"));
    }
    let is_there = |name: &String| folder.is_some_and(|folder| folder.join(name).is_file());
    // A Python module does not need its file: it may be installed.
    let is_python = tool.tool.calls().any(|call| matches!(call, Invocation::Python(_)));
    let files = if is_python { Vec::new() } else { tool.tool.files() };
    if let Some(name) = files.iter().find(|name| !is_there(name)) {
        let message = format!("{}, which the source names, is not there", printable(name, 128));
        return Err(terminal.trouble(&message));
    }
    terminal.print("the source is there, and says how it is called\n")
}
