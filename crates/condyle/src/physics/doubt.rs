//! How far off a centre of mass may be: masses come from a table of other people, and joints are known to an error.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use crate::marker_set::body_part;
use crate::opensim::PARTS;
use crate::solid::MassProperties;
use crate::statistics::centroid;
use crate::subject::Subject;

/// Standard deviations of a row of the table: of a mass as a share of itself, and of the place of a centre of mass as a
/// share of the segment's length, along each axis.
///
/// Two tables of independent people differ by these times the root of two. Those of de Leva 1996 and of Dempster 1955 (in
/// D. Winter 2009, table 4.1) differ by 31 % for the mass of a thigh, 19 % for a head, 15 % for a trunk, 6 % for an arm, 2
/// and 9 % for shank and foot: 15 % root mean square; and by 5, 14, 3 and 0.4 % of the length for the centres of thigh,
/// upper arm, forearm and shank: 8 %.
const SHARE_SD: f64 = 0.10;
const CENTRE_SD: f64 = 0.05;

/// What is doubtful of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Doubt {
    /// Bodies with the same row of the table have their errors in common: left and right.
    row: usize,
    /// How far off the place of its centre of mass may be, along each axis.
    centre_sd_m: f64,
    /// How well its place is known from the joints at its ends: a standard error an axis.
    joints_sd_m: f64,
}

/// The doubts of the segments of a person.
pub(super) fn of_person(subject: &Subject) -> Vec<Doubt> {
    let mut rows: Vec<&str> = Vec::new();
    let mut doubt = |segment: usize| {
        let own = &subject.segments()[segment];
        let part = body_part(&own.name).map_or(own.name.as_str(), |(part, _)| part);
        let row = rows.iter().position(|row| *row == part).unwrap_or_else(|| {
            rows.push(part);
            rows.len() - 1
        });
        let above = subject.joint_of(segment);
        let below: Vec<_> = subject.joints().iter().filter(|j| j.parent == segment).collect();
        let ends = above.iter().map(|joint| joint.centre_in_child_m);
        let ends = ends.chain(below.iter().map(|joint| joint.centre_in_parent_m));
        let ends = ends.chain(own.markers.iter().map(|marker| marker.position_in_segment_m));
        let ends: Vec<Point3<f64>> = ends.collect();
        let apart = |a: &Point3<f64>| ends.iter().map(|b| (a - b).norm()).fold(0.0, f64::max);
        let length_m = ends.iter().map(apart).fold(0.0, f64::max);
        // A centre half-way between two joints has half the error of each.
        let variance = |covariance: &Matrix3<f64>| covariance.trace().max(0.0) / 3.0;
        let count = below.len().max(1) as f64;
        let near = above.map_or(0.0, |joint| variance(&joint.covariance_m2));
        let far = below.iter().map(|joint| variance(&joint.covariance_m2)).sum::<f64>() / count;
        // The centre of a trunk is the middle of its markers; where the table has it is another estimate of the same.
        let apart_m = table_centre_m(subject, segment)
            .zip(centroid(own.markers.iter().map(|m| m.position_in_segment_m)));
        let apart_m = apart_m.map_or(0.0, |(table, used)| (table - used).norm() / 6f64.sqrt());
        Doubt {
            row,
            centre_sd_m: apart_m.max(CENTRE_SD * length_m),
            joints_sd_m: 0.5 * (near + far).sqrt(),
        }
    };
    (0..subject.segments().len()).map(&mut doubt).collect()
}

/// Where the table has the centre of mass of a pelvis or a chest: from the joint of the spine to the middle of the hips, and
/// from the roots of the shoulders to the joint of the spine. Two estimates that are equally good differ by √6 times the
/// standard error of one along an axis.
fn table_centre_m(subject: &Subject, segment: usize) -> Option<Point3<f64>> {
    let part = |at: usize| body_part(&subject.segments()[at].name).map(|(part, _)| part);
    let below = |parts: &[&str]| {
        let joints = subject.joints().iter().filter(|joint| joint.parent == segment);
        let joints =
            joints.filter(|joint| part(joint.child).is_some_and(|own| parts.contains(&own)));
        centroid(joints.map(|joint| joint.centre_in_parent_m))
    };
    let name = part(segment)?;
    let (from, to) = match name {
        "pelvis" => (below(&["chest"])?, below(&["thigh"])?),
        "chest" => {
            (below(&["clavicle", "upper arm"])?, subject.joint_of(segment)?.centre_in_child_m)
        }
        _ => return None,
    };
    let share = PARTS.iter().find(|own| own.part == name)?.centre;
    Some(from + (to - from) * share)
}

/// How far a linear function of the centre of mass may be off along each axis, as variances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Variances {
    /// By the table of masses.
    pub masses: Vector3<f64>,
    /// By the joints.
    pub joints: Vector3<f64>,
}

/// What such a function makes of the centres of the bodies, and of their axes.
pub(super) struct Image {
    pub centre: Vector3<f64>,
    pub axes: Matrix3<f64>,
}

/// # Method
/// The centre of mass is C = Σ wᵢcᵢ with wᵢ = mᵢ/Σm. A mass that is off by a share s moves it by s wᵢ(cᵢ − C), a centre
/// that is off by d along axis k of its body by d wᵢ Rᵢeₖ. The rows of a table are independent of each other; the bodies
/// of a row are off together. A linear function of C, such as its acceleration, has the same errors with cᵢ and Rᵢ put
/// through that function.
pub(super) fn variances(
    bodies: &[MassProperties],
    doubts: &[Doubt],
    image: impl Fn(usize) -> Image,
) -> Variances {
    let total_kg: f64 = bodies.iter().map(|body| body.mass_kg).sum();
    let images: Vec<Image> = (0..bodies.len()).map(image).collect();
    let weight = |at: usize| bodies[at].mass_kg / total_kg;
    let whole: Vector3<f64> =
        images.iter().enumerate().map(|(at, own)| own.centre * weight(at)).sum();
    let rows = doubts.iter().map(|doubt| doubt.row + 1).max().unwrap_or(0);
    let mut by_share = vec![Vector3::zeros(); rows];
    let mut by_place = vec![Matrix3::zeros(); rows];
    let mut joints = Vector3::zeros();
    for (at, (doubt, own)) in doubts.iter().zip(&images).enumerate() {
        by_share[doubt.row] += (own.centre - whole) * (weight(at) * SHARE_SD);
        by_place[doubt.row] += own.axes * (weight(at) * doubt.centre_sd_m);
        let off = own.axes * (weight(at) * doubt.joints_sd_m);
        joints += off.component_mul(&off).column_sum();
    }
    let square = |own: &Vector3<f64>| own.component_mul(own);
    let masses = by_share.iter().map(square).sum::<Vector3<f64>>()
        + by_place.iter().map(|own| own.component_mul(own).column_sum()).sum::<Vector3<f64>>();
    Variances { masses, joints }
}

/// Of the centre of mass itself.
pub(super) fn of_centre(
    bodies: &[MassProperties],
    doubts: &[Doubt],
    poses: &[Isometry3<f64>],
) -> Variances {
    variances(bodies, doubts, |at| Image {
        centre: (poses[at] * bodies[at].centre_of_mass_m).coords,
        axes: *poses[at].rotation.to_rotation_matrix().matrix(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn variances_are_those_of_masses_and_places_drawn_at_random() {
        let body = |kg: f64| MassProperties {
            volume_m3: 0.0,
            mass_kg: kg,
            centroid_m: Point3::origin(),
            centre_of_mass_m: Point3::new(0.0, 0.0, 0.1),
            inertia_kg_m2: Matrix3::identity(),
        };
        let bodies = [body(30.0), body(8.0), body(8.0), body(4.0)];
        let rows = [0, 1, 1, 2];
        let doubts = [0, 1, 2, 3].map(|at| Doubt {
            row: rows[at],
            centre_sd_m: 0.02 + 0.01 * at as f64,
            joints_sd_m: 0.004 * at as f64,
        });
        let poses = [0, 1, 2, 3].map(|at| {
            let k = f64::from(at);
            let turn = nalgebra::UnitQuaternion::from_euler_angles(k, 0.3 * k, -k);
            let at_m = nalgebra::Translation3::new((0.4 * k).cos(), 0.5 * k, 1.0 - 0.2 * k);
            Isometry3::from_parts(at_m, turn)
        });
        let own = of_centre(&bodies, &doubts, &poses);
        let centre = |kg: &[f64], off: &[Vector3<f64>]| {
            let total: f64 = kg.iter().sum();
            let place = |at: usize| poses[at] * (bodies[at].centre_of_mass_m + off[at]);
            (0..4).map(|at| place(at).coords * kg[at]).sum::<Vector3<f64>>() / total
        };
        let plain = centre(&[30.0, 8.0, 8.0, 4.0], &[Vector3::zeros(); 4]);
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut draw = || -> f64 { StandardNormal.sample(&mut random) };
        let (mut masses, mut joints) = (Vector3::zeros(), Vector3::zeros());
        let rounds = 20_000;
        for _ in 0..rounds {
            let shares = [0; 3].map(|_| 1.0 + SHARE_SD * draw());
            let places = [0; 3].map(|_| Vector3::from_fn(|_, _| draw()));
            let kg = [0, 1, 2, 3].map(|at| bodies[at].mass_kg * shares[rows[at]]);
            let off = [0, 1, 2, 3].map(|at| places[rows[at]] * doubts[at].centre_sd_m);
            let by_table = centre(&kg, &off) - plain;
            masses += by_table.component_mul(&by_table) / f64::from(rounds);
            let off = doubts.map(|own| Vector3::from_fn(|_, _| own.joints_sd_m * draw()));
            let by_joints = centre(&[30.0, 8.0, 8.0, 4.0], &off) - plain;
            joints += by_joints.component_mul(&by_joints) / f64::from(rounds);
        }
        for axis in 0..3 {
            assert!((own.masses[axis] / masses[axis] - 1.0).abs() < 0.08, "{own:?} {masses}");
            assert!((own.joints[axis] / joints[axis] - 1.0).abs() < 0.08, "{own:?} {joints}");
        }
    }
}
