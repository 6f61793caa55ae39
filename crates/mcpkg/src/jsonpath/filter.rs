//! Filters: RFC 9535, sections 2.3.5 (expressions) and 2.4 (functions).

use super::ast::{Expr, Operand, Path, PatternSource};
use super::error::QueryError;
use super::parse::Parser;
use super::scan::error_at;
use super::value::{Comparison, Value};

/// A part of a filter whose role depends on its context.
enum Term {
    Literal(Value<'static>),
    Query(Path),
    /// A function that returns a value.
    Value(Operand),
    /// A function that returns true or false.
    Test(Expr),
}

impl Parser<'_> {
    pub(super) fn logical_expr(&mut self) -> Result<Expr, QueryError> {
        let mut groups = vec![self.logical_and()?];
        while self.operator("||") {
            groups.push(self.logical_and()?);
        }
        Ok(Expr::AnyOf(groups))
    }

    fn logical_and(&mut self) -> Result<Vec<Expr>, QueryError> {
        let mut terms = vec![self.basic_expr()?];
        while self.operator("&&") {
            terms.push(self.basic_expr()?);
        }
        Ok(terms)
    }

    /// Reads an operator and the blanks around it. Returns false if another token is next.
    fn operator(&mut self, token: &str) -> bool {
        self.scanner.skip_blanks();
        let found = self.scanner.eat(token);
        if found {
            self.scanner.skip_blanks();
        }
        found
    }

    fn basic_expr(&mut self) -> Result<Expr, QueryError> {
        if self.operator("!") {
            let expr = if self.scanner.eat("(") {
                self.paren_expr()?
            } else {
                let start = self.scanner.offset();
                to_test(self.term()?, start)?
            };
            return Ok(Expr::Not(Box::new(expr)));
        }
        if self.scanner.eat("(") {
            return self.paren_expr();
        }
        let start = self.scanner.offset();
        let left = self.term()?;
        let Some(comparison) = self.comparison() else {
            return to_test(left, start);
        };
        let left = to_operand(left, start)?;
        let start = self.scanner.offset();
        let right = to_operand(self.term()?, start)?;
        Ok(Expr::Compare(left, comparison, right))
    }

    /// Parses the rest of a parenthesized expression, after `(`.
    fn paren_expr(&mut self) -> Result<Expr, QueryError> {
        self.scanner.skip_blanks();
        let expr = self.with_nesting(Self::logical_expr)?;
        self.close()?;
        Ok(expr)
    }

    fn close(&mut self) -> Result<(), QueryError> {
        self.scanner.skip_blanks();
        if self.scanner.eat(")") { Ok(()) } else { Err(self.scanner.error("')'")) }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        // Operators of two characters come first, because `<` is a prefix of `<=`.
        [
            ("==", Comparison::Equal),
            ("!=", Comparison::NotEqual),
            ("<=", Comparison::LessOrEqual),
            (">=", Comparison::GreaterOrEqual),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ]
        .into_iter()
        .find(|(token, _)| self.operator(token))
        .map(|(_, comparison)| comparison)
    }

    fn term(&mut self) -> Result<Term, QueryError> {
        match self.scanner.peek() {
            Some('@' | '$') => self.path().map(Term::Query),
            Some('\'' | '"') => {
                let text = self.scanner.string()?;
                Ok(Term::Literal(Value::Text(text.into())))
            }
            Some('-' | '0'..='9') => {
                let number = self.scanner.number()?;
                Ok(Term::Literal(Value::Number(number)))
            }
            Some('a'..='z') => self.literal_or_function(),
            _ => Err(self.scanner.error("a query, a literal or a function")),
        }
    }

    fn literal_or_function(&mut self) -> Result<Term, QueryError> {
        let start = self.scanner.offset();
        let word = self.scanner.word();
        if self.scanner.eat("(") {
            self.scanner.skip_blanks();
            let term = self.with_nesting(|parser| parser.function(word, start))?;
            self.close()?;
            return Ok(term);
        }
        match word {
            "true" => Ok(Term::Literal(Value::Bool(true))),
            "false" => Ok(Term::Literal(Value::Bool(false))),
            "null" => Ok(Term::Literal(Value::Null)),
            _ => Err(error_at(start, "a query, a literal or a function")),
        }
    }

    /// Parses the arguments of a function, each of its declared type.
    fn function(&mut self, name: &str, start: usize) -> Result<Term, QueryError> {
        match name {
            "length" => {
                let value = self.value_argument()?;
                Ok(Term::Value(Operand::Length(Box::new(value))))
            }
            "count" => Ok(Term::Value(Operand::Count(self.path()?))),
            "value" => Ok(Term::Value(Operand::ValueOf(self.path()?))),
            "match" => self.pattern_arguments(true),
            "search" => self.pattern_arguments(false),
            _ => Err(error_at(start, "length, count, value, match or search")),
        }
    }

    fn value_argument(&mut self) -> Result<Operand, QueryError> {
        let start = self.scanner.offset();
        to_operand(self.term()?, start)
    }

    fn pattern_arguments(&mut self, whole: bool) -> Result<Term, QueryError> {
        let text = self.value_argument()?;
        if !self.operator(",") {
            return Err(self.scanner.error("','"));
        }
        let pattern = match self.value_argument()? {
            Operand::Literal(Value::Text(pattern)) => {
                PatternSource::Literal(self.compiler.compile(&pattern, whole)?)
            }
            other => PatternSource::Operand(other),
        };
        Ok(Term::Test(Expr::Matches { text, pattern, whole }))
    }
}

/// Converts a term that is not compared: a query, which must select something, or a
/// function that returns true or false.
fn to_test(term: Term, start: usize) -> Result<Expr, QueryError> {
    match term {
        Term::Query(path) => Ok(Expr::Exists(path)),
        Term::Test(expr) => Ok(expr),
        Term::Literal(_) | Term::Value(_) => Err(error_at(start, "a comparison or a test")),
    }
}

/// Converts a term that is compared, or the argument of a function that requires a value.
fn to_operand(term: Term, start: usize) -> Result<Operand, QueryError> {
    match term {
        Term::Literal(value) => Ok(Operand::Literal(value)),
        Term::Value(operand) => Ok(operand),
        Term::Query(path) if path.singular => Ok(Operand::Query(path)),
        Term::Query(_) => Err(error_at(start, "a query that is singular")),
        Term::Test(_) => Err(error_at(start, "a value, not a test")),
    }
}
