//! What a statement about where data goes says of the network and of files.
//!
//! The statement itself stays as it is written. Only one format has it, and whoever asks
//! for dangers must not overlook it: data that is sent to a host is sent over the network.

use super::Package;
use crate::Limits;
use crate::provenance::Place;
use crate::url;
use json_text::{Document, Node};

/// What is known of where data goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Who data is sent to: the host, where one is named, and the place that says so.
    pub sent: Vec<(Option<String>, Option<Place>)>,
    /// The places that say that data is kept where the tool runs.
    pub kept: Vec<Option<Place>>,
}

impl Package<'_> {
    /// Where data goes, as far as it is about the network and files.
    pub fn boundary(&self) -> Boundary {
        let mut found = Boundary::default();
        let Some(raw) = &self.data_boundary else { return found };
        let Ok(document) = Document::parse(raw.as_str().as_bytes(), &Limits::default()) else {
            // More than anybody reads: then nobody knows what is sent.
            found.sent.push((None, raw.at));
            return found;
        };
        // The value is a part of its document: its entries follow each other there too.
        let place = |node: Node<'_>| raw.at.map(|at| at.inside(node));
        let list = |name: &str| document.root().get(name).into_iter().flat_map(Node::elements);
        for recipient in list("transmits") {
            if let Some(to) = recipient.get("to") {
                found.sent.push((to.text().and_then(|to| host(&to)), place(to)));
            } else if let Some(kind) = recipient.get("to_kind") {
                found.sent.push((None, place(kind)));
            }
        }
        for stored in list("persists") {
            let Some(kind) = stored.get("where") else { continue };
            match kind.text().as_deref() {
                Some("tool_local") => found.kept.push(place(kind)),
                Some("tool_cloud") => found.sent.push((None, place(kind))),
                // What is gone when the program ends need not be in a file.
                _ => {}
            }
        }
        found
    }
}

/// A host by its name, if the text is one. A word without a dot stands for something else.
fn host(text: &str) -> Option<String> {
    let named = text.contains('.') && !text.contains(['/', ':', '@', '?', '#', '*']);
    let url = format!("https://{text}/");
    let host = url::check_http(&url).ok()?.normal_host();
    named.then_some(host)
}
