//! Documents to test with.

use manifest_core::Rule;
use testkit::{
    Rng, Samples, Testkit, To, Tree, Vocabulary, Way, broken, defect as in_text, draw, value,
};

use crate::table::{ANSWER_TABLE, GROUPS, TABLE};

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary { names: &[], maps: &[], open: &["tools", "_meta"] };

const SAMPLES: Samples = &[
    ("name", &["find_notes", "notes.find", "Send mail", "é/~", "UPPER", "x-y"]),
    ("type", &["function", "custom"]),
    ("command", &["node", "npx", "/usr/bin/env", "-y", "", "a b", "x"]),
    ("cwd", &["/srv/notes", "notes", "."]),
    ("url", &["https://example.com/mcp", "http://example.org:8080/a?b"]),
    ("behavior", &["BLOCKING", "NON_BLOCKING"]),
    ("resultType", &["complete"]),
];

/// The members of each shape: what it must have, and what it may have besides.
type Members = (&'static [&'static str], &'static [&'static str]);

const MCP: Members = (
    &["name", "inputSchema"],
    &["title", "description", "outputSchema", "annotations", "icons", "execution", "_meta"],
);

const OTHERS: [Members; 5] = [
    (
        &["name", "input_schema"],
        &[
            "description",
            "input_examples",
            "cache_control",
            "eager_input_streaming",
            "strict",
            "defer_loading",
            "allowed_callers",
        ],
    ),
    (&["function", "type"], &[]),
    (
        &["name", "type"],
        &[
            "description",
            "parameters",
            "output_schema",
            "strict",
            "defer_loading",
            "allowed_callers",
        ],
    ),
    (
        &["name", "parametersJsonSchema"],
        &["description", "responseJsonSchema", "response", "behavior"],
    ),
    (&["name", "parameters_json_schema"], &["description", "response_json_schema"]),
];

/// Where schemas stand.
const SCHEMAS: &[&str] = &[
    "/inputSchema",
    "/outputSchema",
    "/input_schema",
    "/function/parameters",
    "/parameters",
    "/output_schema",
    "/parametersJsonSchema",
    "/parameters_json_schema",
    "/responseJsonSchema",
    "/response_json_schema",
];

/// Where Gemini has schemas in words of its own, and some of them.
const OWN_WORDS: &[&str] = &["/parameters", "/response"];

const GEMINI: &[&str] = &[
    r#"{"type": "OBJECT", "properties": {"q": {"type": "STRING", "nullable": true,
        "minLength": "1"}}, "required": ["q"], "propertyOrdering": ["q"]}"#,
    r#"{"type": "OBJECT", "properties": {"n": {"anyOf": [{"type": "INTEGER"}, {"type": "NUMBER"}],
        "example": 3}, "e": {"type": "STRING", "format": "enum", "enum": ["a", "b"]}}}"#,
    r#"{"type": "object", "properties": {"l": {"type": "ARRAY", "max_items": "3",
        "items": {"type": "BOOLEAN", "nullable": false}}}}"#,
];

/// A valid document with up to `size` entries, no two tools of one name.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let table = if rng.once_in(4) { &ANSWER_TABLE } else { &TABLE };
    let mut tree = draw(table.root, 0, SAMPLES, rng, size);
    let list = if tree.at("/tools").is_some() { "/tools" } else { "/result/tools" };
    if let Some(Tree::Array(tools)) = tree.at_mut(list) {
        for (index, tool) in tools.iter_mut().enumerate() {
            if rng.once_in(4) {
                group(tool, index, rng, size);
            } else {
                shape(tool, index, rng, size);
            }
        }
    }
    if let Some(server) = tree.at_mut("/server") {
        let spare = rng.word(&["/command", "/url"]);
        match (server.at("/command").is_some(), server.at("/url").is_some()) {
            (true, true) => {
                server.remove(spare);
            }
            (false, false) => {
                server.put("/url", "https://example.com/mcp".into());
            }
            _ => {}
        }
    }
    tree.render()
}

/// Makes an entry a list of declarations.
fn group(entry: &mut Tree, index: usize, rng: &mut Rng, size: usize) {
    let name = rng.word(&GROUPS);
    if let Tree::Object(members) = entry {
        members.retain(|(known, _)| known == name);
    }
    let at = format!("/{name}");
    if entry.at(&at).is_none() {
        entry.put(&at, Tree::Array(Vec::new()));
    }
    let Some(Tree::Array(declarations)) = entry.at_mut(&at) else { return };
    for (inner, declaration) in declarations.iter_mut().enumerate() {
        put_schemas(declaration, OWN_WORDS, rng, size);
        if let Some(Tree::Text(name)) = declaration.at_mut("/name") {
            *name = format!("{name}{index}_{inner}");
        }
    }
}

/// Makes what stands in the place of schemas some, and in these places those of Gemini.
fn put_schemas(tool: &mut Tree, own: &[&str], rng: &mut Rng, size: usize) {
    for at in SCHEMAS {
        if let Some(schema @ Tree::Object(_)) = tool.at_mut(at) {
            *schema = value::schema(rng, size);
        }
    }
    for at in own {
        let words = Tree::parse(rng.word(GEMINI));
        if let Some((schema, words)) = tool.at_mut(at).zip(words) {
            *schema = words;
        }
    }
}

/// Makes an entry one of a shape: each second one is of MCP.
fn shape(tool: &mut Tree, index: usize, rng: &mut Rng, size: usize) {
    let other = OTHERS.get(rng.below(OTHERS.len())).unwrap_or(&MCP);
    let (must, may) = if rng.once_in(2) { &MCP } else { other };
    if let Tree::Object(members) = tool {
        let is_its = |name: &str| must.contains(&name) || may.contains(&name);
        members.retain(|(name, _)| is_its(name));
    }
    for name in *must {
        let at = format!("/{name}");
        if tool.at(&at).is_none() {
            let text = match *name {
                "name" => "\"tool\"",
                "type" => "\"function\"",
                "function" => r#"{"name": "tool"}"#,
                _ => "{}",
            };
            Tree::parse(text).and_then(|value| tool.put(&at, value));
        }
    }
    put_schemas(tool, &["/response"], rng, size);
    // A function says so.
    if (must.contains(&"type") || must.contains(&"function"))
        && let Some(kind) = tool.at_mut("/type")
    {
        *kind = "function".into();
    }
    for at in ["/name", "/function/name"] {
        if let Some(Tree::Text(name)) = tool.at_mut(at) {
            name.push_str(&index.to_string());
        }
    }
}

const CLEAN: &str = r#"{"tools": [{"name": "read_notes", "description": "Reads notes.",
    "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}],
    "server": {"url": "https://example.com/mcp"}}"#;

const TWICE: &str = r#"[{"name": "a", "inputSchema": {}}, {"name": "a", "input_schema": {}}]"#;

const WAYS: &[Way] = &[
    ("tool-list/structure", &["/server/env", "/server/args"], To::Json(&["{}", "[]"])),
    ("tool-list/structure", &["/server/url"], To::Text(&[""])),
    ("tool-list/shape", &["/tools/0/inputSchema", "/tools/0/name"], To::Gone),
    ("tool-list/server", &["/server/url"], To::Gone),
    ("tool-list/server", &["/server/command"], To::Json(&[r#"["npx"]"#])),
    ("tool-list/url", &["/server/url"], To::Text(&["notes", "ftp://example.com/", "http://"])),
    ("tool-list/name", &["/tools/0/name"], To::Text(&["", "\0", "a\u{7f}"])),
    ("tool-list/duplicate-tool", &["/tools"], To::Json(&[TWICE])),
    ("tool-list/mcp-name", &["/tools/0/name"], To::Text(&["read notes", "é", "a/b"])),
    ("json/required", &["/tools"], To::Gone),
    ("json/required", &["/tools"], To::Json(&[r#"[{"type": "function", "function": {}}]"#])),
    ("json/type", &["/tools", "/server", "/tools/0/inputSchema"], To::Json(&["1", "null"])),
];

/// A document that breaks a rule and no other.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let mut clean = Tree::parse(CLEAN)?;
    if rule.code == "tool-list/secret" {
        clean.put("/tools/0/description", value::secret(rng).into())?;
        return Some(clean.render());
    }
    let found = broken(&clean, WAYS, rule.code, rng).map(|tree| tree.render());
    // Objects are open, and `server` breaks a rule of ours.
    found.or_else(|| in_text(CLEAN, rule, rng).filter(|_| rule.code != "json/unknown-member"))
}
