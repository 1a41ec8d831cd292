//! Angles over gait cycles, from 0 to 100 %: mean, spread, and how far they are from a reference.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::feet::Feet;
use super::{Side, Stride};
use crate::anatomy::Anatomy;
use crate::angles::{Angles, Convention};
use crate::cardan::Sequence;
use crate::error::{Error, Result};
use crate::marker_set;
use crate::solve::SolvedMotion;
use crate::statistics::{mean_and_sd, median, rms};
use crate::subject::Subject;

/// Points of a cycle: 0 to 100 %.
pub const POINTS: usize = 101;

/// Mean, standard deviation and how many cycles.
pub type Point = (f64, f64, usize);

/// One angle over one cycle, in degrees; nothing where a segment was not placed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cycle {
    /// Whose cycle.
    pub side: Side,
    /// The joint without its side, or `pelvis` or `foot`.
    pub joint: String,
    /// Positive as it says: `flexion`.
    pub angle: String,
    /// At 0, 1, ... 100 %.
    pub values_deg: Vec<Option<f64>>,
}

/// The mean of an angle over cycles, in degrees.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MeanCycle {
    /// Whose cycles.
    pub side: Side,
    /// As [`Cycle::joint`].
    pub joint: String,
    /// As [`Cycle::angle`].
    pub angle: String,
    /// At every point mean, standard deviation and how many cycles; nothing where no cycle has a value.
    pub points: Vec<Option<Point>>,
}

/// How far a performer's angles are from a reference, in degrees.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// `gps`, or a variable: `knee flexion`.
    pub name: String,
    /// Whose cycles; nothing of both.
    pub side: Option<Side>,
    /// The root of the mean square difference.
    pub value_deg: f64,
}

/// A solved performer.
pub struct Solved<'a> {
    /// Its skeleton.
    pub subject: &'a Subject,
    /// Where it is.
    pub motion: &'a SolvedMotion,
    /// Its angles.
    pub angles: &'a Angles,
}

/// Every angle over every stride: those of joints, of the pelvis in the room, and where the foot points.
pub(super) fn cycles(strides: &[Stride], solved: &Solved, feet: &Feet, start_s: f64) -> Vec<Cycle> {
    let rate_hz = feet.rate_hz;
    let mut found = Vec::new();
    let anatomy = Anatomy::new(solved.subject);
    let pelvis = axes_of(&anatomy, "pelvis", marker_set::Side::Unsaid);
    let feet_of_subject =
        [Side::Left, Side::Right].map(|side| FootAxes::new(&anatomy, solved, feet, side));
    for stride in strides {
        let side = stride.side;
        let mut add = |joint: &str, angle: &str, value: &dyn Fn(usize) -> Option<f64>| {
            let sampled = over_cycle(stride, start_s, rate_hz, value);
            let values_deg: Vec<Option<f64>> =
                sampled.into_iter().map(|value| value.map(f64::to_degrees)).collect();
            if values_deg.iter().any(Option::is_some) {
                found.push(Cycle {
                    side,
                    joint: joint.to_owned(),
                    angle: angle.to_owned(),
                    values_deg,
                });
            }
        };
        let Some(ahead) = direction(feet, stride, start_s) else { continue };
        if let Some((segment, segment_from_axes)) = pelvis {
            let room = room(ahead, feet.up);
            let turned = |frame: usize| {
                let world_from = solved.motion.world_from_segment(frame, segment)?.rotation;
                Some(
                    Sequence::YXZ
                        .angles(&(room.inverse() * world_from * segment_from_axes), [0.0; 3]),
                )
            };
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            add("pelvis", "anterior tilt", &|frame| turned(frame).map(|[_, _, tilt]| -tilt));
            add("pelvis", "obliquity", &|frame| {
                turned(frame).map(|[_, oblique, _]| sign * oblique)
            });
            add("pelvis", "internal rotation", &|frame| {
                turned(frame).map(|[turn, ..]| -sign * turn)
            });
        }
        for joint in &solved.angles.joints {
            let Convention::Isb { side: own, .. } = joint.convention else { continue };
            let is_own = match own {
                marker_set::Side::Left => side == Side::Left,
                marker_set::Side::Right => side == Side::Right,
                marker_set::Side::Unsaid => true,
            };
            let name = joint.name.strip_prefix("left ").or(joint.name.strip_prefix("right "));
            for (index, component) in joint.components.iter().enumerate().filter(|_| is_own) {
                let value = |frame: usize| Some(joint.angles_rad.get(frame).copied()??[index]);
                add(name.unwrap_or(&joint.name), component.name, &value);
            }
        }
        if let Some(foot) = &feet_of_subject[side as usize] {
            let inwards = if side == Side::Left { 1.0 } else { -1.0 };
            let room = room(ahead, feet.up);
            add("foot", "internal progression", &|frame| {
                let turned = room.inverse() * foot.world_from_axes(frame, solved.motion)?;
                let [turn, ..] = Sequence::YXZ.angles(&turned, [0.0; 3]);
                Some(inwards * wrapped(foot.line_rad - turn))
            });
        }
    }
    found
}

/// A value of every frame at 0, 1, ... 100 % of a stride, on a line between frames.
pub(super) fn over_cycle(
    stride: &Stride,
    start_s: f64,
    rate_hz: f64,
    value: &dyn Fn(usize) -> Option<f64>,
) -> Vec<Option<f64>> {
    let sampled = |point: usize| {
        let time_s = stride.start_s + stride.time_s() * point as f64 / (POINTS - 1) as f64;
        let at = ((time_s - start_s) * rate_hz).max(0.0);
        let (before, part) = (at.floor() as usize, at.fract());
        let first = value(before)?;
        Some(match part > 1e-9 {
            true => first + part * (value(before + 1)? - first),
            false => first,
        })
    };
    (0..POINTS).map(sampled).collect()
}

/// The direction of travel over a stride, level.
pub(super) fn direction(feet: &Feet, stride: &Stride, start_s: f64) -> Option<Vector3<f64>> {
    let frame = |time_s: f64| ((time_s - start_s) * feet.rate_hz).round().max(0.0) as usize;
    let at = |time_s: f64| feet.pelvis.coarse_m.get(frame(time_s)).copied().flatten();
    let moved = at(stride.end_s)? - at(stride.start_s)?;
    (moved - feet.up * moved.dot(&feet.up)).try_normalize(1e-3)
}

/// The room as somebody who travels sees it: x ahead, y up, z to the right.
fn room(ahead: Vector3<f64>, up: Vector3<f64>) -> UnitQuaternion<f64> {
    let axes = Matrix3::from_columns(&[ahead, up, ahead.cross(&up)]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
}

/// A segment and how its anatomical axes are turned in it.
fn axes_of(
    anatomy: &Anatomy,
    name: &str,
    side: marker_set::Side,
) -> Option<(usize, UnitQuaternion<f64>)> {
    let is_it = |part: &Option<crate::anatomy::Part>| {
        part.is_some_and(|part| part.name == name && part.side == side)
    };
    let segment = anatomy.parts.iter().position(is_it)?;
    Some((segment, anatomy.axes[segment]?.segment_from_axes))
}

/// Where a foot points: the line from heel to toe, fixed in the foot, turns with it about the vertical. The line itself
/// stands nearly upright as the heel rises, and its level direction says nothing then.
struct FootAxes {
    segment: usize,
    segment_from_axes: UnitQuaternion<f64>,
    /// How far the line is to the right of the foot's own forward axis.
    line_rad: f64,
}

impl FootAxes {
    fn new(anatomy: &Anatomy, solved: &Solved, feet: &Feet, side: Side) -> Option<Self> {
        let set_side = match side {
            Side::Left => marker_set::Side::Left,
            Side::Right => marker_set::Side::Right,
        };
        let (segment, segment_from_axes) = axes_of(anatomy, "foot", set_side)?;
        let foot = &feet.feet[side as usize];
        let toe = foot.toe.as_ref()?;
        // Without a heel the centre of the ankle: a malleolus beside it would turn the foot inwards.
        let name = format!("{} ankle", side.name());
        let ankle = solved.subject.joints().iter().position(|joint| joint.name == name);
        let rear_m = |frame: usize| match &foot.heel {
            Some(heel) => heel.fine_m.get(frame).copied()?,
            None => Some(solved.motion.joint_m(frame, ankle?)?.coords),
        };
        let mut own = Self { segment, segment_from_axes, line_rad: 0.0 };
        let line_rad = |frame: usize| {
            let line_m = toe.fine_m.get(frame).copied()?? - rear_m(frame)?;
            let in_axes = own.world_from_axes(frame, solved.motion)?.inverse() * line_m;
            Some(in_axes.z.atan2(in_axes.x))
        };
        own.line_rad = median((0..solved.motion.frames()).filter_map(line_rad))?;
        Some(own)
    }

    fn world_from_axes(&self, frame: usize, motion: &SolvedMotion) -> Option<UnitQuaternion<f64>> {
        Some(motion.world_from_segment(frame, self.segment)?.rotation * self.segment_from_axes)
    }
}

/// Within half a turn of zero.
fn wrapped(angle_rad: f64) -> f64 {
    angle_rad.sin().atan2(angle_rad.cos())
}

/// Mean and spread of cycles, angle by angle.
///
/// Of every angle those strides count that have all points which the most complete one has: a mean over other strides at
/// other points would step where one of them runs out. Holes of up to three points within a stride are bridged first, lest
/// one that has none stands alone.
pub fn means(cycles: &[Cycle]) -> Vec<MeanCycle> {
    let mut order: Vec<(Side, &str, &str)> = Vec::new();
    let mut by_name: BTreeMap<(Side, &str, &str), Vec<Values>> = BTreeMap::new();
    for cycle in cycles {
        let key = (cycle.side, cycle.joint.as_str(), cycle.angle.as_str());
        let own = by_name.entry(key).or_default();
        if own.is_empty() {
            order.push(key);
        }
        own.push(&cycle.values_deg);
    }
    order.sort_by_key(|(side, ..)| *side);
    let mean = |key: &(Side, &str, &str)| MeanCycle {
        side: key.0,
        joint: key.1.to_owned(),
        angle: key.2.to_owned(),
        points: mean_points(by_name.get(key).map(Vec::as_slice).unwrap_or_default()),
    };
    order.iter().map(mean).collect()
}

/// A value at every point of a stride.
type Values<'a> = &'a [Option<f64>];

/// Mean and spread of a value over strides, at every point that those which count have.
pub(super) fn mean_points(strides: &[Values]) -> Vec<Option<Point>> {
    let whole: Vec<Vec<Option<f64>>> = strides.iter().map(|values| bridged(values)).collect();
    let own = as_complete(&whole);
    let point = |point: usize| {
        // All of them have it, or it is none of the points that count.
        let values: Option<Vec<f64>> = own.iter().map(|values| values[point]).collect();
        let (mean, sd) = mean_and_sd(values?)?;
        Some((mean, sd, own.len()))
    };
    (0..POINTS).map(point).collect()
}

/// Holes of a stride up to so many points are bridged.
const MAX_HOLE: usize = 3;

/// A stride whose short holes are on the line between their ends.
fn bridged(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut whole = values.to_vec();
    let seen: Vec<usize> = (0..values.len()).filter(|point| values[*point].is_some()).collect();
    for pair in seen.windows(2).filter(|pair| (2..=MAX_HOLE + 1).contains(&(pair[1] - pair[0]))) {
        let (from, to) = (pair[0], pair[1]);
        let Some((first, last)) = values[from].zip(values[to]) else { continue };
        for (step, value) in whole[from..to].iter_mut().enumerate().skip(1) {
            *value = Some(first + step as f64 / (to - from) as f64 * (last - first));
        }
    }
    whole
}

/// The strides that have all points which the one with most of them has.
fn as_complete(strides: &[Vec<Option<f64>>]) -> Vec<&Vec<Option<f64>>> {
    let seen = |values: &[Option<f64>]| values.iter().flatten().count();
    let most = strides.iter().reduce(|a, b| if seen(b) > seen(a) { b } else { a });
    let Some(most) = most else { return Vec::new() };
    let has_all = |values: &&Vec<Option<f64>>| {
        let mut both = values.iter().zip(most);
        both.all(|(own, wanted)| own.is_some() || wanted.is_none())
    };
    strides.iter().filter(has_all).collect()
}

/// The nine variables of a side in the gait profile score.
pub const VARIABLES: [(&str, &str); 9] = [
    ("pelvis", "anterior tilt"),
    ("pelvis", "obliquity"),
    ("pelvis", "internal rotation"),
    ("hip", "flexion"),
    ("hip", "adduction"),
    ("hip", "internal rotation"),
    ("knee", "flexion"),
    ("ankle", "dorsiflexion"),
    ("foot", "internal progression"),
];

/// The gait variable scores and the gait profile score against the means of a reference.
///
/// # Method
/// A variable's score is the rms difference of the mean curve from the reference's over the cycle. The profile score of
/// a side is the rms of its nine; that of both is the rms of fifteen, the pelvis counted once, on the left. It is left
/// out where a variable is missing.
///
/// # Reference
/// R. Baker and others 2009, *The gait profile score and movement analysis profile*, Gait & Posture 30, 265-269.
pub fn scores(cycles: &[MeanCycle], reference: &[MeanCycle]) -> Vec<Score> {
    let mut found = Vec::new();
    let mut both: Vec<f64> = Vec::new();
    for side in [Side::Left, Side::Right] {
        let mut of_side = Vec::new();
        for (joint, angle) in VARIABLES {
            let is_it = |own: &&MeanCycle| own.joint == joint && own.angle == angle;
            let own = cycles.iter().filter(is_it).find(|own| own.side == side);
            let same = reference.iter().filter(is_it).find(|own| own.side == side);
            let wanted = same.or_else(|| reference.iter().find(is_it));
            let Some(value_deg) = own.zip(wanted).and_then(|(own, wanted)| difference(own, wanted))
            else {
                continue;
            };
            found.push(Score { name: format!("{joint} {angle}"), side: Some(side), value_deg });
            of_side.push(value_deg);
            if side == Side::Left || joint != "pelvis" {
                both.push(value_deg);
            }
        }
        if of_side.len() == VARIABLES.len() {
            found.extend(rms(of_side).map(|value_deg| Score {
                name: "gps".into(),
                side: Some(side),
                value_deg,
            }));
        }
    }
    if both.len() == 15 {
        found.extend(rms(both).map(|value_deg| Score {
            name: "gps".into(),
            side: None,
            value_deg,
        }));
    }
    found
}

fn difference(own: &MeanCycle, reference: &MeanCycle) -> Option<f64> {
    let both = own.points.iter().zip(&reference.points);
    let differences: Vec<f64> =
        both.filter_map(|(a, b)| Some(a.as_ref()?.0 - b.as_ref()?.0)).collect();
    (differences.len() == POINTS).then(|| rms(differences)).flatten()
}

/// The columns of a table of mean cycles.
pub const COLUMNS: &str = "side,joint,angle,percent,mean,sd,n";

/// Mean cycles as a table: [`COLUMNS`], degrees; points without a value are left out.
pub fn to_csv(cycles: &[MeanCycle]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for cycle in cycles {
        for (percent, point) in cycle.points.iter().enumerate() {
            let Some((mean, sd, n)) = point else { continue };
            let MeanCycle { side, joint, angle, .. } = cycle;
            text.push_str(&format!(
                "{},{joint},{angle},{percent},{mean:.4},{sd:.4},{n}\n",
                side.name()
            ));
        }
    }
    text
}

/// Reads such a table. A reference need not have `sd` and `n`; a side that is neither left nor right means both.
///
/// # Errors
/// Columns are missing, or a cell is no number.
pub fn from_csv(text: &str) -> Result<Vec<MeanCycle>> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines
        .next()
        .ok_or_else(|| Error::malformed(format!("need the columns {COLUMNS}, got nothing")))?;
    let names: Vec<String> =
        header.trim_start_matches('\u{feff}').split(',').map(|n| n.trim().to_lowercase()).collect();
    let column = |name: &str| {
        let at = names.iter().position(|own| own == name);
        at.ok_or_else(|| Error::at_line(1, format!("need the columns {COLUMNS}, got no {name}")))
    };
    let [side, joint, angle, percent, mean] =
        [column("side")?, column("joint")?, column("angle")?, column("percent")?, column("mean")?];
    let sd = column("sd").ok();
    let mut found: BTreeMap<(Side, String, String), Vec<Option<Point>>> = BTreeMap::new();
    for (index, line) in lines {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let number = |at: usize| {
            let text = cells.get(at).copied().unwrap_or("");
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| {
                Error::at_line(index + 1, format!("{}: need a number, got '{text}'", names[at]))
            })
        };
        let cell = |at: usize| cells.get(at).copied().unwrap_or("").to_lowercase();
        let percent = number(percent)?;
        if !(0.0..=100.0).contains(&percent) || percent.fract() != 0.0 {
            let what = format!("percent: need a whole number from 0 to 100, got {percent}");
            return Err(Error::at_line(index + 1, what));
        }
        let point = (number(mean)?, sd.map_or(Ok(0.0), number)?, 1);
        let sides = match cell(side).as_str() {
            "left" => vec![Side::Left],
            "right" => vec![Side::Right],
            _ => vec![Side::Left, Side::Right],
        };
        for side in sides {
            let points =
                found.entry((side, cell(joint), cell(angle))).or_insert_with(|| vec![None; POINTS]);
            points[percent as usize] = Some(point);
        }
    }
    if found.is_empty() {
        return Err(Error::malformed("need rows below the header, got none"));
    }
    Ok(found
        .into_iter()
        .map(|((side, joint, angle), points)| MeanCycle { side, joint, angle, points })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(points: std::ops::Range<usize>, value_deg: f64) -> Cycle {
        let value = |point: usize| points.contains(&point).then_some(value_deg);
        Cycle {
            side: Side::Left,
            joint: "knee".into(),
            angle: "flexion".into(),
            values_deg: (0..POINTS).map(value).collect(),
        }
    }

    #[test]
    fn a_mean_does_not_step_where_one_stride_runs_out() {
        let whole = [cycle(0..POINTS, 10.0), cycle(0..POINTS, 12.0)];
        let cut = [whole[0].clone(), whole[1].clone(), cycle(0..60, 40.0)];
        for (cycles, n) in [(&whole[..], 2), (&cut, 2), (&cut[1..], 1), (&cut[2..], 1)] {
            let mean = &means(cycles)[0];
            let points: Vec<Point> = mean.points.iter().flatten().copied().collect();
            assert!(points.windows(2).all(|pair| pair[0] == pair[1]), "{points:?}");
            assert!(points.iter().all(|(.., own)| *own == n), "{points:?}");
        }
        let seen = |cycles: &[Cycle]| means(cycles)[0].points.iter().flatten().count();
        assert_eq!((seen(&cut), seen(&cut[2..])), (POINTS, 60));
        // A frame that is missing here and there leaves no stride alone.
        let with_hole = |at: usize, value_deg: f64| {
            let mut own = cycle(0..POINTS, value_deg);
            own.values_deg[at] = None;
            own
        };
        let holes = [whole[0].clone(), with_hole(20, 10.0), with_hole(50, 10.0)];
        assert!(means(&holes)[0].points.iter().all(|point| *point == Some((10.0, 0.0, 3))));
        // Of two that show other parts the first counts, and not the one here and the other there.
        let parts = [cycle(0..60, 10.0), cycle(60..POINTS, 40.0)];
        assert_eq!(seen(&parts), 60);
    }
}
