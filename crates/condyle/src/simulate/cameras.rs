//! Cameras about the room, and bodies that stand in their way.

use nalgebra::{Point3, Vector3};

use super::options::Options;
use super::truth::Truth;
use crate::trial::{CameraRay, Origin, Trial};

/// How far beyond the performance cameras hang, and how high, in metres.
const BEYOND_M: f64 = 2.5;
const HEIGHT_M: f64 = 2.4;
/// A marker needs so many cameras.
const NEEDED: usize = 2;
/// A body is this much thinner than its markers are apart, so that they stand out of it.
const WITHIN: f64 = 0.75;
/// No part is thicker.
const MOST_RADIUS_M: f64 = 0.16;
/// The line of sight begins this far before the marker.
const SIGHT_OFFSET_M: f64 = 0.01;

/// A part of a body that hides what is behind it: a line with a thickness, in the segment's frame.
struct Capsule {
    segment: usize,
    ends_m: [Point3<f64>; 2],
    radius_m: f64,
}

/// Hides what fewer than two cameras see; gives the rays of what one camera sees.
pub(super) fn samples(options: &Options, trial: &mut Trial, truth: &Truth) -> Vec<CameraRay> {
    if options.cameras == 0 {
        return Vec::new();
    }
    let cameras_m = places(options.cameras, truth);
    let capsules = capsules(truth);
    let mut rays = Vec::new();
    let mut bodies: Vec<[Point3<f64>; 2]> = Vec::with_capacity(capsules.len());
    for frame in 0..trial.frames {
        let poses = &truth.world_from_segment[frame];
        bodies.clear();
        bodies.extend(capsules.iter().map(|c| c.ends_m.map(|end| poses[c.segment] * end)));
        for (marker, at) in truth.markers.iter().enumerate() {
            let true_m = poses[at.segment] * at.in_segment_m;
            let is_hidden = |camera_m: &Point3<f64>| {
                let Some(direction) = (camera_m - true_m).try_normalize(1e-9) else { return true };
                let sight = [true_m + direction * SIGHT_OFFSET_M, *camera_m];
                let mut parts = capsules.iter().zip(&bodies);
                parts.any(|(capsule, ends)| distance_m(&sight, ends) < capsule.radius_m)
            };
            let mut seeing =
                cameras_m.iter().enumerate().filter(|(_, camera_m)| !is_hidden(camera_m));
            let first = seeing.next();
            if first.is_some() && seeing.take(NEEDED - 1).count() == NEEDED - 1 {
                continue;
            }
            let seen_m = trial.markers[marker].position_m(frame);
            if let (Some((camera, camera_m)), Some(seen_m)) = (first, seen_m) {
                rays.push(CameraRay {
                    frame,
                    camera: format!("C{}", camera + 1),
                    marker,
                    origin_m: *camera_m,
                    direction: (seen_m - camera_m).normalize(),
                });
            }
            trial.markers[marker].set(frame, None, Origin::Missing);
        }
    }
    rays
}

/// Cameras on a circle about everything that happens.
fn places(cameras: usize, truth: &Truth) -> Vec<Point3<f64>> {
    let roots = || truth.world_from_segment.iter().flatten().map(|pose| pose.translation.vector);
    let count = roots().count().max(1) as f64;
    let middle = roots().sum::<Vector3<f64>>() / count;
    let far_m = roots().map(|at| (at - middle).xy().norm()).fold(0.0, f64::max) + BEYOND_M;
    let place = |camera: usize| {
        let angle = std::f64::consts::TAU * (camera as f64 + 0.3) / cameras as f64;
        Point3::new(middle.x + far_m * angle.cos(), middle.y + far_m * angle.sin(), HEIGHT_M)
    };
    (0..cameras).map(place).collect()
}

/// One part a segment: from its joint to the joint below it, or to the far side of its markers.
fn capsules(truth: &Truth) -> Vec<Capsule> {
    let capsule = |(segment, at): (usize, &super::TrueSegment)| {
        let below = truth.joints.iter().filter(|joint| joint.parent == segment);
        let count = below.clone().count();
        let end_m = match count {
            0 => Point3::from(at.middle_m.coords * 2.0),
            _ => Point3::from(
                below.map(|j| j.centre_in_parent_m.coords).sum::<Vector3<f64>>() / count as f64,
            ),
        };
        let ends_m = [Point3::origin(), end_m];
        let on_it = truth.markers.iter().filter(|marker| marker.segment == segment);
        let off = on_it.map(|marker| distance_m(&[marker.in_segment_m; 2], &ends_m));
        let nearest_m = off.fold(MOST_RADIUS_M, f64::min);
        Capsule { segment, ends_m, radius_m: WITHIN * nearest_m }
    };
    truth.segments.iter().enumerate().map(capsule).collect()
}

/// The distance of two lines between their ends.
fn distance_m(one: &[Point3<f64>; 2], other: &[Point3<f64>; 2]) -> f64 {
    let (u, v, w) = (one[1] - one[0], other[1] - other[0], one[0] - other[0]);
    let (a, b, c, d, e) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let across = a * c - b * b;
    let s = if across > 1e-12 { ((b * e - c * d) / across).clamp(0.0, 1.0) } else { 0.0 };
    let t = if c > 1e-12 { ((b * s + e) / c).clamp(0.0, 1.0) } else { 0.0 };
    let s = if a > 1e-12 { ((b * t - d) / a).clamp(0.0, 1.0) } else { 0.0 };
    (w + u * s - v * t).norm()
}

#[cfg(test)]
mod tests {
    use nalgebra::Isometry3;

    use super::*;
    use crate::simulate::{Performer, simulate};

    #[test]
    fn the_distance_of_two_lines_is_the_least_between_their_points() {
        let one = [Point3::new(0.0, 0.0, 0.0), Point3::new(1.0, 0.0, 0.0)];
        let crossing = [Point3::new(0.5, -1.0, 0.3), Point3::new(0.5, 1.0, 0.3)];
        assert!((distance_m(&one, &crossing) - 0.3).abs() < 1e-12);
        let beyond = [Point3::new(2.0, 0.0, 0.0), Point3::new(3.0, 1.0, 0.0)];
        assert!((distance_m(&one, &beyond) - 1.0).abs() < 1e-12);
        let moved = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, 0.2, 0.9));
        let of = |line: [Point3<f64>; 2]| line.map(|p| moved * p);
        assert!((distance_m(&of(one), &of(crossing)) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn fewer_cameras_see_less_and_a_ray_goes_through_its_marker() {
        let whole = Options { seconds: 2.0, ..Options::default() };
        let full = simulate(&Performer::human(), &whole).unwrap();
        let mut seen_before = 0;
        for cameras in [1, 4, 16] {
            let options = Options { cameras, ..whole.clone() };
            let simulation = simulate(&Performer::human(), &options).unwrap();
            let missing: usize = simulation.trial.markers.iter().map(|m| m.missing_samples()).sum();
            let seen = full.trial.markers.len() * full.trial.frames - missing;
            assert!(seen >= seen_before, "{cameras}: {seen} {seen_before}");
            seen_before = seen;
            // Of sixteen cameras two see nearly everything, and rays are what one alone sees.
            assert!(cameras == 16 || !simulation.rays.is_empty());
            for ray in &simulation.rays {
                let marker = &full.trial.markers[ray.marker];
                let to = marker.position_m(ray.frame).unwrap() - ray.origin_m;
                assert!(to.cross(&ray.direction).norm() < 1e-9 && to.dot(&ray.direction) > 0.0);
                assert_eq!(simulation.trial.markers[ray.marker].position_m(ray.frame), None);
            }
        }
        assert!(
            seen_before * 10 > 9 * full.trial.markers.len() * full.trial.frames,
            "{seen_before}"
        );
    }
}
