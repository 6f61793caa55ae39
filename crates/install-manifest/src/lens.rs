//! Lift and lower.
//!
//! Each action is a tool. What the manifest says once is said by the package that the
//! tools share. A manifest without actions is one tool, the whole of it. `^` stands for
//! the manifest around the actions.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `^tool.id` and `name` | `<tool>.<action>`; the tool's id alone for a whole manifest |
//! | `name`, `summary`, `description` | the same | a whole manifest has no name |
//! | `title` | `^tool.name` | of a whole manifest |
//! | `kind` | `^runtime.kind` | an MCP server, for a whole manifest that is one |
//! | `input_schema` | `input` | an action without takes nothing; open, where the source does not say: `true` becomes `{"additionalProperties":true}` |
//! | `output_schema`, `output_format` | `output` | JSON, where the source does not say |
//! | `examples`, `error_envelope`, `idempotent`, `scopes_used` | the same | |
//! | `side_effects` | `side_effects` | destructive, where the source does not say or wants approval |
//! | `invocation` | `invocation`, `^runtime` | what has no words here goes through the bridge |
//! | `package.id`, `.namespace`, `.title`, `.summary`, `.description`, `.version`, `.tags`, `.labels`, `.homepage`, `.license` | `^tool` | made to fit |
//! | `package.publisher` | `^tool.author` | a registry's name for them, where there is no other |
//! | `package.acquisition` | `^runtime.install` | a program that is there already, where the source does not say |
//! | `package.command`, `.cwd`, `.url` | `^runtime.entrypoint`, `^runtime.endpoint_url` | |
//! | `package.env` | `^env` | secret, where the source does not say |
//! | `package.scopes`, `permissions`, `auth.scopes` | `^scopes` | |
//! | `auth.scheme` | `invocation.headers` | of an HTTP request with one variable |
//! | `package.smoke`, `.verify`, `.revocation`, `.data_boundary` | `^smoke`, `^verify`, `^kill_switch`, `^data_boundary` | as written, as far as the version has words; before 0.3, scopes say that data is sent or kept |
//! | `package.cost`, `.support` | `^cost`, `^support` | |
//!
//! Everything else has no home here. `^runtime.kind` follows from the call and the
//! installation.

use manifest_core::descriptor::{Command, ErrorEnvelope, Invocation};
use manifest_core::format::{Calling, Contract, Holds, Words, fit};
use manifest_core::json::Node;
use manifest_core::{Detected, Format, Text, ToolDescriptor};

use crate::words::Version;
use crate::{check, rules};

mod call;
mod checks;
mod entry;
mod fit;
mod lift;
mod lift_call;
mod lower;
mod parts;
mod raw;
mod runtime;
mod scopes;
mod tool;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "install-manifest",
    versions: Version::WORDS,
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    holds: Holds::Package,
    catalog: None,
    keys: &["name", "resource", "tool/id"],
    words: Words {
        disabled: false,
        approval: true,
        reach: true,
        payment: true,
        enforces_reach: false,
    },
    detect,
    look_alike,
    check: check::validate,
    read: lift::read,
    says: call::says,
    contract,
    unnamed: parts::unnamed,
    file,
    frame: lower::frame,
    entry: lower::entry,
    bridge_needs: "a host that runs it in the folder of the output, or the source in the user's store: \
                   `convert --store` copies it there",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detected> {
    // Of any type: that it must be a string is for validation to say.
    let version = root.get("manifest_version")?.text();
    let known = ["tool", "runtime"].iter().all(|name| root.get(name).is_some_and(Node::is_object));
    known.then(|| Detected {
        version: version.map(Text::into_owned),
        evidence: vec!["`manifest_version` is there", "`tool` and `runtime` are objects"],
    })
}

/// Nothing else is taken for one.
fn look_alike(_: Node<'_>) -> Option<&'static str> {
    None
}

/// What is said of calls that go to an address.
const NOT_SENT: &str = "nothing of it is sent";
const NO_PROGRAM: &str = "no program runs";

/// What a host does around a call. No published program makes one: this is what the
/// specification says.
fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let enveloped = tool.error_envelope.as_deref() == Some(&ErrorEnvelope::Standard);
    let failure = |raw, standard| if enveloped { standard } else { raw };
    let program = Contract {
        unnamed: if parts::is_closed(tool) { Contract::REFUSED } else { "passed on" },
        examples: "in the manifest",
        fills_defaults: true,
        keeps_timeout: false,
        environment: "the variables that are named",
        directory: "that of the host",
        timeout: Contract::NOT_SAID,
        result: "standard output, read as the output format says",
        failure: failure(
            "an exit code other than 0",
            "an exit code other than 0, or the standard error object",
        ),
        // A variable is required, unless a manifest says that it is not.
        calling: Calling { needs_variables: true, ..Calling::PLAIN },
    };
    match tool.invocation.as_deref() {
        Some(Invocation::Http(_) | Invocation::RegistryTool(_) | Invocation::A2a(_)) => Contract {
            environment: NOT_SENT,
            directory: NO_PROGRAM,
            result: "the body, read as the output format says",
            failure: failure(
                "a status other than 2xx",
                "a status other than 2xx, or the standard error object",
            ),
            ..program
        },
        Some(Invocation::McpTool(call)) => Contract {
            environment: if call.url.is_some() { NOT_SENT } else { program.environment },
            directory: if call.url.is_some() { NO_PROGRAM } else { program.directory },
            result: "the content of the result",
            failure: failure(
                "a result that says it is an error",
                "a result that says it is an error, or the standard error object",
            ),
            ..program
        },
        None
        | Some(
            Invocation::Command(Command { argv: _, cwd: _, input: _ })
            | Invocation::CommandLine(_)
            | Invocation::Python(_)
            | Invocation::Node(_),
        ) => program,
    }
}

/// A manifest is called by the id of its tool.
fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let id = tools.first().map(|tool| match &tool.package.id {
        Some(id) => fit(id, &fit::TOOL_ID),
        None => fit(&tool.id, &fit::TOOL_ID),
    });
    format!("{}.install", id.unwrap_or_default())
}
