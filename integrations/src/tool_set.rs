//! A tool set of rig over a folder of manifests.

use std::sync::Arc;

use rig_agent::tool::ToolSet;
use rig_core::message::ToolName;
use rig_core::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::{Value, from_str};
use toolglot::providers::Target;

use crate::{Failed, Failure, Folder};

/// The tools of a folder, for an agent of rig. They are named and described as OpenAI takes them,
/// which is what the other providers of rig take, too.
pub fn tool_set(mut folder: Folder) -> Result<ToolSet, Failed> {
    folder.tools.offers(Target::OpenAiChat);
    for problem in folder.tools.problems() {
        eprintln!("left out: {problem}");
    }
    let folder = Arc::new(folder);
    let mut tools = Vec::new();
    for offer in folder.tools.current_offers() {
        let json: Value = from_str(offer.json())?;
        let description = json.pointer("/function/description").and_then(Value::as_str);
        let parameters = json.pointer("/function/parameters").cloned().unwrap_or_default();
        tools.push(dynamic(&folder, offer.name(), description.unwrap_or_default(), parameters)?);
    }
    Ok(ToolSet::from_dynamic_tools(tools))
}

fn dynamic(
    folder: &Arc<Folder>,
    name: &str,
    description: &str,
    parameters: Value,
) -> Result<DynamicTool, Failed> {
    let (tool_name, name) = (ToolName::new(name)?, Arc::<str>::from(name));
    let folder = Arc::clone(folder);
    Ok(DynamicTool::new(tool_name, description.to_owned(), parameters, move |arguments| {
        let (folder, name) = (Arc::clone(&folder), Arc::clone(&name));
        Box::pin(async move {
            match folder.call(&name, &arguments).await {
                Ok(answer) => {
                    Ok(from_str(&answer)
                        .map_or_else(|_| ToolOutput::text(answer), ToolOutput::json))
                }
                Err(Failure::Refused(refused)) => {
                    Err(ToolExecutionError::invalid_args(refused.for_model()))
                }
                Err(Failure::Failed(failed)) => Err(ToolExecutionError::other(failed.to_string())),
            }
        })
    }))
}
