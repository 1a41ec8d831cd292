//! The point that is fixed in two bodies at once: O'Brien's two-sided fit, with its evidence.

use nalgebra::{Matrix3, Matrix6, Point3, SVD, U3, Unit, Vector3};

use super::pair::PairSums;
use crate::error::{Error, Result};

/// What is known beforehand of two bodies, and what to do where their motion says nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairRule {
    /// How noisy orientations may be: one standard deviation about an axis. Turning less than twice as
    /// much is no turning.
    pub orientation_noise_rad: f64,
    /// The largest predicted error of the centre along a direction; beyond it the direction is left open.
    pub max_axial_error_m: f64,
    /// How noisy the orientations of child and parent are where that was measured. It replaces
    /// `orientation_noise_rad`, and what it does to the fit is divided out.
    pub measured_noise_rad: Option<[f64; 2]>,
}

impl Default for PairRule {
    /// A third of a degree, a centimetre, and the answer of the document.
    fn default() -> Self {
        Self { orientation_noise_rad: 0.005, max_axial_error_m: 0.01, measured_noise_rad: None }
    }
}

/// How two bodies move against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairMotion {
    /// About two axes or more: the joint is a point.
    Ball,
    /// About one axis: the joint is that line, the centre its point nearest to both origins.
    Hinge,
    /// Hardly at all: the centre is the point nearest to both origins, and means nothing.
    None,
}

impl PairMotion {
    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::None => "none",
        }
    }
}

/// A direction seen from both bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairAxis {
    /// In the child's frame.
    pub in_child: Unit<Vector3<f64>>,
    /// In the parent's frame.
    pub in_parent: Unit<Vector3<f64>>,
}

/// A joint between two bodies, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairFit {
    /// The centre in the child's frame, in metres.
    pub centre_in_child_m: Point3<f64>,
    /// The centre in the parent's frame, in metres.
    pub centre_in_parent_m: Point3<f64>,
    /// The covariance of both, the child's three coordinates first, as if every frame erred anew. Along
    /// open directions the variance is that of a guess: half the distance of the bodies, squared.
    pub covariance_m2: Matrix6<f64>,
    /// What a unit of variance in every frame alike would do to the centres; nothing along open
    /// directions.
    pub amplification: Matrix6<f64>,
    /// The rms distance between the two, seen from the world.
    pub residual_m: f64,
    /// How many frames were used.
    pub samples: usize,
    /// The singular values √(n(1 ± s)) of the stacked equations, largest first.
    pub singular_values: [f64; 6],
    /// How many of them were used: 6 for a ball, 5 for a hinge, 3 without motion.
    pub rank: usize,
    /// How the bodies move against each other.
    pub motion: PairMotion,
    /// The direction about which they turn, if it is one; otherwise that along which the centre is
    /// least certain.
    pub axis: PairAxis,
}

impl PairFit {
    /// How far the bodies turn against each other, in the root mean square: 1 - s of an axis is half the mean square of
    /// the rotation across it, so that all three add up to the whole.
    pub fn turned_rad(&self) -> f64 {
        let [_, _, _, small @ ..] = self.singular_values;
        (small.iter().map(|value| value * value).sum::<f64>() / self.samples as f64).sqrt()
    }

    /// The standard error of the centre along its worst direction, in the parent's frame.
    pub fn worst_sd_m(&self) -> f64 {
        let in_parent: Matrix3<f64> = self.covariance_m2.fixed_view::<3, 3>(3, 3).into();
        in_parent.symmetric_eigenvalues().max().max(0.0).sqrt()
    }
}

/// Below this 1 - s is rounding.
const LEAST_TURNING: f64 = 1e-13;
/// Orientations less noisy than this (rad) bend no answer.
const LEAST_NOISE_RAD: f64 = 1e-3;

/// The equations in the axes of M/n = U S Vᵀ, where they fall apart.
struct Apart {
    u: Matrix3<f64>,
    v: Matrix3<f64>,
    /// 1 - s and 1 + s for every axis, least turning first, noise divided out.
    loose: Vector3<f64>,
    stiff: Vector3<f64>,
    /// As the sums have them.
    s: Vector3<f64>,
    child_d: Vector3<f64>,
    parent_d: Vector3<f64>,
}

impl PairSums {
    /// The joint.
    ///
    /// # Method
    /// See [`PairSums`]. Noise of the orientations, σ about every axis, shortens M by (1 - σ_c²)(1 - σ_p²)
    /// and the sums with d by (1 - σ²) of their body; where it was measured it is divided out, or weakly
    /// moved joints would be drawn towards the origins.
    ///
    /// # Errors
    /// Fewer than two frames, or poses that are not finite.
    pub fn fit(&self, rule: &PairRule) -> Result<PairFit> {
        if self.n < 2.0 {
            return Err(Error::undetermined(format!(
                "joint: need 2 frames in which both bodies are seen, got {}",
                self.n
            )));
        }
        let apart = self.apart(rule)?;
        let (c, l) = apart.solve(self.n, [false; 3]);
        let noise_m = self.residual_m(&c, &l);
        let limit_rad = match rule.measured_noise_rad {
            Some([c, p]) => (2.0 * (c * c + p * p)).sqrt(),
            None => 2.0 * rule.orientation_noise_rad,
        };
        // Singular values come largest first: the least turning is about the first direction.
        let turning = |axis: usize| (1.0 - apart.s[axis]).max(0.0).sqrt();
        let is_observable = |axis: usize| {
            let is_sure = noise_m <= rule.max_axial_error_m * turning(axis) * self.n.sqrt();
            turning(axis) >= limit_rad && is_sure
        };
        let motion = motion([is_observable(0), is_observable(1)]);
        let rank = rank(motion);
        let open = open(rank);
        let freedom = (3.0 * self.n - rank as f64).max(1.0);
        let sigma_m2 = noise_m.powi(2) * self.n / freedom;
        let guess_m2 = (0.5 * self.distance_m()).powi(2);
        let (centre_in_child_m, centre_in_parent_m) = apart.solve(self.n, open);
        let value = |factor: f64| (self.n * factor.max(0.0)).sqrt();
        let s = &apart.s;
        Ok(PairFit {
            centre_in_child_m,
            centre_in_parent_m,
            covariance_m2: apart.spread(
                open,
                |axis| {
                    let told_m2 = 2.0 * sigma_m2 / (self.n * apart.loose[axis]);
                    // Both a guess and what was measured: never worse than the guess.
                    let least_m2 = told_m2 * 4.0 * guess_m2 / (told_m2 + 4.0 * guess_m2);
                    let loose_m2 = if guess_m2 > 0.0 { least_m2 } else { told_m2 };
                    let stiff_m2 = 2.0 * sigma_m2 / (self.n * apart.stiff[axis]);
                    [loose_m2, stiff_m2]
                },
                4.0 * guess_m2,
            ),
            amplification: apart.spread(
                open,
                |axis| [2.0 / apart.loose[axis], 2.0 / apart.stiff[axis]],
                0.0,
            ),
            residual_m: self.residual_m(&centre_in_child_m, &centre_in_parent_m),
            samples: self.samples(),
            singular_values: [
                value(1.0 + s[0]),
                value(1.0 + s[1]),
                value(1.0 + s[2]),
                value(1.0 - s[2]),
                value(1.0 - s[1]),
                value(1.0 - s[0]),
            ],
            rank,
            motion,
            axis: PairAxis {
                in_child: Unit::new_normalize(apart.u.column(0).into()),
                in_parent: Unit::new_normalize(apart.v.column(0).into()),
            },
        })
    }

    fn apart(&self, rule: &PairRule) -> Result<Apart> {
        let no_numbers = || Error::undetermined("joint: need finite poses, got others");
        let svd: SVD<f64, U3, U3> = (self.m / self.n)
            .try_svd(true, true, f64::EPSILON, 1000)
            .filter(|svd| svd.singular_values.iter().all(|s| s.is_finite()))
            .ok_or_else(no_numbers)?;
        let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else { return Err(no_numbers()) };
        let s = svd.singular_values.map(|s| s.min(1.0));
        let [of_child, of_parent] = rule.measured_noise_rad.map_or([1.0; 2], |noise| {
            noise.map(|rad| if rad > LEAST_NOISE_RAD { 1.0 - rad * rad } else { 1.0 })
        });
        let true_s = s.map(|s| (s / (of_child * of_parent)).min(1.0));
        Ok(Apart {
            u,
            v: v_t.transpose(),
            loose: true_s.map(|s| 1.0 - s),
            stiff: true_s.map(|s| 1.0 + s),
            s,
            child_d: u.tr_mul(&self.child_d) / of_child,
            parent_d: v_t * self.parent_d / of_parent,
        })
    }
}

impl Apart {
    /// Both centres. Nothing is taken along the sum of both at open axes.
    fn solve(&self, n: f64, open: [bool; 3]) -> (Point3<f64>, Point3<f64>) {
        let (mut c, mut l) = (Vector3::zeros(), Vector3::zeros());
        for axis in 0..3 {
            // In the sum of c′ and l′ the eigenvalue is n(1 - s), in the difference n(1 + s).
            let stiff = (self.child_d[axis] + self.parent_d[axis]) / self.stiff[axis];
            let loose = if open[axis] || self.loose[axis] <= LEAST_TURNING {
                0.0
            } else {
                (self.child_d[axis] - self.parent_d[axis]) / self.loose[axis]
            };
            c[axis] = 0.5 * (loose + stiff) / n;
            l[axis] = 0.5 * (loose - stiff) / n;
        }
        (Point3::from(self.u * c), Point3::from(self.v * l))
    }

    /// A matrix over child and parent from the variances of c′ + l′ and c′ - l′ at every axis, the first
    /// of them `guessed` where the axis is open.
    fn spread(
        &self,
        open: [bool; 3],
        of: impl Fn(usize) -> [f64; 2],
        guessed: f64,
    ) -> Matrix6<f64> {
        let mut all = Matrix6::zeros();
        for (axis, is_open) in open.into_iter().enumerate() {
            let [loose, stiff] = of(axis);
            let is_open = is_open || self.loose[axis] <= LEAST_TURNING;
            let loose = if is_open { guessed } else { loose };
            let (alone, together) = (0.25 * (loose + stiff), 0.25 * (loose - stiff));
            let (c, l) = (self.u.column(axis), self.v.column(axis));
            let mut add = |row: usize, column: usize, block: Matrix3<f64>| {
                let mut view = all.fixed_view_mut::<3, 3>(row, column);
                view += block;
            };
            add(0, 0, c * c.transpose() * alone);
            add(3, 3, l * l.transpose() * alone);
            add(0, 3, c * l.transpose() * together);
            add(3, 0, l * c.transpose() * together);
        }
        all
    }
}

/// How bodies move of which the motion tells the least and the second least told direction, or not.
fn motion([least, second]: [bool; 2]) -> PairMotion {
    match (least, second) {
        (true, _) => PairMotion::Ball,
        (false, true) => PairMotion::Hinge,
        (false, false) => PairMotion::None,
    }
}

fn rank(motion: PairMotion) -> usize {
    match motion {
        PairMotion::Ball => 6,
        PairMotion::Hinge => 5,
        PairMotion::None => 3,
    }
}

/// Which of three directions, least turning first, are left open.
fn open(rank: usize) -> [bool; 3] {
    [rank < 6, rank < 5, rank < 5]
}
