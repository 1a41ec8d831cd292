//! The main job end to end: how accurate it is, what it repairs, and that every way in gives the same answer.

use condyle::job::{self, Options, Repair};
use condyle::simulate::{self, Performer, Routine, Simulation, simulate};
use condyle::subject::Subject;
use condyle::trial::Origin;

/// A person's range of motion with 1 mm of noise.
fn simulation(options: simulate::Options) -> Simulation {
    let options = simulate::Options { seconds: 12.0, noise_m: 1e-3, ..options };
    simulate(&Performer::human(), &options).unwrap()
}

/// The distances of all joints from the truth in all frames: median, 95th percentile, largest, in millimetres.
fn errors_mm(performance: &job::Performance, truth: &simulate::Truth) -> [f64; 3] {
    let performer = &performance.performers[0];
    let mut errors_mm = Vec::new();
    for (index, joint) in performer.subject.joints.iter().enumerate() {
        let true_index = truth.joint(&joint.name).unwrap();
        for (frame, places_m) in truth.joint_positions_m.iter().enumerate() {
            let Some(found_m) = performer.motion.joint_m(frame, index) else { continue };
            errors_mm.push((found_m - places_m[true_index]).norm() * 1e3);
        }
    }
    errors_mm.sort_by(f64::total_cmp);
    [0.5, 0.95, 1.0].map(|share: f64| errors_mm[((errors_mm.len() - 1) as f64 * share) as usize])
}

/// Four label swaps, each at a gap of three frames of both markers.
fn swapped_at_gaps(seed: u64) -> Simulation {
    let mut simulation = simulation(simulate::Options { swaps: 4, seed, ..Default::default() });
    let Simulation { trial, truth } = &mut simulation;
    for swap in &truth.swaps {
        for edge in [swap.frames.start, swap.frames.end] {
            for frame in edge.saturating_sub(1)..(edge + 2).min(trial.frames) {
                for marker in swap.markers {
                    trial.markers[marker].set(frame, None, Origin::Missing);
                }
            }
        }
    }
    simulation
}

#[test]
fn joints_of_a_range_of_motion_are_within_two_millimetres() {
    for seed in 1..=3 {
        let Simulation { trial, truth } =
            simulation(simulate::Options { seed, occlusion: 0.02, ..Default::default() });
        let performance = job::run(trial, &Options::default()).unwrap();
        let [median, most, _] = errors_mm(&performance, &truth);
        assert!(median < 1.3 && most < 3.0, "seed {seed}: {median} and {most} mm");
    }
}

#[test]
fn labels_that_change_places_at_short_gaps_are_exchanged_back_before_gaps_are_bridged() {
    for seed in 1..=8 {
        let Simulation { trial, truth } = swapped_at_gaps(seed);
        let clean = simulation(simulate::Options { seed, ..Default::default() }).trial;
        let performance = job::run(trial.clone(), &Options::default()).unwrap();
        let [median, most, _] = errors_mm(&performance, &truth);
        let (repairs, swaps) = (&performance.repairs, &truth.swaps);
        assert!(
            median < 1.3 && most < 3.0,
            "seed {seed}: {median} and {most} mm, {swaps:?}, {repairs:?}"
        );
        let is_exchange =
            |repair: &&Repair| matches!(repair, Repair::LabelsExchanged { is_undone: true, .. });
        let exchanges = performance.repairs.iter().filter(is_exchange).count();
        let edges = |swap: &simulate::Swap| 1 + usize::from(swap.frames.end < clean.frames);
        assert_eq!(
            exchanges,
            truth.swaps.iter().map(edges).sum::<usize>(),
            "seed {seed}: {repairs:?}"
        );
        // The recording that comes out holds what was repaired, not only the joints.
        for (repaired, unspoilt) in performance.trial.markers.iter().zip(&clean.markers) {
            let frames = (0..clean.frames).filter(|f| repaired.origin(*f) == Origin::Measured);
            for frame in frames {
                assert_eq!(
                    repaired.position_m(frame),
                    unspoilt.position_m(frame),
                    "{}",
                    repaired.label
                );
            }
        }
        let bridged =
            performance.repairs.iter().position(|r| matches!(r, Repair::GapsBridged { .. }));
        assert!(bridged.unwrap() >= exchanges, "gaps are bridged after labels are exchanged back");
    }
}

#[test]
fn a_subject_that_went_through_its_file_gives_the_same_motion_bit_for_bit() {
    let Simulation { trial, .. } = simulation(simulate::Options {
        occlusion: 0.02,
        swaps: 2,
        routine: Routine::Walk,
        ..Default::default()
    });
    let once = job::run(trial.clone(), &Options::default()).unwrap();
    let fitted = job::fit(vec![trial.clone().into()], &Options::default()).unwrap();
    assert_eq!(fitted.subjects[0], once.performers[0].subject);
    let text = fitted.subjects[0].to_json().unwrap();
    let mut options = Options::default();
    options.subject = Some(Subject::from_json(&text).unwrap());
    let again = job::run(trial, &options).unwrap();
    assert_eq!(again.performers[0].motion, once.performers[0].motion);
    assert_eq!(again.performers[0].angles, once.performers[0].angles);
    assert_eq!(again.trial, once.trial);
}

#[test]
fn a_subject_of_somebody_else_is_refused_unless_it_is_accepted() {
    let child = simulate::Options { seed: 3, ..Default::default() };
    let Simulation { trial, .. } = simulation(child);
    let mut subject =
        job::fit(vec![trial.clone().into()], &Options::default()).unwrap().subjects.remove(0);
    for marker in subject.segments.iter_mut().flat_map(|segment| &mut segment.markers) {
        marker.position_in_segment_m.coords *= 1.4;
    }
    let mut options = Options::default();
    options.subject = Some(subject);
    let error = job::run(trial.clone(), &options).unwrap_err().to_string();
    assert!(error.contains("need the performer that was recorded"), "{error}");
    options.accept_any_subject = true;
    assert!(job::run(trial, &options).is_ok());
}

#[test]
fn the_key_of_a_run_tells_every_option_apart() {
    let keys: Vec<String> = [
        (|_: &mut Options| {}) as fn(&mut Options),
        |options| options.root = Some("head".into()),
        |options| options.soft_tissue = job::SoftTissue::Metres(0.03),
        |options| options.soft_tissue = job::SoftTissue::None,
        |options| options.segments_by = job::SegmentsBy::Motion,
        |options| options.max_gap_s = 0.0,
        |options| options.smoothing = condyle::angles::Smoothing::At(6.0),
        |options| options.plan = Some("[plan]".into()),
        |options| options.performer = Some("JOE".into()),
        |options| options.zero_frame = Some(3),
        |options| options.accept_any_subject = true,
    ]
    .into_iter()
    .map(|change| {
        let mut options = Options::default();
        change(&mut options);
        options.key().unwrap()
    })
    .collect();
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[..index].contains(key), "{key}");
    }
}

#[test]
fn sensors_have_a_plan_like_markers() {
    let sensors =
        simulate::Options { sensors: true, orientation_noise_rad: 3e-3, ..Default::default() };
    let Simulation { trial, .. } = simulation(sensors);
    let found = job::plan(&trial, &Options::default()).unwrap();
    let performer = &found.plan.performers[0];
    assert!(performer.segments.len() > 10, "{:?}", performer.segments);
    assert_eq!(performer.segments.iter().filter(|segment| segment.parent.is_none()).count(), 1);
}
