//! Results as servers write them.
//!
//! The MCP library parses a result into a type, and would lose members that the type lacks.
//! So the text of a result is stored on its way, for the call that waits for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rmcp::model::{
    ClientJsonRpcMessage, GetExtensions, GetMeta, JsonRpcMessage,
    ProgressNotificationParam as Report, ProgressToken,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::{Notify, mpsc};

use crate::progress::Progress;

/// The most progress reports that wait to be read. Further ones are dropped, because the
/// next one replaces them.
const MAX_QUEUED_REPORTS: usize = 16;

/// The result of one call. It travels with the request, as an extension.
#[derive(Clone)]
pub(crate) struct ResultSlot(Arc<SlotState>);

struct SlotState {
    state: Mutex<SlotResult>,
    overflow: Notify,
    /// The token that progress reports contain.
    token: Mutex<Option<ProgressToken>>,
    progress: mpsc::Sender<Progress>,
}

#[derive(Clone, Default)]
enum SlotResult {
    #[default]
    Empty,
    Result(String),
    TooMuch,
}

impl ResultSlot {
    /// Creates an empty slot, with the receiver of its progress reports.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Progress>) {
        let (progress, reports) = mpsc::channel(MAX_QUEUED_REPORTS);
        let (state, overflow, token) = Default::default();
        (Self(Arc::new(SlotState { state, overflow, token, progress })), reports)
    }

    fn set(&self, state: SlotResult) {
        *self.0.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Marks the answer as longer than the limit.
    pub(crate) fn overflow(&self) {
        self.set(SlotResult::TooMuch);
        self.0.overflow.notify_one();
    }

    /// Waits until the answer is longer than the limit.
    pub(crate) async fn wait_for_overflow(&self) {
        self.0.overflow.notified().await;
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        matches!(*self.0.state.lock().unwrap_or_else(PoisonError::into_inner), SlotResult::TooMuch)
    }

    /// Removes and returns the result, if it has come.
    pub(crate) fn take(&self) -> Option<String> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *state) {
            SlotResult::Result(text) => Some(text),
            SlotResult::Empty | SlotResult::TooMuch => None,
        }
    }
}

/// The calls that wait for a result of one server, by the ids of their requests.
///
/// A call that is given up drops its slot, and its entry is removed later.
#[derive(Clone, Default)]
pub(crate) struct PendingResults(Arc<Mutex<BTreeMap<String, Weak<SlotState>>>>);

/// The members of a response that are needed here.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    result: &'a RawValue,
}

/// A progress notification. It is read here, because the library would report it later than
/// the result that follows it.
#[derive(Deserialize)]
struct ProgressNotice<'a> {
    method: &'a str,
    params: Report,
}

impl PendingResults {
    /// Registers the call that waits for the answer to an outgoing message, and returns its
    /// slot.
    pub(crate) fn register(&self, message: &ClientJsonRpcMessage) -> Option<ResultSlot> {
        let JsonRpcMessage::Request(request) = message else { return None };
        let slot = request.request.extensions().get::<ResultSlot>()?.clone();
        let id = serde_json::to_string(&request.id).ok()?;
        let token = request.request.get_meta().get_progress_token();
        *slot.0.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, slot| slot.strong_count() > 0);
        all.insert(id, Arc::downgrade(&slot.0));
        Some(slot)
    }

    /// Stores the result in an incoming message for the call that waits for it, or reports
    /// the call's progress.
    pub(crate) fn deliver(&self, message: &[u8]) {
        let Ok(Response { id, result }) = serde_json::from_slice(message) else {
            if let Ok(ProgressNotice { method: "notifications/progress", params }) =
                serde_json::from_slice(message)
            {
                self.deliver_progress(params);
            }
            return;
        };
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id.get());
        if let Some(slot) = slot
            && let Some(slot) = slot.upgrade()
        {
            ResultSlot(slot).set(SlotResult::Result(result.get().to_owned()));
        }
    }

    /// Passes a progress report to its call.
    fn deliver_progress(&self, report: Report) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for slot in all.values().filter_map(Weak::upgrade) {
            let token = slot.token.lock().unwrap_or_else(PoisonError::into_inner);
            if token.as_ref() == Some(&report.progress_token) {
                drop(token);
                let Report { progress, total, message, .. } = report;
                // There may be no room: the next report replaces this one.
                let _ = slot.progress.try_send(Progress { progress, total, message });
                return;
            }
        }
    }

    /// Handles a message that was too long to be read. Its call is unknown, so all calls
    /// that wait fail.
    pub(crate) fn overflow(&self) {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for slot in all.values().filter_map(Weak::upgrade) {
            ResultSlot(slot).overflow();
        }
    }
}
