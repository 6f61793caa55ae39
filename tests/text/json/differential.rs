//! The same verdict as `serde_json`, and the same value, on random texts. The
//! exceptions:
//!
//! - A duplicate key: we refuse it. `serde_json` takes the last one.
//! - A number out of range: we keep its text. `serde_json` refuses it.
//!
//! Both refuse lone surrogates, and both stop at 127 levels.

use std::fmt;

use json_text::Document;
use json_text::Limits;
use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::generate::{Choices, document, mutated};
use super::to_value;

/// Whether some object has a key twice, as `serde_json` sees it.
struct HasTwins(bool);

impl<'de> Deserialize<'de> for HasTwins {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TwinVisitor)
    }
}

struct TwinVisitor;

impl<'de> Visitor<'de> for TwinVisitor {
    type Value = HasTwins;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_bool<E>(self, _: bool) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_i64<E>(self, _: i64) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_u64<E>(self, _: u64) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_f64<E>(self, _: f64) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_str<E>(self, _: &str) -> Result<HasTwins, E> {
        Ok(HasTwins(false))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<HasTwins, A::Error> {
        let mut found = false;
        while let Some(HasTwins(inside)) = items.next_element()? {
            found |= inside;
        }
        Ok(HasTwins(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<HasTwins, A::Error> {
        let mut names = std::collections::BTreeSet::new();
        let mut found = false;
        while let Some((name, HasTwins(inside))) = members.next_entry::<String, HasTwins>()? {
            found |= inside | !names.insert(name);
        }
        Ok(HasTwins(found))
    }
}

fn agree(bytes: &[u8]) -> Result<(), TestCaseError> {
    let ours = Document::parse(bytes, Limits::default());
    let theirs = serde_json::from_slice::<Value>(bytes);
    match (ours, theirs) {
        (Ok(document), Ok(value)) => {
            prop_assert_eq!(to_value(document.root()), value);
            prop_assert!(!serde_json::from_slice::<HasTwins>(bytes).unwrap().0);
        }
        (Err(_), Err(_)) => {}
        (Err(refusal), Ok(_)) => {
            prop_assert_eq!(refusal.rule.code, "json/duplicate-key");
            prop_assert!(serde_json::from_slice::<HasTwins>(bytes).unwrap().0);
        }
        (Ok(_), Err(error)) => {
            let error = error.to_string();
            prop_assert!(error.starts_with("number out of range"), "{error}");
            // Nothing else is wrong with it.
            prop_assert!(serde_json::from_slice::<IgnoredAny>(bytes).is_ok());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(toolglot_tests::random(2000))]

    #[test]
    fn on_generated_texts(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = document(&mut Choices::new(&bytes));
        prop_assert!(Document::parse(text.as_bytes(), Limits::default()).is_ok(), "{text}");
        agree(text.as_bytes())?;
    }

    #[test]
    fn on_broken_texts(bytes in prop::collection::vec(any::<u8>(), 0..200), how in prop::collection::vec(any::<u8>(), 0..24)) {
        let text = document(&mut Choices::new(&bytes));
        agree(&mutated(&text, &mut Choices::new(&how)))?;
    }

    #[test]
    fn on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        agree(&bytes)?;
    }

    #[test]
    fn on_json_punctuation(text in r#"[\[\]{},:"\\au0-9eE+. \n-]{0,24}"#) {
        agree(text.as_bytes())?;
    }
}
