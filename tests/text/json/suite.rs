//! What we make of the texts that RFC 8259 leaves to the reader: those of the
//! `i_` files in `JSONTestSuite` (github.com/nst/JSONTestSuite), under their names.
//! A change here goes into the changelog.
//!
//! Of the other files, every `n_` is refused, and every `y_` is accepted but
//! `y_object_duplicated_key` and `y_object_duplicated_key_and_value`.

use super::verdict;

const VERDICTS: &[(&str, &str, &[u8])] = &[
    // Numbers keep their text, whatever their size.
    ("number_double_huge_neg_exp", "ok", b"[123.456e-789]"),
    ("number_neg_int_huge_exp", "ok", b"[-1e+9999]"),
    ("number_pos_double_huge_exp", "ok", b"[1.5e+9999]"),
    ("number_real_neg_overflow", "ok", b"[-123123e100000]"),
    ("number_real_pos_overflow", "ok", b"[123123e100000]"),
    ("number_real_underflow", "ok", b"[123e-10000000]"),
    ("number_too_big_neg_int", "ok", b"[-123123123123123123123123123123]"),
    ("number_too_big_pos_int", "ok", b"[100000000000000000000]"),
    // Half a surrogate pair has no meaning that readers agree on.
    ("object_key_lone_2nd_surrogate", "json/surrogate", br#"{"\uDFAA":0}"#),
    ("string_1st_surrogate_but_2nd_missing", "json/surrogate", br#"["\uDADA"]"#),
    ("string_1st_valid_surrogate_2nd_invalid", "json/surrogate", br#"["\uD888\u1234"]"#),
    ("string_incomplete_surrogate_and_escape_valid", "json/surrogate", br#"["\uD800\n"]"#),
    ("string_incomplete_surrogate_pair", "json/surrogate", br#"["\uDd1ea"]"#),
    ("string_incomplete_surrogates_escape_valid", "json/surrogate", br#"["\uD800\uD800\n"]"#),
    ("string_invalid_lonely_surrogate", "json/surrogate", br#"["\ud800"]"#),
    ("string_invalid_surrogate", "json/surrogate", br#"["\ud800abc"]"#),
    ("string_inverted_surrogates_U+1D11E", "json/surrogate", br#"["\uDd1e\uD834"]"#),
    ("string_lone_second_surrogate", "json/surrogate", br#"["\uDFAA"]"#),
    // Bytes that are not UTF-8.
    ("string_UTF-16LE_with_BOM", "json/encoding", b"\xFF\xFE[\0\"\0\xE9\0\"\0]\0"),
    ("string_UTF-8_invalid_sequence", "json/encoding", b"[\"\xE6\x97\xA5\xD1\x88\xFA\"]"),
    ("string_UTF8_surrogate_U+D800", "json/encoding", b"[\"\xED\xA0\x80\"]"),
    ("string_invalid_utf-8", "json/encoding", b"[\"\xFF\"]"),
    ("string_iso_latin_1", "json/encoding", b"[\"\xE9\"]"),
    ("string_lone_utf8_continuation_byte", "json/encoding", b"[\"\x81\"]"),
    ("string_not_in_unicode_range", "json/encoding", b"[\"\xF4\xBF\xBF\xBF\"]"),
    ("string_overlong_sequence_2_bytes", "json/encoding", b"[\"\xC0\xAF\"]"),
    ("string_overlong_sequence_6_bytes", "json/encoding", b"[\"\xFC\x83\xBF\xBF\xBF\xBF\"]"),
    ("string_truncated-utf-8", "json/encoding", b"[\"\xE0\xFF\"]"),
    ("string_utf16BE_no_BOM", "json/encoding", b"\0[\0\"\0\xE9\0\"\0]"),
    ("string_utf16LE_no_BOM", "json/encoding", b"[\0\"\0\xE9\0\"\0]\0"),
    ("structure_UTF-8_BOM_empty_object", "json/encoding", b"\xEF\xBB\xBF{}"),
];

/// Row J35 of the catalogue of attacks.
#[test]
fn verdicts_are_frozen() {
    for (name, expected, text) in VERDICTS {
        assert_eq!(verdict(text), *expected, "{name}");
    }
    let nested = ["[".repeat(500), "]".repeat(500)].concat();
    assert_eq!(verdict(nested.as_bytes()), "json/depth", "structure_500_nested_arrays");
}
