//! Recognition on small lists of labels.

use super::*;
use crate::marker_set::made_up::trial;
use crate::trial::Marker;
use proptest::prelude::*;

fn labels_of<'a>(labels: &[&'a str], performer: &Performer, segment: &str) -> Vec<&'a str> {
    let segment = performer.segments.iter().find(|s| s.name == segment);
    let markers = segment.map(|segment| segment.markers.clone()).unwrap_or_default();
    markers.into_iter().map(|marker| labels[marker]).collect()
}

const LEGS: [&str; 16] = [
    "LASI", "RASI", "LPSI", "RPSI", "LTHI", "LKNE", "LTIB", "LANK", "LHEE", "LTOE", "RTHI", "RKNE",
    "RTIB", "RANK", "RHEE", "RTOE",
];

#[test]
fn plug_in_gait_has_its_markers_on_the_right_segments() {
    let found = recognise(&LEGS);
    let performer = &found.plan.performers[0];
    performer.check().unwrap();
    assert_eq!(found.performers[0].marker_set, Some("Plug-in Gait lower body"));
    assert!(found.is_good() && found.notes.is_empty(), "{:?}", found.notes);
    assert_eq!(performer.segments.len(), 7);
    assert_eq!(performer.segments[0].name, "pelvis");
    assert_eq!(labels_of(&LEGS, performer, "left thigh"), ["LTHI", "LKNE"]);
    assert_eq!(labels_of(&LEGS, performer, "right shank"), ["RTIB", "RANK"]);
    let foot = performer.segments.iter().find(|s| s.name == "left foot").unwrap();
    assert_eq!(performer.segments[foot.parent.unwrap()].name, "left shank");
    assert_eq!(foot.joint_name.as_deref(), Some("left ankle"));
}

#[test]
fn every_spelling_is_the_same_set() {
    for spell in [
        |label: &str| format!("JOE:{label}"),
        |label: &str| format!("Lab:JOE::{}", label.to_lowercase()),
        |label: &str| format!("{}_{}", &label[..1], &label[1..]),
        |label: &str| format!("Actor_{label}"),
        |label: &str| {
            let side = if label.starts_with('L') { "Left" } else { "Right" };
            format!("{side}.{}", &label[1..])
        },
        // Once these lost the set, and the last but two became two half people.
        |label: &str| format!("S01.{label}"),
        |label: &str| format!("P1-{label}"),
        |label: &str| format!("S01_T2_{label}"),
        |label: &str| format!("First Last {label}"),
        |label: &str| format!("xx|{label}"),
        |label: &str| format!("L{}_{}", &label[..1], &label[1..]),
        |label: &str| format!("Skeleton 001/{label}"),
        |label: &str| format!("{label}_raw"),
    ] {
        let labels: Vec<String> = LEGS.iter().map(|label| spell(label)).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let found = recognise(&labels);
        assert_eq!(found.performers.len(), 1, "{labels:?}");
        assert_eq!(found.performers[0].placed, 16, "{labels:?}");
    }
}

#[test]
fn two_prefixes_are_two_performers_and_props_are_left_alone() {
    let mut labels: Vec<String> = LEGS.iter().map(|label| format!("SUE:{label}")).collect();
    labels.extend(LEGS.iter().map(|label| format!("JOE:{label}")));
    labels.extend(["Ball:1".to_owned(), "Ball:2".to_owned(), "*7".to_owned()]);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let found = recognise(&labels);
    let names: Vec<&str> = found.plan.performers.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["SUE", "JOE"]);
    assert!(found.is_good());
    let reasons: Vec<ExclusionReason> =
        found.plan.excluded.iter().map(|aside| aside.reason).collect();
    assert_eq!(
        reasons,
        [ExclusionReason::NotClaimed, ExclusionReason::NotClaimed, ExclusionReason::Unlabelled]
    );
    assert_eq!(found.notes[0].code, "labels-unknown");
}

#[test]
fn points_of_a_model_are_set_aside() {
    let mut labels = LEGS.to_vec();
    labels.extend(["LFEO", "LFEA", "LFEL", "LFEP", "LHipAngles", "RHJC", "CentreOfMass"]);
    let found = recognise(&labels);
    assert_eq!(found.plan.excluded.len(), 7);
    assert!(found.plan.excluded.iter().all(|aside| aside.reason == ExclusionReason::ModelOutput));
    assert_eq!((found.performers[0].labels, found.performers[0].placed), (16, 16));
}

#[test]
fn markers_never_seen_count_as_labels_but_are_on_no_segment() {
    let mut trial = trial(&LEGS);
    for marker in trial.markers.iter_mut().filter(|marker| marker.label.ends_with("THI")) {
        *marker = Marker::all_missing(marker.label.clone(), 1);
    }
    let found = recognise_trial(&trial);
    assert_eq!(found.performers[0].placed, 16);
    let reasons: Vec<ExclusionReason> =
        found.plan.excluded.iter().map(|aside| aside.reason).collect();
    assert_eq!(reasons, [ExclusionReason::NeverSeen, ExclusionReason::NeverSeen]);
    let said: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        ["points-never-seen: 2 of the points are never seen, or too seldom: LTHI, RTHI"]
    );
    assert_eq!(labels_of(&LEGS, &found.plan.performers[0], "left thigh"), ["LKNE"]);
    // Labels alone do not know it.
    assert_eq!(
        labels_of(&LEGS, &recognise(&LEGS).plan.performers[0], "left thigh"),
        ["LTHI", "LKNE"]
    );
}

#[test]
fn labels_that_mean_nothing_are_not_recognised() {
    for labels in
        [vec!["P1", "P2", "P3", "P4"], vec!["T1", "T2", "T3", "T4"], vec![], vec!["", "*"]]
    {
        let found = recognise(&labels);
        assert!(found.plan.performers.is_empty() && !found.is_good(), "{labels:?}");
        assert_eq!(found.plan.excluded.len(), labels.len());
    }
}

#[test]
fn half_known_labels_are_a_weak_recognition_and_say_so() {
    let mut labels = LEGS.to_vec();
    labels.extend(["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10"]);
    let found = recognise(&labels);
    assert_eq!(found.performers[0].strength, Strength::Weak);
    assert!(!found.is_good());
    let codes: Vec<&str> = found.notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes, ["marker-set-weak", "labels-unknown"]);
    assert_eq!(found.notes[0].text, "Plug-in Gait lower body explains only 16 of 26 labels");
}

#[test]
fn a_limb_alone_needs_no_side() {
    let labels =
        ["lASIS", "rASIS", "sacrum", "thigh", "latKnee", "tibia", "latAnkle", "heel", "toe"];
    let found = recognise(&labels);
    let names: Vec<&str> =
        found.plan.performers[0].segments.iter().map(|segment| segment.name.as_str()).collect();
    assert_eq!(names, ["pelvis", "thigh", "shank", "foot"]);
}

#[test]
fn rigid_bodies_are_segments_of_an_unknown_tree() {
    let found = recognise(&["Foot_Marker1", "Foot_Marker2", "Leg_Marker1", "Leg_Marker2"]);
    let performer = &found.plan.performers[0];
    assert_eq!(performer.segments.len(), 2);
    assert!(!performer.is_tree_known && found.is_good());
}

#[test]
fn optitrack_and_qualisys_are_told_apart() {
    let mut labels: Vec<String> = Vec::new();
    for side in ["L", "R"] {
        for name in [
            "ShoulderTop",
            "ShoulderBack",
            "UArmHigh",
            "ElbowOut",
            "WristOut",
            "WristIn",
            "HandOut",
            "Thigh",
            "KneeOut",
            "Shin",
            "AnkleOut",
            "ToeOut",
            "ToeIn",
        ] {
            labels.push(format!("Ann_{side}{name}"));
        }
        labels.push(format!("Ann_Waist{side}Front"));
        labels.push(format!("Ann_Waist{side}Back"));
    }
    for name in ["HeadTop", "HeadFront", "HeadSide", "BackTop", "BackLeft", "BackRight", "Chest"] {
        labels.push(format!("Ann_{name}"));
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let found = recognise(&labels);
    assert_eq!(labels.len(), 37);
    assert_eq!(found.performers[0].marker_set, Some("OptiTrack Baseline"));
    assert_eq!((found.performers[0].placed, found.performers[0].name.as_str()), (37, "Ann"));
}

proptest! {
    #[test]
    fn every_marker_is_somewhere_exactly_once(
        labels in prop::collection::vec(
            prop_oneof![
                "[LR]?(ASI|KNE|THI|TIB|ANK|FEO|FEA|FEL|FEP|F0[0-9]|TH[0-9]|PV1)",
                "((A|B)[:_]{1,2})?[A-Za-z0-9*_. :é-]{0,12}",
            ],
            0..60,
        ),
    ) {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let found = recognise(&labels);
        let mut all: Vec<usize> = found.plan.excluded.iter().map(|aside| aside.marker).collect();
        for performer in &found.plan.performers {
            performer.check().unwrap();
            all.extend(performer.segments.iter().flat_map(|segment| segment.markers.clone()));
            prop_assert!(performer.segments.iter().all(|segment| segment.markers.is_sorted()));
        }
        all.sort_unstable();
        prop_assert_eq!(all, (0..labels.len()).collect::<Vec<_>>());
    }
}

#[test]
fn clusters_named_in_words_with_the_side_behind_are_whole() {
    let parts = ["UpperArm", "Forearm", "Hand", "Thigh", "Shank", "Foot"];
    let mut labels: Vec<String> =
        ["PV1", "PV2", "PV3", "Head1", "Head2", "Head3"].map(str::to_owned).into();
    for side in ["L", "R"] {
        labels
            .extend(parts.iter().flat_map(|part| (1..4).map(move |n| format!("{part}{side}{n}"))));
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let found = recognise(&labels);
    assert_eq!(found.performers.len(), 1);
    assert_eq!(found.performers[0].placed, labels.len(), "{:?}", found.plan.excluded);
    let performer = &found.plan.performers[0];
    assert_eq!(
        labels_of(&labels, performer, "left forearm"),
        ["ForearmL1", "ForearmL2", "ForearmL3"]
    );
    assert_eq!(labels_of(&labels, performer, "right upper arm")[0], "UpperArmR1");
}
