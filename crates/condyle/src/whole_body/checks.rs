//! The fitted body looked at as a whole: is it one that could be a person's?

use nalgebra::Vector3;

use super::knowledge::{Bone, Knowledge, Sum};
use super::model::Model;
use super::posterior::Posterior;
use super::start;
use crate::marker_set::Side;
use crate::statistics::mean;

/// Something about the result that can be right or wrong, whatever was known.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What was looked at: `width of the hips`.
    pub name: String,
    /// What was found, in metres or as a share.
    pub value: f64,
    /// The least and the most that is expected.
    pub expected: [f64; 2],
}

impl Check {
    /// Whether the value is as expected.
    pub fn is_passed(&self) -> bool {
        (self.expected[0]..=self.expected[1]).contains(&self.value)
    }
}

/// The width of the hips as a share of the stature: three standard deviations about the mean of people.
const HIP_WIDTH: [f64; 2] = [0.07, 0.13];
/// Left against right, as a share of the length.
const LEFT_RIGHT: [f64; 2] = [-0.05, 0.05];
/// Markers are farther from where they belong than so many standard deviations in one of 200 people.
const PLACED_SDS: f64 = 3.2;
/// The share of frames in which a hinge is bent the wrong way by more than 15 degrees.
const BACKWARDS: [f64; 2] = [0.0, 0.05];
const HYPEREXTENSION: f64 = 0.26;
/// How far an ankle is above the markers of its foot, as a share of the stature: people have .024.
const ABOVE_FOOT: [f64; 2] = [0.0, 0.06];
/// The distance of a joint from the marker beside it, as a share of the stature.
const BESIDE: [f64; 2] = [0.0, 0.06];

impl Posterior {
    /// What can be said of a body without asking what was known.
    pub(super) fn checks(&self, knowledge: &Knowledge) -> Vec<Check> {
        let (problem, state) = (&self.problem, &self.minimum.state);
        let (model, parameters) = (&problem.model, &state.parameters);
        if model.sizes == 0 {
            return Vec::new();
        }
        let stature_m = parameters[0].exp();
        let centre = |joint: usize| problem.point(parameters, model.joint_at(joint));
        let mut checks = Vec::new();
        for (left, right) in pairs(model) {
            let [a, b] = [&model.joints[left], &model.joints[right]];
            if a.child.is_none() || b.child.is_none() {
                continue;
            }
            let name = a.name.strip_prefix("left ").unwrap_or(&a.name);
            if a.parent == b.parent && name == "hip" {
                let value = (centre(left) - centre(right)).norm() / stature_m;
                checks.push(check("width of the hips over stature", value, HIP_WIDTH));
            }
            if a.parent != b.parent && model.segments[a.parent].bone.is_some_and(|(j, _)| j == left)
            {
                let [one, other] = [left, right].map(|joint| centre(joint).norm());
                let bone = model.segments[a.parent].name.trim_start_matches("left ");
                let value = (one - other) / (0.5 * (one + other)).max(1e-6);
                checks.push(check(&format!("{bone}, left against right"), value, LEFT_RIGHT));
            }
        }
        checks.extend(knowledge.bones.iter().filter_map(|bone| self.by_markers(bone, knowledge)));
        for joint in &model.joints {
            let Some(child) = joint.child.filter(|_| joint.is_hinge) else { continue };
            // The upper end of the child goes forward when a knee bends, backward when an elbow does.
            let sign = if joint.name.ends_with("knee") { 1.0 } else { -1.0 };
            let backwards = state.poses.iter().filter(|poses| {
                let forward: Vector3<f64> = poses[joint.parent].rotation.column(0).into();
                let up: Vector3<f64> = poses[child].rotation.column(2).into();
                sign * forward.dot(&up) < -HYPEREXTENSION
            });
            let value = backwards.count() as f64 / state.poses.len().max(1) as f64;
            checks.push(check(&format!("{} bent backwards", joint.name), value, BACKWARDS));
        }
        for (index, joint) in model.joints.iter().enumerate() {
            let beside = nearest_landmark_m(problem, parameters, index, joint.parent);
            if let Some(apart_m) = beside.filter(|_| joint.is_hinge) {
                let value = apart_m / stature_m;
                checks.push(check(
                    &format!("{} from its marker, over stature", joint.name),
                    value,
                    BESIDE,
                ));
            }
            let is_ankle = joint.name.ends_with("ankle");
            if let Some(above_m) = joint.child.filter(|_| is_ankle).and_then(|foot| {
                let own = model.markers_of(foot).filter(|m| !model.markers[*m].is_offset);
                mean(own.map(|m| -problem.point(parameters, model.marker_at(m)).z))
            }) {
                let name = format!("{} above its foot's markers, over stature", joint.name);
                checks.push(check(&name, above_m / stature_m, ABOVE_FOOT));
            }
        }
        checks
    }
}

impl Posterior {
    /// The distance of the markers at both ends of a bone, left against right: symmetry that is believed hides it in
    /// the bone.
    fn by_markers(&self, bone: &Bone, knowledge: &Knowledge) -> Option<Check> {
        let (model, observed_m) = (&self.problem.model, &self.problem.observed_m);
        let ends = bone.between?;
        let apart_m = |side: Side| start::ends_apart_m(bone, side, model, observed_m);
        let (left_m, right_m) = (apart_m(Side::Left)?, apart_m(Side::Right)?);
        let mean_m = 0.5 * (left_m + right_m);
        // Each end is put along the bone to its standard deviation, on both sides.
        let along = |landmark: usize| -> Option<f64> {
            let (_, sd) = knowledge.landmarks[landmark].expected.as_ref()?;
            let total = |sum: &Sum| -> f64 { sum.iter().map(|(factor, _)| factor).sum() };
            let shared = knowledge.offset_of(landmark).map(|o| total(&knowledge.offsets[o].sd[2]));
            Some(total(&sd[2]).hypot(shared.unwrap_or(0.0)))
        };
        let sd_m = along(ends[0])?.hypot(along(ends[1])?) * 2f64.sqrt();
        let most = (1e3 * PLACED_SDS * sd_m / mean_m).round() / 1e3;
        let name =
            format!("markers of the {}, left against right", knowledge.segments[bone.segment].name);
        Some(check(&name, (left_m - right_m) / mean_m, [-most, most]))
    }
}

fn check(name: &str, value: f64, expected: [f64; 2]) -> Check {
    Check { name: name.to_owned(), value, expected }
}

/// Joints of both sides.
fn pairs(model: &Model) -> impl Iterator<Item = (usize, usize)> + '_ {
    let left = model.joints.iter().enumerate().filter(|(_, joint)| joint.side == Side::Left);
    left.filter_map(|(index, joint)| Some((index, model.joint(joint.kind, Side::Right)?)))
}

/// How far the nearest marker on a landmark of the segment above a joint is; wands and clusters are anywhere.
fn nearest_landmark_m(
    problem: &super::problem::Problem,
    parameters: &[f64],
    joint: usize,
    segment: usize,
) -> Option<f64> {
    let model = &problem.model;
    let centre = problem.point(parameters, model.joint_at(joint));
    let own = model.markers.iter().enumerate();
    let own = own.filter(|(_, marker)| marker.segment == segment && !marker.is_offset);
    own.map(|(index, _)| (problem.point(parameters, model.marker_at(index)) - centre).norm())
        .min_by(f64::total_cmp)
}
