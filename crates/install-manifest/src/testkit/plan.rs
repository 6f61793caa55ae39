//! What the parts of a manifest must agree on.

use testkit::Rng;

use crate::words::Version;

/// What the parts of a manifest must agree on.
pub(super) struct Plan {
    pub(super) version: Version,
    pub(super) runtime: &'static str,
    /// The kinds of invocation that the runtime can serve.
    pub(super) ways: &'static [&'static str],
    /// Names of actions.
    pub(super) actions: Vec<String>,
    /// Names of variables, and whether each is secret.
    pub(super) env: Vec<(&'static str, bool)>,
    pub(super) scopes: Vec<&'static str>,
    /// Whether there is nothing to revoke.
    pub(super) stateless: bool,
    /// Whether the smoke test calls the first action, which then only reads.
    pub(super) smoked: bool,
}

pub(super) const COMMANDS: &[&str] = &["subcommand", "stdin-json"];

pub(super) fn plan(rng: &mut Rng, size: usize) -> Plan {
    use Version::{V0_1, V0_2, V0_3, V0_3_1, V0_4};
    let versions = [V0_1, V0_2, V0_2, V0_3, V0_3_1, V0_4, V0_4];
    let version = versions.get(rng.below(versions.len())).copied().unwrap_or(V0_4);
    let (runtime, ways): (_, &[&str]) = match rng.below(8) {
        0 => ("mcp-stdio", &["mcp-tool", "stdin-json"]),
        1 => ("mcp-http", &["mcp-tool", "http"]),
        2 => ("python-module", COMMANDS),
        3 => ("node-module", COMMANDS),
        4 | 5 => ("container", &["http"]),
        _ => ("shell-binary", COMMANDS),
    };
    let least = usize::from(runtime != "mcp-stdio");
    let count = if version == V0_1 { 0 } else { least + rng.below(size.min(3)) };
    let names = ["send", "list_mail", "x", "get_1"];
    let actions = (0..count).map(|index| format!("{}{index}", rng.word(&names)));
    let actions = actions.collect();
    let stateless = version >= V0_3_1 && rng.once_in(4);
    let mut env =
        vec![("API_KEY", true), ("REGION", false), ("USER_EMAIL", false), ("SMTP_2_PASS", true)];
    rng.shuffle(&mut env);
    env.truncate(if stateless { 0 } else { rng.below(5) });
    let mut scopes = SCOPES.to_vec();
    rng.shuffle(&mut scopes);
    scopes.truncate(rng.below(5));
    let smoked = count > 0 && rng.once_in(4);
    Plan { version, runtime, ways, actions, env, scopes, stateless, smoked }
}

/// What scopes are about: those that other formats have words for, those that hold
/// private data, and names that mean nothing.
const SCOPES: &[&str] = &[
    "net.outbound",
    "net.api.example.com",
    "net",
    "fs.local",
    "fs.home.documents",
    "device.camera",
    "device./dev/ttyUSB0",
    "gmail.messages",
    "stripe.charges",
    "github.repo",
    "",
    "a/b ~ é",
];
