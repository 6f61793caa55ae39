//! Results as the handlers made them.
//!
//! The MCP library serialises results from its own types. That would lose members that the
//! types lack, and change numbers. So a handler stores the members of its result, and they
//! replace the library's members. Over HTTP, the library's types cannot be avoided.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{CustomResult, ErrorData, ServerResult};
use rmcp::service::RequestContext;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The members of a result, attached to its request.
#[derive(Clone, Default)]
pub(super) struct RawResult(Arc<Mutex<Option<Map<String, Value>>>>);

impl RawResult {
    /// Stores the members of a request's result, and returns an empty result instead. If
    /// the request has no place for them, parses the result from the members.
    pub(super) fn store<T: DeserializeOwned + Default>(
        context: &RequestContext<RoleServer>,
        mut members: Map<String, Value>,
    ) -> Result<T, ErrorData> {
        let Some(Self(place)) = context.extensions.get() else {
            // The library removes it for clients of revisions before 2026.
            members.insert("resultType".to_owned(), "complete".into());
            let read = serde_json::from_value(Value::Object(members));
            return read.map_err(|error| ErrorData::internal_error(error.to_string(), None));
        };
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(members);
        Ok(T::default())
    }

    /// Returns the result with the stored members.
    pub(super) fn merge_into(&self, result: ServerResult) -> ServerResult {
        let members = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (members, serde_json::to_value(&result)) {
            (Some(members), Ok(Value::Object(mut whole))) => {
                whole.extend(members);
                ServerResult::CustomResult(CustomResult(Value::Object(whole)))
            }
            _ => result,
        }
    }
}
