//! Generators of test documents: valid ones, and ones with one defect.

use testkit::{Hints, Rng, Testkit, Tree, Vocabulary, generate_object, value};

use crate::table::{TABLE, Version};

mod defects;

pub use defects::defect;

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The vocabulary of this format.
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

const HINTS: Hints<'_> = Hints {
    samples: &[
        (
            "toolId",
            &[
                "demo.echo",
                "acme.crm.search_customers",
                "a.b.c.d.e",
                "x-1.y_2.z3",
                "a.b",
                "1.2",
                "acme.a_name_of_more_characters_than_a_model_takes_for_the_name_of_a_tool_and_more_than_the_one_hundred_and_twenty_eight_that_a_list_of_tools_has_room_for.x",
            ],
        ),
        (
            "/name",
            &[
                "Echo Tool",
                "a/b",
                "\"quoted\" ~ name",
                "é",
                " spaced ",
                "a name that is longer than what other formats take for a name, though it says no more than shorter ones would say ",
            ],
        ),
        (
            "/version",
            &["1.0.0", "0.1.0", "1.2.3-rc.1+build.5", "10.20.30", "1.0.0-RC.1", "1.0.0+Build"],
        ),
        ("capabilities", &["crm", "files", "two words", "é"]),
        // The methods in the specification, some in another case, and one other method.
        (
            "http/method",
            &[
                "GET", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "post", "Put",
                "pAtCh", "PURGE",
            ],
        ),
        (
            "http/url",
            &[
                "https://example.com/mcp",
                "https://example.com/v1/send",
                "https://example.com",
                "https://example.com/a%20b/$x",
                "http://localhost:8080/é?a=b",
                "https://[::1]/",
            ],
        ),
        (
            "local/command",
            &[
                "node ./sdk/pdf.js",
                "/opt/acme/bin/tool",
                "/opt/acme/bin/tool --flag 'two words'",
                "/opt/acme/bin/tool '${input.to}'",
                "tool",
                "./tools/bin/get_time",
                "./tools/bin/get_time  'two words' \"\"",
                "python -c \"print(1)\"",
                "cat a | sort > b",
                "unbalanced 'quote",
                "é",
            ],
        ),
        (
            "timeoutMs",
            &["5000", "1500", "1.0", "5e3", "1E-400", "0.25", "123456789012345678901234567890"],
        ),
        ("implementations/id", &["node", "command", "a=b", "~/"]),
        ("language", &["javascript", "dotnet"]),
        ("runtime", &["node", "net8.0"]),
        ("platforms", &["linux-x64", "win-x64", "browser", "amiga"]),
        ("requirements", &["{}", r#"{"minNodeVersion": "18.0.0", "any": [1.0, {"é": null}]}"#]),
        ("chain/tool", &["tools.pdf.read_local", "tools.text.clean"]),
        ("inputMapping", &["path", "a/b", "é"]),
        ("inputMapping/*", &["$.input.a", "$.input.list[0]"]),
        ("configHints/env", ENV_LISTS),
        ("configHints/docsUrl", &[r#""https://example.com/docs""#, "null"]),
        ("scopes", &["read", "write", "é"]),
        ("tests", &["tests/a.test.json", "tests/é.test.json"]),
        ("examples", &["examples/basic.md", "examples/more/b.md"]),
        ("publisher/id", &["stripe", ""]),
        ("website", &["https://stripe.com"]),
        ("license", &["MIT", "", "proprietary"]),
        ("homepage", &["https://a.example", ""]),
        ("tags", &["production", "eu"]),
    ],
    always: &CALL_MEMBERS,
};

/// The places that declare how to call a tool.
const CALL_MEMBERS: [&str; 3] = ["/endpoint", "/implementations", "/chain"];

/// Lists of variables. One is more frequent, because other formats can express it.
const ENV_LISTS: &[&str] = &[
    r#"["API_KEY"]"#,
    r#"["API_KEY"]"#,
    r#"["API_KEY"]"#,
    r#"["tz"]"#,
    r#"["my-var"]"#,
    r#"["API_KEY", "TZ"]"#,
    r#"["TZ", "tz"]"#,
    r#"["API_KEY", "API_KEY"]"#,
    r#"["API_KEY", "TZ", "HOME"]"#,
    r#"["tz", "my-var", "", "tz"]"#,
    r#"[""]"#,
    "[]",
    r#""not a list""#,
];

/// The number of steps or implementations that documents of any size may have, so that a
/// step can use the output of any earlier one, not only of the first.
const STEPS: usize = 3;

/// Generates a valid document with up to `size` steps or implementations, and schemas of up to
/// `size` properties. Sizes below 3 count as 3.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let version = if rng.once_in(3) { Version::V0_1 } else { Version::V0_2 };
    let mut tree = generate_object(TABLE.root, version as u8, HINTS, rng, size.max(STEPS));
    if version == Version::V0_2 {
        let ways: &[&str] = match rng.below(8) {
            0..=2 => &["/endpoint"],
            3 | 4 => &["/implementations"],
            5 | 6 => &["/chain"],
            _ => &["/endpoint", "/implementations"],
        };
        let none = |way: &&str| tree.at(way).is_some_and(|way| way.elements().is_empty());
        let ways = if ways.iter().any(none) { &["/endpoint"] } else { ways };
        for way in CALL_MEMBERS.iter().filter(|way| !ways.contains(way)) {
            tree.remove(way);
        }
    }
    if tree.at("/auth/configHints").is_some() && rng.once_in(2) {
        tree.put("/auth/configHints/hint", value::value(rng, 3));
    }
    link_steps(&mut tree, rng);
    tree.append_indices("/implementations", "/id");
    tree.remove_duplicates("/tests", "");
    tree.remove_duplicates("/examples", "");
    if let Some(endpoint) = tree.at_mut("/endpoint") {
        add_other_member(endpoint, rng);
    }
    for one in tree.elements_mut("/implementations") {
        if let Some(endpoint) = one.at_mut("/endpoint") {
            add_other_member(endpoint, rng);
        }
    }
    tree.render()
}

/// Names the steps of a chain, and maps arguments of later steps to outputs of earlier
/// ones.
fn link_steps(tree: &mut Tree, rng: &mut Rng) {
    for (index, step) in tree.elements_mut("/chain").iter_mut().enumerate() {
        // If a step has no key for its output, its name is the key.
        let key = if step.at("/outputKey").is_some() { "/outputKey" } else { "/step" };
        if let Some(name) = step.at_mut("/step") {
            *name = format!("step{index}").into();
        }
        step.put(key, format!("out{index}").into());
        let from = rng.below(index + 1);
        if let Some(Tree::Object(mapping)) = step.at_mut("/inputMapping")
            && let Some((_, path)) = mapping.first_mut().filter(|_| from < index)
        {
            *path = format!("$.out{from}.a").into();
        }
    }
}

/// Adds a member of the other type to some endpoints.
fn add_other_member(endpoint: &mut Tree, rng: &mut Rng) {
    if rng.once_in(8) {
        let http = endpoint.at("/type") == Some(&Tree::from("http"));
        let (name, value) = if http {
            ("/command", "node unused.js")
        } else {
            ("/url", "https://example.com/unused")
        };
        endpoint.put(name, value.into());
    }
}
