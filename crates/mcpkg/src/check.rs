//! The checks of one manifest.

use std::collections::BTreeSet;
use std::fmt::Display;

use manifest_core::json::{Document, Node, Number, rules as json};
use manifest_core::path::{self, PathLimits};
use manifest_core::{
    Depth, Profile, Report, Rule, Text, Validate, has_control, names, quoted, secret, url,
};

use crate::checking::At::{Index, Name};
use crate::checking::{At, Check, METHODS, stepped};
use crate::manifest::{Endpoint, Manifest, SchemaNodes, manifest};
use crate::{chain, command_line, id, reference, rules};

/// Checks a document: one manifest.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    if options.profile == Profile::Reference {
        reference::check(root, &mut report);
    } else if root.is_array() {
        let found = json::TYPE.at(root, "expected an object, found an array");
        report
            .push(found.help("a document is one manifest; an array of them is a stream: --jsonl"));
    } else if let Some((manifest, schemas)) = manifest(root, &mut report) {
        let mut check = Check { report: &mut report, options, node: root };
        check.manifest(&manifest, schemas);
    }
    if report.wants(Depth::Advice)
        && let Some(node) = root.get("toolId")
        && let Some(id) = node.text()
    {
        names::check([(id.as_ref(), node)].into_iter(), &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

impl Check<'_> {
    /// Whether a member is there with the type that it should have. If not, that
    /// has been reported.
    fn is_text(&self, at: &[At<'_>]) -> bool {
        let node = at.iter().try_fold(self.node, |node, step| stepped(node, *step));
        node.is_some_and(|node| node.text().is_some())
    }

    fn manifest(&mut self, manifest: &Manifest<'_>, schemas: SchemaNodes<'_>) {
        let SchemaNodes { input, output } = schemas;
        for (name, node) in [("input_schema", input), ("output_schema", output)] {
            if let Some(node) = node {
                self.schema(name, node);
            }
        }
        if self.options.depth < Depth::Meaning {
            return;
        }
        self.identity(manifest);
        let ways = [
            manifest.endpoint.is_some(),
            !manifest.implementations.is_empty(),
            !manifest.chain.is_empty(),
        ];
        match ways.iter().filter(|way| **way).count() {
            0 => self.no_endpoint(),
            1 => {}
            _ => self.push(
                &rules::SEVERAL_ENDPOINTS,
                &[],
                "there is more than one way to call the tool",
            ),
        }
        if let Some(endpoint) = &manifest.endpoint {
            self.endpoint(endpoint, &[Name("endpoint")]);
        }
        self.implementations(manifest);
        chain::check(manifest, self);
        self.auth(manifest);
        self.files("tests", &manifest.tests);
        self.files("examples", &manifest.examples);
        if manifest.tests.is_empty() {
            self.push(&rules::NO_TESTS, &[Name("tests")], "there are no tests");
        }
        if manifest.examples.is_empty() {
            self.push(&rules::NO_EXAMPLES, &[Name("examples")], "there are no examples");
        }
        if manifest.meta.is_none() {
            self.push(&rules::NO_META, &[], "there is no \"meta\"");
        }
    }

    /// Something that has the wrong type has been reported.
    fn no_endpoint(&mut self) {
        let ways = ["endpoint", "implementations", "chain"].map(|name| self.node.get(name));
        let wrong = |node: &Node<'_>| !node.is_array() || node.elements().next().is_some();
        if !ways.iter().flatten().any(wrong) {
            self.push(&rules::NO_ENDPOINT, &[], "there is no endpoint, implementation or chain");
        }
    }

    fn identity(&mut self, manifest: &Manifest<'_>) {
        for (name, text) in [("name", &manifest.name), ("description", &manifest.description)] {
            if is_blank(text) && self.is_text(&[Name(name)]) {
                self.push(&rules::BLANK, &[Name(name)], format!("{} is blank", quoted(name)));
            }
        }
        if has_control(&manifest.name) {
            self.push(
                &rules::CONTROL_CHARACTER,
                &[Name("name")],
                "the name holds a control character",
            );
        }
        let id = manifest.tool_id.as_ref();
        let segments = id::segments(id);
        if !id::is_valid(id) {
            if self.is_text(&[Name("toolId")]) {
                let message = format!("{} is not a tool id", quoted(id));
                self.push(&rules::TOOL_ID, &[Name("toolId")], message);
            }
        } else if !(3..=4).contains(&segments) {
            let message = format!("the id has {segments} segments");
            self.push(&rules::TOOL_ID_SEGMENTS, &[Name("toolId")], message);
        }
        if let Err(error) = manifest_core::version::parse_exact(&manifest.version)
            && self.is_text(&[Name("version")])
        {
            let message = format!("{}: {error}", quoted(&manifest.version));
            self.push(&rules::VERSION, &[Name("version")], message);
        }
        if manifest.capabilities.is_empty() {
            let list = self.node.get("capabilities").filter(|list| list.is_array());
            if list.is_some_and(|list| list.elements().next().is_none()) {
                let message = "there are no capabilities";
                self.push(&rules::CAPABILITIES_EMPTY, &[Name("capabilities")], message);
            }
        }
        for (index, text) in manifest.capabilities.iter().enumerate() {
            if is_blank(text) {
                self.push(
                    &rules::BLANK,
                    &[Name("capabilities"), Index(index)],
                    "a capability is blank",
                );
            }
        }
    }

    fn schema(&mut self, name: &str, node: Node<'_>) {
        if !node.is_object() && node.bool().is_none() {
            let message = format!("expected an object, found {}", node.kind().described());
            self.push(&rules::SCHEMA_TYPE, &[Name(name)], message);
            return;
        }
        if self.options.depth < Depth::Meaning {
            return;
        }
        for diagnostic in manifest_core::schema::check(node, &self.options.limits) {
            self.report.push(diagnostic);
        }
        if self.report.wants(Depth::Advice) && node.get("type").is_none() {
            self.push(&rules::UNTYPED_SCHEMA, &[Name(name)], "the schema has no type");
        }
    }

    fn endpoint(&mut self, endpoint: &Endpoint<'_>, at: &[At<'_>]) {
        let below = |name: &'static str| [at, &[Name(name)]].concat();
        match endpoint.kind.as_ref() {
            "http" => {
                self.method(endpoint.method.as_deref(), at);
                self.url(endpoint.url.as_deref(), at);
            }
            "local" => self.command(endpoint.command.as_deref(), at),
            other => {
                if self.is_text(&below("type")) {
                    let message = format!("{} is neither \"http\" nor \"local\"", quoted(other));
                    self.push(&rules::ENDPOINT_TYPE, &below("type"), message);
                }
            }
        }
        let usual = |timeout: &Number<'_>| timeout.as_str().parse().is_ok_and(|ms: u32| ms > 0);
        if let Some(timeout) = endpoint.timeout_ms.as_ref().filter(|timeout| !usual(timeout)) {
            if !timeout.is_positive() || timeout.to_f64().is_none() {
                let message = "the time-out must be greater than zero and not beyond all bounds";
                self.push(&rules::TIMEOUT, &below("timeoutMs"), message);
            } else if !timeout.is_integer() {
                let message = "the time-out is not a whole number";
                self.push(&rules::FRACTIONAL_TIMEOUT, &below("timeoutMs"), message);
            }
        }
    }

    /// Reports that a member is missing, unless it is there with a wrong type,
    /// which has been reported.
    fn missing(&mut self, rule: &'static Rule, at: &[At<'_>], name: &str) {
        let object = at.iter().try_fold(self.node, |node, step| stepped(node, *step));
        if object.is_some_and(|object| object.get(name).is_none()) {
            self.push(rule, at, format!("the member {} is missing", quoted(name)));
        }
    }

    /// Reports a problem at a member of the object at a place.
    fn push_at(&mut self, rule: &'static Rule, at: &[At<'_>], name: &str, message: impl Display) {
        self.push(rule, &[at, &[Name(name)]].concat(), message);
    }

    fn method(&mut self, method: Option<&str>, at: &[At<'_>]) {
        let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        let name = "method";
        match method {
            None => self.missing(&rules::ENDPOINT_METHOD, at, name),
            Some(method) if METHODS.iter().any(|known| known.eq_ignore_ascii_case(method)) => {}
            Some(method) if method.is_empty() || !method.bytes().all(token) => {
                let message = format!("{} is not a method", quoted(method));
                self.push_at(&rules::ENDPOINT_METHOD, at, name, message);
            }
            Some(method) => {
                let message = format!("{} is an unusual method", quoted(method));
                self.push_at(&rules::UNUSUAL_METHOD, at, name, message);
            }
        }
    }

    fn url(&mut self, text: Option<&str>, at: &[At<'_>]) {
        let name = "url";
        let Some(text) = text else {
            return self.missing(&rules::ENDPOINT_URL, at, name);
        };
        match url::check_http(text) {
            Err(error) => {
                self.push_at(&rules::ENDPOINT_URL, at, name, error.about(text));
            }
            Ok(url) => {
                if !url.secure {
                    self.push_at(&rules::INSECURE_URL, at, name, "the URL is not https");
                }
                if self.report.wants(Depth::Advice) && url.is_private() {
                    let message = format!("{} is a private address", quoted(url.host));
                    self.push_at(&rules::PRIVATE_URL, at, name, message);
                }
            }
        }
    }

    fn command(&mut self, line: Option<&str>, at: &[At<'_>]) {
        let name = "command";
        let Some(line) = line else {
            return self.missing(&rules::ENDPOINT_COMMAND, at, name);
        };
        if let Err(message) = command_line::check(line) {
            let message = format!("{} {message}", quoted(line));
            self.push_at(&rules::ENDPOINT_COMMAND, at, name, message);
        }
        if command_line::is_active(line) {
            let message = format!("{} needs a shell", quoted(line));
            self.push_at(&rules::SHELL_SYNTAX, at, name, message);
        }
    }

    fn implementations(&mut self, manifest: &Manifest<'_>) {
        let mut ids = BTreeSet::new();
        for (index, implementation) in manifest.implementations.iter().enumerate() {
            let at = [Name("implementations"), Index(index)];
            let below = |name: &'static str| [&at[..], &[Name(name)]].concat();
            let id = implementation.id.as_deref();
            if let Some(id) = id.filter(|id| !ids.insert(*id)) {
                let message = format!("the id {} is taken", quoted(id));
                self.push(&rules::DUPLICATE_IMPLEMENTATION, &below("id"), message);
            }
            if let Some(endpoint) = &implementation.endpoint {
                self.endpoint(endpoint, &below("endpoint"));
            }
            for (index, platform) in implementation.platforms.iter().enumerate() {
                if !is_platform(platform) {
                    let message = format!("{} is not <os>-<architecture>", quoted(platform));
                    let at = [&below("platforms")[..], &[Index(index)]].concat();
                    self.push(&rules::UNKNOWN_PLATFORM, &at, message);
                }
            }
        }
    }

    fn auth(&mut self, manifest: &Manifest<'_>) {
        let Some(kind) = manifest.auth.as_ref().and_then(|auth| auth.kind.as_deref()) else {
            return;
        };
        let at = [Name("auth"), Name("type")];
        if rules::AUTH_TYPES.contains(&kind) || !self.is_text(&at) {
            return;
        }
        let message = format!("{} is not a scheme", quoted(kind));
        let message = match manifest_core::did_you_mean(kind, rules::AUTH_TYPES.iter().copied()) {
            Some(guess) => format!("{message}; did you mean {}?", quoted(guess)),
            None => message,
        };
        self.push(&rules::AUTH_TYPE, &at, message);
    }

    fn files(&mut self, name: &str, files: &[Text<'_>]) {
        let limits = PathLimits {
            bytes: self.options.limits.path_bytes,
            segment_bytes: self.options.limits.path_segment_bytes,
            segments: self.options.limits.path_segments,
        };
        // A few plain names are compared at sight.
        let few = files.len() <= 8 && files.iter().all(|file| file.is_ascii());
        let mut seen = BTreeSet::new();
        let mut is_listed = |index: usize, file: &str| {
            if few {
                files.iter().take(index).any(|earlier| earlier.eq_ignore_ascii_case(file))
            } else {
                !seen.insert(path::collision_key(file))
            }
        };
        for (index, file) in files.iter().enumerate() {
            let at = [Name(name), Index(index)];
            if let Err(error) = path::check_portable(file, &limits) {
                self.push(&rules::FILE_PATH, &at, format!("{}: {error}", quoted(file)));
            } else if is_listed(index, file) {
                let message = format!("{} is listed twice", quoted(file));
                self.push(&rules::DUPLICATE_FILE, &at, message);
            }
        }
    }
}

/// Whether a text is white space, if anything. Most begin with a letter.
fn is_blank(text: &str) -> bool {
    !text.bytes().next().is_some_and(|b| b.is_ascii_graphic()) && text.trim().is_empty()
}

fn is_platform(text: &str) -> bool {
    let known = |(os, architecture): (&str, &str)| {
        matches!(os, "linux" | "win" | "darwin") && !architecture.is_empty()
    };
    text == "browser" || text.split_once('-').is_some_and(known)
}
