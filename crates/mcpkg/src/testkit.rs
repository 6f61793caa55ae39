//! Documents to test with: valid ones, and ones with one defect.

use manifest_core::{Limits, Rule};
use testkit::{Rng, Testkit, Tree, Vocabulary, defect as defect_in_text, member, value};

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

/// A document that breaks that rule and no other, where there is one.
///
/// What breaks `mcpkg/reference` does so under the reference profile only.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let clean = clean(rng);
    let with = |pointer: &str, value: Tree| {
        let (parent, name) = pointer.rsplit_once('/')?;
        let mut tree = clean.clone();
        if let Tree::Object(members) = tree.at_mut(parent)? {
            members.retain(|(found, _)| found != name);
            members.push(member(name, value));
        }
        Some(tree.render())
    };
    let without = |names: &[&str]| {
        let members = clean.members().iter();
        let kept = members.filter(|(name, _)| !names.contains(&name.as_str()));
        Tree::Object(kept.cloned().collect())
    };
    // The clean document with another way to call the tool.
    let called = |name: &str, way: Tree| {
        let Tree::Object(mut members) = without(&["endpoint"]) else {
            return None;
        };
        members.push(member(name, way));
        Some(Tree::Object(members).render())
    };
    let command =
        |line: &str| called_locally(line).and_then(|endpoint| with("/endpoint", endpoint));
    let steps = |steps: Vec<Tree>| called("chain", steps.into());
    match rule.code {
        "mcpkg/tool-id" => {
            with("/toolId", rng.word(&["echo", "A.b.c", "a..b", "../x.y", "a.b-.c"]).into())
        }
        "mcpkg/tool-id-segments" => with("/toolId", rng.word(&["demo.echo", "a.b.c.d.e"]).into()),
        "mcpkg/blank" => {
            if rng.once_in(2) {
                with("/name", " ".into())
            } else {
                with("/capabilities", vec![Tree::from("\t")].into())
            }
        }
        "mcpkg/version" => {
            with("/version", rng.word(&["1", "v1.0.0", "1.0", "01.0.0", "^1.0.0", ""]).into())
        }
        "mcpkg/capabilities-empty" => with("/capabilities", Tree::Array(Vec::new())),
        "mcpkg/no-endpoint" => Some(without(&["endpoint"]).render()),
        "mcpkg/several-endpoints" => with("/chain", vec![step("a", "$.input.x")].into()),
        "mcpkg/endpoint-type" => with("/endpoint/type", rng.word(&["grpc", "", "HTTP"]).into()),
        "mcpkg/endpoint-method" => with("/endpoint/method", rng.word(&["", "GE T", "é"]).into()),
        "mcpkg/endpoint-url" => with(
            "/endpoint/url",
            rng.word(&["", "/relative", "file:///etc/passwd", "https://u:p@example.com"]).into(),
        ),
        "mcpkg/endpoint-command" => command(rng.word(&["", "node ../x.js", "a\0b"])),
        "mcpkg/timeout" => {
            with("/endpoint/timeoutMs", Tree::plain(rng.word(&["0", "-1", "-0.0", "1e999"])))
        }
        "mcpkg/auth-type" => with("/auth/type", rng.word(&["basic", "", "OAuth2"]).into()),
        "mcpkg/schema-type" => with("/input_schema", Tree::plain(rng.word(&["null", "[]", "1"]))),
        "mcpkg/file-path" => {
            with("/tests", vec![Tree::from(rng.word(&["../x", "C:/x", "a/../b"]))].into())
        }
        "mcpkg/duplicate-file" => with("/tests", vec![Tree::from("tests/a"); 2].into()),
        "mcpkg/duplicate-implementation" => {
            let one = Tree::from(vec![member("id", "a"), member("endpoint", called_locally("x")?)]);
            called("implementations", vec![one; 2].into())
        }
        "mcpkg/chain-length" => {
            let count = Limits::default().chain_steps + 1;
            steps((0..count).map(|i| step(&format!("s{i}"), "$.input.x")).collect())
        }
        "mcpkg/chain-path" => steps(vec![step("a", rng.word(&["input", "$.input.*", "$..x"]))]),
        "mcpkg/chain-name" => {
            steps(vec![step(rng.word(&["input", "b"]), "$.input.x"), step("b", "$.input.x")])
        }
        "mcpkg/chain-reference" => steps(vec![
            step("a", rng.word(&["$.a.x", "$.b.x", "$.none.x"])),
            step("b", "$.input.x"),
        ]),
        "mcpkg/chain-cycle" => {
            let id = clean.get("toolId")?.clone();
            steps(vec![vec![member("step", "a"), member("tool", id)].into()])
        }
        "mcpkg/control-character" => with("/name", "a\u{7}b".into()),
        "mcpkg/unusual-method" => with("/endpoint/method", "PURGE".into()),
        "mcpkg/insecure-url" => with("/endpoint/url", "http://example.com/".into()),
        "mcpkg/private-url" => with(
            "/endpoint/url",
            rng.word(&["https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/"])
                .into(),
        ),
        "mcpkg/shell-syntax" => command(rng.word(&["a | b", "echo $HOME", "a; b"])),
        "mcpkg/fractional-timeout" => with("/endpoint/timeoutMs", Tree::plain("1500.5")),
        "mcpkg/untyped-schema" => with("/output_schema", Tree::Object(Vec::new())),
        "mcpkg/unknown-platform" => {
            let platforms = vec![Tree::from(rng.word(&["windows-x64", "linux", ""]))];
            let one =
                vec![member("endpoint", called_locally("x")?), member("platforms", platforms)];
            called("implementations", vec![Tree::from(one)].into())
        }
        "mcpkg/no-tests" => Some(without(&["tests"]).render()),
        "mcpkg/no-examples" => Some(without(&["examples"]).render()),
        "mcpkg/no-meta" => Some(without(&["meta"]).render()),
        "mcpkg/reference" => {
            with("/toolId", rng.word(&["demo.echo", "acme.crm.search_customers"]).into())
        }
        "mcpkg/secret" => match rng.below(3) {
            0 => with("/description", format!("Use {}.", value::secret(rng)).into()),
            1 => {
                with("/endpoint/url", format!("https://a.example/?k={}", value::secret(rng)).into())
            }
            _ => with("/output_schema/default", value::secret(rng).into()),
        },
        "json/type" => with("/description", Tree::plain(rng.word(&["null", "1", "[]", "{}"]))),
        "json/required" => Some(without(&[rng.word(&["toolId", "name", "input_schema"])]).render()),
        "json/key-case" => with("/ToolID", "a.b.c".into()),
        _ => defect_in_text(&clean.render(), rule, rng),
    }
}

/// A document in which nothing is worth a word.
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

#[allow(clippy::unnecessary_wraps)] // like its siblings
fn called_locally(line: &str) -> Option<Tree> {
    Some(vec![member("type", "local"), member("command", line)].into())
}

fn step(name: &str, path: &str) -> Tree {
    Tree::from(vec![
        member("step", name),
        member("tool", "tools.text.clean"),
        member("inputMapping", vec![member("x", path)]),
    ])
}
