//! Writes a graph as a schema: as it is meant, and as it is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use json_text::{quote, quote_into};

use crate::graph::{Graph, Id, KeywordValue, Subschema, parse_value};
use crate::type_set::TypeSet;

/// How schemas and values are spelled for the model, apart from what they mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling {
    /// Members that are `null` instead of absent: part and name.
    pub(crate) null_members: BTreeSet<(Id, String)>,
    /// The new names of properties.
    pub(crate) new_names: BTreeMap<String, String>,
    /// The member that the root becomes.
    pub(crate) wrap: Option<&'static str>,
    /// Whether the schema has Gemini's spelling.
    pub(crate) gemini: bool,
    /// Whether `false` must be written as an object.
    pub(crate) objects: bool,
    /// Whether all properties are listed as required.
    pub(crate) all_required: bool,
}

/// Writes a graph as the text of a schema.
pub(crate) fn write(graph: &Graph, root: Id, spelling: &Spelling) -> String {
    let writer = Writer { graph, spelling, names: definition_names(graph, root, spelling), root };
    let mut out = String::new();
    if let Some(member) = spelling.wrap {
        let kind = if spelling.gemini { "OBJECT" } else { "object" };
        let name = quote(member);
        let _ = write!(out, r#"{{"type":"{kind}","properties":{{{name}:"#);
        writer.part(root, false, &mut out);
        let _ = write!(out, r#"}},"required":[{name}]"#);
        if !spelling.gemini {
            out.push_str(r#","additionalProperties":false"#);
        }
    } else {
        out.push('{');
        writer.words(root, false, &mut out);
    }
    writer.definitions(&mut out);
    out.push('}');
    out
}

/// Returns names for the parts that are referenced, or used more than once.
pub(crate) fn definition_names(
    graph: &Graph,
    root: Id,
    spelling: &Spelling,
) -> BTreeMap<Id, String> {
    let mut uses: BTreeMap<Id, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for id in graph.reachable(root) {
        for (_, word) in &graph.get(id).keywords {
            for target in word.parts() {
                let more = if matches!(word, KeywordValue::Ref(_)) { 2 } else { 1 };
                let count = uses.entry(target).or_insert(0);
                if *count < 2 && *count + more >= 2 {
                    order.push(target);
                }
                *count += more;
            }
        }
    }
    let mut taken = BTreeSet::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for id in order.into_iter().filter(|id| *id != root || spelling.wrap.is_some()) {
        let at = &graph.get(id).at;
        let last = at.tokens().last().unwrap_or("root".into());
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let base: String = last.chars().map(plain).take(48).collect();
        let mut name = base.clone();
        while name.is_empty() || !taken.insert(name.clone()) {
            let number = numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        names.insert(id, name);
    }
    names
}

struct Writer<'g> {
    graph: &'g Graph,
    spelling: &'g Spelling,
    names: BTreeMap<Id, String>,
    root: Id,
}

impl Writer<'_> {
    /// Writes a part where it is used: by reference if it has a name.
    fn part(&self, id: Id, nullable: bool, out: &mut String) {
        let part = self.graph.get(id);
        let reference = match self.names.get(&id) {
            Some(name) => Some(format!("#/$defs/{name}")),
            None if id == self.root && self.spelling.wrap.is_none() => Some("#".to_owned()),
            None => None,
        };
        if let Some(reference) = reference {
            let reference = format!(r#"{{"$ref":{}}}"#, quote(&reference));
            if nullable {
                let _ = write!(out, r#"{{"anyOf":[{reference},{{"type":"null"}}]}}"#);
            } else {
                out.push_str(&reference);
            }
            return;
        }
        if part.unsatisfiable {
            return out.push_str(self.never());
        }
        let lists = part.json("type").is_some() && part.keyword("const").is_none();
        if nullable && !lists && part.keyword("anyOf").is_none() {
            out.push_str(r#"{"anyOf":[{"#);
            self.words(id, false, out);
            return out.push_str(r#"},{"type":"null"}]}"#);
        }
        out.push('{');
        self.words(id, nullable, out);
        out.push('}');
    }

    /// Returns the unsatisfiable schema.
    fn never(&self) -> &'static str {
        if self.spelling.objects { r#"{"not":{}}"# } else { "false" }
    }

    fn words(&self, id: Id, nullable: bool, out: &mut String) {
        let part = self.graph.get(id);
        let mut first = true;
        for (name, word) in &part.keywords {
            if self.spelling.all_required && name == "required" {
                continue;
            }
            // Only the root of a function without parameters has it, and that is not sent.
            if self.spelling.gemini && name == "additionalProperties" {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            if self.spelling.gemini && name == "type" {
                gemini_type(word, out);
                continue;
            }
            quote_into(name, out);
            out.push(':');
            self.word(id, name, word, nullable, out);
        }
        if self.spelling.all_required && part.keyword("properties").is_some() {
            let _ = write!(out, ",\"required\":{}", self.all_names(part));
        }
        if self.spelling.gemini && part.map("properties").len() > 1 {
            let _ = write!(out, ",\"propertyOrdering\":{}", self.all_names(part));
        }
    }

    fn word(&self, id: Id, name: &str, word: &KeywordValue, nullable: bool, out: &mut String) {
        match word {
            KeywordValue::Json(_) if nullable && name == "type" => {
                write_type(self.graph.get(id).declared_types().or(TypeSet::NULL), out);
            }
            KeywordValue::Json(text) if nullable && name == "enum" => {
                let listed =
                    parse_value(text, |list| list.elements().any(json_text::Node::is_null));
                let inner = text.trim_end().strip_suffix(']').unwrap_or(text);
                match listed {
                    Some(true) => out.push_str(text),
                    _ => drop(write!(out, "{inner},null]")),
                }
            }
            KeywordValue::Json(text) if name == "required" || name == "dependentRequired" => {
                self.renamed_json(text, out);
            }
            KeywordValue::Json(text) => out.push_str(text),
            KeywordValue::Part(part) => self.part(*part, false, out),
            KeywordValue::Ref(target) => self.reference(*target, out),
            KeywordValue::List(parts) => {
                out.push('[');
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.part(*part, false, out);
                }
                if nullable && name == "anyOf" {
                    out.push_str(r#",{"type":"null"}"#);
                }
                out.push(']');
            }
            KeywordValue::Map(named) => {
                let names = matches!(name, "properties" | "dependentSchemas");
                out.push('{');
                for (index, (key, part)) in named.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    quote_into(if names { self.renamed(key) } else { key }, out);
                    out.push(':');
                    let absent = name == "properties"
                        && self.spelling.null_members.contains(&(id, key.clone()));
                    self.part(*part, absent, out);
                }
                out.push('}');
            }
        }
    }

    fn reference(&self, target: Id, out: &mut String) {
        match self.names.get(&target) {
            Some(name) => quote_into(&format!("#/$defs/{name}"), out),
            None => out.push_str("\"#\""),
        }
    }

    fn renamed<'n>(&'n self, name: &'n str) -> &'n str {
        self.spelling.new_names.get(name).map_or(name, String::as_str)
    }

    /// Writes `required` or `dependentRequired` with the new names.
    fn renamed_json(&self, text: &str, out: &mut String) {
        if self.spelling.new_names.is_empty() {
            return out.push_str(text);
        }
        let list = |list: json_text::Node<'_>| {
            let names = list.elements().filter_map(json_text::Node::text);
            let names: Vec<String> = names.map(|name| quote(self.renamed(&name))).collect();
            format!("[{}]", names.join(","))
        };
        let written = parse_value(text, |node| {
            if node.is_array() {
                return list(node);
            }
            let members = node.members();
            let members = members
                .map(|one| format!("{}:{}", quote(self.renamed(&one.name())), list(one.value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        });
        out.push_str(&written.unwrap_or_default());
    }

    /// Returns the names of all properties of a part.
    fn all_names(&self, part: &Subschema) -> String {
        let names = part.map("properties").iter().map(|(name, _)| quote(self.renamed(name)));
        format!("[{}]", names.collect::<Vec<_>>().join(","))
    }

    fn definitions(&self, out: &mut String) {
        if self.names.is_empty() || self.spelling.gemini {
            return;
        }
        out.push_str(if out.ends_with('{') { "\"$defs\":{" } else { ",\"$defs\":{" });
        for (index, (id, name)) in self.names.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            quote_into(name, out);
            out.push(':');
            if self.graph.get(*id).unsatisfiable {
                out.push_str(self.never());
                continue;
            }
            out.push('{');
            self.words(*id, false, out);
            out.push('}');
        }
        out.push('}');
    }
}

/// Writes the value of `type`.
pub(crate) fn write_type(kinds: TypeSet, out: &mut String) {
    let names: Vec<String> = kinds.names().into_iter().map(quote).collect();
    match names.as_slice() {
        [one] => out.push_str(one),
        _ => drop(write!(out, "[{}]", names.join(","))),
    }
}

/// Writes `type` as Gemini spells it: one type in capitals, and `nullable` for `null`.
fn gemini_type(word: &KeywordValue, out: &mut String) {
    let KeywordValue::Json(text) = word else { return };
    let part = Subschema {
        keywords: vec![("type".to_owned(), KeywordValue::Json(text.clone()))],
        ..Subschema::default()
    };
    let kinds = part.declared_types();
    let named = kinds.without(TypeSet::NULL);
    let kind = if named == TypeSet::NONE { kinds } else { named };
    let name = kind.names().first().copied().unwrap_or("string");
    let _ = write!(out, "\"type\":\"{}\"", name.to_ascii_uppercase());
    if kinds.intersects(TypeSet::NULL) && named != TypeSet::NONE {
        out.push_str(",\"nullable\":true");
    }
}
