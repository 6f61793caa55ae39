//! Renders a summary as text and as Markdown, with the same lines.

use crate::{Cost, DataBoundary, Install, KillSwitch, Locator, SmokeKind, UsageModel};
use manifest_core::descriptor::SideEffects;
use manifest_core::json::Number;
use manifest_core::printable;

use super::Summary;

/// The maximum length of one text, in bytes. Longer texts are cut. The highest limit of the
/// specification on a text is 4000 characters.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// A rendering in progress.
struct SummaryWriter {
    out: String,
    markdown: bool,
}

impl Summary<'_> {
    /// Renders the summary for a terminal.
    pub fn text(&self) -> String {
        render(self, false)
    }

    /// Renders the summary as Markdown.
    pub fn markdown(&self) -> String {
        render(self, true)
    }
}

fn render(summary: &Summary<'_>, markdown: bool) -> String {
    let mut page = SummaryWriter { out: String::new(), markdown };
    identity(summary, &mut page);
    scopes(summary, &mut page);
    env(summary, &mut page);
    page.add_section(&format!("Cost: {}", cost(summary.cost)));
    match (&summary.estimate, summary.cost.and_then(|cost| cost.estimate_url.as_ref())) {
        (Some(estimate), _) => page.add_labelled_item("estimate: ", &estimate.to_string()),
        (None, Some(url)) => page.add_labelled_item("estimate at ", url),
        (None, None) => {}
    }
    smoke(summary, &mut page);
    kill_switch(summary, &mut page);
    if let Some(boundary) = summary.data_boundary {
        data(boundary, &mut page);
    } else {
        page.add_section("Data: not declared.");
    }
    risk(summary, &mut page);
    support(summary, &mut page);
    page.out
}

impl SummaryWriter {
    /// Adds a heading. The caller must escape texts of the manifest in it.
    fn add_section(&mut self, words: &str) {
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
    fn add_item(&mut self, words: &str) {
        self.out.push_str(if self.markdown { "- " } else { "  " });
        self.out.push_str(words);
        self.out.push('\n');
    }

    /// Escapes a text of the manifest. In Markdown all ASCII punctuation is escaped, so
    /// that the text cannot contain markup, links or addresses.
    fn escape(&self, words: &str) -> String {
        let printable = printable(words, MAX_TEXT_BYTES);
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

    fn add_labelled_item(&mut self, label: &str, words: &str) {
        let line = format!("{label}{}", self.escape(words));
        self.add_item(&line);
    }
}

fn identity(summary: &Summary<'_>, page: &mut SummaryWriter) {
    let tool = summary.tool;
    let (name, version) = (page.escape(&tool.name), page.escape(&tool.version));
    page.add_section(&format!("Install: {name} v{version}"));
    page.add_labelled_item("", &tool.summary);
    page.add_labelled_item("", &tool.homepage);
    page.add_labelled_item("Id: ", &summary.canonical_id);
    if let Some(author) = &tool.author {
        for part in [&author.name, &author.email, &author.url].into_iter().flatten() {
            page.add_labelled_item("Author: ", part);
        }
    }
    if let Some(licence) = &tool.license {
        page.add_labelled_item("Licence: ", licence);
    }
    page.add_labelled_item("From: ", &describe_source(summary.install));
}

fn scopes(summary: &Summary<'_>, page: &mut SummaryWriter) {
    if summary.scopes.is_empty() {
        return page.add_section("Permissions: none declared.");
    }
    page.add_section("Permissions:");
    for scope in summary.scopes {
        let verbs: Vec<_> = scope.actions.iter().map(|verb| verb.word()).collect();
        let (resource, why) = (page.escape(&scope.resource), page.escape(&scope.rationale));
        page.add_item(&format!("{resource} ({}): {why}", verbs.join(", ")));
        if let Some(provider) = &scope.provider_scope {
            page.add_labelled_item("  known there as ", provider);
        }
    }
}

fn env(summary: &Summary<'_>, page: &mut SummaryWriter) {
    if summary.env.is_empty() {
        return page.add_section("Values to give: none.");
    }
    let secrets = summary.env.iter().filter(|variable| variable.secret).count();
    let others = summary.env.len() - secrets;
    page.add_section(&format!("Values to give: {secrets} secret, {others} not secret"));
    for variable in summary.env {
        let secret = if variable.secret { "secret" } else { "not secret" };
        let needed = if variable.is_required() { "" } else { ", optional" };
        let (name, prompt) = (page.escape(&variable.name), page.escape(&variable.prompt));
        page.add_item(&format!("{name} ({secret}{needed}): {prompt}"));
        if let Some(url) = &variable.obtain_url {
            page.add_labelled_item("  from ", url);
        }
    }
}

fn cost(cost: Option<&Cost<'_>>) -> String {
    let Some(cost) = cost else { return "not declared.".to_owned() };
    let mut parts = Vec::new();
    for (fee, when) in [(&cost.install_fee_cents, "once"), (&cost.monthly_fee_cents, "a month")] {
        if let Some(fee) = fee {
            parts.push(format!("{} {when}", dollars(fee)));
        }
    }
    if let Some(model) = cost.usage_model {
        parts.push(match model {
            UsageModel::None => "use is free".to_owned(),
            UsageModel::PerCall => "billed by the call".to_owned(),
            UsageModel::PerToken => "billed by the token".to_owned(),
            UsageModel::External => {
                "external billing, with your own account at its provider".to_owned()
            }
        });
    }
    if parts.is_empty() { "not declared.".to_owned() } else { parts.join(", ") + "." }
}

fn dollars(cents: &Number<'_>) -> String {
    match cents.to_i64() {
        Some(cents @ 0..) => format!("${}.{:02}", cents / 100, cents % 100),
        _ => format!("{} cents", printable(cents.as_str(), 32)),
    }
}

fn smoke(summary: &Summary<'_>, page: &mut SummaryWriter) {
    let kind = summary.smoke.as_str();
    page.add_section(&format!("Verification: {kind} smoke test will run after install."));
    match summary.smoke {
        SmokeKind::Shell { command } => page.add_labelled_item("runs ", &join_command(command)),
        SmokeKind::Http { url, .. } => page.add_labelled_item("calls ", url),
        SmokeKind::McpToolCall { tool_name, .. } => {
            page.add_labelled_item("calls tool ", tool_name);
        }
        SmokeKind::ActionCall { action, .. } => page.add_labelled_item("calls action ", action),
    }
}

/// Joins a command for display. Arguments with special characters are quoted, which shows
/// where each begins.
fn join_command(command: &[manifest_core::Text<'_>]) -> String {
    let mut parts = Vec::new();
    for part in command {
        if !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c))
        {
            parts.push(part.to_string());
        } else {
            parts.push(manifest_core::json::quote(part));
        }
    }
    parts.join(" ")
}

fn kill_switch(summary: &Summary<'_>, page: &mut SummaryWriter) {
    page.add_section("Revocation:");
    match summary.kill_switch {
        KillSwitch::None {} => page.add_item("nothing to revoke, it says"),
        KillSwitch::Url { url } => page.add_labelled_item("DELETE ", url),
        KillSwitch::Shell { command } => page.add_labelled_item("shell — ", &join_command(command)),
        KillSwitch::Manual { instructions_url, instructions } => {
            if let Some(url) = instructions_url {
                page.add_labelled_item("MANUAL — see ", url);
            }
            if let Some(instructions) = instructions {
                page.add_item("MANUAL — as follows:");
                for line in instructions.lines() {
                    page.add_labelled_item("  ", line);
                }
            }
        }
    }
}

fn data(boundary: &DataBoundary<'_>, page: &mut SummaryWriter) {
    page.add_section("Data:");
    for read in &boundary.reads {
        let resource = page.escape(&read.resource);
        page.add_item(&format!("reads {resource} (sensitivity {})", read.sensitivity.word()));
    }
    for sent in &boundary.transmits {
        let to = match &sent.to {
            Some(to) => page.escape(to),
            None => "ANY RECIPIENT that the agent chooses".to_owned(),
        };
        let fields = page.escape(&sent.fields.join(", "));
        let purpose = page.escape(&sent.purpose);
        let kept = sent.third_party_retention.word();
        page.add_item(&format!("sends {fields} to {to} for {purpose} (kept: {kept})"));
        if let Some(constraint) = &sent.to_constraint {
            page.add_labelled_item("  which it limits to: ", constraint);
        }
    }
    for kept in &boundary.persists {
        let fields = page.escape(&kept.fields.join(", "));
        page.add_item(&format!("keeps {fields} ({})", kept.location.word()));
    }
    if let Some(retention) = &boundary.retention {
        for (days, place) in [
            (&retention.tool_local_days, "on this machine"),
            (&retention.tool_cloud_days, "with its author"),
            (&retention.transmit_log_days, "as records of what was sent"),
        ] {
            if let Some(days) = days {
                page.add_item(&format!("for {} days {place}", printable(days.as_str(), 32)));
            }
        }
    }
}

fn risk(summary: &Summary<'_>, page: &mut SummaryWriter) {
    let worst = match summary.side_effects {
        SideEffects::None => "computes only",
        SideEffects::Read => "reads your data",
        SideEffects::Write => "changes things",
        SideEffects::Destructive => "does things that cannot be undone",
    };
    page.add_section(&format!("Risk: {worst}"));
    for concern in &summary.concerns {
        page.add_labelled_item("", &concern.text);
    }
}

fn support(summary: &Summary<'_>, page: &mut SummaryWriter) {
    let Some(support) = summary.support else { return };
    page.add_section("Support:");
    for (label, place) in [
        ("issues: ", &support.issues_url),
        ("security: ", &support.security_email),
        ("docs: ", &support.docs_url),
    ] {
        if let Some(place) = place {
            page.add_labelled_item(label, place);
        }
    }
}

/// Describes the source of the installation.
fn describe_source(install: &Install<'_>) -> String {
    match install {
        Install::Pip { package, version_spec: Some(spec) } => {
            format!("pip package {package} {spec}")
        }
        Install::Npm { package, version_spec: Some(spec) } => {
            format!("npm package {package} {spec}")
        }
        Install::Pip { package, version_spec: None } => {
            format!("pip package {package}, newest version")
        }
        Install::Npm { package, version_spec: None } => {
            format!("npm package {package}, newest version")
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
