//! A conversion: its documents, and the account of every value.

use json_text::Document;

use crate::emitted::{Emitted, Implied, ToolOutcome};
use crate::ledger::{Account, Ledger};
use crate::needs::Need;
use crate::options::Options;
use crate::residue::Residue;
use crate::restored::LeftOut;
use crate::safety::Notice;

/// A converted document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The documents of the target.
    pub documents: Vec<Emitted>,
    /// What became of each tool.
    pub tools: Vec<ToolOutcome>,
    /// What concerns safety, the gravest first.
    pub safety: Vec<Notice>,
    /// What must be there before tools run.
    pub needs: Vec<Need>,
    /// What hosts do otherwise.
    pub implied: Vec<Implied>,
    /// Where everything went.
    pub ledger: Ledger,
    /// The source with the edits of a target that was [converted onwards](crate::convert_onwards):
    /// it is what was converted, what the bridge names, and what the residue holds.
    pub restored: Option<Emitted>,
    /// What restoring that source left out, but for what this conversion says after all.
    pub left_out: Vec<LeftOut>,
    pub(crate) formats: [&'static str; 2],
    pub(crate) options: Options,
}

impl Conversion {
    /// Every leaf of the source and of the target, and what became of it. `source` is
    /// the document that was converted.
    pub fn account(&self, source: &Document<'_>) -> Account {
        self.account_with(&[source])
    }

    /// The same for a conversion that more documents went into: the source, then the
    /// targets that were [converted onwards](crate::convert_onwards).
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

    /// What it takes to come back. `source` is the document that was converted.
    pub fn residue(&self, source: &Document<'_>) -> Residue {
        // What was edited on the way is not lost on the way back.
        let restored = self.restored.as_ref().map(Emitted::open);
        let source = restored.as_ref().unwrap_or(source);
        Residue::new(source, self.formats, &self.options, &self.documents, &self.ledger)
    }
}
