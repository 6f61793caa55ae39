//! Compares facts about numbers.

use super::truth::Truth;
use json_text::{Node, Number};

/// A bound; true if the number itself is excluded.
type Bound<'a> = (Number<'a>, bool);

/// Bounds and divisors.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers<'a> {
    min: Option<Bound<'a>>,
    max: Option<Bound<'a>>,
    multiples: Vec<Number<'a>>,
}

impl<'a> Numbers<'a> {
    /// Reads a keyword about numbers. Returns false for any other keyword.
    pub(super) fn assert(&mut self, name: &str, value: Node<'a>) -> bool {
        let Some(number) = value.number() else { return false };
        match name {
            "minimum" => self.raise_min((number, false)),
            "exclusiveMinimum" => self.raise_min((number, true)),
            "maximum" => self.lower_max((number, false)),
            "exclusiveMaximum" => self.lower_max((number, true)),
            "multipleOf" => self.multiples.push(number),
            _ => return false,
        }
        true
    }

    fn raise_min(&mut self, bound: Bound<'a>) {
        if self.min.as_ref().is_none_or(|known| bound > *known) {
            self.min = Some(bound);
        }
    }

    fn lower_max(&mut self, (number, is_excluded): Bound<'a>) {
        if let Some((known, known_excluded)) = &self.max
            && (&number, !is_excluded) >= (known, !known_excluded)
        {
            return;
        }
        self.max = Some((number, is_excluded));
    }

    /// Returns the smallest and the largest integer. Returns `None` if one of them does not
    /// fit `i64`.
    fn integers(&self) -> Option<(Option<i64>, Option<i64>)> {
        let (mut min, mut max) = (None, None);
        if let Some((number, is_excluded)) = &self.min {
            let skip = *is_excluded && number.is_integer();
            min = Some(number.ceil()?.checked_add(i64::from(skip))?);
        }
        if let Some((number, is_excluded)) = &self.max {
            let skip = *is_excluded || !number.is_integer();
            max = Some(number.ceil()?.checked_sub(i64::from(skip))?);
        }
        Some((min, max))
    }

    /// Returns true if no integer is within the bounds.
    pub(super) fn no_integers(&self) -> bool {
        self.bounds_are_empty()
            || matches!(self.integers(), Some((Some(least), Some(most))) if least > most)
    }

    /// Returns true if no number with a fraction is accepted.
    pub(super) fn no_fractions(&self) -> bool {
        let is_integer = match (&self.min, &self.max) {
            (Some((min, _)), Some((max, _))) => min == max && min.is_integer(),
            _ => false,
        };
        is_integer || self.bounds_are_empty() || self.multiples.iter().any(Number::is_integer)
    }

    /// Returns true if infinitely many integers are accepted.
    pub(super) fn is_unbounded(&self) -> bool {
        (self.min.is_none() || self.max.is_none()) && self.multiples.iter().all(Number::is_integer)
    }

    fn bounds_are_empty(&self) -> bool {
        match (&self.min, &self.max) {
            (Some((min, no_min)), Some((max, no_max))) => {
                min > max || (min == max && (*no_min || *no_max))
            }
            _ => false,
        }
    }

    /// Checks that a number is accepted, as far as that can be decided.
    pub(super) fn accepts(&self, number: &Number<'_>) -> Truth {
        if let Some((min, is_excluded)) = &self.min
            && (number < min || (*is_excluded && number == min))
        {
            return Truth::No;
        }
        if let Some((max, is_excluded)) = &self.max
            && (number > max || (*is_excluded && number == max))
        {
            return Truth::No;
        }
        self.multiples.iter().fold(Truth::Yes, |all, divisor| all.and(divides(divisor, number)))
    }

    fn min_implies(&self, other: &Self) -> bool {
        match (&self.min, &other.min) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((min, no_min)), Some((wanted, no_wanted))) => {
                min > wanted || (min == wanted && (*no_min || !*no_wanted))
            }
        }
    }

    fn max_implies(&self, other: &Self) -> bool {
        match (&self.max, &other.max) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((max, no_max)), Some((wanted, no_wanted))) => {
                max < wanted || (max == wanted && (*no_max || !*no_wanted))
            }
        }
    }

    /// Returns true if our multiples are multiples of theirs too. `every` is a divisor of
    /// all numbers in question.
    fn multiples_imply(&self, other: &Self, every: Option<&Number<'_>>) -> bool {
        other.multiples.iter().all(|wanted| {
            self.multiples.iter().chain(every).any(|ours| divides(wanted, ours) == Truth::Yes)
        })
    }
}

/// Checks that the facts of `sub` about integers imply those of `sup`.
pub(super) fn integers_within(sub: &Numbers<'_>, sup: &Numbers<'_>) -> Truth {
    let (mut min_is_within, mut max_is_within) = (sub.min_implies(sup), sub.max_implies(sup));
    let bounds = sub.integers().zip(sup.integers());
    if let Some(((min, max), (wanted_min, wanted_max))) = bounds {
        // `None` is less than any minimum.
        min_is_within |= min >= wanted_min;
        max_is_within |= wanted_max.is_none_or(|wanted| max.is_some_and(|max| max <= wanted));
    }
    if min_is_within && max_is_within && sub.multiples_imply(sup, Some(&Number::from(1))) {
        return Truth::Yes;
    }
    // Look for a number that `sub` accepts and `sup` refuses.
    let Some(((min, max), (wanted_min, wanted_max))) = bounds else { return Truth::Unknown };
    let ends = [
        min,
        max,
        wanted_min.and_then(|n| n.checked_sub(1)),
        wanted_max.and_then(|n| n.checked_add(1)),
        min.and_then(|n| n.checked_add(1)),
        max.and_then(|n| n.checked_sub(1)),
        Some(0),
        Some(1),
    ];
    let step = sub.multiples.first().and_then(Number::to_i64);
    for end in ends.into_iter().flatten() {
        let mut candidates = vec![end];
        if let Some(step @ 1..) = step
            && let Some(multiple) = end.checked_sub(end.rem_euclid(step))
        {
            candidates.push(multiple);
            candidates.extend(multiple.checked_add(step));
        }
        for candidate in candidates.into_iter().map(Number::from) {
            if sub.accepts(&candidate) == Truth::Yes && sup.accepts(&candidate) == Truth::No {
                return Truth::No;
            }
        }
    }
    Truth::Unknown
}

/// Checks that the facts of `sub` about numbers with a fraction imply those of `sup`.
pub(super) fn fractions_within(sub: &Numbers<'_>, sup: &Numbers<'_>) -> Truth {
    let min = sub.min_implies(sup) || is_same_integer(sub.min.as_ref(), sup.min.as_ref());
    let max = sub.max_implies(sup) || is_same_integer(sub.max.as_ref(), sup.max.as_ref());
    if min && max && sub.multiples_imply(sup, None) {
        return Truth::Yes;
    }
    let is_point = match (&sub.min, &sub.max) {
        (Some((min, _)), Some((max, _))) => min == max,
        _ => false,
    };
    // Between any two numbers lies a number that is no multiple of any divisor.
    if sub.multiples.is_empty() && !is_point { Truth::No } else { Truth::Unknown }
}

/// Returns true if both bounds are the same integer. It has no fraction, so it does not
/// matter if it is excluded.
fn is_same_integer(ours: Option<&Bound<'_>>, wanted: Option<&Bound<'_>>) -> bool {
    match (ours, wanted) {
        (Some((ours, _)), Some((wanted, _))) => ours == wanted && ours.is_integer(),
        _ => false,
    }
}

/// Checks that a number is a multiple of a divisor, as far as that is easy to decide.
fn divides(divisor: &Number<'_>, number: &Number<'_>) -> Truth {
    for places in 0..=15 {
        let (divisor, number) = (divisor.shift(places), number.shift(places));
        if divisor.is_integer()
            && number.is_integer()
            && let (Some(divisor @ (..=-1 | 1..)), Some(number)) =
                (divisor.to_i64(), number.to_i64())
        {
            return if number % divisor == 0 { Truth::Yes } else { Truth::No };
        }
    }
    Truth::Unknown
}
