//! Documents to test with: valid ones, and ones with one defect.

use testkit::{Rng, Testkit, Tree, Vocabulary, member, value};

mod broken;

pub use broken::{defect, is_beyond_documents};

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The words of this format. Its objects are closed: no strange members fit.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "catalog_version",
        "capabilities",
        "id",
        "type",
        "version",
        "description",
        "origin",
        "interfaces",
        "permissions",
        "runtime",
        "trust_level",
        "enabled",
        "requires_oauth",
        "execution",
        "secrets",
        "implementation",
    ],
    maps: &[],
    open: &["inputs", "outputs"],
};

/// A member, or none.
type Maybe = Option<(String, Tree)>;

/// A valid document: one manifest or a catalog of up to `size`, with schemas of
/// about that size. Every member is there at times, and in all the spellings
/// that are valid.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    if rng.once_in(2) {
        return manifest(rng, 0, size).render();
    }
    let count = if rng.once_in(16) { 0 } else { 1 + rng.below(size) };
    let entries: Vec<_> = (0..count).map(|index| manifest(rng, index, size)).collect();
    let mut members = vec![member("capabilities", entries)];
    if !rng.once_in(4) {
        members.insert(0, member("catalog_version", "catalog.v1"));
    }
    if rng.once_in(4) {
        members.push(member("x-note", value::value(rng, 3)));
    }
    Tree::from(members).render()
}

/// One valid manifest. The number keeps ids in a catalog apart.
pub fn manifest(rng: &mut Rng, number: usize, size: usize) -> Tree {
    let id =
        rng.word(&["demo.echo", "mcp.tool:search", "acme/files", "Read File", "é~", "A", "tool:x"]);
    let version = rng.word(&[
        "1.0.0",
        "0.1.0",
        "1.2.3-rc.1+build.5",
        "10.20.30",
        "1.0.0-RC.1",
        "1.0.0+Build",
    ]);
    let text = if rng.once_in(6) { value::long(rng) } else { value::text(rng) };
    let levels = ["local", "verified", "community", "untrusted"];
    let types = ["tool", "tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"];
    let mut members = vec![
        member("id", format!("{id}{number}")),
        member("type", rng.word(&types)),
        member("version", version),
        member("description", if text.is_empty() { "x".to_owned() } else { text }),
        member("origin", origin(rng)),
        member("interfaces", interfaces(rng, size)),
        member("permissions", permissions(rng)),
        member("runtime", runtime(rng)),
        member("trust_level", rng.word(&levels)),
    ];
    members.extend(maybe(rng, "enabled", truth));
    members.extend(maybe(rng, "requires_oauth", truth));
    members.extend(maybe(rng, "execution", |rng| {
        let channel = maybe(rng, "channel", |rng| rng.word(&["programmatic", "vdi_vpn"]).into());
        channel.into_iter().collect::<Vec<_>>().into()
    }));
    members.extend(maybe(rng, "secrets", secrets));
    members.extend(maybe(rng, "implementation", implementation));
    members.into()
}

/// A member that is there every other time.
fn maybe(rng: &mut Rng, name: &str, value: impl Fn(&mut Rng) -> Tree) -> Maybe {
    rng.once_in(2).then(|| member(name, value(rng)))
}

fn truth(rng: &mut Rng) -> Tree {
    Tree::plain(rng.word(&["true", "false"]))
}

/// Some of the words, in any order, a word more than once at times.
fn some(rng: &mut Rng, words: &[&str]) -> Tree {
    let count = rng.below(4);
    (0..count).map(|_| Tree::from(rng.word(words))).collect::<Vec<_>>().into()
}

fn origin(rng: &mut Rng) -> Tree {
    let digit = rng.word(&["0", "a", "5", "F"]).repeat(64);
    let digest = if rng.once_in(2) { format!("sha256:{digit}") } else { digit };
    let mut members = vec![member("source", rng.word(&["url", "local"])), member("digest", digest)];
    members.extend(maybe(rng, "signature", |rng| rng.word(&["", "ed25519:abc", "é"]).into()));
    members.extend(maybe(rng, "url", |rng| {
        rng.word(&["https://example.com/a.json", "http://localhost:8080/é?a=b"]).into()
    }));
    members.extend(maybe(rng, "path", |rng| rng.word(&[".", "", "../up", "a b"]).into()));
    members.into()
}

fn interfaces(rng: &mut Rng, size: usize) -> Tree {
    let mut schema = || match rng.below(8) {
        0 => Tree::Object(Vec::new()),
        1 | 2 => value::nothing(),
        _ => value::schema(rng, size),
    };
    Tree::from(vec![member("inputs", schema()), member("outputs", schema())])
}

fn permissions(rng: &mut Rng) -> Tree {
    let hosts = [
        "api.example.com",
        "*.example.org",
        "https://example.net/v1/",
        "[::1]:8080",
        "*",
        "a.example",
        "",
    ];
    let network = rng.word(&["deny", "allowlist"]);
    let mut members = vec![
        member("network", network),
        member("filesystem", rng.word(&["read", "write", "none"])),
        member("devices", some(rng, &["camera", "/dev/ttyUSB0", "é", "", "device.gps"])),
    ];
    if network == "allowlist" || rng.once_in(4) {
        let mut list = vec![Tree::from(rng.word(&hosts))];
        list.extend(some(rng, &hosts).elements().iter().cloned());
        members.push(member("network_allowlist", list));
    } else if rng.once_in(8) {
        members.push(member("network_allowlist", Tree::Array(Vec::new())));
    }
    members.into()
}

fn runtime(rng: &mut Rng) -> Tree {
    let limits = ["default", "500m", "128Mi", "1", "0.5"];
    let resources = vec![member("cpu", rng.word(&limits)), member("memory", rng.word(&limits))];
    let mut members = vec![
        member("sandbox", rng.word(&["process", "container"])),
        member("resources", resources),
    ];
    members.extend(maybe(rng, "timeout_seconds", |rng| {
        let seconds = ["0", "-0", "5", "0.5", "1.0", "3e1", "1E-400", "300.1", "1e307", "0.0001"];
        Tree::plain(rng.word(&seconds))
    }));
    members.into()
}

fn secrets(rng: &mut Rng) -> Tree {
    let count = rng.below(3);
    let secrets = (0..count).map(|index| {
        let name = rng.word(&["GITHUB_TOKEN", "OAUTH_GOOGLE", "api key", "é", "smtp.pass"]);
        let places =
            ["vault://kv/unison/github#token", "secret://oauth/google/x", "op://a/b", "env://A"];
        let name = if index == 0 { name.to_owned() } else { format!("{name}{index}") };
        Tree::from(vec![member("name", name), member("ref", rng.word(&places))])
    });
    secrets.collect::<Vec<_>>().into()
}

fn implementation(rng: &mut Rng) -> Tree {
    let (kind, block) = kind_and_block(rng);
    let mut members = vec![member("kind", kind), member(block, block_for(rng, block))];
    if rng.once_in(6) {
        let other = rng.word(&["command", "python", "mcp", "a2a"]);
        if other != block {
            members.push(member(other, block_for(rng, other)));
        }
    }
    members.into()
}

fn kind_and_block(rng: &mut Rng) -> (&'static str, &'static str) {
    match rng.below(4) {
        0 => ("command", "command"),
        1 => ("python", "python"),
        2 => ("mcp_tool", "mcp"),
        _ => ("a2a_rpc", "a2a"),
    }
}

fn block_for(rng: &mut Rng, block: &str) -> Tree {
    match block {
        "command" => {
            let words = [
                "echo",
                "./tools/bin/get_time",
                "/usr/bin/env",
                "/opt/acme/bin/tool",
                "/opt/acme/bin/tool",
                "two words",
                "",
            ];
            let mut argv = vec![Tree::from(rng.word(&words))];
            for _ in 0..rng.below(3) {
                // What is a template elsewhere means itself here.
                argv.push(match rng.below(4) {
                    0 => rng.word(&["${input.to}", "${env.HOME}", "$(date)"]).into(),
                    _ => value::text(rng).replace('\0', "").into(),
                });
            }
            Tree::from(vec![member("argv", argv)])
        }
        "python" => vec![member("callable", rng.word(&["a.b:c", "pkg.tools:run", "_x:_y"]))].into(),
        "mcp" => {
            let mut members = vec![
                member("registry_url", "https://registry.example.com/mcp"),
                member("tool_name", rng.word(&["search", "é", "a b"])),
            ];
            members.extend(maybe(rng, "server_id", |rng| rng.word(&["files", ""]).into()));
            members.into()
        }
        _ => vec![member("endpoint", rng.word(&["https://a.example/rpc", "http://[::1]/"]))].into(),
    }
}
