//! The measures of one person.

use nalgebra::{Point3, Vector3};

use super::Unusual;
use super::chance::Chance;
use super::source::Source;

/// A marker's middle is this far from the skin: spheres of 14 mm.
pub(super) const MARKER_RADIUS_M: f64 = 0.007;
/// The standard deviation between a left bone and its mean with the right one.
const ASYMMETRY: f64 = 0.005;

/// A left and a right one.
pub(super) type Pair<T> = [T; 2];

/// The measures of a person, in metres; axes x forward, y to the left, z up.
pub struct Body {
    /// The stature against 1.75 m.
    pub(super) k: f64,
    pub(super) pelvis_width_m: f64,
    /// Hips in the pelvis' frame, whose origin is between them.
    pub(super) hips_m: Pair<Point3<f64>>,
    /// The middle of the anterior and of the posterior iliac spines: places of markers, skin included.
    pub(super) front_m: Point3<f64>,
    pub(super) back_m: Point3<f64>,
    pub(super) waist_m: Point3<f64>,
    pub(super) trunk_m: f64,
    pub(super) shoulders_m: Pair<Point3<f64>>,
    pub(super) sternoclaviculars_m: Pair<Point3<f64>>,
    pub(super) thighs_m: Pair<f64>,
    pub(super) shanks_m: Pair<f64>,
    pub(super) upper_arms_m: Pair<f64>,
    pub(super) forearms_m: Pair<f64>,
    pub(super) knee_width_m: f64,
    pub(super) ankle_width_m: f64,
    pub(super) elbow_width_m: f64,
    /// Between the two wrist markers: on the skin, or at the ends of a bar.
    pub(super) wrist_width_m: f64,
}

impl Body {
    /// Draws the measures of a person.
    pub(super) fn draw(source: Source, unusual: &Unusual, chance: &mut Chance) -> Self {
        let means = source.means(chance.happens(0.5));
        let drawn_m = means.stature_m + chance.normal(means.stature_sd_m);
        let stature_m = unusual.stature_m.unwrap_or(drawn_m);
        let k = stature_m / 1.75;
        let mut both = |share: f64, sd: f64| -> Pair<f64> {
            let mean_m = chance.share(share * stature_m, sd);
            [1.0, -1.0].map({
                let half = chance.normal(ASYMMETRY);
                move |sign| mean_m * (1.0 + sign * half)
            })
        };
        let thighs_m = both(means.thigh, 0.05);
        let mut shanks_m = both(means.shank, 0.045);
        let upper_arms_m = both(means.upper_arm, 0.065);
        let forearms_m = both(means.forearm, 0.05);
        shanks_m[0] -= unusual.left_shank_short_m;

        let pelvis_width_m = chance.share(means.pelvis_width * stature_m, 0.10);
        let pelvis_depth_m = chance.share(means.pelvis_depth * stature_m, 0.12);
        let [behind, aside, below] = means.hip.map(|share| share * pelvis_width_m);
        let hip_y_m = aside + chance.normal(0.008);
        let skew = [0.003, 0.003, 0.003].map(|sd| chance.normal(sd));
        let hips_m =
            [1.0, -1.0].map(|s| Point3::new(s * skew[0], s * hip_y_m + skew[1], s * skew[2]));
        // Flesh over the spines: Mantovani and others 2016, 10 ± 7 mm in front, 20 ± 11 mm behind.
        let (mut front_x_m, mut front_z_m) =
            (behind + chance.normal(0.010), below + chance.normal(0.010));
        let over_front_m = (0.010 + chance.normal(0.007)).max(0.0) + MARKER_RADIUS_M;
        let over_back_m = (0.020 + chance.normal(0.011)).max(0.0) + MARKER_RADIUS_M;
        let back_m =
            Point3::new(front_x_m - pelvis_depth_m - over_back_m, chance.normal(0.003), front_z_m);
        front_x_m += over_front_m;
        if unusual.is_obese {
            front_x_m += 0.050;
            front_z_m += 0.025;
        }
        let front_m = Point3::new(front_x_m, 0.0, front_z_m);
        let [lumbar_behind, lumbar_above] = means.lumbar.map(|share| share * pelvis_width_m);
        let waist_m = Point3::new(
            behind - lumbar_behind + chance.normal(0.015 * k),
            chance.normal(0.003),
            below + lumbar_above + chance.normal(0.015 * k),
        );

        let trunk_m = chance.share(means.trunk * stature_m, 0.05);
        // Markers of nine public recordings have C7 behind the acromia by 55 mm and above them by 35.
        let shoulder = Vector3::new(
            -0.018 * k + chance.normal(0.018 * k),
            means.shoulder_aside * stature_m + chance.normal(0.014 * k),
            trunk_m - 0.050 * k + chance.normal(0.018 * k),
        );
        let sternoclavicular = Vector3::new(
            0.042 * k + chance.normal(0.010 * k),
            0.024 * k + chance.normal(0.004 * k),
            trunk_m - 0.062 * k + chance.normal(0.012 * k),
        );
        let mirrored = |place: Vector3<f64>, sd_m: f64, chance: &mut Chance| {
            [1.0, -1.0].map(|s| {
                Point3::new(place.x, s * place.y, place.z)
                    + Vector3::from_fn(|_, _| chance.normal(sd_m))
            })
        };
        let shoulders_m = mirrored(shoulder, 0.005, chance);
        let sternoclaviculars_m = mirrored(sternoclavicular, 0.002, chance);

        let knee_width_m = chance.share(means.knee_width * stature_m, 0.10)
            + if unusual.is_obese { 0.015 } else { 0.0 };
        let wrist_width_m = if chance.happens(0.4) {
            chance.between(0.10, 0.15)
        } else {
            chance.share(means.wrist_width * stature_m, 0.12) + 2.0 * MARKER_RADIUS_M
        };
        Self {
            k,
            pelvis_width_m,
            hips_m,
            front_m,
            back_m,
            waist_m,
            trunk_m,
            shoulders_m,
            sternoclaviculars_m,
            thighs_m,
            shanks_m,
            upper_arms_m,
            forearms_m,
            knee_width_m,
            ankle_width_m: chance.share(means.ankle_width * stature_m, 0.08),
            elbow_width_m: chance.share(means.elbow_width * stature_m, 0.10),
            wrist_width_m,
        }
    }
}
