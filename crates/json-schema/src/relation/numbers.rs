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

    fn lower_max(&mut self, (number, outside): Bound<'a>) {
        let tighter = |known: &Bound<'_>| (&number, !outside) < (&known.0, !known.1);
        if self.max.as_ref().is_none_or(tighter) {
            self.max = Some((number, outside));
        }
    }

    /// Returns the smallest and the largest integer. Fails if one of them does not fit
    /// `i64`.
    fn integers(&self) -> Result<(Option<i64>, Option<i64>), ()> {
        let min = self.min.as_ref().map(|(number, outside)| {
            let least = number.ceil().ok_or(())?;
            let skip = *outside && number.is_integer();
            least.checked_add(i64::from(skip)).ok_or(())
        });
        let max = self.max.as_ref().map(|(number, outside)| {
            let ceil = number.ceil().ok_or(())?;
            let skip = *outside || !number.is_integer();
            ceil.checked_sub(i64::from(skip)).ok_or(())
        });
        Ok((min.transpose()?, max.transpose()?))
    }

    /// Returns true if no integer is within the bounds.
    pub(super) fn no_integers(&self) -> bool {
        self.bounds_are_empty()
            || matches!(self.integers(), Ok((Some(least), Some(most))) if least > most)
    }

    /// Returns true if no number with a fraction is accepted.
    pub(super) fn no_fractions(&self) -> bool {
        let point = self.min.as_ref().zip(self.max.as_ref());
        let point = point.is_some_and(|((min, _), (max, _))| min == max && min.is_integer());
        self.bounds_are_empty() || point || self.multiples.iter().any(Number::is_integer)
    }

    /// Returns true if infinitely many integers are accepted.
    pub(super) fn is_unbounded(&self) -> bool {
        (self.min.is_none() || self.max.is_none()) && self.multiples.iter().all(Number::is_integer)
    }

    fn bounds_are_empty(&self) -> bool {
        self.min.as_ref().zip(self.max.as_ref()).is_some_and(|((min, open), (max, closed))| {
            min > max || (min == max && (*open || *closed))
        })
    }

    /// Checks that a number is accepted, as far as that can be decided.
    pub(super) fn accepts(&self, number: &Number<'_>) -> Truth {
        let above = self
            .min
            .as_ref()
            .is_none_or(|(min, outside)| if *outside { number > min } else { number >= min });
        let below = self
            .max
            .as_ref()
            .is_none_or(|(max, outside)| if *outside { number < max } else { number <= max });
        if !above || !below {
            return Truth::No;
        }
        self.multiples.iter().fold(Truth::Yes, |all, multiple| {
            all.and(match divides(multiple, number) {
                Some(true) => Truth::Yes,
                Some(false) => Truth::No,
                None => Truth::Unknown,
            })
        })
    }

    fn min_implies(&self, other: &Self) -> bool {
        let Some((wanted, outside)) = &other.min else { return true };
        self.min
            .as_ref()
            .is_some_and(|(min, mine)| min > wanted || (min == wanted && (*mine || !*outside)))
    }

    fn max_implies(&self, other: &Self) -> bool {
        let Some((wanted, outside)) = &other.max else { return true };
        self.max
            .as_ref()
            .is_some_and(|(max, mine)| max < wanted || (max == wanted && (*mine || !*outside)))
    }

    /// Returns true if our multiples are multiples of theirs too. `every` is a divisor of
    /// all numbers in question.
    fn multiples_imply(&self, other: &Self, every: Option<&Number<'_>>) -> bool {
        other.multiples.iter().all(|wanted| {
            let ours = self.multiples.iter().chain(every);
            ours.into_iter().any(|ours| divides(wanted, ours) == Some(true))
        })
    }
}

/// Checks that the facts of `sub` about integers imply those of `sup`.
pub(super) fn integers_within(sub: &Numbers<'_>, sup: &Numbers<'_>) -> Truth {
    let bounds = (sub.integers(), sup.integers());
    let (min, max) = match bounds {
        (Ok((min, max)), Ok((wanted_min, wanted_max))) => (
            wanted_min.is_none_or(|wanted| min.is_some_and(|min| min >= wanted)),
            wanted_max.is_none_or(|wanted| max.is_some_and(|max| max <= wanted)),
        ),
        _ => (false, false),
    };
    let min = min || sub.min_implies(sup);
    let max = max || sub.max_implies(sup);
    if min && max && sub.multiples_imply(sup, Some(&Number::from(1))) {
        return Truth::Yes;
    }
    // Look for a number that `sub` accepts and `sup` refuses.
    let (Ok((min, max)), Ok((wanted_min, wanted_max))) = bounds else {
        return Truth::Unknown;
    };
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
    let step = sub.multiples.first().and_then(Number::to_i64).filter(|step| *step > 0);
    let candidates = ends.into_iter().flatten().flat_map(|end| {
        let down = step.and_then(|step| end.checked_sub(end.rem_euclid(step)));
        let up = down.zip(step).and_then(|(down, step)| down.checked_add(step));
        [Some(end), down, up]
    });
    let found = candidates.flatten().any(|candidate| {
        let candidate = Number::from(candidate);
        sub.accepts(&candidate) == Truth::Yes && sup.accepts(&candidate) == Truth::No
    });
    if found { Truth::No } else { Truth::Unknown }
}

/// Checks that the facts of `sub` about numbers with a fraction imply those of `sup`.
pub(super) fn fractions_within(sub: &Numbers<'_>, sup: &Numbers<'_>) -> Truth {
    // A bound that is an integer has no fraction, so it does not matter if it is included.
    let whole = |ours: &Option<Bound<'_>>, wanted: &Option<Bound<'_>>| {
        ours.as_ref()
            .zip(wanted.as_ref())
            .is_some_and(|((ours, _), (wanted, _))| ours == wanted && ours.is_integer())
    };
    let min = sub.min_implies(sup) || whole(&sub.min, &sup.min);
    let max = sub.max_implies(sup) || whole(&sub.max, &sup.max);
    let multiples = sub.multiples_imply(sup, None);
    if min && max && multiples {
        return Truth::Yes;
    }
    // Between any two numbers lies a number that is no multiple of any divisor.
    let point = sub.min.as_ref().zip(sub.max.as_ref()).is_some_and(|(min, max)| min.0 == max.0);
    if sub.multiples.is_empty() && !point { Truth::No } else { Truth::Unknown }
}

/// Returns true if a number is a multiple of a divisor, or `None` if that is hard to
/// decide.
fn divides(divisor: &Number<'_>, number: &Number<'_>) -> Option<bool> {
    (0..=15).find_map(|places| {
        let (divisor, number) = (divisor.shift(places), number.shift(places));
        let both = divisor.is_integer() && number.is_integer();
        let (divisor, number) = both.then(|| divisor.to_i64().zip(number.to_i64()))??;
        (divisor != 0).then(|| number % divisor == 0)
    })
}
