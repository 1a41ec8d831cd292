//! Sizes that were measured, and weights of markers.

use crate::recordings;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, MarkerWeights, Performance};
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::trial::{Group, Origin, Parameter};
use condyle::{Trial, whole_body::BlockStatus};

/// A person of 41 markers who walks.
fn walker() -> Trial {
    let options = Options {
        routine: Routine::Walk,
        seconds: 4.0,
        rate_hz: 50.0,
        marker_set: Some("cmu41".into()),
        noise_m: 1e-3,
        skin_m: 5e-3,
        ..Options::default()
    };
    simulate(&Performer::human(), &options).unwrap().trial
}

fn with_sizes(mut trial: Trial, sizes: &[(&str, f32)]) -> Trial {
    let parameters = sizes.iter().map(|(name, value)| Parameter::real(name, *value)).collect();
    trial.parameters.push(Group { name: "PROCESSING".into(), parameters, ..Group::default() });
    trial
}

fn run(trial: Trial, change: impl Fn(&mut job::Options)) -> Performance {
    let mut options = job::Options::default();
    change(&mut options);
    job::run(trial, &options).unwrap()
}

/// How far the left knee is from its marker, in the middle of the recording.
fn knee_to_marker_m(performance: &Performance) -> f64 {
    let performer = &performance.performers[0];
    let knee = performer.subject.joints().iter().position(|j| j.name == "left knee").unwrap();
    let frame = performance.trial.frames / 2;
    let marker = performance.trial.marker("LKNE").unwrap().position_m(frame).unwrap();
    (performer.motion.joint_m(frame, knee).unwrap() - marker).norm()
}

fn notes(performance: &Performance, code: &str) -> Vec<String> {
    let notes = performance.all_notes();
    notes.iter().filter(|note| note.code == code).map(|note| note.text.clone()).collect()
}

#[test]
fn a_knee_that_was_measured_is_as_wide_as_that() {
    let [narrow, wide] = [0.085, 0.125]
        .map(|width_m| run(walker(), |options| options.measured.knee_width_m = Some(width_m)));
    let wider_m = knee_to_marker_m(&wide) - knee_to_marker_m(&narrow);
    assert!((0.012..0.025).contains(&wider_m), "{wider_m}");
    assert_eq!(notes(&wide, "size-measured"), ["knee width 125 mm, as stated"]);
    let blocks = &wide.performers[0].knowledge.as_ref().unwrap().blocks;
    let block = blocks.iter().find(|block| block.name == "measured knee width").unwrap();
    assert_eq!((block.status, block.why.as_str()), (BlockStatus::Used, "125 mm, as stated"));
}

#[test]
fn sizes_in_the_file_count_unless_others_are_stated() {
    let in_file = [("LKneeWidth", 130.0), ("RKneeWidth", 110.0), ("LAnkleWidth", 70.0)];
    let by_file = run(with_sizes(walker(), &in_file), |_| ());
    let said = notes(&by_file, "size-measured");
    let wanted = "knee width 120 mm, by the file (LKneeWidth 130, RKneeWidth 110)";
    assert!(said.iter().any(|text| text == wanted), "{said:?}");
    assert!(said.iter().any(|text| text.starts_with("ankle width 70 mm")), "{said:?}");
    let stated = run(with_sizes(walker(), &in_file), |options| {
        options.measured.knee_width_m = Some(0.09);
    });
    assert!(knee_to_marker_m(&stated) < knee_to_marker_m(&by_file) - 0.008);
}

#[test]
fn sizes_that_nobody_has_are_said_and_not_used() {
    let in_file = [("Height", 175.0), ("LKneeWidth", 0.0), ("RKneeWidth", 0.0)];
    let performance = run(with_sizes(walker(), &in_file), |options| {
        options.measured.leg_length_m = Some(-0.9);
        options.measured.ankle_width_m = Some(0.7);
    });
    let said = notes(&performance, "size-ignored");
    for wanted in ["stature 175 mm", "knee width 0 mm", "leg length -900 mm", "ankle width 700 mm"]
    {
        assert!(said.iter().any(|text| text.starts_with(wanted)), "{wanted}: {said:?}");
    }
    assert!(notes(&performance, "size-measured").is_empty());
    let plain = run(walker(), |_| ());
    assert_eq!(performance.performers[0].subject.joints(), plain.performers[0].subject.joints());
}

/// How far the knees are from their markers, mean over both and all frames, as we and as the file have them.
fn knee_depths_m(trial: Trial) -> [f64; 2] {
    let performance = run(trial, |_| ());
    let performer = &performance.performers[0];
    let find = |label: &str| performance.trial.markers.iter().find(|m| m.label.ends_with(label));
    let (mut ours, mut theirs, mut count) = (0.0, 0.0, 0.0);
    for (side, letter) in [("left", 'L'), ("right", 'R')] {
        let [marker, own] = ["KNE", "FEO"].map(|name| find(&format!("{letter}{name}")).unwrap());
        let name = format!("{side} knee");
        let knee = performer.subject.joints().iter().position(|j| j.name == name).unwrap();
        for (frame, at) in performer.motion.joints()[knee].iter_m().enumerate() {
            if let (Some(at), Some(marker), Some(own)) =
                (at, marker.position_m(frame), own.position_m(frame))
            {
                ours += (at - marker).norm();
                theirs += (own - marker).norm();
                count += 1.0;
            }
        }
    }
    [ours / count, theirs / count]
}

#[test]
fn knees_are_as_deep_under_their_markers_as_the_file_has_them_by_its_widths() {
    let Some(folder) = recordings::folder() else { return };
    for name in ["pycgm/Movement_trial.c3d", "btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d"] {
        let trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        let mut bare = trial.clone();
        bare.parameters.retain(|group| group.name != "PROCESSING");
        let [ours, theirs] = knee_depths_m(trial);
        let [without, _] = knee_depths_m(bare);
        println!(
            "{name}: {:.1} mm, the file {:.1}, without widths {:.1}",
            ours * 1e3,
            theirs * 1e3,
            without * 1e3
        );
        assert!((ours - theirs).abs() < 0.005, "{name}: {ours} {theirs}");
        assert!((ours - theirs).abs() < (without - theirs).abs(), "{name}");
    }
}

#[test]
fn a_marker_of_no_weight_is_not_used_in_fitting_or_solving() {
    let mut trial = walker();
    let frames = trial.frames;
    let loose = trial.markers.iter_mut().find(|m| m.label == "LTHI").unwrap();
    for frame in 0..frames {
        let at = loose.position_m(frame).unwrap();
        loose.set(
            frame,
            Some(at + nalgebra::Vector3::x() * (frame as f64).sin()),
            Origin::Measured,
        );
    }
    let weights = MarkerWeights::from_toml("LTHI = 0\nNOBODY = 2\n").unwrap();
    let performance = run(trial.clone(), |options| options.weights = weights.clone());
    let subject = &performance.performers[0].subject;
    let has = |subject: &condyle::subject::Subject, label: &str| {
        subject.segments().iter().flat_map(|s| &s.markers).any(|marker| marker.label == label)
    };
    assert!(!has(subject, "LTHI") && has(subject, "RTHI"));
    let said = notes(&performance, "weights-unknown");
    assert!(said.len() == 1 && said[0].ends_with(": NOBODY"), "{said:?}");
    // A subject that has it is solved without it.
    let fitted = run(walker(), |_| ()).performers.remove(0).subject;
    assert!(has(&fitted, "LTHI"));
    let solved = run(trial, |options| {
        options.subject = Some(fitted.clone());
        options.weights = weights.clone();
    });
    assert!(!has(&solved.performers[0].subject, "LTHI"));
}

#[test]
fn a_marker_of_little_weight_moves_its_segment_less() {
    // The marker of the left knee is 30 mm off: how far does it take the knee along?
    let mut trial = walker();
    let frames = trial.frames;
    let off = trial.markers.iter_mut().find(|m| m.label == "LKNE").unwrap();
    for frame in frames / 2..frames {
        let at = off.position_m(frame).unwrap();
        off.set(frame, Some(at + nalgebra::Vector3::z() * 0.03), Origin::Measured);
    }
    let subject = run(walker(), |_| ()).performers.remove(0).subject;
    let knee = subject.joints().iter().position(|joint| joint.name == "left knee").unwrap();
    let solve = |trial: Trial, weight: &str| {
        let weights = MarkerWeights::from_toml(&format!("LKNE = {weight}")).unwrap();
        let performance = run(trial, |options| {
            options.subject = Some(subject.clone());
            options.weights = weights.clone();
        });
        performance.performers[0].motion.joint_m(frames - 10, knee).unwrap()
    };
    let moved_m = |weight| (solve(trial.clone(), weight) - solve(walker(), weight)).norm();
    let [light, usual, heavy] = ["0.1", "1", "10"].map(moved_m);
    assert!(light < 0.6 * usual && usual < heavy, "{light} {usual} {heavy}");
}

#[test]
fn weights_and_sizes_are_part_of_the_key_of_a_run() {
    let plain = job::Options::default();
    let mut weighed = plain.clone();
    weighed.weights = MarkerWeights::from_toml("LTHI = 0.5").unwrap();
    let mut measured = plain.clone();
    measured.measured.knee_width_m = Some(0.1);
    let keys = [&plain, &weighed, &measured].map(|options| options.key().unwrap());
    assert!(keys[0] != keys[1] && keys[0] != keys[2]);
    for (key, options) in keys.iter().zip([&plain, &weighed, &measured]) {
        let (_, json) = key.split_once(' ').unwrap();
        let again: job::Options = serde_json::from_str(json).unwrap();
        assert_eq!(again, *options);
    }
}
