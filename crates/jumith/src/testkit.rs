//! Documents to test with: valid ones, and ones with one defect.

use manifest_core::{Limits, Rule};
use testkit::{Rng, Testkit, Tree, Vocabulary, defect as defect_in_text, member, value};

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The words of this format.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "id",
        "name",
        "version",
        "summary",
        "description",
        "tags",
        "provider",
        "entry",
        "runtime",
        "main",
        "export",
        "schema",
        "input",
        "output",
        "usesPayment",
        "requiresApproval",
        "requiredSecrets",
        "sha256",
    ],
    maps: &[],
    open: &[],
};

/// The rules that no manifest can break: they are about bundles, search results
/// and modules, or about several tools.
pub static ABOUT_OTHERS: &[&str] = &[
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

/// A valid document, with schemas of about that size. Every member is there at times,
/// and in all the spellings that are valid.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let id = rng.word(&[
        "tool:email.send",
        "tool:a",
        "email.send",
        "é ~",
        "UPPER:x",
        "a.b",
        "tool:A-b_c",
    ]);
    let id = if rng.once_in(16) { id.repeat(20) } else { id.to_owned() };
    let names = ["email.send", "order_pizza", "Send mail", "a/b ~", "é"];
    let versions =
        ["1.2.0", "0.1.0", "1.2.3-rc.1+build.5", "10.20.30", "1.0.0-RC.1", "1.0.0+Build"];
    let mut members = vec![
        member("id", id),
        member("name", rng.word(&names)),
        member("version", rng.word(&versions)),
        member("summary", said(rng)),
        member("description", said(rng)),
        member("entry", entry(rng)),
    ];
    let mut maybe = |name: &str, value: fn(&mut Rng, usize) -> Tree| {
        if rng.once_in(2) {
            members.push(member(name, value(rng, size)));
        }
    };
    maybe("tags", |rng, _| some(rng, &["email", "Email", "two words", "é", "smtp", "a,b"]));
    maybe("provider", |rng, _| rng.word(&["acme", "A. Person", "é", ""]).into());
    maybe("schema", schemas);
    maybe("usesPayment", |rng, _| Tree::plain(rng.word(&["true", "false"])));
    maybe("requiresApproval", |rng, _| Tree::plain(rng.word(&["true", "false"])));
    maybe("requiredSecrets", secrets);
    maybe("sha256", |rng, _| {
        rng.word(&["0", "a", "9f"]).repeat(64).chars().take(64).collect::<String>().into()
    });
    Tree::from(members).render()
}

/// A text that is not blank.
fn said(rng: &mut Rng) -> Tree {
    let text = if rng.once_in(6) { value::long(rng) } else { value::text(rng) };
    if crate::names::is_blank(&text) { "says something".into() } else { text.into() }
}

fn entry(rng: &mut Rng) -> Tree {
    let mains = ["dist/index.js", "dist/index.js", "index.mjs", "a b/é.cjs", "..x/main.py"];
    let mut members = vec![member("runtime", "node"), member("main", rng.word(&mains))];
    if rng.once_in(2) {
        members.push(member("export", rng.word(&["tool", "default", "$x", "été"])));
    }
    rng.shuffle(&mut members);
    members.into()
}

fn schemas(rng: &mut Rng, size: usize) -> Tree {
    let mut members = Vec::new();
    for name in ["input", "output"] {
        match rng.below(8) {
            0 => {}
            1 => members.push(member(name, Tree::plain(rng.word(&["true", "false"])))),
            2 => members.push(member(name, value::nothing())),
            3 => members.push(member(name, Tree::Object(Vec::new()))),
            _ => members.push(member(name, value::schema(rng, size))),
        }
    }
    members.into()
}

fn secrets(rng: &mut Rng, _: usize) -> Tree {
    let mut names = ["smtp_user", "smtp_pass", "payment.card_number", "API_KEY", "b-c", "é", "9a"];
    rng.shuffle(&mut names);
    let count = rng.below(4);
    names.iter().take(count).map(|name| Tree::from(*name)).collect::<Vec<_>>().into()
}

/// Some of the words, in any order, a word more than once at times.
fn some(rng: &mut Rng, words: &[&str]) -> Tree {
    let count = rng.below(4);
    (0..count).map(|_| Tree::from(rng.word(words))).collect::<Vec<_>>().into()
}

/// A document that breaks that rule and no other, where there is one.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    if ABOUT_OTHERS.contains(&rule.code) {
        return None;
    }
    let clean = vec![
        member("id", "tool:email.send"),
        member("name", "email.send"),
        member("version", "1.2.0"),
        member("summary", value::words(rng)),
        member("description", value::words(rng)),
        member("entry", vec![member("runtime", "node"), member("main", "dist/index.js")]),
        member("schema", vec![member("input", vec![member("type", "object")])]),
        member("requiresApproval", Tree::plain("true")),
        member("requiredSecrets", vec![Tree::from("smtp_user")]),
    ];
    let with = |name: &str, value: Tree| {
        let mut members = clean.clone();
        members.retain(|(found, _)| found != name);
        members.push(member(name, value));
        Some(Tree::from(members).render())
    };
    let without = |name: &str| {
        let mut members = clean.clone();
        members.retain(|(found, _)| found != name);
        Some(Tree::from(members).render())
    };
    let entry = |runtime: &str, main: &str, export: Option<&str>| {
        let mut members = vec![member("runtime", runtime), member("main", main)];
        members.extend(export.map(|export| member("export", export)));
        with("entry", members.into())
    };
    let list = |words: &[&str]| -> Tree {
        words.iter().map(|word| Tree::from(*word)).collect::<Vec<_>>().into()
    };
    match rule.code {
        "jumith/not-a-manifest" => Some(
            rng.word(&[
                r#"{"manifest":{},"files":[]}"#,
                r#"{"results":[],"total":0}"#,
                r#"{"error":{"code":"TOOL_NOT_FOUND","message":"gone"}}"#,
            ])
            .to_owned(),
        ),
        "jumith/blank" => {
            with(rng.word(&["id", "name", "version", "summary", "description"]), "  ".into())
        }
        "jumith/id" => {
            with("id", rng.word(&["tool:../x", "a?b", "a#b", "%2e", "a\\b", ".."]).into())
        }
        "jumith/version" => {
            with("version", rng.word(&["../1", "1.0", "latest", "v1.0.0", "1%2f"]).into())
        }
        "jumith/unsupported-runtime" => {
            if rng.once_in(2) {
                entry(rng.word(&["deno", "Node", "python", ""]), "dist/index.js", None)
            } else {
                with("entry", vec![member("main", "dist/index.js")].into())
            }
        }
        "jumith/entry-main" => {
            entry("node", rng.word(&["../x.js", "/x.js", "C:\\x.js", "a\\b.js", "aux/x.js"]), None)
        }
        "jumith/export" => {
            let names = ["__proto__", "constructor", "a.b", "", "1a", "a b"];
            entry("node", "dist/index.js", Some(rng.word(&names)))
        }
        "jumith/secret-name" => {
            with("requiredSecrets", list(&[rng.word(&["", "A=B", "a b", "\n", "a\u{200b}"])]))
        }
        "jumith/duplicate-secret" => with("requiredSecrets", list(&["a", "b", "a"])),
        "jumith/secret-count" => {
            let count = Limits::default().secrets + 1;
            let names: Vec<_> = (0..count).map(|i| Tree::from(format!("s{i}"))).collect();
            with("requiredSecrets", names.into())
        }
        "jumith/schema-type" => {
            let schema = Tree::plain(rng.word(&["null", "[]", "\"x\"", "1"]));
            with("schema", vec![member("input", schema)].into())
        }
        "jumith/sha256" => with("sha256", rng.word(&["", "sha256", "ABC"]).into()),
        "jumith/control-character" => with("name", "email\u{1b}[2J".into()),
        "jumith/reference" => {
            without(rng.word(&["id", "name", "version", "summary", "description", "entry"]))
        }
        "jumith/id-form" => with("id", rng.word(&["email.send", "tool:Email", "tool:"]).into()),
        "jumith/entry-extension" => entry("node", rng.word(&["tool.json", "main.py"]), None),
        "jumith/secret-ambiguous" => with("name", "email-send".into()),
        "jumith/tag" => with("tags", list(&[rng.word(&["", " ", "a,b"])])),
        "jumith/no-approval" => without("requiresApproval"),
        "jumith/no-schema" => {
            if rng.once_in(2) {
                without("schema")
            } else {
                with("schema", Tree::Object(Vec::new()))
            }
        }
        "jumith/secret" => match rng.below(3) {
            0 => with("description", format!("Use {}.", value::secret(rng)).into()),
            1 => with("provider", value::secret(rng).into()),
            _ => {
                let token = vec![member("default", value::secret(rng))];
                let schema = vec![member("properties", vec![member("token", token)])];
                with("schema", vec![member("input", schema)].into())
            }
        },
        "json/type" => with("tags", Tree::plain(rng.word(&["null", "1", "\"a\"", "{}"]))),
        "json/required" => without(rng.word(&["id", "name", "version", "entry"])),
        "json/key-case" => with("UsesPayment", Tree::plain("true")),
        _ => defect_in_text(&Tree::from(clean.clone()).render(), rule, rng),
    }
}
