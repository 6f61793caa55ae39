//! Advice: warnings about valid manifests.

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{Report, quoted};

use crate::destination::{Destination, is_host};
use crate::node_map::{NodeKey, NodeMap};
use crate::{grammar, rules};

pub(crate) fn check(parts: &NodeMap<'_>, report: &mut Report) {
    let digest = parts.text(NodeKey::Digest);
    if let Some((node, _)) = digest.filter(|(_, text)| grammar::is_unpinned(text)) {
        report.add(&rules::UNPINNED, node, "the digest is all zeros");
    }
    check_hosts(parts, report);
    check_shells(parts, report);
}

fn check_hosts(parts: &NodeMap<'_>, report: &mut Report) {
    let allowlist = parts.get(NodeKey::Allowlist);
    let denied = parts.text(NodeKey::Network).filter(|(_, network)| network != "allowlist");
    if let Some((network, _)) = denied.filter(|_| string_elements(allowlist).next().is_some()) {
        let message = "the network is denied, whatever the list says";
        report.add(&rules::ALLOWLIST_UNUSED, network, message);
    }
    for node in string_elements(allowlist) {
        let text = node.text().unwrap_or_default();
        // Most entries are plain hosts, which need not be parsed.
        if !is_host(&text) && Destination::parse(&text).is_none() {
            report.add(&rules::ALLOWLIST_ENTRY, node, format!("{} matches nothing", quoted(&text)));
        }
    }
}

fn check_shells(parts: &NodeMap<'_>, report: &mut Report) {
    let argv = parts.get(NodeKey::Argv);
    let program = string_elements(argv).next().and_then(Node::text);
    if let (Some(argv), Some(program)) = (argv, program) {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        let shells = ["sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh"];
        let flags = ["-c", "/c", "/C", "-Command", "-EncodedCommand", "-lc"];
        let is_script = |argument: Node<'_>| argument.text().is_some_and(|a| flags.contains(&&*a));
        if shells.contains(&name) && argv.elements().any(is_script) {
            let message = format!("{} runs whatever the next argument says", quoted(&program));
            report.add(&rules::SHELL_COMMAND, argv, message);
        }
    }
    if let Some((node, text)) = parts.text(NodeKey::Callable) {
        let shells = ["os:system", "os:popen", "subprocess:run", "subprocess:call"];
        let more =
            ["subprocess:Popen", "subprocess:check_output", "builtins:eval", "builtins:exec"];
        if shells.contains(&text.as_ref()) || more.contains(&text.as_ref()) {
            let message = format!("{} runs whatever it is given", quoted(&text));
            report.add(&rules::SHELL_COMMAND, node, message);
        }
    }
}
