//! A solved performer in the coordinates of a model.
//!
//! # Method
//! Pelvis: where the middle of its front (the anterior iliac spines, or of the hips where no marker is on them) is in
//! the room, y up, and its axes as R = Rz(tilt) Rx(list) Ry(rotation). Hip, knee, ankle, trunk, elbow and wrist: the
//! joint angles of [`crate::angles`] under the model's names and signs. Arm: Rz(flexion) Rx(adduction) Ry(rotation)
//! against the trunk. The ankle is zero where the line from heel to toe is at right angles to the shank.
//!
//! # References
//! A. Rajagopal and others 2016, *Full-body musculoskeletal model for muscle-driven simulation of human gait*. S. Delp
//! and others 1990, *An interactive graphics-based model of the lower extremity*.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};

use super::MotModel;
use crate::anatomy::{Anatomy, AxesFrom, Part};
use crate::angles::{Convention, JointAngles, ZeroPose, low_pass};
use crate::cardan::Sequence;
use crate::job::SolvedPerformer;
use crate::marker_set::{Side, fits};
use crate::order;
use crate::statistics::centroid;
use crate::subject::{Joint, Segment, Subject};
use crate::trial::edit::Turn;
use crate::trial::{Axis, Channel, Trial};

/// Labels of markers on the front of the pelvis.
const FRONT: &[&str] = &["?ASI", "?ASIS", "?FWT", "?IAS", "?ASIS*"];
const HEEL: &[&str] = &["?HEE", "?HEEL", "?CAL", "?CALC*", "?FCC", "?HEEL*"];
const TOE: &[&str] =
    &["?TOE", "?MT2", "?FM2", "?MT#", "?FM#", "?TO", "?TOETIP", "?TOE*", "?5META", "?MT5"];

type Values = Vec<Option<f64>>;

/// How far the plane through front and back of the pelvis tilts forward, in degrees, where a model has its tilt zero:
/// from the places of its own markers (`RASI` and `RPSI`; `R.ASIS` and `V.Sacral`).
fn plane_tilt_deg(model: MotModel) -> f64 {
    match model {
        MotModel::Rajagopal => 6.6,
        MotModel::Gait2392 => 2.5,
    }
}

/// The coordinates of a performer as the channels of a trial on the clock of `trial`, and what they are in lines.
///
/// `None` if it has no pelvis that joints and markers show: it is no such model.
pub fn coordinates(
    trial: &Trial,
    performer: &SolvedPerformer,
    model: MotModel,
) -> Option<(Trial, Vec<String>)> {
    let body = Body { tilt_rad: plane_tilt_deg(model).to_radians(), ..Body::new(trial, performer) };
    let up = trial.source.up?;
    let mut remarks = vec![format!(
        "coordinates: names, signs and zero as in {}; y up; pelvis_tx, _ty, _tz in metres",
        model.name()
    )];
    let mut columns: Vec<(String, Values, bool)> =
        body.pelvis(Turn::between(up, Axis::Y), &mut remarks)?;
    for side in [Side::Right, Side::Left] {
        columns.extend(body.leg(side, model, &mut remarks));
    }
    columns.extend(body.trunk());
    if model == MotModel::Rajagopal {
        for side in [Side::Right, Side::Left] {
            columns.extend(body.arm(side));
        }
    }
    // Of the ankle it is said above, where its zero is not the model's.
    let own = performer.angles.joints.iter().filter(|joint| !joint.name.ends_with("ankle"));
    remarks.extend(own.filter(|joint| joint.zero != ZeroPose::Anatomical).map(|joint| {
        let zero = joint.zero.in_words(trial);
        format!("{}: zero not as in the model: {zero}", joint.name)
    }));
    let mut table = Trial::new(trial.source.format, trial.rate_hz);
    table.frames = trial.frames;
    table.first_frame = trial.first_frame;
    table.start_s = trial.start_s;
    for (label, values, is_angle) in columns {
        let stored = |value: &Option<f64>| match (value, is_angle) {
            (Some(value), true) => value.to_degrees(),
            (Some(value), false) => *value,
            (None, _) => f64::NAN,
        };
        let unit = if is_angle { "rad" } else { "m" };
        let mut channel =
            Channel::from_values(label, unit, trial.rate_hz, values.iter().map(stored).collect());
        channel.scale = if is_angle { 1f64.to_radians() } else { 1.0 };
        table.channels.push(channel);
    }
    Some((table, remarks))
}

pub(super) struct Body<'a> {
    performer: &'a SolvedPerformer,
    pub(super) anatomy: Anatomy,
    trial: &'a Trial,
    /// Of the plane of the pelvis at zero.
    tilt_rad: f64,
}

impl<'a> Body<'a> {
    /// With the zero of Rajagopal's model.
    pub(super) fn new(trial: &'a Trial, performer: &'a SolvedPerformer) -> Self {
        let anatomy = Anatomy::new(&performer.subject);
        let tilt_rad = plane_tilt_deg(MotModel::Rajagopal).to_radians();
        Self { performer, anatomy, trial, tilt_rad }
    }

    pub(super) fn subject(&self) -> &'a Subject {
        &self.performer.subject
    }

    fn segment(&self, name: &str, side: Side) -> Option<usize> {
        let is_it =
            |part: &Option<Part>| part.is_some_and(|part| part.name == name && part.side == side);
        self.anatomy.parts.iter().position(is_it)
    }

    /// The anatomical axes of a segment in a frame.
    fn axes(&self, segment: usize, frame: usize) -> Option<UnitQuaternion<f64>> {
        let world_from_segment = self.performer.motion.world_from_segment(frame, segment)?.rotation;
        Some(world_from_segment * self.anatomy.axes[segment]?.segment_from_axes)
    }

    /// Where a segment is in the first frame that shows it.
    pub(super) fn first_pose(&self, segment: usize) -> Option<Isometry3<f64>> {
        (0..self.frames())
            .find_map(|frame| self.performer.motion.world_from_segment(frame, segment))
    }

    /// How a joint is turned on average over the frames that show both of its segments.
    pub(super) fn mean_turn(&self, joint: &Joint) -> Option<UnitQuaternion<f64>> {
        let motion = &self.performer.motion;
        let turns = (0..self.frames()).filter_map(|frame| {
            let parent = motion.world_from_segment(frame, joint.parent)?.rotation;
            Some(parent.inverse() * motion.world_from_segment(frame, joint.child)?.rotation)
        });
        // A quaternion and its opposite are one turn.
        let sum = turns.fold(Quaternion::default(), |sum: Quaternion<f64>, turn| {
            let turn = turn.into_inner();
            if sum.dot(&turn) < 0.0 { sum - turn } else { sum + turn }
        });
        UnitQuaternion::try_new(sum, 1e-6)
    }

    fn frames(&self) -> usize {
        self.performer.motion.frames()
    }

    /// What its hips were smoothed with.
    fn smoothed(&self, values: Values) -> Values {
        let hips = self.performer.angles.joints.iter().filter(|joint| joint.name.ends_with("hip"));
        match hips.filter_map(|joint| joint.smoothed_hz).reduce(f64::max) {
            Some(cutoff_hz) => smoothed(values, self.trial.rate_hz, cutoff_hz),
            None => values,
        }
    }

    fn pelvis(&self, turn: Turn, remarks: &mut Vec<String>) -> Option<Vec<(String, Values, bool)>> {
        let (pelvis, origin_m, pelvis_from_model) = self.pelvis_frame()?;
        let has_front = self.front(&self.subject().segments()[pelvis]).iter().all(Option::is_some);
        let word = if has_front { "the markers on its front" } else { "the hips" };
        remarks.push(format!("pelvis: its origin is between {word}"));
        let turned = turn.quaternion();
        let mut previous: Option<[f64; 3]> = None;
        let mut columns: [Values; 6] = Default::default();
        for frame in 0..self.frames() {
            let pose = self.performer.motion.world_from_segment(frame, pelvis);
            let axes = pose.map(|pose| turned * pose.rotation * pelvis_from_model);
            let angles = axes.map(|axes| {
                let ahead = axes * Vector3::x();
                let start = previous.unwrap_or([0.0, 0.0, (-ahead.z).atan2(ahead.x)]);
                Sequence::ZXY.angles(&axes, start)
            });
            previous = angles.or(previous);
            let at_m = pose.map(|pose| turn.vector((pose * origin_m).coords));
            for axis in 0..3 {
                columns[axis].push(angles.map(|angles| angles[axis]));
                columns[3 + axis].push(at_m.map(|at_m| at_m[axis]));
            }
        }
        let names = [
            "pelvis_tilt",
            "pelvis_list",
            "pelvis_rotation",
            "pelvis_tx",
            "pelvis_ty",
            "pelvis_tz",
        ];
        let named = names.iter().zip(columns).enumerate();
        Some(
            named
                .map(|(i, (name, values))| ((*name).to_owned(), self.smoothed(values), i < 3))
                .collect(),
        )
    }

    /// The pelvis, where the model's frame has its origin in it, and how that frame is turned.
    pub(super) fn pelvis_frame(&self) -> Option<(usize, Point3<f64>, UnitQuaternion<f64>)> {
        let pelvis = self.segment("pelvis", Side::Unsaid)?;
        let axes = self.anatomy.axes[pelvis]?.segment_from_axes;
        let own = &self.subject().segments()[pelvis];
        let is_hip = |joint: &&Joint| joint.parent == pelvis && joint.name.ends_with("hip");
        let hips = self.subject().joints().iter().filter(is_hip);
        let origin_m = match self.front(own) {
            [Some(left), Some(right)] => left + (right - left) / 2.0,
            _ => centroid(hips.map(|joint| joint.centre_in_parent_m))?,
        };
        let tilt = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), self.pelvis_zero_rad());
        Some((pelvis, origin_m, axes * tilt))
    }

    /// What is added to the first turn of the joint above a part, so that it is zero where the model's is.
    pub(super) fn zero_rad(&self, distal: &str, side: Side) -> f64 {
        match distal {
            "thigh" | "chest" => -self.pelvis_zero_rad(),
            "foot" => self.sole_rad(side).unwrap_or(0.0),
            "forearm" => {
                let elbow =
                    self.joint(distal, side).filter(|elbow| elbow.zero == ZeroPose::MeanPose);
                elbow.and_then(|_| self.forearm_rad(side)).unwrap_or(0.0)
            }
            _ => 0.0,
        }
    }

    fn front(&self, pelvis: &Segment) -> [Option<Point3<f64>>; 2] {
        [Side::Left, Side::Right].map(|side| marker(pelvis, FRONT, side))
    }

    /// The tilt of our pelvis where the model's is zero; none where neither markers on its front nor the fit tell ours.
    fn pelvis_zero_rad(&self) -> f64 {
        let pelvis = self.segment("pelvis", Side::Unsaid).map(|at| &self.subject().segments()[at]);
        let has_front = pelvis.is_some_and(|pelvis| self.front(pelvis).iter().all(Option::is_some));
        let is_fitted = self
            .segment("pelvis", Side::Unsaid)
            .and_then(|at| self.anatomy.axes[at])
            .is_some_and(|axes| axes.from == AxesFrom::Fit);
        let is_anatomical =
            !self.performer.angles.joints.iter().any(|j| matches!(j.zero, ZeroPose::Frame(_)));
        if (has_front || is_fitted) && is_anatomical { self.tilt_rad } else { 0.0 }
    }

    /// The angles of the joint above a part.
    fn joint(&self, distal: &str, side: Side) -> Option<&JointAngles> {
        self.performer.angles.joints.iter().find(|joint| match joint.convention {
            Convention::Isb { distal: own, side: of, .. } => own == distal && of == side,
            Convention::SwingTwist => false,
        })
    }

    fn leg(
        &self,
        side: Side,
        model: MotModel,
        remarks: &mut Vec<String>,
    ) -> Vec<(String, Values, bool)> {
        let letter = letter(side);
        let mut columns = Vec::new();
        let mut add =
            |name: &str, joint: &JointAngles, component: usize, sign: f64, offset_rad: f64| {
                let value =
                    |angles: &Option<[f64; 3]>| Some(sign * ((*angles)?[component] + offset_rad));
                columns.push((
                    format!("{name}_{letter}"),
                    joint.angles_rad.iter().map(value).collect(),
                    true,
                ));
            };
        if let Some(hip) = self.joint("thigh", side) {
            add("hip_flexion", hip, 0, 1.0, -self.pelvis_zero_rad());
            add("hip_adduction", hip, 1, 1.0, 0.0);
            add("hip_rotation", hip, 2, 1.0, 0.0);
        }
        if let Some(knee) = self.joint("shank", side) {
            let sign = if model == MotModel::Gait2392 { -1.0 } else { 1.0 };
            add("knee_angle", knee, 0, sign, 0.0);
        }
        if let Some(ankle) = self.joint("foot", side) {
            let sole_rad =
                self.sole_rad(side).filter(|_| !matches!(ankle.zero, ZeroPose::Frame(_)));
            if sole_rad.is_none() {
                let zero = ankle.zero.in_words(self.trial);
                remarks.push(format!("ankle_angle_{letter}: zero not as in the model: {zero}"));
            }
            add("ankle_angle", ankle, 0, 1.0, sole_rad.unwrap_or(0.0));
            add("subtalar_angle", ankle, 1, 1.0, 0.0);
        }
        if let Some(toes) = self.joint("toes", side) {
            add("mtp_angle", toes, 0, 1.0, 0.0);
        }
        columns
    }

    /// How far the line from heel to toe points up against the foot's axes.
    fn sole_rad(&self, side: Side) -> Option<f64> {
        let foot = self.segment("foot", side)?;
        let segment = &self.subject().segments()[foot];
        let sole_m = marker(segment, TOE, side)? - marker(segment, HEEL, side)?;
        let in_axes = self.anatomy.axes[foot]?.segment_from_axes.inverse() * sole_m;
        (in_axes.x > 0.0).then(|| in_axes.y.atan2(in_axes.x))
    }

    /// How far the forearm is bent against its axes, which are the upper arm's in the mean pose: by its two markers that
    /// are farthest from the elbow.
    fn forearm_rad(&self, side: Side) -> Option<f64> {
        let forearm = self.segment("forearm", side)?;
        let elbow_m = self.subject().joint_of(forearm)?.centre_in_child_m;
        let own = &self.subject().segments()[forearm].markers;
        let mut places: Vec<Point3<f64>> =
            own.iter().map(|marker| marker.position_in_segment_m).collect();
        order::by(&mut places, |a, b| (b - elbow_m).norm().total_cmp(&(a - elbow_m).norm()));
        let along_m = centroid(places.into_iter().take(2))? - elbow_m;
        let in_axes = self.anatomy.axes[forearm]?.segment_from_axes.inverse() * along_m;
        Some(in_axes.x.atan2(-in_axes.y))
    }

    fn trunk(&self) -> Vec<(String, Values, bool)> {
        let trunk =
            ["chest", "lower thorax"].iter().find_map(|part| self.joint(part, Side::Unsaid));
        let Some(waist) = trunk else { return Vec::new() };
        let column = |(name, component, sign): (&str, usize, f64)| {
            let zero_rad = if component == 0 { self.pelvis_zero_rad() } else { 0.0 };
            let value = |angles: &Option<[f64; 3]>| Some(sign * (*angles)?[component] - zero_rad);
            (name.to_owned(), waist.angles_rad.iter().map(value).collect(), true)
        };
        [("lumbar_extension", 0, -1.0), ("lumbar_bending", 1, 1.0), ("lumbar_rotation", 2, 1.0)]
            .map(column)
            .into()
    }

    fn arm(&self, side: Side) -> Vec<(String, Values, bool)> {
        let letter = letter(side);
        let mut columns: Vec<(String, Values, bool)> = Vec::new();
        let chest = self.segment("chest", Side::Unsaid);
        let is_known = |segment: &usize| self.anatomy.axes[*segment].is_some();
        let upper = self.segment("upper arm", side).filter(is_known);
        if let Some((chest, arm)) = chest.filter(is_known).zip(upper) {
            let mut previous = [0.0; 3];
            let mut angles = |frame: usize| {
                let turned = self.axes(chest, frame)?.inverse() * self.axes(arm, frame)?;
                previous = Sequence::ZXY.angles(&mirrored_if_left(turned, side), previous);
                Some(previous)
            };
            let all: Vec<Option<[f64; 3]>> = (0..self.frames()).map(&mut angles).collect();
            for (component, name) in ["arm_flex", "arm_add", "arm_rot"].iter().enumerate() {
                let values = all.iter().map(|angles| Some((*angles)?[component])).collect();
                columns.push((format!("{name}_{letter}"), self.smoothed(values), true));
            }
        }
        let mut add = |name: &str, joint: &JointAngles, component: usize, zero_rad: f64| {
            let value = |angles: &Option<[f64; 3]>| Some((*angles)?[component] + zero_rad);
            let values = joint.angles_rad.iter().map(value).collect();
            columns.push((format!("{name}_{letter}"), values, true));
        };
        if let Some(elbow) = self.joint("forearm", side) {
            let bent_rad = self.forearm_rad(side).filter(|_| elbow.zero == ZeroPose::MeanPose);
            add("elbow_flex", elbow, 0, bent_rad.unwrap_or(0.0));
            add("pro_sup", elbow, 2, 0.0);
        }
        if let Some(wrist) = self.joint("hand", side) {
            add("wrist_flex", wrist, 0, 0.0);
            add("wrist_dev", wrist, 1, 0.0);
        }
        columns
    }
}

fn letter(side: Side) -> &'static str {
    if side == Side::Left { "l" } else { "r" }
}

/// Where the first marker of a segment that fits a pattern and a side is.
fn marker(segment: &Segment, patterns: &[&str], side: Side) -> Option<Point3<f64>> {
    patterns.iter().find_map(|pattern| {
        let own =
            segment.markers.iter().filter(|marker| fits(pattern, &marker.label) == Some(side));
        centroid(own.map(|marker| marker.position_in_segment_m))
    })
}

/// The rotation of a left limb as a mirror between left and right shows it.
fn mirrored_if_left(rotation: UnitQuaternion<f64>, side: Side) -> UnitQuaternion<f64> {
    let q = rotation.quaternion();
    match side {
        Side::Left => UnitQuaternion::new_unchecked(Quaternion::new(q.w, -q.i, -q.j, q.k)),
        _ => rotation,
    }
}

fn smoothed(mut values: Values, rate_hz: f64, cutoff_hz: f64) -> Values {
    for run in values.split_mut(Option::is_none) {
        let own: Vec<f64> = run.iter().flatten().copied().collect();
        if let Some(smooth) = low_pass(&own, rate_hz, cutoff_hz) {
            run.iter_mut().zip(smooth).for_each(|(value, smooth)| *value = Some(smooth));
        }
    }
    values
}
