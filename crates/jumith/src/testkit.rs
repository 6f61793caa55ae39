//! Documents to test with: valid ones, and ones with one defect.

use testkit::{Rng, Testkit, Tree, Vocabulary, member, value};

mod broken;

pub use broken::{ABOUT_OTHERS, defect};

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
