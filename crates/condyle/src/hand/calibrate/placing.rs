//! The standard hand laid into the markers: which way it faces, then how its size, place and direction may be.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::super::chain::Chain;
use super::super::closed_form::Closed;
use super::super::model::{Finger, Model, Side};
use super::least_squares::{Parameters, solve};
use super::{Sample, palm, turn};
use crate::error::{Error, Result};

/// Which way a hand faces in the frame of the markers on its back.
#[derive(Debug, Clone)]
pub(super) struct Facing {
    pub side: Side,
    pub evidence: f64,
    along: Vector3<f64>,
    back: Vector3<f64>,
    middle_m: Vector3<f64>,
}

impl Facing {
    /// # Errors
    /// Tips that are all in one place.
    pub fn of(samples: &[Sample], shape: &palm::Shape, side: Option<Side>) -> Result<Self> {
        let middle_m = shape.at_m.iter().fold(Vector3::zeros(), |sum, p| sum + p.coords)
            / shape.at_m.len() as f64;
        let normal = normal_of(&shape.at_m);
        let mean = |fingers: &[usize]| {
            let at = samples.iter().flat_map(|s| fingers.iter().filter_map(|f| s.tips_m[*f]));
            let (sum, count) =
                at.fold((Vector3::zeros(), 0.0), |(sum, count), p| (sum + p.coords, count + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        let all = mean(&[0, 1, 2, 3]).or_else(|| mean(&[4]));
        let one_place =
            || Error::undetermined("tips of fingers: need them apart, got them in one place");
        let all = all.ok_or_else(one_place)?;
        let along = all - middle_m;
        let along =
            (along - normal * normal.dot(&along)).try_normalize(1e-4).ok_or_else(one_place)?;
        // Towards the thumb: from the little finger to the index, or to the thumb.
        let pairs =
            [(0, 3), (0, 2), (1, 3), (1, 2), (0, 1), (2, 3), (4, 3), (4, 2), (4, 1), (4, 0)];
        let across = pairs.iter().find_map(|(a, b)| {
            let by = mean(&[*a])? - mean(&[*b])?;
            let by = by - normal * normal.dot(&by) - along * along.dot(&by);
            by.try_normalize(5e-3)
        });
        // A finger that bends comes back and goes to the palm.
        let (mut xz, mut xx, mut zz) = (0.0, 0.0, 0.0);
        for finger in 0..4 {
            let Some(own) = mean(&[finger]) else { continue };
            for at_m in samples.iter().filter_map(|sample| sample.tips_m[finger]) {
                let off = at_m.coords - own;
                let (x, z) = (off.dot(&along), off.dot(&normal));
                (xz, xx, zz) = (xz + x * z, xx + x * x, zz + z * z);
            }
        }
        let correlation = xz / (xx * zz).sqrt().max(1e-12);
        let height = (all - middle_m).dot(&normal);
        // Without motion: fingers hang to the side of the palm.
        let bends_from = if correlation.abs() > 0.15 {
            normal * correlation.signum()
        } else {
            normal * -height.signum()
        };
        let found = across.map(|across| match bends_from.cross(&along).dot(&across) > 0.0 {
            true => Side::Right,
            false => Side::Left,
        });
        let side = side.or(found).ok_or_else(one_place)?;
        let back = match across {
            Some(across) => {
                let up = along.cross(&across);
                let up = if side == Side::Right { up } else { -up };
                normal * up.dot(&normal).signum()
            }
            None => bends_from,
        };
        let agrees = found == Some(side);
        let evidence =
            if agrees { correlation.abs().min(1.0) } else { -correlation.abs().min(1.0) };
        Ok(Self { side, evidence, along, back, middle_m })
    }

    /// As seen in a mirror.
    pub fn mirrored(&self) -> Self {
        let mirror = |v: Vector3<f64>| Vector3::new(v.x, -v.y, v.z);
        Self {
            along: mirror(self.along),
            back: mirror(self.back),
            middle_m: mirror(self.middle_m),
            ..self.clone()
        }
    }
}

fn normal_of(at_m: &[Point3<f64>]) -> Vector3<f64> {
    let middle = at_m.iter().fold(Vector3::zeros(), |sum, p| sum + p.coords) / at_m.len() as f64;
    let spread = at_m.iter().fold(Matrix3::zeros(), |sum, p| {
        let off = p.coords - middle;
        sum + off * off.transpose()
    });
    let eigen = spread.symmetric_eigen();
    eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned()
}

/// Where the standard hand is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub hand_from_shape: Isometry3<f64>,
    pub scale: f64,
}

/// Frames that the first placing looks at, at most.
const MOST_FRAMES: usize = 60;
/// They count as so many: a hand that is not like the standard one is off in all of them alike.
const INDEPENDENT: f64 = 8.0;
/// How far a tip of a hand that is not like the standard one is off.
const TIP_M: f64 = 8e-3;
/// What is expected of angles, and how little that counts: abduction, flexion of the base, driving angle.
const USUAL_RAD: [f64; 3] = [0.0, 0.45, 0.6];
const USUAL_SD_RAD: [f64; 3] = [0.14, 0.6, 0.6];
/// The same of a thumb: its saddle joint turns as far to either side and bends little.
const USUAL_OF_THUMB_RAD: [f64; 3] = [0.1, 0.0, 0.4];
const USUAL_OF_THUMB_SD_RAD: [f64; 3] = [0.35, 0.25, 0.5];
/// The middle of the markers on the back is about so far along the hand, and how surely: people put them anywhere
/// between wrist and knuckles.
const MIDDLE: [f64; 3] = [0.28, 0.0, 0.06];
const MIDDLE_SD_M: [f64; 3] = [30e-3, 12e-3, 8e-3];
/// About the axes of the hand. Markers near the wrist or on the ulnar side are not parallel to the palm.
const TURN_SD_RAD: [f64; 3] = [0.35, 0.25, 0.25];
/// Hands of adults are 160 to 205 mm long (5th percentile of women to 95th of men): sd 7 % of the standard one.
const SCALE_SD: f64 = 0.07;

/// How the standard hand may lie in the markers: a turn, where their middle is, a size, in standard deviations.
#[derive(Debug, Clone)]
pub(super) struct Placing {
    hand_from_shape: UnitQuaternion<f64>,
    middle_m: Vector3<f64>,
    length_m: f64,
    scale_sd: f64,
}

impl Placing {
    /// How many numbers place a hand.
    pub const PARAMETERS: usize = 7;

    pub fn new(standard: &Model, facing: &Facing, is_length_known: bool) -> Self {
        let (x, z) = (facing.along, facing.back);
        let rows = Matrix3::from_rows(&[x.transpose(), z.cross(&x).transpose(), z.transpose()]);
        let rotation = Rotation3::from_matrix_unchecked(rows);
        Self {
            hand_from_shape: UnitQuaternion::from_rotation_matrix(&rotation),
            middle_m: facing.middle_m,
            length_m: standard.hand_length_m,
            scale_sd: if is_length_known { 1e-6 } else { SCALE_SD },
        }
    }

    pub fn at(&self, p: &[f64]) -> Placed {
        let scale = (p[6] * self.scale_sd).exp();
        let rotation = turn(&[0, 1, 2].map(|i| p[i] * TURN_SD_RAD[i])) * self.hand_from_shape;
        let middle_m =
            Vector3::from_fn(|i, _| MIDDLE[i] * self.length_m * scale + p[3 + i] * MIDDLE_SD_M[i]);
        let at_m = middle_m - rotation * self.middle_m;
        Placed { hand_from_shape: Isometry3::from_parts(Translation3::from(at_m), rotation), scale }
    }

    /// Lays the standard hand in, its proportions kept.
    pub fn begin(&self, standard: &Model, samples: &[Sample]) -> Vec<f64> {
        let step = samples.len().div_ceil(MOST_FRAMES).max(1);
        let chosen: Vec<&Sample> = samples.iter().step_by(step).collect();
        let weight = (INDEPENDENT / chosen.len().max(1) as f64).min(1.0).sqrt();
        let none = standard.fingers.iter().map(|_| 0);
        let start = Parameters::usual(Self::PARAMETERS, none);
        let solution = solve(start, |index, common, _, out| {
            let Placed { hand_from_shape, scale } = self.at(common);
            let finger = standard.fingers[index].clone().scaled(scale);
            let chain = Chain::of(&finger);
            for sample in &chosen {
                let Some(tip_m) = sample.tips_m[index] else { continue };
                let tip_m = hand_from_shape * tip_m;
                let closed = chain.solve(&tip_m, TIP_M);
                let off = chain.marker_m(&closed.angles) - tip_m;
                out.extend(off.iter().map(|x| weight * x / TIP_M));
                out.extend(unusual(&finger, &closed).map(|x| weight * x));
            }
        });
        solution.parameters.common
    }
}

/// How far angles are from the usual, in standard deviations.
pub(super) fn unusual(finger: &Finger, closed: &Closed) -> [f64; 3] {
    let (usual_rad, sd_rad) = match finger.metacarpal {
        Some(_) => (USUAL_RAD, USUAL_SD_RAD),
        None => (USUAL_OF_THUMB_RAD, USUAL_OF_THUMB_SD_RAD),
    };
    let angles = [closed.angles.abduction_rad, closed.angles.flexion_rad[0], closed.drive_rad];
    [0, 1, 2].map(|i| (angles[i] - usual_rad[i]) / sd_rad[i])
}
