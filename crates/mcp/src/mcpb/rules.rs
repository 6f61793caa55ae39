//! The rules of this format. The checks are in `table.rs`, `semantics.rs` and `bundle.rs`.

use manifest_core::{Rule, command_line};

/// The rules of a manifest.
pub static RULES: &[&Rule] = &[
    &STRUCTURE,
    &MCP_CONFIG,
    &VERSIONS,
    &URI,
    &COMMAND_LENGTH,
    &NAME,
    &VERSION,
    &DUPLICATE_TOOL,
    &SETTING,
    &VARIABLE,
    &NO_VERSION,
    &SECRET,
];

/// The rules of a bundle, besides those of its archive and its manifest.
pub static BUNDLE_RULES: &[&Rule] = &[&FILE_MISSING];

/// The hint of [`SECRET`].
pub(crate) const SECRET_HELP: &str = "ask for it: a setting of `user_config` that is `sensitive`";

/// A value that the table does not allow.
pub static STRUCTURE: Rule = Rule::structure(
    "mcpb/structure",
    "write what the format has a word for",
    "All objects are closed: what a publisher adds goes into `_meta`, from 0.3 on. \
     Types, platforms and versions are fixed words; sizes and locales have a form.",
);

/// `mcp_config` is missing.
pub static MCP_CONFIG: Rule = Rule::structure(
    "mcpb/mcp-config",
    "say in `server.mcp_config` how the server is started",
    "From 0.4 on, the text lets a server of the type `uv` go without it. The \
     published schema asks for it all the same: so does the profile `reference`.",
);

/// The two declared versions differ.
pub static VERSIONS: Rule = Rule::structure(
    "mcpb/versions",
    "`dxt_version` is the old name of `manifest_version`: leave it out, or say the same",
    "A manifest is of one version. Under each of two, the other is wrong.",
);

/// A text that should be a URI.
pub static URI: Rule = Rule::advice(
    "mcpb/uri",
    "write a URI, such as https://example.com/",
    "The schema names the format of pages, and validators may leave it unchecked.",
);

/// The name is empty or has control characters.
pub static NAME: Rule = Rule::semantics(
    "mcpb/name",
    "a name must not be empty, and has no control characters",
    "Names are shown to people, and tools are called by them. The published schema \
     takes any text: so does the profile `reference`.",
);

/// The version is not SemVer.
pub static VERSION: Rule = Rule::semantics(
    "mcpb/version",
    "write a SemVer version, such as 1.2.0",
    "Hosts compare versions to tell whether a bundle is newer than the one that is \
     installed. The text asks for SemVer; the published schema takes any text: so does \
     the profile `reference`.",
);

/// Two tools have the same name.
pub static DUPLICATE_TOOL: Rule = Rule::semantics(
    "mcpb/duplicate-tool",
    "the tools of a bundle must have different names",
    "A host calls a tool by its name. Of two with one name it can call only one.",
);

/// The setting is missing in `user_config`.
pub static SETTING: Rule = Rule::warning(
    "mcpb/setting",
    "describe each setting that the server is started with in `user_config`",
    "A host asks for what `user_config` describes, and puts the answer where \
     `${user_config.KEY}` stands. What it does not know stays as it is written.",
);

/// A variable that hosts do not fill in.
pub static VARIABLE: Rule = Rule::advice(
    "mcpb/variable",
    "hosts fill in ${__dirname}, ${HOME}, ${DESKTOP}, ${DOCUMENTS}, ${DOWNLOADS}, \
     ${pathSeparator}, ${/} and ${user_config.KEY}",
    "Anything else between `${` and `}` reaches the server as it is written.",
);

/// The version of the format is missing.
pub static NO_VERSION: Rule = Rule::advice(
    "mcpb/no-version",
    "say in `manifest_version` which version of the format it is",
    "The published schemas do not require it. Without one, the newest is taken.",
);

/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "mcpb/secret",
    "a manifest should not hold a secret",
    "A bundle is handed to everybody who installs it.",
);

/// The manifest names a file that is missing in the bundle.
pub static FILE_MISSING: Rule = Rule::semantics(
    "mcpb/file-missing",
    "what the manifest names must be in the bundle",
    "Paths are relative to the root of the bundle, and case counts. The entry point, \
     the icons and the screenshots are looked for.",
);

/// The command of the server has too many arguments.
pub static COMMAND_LENGTH: Rule = command_line::rule("mcpb/command-length");
