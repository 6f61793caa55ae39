//! Numbers that keep their spelling and compare by exact value.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// A JSON number: its text, and its exact decimal value on demand.
///
/// Numbers are equal if their values are, regardless of spelling:
///
/// ```
/// use toolglot_json_text::Number;
///
/// let number = |text| Number::parse(text).unwrap();
/// assert_eq!(number("1"), number("1.0"));
/// assert_eq!(number("1e2"), number("100"));
/// assert_ne!(number("9007199254740993"), number("9007199254740992"));
/// assert_eq!(number("1500").shift(-3).as_str(), "1.5");
/// assert_eq!(number("1.5").ceil(), Some(2));
/// ```
#[derive(Clone, Debug)]
pub struct Number<'a>(Cow<'a, str>);

/// `digits` times ten to the power of `exponent`.
struct Decimal<'a> {
    negative: bool,
    /// Without leading or trailing zeros; empty for zero.
    digits: Cow<'a, str>,
    /// A sentinel beyond 64 bits, in either direction, if the exponent does not fit.
    exponent: i128,
    /// True if the exponent fits. Other numbers are equal only if they are spelled alike.
    exact: bool,
}

impl<'a> Number<'a> {
    /// Parses a number in JSON syntax.
    pub fn parse(text: &'a str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent))
            }
            None => (unsigned, "0"),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let plain = !(whole.len() > 1 && whole.starts_with('0'));
        (digits(whole) && digits(fraction) && digits(exponent) && plain)
            .then_some(Self(Cow::Borrowed(text)))
    }

    /// Wraps a number token of the parser.
    pub(super) const fn from_token(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// Returns the number as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the same number with its own copy of the text.
    pub fn into_owned(self) -> Number<'static> {
        Number(Cow::Owned(self.0.into_owned()))
    }

    /// Returns true if the value has no fraction, as in `2`, `2.0` and `20e-1`.
    pub fn is_integer(&self) -> bool {
        if self.0.bytes().all(|b| b.is_ascii_digit()) {
            return true;
        }
        let decimal = self.decimal();
        decimal.exponent >= 0
    }

    /// Returns true if the value is greater than zero.
    pub fn is_positive(&self) -> bool {
        if self.0.starts_with(|c: char| matches!(c, '1'..='9')) {
            return true;
        }
        let decimal = self.decimal();
        !decimal.negative && !decimal.digits.is_empty()
    }

    /// Returns the value if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        let decimal = self.decimal();
        let zeros = usize::try_from(decimal.exponent).ok().filter(|zeros| *zeros < 20)?;
        let sign = if decimal.negative { "-" } else { "" };
        if decimal.digits.is_empty() {
            return Some(0);
        }
        format!("{sign}{}{}", decimal.digits, "0".repeat(zeros)).parse().ok()
    }

    /// Returns the nearest floating-point value if it is finite.
    pub fn to_f64(&self) -> Option<f64> {
        // Most numbers are small integers.
        if self.0.len() < 10 && self.0.bytes().all(|b| b.is_ascii_digit()) {
            let digit = |number: u32, b: u8| number * 10 + u32::from(b - b'0');
            return Some(self.0.bytes().fold(0, digit).into());
        }
        self.0.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Returns the value rounded up to an integer, if that fits.
    pub fn ceil(&self) -> Option<i64> {
        let decimal = self.decimal();
        if decimal.exponent >= 0 {
            return self.to_i64();
        }
        let fraction = usize::try_from(decimal.exponent.unsigned_abs()).unwrap_or(usize::MAX);
        let whole = decimal.digits.len().saturating_sub(fraction);
        let sign = if decimal.negative { "-" } else { "" };
        let whole: i64 = match decimal.digits.get(..whole)? {
            "" => 0,
            digits => format!("{sign}{digits}").parse().ok()?,
        };
        // The fraction is not zero, because `digits` has no trailing zeros.
        whole.checked_add(i64::from(!decimal.negative))
    }

    /// Returns the value times ten to the power of `places`, exactly. A number whose
    /// exponent does not fit 64 bits is returned unchanged.
    #[must_use]
    pub fn shift(&self, places: i64) -> Number<'static> {
        let decimal = self.decimal();
        let sign = if decimal.negative { "-" } else { "" };
        let digits = &decimal.digits;
        let text = match decimal.exponent + i128::from(places) {
            _ if digits.is_empty() => "0".to_owned(),
            _ if !decimal.exact => self.0.clone().into_owned(),
            e @ 0..=20 => {
                format!("{sign}{digits}{:0>1$}", "", usize::try_from(e).unwrap_or(0))
            }
            e @ -20..=-1 => {
                let fraction = usize::try_from(-e).unwrap_or(0);
                let padded = format!("{digits:0>width$}", width = fraction + 1);
                let (whole, rest) = padded.split_at(padded.len() - fraction);
                format!("{sign}{whole}.{rest}")
            }
            e => format!("{sign}{digits}e{e}"),
        };
        Number(Cow::Owned(text))
    }

    /// Returns a text that is the same for two numbers exactly if they are equal.
    pub(super) fn into_canonical(self) -> Cow<'a, str> {
        // Most numbers are short integers, which are canonical already.
        if self.0.len() <= 20 && self.0.bytes().all(|b| b.is_ascii_digit()) {
            return self.0;
        }
        let exact = self.decimal().exact;
        // A number whose exponent does not fit is equal only to the same spelling.
        Cow::Owned(if exact { self.shift(0).0.into_owned() } else { format!("={}", self.0) })
    }

    fn decimal(&self) -> Decimal<'_> {
        let negative = self.0.starts_with('-');
        let unsigned = self.0.strip_prefix('-').unwrap_or(&self.0);
        let (mantissa, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let joined = if fraction.is_empty() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned(format!("{whole}{fraction}"))
        };
        let kept = joined.trim_end_matches('0').len();
        let dropped = joined.len() - kept;
        let places =
            i64::try_from(dropped).unwrap_or(0) - i64::try_from(fraction.len()).unwrap_or(0);
        let digits = match joined {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches('0')),
            Cow::Owned(mut text) => {
                text.truncate(kept);
                let leading = text.len() - text.trim_start_matches('0').len();
                text.drain(..leading);
                Cow::Owned(text)
            }
        };
        if digits.is_empty() {
            return Decimal { negative: false, digits, exponent: 0, exact: true };
        }
        let beyond = if power.starts_with('-') {
            i128::from(i64::MIN) * 4
        } else {
            i128::from(i64::MAX) * 4
        };
        let exact = power.parse::<i64>().ok();
        Decimal {
            negative,
            digits,
            exponent: exact.map_or(beyond, |power| i128::from(power) + i128::from(places)),
            exact: exact.is_some(),
        }
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number<'_> {}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.decimal(), other.decimal());
        let sign = |d: &Decimal<'_>| match (d.digits.is_empty(), d.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_sign = sign(&a).cmp(&sign(&b));
        if by_sign != Ordering::Equal || a.digits.is_empty() {
            return by_sign;
        }
        let magnitude = |d: &Decimal<'_>| d.exponent + i128::try_from(d.digits.len()).unwrap_or(0);
        let by_size = if !a.exact && a.exponent == b.exponent {
            // Both exponents are out of range: order by spelling.
            self.0.cmp(&other.0)
        } else {
            magnitude(&a).cmp(&magnitude(&b)).then_with(|| a.digits.cmp(&b.digits))
        };
        if a.negative { by_size.reverse() } else { by_size }
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<i64> for Number<'_> {
    fn from(value: i64) -> Self {
        Self(Cow::Owned(value.to_string()))
    }
}
