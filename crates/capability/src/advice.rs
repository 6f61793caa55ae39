//! What is valid, and worth a second thought.

use manifest_core::descriptor::Network;
use manifest_core::{Depth, quoted};

use crate::check::Check;
use crate::destination::{Entry, is_host};
use crate::manifest::{Implementation, Manifest};
use crate::{grammar, rules};

impl Check<'_> {
    pub(crate) fn advice(&mut self, manifest: &Manifest<'_>) {
        if !self.report.wants(Depth::Advice) {
            return;
        }
        if grammar::is_unpinned(&manifest.origin.digest) {
            self.push(&rules::UNPINNED, "/origin/digest", "the digest is all zeros");
        }
        let permissions = &manifest.permissions;
        if permissions.network == Network::Deny && !permissions.network_allowlist.is_empty() {
            let message = "the network is denied, whatever the list says";
            self.refuse(&rules::ALLOWLIST_UNUSED, "/permissions/network", message);
        }
        for (index, text) in permissions.network_allowlist.iter().enumerate() {
            // Most are hosts, and need not be read.
            if !is_host(text) && Entry::parse(text).is_none() {
                let place = format!("/permissions/network_allowlist/{index}");
                let message = format!("{} matches nothing", quoted(text));
                self.push(&rules::ALLOWLIST_ENTRY, &place, message);
            }
        }
        if let Some(implementation) = &manifest.implementation {
            self.shells(implementation);
        }
    }

    fn shells(&mut self, implementation: &Implementation<'_>) {
        if let Some(command) = &implementation.command {
            let program = command.argv.first().map_or("", |program| program.as_ref());
            let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
            let name = name.strip_suffix(".exe").unwrap_or(name);
            let shells = ["sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh"];
            let script = |argument: &str| {
                let flags = ["-c", "/c", "/C", "-Command", "-EncodedCommand", "-lc"];
                flags.contains(&argument)
            };
            if shells.contains(&name) && command.argv.iter().any(|argument| script(argument)) {
                let message = format!("{} runs whatever the next argument says", quoted(program));
                self.push(&rules::SHELL_COMMAND, "/implementation/command/argv", message);
            }
        }
        if let Some(python) = &implementation.python {
            let shells = ["os:system", "os:popen", "subprocess:run", "subprocess:call"];
            let more =
                ["subprocess:Popen", "subprocess:check_output", "builtins:eval", "builtins:exec"];
            let callable = python.callable.as_ref();
            if shells.contains(&callable) || more.contains(&callable) {
                let message = format!("{} runs whatever it is given", quoted(callable));
                self.push(&rules::SHELL_COMMAND, "/implementation/python/callable", message);
            }
        }
    }
}
