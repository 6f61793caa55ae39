//! `toolglot convert`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolglot::convert::OutputDocument;
use toolglot::core::AddToolsError;
use toolglot::core::rules::UNRELATED;
use toolglot::json::Document;
use toolglot::tool_list::{self, Server, with_server};
use toolglot::{
    Conversion, Format, Formats, Options, Pointer, Report, ToolDescriptor, mcpb, server_json,
};

use crate::files::bridge_files::{self, BridgeFolders};
use crate::files::formats::{self, Candidates};
use crate::files::input::{self, Input, LoadedDocument, display_path, is_standard};
use crate::files::output;
use crate::files::outputs::{self, Outputs};
use crate::files::parallel::each_file;
use crate::files::paths;
use crate::files::residues;
use crate::files::targets;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem;
use crate::terminal::report::ConversionReportJson;
use crate::terminal::summary::ConversionSummary;
use crate::terminal::table::{self, Section};
use crate::verbs::convert_args::Args;
use crate::verbs::stream;

/// Runs `toolglot convert`.
pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let options = args.options();
    let candidates = Candidates { set: formats, explicit: args.from };
    if let Some(residue) = &args.residue_of {
        return convert_via(args, residue, &options, candidates, terminal);
    }
    let files = paths::expand(&args.files, formats, terminal)?;
    if files.len() > 1 || args.files.iter().any(|path| path.is_dir()) {
        return convert_each(args, &files, &options, candidates, terminal);
    }
    let Some(file) = files.first() else { return Ok(()) };
    convert_file(file, args, &options, candidates, terminal)
}

/// Converts several files, each to a folder named after the file without its extension.
fn convert_each(
    args: &Args,
    files: &[PathBuf],
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.jsonl.is_set() || args.residue.is_some() || args.report.is_some() {
        let message = "--jsonl, --residue and --report are for one file";
        return Err(terminal.usage_error(message));
    }
    if input::is_standard(&args.output) || args.output.is_file() {
        return Err(
            terminal.usage_error("several files are converted to a folder: name it with -o")
        );
    }
    let mut folders = BTreeMap::new();
    for file in files {
        let name = file.file_stem().unwrap_or(file.as_os_str());
        if let Some(other) = folders.insert(args.output.join(name).join(""), file) {
            let (one, other) = (input::display_path(file), input::display_path(other));
            let message = format!("{one} and {other} would become one folder: convert one of them");
            return Err(terminal.usage_error(&message));
        }
    }
    let to: BTreeMap<&PathBuf, PathBuf> =
        folders.into_iter().map(|(folder, file)| (file, folder)).collect();
    each_file(files, terminal, |file, terminal| {
        let output = to.get(&file.to_path_buf()).cloned().unwrap_or_default();
        convert_file(file, &args.for_one(file, output), options, candidates, terminal)
    })
}

fn convert_file(
    file: &Path,
    args: &Args,
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.jsonl.is_set() {
        return stream::convert::run(file, args, options, candidates, terminal);
    }
    input::check_stdin_once(args.inputs(), terminal)?;
    let mut input = Input::read(file, options.limits.document_bytes, terminal)?;
    if let Some(server) = &args.server {
        input = add_server(&input, server, options, candidates, terminal)?;
    }
    if let Some(list) = &args.tool_list {
        input = add_tools(&input, list, options, candidates, terminal)?;
    }
    let refuse = |report: Report| input.refuse(&report, terminal);
    let source = input.parse(&options.limits).map_err(refuse)?;
    let (from, detected) = candidates.detect(&source).map_err(refuse)?;
    let loaded = LoadedDocument { input: &input, document: &source, format: from };
    let conversion = toolglot::convert(&source, from, args.to.format, options)
        .map_err(|report| input::refuse(&report, &[loaded], terminal))?;
    input.warn_of_texts(&source, terminal);
    let done = FinishedConversion {
        title: format!(
            "{}: {}",
            input.display_name(),
            formats::title(from, detected.version.as_deref())
        ),
        conversion: &conversion,
        file: Some(file),
    };
    done.finish(args, options, terminal)
}

/// Returns a list of tools with the server that has them.
fn add_server(
    input: &Input,
    server: &Server,
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<Input, Failure> {
    let document = input.parse(&options.limits);
    let document = document.map_err(|report| input.refuse(&report, terminal))?;
    let other = |what: &str| {
        let message =
            format!("--server is for lists of tools, and {} is {what}", input.display_name());
        terminal.usage_error(&message)
    };
    // A list without tools is not detected as one until it names its server.
    match candidates.detect(&document) {
        Ok((format, _)) if format.name != tool_list::FORMAT.name => return Err(other(format.name)),
        _ => {}
    }
    let text = with_server(&document, server).map_err(|_| other("no object"))?;
    Ok(Input::new(Path::new(&input.name), text.into_bytes()))
}

/// Adds tools to a manifest and returns its text. Fails if the manifest does not accept
/// them.
type AddTools = fn(&Document<'_>, &[ToolDescriptor<'_>]) -> Result<String, AddToolsError>;

/// The formats that describe a server and need not list its tools.
static SERVERS: &[(&Format, AddTools)] =
    &[(&mcpb::FORMAT, mcpb::with_tools), (&server_json::FORMAT, server_json::with_tools)];

/// Returns the manifest of a server with the tools that the server lists.
fn add_tools(
    input: &Input,
    list: &Path,
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<Input, Failure> {
    let limits = &options.limits;
    let refuse = |report: Report| input.refuse(&report, terminal);
    let document = input.parse(limits).map_err(refuse)?;
    let (format, _) = candidates.detect(&document).map_err(refuse)?;
    let known = SERVERS.iter().find(|(known, _)| known.name == format.name);
    let Some((_, with_tools)) = known else {
        let names: Vec<&str> = SERVERS.iter().map(|(known, _)| known.name).collect();
        let (names, file) = (names.join(", "), input.display_name());
        let message = format!(
            "--tools is for manifests of MCP servers ({names}), and {file} is {}",
            format.name
        );
        return Err(terminal.usage_error(&message));
    };
    let answer = Input::read(list, limits.document_bytes, terminal)?;
    let refuse = |report: Report| answer.refuse(&report, terminal);
    let listed = answer.parse(limits).map_err(refuse)?;
    let listed = tool_list::FORMAT.lift(&listed, limits).map_err(refuse)?;
    let text = with_tools(&document, &listed.tools).map_err(|error| {
        terminal.usage_error(&format!("{} takes no --tools: {error}", input.display_name()))
    })?;
    Ok(Input::new(Path::new(&input.name), text.into_bytes()))
}

/// Converts targets to a third format, as if from their source.
fn convert_via(
    args: &Args,
    residue: &Path,
    options: &Options,
    candidates: Candidates,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = &options.limits;
    input::check_stdin_once(args.files.iter().chain(&args.residue_of), terminal)?;
    let read = residues::read(residue, limits, terminal)?;
    let files = targets::files(&args.files, Some(residue), candidates.set, limits, terminal)?;
    let inputs = targets::read(&files, limits, terminal)?;
    let (documents, via) = targets::open(&inputs, candidates, limits, terminal)?;
    let unrelated = |message: String| {
        terminal.show(&single_report(UNRELATED.at_pointer(Pointer::root(), message)), None);
        Failure::Invalid
    };
    let known = |name: &str| {
        let message = || format!("this program does not know {}", toolglot::core::quoted(name));
        candidates.set.by_name(name).ok_or_else(|| unrelated(message()))
    };
    let (from, made) = (known(&read.from)?, known(&read.to)?);
    let via = via.unwrap_or(made);
    if via.name != made.name {
        let message =
            format!("the residue is that of a conversion to {}, not to {}", made.name, via.name);
        return Err(unrelated(message));
    }
    if from.name == args.to.format.name {
        let message = format!("that is the way back: use `toolglot restore --to {}`", from.name);
        return Err(terminal.usage_error(&message));
    }
    if let Err(found) = Document::parse(read.source_text().as_bytes(), limits) {
        return Err(unrelated(format!("the source in the residue: {}", found.message)));
    }
    let given = targets::with_names(&inputs, &documents);
    let to = args.to.format;
    let conversion = toolglot::convert::convert_via(&given, &read, to, candidates.set, options)
        .map_err(|report| refuse_targets(&report, &inputs, &documents, via, terminal))?;
    let done = FinishedConversion {
        title: format!("{}: {} → {}", targets::title(&inputs), from.name, via.name),
        conversion: &conversion,
        file: None,
    };
    done.finish(args, options, terminal)
}

fn refuse_targets(
    report: &Report,
    inputs: &[Input],
    documents: &[Document<'_>],
    format: &'static Format,
    terminal: &Terminal,
) -> Failure {
    let loaded: Vec<_> = inputs
        .iter()
        .zip(documents)
        .map(|(input, document)| LoadedDocument { input, document, format })
        .collect();
    input::refuse(report, &loaded, terminal)
}

/// A finished conversion, before it is written and summarised.
struct FinishedConversion<'d> {
    /// The input, for people.
    title: String,
    conversion: &'d Conversion,
    /// The file of the source, if it was read from one.
    file: Option<&'d Path>,
}

impl FinishedConversion<'_> {
    fn folder(&self) -> Option<PathBuf> {
        self.file.and_then(input::folder)
    }

    fn finish(&self, args: &Args, options: &Options, terminal: &Terminal) -> Result<(), Failure> {
        let conversion = self.conversion;
        let (source, from, to) = (conversion.source(), conversion.from(), conversion.to());
        let destination = args.destination();
        let outputs = outputs::plan(&destination, &conversion.documents, source.text(), terminal)?;
        let account = conversion.report();
        let source_folder = self.folder();
        let folders = BridgeFolders {
            source: source_folder.as_deref(),
            target: outputs.folder.as_deref(),
            store: args.store,
        };
        let beside = bridge_files::write(conversion, folders).map_err(|error| {
            terminal.usage_error(&format!("cannot write what the bridge needs: {error}"))
        })?;
        for warning in &beside.warnings {
            terminal.status(&format!("warning: {warning}\n"));
        }
        let mut private = false;
        if let Some(path) = &outputs.residue {
            private = residues::write(path, &conversion.residue(), &source, terminal)?;
        }
        if let Some(path) = &args.report {
            let report = ConversionReportJson::new(conversion, account.clone(), from, to);
            output::write(path, &problem::json_line(&report), terminal)?;
        }
        for (document, path) in conversion.documents.iter().zip(&outputs.documents) {
            output::write(path, &document.text, terminal)?;
        }
        let note = outputs.residue.as_ref().filter(|_| private);
        let note = note.map(|path| residues::private_note(path)).unwrap_or_default();
        if args.detail.quiet {
            // The note about a secret in a file is shown even with `--quiet`.
            terminal.status(&note);
            return Ok(());
        }
        let version = args.to.version.as_deref();
        let title = formats::title(to, version);
        terminal.status(&format!("{} → {title}\n\n", self.title));
        let documents: Vec<_> = conversion.documents.iter().map(OutputDocument::open).collect();
        let converted = ConversionSummary {
            report: &account,
            source: &source,
            from,
            documents: &documents,
            to,
            limits: &options.limits,
            verbose: args.detail.verbose,
        };
        terminal.status(&table::render(&converted.sections(), args.detail.verbose, terminal));
        terminal.status(&self.describe_written(args, &outputs, terminal));
        for name in &beside.written {
            terminal
                .status(&format!("  {}  for the bridge\n", toolglot::core::printable(name, 128)));
        }
        terminal.status(&note);
        if let Some(hint) = self.hint(args, &outputs) {
            terminal.status(&format!("\n{hint}\n"));
        }
        Ok(())
    }

    /// Describes the documents in the folder, or the lack of any document.
    fn describe_written(&self, args: &Args, outputs: &Outputs, terminal: &Terminal) -> String {
        if outputs.documents.is_empty() {
            return "\nThere is no tool to convert: no document was written.\n".to_owned();
        }
        let Some(folder) = &outputs.folder else { return String::new() };
        let documents = &self.conversion.documents;
        let line = |(number, document): (usize, &OutputDocument)| {
            let tools = self.conversion.tools.iter().filter(|tool| tool.document == number);
            let ids: Vec<_> = tools.map(|tool| &tool.id).collect();
            let name = toolglot::core::printable(&document.name, 128);
            (name, table::list_names(ids.into_iter(), 4))
        };
        let count = match documents.len() {
            1 => format!("1 document in {}", display_path(folder)),
            many => format!("{many} documents in {}", display_path(folder)),
        };
        let lines = documents.iter().enumerate().map(line).collect();
        let section = Section { heading: "written", style: "1", count, uncut: Vec::new(), lines };
        table::render(&[section], args.detail.verbose, terminal)
    }

    /// Describes how to restore the source.
    fn hint(&self, args: &Args, outputs: &Outputs) -> Option<String> {
        let from = self.conversion.from().name;
        let Some(residue) = &outputs.residue else {
            let lost = !args.in_band && from != args.to.format.name;
            return lost.then(|| residues::hint(from, args.no_residue, &args.output));
        };
        let target: Option<PathBuf> = match (&outputs.folder, outputs.documents.as_slice()) {
            (_, []) => None,
            (Some(folder), _) => Some(folder.clone()),
            (None, [file, ..]) => Some(file.clone()),
        };
        let named = if outputs.has_default_residue {
            String::new()
        } else {
            format!(" --residue {}", display_path(residue))
        };
        let file = match target {
            None => {
                return Some(format!(
                    "To come back: toolglot restore --to {from} --residue {}",
                    display_path(residue)
                ));
            }
            Some(path) if is_standard(&path) => "FILE".to_owned(),
            Some(path) => display_path(&path),
        };
        Some(format!("To come back: toolglot restore {file} --to {from}{named}"))
    }
}
