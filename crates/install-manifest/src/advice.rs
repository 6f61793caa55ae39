//! Advice: possible improvements of a manifest, and suspicious content.

use std::collections::BTreeSet;

use manifest_core::{Severity, Text, quoted, version};
use memchr::memchr_iter;

use crate::enums::Version;
use crate::grammar;
use crate::installer::{has_digest, is_commit};
use crate::manifest::{ActionNodes, Install, KillSwitch, NodeValue, SmokeKind, nearest_node};
use crate::rules;
use crate::semantics::Check;

impl Check<'_, '_> {
    pub(crate) fn check_advice(&mut self) {
        self.check_identity();
        self.check_pins();
        self.check_unused_scopes();
        self.check_prompts();
        self.check_documentation();
        self.check_links();
        self.check_smoke_harm();
    }

    fn check_identity(&mut self) {
        let tool = self.manifest.tool;
        let [id, version] = ["id", "version"].map(|name| nearest_node(tool, &[name]));
        // Texts that do not match their pattern have been reported.
        if let Some(text) = id.text()
            && !is_plain_id(&text)
            && grammar::TOOL_ID.matches(&text)
        {
            self.report.add(&rules::PLAIN_ID, id, format!("{} is not plain", quoted(&text)));
        }
        if let Some(text) = version.text()
            && let Err(error) = version::parse_exact(&text)
            && grammar::VERSION.matches(&text)
        {
            self.report.add(&rules::SEMVER, version, format!("{}: {error}", quoted(&text)));
        }
    }

    fn check_pins(&mut self) {
        let NodeValue { value: runtime, node } = &self.manifest.runtime;
        let (name, message) = match &runtime.install {
            Install::Git { reference, .. } if !is_commit(reference) => {
                ("ref", "the reference is not a full commit, and can move")
            }
            Install::Container { image } if !has_digest(image) => {
                ("image", "the image has no digest, and can change")
            }
            Install::Pip { version_spec: None, .. } | Install::Npm { version_spec: None, .. } => {
                ("version_spec", "the package has no version, so the newest is installed")
            }
            _ => return,
        };
        self.report_at(&rules::UNPINNED, *node, &["install", name], message);
    }

    fn check_unused_scopes(&mut self) {
        let manifest = self.manifest;
        // An action without `scopes_used` may use all scopes.
        if manifest.actions.iter().any(|action| action.scopes_used().next().is_none())
            || manifest.actions.is_empty()
        {
            return;
        }
        for NodeValue { value: resource, node } in &manifest.scopes {
            let mut used = manifest.actions.iter().flat_map(ActionNodes::scopes_used);
            if !used.any(|used| used.text().as_ref() == Some(resource)) {
                let message = format!("no action uses {}", quoted(resource));
                self.report.add(&rules::SCOPE_UNUSED, *node, message);
            }
        }
    }

    fn check_prompts(&mut self) {
        for NodeValue { value: variable, node } in &self.manifest.env {
            match &variable.validation_regex {
                None if variable.secret => {
                    let message = format!("any text is taken for {}", quoted(&variable.name));
                    self.report.add(&rules::SECRET_UNCHECKED, *node, message);
                }
                Some(regex) if !(regex.starts_with('^') && regex.ends_with('$')) => {
                    let message = "the pattern can match a part of the value";
                    self.report_at(&rules::REGEX_UNANCHORED, *node, &["validation_regex"], message);
                }
                _ => {}
            }
            if is_bare(&variable.prompt, &variable.name) {
                let message = format!("the prompt says no more than {}", quoted(&variable.name));
                self.report_at(&rules::PROMPT_BARE, *node, &["prompt"], message);
            }
        }
    }

    fn check_documentation(&mut self) {
        let manifest = self.manifest;
        let version = manifest.version;
        match manifest.verify {
            None if version >= Version::V0_3 => {
                self.report.add(&rules::NO_VERIFY, manifest.node, "there is no \"verify\"");
            }
            Some(verify)
                if verify.get("sla").and_then(|sla| sla.get("p95_latency_ms")).is_none() =>
            {
                let message = "there is no \"p95_latency_ms\"";
                self.report_at(&rules::NO_LATENCY, verify, &["sla"], message);
            }
            _ => {}
        }
        for action in &manifest.actions {
            let goal = action.docs.and_then(|docs| docs.get("goal")?.text());
            if goal.is_none_or(|goal| goal.is_empty()) {
                self.report.push_with(&rules::NO_GOAL, || {
                    let message = format!("{} has no goal", quoted(&action.name.value));
                    let place = nearest_node(action.node, &["docs", "goal"]);
                    let diagnostic = rules::NO_GOAL.at(place, message);
                    if version < Version::V0_3 {
                        // There is no `docs` before 0.3.
                        diagnostic.with_severity(Severity::Info)
                    } else {
                        diagnostic
                    }
                });
            }
        }
        if let Some(boundary) = manifest.data_boundary
            && let Some(transmits) = boundary.get("transmits")
            && transmits.elements().next().is_some()
            && version < Version::V0_4
        {
            let message = "the recipients are fixed ones, as far as this version can say";
            self.report.add(&rules::RECIPIENT_KIND, transmits, message);
        }
    }

    /// Reports a smoke test that may do harm.
    fn check_smoke_harm(&mut self) {
        let (smoke, switch) = (&self.manifest.smoke, &self.manifest.kill_switch.value);
        match &smoke.value.kind {
            SmokeKind::Http { url, .. } if is_switch(switch, url) => {
                let message = "the smoke test calls the kill switch";
                self.report_at(&rules::SMOKE_SUSPICIOUS, smoke.node, &["url"], message);
            }
            SmokeKind::Shell { command } => {
                let works = match switch {
                    KillSwitch::Shell { command: switch } => switch == command,
                    _ => command.iter().any(|part| is_switch(switch, part)),
                };
                let message = match find_harmful_program(command) {
                    _ if works => "the smoke test works the kill switch".to_owned(),
                    Some(program) => format!("the smoke test runs {}", quoted(program)),
                    None => return,
                };
                self.report_at(&rules::SMOKE_SUSPICIOUS, smoke.node, &["command"], message);
            }
            _ => {}
        }
    }

    fn check_links(&mut self) {
        // Fast path: most manifests contain no http link, and a search of their raw text
        // shows it, unless a string has escapes. Only `\/` and `\u` can be escapes of a
        // character of such a link.
        let node = self.manifest.node;
        let text = node.raw().as_bytes();
        // The slash is the rarest character of such a link.
        let written = memchr_iter(b'/', text).any(|at| {
            text.get(at + 1) == Some(&b'/')
                && text.get(..at).is_some_and(|before| before.ends_with(b"http:"))
        });
        let hidden =
            memchr_iter(b'\\', text).any(|at| matches!(text.get(at + 1), Some(b'/' | b'u')));
        if !written && !hidden {
            return;
        }
        for node in node.descendants() {
            if (written || node.is_escaped())
                && let Some(text) = node.text()
                && text.contains("http://")
            {
                self.report.add(&rules::INSECURE_URL, node, "there is an http:// URL");
            }
        }
    }
}

/// Returns true if a text is the URL of the kill switch.
fn is_switch(switch: &KillSwitch<'_>, text: &str) -> bool {
    match switch {
        KillSwitch::Url { url } => {
            url.trim_end_matches('/').eq_ignore_ascii_case(text.trim_end_matches('/'))
        }
        _ => false,
    }
}

/// Returns the program of a command that no smoke test needs, if there is one: a program
/// that deletes, overwrites, stops others or raises privileges, or a shell that receives a
/// script.
fn find_harmful_program<'c>(command: &'c [Text<'_>]) -> Option<&'c str> {
    const SHELLS: &[&str] = &["bash", "cmd", "dash", "powershell", "pwsh", "sh", "zsh"];
    let (program, arguments) = command.split_first()?;
    let program = program_name(program);
    if is_harmful(program) {
        return Some(program);
    }
    if !SHELLS.contains(&program) {
        return None;
    }
    for script in arguments {
        // In a script, a program is the first word, or the first after `|`, `;` or `&`.
        for (index, part) in script.split(['|', ';', '&', '\n']).enumerate() {
            let Some(first) = part.split_whitespace().next() else { continue };
            let program = program_name(first);
            if is_harmful(program) || index > 0 && SHELLS.contains(&program) {
                return Some(program);
            }
        }
    }
    None
}

/// Returns the name of a program at a path.
fn program_name(path: &str) -> &str {
    let name = path.rsplit_once(['/', '\\']).map_or(path, |(_, name)| name);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn is_harmful(program: &str) -> bool {
    const HARMFUL: &[&str] = &[
        "dd", "del", "doas", "kill", "killall", "mkfs", "pkill", "reboot", "rm", "rmdir", "shred",
        "shutdown", "su", "sudo",
    ];
    HARMFUL.contains(&program) || program.starts_with("mkfs.")
}

/// Returns true if an id begins with a letter and consists of letters and digits with
/// single hyphens between them.
fn is_plain_id(id: &str) -> bool {
    let id = id.as_bytes();
    id.first().is_some_and(u8::is_ascii_lowercase)
        && id.last() != Some(&b'-')
        && id.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
        && !id.windows(2).any(|pair| pair == b"--")
}

/// Returns true if a prompt contains only words of the variable's name and filler words.
fn is_bare(prompt: &str, name: &str) -> bool {
    const FILLER_WORDS: [&str; 14] = [
        "a", "an", "enter", "for", "input", "my", "of", "please", "provide", "set", "the", "this",
        "value", "your",
    ];
    let mut known: BTreeSet<String> = words(name).collect();
    // For example `apikey` for `API_KEY`.
    known.insert(words(name).collect());
    words(prompt).all(|word| known.contains(&word) || FILLER_WORDS.contains(&word.as_str()))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}
