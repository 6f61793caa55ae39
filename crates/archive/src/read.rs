//! Reads an archive: the end, the directory, the layout, the names, the contents.

use diagnostic::{Diagnostic, Profile, Report, Rule, Span};
use manifest_core::Limits;

use crate::entry::{Archive, Entry, diagnostic_at};
use crate::reader::Reader;
use crate::record::{CENTRAL, Cursor, DECRYPTION, END_BYTES, End, LOCAL, LOCATOR, signature};
use crate::{content, directory, layout, names, rules};

/// The longest comment that an archive can have.
const COMMENT_BYTES: usize = 0xFFFF;

/// Returns true if bytes begin like an archive with at least one file. For other bytes,
/// this is cheaper than the error that [`read`] builds.
pub fn has_signature(bytes: &[u8]) -> bool {
    bytes.starts_with(&LOCAL.to_le_bytes())
}

/// Reads an archive. Fails if the archive is ambiguous or exceeds a limit.
///
/// No data is expanded before the whole layout is checked. Buffers grow with the data, not
/// with the declared sizes.
pub fn read<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Archive<'a>, Report> {
    let report = Report::new(Profile::Spec, limits.diagnostics.max(1));
    let mut reader = Reader { bytes, limits, report };
    let entries = reader.entries();
    match entries {
        Some(entries) if reader.report.is_valid() => {
            Ok(Archive { entries, warnings: reader.report.diagnostics })
        }
        _ => Err(reader.report),
    }
}

impl<'a> Reader<'a, '_> {
    fn entries(&mut self) -> Option<Vec<Entry<'a>>> {
        if self.bytes.len() > self.limits.archive_bytes {
            let (found, limit) = (self.bytes.len(), self.limits.archive_bytes);
            let message = format!("{found} bytes, more than the {limit} allowed");
            self.push(&rules::SIZE, Span { start: 0, end: 0 }, message);
            return None;
        }
        let end = self.find_end().map_err(|diagnostic| self.report.push(diagnostic)).ok()?;
        let headers = directory::read(self, &end)?;
        let files = layout::check(self, &headers, end.offset as usize);
        // After the layout, so that a bomb made of overlapping entries is reported as such.
        directory::check_sizes(self, &headers);
        let names = names::check(self, &headers);
        if !self.report.is_valid() {
            return None;
        }
        content::read(self, &headers, &files?, &names?)
    }

    /// Finds the one end record, at the end of the file.
    fn find_end(&self) -> Result<End, Diagnostic> {
        let bytes = self.bytes;
        let last = bytes.len().checked_sub(END_BYTES);
        let here = |start: usize| Span { start, end: bytes.len().min(start + END_BYTES) };
        let first = bytes.len().saturating_sub(END_BYTES + COMMENT_BYTES);
        // All places that a reader could take for the end.
        let mut found = (first..=last.unwrap_or(0))
            .rev()
            .filter(|place| bytes.get(*place) == Some(&b'P'))
            .filter_map(|place| Some((place, End::read(bytes, place)?)));
        let Some((place, end)) = found.next() else {
            let message = "there is no end record: this is not a ZIP archive, or it is cut off";
            return Err(diagnostic_at(
                &rules::END,
                here(bytes.len().saturating_sub(END_BYTES)),
                message,
            ));
        };
        let after = bytes.len() - place - END_BYTES;
        if after != 0 {
            let (rule, message) = match usize::from(end.comment).cmp(&after) {
                std::cmp::Ordering::Equal => (&rules::COMMENT, "the archive has a comment"),
                std::cmp::Ordering::Less => (&rules::TRAILING, "something follows the archive"),
                std::cmp::Ordering::Greater => (&rules::END, "the archive's comment is cut off"),
            };
            return Err(diagnostic_at(rule, here(place), message));
        }
        if end.comment != 0 {
            return Err(diagnostic_at(
                &rules::END,
                here(place),
                "the archive's comment is cut off",
            ));
        }
        let reaches = |(start, end): &(usize, End)| {
            start + END_BYTES + usize::from(end.comment) == bytes.len()
        };
        if let Some((other, _)) = found.find(reaches) {
            let message = "a second end record could be taken for the first";
            return Err(diagnostic_at(&rules::END, here(other), message));
        }
        self.check_end(&end, place)
            .map(|()| end)
            .map_err(|(rule, message)| diagnostic_at(rule, here(place), message))
    }

    fn check_end(&self, end: &End, place: usize) -> Result<(), (&'static Rule, String)> {
        let locator = place.checked_sub(20).and_then(|at| signature(self.bytes, at));
        let sentinel = [end.disk, end.directory_disk, end.disk_entries, end.entries]
            .contains(&u16::MAX)
            || [end.size, end.offset].contains(&u32::MAX);
        if sentinel || locator == Some(LOCATOR) {
            return Err((&rules::EXTENDED, "the archive is in the 64-bit format".to_owned()));
        }
        if end.disk != 0 || end.directory_disk != 0 {
            return Err((&rules::SPLIT, "the archive is one part of several".to_owned()));
        }
        if end.disk_entries != end.entries {
            return Err((&rules::END, "the end record counts the files in two ways".to_owned()));
        }
        if usize::from(end.entries) > self.limits.archive_entries {
            let limit = self.limits.archive_entries;
            let message = format!("{} entries, more than the {limit} allowed", end.entries);
            return Err((&rules::ENTRIES, message));
        }
        let (offset, size) = (end.offset as usize, end.size as usize);
        if offset.checked_add(size) == Some(place) {
            return Ok(());
        }
        let shifted = place.checked_sub(size).filter(|found| *found > offset);
        match shifted.and_then(|found| signature(self.bytes, found)) {
            Some(CENTRAL) => Err((&rules::PREFIX, "something precedes the archive".to_owned())),
            _ => {
                Err((&rules::END, "the directory does not end where the end record begins".into()))
            }
        }
    }

    /// Reports that a file does not begin where the previous one ends.
    pub(crate) fn report_misplaced(
        &mut self,
        expected: usize,
        found: usize,
        first: bool,
        name: &[u8],
    ) {
        let span = Span { start: expected.min(found), end: expected.max(found) };
        let next = signature(self.bytes, expected);
        let (rule, message) = if found < expected {
            (&rules::OVERLAP, "begins inside another entry")
        } else if next == Some(DECRYPTION) {
            (&rules::ENCRYPTED, "stands after an encrypted directory")
        } else if first && next != Some(crate::record::LOCAL) {
            (&rules::PREFIX, "is the first entry, and something precedes it")
        } else {
            (&rules::GAP, "does not begin where the entry before it ends")
        };
        self.push_named(rule, span, name, message);
    }

    /// Returns a cursor at a position.
    pub(crate) const fn cursor(&self, position: usize) -> Cursor<'a> {
        Cursor::new(self.bytes, position)
    }
}
