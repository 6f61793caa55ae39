//! The limits of this run: the defaults, and those set on the command line.

use std::sync::OnceLock;

use serde_json::Value;
use toolglot::core::{did_you_mean, quoted};
use toolglot::{Limits, ValidateOptions};

/// A limit that is set on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    name: String,
    value: u64,
}

static SETTINGS: OnceLock<Vec<Setting>> = OnceLock::new();

/// Sets limits for the whole run. Only the first call has an effect.
pub(crate) fn set(settings: Vec<Setting>) {
    SETTINGS.get_or_init(|| settings);
}

/// Returns the limits of a document.
pub(crate) fn document() -> Limits {
    with_settings(Limits::default())
}

/// Returns the limits of a catalog of many tools.
pub(crate) fn catalog() -> Limits {
    with_settings(Limits::for_catalog())
}

/// Returns the limits of a bundle.
pub(crate) fn bundle() -> Limits {
    with_settings(Limits::for_bundle())
}

/// Returns the options for validating a document.
pub(crate) fn validate_options() -> ValidateOptions {
    ValidateOptions { limits: document(), ..ValidateOptions::default() }
}

fn with_settings(limits: Limits) -> Limits {
    match SETTINGS.get() {
        Some(settings) => apply(limits, settings),
        None => limits,
    }
}

/// Replaces some limits. [`parse_setting`] has checked the names.
fn apply(limits: Limits, settings: &[Setting]) -> Limits {
    if settings.is_empty() {
        return limits;
    }
    let mut fields = fields(&limits);
    for setting in settings {
        fields.insert(setting.name.clone(), setting.value.into());
    }
    serde_json::from_value(Value::Object(fields)).unwrap_or(limits)
}

fn fields(limits: &Limits) -> serde_json::Map<String, Value> {
    match serde_json::to_value(limits) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    }
}

/// Parses NAME=NUMBER, such as `document-bytes=8M`, with K, M or G for powers of 1024.
pub(crate) fn parse_setting(text: &str) -> Result<Setting, String> {
    let (name, number) = text.split_once('=').ok_or("this is not NAME=NUMBER")?;
    let name = name.replace('-', "_");
    let known = fields(&Limits::default());
    if !known.contains_key(&name) {
        let names = known.keys().map(String::as_str);
        let hint = match did_you_mean(&name, names.clone()) {
            Some(guess) => format!("did you mean {guess}?"),
            None => names.collect::<Vec<_>>().join(", "),
        };
        return Err(format!("there is no limit {}: {hint}", quoted(&name)));
    }
    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (_, unit) = number.split_at(digits.len());
    let unit: u64 = match unit {
        "" => 1,
        "K" | "k" => 1 << 10,
        "M" | "m" => 1 << 20,
        "G" | "g" => 1 << 30,
        other => return Err(format!("{} is no unit: K, M or G", quoted(other))),
    };
    let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(unit));
    // Limits are `usize`. A number that does not fit would make `with` ignore all settings.
    let value = value.filter(|value| usize::try_from(*value).is_ok());
    Ok(Setting { name, value: value.ok_or_else(|| format!("{} is no number", quoted(number)))? })
}
