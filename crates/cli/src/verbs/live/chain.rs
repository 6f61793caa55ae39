//! `toolglot chain`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolglot::core::{SourceText, printable, quoted};
use toolglot::json::Document;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::chain::{
    Argument, AssembledChain, ChainInfo, KnownTool, assemble, check_tools,
};
use toolglot::{Report, mcpkg};

use crate::files::input::{Input, display_path, is_standard};
use crate::files::limits;
use crate::files::output;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::packages;

/// Put a chain together: an MCPKG tool that calls others in turn
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot chain acme.pdf.embed read.mcpkg clean.mcpkg embed.mcpkg -o chain.json
  toolglot chain acme.pdf.embed acme.pdf.read acme.text.clean --version 2.0.0
  toolglot chain acme.pdf.embed read.json clean.json --map 'clean.text=$.read.content'

An argument of a step is the output of that name and a fitting type of the nearest step before, or
else the input of that name of the chain. What comes from the caller, and what nothing gives, is told.
The steps have the last part of the ids of their tools as names.

Exit codes: 0 written, 1 a tool is invalid, or the chain does not fit together, 2 wrong usage, an
unreadable file, or the output is there already")]
pub(crate) struct Args {
    /// The id of the chain, such as acme.pdf.embed
    #[arg(value_name = "ID")]
    id: String,
    /// The tools that it calls, in this order: MCPKG manifests, packages, or ids of installed ones
    #[arg(required = true, value_name = "TOOL")]
    tools: Vec<PathBuf>,
    /// What people call it; without it, the id
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What it does; without it, the tools that it calls
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Its version: other steps are another version
    #[arg(long, value_name = "VERSION", default_value = "1.0.0")]
    version: String,
    /// Where an argument of a step comes from; may be given several times
    #[arg(long = "map", value_name = "STEP.NAME=JSONPATH")]
    mappings: Vec<String>,
    /// Where to write it; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let path = &args.output;
    if !args.force && !is_standard(path) && path.exists() {
        let message = format!("{} is there already; --force writes over it", display_path(path));
        return Err(terminal.usage_error(&message));
    }
    let inputs: Vec<Input> =
        args.tools.iter().map(|tool| read_manifest(tool, terminal)).collect::<Result<_, _>>()?;
    let documents: Vec<Document<'_>> =
        inputs.iter().map(|input| parse_valid(input, terminal)).collect::<Result<_, _>>()?;
    let tools: Vec<Manifest<'_>> = documents.iter().map(Manifest::read).collect();
    let made = assemble_chain(args, &tools, terminal)?;
    let report = validate_chain(&made.text, &tools);
    if !report.is_valid() {
        let source = SourceText { name: "the chain", bytes: made.text.as_bytes() };
        terminal.show(&report, Some(&source));
        return Err(Failure::Invalid);
    }
    output::write(path, &made.text, terminal)
}

/// Reads the manifest of a tool, given as manifest, package or id.
fn read_manifest(tool: &Path, terminal: &Terminal) -> Result<Input, Failure> {
    let file = packages::manifest_path(tool, terminal)?;
    let input = package::load(&file, terminal)?;
    if matches!(input.bytes().trim_ascii_start(), [b'{', ..]) {
        return Ok(input);
    }
    let package = package::open(&input, terminal)?;
    Ok(Input::new(&file, package.manifest().to_vec()))
}

fn parse_valid<'i>(input: &'i Input, terminal: &Terminal) -> Result<Document<'i>, Failure> {
    let limits = limits::document();
    let document = input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    let report = mcpkg::validate(&document, &limits::validate_options());
    if report.is_valid() { Ok(document) } else { Err(input.refuse(&report, terminal)) }
}

/// Assembles the chain. Prints a note for each argument that the caller must pass, and a
/// warning for each that is not mapped.
fn assemble_chain(
    args: &Args,
    tools: &[Manifest<'_>],
    terminal: &Terminal,
) -> Result<AssembledChain, Failure> {
    let mapping = |text: &String| {
        let (place, path) = text.split_once('=')?;
        let (step, name) = place.split_once('.')?;
        Some((step.to_owned(), name.to_owned(), path.to_owned()))
    };
    let mut mappings = Vec::new();
    for text in &args.mappings {
        let usage = || terminal.usage_error(&format!("{} is not STEP.NAME=JSONPATH", quoted(text)));
        mappings.push(mapping(text).ok_or_else(usage)?);
    }
    let ids: Vec<&str> = tools.iter().map(|tool| tool.tool_id.as_ref()).collect();
    let described = format!("Calls {}.", ids.join(", then "));
    let start = ChainInfo {
        tool_id: &args.id,
        name: args.name.as_deref().unwrap_or(&args.id),
        version: &args.version,
        description: args.description.as_deref().unwrap_or(&described),
        mappings: &mappings,
    };
    let made = assemble(&start, &tools.iter().collect::<Vec<_>>());
    let made = made.map_err(|why| terminal.usage_error(&why))?;
    let place =
        |argument: &Argument| printable(&format!("{}.{}", argument.step, argument.name), 128);
    for argument in &made.caller_arguments {
        terminal.status(&format!("note: {} comes from the caller\n", place(argument)));
    }
    for argument in &made.unmapped_arguments {
        let why = "the input of the chain has another type under this name: say --map";
        terminal.status(&format!("warning: nothing gives {}: {why}\n", place(argument)));
    }
    Ok(made)
}

/// Validates the chain against its tools.
fn validate_chain(text: &str, tools: &[Manifest<'_>]) -> Report {
    let options = limits::validate_options();
    let document = match Document::parse(text.as_bytes(), &options.limits) {
        Ok(document) => document,
        Err(found) => return crate::terminal::console::single_report(found),
    };
    let known: BTreeMap<&str, KnownTool<'_>> = tools
        .iter()
        .map(|manifest| (manifest.tool_id.as_ref(), KnownTool { manifest, side_effects: None }))
        .collect();
    let report = mcpkg::validate(&document, &options);
    if report.is_valid() { check_tools(&document, &known, None, &options) } else { report }
}
