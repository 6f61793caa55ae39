//! Evaluation of a query.

use std::rc::Rc;

use super::ast::{Expr, Operand, Path, PatternSource, Segment, Selector, Slice};
use super::children::{self, ChildLookup};
use super::error::QueryError;
use super::regexp::{Compiler, Pattern};
use super::value::{Value, bytes_compared};
use manifest_core::Limits;
use manifest_core::json::{Node, Number};

/// Bytes of text that cost as much as one value.
const TEXT_UNIT: usize = 64;
/// Steps of a regular expression that cost as much as one value.
const PATTERN_UNIT: usize = 64;

/// Returns every value that a query selects.
pub(super) fn select_all<'a>(
    path: &Path,
    root: Node<'a>,
    limits: &Limits,
) -> Result<Vec<Node<'a>>, QueryError> {
    let mut run = Evaluation {
        root,
        limits,
        budget: limits.jsonpath_nodes,
        compiler: Compiler::new(limits),
        patterns: Vec::new(),
    };
    run.nodes(path, root)
}

/// Returns the value that a singular query selects, and `None` for other queries.
pub(super) fn select_one<'a>(path: &Path, root: Node<'a>) -> Option<Node<'a>> {
    if !path.singular {
        return None;
    }
    path.segments.iter().try_fold(root, |node, segment| children::singular_child(node, segment).0)
}

struct Evaluation<'a, 'l> {
    root: Node<'a>,
    limits: &'l Limits,
    /// The work that is left.
    budget: usize,
    compiler: Compiler<'l>,
    /// Cache of patterns found in the document.
    patterns: Vec<CachedPattern>,
}

struct CachedPattern {
    text: String,
    whole: bool,
    compiled: Option<Rc<Pattern>>,
}

impl<'a> Evaluation<'a, '_> {
    fn spend(&mut self, work: usize) -> Result<(), QueryError> {
        self.budget = self.budget.checked_sub(work).ok_or(QueryError::Budget)?;
        Ok(())
    }

    fn start(&self, path: &Path, current: Node<'a>) -> Node<'a> {
        if path.absolute { self.root } else { current }
    }

    /// Returns the nodes that a query selects.
    fn nodes(&mut self, path: &Path, current: Node<'a>) -> Result<Vec<Node<'a>>, QueryError> {
        let mut nodes = vec![self.start(path, current)];
        for segment in &path.segments {
            let mut selected = Vec::new();
            for node in nodes {
                if segment.descendant {
                    for node in node.descendants() {
                        self.apply_segment(segment, node, &mut selected)?;
                    }
                } else {
                    self.apply_segment(segment, node, &mut selected)?;
                }
            }
            nodes = selected;
        }
        Ok(nodes)
    }

    /// Returns the node that a singular query selects.
    fn node(&mut self, path: &Path, current: Node<'a>) -> Result<Option<Node<'a>>, QueryError> {
        let mut node = self.start(path, current);
        for segment in &path.segments {
            self.spend(1)?;
            match self.charge_lookup(children::singular_child(node, segment))? {
                Some(child) => node = child,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }

    /// Charges the budget for a lookup, and returns the child.
    fn charge_lookup(
        &mut self,
        (found, read): ChildLookup<'a>,
    ) -> Result<Option<Node<'a>>, QueryError> {
        self.spend(read / TEXT_UNIT)?;
        Ok(found)
    }

    fn apply_segment(
        &mut self,
        segment: &Segment,
        node: Node<'a>,
        selected: &mut Vec<Node<'a>>,
    ) -> Result<(), QueryError> {
        for selector in &segment.selectors {
            self.spend(1)?;
            match selector {
                Selector::Name(name) => {
                    selected.extend(self.charge_lookup(children::member(node, name))?);
                }
                Selector::Index(index) => {
                    selected.extend(self.charge_lookup(children::element(node, *index))?);
                }
                Selector::Wildcard => {
                    for child in children::children(node) {
                        self.spend(1)?;
                        selected.push(child);
                    }
                }
                Selector::Slice(slice) => self.apply_slice(slice, node, selected)?,
                Selector::Filter(expr) => {
                    for child in children::children(node) {
                        self.spend(1)?;
                        if self.holds(expr, child)? {
                            selected.push(child);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn apply_slice(
        &mut self,
        slice: &Slice,
        node: Node<'a>,
        selected: &mut Vec<Node<'a>>,
    ) -> Result<(), QueryError> {
        let count = node.elements().count();
        self.spend(count / TEXT_UNIT)?;
        let bounds = slice.bounds(children::to_i64(count));
        let before = selected.len();
        for (index, element) in (0..).zip(node.elements()) {
            if bounds.contains(&index) && slice.selects(index, &bounds) {
                self.spend(1)?;
                selected.push(element);
            }
        }
        if let Some(added) = selected.get_mut(before..).filter(|_| slice.step < 0) {
            added.reverse();
        }
        Ok(())
    }

    /// Returns true if a filter holds for a node.
    fn holds(&mut self, expr: &Expr, current: Node<'a>) -> Result<bool, QueryError> {
        match expr {
            Expr::AnyOf(groups) => {
                for terms in groups {
                    if self.all_hold(terms, current)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::Not(expr) => Ok(!self.holds(expr, current)?),
            Expr::Exists(path) => {
                self.spend(1)?;
                if path.singular {
                    return Ok(self.node(path, current)?.is_some());
                }
                Ok(!self.nodes(path, current)?.is_empty())
            }
            Expr::Compare(left, comparison, right) => {
                let left = self.operand(left, current)?;
                let right = self.operand(right, current)?;
                let (left, right) = (left.as_ref(), right.as_ref());
                self.spend(1 + bytes_compared(left, right) / TEXT_UNIT)?;
                Ok(comparison.holds(left, right))
            }
            Expr::Matches { text, pattern, whole } => self.matches(text, pattern, *whole, current),
        }
    }

    fn all_hold(&mut self, terms: &[Expr], current: Node<'a>) -> Result<bool, QueryError> {
        for term in terms {
            if !self.holds(term, current)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn operand<'v>(
        &mut self,
        operand: &'v Operand,
        current: Node<'a>,
    ) -> Result<Option<Value<'v>>, QueryError>
    where
        'a: 'v,
    {
        let count = match operand {
            Operand::Literal(value) => return Ok(Some(value.borrowed())),
            Operand::Query(path) => {
                let node = self.node(path, current)?;
                return node.map(|node| self.value(node)).transpose();
            }
            Operand::ValueOf(path) => {
                return match self.nodes(path, current)?.as_slice() {
                    [node] => self.value(*node).map(Some),
                    _ => Ok(None),
                };
            }
            Operand::Count(path) => self.nodes(path, current)?.len(),
            Operand::Length(operand) => match self.operand(operand, current)? {
                Some(Value::Text(text)) => text.chars().count(),
                Some(Value::Container(node)) => children::children(node).count(),
                _ => return Ok(None),
            },
        };
        self.spend(count / TEXT_UNIT)?;
        let count = Number::from(children::to_i64(count));
        Ok(Some(Value::Number(count)))
    }

    /// Reads the value of a node, and charges the budget for a scalar's text.
    fn value<'v>(&mut self, node: Node<'v>) -> Result<Value<'v>, QueryError> {
        let value = Value::of(node);
        if !matches!(value, Value::Container(_)) {
            self.spend(node.raw().len() / TEXT_UNIT)?;
        }
        Ok(value)
    }

    fn matches(
        &mut self,
        text: &Operand,
        pattern: &PatternSource,
        whole: bool,
        current: Node<'a>,
    ) -> Result<bool, QueryError> {
        self.spend(1)?;
        let Some(Value::Text(text)) = self.operand(text, current)? else {
            return Ok(false);
        };
        if text.len() > self.limits.pattern_haystack_bytes {
            return Err(QueryError::PatternLimit);
        }
        let known;
        let pattern = match pattern {
            PatternSource::Literal(pattern) => pattern.as_ref(),
            PatternSource::Operand(operand) => {
                let Some(Value::Text(pattern)) = self.operand(operand, current)? else {
                    return Ok(false);
                };
                known = self.pattern(&pattern, whole)?;
                known.as_deref()
            }
        };
        let Some(pattern) = pattern else {
            return Ok(false);
        };
        self.spend(pattern.steps(&text) / PATTERN_UNIT)?;
        Ok(pattern.is_match(&text))
    }

    /// Returns a pattern from the document, compiled on first use.
    fn pattern(&mut self, text: &str, whole: bool) -> Result<Option<Rc<Pattern>>, QueryError> {
        let known = self.patterns.iter().find(|known| known.whole == whole && known.text == text);
        if let Some(known) = known {
            return Ok(known.compiled.clone());
        }
        let compiled = self.compiler.compile(text, whole)?.map(Rc::new);
        self.patterns.push(CachedPattern {
            text: text.to_owned(),
            whole,
            compiled: compiled.clone(),
        });
        Ok(compiled)
    }
}
