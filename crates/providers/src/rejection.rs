//! Maps the errors of a provider to tools.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Pointer, Span, printable};
use json_text::{Document, Node};
use manifest_core::Place;

use crate::export::{Export, Offer};
use crate::graph::{Graph, Id, KeywordValue, Subschema};

/// A tool that a provider refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The index among the tools that were given to [`export`](crate::export()).
    pub index: usize,
    /// The id of the tool.
    pub id: String,
    /// The refused value: a pointer into the tool, such as `/input_schema/properties/a`.
    pub pointer: Pointer,
    /// The provider's message.
    pub message: String,
    /// The suggested fix.
    pub fix: &'static str,
    place: Option<Place>,
}

impl Rejection {
    /// Returns the position in the document that the tool was read from: of the refused
    /// value, or of the closest value around it.
    pub fn span(&self, document: &Document<'_>) -> Option<Span> {
        let mut found = document.node(self.place?.entry)?;
        for token in self.pointer.tokens().skip(1) {
            match found.at(&Pointer::root().push(&token)) {
                Some(inner) => found = inner,
                None => break,
            }
        }
        Some(found.span())
    }
}

/// The number of bytes of an error that are read.
const LONGEST: usize = 64 << 10;

/// Returns the tools that a provider's error is about. Empty if the text names no tool.
///
/// The request must have contained the tools of that export, in that order.
///
/// ```
/// use manifest_core::{Text, ToolDescriptor};
/// use providers::{Options, Target, export, find_rejections};
///
/// let tools = [ToolDescriptor { id: Text::Borrowed("a").into(), ..ToolDescriptor::default() }];
/// let export = export(&tools, &Options::new(Target::Anthropic));
/// let text = "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
/// let found = find_rejections(text, &export);
/// assert_eq!((found[0].index, found[0].pointer.as_str()), (0, "/id"));
/// ```
pub fn find_rejections(text: &str, export: &Export<'_, '_>) -> Vec<Rejection> {
    let text = split_complaints(text);
    let mut found: Vec<Rejection> = Vec::new();
    let mut known = BTreeSet::new();
    let mut schemas: BTreeMap<usize, Option<Document<'_>>> = BTreeMap::new();
    for line in text.lines() {
        let said = [parse_anthropic(line), parse_openai(line), parse_gemini(line)]
            .into_iter()
            .flatten()
            .next();
        let Some(said) = said else { continue };
        let offer = match said.tool {
            ToolReference::Number(number) => export.offers.get(number),
            ToolReference::Name(name) => export.offer(name),
        };
        let Some(offer) = offer.filter(|offer| known.insert((offer.index, line))) else { continue };
        let sent = schemas.entry(offer.index).or_insert_with(|| offer.input.schema.document());
        found.push(said.to_rejection(offer, sent.as_ref(), line));
    }
    found
}

/// Removes the escapes of nested strings, and puts each complaint on a separate line.
fn split_complaints(text: &str) -> String {
    let end = (0..=LONGEST.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    let text = text.get(..end.unwrap_or(0)).unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    let mut slashes = false;
    for c in text.chars() {
        match c {
            '\\' => slashes = true,
            'n' if slashes => {
                out.push('\n');
                slashes = false;
            }
            c => {
                slashes = false;
                out.push(c);
            }
        }
    }
    // These phrases begin a complaint and occur nowhere else.
    for start in ["Invalid JSON payload received", "* ", "Invalid schema for function"] {
        out = out.replace(start, &format!("\n{start}"));
    }
    out
}

/// The tool that an error names.
enum ToolReference<'t> {
    Number(usize),
    Name(&'t str),
}

/// The parsed text of an error.
struct RejectionText<'t> {
    tool: ToolReference<'t>,
    /// The path to the refused value, in the tool as it was sent.
    path: Vec<String>,
}

/// `tools.134.custom.input_schema.properties: …`
fn parse_anthropic(line: &str) -> Option<RejectionText<'_>> {
    let (_, rest) = line.split_once("tools.")?;
    let (number, rest) = rest.split_once('.')?;
    let tool = ToolReference::Number(number.parse().ok()?);
    let (path, _) = rest.split_once(": ")?;
    // The first name is the kind of the tool, not a member.
    let path = path.split('.').skip(1).map(str::to_owned).collect();
    Some(RejectionText { tool, path })
}

/// `Invalid schema for function 'f': In context=('properties', 'a'), …`, and
/// `Invalid 'tools[3].function.name': …`
fn parse_openai(line: &str) -> Option<RejectionText<'_>> {
    if let Some((_, rest)) = line.split_once("Invalid schema for function '") {
        let (name, rest) = rest.split_once('\'')?;
        let context = rest.split_once("In context=(").and_then(|(_, rest)| rest.split_once(')'));
        let context = context.map_or("", |(context, _)| context);
        let names = context.split(',').map(|name| name.trim().trim_matches('\'').to_owned());
        let path =
            ["parameters".to_owned()].into_iter().chain(names.filter(|name| !name.is_empty()));
        return Some(RejectionText { tool: ToolReference::Name(name), path: path.collect() });
    }
    let (_, rest) = line.split_once("Invalid 'tools[")?;
    let (number, rest) = rest.split_once(']')?;
    let (path, _) = rest.split_once('\'')?;
    let path = path.split('.').filter(|word| !word.is_empty() && *word != "function");
    Some(RejectionText {
        tool: ToolReference::Number(number.parse().ok()?),
        path: path.map(str::to_owned).collect(),
    })
}

/// `….function_declarations[3].parameters.properties[a].items: …`, and
/// `Unknown name "const" at '….function_declarations[5].parameters.properties[8].value'`
fn parse_gemini(line: &str) -> Option<RejectionText<'_>> {
    let (_, rest) = line.split_once("function_declarations[")?;
    let (number, rest) = rest.split_once(']')?;
    let end = rest.find([':', '\'', ' ', '"']).unwrap_or(rest.len());
    let path = rest.get(..end).unwrap_or_default();
    let mut words = fields(path);
    if let Some((_, name)) = line.split_once("Unknown name \"") {
        words.extend(name.split_once('"').map(|(name, _)| name.to_owned()));
    }
    Some(RejectionText { tool: ToolReference::Number(number.parse().ok()?), path: words })
}

/// Splits a path of fields. Brackets contain numbers and names of the source, which stay as
/// they are. An entry of a map is followed by `.value`.
fn fields(path: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (name, tail) = inner.split_once(']').unwrap_or((inner, ""));
            words.push(name.to_owned());
            rest = tail
                .strip_prefix(".value")
                .filter(|tail| !tail.starts_with(is_word))
                .unwrap_or(tail);
        } else {
            let field = rest.strip_prefix('.').unwrap_or(rest);
            let end = field.find(['.', '[']).unwrap_or(field.len());
            let (name, tail) = field.split_at(end);
            words.extend((!name.is_empty()).then(|| to_camel_case(name)));
            rest = tail;
        }
    }
    words
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Converts the name of a protobuf field to its JSON spelling.
fn to_camel_case(word: &str) -> String {
    let mut upper = false;
    let mut out = String::new();
    for c in word.chars() {
        match c {
            '_' => upper = true,
            c if std::mem::take(&mut upper) => out.extend(c.to_uppercase()),
            c => out.push(c),
        }
    }
    out
}

impl RejectionText<'_> {
    fn to_rejection(
        &self,
        offer: &Offer<'_, '_>,
        sent: Option<&Document<'_>>,
        line: &str,
    ) -> Rejection {
        let field = self.path.first().map_or("", String::as_str);
        let below = self.path.get(1..).unwrap_or_default();
        let root = Pointer::root;
        let tool = offer.tool;
        let (pointer, place) = match field {
            "parameters" | "parametersJsonSchema" | "input_schema" | "inputSchema" => {
                let at = tool.input_schema.as_ref().and_then(|schema| schema.at);
                (root().push("input_schema").join(&source_pointer(offer, sent, below)), at)
            }
            "response" | "responseJsonSchema" | "output_schema" | "outputSchema" => {
                let at = tool.output_schema.as_ref().and_then(|schema| schema.at);
                (root().push("output_schema"), at)
            }
            "description" => {
                let at = tool.description.as_ref().and_then(|text| text.at);
                (root().push("description"), at)
            }
            "" | "name" => (root().push("id"), tool.id.at),
            // The whole tool, because the refused value is unknown.
            _ => (root(), tool.at),
        };
        Rejection {
            index: offer.index,
            id: offer.tool.id.to_string(),
            pointer,
            message: printable(line.trim(), 512),
            fix: find_fix(line),
            place,
        }
    }
}

/// Returns the place in the source for a path in the schema that was sent.
fn source_pointer(offer: &Offer<'_, '_>, sent: Option<&Document<'_>>, path: &[String]) -> Pointer {
    let mut node = sent.map(Document::root);
    let mut names = Vec::new();
    // A number may be the index of a member in the text.
    for word in path {
        let member = node.and_then(|node| node.get(word)).map(|found| (word.clone(), found));
        let numbered = || {
            let index: usize = word.parse().ok()?;
            let member = node?.members().nth(index).map(|one| (one.name().into_owned(), one.value));
            let element = || node?.elements().nth(index).map(|one| (word.clone(), one));
            member.or_else(element)
        };
        let found = member.or_else(numbered);
        names.push(found.as_ref().map_or(word.clone(), |(name, _)| name.clone()));
        node = found.map(|(_, found): (String, Node<'_>)| found);
    }
    match &offer.input.graph {
        Some(graph) => walk(graph, &offer.input.codec, &names),
        None => names.iter().fold(Pointer::root(), |all, name| all.push(name)),
    }
}

/// Returns the part with a name under `$defs` in the schema that was sent.
fn find_definition(graph: &Graph, codec: &crate::Codec, name: &str) -> Option<Id> {
    let definitions = crate::write::definition_names(graph, 0, &codec.spelling);
    definitions.into_iter().find(|(_, own)| own == name).map(|(id, _)| id)
}

/// Follows a path through the parts, and returns the place in the source.
fn walk(graph: &Graph, codec: &crate::Codec, names: &[String]) -> Pointer {
    let mut names = names;
    if let (Some(wrap), [first, second, rest @ ..]) = (codec.spelling.wrap, names)
        && first == "properties"
        && second == wrap
    {
        names = rest;
    }
    let mut id: Id = 0;
    if let [first, second, rest @ ..] = names
        && first == "$defs"
        && let Some(found) = find_definition(graph, codec, second)
    {
        (id, names) = (found, rest);
    }
    while let [word, rest @ ..] = names {
        let part = graph.get(id);
        let inside = |name: &String| -> Option<Id> {
            let name = codec.source_name(name);
            match part.keyword(word)? {
                KeywordValue::Map(named) => {
                    named.iter().find(|(own, _)| own == name).map(|(_, id)| *id)
                }
                KeywordValue::List(parts) => parts.get(name.parse::<usize>().ok()?).copied(),
                _ => None,
            }
        };
        match (part.keyword(word), rest.first().and_then(inside)) {
            (Some(KeywordValue::Part(inner)), _) => (id, names) = (*inner, rest),
            (_, Some(inner)) => (id, names) = (inner, rest.get(1..).unwrap_or_default()),
            _ => return pointer_below(part, codec, names),
        }
    }
    graph.get(id).at.clone()
}

/// Returns the place for the rest of a path, below the last known part.
fn pointer_below(part: &Subschema, codec: &crate::Codec, names: &[String]) -> Pointer {
    names.iter().fold(part.at.clone(), |all, name| all.push(codec.source_name(name)))
}

/// Suggestions, by phrases that providers use in their errors.
const FIXES: &[(&str, &str)] = &[
    (
        "Property keys should match",
        "rename the property: letters, digits, `_`, `.` and `-`, at most 64",
    ),
    (
        "String should match pattern",
        "send the name that the export gave the tool: letters, digits, `_` and `-`, at most 64",
    ),
    (
        "string does not match pattern",
        "send the name that the export gave the tool: letters, digits, `_` and `-`, at most 64",
    ),
    (
        "string too long",
        "send the name that the export gave the tool: it has at most 64 characters",
    ),
    (
        "Invalid function name",
        "send the name that the export gave the tool: it begins with a letter and has at most 64 characters",
    ),
    (
        "oneOf, allOf, or anyOf at the top level",
        "send the schema that the export gave the tool: it has an object at its root",
    ),
    (
        "must be a JSON Schema of 'type: \"object\"'",
        "send the schema that the export gave the tool: it has an object at its root",
    ),
    ("schema missing items", "give the list a schema for its elements, `items`"),
    ("items: missing field", "give the list a schema for its elements, `items`"),
    (
        "'required' is required",
        "require every property, with `null` for those that may be left out, as the strict export does; or do not ask for the strict mode",
    ),
    (
        "'additionalProperties' is required",
        "refuse other members with `additionalProperties: false`, as the strict export does; or do not ask for the strict mode",
    ),
    (
        "is not permitted",
        "leave the keyword out, as the strict export does; or do not ask for the strict mode",
    ),
    (
        "Unknown name",
        "leave the keyword out, as the export for `parameters` does; or send `parametersJsonSchema`",
    ),
    ("must be specified", "name a type"),
    ("draft 2020-12", "write the schema in JSON Schema 2020-12"),
];

fn find_fix(line: &str) -> &'static str {
    let known = FIXES.iter().find(|(words, _)| line.contains(words));
    known.map_or("change what the message names, or leave the tool out", |(_, fix)| fix)
}
