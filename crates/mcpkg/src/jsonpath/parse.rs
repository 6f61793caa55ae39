//! Queries, segments and selectors: RFC 9535, sections 2.1 to 2.5.

use super::ast::{Path, Segment, Selector, Slice};
use super::error::QueryError;
use super::regexp::Compiler;
use super::scan::Scanner;
use manifest_core::Limits;

/// Nesting is parsed by recursion, so it is bounded even if the limits allow more.
const MAX_NESTING: usize = 32;

pub(super) fn query(text: &str, limits: &Limits) -> Result<Path, QueryError> {
    if text.len() > limits.jsonpath_bytes {
        return Err(QueryError::TooLong);
    }
    let mut parser = Parser {
        scanner: Scanner::new(text),
        compiler: Compiler::new(limits),
        segments_left: limits.jsonpath_segments,
        nesting_left: limits.jsonpath_nesting.min(MAX_NESTING),
    };
    if parser.scanner.peek() != Some('$') {
        return Err(parser.scanner.error("'$'"));
    }
    let path = parser.path()?;
    parser.scanner.finish()?;
    Ok(path)
}

#[derive(Debug)]
pub(super) struct Parser<'t> {
    pub(super) scanner: Scanner<'t>,
    pub(super) compiler: Compiler<'t>,
    segments_left: usize,
    nesting_left: usize,
}

impl Parser<'_> {
    /// Parses a query, which begins with `$` or `@`.
    pub(super) fn path(&mut self) -> Result<Path, QueryError> {
        let absolute = self.scanner.eat("$");
        if !absolute && !self.scanner.eat("@") {
            return Err(self.scanner.error("'$' or '@'"));
        }
        let mut path = Path { absolute, singular: true, segments: Vec::new() };
        loop {
            // Blanks belong to the query only if a segment follows.
            let end = self.scanner.offset();
            self.scanner.skip_blanks();
            if !matches!(self.scanner.peek(), Some('.' | '[')) {
                self.scanner.go_back(end);
                return Ok(path);
            }
            let (segment, singular) = self.segment()?;
            path.segments.push(segment);
            path.singular &= singular;
        }
    }

    /// Parses a segment. The flag is true if a singular query may contain it.
    fn segment(&mut self) -> Result<(Segment, bool), QueryError> {
        self.segments_left =
            self.segments_left.checked_sub(1).ok_or(QueryError::TooManySegments)?;
        let descendant = self.scanner.eat("..");
        let (selectors, singular) = if !descendant && self.scanner.eat(".") {
            self.shorthand_selector()?
        } else if self.scanner.eat("[") {
            self.bracketed_selection()?
        } else {
            self.shorthand_selector()?
        };
        let segment = Segment { descendant, selectors };
        Ok((segment, singular && !descendant))
    }

    fn shorthand_selector(&mut self) -> Result<(Vec<Selector>, bool), QueryError> {
        if self.scanner.eat("*") {
            return Ok((vec![Selector::Wildcard], false));
        }
        let name = self.scanner.name()?;
        Ok((vec![Selector::Name(name.to_owned())], true))
    }

    /// Parses the rest of a bracketed selection, after `[`.
    fn bracketed_selection(&mut self) -> Result<(Vec<Selector>, bool), QueryError> {
        let mut selectors = Vec::new();
        let mut blanks = false;
        loop {
            blanks |= self.skip_blanks();
            selectors.push(self.selector()?);
            blanks |= self.skip_blanks();
            if !self.scanner.eat(",") {
                break;
            }
        }
        if !self.scanner.eat("]") {
            return Err(self.scanner.error("',' or ']'"));
        }
        let singular = matches!(selectors.as_slice(), [Selector::Name(_) | Selector::Index(_)]);
        Ok((selectors, singular && !blanks))
    }

    /// Skips blanks, and returns true if there were any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.scanner.offset();
        self.scanner.skip_blanks();
        self.scanner.offset() > start
    }

    fn selector(&mut self) -> Result<Selector, QueryError> {
        if self.scanner.eat("*") {
            return Ok(Selector::Wildcard);
        }
        if self.scanner.eat("?") {
            self.scanner.skip_blanks();
            return self.with_nesting(Self::logical_expr).map(Selector::Filter);
        }
        if self.scanner.eat(":") {
            return self.slice(None);
        }
        if matches!(self.scanner.peek(), Some('\'' | '"')) {
            return self.scanner.string().map(Selector::Name);
        }
        let Some(index) = self.optional_integer()? else {
            return Err(self.scanner.error("a selector"));
        };
        let end = self.scanner.offset();
        self.scanner.skip_blanks();
        if self.scanner.eat(":") {
            return self.slice(Some(index));
        }
        self.scanner.go_back(end);
        Ok(Selector::Index(index))
    }

    /// Parses the rest of a slice, after its first colon.
    fn slice(&mut self, start: Option<i64>) -> Result<Selector, QueryError> {
        self.scanner.skip_blanks();
        let end = self.optional_integer()?;
        self.scanner.skip_blanks();
        let mut step = None;
        if self.scanner.eat(":") {
            self.scanner.skip_blanks();
            step = self.optional_integer()?;
        }
        Ok(Selector::Slice(Slice { start, end, step: step.unwrap_or(1) }))
    }

    fn optional_integer(&mut self) -> Result<Option<i64>, QueryError> {
        match self.scanner.peek() {
            Some('-' | '0'..='9') => self.scanner.integer().map(Some),
            _ => Ok(None),
        }
    }

    /// Calls `read` one nesting level deeper.
    pub(super) fn with_nesting<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.nesting_left = self.nesting_left.checked_sub(1).ok_or(QueryError::TooNested)?;
        let result = read(self);
        self.nesting_left += 1;
        result
    }
}
