//! Values that show how two schemas differ.

use json_schema::Schema;
use json_text::{Document, Limits as TextLimits, Number, Raw, quote};
use manifest_core::Limits;

use crate::change::Compiled;
use crate::graph::{Graph, Id, Part, Word, read};
use crate::kinds::Kinds;

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

impl Compiled {
    /// Values that show how the source and what can be sent differ, where some are found. They
    /// are values of the source: what is sent is decoded. Each was checked on both sides.
    pub fn witness(&self, limits: &Limits) -> Witness {
        let mut witness = Witness::default();
        let Some((source, sent)) = &self.compared else { return witness };
        let open = |text| Document::parse(text, TextLimits::none()).ok();
        let documents = open(source.as_bytes()).zip(open(sent.as_bytes()));
        let Some((source, sent)) = documents else { return witness };
        let compile = |node| Schema::compile(node, limits).ok();
        let schemas = compile(source.root()).zip(compile(sent.root()));
        let Some((before, after)) = schemas else { return witness };
        let graphs = [source.root(), sent.root()].map(|root| Graph::load(root).unwrap_or_default());
        let values =
            graphs.iter().flat_map(|graph| variants(graph, 0, 0).into_iter().take(TRIED / 2));
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

/// A value that a part probably takes.
fn sample(graph: &Graph, id: Id, depth: usize) -> String {
    let part = graph.get(id);
    let listed = part.json("enum").and_then(|text| {
        read(text, |list| list.elements().next().map(|value| value.raw().to_owned()))
    });
    if let Some(value) = part.json("const").map(str::to_owned).or(listed.flatten()) {
        return value;
    }
    if depth < DEPTH {
        let any = ["anyOf", "oneOf", "allOf"].iter().flat_map(|word| part.list(word)).next();
        let target = match part.word("$ref") {
            Some(Word::Ref(target)) => Some(target),
            _ => any,
        };
        if let Some(target) = target.filter(|_| part.word("type").is_none()) {
            return sample(graph, *target, depth + 1);
        }
    }
    let kinds = graph.kinds(id);
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
            let one = items.map_or("0".to_owned(), |items| sample(graph, items, depth + 1));
            format!("[{}]", vec![one; length(bound("minItems"))].join(","))
        }
        "object" => {
            let needs = part.required();
            object(graph, part, depth, |name| needs.contains(name))
        }
        _ => "null".to_owned(),
    }
}

/// How long a sample is: what is asked for, if that is little.
fn length(bound: Option<i64>) -> usize {
    bound.and_then(|bound| usize::try_from(bound).ok()).unwrap_or(0).min(64)
}

/// An object with some of its members.
fn object(graph: &Graph, part: &Part, depth: usize, with: impl Fn(&str) -> bool) -> String {
    let deep = depth >= DEPTH;
    let members = part.named("properties").iter().filter(|(name, _)| with(name));
    let members = members.map(|(name, id)| {
        let value = if deep { "null".to_owned() } else { sample(graph, *id, depth + 1) };
        format!("{}:{value}", quote(name))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Values on both sides of what a part says.
fn variants(graph: &Graph, id: Id, depth: usize) -> Vec<String> {
    let part = graph.get(id);
    let mut found = vec![sample(graph, id, 0)];
    if depth >= DEPTH {
        return found;
    }
    members(graph, part, depth, &mut found);
    bounds(part, &mut found);
    if let Some(items) = part.part("items") {
        for value in variants(graph, items, depth + 1) {
            found.push(format!("[{value}]"));
            found.push(format!("[{value},{value}]"));
        }
    }
    let listed = part.list("prefixItems").iter().map(|id| sample(graph, *id, 0));
    let listed: Vec<String> = listed.collect();
    if !listed.is_empty() {
        found.push(format!("[{}]", listed.join(",")));
        found.push(format!("[{}]", listed.into_iter().rev().collect::<Vec<_>>().join(",")));
    }
    for (_, word) in part.words.iter().filter(|(word, _)| IN_PLACE.contains(&word.as_str())) {
        for inner in word.parts() {
            found.extend(variants(graph, inner, depth + 1).into_iter().take(EACH));
        }
    }
    let plain = [
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
    found.extend(plain.map(str::to_owned));
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|value| seen.insert(value.clone()));
    found.truncate(if depth == 0 { TRIED } else { EACH });
    found
}

/// Keywords whose subschemas are for the same value.
const IN_PLACE: &[&str] =
    &["$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Objects: with all members, without each, with one more, and with each value of each.
fn members(graph: &Graph, part: &Part, depth: usize, found: &mut Vec<String>) {
    let named = part.named("properties");
    if named.is_empty() {
        return;
    }
    found.push(object(graph, part, 0, |_| true));
    let needs = part.required();
    let base = object(graph, part, 0, |name| needs.contains(name));
    let more = |base: &str, member: &str| {
        let inner = base.strip_suffix('}').unwrap_or(base);
        format!("{inner}{}{member}}}", if inner == "{" { "" } else { "," })
    };
    found.push(more(&base, "\"other\":1"));
    for (name, child) in named {
        found.push(object(graph, part, 0, |own| own != name && needs.contains(own)));
        found.push(object(graph, part, 0, |own| own != name));
        let rest = object(graph, part, 0, |own| own != name && needs.contains(own));
        for value in variants(graph, *child, depth + 1) {
            found.push(more(&rest, &format!("{}:{value}", quote(name))));
        }
        if found.len() > TRIED {
            break;
        }
    }
}

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
    let listed = part.json("enum").and_then(|text| {
        read(text, |list| {
            list.elements().map(|value| value.raw().to_owned()).take(EACH).collect::<Vec<_>>()
        })
    });
    found.extend(listed.unwrap_or_default());
}
