//! Documents to test with.

use manifest_core::Rule;
use testkit::{Rng, Samples, Testkit, To, Tree, Vocabulary, Way, broken, draw};

use crate::table::TABLE;

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary {
    names: &[],
    maps: &["_meta", "env", "platform_overrides", "user_config"],
    open: &["_meta"],
};

const SAMPLES: Samples = &[
    ("name", &["files", "acme.files", "Send mail", "é/~", "UPPER", "x.y.z"]),
    ("version", &["1.2.0", "0.1.0", "1.2.3-rc.1", "10.20.30"]),
    ("size", &["16x16", "0x512"]),
    ("theme", &["light", "dark"]),
    ("resources", &["mcpb-resources/${locale}.json"]),
    ("default_locale", &["en", "en-US", "sl-rozaj-biske"]),
    ("command", &["node", "python", "${__dirname}/server", "/usr/bin/env"]),
    ("args", &["${__dirname}/server.js", "--token=${user_config.token}", "-v", "", "a b"]),
    ("env", &["TOKEN", "HOME_DIR", "lower", "X1"]),
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

/// A valid document with up to `size` tools, no two of one name.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let mut tree = draw(TABLE.root, 0, SAMPLES, rng, size);
    if let Some(Tree::Array(tools)) = tree.at_mut("/tools") {
        for (index, tool) in tools.iter_mut().enumerate() {
            if let Some(Tree::Text(name)) = tool.at_mut("/name") {
                name.push_str(&index.to_string());
            }
        }
    }
    tree.render()
}

const CLEAN: &str = r#"{"manifest_version": "0.3", "name": "files", "version": "1.0.0",
    "description": "Reads files.", "author": {"name": "A"}, "homepage": "https://example.com/",
    "server": {"type": "node", "entry_point": "server.js", "mcp_config": {"command": "node"}},
    "tools": [{"name": "read"}]}"#;

const WAYS: &[Way] = &[
    ("mcpb/structure", &["/tool", "/server/cwd"], To::Json(&["{}", "1"])),
    ("mcpb/structure", &["/server/type", "/manifest_version"], To::Text(&["uv", "0.9", ""])),
    ("mcpb/structure", &["/name", "/tools/0/name"], To::Text(&["\0", "a\u{7f}"])),
    ("mcpb/uri", &["/homepage"], To::Text(&["", "no page"])),
    ("mcpb/duplicate-tool", &["/tools"], To::Json(&[r#"[{"name": "a"}, {"name": "a"}]"#])),
];

/// A document that breaks a rule and no other.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    broken(&Tree::parse(CLEAN)?, WAYS, rule.code, rng).map(|tree| tree.render())
}
