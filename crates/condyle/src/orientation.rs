//! Which way is up and which way people face, by what their markers are called, each with how sure that is.

use nalgebra::Vector3;

use crate::statistics::{median, quantile};
use crate::trial::{Axis, Marker, Note, Trial};

/// Frames looked at, at most.
const FRAMES: usize = 200;
/// Whoever goes further than this, in metres, goes somewhere.
const TRAVEL_M: f64 = 0.8;
/// Two ways that are nearer than this, as a cosine, are the same; and the other way round.
const SAME: f64 = 0.5;
/// The lowest marker of somebody on the floor is this high, in metres.
const FLOOR_M: std::ops::Range<f64> = -0.3..0.4;

/// Ends of labels of what is ahead, and of what is behind it on the same part of the body.
const PAIRS: [(&str, &[&str], &[&str]); 3] = [
    ("toes", &["TOE", "MT2", "MT1", "BIGTOE"], &["HEE", "HEEL", "CAL", "CALC"]),
    ("pelvis", &["ASI", "ASIS", "FWT"], &["PSI", "PSIS", "BWT", "SACR"]),
    ("head", &["FHD"], &["BHD"]),
];
const HEADS: &[&str] = &["FHD", "BHD", "HEAD", "HEADTOP", "HEADFRONT"];
const FEET: &[&str] = &["TOE", "HEE", "HEEL", "ANK", "ANKLE", "MT5", "FOO", "FOOT"];

/// A direction that was inferred.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inferred {
    /// The nearest axis.
    pub axis: Axis,
    /// How sure, from 0 to 1: witnesses that agree, one of them in doubt, times how steady they are.
    pub confidence: f64,
}

/// Up and forward of a recording.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Orientation {
    /// How well the recording's up-axis agrees with heads above feet, the floor and the longest extent; `None` where
    /// nothing tells.
    pub up: Option<Inferred>,
    /// Where people face on the average, if they do not turn around.
    pub forward: Option<Inferred>,
    /// What contradicts each other.
    pub notes: Vec<Note>,
}

/// Infers both; the up-axis that the recording has is judged and never changed.
pub fn infer(trial: &Trial) -> Orientation {
    let Some(up) = trial.source.up else { return Orientation::default() };
    let witnesses = forward_witnesses(trial, up);
    let forward = combined(&witnesses);
    let travel = witnesses.iter().find(|witness| witness.name == "travel");
    let mut notes = Vec::new();
    for witness in witnesses.iter().filter(|witness| witness.name != "travel") {
        if travel.is_some_and(|travel| witness.way.dot(&travel.way) < -SAME) {
            let text = format!(
                "the {} point against the way that is walked: backwards, or front and back are exchanged?",
                witness.name
            );
            notes.push(Note::new("forward", text));
        }
    }
    Orientation { up: judged_up(trial, up), forward, notes }
}

/// Below this is below a floor at zero, whatever a calibration is off by; and clearly so.
const BELOW_M: f64 = -0.05;
const WELL_BELOW_M: f64 = -0.2;
/// The share of samples that single wrong ones may be.
const STRAY: f64 = 0.005;

/// The one axis along which nothing is below zero, where along both others something is: whoever walks through the
/// middle of a volume is on all sides of it, and never below its floor.
///
/// A guess, for recordings whose labels and shape say nothing.
pub fn up_by_floor(trial: &Trial) -> Option<Axis> {
    let step = trial.frames.div_ceil(FRAMES).max(1);
    let low_m = |axis: usize| {
        let frames = |marker| (0..trial.frames).step_by(step).map(move |frame| (marker, frame));
        let all = trial.markers.iter().flat_map(frames);
        let along_m = |(marker, frame): (&Marker, usize)| Some(marker.position_m(frame)?[axis]);
        quantile(all.filter_map(along_m), STRAY)
    };
    let low_m = [low_m(0)?, low_m(1)?, low_m(2)?];
    let up = (0..3).find(|axis| low_m[*axis] > BELOW_M)?;
    let is_crossed = |axis: usize| axis == up || low_m[axis] < WELL_BELOW_M;
    (0..3).all(is_crossed).then(|| [Axis::X, Axis::Y, Axis::Z][up])
}

/// A horizontal direction, of unit length where it is the same in all frames.
struct Witness {
    name: &'static str,
    way: Vector3<f64>,
}

fn forward_witnesses(trial: &Trial, up: Axis) -> Vec<Witness> {
    let vertical = unit(up);
    let level = |way: Vector3<f64>| (way - vertical * vertical.dot(&way)).try_normalize(1e-3);
    let step = trial.frames.div_ceil(FRAMES).max(1);
    let frames = || (0..trial.frames).step_by(step);
    let mut witnesses = Vec::new();
    for (name, ahead, behind) in PAIRS {
        let [ahead, behind] = [ahead, behind].map(|ends| called(trial, ends));
        let ways = frames()
            .filter_map(|frame| level(middle_m(&ahead, frame)? - middle_m(&behind, frame)?));
        let (sum, count) =
            ways.fold((Vector3::zeros(), 0.0), |(sum, count), way| (sum + way, count + 1.0));
        if count > 0.0 {
            witnesses.push(Witness { name, way: sum / count });
        }
    }
    let body: Vec<&Marker> = PAIRS.iter().flat_map(|(_, ends, _)| called(trial, ends)).collect();
    let mut seen = frames().filter_map(|frame| middle_m(&body, frame));
    if let Some((first_m, last_m)) = seen.next().zip(seen.next_back()) {
        let gone_m = last_m - first_m;
        let gone_m = gone_m - vertical * vertical.dot(&gone_m);
        if gone_m.norm() > TRAVEL_M {
            witnesses.push(Witness { name: "travel", way: gone_m.normalize() });
        }
    }
    witnesses
}

/// The direction of all witnesses together; `None` where they cancel or nobody witnesses.
fn combined(witnesses: &[Witness]) -> Option<Inferred> {
    let count = witnesses.len() as f64;
    let way = witnesses.iter().map(|witness| witness.way).sum::<Vector3<f64>>();
    let direction = way.try_normalize(SAME * count)?;
    let agree = witnesses.iter().filter(|witness| witness.way.dot(&direction) > SAME).count();
    let steady = way.norm() / count;
    let confidence = (agree as f64 + 0.5) / (count + 1.0) * steady;
    Some(Inferred { axis: nearest(&direction), confidence })
}

/// How well the axis that is up agrees with what people do.
fn judged_up(trial: &Trial, up: Axis) -> Option<Inferred> {
    let vertical = unit(up);
    let step = trial.frames.div_ceil(FRAMES).max(1);
    let frames = || (0..trial.frames).step_by(step);
    let [heads, feet] = [HEADS, FEET].map(|ends| called(trial, ends));
    let rises = frames().filter_map(|frame| {
        Some(vertical.dot(&(middle_m(&heads, frame)? - middle_m(&feet, frame)?)))
    });
    let rise_m = median(rises);
    let lowest = |frame: usize| {
        let heights_m = [&heads, &feet].map(|all| Some(vertical.dot(&middle_m(all, frame)?)));
        heights_m.into_iter().flatten().reduce(f64::min)
    };
    let low_m = median(frames().filter_map(lowest));
    let on_floor = low_m.map(|low_m| FLOOR_M.contains(&low_m));
    let said = trial.source.declared_up.map(|declared| declared == up);
    let witnesses: Vec<bool> =
        [rise_m.map(|rise_m| rise_m > 0.0), on_floor, said].into_iter().flatten().collect();
    let agree = witnesses.iter().filter(|agrees| **agrees).count() as f64;
    let confidence = (agree + 0.5) / (witnesses.len() as f64 + 1.0);
    (!witnesses.is_empty()).then_some(Inferred { axis: up, confidence })
}

fn called<'a>(trial: &'a Trial, ends: &[&str]) -> Vec<&'a Marker> {
    let is_called = |marker: &&Marker| {
        let letters = marker.name().chars().filter(|c| c.is_alphanumeric());
        let name: String = letters.map(|c| c.to_ascii_uppercase()).collect();
        ends.iter().any(|end| name.ends_with(end))
    };
    trial.markers.iter().filter(is_called).collect()
}

/// The mean place of markers; `None` unless more than half of them are seen.
fn middle_m(markers: &[&Marker], frame: usize) -> Option<Vector3<f64>> {
    let seen: Vec<Vector3<f64>> =
        markers.iter().filter_map(|marker| Some(marker.position_m(frame)?.coords)).collect();
    (2 * seen.len() > markers.len()).then(|| seen.iter().sum::<Vector3<f64>>() / seen.len() as f64)
}

fn unit(axis: Axis) -> Vector3<f64> {
    let mut unit = Vector3::zeros();
    unit[axis.index()] = if axis.is_negative() { -1.0 } else { 1.0 };
    unit
}

fn nearest(direction: &Vector3<f64>) -> Axis {
    let index = direction.iamax();
    let axis = [Axis::X, Axis::Y, Axis::Z][index];
    if direction[index] < 0.0 { axis.flipped() } else { axis }
}

#[cfg(all(test, feature = "simulate"))]
mod tests {
    use super::*;
    use crate::simulate::{Options, Performer, Routine, simulate};

    fn walk() -> Trial {
        let options = Options {
            routine: Routine::Walk,
            seconds: 5.0,
            marker_set: Some("plug-in-gait".into()),
            ..Options::default()
        };
        simulate(&Performer::human(), &options).unwrap().trial
    }

    /// What is +x becomes -x and what is +y becomes -y.
    fn turned(mut trial: Trial) -> Trial {
        for marker in &mut trial.markers {
            let places_m: Vec<_> = (0..trial.frames)
                .map(|frame| {
                    marker.position_m(frame).map(|p| nalgebra::Point3::new(-p.x, -p.y, p.z))
                })
                .collect();
            *marker = Marker::from_positions(marker.label.clone(), places_m);
        }
        trial
    }

    #[test]
    fn a_walker_faces_where_toes_are_and_turns_with_the_recording() {
        let trial = walk();
        let found = infer(&trial);
        let (up, forward) = (found.up.unwrap(), found.forward.unwrap());
        assert!(up.confidence > 0.6 && forward.confidence > 0.6, "{up:?} {forward:?}");
        assert_eq!(found.notes, []);
        assert_eq!(infer(&turned(trial)).forward.unwrap().axis, forward.axis.flipped());
    }

    #[test]
    fn a_wrong_up_is_doubted_and_exchanged_toes_are_said() {
        let mut trial = walk();
        let up = trial.source.up.unwrap();
        trial.source.up = Some(up.flipped());
        assert!(infer(&trial).up.unwrap().confidence < 0.5);
        trial.source.up = Some(up);
        for marker in &mut trial.markers {
            marker.label = match marker.label.as_str() {
                "LTOE" => "LHEE".into(),
                "LHEE" => "LTOE".into(),
                "RTOE" => "RHEE".into(),
                "RHEE" => "RTOE".into(),
                other => other.into(),
            };
        }
        let found = infer(&trial);
        assert!(found.notes.iter().any(|note| note.code == "forward"), "{found:?}");
    }

    #[test]
    fn up_is_where_nothing_is_below_the_floor_and_open_where_that_does_not_tell() {
        let place = |x: f64, y: f64, z: f64| {
            let mut trial = Trial::new(crate::trial::Format::C3d, 100.0);
            trial.frames = 100;
            let at_m = |k: i32| Some(nalgebra::Point3::new(x + 0.02 * f64::from(k), y, z));
            let sway = |k: i32| Some(nalgebra::Point3::new(x + 0.02 * f64::from(k), y + 0.3, z));
            trial.markers.push(Marker::from_positions("A", (0..100).map(at_m)));
            trial.markers.push(Marker::from_positions("B", (0..100).map(sway)));
            up_by_floor(&trial)
        };
        assert_eq!(place(-1.0, -0.25, 0.9), Some(Axis::Z));
        assert_eq!(place(-1.0, 0.25, -0.9), Some(Axis::Y));
        // Nobody crosses the middle: two axes may be up. Nothing is above a floor.
        assert_eq!(place(1.0, -0.25, 0.9), None);
        assert_eq!(place(-1.0, -0.25, -0.9), None);
        // A little below zero is no other side.
        assert_eq!(place(-1.0, -0.1, 0.9), None);
    }

    #[test]
    fn nothing_is_said_of_labels_that_say_nothing() {
        let mut trial = walk();
        for (index, marker) in trial.markers.iter_mut().enumerate() {
            marker.label = format!("M{index}");
        }
        let found = infer(&trial);
        assert!(found.forward.is_none() && found.notes.is_empty());
    }
}
