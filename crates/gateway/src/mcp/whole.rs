//! Results as they were made.
//!
//! The library writes results of its own types, which would lose what they have no word for, and
//! change numbers. So a handler leaves the members of its result aside, and they are laid over
//! what the library makes of the rest. Over HTTP there is no way around its types.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{CustomResult, ErrorData, ServerResult};
use rmcp::service::RequestContext;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The members of a result, which goes with its request.
#[derive(Clone, Default)]
pub(super) struct Whole(Arc<Mutex<Option<Map<String, Value>>>>);

impl Whole {
    /// Leaves the members of the result of a request, and gives an empty one in its place. Where
    /// they cannot be left, it is read from them.
    pub(super) fn result<T: DeserializeOwned + Default>(
        context: &RequestContext<RoleServer>,
        mut members: Map<String, Value>,
    ) -> Result<T, ErrorData> {
        let Some(Self(place)) = context.extensions.get() else {
            // It is taken off again for clients before 2026.
            members.insert("resultType".to_owned(), "complete".into());
            let read = serde_json::from_value(Value::Object(members));
            return read.map_err(|error| ErrorData::internal_error(error.to_string(), None));
        };
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(members);
        Ok(T::default())
    }

    /// A result with these members.
    pub(super) fn laid_over(&self, result: ServerResult) -> ServerResult {
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
