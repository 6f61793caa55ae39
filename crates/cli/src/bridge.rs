//! `toolglot bridge`

use std::path::{Path, PathBuf};

use host::Options;
use toolglot::call::{Answer, Grant, Policy, Server, Step, ToolCall};
use toolglot::core::descriptor::Caution;
use toolglot::core::{printable, quoted};
use toolglot::descriptor::Invocation;
use toolglot::json::{Document, quote};
use toolglot::{Accept, Format, Formats, Limits};

use crate::call::Allow;
use crate::callable::{self, Callable};
use crate::chained::{self, Chained, INSTALLED};
use crate::modules::{self, Approval};
use crate::refusals::failed;
use crate::values;
use console::terminal::{Failure, Terminal, with_line_end};

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
        refuse(&tool, format, args, terminal)?;
        let policy = policy(&tool, format, args);
        let given = values::given(None, &tool, terminal)?;
        let has = |name: &str| given.has(name);
        if args.check {
            return check(&tool, source.folder.as_deref(), terminal);
        }
        let text = match &args.arguments {
            Some(text) => text.clone(),
            None => callable::arguments(&tool, Some("-"), &[], terminal)?,
        };
        if chained::is_chain(&tool) {
            let beside = args.folder.iter().map(|folder| folder.join(INSTALLED));
            let chained = Chained {
                file: source.file.clone(),
                with: beside.filter(|folder| folder.is_dir()).collect(),
                formats,
                policy,
                values: None,
                private_addresses: args.allow.contains(&Allow::Private),
                trace: false,
                terminal,
            };
            return terminal.print_bytes(&for_host(chained.call(&tool, &text)?, format));
        }
        let mut plan = tool.plan(&text, &policy, &has, terminal)?;
        let is_lost = source.folder.is_none() && is_relative(&plan.step);
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
        let answer =
            values::hosted(values::recording(options, terminal)?, terminal, async |host| {
                modules::agreed(host, &mut plan, &tool, Approval::Before, terminal).await?;
                host.call(&plan, &origin, &values).await.map_err(|error| failed(&error, terminal))
            })?;
        terminal.print_bytes(&for_host(answer, format))
    })
}

/// Whether there is a way to call the tool, and the files that it names are there. What arguments
/// would do is another question.
fn check(tool: &Callable<'_>, folder: Option<&Path>, terminal: &Terminal) -> Result<(), Failure> {
    if !tool.tool.has_call() {
        return Err(terminal.trouble("the source does not say how the tool is called"));
    }
    let is_there = |name: &String| folder.is_some_and(|folder| folder.join(name).is_file());
    // A Python module may be installed instead.
    let is_python = tool.tool.calls().any(|call| matches!(call, Invocation::Python(_)));
    let files = if is_python { Vec::new() } else { tool.tool.files() };
    if let Some(name) = files.iter().find(|name| !is_there(name)) {
        let message = format!("{}, which the source names, is not there", printable(name, 128));
        return Err(terminal.trouble(&message));
    }
    terminal.print("the source is there, and says how it is called\n")
}

/// Whether what is run depends on a folder, which the digest of the source says nothing about.
fn is_relative(step: &Step) -> bool {
    match step {
        Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
            let name = program.argv.first().map(ToString::to_string).unwrap_or_default();
            let is_below = |path: &str| !Path::new(path).is_absolute();
            name.contains('/') && is_below(&name) || program.cwd.as_deref().is_some_and(is_below)
        }
        Step::Node(_) | Step::Python(_) | Step::Fetch(_) => true,
        Step::Send(_) | Step::CallTool(_) | Step::Call(_) | Step::Find(_) | Step::Ask(_) => false,
    }
}

/// Refuses a source that is a bridge itself, and cautions that nobody accepted.
fn refuse(
    tool: &Callable<'_>,
    host: &Format,
    args: &Args,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let refused = |message: &str| {
        terminal.error(message);
        Err(Failure::Refused)
    };
    let is_bridge = |call: &toolglot::descriptor::Invocation<'_>| call.pin().is_some();
    if tool.tool.calls().any(is_bridge) {
        return refused("the source calls a bridge itself");
    }
    // Where the calling format has a word for it, its host has acted on that.
    for needed in host.accepted(tool.tool) {
        let (given, message) = match needed {
            Accept::Disabled => (
                Accepted::Disabled,
                "the source switches this tool off, and the line does not accept that",
            ),
            Accept::Approval | Accept::Bridge => (
                Accepted::Approval,
                "the source asks for approval, and the line does not accept its absence",
            ),
        };
        if !args.accept.contains(&given) {
            return refused(message);
        }
    }
    Ok(())
}

/// Who runs the line has agreed to what is unknown, and to what was accepted.
fn policy(tool: &Callable<'_>, host: &Format, args: &Args) -> Policy {
    let mut policy =
        Policy { grants: [Grant::Approved, Grant::Unknown].into(), ..Policy::default() };
    let off = !Caution::of(tool.tool).is_enabled();
    if off && (host.words.disabled || args.accept.contains(&Accepted::Disabled)) {
        policy.grants.insert(Grant::Disabled);
    }
    if args.allow.contains(&Allow::Untrusted) {
        policy.grants.insert(Grant::Untrusted);
    }
    policy
}

/// An answer as the calling host reads it: JSON, where it takes nothing else.
fn for_host(answer: Answer, host: &Format) -> Vec<u8> {
    let takes_json = matches!(host.name, "mcpkg" | "jumith");
    if !takes_json {
        return match answer.text() {
            Some(text) => with_line_end(text).into_bytes(),
            None => answer.into_bytes(),
        };
    }
    let is_json = |text: &String| Document::parse(text.as_bytes(), &Limits::default()).is_ok();
    let json = match answer {
        Answer::Json(text) => text,
        Answer::Records(records) => format!("[{}]", records.join(",")),
        Answer::Nothing => "null".to_owned(),
        Answer::Text(text) => Some(text.clone()).filter(is_json).unwrap_or_else(|| quote(&text)),
        Answer::Bytes(bytes) => quote(&String::from_utf8_lossy(&bytes)),
    };
    format!("{json}\n").into_bytes()
}
