//! Reproduces the reference's messages about texts that are not JSON.

use crate::go::quote;

/// The deepest nesting that Go accepts.
const DEEPEST: usize = 10_000;

/// Returns the first problem of a text, in the words of Go's `encoding/json`.
pub(crate) fn find_problem(bytes: &[u8]) -> Option<String> {
    Scanner { bytes, at: 0 }.scan_document().err()
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips a byte if it is the next one. Returns true if it was.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.at - start
    }

    fn skip_space(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }

    /// Returns the message about the next byte. The end of the text has a message of its
    /// own, except inside a token, where Go reads a space.
    fn error_message(&self, place: &str, inside_token: bool) -> String {
        let byte = match self.peek() {
            Some(byte) => byte,
            None if inside_token => b' ',
            None => return "unexpected end of JSON input".to_owned(),
        };
        let character = match byte {
            b'\'' => r"\'".to_owned(),
            b'"' => "\"".to_owned(),
            byte => quote(&char::from(byte).to_string()).trim_matches('"').to_owned(),
        };
        format!("invalid character '{character}' {place}")
    }

    fn scan_document(&mut self) -> Result<(), String> {
        let mut open: Vec<u8> = Vec::new();
        loop {
            let closed = self.scan_value(&mut open)?;
            if closed && !self.scan_separator(&mut open)? {
                return Ok(());
            }
        }
    }

    /// Reads a value, or opens a container. Returns true if the value is complete.
    fn scan_value(&mut self, open: &mut Vec<u8>) -> Result<bool, String> {
        self.skip_space();
        let first = self.peek();
        match first {
            Some(bracket @ (b'{' | b'[')) => {
                self.at += 1;
                if open.len() >= DEEPEST {
                    return Err("exceeded max depth".to_owned());
                }
                self.skip_space();
                let end = if bracket == b'{' { b'}' } else { b']' };
                if self.take(end) {
                    return Ok(true);
                }
                open.push(bracket);
                if bracket == b'{' {
                    self.scan_key()?;
                }
                return Ok(false);
            }
            Some(b'"') => self.scan_string()?,
            Some(b'-' | b'0'..=b'9') => self.scan_number()?,
            Some(b't') => self.scan_literal("true")?,
            Some(b'f') => self.scan_literal("false")?,
            Some(b'n') => self.scan_literal("null")?,
            _ => return Err(self.error_message("looking for beginning of value", false)),
        }
        Ok(true)
    }

    /// Skips the punctuation after a value. Returns true if another value follows.
    fn scan_separator(&mut self, open: &mut Vec<u8>) -> Result<bool, String> {
        loop {
            self.skip_space();
            let (end, place) = match open.last() {
                None if self.peek().is_none() => return Ok(false),
                None => return Err(self.error_message("after top-level value", false)),
                Some(b'{') => (b'}', "after object key:value pair"),
                Some(_) => (b']', "after array element"),
            };
            if self.take(b',') {
                if end == b'}' {
                    self.skip_space();
                    self.scan_key()?;
                }
                return Ok(true);
            }
            if !self.take(end) {
                return Err(self.error_message(place, false));
            }
            open.pop();
        }
    }

    fn scan_key(&mut self) -> Result<(), String> {
        if self.peek() != Some(b'"') {
            return Err(self.error_message("looking for beginning of object key string", false));
        }
        self.scan_string()?;
        self.skip_space();
        if self.take(b':') { Ok(()) } else { Err(self.error_message("after object key", false)) }
    }

    fn scan_string(&mut self) -> Result<(), String> {
        self.at += 1;
        loop {
            self.take_while(|byte| byte >= b' ' && !matches!(byte, b'"' | b'\\'));
            if self.take(b'"') {
                return Ok(());
            }
            if !self.take(b'\\') {
                return Err(self.error_message("in string literal", false));
            }
            if self.take(b'u') {
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.error_message(r"in \u hexadecimal character escape", true));
                    }
                    self.at += 1;
                }
            } else if self.peek().is_some_and(|byte| br#"bfnrt\/""#.contains(&byte)) {
                self.at += 1;
            } else {
                return Err(self.error_message("in string escape code", true));
            }
        }
    }

    fn scan_number(&mut self) -> Result<(), String> {
        let digits = |scanner: &mut Self, place: &str| {
            if scanner.take_while(|byte| byte.is_ascii_digit()) > 0 {
                Ok(())
            } else {
                Err(scanner.error_message(place, true))
            }
        };
        self.take(b'-');
        if !self.take(b'0') {
            digits(self, "in numeric literal")?;
        }
        if self.take(b'.') {
            digits(self, "after decimal point in numeric literal")?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            digits(self, "in exponent of numeric literal")?;
        }
        Ok(())
    }

    fn scan_literal(&mut self, word: &str) -> Result<(), String> {
        for expected in word.bytes() {
            if !self.take(expected) {
                let expected = char::from(expected);
                let place = format!("in literal {word} (expecting '{expected}')");
                return Err(self.error_message(&place, true));
            }
        }
        Ok(())
    }
}
