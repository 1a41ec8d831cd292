//! Reading odd TRC files and writing them back.
// A gap is a range of frames, and one gap is a list of one range.
#![allow(clippy::single_range_in_vec_init)]

use nalgebra::Point3;
use proptest::prelude::*;

use super::*;
use crate::trial::{Body, Channel, Event, Marker, Origin};

const KEYS: &str = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";

fn file(values: &str, labels: &str, rows: &str) -> String {
    format!("PathFileType\t4\t(X/Y/Z)\ta.trc\n{KEYS}{values}\n{labels}\n\t\tX1\tY1\tZ1\n\n{rows}")
}

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

fn labels(trial: &Trial) -> Vec<&str> {
    trial.markers.iter().map(|marker| marker.label.as_str()).collect()
}

const VALUES: &str = "100\t100\t2\t2\tmm\t100\t1\t2";
const ROWS: &str = "5\t0.05\t1\t2\t3\t4\t5\t6\n6\t0.06\t1\t2\t3\t4\t5\t6\n";

#[test]
fn reads_a_plain_file_without_a_note() {
    let trial = read_text(&file(VALUES, "Frame#\tTime\tJOE:A\t\t\tJOE:B\t\t", ROWS));
    assert_eq!((trial.frames, trial.rate_hz, trial.first_frame), (2, 100.0, 5));
    assert_eq!((trial.start_s, labels(&trial)), (0.05, vec!["JOE:A", "JOE:B"]));
    assert_eq!(trial.markers[1].position_m(0), Some(Point3::new(0.004, 0.005, 0.006)));
    assert_eq!((trial.subjects.as_slice(), codes(&trial)), (&["JOE".to_owned()][..], vec![]));
    assert_eq!(trial.source.declared_unit.as_deref(), Some("mm"));
}

#[test]
fn takes_labels_three_two_or_one_apart() {
    for line in [
        "Frame#\tTime\tA\t\t\tB",
        "Frame#\tTime\t\tA\t\tB",
        "Frame#\tTime\tA\tB",
        "Frame# Time A B",
    ] {
        assert_eq!(labels(&read_text(&file(VALUES, line, ROWS))), ["A", "B"], "{line}");
    }
}

#[test]
fn takes_spaces_for_tabs_crlf_a_mark_and_no_sub_header() {
    let text = format!(
        "\u{feff}PathFileType  4\t(X/Y/Z) D:\\a b\n{KEYS}  100.0\t\t 100\t\t 2\t\t  1\t\t mm\t 100\t 1\t 2\nFrame#\tTime\tA\n1\t0,00\t1,5\t-2E+1\t3\n2\t0,01\tNaN\tnan\t NAN\n"
    )
    .replace('\n', "\r\n");
    let trial = read_text(&text);
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.0015, -0.02, 0.003)));
    assert_eq!(trial.markers[0].gaps(), [1..2]);
    assert_eq!((trial.rate_hz, codes(&trial)), (100.0, vec![]));
}

#[test]
fn the_data_win_over_wrong_counts_and_each_repair_is_noted() {
    let rows = "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\n3\t0.02\t0\t0\t0\t4\t5\tx\n";
    let trial = read_text(&file("100\t100\t9\t7\tparsec", "Frame#\tTime\tA\t\t\tB", rows));
    assert_eq!((trial.frames, trial.source.unit), (3, LengthUnit::Millimetre));
    let expected = [
        "units",
        "wrong-count",
        "wrong-count",
        "short-rows",
        "unreadable-cells",
        "partial-points",
        "zero-coordinates",
        "units",
    ];
    assert_eq!(codes(&trial), expected);
    assert_eq!(trial.markers[0].gaps(), [2..3]);
    assert_eq!(trial.markers[1].gaps(), [1..3]);
}

#[test]
fn rows_without_frame_number_and_time_are_rows() {
    let rows = "\t\t1\t2\t3\n\t\t4\t5\t6\n3\t5.02\t1\t2\t3\n";
    let trial = read_text(&file("100\t100\t3\t1\tmm", "Frame#\tTime\tA", rows));
    assert_eq!((trial.frames, trial.first_frame, trial.rate_hz), (3, 1, 100.0));
    assert!((trial.start_s - 5.0).abs() < 1e-12);
    assert_eq!(trial.markers[0].position_m(1), Some(Point3::new(0.004, 0.005, 0.006)));
    assert_eq!(codes(&trial), ["time-missing"]);
}

#[test]
fn extra_columns_in_threes_become_unlabelled_markers() {
    let trial = read_text(&file("100\t100\t2\t0\tmm", "Frame#\tTime\t", ROWS));
    assert_eq!(labels(&trial), ["*1", "*2"]);
    assert_eq!(codes(&trial), ["wrong-count", "unlabelled-markers"]);
    let trial = read_text(&file("100\t100\t1\t1\tmm", "Frame#\tTime\tA", "1\t0\t1\t2\t3\t4\n"));
    assert_eq!((labels(&trial), codes(&trial)), (vec!["A"], vec!["extra-columns"]));
}

#[test]
fn a_stated_axis_order_is_noted_but_not_applied() {
    let text = file(VALUES, "Frame#\tTime\tA\t\t\tB", ROWS).replace("(X/Y/Z)", "(X/Y/-Z)");
    let trial = read_text(&text);
    assert_eq!(codes(&trial), ["axis-order"]);
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(0.001, 0.002, 0.003)));
}

#[test]
fn the_caller_overrules_unit_rate_and_up() {
    let options = ReadOptions {
        unit: Some(LengthUnit::Metre),
        rate_hz: Some(50.0),
        up: Some(crate::trial::Axis::Z),
        ..ReadOptions::default()
    };
    let trial = read(file(VALUES, "Frame#\tTime\tA\t\t\tB", ROWS).as_bytes(), &options).unwrap();
    assert_eq!((trial.rate_hz, trial.source.up), (50.0, options.up));
    assert_eq!(trial.markers[0].position_m(0), Some(Point3::new(1.0, 2.0, 3.0)));
    assert_eq!(trial.source.declared_unit.as_deref(), Some("mm"));
}

#[test]
fn a_truncated_header_says_which_line_was_needed() {
    let error =
        |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error(""), "the file is empty (0 bytes)");
    assert_eq!(
        error("PathFileType\t4\nDataRate\tCameraRate\n"),
        "line 3: need the values of DataRate, CameraRate, NumFrames, NumMarkers, Units, got the end of the file"
    );
    assert!(error("PathFileType\t4\nhello\n").starts_with("line 2: need the line DataRate"));
    assert!(
        error(&format!("{KEYS}{VALUES}\n1\t2\t3\n")).starts_with("line 3: need the line Frame#")
    );
}

#[test]
fn a_wide_header_over_many_short_rows_is_refused() {
    let labels = format!("Frame#\tTime{}", "\tA".repeat(60_000));
    let text = file(VALUES, &labels, &"1\t0\n".repeat(60_000));
    assert!(
        read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string().contains("cells")
    );
}

#[test]
fn writing_says_what_it_cannot_hold() {
    let mut trial = Trial::new(Format::C3d, 100.0);
    assert!(matches!(write(&trial, &mut Vec::new()).unwrap_err().kind(), ErrorKind::CannotHold(_)));
    trial.frames = 1;
    let mut body = Body::new("tool");
    body.push(Some(nalgebra::Isometry3::translation(1.0, 2.0, 3.0)));
    trial.bodies.push(body);
    let mut out = Vec::new();
    assert_eq!(write(&trial, &mut out).unwrap()[0].code, "bodies-as-markers");
    assert_eq!(read(&out, &ReadOptions::default()).unwrap().markers[0].label, "tool");

    let mut marker = Marker::from_positions("a\tb", [Some(Point3::new(1.0, 0.0, 0.0))]);
    marker.set(0, marker.position_m(0), Origin::Filled);
    trial.markers.push(marker);
    trial.channels.push(Channel::from_values("EMG", "V", 1000.0, vec![0.0]));
    trial.events.push(Event::default());
    let mut out = Vec::new();
    let notes: Vec<_> =
        write(&trial, &mut out).unwrap().into_iter().map(|note| note.code).collect();
    assert_eq!(
        notes,
        ["not-written", "not-written", "origin-lost", "not-written", "labels-changed"]
    );
    assert_eq!(read(&out, &ReadOptions::default()).unwrap().markers[0].label, "a b");
}

#[test]
fn every_row_that_ends_in_an_empty_cell_has_all_its_columns_as_opensim_counts_them() {
    let mut trial = Trial::new(Format::Trc, 100.0);
    trial.frames = 2;
    let seen = Some(Point3::new(1.0, 2.0, 3.0));
    trial.markers.push(Marker::from_positions("A", [seen, seen]));
    trial.markers.push(Marker::from_positions("B", [seen, None]));
    let mut out = Vec::new();
    write(&trial, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // Frame, time, two markers of three cells, and the end: a tab after each.
    for row in text.lines().skip(6) {
        assert!(row.ends_with('\t') && row.matches('\t').count() == 8, "{row:?}");
    }
}

fn trials() -> impl Strategy<Value = Trial> {
    let point = prop::option::weighted(0.8, [(0.001..10.0f64), (-5.0..5.0), (-5.0..5.0)]);
    let markers = (1usize..5, 1usize..12).prop_flat_map(move |(markers, frames)| {
        prop::collection::vec(prop::collection::vec(point.clone(), frames), markers)
    });
    let units = vec![LengthUnit::Metre, LengthUnit::Centimetre, LengthUnit::Millimetre];
    (markers, 1u32..400_000, 0i64..9999, 0.0..100.0f64, prop::sample::select(units)).prop_map(
        |(markers, rate, first_frame, start_s, unit)| {
            let mut trial = Trial::new(Format::Trc, f64::from(rate) / 1000.0);
            (trial.first_frame, trial.start_s, trial.source.unit) = (first_frame, start_s, unit);
            trial.frames = markers[0].len();
            for (index, positions) in markers.into_iter().enumerate() {
                let positions = positions.into_iter().map(|p| p.map(Point3::from));
                trial.markers.push(Marker::from_positions(format!("JOE:M {index}"), positions));
            }
            trial
        },
    )
}

proptest! {
    #[test]
    fn write_then_read_is_the_identity(trial in trials()) {
        let mut out = Vec::new();
        prop_assert_eq!(write(&trial, &mut out).unwrap(), vec![]);
        let again = read(&out, &ReadOptions::default()).unwrap();
        prop_assert_eq!(&again.markers, &trial.markers);
        prop_assert_eq!(
            (again.rate_hz, again.start_s, again.first_frame, again.frames),
            (trial.rate_hz, trial.start_s, trial.first_frame, trial.frames)
        );
        prop_assert_eq!(again.source.unit, trial.source.unit);
    }

    #[test]
    fn any_text_gives_a_trial_or_an_error(body in "[ \t\r\n0-9a-zA-Z.,(){}/*#:é-]{0,300}") {
        let _ = read(body.as_bytes(), &ReadOptions::default());
        let text = file(VALUES, "Frame#\tTime\tA\t\t\tB", &body);
        let _ = read(text.as_bytes(), &ReadOptions::default());
    }
}
