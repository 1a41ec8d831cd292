//! Units: absent, unknown, wrong, and what the caller knows better.

use condyle::format::ReadOptions;
use condyle::trial::{LengthUnit, Parameter, Trial};

use super::file::{File, codes, frames, place_mm, standing};

/// Someone who stands, in numbers of one unit and a file that says another, or nothing.
fn body(factor: f32, says: Option<&str>) -> File {
    let mut file = File::float(&standing(factor));
    file.remove("POINT", "UNITS");
    says.into_iter().for_each(|unit| file.set("POINT", Parameter::strings("UNITS", &[unit])));
    file
}

fn top_mm(trial: &Trial) -> f64 {
    place_mm(trial, 5, 0).map_or(0.0, |p| (p[2] * 10.0).round() / 10.0)
}

#[test]
fn a_plausible_unit_is_believed() {
    for (factor, says) in
        [(1.0, "mm"), (0.1, "cm"), (0.001, "m"), (0.001, "mete"), (1.0 / 25.4, "in")]
    {
        let trial = body(factor, Some(says)).read();
        assert_eq!((top_mm(&trial), codes(&trial)), (1700.0, vec![]), "{says}");
    }
}

#[test]
fn an_absent_unit_is_guessed_from_the_size_of_a_body() {
    for (factor, unit) in [(1.0, LengthUnit::Millimetre), (0.001, LengthUnit::Metre)] {
        let trial = body(factor, None).read();
        assert_eq!((top_mm(&trial), trial.source.unit), (1700.0, unit));
        assert_eq!((&trial.source.declared_unit, codes(&trial)), (&None, vec!["units"]));
    }
}

#[test]
fn an_absent_unit_with_too_few_points_to_guess_is_millimetres() {
    let mut file = File::float(&frames(1, 2));
    file.remove("POINT", "UNITS");
    let trial = file.read();
    assert_eq!(place_mm(&trial, 0, 0), Some([1.0, 10.0, 1000.0]));
    assert_eq!(codes(&trial), ["units"]);
}

#[test]
fn an_unknown_unit_is_named_and_guessed() {
    let trial = body(0.001, Some("furlong")).read();
    assert_eq!((top_mm(&trial), codes(&trial)), (1700.0, vec!["units", "units"]));
    assert!(trial.notes[0].text.contains("furlong"), "{}", trial.notes[0]);
}

#[test]
fn metres_called_millimetres_are_found_out() {
    let trial = body(0.001, Some("mm")).read();
    assert_eq!((top_mm(&trial), trial.source.unit), (1700.0, LengthUnit::Metre));
    assert_eq!(codes(&trial), ["units"]);
}

#[test]
fn feet_stored_as_metres_are_found_out() {
    let trial = body(1.0 / 304.8, Some("m")).read();
    assert_eq!((top_mm(&trial), trial.source.unit), (1700.0, LengthUnit::Foot));
    assert_eq!(trial.source.declared_unit.as_deref(), Some("m"));
    assert_eq!(codes(&trial), ["units"]);
}

#[test]
fn the_callers_unit_overrides_what_the_file_says_and_what_would_be_guessed() {
    for says in [None, Some("m"), Some("furlong")] {
        let options = ReadOptions { unit: Some(LengthUnit::Metre), ..ReadOptions::default() };
        let trial = body(1.0 / 304.8, says).read_with(&options);
        assert_eq!((top_mm(&trial), trial.source.unit), (5577.4, LengthUnit::Metre));
        let unknown = says == Some("furlong");
        assert_eq!(codes(&trial), if unknown { vec!["units"] } else { vec![] });
    }
}
