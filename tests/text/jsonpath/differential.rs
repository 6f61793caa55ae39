//! Random queries on random documents, against `serde_json_path` and `jsonpath-rust`.
//!
//! They must agree on what a query selects, and with the first on what is a query. Where that
//! crate is wrong by RFC 9535, its query is corrected or the case not generated:
//!
//! - 2.1.1: blanks may stand before every segment. It refuses them before `..`.
//! - 2.3.1.1: surrogates may be written in lower case. It refuses high ones.
//! - 2.3.5.1: no blanks inside the brackets of a singular query, so `@[ 'a' ]`
//!   cannot be compared. It allows them.
//! - 2.3.3.2: in a singular query too, an index may count from the end. It finds
//!   nothing there.
//! - 2.3.5.2.2: `<=` and `>=` hold when `==` does, also for nothing at all, and
//!   only numbers and strings have an order. `$.none <= $.none` is false for it,
//!   `true > false` and `[1] >= [2]` are true, and `[1] == [1.0]` is false.
//!
//! `PROPTEST_CASES` sets the number of cases.

use jsonpath_rust::JsonPath as _;
use manifest_core::Limits;
use manifest_core::json::Document;
use mcpkg::jsonpath::{Query, QueryError};
use proptest::prelude::*;
use regex::{Captures, Regex};
use serde_json::{Value, json};
use serde_json_path::{JsonPath, NormalizedPath};
use toolglot_tests::random;

use super::select;

/// Levels of filters and expressions in a query.
const DEPTH: usize = 3;

/// Bytes that decide what is generated. When they run out, every choice is the
/// first, which never leads to more choices.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % count
    }

    fn pick(&mut self, options: &[&'static str]) -> &'static str {
        options[self.below(options.len())]
    }

    fn blank(&mut self) -> &'static str {
        self.pick(&["", "", "", "", "", "", " ", "\n", "\t\r"])
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth > 0 { 8 } else { 4 }) {
            0 => json!(1),
            1 => self.pick_json(&["null", "true", "false", "{}"]),
            2 => json!(self.pick(&["a", "b", "ab", "", "é", "a\nb", "\u{1f600}"])),
            3 => self.pick_json(&["0", "2", "-1", "1.5", "100"]),
            _ => self.container(depth - 1),
        }
    }

    fn pick_json(&mut self, options: &[&'static str]) -> Value {
        serde_json::from_str(self.pick(options)).unwrap()
    }

    fn container(&mut self, depth: usize) -> Value {
        let count = self.below(5);
        if self.below(2) == 0 {
            return (0..count).map(|_| self.value(depth)).collect();
        }
        let names = ["a", "b", "c", "é", "a b", "'", "0"];
        let members = (0..count).map(|_| (self.pick(&names), self.value(depth)));
        members.collect()
    }

    fn segments(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for _ in 0..self.below(4) {
            out += self.blank();
            let segment = match self.below(8) {
                0 => format!(".{}", self.pick(&["a", "b", "é", "_x1"])),
                1 => self.singular_segment(),
                2 | 3 => ".*".to_owned(),
                4 => format!("..{}", self.pick(&["a", "b", "*", "é"])),
                5 => format!("..[{}]", self.selectors(depth)),
                _ => format!("[{}]", self.selectors(depth)),
            };
            out += &segment;
        }
        out
    }

    fn singular_segment(&mut self) -> String {
        match self.below(3) {
            0 => format!(".{}", self.pick(&["a", "b", "c"])),
            1 => format!("[{}]", self.pick(&["0", "1", "7"])),
            _ => format!("[{}]", self.string()),
        }
    }

    fn string(&mut self) -> &'static str {
        self.pick(&[
            "'a'",
            "\"b\"",
            "'a b'",
            "\"'\"",
            r"'\''",
            r"'\u00e9'",
            r#""\u00E9""#,
            r"'a\nb'",
            r"'\uD83D\ude00'",
            "''",
        ])
    }

    fn selectors(&mut self, depth: usize) -> String {
        let mut out = String::new();
        for index in 0..=self.below(3) {
            out += if index > 0 { "," } else { "" };
            out += self.blank();
            let selector = match self.below(if depth > 0 { 8 } else { 4 }) {
                0 => "*".to_owned(),
                1 => self.string().to_owned(),
                2 if depth == DEPTH => self.pick(&["-1", "-2", "-9"]).to_owned(),
                2 => self.pick(&["0", "1", "9"]).to_owned(),
                3 => self.slice(),
                _ => format!("?{}{}", self.blank(), self.expr(depth - 1)),
            };
            out += &selector;
            out += self.blank();
        }
        out
    }

    fn slice(&mut self) -> String {
        let bound = ["", "0", "1", "2", "-1", "-2", "-9", "9"];
        let mut out = self.pick(&bound).to_owned() + self.blank() + ":" + self.blank();
        out += self.pick(&bound);
        if self.below(2) > 0 {
            out += ":";
            out += self.blank();
            out += self.pick(&["", "1", "2", "-1", "-2", "0", "9", "-9"]);
        }
        out
    }

    fn expr(&mut self, depth: usize) -> String {
        match self.below(if depth > 0 { 11 } else { 7 }) {
            0 | 1 => {
                let operator = self.pick(&["==", "!=", "<"]);
                let (before, after) = (self.blank(), self.blank());
                let left = self.comparable(depth);
                format!("{left}{before}{operator}{after}{}", self.comparable(depth))
            }
            2 => {
                let operator = self.pick(&["<=", ">", ">="]);
                let literal = self.pick(&["1", "0", "1.5", "'a'", "'b'"]);
                format!("{}{operator}{literal}", self.comparable(depth))
            }
            3 => self.query("@", depth),
            4 => format!("!{}{}", self.blank(), self.query("$", depth)),
            5 | 6 => {
                let pattern = ["'a'", "'.'", "'a.b'", "'[a-b]+'", r"'\\p{L}'", "$.a", "'('"];
                let (function, text) = (self.pick(&["match", "search"]), self.comparable(depth));
                format!("{function}({text},{}{})", self.blank(), self.pick(&pattern))
            }
            7 => {
                let not = self.pick(&["", "!"]);
                let (open, close) = (self.blank(), self.blank());
                format!("{not}({open}{}{close})", self.expr(depth - 1))
            }
            _ => {
                let operator = self.pick(&["&&", "||"]);
                let (before, after) = (self.blank(), self.blank());
                let left = self.expr(depth - 1);
                format!("{left}{before}{operator}{after}{}", self.expr(depth - 1))
            }
        }
    }

    fn query(&mut self, start: &str, depth: usize) -> String {
        start.to_owned() + &self.segments(depth)
    }

    fn comparable(&mut self, depth: usize) -> String {
        match self.below(if depth > 0 { 8 } else { 5 }) {
            0 => self.pick(&["1", "null", "true", "false"]).to_owned(),
            1 => self.pick(&["0", "-0", "2", "1.0", "1.5", "1e2", "1E+2", "-1"]).to_owned(),
            2 => self.string().to_owned(),
            3 | 4 => {
                let mut out = self.pick(&["@", "$"]).to_owned();
                for _ in 0..self.below(3) {
                    out += self.blank();
                    out += &self.singular_segment();
                }
                out
            }
            5 => format!("length({}{})", self.blank(), self.comparable(depth - 1)),
            6 => format!("count({}{})", self.query("@", depth - 1), self.blank()),
            _ => format!("value({})", self.query("@", depth - 1)),
        }
    }

    /// Changes a query a little, so that it is likely not to be one.
    fn mutate(&mut self, query: &str) -> String {
        let mut chars: Vec<char> = query.chars().collect();
        for _ in 0..=self.below(2) {
            let at = (self.below(256) * 256 + self.below(256)) % chars.len();
            let other = " \n$@.[]()*?:,'\"!=<>&|-+01eaé\\u".chars();
            let other = other.clone().nth(self.below(other.count())).unwrap();
            match self.below(4) {
                0 if chars.len() > 1 => drop(chars.remove(at)),
                1 => chars[at] = other,
                2 => chars.insert(at, chars[at]),
                _ => chars.insert(at, other),
            }
        }
        chars.into_iter().collect()
    }
}

/// Changes every part of a query that a pattern finds.
fn replace(query: &str, pattern: &str, change: impl Fn(&str) -> String) -> String {
    let pattern = Regex::new(pattern).unwrap();
    pattern.replace_all(query, |found: &Captures<'_>| change(&found[0])).into_owned()
}

/// Reads a query with the other crate, without what it wrongly refuses.
fn theirs(query: &str) -> Option<JsonPath> {
    let query = replace(query, r"\s+\.\.", |found| found.trim().to_owned());
    let query =
        replace(&query, r"u[dD][89abAB]", |found| format!("u{}", found[1..].to_uppercase()));
    JsonPath::parse(&query).ok()
}

/// Whether both agree on what is a query.
fn agree_on_syntax(query: &str) -> Result<(), TestCaseError> {
    let theirs = theirs(query);
    match Query::parse(query, &Limits::default()) {
        Ok(_) => prop_assert!(theirs.is_some(), "accepted"),
        Err(QueryError::Syntax { expected, .. }) => {
            let tight = replace(query, r"\[\s+|\s+\]", |found| found.trim().to_owned());
            if theirs.is_some() && expected == "a query that is singular" && tight != query {
                return agree_on_syntax(&tight);
            }
            prop_assert!(theirs.is_none(), "refused: expected {}", expected);
        }
        Err(limit) => prop_assert!(false, "refused: {}", limit),
    }
    Ok(())
}

/// Whether both agree on what a query selects.
fn agree_on_results(query: &str, value: &Value) -> Result<(), TestCaseError> {
    let limits = Limits { jsonpath_nodes: usize::MAX, ..Limits::default() };
    let text = value.to_string();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let ours = Query::parse(query, &limits).unwrap();
    let ours = ours.select(document.root(), &limits).unwrap();
    let ours: Vec<_> = ours.iter().map(|node| node.pointer().to_string()).collect();
    let theirs = theirs(query).unwrap();
    let theirs = theirs.query_located(value);
    let theirs: Vec<_> = theirs.locations().map(NormalizedPath::to_json_pointer).collect();
    prop_assert_eq!(ours, theirs);
    Ok(())
}

/// Row Q14 of the catalogue of attacks.
#[test]
fn agrees_with_serde_json_path() {
    proptest!(random(500), |(bytes in prop::collection::vec(any::<u8>(), 50..300))| {
        let mut choices = Choices(bytes.into_iter());
        let value = choices.container(3);
        let query = choices.query("$", DEPTH);
        let checks = agree_on_syntax(&query).and_then(|()| agree_on_results(&query, &value));
        let mutated = choices.mutate(&query);
        let checks = checks.and_then(|()| agree_on_syntax(&mutated));
        if let Err(error) = checks {
            let message = format!("{query:?} or {mutated:?} on {value}: {error}");
            return Err(TestCaseError::fail(message));
        }
    });
}

/// A second opinion, of `jsonpath-rust`. Where it is wrong by RFC 9535, nothing is compared:
///
/// - 2.5.1.2: what several selectors in one pair of brackets find comes one parent after the other.
/// - 2.4: what a query in `count` or `value` finds is all that it finds.
/// - 2.3.5.2.1: in a filter of a filter, `null` is there.
#[test]
fn agrees_with_jsonpath_rust() {
    let known = |query: &str| {
        query.matches('?').count() > 1
            || [",", "count(", "value("].iter().any(|p| query.contains(p))
    };
    proptest!(random(500), |(bytes in prop::collection::vec(any::<u8>(), 50..300))| {
        let mut choices = Choices(bytes.into_iter());
        let value = choices.container(3);
        let query = choices.query("$", DEPTH);
        if known(&query) {
            return Ok(());
        }
        let theirs: Vec<_> = value.query(&query).unwrap().iter().map(ToString::to_string).collect();
        prop_assert_eq!(select(&query, &value.to_string()).unwrap(), theirs, "{}", query);
    });
}
