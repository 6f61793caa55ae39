//! async-openai: tools of chat completions and of Responses, and the call that a model asks for.

use async_openai::types::chat::{ChatCompletionMessageToolCall, ChatCompletionTools};
use async_openai::types::responses::Tool;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_str, from_value, json, to_value};
use toolglot::providers::{Options, Target};

use crate::{given, greeters, greeting, is_told_what_to_correct, mixed};

/// Tools are what a type of the framework reads, and it writes the same.
fn are<T: Serialize + DeserializeOwned>(options: &Options) {
    for tool in given(&mut mixed(), options) {
        let theirs: T = from_value(tool.json.clone()).unwrap();
        assert_eq!(to_value(theirs).unwrap(), tool.json);
    }
}

#[test]
fn tools_of_chat_completions() {
    for strict in [false, true] {
        are::<ChatCompletionTools>(&Options { strict, ..Options::new(Target::OpenAiChat) });
    }
}

#[test]
fn tools_of_responses() {
    for strict in [false, true] {
        are::<Tool>(&Options { strict, ..Options::new(Target::OpenAiResponses) });
    }
}

#[tokio::test]
async fn what_a_model_asks_for_is_called() {
    let mut folder = mixed();
    let tools = given(&mut folder, &Options { strict: true, ..Options::new(Target::OpenAiChat) });
    let asked = |arguments: &str| -> ChatCompletionMessageToolCall {
        let function = json!({"name": greeters(&tools)[0].name, "arguments": arguments});
        from_value(json!({"id": "call_1", "type": "function", "function": function})).unwrap()
    };
    let call = asked(r#"{"name": "Ada", "count": 2}"#);
    let tool = tools.iter().find(|tool| tool.name == call.function.name).unwrap();
    let answer = folder.call(&tool.name, &call.function.arguments).await.unwrap();
    assert_eq!(from_str::<Value>(&answer).unwrap(), greeting());

    let call = asked(r#"{"name": "Ada", "count": 2.5}"#);
    let failure = folder.call(&tool.name, &call.function.arguments).await.unwrap_err();
    is_told_what_to_correct(&failure.to_string());
}
