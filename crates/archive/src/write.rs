//! Writes an archive: the same files give the same bytes.

use diagnostic::{Profile, Report, Span};
use manifest_core::Limits;
use miniz_oxide::deflate::compress_to_vec;

use crate::crc::crc32;
use crate::directory::{DEFLATED, IS_UTF8, STORED};
use crate::entry::{Entry, MANIFEST, diagnostic_at};
use crate::names::{self, NameTree};
use crate::read::read;
use crate::record::{CENTRAL, END, LOCAL};
use crate::rules;

/// Written by Unix, as version 2.0 of the format.
const MADE_BY: u16 = 0x0314;
const NEEDED: u16 = 20;
/// Midnight, 1 January 1980, the earliest time of the format.
const MODIFIED: u32 = 0x0021_0000;
/// The best compression, because packages are read more often than written.
const EFFORT: u8 = 9;

/// Writes files as an archive, `manifest.json` first and the others sorted by name.
///
/// Times, owners and the order of `entries` are not stored, so the same files give the same
/// bytes. Fails if [`read`] would refuse the archive.
pub fn write(entries: &[Entry<'_>], limits: &Limits) -> Result<Vec<u8>, Report> {
    let mut report = Report::new(Profile::Spec, limits.diagnostics.max(1));
    let mut taken = NameTree::default();
    for entry in entries {
        let name = entry.name.as_ref();
        let checked = if name.ends_with('/') {
            Err((&rules::ENTRY_TYPE, "the name of a file ends with a slash".to_owned()))
        } else {
            names::check_name(name, limits).and_then(|()| taken.insert(name))
        };
        if let Err((rule, message)) = checked {
            let message = format!("{}: {message}", diagnostic::quoted(name));
            report.push(diagnostic_at(rule, Span { start: 0, end: 0 }, message));
        }
    }
    if !report.is_valid() {
        return Err(report);
    }
    let mut order: Vec<&Entry<'_>> = entries.iter().collect();
    order.sort_by_key(|entry| (entry.name != MANIFEST, entry.name.as_bytes()));
    let Some(bytes) = assemble(&order, limits) else {
        let message = "more files, or larger ones, than the format can count";
        report.push(diagnostic_at(&rules::SIZE, Span { start: 0, end: 0 }, message));
        return Err(report);
    };
    // `read` checks the other limits. Reading is cheap compared to compressing.
    read(&bytes, limits)?;
    Ok(bytes)
}

/// Returns the archive, or `None` if a number does not fit its field.
fn assemble(entries: &[&Entry<'_>], limits: &Limits) -> Option<Vec<u8>> {
    let fit = |number: usize| u32::try_from(number).ok();
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = fit(out.len())?;
        let packed = pack(&entry.data, limits);
        let data = packed.as_deref().unwrap_or(&entry.data);
        let flags = if entry.name.is_ascii() { 0 } else { IS_UTF8 };
        let mut common = Vec::new();
        put16(&mut common, &[NEEDED, flags, if packed.is_some() { DEFLATED } else { STORED }]);
        let (crc, packed, size) = (crc32(&entry.data), fit(data.len())?, fit(entry.data.len())?);
        put32(&mut common, &[MODIFIED, crc, packed, size]);
        put16(&mut common, &[u16::try_from(entry.name.len()).ok()?, 0]);

        put32(&mut out, &[LOCAL]);
        out.extend(&common);
        out.extend(entry.name.as_bytes());
        out.extend(data);

        let mode: u32 = if entry.executable { 0o100_755 } else { 0o100_644 };
        put32(&mut directory, &[CENTRAL]);
        put16(&mut directory, &[MADE_BY]);
        directory.extend(&common);
        put16(&mut directory, &[0, 0, 0]);
        put32(&mut directory, &[mode << 16, offset]);
        directory.extend(entry.name.as_bytes());
    }
    let (offset, size) = (fit(out.len())?, fit(directory.len())?);
    let count = u16::try_from(entries.len()).ok()?;
    out.extend(&directory);
    put32(&mut out, &[END]);
    put16(&mut out, &[0, 0, count, count]);
    put32(&mut out, &[size, offset]);
    put16(&mut out, &[0]);
    Some(out)
}

/// Compresses the data. Returns `None` if the result is not smaller, or would look like a
/// bomb.
fn pack(data: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    let packed = compress_to_vec(data, EFFORT);
    let ratio = usize::try_from(limits.expansion_ratio).unwrap_or(usize::MAX);
    let is_bomb = data.len() > packed.len().saturating_mul(ratio);
    (packed.len() < data.len() && !is_bomb).then_some(packed)
}

fn put16(out: &mut Vec<u8>, numbers: &[u16]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn put32(out: &mut Vec<u8>, numbers: &[u32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}
