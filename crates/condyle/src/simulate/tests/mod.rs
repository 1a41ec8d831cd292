//! What any simulation must obey.

mod disturbances;
mod motion;

use super::*;

/// A short simulation, at a rate that tests can afford.
fn short(routine: Routine) -> Options {
    Options { routine, seconds: 6.0, rate_hz: 50.0, ..Options::default() }
}

fn human(options: &Options) -> Simulation {
    simulate(&Performer::human(), options).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_recording_and_another_one_another() {
    let noisy = Options { noise_m: 1e-3, occlusion: 0.1, swaps: 2, ..short(Routine::Rom) };
    assert_eq!(human(&noisy), human(&noisy));
    let other = Options { seed: 2, ..noisy.clone() };
    assert_ne!(human(&noisy).truth.angles_rad, human(&other).truth.angles_rad);
}

#[test]
fn a_marker_is_where_its_segment_carries_it() {
    let Simulation { trial, truth, .. } = human(&short(Routine::Walk));
    for (marker, at) in trial.markers.iter().zip(&truth.markers) {
        for (frame, poses) in truth.world_from_segment.iter().enumerate() {
            let expected_m = poses[at.segment] * at.in_segment_m;
            assert_eq!(marker.position_m(frame), Some(expected_m), "{}", marker.label);
        }
    }
}

#[test]
fn a_joint_is_one_point_of_both_its_segments() {
    for performer in Performer::BUILT_IN.map(|name| Performer::built_in(name).unwrap()) {
        let truth = simulate(&performer, &short(Routine::Rom)).unwrap().truth;
        for (frame, poses) in truth.world_from_segment.iter().enumerate() {
            for (joint, place_m) in truth.joints.iter().zip(&truth.joint_positions_m[frame]) {
                let from_parent = poses[joint.parent] * joint.centre_in_parent_m;
                let from_child = poses[joint.child] * joint.centre_in_child_m;
                assert!((from_parent - place_m).norm() < 1e-12, "{}", joint.name);
                assert!((from_child - place_m).norm() < 1e-12, "{}", joint.name);
            }
        }
    }
}

#[test]
fn bones_keep_their_lengths() {
    let truth = human(&short(Routine::ChickenWalk)).truth;
    let positions_m = &truth.joint_positions_m;
    for (a, first) in truth.joints.iter().enumerate() {
        for (b, second) in truth.joints.iter().enumerate().take(a) {
            let shares = |segment| first.parent == segment || first.child == segment;
            if !(shares(second.parent) || shares(second.child)) {
                continue;
            }
            let length_m = |frame: usize| (positions_m[frame][a] - positions_m[frame][b]).norm();
            let worst_m = (0..positions_m.len())
                .map(|frame| (length_m(frame) - length_m(0)).abs())
                .fold(0.0, f64::max);
            assert!(worst_m < 1e-12, "{} to {}: {worst_m}", first.name, second.name);
        }
    }
}

#[test]
fn the_plan_is_sound_and_covers_every_marker() {
    for set in ["clusters", "cmu41", "plug-in-gait"] {
        let options = Options {
            performers: 2,
            marker_set: Some(set.into()),
            seconds: 0.1,
            ..short(Routine::Rom)
        };
        let Simulation { trial, truth, .. } = human(&options);
        let mut seen = 0;
        for performer in &truth.plan.performers {
            performer.check().unwrap();
            assert_eq!((performer.segments.len(), performer.roots().count()), (15, 1));
            for segment in &performer.segments {
                assert!(set != "clusters" || segment.markers.len() >= 3, "{}", segment.name);
                assert!(!segment.markers.is_empty(), "{}", segment.name);
                for marker in &segment.markers {
                    let at = &truth.segments[truth.markers[*marker].segment];
                    assert_eq!(at.name, format!("{}:{}", performer.name, segment.name));
                    assert_eq!(trial.markers[*marker].subject(), Some(performer.name.as_str()));
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, trial.markers.len());
        let expected = match set {
            "cmu41" => 41,
            "plug-in-gait" => 39,
            _ => 48,
        };
        assert_eq!(seen, 2 * expected, "{set}");
    }
}

#[test]
fn performers_are_apart_and_of_different_size() {
    let Simulation { trial, truth, .. } = human(&Options { performers: 2, ..short(Routine::Walk) });
    assert_eq!(trial.subjects, ["P1", "P2"]);
    let (one, two) = (truth.joint("P1:left knee").unwrap(), truth.joint("P2:left knee").unwrap());
    let thigh_m = |joint: usize| truth.joints[joint].centre_in_parent_m.coords.norm();
    assert!((thigh_m(two) / thigh_m(one) - 0.95).abs() < 1e-12);
    for positions_m in &truth.joint_positions_m {
        assert!((positions_m[one] - positions_m[two]).norm() > 1.0);
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let refused =
        |options: Options| simulate(&Performer::human(), &options).unwrap_err().to_string();
    let plain = Options::default();
    for (options, expected) in [
        (Options { seconds: 0.0, ..plain.clone() }, "seconds: need a positive number, got 0"),
        (Options { rate_hz: f64::NAN, ..plain.clone() }, "rate: need a positive number, got NaN"),
        (Options { rate_hz: 1e9, ..plain.clone() }, "samples: need at most 1e8, got"),
        (Options { noise_m: -1.0, ..plain.clone() }, "noise: need a number from 0 up, got -1"),
        (Options { occlusion: 1.0, ..plain.clone() }, "occlusion: need a share from 0 to 0.95"),
        (Options { performers: 0, ..plain.clone() }, "performers: need one or more, got 0"),
        (
            Options { marker_set: Some("x".into()), ..plain.clone() },
            "marker set: need one of [\"clusters\", \"cmu41\", \"plug-in-gait\"], got \"x\"",
        ),
        (
            Options { swaps: 10_000, seconds: 1.0, ..plain.clone() },
            "swaps: need markers and time for 10000, got room for",
        ),
    ] {
        let error = refused(options);
        assert!(error.contains(expected), "{error}");
    }
    let arm = simulate(&Performer::arm(), &short(Routine::Walk)).unwrap_err().to_string();
    assert!(arm.contains("routine walk: need a performer with legs and a [walk], got 'arm'"));
}

#[test]
fn a_single_frame_will_do() {
    for routine in Routine::OF_BODIES {
        let options = Options { seconds: 1e-9, skin_m: 1e-3, ..short(routine) };
        assert_eq!(human(&options).trial.frames, 1);
    }
}
