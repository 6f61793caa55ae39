//! Lifts manifests to descriptors, and lowers descriptors to manifests.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `toolId` | made to fit the grammar of the published tool |
//! | `title` | `name` | |
//! | `package.version` | `version` | |
//! | `description` | `description` | |
//! | `package.tags`, `package.labels` | `capabilities`, `meta.tags` | |
//! | `invocation` | `endpoint` | a request with the arguments as its body, or the line of a local program; anything else goes through the bridge |
//! | `timeout_ms` | `endpoint.timeoutMs` | whole milliseconds |
//! | `implementations`, `chain` | `implementations`, `chain` | |
//! | `input_schema`, `output_schema` | `input_schema`, `output_schema` | as written |
//! | `auth` | `auth` | also from a header that implies it |
//! | `package.env` | `auth.configHints.env` | names only |
//! | `test_files`, `example_files` | `tests`, `examples` | |
//! | `package.publisher`, `package.license`, `package.homepage` | `meta` | |
//!
//! The format has no members for anything else.

use manifest_core::format::{Holds, Words, file_name};
use manifest_core::json::Node;
use manifest_core::{Detected, Format, ToolDescriptor};

use crate::{check, id, rules};

mod auth;
mod call;
mod header;
mod lift;
mod lower;

/// The definition of the format, for conversion.
pub static FORMAT: Format = Format {
    name: "mcpkg",
    versions: &["0.1", "0.2"],
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    holds: Holds::Tool,
    catalog: None,
    keys: &["toolId", "id", "step"],
    words: Words {
        disabled: false,
        approval: false,
        reach: false,
        payment: false,
        enforces_reach: false,
    },
    detect,
    look_alike,
    check: check::validate,
    read: lift::read,
    says: call::says,
    contract: call::contract,
    unnamed: auth::unnamed,
    file,
    // A document is one tool, so there is no frame around it.
    frame: |_, _| Ok(()),
    entry: lower::entry,
    bridge_needs: "a host that runs local commands, in the folder of the output or with the source in \
                   the user's store (`convert --store`): the published runner sends requests only",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detected> {
    root.get("toolId").filter(|id| id.text().is_some())?;
    let mut evidence = vec!["`toolId` is a string"];
    if root.get("implementations").or_else(|| root.get("chain")).is_some() {
        evidence.push("`implementations` or `chain` is there, which 0.2 added");
    }
    let endpoint = root.get("endpoint").and_then(|endpoint| endpoint.get("type"));
    if endpoint.and_then(Node::text).is_some_and(|kind| kind == "local") {
        evidence.push("`endpoint` is local, which 0.2 added");
    }
    let version = if evidence.len() > 1 { "0.2" } else { "0.1" };
    Some(Detected { version: Some(version.to_owned()), evidence })
}

fn look_alike(root: Node<'_>) -> Option<&'static str> {
    let exported =
        |tool: Node<'_>| tool.get("input_schema").is_some() && tool.get("toolId").is_none();
    let tools = root.is_array() && root.elements().next().is_some();
    (tools && root.elements().all(exported))
        .then_some("a list of tools that the mcpkg command line exported for a model")
}

fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let id = tools.first().map(|tool| id::fitted(&tool.id)).unwrap_or_default();
    format!("{}.mcpkg", file_name(&id))
}
