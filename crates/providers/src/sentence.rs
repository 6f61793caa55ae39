//! What a schema cannot say any more, in a sentence for the model.

use diagnostic::printable;
use json_text::unquote;

/// Bytes of a value in a sentence.
const LONGEST: usize = 200;

/// What a keyword with that value asks for.
pub(crate) fn sentence(keyword: &str, value: &str) -> String {
    let plain = || printable(value, LONGEST);
    let text = || printable(&unquote(value), LONGEST);
    match keyword {
        "minLength" => format!("At least {} characters.", plain()),
        "maxLength" => format!("At most {} characters.", plain()),
        "pattern" => format!("Matches the regular expression {}", text()),
        "format" => format!("Format: {}.", text()),
        "minimum" => format!("At least {}.", plain()),
        "maximum" => format!("At most {}.", plain()),
        "exclusiveMinimum" => format!("More than {}.", plain()),
        "exclusiveMaximum" => format!("Less than {}.", plain()),
        "multipleOf" => format!("A multiple of {}.", plain()),
        "minItems" => format!("At least {} elements.", plain()),
        "maxItems" => format!("At most {} elements.", plain()),
        "uniqueItems" => "No element twice.".to_owned(),
        "minProperties" => format!("At least {} members.", plain()),
        "maxProperties" => format!("At most {} members.", plain()),
        "default" => format!("Default: {}.", plain()),
        "const" => format!("Always {}.", plain()),
        "enum" => format!("One of {}.", plain()),
        "examples" => format!("Examples: {}.", plain()),
        _ => format!("JSON Schema also says \"{keyword}\": {}", plain()),
    }
}
