//! Renders a summary as text and as Markdown, with the same lines.

use install_manifest::{Cost, DataBoundary, Install, KillSwitch, Locator, SmokeKind, UsageModel};
use manifest_core::descriptor::SideEffects;
use manifest_core::json::Number;
use manifest_core::{Text, printable};

use super::Summary;

/// The maximum length of one text, in bytes. Longer texts are cut. The highest limit of the
/// specification on a text is 4000 characters.
const LONGEST: usize = 16 << 10;

/// A rendering in progress.
struct Page {
    out: String,
    markdown: bool,
}

impl Summary<'_> {
    /// Renders the summary for a terminal.
    pub fn text(&self) -> String {
        page(self, false)
    }

    /// Renders the summary as Markdown.
    pub fn markdown(&self) -> String {
        page(self, true)
    }
}

fn page(summary: &Summary<'_>, markdown: bool) -> String {
    let mut page = Page { out: String::new(), markdown };
    identity(summary, &mut page);
    scopes(summary, &mut page);
    env(summary, &mut page);
    page.section(&format!("Cost: {}", cost(summary.cost)));
    match (&summary.estimate, summary.cost.and_then(|cost| cost.estimate_url.as_ref())) {
        (Some(estimate), _) => page.labelled("estimate: ", &estimate.to_string()),
        (None, Some(url)) => page.labelled("estimate at ", url),
        (None, None) => {}
    }
    smoke(summary, &mut page);
    kill_switch(summary, &mut page);
    if let Some(boundary) = summary.data_boundary {
        data(boundary, &mut page);
    } else {
        page.section("Data: not declared.");
    }
    risk(summary, &mut page);
    support(summary, &mut page);
    page.out
}

impl Page {
    /// Adds a heading. The caller must escape texts of the manifest in it.
    fn section(&mut self, words: &str) {
        self.out.push_str(match (self.out.is_empty(), self.markdown) {
            (true, true) => "## ",
            (false, true) => "\n### ",
            (true, false) => "",
            (false, false) => "\n",
        });
        self.out.push_str(words);
        self.out.push('\n');
        if self.markdown {
            self.out.push('\n');
        }
    }

    /// Adds an entry below the heading. The caller must escape texts of the manifest in it.
    fn item(&mut self, words: &str) {
        self.out.push_str(if self.markdown { "- " } else { "  " });
        self.out.push_str(words);
        self.out.push('\n');
    }

    /// Escapes a text of the manifest. In Markdown all ASCII punctuation is escaped, so
    /// that the text cannot contain markup, links or addresses.
    fn theirs(&self, words: &str) -> String {
        let printable = printable(words, LONGEST);
        if !self.markdown {
            return printable;
        }
        let mut out = String::with_capacity(printable.len());
        for c in printable.chars() {
            if c.is_ascii_punctuation() {
                out.push('\\');
            }
            out.push(c);
        }
        out
    }

    fn labelled(&mut self, label: &str, words: &str) {
        let line = format!("{label}{}", self.theirs(words));
        self.item(&line);
    }
}

fn identity(summary: &Summary<'_>, page: &mut Page) {
    let tool = summary.tool;
    let (name, version) = (page.theirs(&tool.name), page.theirs(&tool.version));
    page.section(&format!("Install: {name} v{version}"));
    page.labelled("", &tool.summary);
    page.labelled("", &tool.homepage);
    page.labelled("Id: ", &summary.canonical_id);
    if let Some(author) = &tool.author {
        for part in [&author.name, &author.email, &author.url].into_iter().flatten() {
            page.labelled("Author: ", part);
        }
    }
    if let Some(licence) = &tool.license {
        page.labelled("Licence: ", licence);
    }
    page.labelled("From: ", &source(summary.install));
}

fn scopes(summary: &Summary<'_>, page: &mut Page) {
    if summary.scopes.is_empty() {
        return page.section("Permissions: none declared.");
    }
    page.section("Permissions:");
    for scope in summary.scopes {
        let verbs: Vec<_> = scope.actions.iter().map(|verb| verb.word()).collect();
        let (resource, why) = (page.theirs(&scope.resource), page.theirs(&scope.rationale));
        page.item(&format!("{resource} ({}): {why}", verbs.join(", ")));
        if let Some(provider) = &scope.provider_scope {
            page.labelled("  known there as ", provider);
        }
    }
}

fn env(summary: &Summary<'_>, page: &mut Page) {
    if summary.env.is_empty() {
        return page.section("Values to give: none.");
    }
    let secrets = summary.env.iter().filter(|variable| variable.secret).count();
    let others = summary.env.len() - secrets;
    page.section(&format!("Values to give: {secrets} secret, {others} not secret"));
    for variable in summary.env {
        let secret = if variable.secret { "secret" } else { "not secret" };
        let needed = if variable.is_required() { "" } else { ", optional" };
        let (name, prompt) = (page.theirs(&variable.name), page.theirs(&variable.prompt));
        page.item(&format!("{name} ({secret}{needed}): {prompt}"));
        if let Some(url) = &variable.obtain_url {
            page.labelled("  from ", url);
        }
    }
}

fn cost(cost: Option<&Cost<'_>>) -> String {
    let Some(cost) = cost else { return "not declared.".to_owned() };
    let mut parts = Vec::new();
    let mut fee = |amount: &Option<Number<'_>>, when: &str| {
        if let Some(amount) = amount {
            parts.push(format!("{} {when}", dollars(amount)));
        }
    };
    fee(&cost.install_fee_cents, "once");
    fee(&cost.monthly_fee_cents, "a month");
    parts.extend(match cost.usage_model {
        Some(UsageModel::None) => Some("use is free".to_owned()),
        Some(UsageModel::PerCall) => Some("billed by the call".to_owned()),
        Some(UsageModel::PerToken) => Some("billed by the token".to_owned()),
        Some(UsageModel::External) => {
            Some("external billing, with your own account at its provider".to_owned())
        }
        None => None,
    });
    if parts.is_empty() { "not declared.".to_owned() } else { parts.join(", ") + "." }
}

fn dollars(cents: &Number<'_>) -> String {
    match cents.to_i64().filter(|cents| *cents >= 0) {
        Some(cents) => format!("${}.{:02}", cents / 100, cents % 100),
        None => format!("{} cents", printable(cents.as_str(), 32)),
    }
}

fn smoke(summary: &Summary<'_>, page: &mut Page) {
    let kind = summary.smoke.word();
    page.section(&format!("Verification: {kind} smoke test will run after install."));
    match summary.smoke {
        SmokeKind::Shell { command } => page.labelled("runs ", &joined(command)),
        SmokeKind::Http { url, .. } => page.labelled("calls ", url),
        SmokeKind::McpToolCall { tool_name, .. } => page.labelled("calls tool ", tool_name),
        SmokeKind::ActionCall { action, .. } => page.labelled("calls action ", action),
    }
}

/// Joins a command for display. Arguments with special characters are quoted, which shows
/// where each begins.
fn joined(command: &[manifest_core::Text<'_>]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    let parts = command.iter().map(|part| {
        let word = !part.is_empty() && part.chars().all(plain);
        if word { part.clone().into_owned() } else { manifest_core::json::quote(part) }
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn kill_switch(summary: &Summary<'_>, page: &mut Page) {
    page.section("Revocation:");
    match summary.kill_switch {
        KillSwitch::None {} => page.item("nothing to revoke, it says"),
        KillSwitch::Url { url } => page.labelled("DELETE ", url),
        KillSwitch::Shell { command } => page.labelled("shell — ", &joined(command)),
        KillSwitch::Manual { instructions_url, instructions } => {
            if let Some(url) = instructions_url {
                page.labelled("MANUAL — see ", url);
            }
            if let Some(instructions) = instructions {
                page.item("MANUAL — as follows:");
                for line in instructions.lines() {
                    page.labelled("  ", line);
                }
            }
        }
    }
}

fn data(boundary: &DataBoundary<'_>, page: &mut Page) {
    page.section("Data:");
    for read in &boundary.reads {
        let resource = page.theirs(&read.resource);
        page.item(&format!("reads {resource} (sensitivity {})", read.sensitivity.word()));
    }
    for sent in &boundary.transmits {
        let to = match &sent.to {
            Some(to) => page.theirs(to),
            None => "ANY RECIPIENT that the agent chooses".to_owned(),
        };
        let fields = page.theirs(&sent.fields.join(", "));
        let purpose = page.theirs(&sent.purpose);
        let kept = sent.third_party_retention.word();
        page.item(&format!("sends {fields} to {to} for {purpose} (kept: {kept})"));
        if let Some(constraint) = &sent.to_constraint {
            page.labelled("  which it limits to: ", constraint);
        }
    }
    for kept in &boundary.persists {
        let fields = page.theirs(&kept.fields.join(", "));
        page.item(&format!("keeps {fields} ({})", kept.place.word()));
    }
    if let Some(retention) = &boundary.retention {
        for (days, place) in [
            (&retention.tool_local_days, "on this machine"),
            (&retention.tool_cloud_days, "with its author"),
            (&retention.transmit_log_days, "as records of what was sent"),
        ] {
            if let Some(days) = days {
                page.item(&format!("for {} days {place}", printable(days.as_str(), 32)));
            }
        }
    }
}

fn risk(summary: &Summary<'_>, page: &mut Page) {
    let worst = match summary.side_effects {
        SideEffects::None => "computes only",
        SideEffects::Read => "reads your data",
        SideEffects::Write => "changes things",
        SideEffects::Destructive => "does things that cannot be undone",
    };
    page.section(&format!("Risk: {worst}"));
    for concern in &summary.concerns {
        page.labelled("", &concern.text);
    }
}

fn support(summary: &Summary<'_>, page: &mut Page) {
    let Some(support) = summary.support else { return };
    page.section("Support:");
    for (label, place) in [
        ("issues: ", &support.issues_url),
        ("security: ", &support.security_email),
        ("docs: ", &support.docs_url),
    ] {
        if let Some(place) = place {
            page.labelled(label, place);
        }
    }
}

/// Describes the source of the installation.
fn source(install: &Install<'_>) -> String {
    let version = |spec: &Option<Text<'_>>| match spec {
        Some(spec) => format!(" {spec}"),
        None => ", newest version".to_owned(),
    };
    match install {
        Install::Pip { package, version_spec } => {
            format!("pip package {package}{}", version(version_spec))
        }
        Install::Npm { package, version_spec } => {
            format!("npm package {package}{}", version(version_spec))
        }
        Install::Git { url, reference, .. } => format!("git repository {url} at {reference}"),
        Install::Container { image } => format!("container image {image}"),
        Install::Url { url, sha256 } => format!("{url} with SHA-256 {sha256}"),
        Install::Preinstalled { locator } => match locator {
            Locator::PythonModule { module } => format!("already here, Python module {module}"),
            Locator::BinaryOnPath { binary } => format!("already here, program {binary}"),
            Locator::McpServerId { server_id } => format!("already here, MCP server {server_id}"),
        },
    }
}
