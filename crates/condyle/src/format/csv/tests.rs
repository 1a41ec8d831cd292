//! The plain layout: reading variants of it, and writing it back.
// A gap is a range of frames, and one gap is a list of one range.
#![allow(clippy::single_range_in_vec_init)]

use nalgebra::Point3;
use proptest::prelude::*;

use super::*;
use crate::trial::{Body, Channel, Format, LengthUnit, Marker, Origin, pose_from_wxyz};

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

#[test]
fn reads_the_documented_example() {
    let trial = read_text(
        "frame,time_s,RASI_x,RASI_y,RASI_z,tool_x,tool_y,tool_z,tool_qw,tool_qx,tool_qy,tool_qz,EMG [V]\n\
         1,0,0.1,0.98,0.03,0.5,0.5,1.2,1,0,0,0,0.003\n2,0.01,,,,0.5,0.5,1.2,1,0,0,0,0.004\n",
    );
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 100.0, 1));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.1, 0.98, 0.03)));
    assert_eq!(trial.markers[0].gaps(), [1..2]);
    assert_eq!(trial.bodies[0].position_m(1), Some(Point3::new(0.5, 0.5, 1.2)));
    assert_eq!((trial.channels[0].label.as_str(), trial.channels[0].unit.as_str()), ("EMG", "V"));
    assert_eq!((codes(&trial), trial.source.up), (vec![], None));
}

#[test]
fn takes_semicolons_decimal_commas_and_units_in_the_header() {
    let trial = read_text(
        "\u{feff}Time;Hips.x [mm];Hips.y [mm];Hips.z [mm]\r\n0,0;1,5;2;3\r\n0,1;1,5;2;3\r\n",
    );
    assert_eq!(trial.markers[0].position_m(1), Some(Point3::new(0.0015, 0.002, 0.003)));
    assert_eq!((trial.rate_hz, trial.source.unit), (10.0, LengthUnit::Millimetre));
    assert_eq!(trial.source.declared_unit.as_deref(), Some("mm"));
}

#[test]
fn the_caller_gives_unit_and_rate_where_the_file_does_not() {
    let text = "frame,a_x,a_y,a_z\n1,1,2,3\n3,1,2,3\n";
    assert_eq!(codes(&read_text(text)), ["rate-unknown", "frame-step"]);
    let options = ReadOptions {
        unit: Some(LengthUnit::Millimetre),
        rate_hz: Some(60.0),
        ..ReadOptions::default()
    };
    let trial = read(text.as_bytes(), &options).unwrap();
    assert_eq!((trial.rate_hz, codes(&trial)), (60.0, vec!["frame-step"]));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.001, 0.002, 0.003)));
}

#[test]
fn unknown_columns_become_channels_with_a_note() {
    let trial = read_text("0.5,-1,2\n0.6,-1,2\n");
    let labels: Vec<_> = trial.channels.iter().map(|c| c.label.as_str()).collect();
    assert_eq!(labels, ["column_1", "column_2", "column_3"]);
    assert_eq!(codes(&trial), ["unknown-layout", "rate-unknown"]);
    let trial = read_text("Time,w1,name\n0,1,left\n1,2,right\n");
    assert_eq!((trial.channels.len(), trial.rate_hz), (1, 1.0));
    assert_eq!(codes(&trial), ["text-columns", "unknown-layout"]);
}

#[test]
fn parts_of_a_marker_that_is_not_whole_become_channels_with_a_note() {
    let trial = read_text("frame,time_s,A_x,A_y,A_z,B_x,B_y,B_zz\n1,0,1,2,3,4,5,6\n");
    let labels: Vec<_> = trial.channels.iter().map(|c| c.label.as_str()).collect();
    assert_eq!((trial.markers.len(), labels), (1, vec!["B_x", "B_y", "B_zz"]));
    let note = trial.notes.iter().find(|note| note.code == "incomplete-groups").unwrap();
    assert!(note.text.starts_with("2 columns are parts") && note.text.contains("'B_x'"));
}

#[test]
fn refuses_a_file_without_a_single_number() {
    for text in ["a,b\nc,d\n", ",,,\n", "\n\n"] {
        let error = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("need at least one row with a number"), "{error}");
    }
    assert!(read(b"", &ReadOptions::default()).unwrap_err().to_string().contains("empty"));
}

#[test]
fn a_header_of_markers_without_rows_is_a_trial_of_no_frames() {
    let trial = read_text("frame,time_s,A_x,A_y,A_z\n");
    assert_eq!((trial.frames, trial.markers.len()), (0, 1));
    assert_eq!(codes(&trial), ["no-frames", "rate-unknown"]);
}

#[test]
fn a_wide_header_over_many_short_rows_is_refused() {
    let header: Vec<String> = (0..30_000).map(|i| format!("{i}_x,{i}_y,{i}_z")).collect();
    let text = format!("{}\n{}", header.join(","), "1\n".repeat(60_000));
    assert!(
        read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string().contains("cells")
    );
}

#[test]
fn writing_says_what_it_changed_or_left_out() {
    let mut trial = Trial::new(Format::C3d, 100.0);
    let error = write(&trial, &mut Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::CannotHold(_)));
    trial.frames = 1;
    for label in ["A,\"b\"", "A", "A"] {
        trial.markers.push(Marker::from_positions(label, [Some(Point3::new(1.0, 2.0, 3.0))]));
    }
    trial.channels.push(Channel::from_values("F_x", "mm", 100.0, vec![1.0]));
    trial.channels.push(Channel::from_values("EMG", "V", 1000.0, vec![1.0; 10]));
    let mut out = Vec::new();
    let notes: Vec<_> =
        write(&trial, &mut out).unwrap().into_iter().map(|note| note.code).collect();
    assert_eq!(notes, ["not-written", "labels-changed", "duplicate-labels"]);
    let again = read(&out, &ReadOptions::default()).unwrap();
    let labels: Vec<_> = again.markers.iter().map(|m| m.label.as_str()).collect();
    assert_eq!((labels, again.rate_hz), (vec!["A,\"b\"", "A", "A_2"], 100.0));
    assert_eq!(again.channels[0].label, "F_x value");
}

fn origins() -> impl Strategy<Value = Origin> + Clone {
    prop::sample::select(vec![
        Origin::Missing,
        Origin::Measured,
        Origin::Measured,
        Origin::Filled,
        Origin::Predicted,
    ])
}

fn finite() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![-10.0..10.0f64, prop::num::f64::NORMAL]
}

fn trials() -> impl Strategy<Value = Trial> {
    let sample =
        ((finite(), finite(), finite()), [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, 0.1..1.0], origins());
    let rows = (1usize..9).prop_flat_map(move |frames| {
        let rows = prop::collection::vec(sample.clone(), frames);
        (prop::collection::vec(rows, 3), prop::collection::vec(finite(), frames))
    });
    let rate = prop_oneof![
        Just(0.0),
        0.5..2000.0f64,
        (1u32..200_000_000).prop_map(|r| f64::from(r) / 1e5)
    ];
    let label = "[A-Za-z0-9_.: ,;\"\\[\\]-]{0,6}";
    (rows, rate, -5i64..9999, prop_oneof![Just(0.0), -1e3..2e9f64], label, any::<[bool; 4]>())
        .prop_map(|((rows, values), rate_hz, first_frame, start_s, label, has)| {
            let mut trial = Trial::new(Format::Csv, rate_hz);
            (trial.first_frame, trial.start_s, trial.frames) = (first_frame, start_s, values.len());
            let point = |&((x, y, z), _, origin): &_| (Point3::new(x, y, z), origin);
            let mut marker = Marker::all_missing(label.clone(), values.len());
            for (frame, (position, origin)) in rows[0].iter().map(point).enumerate() {
                marker.set(frame, Some(position), origin);
            }
            trial.markers.push(marker);
            for (index, rows) in rows.iter().enumerate().skip(1).filter(|(i, _)| has[*i]) {
                let mut body = Body::new(format!("{label}{index}"));
                body.has_positions = has[3];
                for (frame, ((x, y, z), wxyz, origin)) in rows.iter().enumerate() {
                    let position = if has[3] { [*x, *y, *z] } else { [0.0; 3] };
                    body.push(None);
                    body.set(frame, pose_from_wxyz(position, *wxyz), *origin);
                }
                trial.bodies.push(body);
            }
            if has[0] {
                trial.channels.push(Channel::from_values(
                    format!("c{label}"),
                    "N",
                    rate_hz,
                    values,
                ));
            }
            trial
        })
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity(trial in trials()) {
        let mut out = Vec::new();
        let notes = write(&trial, &mut out).unwrap();
        prop_assert!(notes.iter().all(|n| trial.rate_hz == 0.0 && n.code == "rate-unknown"));
        let again = read(&out, &ReadOptions::default()).unwrap();
        prop_assert_eq!(&again.markers, &trial.markers, "{}", String::from_utf8_lossy(&out));
        prop_assert_eq!(&again.bodies, &trial.bodies);
        prop_assert_eq!(&again.channels, &trial.channels);
        prop_assert_eq!(
            (again.rate_hz, again.start_s, again.first_frame, again.frames),
            (trial.rate_hz, trial.start_s, trial.first_frame, trial.frames)
        );
    }

    #[test]
    fn any_text_gives_a_trial_or_an_error(
        first in prop::sample::select(vec![
            "", "Format Version,1.2\n", "comment\n", "righthanded\n", "Trajectories\n100\n",
            "Devices\n1000\n,,a\nFrame,Sub Frame,X\n", "Frame number,3\n", "frame,t,x,y,z\n",
        ]),
        body in "[ ,;\t\r\n0-9a-zA-Z.\"\\[\\]()_é-]{0,300}",
    ) {
        let _ = read(format!("{first}{body}").as_bytes(), &ReadOptions::default());
    }
}
