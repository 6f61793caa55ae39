//! Documents for tests.

use manifest_core::{Limits, Rule};
use testkit::{
    Defect, Hints, Mutation, Rng, Sample, Testkit, Tree, Vocabulary, apply_defect, break_json,
    generate_object, value,
};

use crate::mcpb::table::{TABLE, VERSIONS};
use crate::shared::version_index;

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::mcpb::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary {
    names: &[],
    maps: &["_meta", "env", "platform_overrides", "user_config"],
    open: &["_meta"],
};

const SAMPLES: &[Sample<'_>] = &[
    ("name", &["files", "acme.files", "Send mail", "é/~", "UPPER", "x.y.z"]),
    ("version", &["1.2.0", "0.1.0", "1.2.3-rc.1", "10.20.30"]),
    ("size", &["16x16", "0x512"]),
    ("theme", &["light", "dark"]),
    ("resources", &["mcpb-resources/${locale}.json"]),
    ("default_locale", &["en", "en-US", "sl-rozaj-biske"]),
    ("command", &["node", "python", "${__dirname}/server", "/usr/bin/env", "${HOME}/x"]),
    ("args", &["${__dirname}/server.js", "--token=${user_config.token}", "-v", "", "a b", "x"]),
    ("env", &["TOKEN", "HOME_DIR", "lower", "X1"]),
    (
        "mcp_config/env/*",
        &["${user_config.token}", "${user_config.dir}", "${user_config.dir}", "production"],
    ),
    ("platform_overrides", &["darwin", "win32", "linux"]),
    ("user_config", &["token", "dir"]),
    ("_meta", &["com.example", "org.example.x"]),
    ("email", &["a@example.com", "é@example.org"]),
    ("url", &["https://example.com/", "http://example.org/a?b#c"]),
    ("homepage", &["https://example.com/", "https://example.org/é"]),
    ("documentation", &["https://example.com/docs", "https://example.org/"]),
    ("support", &["https://example.com/help", "mailto:a@example.com"]),
    ("privacy_policies", &["https://example.com/privacy"]),
];

/// Generates a valid document with up to `size` tools with different names.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let version = rng.word(&VERSIONS);
    let hints = Hints { samples: SAMPLES, always: &["mcp_config", "user_config/*/default"] };
    let index = version_index(&VERSIONS, Some(version));
    let mut tree = generate_object(TABLE.root, index, hints, rng, size);
    for name in ["/dxt_version", "/manifest_version"] {
        if let Some(stated) = tree.at_mut(name) {
            *stated = Tree::from(version);
        }
    }
    tree.append_indices("/tools", "/name");
    if tree.at("/server/type") == Some(&Tree::from("uv")) && rng.once_in(2) {
        tree.remove("/server/mcp_config");
    }
    // Other formats can only express a server that starts the same way everywhere.
    if rng.once_in(2) {
        tree.remove("/server/mcp_config/platform_overrides");
        let more = rng.word(&["args", "env"]);
        tree.remove(&format!("/server/mcp_config/{more}"));
    }
    vary_texts(&mut tree, rng);
    tree.render()
}

/// Removes the texts of some documents, so that names take their place, and gives half of
/// the settings defaults that are not texts.
fn vary_texts(tree: &mut Tree, rng: &mut Rng) {
    if rng.once_in(8) {
        tree.put("/description", rng.word(&["", " "]).into());
        tree.remove("/long_description");
        for tool in tree.elements_mut("/tools") {
            tool.remove("/description");
        }
    }
    let Some(Tree::Object(settings)) = tree.at_mut("/user_config") else { return };
    for (_, setting) in settings {
        if let Some(default) = setting.at_mut("/default").filter(|_| rng.once_in(2)) {
            *default = Tree::plain(rng.word(&["0", "-1", "7", "1.50", "true", "false"]));
        }
    }
}

const CLEAN: &str = r#"{"manifest_version": "0.4", "name": "files", "version": "1.0.0",
    "description": "Reads files.", "author": {"name": "A"}, "homepage": "https://example.com/",
    "server": {"type": "node", "entry_point": "server.js", "mcp_config": {"command": "node",
      "args": ["${__dirname}/server.js"], "env": {"ROOT": "${user_config.root}"}}},
    "tools": [{"name": "read_notes"}],
    "user_config": {"root": {"type": "directory", "title": "Root", "description": "Where."}}}"#;

const DEFECTS: &[Defect] = &[
    ("mcpb/structure", &["/tool", "/server/cwd"], Mutation::Json(&["{}", "1"])),
    (
        "mcpb/structure",
        &["/server/type", "/manifest_version"],
        Mutation::Text(&["rust", "0.9", ""]),
    ),
    ("mcpb/mcp-config", &["/server/mcp_config"], Mutation::Remove),
    ("mcpb/versions", &["/dxt_version"], Mutation::Text(&["0.1", "0.3"])),
    ("mcpb/uri", &["/homepage"], Mutation::Text(&["", "no page"])),
    ("mcpb/name", &["/name", "/tools/0/name"], Mutation::Text(&["", "\0", "a\u{7f}"])),
    ("mcpb/version", &["/version"], Mutation::Text(&["", "1", "v1.0.0", "latest"])),
    ("mcpb/duplicate-tool", &["/tools"], Mutation::Json(&[r#"[{"name": "a"}, {"name": "a"}]"#])),
    (
        "mcpb/setting",
        &["/server/mcp_config/args/0", "/server/mcp_config/env/ROOT"],
        Mutation::Text(&["${user_config.}", "-x=${user_config.rot}"]),
    ),
    ("mcpb/variable", &["/server/mcp_config/args/0"], Mutation::Text(&["${}", "a${dirname}b"])),
    ("mcpb/no-version", &["/manifest_version"], Mutation::Remove),
    ("json/required", &["/author", "/server/type", "/tools/0/name"], Mutation::Remove),
    ("json/type", &["/author", "/tools", "/version"], Mutation::Json(&["1", "null"])),
];

/// Returns a document that breaks this rule and no other, or `None` if there is none.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let mut clean = Tree::parse(CLEAN)?;
    if rule.code == "mcpb/secret" {
        clean.put("/server/mcp_config/args/0", value::secret(rng).into())?;
        return Some(clean.render());
    }
    if rule.code == "mcpb/command-length" {
        let many = vec![Tree::from("x"); Limits::default().arguments + 1];
        clean.put("/server/mcp_config/args", many.into())?;
        return Some(clean.render());
    }
    let found = apply_defect(&clean, DEFECTS, rule.code, rng).map(|tree| tree.render());
    // Objects are closed: an unknown member breaks `mcpb/structure` instead.
    found.or_else(|| break_json(CLEAN, rule, rng).filter(|_| rule.code != "json/unknown-member"))
}
