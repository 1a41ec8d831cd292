//! Motive exports as the versions write them.
// A gap is a range of frames, and one gap is a list of one range.
#![allow(clippy::single_range_in_vec_init)]

use nalgebra::Point3;

use super::read;
use crate::format::ReadOptions;
use crate::trial::{Axis, LengthUnit, Trial};

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

const RIGID: &str = "\
Format Version,1.23,Take Name,\"a, b\",Capture Frame Rate,240,Export Frame Rate,120.000000,Rotation Type,Quaternion,Length Units,Millimeters,Coordinate Space,Global

,Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body Marker,Rigid Body Marker,Rigid Body Marker,Rigid Body Marker,Marker,Marker,Marker
,Name,tool,tool,tool,tool,tool,tool,tool,tool,tool:Marker1,tool:Marker1,tool:Marker1,tool:Marker1,tool:Marker1,tool:Marker1,tool:Marker1
,ID,1,1,1,1,1,1,1,1,2,2,2,2,3,3,3
,,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error,Position,Position,Position,Marker Quality,Position,Position,Position
Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z,,X,Y,Z
0,0.000000,0,0,1,0,100,200,300,0.1,1,2,3,1,4,5,6
1,0.008333,0,0,1,0,100,200,300,0.1,1,2,3,1,,,
";

#[test]
fn reads_rigid_bodies_with_their_measured_markers() {
    let trial = read_text(RIGID);
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 120.0, 0));
    assert_eq!((trial.source.up, trial.source.unit), (Some(Axis::Y), LengthUnit::Millimetre));
    assert_eq!(trial.source.variant, "OptiTrack Motive 1.23");
    let pose = trial.bodies[0].world_from_body(1).unwrap();
    assert_eq!((pose.rotation.quaternion().w, pose.rotation.quaternion().k), (0.0, 1.0));
    assert_eq!(trial.bodies[0].position_m(1), Some(Point3::new(0.1, 0.2, 0.3)));
    assert_eq!((trial.markers.len(), trial.markers[0].label.as_str()), (1, "tool:Marker1"));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.004, 0.005, 0.006)));
    assert_eq!(trial.markers[0].gaps(), [1..2]);
    let channels: Vec<_> = trial.channels.iter().map(|c| c.label.as_str()).collect();
    assert_eq!(channels, ["tool Mean Marker Error", "tool:Marker1 Marker Quality"]);
    assert_eq!(codes(&trial), ["expected-markers"]);
}

#[test]
fn reads_a_time_code_column_unnamed_header_rows_and_unlabelled_markers() {
    let trial = read_text(
        "Format Version,1.24,Capture Frame Rate,120,Length Units,Centimeters\n\
         \n\
         ,,,Marker,Marker,Marker,Marker,Marker,Marker\n\
         ,,,Cam:1,Cam:1,Cam:1,Unlabeled 7,Unlabeled 7,Unlabeled 7\n\
         ,,,\"A1\",\"A1\",\"A1\",\"A2\",\"A2\",\"A2\"\n\
         ,,,Position,Position,Position,Position,Position,Position\n\
         Frame,Time (Seconds),TimeCode,X,Y,Z,X,Y,Z\n\
         0,0.000000,15:26:46:12.02,1,2,3,,,\n",
    );
    let labels: Vec<_> = trial.markers.iter().map(|m| m.label.as_str()).collect();
    assert_eq!(labels, ["Cam:1", "Unlabeled 7"]);
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.01, 0.02, 0.03)));
    assert_eq!((trial.markers[1].missing_samples(), trial.rate_hz), (1, 120.0));
    assert_eq!(codes(&trial), Vec::<&str>::new());
}

fn skeleton(space: &str, parents: &str) -> String {
    let wide =
        |a: &str, b: &str| format!("{}{}", format!(",{a}").repeat(6), format!(",{b}").repeat(6));
    let parts = ",Rotation,Rotation,Rotation,Position,Position,Position".repeat(2);
    format!(
        "Format Version,1.25,Export Frame Rate,100,Rotation Type,ZXY,Length Units,Meters,Coordinate Space,{space}\n\n\
         ,Type{}\n,Name{}\n,ID{}\n{parents},{parts}\nFrame,Time (Seconds){}\n0,0,0,0,90,1,0,0,0,0,90,1,0,0\n",
        wide("Bone", "Bone"),
        wide("S:Hip", "S:Ab"),
        wide("h1", "a1"),
        ",X,Y,Z".repeat(4),
    )
}

#[test]
fn reads_bones_with_euler_angles_in_the_stated_order() {
    let trial = read_text(&skeleton("Global", ""));
    let names: Vec<_> = trial.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!((names, codes(&trial)), (vec!["S:Hip", "S:Ab"], vec!["euler-angles"]));
    let turned = trial.bodies[0].world_from_body(0).unwrap().rotation * nalgebra::Vector3::x();
    assert!((turned - nalgebra::Vector3::y()).norm() < 1e-12);
}

#[test]
fn carries_local_bones_into_the_world_only_where_parents_are_named() {
    let parents = format!(",Parent{}{}\n", ",".repeat(6), ",h1".repeat(6));
    let trial = read_text(&skeleton("Local", &parents));
    let knee = trial.bodies[1].position_m(0).unwrap();
    assert!((knee - Point3::new(1.0, 1.0, 0.0)).norm() < 1e-12, "{knee}");
    assert_eq!(codes(&trial), ["euler-angles", "local-poses"]);
    let trial = read_text(&skeleton("Local", ""));
    assert_eq!(trial.bodies[1].position_m(0), Some(Point3::new(1.0, 0.0, 0.0)));
    assert_eq!(codes(&trial), ["euler-angles", "local-poses"]);
}

#[test]
fn parents_in_a_loop_do_not_hang() {
    let parents = format!(",Parent{}{}\n", ",a1".repeat(6), ",h1".repeat(6));
    assert_eq!(read_text(&skeleton("Local", &parents)).bodies.len(), 2);
}

#[test]
fn refuses_an_export_without_its_axis_row() {
    let error = read(b"Format Version,1.23\n1,2\n", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("need a row that starts with Frame"));
}
