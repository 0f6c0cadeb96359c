//! Where the weights of a network stand, and which of them share a prior.
//!
//! Weights are packed as the inputs of every hidden unit, the biases of hidden units, the weights of the output, and its
//! bias. Groups are one for each input, with all weights that leave it, and one for each of the other three.

use std::ops::Range;

/// The size of a network with one hidden layer and one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) n_inputs: usize,
    pub(super) n_hidden: usize,
}

impl Layout {
    pub(super) fn n_weights(self) -> usize {
        self.n_hidden * (self.n_inputs + 2) + 1
    }

    pub(super) fn n_groups(self) -> usize {
        self.n_inputs + 3
    }

    /// The place of what leads from an input to a hidden unit; the bias is the input after the last.
    pub(super) fn of_unit(self, unit: usize, input: usize) -> usize {
        if input < self.n_inputs { unit * self.n_inputs + input } else { self.biases().start + unit }
    }

    /// The places of the biases of hidden units.
    pub(super) fn biases(self) -> Range<usize> {
        self.n_hidden * self.n_inputs..self.n_hidden * (self.n_inputs + 1)
    }

    /// The places of the weights of the output.
    pub(super) fn outputs(self) -> Range<usize> {
        self.biases().end..self.biases().end + self.n_hidden
    }

    /// The place of the bias of the output.
    pub(super) fn output_bias(self) -> usize {
        self.outputs().end
    }

    /// The group of a weight.
    pub(super) fn group(self, weight: usize) -> usize {
        match weight {
            weight if weight < self.biases().start => weight % self.n_inputs,
            weight if weight < self.biases().end => self.n_inputs,
            weight if weight < self.outputs().end => self.n_inputs + 1,
            _ => self.n_inputs + 2,
        }
    }

    /// How many weights a group has.
    pub(super) fn group_size(self, group: usize) -> usize {
        if group == self.n_inputs + 2 { 1 } else { self.n_hidden }
    }

    /// The number of a group for each weight in it.
    pub(super) fn spread(self, of_groups: &[f64]) -> Vec<f64> {
        (0..self.n_weights()).map(|weight| of_groups[self.group(weight)]).collect()
    }

    /// The sum over the weights of each group.
    pub(super) fn group_sums(self, of_weight: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_groups()];
        (0..self.n_weights()).for_each(|weight| sums[self.group(weight)] += of_weight(weight));
        sums
    }

    /// The weights of the hidden units, each with its bias behind, one unit after the other.
    pub(super) fn unit_rows(self, weights: &[f64], rows: &mut [f64]) {
        for (unit, row) in rows.chunks_exact_mut(self.n_inputs + 1).enumerate() {
            for (input, place) in row.iter_mut().enumerate() {
                *place = weights[self.of_unit(unit, input)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(n_inputs: usize, n_hidden: usize, groups: &[usize]) {
        let layout = Layout { n_inputs, n_hidden };
        let found: Vec<usize> = (0..layout.n_weights()).map(|weight| layout.group(weight)).collect();
        assert_eq!(found, groups);
        let sizes: Vec<f64> = (0..layout.n_groups()).map(|group| layout.group_size(group) as f64).collect();
        assert_eq!(layout.group_sums(|_| 1.0), sizes);
        assert_eq!(layout.output_bias() + 1, layout.n_weights());
    }

    #[test]
    fn every_weight_has_its_group() {
        check(3, 2, &[0, 1, 2, 0, 1, 2, 3, 3, 4, 4, 5]);
        check(1, 1, &[0, 1, 2, 3]);
        check(0, 2, &[0, 0, 1, 1, 2]);
    }
}
