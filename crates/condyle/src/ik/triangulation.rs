//! Triangulation: the law of cosines, once from the base out.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;
use super::turn::across;

/// One pass outward; with `is_two_link` the chain becomes two straight halves.
///
/// # Method
/// At joint i with a the length of its bone, b that of all after it and c the distance to the target:
/// c ≥ a+b points straight at it, c ≤ |a-b| straight away or at it, and otherwise the bone stands at
/// acos((a²+c²-b²)/2ac) to the target, in the plane in which it already was. All bones after it come out
/// straight. The two-link form lets a be the whole first half of the chain, which spreads the one
/// sharp bend of the plain form to the middle.
///
/// # Reference
/// R. Müller-Cajar, R. Mukundan (2007), *Triangulation: a new algorithm for inverse kinematics*.
pub(super) fn solve(solver: &mut Solver, target: &Target, is_two_link: bool) -> Reach {
    solver.is_stale = true;
    let bones = &solver.linkage.bones;
    let at_m = &mut solver.pose.at_m;
    let last = at_m.len() - 1;
    let mut rest: f64 = bones.iter().map(|bone| bone.length_m).sum();
    let half = if is_two_link { halfway(bones.iter().map(|bone| bone.length_m), rest) } else { 0 };
    let mut first: Option<Vector3<f64>> = None;
    for joint in 1..=last {
        let from_m = at_m[joint - 1];
        let a = match is_two_link && joint == 1 {
            true => bones[1..=half].iter().map(|bone| bone.length_m).sum(),
            false => bones[joint].length_m,
        };
        let old = at_m[joint] - from_m;
        if let Some(direction) = first.filter(|_| is_two_link && joint <= half) {
            at_m[joint] = from_m + direction * bones[joint].length_m;
            carry(at_m, joint, &old);
            continue;
        }
        let b = if is_two_link && joint == 1 { rest - a } else { rest - bones[joint].length_m };
        let direction = triangle(&(target.at_m - from_m), &old, a, b);
        first = first.or(Some(direction));
        rest -= if is_two_link && joint == 1 { a } else { bones[joint].length_m };
        at_m[joint] = from_m + direction * bones[joint].length_m;
        carry(at_m, joint, &old);
    }
    Reach::of(((at_m[last] - target.at_m).norm(), 0.0), 1)
}

/// The last bone of the first half: two halves as equal as the bones allow reach nearest.
fn halfway(lengths: impl Iterator<Item = f64>, full: f64) -> usize {
    let mut sum = 0.0;
    let mut best = (f64::INFINITY, 1);
    for (joint, length) in lengths.enumerate() {
        sum += length;
        let off = (full - 2.0 * sum).abs();
        if joint > 0 && off < best.0 {
            best = (off, joint);
        }
    }
    best.1
}

/// What hangs on a joint goes along with it, so that planes of later bones are the present ones.
fn carry(at_m: &mut [nalgebra::Point3<f64>], joint: usize, old: &Vector3<f64>) {
    let by_m = (at_m[joint] - at_m[joint - 1]) - old;
    at_m[joint + 1..].iter_mut().for_each(|at| *at += by_m);
}

/// Where a bone of length a points so that the rest of length b can reach.
fn triangle(to_m: &Vector3<f64>, old: &Vector3<f64>, a: f64, b: f64) -> Vector3<f64> {
    let c = to_m.norm();
    let Some(towards) = to_m.try_normalize(1e-12) else {
        return old.try_normalize(1e-12).unwrap_or_else(Vector3::z);
    };
    if c >= a + b {
        return towards;
    }
    if c <= (a - b).abs() {
        // The longer of the two points away from where the shorter must come back.
        return if a < b { -towards } else { towards };
    }
    let cos = ((a * a + c * c - b * b) / (2.0 * a * c)).clamp(-1.0, 1.0);
    let axis = towards.cross(old);
    let axis = Unit::try_new(axis, 1e-9 * old.norm())
        .unwrap_or_else(|| Unit::new_unchecked(across(&towards)));
    UnitQuaternion::from_axis_angle(&axis, cos.acos()) * towards
}
