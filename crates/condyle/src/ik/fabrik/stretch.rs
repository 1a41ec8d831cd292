//! Finishing in one go: the pose opened or closed until it reaches as far as the target is away.

use nalgebra::{Point3, Vector3};

use super::super::linkage::Bone;
use super::super::turn::turn_between;

/// What came of it.
pub(super) struct Stretched {
    pub(super) is_reached: bool,
    /// Passes over the bones.
    pub(super) steps: usize,
}

const MOST: usize = 12;

/// Opens or closes the chain towards the target.
///
/// # Method
/// With a the unit vector from base to target and uᵢ the bones, the poses of unit(w uᵢ + (1-w) a) go
/// from the straight chain at w = 0 through the present one at w = 1 to more bent ones. The gap
/// L - |Σ dᵢuᵢ(w)| to full extension grows with w² near w = 0, so √gap is nearly a straight line and
/// a few secant steps find the w at which the chain is as long as the target is far. A turn of the
/// whole then puts its end on the target. FABRIK's own passes need hundreds near full extension, as
/// each moves joints along the bones while what is missing is across them.
pub(super) fn towards(
    at_m: &mut [Point3<f64>],
    bones: &[Bone],
    goal_m: &Point3<f64>,
    tolerance_m: f64,
) -> Stretched {
    let base_m = at_m[0];
    let far_m = goal_m - base_m;
    let far = far_m.norm();
    let missed = |steps| Stretched { is_reached: false, steps };
    if far < 1e-9 {
        return missed(0);
    }
    let towards = far_m / far;
    let full: f64 = bones.iter().map(|bone| bone.length_m).sum();
    let wanted = (full - far).max(0.0).sqrt();
    let root_gap = |end_m: &Vector3<f64>| (full - end_m.norm()).max(0.0).sqrt();
    // √gap is 0 at w = 0 and known at w = 1.
    let (mut low, mut low_value) = (0.0, -wanted);
    let mut high = 1.0;
    let mut high_value = root_gap(&(at_m[at_m.len() - 1] - base_m)) - wanted;
    let mut end_m = at_m[at_m.len() - 1] - base_m;
    let mut w = 1.0;
    let mut steps = 0;
    while steps < MOST {
        let guess = low - low_value * (high - low) / (high_value - low_value);
        if !(guess.is_finite() && guess > 0.0 && guess < 3.0) {
            return missed(steps);
        }
        w = guess;
        end_m = end_at(at_m, bones, &towards, w);
        steps += 1;
        if (end_m.norm() - far).abs() < 0.1 * tolerance_m {
            break;
        }
        let value = root_gap(&end_m) - wanted;
        // Secant: the older of the two goes, unless the root is between (Illinois).
        if (value > 0.0) == (high_value > 0.0) {
            low_value *= if (low_value > 0.0) != (high_value > 0.0) { 0.5 } else { 1.0 };
            if (low_value > 0.0) == (value > 0.0) {
                (low, low_value) = (high, high_value);
            }
        } else {
            (low, low_value) = (high, high_value);
        }
        (high, high_value) = (w, value);
    }
    if (end_m.norm() - far).abs() >= tolerance_m {
        return missed(steps);
    }
    place_end(at_m, bones, &towards, w, &end_m);
    Stretched { is_reached: true, steps: steps + 1 }
}

/// Opens the chain along a way by w and turns it as a whole so that its end is on that way.
pub(super) fn place(at_m: &mut [Point3<f64>], bones: &[Bone], far_m: &Vector3<f64>, w: f64) {
    let Some(towards) = far_m.try_normalize(1e-300) else { return };
    let end_m = end_at(at_m, bones, &towards, w);
    place_end(at_m, bones, &towards, w, &end_m);
}

fn place_end(
    at_m: &mut [Point3<f64>],
    bones: &[Bone],
    towards: &Vector3<f64>,
    w: f64,
    end_m: &Vector3<f64>,
) {
    let turn = turn_between(end_m, towards);
    let mut before_m = at_m[0];
    let mut from_m = at_m[0];
    for (at, bone) in at_m.iter_mut().zip(bones).skip(1) {
        let direction = mixed(&(*at - before_m), towards, w, bone.length_m);
        before_m = *at;
        from_m += turn * direction;
        *at = from_m;
    }
}

/// A bone of the stretched pose, as a vector of its length.
#[inline(always)]
fn mixed(along_m: &Vector3<f64>, towards: &Vector3<f64>, w: f64, length_m: f64) -> Vector3<f64> {
    let mixed = along_m * w + towards * ((1.0 - w) * length_m);
    let square = mixed.norm_squared();
    mixed * (length_m / square.max(1e-300).sqrt())
}

fn end_at(at_m: &[Point3<f64>], bones: &[Bone], towards: &Vector3<f64>, w: f64) -> Vector3<f64> {
    let pairs = at_m.iter().zip(&at_m[1..]).zip(&bones[1..]);
    pairs.map(|((from, to), bone)| mixed(&(to - from), towards, w, bone.length_m)).sum()
}
