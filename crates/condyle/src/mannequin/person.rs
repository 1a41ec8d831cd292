//! The parts of a person: the size of usual adults, scaled by the limbs, and as thick as the markers say.

use nalgebra::{Point3, Vector3};

use super::shape::{Round, hull_of};
use crate::anatomy::Anatomy;
use crate::marker_set::Side;
use crate::solid::Solid;
use crate::statistics::median;
use crate::subject::Subject;

/// The radius of a marker, which sits on the skin.
const MARKER_M: f64 = 0.007;
/// Limbs from joint to joint of an adult 1.75 m tall (R. Drillis and R. Contini 1966, as D. Winter 2009 draws it, figure
/// 4.1), and their radii at both ends: circumferences by 2π, the middle of women and men (C. Gordon and others 1989,
/// *Anthropometric survey of U.S. Army personnel*), to 5 mm.
const LIMBS: [(&str, f64, [f64; 2]); 4] = [
    ("thigh", 0.43, [0.09, 0.06]),
    ("shank", 0.43, [0.055, 0.035]),
    ("upper arm", 0.30, [0.05, 0.04]),
    ("forearm", 0.255, [0.045, 0.028]),
];
/// Breadths and depths of the same adults, halved; from front to back and from side to side.
const RIBS_M: [f64; 2] = [0.12, 0.15];
const WAIST_M: [f64; 2] = [0.105, 0.14];
const HIPS_M: [f64; 2] = [0.115, 0.175];
/// From front to back, upwards, from side to side.
const HEAD_M: [f64; 3] = [0.096, 0.115, 0.075];
const NECK_M: f64 = 0.055;
/// A chest is so wide against what lies between the centres of the shoulders.
const RIBS_BY_SHOULDERS: f64 = 0.82;
/// A radius by markers may differ by so much from the usual one; what is farther out sits on a wand.
const BY_MARKERS: [f64; 2] = [0.7, 1.4];

/// What is known of a person's shape.
pub(super) struct Person<'a> {
    subject: &'a Subject,
    anatomy: &'a Anatomy,
    /// How large it is against an adult 1.75 m tall.
    scale: f64,
}

impl<'a> Person<'a> {
    /// `None` of anybody else.
    pub(super) fn new(subject: &'a Subject, anatomy: &'a Anatomy) -> Option<Self> {
        let part = |segment: usize| anatomy.parts.get(segment).copied().flatten();
        let size = |segment: usize| {
            let (_, usual_m, _) =
                LIMBS.iter().find(|limb| Some(limb.0) == part(segment).map(|p| p.name))?;
            let to = subject.joints().iter().find(|joint| joint.parent == segment)?;
            let from = subject.joint_of(segment)?;
            Some((to.centre_in_parent_m - from.centre_in_child_m).norm() / usual_m)
        };
        let scale = median((0..subject.segments().len()).filter_map(size))?;
        (anatomy.is_person() && scale > 0.1).then_some(Self { subject, anatomy, scale })
    }

    /// The solid of a segment in its own frame; `None` of one that is no known part of the body.
    pub(super) fn solid(&self, segment: usize) -> Option<Solid> {
        let part = self.anatomy.parts.get(segment).copied().flatten()?;
        let axes = self.anatomy.axes[segment]?.segment_from_axes;
        let own = self.subject.joint_of(segment).map(|joint| joint.centre_in_child_m);
        let below: Vec<(&str, Point3<f64>)> = self
            .subject
            .joints()
            .iter()
            .filter(|joint| joint.parent == segment)
            .map(|joint| (self.name(joint.child), axes.inverse() * joint.centre_in_parent_m))
            .collect();
        let markers = &self.subject.segments()[segment].markers;
        let seen = Seen {
            // Everything in anatomical axes: x forward, y up, z to the right.
            own: own.map(|own| axes.inverse() * own),
            below,
            markers: markers.iter().map(|m| axes.inverse() * m.position_in_segment_m).collect(),
        };
        let mut rounds = match part.name {
            "pelvis" => self.pelvis(&seen)?,
            "chest" => self.chest(&seen)?,
            "head" => self.head(&seen)?,
            "foot" => self.foot(&seen)?,
            "hand" => self.hand(&seen)?,
            "clavicle" => self.clavicle(&seen)?,
            limb => self.limb(limb, &seen)?,
        };
        // No segment is detached from its neighbours.
        let joints = seen.own.iter().chain(seen.below.iter().map(|(_, at)| at));
        rounds.extend(joints.map(|at| Round::ball(*at, 0.02 * self.scale)));
        let solid = hull_of(&rounds)?;
        Some(solid.mapped(|vertex_m| axes * vertex_m))
    }

    fn name(&self, segment: usize) -> &'static str {
        self.anatomy.parts.get(segment).copied().flatten().map_or("", |part| part.name)
    }

    /// Half of the depth between the markers in front and those behind, and where its middle is; the usual one where
    /// they are not on both sides.
    fn depth(&self, seen: &Seen, usual_m: f64, middle_m: f64) -> (f64, f64) {
        let usual_m = usual_m * self.scale;
        let ahead = seen.markers.iter().map(|at| at.x).fold(f64::NEG_INFINITY, f64::max) - MARKER_M;
        let behind = seen.markers.iter().map(|at| at.x).fold(f64::INFINITY, f64::min) + MARKER_M;
        let half_m = 0.5 * (ahead - behind);
        let [thin, thick] = BY_MARKERS.map(|share| share * usual_m);
        if half_m > thin && half_m < thick {
            (half_m, 0.5 * (ahead + behind))
        } else {
            (usual_m, middle_m)
        }
    }

    fn pelvis(&self, seen: &Seen) -> Option<Vec<Round>> {
        let hips: Vec<Point3<f64>> = seen.of("thigh").collect();
        let [one, other] = hips[..] else { return None };
        let middle = nalgebra::center(&one, &other);
        let (depth_m, x) = self.depth(seen, HIPS_M[0], middle.x - 0.01);
        let wide_m = HIPS_M[1] * self.scale;
        let mut rounds = vec![Round {
            centre_m: Point3::new(x, middle.y + 0.02 * self.scale, middle.z),
            half_m: Vector3::new(depth_m, 0.10 * self.scale, wide_m),
        }];
        rounds.extend(hips.iter().map(|hip| Round::ball(*hip, 0.085 * self.scale)));
        let spine = seen.of("chest").next();
        rounds.extend(
            spine.map(|spine| self.waist(Point3::new(x, spine.y, spine.z), depth_m / HIPS_M[0])),
        );
        Some(rounds)
    }

    /// Where chest and pelvis meet.
    fn waist(&self, centre_m: Point3<f64>, by: f64) -> Round {
        let [depth, wide] = WAIST_M;
        Round { centre_m, half_m: Vector3::new(depth * by, 0.05 * self.scale, wide * self.scale) }
    }

    fn chest(&self, seen: &Seen) -> Option<Vec<Round>> {
        let low = seen.own.or_else(|| seen.of("pelvis").next())?;
        let roots: Vec<Point3<f64>> = seen.of("clavicle").chain(seen.of("upper arm")).collect();
        let high = seen
            .of("head")
            .next()
            .or_else(|| crate::statistics::centroid(roots.iter().copied()))?;
        let along = high - low;
        let (depth_m, x) = self.depth(seen, RIBS_M[0], low.x + 0.5 * along.x);
        let [_, usual_m] = RIBS_M;
        let shoulders_m = self.shoulders_m().map(|m| 0.5 * RIBS_BY_SHOULDERS * m);
        let wide_m = shoulders_m.unwrap_or(usual_m * self.scale);
        let at = |share: f64| Point3::new(x, low.y + share * along.y, low.z + share * along.z);
        let tall_m = along.y.abs();
        Some(vec![
            self.waist(at(0.0), depth_m / RIBS_M[0]),
            Round { centre_m: at(0.52), half_m: Vector3::new(depth_m, 0.30 * tall_m, wide_m) },
            // Up to the roots of the shoulders.
            Round {
                centre_m: at(0.80),
                half_m: Vector3::new(0.65 * depth_m, 0.12 * tall_m, 0.95 * wide_m),
            },
            Round::ball(high, NECK_M * self.scale),
        ])
    }

    /// Between the centres of the shoulders, where a chest with both is known.
    fn shoulders_m(&self) -> Option<f64> {
        let subject = self.subject;
        let poses = super::poses_at_rest(subject);
        let mut ends = [None; 2];
        for joint in subject.joints() {
            let part = self.anatomy.parts.get(joint.child).copied().flatten();
            let Some(part) = part.filter(|part| part.name == "upper arm") else { continue };
            let at = poses[joint.parent] * joint.centre_in_parent_m;
            ends[usize::from(part.side == Side::Left)] = Some(at);
        }
        let [Some(one), Some(other)] = ends else { return None };
        let apart_m = (one - other).norm();
        let usual = apart_m / (self.scale * 2.0 * RIBS_M[1] / RIBS_BY_SHOULDERS);
        (BY_MARKERS[0]..BY_MARKERS[1]).contains(&usual).then_some(apart_m)
    }

    fn head(&self, seen: &Seen) -> Option<Vec<Round>> {
        let neck = seen.own?;
        let half_m = Vector3::from(HEAD_M) * self.scale;
        // A band of markers is a little above the middle of a head.
        let band = crate::statistics::centroid(seen.markers.iter().copied());
        let band = band.filter(|band| {
            seen.markers.len() > 2
                && (0.5..1.6).contains(&((band - neck).norm() / (0.16 * self.scale)))
        });
        let centre_m = band.map_or(neck + Vector3::new(0.03, 0.15, 0.0) * self.scale, |band| {
            band - Vector3::y() * (0.02 * self.scale)
        });
        Some(vec![Round::ball(neck, NECK_M * self.scale), Round { centre_m, half_m }])
    }

    fn foot(&self, seen: &Seen) -> Option<Vec<Round>> {
        let ankle = seen.own?;
        let scale = self.scale;
        let x = |at: &Point3<f64>| at.x - ankle.x;
        let behind = seen.markers.iter().map(x).fold(f64::INFINITY, f64::min) + MARKER_M;
        let ahead = seen.markers.iter().map(x).fold(f64::NEG_INFINITY, f64::max);
        let heel = if (0.03..0.09).contains(&(-behind / scale)) { behind } else { -0.05 * scale };
        let tip = ahead.max(0.19 * scale).min(0.25 * scale);
        let sole = ankle.y - 0.075 * scale;
        let at = |x: f64, y: f64| Point3::new(ankle.x + x, sole + y * scale, ankle.z);
        let half = |x: f64, y: f64, z: f64| Vector3::new(x, y, z) * scale;
        Some(vec![
            Round::ball(ankle, 0.035 * scale),
            Round { centre_m: at(heel + 0.03 * scale, 0.03), half_m: half(0.03, 0.03, 0.032) },
            Round { centre_m: at(tip - 0.08 * scale, 0.022), half_m: half(0.045, 0.022, 0.046) },
            Round { centre_m: at(tip - 0.02 * scale, 0.014), half_m: half(0.02, 0.014, 0.035) },
        ])
    }

    fn hand(&self, seen: &Seen) -> Option<Vec<Round>> {
        let wrist = seen.own?;
        let half = |x: f64, y: f64, z: f64| Vector3::new(x, y, z) * self.scale;
        let at = |down: f64| wrist - Vector3::y() * (down * self.scale);
        Some(vec![
            Round { centre_m: wrist, half_m: half(0.02, 0.025, 0.028) },
            Round { centre_m: at(0.07), half_m: half(0.015, 0.045, 0.042) },
            Round { centre_m: at(0.155), half_m: half(0.009, 0.02, 0.03) },
        ])
    }

    fn clavicle(&self, seen: &Seen) -> Option<Vec<Round>> {
        let (from, to) = (seen.own?, seen.of("upper arm").next()?);
        Some(vec![Round::ball(from, 0.025 * self.scale), Round::ball(to, 0.052 * self.scale)])
    }

    /// A round cone from joint to joint. The usual radius of an end counts as one marker there.
    fn limb(&self, part: &str, seen: &Seen) -> Option<Vec<Round>> {
        let (_, _, usual) = LIMBS.iter().find(|limb| limb.0 == part)?;
        let (from, to) = (seen.own?, seen.below.first()?.1);
        let along = to - from;
        let length_m = along.norm();
        let way = along.try_normalize(1e-2)?;
        let usual_m = |share: f64| (usual[0] + (usual[1] - usual[0]) * share) * self.scale;
        let radius = |end: f64| {
            let weight = |share: f64| 1.0 / (0.05 + (share - end).powi(2));
            let (mut sum, mut weights) = (weight(end) * usual_m(end), weight(end));
            for marker in &seen.markers {
                let arm = marker - from;
                let share = arm.dot(&way) / length_m;
                let radius_m = (arm - way * arm.dot(&way)).norm() - MARKER_M;
                let [thin, thick] = BY_MARKERS.map(|by| by * usual_m(share.clamp(0.0, 1.0)));
                if (-0.3..=1.3).contains(&share) && (thin..=thick).contains(&radius_m) {
                    // As what it says of the end.
                    let at_end_m = radius_m * usual_m(end) / usual_m(share.clamp(0.0, 1.0));
                    sum += weight(share) * at_end_m;
                    weights += weight(share);
                }
            }
            sum / weights
        };
        Some(vec![Round::ball(from, radius(0.0)), Round::ball(to, radius(1.0))])
    }
}

/// A segment in its anatomical axes.
struct Seen<'a> {
    own: Option<Point3<f64>>,
    /// The part beyond every joint, and where that joint is.
    below: Vec<(&'a str, Point3<f64>)>,
    markers: Vec<Point3<f64>>,
}

impl Seen<'_> {
    fn of(&self, part: &str) -> impl Iterator<Item = Point3<f64>> {
        self.below.iter().filter(move |(name, _)| *name == part).map(|(_, at)| *at)
    }
}
