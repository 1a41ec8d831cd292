//! Who is in a recording, and which way they stand: on recordings that had it wrong.

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::job;
use condyle::trial::Axis;

use crate::recordings;

fn read(name: &str) -> Option<Trial> {
    let path = recordings::folder()?.join(name);
    Some(read_path(&path, &ReadOptions::default()).unwrap())
}

#[test]
fn a_dancer_without_markers_on_forearms_and_shanks_is_one_dancer() {
    let Some(trial) = read("c3dorg/sample_13/Dance1.c3d") else { return };
    let found = job::plan(&trial, &job::Options::default()).unwrap();
    let [dancer] = &found.plan.performers[..] else { panic!("{:?}", found.plan.performers.len()) };
    let segment_of = |label: &str| {
        let has = |marker: &usize| trial.markers[*marker].label == label;
        dancer.segments.iter().position(|segment| segment.markers.iter().any(has)).unwrap()
    };
    // Feet hang on thighs and hands on upper arms, each on its own side.
    for (end, limb) in [(129, 121), (141, 150), (125, 117), (145, 154)] {
        let [end, limb] = [end, limb].map(|channel| segment_of(&format!("Channel{channel}")));
        assert_eq!(dancer.segments[end].parent, Some(limb));
    }
    let missing = found.notes.iter().filter(|note| note.code == "segment-without-markers");
    assert_eq!(missing.count(), 2);
}

#[test]
fn legs_and_a_trunk_are_not_taken_for_arms_and_a_head() {
    let Some(trial) = read("c3dorg/sample_30/admarche2.c3d") else { return };
    let mut options = job::Options::default();
    options.segments_by = job::SegmentsBy::Motion;
    let found = job::plan(&trial, &options).unwrap();
    let segments = found.plan.performers.iter().flat_map(|performer| &performer.segments);
    for segment in segments {
        assert!(!segment.name.contains("arm") && !segment.name.contains("hand"), "{segment:?}");
    }
}

#[test]
fn two_people_side_by_side_stand_on_their_feet() {
    let Some(trial) = read("c3dorg/sample_37/ART-Human_2persons_integer.c3d") else { return };
    assert_eq!((trial.source.declared_up, trial.source.up), (Some(Axis::Y), Some(Axis::Z)));
    let performance = job::run(trial, &job::Options::default()).unwrap();
    assert_eq!(performance.performers.len(), 2);
    for performer in &performance.performers {
        let name = &performer.subject.name;
        let joint =
            |name: &str| performer.subject.joints().iter().position(|j| j.name == name).unwrap();
        let at = |joint: usize, frame: usize| performer.motion.joint_m(frame, joint).unwrap();
        let [hips, knees] = ["hip", "knee"]
            .map(|part| ["left", "right"].map(|side| joint(&format!("{side} {part}"))));
        let neck = joint("neck");
        let frames: Vec<usize> = (0..performer.motion.frames()).step_by(20).collect();
        let crossed = frames.iter().filter(|frame| {
            let [left, right] = hips.map(|hip| at(hip, **frame));
            let [left_knee, right_knee] = knees.map(|knee| at(knee, **frame));
            assert!(left.z < at(neck, **frame).z && left_knee.z < left.z, "{name}: upright");
            (left - right).dot(&(left_knee - right_knee)) <= 0.0
        });
        assert_eq!(crossed.count(), 0, "{name}: knees are on the side of their hips");
    }
}
