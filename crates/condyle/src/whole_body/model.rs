//! The body that is fitted: which segments, joints and markers of the knowledge a plan has.

use nalgebra::{Matrix3, Vector3};

use super::Input;
use super::choose::Reading;
use super::knowledge::{Knowledge, Limit};
use crate::marker_set::{Side, body_part, fits};
use crate::plan::PlannedSegment;

/// The body: segments with their parents first, joints, markers, and where their parameters are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub segments: Vec<Segment>,
    pub joints: Vec<Joint>,
    pub markers: Vec<Marker>,
    pub angles: Vec<Angle>,
    pub sizes: usize,
    /// Offsets of the knowledge that two landmarks and more of a side share.
    pub offsets: Vec<(usize, Side)>,
    /// Markers of the plan on segments that the knowledge does not have, by their place in the plan.
    pub left_out: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Segment {
    pub name: String,
    pub kind: usize,
    pub side: Side,
    pub parent: Option<usize>,
    /// The joint to the parent.
    pub joint: Option<usize>,
    /// The joint on its z axis, and whether upwards.
    pub bone: Option<(usize, bool)>,
    /// The plan's segment, if it has one.
    pub planned: Option<usize>,
    /// How it stands against its parent when nothing tells.
    pub rest: Matrix3<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Joint {
    pub name: String,
    /// The kind of its child.
    pub kind: usize,
    pub side: Side,
    pub parent: usize,
    /// Its child, if that is part of the body: a wrist is a point of the forearm also without a hand.
    pub child: Option<usize>,
    pub is_hinge: bool,
    pub closure_m: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Marker {
    pub label: String,
    /// Its place in a frame.
    pub column: usize,
    pub segment: usize,
    pub landmark: Option<usize>,
    /// The side that the label says.
    pub side: Side,
    pub is_on_belt: bool,
    /// It is somewhere on its segment, as wands and clusters are: no place of the bone.
    pub is_offset: bool,
    pub sigma_m: f64,
    /// How much the user lets it count.
    pub weight: f64,
}

/// What is known of the angle between a segment and its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Angle {
    pub parent: usize,
    pub child: usize,
    pub axes: [usize; 2],
    pub limit: Limit,
    pub sd: f64,
    pub frames: Option<f64>,
}

impl Model {
    /// The axis about which a segment bends against its parent, from right to left or back, if it bends one way.
    pub(super) fn flexion_axis(&self, child: usize) -> Option<Vector3<f64>> {
        // Turned about y, the child's z goes along the parent's x.
        let of_child =
            self.angles.iter().filter(|angle| angle.child == child && angle.axes == [0, 2]);
        of_child
            .filter_map(|angle| match angle.limit {
                Limit::AtLeast(_) => Some(Vector3::y()),
                Limit::AtMost(_) => Some(-Vector3::y()),
                Limit::Near(_) => None,
            })
            .next()
    }

    /// The body of a plan, as far as the knowledge has it.
    ///
    /// Its labels are read as `reading` says.
    pub(super) fn new(input: &Input, knowledge: &Knowledge, reading: &Reading) -> Self {
        let is_exchanged = reading.are_sides_exchanged;
        let found = markers(input, knowledge, reading);
        let mut model = Self {
            segments: segments(input, knowledge, &found.markers, is_exchanged),
            joints: Vec::new(),
            markers: Vec::new(),
            angles: Vec::new(),
            sizes: knowledge.sizes.len(),
            offsets: Vec::new(),
            left_out: found.left_out,
        };
        for marker in found.markers {
            let segment = model.segment(marker.kind, marker.side_of_segment);
            if let Some(segment) = segment {
                model.markers.push(Marker { segment, ..marker.marker });
            }
        }
        model.add_joints(knowledge);
        model.add_angles(knowledge);
        model.add_offsets(knowledge);
        model
    }

    pub(super) fn segment(&self, kind: usize, side: Side) -> Option<usize> {
        self.segments.iter().position(|segment| segment.kind == kind && segment.side == side)
    }

    pub(super) fn joint(&self, kind: usize, side: Side) -> Option<usize> {
        self.joints.iter().position(|joint| joint.kind == kind && joint.side == side)
    }

    /// The marker on a landmark of a side.
    pub(super) fn marker(&self, landmark: usize, side: Side) -> Option<usize> {
        let is_it = |m: &Marker| m.landmark == Some(landmark) && m.side == side;
        self.markers.iter().position(is_it)
    }

    /// The markers on a segment.
    pub(super) fn markers_of(&self, segment: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.markers.len()).filter(move |marker| self.markers[*marker].segment == segment)
    }

    /// How many numbers are estimated beside the poses.
    pub(super) fn parameters(&self) -> usize {
        self.sizes + 3 * (self.joints.len() + self.markers.len() + self.offsets.len())
    }

    /// Where the centre of a joint begins among the parameters.
    pub(super) fn joint_at(&self, joint: usize) -> usize {
        self.sizes + 3 * joint
    }

    /// Where the position of a marker begins among the parameters.
    pub(super) fn marker_at(&self, marker: usize) -> usize {
        self.sizes + 3 * (self.joints.len() + marker)
    }

    /// Where an offset begins among the parameters, if it is one of them; its y is outwards.
    pub(super) fn offset_at(&self, offset: usize, side: Side) -> Option<usize> {
        let place = self.offsets.iter().position(|own| *own == (offset, side))?;
        Some(self.sizes + 3 * (self.joints.len() + self.markers.len() + place))
    }

    fn add_offsets(&mut self, knowledge: &Knowledge) {
        for (index, offset) in knowledge.offsets.iter().enumerate() {
            for side in [Side::Left, Side::Right, Side::Unsaid] {
                let seen = offset.landmarks.iter().filter(|l| self.marker(**l, side).is_some());
                if seen.count() > 1 {
                    self.offsets.push((index, side));
                }
            }
        }
    }

    fn add_joints(&mut self, knowledge: &Knowledge) {
        for (kind, child) in knowledge.segments.iter().enumerate() {
            let Some(parent_kind) = child.parent else { continue };
            for side in sides(child.is_sided) {
                let above =
                    if knowledge.segments[parent_kind].is_sided { *side } else { Side::Unsaid };
                let Some(parent) = self.segment(parent_kind, above) else { continue };
                let child_segment =
                    self.segment(kind, *side).filter(|c| self.segments[*c].parent == Some(parent));
                self.joints.push(Joint {
                    name: sided_name(&child.joint, *side),
                    kind,
                    side: *side,
                    parent,
                    child: child_segment,
                    is_hinge: child.is_hinge,
                    closure_m: child.closure_m,
                });
                if let Some(child) = child_segment {
                    self.segments[child].joint = Some(self.joints.len() - 1);
                }
            }
        }
        for index in 0..self.segments.len() {
            let Segment { kind, side, .. } = self.segments[index];
            if let Some((to, up)) = knowledge.segments[kind].bone {
                let side = if knowledge.segments[to].is_sided { side } else { Side::Unsaid };
                self.segments[index].bone = self.joint(to, side).map(|joint| (joint, up));
            }
        }
    }

    fn add_angles(&mut self, knowledge: &Knowledge) {
        for angle in &knowledge.angles {
            for side in sides(knowledge.segments[angle.child].is_sided) {
                let joint = self.joint(angle.child, *side).map(|joint| &self.joints[joint]);
                let Some((parent, child)) = joint.and_then(|j| Some((j.parent, j.child?))) else {
                    continue;
                };
                // One y axis: it points to the other side of the body's own half.
                let is_odd = angle.axes.iter().filter(|axis| **axis == 1).count() == 1;
                let limit = match angle.limit {
                    Limit::Near(sine) if is_odd && *side == Side::Right => Limit::Near(-sine),
                    Limit::AtLeast(least) if is_odd && *side == Side::Right => {
                        Limit::AtMost(-least)
                    }
                    Limit::AtMost(most) if is_odd && *side == Side::Right => Limit::AtLeast(-most),
                    other => other,
                };
                self.angles.push(Angle {
                    parent,
                    child,
                    axes: angle.axes,
                    limit,
                    sd: knowledge.inflation * angle.sd,
                    frames: angle.frames,
                });
            }
        }
    }
}

/// The sides that a kind of segment has.
pub(super) fn sides(is_sided: bool) -> &'static [Side] {
    if is_sided { &[Side::Left, Side::Right] } else { &[Side::Unsaid] }
}

fn sided_name(name: &str, side: Side) -> String {
    match side {
        Side::Left => format!("left {name}"),
        Side::Right => format!("right {name}"),
        Side::Unsaid => name.to_owned(),
    }
}

struct Found {
    markers: Vec<FoundMarker>,
    left_out: Vec<usize>,
}

struct FoundMarker {
    kind: usize,
    side_of_segment: Side,
    marker: Marker,
}

/// The markers on segments that the knowledge has, each with its landmark.
fn markers(input: &Input, knowledge: &Knowledge, reading: &Reading) -> Found {
    let mut found = Found { markers: Vec::new(), left_out: Vec::new() };
    let planned: Vec<Option<(usize, Side)>> =
        input.performer.segments.iter().map(|s| kind_of(&s.name, knowledge)).collect();
    let flip = |side: Side| if reading.are_sides_exchanged { other(side) } else { side };
    let mut taken: Vec<(usize, Side)> = Vec::new();
    for (segment, place) in input.performer.segments.iter().zip(&planned) {
        for &column in &segment.markers {
            let (Some((kind, side)), Some(label)) = (*place, input.labels.get(column)) else {
                found.left_out.push(column);
                continue;
            };
            if reading.without.contains(&column) {
                continue;
            }
            let has = |kind: usize, side: Side| planned.contains(&Some((kind, side)));
            let landmark = landmark(label, kind, side, knowledge, &has).map(|found| {
                let moved = reading.moved.iter().find(|(moved, _)| *moved == column);
                moved.map_or(found, |(_, index)| FoundLandmark { index: *index, ..found })
            });
            // A second marker of one landmark has no knowledge of its own, unless it is one of a cluster.
            let landmark = landmark.filter(|l| {
                let is_free = !taken.contains(&(l.index, l.side));
                is_free || knowledge.landmarks[l.index].is_offset
            });
            let mut marker = Marker {
                label: label.to_string(),
                column,
                segment: 0,
                landmark: None,
                side,
                is_on_belt: false,
                is_offset: true,
                sigma_m: knowledge.segments[kind].noise_m,
                weight: 1.0,
            };
            let (mut kind, mut side_of_segment) = (kind, side);
            if let Some(landmark) = landmark {
                let known = &knowledge.landmarks[landmark.index];
                taken.push((landmark.index, landmark.side));
                kind = known.segment;
                if knowledge.segments[kind].is_sided {
                    side_of_segment = landmark.side;
                }
                marker.landmark = Some(landmark.index);
                marker.side = if known.is_sided { landmark.side } else { Side::Unsaid };
                marker.is_on_belt = landmark.is_on_belt;
                marker.is_offset = known.is_offset;
                marker.sigma_m = known.noise_m.unwrap_or(knowledge.segments[kind].noise_m);
            }
            marker.side = flip(marker.side);
            found.markers.push(FoundMarker {
                kind,
                side_of_segment: flip(side_of_segment),
                marker,
            });
        }
    }
    found
}

fn other(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
        Side::Unsaid => Side::Unsaid,
    }
}

/// The kind and side of a planned segment.
fn kind_of(name: &str, knowledge: &Knowledge) -> Option<(usize, Side)> {
    let (part, side) = body_part(name)?;
    let kind = knowledge.segments.iter().position(|kind| kind.name == part)?;
    let is_sided = knowledge.segments[kind].is_sided;
    (is_sided == (side != Side::Unsaid)).then_some((kind, side))
}

#[derive(Clone, Copy)]
struct FoundLandmark {
    index: usize,
    side: Side,
    is_on_belt: bool,
}

/// The landmark that a label on a segment means.
///
/// A segment that the plan does not have takes its markers from its parent: the acromion is on the clavicle,
/// though most plans have it on the chest.
fn landmark(
    label: &str,
    kind: usize,
    side: Side,
    knowledge: &Knowledge,
    is_planned: &dyn Fn(usize, Side) -> bool,
) -> Option<FoundLandmark> {
    knowledge.landmarks.iter().enumerate().find_map(|(index, landmark)| {
        let fit = |patterns: &[String]| patterns.iter().find_map(|pattern| fits(pattern, label));
        let (said, is_on_belt) = match fit(&landmark.labels) {
            Some(said) => (said, false),
            None => (fit(&landmark.belt_labels)?, true),
        };
        if landmark.is_sided && said == Side::Unsaid {
            return None;
        }
        let own = &knowledge.segments[landmark.segment];
        let is_here = landmark.segment == kind && (side == Side::Unsaid || said == side);
        let is_below = own.parent == Some(kind) && !is_planned(landmark.segment, said);
        (is_here || is_below).then_some(FoundLandmark { index, side: said, is_on_belt })
    })
}

/// The segments with markers, and those between them.
fn segments(
    input: &Input,
    knowledge: &Knowledge,
    markers: &[FoundMarker],
    is_exchanged: bool,
) -> Vec<Segment> {
    let kinds = &knowledge.segments;
    let mut all: Vec<Segment> = Vec::new();
    for (kind, this) in kinds.iter().enumerate() {
        for &side in sides(this.is_sided) {
            let parent = this.parent.and_then(|parent| {
                let above = if kinds[parent].is_sided { side } else { Side::Unsaid };
                all.iter().position(|s| s.kind == parent && s.side == above)
            });
            let planned_side = if is_exchanged { other(side) } else { side };
            let is_it =
                |s: &PlannedSegment| kind_of(&s.name, knowledge) == Some((kind, planned_side));
            let planned = input.performer.segments.iter().position(is_it);
            let name = sided_name(&this.name, side);
            all.push(Segment {
                name,
                kind,
                side,
                parent,
                joint: None,
                bone: None,
                planned,
                rest: Matrix3::identity(),
            });
        }
    }
    let marked: Vec<bool> = all
        .iter()
        .map(|s| markers.iter().any(|m| (m.kind, m.side_of_segment) == (s.kind, s.side)))
        .collect();
    let mut is_kept = marked.clone();
    for index in (0..all.len()).rev() {
        if let Some(parent) = all[index].parent.filter(|_| is_kept[index]) {
            is_kept[parent] = true;
        }
    }
    if knowledge.has_ends {
        for index in 0..all.len() {
            let is_leaf = kinds.iter().all(|kind| kind.parent != Some(all[index].kind));
            let is_end = is_leaf && kinds[all[index].kind].is_sided;
            is_kept[index] |= is_end && all[index].parent.is_some_and(|parent| marked[parent]);
        }
    }
    // A root without markers that leads to one branch only is none.
    let mut root = 0;
    while root < all.len() && is_kept[root] && !marked[root] {
        let children = (0..all.len()).filter(|c| is_kept[*c] && all[*c].parent == Some(root));
        let children: Vec<usize> = children.collect();
        let [only] = children[..] else { break };
        is_kept[root] = false;
        root = only;
    }
    let mut new_index = vec![None; all.len()];
    let mut kept = Vec::new();
    for (index, segment) in all.into_iter().enumerate() {
        if is_kept[index] {
            new_index[index] = Some(kept.len());
            let parent = segment.parent.and_then(|parent| new_index[parent]);
            kept.push(Segment { parent, ..segment });
        }
    }
    kept
}
