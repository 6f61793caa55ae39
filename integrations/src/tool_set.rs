//! A tool set of rig over a folder of manifests.

use std::sync::Arc;

use rig_agent::tool::ToolSet;
use rig_core::message::ToolName;
use rig_core::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::{Value, from_str};
use toolglot::providers::{Options, Target};

use crate::{Failed, Failure, Folder, Tool};

/// The tools of a folder, for an agent of rig. They are named and described as OpenAI takes them,
/// which is what the other providers of rig take, too.
pub fn tool_set(folder: &Arc<Folder>) -> Result<ToolSet, Failed> {
    let (tools, left_out) = folder.tools(&Options::new(Target::OpenAiChat))?;
    for (id, why) in left_out {
        eprintln!("{id} is left out: {why}");
    }
    let tools = tools.into_iter().map(|tool| dynamic(folder, tool));
    Ok(ToolSet::from_dynamic_tools(tools.collect::<Result<_, _>>()?))
}

fn dynamic(folder: &Arc<Folder>, tool: Tool) -> Result<DynamicTool, Failed> {
    let function = tool.json.get("function").ok_or("a function")?;
    let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
    let parameters = function.get("parameters").cloned().unwrap_or_default();
    let (name, description) = (ToolName::new(tool.name.as_str())?, description.to_owned());
    let (folder, tool) = (Arc::clone(folder), Arc::new(tool));
    Ok(DynamicTool::new(name, description, parameters, move |arguments| {
        let (folder, tool) = (Arc::clone(&folder), Arc::clone(&tool));
        Box::pin(async move {
            match folder.call(&tool, &arguments.to_string()).await {
                Ok(answer) => {
                    Ok(from_str(&answer)
                        .map_or_else(|_| ToolOutput::text(answer), ToolOutput::json))
                }
                Err(Failure::Refused(refusal)) => {
                    Err(ToolExecutionError::invalid_args(refusal.to_string()))
                }
                Err(Failure::Failed(failed)) => Err(ToolExecutionError::other(failed.to_string())),
            }
        })
    }))
}
