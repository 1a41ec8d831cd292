//! Streams: frame by frame they give what the recording gives, and what was once known does not flicker.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::recordings;
use condyle::angles::Smoothing;
use condyle::calibrate::MAX_FRAMES;
use condyle::format::{ReadOptions, read_path};
use condyle::job::{self, Options, Repair, SegmentsBy};
use condyle::live::{Live, LivePerformer, Refit, Refitted};
use condyle::simulate::{self, Performer, Routine, simulate};
use condyle::subject::CentreKnown;
use condyle::{Result, Trial};
use nalgebra::{Isometry3, Point3};

fn simulated(options: simulate::Options) -> Trial {
    let options =
        simulate::Options { noise_m: 1e-3, orientation_noise_rad: 3e-3, rate_hz: 50.0, ..options };
    simulate(&Performer::human(), &options).unwrap().trial
}

fn is_of_sensors(trial: &Trial) -> bool {
    trial.markers.is_empty()
}

fn begin(trial: &Trial, options: &Options) -> Result<Live> {
    match is_of_sensors(trial) {
        true => {
            let names: Vec<&str> = trial.bodies.iter().map(|body| body.name.as_str()).collect();
            Live::from_sensors(&names, trial.rate_hz, options)
        }
        false => Live::new(&trial.labels(), trial.rate_hz, options),
    }
}

fn positions_m(trial: &Trial, frame: usize) -> Vec<Option<Point3<f64>>> {
    trial.markers.iter().map(|marker| marker.position_m(frame)).collect()
}

fn poses(trial: &Trial, frame: usize) -> Vec<Option<Isometry3<f64>>> {
    trial.bodies.iter().map(|body| body.world_from_body(frame).copied()).collect()
}

/// Pushes a frame of a recording; calibrations are left to the caller.
fn push<'a>(live: &'a mut Live, trial: &Trial, frame: usize) -> &'a [LivePerformer] {
    match is_of_sensors(trial) {
        true => live.push_without_refit(&poses(trial, frame)).unwrap(),
        false => live.push_without_refit(&positions_m(trial, frame)).unwrap(),
    }
}

fn push_all(live: &mut Live, trial: &Trial) {
    for frame in 0..trial.frames {
        push(live, trial, frame);
    }
}

/// The largest distance between joints of two results for the same frames; infinite if one has what the other has not.
fn most_apart_m(one: &job::Performance, other: &job::Performance) -> f64 {
    assert_eq!(one.performers.len(), other.performers.len());
    let mut most_m = 0f64;
    for (one, other) in one.performers.iter().zip(&other.performers) {
        assert_eq!(one.subject.joints().len(), other.subject.joints().len());
        for (a, b) in one.motion.joints().iter().zip(other.motion.joints()) {
            for (a, b) in a.iter_m().zip(b.iter_m()) {
                most_m = most_m.max(match (a, b) {
                    (Some(a), Some(b)) => (a - b).norm(),
                    (None, None) => 0.0,
                    _ => f64::INFINITY,
                });
            }
        }
    }
    most_m
}

/// Without what needs later frames.
fn causal() -> Options {
    let mut options = Options::default();
    (options.fill, options.smoothing) = (job::Fill::Off, Smoothing::Off);
    options
}

fn streams() -> [(&'static str, Trial); 4] {
    let trial = |routine, sensors, swaps| {
        let occlusion = 0.02;
        simulated(simulate::Options {
            routine,
            sensors,
            swaps,
            occlusion,
            seconds: 8.0,
            ..Default::default()
        })
    };
    [
        ("markers", trial(Routine::Rom, false, 0)),
        ("exchanged markers", trial(Routine::Rom, false, 3)),
        ("markers of a walk", trial(Routine::Walk, false, 0)),
        ("sensors", trial(Routine::Rom, true, 0)),
    ]
}

#[test]
fn a_stream_ends_as_the_recording_of_it_does() {
    for (name, trial) in streams() {
        let options = Options::default();
        let mut live = begin(&trial, &options).unwrap();
        push_all(&mut live, &trial);
        let streamed = live.finish().unwrap();
        let batch = job::run(trial, &options).unwrap();
        assert_eq!(most_apart_m(&streamed, &batch), 0.0, "{name}");
        // A stream does not say which axis is up.
        let is_up = |repair: &&Repair| matches!(repair, Repair::UpInferred { .. });
        let others = |repairs: &[Repair]| -> Vec<Repair> {
            repairs.iter().filter(|repair| !is_up(repair)).cloned().collect()
        };
        assert_eq!(others(&streamed.repairs), others(&batch.repairs), "{name}");
        for (ours, theirs) in streamed.performers.iter().zip(&batch.performers) {
            assert_eq!(ours.subject.joints(), theirs.subject.joints(), "{name}");
            assert_eq!(ours.angles, theirs.angles, "{name}");
        }
    }
}

#[test]
fn with_a_known_subject_every_frame_is_placed_as_it_comes_as_in_the_recording() {
    for (name, trial) in streams() {
        // A label that was exchanged is put right in the recording only.
        if name == "exchanged markers" {
            continue;
        }
        let mut options = causal();
        let batch = job::run(trial.clone(), &options).unwrap();
        let solved = &batch.performers[0];
        options.subject = Some(solved.subject.clone());
        let mut live = begin(&trial, &options).unwrap();
        for frame in 0..trial.frames {
            let performer = &push(&mut live, &trial, frame)[0];
            for (index, joint) in performer.joints().enumerate() {
                let batch_m = solved.motion.joint_m(frame, index);
                assert_eq!(joint.position_m, batch_m, "{name}: {} in {frame}", joint.name);
                let batch_rad = solved.angles.joints[index].angles_rad[frame];
                assert_eq!(joint.angles_rad, batch_rad, "{name}: {} in {frame}", joint.name);
            }
            for (index, segment) in performer.segments().enumerate() {
                let batch = solved.motion.world_from_segment(frame, index);
                assert_eq!(segment.world_from_segment, batch, "{name}: {}", segment.name);
            }
        }
        assert!(live.due_refit().is_none());
    }
}

#[test]
fn angles_are_zero_in_the_zero_frame_and_there_are_none_before() {
    let trial = simulated(simulate::Options { seconds: 4.0, ..Default::default() });
    let mut options = causal();
    options.zero_frame = Some(60);
    let batch = job::run(trial.clone(), &options).unwrap();
    let mut live = begin(&trial, &options).unwrap();
    for frame in 0..trial.frames {
        live.push(&positions_m(&trial, frame)).unwrap();
        for joint in live.performers().iter().flat_map(LivePerformer::joints) {
            let rad = joint.angles_rad.map(|rad| rad.into_iter().map(f64::abs).fold(0.0, f64::max));
            match frame {
                0..60 => assert_eq!(rad, None),
                60 => assert!(rad.unwrap() < 1e-9, "{}: {rad:?}", joint.name),
                _ => assert!(rad.is_some()),
            }
        }
    }
    options.subject = Some(batch.performers[0].subject.clone());
    let mut live = begin(&trial, &options).unwrap();
    for frame in 0..trial.frames {
        let performer = &live.push(&positions_m(&trial, frame)).unwrap()[0];
        for (joint, batch) in performer.joints().zip(&batch.performers[0].angles.joints) {
            let batch_rad = batch.angles_rad[frame].filter(|_| frame >= 60);
            assert_eq!(joint.angles_rad.is_some(), batch_rad.is_some());
            for (a, b) in joint.angles_rad.iter().flatten().zip(batch_rad.iter().flatten()) {
                assert!((a - b).abs() < 1e-9, "{} in {frame}: {a} and {b}", joint.name);
            }
        }
    }
}

/// What is said of a joint after every calibration of a stream.
type Words = BTreeMap<String, Vec<CentreKnown>>;

/// How well joints are known as a stream goes on: as each calibration has it, and as the stream says it.
fn words(trial: &Trial) -> [Words; 2] {
    let mut live = begin(trial, &Options::default()).unwrap();
    let [mut by_itself, mut said] = [Words::new(), Words::new()];
    for frame in 0..trial.frames {
        push(&mut live, trial, frame);
        let Some(refit) = live.due_refit() else { continue };
        live.adopt(refit.run());
        let Some(performer) = live.performers().first() else { continue };
        for (joint, fitted) in performer.joints().zip(performer.subject().joints()) {
            by_itself.entry(joint.name.to_owned()).or_default().push(fitted.centre_known());
            said.entry(joint.name.to_owned())
                .or_default()
                .push(joint.certainty.centre_known.unwrap_or(CentreKnown::Barely));
        }
    }
    [by_itself, said]
}

/// How often a word that was taken back is said again, over all joints.
fn flickers(words: &Words) -> usize {
    let of_joint = |words: &Vec<CentreKnown>| {
        let changes =
            words.windows(2).map(|two| two[1].cmp(&two[0])).filter(|change| change.is_ne());
        let changes: Vec<Ordering> = changes.collect();
        changes.windows(2).filter(|two| two[0].is_lt() && two[1].is_gt()).count()
    };
    words.values().map(of_joint).sum()
}

/// How many joints are known well or fairly after every calibration.
fn known(words: &Words) -> Vec<usize> {
    let calibrations = words.values().map(Vec::len).max().unwrap_or(0);
    let is_known = |words: &&Vec<CentreKnown>, at| {
        matches!(words.get(at), Some(CentreKnown::Well | CentreKnown::Fairly))
    };
    (0..calibrations).map(|at| words.values().filter(|words| is_known(words, at)).count()).collect()
}

#[test]
fn what_is_known_of_simulated_joints_does_not_flicker() {
    let mut flickers_by_themselves = 0;
    for seed in 1..=3 {
        let skin_m = 8e-3;
        let seconds = 30.0;
        let trial = simulated(simulate::Options { skin_m, seconds, seed, ..Default::default() });
        let [by_itself, said] = words(&trial);
        let counts = [&by_itself, &said].map(known);
        println!("seed {seed}: known {:?}, said to be {:?}", counts[0], counts[1]);
        flickers_by_themselves += flickers(&by_itself);
        assert_eq!(flickers(&said), 0, "seed {seed}: {said:?}");
        // It does speak: of most joints that the last calibration knows.
        let [known, said] = counts.map(|counts| counts[counts.len() - 1]);
        assert!(2 * said >= known && said >= 5, "seed {seed}: {said} of {known}");
    }
    assert!(flickers_by_themselves > 0, "calibrations by themselves do not flicker");
}

#[test]
fn what_is_known_of_recorded_joints_does_not_flicker() {
    let Some(folder) = recordings::folder() else { return };
    let mut without_memory = 0;
    for name in ["cmu/01_01.c3d", "cmu/02_05.c3d", "wkiro/AJ026_Run_Comfortable1.c3d"] {
        let trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        let [by_itself, said] = words(&trial);
        let counts = [&by_itself, &said].map(known);
        println!("{name}: known {:?}, said to be {:?}", counts[0], counts[1]);
        without_memory += flickers(&by_itself);
        assert_eq!(flickers(&said), 0, "{name}: {said:?}");
    }
    assert!(without_memory > 0, "calibrations by themselves do not flicker");
}

#[test]
fn streams_of_recordings_end_as_the_recordings_do() {
    let Some(folder) = recordings::folder() else { return };
    for name in [
        "cmu/01_01.c3d",
        "cmu/02_05.c3d",
        "nimble/JA1Gait35.c3d",
        "wkiro/AJ026_Run_Comfortable1.c3d",
        "magnetic/polhemus_liberty/Polhemus_90degX(clean)_2data.csv",
    ] {
        let mut trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        // A stream has no file that says how wide the knees are.
        trial.parameters.clear();
        let options = causal();
        let mut live = begin(&trial, &options).unwrap();
        push_all(&mut live, &trial);
        let streamed = live.finish().unwrap();
        let batch = job::run(trial, &options).unwrap();
        let apart_m = most_apart_m(&streamed, &batch);
        println!("{name}: {} frames, {apart_m:e} m apart", batch.trial.frames);
        assert!(apart_m <= 1e-9, "{name}: {apart_m}");
    }
}

/// Frames of a recording again and again, until there are so many.
fn repeated(trial: &Trial, frames: usize) -> Trial {
    let mut long = Trial::new(trial.source.format, trial.rate_hz);
    long.frames = frames;
    long.markers = trial
        .markers
        .iter()
        .map(|marker| {
            let positions_m = (0..frames).map(|frame| marker.position_m(frame % trial.frames));
            condyle::trial::Marker::from_positions(marker.label.clone(), positions_m)
        })
        .collect();
    long.bodies = trial
        .bodies
        .iter()
        .map(|body| {
            let mut long = condyle::trial::Body::new(body.name.clone());
            let pose = |frame: usize| body.world_from_body(frame % trial.frames).copied();
            (0..frames).for_each(|frame| long.push(pose(frame)));
            long
        })
        .collect();
    long
}

#[test]
fn a_long_stream_is_remembered_in_a_bounded_number_of_frames_evenly_spread() {
    let options = simulate::Options { seconds: 30.0, noise_m: 1e-3, ..Default::default() };
    let arm = simulate(&Performer::arm(), &options).unwrap().trial;
    let trial = repeated(&arm, 2 * MAX_FRAMES + 1000);
    let mut options = causal();
    options.segments_by = SegmentsBy::Motion;
    let plan = job::plan(&arm, &options).unwrap().plan;
    options.plan = Some(condyle::marker_set::to_toml(&plan, &arm).as_str().into());
    let mut live = begin(&trial, &options).unwrap();
    push_all(&mut live, &trial);
    let kept = live.kept_frames();
    assert!(kept.len() <= MAX_FRAMES, "{}", kept.len());
    assert!(kept.iter().enumerate().all(|(index, frame)| *frame == 4 * index));
    // The subject is that of the whole recording: its calibration keeps the same frames.
    let (streamed, batch) = (live.finish().unwrap(), job::run(trial, &options).unwrap());
    assert!(batch.repairs.is_empty(), "{:?}", batch.repairs);
    assert_eq!(streamed.performers[0].subject.joints(), batch.performers[0].subject.joints());
    for (index, frame) in kept.into_iter().enumerate() {
        let [ours, theirs] = [(&streamed, index), (&batch, frame)]
            .map(|(performance, frame)| performance.performers[0].motion.joint_m(frame, 0));
        assert_eq!(ours, theirs);
    }
}

#[test]
fn sensors_of_a_long_stream_are_kept_in_stretches_that_still_show_their_noise() {
    let short = simulated(simulate::Options { sensors: true, seconds: 30.0, ..Default::default() });
    let trial = repeated(&short, 2 * MAX_FRAMES + 1000);
    let mut live = begin(&trial, &Options::default()).unwrap();
    push_all(&mut live, &trial);
    assert!(live.kept_frames().len() <= MAX_FRAMES);
    let refit = live.due_refit().unwrap();
    live.adopt(refit.run());
    let subject = live.performers()[0].subject();
    for segment in subject.segments() {
        let off_m = (segment.sigma_m - 1e-3).abs();
        assert!(off_m < 0.1e-3, "{}: {} m", segment.name, segment.sigma_m);
    }
    let fitted = job::fit(vec![short.into()], &Options::default()).unwrap().subjects.remove(0);
    for (long, short) in subject.joints().iter().zip(fitted.joints()) {
        let apart_m = (long.centre_in_parent_m - short.centre_in_parent_m).norm();
        assert!(apart_m < 1e-3 + 2.0 * short.worst_sd_m(), "{}: {apart_m} m", long.name);
    }
}

#[test]
fn a_calibration_may_run_in_another_thread() {
    fn is_send<T: Send + 'static>() {}
    is_send::<Refit>();
    is_send::<Refitted>();
    is_send::<Live>();
    let trial = simulated(simulate::Options { seconds: 4.0, ..Default::default() });
    let (mut here, mut there) =
        (begin(&trial, &causal()).unwrap(), begin(&trial, &causal()).unwrap());
    let mut late = None;
    for frame in 0..trial.frames {
        let row = positions_m(&trial, frame);
        here.push(&row).unwrap();
        there.push_without_refit(&row).unwrap();
        if let Some(refit) = there.due_refit() {
            let refitted = std::thread::spawn(move || refit.run()).join().unwrap();
            // One that comes after a newer one changes nothing.
            if frame + 1 == 20 { late = Some(refitted) } else { there.adopt(refitted) }
        }
    }
    there.adopt(late.unwrap());
    let [here, there] = [&here, &there].map(|live| &live.performers()[0]);
    assert_eq!(here.subject(), there.subject());
    assert_eq!(here.pose(), there.pose());
}

#[test]
fn labels_alone_tell_the_plan_and_unknown_ones_are_refused_where_names_are_asked_for() {
    let trial = simulated(simulate::Options { seconds: 0.1, ..Default::default() });
    let live = begin(&trial, &Options::default()).unwrap();
    assert_eq!(live.plan(), Some(&job::plan(&trial, &Options::default()).unwrap().plan));
    assert!(live.performers().is_empty());
    let mut by_names = Options::default();
    by_names.segments_by = SegmentsBy::Names;
    let error = Live::new(&["P1", "P2"], 100.0, &by_names).unwrap_err().to_string();
    assert!(error.contains("known marker sets, got 2 labels of none"), "{error}");
    assert_eq!(Live::new(&["P1", "P2"], 100.0, &Options::default()).unwrap().plan(), None);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let options = Options::default();
    let error = |result: Result<Live>| result.unwrap_err().to_string();
    assert_eq!(error(Live::new(&[], 100.0, &options)), "labels: need one, got none");
    assert!(error(Live::new(&["a"], f64::NAN, &options)).starts_with("rate: need"));
    let mut live = Live::new(&["a", "b"], 0.0, &options).unwrap();
    let one: Vec<Option<Point3<f64>>> = vec![None];
    let pose: Vec<Option<Isometry3<f64>>> = vec![None; 2];
    let said = live.push(&one).unwrap_err().to_string();
    assert_eq!(said, "frame: need 2 positions of markers, got 1 positions of markers");
    let said = live.push(&pose).unwrap_err().to_string();
    assert_eq!(said, "frame: need 2 positions of markers, got 2 poses of sensors");
    assert_eq!(live.frames(), 0);
    let nothing: Vec<Option<Point3<f64>>> = vec![Some(Point3::new(f64::NAN, 0.0, 0.0)), None];
    for _ in 0..40 {
        assert!(live.push(&nothing).unwrap().is_empty());
    }
    assert!(live.last_fit_error().is_some());
    assert!(live.finish().is_err());
}

#[test]
fn a_subject_of_sensors_is_none_for_markers() {
    let sensors =
        simulated(simulate::Options { sensors: true, seconds: 8.0, ..Default::default() });
    let mut options = Options::default();
    let subject = job::fit(vec![sensors.clone().into()], &options).unwrap().subjects.remove(0);
    options.subject = Some(subject);
    assert!(begin(&sensors, &options).is_ok());
    let error = Live::new(&["a"], 100.0, &options).unwrap_err().to_string();
    assert_eq!(error, "subject: need one of markers, got one of sensors");
    let error = Live::from_sensors(&["a"], 100.0, &options).unwrap_err().to_string();
    assert!(error.starts_with("bodies: need those of the subject, got 0 of"), "{error}");
}
