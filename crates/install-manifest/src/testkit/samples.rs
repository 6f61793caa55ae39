//! Meaningful sample values, by the end of their path.

use testkit::Sample;

/// Resources of scopes: some that other formats can express, some that hold private data,
/// and some without meaning.
pub(super) const RESOURCES: &[&str] = &[
    "net.outbound",
    "net.api.example.com",
    "net",
    "fs.local",
    "fs.home.documents",
    "device.camera",
    "device./dev/ttyUSB0",
    "gmail.messages",
    "stripe.charges",
    "github.repo",
    "",
    "a/b ~ é",
];

/// Resources that actions use and no scope declares.
pub(super) const UNDECLARED: &[&str] =
    &["not.declared", "net.unlisted", "fs.unlisted", "device.unlisted"];

/// Values of headers and bodies of a smoke test.
const WITH_VARIABLES: &[&str] =
    &["${API_KEY}", "${SMTP_2_PASS}", "${REGION}", "${USER_EMAIL}", "none"];

pub(super) const SAMPLES: &[Sample<'_>] = &[
    (
        "tool/id",
        &[
            "tinytool0",
            "gmail-yep0",
            "a-b",
            "123",
            "a--b",
            // The longest id is cut in formats with shorter names.
            "a-name-that-is-longer-than-what-others-take-for-a-name-of-a-tool",
        ],
    ),
    ("tool/version", &["1.0.0", "0.1.0", "10.20.30", "1.0.0-rc.1", "01.2.3", "1.0.0-a..b-"]),
    ("namespace", &["muninn", "a1", "x-y"]),
    ("homepage", &["https://example.com/tool", "not a link", ""]),
    ("license", &["MIT", "", "PROPRIETARY"]),
    ("tags", &["mail", "a-1", "-"]),
    ("author/email", &["a@example.com"]),
    ("author/url", &["https://a.example"]),
    ("pip/package", &["tinytool", "Tiny.Tool[extra]"]),
    ("pip/version_spec", &["==1.0.0", ">=1.2,<2"]),
    ("npm/package", &["tinytool", "@acme/tool"]),
    ("npm/version_spec", &["^1.2.3", "1"]),
    ("git/url", &["https://git.example/x.git", "ssh://git@git.example/x.git"]),
    ("git/ref", &["main", "v1.0.0", "0123456789abcdef0123456789abcdef01234567"]),
    ("subpath", &["a/b", "x"]),
    (
        "image",
        &[
            "ghcr.io/x/y:1",
            "x/y",
            "ghcr.io/x/y:1@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "x/y@sha256:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
        ],
    ),
    ("install/url/url", &["https://dl.example/x"]),
    ("sha256", &["0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"]),
    ("module", &["tiny_tool", "tiny.tool"]),
    ("binary", &["git", "tool", "é"]),
    ("server_id", &["yep_tools", "é/x"]),
    // A program without a folder is looked up on the search path, or in the tool's folder.
    (
        "entrypoint/command/0",
        &[
            "tool",
            "python",
            "/usr/bin/x",
            "/bin/echo",
            "/opt/acme/bin/tool",
            "/opt/acme/bin/tool",
            "./tools/bin/x",
            "bin/x",
        ],
    ),
    ("entrypoint/command", &["-m", "tool", "--flag=", "'x'", "y"]),
    ("cwd", &["/srv", "", "sub folder", "."]),
    (
        "endpoint_url",
        &[
            "https://api.example.com",
            "https://api.example.com/v1",
            "https://api.example.com/v1/",
            "http://localhost:8080",
        ],
    ),
    ("env/name", &["API_KEY", "REGION", "USER_EMAIL", "SMTP_2_PASS"]),
    ("validation_regex", &["^[a-z]+$", "[0-9]+", "^\\S+@\\S+$"]),
    ("obtain_url", &["https://example.com/key"]),
    ("provider_scope", &["https://scope.example/mail"]),
    ("actions/name", &["send", "list_mail", "x", "get_1"]),
    ("argv_template/0", &["send", "send", "${input.to}"]),
    (
        "argv_template",
        &[
            "${input.to}",
            "${input.to}",
            "--with=${env.REGION}",
            "--with=${env.USER_EMAIL}",
            "--flag",
            "--now",
            "",
            " ",
            "a b",
            "</script>",
            "https://example.com/a?b=c#d",
            "line\nbreak",
            "a\"quoted\"",
            "back\\slash",
            "é and e\u{301}",
            "\u{1f600}",
            "{\"json\": true}",
            "'; rm -rf $HOME",
        ],
    ),
    (
        "invocation/http/path",
        &["/send", "/send", "/", "/v1/x?y=z", "/to/${input.to}", "/${input.to}/${input.to}"],
    ),
    // Other formats can express some of these headers.
    (
        "invocation/http/headers",
        &[
            "X-API-Key",
            "authorization",
            "Authorization",
            "Authorization",
            "X-To",
            "X-Region",
            "Accept",
        ],
    ),
    ("headers/X-API-Key", &["${env.API_KEY}", "${env.SMTP_2_PASS}"]),
    ("headers/authorization", &["bearer  ${env.API_KEY}", "bearer  ${env.SMTP_2_PASS}"]),
    ("headers/Authorization", &["Bearer ${env.API_KEY}", "Bearer ${env.SMTP_2_PASS}"]),
    ("headers/X-To", &["${input.to}"]),
    ("headers/X-Region", &["eu ${env.REGION}", "eu ${env.USER_EMAIL}"]),
    ("headers/Accept", &["application/json"]),
    ("invocation/mcp-tool/tool_name", &["send_mail", "a/b", ""]),
    ("suite/ref", &["tests/cases.jsonl"]),
    ("reads/resource", &["gmail.messages", "fs.local", "é"]),
    ("transmits/to", &["api.example.com", "https://api.example.com/v1", "the vendor", "*.a.org"]),
    ("fields", &["/body", "/id"]),
    ("vendor_tos_url", &["https://example.com/terms"]),
    ("shell/command/0", &["tool"]),
    ("shell/command", &["--version", "revoke"]),
    ("smoke/http/url", &["https://api.example.com/health"]),
    ("smoke/http/headers", &["X-Key"]),
    ("headers/X-Key", WITH_VARIABLES),
    ("smoke/http/body", WITH_VARIABLES),
    ("smoke/mcp-tool-call/tool_name", &["ping"]),
    ("smoke/action-call/action", &["send"]),
    ("exit_code", &["0", "1", "0.0"]),
    ("http_status", &["200", "2.04e2"]),
    ("stdout_regex", &["^OK$"]),
    ("body_regex", &["ok"]),
    // The values may be anything: the function `smoke` replaces one of them.
    ("json_pointer_equals", &[r#"{"/a~1b": 1.0, "": "x"}"#, r#"{"/a~1b": [null]}"#, "{}"]),
    ("json_pointer_in", &["/verdict", "/a~1b"]),
    ("json_pointer_in/*", &["YES", "MAYBE"]),
    ("json_pointer_exists", &["/a"]),
    ("json_pointer_present", &["/b/0"]),
    ("kill_switch/url/url", &["https://api.example.com/revoke"]),
    ("instructions_url", &["https://example.com/revoke"]),
    ("estimate_url", &["https://example.com/estimate"]),
    ("issues_url", &["https://example.com/issues"]),
    ("security_email", &["security@example.com"]),
    ("docs_url", &["https://example.com/docs", "not a link"]),
];
