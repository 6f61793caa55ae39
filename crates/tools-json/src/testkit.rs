//! Documents to test with: valid ones, and ones with one defect.

use manifest_core::{Limits, Rule};
use testkit::{Rng, Testkit, Tree, Vocabulary, defect as defect_in_text, member, value};

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

/// A document that breaks that rule and no other, where there is one.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let clean = |name: &str| {
        vec![
            member("name", name),
            member("description", value::words(rng)),
            member("schema", vec![member("type", "object")]),
            member("command", vec![Tree::from("./tools/bin/one")]),
        ]
    };
    let mut clean = clean;
    let (one, two) = (clean("one"), clean("two"));
    let document = |one: Vec<(String, Tree)>| {
        let tools = vec![Tree::from(one), Tree::from(two.clone())];
        Tree::from(vec![member("tools", tools)]).render()
    };
    let with = |name: &str, value: Tree| {
        let mut tool = one.clone();
        tool.retain(|(found, _)| found != name);
        tool.push(member(name, value));
        Some(document(tool))
    };
    let without = |name: &str| {
        let mut tool = one.clone();
        tool.retain(|(found, _)| found != name);
        Some(document(tool))
    };
    let program = |program: &str| with("command", vec![Tree::from(program)].into());
    let variable = |name: &str| with("envPassthrough", vec![Tree::from(name)].into());
    match rule.code {
        "tools-json/name-required" => {
            if rng.once_in(2) {
                without("name")
            } else {
                with("name", "".into())
            }
        }
        "tools-json/duplicate-name" => with("name", "two".into()),
        "tools-json/command-empty" => {
            if rng.once_in(2) {
                without("command")
            } else {
                with("command", Tree::Array(Vec::new()))
            }
        }
        "tools-json/env-name" => variable(rng.word(&["", " ", "1BAD", "OAI-API-KEY", "ß", "A B"])),
        "tools-json/command-escape" => program(rng.word(&[
            "../x",
            "./tools/bin/../hack",
            ".\\tools\\bin\\..\\hack",
            "./tools/bin",
            "./tools/bin/../../../x",
        ])),
        "tools-json/command-prefix" => program(rng.word(&["echo", "tools/bin/x", "", "C:\\x"])),
        "tools-json/command-length" => {
            let argument = Tree::from("./tools/bin/one");
            with("command", vec![argument; Limits::default().arguments + 1].into())
        }
        "tools-json/command-trailing" => {
            program(rng.word(&["./tools/bin/x ", "./tools/bin/x.exe."]))
        }
        "tools-json/control-character" => {
            if rng.once_in(2) {
                program("./tools/bin/a\u{202e}b")
            } else {
                with("command", vec![Tree::from("./tools/bin/one"), Tree::from("a\0b")].into())
            }
        }
        "tools-json/schema-type" => {
            with("schema", Tree::plain(rng.word(&["true", "null", "[]", "\"x\"", "1"])))
        }
        "tools-json/no-tools" => Some("{\"tools\":[]}".to_owned()),
        "tools-json/function-name" => with("name", rng.word(&["Read a File", "a.b", "é"]).into()),
        "tools-json/negative-timeout" => with("timeoutSec", Tree::plain("-5")),
        "tools-json/absolute-command" => program("/usr/bin/env"),
        "tools-json/unusual-path" => program(rng.word(&["./tools/bin//x", ".\\tools\\bin\\x"])),
        "tools-json/dangerous-env" => variable(rng.word(&["PATH", "ld_preload", "DYLD_X"])),
        "tools-json/secret" => match rng.below(3) {
            0 => with("description", format!("Use {}.", value::secret(rng)).into()),
            1 => {
                let schema = vec![member("default", value::secret(rng))];
                with("schema", vec![member("properties", vec![member("token", schema)])].into())
            }
            _ => {
                let argument = Tree::from(value::secret(rng));
                with("command", vec![Tree::from("./tools/bin/one"), argument].into())
            }
        },
        "json/type" => with("description", Tree::plain(rng.word(&["null", "1", "[]", "{}"]))),
        "json/required" => Some("{}".to_owned()),
        "json/key-case" => with("TimeoutSec", Tree::plain("5")),
        "json/number-range" => {
            with("timeoutSec", Tree::plain(rng.word(&["5.0", "1e1", "9223372036854775808"])))
        }
        _ => defect_in_text(&document(one.clone()), rule, rng),
    }
}
