//! rig: a tool set, and the requests to providers that rig has types of its own for.

use integrations::tool_set;
use rig_core::completion::{CompletionRequest, ToolDefinition};
use rig_core::message::ToolName;
use rig_core::providers::anthropic::{AnthropicConfig, Messages, ToolInputStreaming};
use rig_core::providers::gemini::GeminiConfig;
use rig_core::providers::gemini::completion::GenerateContent;
use rig_core::tool::{ToolContext, ToolErrorKind};
use rig_core::wire::{Body, Encoded, Mode, Wire};
use serde_json::{Value, from_slice, from_value, json};
use toolglot::providers::{Options, Target};

use crate::{arguments, given, greeters, greeting, is_told_what_to_correct, mixed};

#[tokio::test]
async fn a_tool_set_is_defined_and_called() {
    let tools = given(&mut mixed(), &Options::new(Target::OpenAiChat));
    let set = tool_set(mixed()).unwrap();
    let definitions = set.tool_definitions();
    assert_eq!(definitions.len(), tools.len());
    for (definition, tool) in std::iter::zip(definitions, &tools) {
        // rig has a description of every tool.
        let mut function = tool.json["function"].clone();
        function.as_object_mut().unwrap().entry("description").or_insert(json!(""));
        assert_eq!(definition, from_value::<ToolDefinition>(function).unwrap());
    }

    let mut context = ToolContext::new();
    for tool in greeters(&tools) {
        let name = &tool.name;
        let result = set.execute(name, arguments().to_string(), &mut context).await;
        assert_eq!(result.output().as_json(), Some(&greeting()), "{name}: {result:?}");
        let wrong = json!({"name": "Ada", "count": "two"}).to_string();
        let result = set.execute(name, wrong, &mut context).await;
        assert!(result.is_error_kind(ToolErrorKind::InvalidArgs), "{name}: {result:?}");
        is_told_what_to_correct(result.output().as_text().unwrap());
    }
}

/// What rig would send under `tools`.
fn sent(
    wire: &impl Wire<Op = rig_core::operation::Completion, Payload = Encoded>,
    tools: Vec<ToolDefinition>,
) -> Value {
    let mut request = CompletionRequest::new("hello");
    (request.tools, request.max_tokens) = (tools, Some(1));
    let encoded = wire.encode(request, Mode::Unary).unwrap();
    let Body::Bytes(body) = encoded.request.body() else { panic!("JSON") };
    from_slice::<Value>(body).unwrap()["tools"].take()
}

/// A tool as rig defines it, without what rig has no word for.
fn definition(tool: &mut Value, schema: &str, unknown: &str) -> ToolDefinition {
    let tool = tool.as_object_mut().unwrap();
    tool.remove(unknown);
    tool.entry("description").or_insert(json!(""));
    let [name, description] = ["name", "description"].map(|text| tool[text].as_str().unwrap());
    ToolDefinition::new(ToolName::new(name).unwrap(), description, tool[schema].clone())
}

#[test]
fn requests_to_anthropic_have_the_same_tools() {
    let tools = given(&mut mixed(), &Options::new(Target::Anthropic));
    let mut tools: Vec<Value> = tools.into_iter().map(|tool| tool.json).collect();
    let ours = |tool: &mut Value| definition(tool, "input_schema", "input_examples");
    let definitions = tools.iter_mut().map(ours).collect();
    let wire = Messages {
        provider: AnthropicConfig::new("key"),
        model: "claude".to_owned(),
        default_max_tokens: None,
        prompt_caching: false,
        static_prefix_cache_ttl: None,
        strict_tools: false,
        tool_input_streaming: ToolInputStreaming::Off,
    };
    assert_eq!(sent(&wire, definitions), Value::Array(tools));
}

#[test]
fn requests_to_gemini_have_the_same_tools() {
    let tools = given(&mut mixed(), &Options::new(Target::Gemini));
    let mut tools: Vec<Value> = tools.into_iter().map(|tool| tool.json).collect();
    let ours = |tool: &mut Value| definition(tool, "parametersJsonSchema", "responseJsonSchema");
    let definitions = tools.iter_mut().map(ours).collect();
    let wire = GenerateContent::new(GeminiConfig::new("key"), "gemini");
    assert_eq!(sent(&wire, definitions)[0]["functionDeclarations"], Value::Array(tools));
}
