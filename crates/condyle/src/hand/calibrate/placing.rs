//! The standard hand laid into the markers: which way it faces, then size, place and direction.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::super::chain::Chain;
use super::super::model::{Model, Side};
use super::least_squares::solve;
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

/// Frames that placing looks at, at most.
const MOST_FRAMES: usize = 60;
/// How far a tip of a hand that is not like the standard one is off.
const TIP_M: f64 = 8e-3;
/// What is expected of angles, and how little that counts: abduction, flexion of the base, driving angle.
pub(super) const USUAL_RAD: [f64; 3] = [0.0, 0.45, 0.6];
pub(super) const USUAL_SD_RAD: [f64; 3] = [0.14, 0.6, 0.6];
/// The middle of the markers on the back is about so far along the hand, and how surely.
const MIDDLE: [f64; 3] = [0.28, 0.0, 0.06];
const MIDDLE_SD_M: [f64; 3] = [20e-3, 12e-3, 6e-3];
const TURN_SD_RAD: [f64; 3] = [0.2, 0.2, 0.25];
const SCALE_SD: f64 = 0.10;

/// Lays the standard hand in.
pub(super) fn place(
    standard: &Model,
    samples: &[Sample],
    facing: &Facing,
    is_length_known: bool,
) -> Placed {
    let step = samples.len().div_ceil(MOST_FRAMES).max(1);
    let chosen: Vec<&Sample> = samples.iter().step_by(step).collect();
    let x = facing.along;
    let z = facing.back;
    let matrix = Matrix3::from_rows(&[x.transpose(), z.cross(&x).transpose(), z.transpose()]);
    let turned = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
    let length_m = standard.hand_length_m;
    let scale_sd = if is_length_known { 1e-6 } else { SCALE_SD };
    let placed = |p: &[f64]| {
        let by: [f64; 3] = [0, 1, 2].map(|i| p[i] * TURN_SD_RAD[i]);
        let scale = (p[6] * scale_sd).exp();
        let rotation = turn(&by) * turned;
        let middle =
            Vector3::from_fn(|i, _| MIDDLE[i] * length_m * scale + p[3 + i] * MIDDLE_SD_M[i]);
        let at = middle - rotation * facing.middle_m;
        Placed { hand_from_shape: Isometry3::from_parts(Translation3::from(at), rotation), scale }
    };
    let weight = (20.0 / chosen.len().max(1) as f64).min(1.0).sqrt();
    let solution = solve(vec![0.0; 7], |p, out| {
        let Placed { hand_from_shape, scale } = placed(p);
        let model = standard.clone().scaled(scale);
        for (index, finger) in model.fingers.iter().enumerate() {
            let chain = Chain::of(finger);
            for sample in &chosen {
                let Some(tip_m) = sample.tips_m[index] else { continue };
                let tip_m = hand_from_shape * tip_m;
                let closed = chain.solve(&tip_m, TIP_M);
                let off = chain.marker_m(&closed.angles) - tip_m;
                out.extend(off.iter().map(|x| weight * x / TIP_M));
                out.extend(unusual(&closed).map(|x| weight * x));
            }
        }
    });
    placed(&solution.parameters)
}

/// How far angles are from the usual, in standard deviations.
pub(super) fn unusual(closed: &super::super::closed_form::Closed) -> [f64; 3] {
    let angles = [closed.angles.abduction_rad, closed.angles.flexion_rad[0], closed.drive_rad];
    [0, 1, 2].map(|i| (angles[i] - USUAL_RAD[i]) / USUAL_SD_RAD[i])
}
