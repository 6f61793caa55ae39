//! Inputs that are too long to be written down.
//!
//! An object with one of these members is what it says, everywhere in an input:
//!
//! | member | makes |
//! |---|---|
//! | `"@repeat": [text, n]` | the text, n times |
//! | `"@nest": [open, inner, close, n]` | n times open, the inner text, n times close |
//! | `"@join": [text, …]` | one text |
//! | `"@hex": "EFBBBF"` | bytes |
//! | `"@json": text` | the value that this JSON text is, as it is spelled; the text may be made |
//! | `"@list": [value, n]` | an array of n times the value, with `#` in its texts counted up |
//! | `"@members": [name, value, n]` | an object with n members, `#` in the name counted up |

use serde_json::Value;
use toolglot::json::quote;

/// The generator that an object is, and its arguments.
fn generator(value: &Value) -> Option<(&str, &Value)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    let (name, arguments) = object.iter().next()?;
    name.strip_prefix('@').map(|name| (name, arguments))
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).unwrap()
}

/// The bytes of an input that is a text.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    if let Value::String(text) = value {
        return text.clone().into_bytes();
    }
    let Some((name, arguments)) = generator(value) else { return json(value).into_bytes() };
    match name {
        "repeat" => bytes(&arguments[0]).repeat(count(&arguments[1])),
        "nest" => {
            let times = count(&arguments[3]);
            let part = |index: usize| bytes(&arguments[index]);
            [part(0).repeat(times), part(1), part(2).repeat(times)].concat()
        }
        "join" => arguments.as_array().unwrap().iter().flat_map(bytes).collect(),
        "hex" => {
            let digits = arguments.as_str().unwrap().as_bytes();
            let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16).unwrap()).unwrap();
            digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
        }
        _ => json(value).into_bytes(),
    }
}

/// An input that is a text.
pub(crate) fn text(value: &Value) -> String {
    String::from_utf8(bytes(value)).expect("UTF-8")
}

/// The JSON text of an input that is a value.
pub(crate) fn json(value: &Value) -> String {
    if let Some((name, arguments)) = generator(value) {
        return match name {
            "json" => text(arguments),
            "list" => {
                let one = json(&arguments[0]);
                let elements = (0..count(&arguments[1])).map(|i| one.replace('#', &i.to_string()));
                format!("[{}]", elements.collect::<Vec<_>>().join(","))
            }
            "members" => {
                let one = json(&arguments[1]);
                let name = |i: usize| quote(&text(&arguments[0]).replace('#', &i.to_string()));
                let members = (0..count(&arguments[2])).map(|i| format!("{}:{one}", name(i)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
            "repeat" | "nest" | "join" => quote(&text(value)),
            other => panic!("no generator: {other}"),
        };
    }
    match value {
        Value::Array(list) => {
            format!("[{}]", list.iter().map(json).collect::<Vec<_>>().join(","))
        }
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!("{}:{}", quote(name), json(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}
