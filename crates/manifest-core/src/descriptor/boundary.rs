//! The network and file access that a package's data boundary declares.
//!
//! The data boundary itself is stored as written, because only one format has it. The risk
//! profile must include it: data that is sent to a host is sent over the network.

use super::Package;
use crate::Limits;
use crate::provenance::Place;
use crate::url;
use json_text::{Document, Node};

/// The recipients and the local storage of data, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// The recipients: the host, if the boundary names one, and the place of the
    /// declaration.
    pub recipients: Vec<(Option<String>, Option<Place>)>,
    /// The places that declare local storage.
    pub local_storage: Vec<Option<Place>>,
}

impl Package<'_> {
    /// Returns the parts of the data boundary that concern the network and files.
    pub fn boundary(&self) -> Boundary {
        let mut found = Boundary::default();
        let Some(raw) = &self.data_boundary else { return found };
        let Ok(document) = Document::parse(raw.as_str().as_bytes(), &Limits::default()) else {
            // The boundary exceeds the limits, so the recipients are unknown.
            found.recipients.push((None, raw.at));
            return found;
        };
        // The value was parsed alone. Its entries have the same order in the whole
        // document.
        let place = |node: Node<'_>| Some(raw.at?.nested(node));
        let [sent, stored] = ["transmits", "persists"].map(|name| document.root().get(name));
        for recipient in sent.into_iter().flat_map(Node::elements) {
            if let Some(to) = recipient.get("to") {
                found.recipients.push((to.text().and_then(|to| host(&to)), place(to)));
            } else if let Some(kind) = recipient.get("to_kind") {
                found.recipients.push((None, place(kind)));
            }
        }
        for data in stored.into_iter().flat_map(Node::elements) {
            let Some(kind) = data.get("where") else { continue };
            match kind.text().as_deref() {
                Some("tool_local") => found.local_storage.push(place(kind)),
                Some("tool_cloud") => found.recipients.push((None, place(kind))),
                // Data that is only in memory is not in a file.
                _ => {}
            }
        }
        found
    }
}

/// Returns the host if the text is a host name. A name without a dot could be anything
/// else.
fn host(text: &str) -> Option<String> {
    if !text.contains('.') || text.contains(['/', ':', '@', '?', '#', '*']) {
        return None;
    }
    let url = format!("https://{text}/");
    Some(url::check_http(&url).ok()?.normal_host())
}
