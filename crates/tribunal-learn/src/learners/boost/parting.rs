//! Parting the rows of a node: those that go left to the front, in place.
//!
//! The first row at the front that goes right changes places with the last at the back that goes left, the second with the
//! last but one, and so on, as in the partition of Hoare (1962). The order that results decides in which order the rows of a
//! child are added up, and so the last bits of its sums.

/// Which side of a split rows go to.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    bins: &'a [u16],
    /// One where missing values, whose bin is 0, are the largest rather than the smallest of all.
    shift: u16,
    below: u16,
}

impl<'a> Sides<'a> {
    /// The sides of rows with these bins: left of a bin, which is not that of missing values, or not.
    pub(super) fn new(bins: &'a [u16], bin: u16, missing_is_left: bool) -> Sides<'a> {
        let shift = u16::from(!missing_is_left);
        Sides { bins, shift, below: bin - shift }
    }

    #[inline]
    pub(super) fn is_left(&self, row: u32) -> bool {
        self.bins[row as usize].wrapping_sub(self.shift) < self.below
    }

    /// Brings rows that go left to the front, and returns how many stand there. If all do, the last is left out: there is
    /// always a row at the back.
    pub(super) fn part(&self, rows: &mut [u32], places: &mut [Vec<u32>; 2]) -> usize {
        let n_left = rows.iter().filter(|&&row| self.is_left(row)).count();
        let (front, back) = rows.split_at_mut(n_left);
        let [in_front, at_back] = places;
        let n_astray = list(in_front, front, |row| !self.is_left(row));
        list(at_back, back, |row| self.is_left(row));
        for (&first, &last) in in_front[..n_astray].iter().zip(at_back[..n_astray].iter().rev()) {
            std::mem::swap(&mut front[first as usize], &mut back[last as usize]);
        }
        n_left.min(rows.len().saturating_sub(1))
    }
}

/// Lists the places of the rows that are asked for, without a branch that nobody could foresee, and returns how many there are.
fn list(places: &mut Vec<u32>, rows: &[u32], is_asked_for: impl Fn(u32) -> bool) -> usize {
    if places.len() < rows.len() {
        places.resize(rows.len(), 0);
    }
    let mut n_found = 0;
    for (place, &row) in (0..).zip(rows) {
        places[n_found] = place;
        n_found += usize::from(is_asked_for(row));
    }
    n_found
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribunal_random::Random;

    /// From both ends inwards, one swap after another.
    fn parted_by_hand(sides: &Sides<'_>, mut rows: Vec<u32>) -> (usize, Vec<u32>) {
        let (mut low, mut high) = (0, rows.len().saturating_sub(1));
        while low < high {
            if sides.is_left(rows[low]) {
                low += 1;
            } else if !sides.is_left(rows[high]) {
                high -= 1;
            } else {
                rows.swap(low, high);
            }
        }
        (low, rows)
    }

    #[test]
    fn rows_change_places_from_both_ends() {
        let mut random = Random::new(1);
        let mut places = Default::default();
        for round in 0..2000 {
            let n_rows = random.below(40) as u32;
            let n_bins = 1 + random.below(6);
            let bins: Vec<u16> = (0..n_rows).map(|_| random.below(n_bins) as u16).collect();
            let sides = Sides::new(&bins, 1 + random.below(n_bins) as u16, round % 2 == 0);
            let mut rows: Vec<u32> = (0..n_rows).collect();
            random.shuffle(&mut rows);
            let expected = parted_by_hand(&sides, rows.clone());
            let n_left = sides.part(&mut rows, &mut places);
            assert_eq!((n_left, rows), expected);
        }
    }

    #[test]
    fn missing_values_go_where_they_are_sent() {
        let bins = [0, 1, 2, 3];
        let check = |missing_is_left: bool, expected: [bool; 4]| {
            let sides = Sides::new(&bins, 2, missing_is_left);
            assert_eq!([0, 1, 2, 3].map(|row| sides.is_left(row)), expected);
        };
        check(true, [true, true, false, false]);
        check(false, [false, true, false, false]);
    }
}
