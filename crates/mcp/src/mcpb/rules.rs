//! The rules of this format. The checks are in `table.rs`, `semantics.rs` and `bundle.rs`.

use manifest_core::{Depth, Rule, Severity, command_line};

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
pub static STRUCTURE: Rule = Rule {
    code: "mcpb/structure",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write what the format has a word for",
    explanation: "All objects are closed: what a publisher adds goes into `_meta`, from 0.3 on. \
                  Types, platforms and versions are fixed words; sizes and locales have a form.",
};

/// `mcp_config` is missing.
pub static MCP_CONFIG: Rule = Rule {
    code: "mcpb/mcp-config",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "say in `server.mcp_config` how the server is started",
    explanation: "From 0.4 on, the text lets a server of the type `uv` go without it. The \
                  published schema asks for it all the same: so does the profile `reference`.",
};

/// The two declared versions differ.
pub static VERSIONS: Rule = Rule {
    code: "mcpb/versions",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "`dxt_version` is the old name of `manifest_version`: leave it out, or say the same",
    explanation: "A manifest is of one version. Under each of two, the other is wrong.",
};

/// A text that should be a URI.
pub static URI: Rule = Rule {
    code: "mcpb/uri",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "write a URI, such as https://example.com/",
    explanation: "The schema names the format of pages, and validators may leave it unchecked.",
};

/// The name is empty or has control characters.
pub static NAME: Rule = Rule {
    code: "mcpb/name",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "a name must not be empty, and has no control characters",
    explanation: "Names are shown to people, and tools are called by them. The published schema \
                  takes any text: so does the profile `reference`.",
};

/// The version is not SemVer.
pub static VERSION: Rule = Rule {
    code: "mcpb/version",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "write a SemVer version, such as 1.2.0",
    explanation: "Hosts compare versions to tell whether a bundle is newer than the one that is \
                  installed. The text asks for SemVer; the published schema takes any text: so does \
                  the profile `reference`.",
};

/// Two tools have the same name.
pub static DUPLICATE_TOOL: Rule = Rule {
    code: "mcpb/duplicate-tool",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "the tools of a bundle must have different names",
    explanation: "A host calls a tool by its name. Of two with one name it can call only one.",
};

/// The setting is missing in `user_config`.
pub static SETTING: Rule = Rule {
    code: "mcpb/setting",
    severity: Severity::Warning,
    depth: Depth::Semantics,
    summary: "describe each setting that the server is started with in `user_config`",
    explanation: "A host asks for what `user_config` describes, and puts the answer where \
                  `${user_config.KEY}` stands. What it does not know stays as it is written.",
};

/// A variable that hosts do not fill in.
pub static VARIABLE: Rule = Rule {
    code: "mcpb/variable",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "hosts fill in ${__dirname}, ${HOME}, ${DESKTOP}, ${DOCUMENTS}, ${DOWNLOADS}, \
              ${pathSeparator}, ${/} and ${user_config.KEY}",
    explanation: "Anything else between `${` and `}` reaches the server as it is written.",
};

/// The version of the format is missing.
pub static NO_VERSION: Rule = Rule {
    code: "mcpb/no-version",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "say in `manifest_version` which version of the format it is",
    explanation: "The published schemas do not require it. Without one, the newest is taken.",
};

/// A secret in plain text.
pub static SECRET: Rule = Rule {
    code: "mcpb/secret",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "a manifest should not hold a secret",
    explanation: "A bundle is handed to everybody who installs it.",
};

/// The manifest names a file that is missing in the bundle.
pub static FILE_MISSING: Rule = Rule {
    code: "mcpb/file-missing",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "what the manifest names must be in the bundle",
    explanation: "Paths are relative to the root of the bundle, and case counts. The entry point, \
                  the icons and the screenshots are looked for.",
};

/// The command of the server has too many arguments.
pub static COMMAND_LENGTH: Rule = command_line::rule("mcpb/command-length");
