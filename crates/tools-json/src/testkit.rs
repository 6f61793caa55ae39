//! Documents to test with: valid ones, and ones with one defect.

use testkit::{Rng, Testkit, Tree, Vocabulary, member, value};

mod broken;

pub use broken::defect;

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The words of this format.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &["tools", "name", "description", "schema", "command", "timeoutSec", "envPassthrough"],
    maps: &[],
    open: &[],
};

/// A valid document with up to `size` tools and schemas of about that size. Every
/// member is there at times, and in all the spellings that are valid.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let count = if rng.once_in(16) { 0 } else { 1 + rng.below(size) };
    let tools = (0..count).map(|index| tool(rng, index, size));
    let tools: Vec<_> = tools.collect();
    Tree::from(vec![member("tools", tools)]).render()
}

fn tool(rng: &mut Rng, index: usize, size: usize) -> Tree {
    let name = rng.word(&[
        "get_time",
        "acme.files.read",
        "Read File",
        "é/~",
        "UPPER",
        "-",
        "tool:email.send",
    ]);
    let name = if rng.once_in(16) { name.repeat(40) } else { name.to_owned() };
    let mut members =
        vec![member("name", format!("{name}{index}")), member("command", command(rng))];
    if rng.once_in(2) {
        let text = if rng.once_in(6) { value::long(rng) } else { value::text(rng) };
        members.push(member("description", text));
    }
    if rng.once_in(2) {
        let schema = match rng.below(8) {
            0 => value::nothing(),
            1 => Tree::Object(Vec::new()),
            _ => value::schema(rng, size),
        };
        members.push(member("schema", schema));
    }
    if rng.once_in(2) {
        let seconds = ["5", "30", "3600", "0", "-0", "-5", "9223372036854775807"];
        members.push(member("timeoutSec", Tree::plain(rng.word(&seconds))));
    }
    if rng.once_in(2) {
        let names = [
            "TZ",
            "tz",
            " Path ",
            "_",
            "OAI_API_KEY",
            "oai_api_key",
            "HOME",
            "API_KEY",
            "SMTP_PASS2",
        ];
        members.push(member("envPassthrough", words(rng, &names)));
    }
    members.into()
}

fn command(rng: &mut Rng) -> Tree {
    let program = rng.word(&[
        "./tools/bin/get_time",
        "./tools/bin/get_time",
        "./tools/bin/sub/read file",
        "./tools/bin/../bin/x",
        ".\\tools\\bin\\x.exe",
        "./tools/bin//x",
        "/usr/bin/env",
        "/opt/acme/bin/tool",
        "/opt/acme/bin/a b",
        "/opt//acme/../bin/x",
    ]);
    let mut command = vec![Tree::from(program)];
    for _ in 0..rng.below(4) {
        let argument = match rng.below(3) {
            0 => rng
                .word(&[
                    "",
                    "-v",
                    "--out=../up",
                    "a b",
                    "$HOME",
                    "'",
                    "*",
                    "line\nbreak",
                    "${input.to}",
                    "${TZ}",
                ])
                .to_owned(),
            _ => value::text(rng).replace('\0', ""),
        };
        command.push(argument.into());
    }
    command.into()
}

/// Some of the words, in any order, a word more than once at times.
fn words(rng: &mut Rng, words: &[&str]) -> Tree {
    let count = rng.below(4);
    let words = (0..count).map(|_| Tree::from(rng.word(words)));
    words.collect::<Vec<_>>().into()
}
