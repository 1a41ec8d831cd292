//! Recordings of bodies that are not what they seem: clear results, or errors that say what was needed.

use crate::guarded::walker;
use condyle::job::{self, KnowledgeChoice, Options, Performance};
use condyle::subject::{CentreKnown, JointKind};
use condyle::trial::{Marker, Note};
use condyle::whole_body::Knowledge;
use condyle::{Result, Trial};

fn run(trial: Trial) -> Result<Performance> {
    job::run(trial, &Options::default())
}

fn said(performance: &Performance) -> String {
    let notes = performance.all_notes();
    notes.iter().map(Note::to_string).collect::<Vec<_>>().join("\n")
}

/// How many joints claim to be known well.
fn well(performance: &Performance) -> usize {
    let joints = performance.performers.iter().flat_map(|performer| performer.subject.joints());
    joints.filter(|joint| joint.centre_known() == CentreKnown::Well).count()
}

fn keep(trial: &mut Trial, is_kept: impl Fn(&str) -> bool) {
    trial.markers.retain(|marker| is_kept(&marker.label));
}

fn cut(trial: &mut Trial, frames: usize) {
    for marker in &mut trial.markers {
        let kept: Vec<_> = (0..frames).map(|frame| marker.position_m(frame)).collect();
        *marker = Marker::from_positions(marker.label.clone(), kept);
    }
    trial.frames = frames;
}

#[test]
fn labels_that_are_all_known_and_all_wrong_are_not_believed() {
    let mut trial = walker(4.0);
    let labels: Vec<String> = trial.markers.iter().map(|marker| marker.label.clone()).collect();
    let count = labels.len();
    for (index, marker) in trial.markers.iter_mut().enumerate() {
        // Everybody else's, from far away.
        marker.label.clone_from(&labels[(index * 16 + 7) % count]);
    }
    match run(trial) {
        Ok(performance) => {
            let said = said(&performance);
            println!("{said}");
            let is_doubted = ["not-rigid", "knowledge of bodies is not used", "unlike-a-body"]
                .iter()
                .any(|word| said.contains(word));
            assert!(is_doubted, "{said}");
            assert_eq!(well(&performance), 0, "{said}");
        }
        Err(error) => assert!(error.to_string().contains("need"), "{error}"),
    }
}

#[test]
fn a_knowledge_file_with_a_negative_deviation_is_refused_by_its_line() {
    let text = Knowledge::human_toml();
    let line = text.lines().position(|line| line.starts_with("sd_percent")).unwrap() + 1;
    let wrong: String = text
        .lines()
        .enumerate()
        .map(
            |(index, own)| {
                if index + 1 == line { "sd_percent = -3\n".into() } else { format!("{own}\n") }
            },
        )
        .collect();
    let mut options = Options::default();
    options.knowledge = KnowledgeChoice::Text(wrong);
    let error = job::run(walker(1.0), &options).unwrap_err().to_string();
    assert_eq!(error, format!("line {line}: sd_percent: need a positive number, got -3"));
}

#[test]
fn one_leg_alone_is_a_leg() {
    let mut trial = walker(4.0);
    let leg =
        ["LFWT", "RFWT", "LBWT", "RBWT", "LTHI", "LKNE", "LSHN", "LANK", "LHEE", "LTOE", "LMT5"];
    keep(&mut trial, |label| leg.contains(&label));
    let performance = run(trial).unwrap();
    let subject = &performance.performers[0].subject;
    let names: Vec<&str> = subject.joints().iter().map(|joint| joint.name.as_str()).collect();
    println!("{names:?}\n{}", said(&performance));
    for wanted in ["left hip", "left knee", "left ankle"] {
        assert!(names.contains(&wanted), "{names:?}");
    }
    assert!(
        !names.iter().any(|name| name.contains("right") || name.contains("shoulder")),
        "{names:?}"
    );
}

#[test]
fn an_upper_body_alone_is_an_upper_body() {
    let mut trial = walker(4.0);
    let legs = ["FWT", "BWT", "THI", "KNE", "SHN", "ANK", "HEE", "TOE", "MT5"];
    keep(&mut trial, |label| !legs.iter().any(|end| label.ends_with(end)));
    let performance = run(trial).unwrap();
    let said = said(&performance);
    println!("{said}");
    let subject = &performance.performers[0].subject;
    assert!(subject.joints().iter().any(|joint| joint.name == "left elbow"));
    assert!(!subject.joints().iter().any(|joint| joint.name.contains("hip")));
    let arm_m = |side: &str| {
        let name = format!("{side} elbow");
        let elbow = subject.joints().iter().find(|joint| joint.name == name).unwrap();
        subject.bone_length_m(elbow.child).unwrap()
    };
    let [left_m, right_m] = ["left", "right"].map(arm_m);
    assert!(
        (0.24..0.38).contains(&left_m) && (left_m / right_m - 1.0).abs() < 0.05,
        "{left_m} {right_m}"
    );
}

#[test]
fn two_performers_with_mixed_labels_are_not_taken_for_bodies() {
    let mut anna = walker(4.0);
    let mut markers = Vec::new();
    for (index, marker) in anna.markers.iter().enumerate() {
        // Every third marker carries the other's name; the second walks three metres away.
        let names = if index % 3 == 0 { ["BEN", "ANNA"] } else { ["ANNA", "BEN"] };
        for (name, offset) in names.iter().zip([0.0, 3.0]) {
            let mut copy = marker.clone();
            copy.label = format!("{name}:{}", marker.label);
            for frame in 0..anna.frames {
                let moved = marker.position_m(frame).map(|at| at + nalgebra::Vector3::y() * offset);
                copy.set(frame, moved, condyle::trial::Origin::Measured);
            }
            markers.push(copy);
        }
    }
    anna.markers = markers;
    match run(anna) {
        Ok(performance) => {
            let said = said(&performance);
            println!("{said}");
            assert!(said.contains("not-rigid") || said.contains("unlike-a-body"), "{said}");
            assert_eq!(well(&performance), 0, "{said}");
        }
        Err(error) => assert!(error.to_string().contains("need"), "{error}"),
    }
}

#[test]
fn one_frame_gives_a_figure_and_says_what_it_is_worth() {
    let mut trial = walker(0.5);
    cut(&mut trial, 1);
    let performance = run(trial).unwrap();
    let said = said(&performance);
    println!("{said}");
    assert!(
        said.starts_with("recording-short: the recording is short (1 frame, 0.02 s)"),
        "{said}"
    );
    let joints = performance.performers[0].subject.joints();
    assert!(joints.iter().all(|joint| joint.kind == JointKind::Fixed), "{said}");
    let hip = joints.iter().find(|joint| joint.name == "left hip").unwrap();
    assert!(hip.from_knowledge > 0.9, "{}", hip.from_knowledge);
}

#[test]
fn no_frames_are_refused() {
    let mut trial = walker(0.5);
    cut(&mut trial, 0);
    let error = job::run(job::Recording::new("none.c3d", trial), &Options::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("none.c3d: ") && error.contains("need"), "{error}");
}
