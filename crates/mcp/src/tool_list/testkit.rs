//! Documents for tests.

use manifest_core::{Limits, Rule};
use testkit::{
    Defect, Hints, Mutation, Rng, Testkit, Tree, Vocabulary, apply_defect, break_json,
    generate_object, value,
};

use crate::tool_list::table::{ANSWER_TABLE, DECLARATION_LISTS, TABLE};

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::tool_list::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary { names: &[], maps: &[], open: &["tools", "_meta"] };

const HINTS: Hints<'_> = Hints {
    samples: &[
        ("name", &["find_notes", "notes.find", "Send mail", "é/~", "UPPER", "x-y"]),
        ("tools/type", &["function"]),
        ("functionDeclarations/parameters", GEMINI),
        ("function_declarations/parameters", GEMINI),
        ("response", GEMINI),
        ("command", &["node", "npx", "/usr/bin/env", "-y", "", "a b", "x"]),
        ("cwd", &["/srv/notes", "notes", "."]),
        ("url", &["https://example.com/mcp", "http://example.org:8080/a?b"]),
        ("behavior", &["BLOCKING", "NON_BLOCKING"]),
        ("resultType", &["complete"]),
    ],
    always: &[
        "tools/name",
        "tools/inputSchema",
        "tools/input_schema",
        "tools/function",
        "tools/type",
        "tools/parametersJsonSchema",
        "tools/parameters_json_schema",
        "functionDeclarations",
        "function_declarations",
    ],
};

/// Schemas in Gemini's dialect.
const GEMINI: &[&str] = &[
    r#"{"type": "OBJECT", "properties": {"q": {"type": "STRING", "nullable": true,
        "minLength": "1"}}, "required": ["q"], "propertyOrdering": ["q"]}"#,
    r#"{"type": "OBJECT", "properties": {"n": {"anyOf": [{"type": "INTEGER"}, {"type": "NUMBER"}],
        "example": 3}, "e": {"type": "STRING", "format": "enum", "enum": ["a", "b"]}}}"#,
    r#"{"type": "object", "properties": {"l": {"type": "ARRAY", "max_items": "3",
        "items": {"type": "BOOLEAN", "nullable": false}}}}"#,
];

/// The required and the optional members of a shape.
type Members = (&'static [&'static str], &'static [&'static str]);

const MCP: Members = (
    &["name", "inputSchema"],
    &["title", "description", "outputSchema", "annotations", "icons", "execution", "_meta"],
);

const OTHER_SHAPES: [Members; 5] = [
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

/// Generates a valid document with up to `size` entries. The tools have different names.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let table = if rng.once_in(4) { &ANSWER_TABLE } else { &TABLE };
    let mut tree = generate_object(table.root, 0, HINTS, rng, size);
    let list = if tree.at("/tools").is_some() { "/tools" } else { "/result/tools" };
    for (index, entry) in tree.elements_mut(list).iter_mut().enumerate() {
        reduce_to_shape(entry, rng);
        for group in DECLARATION_LISTS {
            let list = format!("/{group}");
            entry.append_indices(&list, "/name");
            for declaration in entry.elements_mut(&list) {
                append_number(declaration, &format!("_{index}"));
            }
        }
        append_number(entry, &index.to_string());
    }
    tree.render()
}

/// Reduces an entry, which has the members of all shapes, to one shape, most often that of
/// MCP.
fn reduce_to_shape(entry: &mut Tree, rng: &mut Rng) {
    let (must, may): Members = match rng.below(8) {
        0 => (&DECLARATION_LISTS[..1], &[]),
        1 => (&DECLARATION_LISTS[1..], &[]),
        2..=4 => OTHER_SHAPES.get(rng.below(OTHER_SHAPES.len())).copied().unwrap_or(MCP),
        _ => MCP,
    };
    if let Tree::Object(members) = entry {
        members.retain(|(name, _)| must.contains(&name.as_str()) || may.contains(&name.as_str()));
    }
}

/// Appends a number to the name of a tool.
fn append_number(tool: &mut Tree, number: &str) {
    for at in ["/name", "/function/name"] {
        if let Some(Tree::Text(name)) = tool.at_mut(at) {
            name.push_str(number);
        }
    }
}

const CLEAN: &str = r#"{"tools": [{"name": "read_notes", "description": "Reads notes.",
    "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}],
    "server": {"url": "https://example.com/mcp"}}"#;

const TWICE: &str = r#"[{"name": "a", "inputSchema": {}}, {"name": "a", "input_schema": {}}]"#;

const DEFECTS: &[Defect] = &[
    ("tool-list/structure", &["/server/env", "/server/args"], Mutation::Json(&["{}", "[]"])),
    ("tool-list/structure", &["/server/url"], Mutation::Text(&[""])),
    ("tool-list/shape", &["/tools/0/inputSchema", "/tools/0/name"], Mutation::Remove),
    ("tool-list/server", &["/server/url"], Mutation::Remove),
    ("tool-list/server", &["/server/command"], Mutation::Json(&[r#"["npx"]"#])),
    (
        "tool-list/url",
        &["/server/url"],
        Mutation::Text(&["notes", "ftp://example.com/", "http://"]),
    ),
    ("tool-list/name", &["/tools/0/name"], Mutation::Text(&["", "\0", "a\u{7f}"])),
    ("tool-list/duplicate-tool", &["/tools"], Mutation::Json(&[TWICE])),
    ("tool-list/mcp-name", &["/tools/0/name"], Mutation::Text(&["read notes", "é", "a/b"])),
    ("json/required", &["/tools"], Mutation::Remove),
    ("json/required", &["/tools"], Mutation::Json(&[r#"[{"type": "function", "function": {}}]"#])),
    ("json/type", &["/tools", "/server", "/tools/0/inputSchema"], Mutation::Json(&["1", "null"])),
];

/// Returns a document that breaks this rule and no other, or `None` if there is none.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let mut clean = Tree::parse(CLEAN)?;
    if rule.code == "tool-list/secret" {
        clean.put("/tools/0/description", value::secret(rng).into())?;
        return Some(clean.render());
    }
    if rule.code == "tool-list/command-length" {
        let many = vec![Tree::from("x"); Limits::default().arguments + 1];
        clean.remove("/server/url")?;
        clean.put("/server/command", many.into())?;
        return Some(clean.render());
    }
    let found = apply_defect(&clean, DEFECTS, rule.code, rng).map(|tree| tree.render());
    // Objects are open, and an unknown member of `server` breaks `tool-list/structure`.
    found.or_else(|| break_json(CLEAN, rule, rng).filter(|_| rule.code != "json/unknown-member"))
}
