//! How to reach: the method as a value, and its settings.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// A way to reach for targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// Forward and backward reaching (Aristidou 2010), with limits at every step.
    #[default]
    Fabrik,
    /// A chain without limits laid on a circular arc through base and target: closed form.
    Arc,
    /// Cyclic coordinate descent, with limits.
    Ccd,
    /// The transpose of the Jacobian.
    Transpose,
    /// Its pseudo-inverse.
    PseudoInverse,
    /// Damped least squares.
    Dls,
    /// Damped least squares by singular values.
    SvdDls,
    /// Selectively damped least squares (Buss and Kim 2005).
    Sdls,
    /// Triangulation by the law of cosines (Müller-Cajar and Mukundan 2007): one pass outwards.
    Triangulation,
    /// Triangulation with two straight halves instead of one bone and the rest.
    TwoLink,
    /// Follow the leader: one inward pass, the base is let go.
    FollowTheLeader,
    /// Sequential Monte Carlo over the joint turns.
    MonteCarlo,
    /// Damped Gauss-Newton over the joint angles with limits in the step: the yardstick of robotics.
    GaussNewton,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Fabrik,
        Self::Arc,
        Self::Ccd,
        Self::Transpose,
        Self::PseudoInverse,
        Self::Dls,
        Self::SvdDls,
        Self::Sdls,
        Self::Triangulation,
        Self::TwoLink,
        Self::FollowTheLeader,
        Self::MonteCarlo,
        Self::GaussNewton,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fabrik => "fabrik",
            Self::Arc => "arc",
            Self::Ccd => "ccd",
            Self::Transpose => "jt",
            Self::PseudoInverse => "pinv",
            Self::Dls => "dls",
            Self::SvdDls => "svd-dls",
            Self::Sdls => "sdls",
            Self::Triangulation => "triangulation",
            Self::TwoLink => "two-link",
            Self::FollowTheLeader => "ftl",
            Self::MonteCarlo => "smc",
            Self::GaussNewton => "gauss-newton",
        }
    }

    /// Whether it needs a chain without limits and one target at its end.
    pub fn is_for_plain_chains(self) -> bool {
        matches!(self, Self::Arc | Self::Triangulation | Self::TwoLink | Self::FollowTheLeader)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|method| method.name()).collect();
            Error::argument(format!("method: need any of {}; got '{name}'", names.join(", ")))
        })
    }
}

/// Settings of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How.
    pub method: Method,
    /// How near is near enough.
    pub tolerance_m: f64,
    /// The same for orientations.
    pub angle_tolerance_rad: f64,
    /// No more passes than this, new starts included.
    pub max_iterations: usize,
    /// Whether FABRIK may finish by stretching its pose, and by Gauss-Newton where limits slow it
    /// down. Without it, it is Algorithm 1 to the letter.
    pub finish: bool,
    /// Whether a target too far away is answered at once by the straight chain.
    pub shortcut: bool,
    /// How many other starts are tried where limits are in the way. 0 for tracking: a new start may
    /// be far from the last pose.
    pub restarts: usize,
    /// No joint ends farther from where it was: for tracking, a top speed times a frame. FABRIK and
    /// Gauss-Newton keep to it, and rather stay behind a target than jump after it.
    pub max_step_m: f64,
    /// The same as so many times what the targets and the base moved since the last solve, where the
    /// last solve had the same targets and they did move.
    pub max_step_ratio: f64,
    /// λ of the damped methods, in units of the mean bone.
    pub damping: f64,
    /// Where the random numbers of new starts and of Monte Carlo begin.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: Method::default(),
            tolerance_m: 1e-4,
            angle_tolerance_rad: 1e-4,
            max_iterations: 10_000,
            finish: true,
            shortcut: true,
            restarts: 24,
            max_step_m: f64::INFINITY,
            max_step_ratio: f64::INFINITY,
            damping: 1.1,
            seed: 1,
        }
    }
}

impl Options {
    /// For a target that moves a little from frame to frame: the pose stays near the last one, and no
    /// joint goes more than five times as far as the target.
    ///
    /// Solve the first target with [`Options::default`]: tracking tries no other starts, so that an arm at rest with a
    /// hinge at the end of its range may stall.
    pub fn tracking() -> Self {
        Self { restarts: 0, max_step_ratio: 5.0, ..Self::default() }
    }

    /// Algorithm 1 to the letter, for comparison with the document.
    pub fn plain(method: Method) -> Self {
        Self { method, finish: false, restarts: 0, ..Self::default() }
    }

    /// # Errors
    /// A tolerance or damping that is not a positive number.
    /// Whether what is left to a target, a distance and an angle, is within the tolerances.
    pub(super) fn is_met(&self, (distance_m, angle_rad): (f64, f64)) -> bool {
        distance_m <= self.tolerance_m && angle_rad <= self.angle_tolerance_rad
    }

    pub(super) fn check(&self) -> Result<()> {
        for (name, value) in [
            ("tolerance", self.tolerance_m),
            ("angle tolerance", self.angle_tolerance_rad),
            ("damping", self.damping),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::argument(format!(
                    "{name}: need a positive number, got {value}"
                )));
            }
        }
        for (name, most) in
            [("largest step", self.max_step_m), ("ratio of steps", self.max_step_ratio)]
        {
            if most.is_nan() || most <= 0.0 {
                return Err(Error::argument(format!("{name}: need a positive number, got {most}")));
            }
        }
        Ok(())
    }
}
