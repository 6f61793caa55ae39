//! Documents with one defect, by the rule that they break.

use manifest_core::{Limits, Rule};
use testkit::Mutation::{Json, Remove, Text};
use testkit::{Defect, Rng, Tree, apply_defect, break_json, member, value};

/// The edits of the clean document that break rules.
static DEFECTS: &[Defect] = &[
    ("mcpkg/tool-id", &["/toolId"], Text(&["echo", "A.b.c", "a..b", "../x.y", "a.b-.c"])),
    ("mcpkg/tool-id-segments", &["/toolId"], Text(&["demo.echo", "a.b.c.d.e"])),
    ("mcpkg/blank", &["/name"], Text(&[" "])),
    ("mcpkg/blank", &["/capabilities/0"], Text(&["\t"])),
    ("mcpkg/version", &["/version"], Text(&["1", "v1.0.0", "1.0", "01.0.0", "^1.0.0", ""])),
    ("mcpkg/capabilities-empty", &["/capabilities"], Json(&["[]"])),
    ("mcpkg/no-endpoint", &["/endpoint"], Remove),
    ("mcpkg/endpoint-type", &["/endpoint/type"], Text(&["grpc", "", "HTTP"])),
    ("mcpkg/endpoint-method", &["/endpoint/method"], Text(&["", "GE T", "é"])),
    (
        "mcpkg/endpoint-url",
        &["/endpoint/url"],
        Text(&["", "/relative", "file:///etc/passwd", "https://user@example.com"]),
    ),
    (
        "mcpkg/endpoint-command",
        &["/endpoint"],
        Json(&[
            r#"{"type": "local", "command": ""}"#,
            r#"{"type": "local", "command": "node ../x.js"}"#,
            r#"{"type": "local", "command": "a\u0000b"}"#,
        ]),
    ),
    ("mcpkg/timeout", &["/endpoint/timeoutMs"], Json(&["0", "-1", "-0.0", "1e999"])),
    ("mcpkg/auth-type", &["/auth/type"], Text(&["basic", "", "OAuth2"])),
    ("mcpkg/schema-type", &["/input_schema"], Json(&["null", "[]", "1"])),
    ("mcpkg/file-path", &["/tests/0"], Text(&["../x", "C:/x", "a/../b"])),
    ("mcpkg/duplicate-file", &["/tests"], Json(&[r#"["tests/a", "tests/a"]"#])),
    ("mcpkg/control-character", &["/name"], Text(&["a\u{7}b"])),
    ("mcpkg/unusual-method", &["/endpoint/method"], Text(&["PURGE"])),
    ("mcpkg/insecure-url", &["/endpoint/url"], Text(&["http://example.com/"])),
    (
        "mcpkg/private-url",
        &["/endpoint/url"],
        Text(&["https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/"]),
    ),
    (
        "mcpkg/shell-syntax",
        &["/endpoint"],
        Json(&[
            r#"{"type": "local", "command": "a | b"}"#,
            r#"{"type": "local", "command": "echo $HOME"}"#,
            r#"{"type": "local", "command": "a; b"}"#,
        ]),
    ),
    ("mcpkg/fractional-timeout", &["/endpoint/timeoutMs"], Json(&["1500.5"])),
    ("mcpkg/untyped-schema", &["/output_schema"], Json(&["{}"])),
    ("mcpkg/no-tests", &["/tests"], Remove),
    ("mcpkg/no-examples", &["/examples"], Remove),
    ("mcpkg/no-meta", &["/meta"], Remove),
    ("mcpkg/reference", &["/toolId"], Text(&["demo.echo", "acme.crm.search_customers"])),
    ("json/type", &["/description"], Json(&["null", "1", "[]", "{}"])),
    ("json/required", &["/toolId", "/name", "/input_schema"], Remove),
    ("json/key-case", &["/ToolID"], Text(&["a.b.c"])),
];

/// Generates a document that breaks this rule and no other, if possible.
///
/// `mcpkg/reference` is broken under the reference profile only.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let clean = clean(rng);
    let found = apply_defect(&clean, DEFECTS, rule.code, rng)
        .or_else(|| break_chain(&clean, rule.code, rng))
        .or_else(|| break_by_edits(&clean, rule.code, rng));
    match found {
        Some(tree) => Some(tree.render()),
        None => break_json(&clean.render(), rule, rng),
    }
}

/// Breaks rules about chains.
fn break_chain(clean: &Tree, code: &str, rng: &mut Rng) -> Option<Tree> {
    let steps = match code {
        "mcpkg/several-endpoints" => vec![step("a", "$.input.x")],
        "mcpkg/chain-length" => {
            let count = Limits::default().chain_steps + 1;
            (0..count).map(|i| step(&format!("s{i}"), "$.input.x")).collect()
        }
        "mcpkg/chain-path" => vec![step("a", rng.word(&["input", "$.input.*", "$..x"]))],
        "mcpkg/chain-name" => {
            vec![step(rng.word(&["input", "b"]), "$.input.x"), step("b", "$.input.x")]
        }
        "mcpkg/chain-reference" => {
            vec![step("a", rng.word(&["$.a.x", "$.b.x", "$.none.x"])), step("b", "$.input.x")]
        }
        "mcpkg/chain-cycle" => {
            let id = clean.get("toolId")?.clone();
            vec![vec![member("step", "a"), member("tool", id)].into()]
        }
        _ => return None,
    };
    let mut tree = clean.clone();
    if code != "mcpkg/several-endpoints" {
        tree.remove("/endpoint")?;
    }
    tree.put("/chain", steps.into())?;
    Some(tree)
}

/// Breaks rules that one edit cannot break: those of implementations and secrets.
fn break_by_edits(clean: &Tree, code: &str, rng: &mut Rng) -> Option<Tree> {
    let mut tree = clean.clone();
    let local = vec![member("type", "local"), member("command", "x")];
    match code {
        "mcpkg/duplicate-implementation" => {
            let one = Tree::from(vec![member("id", "a"), member("endpoint", local)]);
            tree.remove("/endpoint")?;
            tree.put("/implementations", vec![one; 2].into())?;
        }
        "mcpkg/unknown-platform" => {
            let platforms = vec![Tree::from(rng.word(&["windows-x64", "linux", ""]))];
            let one = vec![member("endpoint", local), member("platforms", platforms)];
            tree.remove("/endpoint")?;
            tree.put("/implementations", vec![Tree::from(one)].into())?;
        }
        "mcpkg/secret" => match rng.below(3) {
            0 => tree.put("/description", format!("Use {}.", value::secret(rng)).into())?,
            1 => {
                let url = format!("https://a.example/?k={}", value::secret(rng));
                tree.put("/endpoint/url", url.into())?;
            }
            _ => tree.put("/output_schema/default", value::secret(rng).into())?,
        },
        _ => return None,
    }
    Some(tree)
}

/// Returns a document without findings.
fn clean(rng: &mut Rng) -> Tree {
    let endpoint = vec![
        member("type", "http"),
        member("method", "POST"),
        member("url", "https://example.com/mcp"),
    ];
    let schema = || vec![member("type", "object")];
    Tree::from(vec![
        member("toolId", "acme.crm.search"),
        member("name", value::words(rng)),
        member("version", "1.0.0"),
        member("description", value::words(rng)),
        member("capabilities", vec![Tree::from("crm")]),
        member("endpoint", endpoint),
        member("input_schema", schema()),
        member("output_schema", schema()),
        member("auth", vec![member("type", "none")]),
        member("tests", vec![Tree::from("tests/a.test.json")]),
        member("examples", vec![Tree::from("examples/a.md")]),
        member("meta", vec![member("license", "MIT")]),
    ])
}

fn step(name: &str, path: &str) -> Tree {
    Tree::from(vec![
        member("step", name),
        member("tool", "tools.text.clean"),
        member("inputMapping", vec![member("x", path)]),
    ])
}
