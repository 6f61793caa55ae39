//! The result of a conversion.

use json_text::Document;

use crate::emitted::{Emitted, Implied, ToolOutcome};
use crate::ledger::{Account, Ledger};
use crate::needs::Need;
use crate::options::Options;
use crate::residue::Residue;
use crate::restored::LeftOut;
use crate::safety::Notice;

/// The result of a conversion.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The documents of the target.
    pub documents: Vec<Emitted>,
    /// How each tool was converted.
    pub tools: Vec<ToolOutcome>,
    /// Safety notices, most serious first.
    pub safety: Vec<Notice>,
    /// Prerequisites of the converted tools.
    pub needs: Vec<Need>,
    /// Differences between the hosts of both formats.
    pub implied: Vec<Implied>,
    /// The provenance of every value.
    pub ledger: Ledger,
    /// The source with the edits of its target, if an edited target was [converted
    /// onwards](crate::convert_onwards). This is the document that was converted, that the
    /// bridge is pinned to, and that the residue contains.
    pub restored: Option<Emitted>,
    /// The lost edits of that source, except edits that this conversion contains.
    pub left_out: Vec<LeftOut>,
    pub(crate) formats: [&'static str; 2],
    pub(crate) options: Options,
}

impl Conversion {
    /// Returns the report of the conversion: every leaf of the source and of the target.
    /// `source` is the document that was converted.
    pub fn account(&self, source: &Document<'_>) -> Account {
        self.account_with(&[source])
    }

    /// Returns the report of a conversion with several inputs: the source, then the targets
    /// that were [converted onwards](crate::convert_onwards).
    pub fn account_with(&self, sources: &[&Document<'_>]) -> Account {
        let restored = self.restored.as_ref().map(Emitted::open);
        let mut sources = sources.to_vec();
        if let (Some(source), Some(restored)) = (sources.first_mut(), &restored) {
            *source = restored;
        }
        let (source, target) = self.ledger.account(&sources, &self.documents);
        Account {
            safety: self.safety.clone(),
            tools: self.tools.clone(),
            needs: self.needs.clone(),
            source,
            target,
            implied: self.implied.clone(),
        }
    }

    /// Returns the residue, which restores the source. `source` is the document that was
    /// converted.
    pub fn residue(&self, source: &Document<'_>) -> Residue {
        // The residue must contain the edits that were made on the way.
        let restored = self.restored.as_ref().map(Emitted::open);
        let source = restored.as_ref().unwrap_or(source);
        Residue::new(source, self.formats, &self.options, &self.documents, &self.ledger)
    }
}
