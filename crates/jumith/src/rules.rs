//! The rules of the format. The checks are in `structure.rs`, `semantics.rs`, `advice.rs`,
//! `bundle/`, `results/`, `cache.rs`, `secrets.rs` and `contract.rs`.

use manifest_core::Rule;

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &NOT_A_MANIFEST,
    &BLANK,
    &ID,
    &VERSION,
    &RUNTIME,
    &ENTRY_MAIN,
    &EXPORT,
    &SECRET_NAME,
    &DUPLICATE_SECRET,
    &SECRET_COUNT,
    &SCHEMA_TYPE,
    &SHA256,
    &CONTROL_CHARACTER,
    &REFERENCE,
    &ID_FORM,
    &ENTRY_EXTENSION,
    &SECRET_AMBIGUOUS,
    &TAG,
    &NO_APPROVAL,
    &NO_SCHEMA,
    &ENCODING,
    &BASE64,
    &FILE_PATH,
    &FILE_COLLISION,
    &FILE_COUNT,
    &BUNDLE_SIZE,
    &ENTRY_MISSING,
    &DIGEST,
    &DESCRIBE_MISMATCH,
    &IDENTITY,
    &SENSITIVE_FILE,
    &IMMUTABLE_VERSION,
    &SECRET_COLLISION,
    &EXPORT_MISSING,
    &TOOL_CONTRACT,
    &UNDECLARED_SECRET,
    &UNDECLARED_APPROVAL,
    &TOOL_NAME,
    &SECRET,
];

pub(crate) static NOT_A_MANIFEST: Rule = Rule::structure(
    "jumith/not-a-manifest",
    "a tool manifest must be the answer of the describe endpoint",
    "A bundle, a page of search results and an error are documents of the registry too, but no \
     manifests. The manifest of a bundle is its `manifest` member; `toolglot bundle check` checks \
     the whole.",
);
pub(crate) static BLANK: Rule = Rule::semantics(
    "jumith/blank",
    "id, name, version, summary, description and entry.main must not be blank",
    "Clients refuse a tool without them, and people and models choose tools by these texts.",
);
pub(crate) static ID: Rule = Rule::semantics(
    "jumith/id",
    "an id must not hold / \\ ? # % or characters that do not show",
    "The id is a segment of URLs and the key of caches. With separators or escapes in it, one \
     server or one disk would take it for another tool.",
);
pub(crate) static VERSION: Rule = Rule::semantics(
    "jumith/version",
    "a version must be an exact SemVer 2.0.0 version",
    "Which version is the latest is decided by SemVer precedence, and the version is a segment of \
     URLs and names a folder where the tool is installed.",
);
pub(crate) static RUNTIME: Rule = Rule::semantics(
    "jumith/unsupported-runtime",
    "entry.runtime must be node",
    "It is the only runtime that the specification knows. The registry's own code for this is \
     UNSUPPORTED_RUNTIME.",
);
pub(crate) static ENTRY_MAIN: Rule = Rule::semantics(
    "jumith/entry-main",
    "entry.main must be a relative path inside the bundle",
    "The path uses `/`, names a file, and means the same on every system: no `..`, no drive \
     letters, no backslashes, no characters that some file systems refuse.",
);
pub(crate) static EXPORT: Rule = Rule::semantics(
    "jumith/export",
    "entry.export must be a name that a module can export",
    "A JavaScript identifier, and none that every object has, such as `constructor`.",
);
pub(crate) static SECRET_NAME: Rule = Rule::semantics(
    "jumith/secret-name",
    "a secret must be named without white space, = and characters that do not show",
    "The name becomes part of the key `<tool>-<secret>` that the tool reads the value from.",
);
pub(crate) static DUPLICATE_SECRET: Rule = Rule::semantics(
    "jumith/duplicate-secret",
    "a secret must not be declared twice",
    "Each is asked for once.",
);
pub(crate) static SECRET_COUNT: Rule = Rule::semantics(
    "jumith/secret-count",
    "a tool must not ask for more secrets than the limit",
    "The limit is `Limits::secrets`. Each secret is a question to the user.",
);
pub(crate) static SCHEMA_TYPE: Rule = Rule::structure(
    "jumith/schema-type",
    "a JSON Schema must be an object or a boolean",
    "Everything else is not a schema.",
);
pub(crate) static SHA256: Rule = Rule::semantics(
    "jumith/sha256",
    "sha256 must be 64 lower-case hexadecimal digits",
    "The member is an extension: the digest of the bundle's files, so that a client notices when \
     they changed on the way.",
);
pub(crate) static CONTROL_CHARACTER: Rule = Rule::semantics(
    "jumith/control-character",
    "name, provider and tags must not hold control characters",
    "They are shown in terminals and logs, where control characters can hide or forge text.",
);
pub(crate) static REFERENCE: Rule = Rule::structure(
    "jumith/reference",
    "under the reference profile, the published client must accept the document",
    "The published client asks for texts that are not blank and for objects and arrays in their \
     places; what else is wrong it drops without a word. The message is its own.",
);
pub(crate) static ID_FORM: Rule = Rule::advice(
    "jumith/id-form",
    "an id should be tool: and a name of [a-z0-9._-]",
    "All ids of the published hub have this form, and no two of them differ only in case.",
);
pub(crate) static ENTRY_EXTENSION: Rule = Rule::advice(
    "jumith/entry-extension",
    "entry.main should end in .js, .mjs or .cjs",
    "Node loads other files as something else, or not at all.",
);
pub(crate) static SECRET_AMBIGUOUS: Rule = Rule::advice(
    "jumith/secret-ambiguous",
    "the name of a tool with secrets should not hold a hyphen",
    "The key of a secret is `<tool>-<secret>`: the tool `a-b` with the secret `c` and the tool `a` \
     with the secret `b-c` would read the same value.",
);
pub(crate) static TAG: Rule = Rule::advice(
    "jumith/tag",
    "a tag should not be blank, nor hold a comma",
    "Filters are lists of tags between commas.",
);
pub(crate) static NO_APPROVAL: Rule = Rule::remark(
    "jumith/no-approval",
    "a manifest should say whether calls need approval",
    "Without `requiresApproval`, the published client runs the tool without asking.",
);
pub(crate) static NO_SCHEMA: Rule = Rule::remark(
    "jumith/no-schema",
    "a manifest should have an input schema",
    "Without one, a model has to guess the arguments.",
);
pub(crate) static ENCODING: Rule = Rule::structure(
    "jumith/encoding",
    "the encoding of a file must be utf8 or base64",
    "It is utf8 when the member is missing.",
);
pub(crate) static BASE64: Rule = Rule::semantics(
    "jumith/base64",
    "base64 content must be in the standard alphabet, with padding, and nothing else",
    "Readers disagree on white space, on missing padding and on bits that are left over, so that \
     one text could be two files.",
);
pub(crate) static FILE_PATH: Rule = Rule::semantics(
    "jumith/file-path",
    "the path of a file must be relative and stay inside the bundle",
    "Paths use `/`, name a file, and mean the same on every system: no `..`, no drive letters, no \
     backslashes, no characters that some file systems refuse.",
);
pub(crate) static FILE_COLLISION: Rule = Rule::semantics(
    "jumith/file-collision",
    "two files of a bundle must not have the same path on any file system",
    "Some file systems ignore case or Unicode normalisation, and none can hold a file and a folder \
     of the same name.",
);
pub(crate) static FILE_COUNT: Rule = Rule::semantics(
    "jumith/file-count",
    "a bundle must not have more files than the limit",
    "The limit is `Limits::bundle_files`.",
);
pub(crate) static BUNDLE_SIZE: Rule = Rule::semantics(
    "jumith/bundle-size",
    "the files of a bundle must not be larger than the limit",
    "The limit is `Limits::bundle_bytes`, for all files together.",
);
pub(crate) static ENTRY_MISSING: Rule = Rule::semantics(
    "jumith/entry-missing",
    "entry.main must be one of the bundle's files",
    "The tool could not be loaded.",
);
pub(crate) static DIGEST: Rule = Rule::semantics(
    "jumith/digest",
    "files must have the digest that the registry names",
    "The bundle was changed after it was published, or damaged on the way.",
);
pub(crate) static DESCRIBE_MISMATCH: Rule = Rule::semantics(
    "jumith/describe-mismatch",
    "the manifest of a bundle must match the one that describe answers with",
    "What a person approved after reading one must be what is installed. Members that the \
     specification does not know are not compared, and an empty list is the same as none.",
);
pub(crate) static IDENTITY: Rule = Rule::semantics(
    "jumith/identity",
    "an answer must be about the tool and the version that were asked for",
    "A cache that is keyed by id and version would hold another tool under this name.",
);
pub(crate) static SENSITIVE_FILE: Rule = Rule::advice(
    "jumith/sensitive-file",
    "a bundle should not hold files that other programs act on",
    "Such as `.npmrc`, `.git/config` or `node_modules`. A `package.json` at the top is usual, and \
     fine.",
);
pub(crate) static IMMUTABLE_VERSION: Rule = Rule::semantics(
    "jumith/immutable-version",
    "a version that was seen before must not have changed",
    "Tools are immutable by version, and clients cache them so. Build metadata (`1.0.0+a`) does \
     not make another version.",
);
pub(crate) static SECRET_COLLISION: Rule = Rule::semantics(
    "jumith/secret-collision",
    "two tools must not read different secrets from the same key",
    "The tool `a-b` with the secret `c` and the tool `a` with the secret `b-c` share the key \
     `a-b-c`: one would be given the other's value.",
);
pub(crate) static EXPORT_MISSING: Rule = Rule::semantics(
    "jumith/export-missing",
    "the module must export the tool",
    "Under the name in `entry.export`; where that is missing, as `tool` or as `default`. The \
     published client also falls back when the name is given and not there: so does the \
     `reference` profile.",
);
pub(crate) static TOOL_CONTRACT: Rule = Rule::semantics(
    "jumith/tool-contract",
    "a tool must be an object with a name, a description and a function execute",
    "The host calls `execute` and shows the other two.",
);
pub(crate) static UNDECLARED_SECRET: Rule = Rule::semantics(
    "jumith/undeclared-secret",
    "a module must not ask for secrets that its manifest does not declare",
    "People approve the secrets that the manifest lists.",
);
pub(crate) static UNDECLARED_APPROVAL: Rule = Rule::advice(
    "jumith/undeclared-approval",
    "module and manifest should agree on whether calls need approval",
    "Where they do not, calls need it.",
);
pub(crate) static TOOL_NAME: Rule = Rule::advice(
    "jumith/tool-name",
    "module and manifest should give the tool the same name",
    "The key of a secret begins with the name that the module gives the tool.",
);
pub(crate) static SECRET: Rule = Rule::advice(
    "jumith/secret",
    "a manifest, a bundle or an answer should not hold a secret",
    "The specification forbids registries to hand out secrets, and everybody can read a bundle: also \
     what is in its files, in base64 or not. Withdraw the secret, and declare its name in \
     `requiredSecrets`.",
);

/// The hint of [`SECRET`].
pub(crate) const SECRET_HELP: &str = "withdraw the secret, and name it in \"requiredSecrets\"";
