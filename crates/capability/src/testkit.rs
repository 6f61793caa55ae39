//! Documents to test with: valid ones, and ones with one defect.

use manifest_core::{Limits, Rule};
use testkit::{Rng, Testkit, Tree, Vocabulary, defect as defect_in_text, member, value};

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

/// Whether a rule is about more than one document, or about what a host does, so
/// that no document alone can break it.
pub fn is_beyond_documents(rule: &Rule) -> bool {
    let words =
        ["/override-", "/policy-", "/install-", "/index-", "/trust-claim", "/digest-mismatch"];
    words.iter().any(|word| rule.code.contains(word))
}

/// A document that breaks that rule and no other, where there is one.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let clean = clean(rng);
    let with = |pointer: &str, value: Tree| {
        let (parent, name) = pointer.rsplit_once('/')?;
        let mut tree = clean.clone();
        if let Tree::Object(members) = tree.at_mut(parent)? {
            members.retain(|(found, _)| found != name);
            members.push(member(name, value));
        }
        Some(tree.render())
    };
    let without = |name: &str| {
        let kept = clean.members().iter().filter(|(found, _)| found != name);
        Some(Tree::Object(kept.cloned().collect()).render())
    };
    let catalog = |mut members: Vec<(String, Tree)>, entries: Vec<Tree>| {
        members.push(member("capabilities", entries));
        Some(Tree::from(members).render())
    };
    let command = |argv: Vec<Tree>| {
        let block = vec![member("argv", argv)];
        with("/implementation", vec![member("kind", "command"), member("command", block)].into())
    };
    let texts = |texts: &[&str]| texts.iter().map(|text| Tree::from(*text)).collect::<Vec<_>>();
    let secret = |name: &str, reference: &str| {
        Tree::from(vec![member("name", name), member("ref", reference)])
    };
    let v1 = || vec![member("catalog_version", "catalog.v1")];
    match rule.code {
        "capability/unknown-member" => {
            let place = rng.word(&["/extra", "/origin/extra", "/permissions/net", "/runtime/gpu"]);
            with(place, "x".into())
        }
        "capability/word" => with(
            rng.word(&["/type", "/trust_level", "/permissions/filesystem", "/runtime/sandbox"]),
            rng.word(&["", "Tool", "none of these", "DENY"]).into(),
        ),
        "capability/empty" => with(rng.word(&["/id", "/description"]), "".into()),
        "capability/version" => {
            with("/version", rng.word(&["1", "v1.0.0", "1.0.0-rc..1", "01.0.0", ""]).into())
        }
        "capability/version-range" => {
            with("/version", rng.word(&["^1.0.0", "~1", ">=1 <2", "1.x", "*", "latest"]).into())
        }
        "capability/digest" => {
            let digits = rng.word(&["", "sha256", "sha512:", "sha256:"]);
            with("/origin/digest", format!("{digits}{}", "a".repeat(rng.below(2) * 63)).into())
        }
        "capability/callable" => {
            let callable = rng.word(&["abc", "a:b:c", "a:", "1:b", "a:b\n"]);
            let block = vec![member("callable", callable)];
            with("/implementation", vec![member("kind", "python"), member("python", block)].into())
        }
        "capability/timeout" => {
            with("/runtime/timeout_seconds", Tree::plain(rng.word(&["-1", "-0.1", "1e999"])))
        }
        "capability/argv-length" => command(vec![Tree::from("x"); Limits::default().arguments + 1]),
        "capability/implementation-block" => {
            with("/implementation", vec![member("kind", rng.word(&["command", "mcp_tool"]))].into())
        }
        "capability/allowlist-missing" => with("/permissions/network", "allowlist".into()),
        "capability/url" => {
            let urls = ["", "/relative", "file:///etc/passwd", "https:///x", "https://h:99999/"];
            with("/origin/url", rng.word(&urls).into())
        }
        "capability/secret-ref" => {
            let places = ["hunter2", "file:///etc/shadow", "data:,x", "vault://", "https://a/b"];
            with("/secrets", vec![secret("A", rng.word(&places))].into())
        }
        "capability/secret-value" => literal_secret(rng, with),
        "capability/secret-duplicate" => {
            with("/secrets", vec![secret("A", "vault://a"), secret("A", "vault://b")].into())
        }
        "capability/control-character" => {
            if rng.once_in(2) {
                with("/id", "a\u{7}b".into())
            } else {
                command(texts(&["echo", "a\0b"]))
            }
        }
        "capability/resource" => {
            with("/runtime/resources/memory", rng.word(&["-1", "1e99Gi", "∞", ""]).into())
        }
        "capability/duplicate-id" => catalog(v1(), vec![clean.clone(), clean.clone()]),
        "capability/origin-source" => with("/origin/source", "url".into()),
        "capability/oauth-secret" => with("/requires_oauth", Tree::plain("true")),
        "capability/other-blocks" => {
            let python = vec![member("callable", "a:b")];
            let argv = vec![member("argv", texts(&["x"]))];
            let members =
                vec![member("kind", "command"), member("command", argv), member("python", python)];
            with("/implementation", members.into())
        }
        "capability/unpinned" => with("/origin/digest", "0".repeat(64).into()),
        "capability/insecure-url" => with("/origin/url", "http://example.com/".into()),
        "capability/private-url" => {
            with("/origin/url", rng.word(&["https://127.1/", "https://localhost/"]).into())
        }
        "capability/shell-command" => command(texts(&["/bin/sh", "-c", "echo hello"])),
        "capability/allowlist-entry" => {
            let list = texts(&[rng.word(&["*", "*.com", "ftp://a", "a b", ""])]);
            let permissions = vec![
                member("network", "allowlist"),
                member("filesystem", "none"),
                member("devices", Tree::Array(Vec::new())),
                member("network_allowlist", list),
            ];
            with("/permissions", permissions.into())
        }
        "capability/allowlist-unused" => {
            with("/permissions/network_allowlist", texts(&["example.com"]).into())
        }
        "capability/catalog-version" => {
            catalog(vec![member("catalog_version", "catalog.v9")], vec![clean.clone()])
        }
        "json/unknown-member" => {
            let mut members = v1();
            members.push(member("x-defect", Tree::plain("0")));
            catalog(members, vec![clean.clone()])
        }
        "json/type" => with("/description", Tree::plain(rng.word(&["null", "1", "[]", "{}"]))),
        "json/required" => without(rng.word(&["id", "origin", "trust_level"])),
        "json/key-case" => with("/Enabled", Tree::plain("true")),
        _ if is_beyond_documents(rule) => None,
        _ => defect_in_text(&clean.render(), rule, rng),
    }
}

/// A token that was made up here, somewhere in a manifest.
fn literal_secret(rng: &mut Rng, with: impl Fn(&str, Tree) -> Option<String>) -> Option<String> {
    let letters = ["a", "B", "3", "x", "Z", "7", "k", "Q", "9", "f", "M", "2", "t", "W", "5", "h"];
    let noise: String = (0..36).map(|_| rng.word(&letters)).collect();
    match rng.below(4) {
        0 => with("/description", format!("use ghp_{noise} to sign in").into()),
        1 => {
            let secret = vec![member("name", "TOKEN"), member("ref", format!("npm_{noise}"))];
            with("/secrets", vec![Tree::from(secret)].into())
        }
        2 => {
            let token = vec![member("type", "string"), member("default", noise)];
            let properties = vec![member("api_key", token)];
            with("/interfaces/inputs/properties", properties.into())
        }
        _ => {
            let argv = vec![Tree::from("run"), Tree::from("--token"), Tree::from(noise)];
            let block = vec![member("argv", argv)];
            let members = vec![member("kind", "command"), member("command", block)];
            with("/implementation", members.into())
        }
    }
}

/// A document in which nothing is worth a word.
fn clean(rng: &mut Rng) -> Tree {
    let resources = vec![member("cpu", "500m"), member("memory", "128Mi")];
    let schema = || vec![member("type", "object")];
    Tree::from(vec![
        member("id", "demo.echo"),
        member("type", "tool"),
        member("version", "1.0.0"),
        member("description", value::words(rng)),
        member(
            "origin",
            vec![member("source", "local"), member("digest", "a1".repeat(32)), member("path", ".")],
        ),
        member("interfaces", vec![member("inputs", schema()), member("outputs", schema())]),
        member(
            "permissions",
            vec![
                member("network", "deny"),
                member("filesystem", "none"),
                member("devices", Tree::Array(Vec::new())),
            ],
        ),
        member("runtime", vec![member("sandbox", "process"), member("resources", resources)]),
        member("trust_level", "local"),
    ])
}
