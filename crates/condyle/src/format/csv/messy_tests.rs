//! Tables as others write them: rows twice or not at all, units and names of their own.

use std::fmt::Write as _;

use super::*;
use crate::trial::LengthUnit;

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn note<'a>(trial: &'a Trial, code: &str) -> &'a str {
    trial.notes.iter().find(|note| note.code == code).map_or("", |note| note.text.as_str())
}

/// A marker and a body that move, a row for each of these numbers of a 60 Hz recording.
fn table(rows: impl IntoIterator<Item = usize>) -> String {
    let mut text = String::from("time_s,A_x,A_y,A_z,B_x,B_y,B_z,B_qw,B_qx,B_qy,B_qz,EMG [V]\n");
    for row in rows {
        let at = row as f64 * 0.01;
        writeln!(text, "{:.6},{at},0,1,0,{at},1,1,0,0,0,{row}", row as f64 / 60.0).unwrap();
    }
    text
}

#[test]
fn missing_rows_are_put_in_as_missing_frames() {
    let trial = read_text(&table((0..300).filter(|row| !(100..160).contains(row) && *row != 7)));
    assert_eq!((trial.frames, trial.rate_hz), (300, 60.0));
    let text = "61 rows are missing in 2 places (longest 1 s): put in as missing frames";
    assert_eq!((trial.notes.len(), note(&trial, "rows-missing")), (1, text));
    assert_eq!(trial.markers[0].gaps(), [7..8, 100..160]);
    assert_eq!(trial.bodies[0].gaps(), [7..8, 100..160]);
    assert_eq!(trial.markers[0].position_m(200).unwrap().x, 2.0);
    assert_eq!(trial.bodies[0].position_m(299).unwrap().y, 2.99);
    assert!(trial.channels[0].raw[120].is_nan() && trial.channels[0].raw[160] == 160.0);
}

#[test]
fn a_clock_that_ticks_once_a_frame_tells_holes_from_rounding() {
    let read_at = |rate_hz: f64, rows: Vec<i32>| {
        let mut text = String::from("time,A_x,A_y,A_z\n");
        for row in rows {
            writeln!(text, "{:.2},{row},0,0", f64::from(row) / rate_hz).unwrap();
        }
        read_text(&text)
    };
    let whole = read_at(90.0, (0..200).collect());
    assert_eq!((whole.frames, whole.rate_hz), (200, 90.0));
    let holed = read_at(100.0, (0..200).filter(|row| !(50..70).contains(row)).collect());
    assert_eq!((holed.frames, holed.rate_hz), (200, 100.0));
    assert!(holed.markers[0].gaps().into_iter().eq(std::iter::once(50..70)));
}

#[test]
fn missing_frame_numbers_are_put_in_where_there_is_no_time() {
    let mut text = String::from("frame,A_x,A_y,A_z\n");
    (1..40).filter(|n| *n % 10 != 0).for_each(|n| writeln!(text, "{n},{n},0,0").unwrap());
    let trial = read_text(&text);
    assert_eq!((trial.frames, trial.markers[0].missing_samples()), (39, 3));
    assert!(note(&trial, "rows-missing").contains("3 places (longest 1 frames)"));
    assert_eq!(note(&trial, "frame-numbers"), "");
}

#[test]
fn a_hole_far_longer_than_the_recording_is_only_noted() {
    let trial = read_text(&table((0..20).chain(100_000_000..100_000_020)));
    assert_eq!(trial.frames, 40);
    assert!(note(&trial, "rows-missing").contains("too many to put in"));
    assert!(!note(&trial, "time-slips").is_empty());
}

#[test]
fn uneven_time_that_is_no_multiple_stays() {
    let mut text = String::from("time,A_x,A_y,A_z\n");
    for row in 0..60 {
        let stamp = 0.01 * (f64::from(row) + 0.45 * f64::from(row * row % 7) / 7.0 * 2.0);
        writeln!(text, "{stamp},{row},0,0").unwrap();
    }
    let trial = read_text(&text);
    assert_eq!((trial.frames, note(&trial, "rows-missing")), (60, ""));
    assert!(!note(&trial, "time-not-uniform").is_empty());
}

#[test]
fn repeated_rows_are_left_out_and_contradicting_ones_too() {
    let rows = (0..100).flat_map(|row| std::iter::repeat_n(row, 1 + usize::from(row % 4 == 0)));
    let mut text = table(rows);
    text.push_str("1.65,5,5,5,0,0,0,1,0,0,0,3\n");
    let trial = read_text(&text);
    assert_eq!((trial.frames, trial.rate_hz), (100, 60.0));
    assert_eq!(
        note(&trial, "rows-repeated"),
        "25 rows repeat the row before, time and all: left out; 1 have its time but other content: \
         the first is kept"
    );
    assert_eq!(trial.markers[0].position_m(99).unwrap().x, 0.99);
}

#[test]
fn rows_that_share_the_tick_of_a_coarse_clock_stay() {
    let mut text = String::from("time,A_x,A_y,A_z\n");
    (0..200).for_each(|row| writeln!(text, "{:.2},{row},0,0", f64::from(row) / 250.0).unwrap());
    let trial = read_text(&text);
    assert_eq!((trial.frames, trial.rate_hz, note(&trial, "rows-repeated")), (200, 250.0, ""));
}

#[test]
fn a_table_with_a_row_for_each_sensor_is_noted() {
    let mut text = String::from("time,name,x,y,z\n");
    for row in 0..40 {
        writeln!(text, "{:.4},S{},{row},0,0", f64::from(row / 4) / 60.0, row % 4).unwrap();
    }
    let trial = read_text(&text);
    assert_eq!(trial.frames, 40);
    assert!(note(&trial, "rows-repeated").contains("all sensors of a frame in one row"));
}

#[test]
fn time_in_milliseconds_is_understood_by_name_or_by_size() {
    for (name, is_noted) in [("time_ms", false), ("timestamp [ms]", false), ("time", true)] {
        let mut text = format!("{name},A_x,A_y,A_z\n");
        (0..50).for_each(|row| writeln!(text, "{},{row},0,0", row * 10).unwrap());
        let trial = read_text(&text);
        assert_eq!((trial.rate_hz, trial.channels.len()), (100.0, 0), "{name}");
        assert_eq!(!note(&trial, "time-unit").is_empty(), is_noted, "{name}");
    }
}

#[test]
fn bodies_in_millimetres_are_found_unless_the_caller_says_otherwise() {
    let text = "x,y,z,qw,qx,qy,qz\n400,1100,-200,1,0,0,0\n420,1090,-210,1,0,0,0\n";
    let trial = read_text(text);
    assert_eq!(trial.source.unit, LengthUnit::Millimetre);
    assert!((trial.bodies[0].position_m(0).unwrap().y - 1.1).abs() < 1e-12);
    assert!(note(&trial, "units").contains("the table does not say"));
    let options = ReadOptions { unit: Some(LengthUnit::Centimetre), ..ReadOptions::default() };
    let told = read(text.as_bytes(), &options).unwrap();
    assert_eq!((told.bodies[0].position_m(0).unwrap().y, note(&told, "units")), (11.0, ""));
}

#[test]
fn bodies_of_other_programs_are_bodies() {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    for (header, row) in [
        (
            "T.position.x,T.position.y,T.position.z,T.rotation.x,T.rotation.y,T.rotation.z,T.rotation.w",
            format!("1,2,3,0,0,{quarter},{quarter}"),
        ),
        ("T_px,T_py,T_pz,T_qx,T_qy,T_qz,T_qw", format!("1,2,3,0,0,{quarter},{quarter}")),
        ("T_x,T_y,T_z,T_az,T_el,T_roll", "1,2,3,90,0,0".to_owned()),
        (
            "T_x,T_y,T_z,T_ezyx1 [rad],T_ezyx2 [rad],T_ezyx3 [rad]",
            "1,2,3,1.5707963267948966,0,0".to_owned(),
        ),
    ] {
        let trial = read_text(&format!("{header}\n{row}\n"));
        assert_eq!((trial.bodies.len(), trial.markers.len(), trial.channels.len()), (1, 0, 0));
        let pose = trial.bodies[0].world_from_body(0).unwrap();
        assert_eq!(trial.bodies[0].name, "T");
        assert_eq!(pose.translation.vector.as_slice(), [1.0, 2.0, 3.0]);
        let x = pose.rotation * nalgebra::Vector3::x();
        assert!((x - nalgebra::Vector3::y()).norm() < 1e-12, "{header}");
    }
}

#[test]
fn azimuth_turns_first_then_elevation_then_roll() {
    let trial = read_text("S_az,S_el,S_roll\n30,20,10\n");
    let turn = |axis: nalgebra::Vector3<f64>, degrees: f64| {
        nalgebra::UnitQuaternion::new(axis * degrees.to_radians())
    };
    let (x, y, z) = (nalgebra::Vector3::x(), nalgebra::Vector3::y(), nalgebra::Vector3::z());
    let expected = turn(z, 30.0) * turn(y, 20.0) * turn(x, 10.0);
    let found = trial.bodies[0].world_from_body(0).unwrap().rotation;
    assert!(found.angle_to(&expected) < 1e-12);
}

#[test]
fn columns_that_fit_nothing_are_named_in_a_note() {
    let trial = read_text("Zeit,A_x,A_y,A_z,T_foo,EMG [V]\n0,1,2,3,4,5\n");
    assert_eq!(note(&trial, "columns-unknown"), "2 columns are taken as channels: Zeit, T_foo");
    let trial = read_text("A_x,A_y,A_z,R.rotation.x,R.rotation.y,R.rotation.z\n1,2,3,4,5,6\n");
    assert_eq!((trial.markers.len(), trial.channels.len()), (1, 3));
    assert!(note(&trial, "rotation-convention").contains("'R.rotation.x'"));
}

#[test]
fn a_table_without_a_header_says_how_to_name_its_columns() {
    assert!(note(&read_text("0.5,-1,2\n0.6,-1,2\n"), "unknown-layout").contains("no header"));
}
