//! FABRIK as Algorithm 5 has it: every joint goes to the nearest point of a sphere about its neighbour.

use nalgebra::Point3;

use super::nearest::point_to_sphere;
use super::objects::sphere;

/// Reaches from the present positions; how many iterations it took.
///
/// The printed backward stage assigns pᵢ where it must assign pᵢ₊₁. Positions are those of Algorithm 1;
/// it only takes longer.
pub fn reach_in_spheres(
    at_m: &mut [Point3<f64>],
    target_m: &Point3<f64>,
    tolerance_m: f64,
    max_iterations: usize,
) -> usize {
    let Some(last) = at_m.len().checked_sub(1).filter(|last| *last > 0) else { return 0 };
    let lengths: Vec<f64> = at_m.windows(2).map(|pair| (pair[1] - pair[0]).norm()).collect();
    let base_m = at_m[0];
    let mut iterations = 0;
    while (at_m[last] - target_m).norm() > tolerance_m && iterations < max_iterations {
        at_m[last] = *target_m;
        for joint in (0..last).rev() {
            let about = sphere(&at_m[joint + 1], lengths[joint]);
            at_m[joint] = point_to_sphere(&at_m[joint], &about, &at_m[joint]);
        }
        at_m[0] = base_m;
        for joint in 0..last {
            let about = sphere(&at_m[joint], lengths[joint]);
            at_m[joint + 1] = point_to_sphere(&at_m[joint + 1], &about, &at_m[joint + 1]);
        }
        iterations += 1;
    }
    iterations
}
