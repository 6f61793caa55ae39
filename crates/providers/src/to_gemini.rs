//! Writes edited JSON Schemas in Gemini's spelling.

use std::collections::BTreeSet;

use json_text::{Document, Limits, Node, Raw, quote_into};

use crate::gemini::{
    COUNTS, FIELD_KEYWORDS, field_keyword, from_gemini_schema, is_nullable, is_reference,
};
use crate::json::{write_comma, write_list};

/// Edits a Gemini schema so that it means the same as a JSON Schema. Unchanged members keep
/// their spelling. Returns `None` if Gemini cannot express the schema.
///
/// ```
/// use json_text::{Document, Limits};
/// use toolglot_providers::to_gemini_schema;
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
    if read.root().same_value(now) { Some(Raw::from_trusted(out)) } else { None }
}

/// The fields of Gemini schemas, besides those of `FIELD_KEYWORDS`.
const FIELDS: &str = "default description enum format items maximum minimum pattern properties \
                      propertyOrdering required title type";

/// Writes a part. The depth is limited by that of parsed documents.
fn write_subschema(was: Option<Node<'_>>, mut now: Node<'_>, out: &mut String) -> Option<()> {
    let was = was.filter(|was| was.is_object());
    let (mut was_nullable, mut nullable) = (false, false);
    if let Some(was) = was {
        was_nullable = is_nullable(was);
        // `from_gemini_schema` reads a nullable reference as an alternative to `null`.
        if was_nullable
            && is_reference(was)
            && let Some(first) = nullable_alternative(now)
        {
            now = first;
            nullable = true;
        }
    }
    if !now.is_object() {
        return None;
    }
    nullable |= takes_null(now, was_nullable);
    let mut object = ObjectWriter { out, nullable, first: true };
    object.out.push('{');
    let mut written = BTreeSet::new();
    if let Some(was) = was {
        let keywords = now.index_members();
        for member in was.members() {
            let name = member.name();
            let keyword = field_keyword(was, &name).unwrap_or(&name);
            if let Some(value) = keywords.get(keyword) {
                object.name(&name);
                object.write_keyword((&name, keyword), Some(member.value), value)?;
                written.insert(keyword.to_owned());
            } else if stays_without_keyword(&name, member.value, nullable) {
                object.member(&name, member.value.raw());
            }
        }
    }
    for member in now.members() {
        let keyword = member.name();
        if written.contains(keyword.as_ref()) {
            continue;
        }
        let name = match FIELD_KEYWORDS.iter().find(|(_, known)| *known == keyword) {
            // The API also reads the spelling of JSON Schema, except for these three.
            Some((name @ ("defs" | "example" | "ref"), _)) => name,
            Some(_) => keyword.as_ref(),
            None if FIELDS.split(' ').any(|field| field == keyword) => keyword.as_ref(),
            None => return None,
        };
        object.name(name);
        object.write_keyword((name, &keyword), None, member.value)?;
    }
    if nullable && !was_nullable {
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

/// Returns the first of two alternatives if the second is only `null`.
fn nullable_alternative(schema: Node<'_>) -> Option<Node<'_>> {
    let alternatives: Vec<Node<'_>> = schema.get("anyOf")?.elements().collect();
    match alternatives.as_slice() {
        [first, second] if schema.members().count() == 1 && is_null_schema(*second) => Some(*first),
        _ => None,
    }
}

fn is_null_schema(schema: Node<'_>) -> bool {
    let mut members = schema.members();
    match (members.next(), members.next()) {
        (Some(only), None) => only.name() == "type" && is_null_name(only.value),
        _ => false,
    }
}

fn is_null_name(name: Node<'_>) -> bool {
    name.text().as_deref() == Some("null")
}

/// Returns true if a schema accepts `null` in a way that `nullable` can express.
fn takes_null(schema: Node<'_>, was_nullable: bool) -> bool {
    match schema.get("type") {
        Some(types) if types.is_array() => types.elements().any(is_null_name),
        Some(name) => was_nullable && is_null_name(name),
        None => {
            let last = |name| schema.get(name)?.elements().last();
            was_nullable
                && (last("enum").is_some_and(Node::is_null)
                    || last("anyOf").is_some_and(is_null_schema))
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
                match (examples.next(), examples.next()) {
                    (Some(only), None) => self.out.push_str(only.raw()),
                    _ => return None,
                }
            }
            "$ref" => {
                let text = now.text()?;
                let is_short = spelled.as_deref().is_none_or(|was| was.starts_with("#/defs/"));
                match text.strip_prefix("#/$defs/") {
                    Some(rest) if is_short => quote_into(&format!("#/defs/{rest}"), self.out),
                    _ => self.out.push_str(now.raw()),
                }
            }
            // The API returns counts as strings.
            _ if COUNTS.contains(&keyword) && spelled.is_some() && now.text().is_none() => {
                quote_into(now.raw(), self.out);
            }
            _ => self.out.push_str(now.raw()),
        }
        Some(())
    }

    fn write_type(&mut self, was: Option<&str>, now: Node<'_>) -> Option<()> {
        let mut names = now.elements().filter_map(Node::text).filter(|name| name != "null");
        let ((Some(name), ..) | (None, Some(name), None)) =
            (now.text(), names.next(), names.next())
        else {
            return None;
        };
        let is_small = was.is_some_and(|was| was.chars().any(char::is_lowercase));
        quote_into(&if is_small { name.into_owned() } else { name.to_uppercase() }, self.out);
        Some(())
    }

    fn write_map(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        if !now.is_object() {
            return None;
        }
        let known = was.filter(|was| was.is_object()).map(Node::index_members);
        let mut inner = ObjectWriter { out: self.out, nullable: false, first: true };
        inner.out.push('{');
        for member in now.members() {
            let name = member.name();
            inner.name(&name);
            let was = known.as_ref().and_then(|known| known.get(&name));
            write_subschema(was, member.value, inner.out)?;
        }
        inner.out.push('}');
        Some(())
    }

    fn write_alternatives(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        if !now.is_array() {
            return None;
        }
        let mut parts: Vec<Node<'_>> = now.elements().collect();
        parts.pop_if(|last| self.nullable && is_null_schema(*last));
        let mut known = was.into_iter().flat_map(Node::elements);
        self.out.push('[');
        for (index, part) in parts.into_iter().enumerate() {
            write_comma(index, self.out);
            write_subschema(known.next(), part, self.out)?;
        }
        self.out.push(']');
        Some(())
    }

    /// Writes listed values. Values other than strings are accepted only if the old list
    /// has some.
    fn write_values(&mut self, was: Option<Node<'_>>, now: Node<'_>) -> Option<()> {
        if !now.is_array() {
            return None;
        }
        let (mut had_null, mut had_others) = (false, false);
        for value in was.into_iter().flat_map(Node::elements) {
            had_null |= value.is_null();
            had_others |= value.text().is_none();
        }
        let mut values: Vec<Node<'_>> = now.elements().collect();
        values.pop_if(|last| self.nullable && !had_null && last.is_null());
        if !had_others && values.iter().any(|value| value.text().is_none()) {
            return None;
        }
        let values: Vec<&str> = values.iter().map(|value| value.raw()).collect();
        write_list(&values, self.out);
        Some(())
    }
}
