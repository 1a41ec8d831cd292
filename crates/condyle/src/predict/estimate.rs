//! Where a missing marker must be, from the points of its segment that are known.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::nearest::{Circle, Ray, Sphere, on_rays, trilaterate};
use super::options::{CentreUse, RayRule};
use crate::rigid::{Pair, place};

/// At most so many known points of a segment are used.
pub(super) const MOST_KNOWN: usize = 12;
/// A centre counts so much beside a marker.
const CENTRE_WEIGHT: f64 = 0.25;
/// How far skin and noise move a marker that is placed rigidly, or by three distances.
const RIGID_SD_M: f64 = 5e-3;
const SPHERES_SD_M: f64 = 15e-3;
/// How fast an unseen rotation drifts, and how far at most.
const ROTATION_DRIFT_RAD_S: f64 = 1.0;
const MAX_ROTATION_DRIFT_RAD: f64 = 0.7;
/// Spheres that miss each other by this much touch.
const SLACK_M: f64 = 10e-3;

/// A point of a segment whose place in this frame is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Where it is.
    pub at_m: Vector3<f64>,
    /// Where it was in the frame before.
    pub before_m: Option<Vector3<f64>>,
    /// Where it is in the segment.
    pub in_segment_m: Option<Vector3<f64>>,
    /// Which marker of the segment it is; `None` for a centre of rotation.
    pub slot: Option<usize>,
    /// Its distance to the marker that is missing.
    pub distance_m: Option<f64>,
}

/// Known points, without allocation.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownPoints {
    points: [Option<Known>; MOST_KNOWN],
    count: usize,
}

impl KnownPoints {
    pub const NONE: Self = Self { points: [None; MOST_KNOWN], count: 0 };

    pub fn push(&mut self, known: Known) {
        if self.count < MOST_KNOWN {
            self.points[self.count] = Some(known);
            self.count += 1;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Known> {
        self.points.iter().flatten()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Known> {
        self.points.iter_mut().flatten()
    }

    pub fn len(&self) -> usize {
        self.count
    }
}

/// The marker that is missing.
pub(super) struct Missing {
    /// Where it was in the frame before.
    pub before_m: Option<Vector3<f64>>,
    /// Where it is in the segment.
    pub in_segment_m: Option<Vector3<f64>>,
    /// For how long it has been missing.
    pub elapsed_s: f64,
}

/// What stands for an observation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate {
    pub at_m: Vector3<f64>,
    /// What is systematically off: it does not average out from frame to frame.
    pub covariance_m2: Matrix3<f64>,
    /// The circle or sphere that distances leave.
    left: Left,
}

#[derive(Debug, Clone, Copy)]
enum Left {
    Circle(Circle),
    Sphere(Sphere),
    Other,
}

/// How far an unseen rotation may be off by now.
pub(super) fn rotation_drift_rad(elapsed_s: f64) -> f64 {
    (ROTATION_DRIFT_RAD_S * elapsed_s).min(MAX_ROTATION_DRIFT_RAD)
}

/// The estimate from known points; `None` if there are none that tell.
///
/// # Method
/// x̃ = mean over known points of x_k + D̂, with D̂ the difference in the frame before, turned on and brought to the
/// calibrated length, (4.27) to (4.33). Two distances leave a circle, whose point nearest to x̃ is taken (4.29); three
/// leave two points. Three points of a known shape place it rigidly: better conditioned than three distances.
///
/// # Reference
/// A. Aristidou (2010), section 4.6.
pub(super) fn estimate(
    known: &KnownPoints,
    missing: &Missing,
    turn: &UnitQuaternion<f64>,
    centres: CentreUse,
) -> Option<Estimate> {
    let markers = known.iter().filter(|known| known.slot.is_some()).count();
    if (markers >= 3 || centres == CentreUse::Rigid)
        && let Some(at_m) = rigid(known, missing)
    {
        let covariance_m2 = Matrix3::identity() * (RIGID_SD_M * RIGID_SD_M);
        return Some(Estimate { at_m, covariance_m2, left: Left::Other });
    }
    let (mut sum, mut count) = (Vector3::zeros(), 0.0);
    for point in known.iter() {
        if let (Some(mine), Some(its)) = (missing.before_m, point.before_m) {
            let turned = turn * (mine - its);
            let length = turned.norm();
            let scale = match point.distance_m {
                Some(distance_m) if length > 1e-9 => distance_m / length,
                _ => 1.0,
            };
            sum += point.at_m + turned * scale;
            count += 1.0;
        }
    }
    if count == 0.0 {
        return None;
    }
    let near = sum / count;
    let mut spheres = [Sphere { centre_m: near, radius_m: 0.0 }; 3];
    let with_distance = known.iter().filter_map(|k| Some((k.at_m, k.distance_m?)));
    let mut found = 0;
    for ((centre_m, radius_m), sphere) in with_distance.zip(&mut spheres) {
        *sphere = Sphere { centre_m, radius_m };
        found += 1;
    }
    let astray = rotation_drift_rad(missing.elapsed_s);
    let floor = Matrix3::identity() * (RIGID_SD_M * RIGID_SD_M);
    if found == 3
        && let Some(at_m) = trilaterate(&spheres, &near, SLACK_M)
    {
        let covariance_m2 = Matrix3::identity() * (SPHERES_SD_M * SPHERES_SD_M);
        return Some(Estimate { at_m, covariance_m2, left: Left::Other });
    }
    if found >= 2
        && let Some(circle) = Circle::of_spheres(&spheres[0], &spheres[1])
        && let Some(at_m) = circle.nearest(&near)
    {
        let along = circle.normal.cross(&(at_m - circle.centre_m)) * astray;
        let covariance_m2 = floor + along * along.transpose();
        return Some(Estimate { at_m, covariance_m2, left: Left::Circle(circle) });
    }
    let centre = known.iter().next()?;
    let arm = near - centre.at_m;
    let sphere = Sphere { centre_m: centre.at_m, radius_m: arm.norm() };
    let across =
        (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * (astray * astray);
    Some(Estimate { at_m: near, covariance_m2: floor + across, left: Left::Sphere(sphere) })
}

fn rigid(known: &KnownPoints, missing: &Missing) -> Option<Vector3<f64>> {
    let in_segment_m = missing.in_segment_m?;
    if known.len() < 3 {
        return None;
    }
    let pairs = known.iter().filter_map(|known| {
        Some(Pair {
            in_segment_m: Point3::from(known.in_segment_m?),
            in_world_m: Point3::from(known.at_m),
            weight: if known.slot.is_none() { CENTRE_WEIGHT } else { 1.0 },
        })
    });
    let placed = place(pairs)?;
    Some((placed.world_from_segment * Point3::from(in_segment_m)).coords)
}

impl Estimate {
    /// An estimate that rests on nothing in the segment.
    pub fn carried(at_m: Vector3<f64>, sd_m: f64) -> Self {
        Self { at_m, covariance_m2: Matrix3::identity() * (sd_m * sd_m), left: Left::Other }
    }

    /// The same brought to the rays of its marker; `None` without any, or where they are farther off than can be.
    pub fn on_rays<'a>(
        &self,
        rays: impl Iterator<Item = &'a Ray> + Clone,
        rule: RayRule,
        noise_m: f64,
        gate_m: f64,
    ) -> Option<Self> {
        let mut all = rays.clone();
        let (first, second) = (all.next()?, all.next());
        let at_m = match (rule, second, self.left) {
            (RayRule::NearestPoint, None, Left::Circle(circle)) => {
                first.nearest_to_circle(&circle, &self.at_m)
            }
            (RayRule::NearestPoint, None, Left::Sphere(sphere)) => {
                first.nearest_to_sphere(&sphere, &self.at_m)
            }
            _ => on_rays(rays, &self.at_m)?,
        };
        let is_before_the_camera = first.depth_m(&at_m) > 0.0;
        if !is_before_the_camera || (at_m - self.at_m).norm() > gate_m {
            return None;
        }
        let along = first.direction();
        let information = self.covariance_m2.try_inverse()?;
        let variance = match second {
            Some(_) => 0.0,
            None => (along.dot(&(information * along))).max(1e-12).recip(),
        };
        let covariance_m2 =
            Matrix3::identity() * (noise_m * noise_m) + along * along.transpose() * variance;
        Some(Self { at_m, covariance_m2, left: Left::Other })
    }
}
