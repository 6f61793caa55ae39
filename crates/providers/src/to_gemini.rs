//! Writes edited JSON Schemas in Gemini's spelling.

use std::collections::BTreeSet;

use json_text::{Document, Limits, Node, Raw, quote, quote_into};

use crate::gemini::{COUNTS, FIELD_KEYWORDS, from_gemini_schema};

/// Edits a Gemini schema so that it means the same as a JSON Schema. Unchanged members keep
/// their spelling. Returns `None` if Gemini cannot express the schema.
///
/// ```
/// use json_text::{Document, Limits};
/// use providers::to_gemini_schema;
///
/// let was = Document::parse(br#"{"type": "STRING", "nullable": true}"#, Limits::none())?;
/// let now = Document::parse(br#"{"type": ["integer", "null"], "minimum": 1}"#, Limits::none())?;
/// let schema = to_gemini_schema(was.root(), now.root());
/// let wanted = r#"{"type":"INTEGER","nullable":true,"minimum":1}"#;
/// assert_eq!(schema.as_ref().map(|schema| schema.as_str()), Some(wanted));
///
/// let now = Document::parse(br#"{"not": {}}"#, Limits::none())?;
/// assert!(to_gemini_schema(was.root(), now.root()).is_none());
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn to_gemini_schema(was: Node<'_>, now: Node<'_>) -> Option<Raw<'static>> {
    let mut out = String::with_capacity(now.raw().len());
    write_subschema(Some(was), now, &mut out)?;
    // The result is right only if it reads back as the given schema.
    let written = Document::parse(out.as_bytes(), Limits::none()).ok()?;
    let read = from_gemini_schema(written.root());
    let read = Document::parse(read.as_str().as_bytes(), Limits::none()).ok()?;
    if !read.root().same_value(now) {
        return None;
    }
    Some(Raw::from_trusted(out))
}

/// The fields of Gemini schemas, besides those of `FIELD_KEYWORDS`.
const WORDS: &[&str] = &[
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maximum",
    "minimum",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

/// Writes a part. The depth is limited by that of parsed documents.
fn write_subschema(was: Option<Node<'_>>, now: Node<'_>, out: &mut String) -> Option<()> {
    let was = was.filter(|was| was.is_object());
    let has = |name: &str| was.is_some_and(|was| was.get(name).is_some());
    let nulls = was.and_then(|was| was.get("nullable")).and_then(Node::bool) == Some(true);
    // `from_gemini_schema` reads a nullable reference as an alternative to `null`.
    let around =
        Some(now).filter(|_| nulls && (has("ref") || has("$ref"))).and_then(nullable_alternative);
    let now = around.unwrap_or(now);
    if !now.is_object() {
        return None;
    }
    let nullable = around.is_some() || takes_null(now, nulls);
    let mut object = ObjectWriter { out, nullable, first: true };
    object.out.push('{');
    let mut said = BTreeSet::new();
    let words = now.index_members();
    for member in was.into_iter().flat_map(Node::members) {
        let name = member.name();
        let keyword = keyword(&name, has);
        if let Some(value) = words.get(keyword) {
            object.name(&name);
            object.write_keyword((&name, keyword), Some(member.value), value)?;
            said.insert(keyword.to_owned());
        } else if stays_without_keyword(&name, member.value, nullable) {
            object.member(&name, member.value.raw());
        }
    }
    for member in now.members() {
        let keyword = member.name();
        if said.contains(keyword.as_ref()) {
            continue;
        }
        let own = FIELD_KEYWORDS.iter().find(|(_, known)| *known == keyword);
        // The API also reads the spelling of JSON Schema, except for these three.
        let short = |(own, _): &&(&'static str, &str)| matches!(*own, "defs" | "example" | "ref");
        let name = own.filter(short).map_or(keyword.as_ref(), |(own, _)| *own);
        if own.is_none() && !WORDS.contains(&keyword.as_ref()) {
            return None;
        }
        object.name(name);
        object.write_keyword((name, &keyword), None, member.value)?;
    }
    if nullable && !nulls {
        object.member("nullable", "true");
    }
    object.out.push('}');
    Some(())
}

/// Returns true if a member without a keyword stays: it repeats other members, or has no
/// effect.
fn stays_without_keyword(name: &str, value: Node<'_>, nullable: bool) -> bool {
    match name {
        "nullable" => value.bool() == Some(nullable),
        "type" => value.text().as_deref() == Some("TYPE_UNSPECIFIED"),
        _ => false,
    }
}

/// Returns the JSON Schema keyword of a field. If the schema has both spellings, the field
/// keeps its own name.
fn keyword(name: &str, has: impl Fn(&str) -> bool) -> &str {
    let field = FIELD_KEYWORDS.iter().find(|(own, keyword)| *own == name && !has(keyword));
    field.map_or(name, |(_, keyword)| *keyword)
}

/// Returns the first of two alternatives if the second is only `null`.
fn nullable_alternative(schema: Node<'_>) -> Option<Node<'_>> {
    let mut parts = schema.get("anyOf")?.elements();
    let (first, second, none) = (parts.next()?, parts.next()?, parts.next());
    let alone = schema.members().count() == 1 && none.is_none();
    (alone && is_null(second)).then_some(first)
}

fn is_null(schema: Node<'_>) -> bool {
    let mut members = schema.members();
    let only = members.next().filter(|_| members.next().is_none());
    only.is_some_and(|one| one.name() == "type" && one.value.text().as_deref() == Some("null"))
}

/// Returns true if a schema accepts `null` in a way that `nullable` can express.
fn takes_null(schema: Node<'_>, nulls: bool) -> bool {
    match schema.get("type") {
        Some(kind) if kind.is_array() => {
            kind.elements().any(|one| one.text().as_deref() == Some("null"))
        }
        Some(kind) => nulls && kind.text().as_deref() == Some("null"),
        None => {
            let last = |name| schema.get(name).and_then(|list| list.elements().last());
            nulls && (last("enum").is_some_and(Node::is_null) || last("anyOf").is_some_and(is_null))
        }
    }
}

/// Writes the members of an object.
struct ObjectWriter<'o> {
    out: &'o mut String,
    /// Whether `nullable` expresses that the value may be `null`. Other members then omit
    /// it.
    nullable: bool,
    first: bool,
}

impl ObjectWriter<'_> {
    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        quote_into(name, self.out);
        self.out.push(':');
    }

    fn member(&mut self, name: &str, value: &str) {
        self.name(name);
        self.out.push_str(value);
    }

    /// Writes the value of a keyword, in the JSON type that it had before.
    fn write_keyword(
        &mut self,
        (name, keyword): (&str, &str),
        was: Option<Node<'_>>,
        now: Node<'_>,
    ) -> Option<()> {
        let spelled = was.and_then(Node::text);
        match keyword {
            "type" => self.write_type(spelled.as_deref(), now)?,
            "items" => write_subschema(was, now, self.out)?,
            "additionalProperties" if now.is_object() => write_subschema(was, now, self.out)?,
            "properties" | "$defs" => self.write_map(was, now)?,
            "anyOf" => self.write_alternatives(was, now)?,
            "enum" => self.write_values(was, now)?,
            "examples" if name == "example" => {
                let mut examples = now.elements();
                let only = examples.next().filter(|_| examples.next().is_none());
                self.out.push_str(only?.raw());
            }
            "$ref" => {
                let text = now.text()?;
                let short = spelled.as_deref().is_none_or(|was| was.starts_with("#/defs/"));
                match text.strip_prefix("#/$defs/").filter(|_| short) {
                    Some(rest) => quote_into(&format!("#/defs/{rest}"), self.out),
                    None => self.out.push_str(now.raw()),
                }
            }
            // The API returns counts as strings.
            _ if COUNTS.contains(&keyword) && spelled.is_some() => {
                let number = now.raw();
                self.out.push_str(&if now.text().is_some() {
                    number.into()
                } else {
                    quote(number)
                });
            }
            _ => self.out.push_str(now.raw()),
        }
        Some(())
    }

    fn write_type(&mut self, was: Option<&str>, now: Node<'_>) -> Option<()> {
        let mut kinds = now.elements().filter_map(Node::text).filter(|kind| kind != "null");
        let kind = now.text().or_else(|| kinds.next().filter(|_| kinds.next().is_none()))?;
        let small = was.is_some_and(|was| was.chars().any(char::is_lowercase));
        quote_into(&if small { kind.into_owned() } else { kind.to_uppercase() }, self.out);
        Some(())
    }

    fn write_map(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        let known = was.filter(|was| was.is_object()).map(Node::index_members);
        let mut inner = ObjectWriter { out: self.out, nullable: false, first: true };
        inner.out.push('{');
        for member in now.is_object().then(|| now.members())? {
            let name = member.name();
            inner.name(&name);
            write_subschema(
                known.as_ref().and_then(|known| known.get(&name)),
                member.value,
                inner.out,
            )?;
        }
        inner.out.push('}');
        Some(())
    }

    fn write_alternatives(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        let mut parts: Vec<Node<'_>> = now.is_array().then(|| now.elements().collect())?;
        parts.pop_if(|last| self.nullable && is_null(*last));
        let mut known = was.into_iter().flat_map(Node::elements);
        self.list(parts, |one, out| write_subschema(known.next(), one, out))
    }

    /// Writes listed values. Values other than strings are accepted only if the old list
    /// has some.
    fn write_values(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        let mut values: Vec<Node<'_>> = now.is_array().then(|| now.elements().collect())?;
        let nulls = was.is_some_and(|was| was.elements().any(Node::is_null));
        values.pop_if(|last| self.nullable && !nulls && last.is_null());
        let known = was.is_some_and(|was| was.elements().any(|one| one.text().is_none()));
        self.list(values, |one, out| {
            out.push_str(Some(one.raw()).filter(|_| known || one.text().is_some())?);
            Some(())
        })
    }

    fn list(
        &mut self,
        items: Vec<Node<'_>>,
        mut write: impl FnMut(Node<'_>, &mut String) -> Option<()>,
    ) -> Option<()> {
        self.out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(item, self.out)?;
        }
        self.out.push(']');
        Some(())
    }
}
