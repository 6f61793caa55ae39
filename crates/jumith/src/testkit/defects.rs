//! Documents with one defect, by the rule that they break.

use manifest_core::{Limits, Rule};
use testkit::Mutation::{Json, Remove, Text};
use testkit::{Defect, Rng, Tree, apply_defect, break_json, member, value};

/// The rules that no single manifest can break: they are about bundles, search results,
/// modules or several tools.
pub static OTHER_DOCUMENT_RULES: &[&str] = &[
    "json/number-range",
    "jumith/encoding",
    "jumith/base64",
    "jumith/file-path",
    "jumith/file-collision",
    "jumith/file-count",
    "jumith/bundle-size",
    "jumith/entry-missing",
    "jumith/digest",
    "jumith/describe-mismatch",
    "jumith/identity",
    "jumith/sensitive-file",
    "jumith/immutable-version",
    "jumith/secret-collision",
    "jumith/export-missing",
    "jumith/tool-contract",
    "jumith/undeclared-secret",
    "jumith/undeclared-approval",
    "jumith/tool-name",
];

/// The changes to the clean document that break a rule.
static DEFECTS: &[Defect] = &[
    (
        "jumith/not-a-manifest",
        &[""],
        Json(&[
            r#"{"manifest":{},"files":[]}"#,
            r#"{"results":[],"total":0}"#,
            r#"{"error":{"code":"TOOL_NOT_FOUND","message":"gone"}}"#,
        ]),
    ),
    ("jumith/blank", &["/id", "/name", "/version", "/summary", "/description"], Text(&["  "])),
    ("jumith/id", &["/id"], Text(&["tool:../x", "a?b", "a#b", "%2e", "a\\b", ".."])),
    ("jumith/version", &["/version"], Text(&["../1", "1.0", "latest", "v1.0.0", "1%2f"])),
    ("jumith/unsupported-runtime", &["/entry/runtime"], Text(&["deno", "Node", "python", ""])),
    ("jumith/unsupported-runtime", &["/entry/runtime"], Remove),
    (
        "jumith/entry-main",
        &["/entry/main"],
        Text(&["../x.js", "/x.js", "C:\\x.js", "a\\b.js", "aux/x.js"]),
    ),
    (
        "jumith/export",
        &["/entry/export"],
        Text(&["__proto__", "constructor", "a.b", "", "1a", "a b"]),
    ),
    ("jumith/secret-name", &["/requiredSecrets/0"], Text(&["", "A=B", "a b", "\n", "a\u{200b}"])),
    ("jumith/duplicate-secret", &["/requiredSecrets"], Json(&[r#"["a", "b", "a"]"#])),
    ("jumith/schema-type", &["/schema/input"], Json(&["null", "[]", "\"x\"", "1"])),
    ("jumith/sha256", &["/sha256"], Text(&["", "sha256", "ABC"])),
    ("jumith/control-character", &["/name"], Text(&["email\u{1b}[2J"])),
    (
        "jumith/reference",
        &["/id", "/name", "/version", "/summary", "/description", "/entry"],
        Remove,
    ),
    ("jumith/id-form", &["/id"], Text(&["email.send", "tool:Email", "tool:"])),
    ("jumith/entry-extension", &["/entry/main"], Text(&["tool.json", "main.py"])),
    ("jumith/secret-ambiguous", &["/name"], Text(&["email-send"])),
    ("jumith/tag", &["/tags"], Json(&[r#"[""]"#, r#"[" "]"#, r#"["a,b"]"#])),
    ("jumith/no-approval", &["/requiresApproval"], Remove),
    ("jumith/no-schema", &["/schema"], Remove),
    ("jumith/no-schema", &["/schema"], Json(&["{}"])),
    ("json/type", &["/tags"], Json(&["null", "1", "\"a\"", "{}"])),
    ("json/required", &["/id", "/name", "/version", "/entry"], Remove),
    ("json/key-case", &["/UsesPayment"], Json(&["true"])),
];

/// Returns a document that breaks this rule and no other, or `None` if there is none.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    if OTHER_DOCUMENT_RULES.contains(&rule.code) {
        return None;
    }
    let clean = clean_document(rng);
    let found = apply_defect(&clean, DEFECTS, rule.code, rng)
        .or_else(|| computed_defect(&clean, rule.code, rng));
    match found {
        Some(tree) => Some(tree.render()),
        None => break_json(&clean.render(), rule, rng),
    }
}

/// Breaks the rules whose defect is computed: many secrets, and random secrets.
fn computed_defect(clean: &Tree, code: &str, rng: &mut Rng) -> Option<Tree> {
    let mut tree = clean.clone();
    match code {
        "jumith/secret-count" => {
            let count = Limits::default().secrets + 1;
            let names: Vec<_> = (0..count).map(|i| Tree::from(format!("s{i}"))).collect();
            tree.put("/requiredSecrets", names.into())?;
        }
        "jumith/secret" => match rng.below(3) {
            0 => tree.put("/description", format!("Use {}.", value::secret(rng)).into())?,
            1 => tree.put("/provider", value::secret(rng).into())?,
            _ => {
                let token = vec![member("default", value::secret(rng))];
                let schema = vec![member("properties", vec![member("token", token)])];
                tree.put("/schema/input", schema.into())?;
            }
        },
        _ => return None,
    }
    Some(tree)
}

/// Returns a document without any diagnostic.
fn clean_document(rng: &mut Rng) -> Tree {
    Tree::from(vec![
        member("id", "tool:email.send"),
        member("name", "email.send"),
        member("version", "1.2.0"),
        member("summary", value::words(rng)),
        member("description", value::words(rng)),
        member("entry", vec![member("runtime", "node"), member("main", "dist/index.js")]),
        member("schema", vec![member("input", vec![member("type", "object")])]),
        member("requiresApproval", Tree::plain("true")),
        member("requiredSecrets", vec![Tree::from("smtp_user")]),
    ])
}
