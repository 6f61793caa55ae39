//! Checks of templates: their syntax and their references.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::{Text, quoted};

use super::{Check, NUL};
use crate::manifest::{
    ActionNodes, EnvVar, InvocationNodes, ManifestNodes, NodeValue, SmokeKind, nearest_node,
};
use crate::{KillSwitch, http, rules};
use manifest_core::template::{self, TemplateError, TemplatePart};

/// The visibility of a template's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// Others can see it, for example in a process list or a log.
    Public,
    /// Only the recipient can see it.
    Private,
}

impl Check<'_, '_> {
    pub(super) fn check_templates(&mut self) {
        let manifest = self.manifest;
        for action in &manifest.actions {
            self.check_action_templates(action);
        }
        let NodeValue { value: smoke, node } = &manifest.smoke;
        if let SmokeKind::Http { url, body, .. } = &smoke.kind {
            self.check_smoke_template(nearest_node(*node, &["url"]), url, Visibility::Public);
            let headers = node.get("headers");
            self.check_headers(headers);
            for member in headers.into_iter().flat_map(Node::members) {
                let Some(value) = member.value.text() else { continue };
                self.check_smoke_template(member.value, &value, Visibility::Private);
            }
            if let Some(body) = body {
                self.check_smoke_template(
                    nearest_node(*node, &["body"]),
                    body,
                    Visibility::Private,
                );
            }
        }
        let equals = node.get("success").and_then(|success| success.get("json_pointer_equals"));
        for member in equals.into_iter().flat_map(Node::members) {
            if let Some(text) = member.value.text() {
                self.check_smoke_template(member.value, &text, Visibility::Private);
            }
        }
        self.check_plain_texts();
    }

    fn check_action_templates(&mut self, action: &ActionNodes<'_>) {
        let input = LazyCell::new(|| InputProperties::from_schema(action.input));
        match &action.invocation.value {
            InvocationNodes::Program { argv_template } => {
                for node in argv_template.iter().flat_map(|list| list.elements()) {
                    let Some(template) = node.text() else { continue };
                    // JSON can write a NUL only as an escape.
                    if node.is_escaped() && template.as_bytes().contains(&0) {
                        self.report.add(&rules::CONTROL_CHARACTER, node, NUL);
                    }
                    self.check_action_template(node, &template, &input, Visibility::Public);
                }
            }
            InvocationNodes::Http { path: NodeValue { value: path, node }, headers } => {
                if !http::is_path(path) {
                    let message = format!("{} is not a path", quoted(path));
                    self.report.add(&rules::HTTP_PATH, *node, message);
                }
                self.check_action_template(*node, path, &input, Visibility::Public);
                self.check_headers(*headers);
                for member in headers.iter().flat_map(|headers| headers.members()) {
                    let Some(value) = member.value.text() else { continue };
                    self.check_action_template(member.value, &value, &input, Visibility::Private);
                }
            }
            InvocationNodes::McpTool => {}
        }
    }

    fn check_headers(&mut self, headers: Option<Node<'_>>) {
        let mut seen = BTreeSet::new();
        for member in headers.into_iter().flat_map(Node::members) {
            let Some(value) = member.value.text() else { continue };
            let name = member.name();
            let lower = name.to_ascii_lowercase();
            let wrong = if !http::is_header_name(&name) {
                Some(format!("{} is not the name of a header", quoted(&name)))
            } else if value.chars().any(|c| c.is_control() && c != '\t') || value.trim() != value {
                Some(format!(
                    "the value of {} has a control character or a blank end",
                    quoted(&name)
                ))
            } else if seen.contains(&lower) {
                Some(format!("{} is there in another case too", quoted(&name)))
            } else {
                None
            };
            if let Some(message) = wrong {
                self.report.add(&rules::HEADER, member.value, message);
            } else if http::RESERVED.contains(&lower.as_str()) {
                let message = format!("{} is for the client to set", quoted(&name));
                self.report.add(&rules::HEADER_RESERVED, member.value, message);
            }
            seen.insert(lower);
        }
    }

    fn check_action_template<'n>(
        &mut self,
        at: Node<'_>,
        text: &str,
        input: &LazyCell<InputProperties<'n>, impl FnOnce() -> InputProperties<'n>>,
        put: Visibility,
    ) {
        // Fast path: most texts are not templates, and most templates are valid.
        if template::has_reference(text) && !self.is_certainly_valid(text, input, put) {
            self.check_fully(at, text, input, put);
        }
    }

    /// Returns true if a template certainly has no problem. This is a quick check: it
    /// returns false for a few valid templates, which then get the full check.
    fn is_certainly_valid<'n>(
        &self,
        text: &str,
        input: &LazyCell<InputProperties<'n>, impl FnOnce() -> InputProperties<'n>>,
        put: Visibility,
    ) -> bool {
        self.is_short(text)
            && template::parts(text).all(|part| match part {
                // A `$` or a backslash before a reference looks like an escape.
                Ok(TemplatePart::Text(text)) => !text.ends_with(['$', '\\']),
                Ok(TemplatePart::Input(path)) => input.has(path),
                Ok(TemplatePart::Env(name)) => match self.manifest.env_var(name) {
                    Some(variable) => !variable.secret || put == Visibility::Private,
                    None => false,
                },
                Err(_) => false,
            })
    }

    fn check_fully<'n>(
        &mut self,
        at: Node<'_>,
        text: &str,
        input: &LazyCell<InputProperties<'n>, impl FnOnce() -> InputProperties<'n>>,
        put: Visibility,
    ) {
        let parts = self.parse_template(at, text, template::parse);
        for part in &parts {
            if let TemplatePart::Input(path) = part
                && !input.has(path)
            {
                let message = format!("the action has no input {}", quoted(path));
                self.report.add(&rules::TEMPLATE_INPUT, at, message);
            }
        }
        self.check_variables(at, &parts, put);
    }

    fn check_smoke_template(&mut self, at: Node<'_>, text: &str, put: Visibility) {
        if template::has_reference(text) {
            let parts = self.parse_template(at, text, template::parse_smoke);
            self.check_variables(at, &parts, put);
        }
    }

    /// Returns true if a text is short enough for both limits, on length and on references: it
    /// has fewer references than bytes.
    fn is_short(&self, text: &str) -> bool {
        text.len() <= self.limits.template_bytes.min(self.limits.template_references)
    }

    fn parse_template<'t>(
        &mut self,
        at: Node<'_>,
        text: &'t str,
        parse: fn(&'t str) -> Result<Vec<TemplatePart<'t>>, TemplateError>,
    ) -> Vec<TemplatePart<'t>> {
        if template::looks_escaped(text) {
            let message = "this does not escape the reference";
            self.report.add(&rules::TEMPLATE_ESCAPE, at, message);
        }
        let most = self.limits.template_references;
        if text.len() > self.limits.template_bytes
            || (!self.is_short(text) && text.matches("${").count() > most)
        {
            let message = "the template is too long, or has too many references";
            self.report.add(&rules::TEMPLATE, at, message);
            return Vec::new();
        }
        parse(text).unwrap_or_else(|error| {
            self.report.add(&rules::TEMPLATE, at, error.to_string());
            Vec::new()
        })
    }

    fn check_variables(&mut self, at: Node<'_>, parts: &[TemplatePart<'_>], put: Visibility) {
        for part in parts {
            let TemplatePart::Env(name) = part else { continue };
            match self.manifest.env_var(name) {
                None => {
                    let message = format!("the manifest declares no variable {}", quoted(name));
                    self.report.add(&rules::TEMPLATE_ENV, at, message);
                }
                Some(variable) if variable.secret && put == Visibility::Public => {
                    let message = format!("{} is secret, and would be seen here", quoted(name));
                    self.report.add(&rules::SECRET_PLACE, at, message);
                }
                Some(_) => {}
            }
        }
    }

    /// Checks texts in which references are not replaced, although an author may expect it.
    fn check_plain_texts(&mut self) {
        let ManifestNodes { runtime, smoke, kill_switch, .. } = self.manifest;
        if let Some(entrypoint) = &runtime.value.entrypoint {
            self.check_secret_references(
                runtime.node,
                &["entrypoint", "command"],
                &entrypoint.command,
            );
            self.check_secret_references(runtime.node, &["entrypoint", "cwd"], &entrypoint.cwd);
        }
        self.check_secret_references(runtime.node, &["endpoint_url"], &runtime.value.endpoint_url);
        if let SmokeKind::Shell { command } = &smoke.value.kind {
            self.check_secret_references(smoke.node, &["command"], command);
        }
        match &kill_switch.value {
            KillSwitch::Shell { command } => {
                self.check_secret_references(kill_switch.node, &["command"], command);
            }
            KillSwitch::Url { url } => {
                self.check_secret_references(kill_switch.node, &["url"], [url]);
            }
            KillSwitch::None {} | KillSwitch::Manual { .. } => {}
        }
    }

    /// Reports references to secrets in texts that are not templates.
    fn check_secret_references<'t>(
        &mut self,
        node: Node<'_>,
        path: &[&str],
        texts: impl IntoIterator<Item = &'t Text<'t>>,
    ) {
        for text in texts.into_iter().filter(|text| template::has_reference(text)) {
            let secrets = self.manifest.env.iter().filter(|variable| variable.value.secret);
            for NodeValue { value: EnvVar { name, .. }, .. } in secrets {
                if text.contains(&format!("${{{name}}}"))
                    || text.contains(&format!("${{env.{name}}}"))
                {
                    let message = format!("{} is secret, and would be seen here", quoted(name));
                    self.report_at(&rules::SECRET_PLACE, node, path, message);
                }
            }
        }
    }
}

/// The properties that an input schema permits.
enum InputProperties<'n> {
    /// Only these properties.
    Closed(Option<Node<'n>>),
    /// Possibly any property.
    Open,
}

impl<'n> InputProperties<'n> {
    /// Reads a schema. It is closed unless it explicitly permits other properties, or is
    /// composed of subschemas, which are not searched.
    fn from_schema(schema: Option<Node<'n>>) -> Self {
        let Some(schema) = schema else { return Self::Closed(None) };
        let mut properties = None;
        for member in schema.members() {
            match member.name().as_ref() {
                "$ref" | "$dynamicRef" | "allOf" | "anyOf" | "oneOf" | "if"
                | "dependentSchemas" => {
                    return Self::Open;
                }
                "additionalProperties" | "patternProperties" | "unevaluatedProperties"
                    if member.value.bool() != Some(false) =>
                {
                    return Self::Open;
                }
                "properties" => properties = Some(member.value),
                _ => {}
            }
        }
        Self::Closed(properties)
    }

    /// Returns true if the schema permits a value at the path. Only the first name of the
    /// path is checked.
    fn has(&self, path: &str) -> bool {
        match self {
            Self::Open => true,
            Self::Closed(None) => false,
            Self::Closed(Some(properties)) => {
                let first = path.split_once('.').map_or(path, |(first, _)| first);
                properties.get(first).is_some()
            }
        }
    }
}

#[cfg(all(test, feature = "testkit"))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use manifest_core::ValidateOptions;
    use manifest_core::json::Document;
    use testkit::Rng;

    use super::*;
    use crate::enums::Version;

    const PIECES: &[&str] = &[
        "$",
        "{",
        "}",
        "${",
        "\\",
        "${input.a}",
        "${input.a.b}",
        "${input.b}",
        "${input.",
        "a",
        ".",
        "${env.OPEN}",
        "${env.API_KEY}",
        "${env.OTHER}",
        "${OPEN}",
        " ",
        "é",
    ];

    /// If the quick check accepts a template, the full check must not report it.
    #[test]
    fn what_looks_fine_is_fine() {
        let open = r#""env": [{"name": "OPEN", "prompt": "x", "secret": false},"#;
        let text = include_str!("../testkit/clean.json").replace(r#""env": ["#, open);
        let options = ValidateOptions::default();
        let document = Document::parse(text.as_bytes(), &options.limits).unwrap();
        let manifest = ManifestNodes::from_node(document.root(), Version::V0_4).unwrap();
        let schema = br#"{"type":"object","properties":{"a":{}}}"#;
        let schema = Document::parse(schema, &options.limits).unwrap();
        let input = LazyCell::new(|| InputProperties::from_schema(Some(schema.root())));
        let mut fine = 0;
        for seed in 0..20_000 {
            let rng = &mut Rng::new(seed);
            let text: String = (0..rng.below(6)).map(|_| rng.word(PIECES)).collect();
            let put = if rng.once_in(2) { Visibility::Public } else { Visibility::Private };
            let mut report = options.new_report();
            let limits = &options.limits;
            let mut check = Check { manifest: &manifest, limits, report: &mut report };
            if check.is_certainly_valid(&text, &input, put) {
                fine += 1;
                check.check_fully(document.root(), &text, &input, put);
                assert_eq!(report.diagnostics, [], "{text}");
            }
        }
        assert!(fine > 1000, "{fine}");
    }
}
