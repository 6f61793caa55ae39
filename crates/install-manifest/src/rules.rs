//! The rules of this format.

use manifest_core::{Rule, command_line};

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &COMMAND_LENGTH,
    &MANIFEST_VERSION,
    &UNKNOWN_MEMBER,
    &LENGTH,
    &PATTERN,
    &WORD,
    &TAG,
    &COUNT,
    &INTEGER,
    &RANGE,
    &EXACTLY_ONE,
    &TERMS_URL,
    &ACTIONS_REQUIRED,
    &BOUNDARY_REQUIRED,
    &NOTHING_TO_REVOKE,
    &DUPLICATE_NAME,
    &SMOKE_ACTION,
    &SMOKE_EFFECTS,
    &ACTION_RUNTIME,
    &TEMPLATE,
    &TEMPLATE_ENV,
    &TEMPLATE_INPUT,
    &SECRET_PLACE,
    &SECRET_DEFAULT,
    &HTTP_PATH,
    &HEADER,
    &URL,
    &INSTALL_ARGUMENT,
    &CONTROL_CHARACTER,
    &REGEX,
    &JSON_POINTER,
    &RUNTIME_EXCLUSIVE,
    &SCOPE_UNDECLARED,
    &SUCCESS_FIT,
    &SMOKE_EMPTY,
    &REGEX_UNSUPPORTED,
    &URI,
    &EMAIL,
    &TEMPLATE_ESCAPE,
    &HEADER_RESERVED,
    &REGEX_UNANCHORED,
    &UNPINNED,
    &SCOPE_UNUSED,
    &PRIVATE_URL,
    &INSECURE_URL,
    &NO_VERIFY,
    &NO_LATENCY,
    &NO_GOAL,
    &RECIPIENT_KIND,
    &PLAIN_ID,
    &SEMVER,
    &SECRET_UNCHECKED,
    &PROMPT_BARE,
    &SECRET,
    &SMOKE_SUSPICIOUS,
];

/// The codes of the published linter, each with the rule that implements it.
pub static ALIASES: &[(&str, &Rule)] = &[
    ("LM001", &NO_VERIFY),
    // A manifest without a kill switch is not valid in any version.
    ("LM002", &manifest_core::json::rules::REQUIRED),
    // A recipient of a kind other than `agent-supplied` is not valid either.
    ("LM003", &WORD),
    ("LM004", &RECIPIENT_KIND),
    ("LM005", &NO_GOAL),
    ("LM006", &NO_LATENCY),
    ("LM007", &PLAIN_ID),
    ("LM008", &SEMVER),
    ("LM009", &INSECURE_URL),
    ("LM010", &SECRET_UNCHECKED),
];

/// Returns the rule with this code, which may be our own or the published linter's.
///
/// ```
/// let rule = toolglot_install_manifest::rules::find("LM005").unwrap();
/// assert_eq!(rule.code, "install-manifest/no-goal");
/// ```
pub fn find(code: &str) -> Option<&'static Rule> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == code).map(|(_, rule)| *rule);
    alias.or_else(|| RULES.iter().copied().find(|rule| rule.code == code))
}

/// The version of the specification is missing or unknown.
pub static MANIFEST_VERSION: Rule = Rule::structure(
    "install-manifest/manifest-version",
    "`manifest_version` must be \"0.1\", \"0.2\", \"0.3\", \"0.3.1\" or \"0.4\"",
    "Every version has its own members, so nothing else can be checked before the version is \
     known. It is a string: 0.2 without quotes is a number, and \"0.2.0\" is no version of the \
     specification.",
);
/// A member that the version lacks.
pub static UNKNOWN_MEMBER: Rule = Rule::structure(
    "install-manifest/unknown-member",
    "an object must not have members that the version does not name",
    "The specification closes every object. A member from a later version needs that version in \
     `manifest_version`; the help says which.",
);
/// A text is too short or too long.
pub static LENGTH: Rule = Rule::structure(
    "install-manifest/length",
    "a text must have a length within its bounds",
    "Lengths are counted in characters (Unicode code points), not in bytes.",
);
/// A text does not match its pattern.
pub static PATTERN: Rule = Rule::structure(
    "install-manifest/pattern",
    "an id, a name, a version, a tag or a digest must match its pattern",
    "The message says in words what matches. Patterns are matched as ECMAScript does: a line \
     break at the end is part of the text.",
);
/// A value is not one of a closed set.
pub static WORD: Rule = Rule::structure(
    "install-manifest/word",
    "a value from a closed set must be one of the set",
    "The message lists the words. Case matters.",
);
/// A `kind` or `method` that the version lacks.
pub static TAG: Rule = Rule::structure(
    "install-manifest/tag",
    "`kind` and `method` must name a kind of object that the version has",
    "Which members an object has depends on its kind. Later versions have more kinds; the help \
     says which version is needed.",
);
/// A list has too few or too many elements.
pub static COUNT: Rule = Rule::structure(
    "install-manifest/count",
    "a list must have a number of elements within its bounds",
    "The message names the bounds.",
);
/// A number has a fraction.
pub static INTEGER: Rule = Rule::structure(
    "install-manifest/integer",
    "a count, a code or a time must be a whole number",
    "`2.0` is a whole number, as JSON Schema counts; `2.5` is not.",
);
/// A number is out of its range.
pub static RANGE: Rule = Rule::structure(
    "install-manifest/range",
    "a number must be within its range",
    "The message names the range.",
);
/// Two members that exclude each other are both missing or both present.
pub static EXACTLY_ONE: Rule = Rule::structure(
    "install-manifest/exactly-one",
    "one of two members must be there, and not both",
    "Manual revocation is described either here or at a URL. Data is sent either to a recipient \
     that the manifest names or to one that the agent supplies.",
);
/// A claim about terms of service without a link to them.
pub static TERMS_URL: Rule = Rule::structure(
    "install-manifest/terms-url",
    "a recipient that keeps nothing by its terms must have a link to them",
    "`none-per-vendor-tos` is a claim that others must be able to check. Add `vendor_tos_url`, or \
     say `unknown`.",
);
/// A list of actions is missing, and the runtime is not asked for its tools.
pub static ACTIONS_REQUIRED: Rule = Rule::structure(
    "install-manifest/actions-required",
    "a tool must list its actions, unless it is an MCP server over standard input and output",
    "Only such a server is asked for its tools. For every other runtime the list is all that an \
     agent knows.",
);
/// Private data without a data boundary.
pub static BOUNDARY_REQUIRED: Rule = Rule::structure(
    "install-manifest/boundary-required",
    "a tool that uses private data must say where data goes",
    "From 0.3 on, a scope on mail, calendars, files, health, money and the like needs \
     `data_boundary`. The schema asks for it whatever the verbs of the scope are.",
);
/// A tool that cannot be revoked, but collects variables or keeps data.
pub static NOTHING_TO_REVOKE: Rule = Rule::structure(
    "install-manifest/nothing-to-revoke",
    "a tool without a kill switch must not hold credentials or keep data",
    "`kill_switch` may be `none` only if the manifest collects no environment variables and its \
     data boundary persists nothing. Say `manual`, `url` or `shell` otherwise.",
);
/// Two actions, variables or scopes have the same name.
pub static DUPLICATE_NAME: Rule = Rule::semantics(
    "install-manifest/duplicate-name",
    "actions, variables and scopes must have different names",
    "Smoke tests, templates and `scopes_used` refer to them by name, so the name must decide which \
     one is meant. The schema does not look.",
);
/// A smoke test calls an action that does not exist.
pub static SMOKE_ACTION: Rule = Rule::semantics(
    "install-manifest/smoke-action",
    "a smoke test must call an action that the manifest has",
    "`smoke.action` is the name of one of `actions`.",
);
/// A smoke test calls an action with side effects.
pub static SMOKE_EFFECTS: Rule = Rule::semantics(
    "install-manifest/smoke-effects",
    "a smoke test must call an action that changes nothing",
    "The smoke test runs on every installation, without asking. Its action's `side_effects` must \
     be `none` or `read`.",
);
/// An action that the runtime cannot serve.
pub static ACTION_RUNTIME: Rule = Rule::semantics(
    "install-manifest/action-runtime",
    "an action must have what it is called through",
    "`subcommand` and `stdin-json` need `runtime.entrypoint`, `http` needs `runtime.endpoint_url`, \
     and `mcp-tool` needs an MCP runtime. Without it nobody can call the action.",
);
/// A template that cannot be parsed.
pub static TEMPLATE: Rule = Rule::semantics(
    "install-manifest/template",
    "a template must be text with well-formed references",
    "Actions refer to ${input.path} and ${env.NAME}, smoke tests to ${NAME}. Anything else after \
     ${ is refused, and never passed on as text. There is no way to escape it.",
);
/// A template refers to a variable that is not declared.
pub static TEMPLATE_ENV: Rule = Rule::semantics(
    "install-manifest/template-env",
    "a template must refer to variables that the manifest declares",
    "Variables that are not in `env` are not collected, and reading others would hand over what \
     nobody agreed to.",
);
/// A template refers to an input that is not declared.
pub static TEMPLATE_INPUT: Rule = Rule::semantics(
    "install-manifest/template-input",
    "a template must refer to inputs that the action declares",
    "Input that the schema does not declare is refused before the call, unless the schema permits \
     it in so many words. So the reference could never have a value.",
);
/// A secret where others can see it.
pub static SECRET_PLACE: Rule = Rule::semantics(
    "install-manifest/secret-place",
    "a secret must not be put into a command line, a path or a URL",
    "Command lines are in process lists, URLs in logs. Secrets may be in headers, in bodies and on \
     standard input.",
);
/// A secret with a default.
pub static SECRET_DEFAULT: Rule = Rule::semantics(
    "install-manifest/secret-default",
    "a secret must not have a default",
    "Whoever has the manifest has the default: it is no secret.",
);
/// The path of an HTTP action that could lead to another host.
pub static HTTP_PATH: Rule = Rule::semantics(
    "install-manifest/http-path",
    "the path of an HTTP action must begin with one slash",
    "It is appended to `endpoint_url`. Without the slash, or with two, what follows could change \
     the host. Backslashes and control characters are refused for the same reason.",
);
/// An invalid or repeated header.
pub static HEADER: Rule = Rule::semantics(
    "install-manifest/header",
    "headers must have proper names and values, and each name once",
    "Names are tokens, and differ in more than case. Values have no line breaks or control \
     characters: those could begin another header.",
);
/// A URL that requests must not be sent to.
pub static URL: Rule = Rule::semantics(
    "install-manifest/url",
    "what is fetched or called must be an absolute URL with a host and without a password",
    "The scheme is http or https; for git also ssh. A `file:` URL would read the host, and a \
     password in a URL ends up in logs.",
);
/// An argument that an installer could read as an option or another command.
pub static INSTALL_ARGUMENT: Rule = Rule::semantics(
    "install-manifest/install-argument",
    "a package, an image, a reference or a path must be one, and not an option or a command",
    "It is handed to pip, npm, git or a container runtime. What begins with a hyphen is read as an \
     option there, and some spellings of a package run or fetch something else.",
);
/// A NUL in a command.
pub static CONTROL_CHARACTER: Rule = Rule::semantics(
    "install-manifest/control-character",
    "a command must not hold a NUL",
    "It ends the text for the operating system: what runs would not be what was read.",
);
/// A pattern that is not a valid regular expression.
pub static REGEX: Rule = Rule::semantics(
    "install-manifest/regex",
    "a pattern must be an ECMAScript regular expression",
    "`validation_regex`, `stdout_regex` and `body_regex` are compiled before anything is installed.",
);
/// A text that is not a valid JSON Pointer.
pub static JSON_POINTER: Rule = Rule::semantics(
    "install-manifest/json-pointer",
    "a JSON Pointer must be empty or begin with a slash",
    "As RFC 6901 has it: `/` between the names, `~1` for a slash in a name, `~0` for a tilde.",
);
/// A runtime with both `entrypoint` and `endpoint_url`.
pub static RUNTIME_EXCLUSIVE: Rule = Rule::semantics(
    "install-manifest/runtime-exclusive",
    "`entrypoint` and `endpoint_url` must not both be there",
    "The specification calls them mutually exclusive; its schema lets both through, and so does \
     the `reference` profile.",
);
/// An action uses a scope that is not declared.
pub static SCOPE_UNDECLARED: Rule = Rule::warning(
    "install-manifest/scope-undeclared",
    "`scopes_used` should name resources that `scopes` declares",
    "People consent to what `scopes` declares. The specification makes this a warning.",
);
/// A condition of success that does not apply to the kind of smoke test.
pub static SUCCESS_FIT: Rule = Rule::warning(
    "install-manifest/success-fit",
    "a condition of success should fit the kind of smoke test",
    "Only programs have exit codes and standard output, only HTTP responses have a status and a \
     body. A condition that cannot be looked at cannot hold.",
);
/// A smoke test that cannot fail.
pub static SMOKE_EMPTY: Rule = Rule::warning(
    "install-manifest/smoke-empty",
    "a smoke test should assert something",
    "With no condition every outcome is a success. A program's exit code is looked at anyway.",
);
/// A pattern that cannot be matched in bounded time.
pub static REGEX_UNSUPPORTED: Rule = Rule::warning(
    "install-manifest/regex-unsupported",
    "a pattern should do without look-around and back-references",
    "They are legal, but matching them can take for ever, so toolglot does not: the value counts \
     as one that does not match.",
);
/// A link that is not an absolute URI.
pub static URI: Rule = Rule::advice(
    "install-manifest/uri",
    "a link should be an absolute URI",
    "The schema's `format` is advice to most validators. A link that is none leads nowhere.",
);
/// An invalid e-mail address.
pub static EMAIL: Rule = Rule::advice(
    "install-manifest/email",
    "an address should be an e-mail address",
    "The schema's `format` is advice to most validators. An address that is none reaches nobody.",
);
/// A reference with an apparent escape, which does not escape it.
pub static TEMPLATE_ESCAPE: Rule = Rule::advice(
    "install-manifest/template-escape",
    "a reference should not have a dollar sign or a backslash in front",
    "Templates have no escapes: the sign stays, and the reference is replaced.",
);
/// A header that the client sets itself.
pub static HEADER_RESERVED: Rule = Rule::advice(
    "install-manifest/header-reserved",
    "headers that say how a message is sent should be left to the client",
    "`Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `Proxy-Authorization` and \
     `Cookie` change where a message goes or where it ends.",
);
/// A pattern that matches more than it seems to.
pub static REGEX_UNANCHORED: Rule = Rule::advice(
    "install-manifest/regex-unanchored",
    "`validation_regex` should begin with ^ and end with $",
    "The pattern may match anywhere in the value. The published command line matches the whole \
     value instead; with both anchors everybody agrees.",
);
/// An installation source that can change after a review.
pub static UNPINNED: Rule = Rule::advice(
    "install-manifest/unpinned",
    "what is installed should be pinned",
    "Name an image by digest, a git reference by its full commit, a package by a version. What is \
     installed is then what was looked at.",
);
/// A scope that no action uses.
pub static SCOPE_UNUSED: Rule = Rule::advice(
    "install-manifest/scope-unused",
    "a scope should be used by an action",
    "The actions say which scopes they use, and none uses this one. Do not ask for it.",
);
/// A request to a private address.
pub static PRIVATE_URL: Rule = Rule::advice(
    "install-manifest/private-url",
    "requests should not go to this machine or a private network",
    "A manifest from a stranger that sends requests there can reach what a firewall keeps from \
     them, such as a cloud's metadata service.",
);
/// A URL without encryption.
pub static INSECURE_URL: Rule = Rule::advice(
    "install-manifest/insecure-url",
    "URLs should be https",
    "Whoever is on the way can read and change what goes over http. Every text is looked at.",
);
/// A manifest without `verify`.
pub static NO_VERIFY: Rule = Rule::advice(
    "install-manifest/no-verify",
    "a manifest should say how the tool is verified over time",
    "From 0.3 on there is `verify`: a suite of cases, what to expect, and when to look.",
);
/// A `verify` without an expected latency.
pub static NO_LATENCY: Rule = Rule::advice(
    "install-manifest/no-latency",
    "`verify` should say how fast the tool is",
    "`verify.sla.p95_latency_ms` lets an agent tell a slow tool from a broken one.",
);
/// An action without a goal.
pub static NO_GOAL: Rule = Rule::advice(
    "install-manifest/no-goal",
    "an action should say what it is for, in `docs.goal`",
    "Models choose actions by it. `docs` came with 0.3; before, this is for information only.",
);
/// Recipients in a version without `to_kind`.
pub static RECIPIENT_KIND: Rule = Rule::remark(
    "install-manifest/recipient-kind",
    "0.4 can say whether a recipient is fixed or supplied by the agent",
    "Before 0.4 every recipient in `data_boundary.transmits` is a fixed one. If the \
     agent supplies it, move to 0.4 and say so with `to_kind`.",
);
/// An id with a leading digit or a double hyphen.
pub static PLAIN_ID: Rule = Rule::advice(
    "install-manifest/plain-id",
    "an id should be words of letters and digits with single hyphens between them",
    "The pattern lets leading digits and double hyphens through. Other registries do not.",
);
/// A version that is not `SemVer`.
pub static SEMVER: Rule = Rule::advice(
    "install-manifest/semver",
    "a version should be SemVer 2.0.0",
    "The pattern lets `01.0.0` and `1.0.0-a..b` through. Tools that compare versions do not.",
);
/// A secret without a pattern.
pub static SECRET_UNCHECKED: Rule = Rule::advice(
    "install-manifest/secret-unchecked",
    "a secret should have a `validation_regex`",
    "It finds a value that was pasted into the wrong prompt before it is stored or sent.",
);
/// A prompt that only repeats the variable's name.
pub static PROMPT_BARE: Rule = Rule::advice(
    "install-manifest/prompt-bare",
    "a prompt should say what the value is for, and where to get it",
    "Its reader sees the name of the variable already. They have to find the value, and to decide \
     whether the tool should have it.",
);
/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "install-manifest/secret",
    "a manifest should not hold a secret",
    "Everybody who installs the tool can read it: in a default, a header, an argument, a URL or an \
     example. Withdraw it, and ask each user for their own: declare a variable in `env` with \
     `secret` set, and write `${env.NAME}`.",
);
/// A smoke test that may do harm.
pub static SMOKE_SUSPICIOUS: Rule = Rule::advice(
    "install-manifest/smoke-suspicious",
    "a smoke test should only look",
    "It runs right after the installation, before anybody has used the tool. One that deletes, asks \
     for more rights, pipes a script into a shell or works the kill switch does something else than \
     look.",
);

/// A command with too many elements.
pub static COMMAND_LENGTH: Rule = command_line::rule("install-manifest/command-length");
