//! Asks a person for approval, through the MCP client.
//!
//! Up to revision 2025-11-25, the server asks during the call. Since 2026-07-28, it
//! responds that it needs an approval, and the client repeats the call with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientResult, ElicitRequest, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde_json::Value;
use toolglot::core::sha256_hex;

use crate::prepared_call::{PreparedCall, Refusal};
use crate::tool::Tool;

/// The time that a person has for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// The most questions that may wait for an answer. The oldest is dropped for one more.
const MAX_QUESTIONS: usize = 1000;
/// The key of the question in a response.
const APPROVAL_KEY: &str = "approval";
/// The form field of the approval.
const APPROVE_FIELD: &str = "approve";

/// The questions sent as responses, by request state. Each belongs to one call with one
/// content.
#[derive(Default)]
pub(super) struct Questions(Mutex<BTreeMap<String, (String, Instant)>>);

/// The result of asking.
pub(super) enum ApprovalOutcome {
    /// The call needs no approval.
    NotNeeded,
    /// The person approved the call.
    Approved,
    /// The client has to ask, and to repeat the call.
    Deferred(CallToolResponse),
    /// The call is refused.
    Refused(Refusal),
}

impl Questions {
    /// Asks the person about a call, if it needs approval.
    pub(super) async fn ask(
        &self,
        prepared: &PreparedCall,
        tool: &Tool,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> ApprovalOutcome {
        let Some(question) = prepared.question() else { return ApprovalOutcome::NotNeeded };
        let can = context.client_capabilities().and_then(|can| can.elicitation);
        // A client that names no mode supports forms, which were the first mode.
        if !can.is_some_and(|can| can.form.is_some() || can.url.is_none()) {
            return ApprovalOutcome::Refused(prepared.approval_required());
        }
        let version = context.protocol_version();
        if version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            return self.ask_later(prepared, question, tool, request);
        }
        let ask = ServerRequest::ElicitRequest(approval_request(question));
        let options = PeerRequestOptions::with_timeout(ANSWER_TIMEOUT);
        let Ok(sent) = context.peer.send_request_with_option(ask, options).await else {
            return ApprovalOutcome::Refused(prepared.approval_required());
        };
        tokio::select! {
            answer = sent.await_response() => match answer {
                Ok(ClientResult::ElicitResult(answer)) if is_approved(&answer) => ApprovalOutcome::Approved,
                Ok(_) => ApprovalOutcome::Refused(prepared.approval_declined()),
                Err(_) => ApprovalOutcome::Refused(prepared.approval_required()),
            },
            () = context.ct.cancelled() => ApprovalOutcome::Refused(prepared.approval_required()),
        }
    }

    fn ask_later(
        &self,
        prepared: &PreparedCall,
        question: &str,
        tool: &Tool,
        request: &CallToolRequestParams,
    ) -> ApprovalOutcome {
        let arguments = arguments_text(request);
        let content = format!("{} {} {arguments}", tool.manifest().digest(), tool.id());
        let content = sha256_hex(content.as_bytes());
        let answer = request.input_responses.as_ref().and_then(|all| all.get(APPROVAL_KEY));
        if let (Some(state), Some(answer)) = (&request.request_state, answer)
            && self.take(state) == Some(content.clone())
        {
            return match serde_json::from_value(answer.clone()) {
                Ok(answer) if is_approved(&answer) => ApprovalOutcome::Approved,
                _ => ApprovalOutcome::Refused(prepared.approval_declined()),
            };
        }
        let Ok(state) = disk::random_name() else {
            return ApprovalOutcome::Refused(prepared.approval_required());
        };
        self.store(state.clone(), content);
        let ask = InputRequest::Elicitation(approval_request(question));
        let requests = BTreeMap::from([(APPROVAL_KEY.to_owned(), ask)]);
        ApprovalOutcome::Deferred(InputRequiredResult::new(Some(requests), Some(state)).into())
    }

    /// Removes a question, so that it is answered only once, and returns the digest of its
    /// call.
    fn take(&self, state: &str) -> Option<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (content, asked) = all.remove(state)?;
        (asked.elapsed() < ANSWER_TIMEOUT).then_some(content)
    }

    fn store(&self, state: String, content: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, (_, asked)| asked.elapsed() < ANSWER_TIMEOUT);
        if all.len() >= MAX_QUESTIONS {
            let oldest = all.iter().min_by_key(|(_, (_, asked))| *asked);
            if let Some(state) = oldest.map(|(state, _)| state.clone()) {
                all.remove(&state);
            }
        }
        all.insert(state, (content, Instant::now()));
    }
}

/// Returns the arguments of a call as JSON, or an empty text if there are none.
pub(super) fn arguments_text(request: &CallToolRequestParams) -> String {
    let Some(arguments) = &request.arguments else { return String::new() };
    // A map of JSON values can always be serialised.
    serde_json::to_string(arguments).unwrap_or_default()
}

fn approval_request(question: &str) -> ElicitRequest {
    let schema = ElicitationSchema::builder()
        .required_bool_with(APPROVE_FIELD, |one| {
            one.title("Approve").description("Make this call, once")
        })
        .build_unchecked();
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.to_owned(),
        requested_schema: schema,
    })
}

/// Returns true if the person checked the approval. Sending the form is not enough.
fn is_approved(answer: &ElicitResult) -> bool {
    let approved = answer.content.as_ref().and_then(|content| content.get(APPROVE_FIELD));
    answer.action == ElicitationAction::Accept && approved == Some(&Value::Bool(true))
}
