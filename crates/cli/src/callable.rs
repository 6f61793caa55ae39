//! A tool that is to be called: found in its manifest, with its arguments.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use toolglot::call::{Facts, Missing, Plan, Policy, Step, plan};
use toolglot::core::{did_you_mean, quoted};
use toolglot::json::{Document, Raw};
use toolglot::{Format, Formats, Lifted, Limits, ToolDescriptor};

use crate::formats::Candidates;
use crate::input::{self, Input};
use crate::terminal::{Failure, Terminal};

/// A manifest whose tools can be called.
pub(crate) struct Callables<'a> {
    file: &'a Path,
    input: &'a Input,
    pub(crate) format: &'static Format,
    tools: &'a [ToolDescriptor<'a>],
}

/// A tool of it.
pub(crate) struct Callable<'a> {
    pub(crate) tool: &'a ToolDescriptor<'a>,
    format: &'static Format,
    input: &'a Input,
}

/// Reads a manifest, and hands its tools on.
pub(crate) fn open<T>(
    file: &Path,
    formats: Formats<'static>,
    terminal: &Terminal,
    run: impl FnOnce(&Callables<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let input = Input::read(file, Limits::default().document_bytes, terminal)?;
    open_input(file, &input, formats, terminal, run)
}

/// The same for a manifest that was read already.
pub(crate) fn open_input<T>(
    file: &Path,
    input: &Input,
    formats: Formats<'static>,
    terminal: &Terminal,
    run: impl FnOnce(&Callables<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let limits = Limits::default();
    let refuse = |report| input.refuse(&report, terminal);
    let document = input.parse(&limits).map_err(refuse)?;
    let (format, _) = Candidates { set: formats, named: None }.detect(&document).map_err(refuse)?;
    let Lifted { tools, .. } = format.lift(&document, &limits).map_err(refuse)?;
    run(&Callables { file, input, format, tools: &tools })
}

impl<'a> Callables<'a> {
    /// The folder that programs of the manifest are below.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        if input::is_standard(self.file) {
            return None;
        }
        let parent = self.file.parent().filter(|parent| !parent.as_os_str().is_empty());
        Some(parent.unwrap_or(Path::new(".")).to_owned())
    }

    /// The tool of that id or name; the only one, where none is named.
    pub(crate) fn choose(
        &self,
        name: Option<&str>,
        terminal: &Terminal,
    ) -> Result<Callable<'a>, Failure> {
        let callable = |tool| Callable { tool, format: self.format, input: self.input };
        let ids: Vec<&str> = self.tools.iter().map(|tool| tool.id.as_ref()).collect();
        let Some(name) = name else {
            return match self.tools {
                [only] => Ok(callable(only)),
                [] => Err(terminal.trouble("the manifest has no tool")),
                _ => Err(terminal.trouble(&format!("say which tool: {}", ids.join(", ")))),
            };
        };
        let is_called = |tool: &&ToolDescriptor<'_>| tool.callable_name().value == name;
        let mut called = self.tools.iter().filter(is_called);
        let by_id = self.tools.iter().find(|tool| tool.id.as_ref() as &str == name);
        match (by_id, called.next(), called.next()) {
            (Some(tool), ..) | (None, Some(tool), None) => Ok(callable(tool)),
            (None, Some(_), Some(_)) => {
                let message = format!("several tools are called {}: say the id", quoted(name));
                Err(terminal.trouble(&message))
            }
            (None, None, _) => {
                let guess = did_you_mean(name, ids.iter().copied());
                let hint = guess.map_or(ids.join(", "), |guess| format!("did you mean {guess}?"));
                Err(terminal.trouble(&format!("there is no tool {}: {hint}", quoted(name))))
            }
        }
    }
}

impl Callable<'_> {
    /// The id, safe to print.
    pub(crate) fn shown(&self) -> String {
        quoted(&self.tool.id)
    }

    /// The manifest as it was read.
    pub(crate) fn manifest(&self) -> String {
        String::from_utf8_lossy(self.input.bytes()).into_owned()
    }

    /// The plan for a call, or why there is none.
    pub(crate) fn plan(
        &self,
        arguments: &str,
        policy: &Policy,
        has: &dyn Fn(&str) -> bool,
        terminal: &Terminal,
    ) -> Result<Plan, Failure> {
        let facts = Facts { has, implementation: None, installed: false, policy };
        let contract = (self.format.contract)(self.tool);
        let limits = Limits::default();
        let mut made =
            plan(self.tool, &contract, arguments, &facts, &limits).map_err(|report| {
                terminal.show(&report, None);
                Failure::Invalid
            })?;
        // What is there need not be installed.
        if is_there(&made.step) {
            made.missing.retain(|missing| !matches!(missing, Missing::Installation(_)));
        }
        Ok(made)
    }
}

/// Whether the program of a step is on the search path, or where it says.
fn is_there(step: &Step) -> bool {
    use toolglot::call::{Server, ToolCall};
    let (Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. })) =
        step
    else {
        return true;
    };
    let Some(name) = program.argv.first().map(ToString::to_string) else { return false };
    if name.contains('/') {
        return Path::new(&name).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(&name).is_file())
}

/// The arguments of a call, as JSON.
pub(crate) fn arguments(
    tool: &Callable<'_>,
    text: Option<&str>,
    single: &[String],
    terminal: &Terminal,
) -> Result<String, Failure> {
    let limit = Limits::default().document_bytes;
    let read = |path: &Path| {
        let input = Input::read(path, limit, terminal)?;
        String::from_utf8(input.bytes().to_vec())
            .map_err(|_| terminal.trouble("the arguments are not UTF-8"))
    };
    match text {
        Some("-") => read(Path::new("-")),
        Some(text) => match text.strip_prefix('@') {
            Some(file) => read(Path::new(file)),
            None => Ok(text.to_owned()),
        },
        None => {
            let mut object = Map::new();
            for one in single {
                let Some((name, value)) = one.split_once('=') else {
                    let message = format!("{} is not NAME=VALUE", quoted(one));
                    return Err(terminal.trouble(&message));
                };
                object.insert(name.to_owned(), typed(tool, name, value));
            }
            Ok(Value::Object(object).to_string())
        }
    }
}

/// A value of the command line: text where the schema says so, JSON where it is some.
fn typed(tool: &Callable<'_>, name: &str, value: &str) -> Value {
    let text = || Value::String(value.to_owned());
    let schema = tool.tool.input_schema.as_deref().map_or("{}", Raw::as_str);
    let limits = Limits::default();
    let is_text = Document::parse(schema.as_bytes(), &limits).is_ok_and(|schema| {
        let property = schema.root().get("properties").and_then(|all| all.get(name));
        let kind = property.and_then(|property| property.get("type"));
        kind.and_then(toolglot::json::Node::text).is_some_and(|kind| kind == "string")
    });
    if is_text { text() } else { serde_json::from_str(value).unwrap_or_else(|_| text()) }
}
