//! Conversion that says what became of every value.
//!
//! Each format says how its documents are [read](Format::read) into descriptors and how
//! descriptors are [written](Format::entry). Reading marks every entry that it consumed;
//! writing notes, for every value, the fields that it came from and how. Those records
//! are the [`Ledger`]; nothing is guessed afterwards.
//!
//! ```text
//! source ── lift ──> descriptors ── lower ──> documents ── checked, read again ──> done
//!            marks                   records
//! ```
//!
//! The [`Residue`] is the source itself, and how it was converted. [`restore`] converts
//! it again, finds what was edited in the target since, and makes that edit to the
//! source.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::Limits;
use diagnostic::Pointer;
use diagnostic::{Diagnostic, Profile, Report};
use json_text::{self, Tape};

mod as_written;
mod bridge;
mod edit;
mod fit;
mod follow;
mod format;
mod implied;
mod in_band;
mod job;
mod ledger;
mod left_out;
mod lower;
mod needs;
mod onwards;
mod overlay;
mod patch;
mod reader;
mod reconcile;
mod residue;
mod restore;
pub mod rules;
mod safety;
mod text;
mod writer;

pub use bridge::{BridgeWord, Pin};
pub use fit::{IdGrammar, file_name, fit, sentence, variable_name};
pub use format::{
    Catalog, Context, Contract, Defaults, Detected, Format, Holds, Says, Tool, Unit, Validate,
    Words,
};
pub use in_band::{bare, carries};
use job::Job;
pub use ledger::{Account, Class, From, Ledger, SourceLeaf, TargetLeaf, To};
pub use needs::Need;
pub use onwards::convert_onwards;
pub use reader::Reader;
pub use residue::{Chosen, Residue, sha256_hex};
pub use restore::{LeftOut, Original, RestoreOptions, Restored, Target, restore};

pub use safety::{Concern, Notice};
pub use writer::{AsValue, How, Slot, Value, Writer};

/// Tools that can be left out by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)]
pub enum Choice {
    /// Those that are switched off.
    Disabled,
    /// Those that a person must approve.
    Approval,
}

/// What can be accepted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)]
pub enum Accept {
    /// That a tool that is switched off becomes callable.
    Disabled,
    /// That nobody is asked before a call that needs approval.
    Approval,
    /// In strict mode, that a call goes through the bridge.
    Bridge,
}

impl Accept {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Approval => "approval",
            Self::Bridge => "bridge",
        }
    }
}

/// How to convert.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Options {
    /// Refuse to assume what the source does not say, and to go through the bridge.
    pub strict: bool,
    /// The ids of the tools to convert; all, where none is given.
    pub tools: Vec<String>,
    /// The kinds of tools to leave out.
    pub without: BTreeSet<Choice>,
    /// What is accepted that would refuse the conversion.
    pub accept: BTreeSet<Accept>,
    /// The version of the target's format; the newest, where none is given.
    pub version: Option<String>,
    /// Carry the residue inside the target, in the input schema of a tool. It reaches
    /// the model there.
    pub in_band: bool,
    /// What to assume.
    pub defaults: Defaults,
    /// What it may cost.
    pub limits: Limits,
}

/// One document that a conversion gives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Emitted {
    /// A name for its file. No other document of the conversion has it.
    pub name: String,
    /// Its text.
    pub text: String,
    tape: Tape,
}

impl Emitted {
    /// The document, without reading its text again.
    pub fn open(&self) -> json_text::Document<'_> {
        json_text::Document::open(&self.text, &self.tape)
    }

    /// A digest of what it says.
    fn digest(&self) -> String {
        residue::digest(&self.open())
    }
}

/// How a converted tool runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "runs", content = "why", rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // the three answers that there are
pub enum Runs {
    /// As the source says.
    AsItIs,
    /// Through the bridge, which makes the call of the source.
    ThroughTheBridge,
    /// It does not, and why.
    Not(&'static str),
}

/// What became of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Its id in the source.
    pub id: String,
    /// Its id in the target.
    pub target: String,
    /// The document that holds it.
    pub document: usize,
    /// How it runs.
    #[serde(flatten)]
    pub runs: Runs,
}

/// What the hosts of both formats do otherwise although neither document says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Implied {
    /// What it is about.
    pub about: &'static str,
    /// What the source's host does.
    pub source: &'static str,
    /// What the target's host does.
    pub target: &'static str,
    /// The tools that it is about, by their ids in the source.
    pub tools: Vec<String>,
}

/// A converted document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The documents of the target.
    pub documents: Vec<Emitted>,
    /// What became of each tool.
    pub tools: Vec<Outcome>,
    /// What concerns safety, the gravest first.
    pub safety: Vec<Notice>,
    /// What must be there before tools run.
    pub needs: Vec<Need>,
    /// What hosts do otherwise.
    pub implied: Vec<Implied>,
    /// Where everything went.
    pub ledger: Ledger,
    /// The source with the edits of a target that was [converted onwards](convert_onwards):
    /// it is what was converted, what the bridge names, and what the residue holds.
    pub restored: Option<Emitted>,
    /// What restoring that source left out, but for what this conversion says after all.
    pub left_out: Vec<LeftOut>,
    formats: [&'static str; 2],
    options: Options,
}

impl Conversion {
    /// Every leaf of the source and of the target, and what became of it. `source` is
    /// the document that was converted.
    pub fn account(&self, source: &json_text::Document<'_>) -> Account {
        self.account_with(&[source])
    }

    /// The same for a conversion that more documents went into: the source, then the
    /// targets that were [converted onwards](convert_onwards).
    pub fn account_with(&self, sources: &[&json_text::Document<'_>]) -> Account {
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
    pub fn residue(&self, source: &json_text::Document<'_>) -> Residue {
        // What was edited on the way is not lost on the way back.
        let restored = self.restored.as_ref().map(Emitted::open);
        let source = restored.as_ref().unwrap_or(source);
        Residue::new(source, self.formats, &self.options, &self.documents, &self.ledger)
    }
}

/// Converts a document.
pub fn convert(
    source: &json_text::Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let lifted = from.lift(source, &options.limits)?;
    if in_band::carries(source, from) && from.name != to.name {
        let message = "the document carries the residue of another conversion";
        let help = "restore it first, or convert it onwards with its residue";
        return Err(one(rules::IN_BAND.at_pointer(Pointer::root(), message).help(help)));
    }
    let job = Job { sources: &[source], from, to, options, list: false };
    let conversion = job.convert(lifted)?;
    if options.in_band { in_band::carry(conversion, source, to) } else { Ok(conversion) }
}

/// A report of one error.
fn one(diagnostic: Diagnostic) -> Report {
    let mut report = Report::new(Profile::Spec, 1);
    report.push(diagnostic);
    report
}
