//! Lints: what makes a manifest better, and what smells.

use manifest_core::json::{Kind, Node};
use manifest_core::{Severity, Text, quoted, version};
use memchr::{memchr_iter, memmem};

use crate::manifest::{Install, KillSwitch, SmokeKind};
use crate::meaning::{Check, nearest};
use crate::rules;
use crate::shape::Grammar;
use crate::words::Version;

impl Check<'_, '_> {
    pub(crate) fn advice(&mut self) {
        self.identity();
        self.pins();
        self.scopes();
        self.prompts();
        self.documentation();
        self.links();
        self.smoke_harm();
    }

    fn identity(&mut self) {
        let tool = &self.manifest.tool;
        // What does not match its pattern has been reported.
        if Grammar::ToolId.matches(&tool.id) && !is_plain_id(&tool.id) {
            self.push(&rules::PLAIN_ID, "/tool/id", format!("{} is not plain", quoted(&tool.id)));
        }
        if let Err(error) = version::parse_exact(&tool.version)
            && Grammar::Version.matches(&tool.version)
        {
            let message = format!("{}: {error}", quoted(&tool.version));
            self.push(&rules::SEMVER, "/tool/version", message);
        }
    }

    fn pins(&mut self) {
        let (name, message) = match &self.manifest.runtime.install {
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
        self.push(&rules::UNPINNED, format!("/runtime/install/{name}"), message);
    }

    fn scopes(&mut self) {
        let manifest = self.manifest;
        let used = || manifest.actions.iter().flat_map(|action| &action.scopes_used);
        // An action that does not say may use all of them.
        if manifest.actions.iter().any(|action| action.scopes_used.is_empty())
            || manifest.actions.is_empty()
        {
            return;
        }
        for (index, scope) in manifest.scopes.iter().enumerate() {
            if !used().any(|used| *used == scope.resource) {
                let message = format!("no action uses {}", quoted(&scope.resource));
                self.push(&rules::SCOPE_UNUSED, format!("/scopes/{index}/resource"), message);
            }
        }
    }

    fn prompts(&mut self) {
        for (index, variable) in self.manifest.env.iter().enumerate() {
            match &variable.validation_regex {
                None if variable.secret => {
                    let message = format!("any text is taken for {}", quoted(&variable.name));
                    self.push(&rules::SECRET_UNCHECKED, format!("/env/{index}"), message);
                }
                Some(regex) if !(regex.starts_with('^') && regex.ends_with('$')) => {
                    let place = format!("/env/{index}/validation_regex");
                    let message = "the pattern can match a part of the value";
                    self.push(&rules::REGEX_UNANCHORED, place, message);
                }
                _ => {}
            }
        }
    }

    fn documentation(&mut self) {
        let manifest = self.manifest;
        let version = manifest.manifest_version;
        match &manifest.verify {
            None if version >= Version::V0_3 => {
                self.push(&rules::NO_VERIFY, "/verify", "there is no \"verify\"");
            }
            Some(verify) if verify.sla.as_ref().is_none_or(|sla| sla.p95_latency_ms.is_none()) => {
                let message = "there is no \"p95_latency_ms\"";
                self.push(&rules::NO_LATENCY, "/verify/sla", message);
            }
            _ => {}
        }
        for (index, action) in manifest.actions.iter().enumerate() {
            let goal = action.docs.as_ref().and_then(|docs| docs.goal.as_deref());
            if goal.is_none_or(str::is_empty) {
                let message = format!("{} has no goal", quoted(&action.name));
                let place = format!("/actions/{index}/docs/goal");
                let mut diagnostic = rules::NO_GOAL.at(nearest(self.node, &place), message);
                if version < Version::V0_3 {
                    // There is no member for it yet.
                    diagnostic.severity = Severity::Info;
                }
                self.report.push_with(&rules::NO_GOAL, || diagnostic);
            }
        }
        let transmits = manifest.data_boundary.as_ref().map(|boundary| &boundary.transmits);
        if version < Version::V0_4 && transmits.is_some_and(|transmits| !transmits.is_empty()) {
            let message = "the recipients are fixed ones, as far as this version can say";
            self.push(&rules::RECIPIENT_KIND, "/data_boundary/transmits", message);
        }
    }

    /// A smoke test that does more than look.
    fn smoke_harm(&mut self) {
        let manifest = self.manifest;
        let is_switch = |text: &str| match &manifest.kill_switch {
            KillSwitch::Url { url } => same_url(url, text),
            _ => false,
        };
        match &manifest.smoke.kind {
            SmokeKind::Http { url, .. } if is_switch(url) => {
                let message = "the smoke test calls the kill switch";
                self.push(&rules::SMOKE_SUSPICIOUS, "/smoke/url", message);
            }
            SmokeKind::Shell { command } => {
                let switch = match &manifest.kill_switch {
                    KillSwitch::Shell { command: switch } => switch == command,
                    _ => command.iter().any(|part| is_switch(part)),
                };
                let message = match harm(command) {
                    _ if switch => "the smoke test works the kill switch".to_owned(),
                    Some(program) => format!("the smoke test runs {}", quoted(program)),
                    None => return,
                };
                self.push(&rules::SMOKE_SUSPICIOUS, "/smoke/command", message);
            }
            _ => {}
        }
    }

    fn links(&mut self) {
        // Most manifests have no such link, and one look at their text shows it, but for
        // strings that are not written as they read. No other escape stands for a
        // character of such a link.
        let text = self.node.raw().as_bytes();
        let written = memmem::find(text, b"http://").is_some();
        let hides = |at: usize| matches!(text.get(at + 1), Some(b'/' | b'u'));
        if !written && !memchr_iter(b'\\', text).any(hides) {
            return;
        }
        let insecure = |node: &Node<'_>| {
            (written || node.is_escaped())
                && node.kind() == Kind::String
                && node.text().is_some_and(|text| text.contains("http://"))
        };
        for node in self.node.descendants().filter(insecure) {
            self.report.add(&rules::INSECURE_URL, node, "there is an http:// URL");
        }
    }
}

fn same_url(a: &str, b: &str) -> bool {
    a.trim_end_matches('/').eq_ignore_ascii_case(b.trim_end_matches('/'))
}

/// The program in a command that no test needs: one that deletes, overwrites, stops
/// things or asks for more rights, or a shell that is fed a script.
fn harm<'c>(command: &'c [Text<'_>]) -> Option<&'c str> {
    const HARMFUL: &[&str] = &[
        "dd", "del", "doas", "kill", "killall", "mkfs", "pkill", "reboot", "rm", "rmdir", "shred",
        "shutdown", "su", "sudo",
    ];
    const SHELLS: &[&str] = &["bash", "cmd", "dash", "powershell", "pwsh", "sh", "zsh"];
    fn name(path: &str) -> &str {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        name.strip_suffix(".exe").unwrap_or(name)
    }
    let harmful = |path: &str| HARMFUL.contains(&name(path)) || name(path).starts_with("mkfs.");
    let (program, arguments) = command.split_first()?;
    if harmful(program) {
        return Some(name(program));
    }
    if !SHELLS.contains(&name(program)) {
        return None;
    }
    // In a script, programs come first, and after `|`, `;` and `&`.
    arguments.iter().find_map(|script| {
        script.split(['|', ';', '&', '\n']).enumerate().find_map(|(index, part)| {
            let first = part.split_whitespace().next()?;
            let fed = index > 0 && SHELLS.contains(&name(first));
            (harmful(first) || fed).then(|| name(first))
        })
    })
}

/// Words of letters and digits with single hyphens between them, a letter first.
fn is_plain_id(id: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    id.split('-').all(word) && id.bytes().next().is_some_and(|b| b.is_ascii_lowercase())
}

/// A full SHA-1 or SHA-256, as git names commits.
pub(crate) fn is_commit(reference: &str) -> bool {
    matches!(reference.len(), 40 | 64) && reference.bytes().all(|b| b.is_ascii_hexdigit())
}

pub(crate) fn has_digest(image: &str) -> bool {
    image.rsplit_once("@sha256:").is_some_and(|(_, digest)| {
        digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit())
    })
}
