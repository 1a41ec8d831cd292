use super::*;
use crate::motion::Motion;
use crate::skeleton::{Joint, JointChannel, Skeleton};
use crate::trial::{Body, Channel, Format, Marker, Origin, pose_from_wxyz};
use nalgebra::{Point3, UnitQuaternion, Vector3};
use proptest::prelude::*;

fn trial_of(positions: Vec<Option<[f64; 3]>>, rate_hz: f64) -> Trial {
    let mut trial = Trial::new(Format::Trc, rate_hz);
    trial.frames = positions.len();
    let points = positions.into_iter().map(|p| p.map(Point3::from));
    trial.markers = vec![Marker::from_positions("A", points)];
    trial
}

#[test]
fn a_gap_stays_a_gap_and_nothing_is_made_up_at_its_edges() {
    let p = Some([1.0, 2.0, 3.0]);
    let doubled = resample(trial_of(vec![p, p, None, p, p], 100.0), 200.0).unwrap();
    let marker = &doubled.markers[0];
    assert_eq!(doubled.frames, 9);
    assert_eq!((marker.gaps().len(), &marker.gaps()[0]), (1, &(3..6)));
    assert_eq!(marker.origin(1), Origin::Filled);
    assert_eq!(marker.origin(2), Origin::Measured);
    assert_eq!(doubled.notes[0].code, "resampled");
}

#[test]
fn a_sine_is_followed_closely() {
    let sine = |time_s: f64| (time_s * std::f64::consts::TAU).sin();
    let old = (0..101).map(|frame| Some([sine(f64::from(frame) / 100.0), 0.0, 0.0])).collect();
    let new = resample(trial_of(old, 100.0), 333.0).unwrap();
    for frame in 0..new.frames {
        let error_m = new.markers[0].position_m(frame).unwrap().x - sine(frame as f64 / 333.0);
        assert!(error_m.abs() < 5e-5, "frame {frame}: {error_m}");
    }
}

#[test]
fn a_body_turns_along_the_great_arc() {
    let mut trial = Trial::new(Format::Csv, 10.0);
    let mut body = Body::new("B");
    for angle_rad in [0.0, 0.4, 0.8] {
        let q = UnitQuaternion::from_scaled_axis(Vector3::z() * angle_rad);
        body.push(pose_from_wxyz([angle_rad, 0.0, 0.0], [q.w, q.i, q.j, q.k]));
    }
    trial.frames = 3;
    trial.bodies = vec![body];
    let new = resample(trial, 40.0).unwrap();
    let pose = new.bodies[0].world_from_body(3).unwrap();
    assert!((pose.rotation.angle() - 0.3).abs() < 1e-12);
    assert!((pose.translation.x - 0.3).abs() < 1e-12);
}

#[test]
fn channels_at_the_frame_rate_follow_and_others_stay() {
    let mut trial = trial_of(vec![Some([0.0; 3]); 3], 100.0);
    trial.channels = vec![
        Channel::from_values("angle", "rad", 100.0, vec![0.0, 1.0, 2.0]),
        Channel::from_values("Fz", "N", 1000.0, vec![0.0; 30]),
    ];
    let new = resample(trial, 200.0).unwrap();
    assert_eq!(new.channels[0].raw, [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(new.channels[1].rate_hz, 1000.0);
}

#[test]
fn channels_with_several_samples_a_frame_go_to_the_next_whole_multiple() {
    let mut trial = trial_of(vec![Some([0.0; 3]); 100], 100.0);
    let ramp = |samples: i32| (0..samples).map(f64::from).collect();
    trial.channels = vec![
        Channel::from_values("Fz", "N", 1000.0, ramp(1000)),
        Channel::from_values("EMG", "V", 1111.0, ramp(1111)),
    ];
    let new = resample(trial, 60.0).unwrap();
    let [plate, emg] = &new.channels[..] else { unreachable!() };
    assert_eq!((new.frames, plate.rate_hz), (60, 17.0 * 60.0));
    for (sample, value) in plate.raw.iter().enumerate() {
        assert!((value - sample as f64 * 1000.0 / 1020.0).abs() < 1e-9);
    }
    assert!(plate.raw.len() > 59 * 17, "{} samples", plate.raw.len());
    assert_eq!(new.notes[2].code, "channels-resampled");
    assert_eq!((emg.rate_hz, emg.raw.len()), (1111.0, 1111));
}

#[test]
fn a_joint_turns_the_short_way_past_half_a_turn() {
    let mut joint = Joint::new("a", None, Vector3::zeros());
    joint.channels = vec![JointChannel::Rotation(2), JointChannel::Translation(0)];
    let skeleton = Skeleton::new(vec![joint]).unwrap();
    let mut trial = Trial::new(Format::Bvh, 100.0);
    trial.frames = 2;
    trial.motion = Some(Motion::new(skeleton, 2, vec![3.1, 0.0, -3.1, 4.0]).unwrap());
    let motion = resample(trial, 200.0).unwrap().motion.unwrap();
    assert!((motion.values()[2].abs() - std::f64::consts::PI).abs() < 1e-12);
    assert_eq!(motion.values()[3], 2.0);
    assert_eq!(motion.values()[4], -3.1);
}

#[test]
fn refuses_nonsense_rates_and_says_which() {
    for rate_hz in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let error = resample(trial_of(vec![Some([0.0; 3])], 100.0), rate_hz).unwrap_err();
        assert!(error.to_string().starts_with("rate: need"), "{error}");
    }
    assert!(resample(trial_of(vec![None], 0.0), 10.0).is_err());
}

#[test]
fn falling_rates_carry_a_warning() {
    let new = resample(trial_of(vec![Some([0.0; 3]); 5], 100.0), 50.0).unwrap();
    assert_eq!(new.frames, 3);
    assert!(new.notes[1].text.contains("faster than 25 Hz"), "{}", new.notes[1]);
}

fn positions() -> impl Strategy<Value = Vec<Option<[f64; 3]>>> {
    prop::collection::vec(prop::option::of(prop::array::uniform3(-2.0..2.0f64)), 1..30)
}

#[test]
fn a_rate_that_would_fill_the_memory_is_refused() {
    let position = Some([1.0, 2.0, 3.0]);
    let mut trial = trial_of(vec![position; 1000], 100.0);
    trial.markers = vec![trial.markers[0].clone(); 201];
    let error = resample(trial.clone(), 100_000.0).unwrap_err().to_string();
    assert!(error.contains("at most 200000000 samples"), "{error}");
    // A channel counts as a trajectory does.
    trial.markers.truncate(1);
    trial.channels = vec![Channel::from_values("A", "V", 100.0, vec![0.0; 1000]); 201];
    assert!(resample(trial, 100_000.0).is_err());
}

proptest! {
    #[test]
    fn the_same_rate_is_the_identity(positions in positions(), rate_hz in 1.0..1000.0f64) {
        let trial = trial_of(positions, rate_hz);
        prop_assert_eq!(resample(trial.clone(), rate_hz).unwrap(), trial);
    }

    #[test]
    fn coinciding_samples_stay_untouched(positions in positions(), times in 2usize..6) {
        let mut trial = trial_of(positions, 119.88);
        trial.markers[0].set_quality(0, 15, 3);
        let new = resample(trial.clone(), 119.88 * times as f64).unwrap();
        prop_assert_eq!(new.frames, (trial.frames - 1) * times + 1);
        let (old, new) = (&trial.markers[0], &new.markers[0]);
        for frame in 0..old.frames() {
            prop_assert_eq!(new.position_m(frame * times), old.position_m(frame));
            prop_assert_eq!(new.origin(frame * times), old.origin(frame));
            prop_assert_eq!(new.residual_m(frame * times).unwrap_or(0.0), old.residual_m(frame).unwrap_or(0.0));
        }
    }

    #[test]
    fn up_and_down_again_returns_every_sample(positions in positions(), times in 2usize..6) {
        let trial = trial_of(positions, 60.0);
        let there = resample(trial.clone(), 60.0 * times as f64).unwrap();
        let back = resample(there, 60.0).unwrap();
        prop_assert_eq!(back.markers, trial.markers);
    }

    #[test]
    fn never_panics_on_any_pair_of_rates(old in 1e-3..1e6f64, new in 1e-3..1e6f64, frames in 0usize..5) {
        let trial = trial_of(vec![Some([1.0; 3]); frames], old);
        if let Ok(new) = resample(trial, new) {
            prop_assert_eq!(new.markers[0].frames(), new.frames);
        }
    }
}
