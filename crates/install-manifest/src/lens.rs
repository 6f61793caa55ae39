//! Lift and lower.
//!
//! Each action is a tool. Values outside of the actions become the package that the tools
//! share. A manifest without actions is a single tool. In the table, `^` marks members
//! outside of the actions.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `^tool.id` and `name` | `<tool>.<action>`; without actions, the id of the tool |
//! | `name`, `summary`, `description` | the same | without actions, there is no name |
//! | `title` | `^tool.name` | only without actions |
//! | `kind` | `^runtime.kind` | only without actions, if it is an MCP server |
//! | `input_schema` | `input` | a missing `input` takes no arguments; a schema of another format that is silent about additional arguments permits them; `true` becomes `{"additionalProperties":true}` |
//! | `output_schema`, `output_format` | `output` | JSON if the source declares no format |
//! | `examples`, `error_envelope`, `idempotent`, `scopes_used` | the same | |
//! | `side_effects` | `side_effects` | destructive if the source does not declare them or requires approval |
//! | `invocation` | `invocation`, `^runtime` | through the bridge if this format cannot express the call |
//! | `package.id`, `.namespace`, `.title`, `.summary`, `.description`, `.version`, `.tags`, `.labels`, `.homepage`, `.license` | `^tool` | fitted to the grammar of this format |
//! | `package.publisher` | `^tool.author` | the publisher's id in a registry if it has no name |
//! | `package.acquisition` | `^runtime.install` | preinstalled if the source does not declare it |
//! | `package.command`, `.cwd`, `.url` | `^runtime.entrypoint`, `^runtime.endpoint_url` | |
//! | `package.env` | `^env` | secret unless the source declares otherwise |
//! | `package.scopes`, `permissions`, `auth.scopes` | `^scopes` | |
//! | `auth.scheme` | `invocation.headers` | for an HTTP request with one variable |
//! | `package.smoke`, `.verify`, `.revocation`, `.data_boundary` | `^smoke`, `^verify`, `^kill_switch`, `^data_boundary` | as written, if the version supports it; before 0.3, scopes declare that data is sent or kept |
//! | `package.cost`, `.support` | `^cost`, `^support` | |
//!
//! This format lacks members for everything else. `^runtime.kind` is inferred from the call
//! and the installation.

use manifest_core::descriptor::{Command, ErrorEnvelope, Invocation};
use manifest_core::format::{Cardinality, Contract, HostRules, SafetyFeatures, fit};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, Text, ToolDescriptor};

use crate::enums::Version;
use crate::{check, rules};

mod call;
mod checks;
mod fit;
mod lift;
mod lift_call;
mod lower;
mod optional;
mod parts;
mod raw;
mod runtime;
mod scopes;
mod tool;

/// The definition of this format, for conversion.
pub static FORMAT: Format = Format {
    name: "install-manifest",
    versions: Version::WORDS,
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    cardinality: Cardinality::Package,
    catalog: None,
    keys: &["name", "resource", "tool/id"],
    safety_features: SafetyFeatures {
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
    call_support: call::call_support,
    contract,
    undeclared_secrets: parts::undeclared_secrets,
    file_name: document_name,
    write_document: lower::write_document,
    write_tool: lower::write_tool,
    bridge_needs: "a host that runs it in the folder of the output, or the source in the user's store",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    // Any type counts here. Validation reports a version that is not a string.
    let version = root.get("manifest_version")?.text();
    if !(root.get("tool")?.is_object() && root.get("runtime")?.is_object()) {
        return None;
    }
    Some(Detection {
        version: version.map(Text::into_owned),
        evidence: vec!["`manifest_version` is there", "`tool` and `runtime` are objects"],
    })
}

/// No other document is easily mistaken for a manifest of this format.
fn look_alike(_: Node<'_>) -> Option<&'static str> {
    None
}

/// Descriptions of calls that go over the network.
const NOT_SENT: &str = "nothing of it is sent";
const NO_PROGRAM: &str = "no program runs";

/// Returns the host rules of a call. No published program makes calls, so the rules follow
/// the specification.
fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let enveloped = tool.error_envelope.as_deref() == Some(&ErrorEnvelope::Standard);
    let program = Contract {
        extra_arguments: if parts::refuses_additional(tool) {
            Contract::REFUSED
        } else {
            "passed on"
        },
        examples: "in the manifest",
        fills_defaults: true,
        keeps_timeout: false,
        environment: "the variables that are named",
        directory: "that of the host",
        timeout: Contract::UNSPECIFIED,
        result: "standard output, read as the output format says",
        failure: if enveloped {
            "an exit code other than 0, or the standard error object"
        } else {
            "an exit code other than 0"
        },
        // A variable is required unless the manifest declares otherwise.
        host_rules: HostRules { variables_required: true, ..HostRules::PLAIN },
    };
    match tool.invocation.as_deref() {
        Some(Invocation::Http(_) | Invocation::RegistryTool(_) | Invocation::A2a(_)) => Contract {
            environment: NOT_SENT,
            directory: NO_PROGRAM,
            result: "the body, read as the output format says",
            failure: if enveloped {
                "a status other than 2xx, or the standard error object"
            } else {
                "a status other than 2xx"
            },
            ..program
        },
        Some(Invocation::McpTool(call)) => Contract {
            environment: if call.url.is_some() { NOT_SENT } else { program.environment },
            directory: if call.url.is_some() { NO_PROGRAM } else { program.directory },
            result: "the content of the result",
            failure: if enveloped {
                "a result that says it is an error, or the standard error object"
            } else {
                "a result that says it is an error"
            },
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

/// Returns the file name of a manifest, which is made from the id of its tool.
fn document_name(tools: &[ToolDescriptor<'_>]) -> String {
    let Some(first) = tools.first() else { return ".install".to_owned() };
    let id = first.package.id.as_ref().unwrap_or(&first.id);
    format!("{}.install", fit(id, &fit::TOOL_ID))
}
