//! The directory: one record for each file, each checked by itself.

use diagnostic::{Rule, Span};

use crate::extra;
use crate::reader::Reader;
use crate::record::{Central, CommonFields, End};
use crate::rules;

/// The sizes follow the data.
pub(crate) const HAS_DESCRIPTOR: u16 = 1 << 3;
/// The name is UTF-8.
pub(crate) const IS_UTF8: u16 = 1 << 11;
/// The writer's compression effort.
const EFFORT_FLAGS: u16 = 0b110;
/// The data, the directory or the header is encrypted.
const IS_ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;

/// The data is not compressed.
pub(crate) const STORED: u16 = 0;
/// The data is compressed.
pub(crate) const DEFLATED: u16 = 8;

/// The expansion ratio of smaller entries is not checked.
const MIN_RATIO_BYTES: u64 = 1 << 20;

/// Reads the directory, and reports the problems of each record. Returns `None` if it
/// cannot be read to its end.
pub(crate) fn read<'a>(reader: &mut Reader<'a, '_>, end: &End) -> Option<Vec<Central<'a>>> {
    let stop = (end.offset as usize).saturating_add(end.size as usize);
    let mut cursor = reader.cursor(end.offset as usize);
    let mut headers = Vec::new();
    for _ in 0..end.entries {
        let here = Span { start: cursor.position, end: cursor.position };
        let Some(header) = Central::read(&mut cursor).filter(|h| h.span.end <= stop) else {
            reader.push(&rules::END, here, "the directory has fewer records than the end says");
            return None;
        };
        check(reader, &header);
        headers.push(header);
    }
    if cursor.position != stop {
        let span = Span { start: cursor.position, end: stop };
        reader.push(&rules::END, span, "the directory has more in it than the end says");
        return None;
    }
    Some(headers)
}

fn check(reader: &mut Reader<'_, '_>, header: &Central<'_>) {
    let common = header.common;
    let mut push = |rule: &'static Rule, message: &str| {
        reader.push_named(rule, header.span, common.name, message);
    };
    if common.flags & IS_ENCRYPTED != 0 {
        push(&rules::ENCRYPTED, "the entry is encrypted");
    } else if common.flags & !(HAS_DESCRIPTOR | IS_UTF8 | EFFORT_FLAGS) != 0 {
        push(&rules::FLAGS, "the entry has a flag that is not known");
    }
    if !matches!(common.method, STORED | DEFLATED) {
        push(&rules::METHOD, &format!("compression method {} is not known", common.method));
    } else if common.method == STORED && common.flags & HAS_DESCRIPTOR != 0 {
        push(&rules::DESCRIPTOR, "the size of a stored entry must stand before its data");
    }
    if [common.packed, common.size, header.offset].contains(&u32::MAX) || header.disk == u16::MAX {
        push(&rules::EXTENDED, "the sizes are in the 64-bit format");
    } else if header.disk != 0 {
        push(&rules::SPLIT, "the entry is in another part");
    }
    if !header.comment.is_empty() {
        push(&rules::COMMENT, "the entry has a comment");
    }
    if let Err((rule, message)) = extra::check(header.extra, common.name) {
        push(rule, message);
    }
    if let Err((rule, message)) = check_entry_type(header) {
        push(rule, message);
    }
    let special = (header.attributes >> 16) & 0o7000;
    if is_unix(header) && special != 0 {
        push(&rules::MODE, "the set-user, set-group and sticky bits are ignored");
    }
}

/// Returns true if the attributes are Unix attributes.
pub(crate) const fn is_unix(header: &Central<'_>) -> bool {
    matches!(header.system, 3 | 19)
}

/// Returns true if an entry is a directory.
pub(crate) fn is_directory(name: &[u8]) -> bool {
    name.ends_with(b"/")
}

/// Checks that an entry is clearly either a file or a directory.
fn check_entry_type(header: &Central<'_>) -> Result<(), (&'static Rule, &'static str)> {
    const FILE: u32 = 0o100_000;
    const DIRECTORY: u32 = 0o040_000;
    let is_directory = is_directory(header.common.name);
    let mode = header.attributes >> 16;
    let wrong = |message| Err((&rules::ENTRY_TYPE, message));
    if !is_unix(header) && mode != 0 {
        return wrong("the attributes are those of Unix, and the system is another");
    }
    match mode & 0o170_000 {
        0 => {}
        FILE if !is_directory => {}
        DIRECTORY if is_directory => {}
        FILE | DIRECTORY => return wrong("the attributes and the name say file and directory"),
        _ => return wrong("the entry is a link, a device, a pipe or a socket"),
    }
    if header.attributes & 0x10 != 0 && !is_directory {
        return wrong("the attributes say directory, and the name says file");
    }
    if header.attributes & 0x08 != 0 {
        return wrong("the entry is the label of a volume");
    }
    if is_directory {
        // Java compresses even empty data, so the packed size need not be 0.
        let CommonFields { size, crc, .. } = header.common;
        if size != 0 {
            return wrong("the entry is a directory, and has data");
        }
        if crc != 0 {
            return Err((&rules::CHECKSUM, "a directory has no data, so its checksum is 0"));
        }
    }
    Ok(())
}

/// Checks the declared sizes of the expanded files.
pub(crate) fn check_sizes(reader: &mut Reader<'_, '_>, headers: &[Central<'_>]) {
    let mut total = 0_u64;
    for header in headers {
        total = total.saturating_add(header.common.size.into());
        check_size(reader, header.span, &header.common);
    }
    let limit = reader.limits.expanded_bytes;
    if total > limit as u64 {
        let message = format!("{total} bytes when expanded, more than the {limit} allowed");
        let start = headers.first().map_or(0, |header| header.span.start);
        let end = headers.last().map_or(0, |header| header.span.end);
        reader.push(&rules::TOTAL_SIZE, Span { start, end }, message);
    }
}

fn check_size(reader: &mut Reader<'_, '_>, span: Span, common: &CommonFields<'_>) {
    let (packed, size) = (u64::from(common.packed), u64::from(common.size));
    let limits = reader.limits;
    if common.method == STORED && packed != size {
        let message = "a stored entry takes as many bytes as it has";
        reader.push_named(&rules::SIZE_MISMATCH, span, common.name, message);
    } else if size > limits.entry_bytes as u64 {
        let limit = limits.entry_bytes;
        let message = format!("{size} bytes when expanded, more than the {limit} allowed");
        reader.push_named(&rules::ENTRY_SIZE, span, common.name, &message);
    } else if size > MIN_RATIO_BYTES && size > packed.saturating_mul(limits.expansion_ratio) {
        let ratio = limits.expansion_ratio;
        let message = format!("expands to more than {ratio} times its size");
        reader.push_named(&rules::RATIO, span, common.name, &message);
    }
}
