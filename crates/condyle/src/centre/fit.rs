//! An answer with its evidence.

use std::ops::Deref;

use nalgebra::{Matrix3, Point3, Unit, Vector3};

use super::input::covariance_in;
use super::method::Method;
use super::spectrum::Spectrum;

/// What kind of motion the points show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// They spread over a sphere: the centre is determined in every direction.
    Ball,
    /// They lie on an arc in a plane: only the axis through the centre is determined.
    Hinge,
    /// They do not tell, for the reason that [`Shortfall`] names.
    Insufficient,
}

impl Verdict {
    /// The name in small letters, as `--json` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Insufficient => "insufficient",
        }
    }
}

/// Why a verdict is [`Verdict::Insufficient`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shortfall {
    /// Too few samples: so many lie on some sphere, whatever they are.
    Samples,
    /// Too little motion for the noise, or too few samples of it.
    Motion,
    /// The points lie neither on a sphere nor on a circle, whichever was asked for.
    Roundness,
    /// The points lie in no plane, which a circle must.
    Flatness,
    /// The method went astray where another did not: lost digits, a noise that is not that of the
    /// points, an iteration that ended elsewhere.
    Method,
    /// Soft tissue may displace it by more than a tenth of the radius.
    SoftTissue,
}

impl Shortfall {
    /// The name in small letters, as `--json` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Motion => "motion",
            Self::Roundness => "roundness",
            Self::Flatness => "flatness",
            Self::Method => "method",
            Self::SoftTissue => "soft-tissue",
        }
    }
}

/// Whether the noise is small enough against the spread, by the live form of (212) and (213).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Acceptance {
    /// η / (λ_min - η) is below 0.1.
    Good,
    /// It is below 1.
    Doubtful,
    /// It is not: the noise is as large as what the points show of the curvature.
    Rejected,
}

impl Acceptance {
    pub(super) fn of(noise_ratio: f64) -> Self {
        if noise_ratio < 0.1 {
            Self::Good
        } else if noise_ratio < 1.0 {
            Self::Doubtful
        } else {
            Self::Rejected
        }
    }

    /// The name in small letters, as `--json` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Doubtful => "doubtful",
            Self::Rejected => "rejected",
        }
    }
}

/// The axis of a hinge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HingeAxis {
    /// Its direction, up to sign; the largest component is positive.
    pub direction: Unit<Vector3<f64>>,
    /// The standard error of the direction.
    pub standard_error_rad: f64,
}

/// How sure a centre is, and what it rests on.
///
/// # Units
/// Lengths are in the unit of the points, whatever that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// The noise of the points, one standard deviation an axis; 0 if there is no redundancy.
    pub sigma: f64,
    /// The covariance of the centre. On a hinge whose centre is that of the arc, along the axis, it
    /// is that of the plane through the mean of the points: the joint may be anywhere on the axis. A
    /// direction in which the points say nothing has the square of the radius.
    pub covariance: Matrix3<f64>,
    /// How many points were used, of all markers together.
    pub samples: usize,
    /// The smallest eigenvalue of the spread that decides, noise removed: of all three for a ball,
    /// of the two in the plane for a hinge.
    pub smallest_eigenvalue: f64,
    /// Half the opening angle of a uniform cap, or of an arc, that would spread as much.
    pub coverage_rad: f64,
    /// Noise variance over [`Evidence::smallest_eigenvalue`]: ρ of (194), live.
    pub noise_ratio: f64,
    /// What the noise ratio means.
    pub acceptance: Acceptance,
    /// What kind of motion it is.
    pub verdict: Verdict,
    /// What is missing, where the verdict is insufficient.
    pub shortfall: Option<Shortfall>,
    /// The axis, if it is a hinge.
    pub axis: Option<HingeAxis>,
}

/// Where the centre of rotation is, and how sure that is.
///
/// What [`Evidence`] holds can be read from the fit itself: `fit.sigma` is `fit.evidence.sigma`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereFit {
    /// How it was found.
    pub method: Method,
    /// The centre; on a hinge, for methods that know one, the centre of the arc.
    pub centre: Point3<f64>,
    /// The radius.
    pub radius: f64,
    /// Whether an iterative method came to rest; closed forms always do.
    pub converged: bool,
    /// How sure that is.
    pub evidence: Evidence,
}

impl Deref for SphereFit {
    type Target = Evidence;

    fn deref(&self) -> &Evidence {
        &self.evidence
    }
}

impl Evidence {
    /// The root-mean-square error to expect of the centre.
    pub fn standard_error(&self) -> f64 {
        self.covariance.trace().max(0.0).sqrt()
    }

    /// The semi-axes of the ellipsoid that holds the centre with 95 % probability, longest first.
    pub fn error_ellipsoid_95(&self) -> [Vector3<f64>; 3] {
        /// The 95 % quantile of chi-square with three degrees of freedom.
        const CHI_SQUARE_3_95: f64 = 7.814_727_903_251_179;
        let spectrum = Spectrum::new(&self.covariance);
        [2, 1, 0]
            .map(|i| spectrum.vector(i) * (CHI_SQUARE_3_95 * spectrum.values[i].max(0.0)).sqrt())
    }

    /// How many samples of the same motion would bring the standard error down to `error`.
    ///
    /// The error falls with the square root of the number of samples, (53) and (54).
    pub fn samples_for(&self, error: f64) -> f64 {
        self.samples as f64 * (self.standard_error() / error).powi(2)
    }

    pub(super) fn scaled_by(self, unit: f64) -> Self {
        Self {
            sigma: self.sigma * unit,
            covariance: covariance_in(unit, &self.covariance),
            smallest_eigenvalue: self.smallest_eigenvalue * unit * unit,
            ..self
        }
    }
}
