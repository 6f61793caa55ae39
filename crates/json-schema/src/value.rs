//! Converts values and schemas for the engine.

use serde_json::{Map, Number, Value};

use super::graph::{Edge, Graph, Step, Subschema};
use super::keywords::{self, Applies, Role};
use super::patterns::translate_sized;
use super::{Dialect, rules};
use crate::Limits;
use diagnostic::Diagnostic;
use json_text::{self, Elements, Members, Node};

/// The member of a flat schema that contains every subschema.
pub(super) const SUBSCHEMAS: &str = "definitions";

/// The maximum nesting of values. The engine recurses into them; this fits a stack of 512
/// KiB.
const MAX_VALUE_DEPTH: usize = 127;

/// An array or object that is being built.
struct OpenContainer<'a> {
    members: Members<'a>,
    elements: Elements<'a>,
    built: Value,
    /// Its name in the enclosing object.
    name: String,
}

impl<'a> OpenContainer<'a> {
    fn next(&mut self) -> Option<(String, Node<'a>)> {
        if let Some(member) = self.members.next() {
            return Some((member.name().into_owned(), member.value));
        }
        Some((String::new(), self.elements.next()?))
    }

    fn add(&mut self, name: String, value: Value) {
        match &mut self.built {
            Value::Array(array) => array.push(value),
            Value::Object(object) => drop(object.insert(name, value)),
            _ => {}
        }
    }
}

/// Converts a value. Fails if a number would be rounded, or if the nesting is too deep.
pub(super) fn value(node: Node<'_>) -> Result<Value, Diagnostic> {
    let mut open: Vec<OpenContainer<'_>> = Vec::new();
    let mut next = Some((String::new(), node));
    loop {
        let (name, done) = match next {
            Some((name, node)) => match scalar_or_empty(node)? {
                built @ (Value::Array(_) | Value::Object(_)) => {
                    if open.len() >= MAX_VALUE_DEPTH {
                        let message = format!("nested more than {MAX_VALUE_DEPTH} deep");
                        return Err(rules::DEPTH.at(node, message));
                    }
                    open.push(OpenContainer {
                        members: node.members(),
                        elements: node.elements(),
                        built,
                        name,
                    });
                    next = open.last_mut().and_then(OpenContainer::next);
                    continue;
                }
                scalar => (name, scalar),
            },
            None => match open.pop() {
                Some(closed) => (closed.name, closed.built),
                None => return Ok(Value::Null),
            },
        };
        let Some(around) = open.last_mut() else {
            return Ok(done);
        };
        around.add(name, done);
        next = around.next();
    }
}

/// Converts a scalar. Returns an empty array or object for a container.
fn scalar_or_empty(node: Node<'_>) -> Result<Value, Diagnostic> {
    Ok(match node.value() {
        json_text::NodeValue::Null => Value::Null,
        json_text::NodeValue::Bool(value) => Value::Bool(value),
        json_text::NodeValue::String(text) => Value::String(text.into_owned()),
        json_text::NodeValue::Array(_) => Value::Array(Vec::new()),
        json_text::NodeValue::Object(_) => Value::Object(Map::new()),
        json_text::NodeValue::Number(_) => {
            let Some(number) = number(node) else {
                let message = "a double does not hold this number exactly";
                return Err(rules::NUMBER.at(node, message));
            };
            Value::Number(number)
        }
    })
}

/// Returns the number, or `None` if it would be rounded.
fn number(node: Node<'_>) -> Option<Number> {
    let text = node.raw();
    if let Ok(integer) = text.parse::<i64>() {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    let exact = node.number()?;
    let double = exact.to_f64()?;
    let shortest = format!("{double:e}");
    if json_text::Number::parse(&shortest)? == exact { Number::from_f64(double) } else { None }
}

/// Flattens a schema. Every subschema is stored under its number and refers to the others
/// by theirs. So the engine has nothing to resolve, and nothing nested to recurse into.
pub(super) fn flatten(graph: &Graph<'_>) -> Result<Value, Diagnostic> {
    let mut parts = Map::new();
    for (index, part) in graph.subschemas.iter().enumerate() {
        let flat = match part.node.bool() {
            // draft-04 allows booleans in two places only, and no references to them.
            Some(_) if graph.dialect == Dialect::Draft4 => continue,
            Some(verdict) => Value::Bool(verdict),
            None => Value::Object(flatten_part(graph, part)?),
        };
        parts.insert(index.to_string(), flat);
    }
    Ok(Value::Object(Map::from_iter([(SUBSCHEMAS.to_owned(), Value::Object(parts))])))
}

fn flatten_part(graph: &Graph<'_>, part: &Subschema<'_>) -> Result<Map<String, Value>, Diagnostic> {
    let mut flat = Map::new();
    if part.alias.is_none() {
        for member in part.node.members() {
            let Some(keyword) = keywords::find(&member.name(), graph.dialect) else { continue };
            if matches!(keyword.role, Role::Assertion | Role::Pattern) {
                flat.insert(keyword.name.to_owned(), value(member.value)?);
            } else if keyword.name == "dependencies" {
                let mut lists = Map::new();
                for member in member.value.members() {
                    if member.value.is_array() {
                        lists.insert(member.name().into_owned(), value(member.value)?);
                    }
                }
                flat.insert(keyword.name.to_owned(), Value::Object(lists));
            }
        }
    }
    let mut more = Vec::new();
    for edge in &part.edges {
        if edge.applies == Applies::Definition {
            continue;
        }
        let target = graph.resolve_alias(edge.target);
        let keyword = keywords::find(edge.keyword, graph.dialect);
        if keyword.is_none_or(|keyword| keyword.role != Role::Reference) {
            insert(&mut flat, edge, link(graph, target));
        } else if flat.contains_key("$ref") {
            more.push(reference(target));
        } else {
            flat.insert("$ref".to_owned(), address(target));
        }
    }
    if !more.is_empty()
        && let Value::Array(all) = flat.entry("allOf").or_insert_with(|| Value::Array(Vec::new()))
    {
        all.extend(more);
    }
    Ok(flat)
}

/// Inserts a subschema at its position in the value of its keyword.
fn insert(flat: &mut Map<String, Value>, found: &Edge<'_>, link: Value) {
    let keyword = found.keyword;
    match &found.step {
        Step::Value => {
            flat.insert(keyword.to_owned(), link);
        }
        Step::Name(name) => {
            let by_name = flat.entry(keyword).or_insert_with(|| Map::new().into());
            if let Value::Object(by_name) = by_name {
                by_name.insert(name.clone().into_owned(), link);
            }
        }
        Step::Index(_) => {
            let list = flat.entry(keyword).or_insert_with(|| Vec::<Value>::new().into());
            if let Value::Array(list) = list {
                list.push(link);
            }
        }
    }
}

/// Links to a subschema. A boolean is written out, because the engine's errors are more
/// precise then.
fn link(graph: &Graph<'_>, target: usize) -> Value {
    match graph.subschemas.get(target).and_then(|part| part.node.bool()) {
        Some(verdict) => Value::Bool(verdict),
        None => reference(target),
    }
}

fn reference(target: usize) -> Value {
    Value::Object(Map::from_iter([("$ref".to_owned(), address(target))]))
}

fn address(target: usize) -> Value {
    Value::String(format!("#/{SUBSCHEMAS}/{target}"))
}

/// Translates the patterns of a flat schema into the syntax of the `regex` crate.
pub(super) fn translate_patterns(
    flat: &mut Value,
    graph: &Graph<'_>,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    for (index, part) in graph.subschemas.iter().enumerate() {
        let flat = flat.get_mut(SUBSCHEMAS).and_then(|parts| parts.get_mut(index.to_string()));
        let Some(Value::Object(flat)) = flat else { continue };
        if let Some(Value::String(pattern)) = flat.get_mut("pattern") {
            *pattern = engine_regex(part, "pattern", pattern, limits)?;
        }
        let Some(Value::Object(by_pattern)) = flat.get_mut("patternProperties") else { continue };
        let mut renamed = Map::new();
        for (number, found) in part.edges.iter().enumerate() {
            if let (Applies::PatternProperties, Step::Name(name)) = (found.applies, &found.step)
                && let Some(link) = by_pattern.remove(name.as_ref())
            {
                let regex = engine_regex(part, "patternProperties", name, limits)?;
                renamed.insert(pattern_key(&regex, number), link);
            }
        }
        *by_pattern = renamed;
    }
    Ok(())
}

/// Returns the key of a pattern. Two patterns may translate to the same regular expression,
/// so each key carries the number of its subschema, in a group that repeats zero times.
fn pattern_key(regex: &str, number: usize) -> String {
    format!("{regex}(?:{number}){{0}}")
}

/// Returns the number in a [`pattern_key`].
pub(super) fn pattern_number(key: &str) -> Option<usize> {
    let (_, number) = key.strip_suffix("){0}")?.rsplit_once("(?:")?;
    number.parse().ok()
}

/// Translates a pattern for the engine.
///
/// The engine translates patterns itself, and would change translated ones. It leaves the
/// output of `regex_syntax` unchanged, which has no nested sets and no named classes. Only
/// the empty set must be written differently.
fn engine_regex(
    part: &Subschema<'_>,
    keyword: &str,
    source: &str,
    limits: &Limits,
) -> Result<String, Diagnostic> {
    let refuse = |message: String| {
        let at = part.node.get(keyword).unwrap_or(part.node);
        rules::PATTERN.at(at, message)
    };
    let regex = translate_sized(source, limits).map_err(|error| refuse(error.to_string()))?.regex;
    let parsed = regex_syntax::ParserBuilder::new()
        .nest_limit(limits.pattern_nesting.saturating_add(1).saturating_mul(4))
        .build()
        .parse(&regex)
        .map_err(|_| refuse("the pattern is nested too deeply".to_owned()))?;
    let printed = parsed.to_string().replace("[a&&b]", r"[^\x{0}-\x{10FFFF}]");
    if printed.len() > limits.pattern_compiled_bytes {
        return Err(refuse("the pattern is too large when written out".to_owned()));
    }
    Ok(printed)
}
