//! Semantic checks: requirements of the specification's text that a schema cannot express.
//!
//! The checks read [`Parts`]. They compute the pointer of a value only to report it.

use std::borrow::Cow;

use manifest_core::descriptor::SideEffects;
use manifest_core::json::Node;
use manifest_core::pattern::{self, PatternError, PatternLimits};
use manifest_core::{Limits, Pointer, Report, Rule, Text, line, quoted, schema, url};

use crate::manifest::{Call, Parts, Placed, SmokeKind, Success, nearest, side_effects};
use crate::rules;
use crate::words::RuntimeKind;

pub(crate) mod install;
mod templates;

/// The state of the checks of one manifest.
pub(crate) struct Check<'c, 'n> {
    pub(crate) manifest: &'c Parts<'n>,
    pub(crate) limits: &'c Limits,
    pub(crate) report: &'c mut Report,
}

impl Check<'_, '_> {
    /// Reports a problem at a path below a node, or at the nearest ancestor that exists.
    /// Looks up the node only if the report has room for one more.
    pub(crate) fn push(
        &mut self,
        rule: &'static Rule,
        node: Node<'_>,
        path: &[&str],
        message: impl Into<String>,
    ) {
        self.report.push_with(rule, || rule.at(nearest(node, path), message));
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
        self.unique(&manifest.actions.iter().map(|action| place(&action.name)), &[]);
        let variables = manifest.env.iter();
        self.unique(&variables.map(|v| (v.value.name.as_ref(), v.node)), &["name"]);
        self.unique(&manifest.scopes.iter().map(place), &[]);
    }

    /// Compares each name with all earlier ones: the lists are short, so this is cheaper
    /// than a set.
    fn unique<'n>(
        &mut self,
        names: &(impl Iterator<Item = (&'n str, Node<'n>)> + Clone),
        path: &[&str],
    ) {
        for (index, (name, node)) in names.clone().enumerate() {
            if names.clone().take(index).any(|(earlier, _)| earlier == name) {
                let message = format!("{} is taken", quoted(name));
                self.push(&rules::DUPLICATE_NAME, node, path, message);
            }
        }
    }

    fn runtime(&mut self) {
        let Placed { value: runtime, node } = &self.manifest.runtime;
        if runtime.entrypoint.is_some() && runtime.endpoint_url.is_some() {
            let message = "there are both \"entrypoint\" and \"endpoint_url\"";
            self.push(&rules::RUNTIME_EXCLUSIVE, *node, &["endpoint_url"], message);
        }
        if let Some(endpoint) = &runtime.endpoint_url {
            self.url(*node, &["endpoint_url"], endpoint, &["http", "https"]);
        }
        if let Some(entrypoint) = &runtime.entrypoint {
            let path = ["entrypoint", "command"];
            self.command(*node, &path, &entrypoint.command);
            // Each action starts with this command, so its length is limited.
            let (line, actions) = (nearest(*node, &path), self.manifest.actions.len());
            let (rule, words) = (&rules::COMMAND_LENGTH, line.elements());
            line::check(rule, line, words, actions, self.limits, self.report);
        }
        let mcp = matches!(runtime.kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp);
        for action in &self.manifest.actions {
            let Placed { value: call, node } = &action.invocation;
            let lacks = match call {
                Call::Program { .. } => {
                    runtime.entrypoint.is_none().then_some("\"runtime.entrypoint\"")
                }
                Call::Http { .. } => {
                    runtime.endpoint_url.is_none().then_some("\"runtime.endpoint_url\"")
                }
                Call::McpTool => (!mcp).then_some("an MCP runtime"),
            };
            if let Some(lacks) = lacks {
                let message = format!("{} needs {lacks}", quoted(&action.name.value));
                self.push(&rules::ACTION_RUNTIME, *node, &["kind"], message);
            }
        }
    }

    fn env(&mut self) {
        for Placed { value: variable, node } in &self.manifest.env {
            if variable.secret && variable.default.is_some() {
                let message = format!("{} is secret, and has a default", quoted(&variable.name));
                self.push(&rules::SECRET_DEFAULT, *node, &["default"], message);
            }
            if let Some(pattern) = &variable.validation_regex {
                self.regex(*node, &["validation_regex"], pattern);
            }
        }
    }

    fn actions(&mut self) {
        let manifest = self.manifest;
        for action in &manifest.actions {
            for used in action.scopes_used() {
                let resource = used.text().unwrap_or_default();
                if !manifest.scopes.iter().any(|scope| scope.value == resource) {
                    let message = format!("{} is not in \"scopes\"", quoted(&resource));
                    self.report.add(&rules::SCOPE_UNDECLARED, used, message);
                }
            }
        }
        for action in &manifest.actions {
            let output = action.output.and_then(|output| output.get("schema"));
            for node in [action.input, output].into_iter().flatten() {
                for diagnostic in schema::check(node, self.limits) {
                    self.report.push(diagnostic);
                }
            }
        }
    }

    fn smoke(&mut self) {
        let Placed { value: smoke, node } = &self.manifest.smoke;
        match &smoke.kind {
            SmokeKind::Shell { command } => self.command(*node, &["command"], command),
            SmokeKind::Http { url, .. } => {
                self.url(*node, &["url"], url, &["http", "https"]);
            }
            SmokeKind::ActionCall { action, .. } => match self.manifest.action(action) {
                None => {
                    let message = format!("there is no action {}", quoted(action));
                    self.push(&rules::SMOKE_ACTION, *node, &["action"], message);
                }
                Some(found) if effects(found.node) > Some(SideEffects::Read) => {
                    let message = format!("{} changes something", quoted(action));
                    self.push(&rules::SMOKE_EFFECTS, *node, &["action"], message);
                }
                Some(_) => {}
            },
            SmokeKind::McpToolCall { .. } => {}
        }
        self.success(&smoke.kind, &smoke.success);
    }

    fn success(&mut self, kind: &SmokeKind<'_>, success: &Success<'_>) {
        let node = nearest(self.manifest.smoke.node, &["success"]);
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
            self.push(&rules::SUCCESS_FIT, node, &[name], message);
        }
        let nothing = || {
            *success == Success::default()
                || *success == Success { no_error_field: Some(false), ..Success::default() }
        };
        if !matches!(kind, SmokeKind::Shell { .. }) && nothing() {
            self.report.add(&rules::SMOKE_EMPTY, node, "every outcome is a success");
        }
        for (name, pattern) in
            [("stdout_regex", &success.stdout_regex), ("body_regex", &success.body_regex)]
        {
            if let Some(pattern) = pattern {
                self.regex(node, &[name], pattern);
            }
        }
        let keys = success.json_pointer_equals.iter().map(|(key, _)| ("json_pointer_equals", key));
        let keys =
            keys.chain(success.json_pointer_in.iter().map(|(key, _)| ("json_pointer_in", key)));
        for (name, key) in keys {
            self.json_pointer(node, &[name, key], key);
        }
        for (name, pointer) in [
            ("json_pointer_exists", &success.json_pointer_exists),
            ("json_pointer_present", &success.json_pointer_present),
        ] {
            if let Some(pointer) = pointer {
                self.json_pointer(node, &[name], pointer);
            }
        }
    }

    fn kill_switch(&mut self) {
        let Placed { value: switch, node } = &self.manifest.kill_switch;
        match switch {
            crate::KillSwitch::Url { url } => {
                self.url(*node, &["url"], url, &["http", "https"]);
            }
            crate::KillSwitch::Shell { command } => self.command(*node, &["command"], command),
            crate::KillSwitch::None {} | crate::KillSwitch::Manual { .. } => {}
        }
    }

    fn command(&mut self, node: Node<'_>, path: &[&str], command: &[Text<'_>]) {
        for (index, _) in
            command.iter().enumerate().filter(|(_, part)| part.as_bytes().contains(&0))
        {
            self.report.push_with(&rules::CONTROL_CHARACTER, || {
                let list = nearest(node, path);
                rules::CONTROL_CHARACTER.at(list.element(index).unwrap_or(list), NUL)
            });
        }
    }

    /// Checks a URL that is fetched or called. Drops the markers of references first,
    /// because a reference has a value by then.
    fn url(&mut self, node: Node<'_>, path: &[&str], text: &str, schemes: &[&str]) {
        let filled = if text.contains(['$', '}']) {
            Cow::Owned(text.replace("${", "").replace('}', ""))
        } else {
            Cow::Borrowed(text)
        };
        let scheme = filled.split_once("://").map(|(scheme, _)| scheme).unwrap_or_default();
        let known = schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme));
        let usual = ["http", "https"].iter().any(|usual| usual.eq_ignore_ascii_case(scheme));
        // The rest of a URL has the same syntax in all known schemes.
        let http = match known.then(|| filled.get(scheme.len()..)).flatten() {
            Some(rest) if !usual => Cow::Owned(format!("https{rest}")),
            _ => Cow::Borrowed(filled.as_ref()),
        };
        // ssh URLs have a user name, but no password.
        let login = scheme.eq_ignore_ascii_case("ssh") && http.starts_with("https://git@");
        let http = if login { Cow::Owned(http.replacen("git@", "", 1)) } else { http };
        match url::check_http(&http) {
            Err(error) => {
                self.push(&rules::URL, node, path, error.about(text));
            }
            Ok(url) if url.is_private() => {
                let message = format!("{} is a private address", quoted(url.host));
                self.push(&rules::PRIVATE_URL, node, path, message);
            }
            Ok(_) => {}
        }
    }

    fn regex(&mut self, node: Node<'_>, path: &[&str], source: &str) {
        let limits = PatternLimits {
            source_bytes: self.limits.pattern_bytes,
            compiled_bytes: self.limits.pattern_compiled_bytes,
            nesting: self.limits.pattern_nesting,
            haystack_bytes: self.limits.pattern_haystack_bytes,
            ..PatternLimits::default()
        };
        if let Err(error) = pattern::check(source, &limits) {
            let rule = match error {
                PatternError::Unsupported { .. } => &rules::REGEX_UNSUPPORTED,
                _ => &rules::REGEX,
            };
            self.push(rule, node, path, error.to_string());
        }
    }

    fn json_pointer(&mut self, node: Node<'_>, path: &[&str], pointer: &str) {
        if let Err(error) = Pointer::parse(pointer) {
            let message = format!("{}: {error}", quoted(pointer));
            self.push(&rules::JSON_POINTER, node, path, message);
        }
    }
}

/// The message about a command with a NUL, which no operating system accepts.
const NUL: &str = "there is a NUL in the command";

/// Returns a name and its node.
fn place<'p, 'n>(name: &'p Placed<'n, Text<'n>>) -> (&'p str, Node<'n>) {
    (name.value.as_ref(), name.node)
}

/// Returns the side effects that an action declares.
fn effects(action: Node<'_>) -> Option<SideEffects> {
    side_effects(&action.get("side_effects")?.text()?)
}
