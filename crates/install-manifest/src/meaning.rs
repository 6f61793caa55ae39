//! Checks of meaning: what the prose asks for and a schema cannot say.
//!
//! The checks look at typed values. Where a value stands in the text is looked up
//! only for what is wrong.

use std::borrow::Cow;
use std::fmt::Display;

use manifest_core::descriptor::SideEffects;
use manifest_core::json::Node;
use manifest_core::pattern::{self, PatternError, PatternLimits};
use manifest_core::{Limits, Pointer, Report, Rule, Text, quoted, schema, url};

use crate::manifest::{Invocation, Manifest, SmokeKind, Success};
use crate::rules;
use crate::words::RuntimeKind;

pub(crate) mod install;
mod templates;

pub(crate) use templates::is_callable;

/// One manifest under check.
pub(crate) struct Check<'c, 'a> {
    pub(crate) manifest: &'c Manifest<'a>,
    pub(crate) node: Node<'c>,
    pub(crate) limits: &'c Limits,
    pub(crate) report: &'c mut Report,
}

impl Check<'_, '_> {
    /// Reports a problem at a place below the manifest, or at what is there of it.
    /// Places are written out for what is wrong only.
    pub(crate) fn push(
        &mut self,
        rule: &'static Rule,
        at: impl Display,
        message: impl Into<String>,
    ) {
        let node = self.node;
        self.report.push_with(rule, move || rule.at(nearest(node, &at.to_string()), message));
    }

    pub(crate) fn meaning(&mut self) {
        self.names();
        self.runtime();
        self.install();
        self.env();
        self.actions();
        self.templates();
        self.smoke();
        self.kill_switch();
    }

    fn names(&mut self) {
        let manifest = self.manifest;
        let actions = manifest.actions.iter().map(|action| action.name.as_ref());
        self.unique("actions", "name", &actions);
        self.unique("env", "name", &manifest.env.iter().map(|variable| variable.name.as_ref()));
        let scopes = manifest.scopes.iter().map(|scope| scope.resource.as_ref());
        self.unique("scopes", "resource", &scopes);
    }

    /// No list is long here: comparing all names is cheaper than a set of them.
    fn unique<'n>(
        &mut self,
        list: &str,
        member: &str,
        names: &(impl Iterator<Item = &'n str> + Clone),
    ) {
        for (index, name) in names.clone().enumerate() {
            if names.clone().take(index).any(|earlier| earlier == name) {
                let message = format!("{} is taken", quoted(name));
                let place = format!("/{list}/{index}/{member}");
                self.push(&rules::DUPLICATE_NAME, place, message);
            }
        }
    }

    fn runtime(&mut self) {
        let runtime = &self.manifest.runtime;
        if runtime.entrypoint.is_some() && runtime.endpoint_url.is_some() {
            let message = "there are both \"entrypoint\" and \"endpoint_url\"";
            self.push(&rules::RUNTIME_EXCLUSIVE, "/runtime/endpoint_url", message);
        }
        if let Some(endpoint) = &runtime.endpoint_url {
            self.url("/runtime/endpoint_url", endpoint, &["http", "https"]);
        }
        if let Some(entrypoint) = &runtime.entrypoint {
            self.command("/runtime/entrypoint/command", &entrypoint.command);
        }
        let mcp = matches!(runtime.kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp);
        for (index, action) in self.manifest.actions.iter().enumerate() {
            let lacks = match &action.invocation {
                Invocation::Subcommand { .. } | Invocation::StdinJson { .. } => {
                    runtime.entrypoint.is_none().then_some("\"runtime.entrypoint\"")
                }
                Invocation::Http { .. } => {
                    runtime.endpoint_url.is_none().then_some("\"runtime.endpoint_url\"")
                }
                Invocation::McpTool { .. } => (!mcp).then_some("an MCP runtime"),
            };
            if let Some(lacks) = lacks {
                let message = format!("{} needs {lacks}", quoted(&action.name));
                let place = format!("/actions/{index}/invocation/kind");
                self.push(&rules::ACTION_RUNTIME, place, message);
            }
        }
    }

    fn env(&mut self) {
        for (index, variable) in self.manifest.env.iter().enumerate() {
            if variable.secret && variable.default.is_some() {
                let message = format!("{} is secret, and has a default", quoted(&variable.name));
                self.push(&rules::SECRET_DEFAULT, format!("/env/{index}/default"), message);
            }
            if let Some(pattern) = &variable.validation_regex {
                self.regex(format_args!("/env/{index}/validation_regex"), pattern);
            }
        }
    }

    fn actions(&mut self) {
        let scopes = &self.manifest.scopes;
        for (index, action) in self.manifest.actions.iter().enumerate() {
            for (used, resource) in action.scopes_used.iter().enumerate() {
                if !scopes.iter().any(|scope| scope.resource == *resource) {
                    let message = format!("{} is not in \"scopes\"", quoted(resource));
                    let place = format!("/actions/{index}/scopes_used/{used}");
                    self.push(&rules::SCOPE_UNDECLARED, place, message);
                }
            }
        }
        let entries = self.node.get("actions").into_iter().flat_map(Node::elements);
        for entry in entries {
            let output = entry.get("output").and_then(|output| output.get("schema"));
            for node in [entry.get("input"), output].into_iter().flatten() {
                for diagnostic in schema::check(node, self.limits) {
                    self.report.push(diagnostic);
                }
            }
        }
    }

    fn smoke(&mut self) {
        let smoke = &self.manifest.smoke;
        match &smoke.kind {
            SmokeKind::Shell { command } => self.command("/smoke/command", command),
            SmokeKind::Http { url, .. } => self.url("/smoke/url", url, &["http", "https"]),
            SmokeKind::ActionCall { action, .. } => match self.manifest.action(action) {
                None => {
                    let message = format!("there is no action {}", quoted(action));
                    self.push(&rules::SMOKE_ACTION, "/smoke/action", message);
                }
                Some(found) if found.side_effects > SideEffects::Read => {
                    let message = format!("{} changes something", quoted(action));
                    self.push(&rules::SMOKE_EFFECTS, "/smoke/action", message);
                }
                Some(_) => {}
            },
            SmokeKind::McpToolCall { .. } => {}
        }
        self.success(&smoke.kind, &smoke.success);
    }

    fn success(&mut self, kind: &SmokeKind<'_>, success: &Success<'_>) {
        let process = matches!(kind, SmokeKind::Shell { .. } | SmokeKind::ActionCall { .. });
        let http = matches!(kind, SmokeKind::Http { .. } | SmokeKind::ActionCall { .. });
        let misfits = [
            ("exit_code", success.exit_code.is_some() && !process),
            ("stdout_regex", success.stdout_regex.is_some() && !process),
            ("http_status", success.http_status.is_some() && !http),
            ("body_regex", success.body_regex.is_some() && !http),
        ];
        for (name, _) in misfits.iter().filter(|(_, misfit)| *misfit) {
            let message = format!("{} has no {}", quoted(kind.word()), quoted(name));
            self.push(&rules::SUCCESS_FIT, format!("/smoke/success/{name}"), message);
        }
        let nothing = *success == Success::default()
            || *success == Success { no_error_field: Some(false), ..Success::default() };
        if nothing && !matches!(kind, SmokeKind::Shell { .. }) {
            let message = "every outcome is a success";
            self.push(&rules::SMOKE_EMPTY, "/smoke/success", message);
        }
        for (name, pattern) in
            [("stdout_regex", &success.stdout_regex), ("body_regex", &success.body_regex)]
        {
            if let Some(pattern) = pattern {
                self.regex(format_args!("/smoke/success/{name}"), pattern);
            }
        }
        let keys = success.json_pointer_equals.iter().map(|(key, _)| ("json_pointer_equals", key));
        let keys =
            keys.chain(success.json_pointer_in.iter().map(|(key, _)| ("json_pointer_in", key)));
        for (name, key) in keys {
            let place = Pointer::root().push("smoke").push("success").push(name).push(key);
            self.json_pointer(place, key);
        }
        for (name, pointer) in [
            ("json_pointer_exists", &success.json_pointer_exists),
            ("json_pointer_present", &success.json_pointer_present),
        ] {
            if let Some(pointer) = pointer {
                self.json_pointer(format_args!("/smoke/success/{name}"), pointer);
            }
        }
    }

    fn kill_switch(&mut self) {
        match &self.manifest.kill_switch {
            crate::KillSwitch::Url { url } => {
                self.url("/kill_switch/url", url, &["http", "https"]);
            }
            crate::KillSwitch::Shell { command } => self.command("/kill_switch/command", command),
            crate::KillSwitch::None {} | crate::KillSwitch::Manual { .. } => {}
        }
    }

    fn command(&mut self, at: &str, command: &[Text<'_>]) {
        for (index, _) in
            command.iter().enumerate().filter(|(_, part)| part.as_bytes().contains(&0))
        {
            let message = "there is a NUL in the command";
            self.push(&rules::CONTROL_CHARACTER, format!("{at}/{index}"), message);
        }
    }

    /// A URL that is fetched or called. References in it have a value by then.
    fn url(&mut self, at: impl Display, text: &str, schemes: &[&str]) {
        let filled = if text.contains(['$', '}']) {
            Cow::Owned(text.replace("${", "").replace('}', ""))
        } else {
            Cow::Borrowed(text)
        };
        let scheme = filled.split_once("://").map(|(scheme, _)| scheme).unwrap_or_default();
        let known = schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme));
        let usual = ["http", "https"].iter().any(|usual| usual.eq_ignore_ascii_case(scheme));
        // The rest of a URL is the same for all of them.
        let http = match known.then(|| filled.get(scheme.len()..)).flatten() {
            Some(rest) if !usual => Cow::Owned(format!("https{rest}")),
            _ => Cow::Borrowed(filled.as_ref()),
        };
        // ssh has a user name and no password.
        let login = scheme.eq_ignore_ascii_case("ssh") && http.starts_with("https://git@");
        let http = if login { Cow::Owned(http.replacen("git@", "", 1)) } else { http };
        match url::check_http(&http) {
            Err(error) => {
                self.push(&rules::URL, at, error.about(text));
            }
            Ok(url) if url.is_private() => {
                let message = format!("{} is a private address", quoted(url.host));
                self.push(&rules::PRIVATE_URL, at, message);
            }
            Ok(_) => {}
        }
    }

    fn regex(&mut self, at: impl Display, source: &str) {
        let limits = PatternLimits {
            source_bytes: self.limits.pattern_bytes,
            compiled_bytes: self.limits.pattern_compiled_bytes,
            nesting: self.limits.pattern_nesting,
            haystack_bytes: self.limits.pattern_haystack_bytes,
            ..PatternLimits::default()
        };
        match pattern::check(source, &limits) {
            Ok(()) => {}
            Err(error @ PatternError::Unsupported { .. }) => {
                self.push(&rules::REGEX_UNSUPPORTED, at, error.to_string());
            }
            Err(error) => self.push(&rules::REGEX, at, error.to_string()),
        }
    }

    fn json_pointer(&mut self, at: impl Display, pointer: &str) {
        if let Err(error) = Pointer::parse(pointer) {
            self.push(&rules::JSON_POINTER, at, format!("{}: {error}", quoted(pointer)));
        }
    }
}

/// The value at a place below a node, or the nearest one around it.
pub(crate) fn nearest<'n>(node: Node<'n>, at: &str) -> Node<'n> {
    let place = Pointer::parse(at).unwrap_or_default();
    let mut found = node;
    for token in place.tokens() {
        let element = || found.element(token.parse().ok()?);
        match found.get(&token).or_else(element) {
            Some(inside) => found = inside,
            None => break,
        }
    }
    found
}
