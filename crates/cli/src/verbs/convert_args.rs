//! The arguments of `toolglot convert`.

use std::path::{Path, PathBuf};

use toolglot::core::format::Defaults;
use toolglot::core::url;
use toolglot::tool_list::Server;
use toolglot::{Format, Options};

use crate::files::formats::{self, TargetFormat};
use crate::files::jsonl::Jsonl;
use crate::files::limits;
use crate::files::outputs::Destination;
use crate::terminal::choices::Choices;
use crate::terminal::table::Detail;

/// Convert a file to another format, and say what became of every value
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Where a format holds one tool a document, a file of several tools becomes several documents: name
a folder for them with -o, or pick one with --tool. The residue is what it takes to come back. It
is kept beside the output: tools.json has tools.json.residue.json, a folder has one
toolglot.residue.json. `toolglot restore` finds it there, and gives back the source to the byte,
with the edits that were made to the target since.

Where the target has no words for a call, the converted tool calls the bridge: its command is
`toolglot bridge`, which makes the call of the source. With -o FOLDER, the source that it reads and
the files that its calls name are written to .toolglot/sources there, and so is what starts it. With
--store they are written to the user's store, $XDG_DATA_HOME/toolglot/sources. --strict refuses the
bridge. With --gateway, capabilities and MCPKG manifests ask that instead. Unison sends no headers: its
token is the first segment of the path. A host of MCPKG sends the value of TOOLGLOT_TOKEN.

A tool that is switched off, or that needs approval, is refused where the target has no word for
that: leave such tools out with --without, or accept it by name with --accept.

Examples:
  toolglot convert echo.mcpkg.json --to tools-json
  toolglot convert echo.mcpkg.json --to tools-json -o tools.json
  toolglot restore tools.json --to mcpkg
  toolglot convert tools.json --to install-manifest@0.4 -o manifests/
  toolglot convert manifests/ --to mcpkg -o converted/
  toolglot convert tools.json --residue-of tools.json.residue.json --to jumith -o modules/
  toolglot convert --jsonl big.tools.json --to mcpkg -o mcpkg.jsonl
  toolglot convert list.json --server 'npx -y @example/notes' --to install-manifest -o notes/
  toolglot convert notes.mcpb --tools list.json --to jumith -o notes/

With --jsonl the input is a stream: JSON Lines, an array, or a catalog, however long. Each document
that an entry becomes is one line of the output, in order. An entry that cannot be converted
becomes none, is reported with its line, and does not stop the rest. Residue and report have one
line for every entry, with its number, and the residue has one more for what is around the list of
a catalog. The residue of out.jsonl is out.jsonl.residue.jsonl.

Exit codes: 0 converted, 1 invalid or not convertible, 2 wrong usage or unreadable files")]
#[allow(clippy::struct_excessive_bools)] // flags of the command line
pub(crate) struct Args {
    /// The file to convert; - is standard input. Several, a folder of them, or a pattern, with -o
    /// FOLDER: each gets a folder in it
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) files: Vec<PathBuf>,
    /// The format of the file; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// The format to convert to; without a version, the newest
    #[arg(long, value_name = "FORMAT[@VERSION]", value_parser = formats::target_parser())]
    pub(crate) to: TargetFormat,
    /// Where to write: a file or, for several documents, a folder; - is standard output
    #[arg(long, short, value_name = "PATH", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Convert only the tool of this id; may be given several times
    #[arg(long = "tool", value_name = "ID")]
    tools: Vec<String>,
    #[command(flatten)]
    choices: Choices,
    /// Fail when the target needs something that the source does not say, or the bridge
    #[arg(long)]
    strict: bool,
    /// Where to write the residue, instead of beside the output
    #[arg(long, value_name = "FILE", conflicts_with = "no_residue")]
    pub(crate) residue: Option<PathBuf>,
    /// Keep no residue
    #[arg(long)]
    pub(crate) no_residue: bool,
    /// Carry the residue inside the input schemas of the target, where models see it
    #[arg(long)]
    pub(crate) in_band: bool,
    /// The residue of the conversion that made FILE: convert what its source says, with the edits
    /// made to FILE
    #[arg(long, value_name = "RESIDUE", conflicts_with_all = ["in_band", "jsonl"])]
    pub(crate) residue_of: Option<PathBuf>,
    /// What the MCP server of FILE answers to `tools/list`: a manifest of the server that does not
    /// list its tools (mcpb, server-json) is given their names and descriptions, before it is converted
    #[arg(long = "tools", value_name = "LIST", conflicts_with_all = ["jsonl", "residue_of", "server"])]
    pub(crate) tool_list: Option<PathBuf>,
    /// How the MCP server is reached that answered FILE, a list of tools: its URL, or the command
    /// that starts it, which no shell reads. It is put into the list as its `server`
    #[arg(long, value_name = "COMMAND|URL", conflicts_with_all = ["jsonl", "residue_of"])]
    pub(crate) server: Option<Server>,
    /// The gateway (`toolglot serve`) that is to call what the target has no words for, where its
    /// host sends requests only
    #[arg(long, value_name = "URL", value_parser = address)]
    gateway: Option<String>,
    /// What the bridge is allowed: private, to reach this machine and the networks around it
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allowed>,
    /// Copy the source of converted tools that call the bridge to the user's store, where the
    /// bridge finds it from every working directory
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) store: bool,
    /// Where to write what became of every value, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Overwrite the source itself, a residue that other files still need, or what is no residue
    /// where one is to be
    #[arg(long)]
    pub(crate) force: bool,
    /// Whether files are streams.
    #[command(flatten)]
    pub(crate) jsonl: Jsonl,
    /// How much to say.
    #[command(flatten)]
    pub(crate) detail: Detail,
}

/// What the bridge can be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Allowed {
    /// Requests to this machine and to private networks
    Private,
}

/// Parses the URL of a gateway.
fn address(text: &str) -> Result<String, String> {
    match url::check_http(text) {
        Ok(_) if !text.contains(['?', '#']) => Ok(text.to_owned()),
        Ok(_) => Err("the URL of a gateway has no query and no fragment".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl Args {
    /// Returns the files that are read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.residue_of).chain(&self.tool_list)
    }

    /// Returns the files that the conversion reads and writes.
    pub(crate) fn destination(&self) -> Destination<'_> {
        Destination {
            inputs: self.inputs().collect(),
            output: &self.output,
            residue: self.residue.as_ref(),
            no_residue: self.no_residue,
            in_band: self.in_band,
            report: self.report.as_ref(),
            force: self.force,
        }
    }

    /// Returns the same arguments for one of several files.
    #[must_use]
    pub(crate) fn for_one(&self, file: &Path, output: PathBuf) -> Self {
        Self { files: vec![file.to_owned()], output, ..self.clone() }
    }

    /// Returns the options of the conversion.
    pub(crate) fn options(&self) -> Options {
        Options {
            strict: self.strict,
            tools: self.tools.clone(),
            without: self.choices.without(),
            accept: self.choices.accept(),
            version: self.to.version.clone(),
            in_band: self.in_band,
            defaults: Defaults {
                gateway: self.gateway.clone(),
                private: self.allow.contains(&Allowed::Private),
                ..Defaults::default()
            },
            limits: limits::document(),
        }
    }
}
