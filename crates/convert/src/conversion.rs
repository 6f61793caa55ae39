//! The result of a conversion.

use std::fmt;
use std::sync::Arc;

use json_text::{Document, ParsedEntries};
use manifest_core::Format;

use crate::ledger::{ConversionReport, Ledger};
use crate::needs::Need;
use crate::options::Options;
use crate::output::{HostDifference, OutputDocument, ToolOutcome};
use crate::residue::Residue;
use crate::restored::LostEdit;
use crate::safety::Notice;

/// The result of a conversion. It owns everything that its report, its residue and its
/// [files](Self::files) need, so the source may be dropped.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The documents of the target.
    pub documents: Vec<OutputDocument>,
    /// How each tool was converted.
    pub tools: Vec<ToolOutcome>,
    /// Safety notices, most serious first.
    pub safety: Vec<Notice>,
    /// Prerequisites of the converted tools.
    pub needs: Vec<Need>,
    /// Differences between the hosts of both formats.
    pub host_differences: Vec<HostDifference>,
    /// The provenance of every value.
    pub ledger: Ledger,
    /// The edits of a target that was [converted onwards](crate::convert_via), if neither the
    /// source nor this conversion contains them.
    pub lost_edits: Vec<LostEdit>,
    /// Empty until [`convert()`](crate::convert()) or [`convert_via`](crate::convert_via) returns.
    pub(crate) inputs: Arc<Inputs>,
    pub(crate) formats: [&'static Format; 2],
    pub(crate) options: Options,
}

/// The documents that a conversion read.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    source: InputDocument,
    /// The edited targets of an earlier conversion that values may come from.
    targets: Vec<InputDocument>,
}

impl Inputs {
    /// Copies the source and the targets, in this order.
    pub(crate) fn copy(documents: &[&Document<'_>]) -> Self {
        let mut copies = documents.iter().map(|document| InputDocument::copy(document));
        Self { source: copies.next().unwrap_or_default(), targets: copies.collect() }
    }
}

/// A document that a conversion read.
#[derive(Default)]
struct InputDocument {
    text: String,
    tape: ParsedEntries,
}

/// The document may contain a secret, so only its length is printed.
impl fmt::Debug for InputDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputDocument").field("length", &self.text.len()).finish_non_exhaustive()
    }
}

impl InputDocument {
    fn copy(document: &Document<'_>) -> Self {
        Self { text: document.text().to_owned(), tape: document.tape() }
    }

    fn open(&self) -> Document<'_> {
        Document::from_tape(&self.text, &self.tape)
    }
}

impl Conversion {
    /// Returns the document that was converted, without parsing it again. If an edited target
    /// was [converted onwards](crate::convert_via), this is the source with the edits that it
    /// can express. The bridge is pinned to this document, and the residue contains it.
    pub fn source(&self) -> Document<'_> {
        self.inputs.source.open()
    }

    pub(crate) fn source_text(&self) -> &str {
        &self.inputs.source.text
    }

    /// Returns the format of the source.
    pub const fn from(&self) -> &'static Format {
        let [from, _] = self.formats;
        from
    }

    /// Returns the format of the target.
    pub const fn to(&self) -> &'static Format {
        let [_, to] = self.formats;
        to
    }

    /// Returns the report of the conversion: every leaf of the source and of the target.
    /// Places in document 0 are in the source. The others are in the edited targets that were
    /// [converted onwards](crate::convert_via), without their residues.
    pub fn report(&self) -> ConversionReport {
        let source = self.source();
        let targets: Vec<Document<'_>> =
            self.inputs.targets.iter().map(InputDocument::open).collect();
        let mut sources = vec![&source];
        sources.extend(&targets);
        let (source, target) = self.ledger.list_leaves(&sources, &self.documents);
        ConversionReport {
            safety: self.safety.clone(),
            tools: self.tools.clone(),
            needs: self.needs.clone(),
            source,
            target,
            implied: self.host_differences.clone(),
        }
    }

    /// Returns the residue, which restores the source.
    pub fn residue(&self) -> Residue {
        let source = self.source();
        Residue::new(&source, self.formats, &self.options, &self.documents, &self.ledger)
    }
}
