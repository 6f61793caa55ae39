//! Builds steps. Collects all errors, not only the first.

use std::collections::BTreeSet;

use diagnostic::{Diagnostic, Pointer, Rule, quoted};
use json_text::{Document, Edit, Number, Text, apply, quote};
use manifest_core::descriptor::{Body, Command, CommandInput, Http, Invocation, McpTool};
use manifest_core::format::Contract;
use manifest_core::template::{self, TemplatePart};
use manifest_core::{Limits, Place, Sourced, ToolDescriptor, url};

use crate::command_line::split_command_line;
use crate::fill::{Filler, TemplateProblem};
use crate::http::{FRAMING, is_header_name};
use crate::step::{ModuleCall, Program, ProgramSearch, Request, Server, Step, ToolCall, check_url};
use crate::template::{PlaceholderPosition, Template};
use crate::{allow_list, rules};

/// Builds the step of one call.
pub(crate) struct StepBuilder<'m> {
    pub(crate) tool: &'m ToolDescriptor<'m>,
    pub(crate) contract: &'m Contract,
    pub(crate) arguments: &'m Document<'m>,
    pub(crate) limits: &'m Limits,
    pub(crate) has: &'m dyn Fn(&str) -> bool,
    /// The manifest, for the positions of errors.
    pub(crate) manifest: Option<&'m Document<'m>>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<'m> StepBuilder<'m> {
    pub(crate) fn step(&mut self, call: &Invocation<'_>) -> Option<Step> {
        match call {
            Invocation::Command(command) => self.build_program(command).map(Step::Run),
            Invocation::CommandLine(line) => {
                let Some(words) = split_command_line(line) else {
                    let message = "the command needs a shell, and is not run";
                    return self.refuse(&rules::SHELL, line.at, message);
                };
                let mut argv: Vec<Template> = words.into_iter().map(Template::from).collect();
                argv.push(self.arguments_json().into());
                // The words are paths within the package.
                let cwd = Some(".".to_owned());
                Some(Step::Run(Program { argv, cwd, ..self.base_program() }))
            }
            Invocation::Http(http) => self.build_request(http).map(Step::Send),
            Invocation::McpTool(mcp) => self.build_tool_call(mcp).map(Step::CallTool),
            Invocation::RegistryTool(registry) => {
                self.check_destination(&registry.registry)?;
                self.build_get(&registry.registry).map(Step::Send)
            }
            Invocation::Python(function) => {
                let Some((module, name)) = function.split_once(':') else {
                    let message = "a Python function is written as module:function";
                    return self.refuse(&rules::NO_CALL, function.at, message);
                };
                Some(Step::Python(self.build_module(module, vec![name.to_owned()])))
            }
            Invocation::Node(node) => {
                let mut exports = vec!["tool".to_owned(), "default".to_owned()];
                if let Some(named) = &node.export {
                    exports.insert(0, named.to_string());
                }
                Some(Step::Node(self.build_module(&node.main, exports)))
            }
            Invocation::A2a(endpoint) => {
                self.check_destination(endpoint)?;
                let body = agent_request(&self.tool.id, &self.arguments_json());
                let url = self.require_url(endpoint, false)?;
                Some(Step::Send(json_request("POST", url.into(), body)))
            }
        }
    }

    /// Adds an error at a place of the manifest, unless the report is full.
    fn refuse<T>(
        &mut self,
        rule: &'static Rule,
        at: Option<Place>,
        message: impl Into<String>,
    ) -> Option<T> {
        if self.errors.len() < self.limits.diagnostics.max(1) {
            let error = if let (Some(manifest), Some(at)) = (self.manifest, at)
                && let Some(node) = manifest.node(at.entry)
            {
                rule.at(node, message)
            } else {
                rule.at_pointer(Pointer::root(), message)
            };
            self.errors.push(error);
        }
        None
    }

    fn ok_or_report<T>(
        &mut self,
        result: Result<T, TemplateProblem>,
        at: Option<Place>,
    ) -> Option<T> {
        match result {
            Ok(made) => Some(made),
            Err((rule, message)) => self.refuse(rule, at, message),
        }
    }

    /// Returns the arguments as JSON.
    fn arguments_json(&self) -> String {
        self.arguments.root().raw().to_owned()
    }

    fn filler(&self) -> Filler<'m> {
        let env = self.tool.package.env.iter();
        Filler {
            variables: env.map(|variable| (variable.name.as_ref(), variable)).collect(),
            arguments: self.arguments.root(),
            limits: self.limits,
        }
    }

    /// Returns a program without arguments, with the environment that the tool's host
    /// provides.
    fn base_program(&self) -> Program {
        let host_rules = &self.contract.host_rules;
        Program {
            base: host_rules.program_search,
            inherit: host_rules.inherited_env.iter().map(ToString::to_string).collect(),
            variables: self.tool.package.env.iter().map(|one| one.name.to_string()).collect(),
            ..Program::default()
        }
    }

    /// Returns a program with fixed words.
    fn fixed_program(
        &self,
        argv: &[Sourced<Text<'_>>],
        cwd: Option<&Sourced<Text<'_>>>,
    ) -> Program {
        Program {
            argv: argv.iter().map(|word| Template::from(word.to_string())).collect(),
            cwd: cwd.map(|text| text.to_string()),
            ..self.base_program()
        }
    }

    fn build_module(&self, module: &str, exports: Vec<String>) -> ModuleCall {
        ModuleCall {
            module: module.to_owned(),
            exports,
            arguments: self.arguments_json(),
            tool: self.tool.callable_name().value.to_owned(),
            variables: self.base_program().variables,
        }
    }

    fn build_program(&mut self, command: &Command<'_>) -> Option<Program> {
        let Command { argv, cwd, input } = command;
        let mut program = self.fixed_program(argv, cwd.as_ref());
        let templates =
            matches!(input, CommandInput::Templates(_) | CommandInput::TemplatesAndStdin(_));
        self.check_fixed_words(argv, cwd.as_ref(), templates)?;
        match input {
            CommandInput::Extra => program.argv.extend(self.argv_extra()?),
            CommandInput::Stdin => program.stdin = Some(self.arguments_json()),
            CommandInput::Argument => program.argv.push(self.arguments_json().into()),
            CommandInput::Templates(templates) => {
                program.argv.extend(self.fill_templates(templates)?);
            }
            CommandInput::TemplatesAndStdin(templates) => {
                program.argv.extend(self.fill_templates(templates)?);
                program.stdin = Some(self.arguments_json());
            }
        }
        if program.argv.len() > self.limits.arguments {
            let message = format!("there are more than {} arguments", self.limits.arguments);
            return self.refuse(&rules::SIZE, self.tool.at, message);
        }
        Some(program)
    }

    /// Checks the fixed words of a command. If `templates`, a `${` in a word is an error,
    /// because nothing is filled in there.
    fn check_fixed_words(
        &mut self,
        argv: &[Sourced<Text<'_>>],
        cwd: Option<&Sourced<Text<'_>>>,
        templates: bool,
    ) -> Option<()> {
        let Some(first) = argv.first() else {
            let message = "the call names no program";
            return self.refuse(&rules::NO_CALL, self.tool.at, message);
        };
        if argv.iter().any(|word| word.contains('\0')) {
            return self.refuse(&rules::NO_CALL, first.at, "a command must not hold a NUL");
        }
        for word in argv.iter().chain(cwd) {
            if templates && word.contains("${") {
                let message = "nothing is put in here: there are no templates in this command";
                return self.refuse(&rules::TEMPLATE, word.at, message);
            }
        }
        Some(())
    }

    /// Returns the strings of `argv_extra`, the only argument that reaches the program.
    /// Warns of all other arguments.
    fn argv_extra(&mut self) -> Option<Vec<Template>> {
        let mut words = Vec::new();
        for member in self.arguments.root().members() {
            let at = Pointer::root().push(&member.name());
            if !member.has_name("argv_extra") {
                let message = format!("{} does not reach the program", quoted(&member.name()));
                self.warnings.push(rules::UNSENT.at_pointer(at, message));
                continue;
            }
            for word in member.value.elements() {
                match word.text() {
                    Some(word) if !word.contains('\0') => {
                        words.push(Template::from(word.into_owned()));
                    }
                    _ => {
                        let message = "expected a list of strings without a NUL";
                        self.errors.push(rules::VALUE.at_pointer(at, message));
                        return None;
                    }
                }
            }
        }
        Some(words)
    }

    fn fill_templates(&mut self, templates: &[Sourced<Text<'_>>]) -> Option<Vec<Template>> {
        if templates.len() > self.limits.arguments {
            let message = format!("there are more than {} arguments", self.limits.arguments);
            return self.refuse(&rules::SIZE, self.tool.at, message);
        }
        let filler = self.filler();
        let (mut argv, mut options_end, mut total) = (Vec::new(), false, 0);
        for template in templates {
            let filled = filler.fill(template, PlaceholderPosition::Plain);
            let Some(filled) = self.ok_or_report(filled, template.at) else { continue };
            if !options_end
                && let Some(value) = &filled.leading_value
                && value.starts_with('-')
                && Number::parse(value).is_none()
            {
                let at = match filled.argument_paths.first() {
                    Some(path) => pointer(path),
                    None => Pointer::root(),
                };
                let message = "the value begins with a hyphen, and may be taken for an option";
                self.warnings.push(rules::OPTION_VALUE.at_pointer(at, message));
            }
            options_end |= **template == "--";
            total += filled.text.to_string().len();
            if total > self.limits.document_bytes {
                return self.refuse(&rules::SIZE, template.at, "the command line is too long");
            }
            argv.push(filled.text);
        }
        Some(argv)
    }

    fn build_request(&mut self, http: &Http<'_>) -> Option<Request> {
        let Http { method, url, path, headers, body } = http;
        let method = method.to_ascii_uppercase();
        let base = self.require_url(url, path.is_some());
        // If one of the three is invalid, the others are checked too.
        let mut filled_path = None;
        let mut path_is_valid = true;
        if let Some(path) = path {
            let filled = self.filler().fill(path, PlaceholderPosition::Url);
            filled_path = self.ok_or_report(filled, path.at);
            path_is_valid = filled_path.is_some();
        }
        let sent = self.fill_headers(headers.iter());
        let (base, mut sent) = (base?, sent?);
        if !path_is_valid {
            return None;
        }
        self.add_credential(&mut sent);
        let used = match &filled_path {
            Some(path) => path.argument_paths.as_slice(),
            None => &[],
        };
        let body = match body {
            Body::Whole => Some(self.arguments_json()),
            Body::Rest if matches!(method.as_str(), "GET" | "DELETE" | "HEAD") => {
                self.warn_unsent(used, headers.iter().map(|(_, value)| value.as_ref()));
                None
            }
            Body::Rest => Some(self.remove_arguments(used)?),
        };
        if body.is_some() && !has_header(&sent, "content-type") {
            sent.push(("Content-Type".to_owned(), "application/json".into()));
        }
        let whole = match filled_path {
            Some(path) => {
                let mut whole = Template::from(base.trim_end_matches('/'));
                whole.append(path.text);
                whole
            }
            None => Template::from(base),
        };
        if let Some(text) = whole.fixed_text()
            && let Err(why) = check_url(&text)
        {
            let at = match path {
                Some(path) => path.at,
                None => url.at,
            };
            return self.refuse(&rules::VALUE, at, why);
        }
        if whole.to_string().starts_with("http:") && sent.iter().any(|(_, v)| v.has_placeholder()) {
            let message = "a secret is sent without encryption";
            self.warnings.push(rules::INSECURE.at_pointer(Pointer::root(), message));
        }
        let body = body.map(Template::from);
        Some(Request { method, url: whole, headers: sent, body })
    }

    /// Returns the headers of the manifest, or `None` if one of them is invalid.
    fn fill_headers<'h>(
        &mut self,
        headers: impl Iterator<Item = (&'h str, &'h Sourced<Text<'h>>)>,
    ) -> Option<Vec<(String, Template)>> {
        let filler = self.filler();
        let (mut sent, mut seen, mut all_good) = (Vec::new(), BTreeSet::new(), true);
        for (name, template) in headers {
            let lower = name.to_ascii_lowercase();
            let wrong = if !is_header_name(name) {
                Some("is not the name of a header")
            } else if FRAMING.contains(&lower.as_str()) {
                Some("is for the client to set")
            } else if !seen.insert(lower) {
                Some("is there in another case too")
            } else {
                None
            };
            let value = match wrong {
                Some(what) => Err((&rules::VALUE, format!("{} {what}", quoted(name)))),
                None => filler.fill(template, PlaceholderPosition::Header),
            };
            match self.ok_or_report(value, template.at) {
                Some(value) => sent.push((name.to_owned(), value.text)),
                None => all_good = false,
            }
        }
        all_good.then_some(sent)
    }

    /// Adds the header that authenticates the request, unless the manifest sets it. Uses
    /// the first variable that has a value, otherwise the first one.
    fn add_credential(&mut self, sent: &mut Vec<(String, Template)>) {
        if self.tool.auth.scheme.as_ref().is_some_and(|scheme| scheme.value == "oauth2") {
            let message = "OAuth 2 credentials have to be obtained by the host";
            self.warnings.push(rules::CREDENTIAL.at_pointer(Pointer::root(), message));
        }
        let Some(credential) = self.tool.request_credential() else { return };
        let names = &credential.variables;
        let known = names.iter().find(|name| (self.has)(name));
        let Some(variable) = known.or(names.first()) else { return };
        if !has_header(sent, credential.header) {
            let mut value = Template::from(credential.prefix);
            value.push_placeholder(variable, PlaceholderPosition::Header);
            sent.push((credential.header.to_owned(), value));
        }
    }

    fn build_tool_call(&mut self, mcp: &McpTool<'_>) -> Option<ToolCall> {
        let McpTool { tool, argv, cwd, url } = mcp;
        let server = if let Some(url) = url {
            Server::Http { url: self.require_url(url, false)? }
        } else {
            self.check_fixed_words(argv, cwd.as_ref(), true)?;
            let program = self.fixed_program(argv, cwd.as_ref());
            Server::Stdio(Program { base: ProgramSearch::SearchPath, ..program })
        };
        Some(ToolCall { server, tool: tool.to_string(), arguments: self.arguments_json() })
    }

    fn build_get(&mut self, url: &Sourced<Text<'_>>) -> Option<Request> {
        let url = self.require_url(url, false)?.into();
        Some(Request { method: "GET".to_owned(), url, headers: Vec::new(), body: None })
    }

    /// Returns a URL if a request can be sent to it and, if `appends`, a path can be
    /// appended.
    fn require_url(&mut self, text: &Sourced<Text<'_>>, appends: bool) -> Option<String> {
        let why = match url::check_http(text) {
            Err(error) => error.message_for(text),
            Ok(_) if text.contains("${") => "there are no templates in this URL".to_owned(),
            Ok(_) if appends && text.contains(['?', '#']) => {
                "a path is appended to it: it must not have a query or a fragment".to_owned()
            }
            Ok(_) => return Some(text.to_string()),
        };
        self.refuse(&rules::URL, text.at, why)
    }

    /// Returns the arguments without those in `paths`. All other bytes stay the same.
    fn remove_arguments(&mut self, paths: &[String]) -> Option<String> {
        let pointers: BTreeSet<Pointer> = paths.iter().map(|path| pointer(path)).collect();
        let mut edits = Vec::new();
        for at in &pointers {
            // A value inside a removed one is removed with it.
            if !pointers.iter().any(|outer| outer != at && at.strip_prefix(outer).is_some()) {
                edits.push(Edit::Remove(at.clone()));
            }
        }
        match apply(self.arguments, &edits) {
            Ok(rest) => Some(rest),
            Err(error) => self.refuse(&rules::ARGUMENTS, None, error.to_string()),
        }
    }

    /// Checks that the manifest allows requests to a URL. Hosts with this rule apply it to
    /// their own requests, not to those of programs.
    fn check_destination(&mut self, url: &Sourced<Text<'_>>) -> Option<()> {
        match allow_list::check_destination(
            allow_list::declared_destinations(self.tool).as_deref(),
            url,
        ) {
            Ok(()) => Some(()),
            Err(why) => self.refuse(&rules::NETWORK, url.at, why),
        }
    }

    /// Warns of arguments that are not part of a request without a body.
    fn warn_unsent<'h>(&mut self, used: &'h [String], headers: impl Iterator<Item = &'h str>) {
        let mut sent: BTreeSet<&str> = used.iter().map(|path| first_name(path)).collect();
        for value in headers {
            // Filling the headers has reported the invalid ones.
            let Ok(parts) = template::parse(value) else { continue };
            for part in parts {
                if let TemplatePart::Input(path) = part {
                    sent.insert(first_name(path));
                }
            }
        }
        for member in self.arguments.root().members() {
            let name = member.name();
            if !sent.contains(name.as_ref()) {
                let message = format!("{} is not sent", quoted(&name));
                let at = Pointer::root().push(&name);
                self.warnings.push(rules::UNSENT.at_pointer(at, message));
            }
        }
    }
}

fn has_header(headers: &[(String, Template)], name: &str) -> bool {
    headers.iter().any(|(header, _)| header.eq_ignore_ascii_case(name))
}

fn json_request(method: &str, url: Template, body: String) -> Request {
    let headers = vec![("Content-Type".to_owned(), "application/json".into())];
    Request { method: method.to_owned(), url, headers, body: Some(body.into()) }
}

/// Returns the first name of a path such as `a.b`.
fn first_name(path: &str) -> &str {
    match path.split_once('.') {
        Some((first, _)) => first,
        None => path,
    }
}

fn pointer(path: &str) -> Pointer {
    path.split('.').fold(Pointer::root(), Pointer::push)
}

/// Returns the request body for an agent of Unison.
fn agent_request(tool: &str, arguments: &str) -> String {
    let id = quote(tool);
    format!("{{\"type\":\"a2a.request\",\"capability_id\":{id},\"args\":{arguments}}}")
}
