//! Exact decimal arithmetic, against integers and against long hand.

use std::cmp::Ordering;

use json_text::Number;
use proptest::prelude::*;

fn number(text: &str) -> Number<'_> {
    Number::parse(text).expect(text)
}

/// A small number: its text, and its value times ten to the sixteenth.
fn small() -> impl Strategy<Value = (String, i128)> {
    let whole = prop_oneof![Just(0), 0..10_u32, 0..10_000_u32];
    let fraction = prop_oneof![Just(String::new()), "[0-9]{1,4}", "0{1,3}[0-9]"];
    let power = prop_oneof![Just(None), (-8..=8_i32).prop_map(Some)];
    (any::<bool>(), whole, fraction, power, any::<[bool; 3]>()).prop_map(
        |(negative, whole, fraction, power, [upper, plus, zero])| {
            let mut text = format!("{}{whole}", if negative { "-" } else { "" });
            let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
            if !fraction.is_empty() {
                text = format!("{text}.{fraction}");
            }
            if let Some(power) = power {
                let sign = match power {
                    ..0 => "-",
                    _ if plus => "+",
                    _ => "",
                };
                let letter = if upper { 'E' } else { 'e' };
                let zero = if zero { "0" } else { "" };
                text = format!("{text}{letter}{sign}{zero}{}", power.abs());
            }
            let places = 16 + power.unwrap_or(0) - i32::try_from(fraction.len()).unwrap();
            let value = digits * 10_i128.pow(u32::try_from(places).unwrap());
            (text, if negative { -value } else { value })
        },
    )
}

const ONE: i128 = 10_i128.pow(16);

fn ceiling(value: i128) -> i128 {
    value.div_euclid(ONE) + i128::from(value.rem_euclid(ONE) != 0)
}

/// A number of any size, as sign, digits, and how many of them are a fraction.
fn large() -> impl Strategy<Value = (String, LongHand)> {
    (any::<bool>(), "0|[1-9][0-9]{0,30}", "[0-9]{0,30}", -400..=400_i64).prop_map(
        |(negative, whole, fraction, power)| {
            let point = if fraction.is_empty() { "" } else { "." };
            let sign = if negative { "-" } else { "" };
            let text = format!("{sign}{whole}{point}{fraction}e{power}");
            let long =
                LongHand::new(negative, &format!("{whole}{fraction}"), fraction.len(), power);
            (text, long)
        },
    )
}

/// A number written out without an exponent, 800 digits before the point and 800
/// after it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LongHand {
    negative: bool,
    digits: String,
}

impl LongHand {
    const HALF: usize = 800;

    fn new(negative: bool, digits: &str, fraction: usize, power: i64) -> Self {
        // How many places the last digit is to the right of the point.
        let places = i64::try_from(fraction).unwrap() - power;
        let right = usize::try_from(i64::try_from(Self::HALF).unwrap() - places).unwrap();
        let text = format!("{digits}{}", "0".repeat(right));
        let digits = format!("{text:0>width$}", width = 2 * Self::HALF);
        Self { negative: negative && digits.contains(|c| c != '0'), digits }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.digits.cmp(&other.digits),
            (true, true) => other.digits.cmp(&self.digits),
            (a, b) => b.cmp(&a),
        }
    }

    fn whole(&self) -> &str {
        &self.digits[..Self::HALF]
    }

    fn is_integer(&self) -> bool {
        self.digits[Self::HALF..].bytes().all(|b| b == b'0')
    }

    fn to_i64(&self) -> Option<i64> {
        let sign = if self.negative { "-" } else { "" };
        let whole = self.whole().trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let value = format!("{sign}{whole}").parse().ok()?;
        self.is_integer().then_some(value)
    }

    fn shifted(&self, places: i64) -> Self {
        let by = usize::try_from(places.abs()).unwrap();
        let (zeros, kept) = ("0".repeat(by), self.digits.len() - by);
        let digits = if places < 0 {
            format!("{zeros}{}", &self.digits[..kept])
        } else {
            format!("{}{zeros}", &self.digits[by..])
        };
        Self { negative: self.negative, digits }
    }

    fn of(number: &Number<'_>) -> Self {
        let text = number.as_str();
        let unsigned = text.trim_start_matches('-');
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        Self::new(text.starts_with('-'), &digits, fraction.len(), power.parse().unwrap())
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(2000))]

    #[test]
    fn small_numbers((a_text, a) in small(), (b_text, b) in small(), places in -8..=8_i64) {
        let (left, right) = (number(&a_text), number(&b_text));
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        prop_assert_eq!(left == right, a == b);
        prop_assert_eq!(left.is_integer(), a % ONE == 0);
        prop_assert_eq!(left.is_positive(), a > 0);
        let whole = (a % ONE == 0).then_some(a / ONE);
        prop_assert_eq!(left.to_i64(), whole.and_then(|whole| i64::try_from(whole).ok()));
        prop_assert_eq!(left.ceil(), i64::try_from(ceiling(a)).ok());
        prop_assert_eq!(left.to_f64(), a_text.parse().ok());
        let there = left.shift(places);
        prop_assert_eq!(&there.shift(-places), &left);
        prop_assert_eq!(LongHand::of(&there), LongHand::of(&left).shifted(places));
    }

    #[test]
    fn large_numbers((a_text, a) in large(), (b_text, b) in large(), places in -300..=300_i64) {
        let (left, right) = (number(&a_text), number(&b_text));
        prop_assert_eq!(LongHand::of(&left), a.clone());
        prop_assert_eq!(left.cmp(&right), a.compare(&b));
        prop_assert_eq!(left == right, a == b);
        prop_assert_eq!(left.is_integer(), a.is_integer());
        prop_assert_eq!(left.to_i64(), a.to_i64());
        let float: f64 = a_text.parse().unwrap();
        prop_assert_eq!(left.to_f64(), Some(float).filter(|float| float.is_finite()));
        let there = left.shift(places);
        prop_assert_eq!(LongHand::of(&there), a.shifted(places));
        prop_assert!(Number::parse(there.as_str()).is_some());
    }

    /// What is a number, as another library sees it.
    #[test]
    fn syntax(text in "-?[0-9]{0,3}(\\.[0-9]{0,2})?([eE][+-]?[0-9]{0,2})?[-+.e]?") {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        prop_assert_eq!(Number::parse(&text).is_some(), theirs.is_ok_and(|v| v.is_number()));
    }
}

/// An order must hold together, or sorting panics: also for numbers that no
/// arithmetic can reach.
#[test]
fn numbers_in_order() {
    let huge = "1e99999999999999999999";
    let tiny = "1e-99999999999999999999";
    let sorted = [
        &format!("-9{huge}"),
        &format!("-{huge}"),
        "-1e9223372036854775807",
        "-5",
        "-0.5",
        "-1e-9223372036854775807",
        &format!("-{tiny}"),
        "0",
        tiny,
        "1e-9223372036854775807",
        "0.5",
        "1",
        "5",
        "10",
        "1e9223372036854775807",
        huge,
        &format!("9{huge}"),
    ];
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            // Two that are both out of reach have some order, not always theirs.
            let beyond = |text: &str| text.contains("99999999999999999999");
            if i == j || !(beyond(a) && beyond(b)) {
                assert_eq!(number(a).cmp(&number(b)), i.cmp(&j), "{a} {b}");
            }
            assert_eq!(number(a) == number(b), i == j, "{a} {b}");
            assert_eq!(number(a).cmp(&number(b)), number(b).cmp(&number(a)).reverse());
        }
    }
    let mut shuffled: Vec<Number<'_>> = sorted.iter().rev().map(|text| number(text)).collect();
    shuffled.sort();
    assert!(shuffled.is_sorted());
}

#[test]
fn at_the_edges() {
    let i64_of = |text| number(text).to_i64();
    assert_eq!(i64_of("9223372036854775807"), Some(i64::MAX));
    assert_eq!(i64_of("-9223372036854775808"), Some(i64::MIN));
    assert_eq!(i64_of("9223372036854775808"), None);
    assert_eq!(i64_of("-9223372036854775809"), None);
    assert_eq!(i64_of("0e99999999999999999999"), Some(0));
    assert_eq!(i64_of("1e99999999999999999999"), None);
    assert_eq!(i64_of("922337203685477580.70e1"), Some(i64::MAX));

    let ceil = |text| number(text).ceil();
    assert_eq!(ceil("9223372036854775806.1"), Some(i64::MAX));
    assert_eq!(ceil("9223372036854775807.1"), None);
    assert_eq!(ceil("-9223372036854775808.9"), Some(i64::MIN));
    assert_eq!(ceil("-9223372036854775809.9"), None);
    assert_eq!(ceil("-0.9"), Some(0));
    assert_eq!(ceil("1e-400"), Some(1));
    assert_eq!(ceil("1e-99999999999999999999"), Some(1));
    assert_eq!(ceil("-1e-99999999999999999999"), Some(0));
    assert_eq!(ceil("1e99999999999999999999"), None);

    let integer = |text| number(text).is_integer();
    assert!(integer("1e99999999999999999999"));
    assert!(!integer("1e-99999999999999999999"));
    assert!(integer("0e-99999999999999999999"));

    assert_eq!(number("1e400").to_f64(), None);
    assert_eq!(number("-0").to_f64(), Some(0.0));
    assert_eq!(number("-0"), number("0"));
    assert_eq!(number("-0.0e5"), number("0"));
}
