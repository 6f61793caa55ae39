//! What a module of Node exports, for those who look before they call.

use std::time::Duration;

use call::{Outcome, Step};
use tokio::time::timeout;

use crate::host::Host;
use crate::module::inspect;
use crate::origin::Origin;

impl Host {
    /// What a Node module has under the names that a step looks for, as JSON: a list of objects
    /// with `export`, `name`, `description`, `execute` (whether that is a function), `secrets`,
    /// `approval`, `asks` (whether there is a `getApprovalMessage`) and the `message` that it
    /// gives for the arguments. The module is loaded, so that its code runs; its tools are not
    /// called. Nothing for steps of other kinds.
    pub async fn exported(
        &self,
        step: &Step,
        origin: &Origin,
        time: Duration,
    ) -> Result<Option<String>, String> {
        let Step::Node(module) = step else { return Ok(None) };
        let (_, limits) = self.sending();
        match timeout(self.at_most(time), inspect(module, origin, limits)).await {
            Ok(Outcome::Value(list)) => Ok(Some(list)),
            Ok(Outcome::Threw(why) | Outcome::NotDone(why) | Outcome::Lost(why)) => Err(why),
            Err(_) => Err("it was not loaded in time".to_owned()),
            Ok(_) => Err("it says too much".to_owned()),
        }
    }
}
