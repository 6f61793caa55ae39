//! Documents for tests.

use manifest_core::{Limits, Rule};
use testkit::{
    Defect, Hints, Mutation, Rng, Testkit, Tree, Vocabulary, apply_defect, break_json,
    generate_object, value,
};

use crate::server_json::dates::{SNAKE, VERSIONS, schema_url};
use crate::server_json::table::{PUBLISHER, TABLE, TOOLS};
use crate::shared::version_index;

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::server_json::FORMAT, generate, defect, vocabulary: &VOCABULARY };

static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "$schema",
        "name",
        "title",
        "description",
        "status",
        "version",
        "version_detail",
        "websiteUrl",
        "repository",
        "icons",
        "packages",
        "remotes",
        "_meta",
        "url",
        "source",
        "id",
        "subfolder",
        "src",
        "mimeType",
        "sizes",
        "theme",
        PUBLISHER,
        TOOLS,
        "calls",
        "registryType",
        "registryBaseUrl",
        "identifier",
        "fileSha256",
        "runtimeHint",
        "transport",
        "runtimeArguments",
        "packageArguments",
        "environmentVariables",
        "type",
        "value",
        "default",
        "format",
        "isRequired",
        "isSecret",
        "choices",
        "placeholder",
        "variables",
        "valueHint",
        "isRepeated",
        "headers",
        "registry_type",
        "registry_name",
        "registry_base_url",
        "file_sha256",
        "runtime_hint",
        "runtime_arguments",
        "package_arguments",
        "environment_variables",
        "is_required",
        "is_secret",
        "value_hint",
        "is_repeated",
        "transport_type",
    ],
    maps: &["variables"],
    open: &[],
};

const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A text of 100 characters, the maximum.
const LONGEST_TEXT_SAMPLE: &str = "It has as many characters as there is room for: it ends where the next one would \
                    be one that is over";

const HINTS: Hints<'_> = Hints {
    samples: &[
        ("/name", &["com.example/notes", "io.github.a-b/C_1.x", "a/b", "UPPER/x.y.z"]),
        ("name", &["TOKEN", "HOME_DIR", "lower", "X1", "--port", "é/~"]),
        ("title", &["Notes", "é", "two words", LONGEST_TEXT_SAMPLE]),
        (
            "description",
            &["Keeps notes.", "Send mail. And more", "é \u{1f600}", LONGEST_TEXT_SAMPLE],
        ),
        ("version", &["1.2.0", "0.1.0", "1.2.3-rc.1", "2025.11", "v3"]),
        ("websiteUrl", &["https://example.com/", "https://example.org/é"]),
        (
            "url",
            &["https://example.com/mcp", "http://example.org:80/a?b", "https://x.example/{token}"],
        ),
        ("registryBaseUrl", &["https://example.com/registry"]),
        ("registry_base_url", &["https://example.com/registry"]),
        ("src", &["https://example.com/icon.png"]),
        ("sizes", &["48x48", "any", "0x512"]),
        ("registryType", &["npm", "pypi", "oci", "cargo", "nuget", "mcpb"]),
        ("registry_type", &["npm", "pypi", "oci", "mcpb"]),
        ("registry_name", &["npm", "pypi", "docker"]),
        ("identifier", &["notes", "@example/notes", "ghcr.io/example/notes:1.2.0"]),
        ("fileSha256", &[DIGEST]),
        ("file_sha256", &[DIGEST]),
        ("runtimeHint", &["npx", "uvx", "docker", "dnx"]),
        ("value", &["x", "--at={token}", "Bearer {token}", ""]),
        ("variables", &["token", "dir"]),
        ("type", &["stdio", "streamable-http", "sse"]),
        ("transport_type", &["streamable", "sse"]),
        ("calls", &["find", "notes.find", "é"]),
    ],
    // Other formats can only express the calls of known tools.
    always: &[PUBLISHER, TOOLS],
};

/// Generates a valid document with up to `size` packages, remotes and tools. The tools have
/// different names.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let date = rng.word(&VERSIONS);
    let version = version_index(&VERSIONS, Some(date));
    let mut tree = generate_object(TABLE.root, version, HINTS, rng, size);
    // Only the newest date can be omitted.
    if tree.at("/$schema").is_some() || Some(&date) != VERSIONS.last() {
        tree.put("/$schema", Tree::Text(schema_url(date)));
    }
    if version == SNAKE && tree.at("/version_detail").is_none() && tree.at("/version").is_none() {
        tree.put("/version", "1.0.0".into());
    }
    let [publisher, tools] = [PUBLISHER, TOOLS].map(|name| name.replace('/', "~1"));
    tree.append_indices(&format!("/_meta/{publisher}/{tools}"), "/name");
    for package in tree.elements_mut("/packages") {
        for list in ["/environmentVariables", "/environment_variables"] {
            package.remove_duplicates(list, "/name");
        }
    }
    if rng.once_in(4) {
        split_first_variable(&mut tree, rng);
    }
    if rng.once_in(2) {
        make_expressible(&mut tree);
    }
    if version != SNAKE && rng.once_in(3) {
        make_startable(&mut tree, rng);
    }
    tree.render()
}

/// Turns the server into a package whose command can be lifted.
fn make_startable(tree: &mut Tree, rng: &mut Rng) {
    let Some(Tree::Array(packages)) = tree.at_mut("/packages") else { return };
    let Some(package) = packages.first_mut() else { return };
    for member in ["registryBaseUrl", "fileSha256", "runtimeHint"] {
        package.remove(&format!("/{member}"));
    }
    let npm = rng.once_in(2);
    let (kind, names) =
        if npm { ("npm", ["notes", "@example/notes"]) } else { ("pypi", ["notes", "a.b-c_1"]) };
    package.put("/registryType", kind.into());
    package.put("/identifier", rng.word(&names).into());
    package.put("/version", rng.word(&["1.2.0", "2025.11", "0.1.0-rc.1"]).into());
    package.put("/transport", Tree::Object(vec![("type".to_owned(), "stdio".into())]));
    if rng.once_in(3) {
        package.put("/runtimeHint", if npm { "npx" } else { "uvx" }.into());
    }
    if rng.once_in(3) {
        package.put("/registryBaseUrl", "https://example.com/registry/".into());
    }
    for list in ["/runtimeArguments", "/packageArguments", "/environmentVariables"] {
        let Some(Tree::Array(inputs)) = package.at_mut(list) else { continue };
        let asked = list == "/environmentVariables";
        for input in inputs {
            input.remove("/variables");
            if asked {
                input.remove("/value");
                continue;
            }
            input.remove("/default");
            if input.at("/value").is_some() {
                input.put("/value", rng.word(&["x", "--at=é", ""]).into());
            } else if let Some(required) = input.at_mut("/isRequired") {
                *required = Tree::plain("false");
            }
        }
    }
    tree.remove("/remotes");
}

/// Gives the first variable a value of several parts, each of which may be a secret.
fn split_first_variable(tree: &mut Tree, rng: &mut Rng) {
    let snake = tree.at("/packages/0/environment_variables").is_some();
    let (list, secret) = if snake {
        ("/packages/0/environment_variables", "is_secret")
    } else {
        ("/packages/0/environmentVariables", "isSecret")
    };
    let Some(variable) = tree.at_mut(&format!("{list}/0")) else { return };
    let word = |rng: &mut Rng| Tree::plain(rng.word(&["true", "true", "false"]));
    let part = |rng: &mut Rng| {
        let said = (!rng.once_in(4)).then(|| (secret.to_owned(), word(rng)));
        Tree::Object(said.into_iter().collect())
    };
    let parts = ["user", "token", "key"].map(|name| (name.to_owned(), part(rng)));
    variable.put("/value", "{user}:{token}@{key}".into());
    variable.put("/variables", Tree::Object(parts.into()));
    if rng.once_in(2) {
        variable.put(&format!("/{secret}"), word(rng));
    }
}

/// Makes the first remote and the first package expressible in other formats.
fn make_expressible(tree: &mut Tree) {
    for member in ["/remotes/0/headers", "/remotes/0/variables", "/packages/0/registryBaseUrl"] {
        tree.remove(member);
    }
    if let Some(url) = tree.at_mut("/remotes/0/url") {
        *url = Tree::from("https://example.com/mcp");
    }
    if let Some(kind) = tree.at_mut("/remotes/0/type") {
        *kind = Tree::from("streamable-http");
    }
}

const CLEAN: &str = r#"{
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "com.example/notes", "version": "1.0.0", "description": "Keeps notes.",
    "websiteUrl": "https://example.com/",
    "packages": [{"registryType": "npm", "identifier": "notes", "version": "1.0.0",
      "transport": {"type": "streamable-http", "url": "http://localhost:{PORT}/mcp"},
      "packageArguments": [{"type": "positional", "value": "{folder}", "variables": {"folder": {}}}],
      "environmentVariables": [{"name": "PORT"}]}],
    "remotes": [{"type": "sse", "url": "https://example.com/mcp"}],
    "_meta": {"io.modelcontextprotocol.registry/publisher-provided":
      {"invalid.toolglot/tools": [{"name": "read_notes"}]}}}"#;

const DEFECTS: &[Defect] = &[
    ("server-json/structure", &["/title", "/description"], Mutation::Text(&[""])),
    (
        "server-json/structure",
        &["/remotes/0/url"],
        Mutation::Text(&["", "example.com", "https://a b"]),
    ),
    ("server-json/structure", &["/packages/0/transport/type"], Mutation::Text(&["streamable", ""])),
    ("server-json/name", &["/name"], Mutation::Text(&["notes", "a/b/c", "com.example/é", "/ab"])),
    ("server-json/file-sha256", &["/packages/0/registryType"], Mutation::Text(&["mcpb"])),
    ("server-json/argument", &["/packages/0/packageArguments/0/value"], Mutation::Remove),
    (
        "server-json/version",
        &["/version", "/packages/0/version"],
        Mutation::Text(&["latest", "^1.0.0"]),
    ),
    (
        "server-json/tool",
        &["/_meta"],
        Mutation::Json(&[
            r#"{"io.modelcontextprotocol.registry/publisher-provided":
              {"invalid.toolglot/tools": [{"name": "a"}, {"name": "a"}]}}"#,
            r#"{"io.modelcontextprotocol.registry/publisher-provided":
              {"invalid.toolglot/tools": [{"name": "\u0000"}]}}"#,
        ]),
    ),
    (
        "server-json/duplicate-variable",
        &["/packages/0/environmentVariables"],
        Mutation::Json(&[r#"[{"name": "PORT"}, {"name": "PORT", "isSecret": true}]"#]),
    ),
    (
        "server-json/variable",
        &["/packages/0/transport/url", "/remotes/0/url"],
        Mutation::Text(&["https://{host}/", "{base}/mcp"]),
    ),
    ("server-json/variable", &["/packages/0/packageArguments/0/variables"], Mutation::Remove),
    ("server-json/uri", &["/websiteUrl"], Mutation::Text(&["", "no page"])),
    ("server-json/no-schema", &["/$schema"], Mutation::Remove),
    (
        "server-json/no-schema",
        &["/$schema"],
        Mutation::Text(&["https://example.com/server.schema.json"]),
    ),
    ("json/required", &["/name", "/description", "/packages/0/transport"], Mutation::Remove),
    ("json/type", &["/packages", "/remotes", "/version"], Mutation::Json(&["1", "null"])),
];

/// Returns a document that breaks this rule and no other, or `None` if there is none.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    let mut clean = Tree::parse(CLEAN)?;
    if rule.code == "server-json/secret" {
        clean.put("/packages/0/environmentVariables/0/default", value::secret(rng).into())?;
        return Some(clean.render());
    }
    if rule.code == "server-json/command-length" {
        let many = vec![
            Tree::parse(r#"{"type": "positional", "value": "x"}"#)?;
            Limits::default().arguments + 1
        ];
        clean.put("/packages/0/packageArguments", many.into())?;
        return Some(clean.render());
    }
    let found = apply_defect(&clean, DEFECTS, rule.code, rng).map(|tree| tree.render());
    // Objects are open: an unknown member breaks no rule.
    found.or_else(|| break_json(CLEAN, rule, rng).filter(|_| rule.code != "json/unknown-member"))
}
