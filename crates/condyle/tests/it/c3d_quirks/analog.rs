//! Analog channels: alone, unsigned, without scale.

use condyle::trial::{Parameter, ParameterData};

use super::file::{File, codes};

#[test]
fn a_file_of_analog_samples_alone_is_read() {
    let mut file = File::analog(&[[1, 10, 2, 20, 3, 30], [4, 40, 5, 50, 6, 60]]);
    file.analog_ratio = 3;
    file.set("ANALOG", Parameter::integer("USED", 2));
    file.set("ANALOG", Parameter::real("RATE", 300.0));
    file.set("ANALOG", Parameter::strings("LABELS", &["Fx", "Fz"]));
    let trial = file.read();
    assert_eq!((trial.markers.len(), trial.frames, trial.rate_hz), (0, 2, 100.0));
    assert_eq!((trial.channels[1].label.as_str(), trial.channels[1].rate_hz), ("Fz", 300.0));
    assert_eq!(trial.channels[1].raw, [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
    assert_eq!(codes(&trial), [""; 0]);
}

#[test]
fn a_rate_that_gives_no_whole_number_of_samples_a_frame_is_that_of_the_samples() {
    let mut file = File::analog(&[[1, 2, 3], [4, 5, 6]]);
    file.analog_ratio = 3;
    file.set("ANALOG", Parameter::integer("USED", 1));
    file.set("ANALOG", Parameter::real("RATE", 290.0));
    file.set("ANALOG", Parameter::strings("LABELS", &["Fz"]));
    let trial = file.read();
    assert_eq!((trial.channels[0].rate_hz, trial.channels[0].raw.len()), (300.0, 6));
    assert_eq!(codes(&trial), ["analog-rate"]);
}

#[test]
fn unsigned_samples_and_their_offset_are_read_unsigned() {
    for (format, raw, value) in [("UNSIGNED", 40_000.0, 7232.0), ("SIGNED", -25_536.0, 7232.0)] {
        let mut file = File::analog(&[[40_000]]);
        file.set("ANALOG", Parameter::strings("FORMAT", &[format]));
        file.set_integers("ANALOG", "OFFSET", &[-32_768]);
        let trial = file.read();
        assert_eq!((trial.channels[0].raw[0], trial.channels[0].value(0)), (raw, Some(value)));
        assert_eq!(codes(&trial), [""; 0]);
    }
}

#[test]
fn the_scales_of_a_channel_multiply_after_the_offset() {
    let mut file = File::analog(&[[30, 50]]);
    let scales = ParameterData::Real(vec![2.0, 4.0]);
    file.set("ANALOG", Parameter::real("GEN_SCALE", 0.5));
    file.set("ANALOG", Parameter::with("SCALE", vec![2], scales));
    file.set_integers("ANALOG", "OFFSET", &[10, 20]);
    let values: Vec<_> = file.read().channels.iter().map(|c| c.value(0)).collect();
    assert_eq!(values, [Some(20.0), Some(60.0)]);
}

#[test]
fn a_channel_with_scale_zero_keeps_its_samples_and_is_noted() {
    let mut file = File::analog(&[[30, 50]]);
    let scales = ParameterData::Real(vec![0.0, 4.0]);
    file.set("ANALOG", Parameter::with("SCALE", vec![2], scales));
    let trial = file.read();
    assert_eq!((trial.channels[0].raw[0], trial.channels[0].value(0)), (30.0, Some(0.0)));
    assert_eq!(codes(&trial), ["analog-scale"]);
}

#[test]
fn channels_without_labels_are_named_by_their_number() {
    let mut file = File::analog(&[[30, 50]]);
    file.set("ANALOG", Parameter::strings("LABELS", &["Fz"]));
    let trial = file.read();
    assert_eq!((trial.channels[1].label.as_str(), codes(&trial)), ("*2", vec!["labels-missing"]));
}
