//! Extra fields, which writers add to the records of a file.

use diagnostic::Rule;

use crate::crc::crc32;
use crate::record::Cursor;
use crate::rules;

/// Times and owners, which have no effect.
const IGNORED_FIELDS: [u16; 5] = [0x5455, 0x7875, 0x5855, 0x7855, 0x000a];
/// A second spelling of the name.
const UNICODE_NAME: u16 = 0x7075;
/// Sizes of the 64-bit format.
const EXTENDED: u16 = 0x0001;
/// Encryption.
const AES: u16 = 0x9901;

/// Checks that the fields add no data that a reader could act on.
pub(crate) fn check(extra: &[u8], name: &[u8]) -> Result<(), (&'static Rule, &'static str)> {
    let mut cursor = Cursor::new(extra, 0);
    let mut seen = Vec::new();
    while cursor.position < extra.len() {
        let field = cursor.u16().zip(cursor.u16());
        let field = field.and_then(|(id, length)| Some((id, cursor.take(length.into())?)));
        let Some((id, data)) = field else {
            return Err((&rules::EXTRA, "the extra fields are cut off"));
        };
        if seen.contains(&id) {
            return Err((&rules::EXTRA, "an extra field is there twice"));
        }
        seen.push(id);
        match id {
            EXTENDED => return Err((&rules::EXTENDED, "the sizes are in the 64-bit format")),
            AES => return Err((&rules::ENCRYPTED, "the entry is encrypted")),
            UNICODE_NAME if !is_same_name(data, name) => {
                return Err((&rules::EXTRA, "an extra field gives the entry another name"));
            }
            UNICODE_NAME => {}
            id if IGNORED_FIELDS.contains(&id) => {}
            _ => return Err((&rules::EXTRA, "an extra field is not known")),
        }
    }
    Ok(())
}

fn is_same_name(data: &[u8], name: &[u8]) -> bool {
    let mut cursor = Cursor::new(data, 0);
    cursor.take(1) == Some(&[1])
        && cursor.u32() == Some(crc32(name))
        && data.get(cursor.position..) == Some(name)
}
