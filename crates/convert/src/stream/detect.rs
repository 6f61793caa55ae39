//! Detects the shape of a stream from its first bytes.

use super::envelope::{EnvelopeEvent, ListFinder};
use super::item::{Shape, SplitOptions};
use super::scan::{ByteOrderMark, Scan, find_byte_order_mark, is_space};

/// The state of the detection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Detector {
    scan: Scan,
    has_begun: bool,
}

/// The result of looking at bytes.
pub(super) enum Decision {
    Detected(Shape),
    /// More bytes are needed. The number is the count of bytes scanned so far.
    More(usize),
}

impl Detector {
    /// Scans the bytes of the stream after leading white space. The first `seen` bytes were
    /// scanned before.
    pub(super) fn scan(
        &mut self,
        bytes: &[u8],
        seen: usize,
        finished: bool,
        split: &SplitOptions,
    ) -> Decision {
        let mut pos = seen;
        if !self.has_begun {
            pos = match find_byte_order_mark(bytes, finished) {
                ByteOrderMark::Unknown => return Decision::More(0),
                ByteOrderMark::Yes => 3,
                ByteOrderMark::No => 0,
            };
            match bytes.get(pos) {
                Some(b'[') => return Decision::Detected(Shape::Array),
                Some(b'{') => {}
                None if !finished => return Decision::More(0),
                _ => return Decision::Detected(Shape::Lines),
            }
            self.has_begun = true;
            self.scan.step(b'{');
            pos += 1;
        }
        while let Some(&byte) = bytes.get(pos) {
            if pos > split.limits.document_bytes {
                // Too long for a line.
                break;
            }
            if self.scan.depth > 0 {
                if byte == b'\n' {
                    return Decision::Detected(Shape::Member);
                }
                self.scan.step(byte);
            } else if !is_space(byte) {
                return Decision::Detected(Shape::Lines);
            }
            pos += 1;
        }
        if pos == bytes.len() && !finished {
            return Decision::More(pos);
        }
        let text = bytes.get(..pos).unwrap_or(bytes);
        let is_list = self.scan.depth > 0 || has_list(text, split);
        Decision::Detected(if is_list { Shape::Member } else { Shape::Lines })
    }
}

/// Returns true if an object contains a list.
fn has_list(text: &[u8], split: &SplitOptions) -> bool {
    let room = split.limits.document_bytes;
    let (_, next) = ListFinder::default().scan(text, &split.members, false, room, true);
    matches!(next, EnvelopeEvent::List(_))
}
