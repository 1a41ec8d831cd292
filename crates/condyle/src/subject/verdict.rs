//! The two words for a joint: its kind, and how well its centre is known. They are decided here and nowhere else.

use nalgebra::Matrix3;
use serde::{Deserialize, Serialize};

/// How a joint moved: what it is may be more than a recording shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// It turned about two axes or more.
    Ball,
    /// It turned about one axis.
    Hinge,
    /// Its segments did not move against each other.
    Fixed,
}

/// How well the centre of a joint is known, by its standard error along the worst direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CentreKnown {
    /// The worst standard error is above 25 mm: a guess in some direction.
    Barely,
    /// It is above 10 mm, and at most 25.
    Fairly,
    /// It is at most 10 mm.
    Well,
}

/// So small a turn can be anything: skin, a bump, breathing. 10 degrees.
pub(super) const MIN_RANGE_RAD: f64 = 0.1745;
/// A turn is one if it is so many times its error.
const MIN_RANGE_TO_ERROR: f64 = 3.0;
/// The range that normal noise alone shows, in standard deviations, without half a per cent on either side.
const RANGE_OF_NOISE: f64 = 5.15;

const MAX_SD_WELL_M: f64 = 0.010;
const MAX_SD_FAIRLY_M: f64 = 0.025;

impl JointKind {
    /// The kind of a joint that turned so far about its principal axes, largest first. `error_rad` is the standard
    /// deviation of the one segment's orientation against the other's, by noise and soft tissue.
    ///
    /// # Method
    /// An axis counts if the joint turned about it by 10 degrees and by three times the error, what noise alone shows
    /// taken off: √(range² - (5.15 error)²).
    pub fn from_ranges(ranges_rad: &[f64; 3], error_rad: f64) -> Self {
        Self::from_turns(ranges_rad, &[error_rad; 3])
    }

    /// The same with the error about each of the axes: few markers tell a turn about one axis much worse than about the
    /// others.
    pub(crate) fn from_turns(ranges_rad: &[f64; 3], errors_rad: &[f64; 3]) -> Self {
        let is_turned = |(range_rad, error_rad): (&f64, &f64)| {
            let least_rad = MIN_RANGE_RAD.max(MIN_RANGE_TO_ERROR * error_rad);
            let by_noise_rad = RANGE_OF_NOISE * error_rad;
            range_rad.powi(2) >= least_rad.powi(2) + by_noise_rad.powi(2)
        };
        // Noise about a poorly told axis may range farther than a turn about another.
        match ranges_rad.iter().zip(errors_rad).filter(|axis| is_turned(*axis)).count() {
            0 => Self::Fixed,
            1 => Self::Hinge,
            _ => Self::Ball,
        }
    }

    /// How the joint moved, in words that name no kind of joint: a hip that swings to and fro turns about one axis.
    pub fn movement(self) -> &'static str {
        match self {
            Self::Ball => "turned about several axes",
            Self::Hinge => "turned about one axis",
            Self::Fixed => "hardly moved",
        }
    }

    /// The name in small letters, as files have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Fixed => "fixed",
        }
    }
}

impl CentreKnown {
    /// By the standard error of the centre along its worst direction.
    pub fn from_sd_m(worst_sd_m: f64) -> Self {
        match worst_sd_m {
            sd_m if sd_m <= MAX_SD_WELL_M => Self::Well,
            sd_m if sd_m <= MAX_SD_FAIRLY_M => Self::Fairly,
            _ => Self::Barely,
        }
    }

    /// By the covariance of the centre.
    pub fn from_covariance_m2(covariance_m2: &Matrix3<f64>) -> Self {
        Self::from_sd_m(covariance_m2.symmetric_eigenvalues().max().max(0.0).sqrt())
    }

    /// The name in small letters, as files have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Well => "well",
            Self::Fairly => "fairly",
            Self::Barely => "barely",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(ranges_deg: [f64; 3], error_deg: f64) -> JointKind {
        JointKind::from_ranges(&ranges_deg.map(f64::to_radians), error_deg.to_radians())
    }

    #[test]
    fn a_ball_has_turned_about_a_second_axis() {
        assert_eq!(kind([101.0, 1.0, 1.0], 0.1), JointKind::Hinge);
        assert_eq!(kind([101.0, 9.0, 8.0], 0.1), JointKind::Hinge);
        assert_eq!(kind([101.0, 12.0, 8.0], 0.1), JointKind::Ball);
        assert_eq!(kind([9.0, 2.0, 1.0], 0.1), JointKind::Fixed);
    }

    #[test]
    fn noise_is_no_turn() {
        // What 3 degrees of noise show on their own.
        assert_eq!(kind([15.5, 15.3, 15.2], 3.0), JointKind::Fixed);
        assert_eq!(kind([80.0, 15.3, 15.2], 3.0), JointKind::Hinge);
        assert_eq!(kind([80.0, 20.0, 15.2], 3.0), JointKind::Ball);
    }

    #[test]
    fn noise_about_a_poorly_told_axis_is_no_turn() {
        let kind = |errors_deg: [f64; 3]| {
            let ranges_rad = [80.0, 40.0, 8.0].map(f64::to_radians);
            JointKind::from_turns(&ranges_rad, &errors_deg.map(f64::to_radians))
        };
        assert_eq!(kind([2.0, 8.0, 2.0]), JointKind::Hinge);
        assert_eq!(kind([2.0, 2.0, 2.0]), JointKind::Ball);
    }

    #[test]
    fn a_centre_is_known_by_its_worst_direction() {
        let words = [0.0, 0.010, 0.0101, 0.025, 0.0251, f64::INFINITY, f64::NAN]
            .map(|sd_m| CentreKnown::from_sd_m(sd_m).name());
        assert_eq!(words, ["well", "well", "fairly", "fairly", "barely", "barely", "barely"]);
        assert!(CentreKnown::Well > CentreKnown::Fairly);
    }
}
