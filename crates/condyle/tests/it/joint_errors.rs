//! How far joints may be off, frame by frame.

use crate::fitted;
use condyle::export::Export;
use condyle::format::{self, ReadOptions};
use condyle::job::Fill;
use condyle::simulate::{Options, Performer, Simulation, simulate};
use condyle::trial::Origin;
use condyle::{Trial, job};

/// A person of four markers a segment and 2 mm of noise.
fn noisy() -> (Simulation, condyle::subject::Subject, condyle::solve::SolvedMotion) {
    fitted::simulated(&Performer::human(), 8.0, 2e-3)
}

fn hide(trial: &mut Trial, labels: &[&str], frames: std::ops::Range<usize>) {
    for marker in trial.markers.iter_mut().filter(|m| labels.contains(&m.label.as_str())) {
        frames.clone().for_each(|frame| marker.set(frame, None, Origin::Missing));
    }
}

#[test]
fn joints_are_as_far_off_as_is_said_in_every_frame() {
    let (simulation, subject, solved) = noisy();
    let truth = &simulation.truth;
    let (mut inside, mut all, mut ratio) = (0, 0, 0.0);
    for (index, joint) in subject.joints().iter().enumerate() {
        let known = truth.joint(&joint.name).unwrap();
        for frame in 0..solved.frames() {
            let off_m =
                solved.joint_m(frame, index).unwrap() - truth.joint_positions_m[frame][known];
            let sd_m = solved.joint_sd_m(frame, index).unwrap();
            assert!(sd_m > 1e-4, "{}: {sd_m}", joint.name);
            // 95 % of a Gaussian in three dimensions are within 2.8 standard deviations of a round one.
            inside += usize::from(off_m.norm() < 2.8 * sd_m);
            ratio += (off_m.norm() / sd_m).powi(2);
            all += 1;
        }
    }
    let share = f64::from(u32::try_from(inside).unwrap()) / f64::from(all);
    let ratio = (ratio / f64::from(all)).sqrt();
    assert!(share > 0.92, "{share}");
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_joint_is_less_certain_where_its_markers_are_hidden() {
    let (mut simulation, subject, _) = noisy();
    let knee = subject.joints().iter().position(|joint| joint.name == "left knee").unwrap();
    let sides = [subject.joints()[knee].parent, subject.joints()[knee].child];
    // One marker of the thigh and none of the shank: the knee may be anywhere about a line.
    let hidden = sides.map(|side| &subject.segments()[side].markers);
    let hidden: Vec<&str> =
        hidden.into_iter().flatten().map(|marker| marker.label.as_str()).skip(1).collect();
    hide(&mut simulation.trial, &hidden, 100..200);
    let solved = condyle::solve::solve_trial(&subject, &simulation.trial).unwrap();
    let sd_m = |frame: usize| solved.joint_sd_m(frame, knee).unwrap();
    assert!(sd_m(150) > 1.7 * sd_m(50), "{} {}", sd_m(150), sd_m(50));
    assert!((sd_m(250) / sd_m(50) - 1.0).abs() < 0.2);
}

#[test]
fn files_have_the_standard_error_of_every_joint_in_every_frame() {
    let options = Options { seconds: 3.0, rate_hz: 50.0, noise_m: 1e-3, ..Options::default() };
    let mut trial = simulate(&Performer::human(), &options).unwrap().trial;
    let labels: Vec<String> = trial.labels().iter().map(|label| (*label).to_owned()).collect();
    let all: Vec<&str> = labels.iter().map(String::as_str).collect();
    hide(&mut trial, &all, 70..90);
    let filled = job::run(trial.clone(), &job::Options::default()).unwrap();
    let sd_m = |frame| filled.performers[0].motion.joint_sd_m(frame, 0).unwrap();
    let added_m = (sd_m(80).powi(2) - sd_m(40).powi(2)).sqrt();
    assert!(added_m > 2e-3, "{} {}", sd_m(80), sd_m(40));
    let mut unfilled = job::Options::default();
    unfilled.fill = Fill::Off;
    let performance = job::run(trial, &unfilled).unwrap();
    let performer = &performance.performers[0];
    let mut bytes = Vec::new();
    Export::CentresCsv.write(&performance, performer, None, &mut bytes).unwrap();
    let header = String::from_utf8_lossy(&bytes).lines().next().unwrap().to_owned();
    assert!(header.split(',').any(|cell| cell == "left hip_sd_m"), "{header}");
    let table = format::read_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(table.channels.len(), performer.subject.joints().len());
    for (index, channel) in table.channels.iter().enumerate() {
        for frame in [0, 40, 80, 120] {
            let said_m = channel.value(frame).filter(|value| value.is_finite());
            assert_eq!(said_m, performer.motion.joint_sd_m(frame, index), "{frame}");
            assert_eq!(said_m.is_some(), frame != 80);
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn so_has_parquet() {
    let options = Options { seconds: 2.0, rate_hz: 50.0, ..Options::default() };
    let trial = simulate(&Performer::human(), &options).unwrap().trial;
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let mut bytes = Vec::new();
    Export::Parquet.write(&performance, &performance.performers[0], None, &mut bytes).unwrap();
    let has = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
    assert!(has("left hip_sd_m") && !has("left hip_sd_m ["));
}
