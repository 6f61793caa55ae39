//! `toolglot mcp`

use std::path::PathBuf;
use std::sync::Arc;

use gateway::{Approvals, BridgeSpec, Catalogue, Gateway, Options};
use host::Record;
use toolglot::Formats;
use toolglot::call::Grant;
use toolglot::descriptor::Channel;

use crate::terminal::console::{Colour, Failure, Terminal};
use crate::terminal::summary;
use crate::verbs::live::policy_file::PolicyFile;
use crate::verbs::live::values::{self, ResolverArgs};

/// Serve every tool of manifests to an MCP client, over standard input and output
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot mcp tools/
  toolglot mcp notes.install.json mail.mcpkg.json --values secrets.env
  toolglot mcp --for mcpb --source sha256:HEX --tool notes.find --tool notes.write

The last is the line of a converted bundle: these tools of the source, which is found as for
`toolglot bridge`, and nothing else.

Below a folder, files that end in .json are taken. Naming a file or a folder is the consent to
what its manifests do not say. What they ask approval for is asked through the client, or
approved before with `toolglot approve`; elsewhere it is refused. What is switched off is not
served. Files are read again when they change.

Standard error has what is left out, and a line for each call.

Exit codes: 0 the client has gone, or somebody ended it, 2 wrong usage or no tools")]
pub(crate) struct Args {
    /// Manifests, and folders of manifests
    #[arg(required_unless_present = "source", value_name = "FILE|FOLDER")]
    places: Vec<PathBuf>,
    #[command(flatten)]
    grants: Grants,
    #[command(flatten)]
    bridge: BridgeArgs,
}

/// The line of a converted bundle, which is served instead of files.
#[derive(clap::Args)]
struct BridgeArgs {
    /// The format of the bundle
    #[arg(long = "for", value_name = "FORMAT", requires = "source")]
    host: Option<String>,
    /// The digest of the source that a converted bundle stands for: sha256:HEX
    #[arg(long, value_name = "DIGEST", requires_all = ["host", "tool"], conflicts_with = "places")]
    source: Option<String>,
    /// The folder of the bundle, with the source below .toolglot/sources
    #[arg(long, value_name = "FOLDER", requires = "source")]
    folder: Option<PathBuf>,
    /// The id of a tool of the source, then what was accepted for it, then other tools; last
    #[arg(long, value_name = "ID", num_args = 1.., allow_hyphen_values = true, requires = "source")]
    tool: Vec<String>,
}

/// What tools that are served are given.
#[derive(clap::Args)]
pub(crate) struct Grants {
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    #[command(flatten)]
    resolvers: ResolverArgs,
    /// Grant what is not granted by approval
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
    #[command(flatten)]
    policy: PolicyFile,
}

/// What can be granted to all tools that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Allow {
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
    let line = match &args.bridge {
        BridgeArgs { host: Some(host), source: Some(source), folder, tool } => {
            let line = BridgeSpec::new(host, source, tool, folder.clone(), formats);
            Some(line.map_err(|why| terminal.usage_error(&why))?)
        }
        _ => None,
    };
    let gateway = args.grants.gateway(&args.places, line.as_ref(), formats, terminal)?;
    if gateway.catalogue().tools().next().is_none() {
        return Err(terminal.usage_error("there are no tools to serve"));
    }
    let served = values::run_server(terminal, async {
        let serving =
            gateway::stdio::serve(Arc::clone(&gateway), tokio::io::stdin(), tokio::io::stdout());
        tokio::select! {
            served = serving => served.map_err(|error| terminal.usage_error(&error.to_string())),
            () = gateway.watch_files(|catalogue| print_catalogue(catalogue, terminal)) => Ok(()),
        }
    });
    close_gateway(gateway, terminal);
    served
}

/// Stops the processes that the tools started. Call this after the gateway has stopped
/// serving.
pub(crate) fn close_gateway(gateway: Arc<Gateway>, terminal: &Terminal) {
    if let Some(gateway) = Arc::into_inner(gateway) {
        let _ = values::run_server(terminal, async {
            gateway.close().await;
            Ok(())
        });
    }
}

impl Grants {
    /// Creates the gateway to all tools in `places`, or to those of a bridge command.
    /// Prints the files and tools that are left out.
    pub(crate) fn gateway(
        &self,
        places: &[PathBuf],
        line: Option<&BridgeSpec>,
        formats: Formats<'static>,
        terminal: &Terminal,
    ) -> Result<Arc<Gateway>, Failure> {
        let mut policy = self.policy.read(terminal)?;
        if self.allow.contains(&Allow::Untrusted) {
            policy.grants.insert(Grant::Untrusted);
        }
        if self.allow.contains(&Allow::VdiVpn) {
            policy.channels.insert(Channel::VdiVpn);
        }
        let options = Options {
            places: places.to_vec(),
            formats,
            policy: gateway::with_server_grants(policy),
            values: self.values.clone(),
            resolvers: self.resolvers.read(terminal)?,
            private_addresses: self.allow.contains(&Allow::Private),
            approvals: Approvals::of_user(),
        };
        let record = |record: &Record| Terminal::new(Colour::Never).status(&format!("{record}\n"));
        let notice = |odd: &str| Terminal::new(Colour::Never).status(&format!("warning: {odd}\n"));
        let gateway = match line {
            Some(line) => Gateway::for_bridge(line, options, record, notice),
            None => Gateway::new(options, record, notice),
        };
        let gateway = gateway.map_err(|error| terminal.usage_error(&error.to_string()))?;
        print_catalogue(&gateway.catalogue(), terminal);
        Ok(Arc::new(gateway))
    }
}

/// Prints the number of served tools. Warns of each file or tool that is left out, and of
/// suspicious texts.
pub(crate) fn print_catalogue(catalogue: &Catalogue, terminal: &Terminal) {
    for left in catalogue.skipped() {
        terminal.status(&format!("warning: {left}\n"));
    }
    for (file, remarks) in catalogue.lint_counts() {
        terminal.warn_of_texts(&file, remarks);
    }
    terminal.status(&format!("served: {}\n", summary::count_tools(catalogue.tools().count())));
}
