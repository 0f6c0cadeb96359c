//! Which stratum is merged with which, where hardly anybody was acted on.

/// What is known of a stratum before any is merged.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) prevalence: u64,
    pub(super) incidence: u64,
    /// Where it stands: one coordinate for each column or each standardised number.
    pub(super) place: Vec<Coordinate>,
}

/// A coordinate of a stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coordinate {
    /// A label: equal or not.
    Label(u32),
    /// A band, in units of the distance of the lowest and the highest.
    Band(f64),
    /// A number on a common scale.
    Number(f64),
}

/// How far two strata are from each other; nothing where they have nothing in common by which one could be called near.
fn distance(a: &[Coordinate], b: &[Coordinate]) -> Option<f64> {
    let mut has_scale = false;
    let mut distance = 0.0;
    for pair in a.iter().zip(b) {
        distance += match pair {
            (Coordinate::Label(a), Coordinate::Label(b)) => {
                has_scale |= a == b;
                f64::from(u8::from(a != b))
            }
            (Coordinate::Band(a), Coordinate::Band(b)) => {
                has_scale = true;
                (a - b).abs()
            }
            (Coordinate::Number(a), Coordinate::Number(b)) => {
                has_scale = true;
                (a - b) * (a - b)
            }
            _ => 1.0,
        };
    }
    has_scale.then_some(distance)
}

/// The group that each cell belongs to in the end, by the place of a cell that stands for it; groups that have fewer than `least`
/// actioned rows were merged with the nearest that has some. Where nothing is near, a group stays as it is.
///
/// The thinnest is merged first. Of groups that are equally near the one with more actioned rows is taken, then the first.
pub(super) fn merged(cells: &[Cell], least: u64) -> Vec<usize> {
    let mut groups: Vec<Group> =
        cells.iter().enumerate().map(|(place, cell)| Group::of(place, cell)).collect();
    let mut is_stuck = vec![false; cells.len()];
    loop {
        let thin = (0..groups.len())
            .filter(|&place| groups[place].is_thin(least) && !is_stuck[groups[place].members[0]])
            .min_by_key(|&place| (groups[place].incidence, groups[place].prevalence));
        let Some(thin) = thin else { break };
        match nearest(cells, &groups, thin) {
            Some(other) => {
                let group = groups.swap_remove(thin);
                // The last group took the place of the one that was removed.
                let other = if other == groups.len() { thin } else { other };
                groups[other].take(group);
            }
            None => is_stuck[groups[thin].members[0]] = true,
        }
    }
    let mut group_of = vec![0; cells.len()];
    for group in &groups {
        let head = group.members.iter().copied().min().unwrap_or(0);
        group.members.iter().for_each(|&member| group_of[member] = head);
    }
    group_of
}

struct Group {
    members: Vec<usize>,
    prevalence: u64,
    incidence: u64,
}

impl Group {
    fn of(place: usize, cell: &Cell) -> Self {
        Self { members: vec![place], prevalence: cell.prevalence, incidence: cell.incidence }
    }

    fn is_thin(&self, least: u64) -> bool {
        self.incidence < least
    }

    fn take(&mut self, other: Group) {
        self.members.extend(other.members);
        self.prevalence += other.prevalence;
        self.incidence += other.incidence;
    }
}

/// The nearest other group that has actioned rows.
fn nearest(cells: &[Cell], groups: &[Group], thin: usize) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (place, group) in
        groups.iter().enumerate().filter(|(place, group)| *place != thin && group.incidence > 0)
    {
        let pairs = groups[thin].members.iter().flat_map(|a| group.members.iter().map(move |b| (*a, *b)));
        let apart = pairs.filter_map(|(a, b)| distance(&cells[a].place, &cells[b].place)).reduce(f64::min);
        let Some(apart) = apart else { continue };
        let is_nearer = best.is_none_or(|(least, known)| {
            let order = apart.total_cmp(&least).then(groups[known].incidence.cmp(&group.incidence));
            order.then(group.members[0].cmp(&groups[known].members[0])).is_lt()
        });
        if is_nearer {
            best = Some((apart, place));
        }
    }
    best.map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bands(incidence: &[u64]) -> Vec<Cell> {
        let last = (incidence.len() - 1) as f64;
        let cell = |(place, &incidence): (usize, &u64)| Cell {
            prevalence: 10,
            incidence,
            place: vec![Coordinate::Band(place as f64 / last)],
        };
        incidence.iter().enumerate().map(cell).collect()
    }

    #[test]
    fn thin_bands_join_their_neighbours() {
        assert_eq!(merged(&bands(&[5, 5, 5]), 2), [0, 1, 2]);
        assert_eq!(merged(&bands(&[0, 0, 1, 9, 9]), 2), [0, 0, 0, 0, 4]);
        assert_eq!(merged(&bands(&[9, 0, 12]), 1), [0, 1, 1]);
        assert_eq!(merged(&bands(&[0, 0]), 1), [0, 1]);
    }

    #[test]
    fn labels_are_near_where_they_share_one() {
        let cell = |labels: [u32; 2], incidence| Cell {
            prevalence: 10,
            incidence,
            place: labels.map(Coordinate::Label).to_vec(),
        };
        let cells = [cell([0, 0], 0), cell([0, 1], 7), cell([1, 0], 9), cell([1, 1], 50)];
        assert_eq!(merged(&cells, 2), [0, 1, 0, 3]);
        // A single column of labels has no order.
        let alone =
            |label, incidence| Cell { prevalence: 10, incidence, place: vec![Coordinate::Label(label)] };
        assert_eq!(merged(&[alone(0, 0), alone(1, 7)], 2), [0, 1]);
    }
}
