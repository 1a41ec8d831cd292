use proptest::prelude::*;

use super::{RADIANS_PER_DEGREE, read, write};
use crate::format::ReadOptions;
use crate::trial::{Channel, Format, LengthUnit, Marker, Trial, pose_from_wxyz};
use nalgebra::Point3;

const TABLE: &str = "Coordinates\nversion=1\nnRows=3\nnColumns=4\ninDegrees=yes\n\nUnits are S.I. units (second, meters, Newtons, ...)\n\
    endheader\ntime\tknee_angle_r\tpelvis_ty\tground_force_vy\n0\t90\t1\t700\n0.01\t-45\t1.5\t0\n0.02\t0.1\t2\t1e-3\n";

fn read_text(text: &str) -> Trial {
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn codes(trial: &Trial) -> Vec<&str> {
    trial.notes.iter().map(|note| &*note.code).collect()
}

fn again(trial: &Trial) -> (Trial, Trial) {
    let mut out = Vec::new();
    write(trial, &mut out).unwrap();
    let mut again = read(&out, &ReadOptions::default()).unwrap();
    let mut trial = trial.clone();
    trial.notes.clear();
    again.notes.clear();
    (trial, again)
}

#[test]
fn degrees_are_kept_and_scaled_for_angles_only() {
    let trial = read_text(TABLE);
    assert_eq!((trial.frames, trial.rate_hz, trial.start_s), (3, 100.0, 0.0));
    let [knee, pelvis, force] = &trial.channels[..] else { panic!() };
    assert_eq!((knee.raw[0], knee.scale, knee.unit.as_str()), (90.0, RADIANS_PER_DEGREE, "rad"));
    assert_eq!(knee.value(0), Some(std::f64::consts::FRAC_PI_2));
    assert_eq!((pelvis.scale, pelvis.unit.as_str()), (1.0, "m"));
    assert_eq!((force.scale, force.unit.as_str()), (1.0, ""));
    assert_eq!(codes(&trial), ["angles-by-name"]);
    let (trial, again) = again(&trial);
    assert_eq!(trial, again);
}

#[test]
fn reads_blanks_or_tabs_any_line_end_and_padding() {
    let wanted = read_text(TABLE);
    let head = TABLE.find("time").unwrap();
    let blanks = format!("{}{}", &TABLE[..head], TABLE[head..].replace('\t', "   "));
    for text in [
        TABLE.replace('\n', "\r\n"),
        TABLE.replace('\n', "\t\t\n"),
        TABLE.replace('\t', "\t  "),
        blanks,
    ] {
        let trial = read_text(&text);
        assert_eq!(trial.channels, wanted.channels, "{text}");
    }
}

#[test]
fn a_simm_header_means_degrees_and_wrong_counts_are_noted() {
    let simm = TABLE.replace(
        "version=1\nnRows=3\nnColumns=4\ninDegrees=yes",
        "# SIMM\ndatacolumns 9\ndatarows 2\nrange 0 1",
    );
    let trial = read_text(&simm);
    assert_eq!(trial.channels, read_text(TABLE).channels);
    assert_eq!(codes(&trial), ["wrong-count", "column-count", "degrees-assumed"]);
    let silent = read_text(&TABLE.replace("inDegrees=yes\n", ""));
    assert_eq!((silent.channels[0].scale, silent.channels[0].unit.as_str()), (1.0, ""));
}

#[test]
fn a_hole_in_a_column_is_nan_and_survives_writing() {
    for hole in ["nan", "", "-inf"] {
        let trial = read_text(&TABLE.replace("-45", hole));
        assert_eq!(codes(&trial), ["angles-by-name", "blank-channel-cells"], "'{hole}'");
        let mut out = Vec::new();
        write(&trial, &mut out).unwrap();
        assert!(String::from_utf8_lossy(&out).contains("\n0.01\tNaN\t1.5\t0\n"));
        for trial in [&trial, &read(&out, &ReadOptions::default()).unwrap()] {
            let knee = &trial.channels[0];
            assert_eq!((trial.channels.len(), knee.label.as_str()), (3, "knee_angle_r"));
            assert!(knee.raw[0] == 90.0 && knee.raw[1].is_nan() && knee.raw[2] == 0.1);
        }
    }
}

#[test]
fn a_hole_in_a_column_survives_the_way_from_csv_and_back() {
    let csv = "frame,time_s,EMG [V]\n1,0,0.5\n2,0.01,\n3,0.02,0.25\n";
    let trial = crate::format::csv::read(csv.as_bytes(), &ReadOptions::default()).unwrap();
    let mut sto = Vec::new();
    write(&trial, &mut sto).unwrap();
    let mut out = Vec::new();
    let trial = read(&sto, &ReadOptions::default()).unwrap();
    crate::format::csv::write(&trial, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), csv.replace(" [V]", ""));
}

#[test]
fn rows_that_are_not_whole_are_left_out() {
    for (from, to) in [("\t2\t1e-3\n", ""), ("1e-3\n", "1e-"), ("0.1\t2\t1e-3", "-")] {
        let trial = read_text(&TABLE.replace(from, to));
        assert_eq!(trial.frames, 2, "{from}");
        assert_eq!(codes(&trial), ["rows-left-out", "wrong-count", "angles-by-name"]);
    }
}

#[test]
fn uneven_times_are_kept_as_a_channel_and_written_back() {
    let trial = read_text(&TABLE.replace("0.01\t", "0.013\t"));
    let time = trial.channels.last().unwrap();
    assert_eq!((time.label.as_str(), time.raw.as_slice()), ("time", &[0.0, 0.013, 0.02][..]));
    assert!(codes(&trial).contains(&"time-not-uniform"));
    let (trial, again) = again(&trial);
    assert_eq!(trial, again);
}

#[test]
fn vectors_become_markers_and_quaternions_bodies() {
    let vectors = "DataType=Vec3\nversion=3\nUnits=mm\nendheader\ntime\tA\tB\n0\t1,2,3\t~[4,5,6]\n0.5\tNaN,NaN,NaN\t7,8,9\n";
    let trial = read_text(vectors);
    assert_eq!(trial.markers[1].position_m(1), Some(Point3::new(0.007, 0.008, 0.009)));
    assert_eq!(trial.markers[0].position_m(1), None);
    let (trial, second) = again(&trial);
    assert_eq!(trial, second);
    let quaternions =
        "DataType=Quaternion\nversion=3\nendheader\ntime\tA\n0\t0,1,0,0\n0.5\t\n1.0\t0,0,2,0\n";
    let trial = read_text(quaternions);
    let body = &trial.bodies[0];
    assert!(!body.has_positions && body.world_from_body(1).is_none());
    assert_eq!(body.world_from_body(2).unwrap().rotation.quaternion().j, 1.0);
    let (trial, second) = again(&trial);
    assert_eq!(trial, second);
}

#[test]
fn refuses_broken_tables_with_the_reason() {
    for (text, reason) in [
        (TABLE.replace("endheader\n", ""), "need a line 'endheader', got none"),
        (TABLE.replace("-45", "x"), "line 11: column knee_angle_r: need a number, got 'x'"),
        (TABLE[..TABLE.find("time").unwrap()].to_owned(), "need a line of labels"),
        ("DataType=Matrix\nendheader\n".to_owned(), "line 1: DataType: need double"),
        ("version=1\nendheader\ntime\ta\tb\n1\t2\n".to_owned(), "line 4: row: need 3 cells, got 2"),
        ("DataType=Vec3\nendheader\ntime\ta\n1\t2,3\n2\t1,2,3\n".to_owned(), "line 4: column a"),
        (format!("version=1\nendheader\n{}", "a\t".repeat(200_000)), "need at most 100000"),
    ] {
        let error = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} / {reason}");
    }
}

#[test]
fn blank_tables_do_not_fill_memory() {
    let labels = "a\t".repeat(5_000) + "a";
    let row = "0".to_owned() + &"\t".repeat(5_000) + "\t0,0,0,1\n";
    let text =
        format!("DataType=Quaternion\nversion=3\nendheader\ntime\t{labels}\n{}", row.repeat(2_000));
    let read = read(text.as_bytes(), &ReadOptions::default());
    assert!(read.unwrap_err().to_string().contains("nearly all blank"));
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_a_trial() {
    for end in 0..TABLE.len() {
        let _ = read(&TABLE.as_bytes()[..end], &ReadOptions::default());
    }
}

#[test]
fn duplicate_labels_get_a_suffix_and_a_note() {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.channels = vec![Channel::from_values("FX", "N", 100.0, vec![1.0, 2.0]); 2];
    let mut out = Vec::new();
    let notes = write(&trial, &mut out).unwrap();
    assert!(String::from_utf8(out).unwrap().contains("time\tFX\tFX_2\n"));
    assert!(notes.iter().any(|note| note.code == "duplicate-labels"), "{notes:?}");
}

#[test]
fn refuses_to_write_nothing_and_notes_what_is_lost() {
    let mut trial = Trial::new(Format::C3d, 100.0);
    assert!(write(&trial, &mut Vec::new()).unwrap_err().to_string().contains("has none"));
    trial.channels.push(Channel::from_values("a", "V", 1000.0, vec![1.0; 10]));
    trial.channels.push(Channel::from_values("b", "V", 500.0, vec![1.0; 5]));
    trial.markers.push(Marker::all_missing("m", 0));
    let notes = write(&trial, &mut Vec::new()).unwrap();
    let texts: Vec<_> = notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "this sto table cannot hold 1 channels of another rate or length",
            "this sto table cannot hold 1 markers"
        ]
    );
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e4..1e4f64, prop::num::f64::NORMAL, Just(0.0), Just(-0.0)]
}

proptest! {
    #[test]
    fn channels_survive(
        columns in prop::collection::vec((prop::sample::select(vec!["knee_angle", "hip_tx", "force_vx"]), prop::collection::vec(number(), 5)), 1..5),
        in_degrees in prop::option::of(any::<bool>()),
        rate_hz in 1.0..2000.0f64,
        start_s in -10.0..1e4f64,
    ) {
        let mut text = String::from("x\nversion=1\n");
        if let Some(in_degrees) = in_degrees {
            text += if in_degrees { "inDegrees=yes\n" } else { "inDegrees=no\n" };
        }
        text += &format!("DataRate={rate_hz}\nendheader\ntime");
        // OpenSim wants every label once, and so does the writer.
        columns.iter().enumerate().for_each(|(i, (label, _))| text += &format!("\tc{i}_{label}"));
        for row in 0..5 {
            text += &format!("\n{}", start_s + row as f64 / rate_hz);
            columns.iter().for_each(|(_, values)| text += &format!("\t{}", values[row]));
        }
        let trial = read_text(&text);
        prop_assert_eq!((trial.rate_hz, trial.start_s), (rate_hz, start_s));
        // Only angles tell degrees from radians; without one the units cannot come back.
        prop_assume!(in_degrees.is_none() || columns.iter().any(|(label, _)| *label == "knee_angle"));
        let (trial, again) = again(&trial);
        prop_assert_eq!(trial, again);
    }

    #[test]
    fn markers_and_bodies_survive(
        positions in prop::collection::vec(prop::option::of(prop::array::uniform3(-10.0..10.0f64)), 1..6),
        quaternions in prop::collection::vec(prop::array::uniform4(-1.0..1.0f64), 1..6),
        unit in prop::sample::select(vec![LengthUnit::Metre, LengthUnit::Millimetre]),
    ) {
        let mut trial = Trial::new(Format::Sto, 100.0);
        trial.source.variant = "Vec3".into();
        trial.source.unit = unit;
        trial.source.declared_unit = (unit != LengthUnit::Metre).then(|| unit.symbol().to_owned());
        trial.frames = positions.len();
        trial.markers.push(Marker::from_positions("A", positions.iter().map(|p| p.map(Point3::from))));
        let (before, after) = again(&trial);
        prop_assert_eq!(before, after);

        let mut trial = Trial::new(Format::Sto, 50.0);
        trial.source.variant = "Quaternion".into();
        trial.frames = quaternions.len();
        let mut body = crate::trial::Body::new("B");
        body.has_positions = false;
        quaternions.iter().for_each(|q| body.push(pose_from_wxyz([0.0; 3], *q)));
        trial.bodies.push(body);
        let (before, after) = again(&trial);
        prop_assert_eq!(before, after);
    }
}
