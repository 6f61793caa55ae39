//! Generates documents with one defect, by the rule that they break.

use manifest_core::{Limits, Rule};
use testkit::Mutation::{Json, Remove, Text};
use testkit::{Defect, Rng, Tree, apply_defect, break_json, member, value};

/// Ways to break a rule in the clean document.
static DEFECTS: &[Defect] = &[
    (
        "capability/unknown-member",
        &["/extra", "/origin/extra", "/permissions/net", "/runtime/gpu"],
        Text(&["x"]),
    ),
    (
        "capability/word",
        &["/type", "/trust_level", "/permissions/filesystem", "/runtime/sandbox"],
        Text(&["", "Tool", "none of these", "DENY"]),
    ),
    ("capability/empty", &["/id", "/description"], Text(&[""])),
    ("capability/version", &["/version"], Text(&["1", "v1.0.0", "1.0.0-rc..1", "01.0.0", ""])),
    (
        "capability/version-range",
        &["/version"],
        Text(&["^1.0.0", "~1", ">=1 <2", "1.x", "*", "latest"]),
    ),
    ("capability/timeout", &["/runtime/timeout_seconds"], Json(&["-1", "-0.1", "1e999"])),
    (
        "capability/callable",
        &["/implementation"],
        Json(&[
            r#"{"kind": "python", "python": {"callable": "abc"}}"#,
            r#"{"kind": "python", "python": {"callable": "a:b:c"}}"#,
            r#"{"kind": "python", "python": {"callable": "a:"}}"#,
            r#"{"kind": "python", "python": {"callable": "1:b"}}"#,
            r#"{"kind": "python", "python": {"callable": "a:b\n"}}"#,
        ]),
    ),
    (
        "capability/implementation-block",
        &["/implementation"],
        Json(&[r#"{"kind": "command"}"#, r#"{"kind": "mcp_tool"}"#]),
    ),
    ("capability/allowlist-missing", &["/permissions/network"], Text(&["allowlist"])),
    (
        "capability/url",
        &["/origin/url"],
        Text(&["", "/relative", "file:///etc/passwd", "https:///x", "https://h:99999/"]),
    ),
    (
        "capability/secret-ref",
        &["/secrets"],
        Json(&[
            r#"[{"name": "A", "ref": "hunter2"}]"#,
            r#"[{"name": "A", "ref": "file:///etc/shadow"}]"#,
            r#"[{"name": "A", "ref": "data:,x"}]"#,
            r#"[{"name": "A", "ref": "vault://"}]"#,
            r#"[{"name": "A", "ref": "https://a/b"}]"#,
        ]),
    ),
    (
        "capability/secret-duplicate",
        &["/secrets"],
        Json(&[r#"[{"name": "A", "ref": "vault://a"}, {"name": "A", "ref": "vault://b"}]"#]),
    ),
    ("capability/control-character", &["/id"], Text(&["a\u{7}b"])),
    (
        "capability/control-character",
        &["/implementation"],
        Json(&[r#"{"kind": "command", "command": {"argv": ["echo", "a\u0000b"]}}"#]),
    ),
    ("capability/resource", &["/runtime/resources/memory"], Text(&["-1", "1e99Gi", "∞", ""])),
    ("capability/origin-source", &["/origin/source"], Text(&["url"])),
    ("capability/oauth-secret", &["/requires_oauth"], Json(&["true"])),
    (
        "capability/other-blocks",
        &["/implementation"],
        Json(&[
            r#"{"kind": "command", "command": {"argv": ["x"]}, "python": {"callable": "a:b"}}"#,
        ]),
    ),
    ("capability/insecure-url", &["/origin/url"], Text(&["http://example.com/"])),
    ("capability/private-url", &["/origin/url"], Text(&["https://127.1/", "https://localhost/"])),
    (
        "capability/shell-command",
        &["/implementation"],
        Json(&[r#"{"kind": "command", "command": {"argv": ["/bin/sh", "-c", "echo hello"]}}"#]),
    ),
    (
        "capability/allowlist-unused",
        &["/permissions/network_allowlist"],
        Json(&[r#"["example.com"]"#]),
    ),
    ("json/type", &["/description"], Json(&["null", "1", "[]", "{}"])),
    ("json/required", &["/id", "/origin", "/trust_level"], Remove),
    ("json/key-case", &["/Enabled"], Json(&["true"])),
];

/// Returns true if a rule concerns several documents or the actions of a host, so that no
/// single document can break it.
pub fn concerns_no_document(rule: &Rule) -> bool {
    let words =
        ["/override-", "/policy-", "/install-", "/index-", "/trust-claim", "/digest-mismatch"];
    words.iter().any(|word| rule.code.contains(word))
}

/// Generates a document that breaks this rule and no other, if there is one.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let clean = clean_manifest(rng);
    let found = apply_defect(&clean, DEFECTS, rule.code, rng)
        .or_else(|| break_whole(&clean, rule.code, rng));
    match found {
        Some(tree) => Some(tree.render()),
        None if concerns_no_document(rule) => None,
        None => break_json(&clean.render(), rule, rng),
    }
}

/// Breaks rules that `DEFECTS` does not cover: long values, secrets and catalogs.
fn break_whole(clean: &Tree, code: &str, rng: &mut Rng) -> Option<Tree> {
    let mut tree = clean.clone();
    let catalog = |version: &str, entries: Vec<Tree>| {
        Tree::from(vec![member("catalog_version", version), member("capabilities", entries)])
    };
    match code {
        "capability/digest" => {
            let digits = rng.word(&["", "sha256", "sha512:", "sha256:"]);
            let digest = format!("{digits}{}", "a".repeat(rng.below(2) * 63));
            tree.put("/origin/digest", digest.into())?;
        }
        "capability/unpinned" => tree.put("/origin/digest", "0".repeat(64).into())?,
        "capability/argv-length" => {
            let argv = vec![Tree::from("x"); Limits::default().arguments + 1];
            tree.put("/implementation", command(argv))?;
        }
        "capability/secret-value" => literal_secret(&mut tree, rng)?,
        "capability/allowlist-entry" => {
            let entry = Tree::from(rng.word(&["*", "*.com", "ftp://a", "a b", ""]));
            tree.put("/permissions/network", "allowlist".into())?;
            tree.put("/permissions/network_allowlist", vec![entry].into())?;
        }
        "capability/duplicate-id" => tree = catalog("catalog.v1", vec![tree.clone(), tree]),
        "capability/catalog-version" => tree = catalog("catalog.v9", vec![tree]),
        "json/unknown-member" => {
            tree = catalog("catalog.v1", vec![tree]);
            tree.put("/x-defect", Tree::plain("0"))?;
        }
        _ => return None,
    }
    Some(tree)
}

fn command(argv: Vec<Tree>) -> Tree {
    vec![member("kind", "command"), member("command", vec![member("argv", argv)])].into()
}

/// Puts a random token into a manifest.
fn literal_secret(tree: &mut Tree, rng: &mut Rng) -> Option<()> {
    let letters = ["a", "B", "3", "x", "Z", "7", "k", "Q", "9", "f", "M", "2", "t", "W", "5", "h"];
    let noise: String = (0..36).map(|_| rng.word(&letters)).collect();
    match rng.below(4) {
        0 => tree.put("/description", format!("use ghp_{noise} to sign in").into()),
        1 => {
            let secret = vec![member("name", "TOKEN"), member("ref", format!("npm_{noise}"))];
            tree.put("/secrets", vec![Tree::from(secret)].into())
        }
        2 => {
            let token = vec![member("type", "string"), member("default", noise)];
            let properties = vec![member("api_key", token)];
            tree.put("/interfaces/inputs/properties", properties.into())
        }
        _ => {
            let argv = vec![Tree::from("run"), Tree::from("--token"), Tree::from(noise)];
            tree.put("/implementation", command(argv))
        }
    }
}

/// Returns a manifest without any errors or warnings.
fn clean_manifest(rng: &mut Rng) -> Tree {
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
