//! Documents with one defect, by the rule that they break.

use manifest_core::{Limits, Rule};
use testkit::Mutation::{Json, Remove, Text};
use testkit::{Defect, Rng, Tree, apply_defect, break_json, member, value};

/// Changes to the clean document that break a rule.
static DEFECTS: &[Defect] = &[
    ("tools-json/name-required", &["/tools/0/name"], Remove),
    ("tools-json/name-required", &["/tools/0/name"], Text(&[""])),
    ("tools-json/duplicate-name", &["/tools/0/name"], Text(&["two"])),
    ("tools-json/command-empty", &["/tools/0/command"], Remove),
    ("tools-json/command-empty", &["/tools/0/command"], Json(&["[]"])),
    (
        "tools-json/env-name",
        &["/tools/0/envPassthrough"],
        Json(&[
            r#"[""]"#,
            r#"[" "]"#,
            r#"["1BAD"]"#,
            r#"["OAI-API-KEY"]"#,
            r#"["ß"]"#,
            r#"["A B"]"#,
        ]),
    ),
    (
        "tools-json/command-escape",
        &["/tools/0/command/0"],
        Text(&[
            "../x",
            "./tools/bin/../hack",
            ".\\tools\\bin\\..\\hack",
            "./tools/bin",
            "./tools/bin/../../../x",
        ]),
    ),
    (
        "tools-json/command-prefix",
        &["/tools/0/command/0"],
        Text(&["echo", "tools/bin/x", "", "C:\\x"]),
    ),
    (
        "tools-json/command-trailing",
        &["/tools/0/command/0"],
        Text(&["./tools/bin/x ", "./tools/bin/x.exe."]),
    ),
    ("tools-json/control-character", &["/tools/0/command/0"], Text(&["./tools/bin/a\u{202e}b"])),
    (
        "tools-json/control-character",
        &["/tools/0/command"],
        Json(&[r#"["./tools/bin/one", "a\u0000b"]"#]),
    ),
    ("tools-json/schema-type", &["/tools/0/schema"], Json(&["true", "null", "[]", "\"x\"", "1"])),
    ("tools-json/no-tools", &["/tools"], Json(&["[]"])),
    ("tools-json/function-name", &["/tools/0/name"], Text(&["Read a File", "a.b", "é"])),
    ("tools-json/negative-timeout", &["/tools/0/timeoutSec"], Json(&["-5"])),
    ("tools-json/absolute-command", &["/tools/0/command/0"], Text(&["/usr/bin/env"])),
    (
        "tools-json/unusual-path",
        &["/tools/0/command/0"],
        Text(&["./tools/bin//x", ".\\tools\\bin\\x"]),
    ),
    (
        "tools-json/dangerous-env",
        &["/tools/0/envPassthrough"],
        Json(&[r#"["PATH"]"#, r#"["ld_preload"]"#, r#"["DYLD_X"]"#]),
    ),
    ("json/type", &["/tools/0/description"], Json(&["null", "1", "[]", "{}"])),
    ("json/required", &["/tools"], Remove),
    ("json/key-case", &["/tools/0/TimeoutSec"], Json(&["5"])),
    ("json/number-range", &["/tools/0/timeoutSec"], Json(&["5.0", "1e1", "9223372036854775808"])),
];

/// Returns a document that breaks this rule and no other, if that is possible.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let tools = vec![clean_tool("one", rng), clean_tool("two", rng)];
    let clean = Tree::from(vec![member("tools", tools)]);
    let found = apply_defect(&clean, DEFECTS, rule.code, rng)
        .or_else(|| make_defect(&clean, rule.code, rng));
    match found {
        Some(tree) => Some(tree.render()),
        None => break_json(&clean.render(), rule, rng),
    }
}

/// Makes the defects that the list above cannot express: long values and secrets.
fn make_defect(clean: &Tree, code: &str, rng: &mut Rng) -> Option<Tree> {
    let mut tree = clean.clone();
    let program = Tree::from("./tools/bin/one");
    match code {
        "tools-json/command-length" => {
            let command = vec![program; Limits::default().arguments + 1];
            tree.put("/tools/0/command", command.into())?;
        }
        "tools-json/secret" => match rng.below(3) {
            0 => {
                let description = format!("Use {}.", value::secret(rng));
                tree.put("/tools/0/description", description.into())?;
            }
            1 => {
                let token = vec![member("default", value::secret(rng))];
                let schema = vec![member("properties", vec![member("token", token)])];
                tree.put("/tools/0/schema", schema.into())?;
            }
            _ => {
                let command = vec![program, Tree::from(value::secret(rng))];
                tree.put("/tools/0/command", command.into())?;
            }
        },
        _ => return None,
    }
    Some(tree)
}

/// Returns a tool that breaks no rule.
fn clean_tool(name: &str, rng: &mut Rng) -> Tree {
    Tree::from(vec![
        member("name", name),
        member("description", value::words(rng)),
        member("schema", vec![member("type", "object")]),
        member("command", vec![Tree::from("./tools/bin/one")]),
    ])
}
