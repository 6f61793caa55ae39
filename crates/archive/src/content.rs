//! Reads the contents of the files.

use std::borrow::Cow;

use diagnostic::{Rule, Span};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::crc::crc32;
use crate::directory::{STORED, is_directory, is_unix};
use crate::entry::Entry;
use crate::reader::Reader;
use crate::record::Central;
use crate::rules;

/// The initial size of a buffer. It grows with the data, not with the declared size.
const INITIAL_BYTES: usize = 64 << 10;

/// Expands every file, and drops the directories. Stops at the first entry that does not
/// match its declaration.
pub(crate) fn read<'a>(
    reader: &mut Reader<'a, '_>,
    headers: &[Central<'a>],
    files: &[Span],
    names: &[&'a str],
) -> Option<Vec<Entry<'a>>> {
    let mut entries = Vec::new();
    for ((header, file), name) in headers.iter().zip(files).zip(names) {
        let packed = file.slice_bytes(reader.bytes);
        match expand(header, packed) {
            Ok(_) if is_directory(header.common.name) => {}
            Ok(data) => entries.push(Entry {
                name: Cow::Borrowed(name),
                data,
                executable: is_unix(header) && (header.attributes >> 16) & 0o111 != 0,
            }),
            Err((rule, message)) => {
                reader.push_named(rule, *file, header.common.name, message);
                return None;
            }
        }
    }
    Some(entries)
}

fn expand<'a>(
    header: &Central<'_>,
    packed: &'a [u8],
) -> Result<Cow<'a, [u8]>, (&'static Rule, &'static str)> {
    let data = if header.common.method == STORED {
        Cow::Borrowed(packed)
    } else {
        Cow::Owned(inflate(packed, header.common.size as usize)?)
    };
    if crc32(&data) == header.common.crc {
        Ok(data)
    } else {
        Err((&rules::CHECKSUM, "the data does not have its checksum"))
    }
}

/// Inflates data. Fails unless the compressed stream fills `packed` exactly, and expands to
/// `size` bytes.
fn inflate(packed: &[u8], size: usize) -> Result<Vec<u8>, (&'static Rule, &'static str)> {
    const BROKEN: (&Rule, &str) =
        (&rules::DEFLATE, "the compressed data is broken, or does not end where it should");
    const WRONG_SIZE: (&Rule, &str) =
        (&rules::SIZE_MISMATCH, "the data is not as long as the directory says");
    // One byte more reveals surplus data.
    let most = size.saturating_add(1);
    let mut state = Box::<DecompressorOxide>::default();
    let mut out = vec![0; most.min(INITIAL_BYTES)];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = Span { start: read, end: packed.len() }.slice_bytes(packed);
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, taken, made) = decompress(&mut state, rest, &mut out, written, flags);
        read += taken;
        written += made;
        match status {
            _ if written > size => return Err(WRONG_SIZE),
            TINFLStatus::Done if read != packed.len() => return Err(BROKEN),
            TINFLStatus::Done if written != size => return Err(WRONG_SIZE),
            TINFLStatus::Done => break,
            TINFLStatus::HasMoreOutput if out.len() < most => {
                let room = out.len().saturating_mul(2).min(most);
                out.resize(room, 0);
            }
            _ => return Err(BROKEN),
        }
    }
    out.truncate(written);
    Ok(out)
}
