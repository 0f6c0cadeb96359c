//! Figures over splits: their mean, the spread of repetitions, and scores put together for one figure over all rows.
//!
//! The unweighted mean over folds is the customary figure (Viaene et al. 2002); a figure of the pooled out-of-fold scores
//! also compares cases of different folds, whose scores come from different models (Forman and Scholz 2010).

use super::plan::Plan;
use crate::error::{Error, ErrorKind};

/// A mean over folds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CvMean {
    /// The unweighted mean of the figures that are defined; `None` where none is.
    pub mean: Option<f64>,
    /// Over how many folds.
    pub n_defined: usize,
    /// In how many folds the figure has no value.
    pub n_undefined: usize,
}

/// The unweighted mean over folds; folds without a value are skipped and counted.
///
/// ```
/// use tribunal::resampling::cv_mean;
///
/// let mean = cv_mean(&[Some(0.8), None, Some(0.9)]);
/// assert_eq!((mean.n_defined, mean.n_undefined), (2, 1));
/// assert!((mean.mean.unwrap() - 0.85).abs() < 1e-15);
/// ```
pub fn cv_mean(figures: &[Option<f64>]) -> CvMean {
    let defined: Vec<f64> = figures.iter().copied().flatten().collect();
    let mean = (!defined.is_empty()).then(|| defined.iter().sum::<f64>() / defined.len() as f64);
    CvMean { mean, n_defined: defined.len(), n_undefined: figures.len() - defined.len() }
}

/// A mean over the folds of all repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct RepeatedMean {
    /// The mean over all folds of all repetitions.
    pub overall: CvMean,
    /// The mean of each repetition.
    pub repetitions: Vec<CvMean>,
    /// The standard deviation of the means of the repetitions; `None` where fewer than two are defined.
    pub sd: Option<f64>,
}

/// The mean over all folds, and how far the repetitions differ; figures stand in the order of the plan's splits.
///
/// # Errors
/// There are not as many figures as splits ([`ErrorKind::BadLength`]).
pub fn repeated_mean(plan: &Plan, figures: &[Option<f64>]) -> Result<RepeatedMean, Error> {
    check_length(figures.len(), plan.n_splits(), "figures")?;
    let repetitions: Vec<CvMean> = figures.chunks(n_splits_together(plan)).map(cv_mean).collect();
    let means: Vec<f64> = repetitions.iter().filter_map(|repetition| repetition.mean).collect();
    Ok(RepeatedMean { overall: cv_mean(figures), sd: standard_deviation(&means), repetitions })
}

/// The figure of pooled out-of-fold values, one a repetition. `values` holds the values of each split's test rows in
/// their order; `figure` gets the values of all rows in the order of the table.
///
/// # Errors
/// As [`out_of_fold`].
pub fn cv_pooled<T: Clone, F>(
    plan: &Plan,
    values: &[Vec<T>],
    figure: impl Fn(&[T]) -> F,
) -> Result<Vec<F>, Error> {
    Ok(out_of_fold(plan, values)?.iter().map(|pooled| figure(pooled)).collect())
}

/// What was found for each row when its fold was tested, in the order of the table, one list a repetition.
///
/// # Errors
/// The values do not fit the plan's test parts ([`ErrorKind::BadLength`]), or a repetition does not test every
/// row once ([`ErrorKind::BadDesign`]).
pub fn out_of_fold<T: Clone>(plan: &Plan, values: &[Vec<T>]) -> Result<Vec<Vec<T>>, Error> {
    check_length(values.len(), plan.n_splits(), "lists of values")?;
    let together = n_splits_together(plan);
    let repetition = |(r, values): (usize, &[Vec<T>])| pooled(plan, r * together, values);
    values.chunks(together).enumerate().map(repetition).collect()
}

fn pooled<T: Clone>(plan: &Plan, first_split: usize, values: &[Vec<T>]) -> Result<Vec<T>, Error> {
    let mut by_row: Vec<Option<T>> = vec![None; plan.n_rows()];
    for (split_idx, values) in (first_split..).zip(values) {
        let test = plan.split(split_idx).test;
        check_length(values.len(), test.len(), "values for a test part")?;
        test.iter().zip(values).for_each(|(&row, value)| by_row[row as usize] = Some(value.clone()));
    }
    by_row.into_iter().collect::<Option<Vec<T>>>().ok_or_else(|| {
        let words =
            format!("{} does not test every row, so its values cannot be pooled; cv:K can", plan.design());
        Error::new(ErrorKind::BadDesign, words)
    })
}

/// How many splits form a repetition.
fn n_splits_together(plan: &Plan) -> usize {
    (0..plan.n_splits()).take_while(|&split_idx| plan.place(split_idx).repetition == 0).count().max(1)
}

fn check_length(found: usize, wanted: usize, what: &str) -> Result<(), Error> {
    if found == wanted {
        return Ok(());
    }
    let words = format!("{found} {what} were given where the plan has {wanted}");
    Err(Error::new(ErrorKind::BadLength, words))
}

fn standard_deviation(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::*;

    fn plan(design: &str) -> Plan {
        Plan::new(&design.parse().expect("a design"), &Rows::new(12), 5).expect("a plan")
    }

    #[test]
    fn undefined_folds_are_skipped_and_counted() {
        assert_eq!(cv_mean(&[None, None]), CvMean { mean: None, n_defined: 0, n_undefined: 2 });
        assert_eq!(cv_mean(&[Some(0.5), None]), CvMean { mean: Some(0.5), n_defined: 1, n_undefined: 1 });
    }

    #[test]
    fn repetitions_are_averaged_apart() {
        let figures = [0.1, 0.3, 0.4, 0.8, 0.5, 0.7].map(Some);
        let found = repeated_mean(&plan("cv:2x3"), &figures).expect("figures");
        assert!((found.overall.mean.expect("a mean") - 2.8 / 6.0).abs() < 1e-15);
        // The means are 0.2, 0.6 and 0.6; their sum of squares around 7/15 is 0.32/3.
        assert!((found.sd.expect("a spread") - (0.16f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(repeated_mean(&plan("cv:6"), &figures).expect("figures").sd, None);
        assert!(repeated_mean(&plan("cv:5"), &figures).is_err());
    }

    #[test]
    fn pooled_values_stand_in_the_order_of_the_table() {
        for design in ["cv:5", "cv:3x2", "loo"] {
            let plan = plan(design);
            let values: Vec<Vec<u32>> = plan.splits().map(|split| split.test).collect();
            for pooled in out_of_fold(&plan, &values).expect("pooled") {
                assert!(pooled.into_iter().eq(0..12), "{design}");
            }
            let sums = cv_pooled(&plan, &values, |pooled| pooled.iter().sum::<u32>()).expect("pooled");
            assert!(sums.into_iter().all(|sum| sum == 66));
        }
        let holdout = plan("holdout");
        let values: Vec<Vec<u32>> = holdout.splits().map(|split| split.test).collect();
        assert_eq!(
            out_of_fold(&holdout, &values).expect_err("part of the rows").kind(),
            ErrorKind::BadDesign
        );
        assert_eq!(out_of_fold(&holdout, &[vec![1]]).expect_err("too few").kind(), ErrorKind::BadLength);
    }
}
