use nalgebra::{Point3, Vector3};

use super::*;
use crate::trial::{Channel, Format, Group, LengthUnit, Parameter, ParameterData};

/// A plate 0.4 m by 0.6 m about (1, 2, 0), z down, its transducer 0.05 m below the surface.
fn recording(plate_type: i16, values: &[Vec<f64>], extra: Vec<Parameter>) -> Trial {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.source.unit = LengthUnit::Metre;
    let of_channel = |channel: usize| {
        let values = values.iter().map(|row| row[channel]).collect();
        Channel::from_values("", "Nm", 1000.0, values)
    };
    let count = values[0].len();
    trial.channels = (0..count).map(of_channel).collect();
    let real = |name, dimensions: &[u8], values: &[f32]| {
        Parameter::with(name, dimensions.to_vec(), ParameterData::Real(values.to_vec()))
    };
    let corners = [1.2, 1.7, 0.0, 0.8, 1.7, 0.0, 0.8, 2.3, 0.0, 1.2, 2.3, 0.0];
    let numbers: Vec<i16> = (1..=count as i16).collect();
    let mut parameters = vec![
        Parameter::integer("USED", 1),
        Parameter::with("TYPE", vec![1], ParameterData::Integer(vec![plate_type])),
        real("CORNERS", &[3, 4, 1], &corners),
        real("ORIGIN", &[3, 1], &if plate_type == 3 { [0.1, 0.2, 0.05] } else { [0.0, 0.0, 0.05] }),
        Parameter::with("CHANNEL", vec![count as u8, 1], ParameterData::Integer(numbers)),
    ];
    parameters.retain(|own| extra.iter().all(|other| other.name != own.name));
    parameters.extend(extra);
    let group = Group { name: "FORCE_PLATFORM".into(), parameters, ..Group::default() };
    trial.parameters = vec![group];
    trial
}

/// Nobody for 100 samples, then 700 N at (0.06, -0.1) of the plate for 200, then nobody.
fn stepped_on(loaded: [f64; 6]) -> Vec<Vec<f64>> {
    let idle = [1.0, -2.0, 3.0, 0.1, 0.2, -0.1];
    let row = |sample: usize| {
        let is_loaded = (100..300).contains(&sample);
        (0..6).map(|i| idle[i] + if is_loaded { loaded[i] } else { 0.0 }).collect()
    };
    (0..500).map(row).collect()
}

/// Force and moment about a transducer 0.05 m below (plate z is down).
fn transducer() -> [f64; 6] {
    let force = Vector3::new(50.0, -20.0, -700.0);
    let arm = Vector3::new(0.06, -0.1, -0.05);
    let moment = arm.cross(&force) + Vector3::new(0.0, 0.0, 4.0);
    [force.x, force.y, force.z, moment.x, moment.y, moment.z]
}

fn check(trial: &Trial) {
    let (plates, notes) = read(trial, Vector3::z());
    assert!(notes.is_empty(), "{notes:?}");
    let plate = &plates[0];
    // Plate x is world x; y and z are turned over.
    assert!(
        (plate.forces_n[200] - Vector3::new(50.0, 20.0, 700.0)).norm() < 1e-3,
        "{:?}",
        plate.forces_n[200]
    );
    let at = plate.centre_of_pressure_m(200).unwrap();
    assert!((at - Point3::new(1.06, 2.1, 0.0)).norm() < 1e-5, "{at}");
    assert!((plate.free_moment_nm(200).unwrap() - Vector3::new(0.0, 0.0, -4.0)).norm() < 1e-3);
    assert_eq!(plate.centre_of_pressure_m(20), None);
    let contacts = plate.contacts(0.05);
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].begin_s.unwrap() - (99.0 + 20.0 / 700.0) / 1000.0).abs() < 1e-6);
    assert!((contacts[0].end_s.unwrap() - (300.0 - 20.0 / 700.0) / 1000.0).abs() < 1e-6);
    assert!(plate.is_over(&Point3::new(1.19, 2.29, 0.3), 0.0));
    assert!(!plate.is_over(&Point3::new(1.21, 2.0, 0.0), 0.0));
}

#[test]
fn every_type_gives_the_same_force_at_the_same_place() {
    check(&recording(2, &stepped_on(transducer()), vec![]));
    // Type 1 has the point and the free moment themselves.
    check(&recording(
        1,
        &stepped_on([50.0, -20.0, -700.0, 0.06, -0.1, 4.0])
            .iter()
            .map(|row| {
                let mut row = row.clone();
                (row[3], row[4]) = if row[2] < -300.0 { (0.06, -0.1) } else { (0.0, 0.0) };
                // What a type 1 plate shows without load is no moment arm: keep forces free of a baseline.
                for i in 0..3 {
                    row[i] -= [1.0, -2.0, 3.0][i];
                }
                row[5] += 0.1;
                row
            })
            .collect::<Vec<_>>(),
        vec![],
    ));
    let matrix: Vec<f32> = (0..36).map(|i| if i % 7 == 0 { 2.0 } else { 0.0 }).collect();
    let matrix = Parameter::with("CAL_MATRIX", vec![6, 6, 1], ParameterData::Real(matrix));
    check(&recording(4, &stepped_on(transducer().map(|v| v / 2.0)), vec![matrix]));
    let [fx, fy, fz, mx, my, mz] = transducer();
    let (a, b) = (0.1, 0.2);
    // Any eight forces with these sums.
    let x12 = (fx - mz / b) / 2.0;
    let z = |sx: f64, sy: f64| fz / 4.0 + sy * mx / (4.0 * b) - sx * my / (4.0 * a);
    let eight =
        [x12, fx - x12, fy / 2.0, fy / 2.0, z(1.0, 1.0), z(-1.0, 1.0), z(-1.0, -1.0), z(1.0, -1.0)];
    let rows: Vec<Vec<f64>> = (0..500)
        .map(|sample| eight.map(|v| if (100..300).contains(&sample) { v } else { 0.0 }).to_vec())
        .collect();
    check(&recording(3, &rows, vec![]));
}

#[test]
fn a_plate_that_shows_the_weight_instead_of_the_reaction_is_turned_over() {
    check(&recording(2, &stepped_on(transducer().map(|v| -v)), vec![]));
}

#[test]
fn a_plate_without_corners_channels_or_a_known_type_is_left_out_and_said() {
    let rows = stepped_on(transducer());
    let corners = Parameter::with("CORNERS", vec![3, 4, 0], ParameterData::Real(vec![]));
    let flat = Parameter::with("CORNERS", vec![3, 4, 1], ParameterData::Real(vec![0.0; 12]));
    let channels =
        Parameter::with("CHANNEL", vec![6, 1], ParameterData::Integer(vec![1, 2, 3, 4, 5, 900]));
    for (plate_type, extra, why) in [
        (
            2,
            vec![corners],
            "force plate 1 is left out: need its four corners (FORCE_PLATFORM:CORNERS), got none",
        ),
        (2, vec![flat], "force plate 1 is left out: its four corners are not those of a surface"),
        (2, vec![channels], "force plate 1 is left out: need 6 channels, got 5"),
        (4, vec![], "force plate 1 is left out: type 4 needs CAL_MATRIX, got none"),
        (7, vec![], "force plate 1 is left out: type: need 1 to 4, got 7"),
    ] {
        let (plates, notes) = read(&recording(plate_type, &rows, extra), Vector3::z());
        assert!(plates.is_empty());
        assert_eq!(notes[0].text, why);
    }
    assert!(read(&Trial::new(Format::C3d, 100.0), Vector3::z()).0.is_empty());
}
