//! Finding a tool to call in its manifest, and its arguments.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use disk::sources::{self, Source};
use disk::store::Prefix;
use gateway::plan_call;
use host::Origin;
use toolglot::call::{Planned, Policy};
use toolglot::core::format::{HostRules, file_name};
use toolglot::core::{did_you_mean, printable, quoted, sha256_hex};
use toolglot::descriptor::Pin;
use toolglot::json::{Document, Node, Raw, quote};
use toolglot::{FORMATS, Format, Formats, LiftedDocument, ToolDescriptor};

use crate::files::formats::Candidates;
use crate::files::input::{self, Input};
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;

/// A manifest whose tools can be called.
pub(crate) struct CallableManifest<'a> {
    /// The folder that its calls are relative to.
    pub(crate) folder: Option<PathBuf>,
    input: &'a Input,
    /// The SHA-256 of the file.
    digest: String,
    pub(crate) format: &'static Format,
    tools: &'a [ToolDescriptor<'a>],
    prefix: Prefix,
}

/// A tool of a manifest, ready to be planned.
pub(crate) struct Callable<'a> {
    pub(crate) tool: &'a ToolDescriptor<'a>,
    format: &'static Format,
    input: &'a Input,
    digest: String,
    folder: Option<PathBuf>,
    prefix: Prefix,
}

/// The context of a manifest: its digest, folder and installation.
struct ManifestContext {
    /// The SHA-256 of the file.
    digest: String,
    /// The folder that its calls are relative to.
    folder: Option<PathBuf>,
    /// The locations of the programs that were installed for it.
    prefix: Prefix,
}

impl ManifestContext {
    /// Creates the context of a manifest, with its installed programs if there are any.
    fn new(digest: String, folder: Option<PathBuf>) -> Self {
        let prefix = gateway::installed_prefix(&digest);
        Self { digest, folder, prefix }
    }
}

/// Reads a manifest and calls `run` with its tools.
pub(crate) fn with_file<T>(
    file: &Path,
    formats: Formats<'static>,
    terminal: &Terminal,
    run: impl FnOnce(&CallableManifest<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let input = Input::read(file, limits::bundle().document_bytes, terminal)?;
    // The digest covers the whole bundle, because an approval covers its files.
    let digest = sha256_hex(input.bytes());
    let bundle =
        gateway::unpack_bundle(input.bytes()).map_err(|why| terminal.document_error(&why))?;
    if let Some(bundle) = bundle {
        let manifest = Input::new(file, bundle.manifest.into_bytes());
        let place = ManifestContext::new(digest, Some(bundle.folder));
        return with_input(&manifest, place, formats, terminal, run);
    }
    with_input(&input, ManifestContext::new(digest, input::folder(file)), formats, terminal, run)
}

/// Like `open`, for an entry of a catalog. Its programs run in the folder of its installed
/// content.
pub(crate) fn with_entry<T>(
    entry: &Input,
    content: Option<PathBuf>,
    terminal: &Terminal,
    run: impl FnOnce(&CallableManifest<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let prefix = Prefix { directory: content, ..Prefix::default() };
    let place = ManifestContext { digest: sha256_hex(entry.bytes()), folder: None, prefix };
    with_input(entry, place, FORMATS, terminal, run)
}

/// Finds the source of a converted manifest.
pub(crate) fn find_source(
    digest: &str,
    folder: Option<&Path>,
    terminal: &Terminal,
) -> Result<Source, Failure> {
    let limit = limits::document().document_bytes;
    sources::find(digest, folder, limit).map_err(|error| terminal.usage_error(&error.to_string()))
}

/// Like `open`, for the result of `source`.
pub(crate) fn with_source<T>(
    source: &Source,
    formats: Formats<'static>,
    terminal: &Terminal,
    run: impl FnOnce(&CallableManifest<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let input = Input::new(&source.file, source.bytes.clone());
    let place = ManifestContext::new(sha256_hex(input.bytes()), source.folder.clone());
    with_input(&input, place, formats, terminal, run)
}

fn with_input<T>(
    input: &Input,
    place: ManifestContext,
    formats: Formats<'static>,
    terminal: &Terminal,
    run: impl FnOnce(&CallableManifest<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let limits = limits::document();
    let refuse = |report| input.refuse(&report, terminal);
    let document = input.parse(&limits).map_err(refuse)?;
    let (format, _) =
        Candidates { set: formats, explicit: None }.detect(&document).map_err(refuse)?;
    let LiftedDocument { tools, .. } = format.lift(&document, &limits).map_err(refuse)?;
    input.warn_of_texts(&document, terminal);
    let ManifestContext { digest, folder, prefix } = place;
    run(&CallableManifest { folder, input, digest, format, tools: &tools, prefix })
}

impl<'a> CallableManifest<'a> {
    /// Returns the SHA-256 of the manifest or the bundle, in hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    pub(crate) fn tools(&self) -> Vec<Callable<'a>> {
        self.tools.iter().map(|tool| self.callable(tool)).collect()
    }

    fn callable(&self, tool: &'a ToolDescriptor<'a>) -> Callable<'a> {
        let (format, input, folder) = (self.format, self.input, self.folder.clone());
        let (digest, prefix) = (self.digest.clone(), self.prefix.clone());
        Callable { tool, format, input, digest, folder, prefix }
    }

    /// Returns the tool that a pin names.
    pub(crate) fn find_pinned(&self, pin: &Pin) -> Option<Callable<'a>> {
        let by_id = self.tools.iter().find(|tool| *tool.id.value == pin.tool);
        // The pin of a module contains a file name that is derived from the id.
        let named = || self.tools.iter().find(|tool| file_name(&tool.id) == pin.tool);
        by_id.or_else(named).map(|tool| self.callable(tool))
    }

    /// Returns the tool with this id or name. Without a name, returns the only tool.
    pub(crate) fn choose(
        &self,
        name: Option<&str>,
        terminal: &Terminal,
    ) -> Result<Callable<'a>, Failure> {
        let ids: Vec<&str> = self.tools.iter().map(|tool| tool.id.as_ref()).collect();
        let Some(name) = name else {
            return match self.tools {
                [only] => Ok(self.callable(only)),
                [] => Err(terminal.usage_error("the manifest has no tool")),
                _ => Err(terminal.usage_error(&format!("say which tool: {}", ids.join(", ")))),
            };
        };
        match toolglot::call::find_tool(self.tools, name) {
            Ok(tool) => Ok(self.callable(tool)),
            Err(refused) => {
                // Unlike the help of the library, this names all ids, without quotes.
                let hint = if self.tools.iter().any(|tool| tool.callable_name().value == name) {
                    "say the id".to_owned()
                } else if let Some(guess) = did_you_mean(name, ids.iter().copied()) {
                    format!("did you mean {guess}?")
                } else {
                    format!("there are {}", ids.join(", "))
                };
                Err(terminal.usage_error(&format!("{}: {hint}", refused.message)))
            }
        }
    }
}

impl Callable<'_> {
    /// Returns the id, quoted and safe to print.
    pub(crate) fn quoted_id(&self) -> String {
        quoted(&self.tool.id)
    }

    /// Returns the manifest's folder, text and installed programs.
    pub(crate) fn origin(&self) -> Origin {
        let manifest = String::from_utf8_lossy(self.input.bytes()).into_owned();
        let (folder, prefix) = (self.folder.clone(), self.prefix.clone());
        Origin { folder, manifest: Some(manifest), prefix }
    }

    pub(crate) const fn format(&self) -> &'static Format {
        self.format
    }

    /// Returns the host rules for the tool.
    pub(crate) fn host_rules(&self) -> HostRules {
        (self.format.contract)(self.tool).host_rules
    }

    /// Returns the SHA-256 of the manifest or the bundle, in hexadecimal.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// Plans a call. If its arguments or its manifest are wrong, shows the errors.
    pub(crate) fn plan(
        &self,
        arguments: &str,
        policy: &Policy,
        has: &dyn Fn(&str) -> bool,
        terminal: &Terminal,
    ) -> Result<Planned, Failure> {
        let planned = plan_call(self.tool, self.format, &self.origin(), arguments, policy, has);
        if let Planned::Refused(refused) = &planned
            && let Some(report) = refused.report()
        {
            terminal.show(report, None);
            return Err(Failure::Invalid);
        }
        Ok(planned)
    }
}

/// Returns the arguments of a call as JSON: those in `text`, else those in `single`. If
/// neither is given, asks for them.
pub(crate) fn read_arguments(
    tool: &Callable<'_>,
    text: Option<&str>,
    single: &[String],
    terminal: &Terminal,
) -> Result<String, Failure> {
    let limit = limits::document().document_bytes;
    let read = |path: &Path| {
        let input = Input::read(path, limit, terminal)?;
        String::from_utf8(input.bytes().to_vec())
            .map_err(|_| terminal.usage_error("the arguments are not UTF-8"))
    };
    match text {
        Some("-") => read(Path::new("-")),
        Some(text) => match text.strip_prefix('@') {
            Some(file) => read(Path::new(file)),
            None => Ok(text.to_owned()),
        },
        None => {
            let mut members = Vec::new();
            let mut names = BTreeSet::new();
            let asked = if single.is_empty() { ask_arguments(tool, terminal) } else { Vec::new() };
            for one in single.iter().chain(&asked) {
                let Some((name, value)) = one.split_once('=') else {
                    let message = format!("{} is not NAME=VALUE", quoted(one));
                    return Err(terminal.usage_error(&message));
                };
                if !names.insert(name) {
                    return Err(terminal.usage_error(&format!("{} is given twice", quoted(name))));
                }
                members.push(format!("{}:{}", quote(name), argument_json(tool, name, value)));
            }
            Ok(format!("{{{}}}", members.join(",")))
        }
    }
}

/// Asks a person for the arguments that the schema requires. Returns each as `NAME=VALUE`,
/// or an empty list if there is no terminal.
fn ask_arguments(tool: &Callable<'_>, terminal: &Terminal) -> Vec<String> {
    if !person::is_present() {
        return Vec::new();
    }
    let schema = tool.tool.input_schema.as_deref().map_or("{}", Raw::as_str);
    let Ok(schema) = Document::parse(schema.as_bytes(), &limits::document()) else {
        return Vec::new();
    };
    let required = schema.root().get("required");
    let names = required.into_iter().flat_map(Node::elements).filter_map(Node::text);
    let ask = |name: Cow<'_, str>| {
        // Stop at the end of the input. The schema check reports the missing arguments.
        let value = person::ask(&format!("{}: ", printable(&name, 128)), terminal)?;
        Some(format!("{name}={value}"))
    };
    names.map_while(ask).collect()
}

/// Converts a value of the command line to JSON. If the schema requires a string, or the
/// value is not valid JSON, the result is a string.
fn argument_json(tool: &Callable<'_>, name: &str, value: &str) -> String {
    let schema = tool.tool.input_schema.as_deref().map_or("{}", Raw::as_str);
    let limits = limits::document();
    let is_text = Document::parse(schema.as_bytes(), &limits).is_ok_and(|schema| {
        let property = schema.root().get("properties").and_then(|all| all.get(name));
        let kind = property.and_then(|property| property.get("type"));
        kind.and_then(Node::text).is_some_and(|kind| kind == "string")
    });
    let is_json = || Document::parse(value.as_bytes(), &limits).is_ok();
    if is_text || !is_json() { quote(value) } else { value.to_owned() }
}
