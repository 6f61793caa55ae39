//! Times by RFC 3339.

/// Parses a time by RFC 3339. Returns seconds since 1970. A leap second counts as the
/// second after it.
///
/// ```
/// use toolglot_mcpkg::meta::parse_time;
///
/// assert_eq!(parse_time("1970-01-02T01:00:00+01:00"), Some(86_400));
/// assert_eq!(parse_time("2025-11-21T10:00:00Z"), Some(1_763_719_200));
/// assert_eq!(parse_time("2025-02-29T10:00:00Z"), None);
/// ```
pub fn parse_time(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let [year, month, day] = parse_numbers(date, '-', [4, 2, 2])?;
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
    let [hour, minute, second] = parse_numbers(clock, ':', [2, 2, 2])?;
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
    let is_valid = (1..=month_days).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60
        && is_fraction
        && fraction.len() <= 64;
    if !is_valid {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some(seconds - parse_offset(zone)?)
}

/// Returns the offset from UTC, in seconds.
fn parse_offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("Z") {
        return Some(0);
    }
    let (sign, clock) = match zone.split_at_checked(1)? {
        ("+", clock) => (1, clock),
        ("-", clock) => (-1, clock),
        _ => return None,
    };
    let [hour, minute] = parse_numbers(clock, ':', [2, 2])?;
    if hour >= 24 || minute >= 60 {
        return None;
    }
    Some(sign * (hour * 3600 + minute * 60))
}

/// Parses numbers of fixed width between separators.
fn parse_numbers<const N: usize>(
    text: &str,
    separator: char,
    widths: [usize; N],
) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut found = [0; N];
    for (slot, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != width || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *slot = part.parse().ok()?;
    }
    if parts.next().is_some() { None } else { Some(found) }
}

/// Formats seconds since 1970 as a time by RFC 3339, in UTC, for [`parse_time`]. Returns
/// `None` if the year does not have four digits.
///
/// ```
/// use toolglot_mcpkg::meta::format_time;
///
/// assert_eq!(format_time(1_763_719_200).as_deref(), Some("2025-11-21T10:00:00Z"));
/// assert_eq!(format_time(i64::MAX), None);
/// ```
pub fn format_time(seconds: i64) -> Option<String> {
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Eras of 400 years, which begin in March so that a leap day is the last.
    let shifted = day.checked_add(719_468)?;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    if !(0..10_000).contains(&year) {
        return None;
    }
    Some(format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the days since 1970. Years are counted from March, so that a leap day is the
/// last.
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let in_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year
        - 719_468
}
