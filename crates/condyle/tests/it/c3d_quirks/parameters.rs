//! The chain of parameter records: broken pointers, types, lengths and ids.

use condyle::trial::{Parameter, Trial, parameters};

use super::file::{File, body, codes, frames, place_mm, record, record_pointing};

/// A file whose last records are one's own.
fn file_with(records: &[Vec<u8>]) -> File {
    let mut file = File::float(&frames(2, 3));
    file.records = records.concat();
    file
}

fn seven() -> Vec<u8> {
    body(&Parameter::integer("", 7))
}

fn value(trial: &Trial, group: &str, name: &str) -> Option<f64> {
    parameters::find(&trial.parameters, group, name).and_then(Parameter::first_count)
}

#[test]
fn a_pointer_of_zero_ends_the_chain() {
    let file = file_with(&[record_pointing("LAST", 1, 0, &seven()), record("LOST", 1, &seven())]);
    let trial = file.read();
    assert_eq!(value(&trial, "POINT", "LAST"), Some(7.0));
    assert_eq!(value(&trial, "POINT", "LOST"), None);
    assert_eq!((place_mm(&trial, 1, 2), codes(&trial)), (Some([3.0, 20.0, 1000.0]), vec![]));
}

#[test]
fn a_pointer_backwards_or_beyond_the_section_ends_the_chain_with_a_note() {
    for pointer in [-20i16 as u16, 5000, 0xffff] {
        let odd = record_pointing("LAST", 1, pointer, &seven());
        let trial = file_with(&[odd, record("LOST", 1, &seven())]).read();
        assert_eq!(value(&trial, "POINT", "LAST"), Some(7.0));
        assert_eq!(value(&trial, "POINT", "LOST"), None);
        assert_eq!(codes(&trial), ["parameter-chain"]);
    }
}

#[test]
fn a_pointer_into_the_record_itself_still_ends() {
    let trial = file_with(&[record_pointing("SELF", 1, 1, &seven())]).read();
    assert_eq!(value(&trial, "POINT", "SELF"), Some(7.0));
    assert_eq!(place_mm(&trial, 1, 2), Some([3.0, 20.0, 1000.0]));
}

#[test]
fn a_parameter_of_unknown_type_is_left_out_and_the_next_is_read() {
    for kind in [0, 3, 8, 0x80] {
        let odd = record("ODD", 1, &[kind, 0, 1, 2, 3, 0]);
        let trial = file_with(&[odd, record("NEXT", 1, &seven())]).read();
        assert!(parameters::find(&trial.parameters, "POINT", "ODD").is_none());
        assert_eq!(value(&trial, "POINT", "NEXT"), Some(7.0));
        assert_eq!(codes(&trial), ["parameter-broken"]);
    }
}

#[test]
fn a_parameter_whose_values_run_past_the_section_is_left_out_and_the_next_is_read() {
    for dimensions in [vec![2, 255, 255], vec![7; 8], vec![255; 200]] {
        let odd = record("ODD", 1, &[vec![4], dimensions, vec![0; 9]].concat());
        let trial = file_with(&[odd, record("NEXT", 1, &seven())]).read();
        assert!(parameters::find(&trial.parameters, "POINT", "ODD").is_none());
        assert_eq!(value(&trial, "POINT", "NEXT"), Some(7.0));
        assert_eq!(codes(&trial), ["parameter-broken"]);
    }
}

#[test]
fn a_parameter_of_a_group_the_file_does_not_name_gets_one() {
    let trial = file_with(&[record("STRAY", 9, &seven())]).read();
    assert_eq!(value(&trial, "GROUP_9", "STRAY"), Some(7.0));
    assert_eq!(codes(&trial), ["group-unnamed"]);
}

#[test]
fn a_group_named_after_its_parameters_is_found() {
    let records = [record("EARLY", 9, &seven()), record("LATE", -9, &[0])];
    let trial = file_with(&records).read();
    assert_eq!((value(&trial, "LATE", "EARLY"), codes(&trial)), (Some(7.0), vec![]));
}

#[test]
fn a_file_without_parameters_is_read_by_its_header() {
    let mut file = File::float(&frames(2, 3));
    file.groups.clear();
    let trial = file.read();
    assert_eq!((trial.markers[1].label.as_str(), trial.rate_hz), ("*2", 100.0));
    assert_eq!(place_mm(&trial, 1, 2), Some([3.0, 20.0, 1000.0]));
    assert_eq!(codes(&trial), ["parameters-empty", "labels-missing", "units"]);
}
