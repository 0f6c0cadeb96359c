//! A part of a list, as a fold is one: what a count of cases of the whole list means inside of it.
//!
//! Whoever can look at 200 cases looks at 200 of the whole list. A fold with a tenth of the list therefore judges its
//! top 20: the same share. Taking the top 200 of every fold would judge a capacity ten times as large.

/// How much of a whole list a part holds, by weight.
///
/// ```
/// use tribunal_eval::ListPart;
///
/// assert_eq!(ListPart::new(100.0, 1000.0).count(200.0), 20.0);
/// assert_eq!(ListPart::WHOLE.count(200.0), 200.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListPart {
    part: f64,
    whole: f64,
}

impl ListPart {
    /// The list itself: counts stay what they are.
    pub const WHOLE: ListPart = ListPart { part: 1.0, whole: 1.0 };

    /// A part of weight `part` of a list of weight `whole`.
    pub fn new(part: f64, whole: f64) -> ListPart {
        ListPart { part, whole }
    }

    /// How many cases of the part stand for so many of the whole list. A count beyond the whole list stays as it is, so
    /// that the metric says that there are too few cases.
    pub fn count(self, of_whole: f64) -> f64 {
        let ListPart { part, whole } = self;
        let is_scaled = whole > 0.0 && part != whole && of_whole <= whole;
        // Rounding must not ask for more cases than the part has.
        if is_scaled { (of_whole * (part / whole)).min(part) } else { of_whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_list_asks_for_no_more_than_the_part_holds() {
        for whole in 1..200_u32 {
            for part in 1..=whole {
                let part = f64::from(part) * 0.7;
                let list = ListPart::new(part, f64::from(whole));
                assert!(list.count(f64::from(whole)) <= part);
            }
        }
    }

    #[test]
    fn counts_beyond_the_list_are_left_for_the_metric_to_refuse() {
        assert_eq!(ListPart::new(10.0, 100.0).count(101.0), 101.0);
        assert_eq!(ListPart::new(0.0, 0.0).count(5.0), 5.0);
    }
}
