//! The exports of a Node module, for checks before a call.

use std::time::Duration;

use call::{Outcome, Step};
use tokio::time::timeout;

use crate::host::Host;
use crate::module::inspect_node;
use crate::origin::Origin;

impl Host {
    /// Describes the exports of a Node module that a step looks for. Returns `None` for
    /// steps of other kinds.
    ///
    /// The result is a JSON list of objects with `export`, `name`, `description`, `execute`
    /// (true if it is a function), `secrets`, `approval`, `asks` (true if there is a
    /// `getApprovalMessage`) and the `message` that it returns for the arguments. The
    /// module is loaded, so its code runs, but its tools are not called.
    pub async fn list_exports(
        &self,
        step: &Step,
        origin: &Origin,
        time: Duration,
    ) -> Result<Option<String>, String> {
        let Step::Node(module) = step else { return Ok(None) };
        let (_, limits) = self.sender_and_limits();
        match timeout(self.cap_time(time), inspect_node(module, origin, limits)).await {
            Ok(Outcome::Value(list)) => Ok(Some(list)),
            Ok(Outcome::Threw(why) | Outcome::NotDone(why) | Outcome::Lost(why)) => Err(why),
            Err(_) => Err("it was not loaded in time".to_owned()),
            Ok(_) => Err("it says too much".to_owned()),
        }
    }
}
