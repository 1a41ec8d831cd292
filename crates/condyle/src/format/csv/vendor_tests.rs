//! Exports of Vicon, of OptiTrack before Motive, and small point tables.
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

const NEXUS: &str = "\
Devices
1000
,,Plate - Force,,,EMG - Voltage
Frame,Sub Frame,Fx,Fy,Fz,1
,,N,N,N,V
101,0,1,2,3,0.5
101,1,1,2,3,0.5
102,0,1,2,3,0.5
102,1,1,2,3,0.5

Model Outputs
100
,,Joe:LHipAngles,,,Joe:CentreOfMass,,
Frame,Sub Frame,X,Y,Z,X,Y,Z
,,deg,deg,deg,mm,mm,mm
101,0,10,20,30,1,2,3
102,0,10,20,30,1,2,3

Trajectories
100
,,Joe:LASI,,,Joe:RASI,,
Frame,Sub Frame,X,Y,Z,X,Y,Z
,,mm,mm,mm,mm,mm,mm
101,0,1,2,3,4,5,6
102,0,1.5,2.5,3.5,,,
";

#[test]
fn reads_the_sections_of_a_nexus_export() {
    for text in [NEXUS.to_owned(), NEXUS.replace('\n', "\r\n"), NEXUS.replace(',', "\t")] {
        let trial = read_text(&text);
        assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 100.0, 101));
        assert_eq!((trial.start_s, trial.subjects.len()), (1.0, 1));
        let labels: Vec<_> = trial.markers.iter().map(|m| m.label.as_str()).collect();
        assert_eq!(labels, ["Joe:CentreOfMass", "Joe:LASI", "Joe:RASI"]);
        assert_eq!(trial.markers[1].position_m(1), Some(Point3::new(0.0015, 0.0025, 0.0035)));
        assert_eq!(trial.markers[2].gaps(), [1..2]);
        let channels: Vec<_> = trial
            .channels
            .iter()
            .map(|c| (c.label.as_str(), c.unit.as_str(), c.rate_hz, c.raw.len()))
            .collect();
        assert_eq!(channels[0], ("Joe:LHipAngles X", "deg", 100.0, 2));
        assert_eq!(channels[3], ("Plate - Force Fx", "N", 1000.0, 4));
        assert_eq!(channels[6], ("EMG - Voltage 1", "V", 1000.0, 4));
        assert_eq!((codes(&trial), trial.source.unit), (vec![], LengthUnit::Millimetre));
    }
}

#[test]
fn sections_of_different_length_are_matched_by_frame_number() {
    let text = "Trajectories\n100\n,,A,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n5,0,1,2,3\n6,0,1,2,3\n\n\
                Model Outputs\n100\n,,B,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n6,0,7,8,9\n";
    let trial = read_text(text);
    assert_eq!(trial.markers[1].gaps(), [0..1]);
    assert_eq!(trial.markers[1].position_m(1), Some(Point3::new(0.007, 0.008, 0.009)));
    assert_eq!(codes(&trial), ["sections-differ"]);
}

#[test]
fn devices_start_with_the_trajectories() {
    let file = |devices: &str| {
        format!(
            "Trajectories\n100\n,,A,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n101,0,1,2,3\n102,0,1,2,3\n\n\
             Devices\n200\n,,F\nFrame,Sub Frame,Fx\n,,N\n{devices}"
        )
    };
    let late = "102,0,5\n102,1,6\n";
    let trial = read_text(&file(&format!("100,0,1\n100,1,2\n101,0,3\n101,1,4\n{late}")));
    assert_eq!(
        (&trial.channels[0].raw[..], codes(&trial)),
        (&[3.0, 4.0, 5.0, 6.0][..], vec!["sections-differ"])
    );
    let trial = read_text(&file(&format!("101,1,4\n{late}")));
    assert!(trial.channels[0].raw[0].is_nan() && trial.channels[0].raw[1..] == [4.0, 5.0, 6.0]);
    let trial = read_text(&file(late));
    assert!(trial.channels[0].raw[..2].iter().all(|raw| raw.is_nan()));
    assert_eq!(
        (&trial.channels[0].raw[2..], codes(&trial)),
        (&[5.0, 6.0][..], vec!["sections-differ"])
    );
    let trial = read_text(&file("9e18,0,5\n9e18,9e18,6\n"));
    assert_eq!(
        (&trial.channels[0].raw[..], codes(&trial)),
        (&[5.0, 6.0][..], vec!["sections-differ"])
    );
}

#[test]
fn a_rotation_is_read_only_where_its_convention_is_stated() {
    let object = |name: &str, axes: &str, row: &str| {
        format!("Objects\n100\n,,{name},,,,,,\nFrame,Sub Frame,{axes}\n,,,,,mm,mm,mm,\n1,0,{row}\n")
    };
    let text =
        object("Global Angle (Quaternion) tool:tool", "RX,RY,RZ,RW,TX,TY,TZ", "0,0,1,0,1,2,3");
    let text = text.replace(",,,,,mm", ",,,,,,mm");
    let trial = read_text(&text);
    assert_eq!(trial.bodies[0].name, "tool:tool");
    assert_eq!(trial.bodies[0].position_m(0), Some(Point3::new(0.001, 0.002, 0.003)));
    let trial = read_text(
        &object("S:Head", "RX,RY,RZ,TX,TY,TZ", "10,20,30,1,2,3").replace("Objects", "Segments"),
    );
    assert_eq!((trial.bodies.len(), trial.markers.len(), trial.channels.len()), (0, 1, 3));
    assert_eq!(codes(&trial), ["rotation-convention"]);
}

#[test]
fn a_section_cut_short_says_what_was_needed() {
    let error =
        |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error("Trajectories\n100\n").contains("need the row of names"));
    assert!(error("Trajectories\n100\n,,A\nX,Y\n").starts_with("line 4: need the row Frame"));
}

#[test]
fn reads_a_point_table_with_its_keys() {
    let trial = read_text(
        "Frame number,3\r\nFirst frame,7\r\nPoint frequency,200\r\n\r\nTime,A,,,B,,\r\ns,mm,mm,mm,mm,mm,mm\r\n\
         ,X,Y,Z,X,Y,Z\r\n0.03,1,2,3,4,5,6\r\n0.035,1,2,3,,,\r\n",
    );
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 200.0, 7));
    assert_eq!((trial.start_s, trial.markers[1].gaps()), (0.03, vec![1..2]));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.001, 0.002, 0.003)));
    assert_eq!(codes(&trial), ["wrong-count"]);
}

const LEGACY: &str = "\
comment,\"OptiTrack Export Data\"
righthanded
info,version,1.1
rigidbody,\"R, 1\",1,2,0,0,0,1,1,1
frame,0,0.0,1,1,1,2,3,0,0.6,0,0.8,0,0,0,1,4,5,6,2,\"R, 1-Marker 1\"
rigidbody,0,0.0,\"R, 1\",1,0,2,4,5,6,2,7,8,9,3,4,5,6,NAN,NAN,NAN,1,0,1.0,0.0,0.1
frame,1,0.01,0,0
";

#[test]
fn reads_frames_bodies_and_their_markers_of_old_exports() {
    let trial = read_text(LEGACY);
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 100.0, 0));
    assert_eq!((trial.bodies[0].name.as_str(), trial.source.up), ("R, 1", Some(Axis::Y)));
    let q = trial.bodies[0].world_from_body(0).unwrap().rotation;
    assert_eq!((q.w, q.j), (0.8, 0.6));
    assert_eq!(trial.bodies[0].missing_samples(), 1);
    let labels: Vec<_> = trial.markers.iter().map(|m| (m.label.as_str(), m.gaps())).collect();
    assert_eq!(labels, [("R, 1-Marker 1", vec![1..2]), ("R, 1-Marker 2", vec![0..2])]);
    assert_eq!(codes(&trial), Vec::<&str>::new());
}

#[test]
fn a_left_handed_export_is_mirrored_and_noted() {
    let trial = read_text(&LEGACY.replace("righthanded", "lefthanded"));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(4.0, 5.0, -6.0)));
    assert_eq!(trial.bodies[0].position_m(0), Some(Point3::new(1.0, 2.0, -3.0)));
    assert_eq!(trial.bodies[0].world_from_body(0).unwrap().rotation.j, -0.6);
    assert_eq!(codes(&trial), ["left-handed"]);
}

#[test]
fn many_markers_after_many_frames_are_refused_before_they_fill_memory() {
    let frames = "frame,1,0,0,0\n".repeat(60_000);
    let markers: String = (0..60_000).map(|id| format!(",1,2,3,{id}")).collect();
    for text in [
        format!("righthanded\n{frames}frame,2,0,0,60000{markers}\n"),
        format!("righthanded\nframe,2,0,0,60000{markers}\n{frames}"),
    ] {
        let error = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("far more cells"), "{error}");
    }
}
