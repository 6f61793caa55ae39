//! `toolglot export`

use std::path::PathBuf;

use toolglot::Formats;
use toolglot::core::some_or_bug;
use toolglot::json::{Document, Limits, pretty};
use toolglot::providers::{
    ConfigHost, Options, ReportSection, Revision, Source, Target, export_all, mcp_config,
};

use crate::files::manifests::ManifestArgs;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::Style;
use crate::terminal::table::{self, Detail, Section};

/// Give tools to a model provider: the JSON that it takes
#[derive(clap::Args)]
#[command(after_help = "\
Names that a provider refuses are changed, and so is what it has no word for: standard error says how
the arguments that can be sent relate to those that the tool takes. Two tools of one name are both
left out, unless --prefix tells them apart.

The target mcp-config is the file in which Claude, Cursor or VS Code look for MCP servers. A manifest
whose tools are all of one MCP server is that server; any other is served by `toolglot mcp`. Of
variables, only the names are written.

Examples:
  toolglot export --target openai --strict tools.json
  toolglot export --target anthropic a.json b.json --prefix b.json=b -o tools.json
  toolglot export --target mcp-config --host vscode *.json -o .vscode/mcp.json

Exit codes: 0 all tools are there, 1 some are left out, or a file is invalid, 2 wrong usage or an
unreadable file")]
pub(crate) struct Args {
    #[command(flatten)]
    manifests: ManifestArgs,
    /// Who is given the tools
    #[arg(long, value_parser = ["openai", "openai-responses", "anthropic", "gemini", "mcp", MCP_CONFIG])]
    target: String,
    /// Ask the provider to keep the model to the schema: openai, openai-responses and anthropic
    #[arg(long)]
    strict: bool,
    /// Tell in descriptions what a schema cannot say any more
    #[arg(long)]
    sentences: bool,
    /// The revision of MCP, for mcp
    #[arg(long, value_parser = REVISIONS, default_value = "2026-07-28")]
    revision: String,
    /// The program that reads mcp-config
    #[arg(long, value_parser = ["claude", "cursor", "vscode"], default_value = "claude")]
    host: String,
    /// Where to write; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite a file that is read
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    detail: Detail,
}

/// The only target that is a client configuration instead of a list of tools.
const MCP_CONFIG: &str = "mcp-config";
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let manifests = &args.manifests;
    output::check_overwrite(&manifests.files, [&args.output], args.force, terminal)?;
    manifests.with_tools(
        Style::Text,
        formats,
        |_| String::new(),
        terminal,
        |sources, _| {
            let (json, account) = export_json(args, sources);
            let laid_out = Document::parse(json.as_bytes(), Limits::none());
            let text = laid_out.map_or(json.clone(), |document| pretty(document.root()));
            output::write(&args.output, &format!("{}\n", text.trim_end()), terminal)?;
            print_report(&args.detail, account, terminal)
        },
    )
}

fn export_json(args: &Args, sources: &[Source<'_, '_>]) -> (String, Vec<ReportSection>) {
    let Some(target) = Target::from_name(&args.target) else {
        // The command line accepts known names only.
        let config = mcp_config(sources, some_or_bug(ConfigHost::from_name(&args.host)));
        let account = config.report(sources);
        return (config.json, account);
    };
    let revision = some_or_bug(Revision::from_name(&args.revision));
    let target = if args.target == "mcp" { Target::Mcp(revision) } else { target };
    let (strict, sentences) = (args.strict, args.sentences);
    let export = export_all(sources, &Options { strict, sentences, ..Options::new(target) });
    (export.to_json(), export.report(sources))
}

/// Prints the changes to the tools. Fails if a tool was left out.
fn print_report(
    detail: &Detail,
    account: Vec<ReportSection>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let sections =
        account.into_iter().map(|ReportSection { heading, sentences, lines, .. }| {
            let style = if heading == ReportSection::LEFT_OUT { "1;31" } else { "1" };
            let count = (sentences.len() + lines.len()).to_string();
            Section { heading, style, count, uncut: sentences, lines }
        });
    let is_left_out = |section: &Section| section.heading == ReportSection::LEFT_OUT;
    let sections = sections.filter(|section| !detail.quiet || is_left_out(section));
    let sections: Vec<Section> = sections.collect();
    if !sections.is_empty() {
        terminal.status(&table::render(&sections, detail.verbose, terminal));
    }
    if sections.iter().any(is_left_out) { Err(Failure::Invalid) } else { Ok(()) }
}
