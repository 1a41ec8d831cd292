//! A solved subject written for others: what comes back is what was solved.

use crate::fitted;
use condyle::Trial;
use condyle::export;
use condyle::format::{self, ReadOptions};
use condyle::rig::{self, RestPose, Rig};
use condyle::simulate::Performer;
use condyle::solve::{self, SolvedMotion};
use condyle::subject::Subject;
use condyle::trial::edit::Turn;
use condyle::trial::{Axis, Format, Group, LengthUnit, Marker, Parameter};
use nalgebra::Point3;

fn simulated(performer: &Performer) -> (Trial, Subject, SolvedMotion) {
    let (simulation, subject, solved) = fitted::simulated(performer, 4.0, 1e-3);
    (simulation.trial, subject, solved)
}

/// The farthest that a joint of the rig is from where it was solved.
fn farthest_m(subject: &Subject, solved: &SolvedMotion, trial: &Trial) -> f64 {
    let motion = trial.motion.as_ref().unwrap();
    let turn = Turn::between(Axis::Z, Axis::Y);
    let mut farthest_m = 0f64;
    for frame in 0..solved.frames() {
        let ours = motion.joint_positions_m(frame).unwrap();
        for (index, joint) in subject.joints().iter().enumerate() {
            let there = turn.point(solved.joint_m(frame, index).unwrap());
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
    let foot = subject.segments().iter().position(|s| s.name == "left foot").unwrap();
    let on_foot: Vec<&str> =
        subject.segments()[foot].markers.iter().map(|m| m.label.as_str()).collect();
    for marker in trial.markers.iter_mut().filter(|m| on_foot.contains(&m.label.as_str())) {
        for frame in (0..10).chain(50..60) {
            marker.set(frame, None, condyle::trial::Origin::Missing);
        }
    }
    let solved = solve::solve_trial(&subject, &trial).unwrap();
    let rig = Rig::new(&subject, &trial, &solved).unwrap();
    assert_eq!(rig.held_frames[foot], 20);
    assert!(
        rig.notes.iter().any(|note| note.code == "segments-not-placed" && note.text.contains("left foot in 20"))
    );
    let of = rig.motion.skeleton().channels_of(foot);
    let values = |frame: usize| rig.motion.frame_values(frame).unwrap()[of.clone()].to_vec();
    assert_eq!(values(0), values(9));
    assert_eq!(values(49), values(59));
    assert_ne!(values(59), values(60));
}

#[test]
fn an_enriched_c3d_keeps_everything_and_adds_the_joints() {
    let (trial, subject, solved) = simulated(&Performer::human());
    let enriched = rig::with_joint_centres(&trial, &subject, &solved);
    let mut bytes = Vec::new();
    format::write(&enriched, Format::C3d, &mut bytes).unwrap();
    let again = format::read_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(again.markers.len(), trial.markers.len() + subject.joints().len());
    let mut plain = Vec::new();
    format::write(&trial, Format::C3d, &mut plain).unwrap();
    let before = format::read_bytes(&plain, &ReadOptions::default()).unwrap();
    assert_eq!(again.markers[..before.markers.len()], before.markers[..]);
    assert_eq!((again.channels, again.events), (before.channels, before.events));
    let knee = subject.joints().iter().position(|joint| joint.name == "left knee").unwrap();
    let marker = again.markers.iter().find(|marker| marker.label == "LKJC").unwrap();
    let error = marker.position_m(33).unwrap() - solved.joint_m(33, knee).unwrap();
    assert!(error.norm() < 1e-6 && marker.description.starts_with("left knee"));
}

#[test]
fn a_model_is_as_heavy_as_is_said() {
    let options = condyle::simulate::Options {
        seconds: 4.0,
        noise_m: 1e-3,
        marker_set: Some("cmu41".into()),
        ..Default::default()
    };
    let walk = condyle::simulate::simulate(&Performer::human(), &options).unwrap().trial;
    let solved = condyle::job::run(walk, &condyle::job::Options::default()).unwrap();
    let text = condyle::opensim::model(&solved.trial, &solved.performers[0], Some(70.0)).unwrap();
    let masses = text.split("<mass>").skip(1).filter_map(|rest| rest.split("</mass>").next());
    let masses: Vec<f64> = masses.map(|kg| kg.parse().unwrap()).collect();
    let segments = solved.performers[0].subject.segments().len();
    assert_eq!(masses.iter().filter(|kg| **kg > 0.0).count(), segments);
    assert!((masses.iter().sum::<f64>() - 70.0).abs() < 1e-6, "{masses:?}");
}

#[test]
fn inverse_kinematics_begins_near_the_body_with_its_markers_at_a_time_that_shows_them() {
    let options = condyle::simulate::Options {
        seconds: 4.0,
        noise_m: 1e-3,
        marker_set: Some("cmu41".into()),
        ..Default::default()
    };
    let mut walk = condyle::simulate::simulate(&Performer::human(), &options).unwrap().trial;
    // OpenSim gives up at a frame that shows no marker.
    let hidden = (0.5 * walk.rate_hz) as usize;
    for marker in &mut walk.markers {
        (0..hidden).for_each(|frame| marker.set(frame, None, condyle::trial::Origin::Missing));
    }
    let rate_hz = walk.rate_hz;
    let solved = condyle::job::run(walk, &condyle::job::Options::default()).unwrap();
    let performer = &solved.performers[0];
    let model = condyle::opensim::model(&solved.trial, performer, None).unwrap();
    let files = condyle::opensim::TaskFiles {
        model: "model.osim",
        markers: "markers.trc",
        coordinates: "ik.mot",
    };
    let task = condyle::opensim::inverse_kinematics(&solved.trial, performer, files).unwrap();
    let between = |text: &str, before: &str, after: &str| -> Vec<String> {
        let rests = text.split(before).skip(1);
        rests.filter_map(|rest| Some(rest.split_once(after)?.0.to_owned())).collect()
    };
    let weighed = between(&task, "<IKMarkerTask name=\"", "\"");
    assert_eq!(weighed, between(&model, "<Marker name=\"", "\""));
    assert!(weighed.len() >= 40, "{weighed:?}");
    let weights = |text: &str| -> Vec<f64> {
        between(text, "<weight>", "</weight>")
            .iter()
            .map(|weight| weight.parse().unwrap())
            .collect()
    };
    let (markers, coordinates) = task.split_once("<IKCoordinateTask").unwrap();
    for weight in weights(markers) {
        assert!((0.01..100.0).contains(&weight), "{weight}");
    }
    // Turns that no marker tells are held, those that markers tell hardly.
    let held =
        |name: &str| weights(&between(coordinates, &format!("name=\"{name}\""), "</IK")[0])[0];
    assert!(held("left_sternoclavicular_joint_1") > 100.0 * held("hip_flexion_l"), "{coordinates}");
    assert!(!coordinates.contains("pelvis"));
    let times = between(&task, "<time_range>", "</time_range>").remove(0);
    let begins_s: f64 = times.split(' ').next().unwrap().parse().unwrap();
    assert!((begins_s - hidden as f64 / rate_hz).abs() < 0.5 / rate_hz, "{times}");
    let start = |name: &str| -> f64 {
        let own = format!("<Coordinate name=\"{name}\"><default_value>");
        between(&model, &own, "</default_value>")[0].parse().unwrap()
    };
    assert!(start("pelvis_ty") > 0.6 && start("pelvis_ty") < 1.4, "{}", start("pelvis_ty"));
    assert!(start("knee_angle_r") > 0.05 && start("knee_angle_r") < 1.2);
}

#[test]
fn samples_that_filled_a_gap_are_drawn_towards_the_pose_and_no_measured_one_is() {
    let options = condyle::simulate::Options {
        seconds: 4.0,
        noise_m: 1e-3,
        marker_set: Some("cmu41".into()),
        ..Default::default()
    };
    let mut walk = condyle::simulate::simulate(&Performer::human(), &options).unwrap().trial;
    let (knee, from) = (walk.markers.iter().position(|m| m.name() == "LKNE").unwrap(), 60);
    for frame in from..from + (0.5 * walk.rate_hz) as usize {
        walk.markers[knee].set(frame, None, condyle::trial::Origin::Missing);
    }
    let solved = condyle::job::run(walk, &condyle::job::Options::default()).unwrap();
    let drawn = condyle::opensim::with_posed_points(&solved);
    let performer = &solved.performers[0];
    let segments = performer.subject.segments();
    let thigh = segments.iter().position(|s| s.markers.iter().any(|m| m.label.ends_with("LKNE")));
    let own = segments[thigh.unwrap()].markers.iter().find(|m| m.label.ends_with("LKNE")).unwrap();
    let mut moved = 0;
    for (before, after) in solved.trial.markers.iter().zip(&drawn.markers) {
        for frame in 0..solved.trial.frames {
            let (Some(a), Some(b)) = (before.position_m(frame), after.position_m(frame)) else {
                assert_eq!(before.position_m(frame), after.position_m(frame));
                continue;
            };
            if before.sd_m(frame).is_none() {
                assert_eq!(a, b, "{}", before.label);
            } else if before.name() == "LKNE" {
                let pose = performer.motion.world_from_segment(frame, thigh.unwrap()).unwrap();
                let at_m = pose * own.position_in_segment_m;
                assert!((b - at_m).norm() <= (a - at_m).norm());
                moved += usize::from((b - a).norm() > 1e-6);
            }
        }
    }
    assert!(moved > 10, "{moved}");
}

#[test]
fn angles_and_powers_are_no_markers_of_a_table_for_opensim() {
    let still = |label: &str| Marker::from_positions(label, [Some(Point3::new(0.1, 0.2, 0.3)); 3]);
    // One is listed by the file as an angle, one by nothing but its name.
    let labels = ["LKNE", "LKneeAngles", "RANK", "RAnklePower", "Tilt"];
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = 3;
    trial.markers = labels.map(still).into();
    trial.source.up = Some(Axis::Z);
    let parameters = vec![Parameter::strings("ANGLES", &["LKneeAngles", "Tilt"])];
    trial.parameters = vec![Group { name: "POINT".into(), parameters, ..Group::default() }];
    let mut bytes = Vec::new();
    export::write_markers_trc(&trial, &mut bytes).unwrap();
    let back = format::read_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(back.labels(), ["LKNE", "RANK"]);
}
