use proptest::prelude::*;

use super::{SIGN_PATTERNS, SIGNS, characters, is_suspect, remarks};

/// Texts with instructions, near misses and unusual characters.
fn texts() -> impl Strategy<Value = String> {
    let signs = SIGNS.iter().map(|(_, sign)| {
        // Strategies do not support word boundaries, and generate any white space for
        // `\\s`.
        let sign = sign.replace(r"\b", "").replace(r"\s", "[ \t\n]").replace(r"\w", "[a-z]");
        proptest::string::string_regex(&sign).unwrap().boxed()
    });
    let sign = proptest::strategy::Union::new(signs);
    let part = prop_oneof![
        4 => sign,
        2 => "[ -~]{0,40}",
        2 => "([a-z]{1,9} ){0,6}",
        1 => "[a-z]{0,3}[ \n]{30,90}[a-z]?",
        1 => "\\PC{0,3}",
        1 => any::<char>().prop_map(String::from),
        1 => "(ignore|forget|system|never tell|color|/home/me/)[ .:]{0,2}",
    ];
    proptest::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// A text that the quick check skips deserves no remark, with or without escapes.
    #[test]
    fn the_quick_look_overlooks_nothing(text in texts(), escaped in any::<bool>()) {
        let mut written = json_text::quote(&text);
        if escaped {
            let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
            written = format!("\"{}\"", units.collect::<Vec<_>>().concat());
        }
        if !is_suspect(&written) {
            let remarks = remarks(&text);
            prop_assert!(remarks.is_empty(), "{:?} {:?}", text, remarks);
        }
    }
}

/// Plain characters deserve no remark, alone or after a letter.
#[test]
fn plain_characters_deserve_no_remark() {
    for c in ('\u{80}'..=char::MAX).filter(|c| characters::is_plain(*c)) {
        assert!(characters::look(&format!("{c} a{c}{c}")).is_empty(), "{c:?}");
    }
}

#[test]
fn every_pattern_compiles() {
    assert_eq!(SIGN_PATTERNS.len(), SIGNS.len());
    assert!(characters::UNUSUAL_CHARACTERS.is_some());
}
