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

/// Markers of the simulated performers sit on bones, if nothing else is said.
fn rigid() -> Options {
    let mut options = Options::default();
    options.soft_tissue = job::SoftTissue::None;
    options
}

/// The distances of all joints from the truth in all frames: median, 95th percentile, largest, in millimetres.
fn errors_mm(performance: &job::Performance, truth: &simulate::Truth) -> [f64; 3] {
    let performer = &performance.performers[0];
    let mut errors_mm = Vec::new();
    for (index, joint) in performer.subject.joints().iter().enumerate() {
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
    let Simulation { trial, truth, .. } = &mut simulation;
    for swap in &truth.swaps {
        for edge in [swap.frames.start, swap.frames.end] {
            for frame in edge.saturating_sub(1)..(edge + 2).min(trial.frames) {
                for marker in &swap.markers {
                    trial.markers[*marker].set(frame, None, Origin::Missing);
                }
            }
        }
    }
    simulation
}

#[test]
fn joints_of_a_range_of_motion_are_within_two_millimetres() {
    for seed in 1..=3 {
        let Simulation { trial, truth, .. } =
            simulation(simulate::Options { seed, occlusion: 0.02, ..Default::default() });
        let performance = job::run(trial, &rigid()).unwrap();
        let [median, most, largest] = errors_mm(&performance, &truth);
        assert!(
            median < 1.3 && most < 3.0 && largest < 10.0,
            "seed {seed}: {median}, {most} and {largest} mm"
        );
    }
}

#[test]
fn labels_that_change_places_at_short_gaps_are_exchanged_back_before_gaps_are_bridged() {
    let (mut swaps, mut restored) = (0, 0);
    for seed in 1..=4 {
        let Simulation { trial, truth, .. } = swapped_at_gaps(seed);
        let clean = simulation(simulate::Options { seed, ..Default::default() }).trial;
        let performance = job::run(trial.clone(), &rigid()).unwrap();
        let repairs = &performance.repairs;
        let [median, most, largest] = errors_mm(&performance, &truth);
        assert!(
            median < 1.3 && most < 3.0 && largest < 10.0,
            "seed {seed}: {median}, {most} and {largest} mm, {repairs:?}"
        );
        // The recording that comes out holds what was repaired, not only the joints.
        let is_right = |marker: usize, frame: usize| {
            let [repaired, unspoilt] = [&performance.trial, &clean].map(|t| &t.markers[marker]);
            repaired.origin(frame) != Origin::Measured
                || repaired.position_m(frame) == unspoilt.position_m(frame)
        };
        for marker in 0..clean.markers.len() {
            let is_swapped = |frame: &usize| {
                truth.swaps.iter().any(|s| s.markers.contains(&marker) && s.frames.contains(frame))
            };
            let wrong =
                (0..clean.frames).filter(|f| !is_swapped(f) && !is_right(marker, *f)).count();
            assert_eq!(wrong, 0, "seed {seed}: {} was right", clean.markers[marker].label);
        }
        let is_restored = |swap: &&simulate::Swap| {
            swap.markers.iter().all(|marker| swap.frames.clone().all(|f| is_right(*marker, f)))
        };
        swaps += truth.swaps.len();
        restored += truth.swaps.iter().filter(is_restored).count();
        let bridged = repairs.iter().position(|r| matches!(r, Repair::GapsFilled { .. })).unwrap();
        let exchanged = repairs.iter().rposition(|r| matches!(r, Repair::LabelsExchanged { .. }));
        assert!(exchanged.unwrap() < bridged, "gaps are bridged after labels are exchanged back");
    }
    assert!(10 * restored >= 9 * swaps, "{restored} of {swaps} swaps were put right");
}

#[test]
fn a_subject_that_went_through_its_file_gives_the_same_motion_bit_for_bit() {
    let Simulation { trial, .. } = simulation(simulate::Options {
        occlusion: 0.02,
        swaps: 2,
        routine: Routine::Walk,
        ..Default::default()
    });
    let once = job::run(trial.clone(), &rigid()).unwrap();
    let fitted = job::fit(vec![trial.clone().into()], &rigid()).unwrap();
    assert_eq!(fitted.subjects[0], once.performers[0].subject);
    let text = fitted.subjects[0].to_json().unwrap();
    let mut options = rigid();
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
    let subject = job::fit(vec![trial.clone().into()], &rigid()).unwrap().subjects.remove(0);
    let mut segments = subject.segments().to_vec();
    for marker in segments.iter_mut().flat_map(|segment| &mut segment.markers) {
        marker.position_in_segment_m.coords *= 1.4;
    }
    let mut options = rigid();
    options.subject = Some(Subject::new("", segments, subject.joints().to_vec()).unwrap());
    let error = job::run(trial.clone(), &options).unwrap_err().to_string();
    assert!(error.contains("need the performer that was recorded"), "{error}");
    options.accept_any_subject = true;
    assert!(job::run(trial, &options).is_ok());
}

#[test]
fn sensors_have_a_plan_like_markers() {
    let sensors =
        simulate::Options { sensors: true, orientation_noise_rad: 3e-3, ..Default::default() };
    let Simulation { trial, .. } = simulation(sensors);
    let found = job::plan(&trial, &rigid()).unwrap();
    let performer = &found.plan.performers[0];
    assert!(performer.segments.len() > 10, "{:?}", performer.segments);
    assert_eq!(performer.segments.iter().filter(|segment| segment.parent.is_none()).count(), 1);
}

#[test]
fn a_walk_with_two_markers_a_segment_on_skin_gives_a_person() {
    let walk = simulate::Options {
        routine: Routine::Walk,
        marker_set: Some("cmu41".into()),
        skin_m: 0.01,
        ..Default::default()
    };
    let Simulation { trial, truth, .. } = simulation(walk);
    let by_knowledge = job::run(trial.clone(), &Options::default()).unwrap();
    let report = by_knowledge.performers[0].knowledge.as_ref().unwrap();
    assert!(report.checks.iter().all(condyle::whole_body::Check::is_passed), "{:?}", report.checks);
    let limbs = ["hip", "knee", "ankle", "shoulder", "elbow"];
    let mean_mm = |performance: &job::Performance| {
        let performer = &performance.performers[0];
        let mut errors_mm = Vec::new();
        for (index, joint) in performer.subject.joints().iter().enumerate() {
            let is_limb = limbs.iter().any(|limb| joint.name.ends_with(limb));
            let Some(true_index) = truth.joint(&joint.name).filter(|_| is_limb) else { continue };
            for (frame, places_m) in truth.joint_positions_m.iter().enumerate().step_by(10) {
                let Some(found_m) = performer.motion.joint_m(frame, index) else { continue };
                errors_mm.push((found_m - places_m[true_index]).norm() * 1e3);
            }
        }
        condyle::statistics::mean(errors_mm).unwrap()
    };
    let with_mm = mean_mm(&by_knowledge);
    let mut alone = Options::default();
    alone.knowledge = job::KnowledgeChoice::None;
    let without_mm = mean_mm(&job::run(trial, &alone).unwrap());
    assert!(with_mm < 20.0 && with_mm < 0.5 * without_mm, "{with_mm} and {without_mm} mm");
}

/// A walking person with the markers of CMU's set, and what its joints are at with these labels exchanged throughout.
fn with_exchanged(pairs: &[[&str; 2]]) -> (job::Performance, job::Performance) {
    let options = simulate::Options {
        routine: Routine::Walk,
        marker_set: Some("cmu41".into()),
        noise_m: 1e-3,
        skin_m: 0.005,
        ..Default::default()
    };
    let Simulation { trial, .. } = simulate(&Performer::human(), &options).unwrap();
    let mut exchanged = trial.clone();
    for [a, b] in pairs {
        let find =
            |label: &str| trial.markers.iter().position(|m| m.label.ends_with(label)).unwrap();
        let [a, b] = [find(a), find(b)];
        let labels = [exchanged.markers[b].label.clone(), exchanged.markers[a].label.clone()];
        [exchanged.markers[a].label, exchanged.markers[b].label] = labels;
    }
    [trial, exchanged].map(|trial| job::run(trial, &Options::default()).unwrap()).into()
}

/// All of the left leg called right.
const LEGS: [[&str; 2]; 7] = [
    ["LTHI", "RTHI"],
    ["LKNE", "RKNE"],
    ["LSHN", "RSHN"],
    ["LANK", "RANK"],
    ["LHEE", "RHEE"],
    ["LTOE", "RTOE"],
    ["LMT5", "RMT5"],
];

#[test]
fn labels_exchanged_throughout_are_put_back_and_said() {
    for pairs in [
        &[["LFWT", "RFWT"]][..],
        &[["LKNE", "RKNE"]],
        &[["LFWT", "LBWT"], ["RFWT", "RBWT"]],
        &[["LFWT", "RFWT"], ["LANK", "RANK"]],
        &[["LTHI", "RSHN"]],
        &[["LANK", "LHEE"]],
        &[["LELB", "LUPA"]],
        &[["LSHO", "CLAV"]],
        &[["LTHI", "LKNE"], ["RSHN", "RANK"]],
        &LEGS,
    ] {
        let (right, mended) = with_exchanged(pairs);
        let said = mended.repairs.iter().filter_map(|repair| match repair {
            Repair::LabelsExchangedThroughout { pairs } => Some(pairs.len()),
            _ => None,
        });
        assert_eq!(said.sum::<usize>(), pairs.len(), "{pairs:?}: {:?}", mended.repairs);
        let [a, b] = [&right, &mended].map(|performance| &performance.performers[0].motion);
        for (joint, (one, other)) in a.joints().iter().zip(b.joints()).enumerate() {
            let apart_m =
                one.iter_m().zip(other.iter_m()).filter_map(|(a, b)| Some((a? - b?).norm()));
            let most_m = apart_m.fold(0.0, f64::max);
            assert!(most_m < 0.002, "{pairs:?}: joint {joint} is {most_m} m off");
        }
        assert!(
            right.repairs.iter().all(|r| !matches!(r, Repair::LabelsExchangedThroughout { .. }))
        );
    }
}
