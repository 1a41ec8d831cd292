//! The `ROTATION` group: poses in a section of their own, whole, cut short, or no rotations at all.

use condyle::trial::Parameter;

use super::file::{File, codes, frames};

/// A quarter turn about z, `x_mm` along x: a matrix by columns, then the residual.
fn quarter_turn(x_mm: f32, residual: f32) -> [f32; 17] {
    let columns =
        [0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x_mm, 0.0, 0.0, 1.0];
    let mut record = [residual; 17];
    record[..16].copy_from_slice(&columns);
    record
}

fn file_with(records: &[[f32; 17]]) -> File {
    let mut file = File::float(&frames(1, 3));
    file.add_rotations(2, records);
    file
}

#[test]
fn poses_are_read_and_those_not_tracked_are_missing() {
    let records = [
        [quarter_turn(1.0, 0.0), quarter_turn(2.0, 0.0)],
        [quarter_turn(3.0, 0.0), quarter_turn(4.0, -1.0)],
        [quarter_turn(5.0, 0.0), quarter_turn(6.0, 0.0)],
    ];
    let trial = file_with(records.as_flattened()).read();
    assert_eq!(
        trial.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(),
        ["pelvis", "thigh"]
    );
    let pose = trial.bodies[0].world_from_body(2).unwrap();
    assert!((pose.translation.x - 0.005).abs() < 1e-9);
    assert!((pose.rotation.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    assert_eq!(trial.bodies[1].world_from_body(1), None);
    assert_eq!((trial.markers[0].missing_samples(), codes(&trial)), (0, vec![]));
}

#[test]
fn rotations_that_end_early_keep_the_whole_frames() {
    let mut file = file_with(&[quarter_turn(1.0, 0.0); 4]);
    file.data.extend([1; 40]);
    let trial = file.read();
    assert_eq!((trial.frames, trial.bodies[0].frames()), (3, 3));
    assert_eq!(trial.bodies[0].missing_samples(), 1);
    assert_eq!(codes(&trial), ["rotation-truncated"]);
}

#[test]
fn matrices_that_are_left_handed_or_no_rotations_are_missing() {
    let mut left_handed = quarter_turn(1.0, 0.0);
    left_handed[10] = -1.0;
    let mut nonsense = quarter_turn(1.0, 0.0);
    nonsense[0] = f32::NAN;
    let good = quarter_turn(1.0, 0.0);
    let trial = file_with(&[left_handed, good, nonsense, good, good, good]).read();
    assert_eq!(trial.bodies[0].missing_samples(), 2);
    assert_eq!(trial.bodies[1].missing_samples(), 0);
    assert_eq!(codes(&trial), ["rotation-crooked"]);
}

#[test]
fn of_several_rotations_a_frame_the_first_is_kept() {
    let records: Vec<[f32; 17]> = (0..12).map(|i| quarter_turn(i as f32, 0.0)).collect();
    for (name, value) in [("RATIO", 2.0), ("RATE", 200.0)] {
        let mut file = file_with(&records);
        file.set("ROTATION", Parameter::real(name, value));
        let trial = file.read();
        let x_mm = |frame| trial.bodies[1].position_m(frame).map(|p| (p.x * 1e3).round());
        assert_eq!([x_mm(0), x_mm(1), x_mm(2)], [Some(1.0), Some(5.0), Some(9.0)]);
        assert_eq!(codes(&trial), ["rotation-rate"]);
    }
}

#[test]
fn rotations_alone_are_as_long_as_the_file_holds_them_not_as_it_claims() {
    let mut file = File::float(&[]);
    file.add_rotations(2, &[quarter_turn(1.0, 0.0); 6]);
    file.last_frame = 65_535;
    file.set("POINT", Parameter::real("FRAMES", 4e9));
    let trial = file.read();
    assert_eq!((trial.frames, trial.bodies.len()), (3, 2));
    assert_eq!(trial.bodies[1].missing_samples(), 0);
    assert_eq!(codes(&trial), ["truncated"]);
}

#[test]
fn a_claim_of_more_rotations_than_the_file_has_room_for_gives_none() {
    for (name, value) in [("USED", 6e4), ("USED", 4e9), ("RATIO", 4e9)] {
        let mut file = file_with(&[quarter_turn(1.0, 0.0); 6]);
        file.set("ROTATION", Parameter::real(name, value));
        let trial = file.read();
        assert_eq!((trial.frames, trial.bodies.len()), (3, 0), "{name} {value}");
        assert_eq!(codes(&trial)[0], "rotation-truncated");
    }
}

#[test]
fn rotations_that_start_in_the_header_are_none() {
    for block in [0, 1] {
        let mut file = file_with(&[quarter_turn(1.0, 0.0); 6]);
        file.set("ROTATION", Parameter::integer("DATA_START", block));
        assert_eq!(file.read().bodies.len(), 0);
    }
}

#[test]
fn padding_of_rotations_that_end_early_stays_in_proportion_to_the_file() {
    let mut file = File::integer(&frames(1, 60_000));
    file.add_rotations(2, &[[0.0; 17]; 20_000]);
    file.set("ROTATION", Parameter::integer("USED", 20_000));
    let trial = file.read();
    assert_eq!((trial.frames, trial.bodies.len()), (60_000, 0));
    assert_eq!(codes(&trial), ["rotation-truncated"]);
}
