//! A subject fitted to one trial and used for another of the same performer, beside a fit to that one.

use crate::recordings;
use condyle::Trial;
use condyle::calibrate::Calibration;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Recording};
use condyle::marker_set;
use condyle::solve::{self, SolvedMotion};
use condyle::subject::Subject;
use condyle::trial::edit;

fn fit(trial: &Trial) -> Subject {
    let plan = marker_set::recognise_trial(trial).plan;
    let mut calibration = Calibration::new(&plan.performers[0], &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    calibration.fit().unwrap()
}

/// The lengths of a joint's bone in every frame in which both its ends are placed.
fn lengths_m(subject: &Subject, solved: &SolvedMotion, joint: usize) -> Vec<f64> {
    let parent = subject.joints()[joint].parent;
    let Some(near) = subject.joints().iter().position(|other| other.child == parent) else {
        return Vec::new();
    };
    let ends_m = solved.joints()[joint].iter_m().zip(solved.joints()[near].iter_m());
    ends_m.filter_map(|(far, near)| Some((far? - near?).norm())).collect()
}

/// For every joint the median distance between two answers for the same trial.
fn apart_mm(trial: &Trial, ours: &Subject, direct: &Subject) -> Vec<(String, f64)> {
    let [a, b] = [ours, direct].map(|subject| solve::solve_trial(subject, trial).unwrap());
    let same = |name: &str| direct.joints().iter().position(|joint| joint.name == name);
    let of = |(index, joint): (usize, &condyle::subject::Joint)| {
        let other = same(&joint.name)?;
        let pairs = a.joints()[index].iter_m().zip(b.joints()[other].iter_m());
        let mut apart: Vec<f64> = pairs.filter_map(|(a, b)| Some((a? - b?).norm() * 1e3)).collect();
        apart.sort_by(f64::total_cmp);
        Some((joint.name.clone(), *apart.get(apart.len() / 2)?))
    };
    ours.joints().iter().enumerate().filter_map(of).collect()
}

#[test]
fn bones_keep_their_lengths_in_every_trial_of_the_performer() {
    let Some(folder) = recordings::folder() else { return };
    let read = |name: &str| read_path(&folder.join(name), &ReadOptions::default()).unwrap();
    let names = ["cmu/02_01.c3d", "cmu/02_05.c3d"];
    for [fitted, used] in [[0, 1], [1, 0]] {
        let (subject, trial) = (fit(&read(names[fitted])), read(names[used]));
        let solved = solve::solve_trial(&subject, &trial).unwrap();
        for (index, joint) in subject.joints().iter().enumerate() {
            let Some(known_m) = subject.bone_length_m(joint.child) else { continue };
            for length_m in lengths_m(&subject, &solved, index) {
                assert!((length_m - known_m).abs() < 1e-9, "{}: {length_m}", joint.name);
            }
        }
        let mut all = Vec::new();
        println!("fitted to {}, used for {}:", names[fitted], names[used]);
        for (joint, apart_mm) in apart_mm(&trial, &subject, &fit(&trial)) {
            println!("  {joint:16} {apart_mm:6.1} mm from a fit to that trial");
            all.push(apart_mm);
        }
        all.sort_by(f64::total_cmp);
        println!("  median over the joints {:.1} mm", all[all.len() / 2]);
    }
}

#[test]
fn the_first_half_of_a_recording_serves_for_the_second() {
    let Some(folder) = recordings::folder() else { return };
    // Ten are wanted of all; where segments have two markers, or a half lasts a second, it may not get worse.
    for (name, limit_mm) in [
        ("wkiro/AJ026_Run_Comfortable1.c3d", 10.5),
        ("cmu/01_01.c3d", 14.6),
        ("nimble/JA1Gait35.c3d", 10.0),
    ] {
        let whole = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        let (middle, end) = (whole.frames / 2, whole.frames);
        let first = edit::with_frames(whole.clone(), 0..middle).unwrap();
        let second = edit::with_frames(whole, middle..end).unwrap();
        let apart = apart_mm(&second, &fit(&first), &fit(&second));
        let mut all: Vec<f64> = apart.into_iter().map(|(_, apart_mm)| apart_mm).collect();
        all.sort_by(f64::total_cmp);
        let median_mm = all[all.len() / 2];
        println!("{name}: median over {} joints {median_mm:.1} mm", all.len());
        assert!(median_mm <= limit_mm, "{name}: {median_mm}");
    }
}

/// How well a joint is known that was fitted to recordings in one fit.
fn fitted_sd_m(names: &[&str], joint: &str) -> Option<f64> {
    let folder = recordings::folder()?;
    let read = |name: &&str| {
        Recording::new(*name, read_path(&folder.join(name), &ReadOptions::default()).unwrap())
    };
    let fitted = job::fit(names.iter().map(read).collect(), &job::Options::default()).unwrap();
    assert!(fitted.knowledge[0].is_some(), "{names:?}");
    let subject = &fitted.subjects[0];
    assert_eq!(subject.provenance.recordings.len(), names.len());
    Some(subject.joints().iter().find(|other| other.name == joint)?.worst_sd_m())
}

#[test]
fn recordings_of_a_performer_are_one_fit_each_for_what_it_tells() {
    let hip = "left hip";
    let [walk, jump] = ["cmu/02_01.c3d", "cmu/02_05.c3d"];
    let star = "btkdata/others/FunctionalLHip.c3d";
    let still = "btkdata/others/FunctionalStatic.c3d";
    for [one, other] in [[walk, jump], [star, still]] {
        let sds = [&[one][..], &[other], &[one, other], &[other, one]].map(|n| fitted_sd_m(n, hip));
        let [Some(alone), Some(other_alone), Some(both), Some(turned)] = sds else { return };
        println!("{one} {alone:.4}, {other} {other_alone:.4}, both {both:.4} and {turned:.4} m");
        let better = alone.min(other_alone);
        assert!(both < 1.1 * better && turned < 1.1 * better, "{both} {turned} {better}");
    }
}

#[test]
fn a_subject_that_is_somebody_else_is_said_once_and_not_marker_by_marker() {
    let walk = |scale: f64| {
        let options = condyle::simulate::Options {
            seconds: 6.0,
            noise_m: 1e-3,
            marker_set: Some("cmu41".into()),
            ..Default::default()
        };
        let performer = condyle::simulate::Performer::human();
        let mut trial = condyle::simulate::simulate(&performer, &options).unwrap().trial;
        for marker in &mut trial.markers {
            for frame in 0..trial.frames {
                let at = marker.position_m(frame).map(|at| at * scale);
                marker.set(frame, at, condyle::trial::Origin::Measured);
            }
        }
        trial
    };
    let subject = job::run(walk(1.0), &job::Options::default()).unwrap();
    let mut options = job::Options::default();
    options.subject = Some(subject.performers[0].subject.clone());
    let refused = job::run(walk(1.12), &options).unwrap_err();
    assert_eq!(refused.code(), Some("another-performer"), "{refused}");
    let own = job::run(walk(1.0), &options).unwrap();
    assert!(own.performers[0].notes.iter().all(|note| note.code != "subject-doubtful"));
    options.accept_any_subject = true;
    let other = job::run(walk(1.12), &options).unwrap();
    let codes: Vec<&str> = other.performers[0].notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes.iter().filter(|code| **code == "subject-doubtful").count(), 1, "{codes:?}");
    assert!(!codes.contains(&"marker-moved"), "{codes:?}");
}
