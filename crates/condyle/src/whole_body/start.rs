//! Where the fit begins: a body of mean proportions, and every frame posed by it from root to leaf.

use nalgebra::{Point3, Vector3};

use super::gauss_newton::State;
use super::knowledge::{Bone, Knowledge, Quantity, Sum};
use super::model::{Model, sides};
use super::problem::SegmentPose;
use super::rows::{Instances, outward};
use crate::marker_set::Side;
use crate::rigid::{Pair, place};
use crate::statistics::median;

/// A segment stands as its parent does, by points so far out and of so little weight.
const ARM_M: f64 = 0.1;
const ARM_WEIGHT: f64 = 0.05;
/// What the markers of the next segment count for a root whose own do not tell its tilt.
const NEIGHBOUR_WEIGHT: f64 = 0.3;
/// What a wand or one of a cluster counts beside a landmark.
const OFFSET_WEIGHT: f64 = 0.1;

pub(super) type Observed = Vec<Vec<Option<Vector3<f64>>>>;

/// A body of mean proportions and of the stature that its markers tell; poses are not known yet.
///
/// Bones that could wear markers at both ends and do not are `open_bones` times as long.
pub(super) fn parameters(
    instances: &Instances,
    observed_m: &Observed,
    open_bones: f64,
) -> Vec<f64> {
    let Instances { model, knowledge, measured } = *instances;
    let mut parameters = vec![0.0; model.parameters()];
    let seen = stature_m(model, knowledge, observed_m);
    for (index, size) in knowledge.sizes.iter().enumerate() {
        let mean = of_sizes(&size.mean, &parameters);
        let mean = if index == 0 { seen.unwrap_or(mean) } else { mean };
        let known = measured.get(index).copied().flatten().map(|(value_m, _)| value_m);
        parameters[index] = known.unwrap_or(mean).max(1e-3).ln();
    }
    for (index, joint) in model.joints.iter().enumerate() {
        for axis in 0..3 {
            let value = of_sizes(&knowledge.segments[joint.kind].start[axis], &parameters);
            parameters[model.joint_at(index) + axis] = outward(axis, joint.side) * value;
        }
    }
    scale_bones(instances, observed_m, open_bones, &mut parameters);
    for (index, marker) in model.markers.iter().enumerate() {
        let Some(start) = marker.landmark.and_then(|l| knowledge.landmarks[l].start.as_ref())
        else {
            continue;
        };
        for (axis, sum) in start.iter().enumerate() {
            let value =
                instances.value(sum, marker.side, marker.segment, &parameters).unwrap_or(0.0);
            parameters[model.marker_at(index) + axis] = outward(axis, marker.side) * value;
        }
    }
    parameters
}

/// A sum of numbers and sizes.
fn of_sizes(sum: &Sum, parameters: &[f64]) -> f64 {
    let value = |(factor, quantity): &(f64, Quantity)| match quantity {
        Quantity::One => *factor,
        Quantity::Size(size) => factor * parameters[*size].exp(),
        _ => 0.0,
    };
    sum.iter().map(value).sum()
}

/// The stature by the distances of markers at both ends of a bone: the median over bones and sides.
fn stature_m(model: &Model, knowledge: &Knowledge, observed_m: &Observed) -> Option<f64> {
    let mut all = Vec::new();
    for bone in &knowledge.bones {
        let ratio: f64 = bone
            .length
            .iter()
            .map(|(factor, quantity)| if *quantity == Quantity::Size(0) { *factor } else { 0.0 })
            .sum();
        for side in sides(knowledge.segments[bone.segment].is_sided) {
            if let Some(apart_m) =
                ends_apart_m(bone, *side, model, observed_m).filter(|_| ratio > 0.0)
            {
                all.push(apart_m / ratio);
            }
        }
    }
    median(all)
}

/// The distance of the markers at both ends of a bone.
pub(super) fn ends_apart_m(
    bone: &Bone,
    side: Side,
    model: &Model,
    observed_m: &Observed,
) -> Option<f64> {
    let [a, b] = end_markers(bone, side, model)?;
    median(observed_m.iter().filter_map(|frame| Some((frame[a]? - frame[b]?).norm())))
}

/// The markers at both ends of a bone.
fn end_markers(bone: &Bone, side: Side, model: &Model) -> Option<[usize; 2]> {
    let [a, b] = bone.between?.map(|landmark| model.marker(landmark, side));
    Some([a?, b?])
}

/// Gives bones with markers at both ends their own length.
///
/// With that of the stature a short shank would begin with its ankle below the line from heel to toe, and a foot of
/// two markers upside down.
fn scale_bones(
    instances: &Instances,
    observed_m: &Observed,
    open_bones: f64,
    parameters: &mut [f64],
) {
    let Instances { model, knowledge, .. } = *instances;
    for (bone, side, joint) in bones_with_ends(model, knowledge) {
        let at = model.joint_at(joint);
        let start_m = Vector3::from_column_slice(&parameters[at..at + 3]).norm();
        let factor = match ends_apart_m(bone, side, model, observed_m) {
            Some(seen_m) if start_m > 0.0 => seen_m / start_m,
            Some(_) => 1.0,
            None => open_bones,
        };
        parameters[at..at + 3].iter_mut().for_each(|value| *value *= factor);
    }
}

/// Whether a bone that could wear markers at both ends wears none on any place of it that is known.
pub(super) fn has_open_bones(model: &Model, knowledge: &Knowledge) -> bool {
    bones_with_ends(model, knowledge).any(|(bone, side, joint)| {
        let own = model.joints[joint].parent;
        let is_place = |marker: usize| {
            !model.markers[marker].is_offset && model.markers[marker].landmark.is_some()
        };
        end_markers(bone, side, model).is_none() && !model.markers_of(own).any(is_place)
    })
}

/// The bones of the body that may wear markers at both ends: with their side, and the joint at their lower end.
fn bones_with_ends<'a>(
    model: &'a Model,
    knowledge: &'a Knowledge,
) -> impl Iterator<Item = (&'a Bone, Side, usize)> {
    let bones = knowledge.bones.iter().filter(|bone| bone.between.is_some());
    bones.flat_map(move |bone| {
        sides(knowledge.segments[bone.segment].is_sided).iter().filter_map(move |side| {
            let segment = model.segment(bone.segment, *side)?;
            Some((bone, *side, model.segments[segment].bone?.0))
        })
    })
}

/// How much each marker counts at first: nothing if its place is not known beforehand, little for wands and
/// clusters, which teams put where they like.
pub(super) fn weights(model: &Model, knowledge: &Knowledge) -> Vec<f64> {
    let weight = |landmark: usize| match &knowledge.landmarks[landmark] {
        landmark if landmark.start.is_none() => 0.0,
        landmark if landmark.is_offset => OFFSET_WEIGHT,
        _ => 1.0,
    };
    model.markers.iter().map(|marker| marker.landmark.map_or(0.0, weight)).collect()
}

/// Poses a frame from the root to the leaves by the markers whose place is known; `None` where the root cannot
/// be placed.
pub(super) fn pose(
    model: &Model,
    weights: &[f64],
    parameters: &[f64],
    seen_m: &[Option<Vector3<f64>>],
) -> Option<Vec<SegmentPose>> {
    let point = |at: usize| Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2]);
    let has_start = |marker: usize| weights[marker] > 0.0;
    let neighbour_weight = NEIGHBOUR_WEIGHT * tilt_missing(model, weights, seen_m);
    let mut poses: Vec<SegmentPose> = Vec::with_capacity(model.segments.len());
    for (index, segment) in model.segments.iter().enumerate() {
        let mut pairs = Vec::new();
        let mut add = |in_segment: Vector3<f64>, in_world: Vector3<f64>, weight: f64| {
            let (in_segment_m, in_world_m) = (Point3::from(in_segment), Point3::from(in_world));
            pairs.push(Pair { in_segment_m, in_world_m, weight });
        };
        for (marker, this) in model.markers.iter().enumerate() {
            if let Some(seen) =
                seen_m[marker].filter(|_| this.segment == index && has_start(marker))
            {
                add(point(model.marker_at(marker)), seen, weights[marker]);
            }
        }
        match segment.parent {
            Some(parent) => {
                let parent = &poses[parent];
                let centre =
                    segment.joint.map_or_else(Vector3::zeros, |j| point(model.joint_at(j)));
                let joint = parent.rotation * centre + parent.origin_m;
                add(Vector3::zeros(), joint, 1.0);
                for axis in 0..3 {
                    let arm = parent.rotation * segment.rest.column(axis);
                    add(Vector3::ith(axis, ARM_M), joint + arm * ARM_M, ARM_WEIGHT);
                }
            }
            None => {
                for (marker, this) in model.markers.iter().enumerate() {
                    let other = &model.segments[this.segment];
                    let is_next = other.parent == Some(index) && other.side == Side::Unsaid;
                    let (Some(seen), Some(joint)) = (seen_m[marker], other.joint) else { continue };
                    if is_next && has_start(marker) {
                        let at = point(model.joint_at(joint)) + point(model.marker_at(marker));
                        add(at, seen, neighbour_weight);
                    }
                }
                // Hips alone are on a line: the shoulders tell the rest.
                if is_on_a_line(&pairs) {
                    pairs.extend(beyond_next(model, weights, parameters, seen_m));
                }
                // Without shoulders the knees: a pelvis stands over its thighs.
                if is_on_a_line(&pairs) {
                    pairs.extend(of_limbs(model, weights, parameters, seen_m));
                }
            }
        }
        let placed = place(pairs)?.world_from_segment;
        poses.push(SegmentPose {
            rotation: placed.rotation.to_rotation_matrix().into_inner(),
            origin_m: placed.translation.vector,
        });
    }
    Some(poses)
}

/// Points of a root so near to a line leave its turn about that open.
const NARROW_M: f64 = 0.01;

/// Whether all points that count are on a line.
fn is_on_a_line(pairs: &[Pair]) -> bool {
    let counting = || pairs.iter().filter(|pair| pair.weight > 0.0).map(|pair| pair.in_segment_m);
    let Some(first) = counting().next() else { return true };
    let ends = counting().max_by(|a, b| (a - first).norm().total_cmp(&(b - first).norm()));
    let along = ends.and_then(|end| (end - first).try_normalize(1e-6));
    let Some(along) = along else { return true };
    counting().all(|at| along.cross(&(at - first)).norm() < NARROW_M)
}

/// Markers two joints from the root, on both sides of the body, as if nothing were bent.
fn beyond_next(
    model: &Model,
    weights: &[f64],
    parameters: &[f64],
    seen_m: &[Option<Vector3<f64>>],
) -> Vec<Pair> {
    let point = |at: usize| Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2]);
    let mut pairs = Vec::new();
    for (marker, this) in model.markers.iter().enumerate() {
        let own = &model.segments[this.segment];
        let next = own.parent.map(|parent| &model.segments[parent]);
        let Some(next) = next.filter(|s| s.parent == Some(0) && s.side == Side::Unsaid) else {
            continue;
        };
        let (Some(seen), Some(a), Some(b)) = (seen_m[marker], next.joint, own.joint) else {
            continue;
        };
        if weights[marker] > 0.0 {
            let chain = point(model.joint_at(a)) + point(model.joint_at(b));
            let in_segment_m = Point3::from(chain + point(model.marker_at(marker)));
            let weight = NEIGHBOUR_WEIGHT;
            pairs.push(Pair { in_segment_m, in_world_m: Point3::from(seen), weight });
        }
    }
    pairs
}

/// Markers of the limbs that hang on the root, as if nothing were bent.
fn of_limbs(
    model: &Model,
    weights: &[f64],
    parameters: &[f64],
    seen_m: &[Option<Vector3<f64>>],
) -> Vec<Pair> {
    let point = |at: usize| Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2]);
    let mut pairs = Vec::new();
    for (marker, this) in model.markers.iter().enumerate() {
        let own = &model.segments[this.segment];
        let is_limb = own.parent == Some(0) && own.side != Side::Unsaid && weights[marker] > 0.0;
        let (Some(seen), Some(joint)) = (seen_m[marker].filter(|_| is_limb), own.joint) else {
            continue;
        };
        let in_root_m = point(model.joint_at(joint)) + own.rest * point(model.marker_at(marker));
        let (in_segment_m, in_world_m) = (Point3::from(in_root_m), Point3::from(seen));
        pairs.push(Pair { in_segment_m, in_world_m, weight: NEIGHBOUR_WEIGHT });
    }
    pairs
}

/// 1 if the markers seen of the root do not tell how it is tilted, else 0.
fn tilt_missing(model: &Model, weights: &[f64], seen_m: &[Option<Vector3<f64>>]) -> f64 {
    let mut own: Vec<usize> = Vec::new();
    for (marker, this) in model.markers.iter().enumerate() {
        if this.segment == 0 && weights[marker] > 0.0 && seen_m[marker].is_some() {
            own.push(this.landmark.unwrap_or(usize::MAX - marker));
        }
    }
    let markers = own.len();
    own.sort_unstable();
    own.dedup();
    if markers >= 3 && own.len() >= 2 { 0.0 } else { 1.0 }
}

/// Puts markers of which nothing is known where the poses have them, on average.
pub(super) fn place_unknown(
    model: &Model,
    weights: &[f64],
    observed_m: &Observed,
    state: &mut State,
) {
    for (index, marker) in model.markers.iter().enumerate() {
        if weights[index] > 0.0 {
            continue;
        }
        let (mut sum, mut count) = (Vector3::zeros(), 0.0);
        for (poses, seen_m) in state.poses.iter().zip(observed_m) {
            if let Some(seen) = seen_m[index] {
                let pose = &poses[marker.segment];
                sum += pose.rotation.transpose() * (seen - pose.origin_m);
                count += 1.0;
            }
        }
        if count > 0.0 {
            let at = model.marker_at(index);
            for axis in 0..3 {
                state.parameters[at + axis] = sum[axis] / count;
            }
        }
    }
}
