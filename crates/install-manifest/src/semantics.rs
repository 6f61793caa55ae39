//! Semantic checks: requirements of the specification's text that a schema cannot express.
//!
//! The checks read [`ManifestNodes`]. They compute the pointer of a value only to report it.

use std::borrow::Cow;

use manifest_core::descriptor::SideEffects;
use manifest_core::json::Node;
use manifest_core::pattern::{self, PatternError};
use manifest_core::{Limits, Pointer, Report, Rule, Text, command_line, quoted, schema, url};

use crate::enums::RuntimeKind;
use crate::limits::pattern_limits;
use crate::manifest::{
    InvocationNodes, ManifestNodes, NodeValue, SmokeKind, Success, nearest_node,
};
use crate::rules;

pub(crate) mod install;
mod templates;

/// The state of the checks of one manifest.
pub(crate) struct Check<'c, 'n> {
    pub(crate) manifest: &'c ManifestNodes<'n>,
    pub(crate) limits: &'c Limits,
    pub(crate) report: &'c mut Report,
}

impl Check<'_, '_> {
    /// Reports a problem at a path below a node, or at the nearest ancestor that exists.
    /// Looks up the node only if the report has room for one more.
    pub(crate) fn report_at(
        &mut self,
        rule: &'static Rule,
        node: Node<'_>,
        path: &[&str],
        message: impl Into<String>,
    ) {
        self.report.push_with(rule, || rule.at(nearest_node(node, path), message));
    }

    pub(crate) fn check_semantics(&mut self) {
        self.check_names();
        self.check_runtime();
        self.check_install();
        self.check_env();
        self.check_actions();
        self.check_templates();
        self.check_smoke_test();
        self.check_kill_switch();
    }

    fn check_names(&mut self) {
        let manifest = self.manifest;
        self.check_unique(&manifest.actions.iter().map(|action| name_and_node(&action.name)), &[]);
        let variables = manifest.env.iter();
        self.check_unique(&variables.map(|v| (v.value.name.as_ref(), v.node)), &["name"]);
        self.check_unique(&manifest.scopes.iter().map(name_and_node), &[]);
    }

    /// Compares each name with all earlier ones: the lists are short, so this is cheaper
    /// than a set.
    fn check_unique<'n>(
        &mut self,
        names: &(impl Iterator<Item = (&'n str, Node<'n>)> + Clone),
        path: &[&str],
    ) {
        for (index, (name, node)) in names.clone().enumerate() {
            if names.clone().take(index).any(|(earlier, _)| earlier == name) {
                let message = format!("{} is taken", quoted(name));
                self.report_at(&rules::DUPLICATE_NAME, node, path, message);
            }
        }
    }

    fn check_runtime(&mut self) {
        let NodeValue { value: runtime, node } = &self.manifest.runtime;
        if runtime.entrypoint.is_some() && runtime.endpoint_url.is_some() {
            let message = "there are both \"entrypoint\" and \"endpoint_url\"";
            self.report_at(&rules::RUNTIME_EXCLUSIVE, *node, &["endpoint_url"], message);
        }
        if let Some(endpoint) = &runtime.endpoint_url {
            self.check_url(*node, &["endpoint_url"], endpoint, &["http", "https"]);
        }
        if let Some(entrypoint) = &runtime.entrypoint {
            let path = ["entrypoint", "command"];
            self.check_command(*node, &path, &entrypoint.command);
            // Each action starts with this command, so its length is limited.
            let (line, actions) = (nearest_node(*node, &path), self.manifest.actions.len());
            let (rule, words) = (&rules::COMMAND_LENGTH, line.elements());
            command_line::check(rule, line, words, actions, self.limits, self.report);
        }
        let mcp = matches!(runtime.kind, RuntimeKind::McpStdio | RuntimeKind::McpHttp);
        for action in &self.manifest.actions {
            let NodeValue { value: call, node } = &action.invocation;
            let (there, needed) = match call {
                InvocationNodes::Program { .. } => {
                    (runtime.entrypoint.is_some(), "\"runtime.entrypoint\"")
                }
                InvocationNodes::Http { .. } => {
                    (runtime.endpoint_url.is_some(), "\"runtime.endpoint_url\"")
                }
                InvocationNodes::McpTool => (mcp, "an MCP runtime"),
            };
            if !there {
                let message = format!("{} needs {needed}", quoted(&action.name.value));
                self.report_at(&rules::ACTION_RUNTIME, *node, &["kind"], message);
            }
        }
    }

    fn check_env(&mut self) {
        for NodeValue { value: variable, node } in &self.manifest.env {
            if variable.secret && variable.default.is_some() {
                let message = format!("{} is secret, and has a default", quoted(&variable.name));
                self.report_at(&rules::SECRET_DEFAULT, *node, &["default"], message);
            }
            if let Some(pattern) = &variable.validation_regex {
                self.check_regex(*node, &["validation_regex"], pattern);
            }
        }
    }

    fn check_actions(&mut self) {
        let manifest = self.manifest;
        for action in &manifest.actions {
            for used in action.scopes_used() {
                let Some(resource) = used.text() else { continue };
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

    fn check_smoke_test(&mut self) {
        let NodeValue { value: smoke, node } = &self.manifest.smoke;
        match &smoke.kind {
            SmokeKind::Shell { command } => self.check_command(*node, &["command"], command),
            SmokeKind::Http { url, .. } => {
                self.check_url(*node, &["url"], url, &["http", "https"]);
            }
            SmokeKind::ActionCall { action, .. } => match self.manifest.action(action) {
                None => {
                    let message = format!("there is no action {}", quoted(action));
                    self.report_at(&rules::SMOKE_ACTION, *node, &["action"], message);
                }
                Some(found) if effects(found.node) > Some(SideEffects::Read) => {
                    let message = format!("{} changes something", quoted(action));
                    self.report_at(&rules::SMOKE_EFFECTS, *node, &["action"], message);
                }
                Some(_) => {}
            },
            SmokeKind::McpToolCall { .. } => {}
        }
        self.check_success(&smoke.kind, &smoke.success);
    }

    fn check_success(&mut self, kind: &SmokeKind<'_>, success: &Success<'_>) {
        let node = nearest_node(self.manifest.smoke.node, &["success"]);
        let process = matches!(kind, SmokeKind::Shell { .. } | SmokeKind::ActionCall { .. });
        let http = matches!(kind, SmokeKind::Http { .. } | SmokeKind::ActionCall { .. });
        let misfits = [
            ("exit_code", success.exit_code.is_some() && !process),
            ("stdout_regex", success.stdout_regex.is_some() && !process),
            ("http_status", success.http_status.is_some() && !http),
            ("body_regex", success.body_regex.is_some() && !http),
        ];
        for (name, misfit) in misfits {
            if misfit {
                let message = format!("{} has no {}", quoted(kind.as_str()), quoted(name));
                self.report_at(&rules::SUCCESS_FIT, node, &[name], message);
            }
        }
        if !matches!(kind, SmokeKind::Shell { .. }) && requires_nothing(success) {
            self.report.add(&rules::SMOKE_EMPTY, node, "every outcome is a success");
        }
        for (name, pattern) in
            [("stdout_regex", &success.stdout_regex), ("body_regex", &success.body_regex)]
        {
            if let Some(pattern) = pattern {
                self.check_regex(node, &[name], pattern);
            }
        }
        for (key, _) in success.json_pointer_equals.iter() {
            self.check_json_pointer(node, &["json_pointer_equals", key], key);
        }
        for (key, _) in success.json_pointer_in.iter() {
            self.check_json_pointer(node, &["json_pointer_in", key], key);
        }
        for (name, pointer) in [
            ("json_pointer_exists", &success.json_pointer_exists),
            ("json_pointer_present", &success.json_pointer_present),
        ] {
            if let Some(pointer) = pointer {
                self.check_json_pointer(node, &[name], pointer);
            }
        }
    }

    fn check_kill_switch(&mut self) {
        let NodeValue { value: switch, node } = &self.manifest.kill_switch;
        match switch {
            crate::KillSwitch::Url { url } => {
                self.check_url(*node, &["url"], url, &["http", "https"]);
            }
            crate::KillSwitch::Shell { command } => {
                self.check_command(*node, &["command"], command);
            }
            crate::KillSwitch::None {} | crate::KillSwitch::Manual { .. } => {}
        }
    }

    fn check_command(&mut self, node: Node<'_>, path: &[&str], command: &[Text<'_>]) {
        for (index, part) in command.iter().enumerate() {
            if part.as_bytes().contains(&0) {
                self.report.push_with(&rules::CONTROL_CHARACTER, || {
                    let list = nearest_node(node, path);
                    rules::CONTROL_CHARACTER.at(list.element(index).unwrap_or(list), NUL)
                });
            }
        }
    }

    /// Checks a URL that is fetched or called. Drops the markers of references first,
    /// because a reference has a value by then.
    fn check_url(&mut self, node: Node<'_>, path: &[&str], text: &str, schemes: &[&str]) {
        let filled = if text.contains(['$', '}']) {
            Cow::Owned(text.replace("${", "").replace('}', ""))
        } else {
            Cow::Borrowed(text)
        };
        let (scheme, rest) = filled.split_once("://").unwrap_or(("", filled.as_ref()));
        // The rest of a URL has the same syntax in all known schemes.
        let http = if has_word(schemes, scheme) && !has_word(&["http", "https"], scheme) {
            Cow::Owned(format!("https://{rest}"))
        } else {
            Cow::Borrowed(filled.as_ref())
        };
        // ssh URLs have a user name, but no password.
        let login = scheme.eq_ignore_ascii_case("ssh") && http.starts_with("https://git@");
        let http = if login { Cow::Owned(http.replacen("git@", "", 1)) } else { http };
        match url::check_http(&http) {
            Err(error) => {
                self.report_at(&rules::URL, node, path, error.message_for(text));
            }
            Ok(url) if url.is_private() => {
                let message = format!("{} is a private address", quoted(url.host));
                self.report_at(&rules::PRIVATE_URL, node, path, message);
            }
            Ok(_) => {}
        }
    }

    fn check_regex(&mut self, node: Node<'_>, path: &[&str], source: &str) {
        if let Err(error) = pattern::check(source, &pattern_limits(self.limits)) {
            let rule = match error {
                PatternError::Unsupported { .. } => &rules::REGEX_UNSUPPORTED,
                _ => &rules::REGEX,
            };
            self.report_at(rule, node, path, error.to_string());
        }
    }

    fn check_json_pointer(&mut self, node: Node<'_>, path: &[&str], pointer: &str) {
        if let Err(error) = Pointer::parse(pointer) {
            let message = format!("{}: {error}", quoted(pointer));
            self.report_at(&rules::JSON_POINTER, node, path, message);
        }
    }
}

/// The message about a command with a NUL, which no operating system accepts.
const NUL: &str = "there is a NUL in the command";

/// Returns a name and its node.
fn name_and_node<'p, 'n>(name: &'p NodeValue<'n, Text<'n>>) -> (&'p str, Node<'n>) {
    (name.value.as_ref(), name.node)
}

/// Returns true if a list has a word, in any case.
fn has_word(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns true if every outcome meets the conditions.
fn requires_nothing(success: &Success<'_>) -> bool {
    let mut nothing = Success::default();
    if success.no_error_field == Some(false) {
        nothing.no_error_field = Some(false);
    }
    *success == nothing
}

/// Returns the side effects that an action declares.
fn effects(action: Node<'_>) -> Option<SideEffects> {
    SideEffects::from_word(&action.get("side_effects")?.text()?)
}
