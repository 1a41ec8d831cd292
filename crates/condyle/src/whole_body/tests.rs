//! The whole body: gradients, elimination, laws that every fit obeys, and simulated people.

use nalgebra::{DMatrix, DVector, Isometry3, Point3, Vector3, Vector6};

use super::choose::Reading;
use super::fit::Attempt;
use super::gauss_newton::State;
use super::model::Model;
use super::posterior::Posterior;
use super::problem::Problem;
use super::skin::Skin;
use super::tree::{FrameNormal, SharedNormal, subtract_explained};
use super::{BlockStatus, Input, Knowledge, Options, SoftTissue, WholeBody, fit};
use crate::plan::Performer;
use crate::rigid::Traces;
use crate::simulate::{self, Routine, Simulation, simulate};

mod readings;

/// A walk with 10 mm of skin.
fn walk_options() -> simulate::Options {
    simulate::Options {
        routine: Routine::Walk,
        seconds: 4.0,
        rate_hz: 50.0,
        marker_set: Some("cmu41".into()),
        noise_m: 1e-3,
        skin_m: 0.01,
        ..simulate::Options::default()
    }
}

/// A person walking.
fn walk(seed: u64) -> Simulation {
    let options = simulate::Options { seed, ..walk_options() };
    simulate(&simulate::Performer::human(), &options).unwrap()
}

fn fitted(frames: &dyn Traces, labels: &[&str], performer: &Performer) -> WholeBody {
    let input = Input { performer, labels, frames };
    fit(&input, &Knowledge::human().unwrap(), &Options::default()).unwrap()
}

/// The problem of a walk at its start.
fn begun(simulation: &Simulation, frames: usize) -> (Problem, State) {
    let labels = simulation.trial.labels();
    let performer = &simulation.truth.plan.performers[0];
    let input = Input { performer, labels: &labels, frames: &simulation.trial };
    let (knowledge, options) = (Knowledge::human().unwrap(), Options::default());
    let frames: Vec<usize> = (0..frames).map(|k| 30 * k).collect();
    let attempt = Attempt {
        input: &input,
        knowledge: &knowledge,
        options: &options,
        frames: &frames,
        measured: &[],
    };
    let (problem, begun) =
        attempt.begin(Model::new(&input, &knowledge, &Reading::default()), 1.0).unwrap();
    (problem, begun.state)
}

#[test]
fn a_bone_begins_as_long_as_its_own_markers_are_apart() {
    let mut simulation = walk(1);
    let trial = &mut simulation.trial;
    let find = |label: &str| trial.markers.iter().position(|m| m.label == label).unwrap();
    let (knee, ankle) = (find("LKNE"), find("LANK"));
    for frame in 0..trial.frames {
        let [knee_m, ankle_m] = [knee, ankle].map(|m| trial.markers[m].position_m(frame).unwrap());
        let short_m = knee_m + 0.8 * (ankle_m - knee_m);
        let origin = trial.markers[ankle].origin(frame);
        trial.markers[ankle].set(frame, Some(short_m), origin);
    }
    let (problem, state) = begun(&simulation, 2);
    let [left_m, right_m] = ["left ankle", "right ankle"].map(|name| {
        let joint = problem.model.joints.iter().position(|joint| joint.name == name).unwrap();
        problem.point(&state.parameters, problem.model.joint_at(joint)).norm()
    });
    assert!((left_m / right_m - 0.8).abs() < 0.03, "{left_m} and {right_m} m");
}

#[test]
fn the_normal_equations_hold_the_gradient_of_the_objective() {
    let (problem, state) = begun(&walk(1), 2);
    assert_gradient(&problem, &state);
}

#[test]
fn the_normal_equations_hold_the_gradient_of_skin_that_slides() {
    let (mut problem, mut state) = begun(&walk(1), 2);
    let body = state.parameters.len();
    problem.slide(&Skin::new(&problem.model, &state.poses), &mut state.parameters);
    assert!(state.parameters.len() > body + 3 * problem.model.markers.len());
    // Some of it slides, each part by another amount.
    for (at, value) in state.parameters.iter_mut().enumerate().skip(body) {
        *value = 0.004 * (at as f64).sin();
    }
    assert_gradient(&problem, &state);
}

/// The gradient is that of the energy, by differences.
fn assert_gradient(problem: &Problem, state: &State) {
    let mut shared = SharedNormal::new(problem.structure.parameters);
    let mut normals = vec![FrameNormal::new(&problem.structure); 2];
    for (frame, normal) in normals.iter_mut().enumerate() {
        let (seen, poses) = (problem.seen(frame), &state.poses[frame]);
        problem.add_frame(seen, poses, &state.parameters, normal, Some(&mut shared));
    }
    problem.add_knowledge(&state.parameters, &mut shared, |_| true);
    let step = 1e-6;
    let largest = shared.gradient.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    for at in 0..problem.structure.parameters {
        let along = |by: f64| {
            let mut parameters = state.parameters.clone();
            parameters[at] += by;
            problem.energy(&state.poses, &parameters)
        };
        let slope = (along(step) - along(-step)) / (2.0 * step);
        let off = (slope - shared.gradient[at]).abs();
        assert!(off < 1e-5 * largest, "parameter {at}: {slope} {}", shared.gradient[at]);
    }
    for segment in 0..problem.model.segments.len() {
        for axis in 0..6 {
            let along = |by: f64| {
                let mut poses = state.poses.clone();
                poses[1][segment].apply(&Vector6::ith(axis, by));
                problem.energy(&poses, &state.parameters)
            };
            let slope = (along(step) - along(-step)) / (2.0 * step);
            let gradient = normals[1].nodes[segment].gradient;
            let off = (slope - gradient[axis]).abs();
            assert!(off < 1e-5 * largest, "segment {segment} axis {axis}: {slope} {gradient}");
        }
    }
}

#[test]
fn elimination_along_the_tree_solves_the_dense_normal_equations() {
    let (problem, state) = begun(&walk(2), 1);
    let structure = &problem.structure;
    let (parameters, poses) = (structure.parameters, 6 * structure.parent.len());
    let mut normal = FrameNormal::new(structure);
    let mut shared = SharedNormal::new(parameters);
    problem.add_frame(
        problem.seen(0),
        &state.poses[0],
        &state.parameters,
        &mut normal,
        Some(&mut shared),
    );
    problem.add_knowledge(&state.parameters, &mut shared, |_| true);
    let mut dense = DMatrix::zeros(poses + parameters, poses + parameters);
    let mut right = DVector::zeros(poses + parameters);
    for (segment, node) in normal.nodes.iter().enumerate() {
        for i in 0..6 {
            right[6 * segment + i] = node.gradient[i];
            for j in 0..6 {
                dense[(6 * segment + i, 6 * segment + j)] = node.own[(i, j)];
                if let Some(parent) = structure.parent[segment] {
                    dense[(6 * segment + i, 6 * parent + j)] = node.with_parent[(i, j)];
                    dense[(6 * parent + j, 6 * segment + i)] = node.with_parent[(i, j)];
                }
            }
            for (column, at) in node.columns.iter().zip(&structure.columns[segment]) {
                dense[(6 * segment + i, poses + at)] = column[i];
                dense[(poses + at, 6 * segment + i)] = column[i];
            }
        }
    }
    for i in 0..parameters {
        right[poses + i] = shared.gradient[i];
        for j in 0..=i {
            dense[(poses + i, poses + j)] = shared.matrix[i * parameters + j];
            dense[(poses + j, poses + i)] = shared.matrix[i * parameters + j];
        }
    }
    let expected = dense.lu().solve(&right).unwrap();
    normal.eliminate(structure, 0.0, true);
    subtract_explained(std::slice::from_ref(&normal), structure, &mut shared);
    let matrix = DMatrix::from_row_slice(parameters, parameters, &shared.matrix);
    let solved = matrix.cholesky().unwrap().solve(&DVector::from_column_slice(&shared.gradient));
    let scale = expected.amax();
    for i in 0..parameters {
        assert!((solved[i] - expected[poses + i]).abs() < 1e-6 * scale, "parameter {i}");
    }
    let steps = normal.steps(structure, Some((-solved).as_slice()));
    for (segment, step) in steps.iter().enumerate() {
        for i in 0..6 {
            assert!(
                (step[i] + expected[6 * segment + i]).abs() < 1e-6 * scale,
                "segment {segment}"
            );
        }
    }
}

struct Moved<'a>(&'a dyn Traces, Isometry3<f64>);

impl Traces for Moved<'_> {
    fn frames(&self) -> usize {
        self.0.frames()
    }
    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.0.position_m(frame, marker).map(|p| self.1 * p)
    }
}

#[test]
fn a_fit_goes_with_the_world() {
    let simulation = walk(3);
    let (trial, performer) = (&simulation.trial, &simulation.truth.plan.performers[0]);
    let labels = trial.labels();
    let turn = Isometry3::new(Vector3::new(3.0, -2.0, 1.0), Vector3::new(0.7, 2.0, -1.1));
    let (one, other) =
        (fitted(trial, &labels, performer), fitted(&Moved(trial, turn), &labels, performer));
    for (joint, (a, b)) in one.joints.iter().zip(&other.joints).enumerate() {
        let off_m = (a.centre_in_parent_m - b.centre_in_parent_m).norm();
        assert!(off_m < 1e-6, "{}: {off_m}", a.name);
        let (in_one, in_other) =
            (one.joint_in_world(7, joint).unwrap(), other.joint_in_world(7, joint).unwrap());
        let off_m = (turn * in_one.0 - in_other.0).norm();
        assert!(off_m < 1e-6, "{}: {off_m}", a.name);
        let rotation = turn.rotation.to_rotation_matrix();
        let turned = rotation * in_one.1 * rotation.transpose();
        let off = (turned - in_other.1).norm() / turned.norm();
        assert!(off < 1e-4, "{}: {off}", a.name);
    }
}

const LIMBS: [&str; 6] = ["hip", "knee", "ankle", "shoulder", "elbow", "wrist"];

#[test]
fn walking_people_are_known_to_a_centimetre_and_ellipsoids_hold_them() {
    let (mut errors_m, mut inside) = (Vec::new(), 0.0);
    for seed in 0..5 {
        let Simulation { trial, truth, .. } = walk(seed);
        let body = fitted(&trial, &trial.labels(), &truth.plan.performers[0]);
        let mut positions_m = vec![None; trial.markers.len()];
        trial.positions_m(100, &mut positions_m);
        let posed = body.pose(&positions_m, None).unwrap();
        for (index, joint) in body.joints.iter().enumerate() {
            if LIMBS.iter().any(|limb| joint.name.ends_with(limb)) {
                let (found_m, covariance) = body.joint_in(&posed, index).unwrap();
                let off = found_m - truth.joint_positions_m[100][truth.joint(&joint.name).unwrap()];
                errors_m.push(off.norm());
                inside += f64::from(u8::from(
                    off.dot(&(covariance.try_inverse().unwrap() * off)) < 7.815,
                ));
            }
        }
    }
    let mean_mm = 1e3 * errors_m.iter().sum::<f64>() / errors_m.len() as f64;
    assert!(mean_mm < 12.5, "{mean_mm}");
    assert!(inside / errors_m.len() as f64 > 0.92, "{inside} of {}", errors_m.len());
}

#[test]
fn fitting_how_skin_slides_brings_joints_nearer() {
    let (mut without_m, mut with_m) = (0.0, 0.0);
    for seed in 20..23 {
        let options = simulate::Options {
            routine: Routine::Rom,
            seconds: 20.0,
            rate_hz: 50.0,
            seed,
            marker_set: Some("cmu41".into()),
            noise_m: 1e-3,
            skin_m: 0.02,
            ..simulate::Options::default()
        };
        let Simulation { trial, truth, .. } =
            simulate(&simulate::Performer::human(), &options).unwrap();
        let labels = trial.labels();
        let input = Input { performer: &truth.plan.performers[0], labels: &labels, frames: &trial };
        let (knowledge, options) = (Knowledge::human().unwrap(), Options::default());
        let frames: Vec<usize> = (0..40).map(|k| 25 * k).collect();
        let attempt = Attempt {
            input: &input,
            knowledge: &knowledge,
            options: &options,
            frames: &frames,
            measured: &[],
        };
        let off_m = |posterior: &Posterior| -> f64 {
            let joints = &posterior.problem.model.joints;
            let limbs = joints
                .iter()
                .enumerate()
                .filter(|(_, j)| LIMBS.iter().any(|l| j.name.ends_with(l)));
            let off = limbs.map(|(index, joint)| {
                let number = truth.joint(&joint.name).unwrap();
                let frames = posterior.poses().iter().zip(&frames);
                let off = frames.map(|(poses, frame)| {
                    let true_m = truth.joint_positions_m[*frame][number].coords;
                    (posterior.joint_m(poses, index) - true_m).norm()
                });
                off.sum::<f64>()
            });
            off.sum()
        };
        let fitted = attempt.fit(&Reading::default()).unwrap();
        without_m += off_m(&fitted.posterior);
        with_m += off_m(&attempt.fit_skin(fitted).unwrap().posterior);
    }
    assert!(with_m < 0.97 * without_m, "{with_m} {without_m}");
}

#[test]
fn both_sides_of_a_joint_are_one_witness_of_where_it_is_beside_them() {
    let (problem, state) = begun(&walk(1), 2);
    let human = Knowledge::human().unwrap();
    let (model, side) = (&problem.model, crate::marker_set::Side::Left);
    let named = |name: &str| human.landmarks.iter().position(|l| l.name == name).unwrap();
    let sides =
        ["wrist_radial", "wrist_ulnar"].map(|name| model.marker(named(name), side).unwrap());
    let offset = human.offset_of(named("wrist_radial")).unwrap();
    let cost = |shift_m: f64, shared_m: f64| -> f64 {
        let mut parameters = state.parameters.clone();
        parameters[model.offset_at(offset, side).unwrap() + 2] += shared_m;
        sides.iter().for_each(|marker| parameters[model.marker_at(*marker) + 2] += shift_m);
        let rows = problem.rows.rows.iter();
        rows.map(|row| (row.at(&parameters).value / problem.rows.sd(row)).powi(2)).sum()
    };
    // Both markers 10 mm off together: the shared 4 mm and half of each one's own 6.5 squared, all inflated.
    let least = (0..=100).map(|k| cost(0.01, 1e-4 * f64::from(k))).fold(f64::INFINITY, f64::min);
    let expected = 100.0 / (1.25_f64.powi(2) * (16.0 + 6.5_f64.powi(2) / 2.0));
    assert!((least - cost(0.0, 0.0) - expected).abs() < 0.01 * expected, "{least} {expected}");
}

#[test]
fn skin_that_does_not_show_is_not_assumed() {
    let shown = |skin_m: f64, soft_tissue: SoftTissue| {
        let options = simulate::Options {
            seconds: 4.0,
            rate_hz: 50.0,
            seed: 3,
            marker_set: Some("cmu41".into()),
            noise_m: 1e-3,
            skin_m,
            ..simulate::Options::default()
        };
        let simulation = simulate(&simulate::Performer::human(), &options).unwrap();
        let labels = simulation.trial.labels();
        let performer = &simulation.truth.plan.performers[0];
        let input = Input { performer, labels: &labels, frames: &simulation.trial };
        let options = Options { soft_tissue, ..Options::default() };
        let body = fit(&input, &Knowledge::human().unwrap(), &options).unwrap();
        body.posterior.problem.sliding.as_ref().unwrap().shown
    };
    assert!(shown(0.0, SoftTissue::Auto) < 0.1);
    assert_eq!(shown(0.01, SoftTissue::Auto), 1.0);
    // What is stated is not doubted.
    assert_eq!(shown(0.0, SoftTissue::Metres(0.01)), 1.0);
}

#[test]
fn a_frame_of_the_fit_is_posed_as_it_was_fitted() {
    let simulation = walk(4);
    let (trial, performer) = (&simulation.trial, &simulation.truth.plan.performers[0]);
    let body = fitted(trial, &trial.labels(), performer);
    let mut positions_m = vec![None; trial.markers.len()];
    for k in [0, 11, 39] {
        trial.positions_m(body.frames[k], &mut positions_m);
        let posed = body.pose(&positions_m, None).unwrap();
        for joint in 0..body.joints.len() {
            let (there, covariance) = body.joint_in(&posed, joint).unwrap();
            let (fitted, of_fit) = body.joint_in_world(k, joint).unwrap();
            assert!((there - fitted).norm() < 1e-3, "{}", body.joints[joint].name);
            assert!((covariance - of_fit).norm() < 0.05 * of_fit.norm());
        }
    }
}

#[test]
fn markers_on_a_plan_without_known_labels_are_refused() {
    let simulation = walk(5);
    let labels: Vec<String> =
        (0..simulation.trial.markers.len()).map(|k| format!("M{k}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let performer = &simulation.truth.plan.performers[0];
    let input = Input { performer, labels: &labels, frames: &simulation.trial };
    let error = fit(&input, &Knowledge::human().unwrap(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("need 6 landmarks by name"), "{error}");
}

/// The largest distance of a limb's joint from the truth in the middle of the fitted frames.
fn farthest_m(body: &WholeBody, truth: &simulate::Truth) -> f64 {
    let middle = body.frames.len() / 2;
    let limbs = body.joints.iter().enumerate();
    let limbs = limbs.filter(|(_, joint)| LIMBS.iter().any(|limb| joint.name.ends_with(limb)));
    let off = limbs.map(|(index, joint)| {
        let (found_m, _) = body.joint_in_world(middle, index).unwrap();
        let number = truth.joint(&joint.name).unwrap();
        (found_m - truth.joint_positions_m[body.frames[middle]][number]).norm()
    });
    off.fold(0.0, f64::max)
}

#[test]
fn exchanged_sides_are_noticed_and_read_as_they_are() {
    let Simulation { trial, truth, .. } = walk(6);
    let other = |label: &str| match label.split_at(1) {
        ("L", rest) => format!("R{rest}"),
        ("R", rest) => format!("L{rest}"),
        _ => label.to_owned(),
    };
    let labels: Vec<String> = trial.labels().into_iter().map(other).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut performer = truth.plan.performers[0].clone();
    for segment in &mut performer.segments {
        segment.name = match segment.name.split_once(' ') {
            Some(("left", part)) => format!("right {part}"),
            Some(("right", part)) => format!("left {part}"),
            _ => segment.name.clone(),
        };
    }
    let body = fitted(&trial, &labels, &performer);
    assert!(body.is_exchanged, "{:?}", body.notes);
    assert!(body.notes.iter().any(|note| note.code == "all-sides-exchanged"), "{:?}", body.notes);
    assert!(farthest_m(&body, &truth) < 0.04, "{}", farthest_m(&body, &truth));
    assert!(!fitted(&trial, &trial.labels(), &truth.plan.performers[0]).is_exchanged);
}

#[test]
fn a_measured_size_is_an_observation() {
    let Simulation { trial, truth, .. } = walk(8);
    let labels = trial.labels();
    let input = Input { performer: &truth.plan.performers[0], labels: &labels, frames: &trial };
    let knowledge = Knowledge::human().unwrap();
    let measured = vec![("knee width".to_owned(), 0.120, 0.002)];
    let body = fit(&input, &knowledge, &Options { measured, ..Options::default() }).unwrap();
    let (name, value_m, sd_m) = &body.sizes[1];
    assert_eq!(name, "knee width");
    assert!((value_m - 0.120).abs() < 0.004 && *sd_m < 0.003, "{value_m} {sd_m}");
    let measured = vec![("ear width".to_owned(), 0.1, 0.01)];
    let error = fit(&input, &knowledge, &Options { measured, ..Options::default() }).unwrap_err();
    assert!(error.to_string().starts_with("measured: need one of stature, "), "{error}");
}

/// A person of another size who walks.
fn walk_scaled(seed: u64, factor: f64) -> Simulation {
    let performer = simulate::Performer::human().scaled(factor);
    simulate(&performer, &simulate::Options { seed, ..walk_options() }).unwrap()
}

#[test]
fn a_stated_size_that_the_body_contradicts_is_left_out_and_does_no_more_harm_than_a_missing_one() {
    let knowledge = Knowledge::human().unwrap();
    let wrong = [
        (21, 1.0, [("stature", 0.7), ("leg length", 1.4), ("knee width", 2.0)]),
        (22, 0.72, [("stature", 1.4), ("leg length", 0.7), ("knee width", 0.5)]),
    ];
    for (seed, scale, wrong) in wrong {
        let Simulation { trial, truth, .. } = walk_scaled(seed, scale);
        let labels = trial.labels();
        let input = Input { performer: &truth.plan.performers[0], labels: &labels, frames: &trial };
        let with = |measured| fit(&input, &knowledge, &Options { measured, ..Options::default() });
        let missing = with(Vec::new()).unwrap();
        let missing_m = farthest_m(&missing, &truth);
        let own = |name: &str| missing.sizes.iter().find(|size| size.0 == name).unwrap().1;
        for (name, factor) in wrong {
            // As well as a tape and a calliper measure.
            let sd_m = if name == "knee width" { 0.004 } else { 0.015 };
            let stated = (name.to_owned(), factor * own(name), sd_m);
            let body = with(vec![stated]).unwrap();
            let block = format!("measured {name}");
            let block = body.blocks.iter().find(|one| one.name == block).unwrap();
            assert_eq!(block.status, BlockStatus::Dropped, "{name} {factor}: {block:?}");
            assert!(!body.is_exchanged && body.labels_exchanged.is_none(), "{name} {factor}");
            let off_m = farthest_m(&body, &truth);
            assert!((off_m - missing_m).abs() < 1e-9, "{name} {factor}: {off_m}, {missing_m}");
        }
        // What is right is believed.
        let stated = ("stature".to_owned(), own("stature"), 0.01);
        let body = with(vec![stated]).unwrap();
        let block = body.blocks.iter().find(|one| one.name == "measured stature").unwrap();
        assert_eq!(block.status, BlockStatus::Used, "{block:?}");
    }
}

#[test]
fn nobody_of_an_impossible_size_is_fitted_by_what_is_known_of_people() {
    for scale in [0.25, 3.0] {
        let Simulation { trial, truth, .. } = walk_scaled(23, scale);
        let labels = trial.labels();
        let input = Input { performer: &truth.plan.performers[0], labels: &labels, frames: &trial };
        let error = fit(&input, &Knowledge::human().unwrap(), &Options::default()).unwrap_err();
        assert!(error.to_string().contains("is the unit of length right?"), "{error}");
    }
}

#[test]
fn motion_alone_finds_the_ball_joints_of_a_dog() {
    let options =
        simulate::Options { seconds: 20.0, rate_hz: 50.0, noise_m: 1e-3, ..Default::default() };
    let Simulation { trial, truth, .. } = simulate(&simulate::Performer::dog(), &options).unwrap();
    let performer = &truth.plan.performers[0];
    let mut calibration = crate::calibrate::Calibration::new(performer, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let options = Options { soft_tissue: SoftTissue::None, ..Options::default() };
    let body = super::fit_motion(&subject, &trial.labels(), &trial, &options).unwrap();
    assert!(body.has_converged, "{}", body.iterations);
    let (mut errors_mm, mut inside) = (Vec::new(), 0.0);
    let frame = body.frames.len() / 2;
    for (index, joint) in body.joints.iter().enumerate() {
        let (found_m, covariance) = body.joint_in_world(frame, index).unwrap();
        let number = truth.joint(&joint.name).unwrap();
        if truth.joints[number].kind != simulate::JointKind::Ball {
            continue;
        }
        let off = found_m - truth.joint_positions_m[body.frames[frame]][number];
        errors_mm.push(1e3 * off.norm());
        inside += f64::from(u8::from(off.dot(&(covariance.try_inverse().unwrap() * off)) < 7.815));
    }
    errors_mm.sort_by(f64::total_cmp);
    let median_mm = errors_mm[errors_mm.len() / 2];
    assert!(median_mm < 2.0, "{errors_mm:?}");
    assert!(inside / errors_mm.len() as f64 > 0.8, "{inside} of {}", errors_mm.len());
}

/// Somebody who stands for a long time and takes a few steps.
struct FewSteps<'a>(&'a dyn Traces);

impl Traces for FewSteps<'_> {
    fn frames(&self) -> usize {
        1200
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.0.position_m(frame.clamp(601, 751) - 601, marker)
    }
}

#[test]
fn joints_turn_as_far_as_in_the_whole_recording() {
    let Simulation { trial, truth, .. } = walk(8);
    let labels = trial.labels();
    let frames = FewSteps(&trial);
    let body = fitted(&frames, &labels, &truth.plan.performers[0]);
    let (brief, walked) = (body.subject("one", &frames), body.subject("one", &trial));
    for (brief, walked) in brief.joints.iter().zip(&walked.joints) {
        if brief.name.ends_with("knee") {
            let [brief, walked] = [brief, walked].map(|joint| joint.range_rad.to_degrees());
            assert!(walked > 30.0 && brief > 0.8 * walked, "{brief} of {walked} degrees");
        }
    }
}
