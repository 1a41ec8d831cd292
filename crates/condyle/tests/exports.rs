//! A solved subject written for others: what comes back is what was solved.
#![allow(missing_docs, clippy::unwrap_used)]

mod recordings;

use condyle::calibrate::Calibration;
use condyle::format::{self, ReadOptions};
use condyle::rig::{self, RestPose, Rig};
use condyle::simulate::{Options, Performer, simulate};
use condyle::solve::{self, Solved};
use condyle::subject::Subject;
use condyle::trial::edit::Turn;
use condyle::trial::{Axis, Format, LengthUnit};
use condyle::{Trial, angles, marker_set};

fn fitted(trial: &Trial, performer: &condyle::plan::Performer) -> (Subject, Solved) {
    let mut calibration = Calibration::new(performer, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::trial(&subject, trial).unwrap();
    (subject, solved)
}

fn simulated(performer: &Performer) -> (Trial, Subject, Solved) {
    let options = Options { seconds: 4.0, rate_hz: 50.0, noise_m: 1e-3, ..Options::default() };
    let simulation = simulate(performer, &options).unwrap();
    let (subject, solved) = fitted(&simulation.trial, &simulation.truth.plan.performers[0]);
    (simulation.trial, subject, solved)
}

/// The farthest that a joint of the rig is from where it was solved.
fn farthest_m(subject: &Subject, solved: &Solved, trial: &Trial) -> f64 {
    let motion = trial.motion.as_ref().unwrap();
    let turn = Turn::between(Axis::Z, Axis::Y);
    let mut farthest_m = 0f64;
    for (frame, joints_m) in solved.joints_m.iter().enumerate() {
        let ours = motion.joint_positions_m(frame).unwrap();
        for (joint, there) in subject.joints.iter().zip(joints_m) {
            let there = turn.point(there.unwrap());
            // Names are those of bones: the joints are in the order of the segments.
            let near = ours.iter().map(|p| (p - there).norm()).fold(f64::INFINITY, f64::min);
            farthest_m = farthest_m.max(near);
            assert!(joint.child < ours.len());
        }
    }
    farthest_m
}

#[test]
fn a_rig_has_its_joints_where_they_were_solved_and_so_has_its_bvh() {
    for (performer, rest) in [
        (Performer::human(), RestPose::T),
        (Performer::dog(), RestPose::Mean),
        (Performer::arm(), RestPose::Mean),
    ] {
        let (trial, subject, solved) = simulated(&performer);
        let rig = Rig::new(&subject, &trial, &solved).unwrap();
        assert_eq!(rig.rest, rest, "{}", performer.name);
        assert!(rig.held_frames.iter().all(|held| *held == 0));
        let mut rigged = rig.into_trial(&trial);
        let error_m = farthest_m(&subject, &solved, &rigged);
        assert!(error_m < 1e-9, "{}: {error_m}", performer.name);
        for unit in [LengthUnit::Metre, LengthUnit::Centimetre] {
            rigged.source.unit = unit;
            let mut bytes = Vec::new();
            format::write(&rigged, Format::Bvh, &mut bytes).unwrap();
            let options = ReadOptions { unit: Some(unit), ..ReadOptions::default() };
            let again = format::read_bytes(&bytes, &options).unwrap();
            let error_m = farthest_m(&subject, &solved, &again);
            assert!(error_m < 1e-7, "{}: {error_m}", performer.name);
        }
    }
}

#[test]
fn a_person_rests_upright_with_arms_out_and_names_that_animators_know() {
    let (trial, subject, solved) = simulated(&Performer::human());
    let rig = Rig::new(&subject, &trial, &solved).unwrap();
    let skeleton = rig.motion.skeleton();
    let at = |name: &str| skeleton.rest_positions_m()[skeleton.find(name).unwrap()];
    assert!(at("Head").y > at("Spine").y && at("Spine").y > at("Hips").y);
    for (side, left) in [("Left", 1.0), ("Right", -1.0)] {
        let [hip, knee, ankle] = ["UpLeg", "Leg", "Foot"].map(|bone| at(&format!("{side}{bone}")));
        assert!((knee - hip).normalize().y < -0.999 && (ankle - knee).normalize().y < -0.999);
        let [shoulder, elbow, wrist] =
            ["Arm", "ForeArm", "Hand"].map(|b| at(&format!("{side}{b}")));
        assert!(left * (elbow - shoulder).normalize().x > 0.999, "{side}");
        assert!(left * (wrist - elbow).normalize().x > 0.999, "{side}");
        assert!(left * hip.x > 0.05, "facing +z, left is +x");
        let toes = at(&format!("{side}Foot_End"));
        assert!(toes.z > ankle.z, "toes point forward");
    }
}

#[test]
fn a_segment_that_is_not_seen_is_held_and_said() {
    let (mut trial, subject, _) = simulated(&Performer::human());
    for marker in trial.markers.iter_mut().filter(|marker| marker.label.starts_with("LFO")) {
        for frame in (0..10).chain(50..60) {
            marker.set(frame, None, condyle::trial::Origin::Missing);
        }
    }
    let solved = solve::trial(&subject, &trial).unwrap();
    let foot = subject.segments.iter().position(|s| s.name == "left foot").unwrap();
    let rig = Rig::new(&subject, &trial, &solved).unwrap();
    if solved.world_from_segments[0][foot].is_none() {
        assert_eq!(rig.held_frames[foot], 20);
        assert!(
            rig.notes.iter().any(|note| note.code == "held" && note.text.contains("left foot"))
        );
        let of = rig.motion.skeleton().channels_of(foot);
        let values = |frame: usize| rig.motion.frame_values(frame).unwrap()[of.clone()].to_vec();
        assert_eq!(values(0), values(9));
        assert_eq!(values(49), values(59));
    } else {
        assert_eq!(rig.held_frames[foot], 0);
    }
}

#[test]
fn an_enriched_c3d_keeps_everything_and_adds_the_joints() {
    let (trial, subject, solved) = simulated(&Performer::human());
    let enriched = rig::with_joint_centres(&trial, &subject, &solved);
    let mut bytes = Vec::new();
    format::write(&enriched, Format::C3d, &mut bytes).unwrap();
    let again = format::read_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(again.markers.len(), trial.markers.len() + subject.joints.len());
    let mut plain = Vec::new();
    format::write(&trial, Format::C3d, &mut plain).unwrap();
    let before = format::read_bytes(&plain, &ReadOptions::default()).unwrap();
    assert_eq!(again.markers[..before.markers.len()], before.markers[..]);
    assert_eq!((again.channels, again.events), (before.channels, before.events));
    let knee = subject.joints.iter().position(|joint| joint.name == "left knee").unwrap();
    let marker = again.markers.iter().find(|marker| marker.label == "LKJC").unwrap();
    let error = marker.position_m(33).unwrap() - solved.joints_m[33][knee].unwrap();
    assert!(error.norm() < 1e-6 && marker.description.starts_with("left knee"));
}

/// Pearson's correlation, and the difference of the ranges in degrees.
fn compare(ours: &[f64], theirs: &[f64]) -> (f64, f64) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(ours), mean(theirs));
    let product: f64 = ours.iter().zip(theirs).map(|(x, y)| (x - a) * (y - b)).sum();
    let square = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let range = |values: &[f64]| {
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        high - values.iter().copied().fold(f64::MAX, f64::min)
    };
    (product / (square(ours, a) * square(theirs, b)).sqrt(), range(ours) - range(theirs))
}

#[test]
fn knee_flexion_agrees_with_plug_in_gait() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("pycgm/Movement_trial.c3d");
    if !path.is_file() {
        eprintln!("skipped: no {}", path.display());
        return;
    }
    let trial = format::read_path(&path, &ReadOptions::default()).unwrap();
    let plan = marker_set::recognise(&trial).plan;
    let (subject, solved) = fitted(&trial, &plan.performers[0]);
    let found = angles::of(&subject, &solved, trial.rate_hz, &angles::Options::default());
    for (joint, label) in [("left knee", "LKneeAngles"), ("right knee", "RKneeAngles")] {
        let knee = found.joint(joint).unwrap();
        let theirs = trial.marker(label).unwrap();
        let unit = trial.source.unit.metres();
        let (ours, theirs): (Vec<f64>, Vec<f64>) = (0..trial.frames)
            .filter_map(|frame| {
                // Degrees, stored where other points have lengths.
                let theirs = theirs.position_m(frame)?.x / unit;
                Some((knee.angles_rad[frame]?[0].to_degrees(), theirs))
            })
            .unzip();
        let (correlation, wider) = compare(&ours, &theirs);
        eprintln!(
            "{joint}: {} frames, correlation {correlation:.4}, range wider by {wider:.1} degrees",
            ours.len()
        );
        assert!(ours.len() > 100 && correlation > 0.98, "{joint} {correlation}");
    }
}
