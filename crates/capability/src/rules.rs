//! The rules of this format. The checks of documents are in `structure.rs`, `semantics.rs`
//! and `advice.rs`, those of overrides in `layers.rs`, and those of policy in `policy.rs`.

use manifest_core::Rule;

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_MEMBER,
    &WORD,
    &EMPTY,
    &VERSION,
    &VERSION_RANGE,
    &DIGEST,
    &CALLABLE,
    &TIMEOUT,
    &ARGV_LENGTH,
    &IMPLEMENTATION_BLOCK,
    &ALLOWLIST_MISSING,
    &URL,
    &SECRET_REF,
    &SECRET_VALUE,
    &SECRET_DUPLICATE,
    &CONTROL_CHARACTER,
    &RESOURCE,
    &DUPLICATE_ID,
    &ORIGIN_SOURCE,
    &OAUTH_SECRET,
    &OTHER_BLOCKS,
    &UNPINNED,
    &INSECURE_URL,
    &PRIVATE_URL,
    &SHELL_COMMAND,
    &ALLOWLIST_ENTRY,
    &ALLOWLIST_UNUSED,
    &CATALOG_VERSION,
    &OVERRIDE_TRUST,
    &OVERRIDE_PERMISSIONS,
    &OVERRIDE_SIGNATURE,
    &OVERRIDE_TYPE,
    &OVERRIDE_VERSION,
    &OVERRIDE_ENABLED,
    &OVERRIDE_OAUTH,
    &TRUST_CLAIM,
    &INDEX_ENTRY,
    &DIGEST_MISMATCH,
    &INSTALL_CHANGED,
    &POLICY_TRUST,
    &POLICY_DISABLED,
    &POLICY_OAUTH,
    &POLICY_CHANNEL,
    &POLICY_NETWORK,
    &POLICY_DESTINATION,
    &POLICY_FILESYSTEM,
    &POLICY_DEVICE,
    &POLICY_IMPLEMENTATION,
    &POLICY_UNDECLARED,
];

pub(crate) static UNKNOWN_MEMBER: Rule = Rule::structure(
    "capability/unknown-member",
    "an object must have only the members that the specification names",
    "Every object of a capability manifest is closed, but for the two schemas. If the member is a \
     slip of the pen, the help names the one that was probably meant.",
);
pub(crate) static WORD: Rule = Rule::structure(
    "capability/word",
    "a word must be one of those that the specification lists",
    "The message lists them. They are in lower case, and nothing stands in for them: permissions \
     are never guessed.",
);
pub(crate) static EMPTY: Rule = Rule::structure(
    "capability/empty",
    "names, descriptions, references and command lines must not be empty",
    "Ids and descriptions need a character, command lines a program.",
);
pub(crate) static VERSION: Rule = Rule::structure(
    "capability/version",
    "a version must be exact, by the rules of SemVer 2.0.0",
    "Versions are pinned: three numbers, without leading zeros, and what SemVer lets follow them. \
     The published schema is looser; under the `reference` profile its pattern decides.",
);
pub(crate) static VERSION_RANGE: Rule = Rule::structure(
    "capability/version-range",
    "a version must be exact, not a range",
    "A range lets somebody else decide later what runs. Write the one version that was reviewed.",
);
pub(crate) static DIGEST: Rule = Rule::structure(
    "capability/digest",
    "a digest must be SHA-256 in hexadecimal",
    "64 hexadecimal digits, with or without `sha256:` before them.",
);
pub(crate) static CALLABLE: Rule = Rule::structure(
    "capability/callable",
    "a Python callable must be written as module:function",
    "The module may have dots in it. Both are ASCII identifiers.",
);
pub(crate) static TIMEOUT: Rule = Rule::structure(
    "capability/timeout",
    "a time-out must not be negative nor beyond all bounds",
    "Seconds, zero for the host's default. Hosts cap long ones.",
);
pub(crate) static ARGV_LENGTH: Rule = Rule::structure(
    "capability/argv-length",
    "a command line must not have more elements than the limit",
    "The limit is `Limits::arguments`.",
);
pub(crate) static IMPLEMENTATION_BLOCK: Rule = Rule::semantics(
    "capability/implementation-block",
    "an implementation must have the block that its kind names",
    "`command` and `python` have blocks of their names, `mcp_tool` has `mcp`, `a2a_rpc` has `a2a`. \
     Without it the capability cannot run.",
);
pub(crate) static ALLOWLIST_MISSING: Rule = Rule::semantics(
    "capability/allowlist-missing",
    "a network that is limited to a list must have the list",
    "With `allowlist` and no `network_allowlist` every call is refused. Write the hosts, or `deny`.",
);
pub(crate) static URL: Rule = Rule::semantics(
    "capability/url",
    "a URL must be absolute, http or https, with a host and without credentials",
    "Anything else is not a place that a host would fetch from or send to.",
);
pub(crate) static SECRET_REF: Rule = Rule::semantics(
    "capability/secret-ref",
    "a secret must be given as a reference into a secret store",
    "A reference has a scheme, as in `vault://kv/unison/github#token`. A text without one may be \
     the secret itself; files and web pages are not stores. The value is not printed.",
);
pub(crate) static SECRET_VALUE: Rule = Rule::semantics(
    "capability/secret-value",
    "a manifest must not hold a secret",
    "Manifests are copied, listed and shown to models. Put the value into a secret store, write a \
     reference into `secrets`, and replace the value: it has been seen. The value is not printed.",
);
pub(crate) static SECRET_DUPLICATE: Rule = Rule::semantics(
    "capability/secret-duplicate",
    "two secrets must not have the same name",
    "The capability asks for a secret by its name, so the name must decide which it gets.",
);
pub(crate) static CONTROL_CHARACTER: Rule = Rule::semantics(
    "capability/control-character",
    "ids, names and addresses must not hold control characters, nor arguments a NUL",
    "A NUL ends a string for the operating system, and others make one name look like another.",
);
pub(crate) static RESOURCE: Rule = Rule::semantics(
    "capability/resource",
    "a resource limit must be a word, or a number with a unit",
    "Such as `default`, `500m` or `128Mi`. A limit below zero, or one that no host could read, is \
     no limit at all.",
);
pub(crate) static DUPLICATE_ID: Rule = Rule::semantics(
    "capability/duplicate-id",
    "two entries of a catalog must not have the same id",
    "An id decides what runs. Under the `reference` profile the last one wins.",
);
pub(crate) static ORIGIN_SOURCE: Rule = Rule::warning(
    "capability/origin-source",
    "an origin should say where it is: a URL or a path, as its source",
    "`url` needs `origin.url`, `local` needs `origin.path`. Without it, nobody can fetch the \
     capability again.",
);
pub(crate) static OAUTH_SECRET: Rule = Rule::warning(
    "capability/oauth-secret",
    "what requires OAuth should refer to a secret whose name begins with OAUTH_",
    "Until the user has signed in there is none, and the capability does not run. The host adds \
     the reference then.",
);
pub(crate) static OTHER_BLOCKS: Rule = Rule::advice(
    "capability/other-blocks",
    "an implementation should have no block but the one of its kind",
    "The kind decides; the others are never used, and mislead who reads them.",
);
pub(crate) static UNPINNED: Rule = Rule::advice(
    "capability/unpinned",
    "a digest should be that of the capability, not zeros",
    "The zeros stand for a digest that nobody made. What is fetched cannot be checked.",
);
pub(crate) static INSECURE_URL: Rule = Rule::advice(
    "capability/insecure-url",
    "a URL should be https",
    "Whoever is on the way can read and change what goes over http. Registries are https only.",
);
pub(crate) static PRIVATE_URL: Rule = Rule::advice(
    "capability/private-url",
    "a URL should not lead to this machine or a private network",
    "A manifest from elsewhere could reach what only the host should reach.",
);
pub(crate) static SHELL_COMMAND: Rule = Rule::advice(
    "capability/shell-command",
    "a command should be a program, not a shell with a script",
    "A shell runs whatever the text says, and arguments become part of it.",
);
pub(crate) static ALLOWLIST_ENTRY: Rule = Rule::advice(
    "capability/allowlist-entry",
    "an entry of an allow-list should be a host, *.domain or the beginning of a URL",
    "Other entries match nothing. `*` alone does not stand for everything.",
);
pub(crate) static ALLOWLIST_UNUSED: Rule = Rule::advice(
    "capability/allowlist-unused",
    "a list of hosts should come with a network that is limited to it",
    "With `deny` nothing is reached, whatever the list says.",
);
pub(crate) static CATALOG_VERSION: Rule = Rule::advice(
    "capability/catalog-version",
    "a catalog should say that it is catalog.v1",
    "No other version is known. Readers do not check it yet.",
);
pub(crate) static OVERRIDE_TRUST: Rule = Rule::warning(
    "capability/override-trust",
    "a local entry should not be trusted more than what it replaces",
    "Whoever can write the local catalog could make anything trusted. Check who did.",
);
pub(crate) static OVERRIDE_PERMISSIONS: Rule = Rule::warning(
    "capability/override-permissions",
    "a local entry should not be permitted more than what it replaces",
    "It may reach more of the network, files or devices than the entry that was shipped.",
);
pub(crate) static OVERRIDE_SIGNATURE: Rule = Rule::warning(
    "capability/override-signature",
    "a local entry should not drop the signature of what it replaces",
    "What was signed can be replaced by what is not.",
);
pub(crate) static OVERRIDE_TYPE: Rule = Rule::warning(
    "capability/override-type",
    "a local entry should have the type of what it replaces",
    "Whoever asks for the id expects the same sort of resource.",
);
pub(crate) static OVERRIDE_VERSION: Rule = Rule::warning(
    "capability/override-version",
    "a local entry should not be older than what it replaces",
    "The newer version that was shipped is not used. Remove the local entry to use it.",
);
pub(crate) static OVERRIDE_ENABLED: Rule = Rule::warning(
    "capability/override-enabled",
    "a local entry should not switch on what was shipped switched off",
    "Entries are replaced whole: one that does not say `enabled` is on.",
);
pub(crate) static OVERRIDE_OAUTH: Rule = Rule::warning(
    "capability/override-oauth",
    "a local entry should not drop the sign-in of what it replaces",
    "Entries are replaced whole: one that does not say `requires_oauth` needs none.",
);
pub(crate) static TRUST_CLAIM: Rule = Rule::warning(
    "capability/trust-claim",
    "what comes from a registry should not say how far it is trusted",
    "It counts as untrusted, unless policy marks the registry as verified.",
);
pub(crate) static INDEX_ENTRY: Rule = Rule::structure(
    "capability/index-entry",
    "an entry of an index must hold a manifest, or say where it is",
    "Either `manifest`, or `manifest_url` with a `candidate_manifest` that pins it.",
);
pub(crate) static DIGEST_MISMATCH: Rule = Rule::semantics(
    "capability/digest-mismatch",
    "what is fetched must have the digest that was promised",
    "Somebody changed it, or the promise is older. It is not used.",
);
pub(crate) static INSTALL_CHANGED: Rule = Rule::semantics(
    "capability/install-changed",
    "what is read back must be what was staged",
    "The store did not keep it, or somebody changed it in between. The installation is undone.",
);

pub(crate) static POLICY_TRUST: Rule = Rule::semantics(
    "capability/policy-trust",
    "only trust levels that policy allows are installed and run",
    "By default `local` and `verified`.",
);
pub(crate) static POLICY_DISABLED: Rule = Rule::semantics(
    "capability/policy-disabled",
    "what is switched off does not run",
    "`enabled` is false.",
);
pub(crate) static POLICY_OAUTH: Rule = Rule::semantics(
    "capability/policy-oauth",
    "what requires OAuth runs only after the user has signed in",
    "There is no secret whose name begins with OAUTH_.",
);
pub(crate) static POLICY_CHANNEL: Rule = Rule::semantics(
    "capability/policy-channel",
    "a capability runs over the channel that it declares, where policy allows it",
    "A virtual desktop and a program call are not interchangeable.",
);
pub(crate) static POLICY_NETWORK: Rule = Rule::semantics(
    "capability/policy-network",
    "a capability without a list of hosts reaches no network",
    "`permissions.network` is `deny`, or the list is empty.",
);
pub(crate) static POLICY_DESTINATION: Rule = Rule::semantics(
    "capability/policy-destination",
    "a request goes only where the list allows",
    "Exact hosts, `*.domain` for what is below a domain, or the beginning of a URL. The default \
     port, unless the entry has another. Never a private network, unless policy allows it.",
);
pub(crate) static POLICY_FILESYSTEM: Rule = Rule::semantics(
    "capability/policy-filesystem",
    "a capability gets no more of the file system than policy allows",
    "Nothing by default.",
);
pub(crate) static POLICY_DEVICE: Rule = Rule::semantics(
    "capability/policy-device",
    "a capability gets only the devices that policy allows",
    "None by default.",
);
pub(crate) static POLICY_IMPLEMENTATION: Rule = Rule::semantics(
    "capability/policy-implementation",
    "a capability runs only when it says how",
    "There is no `implementation`, or its kind has no block.",
);
/// No catalog declares the capability.
pub static POLICY_UNDECLARED: Rule = Rule::semantics(
    "capability/policy-undeclared",
    "a capability runs only when a catalog declares it",
    "Install it first.",
);
