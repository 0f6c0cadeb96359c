//! How often the intervals of corrected figures hold the truth, where cases were acted on by their scores.
