//! The members of a `server.json` as data: the date in snake case, and those in camel case.
//!
//! Objects are open: unknown members are accepted.

use manifest_core::table::{
    Condition, Format, Grammar, Member, Need, Object, Shape, Table, Text, branch, may, must,
};
use manifest_core::url;

use crate::dates::{CAMEL, SNAKE, VERSIONS};
use crate::rules;
use crate::variables::is_name;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&SERVER), versions: &VERSIONS, stated: None };

/// The member of `_meta` for the additions of publishers.
pub(crate) const PUBLISHER: &str = "io.modelcontextprotocol.registry/publisher-provided";

/// The member of [`PUBLISHER`] that lists the tools of a converted server. Its namespace
/// has no owner, so it cannot clash with a publisher's names.
pub(crate) const TOOLS: &str = "invalid.toolglot/tools";

static URI: Shape = Shape::formatted(&Format {
    word: "uri",
    described: "a URI",
    matches: url::is_uri,
    rule: &rules::URI,
});

static NOT_CAMEL: Grammar = Grammar {
    pattern: "^(?!.*/(2025-09-16|2025-09-29|2025-10-11|2025-10-17|2025-12-11)/)",
    described: "the schema of a date in snake case",
    matches: |text| !text.split('/').any(|part| VERSIONS.iter().skip(1).any(|date| part == *date)),
};

static NAME: Grammar = Grammar {
    pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
    described: "a namespace in reverse DNS, a slash and a name: com.example/notes",
    matches: is_server_name,
};

/// The maximum length of a name, in characters.
pub(crate) const LONGEST_NAME: usize = 200;

/// The maximum length of a title and of a description, in characters.
pub(crate) const LONGEST_TEXT: usize = 100;

/// The maximum length of a version, in characters.
pub(crate) const LONGEST_VERSION: usize = 255;

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
    described: "a URL over HTTP, or one that begins with a variable",
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
    described: "a URL over HTTPS",
    matches: |text| text.starts_with("https://"),
};

static SIZE: Grammar = Grammar {
    pattern: r"^(\d+x\d+|any)$",
    described: "width and height, such as 48x48, or any",
    matches: |text| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let sizes = text.split_once('x');
        text == "any" || sizes.is_some_and(|(width, height)| digits(width) && digits(height))
    },
};

static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    described: "64 lower-case hexadecimal digits",
    matches: |text| {
        text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    },
};

const VERSION: Shape = Shape::text(0, LONGEST_VERSION);

/// The members of a server.
pub(crate) static SERVER: [Member; 17] = [
    may("$schema", &Shape::matching(&NOT_CAMEL)).until(SNAKE),
    may("$schema", &URI).since(CAMEL),
    must(
        "name",
        &Shape::Text(Text {
            min: 3,
            max: Some(LONGEST_NAME),
            ..Text::matching(&NAME).breaking(&rules::NAME)
        }),
    )
    .telling(),
    may("title", &Shape::text(1, LONGEST_TEXT)).since(CAMEL),
    must("description", &Shape::text(1, LONGEST_TEXT)),
    may("status", &Shape::Word(&["active", "deprecated", "deleted"])).until(CAMEL),
    may("version", &VERSION).until(SNAKE),
    must("version", &VERSION).since(CAMEL),
    may("version_detail", &Shape::Object(&Object::open(&[must("version", &VERSION)]))).until(SNAKE),
    may("websiteUrl", &URI).since(CAMEL),
    may("repository", &Shape::Object(&Object::open(&REPOSITORY))),
    may("icons", &Shape::list(&Shape::Object(&Object::open(&ICON)))).since(CAMEL),
    may("packages", &Shape::list(&Shape::Object(&Object::open(&SNAKE_PACKAGE)))).until(SNAKE),
    may("packages", &Shape::list(&Shape::Object(&Object::open(&PACKAGE).needing(&[BUNDLE]))))
        .since(CAMEL),
    may("remotes", &Shape::list(&Shape::Object(&Object::open(&SNAKE_TRANSPORT)))).until(SNAKE),
    may("remotes", &Shape::list(&REMOTE)).since(CAMEL),
    may("_meta", &Shape::Object(&Object::free(&META))),
];

static REPOSITORY: [Member; 4] = [
    must("url", &URI),
    must("source", &Shape::TEXT),
    may("id", &Shape::TEXT),
    may("subfolder", &Shape::TEXT),
];

static ICON: [Member; 4] = [
    must("src", &Shape::Text(Text { max: Some(255), ..Text::matching(&SECURE) })),
    may(
        "mimeType",
        &Shape::Word(&["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]),
    ),
    may("sizes", &Shape::list(&Shape::matching(&SIZE))),
    may("theme", &Shape::Word(&["light", "dark"])),
];

/// Publishers add members here, so unknown ones are not reported.
static META: [Member; 1] = [may(PUBLISHER, &Shape::Object(&Object::free(&PUBLISHED)))];
static PUBLISHED: [Member; 1] = [may(TOOLS, &Shape::list(&Shape::Object(&Object::open(&TOOL))))];

/// A tool of a converted server. `calls` is the server's own name for it.
pub(crate) static TOOL: [Member; 3] = [
    must("name", &Shape::SOME_TEXT),
    may("description", &Shape::TEXT),
    may("calls", &Shape::SOME_TEXT),
];

/// A package of a registry.
static PACKAGE: [Member; 10] = [
    must("registryType", &Shape::TEXT),
    may("registryBaseUrl", &URI),
    must("identifier", &Shape::TEXT),
    may("version", &Shape::text(1, LONGEST_VERSION)),
    may("fileSha256", &Shape::matching(&SHA256)),
    may("runtimeHint", &Shape::TEXT),
    must("transport", &TRANSPORT),
    may("runtimeArguments", &ARGUMENTS),
    may("packageArguments", &ARGUMENTS),
    may("environmentVariables", &KEY_VALUES),
];

/// A bundle can be downloaded from anywhere, so its digest is required.
const BUNDLE: Need = Need {
    what: Condition::When { member: "registryType", is: "mcpb", required: "fileSha256" },
    since: CAMEL,
    rule: &rules::FILE_SHA256,
};

static FORMAT: Shape = Shape::Word(&["string", "number", "boolean", "filepath"]);

/// The members of an input, which is fixed or asked of the user.
macro_rules! input {
    ($required:literal, $secret:literal $(, $more:expr)*) => {
        [
            may("value", &Shape::TEXT),
            may("default", &Shape::TEXT),
            may("description", &Shape::TEXT),
            may("format", &FORMAT),
            may($required, &Shape::Bool),
            may($secret, &Shape::Bool),
            may("choices", &Shape::TEXTS),
            may("placeholder", &Shape::TEXT),
            $($more),*
        ]
    };
}

static INPUT: [Member; 8] = input!("isRequired", "isSecret");
static SNAKE_INPUT: [Member; 8] = input!("is_required", "is_secret");
static INPUTS: Shape = Shape::Map(&Shape::Object(&Object::open(&INPUT)));
static SNAKE_INPUTS: Shape = Shape::Map(&Shape::Object(&Object::open(&SNAKE_INPUT)));
const VARIABLES: Member = may("variables", &INPUTS);
const SNAKE_VARIABLES: Member = may("variables", &SNAKE_INPUTS);

/// An environment variable, or a header.
static KEY_VALUE: [Member; 10] =
    input!("isRequired", "isSecret", VARIABLES, must("name", &Shape::TEXT));
static SNAKE_KEY_VALUE: [Member; 10] =
    input!("is_required", "is_secret", SNAKE_VARIABLES, must("name", &Shape::TEXT));
static KEY_VALUES: Shape = Shape::list(&Shape::Object(&Object::open(&KEY_VALUE)));
static SNAKE_KEY_VALUES: Shape = Shape::list(&Shape::Object(&Object::open(&SNAKE_KEY_VALUE)));

static POSITIONAL: [Member; 11] = input!(
    "isRequired",
    "isSecret",
    VARIABLES,
    may("valueHint", &Shape::TEXT),
    may("isRepeated", &Shape::Bool)
);
static NAMED: [Member; 11] = input!(
    "isRequired",
    "isSecret",
    VARIABLES,
    must("name", &Shape::TEXT),
    may("isRepeated", &Shape::Bool)
);
static ARGUMENTS: Shape = Shape::list(&Shape::Union {
    tag: "type",
    branches: &[
        branch("positional", &Object::open(&POSITIONAL).needing(&[HINTED])),
        branch("named", &Object::open(&NAMED)),
    ],
});

/// A positional argument needs a value, or a hint that names it.
const HINTED: Need = Need {
    what: Condition::AtLeastOne(&["value", "valueHint"]),
    since: CAMEL,
    rule: &rules::ARGUMENT,
};

static SNAKE_POSITIONAL: [Member; 11] = input!(
    "is_required",
    "is_secret",
    SNAKE_VARIABLES,
    may("value_hint", &Shape::TEXT),
    may("is_repeated", &Shape::Bool)
);
static SNAKE_NAMED: [Member; 11] = input!(
    "is_required",
    "is_secret",
    SNAKE_VARIABLES,
    must("name", &Shape::TEXT),
    may("is_repeated", &Shape::Bool)
);
static SNAKE_ARGUMENTS: Shape = Shape::list(&Shape::Union {
    tag: "type",
    branches: &[
        branch("positional", &Object::open(&SNAKE_POSITIONAL)),
        branch("named", &Object::open(&SNAKE_NAMED)),
    ],
});

static HTTP: [Member; 2] = [must("url", &Shape::matching(&ADDRESS)), may("headers", &KEY_VALUES)];
static REMOTE_HTTP: [Member; 3] =
    [must("url", &Shape::matching(&ADDRESS)), may("headers", &KEY_VALUES), VARIABLES];

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
    may("registry_type", &Shape::TEXT),
    may("registry_name", &Shape::TEXT),
    may("registry_base_url", &URI),
    may("identifier", &Shape::TEXT),
    may("name", &Shape::TEXT),
    may("version", &Shape::text(1, LONGEST_VERSION)),
    may("file_sha256", &Shape::TEXT),
    may("runtime_hint", &Shape::TEXT),
    may("transport", &Shape::Object(&Object::open(&SNAKE_TRANSPORT))),
    may("runtime_arguments", &SNAKE_ARGUMENTS),
    may("package_arguments", &SNAKE_ARGUMENTS),
    may("environment_variables", &SNAKE_KEY_VALUES),
];

static SNAKE_TRANSPORT: [Member; 4] = [
    may("type", &Shape::TEXT),
    may("transport_type", &Shape::TEXT),
    may("url", &Shape::TEXT),
    may("headers", &SNAKE_KEY_VALUES),
];
