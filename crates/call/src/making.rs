//! A step in the making: all that is wrong, not only the first.

use diagnostic::{Diagnostic, Pointer, quoted};
use json_text::{Document, Edit, Number, Text, apply, quote};
use manifest_core::descriptor::{Body, Command, CommandInput, Http, Invocation, McpTool};
use manifest_core::format::Contract;
use manifest_core::template::{self, Part};
use manifest_core::{Limits, Sourced, ToolDescriptor, url};

use crate::command_line::split_command_line;
use crate::fill::Filler;
use crate::rules;
use crate::step::{Base, Module, Program, Request, Server, Step, ToolCall, check_url};
use crate::text::{Hole, Template};

/// Headers that a client must never take from others: they change where a message goes or
/// where it ends.
const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

pub(crate) struct Making<'m> {
    tool: &'m ToolDescriptor<'m>,
    contract: &'m Contract,
    arguments: &'m Document<'m>,
    limits: &'m Limits,
    has: &'m dyn Fn(&str) -> bool,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<'m> Making<'m> {
    pub(crate) fn new(
        tool: &'m ToolDescriptor<'m>,
        contract: &'m Contract,
        arguments: &'m Document<'m>,
        limits: &'m Limits,
        has: &'m dyn Fn(&str) -> bool,
    ) -> Self {
        Self { tool, contract, arguments, limits, has, errors: Vec::new(), warnings: Vec::new() }
    }

    pub(crate) fn step(&mut self, call: &Invocation<'_>) -> Option<Step> {
        match call {
            Invocation::Command(command) => self.command(command).map(Step::Run),
            Invocation::CommandLine(line) => {
                let Some(words) = split_command_line(line) else {
                    let message = "the command needs a shell, and is not run";
                    return self.refuse(rules::SHELL.at_pointer(Pointer::root(), message));
                };
                let argv = words.into_iter().map(Template::from);
                let argv = argv.chain([Template::from(self.text())]).collect();
                Some(Step::Run(Program { argv, ..self.program() }))
            }
            Invocation::Http(http) => self.request(http).map(Step::Send),
            Invocation::McpTool(mcp) => self.mcp(mcp).map(Step::CallTool),
            Invocation::RegistryTool(registry) => self.get(&registry.registry).map(Step::Send),
            Invocation::Python(function) => {
                let Some((module, function)) = function.split_once(':') else {
                    let message = "a Python function is written as module:function";
                    return self.refuse(rules::NO_CALL.at_pointer(Pointer::root(), message));
                };
                Some(Step::Python(self.module(module, vec![function.to_owned()])))
            }
            Invocation::Node(node) => {
                let named = node.export.as_ref().map(|text| text.to_string());
                let exports = named.into_iter().chain(["tool".to_owned(), "default".to_owned()]);
                Some(Step::Node(self.module(&node.main, exports.collect())))
            }
            Invocation::A2a(endpoint) => {
                let body = agent_request(&self.tool.id, &self.text());
                let url = self.sound(endpoint)?;
                Some(Step::Send(json_request("POST", url.into(), body)))
            }
        }
    }

    fn refuse<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.errors.push(error);
        None
    }

    fn kept<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    /// The arguments as JSON.
    fn text(&self) -> String {
        self.arguments.root().raw().to_owned()
    }

    fn filler(&self) -> Filler<'m> {
        Filler {
            variables: &self.tool.package.env,
            arguments: self.arguments.root(),
            limits: self.limits,
        }
    }

    /// A program with the environment that the tool's host gives it.
    fn program(&self) -> Program {
        let names = self.tool.package.env.iter().map(|variable| variable.name.to_string());
        Program {
            base: self.contract.calling.base,
            inherit: self.contract.calling.inherits.iter().map(ToString::to_string).collect(),
            variables: names.collect(),
            ..Program::default()
        }
    }

    fn module(&self, module: &str, exports: Vec<String>) -> Module {
        Module {
            module: module.to_owned(),
            exports,
            arguments: self.text(),
            tool: self.tool.callable_name().value.to_owned(),
            variables: self.program().variables,
        }
    }

    fn command(&mut self, command: &Command<'_>) -> Option<Program> {
        let Command { argv, cwd, input } = command;
        let mut program = Program {
            argv: argv.iter().map(|word| Template::from(word.to_string())).collect(),
            cwd: cwd.as_ref().map(|text| text.to_string()),
            ..self.program()
        };
        if argv.is_empty() || argv.iter().any(|word| word.contains('\0')) {
            let message = "a command must name a program, and must not hold a NUL";
            return self.refuse(rules::NO_CALL.at_pointer(Pointer::root(), message));
        }
        match input {
            CommandInput::Extra => program.argv.extend(self.extra()?),
            CommandInput::Stdin => program.stdin = Some(self.text()),
            CommandInput::Argument => program.argv.push(self.text().into()),
            CommandInput::Templates(templates) => {
                program.argv.extend(self.templates(templates)?);
            }
            CommandInput::TemplatesAndStdin(templates) => {
                program.argv.extend(self.templates(templates)?);
                program.stdin = Some(self.text());
            }
        }
        if program.argv.len() > self.limits.arguments {
            let message = format!("there are more than {} arguments", self.limits.arguments);
            return self.refuse(rules::SIZE.at_pointer(Pointer::root(), message));
        }
        Some(program)
    }

    /// The one argument that a host hands on that hands on no others.
    fn extra(&mut self) -> Option<Vec<Template>> {
        let mut words = Vec::new();
        for member in self.arguments.root().members() {
            let at = Pointer::root().push(&member.name());
            if !member.is("argv_extra") {
                let message = format!("{} does not reach the program", quoted(&member.name()));
                self.warnings.push(rules::UNSENT.at_pointer(at, message));
                continue;
            }
            for word in member.value.elements() {
                let Some(word) = word.text().filter(|word| !word.contains('\0')) else {
                    let message = "expected a list of strings without a NUL";
                    return self.refuse(rules::VALUE.at_pointer(at, message));
                };
                words.push(Template::from(word.into_owned()));
            }
        }
        Some(words)
    }

    fn templates(&mut self, templates: &[Sourced<Text<'_>>]) -> Option<Vec<Template>> {
        let (mut argv, mut options_end, mut total) = (Vec::new(), false, 0);
        for template in templates {
            let at = Pointer::root();
            let filled = self.filler().fill(&at, template, Hole::Plain);
            let Some(filled) = self.kept(filled) else { continue };
            let is_option = |text: &String| text.starts_with('-') && Number::parse(text).is_none();
            if !options_end && filled.leading.as_ref().is_some_and(is_option) {
                let at = filled.used.first().map_or(at, |path| pointer(path));
                let message = "the value begins with a hyphen, and may be taken for an option";
                self.warnings.push(rules::OPTION_VALUE.at_pointer(at, message));
            }
            options_end |= **template == "--";
            total += filled.text.to_string().len();
            if total > self.limits.document_bytes {
                let message = "the command line is too long";
                return self.refuse(rules::SIZE.at_pointer(Pointer::root(), message));
            }
            argv.push(filled.text);
        }
        Some(argv)
    }

    fn request(&mut self, http: &Http<'_>) -> Option<Request> {
        let Http { method, url, path, headers, body } = http;
        let method = method.to_ascii_uppercase();
        let base = self.sound(url)?;
        let path = path.as_ref().map(|path| self.filler().fill(&Pointer::root(), path, Hole::Url));
        let path = match path {
            Some(path) => Some(self.kept(path)?),
            None => None,
        };
        let mut sent = self.headers(headers.iter())?;
        self.credential(&mut sent);
        let used = path.as_ref().map_or(&[][..], |path| &path.used);
        let body = match body {
            Body::Whole => Some(self.text()),
            Body::Rest if matches!(method.as_str(), "GET" | "DELETE" | "HEAD") => {
                self.unsent(used, headers.iter().map(|(_, value)| value.as_ref()));
                None
            }
            Body::Rest => {
                let rest = without(self.arguments, used);
                Some(self.kept(rest)?)
            }
        };
        let has_type = |(name, _): &(String, _)| name.eq_ignore_ascii_case("content-type");
        if body.is_some() && !sent.iter().any(has_type) {
            sent.push(("Content-Type".to_owned(), "application/json".into()));
        }
        let mut url = Template::from(match &path {
            Some(_) => base.trim_end_matches('/').to_owned(),
            None => base,
        });
        if let Some(path) = path {
            url.append(path.text);
        }
        if let Some(Err(why)) = url.fixed().map(|url| check_url(&url)) {
            return self.refuse(rules::VALUE.at_pointer(Pointer::root(), why));
        }
        if url.to_string().starts_with("http:") && sent.iter().any(|(_, v)| v.has_hole()) {
            let message = "a secret is sent without encryption";
            self.warnings.push(rules::INSECURE.at_pointer(Pointer::root(), message));
        }
        Some(Request { method, url, headers: sent, body })
    }

    /// The headers that the manifest has, or all that is wrong with them.
    fn headers<'h>(
        &mut self,
        headers: impl Iterator<Item = (&'h str, &'h Sourced<Text<'h>>)>,
    ) -> Option<Vec<(String, Template)>> {
        let mut sent: Vec<(String, Template)> = Vec::new();
        let before = self.errors.len();
        for (name, template) in headers {
            let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
            let lower = name.to_ascii_lowercase();
            let wrong = if name.is_empty() || !name.bytes().all(token) {
                Some("is not the name of a header")
            } else if FRAMING.contains(&lower.as_str()) {
                Some("is for the client to set")
            } else if sent.iter().any(|(there, _)| there.eq_ignore_ascii_case(name)) {
                Some("is there in another case too")
            } else {
                None
            };
            if let Some(what) = wrong {
                let message = format!("{} {what}", quoted(name));
                self.errors.push(rules::VALUE.at_pointer(Pointer::root(), message));
                continue;
            }
            let value = self.filler().fill(&Pointer::root(), template, Hole::Header);
            if let Some(value) = self.kept(value) {
                sent.push((name.to_owned(), value.text));
            }
        }
        (self.errors.len() == before).then_some(sent)
    }

    /// The header that authenticates the request, with a hole for the first variable that has
    /// a value.
    fn credential(&mut self, sent: &mut Vec<(String, Template)>) {
        let Some(credential) = self.tool.credential() else { return };
        let mut names = credential.variables.iter();
        let known = names.clone().find(|name| (self.has)(name));
        let Some(variable) = known.or_else(|| names.next()) else { return };
        if sent.iter().any(|(name, _)| name.eq_ignore_ascii_case(credential.header)) {
            return;
        }
        let mut value = Template::from(credential.prefix);
        value.push_hole(variable, Hole::Header);
        sent.push((credential.header.to_owned(), value));
    }

    fn mcp(&mut self, mcp: &McpTool<'_>) -> Option<ToolCall> {
        let McpTool { tool, argv, cwd, url } = mcp;
        let server = match url {
            Some(url) => Server::Http { url: self.sound(url)? },
            None if argv.is_empty() => {
                let message = "neither a command nor a URL leads to the server";
                return self.refuse(rules::NO_CALL.at_pointer(Pointer::root(), message));
            }
            None => Server::Stdio(Program {
                argv: argv.iter().map(|word| Template::from(word.to_string())).collect(),
                base: Base::SearchPath,
                cwd: cwd.as_ref().map(|text| text.to_string()),
                ..self.program()
            }),
        };
        Some(ToolCall { server, tool: tool.to_string(), arguments: self.text() })
    }

    fn get(&mut self, url: &str) -> Option<Request> {
        let url = self.sound(url)?.into();
        Some(Request { method: "GET".to_owned(), url, headers: Vec::new(), body: None })
    }

    /// A URL that a request can be sent to.
    fn sound(&mut self, text: &str) -> Option<String> {
        match url::check_http(text) {
            Ok(_) if !text.contains("${") => Some(text.to_owned()),
            Ok(_) => {
                let message = "there are no templates in this URL";
                self.refuse(rules::URL.at_pointer(Pointer::root(), message))
            }
            Err(error) => self.refuse(rules::URL.at_pointer(Pointer::root(), error.about(text))),
        }
    }

    /// Says what of the arguments is not part of a request without a body.
    fn unsent<'h>(&mut self, used: &[String], headers: impl Iterator<Item = &'h str>) {
        let in_headers = headers.flat_map(|value| template::parse(value).unwrap_or_default());
        let in_headers = in_headers.filter_map(|part| match part {
            Part::Input(path) => Some(path),
            Part::Text(_) | Part::Env(_) => None,
        });
        let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        let sent: Vec<String> =
            in_headers.map(first).chain(used.iter().map(|path| first(path))).collect();
        for member in self.arguments.root().members() {
            let name = member.name();
            if !sent.iter().any(|one| *one == name) {
                let message = format!("{} is not sent", quoted(&name));
                let at = Pointer::root().push(&name);
                self.warnings.push(rules::UNSENT.at_pointer(at, message));
            }
        }
    }
}

fn json_request(method: &str, url: Template, body: String) -> Request {
    let headers = vec![("Content-Type".to_owned(), "application/json".into())];
    Request { method: method.to_owned(), url, headers, body: Some(body) }
}

fn pointer(path: &str) -> Pointer {
    path.split('.').fold(Pointer::root(), Pointer::push)
}

/// The arguments without what is in the path, and every other byte as it was.
fn without(arguments: &Document<'_>, paths: &[String]) -> Result<String, Diagnostic> {
    let mut pointers: Vec<Pointer> = paths.iter().map(|path| pointer(path)).collect();
    pointers.sort();
    pointers.dedup();
    // What is inside something that goes, goes with it.
    let inside = |inner: &Pointer| {
        pointers.iter().any(|outer| outer != inner && inner.strip_prefix(outer).is_some())
    };
    let edits: Vec<Edit> =
        pointers.iter().filter(|at| !inside(at)).cloned().map(Edit::Remove).collect();
    apply(arguments, &edits)
        .map_err(|error| rules::ARGUMENTS.at_pointer(Pointer::root(), error.to_string()))
}

/// The body of a request that an agent of Unison understands.
fn agent_request(tool: &str, arguments: &str) -> String {
    let id = quote(tool);
    format!("{{\"type\":\"a2a.request\",\"capability_id\":{id},\"args\":{arguments}}}")
}
