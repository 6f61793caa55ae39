//! Results as servers write them.
//!
//! The client reads a result into a type, and would lose what that type has no word for. So the
//! text of a result is kept aside on its way, for the call that waits for it.

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

/// Reports of progress that wait for whoever is told. More are left out: the next one says more.
const REPORTS: usize = 16;

/// The result of one call. It goes out with the request, as one of its extensions.
#[derive(Clone)]
pub(crate) struct Slot(Arc<Inside>);

struct Inside {
    state: Mutex<State>,
    overflow: Notify,
    /// What reports of progress name.
    token: Mutex<Option<ProgressToken>>,
    progress: mpsc::Sender<Progress>,
}

#[derive(Clone, Default)]
enum State {
    #[default]
    Empty,
    Result(String),
    TooMuch,
}

impl Slot {
    /// An empty one, and what comes of its call on the way.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Progress>) {
        let (progress, reports) = mpsc::channel(REPORTS);
        let (state, overflow, token) = Default::default();
        (Self(Arc::new(Inside { state, overflow, token, progress })), reports)
    }

    fn set(&self, state: State) {
        *self.0.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// More came than is taken.
    pub(crate) fn overflow(&self) {
        self.set(State::TooMuch);
        self.0.overflow.notify_one();
    }

    /// Waits until more came than is taken.
    pub(crate) async fn overflowed(&self) {
        self.0.overflow.notified().await;
    }

    pub(crate) fn is_overflown(&self) -> bool {
        matches!(*self.0.state.lock().unwrap_or_else(PoisonError::into_inner), State::TooMuch)
    }

    /// The result, if it came.
    pub(crate) fn take(&self) -> Option<String> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *state) {
            State::Result(text) => Some(text),
            State::Empty | State::TooMuch => None,
        }
    }
}

/// The calls that wait for a result of one server, by the ids of their requests.
///
/// A call that is given up drops its slot, and is forgotten here.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Arc<Mutex<BTreeMap<String, Weak<Inside>>>>);

/// A response, as far as it is of interest here.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    result: &'a RawValue,
}

/// A notification of progress. It is read here and not by the client, which would tell of it
/// later than of the result that follows.
#[derive(Deserialize)]
struct Notice<'a> {
    method: &'a str,
    params: Report,
}

impl Waiting {
    /// Remembers who waits for the answer to a message that goes out.
    pub(crate) fn sent(&self, message: &ClientJsonRpcMessage) -> Option<Slot> {
        let JsonRpcMessage::Request(request) = message else { return None };
        let slot = request.request.extensions().get::<Slot>()?.clone();
        let id = serde_json::to_string(&request.id).ok()?;
        let token = request.request.get_meta().get_progress_token();
        *slot.0.token.lock().unwrap_or_else(PoisonError::into_inner) = token;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, slot| slot.strong_count() > 0);
        all.insert(id, Arc::downgrade(&slot.0));
        Some(slot)
    }

    /// Keeps the result in a message that came in, for the one that waits for it, or tells it of
    /// its progress.
    pub(crate) fn came(&self, message: &[u8]) {
        let Ok(Response { id, result }) = serde_json::from_slice(message) else {
            if let Ok(Notice { method: "notifications/progress", params }) =
                serde_json::from_slice(message)
            {
                self.progress(params);
            }
            return;
        };
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id.get());
        if let Some(inside) = slot.and_then(|slot| slot.upgrade()) {
            Slot(inside).set(State::Result(result.get().to_owned()));
        }
    }

    /// Tells the call that a report is about.
    fn progress(&self, report: Report) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |inside: &Arc<Inside>| {
            let token = inside.token.lock().unwrap_or_else(PoisonError::into_inner);
            token.as_ref() == Some(&report.progress_token)
        };
        if let Some(inside) = all.values().filter_map(Weak::upgrade).find(is_it) {
            let Report { progress, total, message, .. } = report;
            let _ = inside.progress.try_send(Progress { progress, total, message });
        }
    }

    /// A message was too long to be read: nobody knows for whom it was.
    pub(crate) fn overflow(&self) {
        let all = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for inside in all.into_values().filter_map(|slot| slot.upgrade()) {
            Slot(inside).overflow();
        }
    }
}
