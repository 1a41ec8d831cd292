//! How far estimates are from the truth, and whether they know it.

use nalgebra::{Matrix3, Point3};

use super::estimate::Estimate;
use super::table::{Table, mm, percent};

/// The 95 % quantile of chi-square with three degrees of freedom.
pub const CHI2_95: f64 = 7.814_727_9;
/// Its median.
const CHI2_50: f64 = 2.365_973_9;
/// The median of the size of a standard normal number.
const NORMAL_50: f64 = 0.674_489_8;
/// Errors are averaged over this many frames at most.
const MOST_FRAMES: usize = 200;

/// One joint of one recording against its truth.
#[derive(Debug, Clone, PartialEq)]
pub struct JointScore {
    /// Its name: `left hip`.
    pub name: String,
    /// What it is: `ball`.
    pub kind: &'static str,
    /// The mean distance to the truth over the frames; `None` if it was not estimated.
    pub error_m: Option<f64>,
    /// The squared distance in the median frame in units of its covariance.
    pub chi2: Option<f64>,
    /// The largest standard deviation in the median frame.
    pub sd_m: Option<f64>,
    /// The error in the median frame along the axes of its ellipsoid, the best known first, in standard deviations.
    pub along: Option<[f64; 3]>,
    /// The mean distance of what needs no fit: the middle between the nearest markers of the two segments.
    pub trivial_m: Option<f64>,
}

impl JointScore {
    /// A joint that nobody has estimated yet.
    pub fn missing(truth: &TrueJoint) -> Self {
        Self {
            name: truth.name.clone(),
            kind: truth.kind,
            error_m: None,
            chi2: None,
            sd_m: None,
            along: None,
            trivial_m: None,
        }
    }

    /// The name without a side.
    pub fn class(&self) -> &str {
        class(&self.name)
    }
}

/// A joint's name without its side.
pub fn class(name: &str) -> &str {
    name.trim_start_matches("left ").trim_start_matches("right ")
}

/// A joint of the truth.
pub struct TrueJoint<'a> {
    /// Its name, as the estimate spells it.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// Where it is in a frame.
    pub position_m: Box<dyn Fn(usize) -> Option<Point3<f64>> + 'a>,
}

/// Scores the joints of an estimate.
pub fn score(estimate: &Estimate, truth: &[TrueJoint]) -> Vec<JointScore> {
    truth.iter().map(|joint| score_joint(estimate, joint)).collect()
}

fn score_joint(estimate: &Estimate, truth: &TrueJoint) -> JointScore {
    let mut score = JointScore::missing(truth);
    let Some(joint) = estimate.joint(&truth.name) else { return score };
    let frames = estimate.frames();
    let error =
        |frame: usize| Some(estimate.position_m(joint, frame)? - (truth.position_m)(frame)?);
    let stride = frames.div_ceil(MOST_FRAMES).max(1);
    let errors: Vec<f64> =
        (0..frames).step_by(stride).filter_map(error).map(|error| error.norm()).collect();
    if errors.is_empty() {
        return score;
    }
    score.error_m = Some(errors.iter().sum::<f64>() / errors.len() as f64);
    let middle = frames / 2;
    let nearest = (0..frames).filter(|frame| error(*frame).is_some());
    let Some(frame) = nearest.min_by_key(|frame| frame.abs_diff(middle)) else { return score };
    if let Some((error, covariance)) = error(frame).zip(estimate.covariance_m2(joint, frame)) {
        score.sd_m = Some(largest_sd_m(&covariance));
        let along = along(&error, &covariance);
        score.chi2 = Some(along.iter().map(|deviations| deviations * deviations).sum());
        score.along = Some(along);
    }
    score
}

/// An error along the axes of its ellipsoid, the best known first, in standard deviations.
pub fn along(error: &nalgebra::Vector3<f64>, covariance: &Matrix3<f64>) -> [f64; 3] {
    let eigen = covariance.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    // A direction that counts as exact counts as known to a micrometre.
    let deviations =
        |i: usize| eigen.eigenvectors.column(i).dot(error) / eigen.eigenvalues[i].max(1e-12).sqrt();
    order.map(deviations)
}

/// The standard deviation along the worst direction.
pub fn largest_sd_m(covariance: &Matrix3<f64>) -> f64 {
    covariance.symmetric_eigenvalues().max().max(0.0).sqrt()
}

/// Scores of a group of joints in one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// How many joints there were.
    pub joints: usize,
    /// How many of them were not estimated.
    pub missing: usize,
    /// The mean of their errors.
    pub error_m: f64,
    /// The 95th percentile of their errors.
    pub error_95_m: f64,
    /// The share whose truth is inside the 95 % ellipsoid, of those with a covariance.
    pub coverage: f64,
    /// The median of their largest standard deviations.
    pub sd_m: f64,
    /// How many times too narrow the error bars are, by the median: less than 1 is too wide.
    pub too_narrow: f64,
    /// The same along the axes of the ellipsoids, the best known first.
    pub along: [f64; 3],
    /// The mean error of what needs no fit.
    pub trivial_m: f64,
}

/// Sums up scores.
pub fn summary<'a>(scores: impl IntoIterator<Item = &'a JointScore>) -> Summary {
    let all: Vec<&JointScore> = scores.into_iter().collect();
    let mut errors: Vec<f64> = all.iter().filter_map(|score| score.error_m).collect();
    let mut chi2: Vec<f64> = all.iter().filter_map(|score| score.chi2).collect();
    let mut sds: Vec<f64> = all.iter().filter_map(|score| score.sd_m).collect();
    let trivial_m: Vec<f64> = all.iter().filter_map(|score| score.trivial_m).collect();
    let inside = chi2.iter().filter(|chi2| **chi2 <= CHI2_95).count();
    Summary {
        joints: all.len(),
        missing: all.len() - errors.len(),
        error_m: errors.iter().sum::<f64>() / errors.len() as f64,
        error_95_m: quantile(&mut errors, 0.95),
        coverage: inside as f64 / chi2.len() as f64,
        sd_m: quantile(&mut sds, 0.5),
        too_narrow: (quantile(&mut chi2, 0.5) / CHI2_50).sqrt(),
        along: [0, 1, 2].map(|axis| {
            let sizes = all.iter().filter_map(|score| Some(score.along?[axis].abs()));
            quantile(&mut sizes.collect::<Vec<f64>>(), 0.5) / NORMAL_50
        }),
        trivial_m: trivial_m.iter().sum::<f64>() / trivial_m.len() as f64,
    }
}

/// A quantile of values; not a number if there are none.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let index = ((values.len() - 1) as f64 * share).round() as usize;
    *values.select_nth_unstable_by(index, f64::total_cmp).1
}

/// The columns of [`Summary::cells`].
pub const COLUMNS: [&str; 7] =
    ["joints", "missing", "error/mm", "95th/mm", "coverage/%", "sd/mm", "bars too narrow"];

/// The columns of [`Summary::more_cells`].
pub const MORE_COLUMNS: [&str; 2] = ["along best, middle, worst axis", "no fit/mm"];

impl Summary {
    /// The cells of a table.
    pub fn cells(&self) -> Vec<String> {
        vec![
            self.joints.to_string(),
            self.missing.to_string(),
            mm(self.error_m),
            mm(self.error_95_m),
            percent(self.coverage),
            mm(self.sd_m),
            format!("{:.2}", self.too_narrow),
        ]
    }

    /// Further cells: by direction, and beside the trivial rule.
    pub fn more_cells(&self) -> Vec<String> {
        let [best, middle, worst] = self.along;
        vec![format!("{best:.2} {middle:.2} {worst:.2}"), mm(self.trivial_m)]
    }
}

/// One row for each class of joints, in the order in which they come first, and one for all.
pub fn by_class(title: &str, scores: &[JointScore]) -> Table {
    let mut table = Table::new(title, &[&["joint"], COLUMNS.as_slice()].concat());
    let mut classes: Vec<&str> = Vec::new();
    for score in scores {
        if !classes.contains(&score.class()) {
            classes.push(score.class());
        }
    }
    for class in classes {
        let of_class = scores.iter().filter(|score| score.class() == class);
        table.row([vec![class.to_owned()], summary(of_class).cells()].concat());
    }
    table.row([vec!["all".to_owned()], summary(scores).cells()].concat());
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn scored(chi2: f64) -> JointScore {
        let (error_m, sd_m) = (Some(0.01), Some(0.01));
        let (along, trivial_m) = (Some([chi2.sqrt(), 0.0, 0.0]), None);
        let (name, kind, chi2) = ("left hip".into(), "ball", Some(chi2));
        JointScore { name, kind, error_m, chi2, sd_m, along, trivial_m }
    }

    #[test]
    fn an_error_counts_along_the_axes_of_its_ellipsoid() {
        let covariance = Matrix3::from_diagonal(&Vector3::new(1e-4, 4e-4, 1e-4));
        let deviations = along(&Vector3::new(0.0, 0.04, 0.0), &covariance);
        assert!((deviations[2].abs() - 2.0).abs() < 1e-9 && deviations[0].abs() < 1e-9);
        assert!((largest_sd_m(&covariance) - 0.02).abs() < 1e-12);
    }

    #[test]
    fn coverage_is_the_share_inside_and_a_missing_joint_counts_as_missing() {
        let mut scores: Vec<JointScore> = [1.0, 2.0, 7.8, 7.9].map(scored).to_vec();
        scores.push(JointScore { error_m: None, chi2: None, sd_m: None, ..scored(0.0) });
        let sum = summary(&scores);
        assert!((sum.coverage - 0.75).abs() < 1e-12);
        assert_eq!((sum.joints, sum.missing), (5, 1));
    }
}
