//! What runs a tool, and how it gets there.

use testkit::{Rng, Tree, member};

use super::draw::{Members, maybe, split};
use super::plan::{COMMANDS, Plan};
use crate::words::{Layout, Version};

pub(super) fn runtime(rng: &mut Rng, plan: &Plan) -> Tree {
    let mut members =
        vec![member("kind", plan.runtime), member("install", install(rng, plan.version))];
    // One of both, where an action needs it, and at times where none does.
    let command = plan.ways.iter().any(|way| COMMANDS.contains(way));
    let server = plan.ways.contains(&"http");
    let entrypoint = command || (rng.once_in(6) && !server);
    if entrypoint {
        // What has no folder is looked for on the search path, or in the folder of the tool.
        let commands = [
            "tool",
            "python -m tool",
            "/usr/bin/x y",
            "/opt/acme/bin/tool",
            "/opt/acme/bin/tool",
            "/bin/echo --flag= 'x'",
            "./tools/bin/x",
            "bin/x",
        ];
        let mut entrypoint = vec![member("command", split(rng.word(&commands)))];
        if rng.once_in(4) {
            entrypoint.push(member("cwd", rng.word(&["/srv", "", "sub folder", "."])));
        }
        members.push(member("entrypoint", entrypoint));
    }
    if server || (rng.once_in(8) && !entrypoint) {
        let url = rng.word(&[
            "https://api.example.com",
            "https://api.example.com/v1",
            "https://api.example.com/v1/",
            "http://localhost:8080",
        ]);
        members.push(member("endpoint_url", url));
    }
    members.into()
}

fn install(rng: &mut Rng, version: Version) -> Tree {
    let kinds = if version >= Version::V0_4 { 6 } else { 5 };
    let mut members: Members;
    match rng.below(kinds) {
        method @ (0 | 1) => {
            let (method, specs) = if method == 0 {
                ("pip", ["==1.0.0", ">=1.2,<2"])
            } else {
                ("npm", ["^1.2.3", "1"])
            };
            let package = rng.word(match method {
                "pip" => &["tinytool", "Tiny.Tool[extra]"],
                _ => &["tinytool", "@acme/tool"],
            });
            members = vec![member("method", method), member("package", package)];
            maybe(rng, &mut members, "version_spec", |rng| rng.word(&specs).into());
        }
        2 => {
            members = vec![
                member("method", "git"),
                member(
                    "url",
                    rng.word(&["https://git.example/x.git", "ssh://git@git.example/x.git"]),
                ),
                member(
                    "ref",
                    rng.word(&["main", "v1.0.0", "0123456789abcdef0123456789abcdef01234567"]),
                ),
            ];
            maybe(rng, &mut members, "subpath", |rng| rng.word(&["a/b", "x"]).into());
            if version >= Version::V0_3_1 {
                maybe(rng, &mut members, "layout", |rng| rng.word(Layout::WORDS).into());
            }
        }
        3 => {
            let image = rng.word(&["ghcr.io/x/y:1", "x/y"]).to_owned();
            let digest =
                if rng.once_in(2) { format!("@sha256:{}", "a1".repeat(32)) } else { String::new() };
            members = vec![member("method", "container"), member("image", image + &digest)];
        }
        4 => {
            members = vec![
                member("method", "url"),
                member("url", "https://dl.example/x"),
                member("sha256", "0f".repeat(32)),
            ];
        }
        _ => {
            let (kind, name, value) = match rng.below(3) {
                0 => ("python-module", "module", rng.word(&["tiny_tool", "tiny.tool"])),
                1 => ("binary-on-path", "binary", rng.word(&["git", "tool", "é"])),
                _ => ("mcp-server-id", "server_id", rng.word(&["yep_tools", "é/x"])),
            };
            let locator = vec![member("kind", kind), member(name, value)];
            members = vec![member("method", "preinstalled"), member("locator", locator)];
        }
    }
    members.into()
}
