//! Joint centres over gait cycles, as somebody who walks beside the performer sees them.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::curves::{POINTS, Point, Solved, direction, mean_points, over_cycle};
use super::feet::Feet;
use super::{Side, Stride};

/// The directions of [`CentreCycle::axis`].
pub const AXES: [&str; 3] = ["ahead", "up", "right"];

/// One coordinate of a joint's centre over one cycle, in metres; nothing where the joint or a hip was not placed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CentreCycle {
    /// Whose cycle.
    pub side: Side,
    /// The joint, with its side: joints of both sides are seen over the cycles of each.
    pub joint: String,
    /// One of [`AXES`].
    pub axis: &'static str,
    /// At 0, 1, ... 100 %.
    pub values_m: Vec<Option<f64>>,
}

/// The mean of a coordinate over cycles, in metres.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MeanCentre {
    /// Whose cycles.
    pub side: Side,
    /// As [`CentreCycle::joint`].
    pub joint: String,
    /// As [`CentreCycle::axis`].
    pub axis: &'static str,
    /// At every point mean, standard deviation and how many cycles.
    pub points: Vec<Option<Point>>,
}

/// Every joint over every stride.
///
/// # Method
/// The origin is the middle of the hips at foot strike, and goes evenly to where that is at the next: strides that begin
/// at other places of the room lie over each other, and what the hips do about their way is seen. x is the direction in
/// which the pelvis travels over the stride, level, then up and to the right.
pub(super) fn centres(
    strides: &[Stride],
    solved: &Solved,
    feet: &Feet,
    start_s: f64,
) -> Vec<CentreCycle> {
    let joints = solved.subject.joints();
    let index = |name: &str| joints.iter().position(|joint| joint.name == name);
    let Some((left, right)) = index("left hip").zip(index("right hip")) else { return Vec::new() };
    let at = |joint: usize, frame: usize| Some(solved.motion.joint_m(frame, joint)?.coords);
    let mut found = Vec::new();
    for stride in strides {
        let Some(ahead) = direction(feet, stride, start_s) else { continue };
        let room = [ahead, feet.up, ahead.cross(&feet.up)];
        let over = |value: &dyn Fn(usize) -> Option<Vector3<f64>>| {
            room.map(|axis| {
                let along = |frame: usize| Some(value(frame)?.dot(&axis));
                over_cycle(stride, start_s, feet.rate_hz, &along)
            })
        };
        let hips = over(&|frame| Some((at(left, frame)? + at(right, frame)?) / 2.0));
        for (index, joint) in joints.iter().enumerate() {
            let own = over(&|frame| at(index, frame));
            for ((axis, values), hips) in AXES.into_iter().zip(own).zip(&hips) {
                let Some((first, last)) = hips[0].zip(hips[POINTS - 1]) else { continue };
                let beside = |(point, value): (usize, Option<f64>)| {
                    let way = point as f64 / (POINTS - 1) as f64 * (last - first);
                    Some(value? - first - way)
                };
                let values_m: Vec<Option<f64>> =
                    values.into_iter().enumerate().map(beside).collect();
                if values_m.iter().any(Option::is_some) {
                    found.push(CentreCycle {
                        side: stride.side,
                        joint: joint.name.clone(),
                        axis,
                        values_m,
                    });
                }
            }
        }
    }
    found
}

/// Mean and spread of joint centres over cycles, of the strides that count as [`super::means`] says.
pub fn mean_centres<'a>(cycles: impl IntoIterator<Item = &'a CentreCycle>) -> Vec<MeanCentre> {
    let mut places: BTreeMap<(Side, &str, &str), usize> = BTreeMap::new();
    let mut found: Vec<(&CentreCycle, Vec<&[Option<f64>]>)> = Vec::new();
    for cycle in cycles {
        let key = (cycle.side, cycle.joint.as_str(), cycle.axis);
        let place = *places.entry(key).or_insert_with(|| {
            found.push((cycle, Vec::new()));
            found.len() - 1
        });
        found[place].1.push(&cycle.values_m);
    }
    found.sort_by_key(|(cycle, _)| cycle.side);
    let mean = |(cycle, strides): (&CentreCycle, Vec<&[Option<f64>]>)| MeanCentre {
        side: cycle.side,
        joint: cycle.joint.clone(),
        axis: cycle.axis,
        points: mean_points(&strides),
    };
    found.into_iter().map(mean).collect()
}

/// Mean centres as a table with the columns `side,joint,axis,percent,mean_m,sd_m,n`; points without a value are left out.
pub fn centres_to_csv(centres: &[MeanCentre]) -> String {
    let mut text = String::from("side,joint,axis,percent,mean_m,sd_m,n\n");
    for MeanCentre { side, joint, axis, points } in centres {
        for (percent, point) in points.iter().enumerate() {
            let Some((mean_m, sd_m, n)) = point else { continue };
            let side = side.name();
            text.push_str(&format!("{side},{joint},{axis},{percent},{mean_m:.5},{sd_m:.5},{n}\n"));
        }
    }
    text
}
