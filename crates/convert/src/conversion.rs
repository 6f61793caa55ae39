//! The result of a conversion.

use json_text::Document;

use crate::ledger::{ConversionReport, Ledger};
use crate::needs::Need;
use crate::options::Options;
use crate::output::{HostDifference, OutputDocument, ToolOutcome};
use crate::residue::Residue;
use crate::restored::LostEdit;
use crate::safety::Notice;

/// The result of a conversion.
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
    /// The source with the edits of its target, if an edited target was [converted
    /// onwards](crate::convert_via). This is the document that was converted, that the
    /// bridge is pinned to, and that the residue contains.
    pub restored_source: Option<OutputDocument>,
    /// The lost edits of that source, except edits that this conversion contains.
    pub lost_edits: Vec<LostEdit>,
    pub(crate) formats: [&'static str; 2],
    pub(crate) options: Options,
}

impl Conversion {
    /// Returns the report of the conversion: every leaf of the source and of the target.
    /// `source` is the document that was converted.
    pub fn report(&self, source: &Document<'_>) -> ConversionReport {
        self.report_with(&[source])
    }

    /// Returns the report of a conversion with several inputs: the source, then the targets
    /// that were [converted onwards](crate::convert_via).
    pub fn report_with(&self, sources: &[&Document<'_>]) -> ConversionReport {
        let restored = self.restored_source.as_ref().map(OutputDocument::open);
        let mut sources = sources.to_vec();
        if let (Some(source), Some(restored)) = (sources.first_mut(), &restored) {
            *source = restored;
        }
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

    /// Returns the residue, which restores the source. `source` is the document that was
    /// converted.
    pub fn residue(&self, source: &Document<'_>) -> Residue {
        // The residue must contain the edits that were made on the way.
        let restored = self.restored_source.as_ref().map(OutputDocument::open);
        let source = restored.as_ref().unwrap_or(source);
        Residue::new(source, self.formats, &self.options, &self.documents, &self.ledger)
    }
}
