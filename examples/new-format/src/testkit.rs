//! Documents to test with.

use manifest_core::Rule;
use testkit::{
    Defect, Hints, Mutation, Rng, Testkit, Tree, Vocabulary, apply_defect, generate_object,
};

use crate::table::TABLE;

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary { names: &[], maps: &["env", "mcpServers"], open: &[] };

const HINTS: Hints<'_> = Hints {
    samples: &[
        ("utcp_version", &["1.0.1", "1.1.0"]),
        ("name", &["find_notes", "notes.find", "Send mail", "é/~", "UPPER"]),
        ("call_template_type", &["mcp", "http", "cli", "text"]),
        ("mcpServers", &["notes", "files"]),
        ("command", &["node", "npx", "/usr/bin/env", "$HOME/x"]),
        ("args", &["-y", "@example/notes", "${TOKEN}", "", "a b"]),
        ("cwd", &["/srv/notes", "notes"]),
        ("env", &["TOKEN", "X1"]),
        ("url", &["https://example.com/mcp", "http://example.org/mcp?x=${KEY}"]),
    ],
    always: &[],
};

/// A valid document with up to `size` tools, no two of one name.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let mut tree = generate_object(TABLE.root, 0, HINTS, rng, size);
    tree.append_indices("/tools", "/name");
    tree.render()
}

const CLEAN: &str = r#"{"utcp_version": "1.0.1", "tools": [{"name": "read_notes",
    "tool_call_template": {"call_template_type": "http", "url": "https://example.com/"}}]}"#;

const TWICE: &str = r#"[{"name": "a", "tool_call_template": {"call_template_type": "http"}},
    {"name": "a", "tool_call_template": {"call_template_type": "cli"}}]"#;

const WAYS: &[Defect] = &[
    ("utcp/structure", &["/tools/0/name"], Mutation::Text(&["", "\0", "a\u{7f}"])),
    ("utcp/structure", &["/tools/0/tool_call_template/call_template_type"], Mutation::Text(&[""])),
    ("utcp/duplicate-tool", &["/tools"], Mutation::Json(&[TWICE])),
];

/// A document that breaks a rule and no other.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    apply_defect(&Tree::parse(CLEAN)?, WAYS, rule.code, rng).map(|tree| tree.render())
}
