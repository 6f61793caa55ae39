//! Templates: that they can be read, and what they refer to.

use std::collections::BTreeSet;
use std::fmt::Display;

use manifest_core::json::{Document, Node, Raw};
use manifest_core::{Keyed, Limits, Pointer, Text, quoted};

use super::Check;
use crate::manifest::{Action, EnvVar, Invocation, SmokeKind};
use crate::template::{self, Part, TemplateError};
use crate::{KillSwitch, http, rules};

/// Where a template is put.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Put {
    /// Where others can see it.
    Seen,
    /// Where only the recipient does.
    Unseen,
}

impl Check<'_, '_> {
    pub(super) fn templates(&mut self) {
        let manifest = self.manifest;
        let nodes = self.node.get("actions").into_iter().flat_map(Node::elements);
        for (index, (action, node)) in manifest.actions.iter().zip(nodes).enumerate() {
            let declared = Declared::of(node.get("input"));
            self.action(&format_args!("/actions/{index}/invocation"), action, &declared);
        }
        if let SmokeKind::Http { url, headers, body, .. } = &manifest.smoke.kind {
            self.smoke_template(&"/smoke/url", url, Put::Seen);
            self.headers("/smoke/headers", headers);
            for (name, value) in headers.iter() {
                self.smoke_template(&header_at("/smoke/headers", name), value, Put::Unseen);
            }
            if let Some(body) = body {
                self.smoke_template(&"/smoke/body", body, Put::Unseen);
            }
        }
        for (key, value) in manifest.smoke.success.json_pointer_equals.iter() {
            let place = Pointer::root().push("smoke").push("success").push("json_pointer_equals");
            let value = Document::parse(value.as_str().as_bytes(), self.limits).ok();
            let text = value.as_ref().and_then(|value| value.root().text());
            if let Some(text) = text.filter(|text| template::has_reference(text)) {
                self.smoke_template(&place.push(key), &text, Put::Unseen);
            }
        }
        self.plain_places();
    }

    fn action(&mut self, at: &impl Display, action: &Action<'_>, input: &Declared<'_>) {
        match &action.invocation {
            Invocation::Subcommand { argv_template } | Invocation::StdinJson { argv_template } => {
                for (index, template) in argv_template.iter().enumerate() {
                    if template.as_bytes().contains(&0) {
                        let message = "there is a NUL in the command";
                        let at = format!("{at}/argv_template/{index}");
                        self.push(&rules::CONTROL_CHARACTER, at, message);
                    }
                    self.action_template(
                        &format_args!("{at}/argv_template/{index}"),
                        template,
                        input,
                        Put::Seen,
                    );
                }
            }
            Invocation::Http { path, headers, method: _ } => {
                let at_path = format!("{at}/path");
                if !http::is_path(path) {
                    let message = format!("{} is not a path", quoted(path));
                    self.push(&rules::HTTP_PATH, &at_path, message);
                }
                self.action_template(&at_path, path, input, Put::Seen);
                let at = format!("{at}/headers");
                self.headers(&at, headers);
                for (name, value) in headers.iter() {
                    self.action_template(&header_at(&at, name), value, input, Put::Unseen);
                }
            }
            Invocation::McpTool { .. } => {}
        }
    }

    fn headers(&mut self, at: &str, headers: &Keyed<'_, Text<'_>>) {
        let mut seen = BTreeSet::new();
        for (name, value) in headers.iter() {
            let at = header_at(at, name);
            let lower = name.to_ascii_lowercase();
            let wrong = if !http::is_header_name(name) {
                Some(format!("{} is not the name of a header", quoted(name)))
            } else if value.chars().any(|c| c.is_control() && c != '\t') || value.trim() != value {
                Some(format!(
                    "the value of {} has a control character or a blank end",
                    quoted(name)
                ))
            } else if seen.contains(&lower) {
                Some(format!("{} is there in another case too", quoted(name)))
            } else {
                None
            };
            if let Some(message) = wrong {
                self.push(&rules::HEADER, at, message);
            } else if http::RESERVED.contains(&lower.as_str()) {
                let message = format!("{} is for the client to set", quoted(name));
                self.push(&rules::HEADER_RESERVED, at, message);
            }
            seen.insert(lower);
        }
    }

    fn action_template(&mut self, at: &impl Display, text: &str, input: &Declared<'_>, put: Put) {
        let parts = self.parsed(at, text, template::parse);
        for part in &parts {
            if let Part::Input(path) = part
                && !input.has(path)
            {
                let message = format!("the action has no input {}", quoted(path));
                self.push(&rules::TEMPLATE_INPUT, at, message);
            }
        }
        self.variables(at, &parts, put);
    }

    fn smoke_template(&mut self, at: &impl Display, text: &str, put: Put) {
        let parts = self.parsed(at, text, template::parse_smoke);
        self.variables(at, &parts, put);
    }

    fn parsed<'t>(
        &mut self,
        at: &impl Display,
        text: &'t str,
        parse: fn(&'t str) -> Result<Vec<Part<'t>>, TemplateError>,
    ) -> Vec<Part<'t>> {
        // Most texts are no templates.
        if !template::has_reference(text) {
            return Vec::new();
        }
        if template::looks_escaped(text) {
            let message = "this does not escape the reference";
            self.push(&rules::TEMPLATE_ESCAPE, at, message);
        }
        // There are fewer references than bytes: most texts need no counting.
        let most = self.limits.template_references;
        if text.len() > self.limits.template_bytes
            || (text.len() > most && text.matches("${").count() > most)
        {
            self.push(&rules::TEMPLATE, at, "the template is too long, or has too many references");
            return Vec::new();
        }
        parse(text).unwrap_or_else(|error| {
            self.push(&rules::TEMPLATE, at, error.to_string());
            Vec::new()
        })
    }

    fn variables(&mut self, at: &impl Display, parts: &[Part<'_>], put: Put) {
        let manifest = self.manifest;
        for part in parts {
            let Part::Env(name) = part else { continue };
            match manifest.env_var(name) {
                None => {
                    let message = format!("the manifest declares no variable {}", quoted(name));
                    self.push(&rules::TEMPLATE_ENV, at, message);
                }
                Some(variable) if variable.secret && put == Put::Seen => {
                    let message = format!("{} is secret, and would be seen here", quoted(name));
                    self.push(&rules::SECRET_PLACE, at, message);
                }
                Some(_) => {}
            }
        }
    }

    /// Places where nothing is put in, but an author may have thought so.
    fn plain_places(&mut self) {
        let manifest = self.manifest;
        let secrets: Vec<&str> =
            manifest.env.iter().filter(|v| v.secret).map(|v| v.name.as_ref()).collect();
        if secrets.is_empty() {
            return;
        }
        let runtime = &manifest.runtime;
        let entrypoint = runtime.entrypoint.iter();
        let mut places: Vec<(&str, &str)> = Vec::new();
        for entrypoint in entrypoint {
            let command = entrypoint.command.iter();
            places.extend(command.map(|part| ("/runtime/entrypoint/command", part.as_ref())));
            places
                .extend(entrypoint.cwd.iter().map(|cwd| ("/runtime/entrypoint/cwd", cwd.as_ref())));
        }
        places.extend(runtime.endpoint_url.iter().map(|u| ("/runtime/endpoint_url", u.as_ref())));
        if let SmokeKind::Shell { command } = &manifest.smoke.kind {
            places.extend(command.iter().map(|part| ("/smoke/command", part.as_ref())));
        }
        match &manifest.kill_switch {
            KillSwitch::Shell { command } => {
                places.extend(command.iter().map(|part| ("/kill_switch/command", part.as_ref())));
            }
            KillSwitch::Url { url } => places.push(("/kill_switch/url", url)),
            KillSwitch::None {} | KillSwitch::Manual { .. } => {}
        }
        for (at, text) in places.into_iter().filter(|(_, text)| template::has_reference(text)) {
            for name in &secrets {
                if text.contains(&format!("${{{name}}}"))
                    || text.contains(&format!("${{env.{name}}}"))
                {
                    let message = format!("{} is secret, and would be seen here", quoted(name));
                    self.push(&rules::SECRET_PLACE, at, message);
                }
            }
        }
    }
}

fn header_at(headers: &str, name: &str) -> Pointer {
    Pointer::parse(headers).unwrap_or_default().push(name)
}

/// What an input schema declares.
enum Declared<'n> {
    /// These properties, and no others.
    Closed(Option<Node<'n>>),
    /// These properties, and perhaps others.
    Open,
}

impl<'n> Declared<'n> {
    /// A schema that does not permit other properties in so many words is closed.
    /// One that is put together from others is not looked into.
    fn of(schema: Option<Node<'n>>) -> Self {
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

    /// Whether there can be a value at a path.
    fn has(&self, path: &str) -> bool {
        let first = path.split('.').next().unwrap_or_default();
        match self {
            Self::Open => true,
            Self::Closed(properties) => properties.is_some_and(|p| p.get(first).is_some()),
        }
    }
}

/// Whether a call can be made: its templates can be read, and refer to what is
/// declared.
pub(crate) fn is_callable(
    invocation: &Invocation<'_>,
    input: Option<&Raw<'_>>,
    env: &[EnvVar<'_>],
) -> bool {
    let input = input.map_or("{}", Raw::as_str);
    let Ok(input) = Document::parse(input.as_bytes(), &Limits::default()) else { return false };
    let declared = Declared::of(Some(input.root()));
    let fits = |text: &str, put: Put| {
        let parts = template::parse(text);
        parts.is_ok_and(|parts| {
            parts.iter().all(|part| match part {
                Part::Text(_) => true,
                Part::Input(path) => declared.has(path),
                Part::Env(name) => {
                    let found = env.iter().find(|variable| variable.name == *name);
                    found.is_some_and(|variable| !variable.secret || put == Put::Unseen)
                }
            })
        })
    };
    match invocation {
        Invocation::Subcommand { argv_template } | Invocation::StdinJson { argv_template } => {
            argv_template.iter().all(|text| fits(text, Put::Seen) && !text.contains('\0'))
        }
        Invocation::Http { path, headers, method: _ } => {
            fits(path, Put::Seen) && headers.iter().all(|(_, value)| fits(value, Put::Unseen))
        }
        Invocation::McpTool { .. } => true,
    }
}
