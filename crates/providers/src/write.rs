//! Writes the parts of a schema as text: as it is meant, and as it is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use json_schema::types::Types;
use json_text::{Node, quote, quote_into};

use crate::json::{write_comma, write_strings};
use crate::parts::{Id, KeywordValue, Part, SchemaParts, parse_value};

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

impl Spelling {
    /// Returns the name of a property as it is sent.
    pub(crate) fn sent_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.new_names.get(name).map_or(name, String::as_str)
    }
}

/// Writes a schema.
pub(crate) fn write(schema: &SchemaParts, root: Id, spelling: &Spelling) -> String {
    let writer = Writer { schema, spelling, names: definition_names(schema, root, spelling), root };
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
        writer.keywords(root, false, &mut out);
    }
    writer.definitions(&mut out);
    out.push('}');
    out
}

/// Returns names for the parts that are referenced, or used more than once.
pub(crate) fn definition_names(
    schema: &SchemaParts,
    root: Id,
    spelling: &Spelling,
) -> BTreeMap<Id, String> {
    let mut uses: BTreeMap<Id, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for id in schema.reachable(root) {
        for (_, value) in &schema.get(id).keywords {
            let more = if matches!(value, KeywordValue::Ref(_)) { 2 } else { 1 };
            for target in value.parts() {
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
    for id in order {
        if id == root && spelling.wrap.is_none() {
            continue;
        }
        let last = schema.get(id).at.tokens().last().unwrap_or("root".into());
        let mut base = String::new();
        for c in last.chars().take(48) {
            base.push(if c.is_ascii_alphanumeric() { c } else { '_' });
        }
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

struct Writer<'s> {
    schema: &'s SchemaParts,
    spelling: &'s Spelling,
    names: BTreeMap<Id, String>,
    root: Id,
}

impl Writer<'_> {
    /// Writes a part where it is used: by reference if it has a name.
    fn part(&self, id: Id, nullable: bool, out: &mut String) {
        let is_root = id == self.root && self.spelling.wrap.is_none();
        if is_root || self.names.contains_key(&id) {
            out.push_str(if nullable { r#"{"anyOf":[{"$ref":"# } else { r#"{"$ref":"# });
            self.reference(id, out);
            out.push_str(if nullable { r#"},{"type":"null"}]}"# } else { "}" });
            return;
        }
        let part = self.schema.get(id);
        if part.unsatisfiable {
            return out.push_str(self.never());
        }
        let has_types = part.json("type").is_some() && !part.has("const");
        if nullable && !has_types && !part.has("anyOf") {
            out.push_str(r#"{"anyOf":[{"#);
            self.keywords(id, false, out);
            return out.push_str(r#"},{"type":"null"}]}"#);
        }
        out.push('{');
        self.keywords(id, nullable, out);
        out.push('}');
    }

    /// Returns the unsatisfiable schema.
    fn never(&self) -> &'static str {
        if self.spelling.objects { r#"{"not":{}}"# } else { "false" }
    }

    fn keywords(&self, id: Id, nullable: bool, out: &mut String) {
        let Spelling { gemini, all_required, .. } = *self.spelling;
        let part = self.schema.get(id);
        let mut first = true;
        for (name, value) in &part.keywords {
            // In Gemini's spelling, only the root of a function without parameters has
            // `additionalProperties`, and that is not sent.
            if (all_required && name == "required") || (gemini && name == "additionalProperties") {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            if gemini && name == "type" {
                write_gemini_type(part.declared_types(), out);
                continue;
            }
            quote_into(name, out);
            out.push(':');
            self.value(id, name, value, nullable, out);
        }
        if all_required && part.has("properties") {
            out.push_str(r#","required":"#);
            self.property_names(part, out);
        }
        if gemini && part.properties().len() > 1 {
            out.push_str(r#","propertyOrdering":"#);
            self.property_names(part, out);
        }
    }

    fn value(&self, id: Id, name: &str, value: &KeywordValue, nullable: bool, out: &mut String) {
        match value {
            KeywordValue::Json(_) if nullable && name == "type" => {
                write_type(self.schema.get(id).declared_types().or(Types::NULL), out);
            }
            KeywordValue::Json(text) if nullable && name == "enum" => {
                let has_null = parse_value(text, |list| list.elements().any(Node::is_null));
                match text.trim_end().strip_suffix(']') {
                    Some(inner) if !has_null => drop(write!(out, "{inner},null]")),
                    _ => out.push_str(text),
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
                    write_comma(index, out);
                    self.part(*part, false, out);
                }
                if nullable && name == "anyOf" {
                    out.push_str(r#",{"type":"null"}"#);
                }
                out.push(']');
            }
            KeywordValue::Map(named) => {
                let are_properties = matches!(name, "properties" | "dependentSchemas");
                out.push('{');
                for (index, (key, part)) in named.iter().enumerate() {
                    write_comma(index, out);
                    quote_into(
                        if are_properties { self.spelling.sent_name(key) } else { key },
                        out,
                    );
                    out.push(':');
                    let nullable = name == "properties"
                        && self.spelling.null_members.contains(&(id, key.clone()));
                    self.part(*part, nullable, out);
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

    /// Writes `required` or `dependentRequired` with the new names.
    fn renamed_json(&self, text: &str, out: &mut String) {
        if self.spelling.new_names.is_empty() {
            return out.push_str(text);
        }
        parse_value(text, |node| {
            if node.is_array() {
                return self.renamed_list(node, out);
            }
            out.push('{');
            for (index, member) in node.members().enumerate() {
                write_comma(index, out);
                quote_into(self.spelling.sent_name(&member.name()), out);
                out.push(':');
                self.renamed_list(member.value, out);
            }
            out.push('}');
        });
    }

    fn renamed_list(&self, list: Node<'_>, out: &mut String) {
        out.push('[');
        for (index, name) in list.elements().filter_map(Node::text).enumerate() {
            write_comma(index, out);
            quote_into(self.spelling.sent_name(&name), out);
        }
        out.push(']');
    }

    /// Writes the names of all properties of a part.
    fn property_names(&self, part: &Part, out: &mut String) {
        let names = part.properties().iter();
        write_strings(names.map(|(name, _)| self.spelling.sent_name(name)), out);
    }

    fn definitions(&self, out: &mut String) {
        if self.names.is_empty() || self.spelling.gemini {
            return;
        }
        out.push_str(if out.ends_with('{') { "\"$defs\":{" } else { ",\"$defs\":{" });
        for (index, (id, name)) in self.names.iter().enumerate() {
            write_comma(index, out);
            quote_into(name, out);
            out.push(':');
            if self.schema.get(*id).unsatisfiable {
                out.push_str(self.never());
                continue;
            }
            out.push('{');
            self.keywords(*id, false, out);
            out.push('}');
        }
        out.push('}');
    }
}

/// Writes the value of `type`.
pub(crate) fn write_type(types: Types, out: &mut String) {
    match types.names().as_slice() {
        [one] => quote_into(one, out),
        names => write_strings(names, out),
    }
}

/// Writes `type` as Gemini spells it: one type in capitals, and `nullable` for `null`.
fn write_gemini_type(types: Types, out: &mut String) {
    let named = types.without(Types::NULL);
    let is_null = named.is_empty();
    let names = if is_null { types.names() } else { named.names() };
    let name = names.first().copied().unwrap_or("string");
    let _ = write!(out, "\"type\":\"{}\"", name.to_ascii_uppercase());
    if types.intersects(Types::NULL) && !is_null {
        out.push_str(",\"nullable\":true");
    }
}
