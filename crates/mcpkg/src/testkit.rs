//! Documents to test with: valid ones, and ones with one defect.

use testkit::{Rng, Testkit, Tree, Vocabulary, member, value};

mod broken;

pub use broken::defect;

/// What makes documents of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The words of this format.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "toolId",
        "name",
        "version",
        "description",
        "capabilities",
        "endpoint",
        "type",
        "method",
        "url",
        "command",
        "timeoutMs",
        "implementations",
        "id",
        "language",
        "runtime",
        "platforms",
        "requirements",
        "chain",
        "step",
        "/opt/acme/bin/tool '${input.to}'",
        "tool",
        "inputMapping",
        "outputKey",
        "input_schema",
        "output_schema",
        "auth",
        "scopes",
        "configHints",
        "env",
        "docsUrl",
        "tests",
        "examples",
        "meta",
        "publisher",
        "website",
        "license",
        "homepage",
        "tags",
    ],
    maps: &["inputMapping"],
    open: &[],
};

/// A member, or none.
type Maybe = Option<(String, Tree)>;

/// A valid document, with schemas of about that size. Every member is there at times,
/// and in all the spellings that are valid.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    manifest(rng, size).render()
}

fn manifest(rng: &mut Rng, size: usize) -> Tree {
    let id = rng.word(&[
        "demo.echo",
        "acme.crm.search_customers",
        "a.b.c.d.e",
        "x-1.y_2.z3",
        "a.b",
        "1.2",
    ]);
    let id = if rng.once_in(16) { format!("{id}.{}", "long".repeat(30)) } else { id.to_owned() };
    let title = rng.word(&["Echo Tool", "a/b", "\"quoted\" ~ name", "é", " spaced "]);
    let title = if rng.once_in(12) { "long name ".repeat(12) } else { title.to_owned() };
    let text = if rng.once_in(6) { value::long(rng) } else { value::text(rng) };
    let version = rng.word(&[
        "1.0.0",
        "0.1.0",
        "1.2.3-rc.1+build.5",
        "10.20.30",
        "1.0.0-RC.1",
        "1.0.0+Build",
    ]);
    let mut members = vec![
        member("toolId", id),
        member("name", title.as_str()),
        member("version", version),
        member("description", if text.trim().is_empty() { title } else { text }),
        member("capabilities", some(rng, 1, &["crm", "files", "two words", "é", "crm"])),
        member("input_schema", schema(rng, size)),
        member("output_schema", schema(rng, size)),
    ];
    let way = rng.below(8);
    if matches!(way, 0..=2 | 7) {
        members.push(member("endpoint", endpoint(rng)));
    }
    match way {
        3 | 4 | 7 => members.push(member("implementations", implementations(rng))),
        5 | 6 => members.push(member("chain", chain(rng))),
        _ => {}
    }
    members.extend(maybe(rng, "auth", auth));
    members.extend(maybe(rng, "tests", |rng| some(rng, 0, &["tests/a.test.json"])));
    members.extend(maybe(rng, "examples", |rng| some(rng, 0, &["examples/basic.md"])));
    members.extend(maybe(rng, "meta", meta));
    members.into()
}

/// A member that is there every other time.
fn maybe(rng: &mut Rng, name: &str, value: impl Fn(&mut Rng) -> Tree) -> Maybe {
    rng.once_in(2).then(|| member(name, value(rng)))
}

/// At least `least` of the words, in any order, a word more than once at times.
fn some(rng: &mut Rng, least: usize, words: &[&str]) -> Tree {
    let count = least + rng.below(words.len().min(3) + 1 - least);
    let words = (0..count).map(|_| Tree::from(rng.word(words)));
    words.collect::<Vec<_>>().into()
}

fn schema(rng: &mut Rng, size: usize) -> Tree {
    match rng.below(12) {
        0 => Tree::plain(rng.word(&["true", "false"])),
        1 => Tree::Object(Vec::new()),
        2 => value::nothing(),
        _ => value::schema(rng, size),
    }
}

fn timeout(rng: &mut Rng) -> Tree {
    let numbers =
        ["5000", "1500", "1.0", "5e3", "1E-400", "0.25", "123456789012345678901234567890"];
    Tree::plain(rng.word(&numbers))
}

/// Those that the specification names, in some cases that are not its own, and another.
const METHODS: &[&str] = &[
    "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "post", "Put", "pAtCh",
    "PURGE",
];

fn endpoint(rng: &mut Rng) -> Tree {
    if rng.once_in(3) {
        return local(rng);
    }
    let urls = [
        "https://example.com/mcp",
        "https://example.com/v1/send",
        "https://example.com",
        "https://example.com/a%20b/$x",
        "http://localhost:8080/é?a=b",
        "https://[::1]/",
    ];
    let mut members = vec![
        member("type", "http"),
        member("method", rng.word(METHODS)),
        member("url", rng.word(&urls)),
    ];
    members.extend(maybe(rng, "timeoutMs", timeout));
    if rng.once_in(8) {
        members.push(member("command", "node unused.js"));
    }
    members.into()
}

fn local(rng: &mut Rng) -> Tree {
    let mut members = vec![member("type", "local"), member("command", line(rng))];
    members.extend(maybe(rng, "timeoutMs", timeout));
    if rng.once_in(8) {
        members.push(member("url", "https://example.com/unused"));
    }
    members.into()
}

fn line(rng: &mut Rng) -> &'static str {
    rng.word(&[
        "node ./sdk/pdf.js",
        "/opt/acme/bin/tool",
        "/opt/acme/bin/tool --flag 'two words'",
        "tool",
        "./tools/bin/get_time",
        "./tools/bin/get_time  'two words' \"\"",
        "python -c \"print(1)\"",
        "cat a | sort > b",
        "unbalanced 'quote",
        "é",
    ])
}

fn implementations(rng: &mut Rng) -> Tree {
    let count = 1 + rng.below(3);
    let implementations = (0..count).map(|index| {
        let mut members = vec![member("endpoint", endpoint(rng))];
        let id = format!("{}{index}", rng.word(&["node", "command", "a=b", "~/"]));
        members.extend(maybe(rng, "id", |_| id.as_str().into()));
        members.extend(maybe(rng, "language", |rng| rng.word(&["javascript", "dotnet"]).into()));
        members.extend(maybe(rng, "runtime", |rng| rng.word(&["node", "net8.0"]).into()));
        members.extend(maybe(rng, "platforms", |rng| {
            some(rng, 0, &["linux-x64", "win-x64", "browser", "amiga"])
        }));
        members.extend(maybe(rng, "requirements", |rng| {
            vec![member("minNodeVersion", "18.0.0"), member("any", value::value(rng, 3))].into()
        }));
        members.into()
    });
    Tree::Array(implementations.collect())
}

fn chain(rng: &mut Rng) -> Tree {
    let count = 1 + rng.below(3);
    let steps = (0..count).map(|index| {
        let from = match index {
            0 => "input".to_owned(),
            _ => format!("out{}", rng.below(index)),
        };
        let mut members =
            vec![member("tool", rng.word(&["tools.pdf.read_local", "tools.text.clean"]))];
        // Without a key for its output, a step's name is that.
        if rng.once_in(4) {
            members.push(member("step", format!("out{index}")));
        } else {
            members.push(member("outputKey", format!("out{index}")));
            members.extend(maybe(rng, "step", |_| format!("step{index}").into()));
        }
        members.extend(maybe(rng, "inputMapping", |_| {
            vec![member("path", format!("$.{from}.a")), member("a/b", "$.input.list[0]")].into()
        }));
        members.into()
    });
    Tree::Array(steps.collect())
}

fn auth(rng: &mut Rng) -> Tree {
    let mut members = vec![member("type", rng.word(&["none", "bearer", "api_key", "oauth2"]))];
    members.extend(maybe(rng, "scopes", |rng| some(rng, 0, &["read", "write", "é"])));
    members.extend(maybe(rng, "configHints", |rng| {
        let mut hints = Vec::new();
        hints.extend(maybe(rng, "env", |rng| {
            match rng.below(6) {
                0 => Tree::from("not a list"),
                // One variable is what others have a word for.
                1 | 2 => vec![Tree::from("API_KEY")].into(),
                _ => some(rng, 0, &["API_KEY", "TZ", "tz", "my-var", "", "API_KEY"]),
            }
        }));
        hints.extend(maybe(rng, "docsUrl", |rng| {
            if rng.once_in(6) {
                Tree::plain("null")
            } else {
                Tree::from("https://example.com/docs")
            }
        }));
        hints.extend(maybe(rng, "hint", |rng| value::value(rng, 3)));
        hints.into()
    }));
    members.into()
}

fn meta(rng: &mut Rng) -> Tree {
    let mut members = Vec::new();
    members.extend(maybe(rng, "publisher", |rng| {
        let mut publisher = Vec::new();
        publisher.extend(maybe(rng, "id", |_| "stripe".into()));
        publisher.extend(maybe(rng, "name", |rng| value::text(rng).into()));
        publisher.extend(maybe(rng, "website", |_| "https://stripe.com".into()));
        publisher.into()
    }));
    members.extend(maybe(rng, "license", |rng| rng.word(&["MIT", "", "proprietary"]).into()));
    members.extend(maybe(rng, "homepage", |rng| rng.word(&["https://a.example", ""]).into()));
    members.extend(maybe(rng, "tags", |rng| some(rng, 0, &["production", "eu", "eu"])));
    members.into()
}
