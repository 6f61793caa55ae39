//! Those who send go by what is declared: every claim that nothing breaks is checked
//! on values that have no other members.

#![allow(clippy::too_many_lines)] // tables of schemas

use std::collections::BTreeSet;
use toolglot_tests::times;

use compare::{Class, tools};
use json_schema::Schema;
use json_text::{Document, Raw};
use manifest_core::Limits;
use manifest_core::ToolDescriptor;
use serde_json::{Map, Value, json};
use testkit::Rng;

use super::generate::{dialects, in_words_of, mutated, object, of_members, schema, with_parts};

fn tool(schema: &Value, input: bool) -> ToolDescriptor<'static> {
    let schema = Raw::parse(&schema.to_string()).unwrap().into_owned().into();
    let (input, output) = if input { (Some(schema), None) } else { (None, Some(schema)) };
    ToolDescriptor { input_schema: input, output_schema: output, ..Default::default() }
}

/// Whether a schema takes a value; nothing if the schema is refused.
fn takes(schema: &Value, values: &[Value]) -> Option<Vec<bool>> {
    let limits = Limits::default();
    let text = schema.to_string();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let engine = Schema::compile(document.root(), &limits).ok()?;
    let taken = |value: &Value| {
        let text = value.to_string();
        let value = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        engine.validate(value.root()).is_ok_and(|found| found.is_valid())
    };
    Some(values.iter().map(taken).collect())
}

type Part<'v> = (&'v Map<String, Value>, bool);

/// Every part of schemas that may have a say on the value itself, and whether it is
/// one that may have to fail.
fn in_place<'v>(root: &'v Value, schemas: &[&'v Value]) -> Vec<Part<'v>> {
    let mut pending: Vec<(&Value, bool)> = schemas.iter().map(|schema| (*schema, false)).collect();
    let (mut parts, mut seen) = (Vec::new(), BTreeSet::new());
    let old = root["$schema"].as_str().is_some_and(|name| name.contains("draft-07"));
    while let Some((schema, fails)) = pending.pop() {
        let Value::Object(members) = schema else { continue };
        if !seen.insert((std::ptr::from_ref(members), fails)) {
            continue;
        }
        let reference = members.get("$ref").map(|_| &root["$defs"]["a"]);
        pending.extend(reference.map(|part| (part, fails)));
        // A reference stands alone there.
        if old && reference.is_some() {
            continue;
        }
        parts.push((members, fails));
        for (name, value) in members {
            match (name.as_str(), value) {
                ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => {
                    pending.extend(list.iter().map(|part| (part, fails)));
                }
                ("dependentSchemas" | "dependencies", Value::Object(list)) => {
                    pending.extend(list.values().map(|part| (part, fails)));
                }
                ("if" | "not", part) => pending.push((part, true)),
                ("then" | "else", part) => pending.push((part, fails)),
                _ => {}
            }
        }
    }
    parts
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}

/// Whether a value has only members that the schemas declare, where they do so.
fn declares(root: &Value, schemas: &[&Value], top: bool, value: &Value) -> bool {
    let parts = in_place(root, schemas);
    let listed = |(part, _): &Part<'_>| {
        let values = part.get("enum").and_then(Value::as_array).into_iter().flatten();
        values.chain(part.get("const")).any(is_container)
    };
    // Values that are listed are declared with all that is in them.
    if parts.iter().any(listed) {
        return true;
    }
    match value {
        Value::Object(members) => {
            members_declared(&parts, top, members)
                && members.iter().all(|(name, value)| {
                    let inside = parts.iter().flat_map(|(part, _)| {
                        let own = part.get("properties").and_then(|list| list.get(name));
                        let own = own.or(part.get("additionalProperties"));
                        let like = part.get("patternProperties").and_then(Value::as_object);
                        let like = like.into_iter().flat_map(Map::values);
                        own.into_iter().chain(like).chain(part.get("unevaluatedProperties"))
                    });
                    declares(root, &inside.collect::<Vec<_>>(), false, value)
                })
        }
        Value::Array(elements) => elements.iter().enumerate().all(|(index, value)| {
            let inside = parts.iter().flat_map(|(part, _)| {
                let lists = ["prefixItems", "items"].map(|name| part.get(name));
                let listed = lists.into_iter().flatten().find_map(Value::as_array);
                let rest = part.get("additionalItems").filter(|_| listed.is_some());
                let rest = rest.or(part.get("items").filter(|items| !items.is_array()));
                let own = listed.and_then(|list| list.get(index)).or(rest);
                own.into_iter().chain(part.get("contains")).chain(part.get("unevaluatedItems"))
            });
            declares(root, &inside.collect::<Vec<_>>(), false, value)
        }),
        _ => true,
    }
}

fn members_declared(parts: &[Part<'_>], top: bool, members: &Map<String, Value>) -> bool {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let (mut open, mut named, mut fewest) = (false, top, 0);
    for (part, fails) in parts {
        for (name, value) in *part {
            match (name.as_str(), value) {
                ("properties", Value::Object(list)) => {
                    named = true;
                    names.extend(list.keys().map(String::as_str));
                }
                ("required", Value::Array(list)) => {
                    names.extend(list.iter().filter_map(Value::as_str));
                }
                ("dependentSchemas" | "dependentRequired" | "dependencies", Value::Object(all)) => {
                    names.extend(all.keys().map(String::as_str));
                    let lists = all.values().filter_map(Value::as_array);
                    names.extend(lists.flatten().filter_map(Value::as_str));
                }
                ("patternProperties" | "propertyNames", _) => open = true,
                ("additionalProperties" | "unevaluatedProperties", value) => {
                    open |= *fails || *value != json!(false);
                }
                ("minProperties", count) => {
                    fewest = fewest.max(whole(count));
                    open |= fails;
                }
                ("maxProperties", _) => open |= fails,
                _ => {}
            }
        }
    }
    !named || open || fewest > names.len() || members.keys().all(|key| names.contains(&**key))
}

/// A small count, though it may be written with a fraction.
fn whole(count: &Value) -> usize {
    usize::from((0_u8..10).find(|n| f64::from(*n) >= count.as_f64().unwrap()).unwrap_or(10))
}

/// A schema without what its dialect does not know.
fn known(dialect: usize, schema: Value) -> Value {
    const NEWER: &[&str] = &[
        "unevaluatedProperties",
        "unevaluatedItems",
        "dependentSchemas",
        "dependentRequired",
        "minContains",
        "maxContains",
    ];
    let Value::Object(members) = schema else { return schema };
    let mut left = Map::new();
    for (name, value) in members {
        if dialect > 1 && NEWER.contains(&name.as_str()) {
            continue;
        }
        let value = match (name.as_str(), value) {
            ("properties" | "patternProperties" | "dependencies" | "$defs", Value::Object(all)) => {
                all.into_iter().map(|(name, value)| (name, known(dialect, value))).collect()
            }
            ("allOf" | "anyOf" | "oneOf" | "items", Value::Array(list)) => {
                list.into_iter().map(|value| known(dialect, value)).collect()
            }
            ("enum" | "const", value) => value,
            (_, value @ Value::Object(_)) => known(dialect, value),
            (_, value) => value,
        };
        left.insert(name, value);
    }
    left.into()
}

/// A schema of which little may be left, and something is closed.
fn shut(rng: &mut Rng, schema: &Value) -> Value {
    let mut members = schema.as_object().cloned().unwrap_or_default();
    if rng.once_in(2) {
        members.retain(|name, _| ["properties", "type", "required"].contains(&name.as_str()));
    }
    if let Some(Value::Object(inside)) = members.get_mut("properties")
        && rng.once_in(2)
    {
        for value in inside.values_mut() {
            *value = shut(rng, value);
        }
        if rng.once_in(2) {
            return members.into();
        }
    }
    let closed = if rng.once_in(4) { json!({"type": "string"}) } else { json!(false) };
    members.insert("additionalProperties".to_owned(), closed);
    members.into()
}

#[test]
fn what_is_declared_still_works_where_nothing_breaks() {
    let limits = Limits::default();
    let (mut safe, mut checked, mut same) = (0, 0, 0);
    for seed in 0..1250 * times() {
        let mut rng = Rng::new(seed);
        let (old, new) = if rng.once_in(3) {
            let old = of_members(&mut rng);
            let new = shut(&mut rng, &old);
            (old, new)
        } else {
            let old = schema(&mut rng, 3);
            let new = mutated(&mut rng, &old, 3);
            let new = if rng.once_in(4) { shut(&mut rng, &new) } else { new };
            (old, new)
        };
        let (old, new) = if rng.once_in(4) { (new, old) } else { (old, new) };
        let part = schema(&mut rng, 1);
        let (was, is) = dialects(&mut rng);
        let whole = |dialect, schema| {
            let part = in_words_of(dialect, part.clone());
            let whole = with_parts(in_words_of(dialect, schema), &part, dialect);
            if was == is { known(dialect, whole) } else { whole }
        };
        let (old, new) = (whole(was, old), whole(is, new));
        for input in [true, false] {
            let found = tools(&tool(&old, input), &tool(&new, input), &limits);
            let safe_class = |class| !matches!(class, Class::Breaking | Class::Undecided);
            if !found.changes.iter().all(|change| safe_class(change.class)) {
                continue;
            }
            safe += 1;
            // What is sent goes by the old schema, what comes back by the new one.
            let (sent, taken) = if input { (&old, &new) } else { (&new, &old) };
            let values: Vec<Value> = (0..40).map(|_| object(&mut rng, 2)).collect();
            let (Some(sends), Some(takes)) = (takes(sent, &values), takes(taken, &values)) else {
                continue;
            };
            let words = |class| matches!(class, Class::Prompt | Class::Cosmetic);
            let cosmetic = found.changes.iter().all(|change| words(change.class));
            same += usize::from(cosmetic);
            for ((value, sends), takes) in values.iter().zip(sends).zip(takes) {
                if cosmetic {
                    assert_eq!(sends, takes, "{seed} {input}: {value}\n{sent}\n{taken}");
                }
                // What an older dialect does not know, the check of names does.
                if was == is && sends && declares(sent, &[sent], true, value) {
                    checked += 1;
                    assert!(takes, "{seed} {input}: {value}\n{sent}\n{taken}");
                }
            }
        }
    }
    println!("safe, the same, values tried: {safe}, {same}, {checked}");
    assert!(safe > 500 && same > 50 && checked > 2000, "{safe} {same} {checked}");
}

/// Old and new schema, and a value that one takes and the other does not.
type Row = (Value, Value, Value);

/// Each value has declared members only, and stops working.
#[test]
fn members_are_declared_in_many_ways() {
    let a = json!({"a": {"type": "string"}});
    let closed = json!({"type": "object", "properties": a, "additionalProperties": false});
    let b = json!({"properties": {"b": {"type": "string"}}});
    let with = |name: &str, value: Value| json!({"type": "object", "properties": a, name: value});
    let if_then = |then: &Value| {
        let mut old = with("if", json!({"properties": {"a": {"const": "x"}}}));
        old["then"] = then.clone();
        old
    };
    let ab = json!({"a": "x", "b": "y"});
    let deep = json!({"a": {"b": "y"}});
    let inside = json!({"properties": {"a": b}});
    let deep_closed =
        json!({"properties": {"a": {"properties": {}, "additionalProperties": false}}});
    let both =
        |more: (&str, Value)| json!({"properties": {"a": {"properties": {}}}, more.0: more.1});
    let mut then = both(("then", inside.clone()));
    then["if"] = json!({"required": ["a"]});
    let seven = |mut schema: Value| {
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema
    };
    let required = json!({"required": ["b"], "properties": {"b": {"type": "string"}}});
    let c = json!({"properties": {"c": {"type": "string"}}});
    let mut c_integer = json!({"type": "object", "properties": a});
    c_integer["properties"]["c"] = json!({"type": "integer"});
    let none = json!({"type": "object", "additionalProperties": false});
    let some = json!({"type": "array", "contains": {"type": "string"}, "minContains": 0});
    let some = json!({"type": "object", "properties": {"a": some}});
    let rows: Vec<Row> = vec![
        (with("anyOf", json!([required, c])), closed.clone(), json!({"b": "x"})),
        (with("anyOf", json!([c])), c_integer, json!({"c": "x"})),
        (if_then(&b), closed.clone(), ab.clone()),
        (seven(if_then(&b)), seven(closed.clone()), ab.clone()),
        (with("dependentSchemas", json!({"a": b})), closed.clone(), ab.clone()),
        (with("dependentRequired", json!({"a": ["b"]})), closed.clone(), ab.clone()),
        (seven(with("dependencies", json!({"a": b}))), seven(closed.clone()), ab.clone()),
        (seven(with("dependencies", json!({"a": ["b"]}))), seven(closed.clone()), ab.clone()),
        (
            with("oneOf", json!([required, {"properties": {"b": false}}])),
            closed.clone(),
            ab.clone(),
        ),
        (with("allOf", json!([{"anyOf": [b]}])), closed.clone(), ab.clone()),
        (with("not", json!({"required": ["b", "c"]})), closed.clone(), ab.clone()),
        (
            json!({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "minProperties": 1}),
            none.clone(),
            json!({"a": 1}),
        ),
        (json!({"type": "object", "minProperties": 1}), none.clone(), json!({"z": 1})),
        (json!({"type": "object", "not": {"maxProperties": 0}}), none.clone(), json!({"z": 1})),
        (json!({"type": "object", "not": {"const": {}}}), none.clone(), json!({"z": 1})),
        (json!({"anyOf": [{"const": {"z": 1}}]}), none, json!({"z": 1})),
        (with("unevaluatedProperties", json!({"type": "string"})), closed, json!({"z": "s"})),
        (with("anyOf", json!([b])), with("maxProperties", json!(1)), ab),
        (some.clone(), seven(some), json!({"a": []})),
        // One level down.
        (json!({"properties": {"a": {"anyOf": [b]}}}), deep_closed.clone(), deep.clone()),
        (both(("anyOf", json!([inside]))), deep_closed.clone(), deep.clone()),
        (then, deep_closed.clone(), deep.clone()),
        (both(("dependentSchemas", json!({"a": inside}))), deep_closed.clone(), deep.clone()),
        (both(("patternProperties", json!({"^a": b}))), deep_closed.clone(), deep.clone()),
        (both(("allOf", json!([{"unevaluatedProperties": b}]))), deep_closed, deep),
        // In elements.
        (
            json!({"properties": {"l": {"items": {"properties": {}}, "contains": b}}}),
            json!({"properties": {"l": {"items": {"additionalProperties": false}}}}),
            json!({"l": [{"b": "y"}]}),
        ),
        (
            json!({"properties": {"l": {"items": {"properties": {}}, "if": {"items": b}}}}),
            json!({"properties": {"l": {"items": {"additionalProperties": false}}}}),
            json!({"l": [{"b": "y"}]}),
        ),
    ];
    let limits = Limits::default();
    for (old, new, value) in rows {
        check(&old, &new, &value, &limits);
    }
}

fn check(old: &Value, new: &Value, value: &Value, limits: &Limits) {
    let one = std::slice::from_ref(value);
    assert_eq!(takes(old, one), Some(vec![true]), "{old} {value}");
    assert_eq!(takes(new, one), Some(vec![false]), "{new} {value}");
    let worst = |old: &Value, new: &Value, input| {
        let found = tools(&tool(old, input), &tool(new, input), limits);
        assert!(!found.is_upgrade_safe(), "{old} → {new}: {found:?}");
    };
    worst(old, new, true);
    // What comes back goes the other way.
    worst(new, old, false);
}

/// What people change all day is no matter of doubt, whatever else a schema says.
#[test]
fn usual_changes_stay_safe() {
    let limits = Limits::default();
    let more = [
        json!({}),
        json!({"anyOf": [{"required": ["a"]}, {"required": ["c"]}]}),
        json!({"oneOf": [{"properties": {"k": {"const": "x"}}, "required": ["k"]},
                         {"properties": {"k": {"const": "y"}}, "required": ["k"]}]}),
        json!({"if": {"properties": {"a": {"const": "x"}}}, "then": {"required": ["n"]}}),
        json!({"dependentRequired": {"a": ["n"]}}),
        json!({"dependentSchemas": {"a": {"properties": {"c": {"type": "string"}}}}}),
        json!({"not": {"required": ["a", "n"]}}),
        json!({"minProperties": 1}),
        json!({"maxProperties": 3}),
        json!({"unevaluatedProperties": false, "allOf": [{"properties": {"c": {}}}]}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["n"]}}),
    ];
    for more in more {
        let mut old = json!({"type": "object", "properties": {
            "a": {"type": "string"}, "n": {"type": "integer", "maximum": 9},
            "e": {"enum": ["x", "y"]},
            "o": {"type": "object", "properties": {"p": {"type": "string"}}}}});
        old.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let changes: &[(&str, Value, Class)] = &[
            ("/properties/a/description", json!("An a."), Class::Prompt),
            ("/description", json!("All."), Class::Prompt),
            ("/properties/new", json!({"type": "boolean"}), Class::Additive),
            ("/properties/o/properties/new", json!({"type": "boolean"}), Class::Additive),
            ("/properties/e/enum", json!(["x", "y", "z"]), Class::Additive),
            ("/properties/n/maximum", json!(10), Class::Additive),
            ("/properties/a/type", json!(["string", "null"]), Class::Additive),
        ];
        for (at, value, class) in changes {
            // What nothing has looked at depends on everything.
            let unseen = more.get("unevaluatedProperties").is_some();
            if unseen && *class != Class::Prompt {
                continue;
            }
            let mut new = old.clone();
            let (holder, name) = at.rsplit_once('/').unwrap();
            new.pointer_mut(holder).unwrap()[name] = value.clone();
            let found = tools(&tool(&old, true), &tool(&new, true), &limits);
            let worst = found.changes.iter().map(|change| change.class).min();
            assert_eq!(worst, Some(*class), "{more} {at}: {found:?}");
        }
    }
}
