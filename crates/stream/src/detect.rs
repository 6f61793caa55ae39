//! Detects the shape of a stream from its first bytes.

use super::envelope::{Around, Next};
use super::item::{Shape, Split};
use super::scan::{Mark, Scan, is_space, mark};

/// The state of the detection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Detect {
    scan: Scan,
    begun: bool,
}

/// The result of looking at bytes.
pub(super) enum Decision {
    Is(Shape),
    /// More bytes are needed. The number is the count of bytes scanned so far.
    More(usize),
}

impl Detect {
    /// Scans the bytes of the stream after leading white space. The first `seen` bytes were
    /// scanned before.
    pub(super) fn look(
        &mut self,
        bytes: &[u8],
        seen: usize,
        finished: bool,
        split: &Split,
    ) -> Decision {
        let mut pos = seen;
        if !self.begun {
            pos = match mark(bytes, finished) {
                Mark::Unknown => return Decision::More(0),
                Mark::Yes => 3,
                Mark::No => 0,
            };
            match bytes.get(pos) {
                Some(b'[') => return Decision::Is(Shape::Array),
                Some(b'{') => {}
                None if !finished => return Decision::More(0),
                _ => return Decision::Is(Shape::Lines),
            }
            self.begun = true;
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
                    return Decision::Is(Shape::Member);
                }
                self.scan.step(byte);
            } else if !is_space(byte) {
                return Decision::Is(Shape::Lines);
            }
            pos += 1;
        }
        if pos == bytes.len() && !finished {
            return Decision::More(pos);
        }
        let text = bytes.get(..pos).unwrap_or(bytes);
        let is_list = self.scan.depth > 0 || has_list(text, split);
        Decision::Is(if is_list { Shape::Member } else { Shape::Lines })
    }
}

/// Returns true if an object contains a list.
fn has_list(text: &[u8], split: &Split) -> bool {
    let room = split.limits.document_bytes;
    let (_, next) = Around::default().go(text, &split.members, false, room, true);
    matches!(next, Next::List(_))
}
