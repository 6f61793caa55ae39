//! The members of a `server.json` as data: the date in snake case, and those in camel case.
//!
//! Objects are open: unknown members are accepted.

use manifest_core::table::{
    Condition, Grammar, Member, MemberCondition, Object, Shape, Table, TextFormat, TextShape,
    branch, optional, required,
};
use manifest_core::url;

use crate::server_json::dates::{CAMEL, SNAKE, VERSIONS};
use crate::server_json::rules;
use crate::server_json::variables::is_name;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&SERVER), versions: &VERSIONS, version_member: None };

/// The member of `_meta` for the additions of publishers.
pub(crate) const PUBLISHER: &str = "io.modelcontextprotocol.registry/publisher-provided";

/// The member of [`PUBLISHER`] that lists the tools of a converted server. Its namespace
/// has no owner, so it cannot clash with a publisher's names.
pub(crate) const TOOLS: &str = "invalid.toolglot/tools";

static URI: Shape = Shape::formatted(&TextFormat {
    name: "uri",
    description: "a URI",
    matches: url::is_uri,
    rule: &rules::URI,
});

static NOT_CAMEL: Grammar = Grammar {
    pattern: "^(?!.*/(2025-09-16|2025-09-29|2025-10-11|2025-10-17|2025-12-11)/)",
    description: "the schema of a date in snake case",
    matches: |text| !text.split('/').any(|part| VERSIONS.iter().skip(1).any(|date| part == *date)),
};

static NAME: Grammar = Grammar {
    pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
    description: "a namespace in reverse DNS, a slash and a name: com.example/notes",
    matches: is_server_name,
};

/// The maximum length of a name, in characters.
pub(crate) const MAX_NAME: usize = 200;

/// The maximum length of a title and of a description, in characters.
pub(crate) const MAX_TEXT: usize = 100;

/// The maximum length of a version, in characters.
pub(crate) const MAX_VERSION: usize = 255;

/// Returns true if a text has the form of a name. Does not check its length.
pub(crate) fn is_server_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'-';
    text.split_once('/').is_some_and(|(space, name)| {
        !space.is_empty()
            && !name.is_empty()
            && space.bytes().all(plain)
            && name.bytes().all(|b| plain(b) || b == b'_')
    })
}

static ADDRESS: Grammar = Grammar {
    pattern: r"^(https?://\S+|\{[a-zA-Z_][a-zA-Z0-9_]*\}\S*)$",
    description: "a URL over HTTP, or one that begins with a variable",
    matches: is_address,
};

/// Returns true if a text is an HTTP URL, or the template of one.
pub(crate) fn is_address(text: &str) -> bool {
    // The characters of `\s` in ECMAScript.
    let space = |c: char| c.is_whitespace() && c != '\u{85}' || c == '\u{feff}';
    let begins = ["http://", "https://"]
        .iter()
        .any(|scheme| text.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()));
    let variable = || text.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    !text.chars().any(space) && (begins || variable().is_some_and(|(name, _)| is_name(name)))
}

static SECURE: Grammar = Grammar {
    pattern: "^https://",
    description: "a URL over HTTPS",
    matches: |text| text.starts_with("https://"),
};

static SIZE: Grammar = Grammar {
    pattern: r"^(\d+x\d+|any)$",
    description: "width and height, such as 48x48, or any",
    matches: |text| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let sizes = text.split_once('x');
        text == "any" || sizes.is_some_and(|(width, height)| digits(width) && digits(height))
    },
};

static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    description: "64 lower-case hexadecimal digits",
    matches: |text| {
        text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    },
};

const VERSION: Shape = Shape::text(0, MAX_VERSION);

/// The members of a server.
pub(crate) static SERVER: [Member; 17] = [
    optional("$schema", &Shape::matching(&NOT_CAMEL)).until(SNAKE),
    optional("$schema", &URI).since(CAMEL),
    required(
        "name",
        &Shape::Text(TextShape {
            min: 3,
            max: Some(MAX_NAME),
            ..TextShape::matching(&NAME).with_rule(&rules::NAME)
        }),
    )
    .telling(),
    optional("title", &Shape::text(1, MAX_TEXT)).since(CAMEL),
    required("description", &Shape::text(1, MAX_TEXT)),
    optional("status", &Shape::Enum(&["active", "deprecated", "deleted"])).until(CAMEL),
    optional("version", &VERSION).until(SNAKE),
    required("version", &VERSION).since(CAMEL),
    optional("version_detail", &Shape::Object(&Object::open(&[required("version", &VERSION)])))
        .until(SNAKE),
    optional("websiteUrl", &URI).since(CAMEL),
    optional("repository", &Shape::Object(&Object::open(&REPOSITORY))),
    optional("icons", &Shape::list(&Shape::Object(&Object::open(&ICON)))).since(CAMEL),
    optional("packages", &Shape::list(&Shape::Object(&Object::open(&SNAKE_PACKAGE)))).until(SNAKE),
    optional(
        "packages",
        &Shape::list(&Shape::Object(&Object::open(&PACKAGE).with_conditions(&[BUNDLE]))),
    )
    .since(CAMEL),
    optional("remotes", &Shape::list(&Shape::Object(&Object::open(&SNAKE_TRANSPORT)))).until(SNAKE),
    optional("remotes", &Shape::list(&REMOTE)).since(CAMEL),
    optional("_meta", &Shape::Object(&Object::free(&META))),
];

static REPOSITORY: [Member; 4] = [
    required("url", &URI),
    required("source", &Shape::TEXT),
    optional("id", &Shape::TEXT),
    optional("subfolder", &Shape::TEXT),
];

static ICON: [Member; 4] = [
    required("src", &Shape::Text(TextShape { max: Some(255), ..TextShape::matching(&SECURE) })),
    optional(
        "mimeType",
        &Shape::Enum(&["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]),
    ),
    optional("sizes", &Shape::list(&Shape::matching(&SIZE))),
    optional("theme", &Shape::Enum(&["light", "dark"])),
];

/// Publishers add members here, so unknown ones are not reported.
static META: [Member; 1] = [optional(PUBLISHER, &Shape::Object(&Object::free(&PUBLISHER_MEMBERS)))];
static PUBLISHER_MEMBERS: [Member; 1] =
    [optional(TOOLS, &Shape::list(&Shape::Object(&Object::open(&TOOL))))];

/// A tool of a converted server. `calls` is the server's own name for it.
pub(crate) static TOOL: [Member; 3] = [
    required("name", &Shape::NON_EMPTY_TEXT),
    optional("description", &Shape::TEXT),
    optional("calls", &Shape::NON_EMPTY_TEXT),
];

/// A package of a registry.
static PACKAGE: [Member; 10] = [
    required("registryType", &Shape::TEXT),
    optional("registryBaseUrl", &URI),
    required("identifier", &Shape::TEXT),
    optional("version", &Shape::text(1, MAX_VERSION)),
    optional("fileSha256", &Shape::matching(&SHA256)),
    optional("runtimeHint", &Shape::TEXT),
    required("transport", &TRANSPORT),
    optional("runtimeArguments", &ARGUMENTS),
    optional("packageArguments", &ARGUMENTS),
    optional("environmentVariables", &KEY_VALUES),
];

/// A bundle can be downloaded from anywhere, so its digest is required.
const BUNDLE: MemberCondition = MemberCondition {
    condition: Condition::When { member: "registryType", value: "mcpb", required: "fileSha256" },
    since: CAMEL,
    rule: &rules::FILE_SHA256,
};

static FORMAT: Shape = Shape::Enum(&["string", "number", "boolean", "filepath"]);

/// The members of an input, which is fixed or asked of the user.
macro_rules! input {
    ($required:literal, $secret:literal $(, $more:expr)*) => {
        [
            optional("value", &Shape::TEXT),
            optional("default", &Shape::TEXT),
            optional("description", &Shape::TEXT),
            optional("format", &FORMAT),
            optional($required, &Shape::Bool),
            optional($secret, &Shape::Bool),
            optional("choices", &Shape::TEXTS),
            optional("placeholder", &Shape::TEXT),
            $($more),*
        ]
    };
}

static INPUT: [Member; 8] = input!("isRequired", "isSecret");
static SNAKE_INPUT: [Member; 8] = input!("is_required", "is_secret");
static INPUTS: Shape = Shape::Map(&Shape::Object(&Object::open(&INPUT)));
static SNAKE_INPUTS: Shape = Shape::Map(&Shape::Object(&Object::open(&SNAKE_INPUT)));
const VARIABLES: Member = optional("variables", &INPUTS);
const SNAKE_VARIABLES: Member = optional("variables", &SNAKE_INPUTS);

/// An environment variable, or a header.
static KEY_VALUE: [Member; 10] =
    input!("isRequired", "isSecret", VARIABLES, required("name", &Shape::TEXT));
static SNAKE_KEY_VALUE: [Member; 10] =
    input!("is_required", "is_secret", SNAKE_VARIABLES, required("name", &Shape::TEXT));
static KEY_VALUES: Shape = Shape::list(&Shape::Object(&Object::open(&KEY_VALUE)));
static SNAKE_KEY_VALUES: Shape = Shape::list(&Shape::Object(&Object::open(&SNAKE_KEY_VALUE)));

static POSITIONAL: [Member; 11] = input!(
    "isRequired",
    "isSecret",
    VARIABLES,
    optional("valueHint", &Shape::TEXT),
    optional("isRepeated", &Shape::Bool)
);
static NAMED: [Member; 11] = input!(
    "isRequired",
    "isSecret",
    VARIABLES,
    required("name", &Shape::TEXT),
    optional("isRepeated", &Shape::Bool)
);
static ARGUMENTS: Shape = Shape::list(&Shape::Union {
    tag: "type",
    branches: &[
        branch("positional", &Object::open(&POSITIONAL).with_conditions(&[VALUE_OR_HINT])),
        branch("named", &Object::open(&NAMED)),
    ],
});

/// A positional argument needs a value, or a hint that names it.
const VALUE_OR_HINT: MemberCondition = MemberCondition {
    condition: Condition::AtLeastOne(&["value", "valueHint"]),
    since: CAMEL,
    rule: &rules::ARGUMENT,
};

static SNAKE_POSITIONAL: [Member; 11] = input!(
    "is_required",
    "is_secret",
    SNAKE_VARIABLES,
    optional("value_hint", &Shape::TEXT),
    optional("is_repeated", &Shape::Bool)
);
static SNAKE_NAMED: [Member; 11] = input!(
    "is_required",
    "is_secret",
    SNAKE_VARIABLES,
    required("name", &Shape::TEXT),
    optional("is_repeated", &Shape::Bool)
);
static SNAKE_ARGUMENTS: Shape = Shape::list(&Shape::Union {
    tag: "type",
    branches: &[
        branch("positional", &Object::open(&SNAKE_POSITIONAL)),
        branch("named", &Object::open(&SNAKE_NAMED)),
    ],
});

static HTTP: [Member; 2] =
    [required("url", &Shape::matching(&ADDRESS)), optional("headers", &KEY_VALUES)];
static REMOTE_HTTP: [Member; 3] =
    [required("url", &Shape::matching(&ADDRESS)), optional("headers", &KEY_VALUES), VARIABLES];

/// The transport of the server in a package.
static TRANSPORT: Shape = Shape::Union {
    tag: "type",
    branches: &[
        branch("stdio", &Object::open(&[])),
        branch("streamable-http", &Object::open(&HTTP)),
        branch("sse", &Object::open(&HTTP)),
    ],
};

/// A server that is already running.
static REMOTE: Shape = Shape::Union {
    tag: "type",
    branches: &[
        branch("streamable-http", &Object::open(&REMOTE_HTTP)),
        branch("sse", &Object::open(&REMOTE_HTTP)),
    ],
};

/// A package in snake case. No member is required, because the required ones changed while
/// the date stayed the same.
static SNAKE_PACKAGE: [Member; 12] = [
    optional("registry_type", &Shape::TEXT),
    optional("registry_name", &Shape::TEXT),
    optional("registry_base_url", &URI),
    optional("identifier", &Shape::TEXT),
    optional("name", &Shape::TEXT),
    optional("version", &Shape::text(1, MAX_VERSION)),
    optional("file_sha256", &Shape::TEXT),
    optional("runtime_hint", &Shape::TEXT),
    optional("transport", &Shape::Object(&Object::open(&SNAKE_TRANSPORT))),
    optional("runtime_arguments", &SNAKE_ARGUMENTS),
    optional("package_arguments", &SNAKE_ARGUMENTS),
    optional("environment_variables", &SNAKE_KEY_VALUES),
];

static SNAKE_TRANSPORT: [Member; 4] = [
    optional("type", &Shape::TEXT),
    optional("transport_type", &Shape::TEXT),
    optional("url", &Shape::TEXT),
    optional("headers", &SNAKE_KEY_VALUES),
];
