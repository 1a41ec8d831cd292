//! The centre that the markers of one segment rotate about, seen from its neighbour.

use nalgebra::{Matrix3, Point3, Vector3};

use super::body::Body;
use super::correlation::inflation_of;
use super::frames::Frames;
use super::lever;
use super::two_sided::Side;
use crate::centre::{ManyFit, ManyMethod, Points, Verdict, sphere_many};
use crate::rigid::Traces;
use crate::statistics::median;

/// A centre in the frame of the segment that looks on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OneSided {
    pub centre_m: Point3<f64>,
    pub covariance_m2: Matrix3<f64>,
    /// What a unit of variance in every frame alike would do to the centre.
    pub amplification: Matrix3<f64>,
    pub verdict: Verdict,
    pub axis: Option<Vector3<f64>>,
    /// The noise of the markers about their spheres: one standard deviation.
    pub sigma_m: f64,
    pub samples: usize,
}

/// Fewer samples of a marker are not worth a sphere.
const MIN_SAMPLES: usize = 10;
/// Samples that stray from their sphere by so many times the median are left out, and the rest is
/// fitted again.
const MAX_RELATIVE_STRAY: f64 = 8.0;

/// Fits one centre to all markers as seen from a segment.
pub(crate) fn one_sided(frames: &Frames, onlooker: &Body, markers: &[usize]) -> Option<OneSided> {
    let world_from_segment = &onlooker.world_from_segment;
    // How noisy a frame of two markers and a joint is they do not tell.
    let side = (onlooker.markers >= 3).then(|| onlooker.side(Point3::origin()));
    let side = side.as_ref();
    let mut seen: Vec<[Vec<f64>; 3]> = Vec::new();
    for &marker in markers {
        let mut points: [Vec<f64>; 3] = Default::default();
        for (frame, pose) in world_from_segment.iter().enumerate() {
            if let (Some(pose), Some(position_m)) = (pose, frames.position_m(frame, marker)) {
                let local = pose.inverse_transform_point(&position_m);
                points.iter_mut().zip(local.coords.iter()).for_each(|(axis, v)| axis.push(*v));
            }
        }
        if points[0].len() >= MIN_SAMPLES {
            seen.push(points);
        }
    }
    let mut fit = centre_of(&seen, side)?;
    let mut strays_m = radial(&seen, &fit);
    if drop_strays(&mut seen, &strays_m) {
        fit = centre_of(&seen, side)?;
        strays_m = radial(&seen, &fit);
    }
    if fit.verdict == Verdict::Ball
        && let Some(centre) = side.and_then(|side| lever::unbent(&seen, &fit, side))
    {
        fit.centre = centre;
    }
    // Slow strays and markers that disagree are two sights of the same skin.
    let slow = strays_m.iter().map(|strays_m| inflation_of(strays_m)).fold(1.0, f64::max);
    let by_noise = fit.covariance / fit.disagreement;
    let inflation = slow.max(fit.disagreement);
    let samples = seen.iter().map(|points| points[0].len()).max().unwrap_or(0);
    let a_unit = samples as f64 / fit.sigma.powi(2);
    Some(OneSided {
        centre_m: fit.centre,
        covariance_m2: by_noise * inflation,
        // Without any noise there is no skin either.
        amplification: by_noise * if a_unit.is_finite() { a_unit } else { 0.0 },
        verdict: fit.verdict,
        axis: fit.axis.map(|axis| axis.direction.into_inner()),
        sigma_m: fit.sigma,
        samples,
    })
}

fn centre_of(seen: &[[Vec<f64>; 3]], side: Option<&Side>) -> Option<ManyFit> {
    let points = |axes| {
        let [x, y, z]: &[Vec<f64>; 3] = axes;
        Points { axes: [x, y, z], noise: side.map(|side| lever::noise_m2(axes, side)) }
    };
    let slices: Vec<Points> = seen.iter().map(points).collect();
    let fit = sphere_many(&slices, ManyMethod::SelfCalibrated).ok()?;
    let is_finite = fit.centre.coords.iter().chain(fit.covariance.iter()).all(|v| v.is_finite());
    is_finite.then_some(fit)
}

/// How far every sample is from its sphere.
fn radial(seen: &[[Vec<f64>; 3]], fit: &ManyFit) -> Vec<Vec<f64>> {
    seen.iter()
        .zip(&fit.radii)
        .map(|([x, y, z], radius)| {
            let points = x.iter().zip(y).zip(z);
            points
                .map(|((x, y), z)| (Point3::new(*x, *y, *z) - fit.centre).norm() - radius)
                .collect()
        })
        .collect()
}

/// Removes samples far from their sphere; whether there were any.
fn drop_strays(seen: &mut [[Vec<f64>; 3]], strays_m: &[Vec<f64>]) -> bool {
    let mut dropped = false;
    for (points, strays_m) in seen.iter_mut().zip(strays_m) {
        let sizes = strays_m.iter().map(|stray_m| stray_m.abs());
        let limit_m = MAX_RELATIVE_STRAY * median(sizes).unwrap_or(0.0);
        if strays_m.iter().any(|stray_m| stray_m.abs() > limit_m) {
            for axis in points {
                let mut stray = strays_m.iter();
                axis.retain(|_| stray.next().is_none_or(|stray_m| stray_m.abs() <= limit_m));
            }
            dropped = true;
        }
    }
    dropped
}
