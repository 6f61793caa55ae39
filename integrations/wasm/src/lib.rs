//! What a page can ask of a document: a byte at a time goes in, a number comes out. It is no API,
//! but has a use of every library, so that none is left out of the module.

use std::sync::{Mutex, PoisonError};

use toolglot::call::{HostFacts, Policy, plan};
use toolglot::json::Document;
use toolglot::providers::{self, export};
use toolglot::{
    FORMATS, Format, Limits, Options, RestoreOptions, Target, ValidateOptions, compare, convert,
    detect, restore,
};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Adds a byte to the document.
#[unsafe(no_mangle)]
pub extern "C" fn push(byte: u32) {
    let byte = u8::try_from(byte).unwrap_or_default();
    INPUT.lock().unwrap_or_else(PoisonError::into_inner).push(byte);
}

/// Checks the document, converts it to every format and back, compares, exports and plans: how
/// many bytes and problems that came to.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    let input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    let Ok(source) = Document::parse(&input, &Limits::default()) else { return 0 };
    let Ok((from, _)) = detect(&source) else { return 0 };
    let checked = from.validate(&source, &ValidateOptions::default()).diagnostics.len();
    let count = checked + converted(&source, from) + used(&source, from);
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn converted(source: &Document<'_>, from: &'static Format) -> usize {
    let limits = Limits::default();
    let mut count = 0;
    for to in FORMATS {
        let Ok(converted) = convert(source, from, *to, &Options::default()) else { continue };
        count += converted.report().source.len();
        let residue = converted.residue();
        for written in &converted.documents {
            let Ok(document) = Document::parse(written.text.as_bytes(), &limits) else { continue };
            let target = Target { name: Some(&written.name), document: &document };
            let back = restore(&[target], &residue, &RestoreOptions::default());
            count += back.map_or(0, |back| back.text.len());
        }
    }
    count
}

fn used(source: &Document<'_>, from: &'static Format) -> usize {
    let limits = Limits::default();
    let Ok(lifted) = from.lift(source, &limits) else { return 0 };
    let options = providers::Options::new(providers::Target::Anthropic);
    let mut count = export(&lifted.tools, &options).offers.len() + FORMATS.into_iter().count();
    for tool in &lifted.tools {
        count += compare::tools(tool, tool, &limits).changes.len();
        let policy = Policy::default();
        let facts = HostFacts::new(&policy);
        let planned = plan(tool, &(from.contract)(tool), "{}", &facts, &limits);
        count += usize::from(planned.ready().is_ok());
    }
    count
}
