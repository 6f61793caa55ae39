//! Converts a document to another format.

use diagnostic::{Pointer, Report};
use json_text::Document;
use manifest_core::{Format, rules};

use crate::conversion::Conversion;
use crate::in_band;
use crate::job::Job;
use crate::options::Options;

/// Converts a document.
///
/// Fails if the document is invalid, if it carries the residue of another conversion, or if
/// the conversion is refused.
pub fn convert(
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let lifted = from.lift(source, &options.limits)?;
    if in_band::has_residue(source, from) && from.name != to.name {
        let message = "the document carries the residue of another conversion";
        let help = "restore it first, or convert it onwards with its residue";
        return Err(Report::from(rules::IN_BAND.at_pointer(Pointer::root(), message).help(help)));
    }
    let job = Job { sources: &[source], from, to, options, as_list: false };
    let conversion = job.convert(lifted)?;
    if options.in_band { in_band::embed_residue(conversion, source, to) } else { Ok(conversion) }
}
