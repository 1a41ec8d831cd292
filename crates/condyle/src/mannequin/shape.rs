//! The solid of a segment.

use nalgebra::{Point3, Vector3};

use super::middle;
use super::person::Person;
use crate::solid::{FillMethod, RoundCone, Solid, hull};
use crate::subject::Subject;

/// Corners around a limb.
const AROUND: usize = 16;
/// The radius of a marker, which sits on the skin.
const MARKER_M: f64 = 0.007;
/// Limbs are at least and at most so thick, as shares of their length.
const THICKNESS: [f64; 2] = [0.07, 0.30];
/// The same in metres.
const RADII_M: [f64; 2] = [0.012, 0.16];
/// So thick is what no marker tells.
const USUAL: f64 = 0.15;
/// A segment without a length is a ball of this radius.
const BALL_M: f64 = 0.03;

/// What is as wide as this about a point, along the axes.
pub(super) struct Round {
    pub centre_m: Point3<f64>,
    pub half_m: Vector3<f64>,
}

impl Round {
    /// A ball.
    pub fn ball(centre_m: Point3<f64>, radius_m: f64) -> Self {
        Self { centre_m, half_m: Vector3::repeat(radius_m) }
    }
}

/// Tetrahedra of the hull of ellipsoids.
pub(super) fn hull_of(rounds: &[Round]) -> Option<Solid> {
    let ball = RoundCone { ends_m: [Point3::origin(); 2], radii_m: [1.0; 2] }.surface(AROUND)?;
    let points: Vec<Point3<f64>> = rounds
        .iter()
        .flat_map(|round| {
            let place = |at: &Point3<f64>| round.centre_m + at.coords.component_mul(&round.half_m);
            ball.vertices_m().iter().map(place)
        })
        .collect();
    Solid::try_from(hull(&points)?.fill(FillMethod::Any).ok()?).ok()
}

/// The solid of a segment in its own frame: tetrahedra; `None` of what is not finite. People have the shape of their
/// parts; whatever else has the simplest that holds its joints and reaches its markers.
pub(super) fn solid(subject: &Subject, person: Option<&Person>, segment: usize) -> Option<Solid> {
    let of_person = person.and_then(|person| person.solid(segment));
    of_person.or_else(|| simple(subject, segment))
}

fn simple(subject: &Subject, segment: usize) -> Option<Solid> {
    let markers: Vec<Point3<f64>> = subject.segments()[segment]
        .markers
        .iter()
        .map(|marker| marker.position_in_segment_m)
        .collect();
    let own = subject.joint_of(segment).map(|joint| joint.centre_in_child_m);
    let below: Vec<Point3<f64>> = subject
        .joints()
        .iter()
        .filter(|joint| joint.parent == segment)
        .map(|joint| joint.centre_in_parent_m)
        .collect();
    let joints: Vec<Point3<f64>> = own.into_iter().chain(below.iter().copied()).collect();
    match joints[..] {
        [] => limb(middle(markers.iter().copied())?, None, &markers),
        [only] => limb(only, end(only, &markers), &markers),
        [from, to] => limb(from, Some(to), &markers),
        _ => trunk(&joints, &markers),
    }
}

/// Towards the middle of the markers, as far as the farthest.
fn end(from: Point3<f64>, markers: &[Point3<f64>]) -> Option<Point3<f64>> {
    let direction = (middle(markers.iter().copied())? - from).try_normalize(1e-3)?;
    let far = markers.iter().map(|marker| (marker - from).dot(&direction)).fold(0.0, f64::max);
    (far > 1e-2).then(|| from + direction * far)
}

/// A round cone from joint to joint, or to where the markers end.
fn limb(from: Point3<f64>, to: Option<Point3<f64>>, markers: &[Point3<f64>]) -> Option<Solid> {
    let to = to.filter(|to| (to - from).norm() > 1e-2);
    let Some(to) = to else {
        let cone = RoundCone { ends_m: [from; 2], radii_m: [BALL_M; 2] };
        return Solid::try_from(cone.tetrahedra(AROUND)?).ok();
    };
    let along = to - from;
    let length_m = along.norm();
    let way = along / length_m;
    // Markers count by how near they are to an end.
    let radius = |end: f64| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for marker in markers {
            let arm = marker - from;
            let share = arm.dot(&way) / length_m;
            if !(-0.3..=1.3).contains(&share) {
                continue;
            }
            let weight = 1.0 / (0.05 + (share - end).powi(2));
            sum += weight * ((arm - way * arm.dot(&way)).norm() - MARKER_M);
            weights += weight;
        }
        let radius = if weights > 0.0 { sum / weights } else { USUAL * length_m };
        let [thin, thick] = THICKNESS.map(|share| share * length_m);
        radius.clamp(thin, thick.max(thin)).clamp(RADII_M[0], RADII_M[1])
    };
    let cone = RoundCone { ends_m: [from, to], radii_m: [radius(0.0), radius(1.0)] };
    Solid::try_from(cone.tetrahedra(AROUND)?).ok()
}

/// The hull of a sphere at every joint.
fn trunk(joints: &[Point3<f64>], markers: &[Point3<f64>]) -> Option<Solid> {
    let centre = middle(joints.iter().copied())?;
    let spread = joints.iter().map(|joint| (joint - centre).norm()).fold(0.0, f64::max);
    // As deep as the markers are from the plane of the joints, or from their line.
    let mut scatter = nalgebra::Matrix3::zeros();
    for joint in joints {
        let arm = joint - centre;
        scatter += arm * arm.transpose();
    }
    let eigen = scatter.symmetric_eigen();
    let normal: Vector3<f64> = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into();
    let depths = markers.iter().map(|marker| (marker - centre).dot(&normal).abs());
    let depth = crate::statistics::median(depths).unwrap_or(USUAL * spread);
    let radius =
        (depth - MARKER_M).clamp(0.15 * spread, 0.7 * spread).clamp(RADII_M[0], RADII_M[1]);
    let balls: Vec<Round> = joints.iter().map(|joint| Round::ball(*joint, radius)).collect();
    hull_of(&balls)
}
