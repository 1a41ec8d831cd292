//! What is said of recordings that tell little, and of bodies that cannot be.

use condyle::Trial;
use condyle::angles::AngleUnit;
use condyle::export::Export;
use condyle::job::{self, KnowledgeChoice, Performance};
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::subject::{CentreKnown, JointKind, Subject};
use condyle::trial::Origin;
use nalgebra::{Point3, Rotation3, Unit, Vector3};

/// A person of 41 markers who walks.
pub fn walker(seconds: f64) -> Trial {
    let options = Options {
        routine: Routine::Walk,
        seconds,
        rate_hz: 50.0,
        marker_set: Some("cmu41".into()),
        noise_m: 1e-3,
        skin_m: 5e-3,
        ..Options::default()
    };
    simulate(&Performer::human(), &options).unwrap().trial
}

fn run(trial: Trial) -> Performance {
    job::run(trial, &job::Options::default()).unwrap()
}

fn has_note(performance: &Performance, code: &str, part: &str) -> bool {
    performance.all_notes().iter().any(|note| note.code == code && note.text.contains(part))
}

/// Moves a marker in a frame.
fn shift(trial: &mut Trial, label: &str, frame: usize, to: impl Fn(Point3<f64>) -> Point3<f64>) {
    let marker = trial.markers.iter_mut().find(|marker| marker.label == label).unwrap();
    let moved = marker.position_m(frame).map(to);
    marker.set(frame, moved, Origin::Measured);
}

#[test]
fn a_short_recording_says_so_before_all_else_and_has_no_ball() {
    let performance = run(walker(0.2));
    let notes = performance.all_notes();
    assert_eq!(notes[0].code, "recording-short", "{notes:#?}");
    assert!(notes[0].text.contains("10 frames, 0.20 s"), "{}", notes[0]);
    let joints = performance.performers[0].subject.joints();
    let balls: Vec<_> = joints.iter().filter(|joint| joint.kind == JointKind::Ball).collect();
    assert!(balls.is_empty(), "{balls:#?}");
    assert!(!has_note(&run(walker(4.0)), "recording-short", ""));
}

#[test]
fn a_still_recording_says_so_before_all_else() {
    let mut trial = walker(4.0);
    for marker in &mut trial.markers {
        let first = marker.position_m(0).unwrap();
        for frame in 1..200 {
            let sway = Vector3::new(0.0, 5e-3 * (frame as f64 * 0.02).sin(), 0.0);
            marker.set(frame, Some(first + sway), Origin::Measured);
        }
    }
    let performance = run(trial);
    let notes = performance.all_notes();
    assert_eq!(notes[0].code, "recording-still", "{notes:#?}");
    assert!(!has_note(&run(walker(4.0)), "recording-still", ""));
}

#[test]
fn angles_of_joints_that_are_barely_known_are_marked_in_every_file() {
    let mut options = job::Options::default();
    options.knowledge = KnowledgeChoice::None;
    options.soft_tissue = job::SoftTissue::None;
    let performance = job::run(walker(2.0), &options).unwrap();
    let performer = &performance.performers[0];
    let barely: Vec<&str> = performer
        .subject
        .joints()
        .iter()
        .filter(|joint| joint.centre_known() == CentreKnown::Barely)
        .map(|joint| joint.name.as_str())
        .collect();
    assert!(!barely.is_empty() && barely.len() < performer.subject.joints().len(), "{barely:?}");
    let table = performer.angles.as_trial(&performance.trial, AngleUnit::Degrees);
    let marked = table.channels.iter().filter_map(|c| c.label.strip_suffix(" barely known"));
    assert_eq!(marked.collect::<Vec<_>>(), barely);
    let mut bytes = Vec::new();
    Export::AnglesSto.write(&performance, performer, None, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let marked = text.lines().filter(|line| line.contains("centre barely known")).count();
    assert_eq!(marked, barely.len());
}

/// A walk in which the left knee is bent by so much in some frames, and the walker's subject.
fn with_knee_at(degrees: f64) -> (Trial, Subject) {
    let mut trial = walker(4.0);
    let performance = run(trial.clone());
    let performer = &performance.performers[0];
    let subject = performer.subject.clone();
    let index = subject.joints().iter().position(|joint| joint.name == "left knee").unwrap();
    let knee = &subject.joints()[index];
    let foot = subject.segments().iter().position(|s| s.name == "left foot").unwrap();
    for frame in 100..120 {
        let thigh = performer.motion.world_from_segment(frame, knee.parent).unwrap();
        let shank = performer.motion.world_from_segment(frame, knee.child).unwrap();
        let axis = Unit::new_normalize(thigh.rotation * knee.flexion_axis.unwrap());
        let relative = thigh.rotation.inverse() * shank.rotation;
        let now = 2.0 * relative.imag().dot(&knee.flexion_axis.unwrap()).atan2(relative.w);
        let turn = Rotation3::from_axis_angle(&axis, degrees.to_radians() - now);
        let centre = performer.motion.joint_m(frame, index).unwrap();
        for marker in [knee.child, foot].iter().flat_map(|s| &subject.segments()[*s].markers) {
            shift(&mut trial, &marker.label, frame, |at| centre + turn * (at - centre));
        }
    }
    (trial, subject)
}

fn least_flexion_deg(performance: &Performance) -> f64 {
    let performer = &performance.performers[0];
    let knee = performer.subject.joints().iter().find(|joint| joint.name == "left knee").unwrap();
    let bent = |frame: usize| {
        let [thigh, shank] = [knee.parent, knee.child]
            .map(|segment| performer.motion.world_from_segment(frame, segment).unwrap().rotation);
        let relative = thigh.inverse() * shank;
        2.0 * relative.imag().dot(&knee.flexion_axis.unwrap()).atan2(relative.w).to_degrees()
    };
    (100..120).map(bent).fold(f64::INFINITY, f64::min)
}

#[test]
fn knees_do_not_bend_back_by_more_than_fifteen_degrees() {
    let (trial, subject) = with_knee_at(-40.0);
    let mut options = job::Options::default();
    options.subject = Some(subject);
    let performance = job::run(trial, &options).unwrap();
    let least = least_flexion_deg(&performance);
    assert!((-15.1..-14.9).contains(&least), "{least}");
    assert!(has_note(&performance, "hyperextension", "left knee: its markers go beyond straight"));
}

#[test]
fn estimates_do_not_say_that_a_knee_goes_beyond_straight() {
    let (mut trial, subject) = with_knee_at(-40.0);
    let knee = subject.joints().iter().find(|joint| joint.name == "left knee").unwrap();
    let label = &subject.segments()[knee.child].markers[0].label;
    let marker = trial.markers.iter_mut().find(|marker| marker.label == *label).unwrap();
    for frame in 100..120 {
        let at_m = marker.position_m(frame);
        marker.set(frame, at_m, Origin::Filled);
        marker.set_sd_m(frame, 0.01);
    }
    let mut options = job::Options::default();
    options.subject = Some(subject);
    let performance = job::run(trial, &options).unwrap();
    assert!(!has_note(&performance, "hyperextension", "left knee"), "{:?}", performance.notes);
}

#[test]
fn knees_that_hyperextend_a_little_are_left_as_they_are_and_said() {
    let (trial, subject) = with_knee_at(-10.0);
    let mut options = job::Options::default();
    options.subject = Some(subject);
    let performance = job::run(trial, &options).unwrap();
    let least = least_flexion_deg(&performance);
    assert!((-14.0..-7.0).contains(&least), "{least}");
    assert!(has_note(&performance, "hyperextension", "left knee: seems to go beyond straight by"));
}

#[test]
fn bodies_are_looked_at_also_without_knowledge() {
    let mut options = job::Options::default();
    options.soft_tissue = job::SoftTissue::None;
    let rich = Options { seconds: 8.0, rate_hz: 50.0, noise_m: 1e-3, ..Options::default() };
    let trial = simulate(&Performer::human(), &rich).unwrap().trial;
    let performance = job::run(trial, &options).unwrap();
    let checks = &performance.performers[0].checks;
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    for wanted in
        ["width of the hips over thigh", "thigh, left against right", "left knee bent backwards"]
    {
        assert!(names.contains(&wanted), "{names:?}");
    }
    let failed: Vec<_> = checks.iter().filter(|check| !check.is_passed()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    // Two markers a segment and a walk, from motion alone: that is nobody, and it is said.
    options.soft_tissue = job::SoftTissue::Auto;
    options.knowledge = KnowledgeChoice::None;
    let performance = job::run(walker(4.0), &options).unwrap();
    let failed = performance.performers[0].checks.iter().filter(|check| !check.is_passed());
    let failed: Vec<_> = failed.collect();
    assert!(!failed.is_empty());
    for check in failed {
        assert!(has_note(&performance, "unlike-a-body", &check.name), "{}", check.name);
    }
}
