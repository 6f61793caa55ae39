//! The names of groups.

use std::sync::LazyLock;

use regex::Regex;

use super::error::{PatternError, syntax};
use super::translate::Translator;

static IDENTIFIER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\A[\p{ID_Start}$_][\p{ID_Continue}$\x{200C}\x{200D}]*\z").ok());

impl Translator<'_> {
    /// Reads a name and the `>` after it. The `<` is already read; the construct begins at
    /// `offset`.
    pub(super) fn group_name(&mut self, offset: usize) -> Result<String, PatternError> {
        let mut name = String::new();
        loop {
            let c = match self.input.next() {
                Some('>') => break,
                Some('\\') if self.input.eat("u") => char::from_u32(self.unicode_escape(offset)?),
                c => c,
            };
            match c {
                Some(c) => name.push(c),
                None => return syntax(offset, "a malformed group name"),
            }
        }
        let is_identifier =
            IDENTIFIER.as_ref().is_some_and(|identifier| identifier.is_match(&name));
        if !is_identifier {
            return syntax(offset, "a malformed group name");
        }
        Ok(name)
    }
}
