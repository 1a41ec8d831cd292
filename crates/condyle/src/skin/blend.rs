//! Where the vertices go when bones move.
//!
//! # Method
//! Linear: v' = Σ w_i M_i v with M_i the motion of a bone since rest. A joint that twists by half a turn brings its skin
//! to its axis. Dual quaternions are summed instead, with the sign of the strongest, and made unit: the sum is again a
//! rigid motion, and nothing collapses.
//!
//! # Reference
//! L. Kavan, S. Collins, J. Žára and C. O'Sullivan (2008), *Geometric skinning with approximate dual quaternion
//! blending*, equation 8 and algorithm 1.

use nalgebra::{Isometry3, Point3, Vector3};

use super::weights::Weights;

/// How the motions of several bones are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Blending {
    /// Linear: what files mean and programs do.
    #[default]
    Linear,
    /// By dual quaternions.
    DualQuaternion,
}

/// Three rows of four: a rotation and a shift.
type Rows = [f64; 12];

pub(super) fn pose(
    rest_m: &[Point3<f64>],
    weights: &Weights,
    world_from_rest: &[Isometry3<f64>],
    blending: Blending,
    moved_m: &mut Vec<Point3<f64>>,
) {
    moved_m.clear();
    moved_m.reserve(rest_m.len());
    match blending {
        Blending::Linear => {
            let all: Vec<Rows> = world_from_rest.iter().map(rows).collect();
            let held = weights.joints.iter().zip(&weights.weights);
            moved_m.extend(rest_m.iter().zip(held).map(|(at_m, (joints, shares))| {
                let mut sum = [0.0; 12];
                for (joint, share) in joints.iter().zip(shares) {
                    if *share > 0.0 {
                        let own = &all[usize::from(*joint)];
                        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += share * own);
                    }
                }
                let row = |r: usize| {
                    sum[4 * r] * at_m.x
                        + sum[4 * r + 1] * at_m.y
                        + sum[4 * r + 2] * at_m.z
                        + sum[4 * r + 3]
                };
                Point3::new(row(0), row(1), row(2))
            }));
        }
        Blending::DualQuaternion => {
            let all: Vec<[f64; 8]> = world_from_rest.iter().map(dual).collect();
            let held = weights.joints.iter().zip(&weights.weights);
            moved_m.extend(rest_m.iter().zip(held).map(|(at_m, (joints, shares))| {
                let strongest = &all[usize::from(joints[0])];
                let mut sum = [0.0; 8];
                for (joint, share) in joints.iter().zip(shares) {
                    if *share > 0.0 {
                        let own = &all[usize::from(*joint)];
                        let same: f64 = (0..4).map(|i| own[i] * strongest[i]).sum();
                        let share = if same < 0.0 { -share } else { *share };
                        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += share * own);
                    }
                }
                apply(&sum, at_m)
            }));
        }
    }
}

fn rows(pose: &Isometry3<f64>) -> Rows {
    let turn = pose.rotation.to_rotation_matrix();
    let shift = pose.translation.vector;
    std::array::from_fn(|at| match at % 4 {
        3 => shift[at / 4],
        column => turn[(at / 4, column)],
    })
}

/// Real part w, x, y, z, then the dual part: half the shift times the real part.
fn dual(pose: &Isometry3<f64>) -> [f64; 8] {
    let q = pose.rotation.quaternion();
    let (w, v) = (q.w, Vector3::new(q.i, q.j, q.k));
    let shift = pose.translation.vector;
    let real = -0.5 * shift.dot(&v);
    let other = 0.5 * (shift * w + shift.cross(&v));
    [w, v.x, v.y, v.z, real, other.x, other.y, other.z]
}

fn apply(sum: &[f64; 8], at_m: &Point3<f64>) -> Point3<f64> {
    let length = (0..4).map(|i| sum[i] * sum[i]).sum::<f64>().sqrt();
    let [w, x, y, z, dw, dx, dy, dz] = sum.map(|value| value / length);
    let (v, d) = (Vector3::new(x, y, z), Vector3::new(dx, dy, dz));
    let p = at_m.coords;
    let turned = p + 2.0 * v.cross(&(v.cross(&p) + p * w));
    let shift = 2.0 * (d * w - v * dw + v.cross(&d));
    Point3::from(turned + shift)
}
