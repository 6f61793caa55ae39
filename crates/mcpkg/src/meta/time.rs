//! Times by RFC 3339.

/// Seconds since 1970 for a time by RFC 3339. A leap second counts as the one after
/// it.
///
/// ```
/// use mcpkg::meta::parse_time;
///
/// assert_eq!(parse_time("1970-01-02T01:00:00+01:00"), Some(86_400));
/// assert_eq!(parse_time("2025-11-21T10:00:00Z"), Some(1_763_719_200));
/// assert_eq!(parse_time("2025-02-29T10:00:00Z"), None);
/// ```
pub fn parse_time(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let month_days = match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let sound = (1..=month_days).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60
        && is_fraction
        && fraction.len() <= 64;
    sound.then_some(())?;
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some(seconds - offset(zone)?)
}

/// The offset from UTC, in seconds.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("Z") {
        return Some(0);
    }
    let (sign, clock) = match zone.split_at_checked(1)? {
        ("+", clock) => (1, clock),
        ("-", clock) => (-1, clock),
        _ => return None,
    };
    let [hour, minute] = numbers(clock, ':', [2, 2])?;
    (hour < 24 && minute < 60).then_some(sign * (hour * 3600 + minute * 60))
}

/// Numbers of fixed width between separators.
fn numbers<const N: usize>(text: &str, separator: char, widths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (slot, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        let plain = part.len() == width && part.bytes().all(|b| b.is_ascii_digit());
        *slot = plain.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(found)
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days since 1970, counting years from March so that a leap day is the last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let in_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year
        - 719_468
}
