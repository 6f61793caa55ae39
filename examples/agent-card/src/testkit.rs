//! Documents to test with.

use manifest_core::Rule;
use testkit::{
    Defect, Hints, Mutation, Rng, Testkit, Tree, Vocabulary, apply_defect, generate_object,
};

use crate::table::{TABLE, VERSIONS};

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary =
    Vocabulary { names: &[], maps: &["securitySchemes", "security", "schemes"], open: &[] };

const HINTS: Hints<'_> = Hints {
    samples: &[
        ("/name", &["Recipe Agent", "notes", "acme.notes", "é/~", "UPPER"]),
        ("/version", &["1.0.0", "2.3.1-rc.1", "0.1.0"]),
        ("skills/id", &["find_notes", "notes.find", "Send mail", "é/~", "UPPER"]),
        ("tags", &["notes", "search", "two words"]),
        ("url", &["https://example.com/a2a", "http://example.org/a?b", "https://x.example:8443/"]),
        ("documentationUrl", &["https://example.com/docs"]),
        ("protocolVersion", &["0.3.0", "1.0"]),
        ("preferredTransport", &["JSONRPC", "GRPC", "HTTP+JSON"]),
        ("transport", &["JSONRPC", "GRPC", "HTTP+JSON"]),
        ("protocolBinding", &["JSONRPC", "GRPC", "HTTP+JSON"]),
        // Names of maps, and the values of each.
        ("securitySchemes", &["oauth", "key"]),
        ("security", &["oauth", "key"]),
        ("security/*", &["notes:read", "notes:write"]),
        ("schemes", &["oauth", "key"]),
    ],
    always: &[],
};

/// Generates a valid card with up to `size` skills, interfaces and alternatives to sign in. No
/// two skills have the same id.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let version = u8::try_from(rng.below(VERSIONS.len())).unwrap_or_default();
    let mut tree = generate_object(TABLE.root, version, HINTS, rng, size);
    tree.append_indices("/skills", "/id");
    tree.render()
}

const CLEAN: &str = r#"{"name": "notes", "description": "Keeps notes.", "version": "1.0.0",
    "protocolVersion": "0.3.0", "url": "https://example.com/a2a", "capabilities": {},
    "securitySchemes": {"oauth": {"type": "openIdConnect", "openIdConnectUrl": "https://a.example"}},
    "security": [{"oauth": ["read"]}],
    "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "find", "name": "Find", "description": "Finds notes.", "tags": ["notes"]}]}"#;

const TWICE: &str = r#"[{"id": "a", "name": "A", "description": "", "tags": []},
    {"id": "a", "name": "B", "description": "", "tags": []}]"#;

const DEFECTS: &[Defect] = &[
    ("agent-card/structure", &["/name", "/skills/0/id"], Mutation::Text(&["", "\0", "a\u{7f}"])),
    ("agent-card/structure", &["/supportedInterfaces"], Mutation::Json(&["[]"])),
    ("agent-card/structure", &["/securitySchemes/oauth/type"], Mutation::Text(&["saml"])),
    ("agent-card/duplicate-skill", &["/skills"], Mutation::Json(&[TWICE])),
];

/// Generates a document that breaks a rule and no other.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    apply_defect(&Tree::parse(CLEAN)?, DEFECTS, rule.code, rng).map(|tree| tree.render())
}
