//! Values that show how two schemas differ.

use std::collections::BTreeSet;
use std::rc::Rc;

use diagnostic::certain;
use json_schema::Schema;
use json_text::{Document, Limits as TextLimits, Node, Number, Raw, quote};
use manifest_core::Limits;

use crate::budget::Budget;
use crate::change::Compiled;
use crate::graph::{Graph, Id, Part, Word, read};
use crate::kinds::{AllKinds, Kinds};
use crate::load::load;

/// Values that one schema takes and the other refuses.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Witness {
    /// The source takes it, and it cannot be sent.
    pub refused: Option<Raw<'static>>,
    /// It can be sent, and the source refuses it.
    pub added: Option<Raw<'static>>,
}

/// Values that are tried.
const TRIED: usize = 400;
/// Values that are tried for one subschema.
const EACH: usize = 40;
/// Subschemas inside each other that are looked into.
const DEPTH: usize = 5;
/// Bytes of all values that are made for one schema. What is not found by then is not found.
const BYTES: usize = 1 << 20;
/// What looking at a subschema counts for, besides the values that are made there.
const VARIANT: usize = 512;

impl Compiled {
    /// Values that show how the source and what can be sent differ, where some are found. They
    /// are values of the source: what is sent is decoded. Each was checked on both sides.
    pub fn witness(&self, limits: &Limits) -> Witness {
        let mut witness = Witness::default();
        let Some((source, sent)) = &self.compared else { return witness };
        let open = |text| certain(Document::parse(text, TextLimits::none()));
        let documents = open(source.as_bytes()).zip(open(sent.as_bytes()));
        let Some((source, sent)) = documents else { return witness };
        let compile = |node| Schema::compile(node, limits).ok();
        let schemas = compile(source.root()).zip(compile(sent.root()));
        let Some((before, after)) = schemas else { return witness };
        let values = [source.root(), sent.root()].into_iter().flat_map(|root| {
            let graph = load(root, &mut Budget::new(limits)).unwrap_or_default();
            Search::new(&graph).variants(0, 0).into_iter().take(TRIED / 2)
        });
        for value in values {
            let takes = |schema: &Schema| {
                let document = Document::parse(value.as_bytes(), limits).ok()?;
                Some(schema.validate(document.root()).ok()?.is_valid())
            };
            let slot = match (takes(&before), takes(&after)) {
                (Some(true), Some(false)) => &mut witness.refused,
                (Some(false), Some(true)) => &mut witness.added,
                _ => continue,
            };
            slot.get_or_insert_with(|| Raw::from_built(value.clone()));
            if witness.refused.is_some() && witness.added.is_some() {
                break;
            }
        }
        witness
    }
}

/// The making of values.
struct Search<'g> {
    graph: &'g Graph,
    kinds: AllKinds,
    /// The first values that each part lists, and the names that it requires.
    said: Vec<(Vec<String>, Rc<BTreeSet<String>>)>,
    /// Bytes that may be written yet.
    left: usize,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph) -> Self {
        let said = graph.parts.iter().map(|part| {
            let listed = part.json("enum").and_then(|text| {
                let raw = |value: Node<'_>| value.raw().to_owned();
                read(text, |list| list.elements().take(EACH).map(raw).collect::<Vec<_>>())
            });
            let constant = part.json("const").map(str::to_owned).into_iter();
            (constant.chain(listed.into_iter().flatten()).collect(), Rc::new(part.required()))
        });
        Self { graph, kinds: AllKinds::of(graph), said: said.collect(), left: BYTES }
    }

    fn listed(&self, id: Id) -> &[String] {
        self.said.get(id).map_or(&[], |(listed, _)| listed)
    }

    fn needs(&self, id: Id) -> Rc<BTreeSet<String>> {
        self.said.get(id).map(|(_, needs)| Rc::clone(needs)).unwrap_or_default()
    }

    /// A value that was made; `null`, once too much was.
    fn made(&mut self, value: String) -> String {
        // Also what is empty counts.
        let left = self.left.checked_sub(value.len() + 1);
        self.left = left.unwrap_or_default();
        if left.is_some() { value } else { "null".to_owned() }
    }

    /// A value that a part probably takes.
    fn sample(&mut self, id: Id, depth: usize) -> String {
        if self.left == 0 {
            return "null".to_owned();
        }
        let part = self.graph.get(id);
        if let Some(value) = self.listed(id).first().cloned() {
            return self.made(value);
        }
        if depth < DEPTH {
            let any = ["anyOf", "oneOf", "allOf"].iter().flat_map(|word| part.list(word)).next();
            let target = match part.word("$ref") {
                Some(Word::Ref(target)) => Some(target),
                _ => any,
            };
            if let Some(target) = target.filter(|_| part.word("type").is_none()) {
                return self.sample(*target, depth + 1);
            }
        }
        let value = self.sample_of_kind(id, part, depth);
        self.made(value)
    }

    fn sample_of_kind(&mut self, id: Id, part: &'g Part, depth: usize) -> String {
        let kinds = self.kinds.all(id);
        let name = if kinds == Kinds::ALL {
            "object"
        } else {
            kinds.names().first().copied().unwrap_or("null")
        };
        let bound = |word: &str| part.json(word).and_then(|text| Number::parse(text)?.ceil());
        match name {
            "string" => quote(&"a".repeat(length(bound("minLength")))),
            "number" | "integer" => bound("minimum")
                .or(bound("exclusiveMinimum").map(|bound| bound.saturating_add(1)))
                .or(bound("maximum").map(|bound| bound.min(0)))
                .unwrap_or(0)
                .to_string(),
            "boolean" => "true".to_owned(),
            "array" => {
                let items = part.part("items").filter(|_| depth < DEPTH);
                let one = items.map_or("0".to_owned(), |items| self.sample(items, depth + 1));
                let count = length(bound("minItems")).min(1 + self.left / (one.len() + 1));
                format!("[{}]", vec![one; count].join(","))
            }
            "object" => {
                let needs = self.needs(id);
                self.object(part, depth, |name| needs.contains(name))
            }
            _ => "null".to_owned(),
        }
    }

    /// An object with some of its members.
    fn object(&mut self, part: &'g Part, depth: usize, with: impl Fn(&str) -> bool) -> String {
        let mut out = String::from("{");
        for (name, id) in part.named("properties").iter().filter(|(name, _)| with(name)) {
            if self.left == 0 {
                break;
            }
            let value =
                if depth >= DEPTH { "null".to_owned() } else { self.sample(*id, depth + 1) };
            if out.len() > 1 {
                out.push(',');
            }
            let member = self.made(format!("{}:{value}", quote(name)));
            out.push_str(if self.left == 0 { "\"\":0" } else { &member });
        }
        out.push('}');
        out
    }

    /// Values on both sides of what a part says.
    fn variants(&mut self, id: Id, depth: usize) -> Vec<String> {
        let part = self.graph.get(id);
        let mut found = vec![self.sample(id, 0)];
        if depth >= DEPTH {
            return found;
        }
        self.left = self.left.saturating_sub(VARIANT);
        self.members(id, depth, &mut found);
        bounds(part, &mut found);
        found.extend_from_slice(self.listed(id));
        if let Some(items) = part.part("items") {
            for value in self.variants(items, depth + 1) {
                found.push(self.made(format!("[{value}]")));
                found.push(self.made(format!("[{value},{value}]")));
            }
        }
        let listed = part.list("prefixItems").iter().map(|id| self.sample(*id, 0));
        let listed: Vec<String> = listed.collect();
        if !listed.is_empty() {
            found.push(format!("[{}]", listed.join(",")));
            found.push(format!("[{}]", listed.into_iter().rev().collect::<Vec<_>>().join(",")));
        }
        for (_, word) in part.words.iter().filter(|(word, _)| IN_PLACE.contains(&word.as_str())) {
            for inner in word.parts() {
                if self.left == 0 || found.len() > TRIED {
                    break;
                }
                found.extend(self.variants(inner, depth + 1).into_iter().take(EACH));
            }
        }
        found.extend(PLAIN.iter().map(|&value| value.to_owned()));
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found.truncate(if depth == 0 { TRIED } else { EACH });
        found
    }

    /// Objects: with all members, without each, with one more, and with each value of each.
    fn members(&mut self, id: Id, depth: usize, found: &mut Vec<String>) {
        let part = self.graph.get(id);
        let named = part.named("properties");
        if named.is_empty() {
            return;
        }
        found.push(self.object(part, 0, |_| true));
        let needs = self.needs(id);
        let base = self.object(part, 0, |name| needs.contains(name));
        let more = |base: &str, member: &str| {
            let inner = base.strip_suffix('}').unwrap_or(base);
            format!("{inner}{}{member}}}", if inner == "{" { "" } else { "," })
        };
        found.push(more(&base, "\"other\":1"));
        for (name, child) in named {
            found.push(self.object(part, 0, |own| own != name));
            let rest = self.object(part, 0, |own| own != name && needs.contains(own));
            found.push(rest.clone());
            for value in self.variants(*child, depth + 1) {
                found.push(self.made(more(&rest, &format!("{}:{value}", quote(name)))));
            }
            if found.len() > TRIED || self.left == 0 {
                break;
            }
        }
    }
}

/// How long a sample is: what is asked for, if that is little.
fn length(bound: Option<i64>) -> usize {
    bound.and_then(|bound| usize::try_from(bound).ok()).unwrap_or(0).min(64)
}

/// Values of every kind.
const PLAIN: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "0.5",
    "1e9",
    "\"\"",
    "\"b\"",
    "\"a long text, with more than a few characters\"",
    "[]",
    "[0,0]",
    "[\"a\",\"a\"]",
    "{}",
    "{\"other\":1}",
];

/// Keywords whose subschemas are for the same value.
const IN_PLACE: &[&str] =
    &["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Numbers, texts and lists beyond the bounds of a part.
fn bounds(part: &Part, found: &mut Vec<String>) {
    for word in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] {
        let bound = part.json(word).and_then(|text| Number::parse(text)?.ceil());
        let near = bound.into_iter().flat_map(|n| [n.saturating_sub(1), n, n.saturating_add(1)]);
        found.extend(near.map(|n| n.to_string()));
        found.extend(part.json(word).map(str::to_owned));
    }
    for word in ["minLength", "maxLength", "minItems", "maxItems"] {
        let bound = part.json(word).and_then(|text| Number::parse(text)?.to_i64());
        let Some(bound) = bound.filter(|bound| (0..1000).contains(bound)) else { continue };
        for count in [bound.saturating_sub(1), bound, bound + 1] {
            let count = usize::try_from(count).unwrap_or(0);
            found.push(match word {
                "minLength" | "maxLength" => quote(&"a".repeat(count)),
                _ => format!("[{}]", vec!["0"; count].join(",")),
            });
        }
    }
}
