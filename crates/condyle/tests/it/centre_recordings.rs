//! Centres of rotation in recordings: a model whose hips are known, and a real hip trial.

use crate::recordings;
use condyle::Trial;
use condyle::centre::{ManyMethod, Method, Verdict, sphere, sphere_many};
use condyle::format::{ReadOptions, read_path};
use condyle::rigid::Cluster;
use nalgebra::{Isometry3, Point3};

type Axes = [Vec<f64>; 3];

fn poses(trial: &Trial, labels: &[&str]) -> Vec<Option<Isometry3<f64>>> {
    let seen =
        |frame| labels.iter().map(|label| trial.marker(label).unwrap().position_m(frame)).collect();
    let frames: Vec<Vec<Option<Point3<f64>>>> = (0..trial.frames).map(seen).collect();
    let cluster = Cluster::new(&frames).unwrap();
    frames.iter().map(|seen| cluster.pose(seen)).collect()
}

fn in_segment(trial: &Trial, label: &str, poses: &[Option<Isometry3<f64>>]) -> Axes {
    let marker = trial.marker(label).unwrap();
    let mut axes = Axes::default();
    for (frame, pose) in poses.iter().enumerate() {
        let (Some(pose), Some(position_m)) = (pose, marker.position_m(frame)) else { continue };
        let point = pose.inverse_transform_point(&position_m);
        axes.iter_mut().zip(point.iter()).for_each(|(axis, value)| axis.push(*value));
    }
    axes
}

fn slices(axes: &Axes) -> [&[f64]; 3] {
    [&axes[0], &axes[1], &axes[2]]
}

#[test]
fn the_hips_of_a_model_are_found_from_its_thigh_markers() {
    let Some(folder) = recordings::folder() else { return };
    for subject in ["subject01", "subject18"] {
        let path = folder.join("nimble_synthetic").join(subject).join("markers.trc");
        let trial = read_path(&path, &ReadOptions::default()).unwrap();
        let pelvis = poses(&trial, &["RASI", "LASI", "RPSI", "LPSI"]);
        for (hip, thigh) in
            [("RHJC", ["RTH1", "RTH2", "RTH3", "RLFC"]), ("LHJC", ["LTH1", "LTH2", "LTH3", "LLFC"])]
        {
            let truth = in_segment(&trial, hip, &pelvis);
            let truth = Point3::new(truth[0][0], truth[1][0], truth[2][0]);
            let tracks = thigh.map(|label| in_segment(&trial, label, &pelvis));
            for track in &tracks {
                let fit = sphere(slices(track), Method::ScGdk).unwrap();
                assert_eq!(fit.verdict, Verdict::Ball, "{subject} {hip}");
                assert!((fit.centre - truth).norm() < 1e-5, "{subject} {hip}: {}", fit.centre);
            }
            let markers: Vec<[&[f64]; 3]> = tracks.iter().map(slices).collect();
            let fit = sphere_many(&markers, ManyMethod::SelfCalibrated).unwrap();
            let off_m = (fit.centre - truth).norm();
            println!("{subject} {hip}: off by {off_m:.1e} m");
            assert!(off_m < 1e-5, "{subject} {hip}: {off_m}");
        }
    }
}

#[test]
fn a_real_hip_is_a_ball_where_the_self_calibrated_fit_agrees_with_maximum_likelihood() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("btkdata/others/FunctionalLHip.c3d");
    let trial = read_path(&path, &ReadOptions::default()).unwrap();
    let pelvis = poses(&trial, &["LASI", "RASI", "LPSI", "RPSI"]);
    let thigh = in_segment(&trial, "LTHI", &pelvis);
    let by = |method| sphere(slices(&thigh), method).unwrap();
    let (ours, theirs, biased) = (by(Method::ScGdk), by(Method::Mle), by(Method::Gdke));
    assert_eq!(ours.verdict, Verdict::Ball);
    assert!((ours.centre - theirs.centre).norm() < 2e-4);
    assert!((biased.centre - theirs.centre).norm() > 1e-2, "the plain closed form is biased");
}
