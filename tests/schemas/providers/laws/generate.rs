//! Random schemas, and values that they take more often than not.

use serde_json::{Map, Value, json};

/// A small generator of numbers (splitmix64).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).unwrap()].clone()
    }
}

const NAMES: [&str; 5] = ["a", "b", "c d", "$e", "other"];

/// A schema for arguments.
pub(crate) fn schema(rng: &mut Rng) -> Value {
    let mut root = if rng.one_in(6) { part(rng, 3) } else { object(rng, 3) };
    if rng.one_in(8)
        && let Some(words) = root.as_object_mut()
    {
        words.remove("type");
    }
    if let Some(words) = root.as_object_mut()
        && rng.below(2) == 0
    {
        let defs = json!({"n": part(rng, 2), "m": object(rng, 2)});
        words.insert("$defs".to_owned(), defs);
    }
    // References to what is not there.
    if root.get("$defs").is_none() {
        let text = root.to_string().replace("#/$defs/n", "#").replace("#/$defs/m", "#");
        root = serde_json::from_str(&text).unwrap();
    }
    root
}

fn part(rng: &mut Rng, depth: u64) -> Value {
    if depth == 0 {
        return scalar(rng);
    }
    match rng.below(16) {
        0..=4 => scalar(rng),
        5..=7 => object(rng, depth - 1),
        8 | 9 => array(rng, depth - 1),
        10 => choice(rng, depth - 1),
        11 => json!({"$ref": rng.pick(&["#/$defs/n", "#/$defs/m"])}),
        12 => json!({"$ref": "#/$defs/m", "description": "There."}),
        13 => json!({"allOf": [object(rng, depth - 1), object(rng, depth - 1)]}),
        14 => rng.pick(&[json!({}), json!(true), json!(false), json!({"description": "Any."})]),
        _ => {
            let mut both = scalar(rng);
            let more = part(rng, depth - 1);
            if let (Some(both), Some(more)) = (both.as_object_mut(), more.as_object()) {
                both.extend(more.clone());
            }
            both
        }
    }
}

fn choice(rng: &mut Rng, depth: u64) -> Value {
    let word = rng.pick(&["anyOf", "oneOf", "anyOf"]);
    let mut made = match rng.below(3) {
        0 => json!({word: [part(rng, depth), part(rng, depth)]}),
        1 => json!({word: [part(rng, depth), {"type": "null"}]}),
        _ => json!({word: [{"required": ["a"]}, {"required": ["b"]}, object(rng, depth)]}),
    };
    if rng.one_in(3)
        && let (Some(made), Value::Object(more)) = (made.as_object_mut(), object(rng, depth))
    {
        made.extend(more);
    }
    made
}

fn scalar(rng: &mut Rng) -> Value {
    let mut made = match rng.below(12) {
        0..=2 => json!({"type": "string"}),
        3 => json!({"type": "string", "minLength": rng.below(3), "maxLength": 2 + rng.below(3)}),
        4 => json!({"type": "string", "pattern": "^[ab]*$", "format": "uri"}),
        5 => json!({"type": "integer", "exclusiveMinimum": rng.below(3), "maximum": 5}),
        6 => json!({"type": "number", "minimum": -1, "multipleOf": 0.5}),
        7 => json!({"type": "boolean"}),
        8 => json!({"enum": ["x", "y", 1, null]}),
        9 => json!({"const": rng.pick(&[json!("k"), json!(7), json!(null), json!({"a": 1})])}),
        10 => json!({"type": rng.pick(&[json!(["string", "null"]), json!(["integer", "string"]),
                                         json!(["object", "null"])])}),
        _ => json!({"type": "string", "enum": ["x", "y"], "default": "x"}),
    };
    if rng.one_in(10) {
        made["not"] = json!({"const": 3});
    }
    made
}

fn array(rng: &mut Rng, depth: u64) -> Value {
    let mut made = json!({"type": "array"});
    match rng.below(5) {
        0 => {}
        1 => made["prefixItems"] = json!([part(rng, depth), part(rng, depth)]),
        _ => made["items"] = part(rng, depth),
    }
    if made.get("prefixItems").is_some() && rng.one_in(2) {
        made["items"] = rng.pick(&[json!(false), json!({"type": "string"})]);
    }
    if rng.one_in(4) {
        made["minItems"] = json!(rng.below(3));
    }
    if rng.one_in(4) {
        made["uniqueItems"] = json!(true);
    }
    made
}

fn object(rng: &mut Rng, depth: u64) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for name in NAMES {
        if rng.one_in(2) {
            let child = if depth == 0 { scalar(rng) } else { part(rng, depth - 1) };
            properties.insert(name.to_owned(), child);
        }
        if rng.one_in(4) {
            required.push(name);
        }
    }
    let mut made = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        made["required"] = json!(required);
    }
    match rng.below(5) {
        0 | 1 => made["additionalProperties"] = json!(false),
        2 => made["additionalProperties"] = scalar(rng),
        _ => {}
    }
    match rng.below(16) {
        0 => made["minProperties"] = json!(1),
        1 => made["dependentRequired"] = json!({"a": ["b"]}),
        2 => made["patternProperties"] = json!({"^o": {"type": "integer"}}),
        3 => {
            made["if"] = json!({"required": ["a"]});
            made["then"] = json!({"required": ["b"]});
        }
        4 => made["anyOf"] = json!([{"required": ["a"]}, {"required": ["b"]}]),
        _ => {}
    }
    made
}

/// A value that a schema probably takes.
pub(crate) fn instance(schema: &Value, root: &Value, rng: &mut Rng) -> Value {
    value(schema, root, rng, 6)
}

fn value(schema: &Value, root: &Value, rng: &mut Rng, depth: u64) -> Value {
    let any = [
        json!(null),
        json!(true),
        json!(0),
        json!(2),
        json!(2.5),
        json!("x"),
        json!("ab"),
        json!([]),
        json!({}),
        json!({"a": 1}),
    ];
    if depth == 0 || rng.one_in(25) {
        return rng.pick(&any);
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#'));
        return target.map_or(json!(null), |target| value(target, root, rng, depth - 1));
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        return rng.pick(listed);
    }
    let choices = ["anyOf", "oneOf", "allOf"].iter().any(|word| schema.get(word).is_some());
    let made = in_place(schema, root, rng, depth);
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => rng.pick(kinds),
        Some(kind) => kind.clone(),
        None if schema.get("properties").is_some() || schema.get("required").is_some() => {
            json!("object")
        }
        None if choices => return made,
        None => return rng.pick(&any),
    };
    match kind.as_str().unwrap() {
        "string" => json!(rng.pick(&["", "a", "ab", "abab", "x"])),
        "integer" => json!(rng.below(8)),
        "number" => rng.pick(&[json!(-1), json!(0.5), json!(2), json!(0.3)]),
        "boolean" => json!(rng.one_in(2)),
        "array" => {
            let count =
                rng.below(4).max(schema.get("minItems").and_then(Value::as_u64).unwrap_or(0));
            let prefix = schema.get("prefixItems").and_then(Value::as_array);
            let items = schema.get("items").cloned().unwrap_or(json!(true));
            (0..count)
                .map(|index| {
                    let own = prefix.and_then(|prefix| prefix.get(usize::try_from(index).unwrap()));
                    value(own.unwrap_or(&items), root, rng, depth - 1)
                })
                .collect()
        }
        "object" => members(schema, root, rng, depth, &made),
        _ => json!(null),
    }
}

/// What the choices of a schema take, and what all of it takes.
fn in_place(schema: &Value, root: &Value, rng: &mut Rng, depth: u64) -> Value {
    let choices = ["anyOf", "oneOf"].iter().find_map(|word| schema.get(word)?.as_array());
    let mut made = match choices.filter(|choices| !choices.is_empty()) {
        Some(choices) => {
            let chosen = rng.pick(choices);
            value(&chosen, root, rng, depth - 1)
        }
        None => Value::Null,
    };
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        let more = value(part, root, rng, depth - 1);
        match (&mut made, more) {
            (Value::Object(made), Value::Object(more)) => made.extend(more),
            (_, more) => made = more,
        }
    }
    made
}

fn members(schema: &Value, root: &Value, rng: &mut Rng, depth: u64, made: &Value) -> Value {
    let mut made = made.as_object().cloned().unwrap_or_default();
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<String> = schema
        .get("required")
        .map_or(Vec::new(), |list| serde_json::from_value(list.clone()).unwrap());
    for (name, child) in properties {
        if required.contains(name) || rng.one_in(2) {
            made.insert(name.clone(), value(child, root, rng, depth - 1));
        }
    }
    for name in required {
        if !made.contains_key(&name) {
            let other = schema.get("additionalProperties").cloned().unwrap_or(json!(true));
            made.insert(name, value(&other, root, rng, depth - 1));
        }
    }
    if rng.one_in(6) {
        made.insert("other".to_owned(), json!(1));
    }
    Value::Object(made)
}
