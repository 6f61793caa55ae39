//! Versions of strangers, row by row.

use manifest_core::version::{VersionError, parse_exact};
use proptest::prelude::*;

/// Examples of `SemVer` 2.0.0 that are versions.
const VALID: &str = "
    0.0.4 1.2.3 10.20.30 1.1.2-prerelease+meta 1.1.2+meta 1.1.2+meta-valid 1.0.0-alpha 1.0.0-beta
    1.0.0-alpha.beta 1.0.0-alpha.beta.1 1.0.0-alpha.1 1.0.0-alpha0.valid 1.0.0-alpha.0valid
    1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay 1.0.0-rc.1+build.1 2.0.0-rc.1+build.123
    1.2.3-beta 10.2.3-DEV-SNAPSHOT 1.2.3-SNAPSHOT-123 1.0.0 2.0.0 1.1.7 2.0.0+build.1848
    2.0.1-alpha.1227 1.0.0-alpha+beta 1.2.3----RC-SNAPSHOT.12.9.1--.12+788
    1.2.3----R-S.12.9.1--.12+meta 1.2.3----RC-SNAPSHOT.12.9.1--.12
    1.0.0+0.build.1-rc.10000aaa-kk-0.1 99999999999999999999999.999999999999999999.99999999999999999
    1.0.0-0A.is.legal
";

/// Examples of texts that are not.
const INVALID: &str = "
    1 1.2 1.2.3-0123 1.2.3-0123.0123 1.1.2+.123 +invalid -invalid -invalid+invalid -invalid.01
    alpha alpha.beta alpha.beta.1 alpha.1 alpha+beta alpha_beta alpha. alpha.. beta
    1.0.0-alpha_beta -alpha. 1.0.0-alpha.. 1.0.0-alpha..1 1.0.0-alpha...1 1.0.0-alpha....1
    1.0.0-alpha.....1 1.0.0-alpha......1 1.0.0-alpha.......1 01.1.1 1.01.1 1.1.01 1.2.3.DEV
    1.2-SNAPSHOT 1.2.31.2.3----RC-SNAPSHOT.12.09.1--..12+788 1.2-RC-SNAPSHOT -1.0.3-gamma+b7718
    +justmeta 9.8.7+meta+meta 9.8.7-whatever+meta+meta
    99999999999999999999999.999999999999999999.99999999999999999----RC-SNAPSHOT.12.09.1--------------------------------..12
    1.0.0-alpha.01
";

#[test]
fn v01_valid() {
    let mut accepted = 0;
    for text in VALID.split_whitespace() {
        match parse_exact(text) {
            Ok(version) => {
                assert_eq!(version.to_string(), text);
                accepted += 1;
            }
            Err(error) => {
                assert_eq!(error, VersionError::Overflow, "{text}");
                assert!(text.starts_with("99999999999999999999999."));
            }
        }
    }
    assert_eq!(accepted, 30);
}

#[test]
fn v02_invalid() {
    assert_eq!(INVALID.split_whitespace().count(), 40);
    for text in INVALID.split_whitespace() {
        assert_eq!(parse_exact(text), Err(VersionError::Syntax), "{text}");
    }
}

#[test]
fn v03_almost_versions() {
    for text in [
        "",
        "v1.0.0",
        "1.0",
        "1",
        "=1.0.0",
        " 1.0.0",
        "1.0.0 ",
        "1.0.0\n",
        "1.0.0\u{200B}",
        "１.0.0",
        "١.0.0",
        "1.0.0-é",
        "1.0.0\0",
        "+1.0.0",
        "1.-0.0",
        "01.0.99999999999999999999",
    ] {
        assert_eq!(parse_exact(text), Err(VersionError::Syntax), "{text:?}");
    }
}

#[test]
fn v04_ranges() {
    for text in [
        "^1.0.0",
        "~1",
        ">=1 <2",
        "1.x",
        "*",
        "latest",
        "1.0.0 || 2.0.0",
        "1.0.X",
        "x",
        "<2",
        "1.0.0 - 2.0.0",
        "1.*-beta",
        "~1.2.99999999999999999999",
    ] {
        assert_eq!(parse_exact(text), Err(VersionError::Range), "{text}");
    }
    // An `x` that is no wildcard.
    assert!(parse_exact("1.0.0-x").is_ok());
}

#[test]
fn numbers_up_to_64_bits() {
    assert!(parse_exact("0.0.18446744073709551615").is_ok());
    for text in ["0.0.18446744073709551616", "0.18446744073709551616.0-a+b"] {
        assert_eq!(parse_exact(text), Err(VersionError::Overflow), "{text}");
    }
    // Identifiers are text, and may be any number.
    assert!(parse_exact("1.0.0-99999999999999999999").is_ok());
}

#[test]
fn v10_long_versions() {
    let long = |length: usize| format!("1.0.0-{}", "9".repeat(length - 6));
    assert!(parse_exact(&long(256)).is_ok());
    for text in [long(257), long(10_000), format!("1.0.0-{}a", "a.".repeat(10_000))] {
        assert_eq!(parse_exact(&text), Err(VersionError::TooLong));
    }
}

proptest! {
    #[test]
    fn nothing_panics(text in any::<String>()) {
        let _ = parse_exact(&text);
    }

    #[test]
    fn accepted_versions_print_as_they_were_written(
        text in "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}(-[0-9a-z.-]{1,8})?(\\+[0-9a-z.-]{1,8})?"
    ) {
        if let Ok(version) = parse_exact(&text) {
            prop_assert_eq!(version.to_string(), text);
        }
    }
}
