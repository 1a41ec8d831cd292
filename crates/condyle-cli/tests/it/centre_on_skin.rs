//! `condyle centre` on markers that skin carries: residuals are small, the centre is off, and the error bar says so.

use std::fs::File;
use std::path::Path;

use condyle::format::write;
use condyle::rigid::Cluster;
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::trial::Format;
use nalgebra::{Matrix3, Point3, Vector3};

use crate::run::condyle_in;

/// A joint, the markers that turn about it, and those of the segment that they are seen from.
const JOINTS: [(&str, &str, &str); 5] = [
    ("left hip", "LTH1,LTH2,LTH3", "LASI,RASI,LPSI,RPSI"),
    ("right hip", "RTH2", "LASI,RASI,LPSI,RPSI"),
    ("left shoulder", "LUA1,LUA2,LUA3", "CLAV,STRN,C7,T10"),
    ("left knee", "LSK1,LSK2,LSK3", "LTH1,LTH2,LTH3"),
    ("right elbow", "RFA1,RFA2,RFA3", "RUA1,RUA2,RUA3"),
];

/// The 95 % quantile of chi-square with three degrees of freedom.
const CHI_SQUARE_3_95: f64 = 7.815;

/// An answer beside the truth.
struct Answer {
    off_m: f64,
    is_held: bool,
    is_sure_ball: bool,
}

/// The true centre in the frame of `--in`, on average.
fn true_centre_m(simulation: &Simulation, joint: &str, segment: &str) -> Vector3<f64> {
    let trial = &simulation.trial;
    let labels: Vec<&str> = segment.split(',').collect();
    let markers = labels.iter().map(|label| trial.markers.iter().find(|m| m.label == *label));
    let markers: Vec<_> = markers.map(Option::unwrap).collect();
    let seen = |frame| markers.iter().map(|marker| marker.position_m(frame)).collect();
    let frames: Vec<Vec<Option<Point3<f64>>>> = (0..trial.frames).map(seen).collect();
    let cluster = Cluster::new(&frames).unwrap();
    let index = simulation.truth.joint(joint).unwrap();
    let in_segment_m =
        frames.iter().zip(&simulation.truth.joint_positions_m).map(|(seen, truth)| {
            cluster.pose(seen).unwrap().inverse_transform_point(&truth[index]).coords
        });
    in_segment_m.sum::<Vector3<f64>>() / trial.frames as f64
}

fn answers(folder: &Path, simulation: &Simulation, more: &[&str]) -> Vec<Answer> {
    let file = &mut File::create(folder.join("skin.c3d")).unwrap();
    write(&simulation.trial, Format::C3d, file).unwrap();
    let answer = |(joint, markers, segment): (&str, &str, &str)| {
        let args = ["centre", "skin.c3d", "--marker", markers, "--in", segment, "--json"];
        let json = condyle_in(folder, &[&args[..], more].concat()).expect(0).json();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let centre_m = Vector3::from_fn(|row, _| number(&json["centre"][row]));
        let covariance_m2 =
            Matrix3::from_fn(|row, column| number(&json["covariance"][row][column]));
        let off = centre_m - true_centre_m(simulation, joint, segment);
        // Of a hinge nothing is said along its axis.
        let axis = Vector3::from_fn(|row, _| json["axis"][row].as_f64().unwrap_or(0.0));
        let off = off - axis * axis.dot(&off);
        let covariance_m2 = covariance_m2 + axis * axis.transpose();
        Answer {
            off_m: off.norm(),
            is_held: off.dot(&(covariance_m2.try_inverse().unwrap() * off)) <= CHI_SQUARE_3_95,
            is_sure_ball: json["verdict"] == "ball" && json["centre_known"] == "well",
        }
    };
    JOINTS.map(answer).into()
}

/// Walks and ranges of motion of people with so much skin.
fn all_answers(skin_m: f64, more: &[&str]) -> Vec<Answer> {
    let folder = tempfile::tempdir().unwrap();
    let routines = [Routine::Rom, Routine::Walk].into_iter();
    let all = routines.flat_map(|routine| (0..4).map(move |seed| (routine, seed)));
    let answers = all.flat_map(|(routine, seed)| {
        let noise_m = 5e-4;
        let options = Options {
            routine,
            seed,
            skin_m,
            noise_m,
            seconds: 10.0,
            rate_hz: 50.0,
            ..Options::default()
        };
        answers(folder.path(), &simulate(&Performer::human(), &options).unwrap(), more)
    });
    answers.collect()
}

fn held(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| answer.is_held).count()
}

#[test]
fn the_error_of_markers_on_skin_holds_the_truth_and_no_ball_is_sure() {
    let answers = all_answers(10e-3, &[]);
    for answer in &answers {
        assert!(!answer.is_sure_ball || answer.off_m < 0.01, "{} m off", answer.off_m);
    }
    assert!(answers.iter().filter(|answer| answer.is_sure_ball).count() * 5 < answers.len());
    assert!(held(&answers) * 100 >= 95 * answers.len(), "{} of {}", held(&answers), answers.len());
}

#[test]
fn what_is_stated_of_skin_counts() {
    // As if they were on bone: what was found wrong.
    let rigid = all_answers(10e-3, &["--soft-tissue", "none"]);
    assert!(held(&rigid) * 2 < rigid.len(), "{} of {}", held(&rigid), rigid.len());
    let stated = all_answers(5e-3, &["--soft-tissue", "5"]);
    assert!(held(&stated) * 100 >= 95 * stated.len(), "{} of {}", held(&stated), stated.len());
    let on_bone = all_answers(0.0, &["--soft-tissue", "none"]);
    assert!(on_bone.iter().any(|answer| answer.is_sure_ball && answer.off_m < 2e-3));
}
