use super::*;
use crate::trial::Format;

const IDENTITY: &str = "1 0 0 0.5\n0 1 0 -2\n0 0 1 3\n0 0 0 1\n";

#[test]
fn reads_a_list_of_matrices() {
    let text = format!("{IDENTITY}\n0 -1 0 1\n1 0 0 2\n0 0 1 3\n0 0 0 1\n\n1 0 0 9\n");
    assert!(is_list(&text));
    let trial = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!((trial.source.format, trial.frames, trial.bodies.len()), (Format::Poses, 2, 1));
    let pose = trial.bodies[0].world_from_body(1).unwrap();
    assert!((pose.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    let codes: Vec<_> = trial.notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes, ["truncated", "rate-unknown"]);
}

#[test]
fn a_mirror_and_a_matrix_that_is_none_are_missing_and_noted() {
    let mirror = "1 0 0 0\n0 1 0 0\n0 0 -1 0\n0 0 0 1\n";
    let nothing = "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 1\n";
    let sheared = "1 0.1 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
    let nan = "nan 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n";
    let text = format!("{IDENTITY}{mirror}{nothing}{sheared}{nan}");
    let options = ReadOptions { rate_hz: Some(100.0), ..ReadOptions::default() };
    let trial = read(text.as_bytes(), &options).unwrap();
    assert_eq!((trial.frames, trial.bodies[0].missing_samples()), (5, 3));
    let codes: Vec<_> = trial.notes.iter().map(|note| &*note.code).collect();
    assert_eq!(codes, ["matrix-repaired", "matrix-left-handed", "matrix-degenerate"]);
}

#[test]
fn a_line_of_three_numbers_is_refused_with_its_place() {
    let text = format!("{IDENTITY}1 0 0\n");
    let error = read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("line 5") && error.contains("need 4 numbers a line, got 3"), "{error}");
}

#[test]
fn reads_the_transforms_of_a_sequence_whatever_follows_them() {
    let mut bytes = b"ObjectType = Image\nNDims = 3\n".to_vec();
    for frame in 0..3 {
        let status = if frame == 1 { "INVALID" } else { "OK" };
        bytes.extend(
            format!(
                "Seq_Frame{frame:04}_ProbeToTrackerTransform = 1 0 0 {frame} 0 1 0 20 0 0 1 30 0 0 0 1 \n\
                 Seq_Frame{frame:04}_ProbeToTrackerTransformStatus = {status}\n\
                 Seq_Frame{frame:04}_Timestamp = {}\n",
                0.5 * f64::from(frame)
            )
            .bytes(),
        );
    }
    bytes.extend(b"ElementDataFile = LOCAL\n\x00\xff\x00Seq_Frame9999_Timestamp = 7\n");
    let trial = crate::format::read_bytes(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!((trial.frames, trial.rate_hz), (3, 2.0));
    let probe = &trial.bodies[0];
    assert_eq!((probe.name.as_str(), probe.missing_samples()), ("Probe", 1));
    assert_eq!(probe.position_m(2).unwrap(), nalgebra::Point3::new(0.002, 0.02, 0.03));
    let error = read(b"ObjectType = Image\nNDims = 2\n", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("need tracker transforms"));
}
