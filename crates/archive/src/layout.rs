//! Checks the layout: files follow each other in the order of the directory, and their own
//! records agree with it.

use diagnostic::{Rule, Span};

use crate::directory::HAS_DESCRIPTOR;
use crate::reader::Reader;
use crate::record::{Central, CommonFields, Cursor, DESCRIPTOR, DESCRIPTOR_BYTES, Local};
use crate::{extra, rules};

/// Returns the span of each file's data. Reports the first file whose position or own
/// record is wrong, and returns `None` then.
pub(crate) fn check(
    reader: &mut Reader<'_, '_>,
    headers: &[Central<'_>],
    directory: usize,
) -> Option<Vec<Span>> {
    let mut files = Vec::with_capacity(headers.len());
    let mut expected = 0;
    for (index, header) in headers.iter().enumerate() {
        let name = header.common.name;
        let found = header.offset as usize;
        if found != expected {
            reader.report_misplaced(expected, found, index == 0, name);
            return None;
        }
        let Some(local) = Local::read(reader.bytes, found) else {
            let message = "there is no such entry where the directory says";
            reader.push_named(&rules::HEADER_MISMATCH, header.span, name, message);
            return None;
        };
        if let Err((rule, message)) = extra::check(local.extra, local.common.name)
            .and_then(|()| check_agreement(&header.common, &local.common))
        {
            reader.push_named(rule, header.span, name, message);
            return None;
        }
        // Saturating, for 32-bit hosts. A file that is too large ends past the directory.
        let end = local.data.saturating_add(header.common.packed as usize);
        let file = Span { start: local.data, end };
        expected = end;
        if header.common.flags & HAS_DESCRIPTOR != 0 {
            if !has_descriptor(reader.bytes, expected, &header.common) {
                let message = "the record after the data does not repeat what the directory says";
                reader.push_named(&rules::DESCRIPTOR, header.span, name, message);
                return None;
            }
            expected = expected.saturating_add(DESCRIPTOR_BYTES);
        }
        if expected > directory {
            let message = "reaches into the directory";
            reader.push_named(&rules::OVERLAP, header.span, name, message);
            return None;
        }
        files.push(file);
    }
    if expected != directory {
        let last = headers.last().map_or(&b""[..], |header| header.common.name);
        if headers.is_empty() {
            let span = Span { start: 0, end: directory };
            reader.push(&rules::PREFIX, span, "something precedes the directory");
        } else {
            let message = "something stands between the last entry and the directory";
            let span = Span { start: expected, end: directory };
            let rule = match crate::record::signature(reader.bytes, expected) {
                Some(crate::record::DECRYPTION) => &rules::ENCRYPTED,
                _ => &rules::GAP,
            };
            reader.push_named(rule, span, last, message);
        }
        return None;
    }
    Some(files)
}

/// Checks that both records of a file agree.
fn check_agreement(
    central: &CommonFields<'_>,
    local: &CommonFields<'_>,
) -> Result<(), (&'static Rule, &'static str)> {
    let described = central.flags & local.flags & HAS_DESCRIPTOR != 0;
    if described && (local.crc, local.packed, local.size) != (0, 0, 0) {
        let message = "the sizes stand before the data and after it";
        return Err((&rules::DESCRIPTOR, message));
    }
    let expected =
        if described { CommonFields { crc: 0, packed: 0, size: 0, ..*central } } else { *central };
    if *local == expected {
        return Ok(());
    }
    Err((&rules::HEADER_MISMATCH, "the entry's own record and the directory disagree"))
}

fn has_descriptor(bytes: &[u8], position: usize, common: &CommonFields<'_>) -> bool {
    let mut cursor = Cursor::new(bytes, position);
    let mut next = || cursor.u32();
    [next(), next(), next(), next()]
        == [Some(DESCRIPTOR), Some(common.crc), Some(common.packed), Some(common.size)]
}
