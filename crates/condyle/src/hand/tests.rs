use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::chain::Chain;
use super::*;
use crate::simulate::{self, Routine, simulate};

/// Limits hold to this; the issue asks for 1e-6.
const WITHIN_RAD: f64 = 1e-9;

fn exact(side: Side) -> Model {
    let mut model = Model::standard(side, 0.19).unwrap();
    let joints = model.fingers.iter_mut().flat_map(|finger| &mut finger.joints);
    joints.for_each(|joint| joint.coupling_sd = 0.0);
    model
}

fn tracker(model: &Model, labels: &[&str], rate_hz: f64, options: Options) -> Tracker {
    let assignment = Assignment::by_model(model, labels).unwrap();
    Tracker::new(model, assignment, rate_hz, options).unwrap()
}

fn frame_of(trial: &crate::trial::Trial, frame: usize) -> Vec<Option<Point3<f64>>> {
    let mut seen_m = vec![None; trial.markers.len()];
    trial.positions_m(frame, &mut seen_m);
    seen_m
}

#[test]
fn has_25_joints_25_listed_and_21_moving_freedoms() {
    let model = exact(Side::Right);
    assert_eq!(model.joint_names().len(), 25);
    assert_eq!(model.listed_freedoms(), 25);
    assert_eq!(model.moving_freedoms(), 21);
    assert!(model.document_names().contains(&"F5,4".to_owned()));
}

#[test]
fn a_model_that_is_written_reads_the_same() {
    let model = Model::standard(Side::Left, 0.19).unwrap();
    let again = Model::from_toml(&model.to_toml()).unwrap();
    assert_eq!(again.joint_names(), model.joint_names());
    let chains = model.fingers.iter().zip(&again.fingers);
    for (one, other) in chains {
        let angles = FingerAngles { abduction_rad: 0.1, flexion_rad: [0.3, 0.4, 0.2, 0.0] };
        let at = [one, other].map(|finger| Chain::of(finger).marker_m(&angles));
        assert!((at[0] - at[1]).norm() < 1e-6, "{}", one.name);
    }
}

#[test]
fn a_coupled_finger_comes_back_from_its_tip() {
    let model = exact(Side::Right);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for finger in &model.fingers {
        let chain = Chain::of(finger);
        for _ in 0..500 {
            let share = |random: &mut ChaCha8Rng, [least, most]: [f64; 2]| {
                least + (most - least) * random.random::<f64>()
            };
            let drive_rad = share(&mut random, chain.drive_rad);
            let mut flexion_rad = chain.flexions(drive_rad);
            flexion_rad[0] = share(&mut random, chain.flexion_rad[0]);
            let abduction_rad = share(&mut random, chain.abduction_rad);
            let angles = FingerAngles { abduction_rad, flexion_rad };
            let tip_m = chain.marker_m(&angles);
            let from_axis_m = chain.in_rest_m(&tip_m).xy().norm();
            let found = chain.solve(&tip_m, 0.0);
            assert!((chain.marker_m(&found.angles) - tip_m).norm() < 1e-6, "{angles:?} {found:?}");
            // On the axis of abduction the tip does not show it; at the farthest reach it does not show the bend.
            let reach_m = |drive_rad: f64| {
                let mut bent_rad = chain.flexions(drive_rad);
                bent_rad[0] = 0.0;
                let [x, z] = chain.marker_in_plane_m(&bent_rad);
                f64::hypot(x, z)
            };
            let is_shown = (reach_m(drive_rad + 1e-3) - reach_m(drive_rad - 1e-3)).abs() > 2e-6;
            if from_axis_m > 1e-3 && is_shown {
                let off = chain.places_m(&found.angles)[2] - chain.places_m(&angles)[2];
                assert!(off.norm() < 1e-6, "{} {angles:?} {found:?}", finger.name);
            }
        }
    }
}

#[test]
fn no_limit_is_exceeded_in_random_frames_of_either_side() {
    for side in [Side::Right, Side::Left] {
        let model = Model::standard(side, 0.19).unwrap();
        let labels: Vec<&str> = (model.markers.iter().map(|marker| marker.name.as_str()))
            .chain(model.fingers.iter().map(|finger| finger.tip.as_str()))
            .collect();
        let mut tracker = tracker(&model, &labels, 100.0, Options::default());
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let limits: Vec<_> = model.fingers.iter().flat_map(|finger| &finger.joints).collect();
        // Tips anywhere about the hand: 100,000 frames with optimisation, 25 times fewer without.
        let frames = if cfg!(debug_assertions) { 4_000 } else { 100_000 };
        for _ in 0..frames {
            let mut seen_m: Vec<Option<Point3<f64>>> = (model.markers.iter())
                .map(|marker| Some(Point3::from(side.mirrored(marker.at_m.coords))))
                .collect();
            seen_m.extend(model.fingers.iter().map(|_| {
                let mut at = || random.random::<f64>() - 0.5;
                let at_m = Vector3::new(0.1 + 0.3 * at(), 0.3 * at(), 0.3 * at());
                Some(Point3::from(at_m))
            }));
            let pose = tracker.step(&seen_m);
            let joints = pose.joints.iter().filter(|joint| joint.flexion_rad.is_some());
            for (joint, limit) in joints.zip(&limits) {
                let flexion_rad = joint.flexion_rad.unwrap();
                let [least, most] = limit.flexion_rad;
                assert!(
                    flexion_rad >= least - WITHIN_RAD && flexion_rad <= most + WITHIN_RAD,
                    "{} {flexion_rad}",
                    limit.name
                );
                if let (Some(turn), Some([least, most])) =
                    (joint.abduction_rad, limit.abduction_rad)
                {
                    assert!(
                        turn >= least - WITHIN_RAD && turn <= most + WITHIN_RAD,
                        "{}",
                        limit.name
                    );
                }
                assert!(joint.position_m.iter().all(|x| x.is_finite()));
            }
        }
    }
}

#[test]
fn joints_of_the_palm_are_the_rigid_transform_of_the_model() {
    let model = exact(Side::Right);
    let labels = ["r", "p", "q", "index_tip"];
    let mut tracker = tracker(&model, &labels, 100.0, Options::default());
    let world = Isometry3::new(Vector3::new(0.4, -1.0, 2.0), Vector3::new(0.7, -2.0, 0.3));
    let mut seen_m: Vec<_> = model.markers.iter().map(|marker| Some(world * marker.at_m)).collect();
    seen_m.push(Some(world * Point3::new(0.15, 0.03, -0.02)));
    let pose = tracker.step(&seen_m);
    let names = model.joint_names();
    for finger in &model.fingers {
        let at = names.iter().position(|name| *name == finger.joints[0].name).unwrap();
        let off = pose.joints[at].position_m - world * finger.base_in_hand_m;
        assert!(off.norm() < 1e-12, "{} {off}", finger.name);
    }
}

/// Errors of the joints without a marker over a routine, in millimetres and sorted, and the share in their ellipsoids.
fn errors_mm(model: &Model, routine: Routine, rate_hz: f64, method: Method) -> (Vec<f64>, f64) {
    let options = simulate::Options {
        routine,
        seconds: 8.0,
        rate_hz,
        noise_m: 5e-4,
        seed: 5,
        ..simulate::Options::default()
    };
    let simulation = simulate(&performer(model), &options).unwrap();
    let labels = simulation.trial.labels();
    let mut tracker = tracker(model, &labels, rate_hz, Options { method, ..Options::default() });
    let (mut errors_mm, mut inside) = (Vec::new(), 0);
    for frame in 0..simulation.trial.frames {
        let pose = tracker.step(&frame_of(&simulation.trial, frame));
        for (name, joint) in model.joint_names().iter().zip(&pose.joints) {
            let is_free = ["pip", "dip", "ip"].iter().any(|end| name.ends_with(end));
            if is_free || *name == "thumb_mcp" {
                let truth = simulation.truth.joint(name).unwrap();
                let off = joint.position_m - simulation.truth.joint_positions_m[frame][truth];
                let inverse = joint.covariance_m2.try_inverse().unwrap();
                inside += usize::from((off.transpose() * inverse * off)[0] < 7.815);
                errors_mm.push(off.norm() * 1e3);
            }
        }
    }
    errors_mm.sort_by(f64::total_cmp);
    let share = inside as f64 / errors_mm.len() as f64;
    (errors_mm, share)
}

#[test]
fn joints_without_markers_are_within_millimetres_at_any_rate() {
    for side in [Side::Right, Side::Left] {
        let model = exact(side);
        for routine in Routine::OF_HANDS {
            for rate_hz in [100.0, 3.0] {
                let (errors_mm, _) = errors_mm(&model, routine, rate_hz, Method::Closed);
                let at = |share: f64| errors_mm[(share * (errors_mm.len() - 1) as f64) as usize];
                let (median, most) = (at(0.5), at(0.95));
                assert!(
                    median <= 2.5 && most <= 8.0,
                    "{side} {routine:?} {rate_hz}: {median} {most}"
                );
            }
        }
    }
}

#[test]
fn two_of_three_markers_on_the_back_lost_is_no_pose_and_one_is() {
    let model = exact(Side::Left);
    let options =
        simulate::Options { routine: Routine::Grasp, seconds: 2.0, ..simulate::Options::default() };
    let simulation = simulate(&performer(&model), &options).unwrap();
    let labels = simulation.trial.labels();
    let mut tracker = tracker(&model, &labels, 100.0, Options::default());
    for frame in 0..simulation.trial.frames {
        let mut seen_m = frame_of(&simulation.trial, frame);
        if frame > 100 {
            seen_m[1] = None;
        }
        if frame > 150 {
            seen_m[2] = None;
        }
        let pose = tracker.step(&seen_m);
        assert_eq!(pose.is_placed(), frame <= 150, "{frame}");
        let how = pose.joints[0].how;
        let expected = match frame {
            0..=100 => How::Measured,
            101..=150 => How::Predicted,
            _ => How::Unplaced,
        };
        assert_eq!(how, expected, "{frame}");
    }
}

#[test]
fn a_lost_tip_is_predicted_and_comes_back_without_a_jump() {
    let model = exact(Side::Right);
    let options = simulate::Options {
        routine: Routine::Grasp,
        seconds: 12.0,
        noise_m: 3e-4,
        ..simulate::Options::default()
    };
    let simulation = simulate(&performer(&model), &options).unwrap();
    let labels = simulation.trial.labels();
    let tip = labels.iter().position(|label| *label == "ring_tip").unwrap();
    let ring = model.finger("ring").unwrap();
    let mut tracker = tracker(&model, &labels, 100.0, Options::default());
    let mut last_m: Option<Point3<f64>> = None;
    let (mut worst_m, mut predicted) = (0.0_f64, 0);
    for frame in 0..simulation.trial.frames {
        let mut seen_m = frame_of(&simulation.trial, frame);
        let true_m = seen_m[tip].unwrap();
        if frame > 500 && frame % 200 < 50 {
            seen_m[tip] = None;
        }
        let pose = tracker.step(&seen_m);
        let at_m = pose.fingers[ring].tip_marker_m;
        if pose.fingers[ring].lost_frames > 0 {
            predicted += 1;
            worst_m = worst_m.max((at_m - true_m).norm());
        }
        if let Some(last_m) = last_m {
            assert!((at_m - last_m).norm() < 0.02, "{frame}");
        }
        last_m = Some(at_m);
    }
    assert!(predicted > 100 && worst_m < 0.06, "{predicted} {worst_m}");
}

#[test]
fn lost_tips_are_nearer_than_held_ones_and_in_their_regions() {
    let model = exact(Side::Right);
    let options = simulate::Options {
        routine: Routine::Grasp,
        seconds: 40.0,
        noise_m: 5e-4,
        seed: 61,
        ..simulate::Options::default()
    };
    let simulation = simulate(&performer(&model), &options).unwrap();
    let labels = simulation.trial.labels();
    let mut tracker = tracker(&model, &labels, 100.0, Options::default());
    let columns: Vec<usize> = tracker.assignment().tips.iter().map(|tip| tip.unwrap()).collect();
    let (mut off_m, mut held_m, mut inside, mut count) = (0.0, 0.0, 0.0, 0.0);
    let mut last_in_hand_m = [Point3::origin(); 5];
    for frame in 0..simulation.trial.frames {
        let mut seen_m = frame_of(&simulation.trial, frame);
        let (number, phase) = (frame / 200, frame % 200);
        // Of two neighbours and of one alone by turns.
        let gone = [number % 5, (number * 3 + number % 2) % 5];
        let is_gap = frame > 1000 && phase >= 150;
        let true_m = seen_m.clone();
        if is_gap {
            gone.iter().for_each(|tip| seen_m[columns[*tip]] = None);
        }
        let pose = tracker.step(&seen_m);
        let world_from_hand = pose.world_from_hand.unwrap();
        for (tip, column) in columns.iter().enumerate() {
            let true_m = true_m[*column].unwrap();
            match is_gap && gone.contains(&tip) {
                true => {
                    let state = &pose.fingers[tip];
                    let off = state.tip_marker_m - true_m;
                    let inverse = state.tip_covariance_m2.try_inverse().unwrap();
                    inside += f64::from(u8::from(off.dot(&(inverse * off)) < 7.815));
                    off_m += off.norm();
                    held_m += (world_from_hand * last_in_hand_m[tip] - true_m).norm();
                    count += 1.0;
                }
                false => last_in_hand_m[tip] = world_from_hand.inverse() * true_m,
            }
        }
    }
    assert!(count > 500.0 && off_m < 0.6 * held_m, "{} {}", off_m / count, held_m / count);
    assert!(inside / count > 0.9, "{}", inside / count);
}

#[test]
fn a_frame_tells_the_same_whatever_came_before_and_the_document_does_not() {
    let model = exact(Side::Right);
    let options = simulate::Options {
        routine: Routine::Count,
        seconds: 6.0,
        noise_m: 5e-4,
        seed: 71,
        ..simulate::Options::default()
    };
    let simulation = simulate(&performer(&model), &options).unwrap();
    let labels = simulation.trial.labels();
    let [closed_m, document_m] = [Method::Closed, Method::Document].map(|method| {
        let options = Options { method, ..Options::default() };
        let mut every = tracker(&model, &labels, 100.0, options);
        let mut few = tracker(&model, &labels, 100.0 / 33.0, options);
        let mut apart_m = 0.0_f64;
        for frame in 0..simulation.trial.frames {
            let seen_m = frame_of(&simulation.trial, frame);
            let pose = every.step(&seen_m).clone();
            if frame % 33 == 0 {
                let pairs = pose.joints.iter().zip(&few.step(&seen_m).joints);
                let apart = pairs.map(|(a, b)| (a.position_m - b.position_m).norm());
                apart_m = apart.fold(apart_m, f64::max);
            }
        }
        apart_m
    });
    assert!(closed_m < 1e-12 && document_m > 1e-3, "{closed_m} {document_m}");
}

#[test]
fn a_hand_of_three_fingers_is_a_model_too() {
    let mut model = exact(Side::Right);
    model.fingers.retain(|finger| ["index", "ring", "thumb"].contains(&finger.name.as_str()));
    let model = Model::from_toml(&model.to_toml()).unwrap();
    assert_eq!(model.joint_names().len(), 15);
    let (errors_mm, _) = errors_mm(&model, Routine::Grasp, 100.0, Method::Closed);
    assert!(errors_mm[errors_mm.len() / 2] < 2.5, "{}", errors_mm[errors_mm.len() / 2]);
}

#[test]
fn a_tip_that_comes_late_is_not_drawn_to_the_wrist_when_it_is_lost() {
    let model = exact(Side::Right);
    let mut tracker = tracker(&model, &["r", "p", "q", "index_tip"], 100.0, Options::default());
    let index = model.finger("index").unwrap();
    let mut last_m = None;
    for frame in 0..1300 {
        let mut seen_m: Vec<_> = model.markers.iter().map(|marker| Some(marker.at_m)).collect();
        let is_seen = (1000..1100).contains(&frame);
        seen_m.push(is_seen.then(|| Point3::new(0.15, 0.03, -0.02)));
        let tip_m = tracker.step(&seen_m).fingers[index].tip_marker_m;
        if is_seen {
            last_m = Some(tip_m);
        }
        if let Some(last_m) = last_m {
            assert!((tip_m - last_m).norm() < 2e-3, "{frame} {}", (tip_m - last_m).norm());
        }
    }
}

#[test]
fn a_lone_tip_that_is_lost_is_held_in_the_hand() {
    let model = exact(Side::Right);
    let mut tracker = tracker(&model, &["r", "p", "q", "index_tip"], 100.0, Options::default());
    let index = model.finger("index").unwrap();
    let mut while_seen_m = None;
    for frame in 0..400 {
        let mut seen_m: Vec<_> = model.markers.iter().map(|marker| Some(marker.at_m)).collect();
        seen_m.push((frame < 100).then(|| Point3::new(0.15, 0.03, -0.02)));
        let pose = tracker.step(&seen_m);
        let tip_m = pose.fingers[index].tip_marker_m;
        let off_m = tip_m - *while_seen_m.get_or_insert(tip_m);
        assert!(off_m.norm() < 2e-3, "{frame} {off_m}");
        let names = model.joint_names();
        let tip = names.iter().position(|name| *name == "index_tip").unwrap();
        let how = match frame {
            0..100 => How::Measured,
            100..290 => How::Predicted,
            310.. => How::Held,
            _ => continue,
        };
        assert_eq!(pose.joints[tip].how, how, "{frame}");
    }
}

#[test]
fn a_tip_that_a_broken_sample_has_far_away_is_lost_there_and_teaches_nothing() {
    let model = exact(Side::Right);
    let names = ["r", "p", "q", "index_tip", "ring_tip"];
    let with = |far_m: Option<f64>| {
        let mut tracker = tracker(&model, &names, 20.0, Options::default());
        let step = |frame: usize| {
            let mut seen_m: Vec<_> = model.markers.iter().map(|marker| Some(marker.at_m)).collect();
            let along_m = 0.02 * (0.7 * frame as f64).sin();
            seen_m.push(Some(Point3::new(0.15 + along_m, 0.03, -0.02)));
            seen_m.push((frame < 14).then(|| Point3::new(0.15 + along_m, -0.02, -0.02)));
            if frame == 10 {
                seen_m[3] = far_m.map(|far_m| Point3::new(0.15, 0.03, far_m));
            }
            tracker.step(&seen_m).joints.iter().map(|joint| joint.position_m).collect::<Vec<_>>()
        };
        (0..30).map(step).collect::<Vec<_>>()
    };
    let lost = with(None);
    assert!([1e27, -3.4e35].iter().all(|far_m| with(Some(*far_m)) == lost));
    assert!(lost.iter().flatten().all(|at_m| at_m.iter().all(|x| x.is_finite())));
}

/// Markers of a frame.
type Seen = Vec<Option<Point3<f64>>>;

/// A simulated hand, without names in the order of `columns`.
fn nameless(model: &Model, columns: &[usize]) -> (Vec<Seen>, Vec<String>) {
    let options = simulate::Options {
        routine: Routine::Grasp,
        seconds: 10.0,
        noise_m: 5e-4,
        seed: 31,
        ..simulate::Options::default()
    };
    let simulation = simulate(&performer(model), &options).unwrap();
    let labels = simulation.trial.labels();
    let labels = columns.iter().map(|column| labels[*column].to_owned()).collect();
    let frames = (0..simulation.trial.frames).map(|frame| {
        let seen_m = frame_of(&simulation.trial, frame);
        columns.iter().map(|column| seen_m[*column]).collect()
    });
    (frames.collect(), labels)
}

#[test]
fn eight_markers_without_names_are_told_apart_by_where_they_are() {
    for side in [Side::Right, Side::Left] {
        let model = exact(side);
        for columns in
            [[0, 1, 2, 3, 4, 5, 6, 7], [5, 2, 7, 0, 3, 6, 1, 4], [7, 6, 5, 4, 3, 2, 1, 0]]
        {
            let (frames, labels) = nameless(&model, &columns);
            let found = Found::by_place(&frames).unwrap();
            for (finger, tip) in FINGERS.iter().zip(found.tips) {
                assert_eq!(labels[tip.unwrap()], format!("{finger}_tip"), "{side} {columns:?}");
            }
            let assignment = Assignment::by_shape(&model, &found, &frames).unwrap();
            for (marker, column) in model.markers.iter().zip(&assignment.palm) {
                assert_eq!(labels[column.unwrap()], marker.name, "{side} {columns:?}");
            }
        }
    }
    let (mut frames, _) = nameless(&exact(Side::Right), &[0, 1, 2, 3, 4, 5, 6, 7]);
    frames.iter_mut().for_each(|frame| frame.truncate(7));
    let error = Found::by_place(&frames).unwrap_err();
    assert!(error.to_string().contains("need 8 markers"), "{error}");
}

#[test]
fn exchanged_tips_are_put_back_and_none_is_exchanged_that_was_not() {
    let model = exact(Side::Left);
    let (frames, labels) = nameless(&model, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let assignment = Assignment::by_model(&model, &labels).unwrap();
    let tip = |name: &str| assignment.tips[model.finger(name).unwrap()].unwrap();
    for (a, b) in [("index", "middle"), ("middle", "ring"), ("ring", "little"), ("index", "thumb")]
    {
        let mut watch = ExchangeWatch::new(&model, &assignment, 100.0, 5e-4).unwrap();
        for (frame, seen_m) in frames.iter().enumerate() {
            let mut labelled_m = seen_m.clone();
            if (301..620).contains(&frame) {
                labelled_m.swap(tip(a), tip(b));
            }
            watch.step(&assignment, &mut labelled_m);
            assert_eq!(&labelled_m, seen_m, "{a} {b} {frame}: {:?}", watch.exchanges());
        }
        let at: Vec<usize> = watch.exchanges().iter().map(|exchange| exchange.frame).collect();
        assert_eq!(at, [301, 620], "{a} {b}");
    }
}

#[test]
fn what_is_no_hand_is_refused_in_words() {
    let refuse = |from: &str, to: &str| {
        assert!(Model::STANDARD.contains(from), "{from}");
        Model::from_toml(&Model::STANDARD.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(refuse("length_mm = 46.6", "length_mm = 0").contains("need a bone"));
    assert!(refuse("[-10, 85]", "[85, -10]").contains("flexion_deg"));
    assert!(refuse("base_mm = [84.4, 25, 0]", "base_mm = [nan, 25, 0]").contains("finger index"));
    assert!(refuse("\"index_pip\"", "\"index_mcp\"").contains("named twice"));
    let mut model = exact(Side::Right);
    model.markers[1].at_m = Point3::new(0.05, 0.0, 0.01);
    model.markers[2].at_m = Point3::new(0.08, 0.0, 0.01);
    let assignment = Assignment::by_model(&model, &["r", "p", "q", "index_tip"]).unwrap();
    let error = Tracker::new(&model, assignment.clone(), 100.0, Options::default()).unwrap_err();
    assert!(error.to_string().contains("not on a line"), "{error}");
    let error = Tracker::new(&exact(Side::Right), assignment, 0.0, Options::default()).unwrap_err();
    assert!(error.to_string().contains("rate"), "{error}");
}

#[test]
fn names_of_the_usual_sets_are_known() {
    let of_glove =
        ["RHAND1", "RHAND2", "RHAND3", "RTHM3", "RIDX3", "RMID3", "RRNG3", "RPNK3", "RIDX1"];
    let found = Found::by_names(&of_glove, None).unwrap();
    assert_eq!((found.side, found.palm.len()), (Some(Side::Right), 3));
    assert_eq!(found.tips, [Some(4), Some(5), Some(6), Some(7), Some(3)]);
    assert_eq!(found.on_fingers[0], [8]);
    let of_words = [
        "hand_top",
        "hand_left",
        "hand_right",
        "thumb_tip",
        "L_Index_Tip",
        "middle_middle",
        "middle_tip",
        "back_top",
    ];
    let found = Found::by_names(&of_words, None).unwrap();
    assert_eq!(found.palm, [0, 1, 2]);
    assert_eq!((found.tips[4], found.tips[0], found.tips[1]), (Some(3), Some(4), Some(6)));
    assert_eq!(found.on_fingers[1], [5]);
    assert!(Found::by_names(&["LASI", "RASI"], None).is_err());
}
