//! Advice: warnings about valid manifests.

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{Destination, Report, is_host, quoted};

use crate::table::{Key, Nodes};
use crate::{grammar, rules};

pub(crate) fn check(nodes: &Nodes<'_>, report: &mut Report) {
    if let Some((node, digest)) = nodes.text(Key::Digest)
        && grammar::is_unpinned(&digest)
    {
        report.add(&rules::UNPINNED, node, "the digest is all zeros");
    }
    check_hosts(nodes, report);
    check_command(nodes, report);
    check_callable(nodes, report);
}

fn check_hosts(nodes: &Nodes<'_>, report: &mut Report) {
    let allowlist = nodes.get(Key::Allowlist);
    if let Some((node, network)) = nodes.text(Key::Network)
        && network != "allowlist"
        && string_elements(allowlist).next().is_some()
    {
        let message = "the network is denied, whatever the list says";
        report.add(&rules::ALLOWLIST_UNUSED, node, message);
    }
    for node in string_elements(allowlist) {
        let Some(text) = node.text() else { continue };
        // Most entries are plain hosts, which need not be parsed.
        if !is_host(&text) && Destination::parse(&text).is_none() {
            report.add(&rules::ALLOWLIST_ENTRY, node, format!("{} matches nothing", quoted(&text)));
        }
    }
}

const SHELLS: [&str; 9] = ["sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh"];
const SCRIPT_FLAGS: [&str; 6] = ["-c", "/c", "/C", "-Command", "-EncodedCommand", "-lc"];
const SHELL_FUNCTIONS: [&str; 8] = [
    "os:system",
    "os:popen",
    "subprocess:run",
    "subprocess:call",
    "subprocess:Popen",
    "subprocess:check_output",
    "builtins:eval",
    "builtins:exec",
];

fn check_command(nodes: &Nodes<'_>, report: &mut Report) {
    let argv = nodes.get(Key::Argv);
    if let Some(argv) = argv
        && let Some(program) = string_elements(Some(argv)).next().and_then(Node::text)
    {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        if SHELLS.contains(&name) && argv.elements().any(is_script_flag) {
            let message = format!("{} runs whatever the next argument says", quoted(&program));
            report.add(&rules::SHELL_COMMAND, argv, message);
        }
    }
}

fn is_script_flag(argument: Node<'_>) -> bool {
    argument.text().is_some_and(|text| SCRIPT_FLAGS.contains(&text.as_ref()))
}

fn check_callable(nodes: &Nodes<'_>, report: &mut Report) {
    if let Some((node, text)) = nodes.text(Key::Callable)
        && SHELL_FUNCTIONS.contains(&text.as_ref())
    {
        let message = format!("{} runs whatever it is given", quoted(&text));
        report.add(&rules::SHELL_COMMAND, node, message);
    }
}
