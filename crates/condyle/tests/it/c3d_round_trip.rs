//! A C3D file survives reading, writing and reading again; twins of one trial agree.

use crate::recordings;
use std::io::Cursor;
use std::path::Path;

use condyle::format::c3d::{self, Storage, WriteOptions};
use condyle::format::{ReadOptions, read_path};
use condyle::resample::resample;
use condyle::trial::{
    Axis, Body, C3dStorage, Channel, Event, Format, Group, Marker, Parameter, ParameterData,
    Processor, Trial, edit,
};
use nalgebra::Point3;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Trial {
    c3d::read(Cursor::new(bytes), &ReadOptions::default()).unwrap()
}

fn written(trial: &Trial, options: WriteOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    c3d::write_with(trial, options, &mut bytes).unwrap();
    bytes
}

/// The trial without what describes the layout of one particular file.
fn content(mut trial: Trial) -> Trial {
    trial.source.variant.clear();
    trial.source.c3d = None;
    trial.notes.clear();
    trial
}

/// Whether a parameter of a recording must change when the recording is written.
fn must_change(group: &str, parameter: &Parameter, was: &Trial) -> bool {
    let noted = |code: &str| was.notes.iter().any(|note| note.code == code);
    match (group, parameter.name.as_str()) {
        // The samples start elsewhere: the new parameters take another number of blocks.
        ("POINT", "DATA_START") => true,
        // The header or the length of the file knew better, and the parameter now says it too.
        ("POINT", "USED") => noted("header-parameters"),
        ("POINT", "FRAMES") => noted("wrong-count"),
        ("POINT", "SCALE") => noted("scale"),
        // Not what the whole number of samples in a frame makes.
        ("ANALOG", "RATE") => noted("analog-rate"),
        // Labels that name nothing are not carried on, so that others read the file without doubt.
        ("POINT" | "ANALOG", "LABELS") => noted("labels-extra") || noted("labels-missing"),
        // Offsets that wrapped are unwrapped, and whole ones kept as floats stop other programs.
        ("ANALOG", "OFFSET") if matches!(parameter.data, ParameterData::Real(_)) => true,
        ("ANALOG", "OFFSET") if noted("analog-offset") => true,
        // Other programs index these without looking how many there are.
        ("ANALOG", "SCALE" | "OFFSET") => parameter.to_numbers().len() < was.channels.len(),
        ("ANALOG", "FORMAT") => noted("analog-offset"),
        _ => false,
    }
}

#[test]
fn a_power_of_zero_is_a_value_and_a_place_at_zero_is_a_gap() {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = 2;
    let positions = [Some(Point3::origin()), Some(Point3::new(0.0, 0.0, 0.5))];
    trial.markers =
        ["LKNE", "JOE:LKneePower"].map(|label| Marker::from_positions(label, positions)).into();
    let powers = Parameter::strings("POWERS", &["LKneePower"]);
    trial.parameters =
        vec![Group { name: "POINT".into(), parameters: vec![powers], ..Group::default() }];
    let again = read(&written(&trial, WriteOptions::default()));
    let missing: Vec<usize> = again.markers.iter().map(Marker::missing_samples).collect();
    assert_eq!(missing, [1, 0]);
}

#[test]
fn without_analog_data_header_and_parameters_agree_about_its_rate() {
    let cases = [
        (None, 100.0, 1),
        (Some(0.0), 100.0, 0),
        (Some(1000.0), 100.0, 10),
        (Some(1000.0), 33.0, 1),
    ];
    for (declared_hz, rate_hz, header) in cases {
        let mut trial = Trial::new(Format::C3d, rate_hz);
        trial.frames = 1;
        trial.markers = vec![Marker::from_positions("A", [Some(Point3::new(1.0, 2.0, 3.0))])];
        let parameters = declared_hz.map(|hz| Parameter::real("RATE", hz)).into_iter().collect();
        trial.parameters = vec![Group { name: "ANALOG".into(), parameters, ..Group::default() }];
        let bytes = written(&trial, WriteOptions::default());
        assert_eq!(u16::from_le_bytes([bytes[18], bytes[19]]), header, "{declared_hz:?} {rate_hz}");
        let again = read(&bytes);
        let analog = again.parameters.iter().find(|group| group.name == "ANALOG").unwrap();
        let rate = analog.parameters.iter().find(|parameter| parameter.name == "RATE");
        let times = rate.map(|rate| rate.to_numbers()[0] / again.rate_hz);
        assert!(times.is_none_or(|times| times == f64::from(header)), "{times:?}");
    }
}

#[test]
fn every_recording_survives_writing_and_reading() {
    let Some(folder) = recordings::folder() else { return };
    let mut count = 0;
    for path in recordings::files(&folder, &["c3d"]) {
        let Ok(trial) = read_path(&path, &ReadOptions::default()) else { continue };
        let name = recordings::name(&folder, &path);
        let again = read(&written(&trial, WriteOptions::default()));
        for group in &trial.parameters {
            let same = again.parameters.iter().find(|other| other.name == group.name);
            let same = same.unwrap_or_else(|| panic!("{name}: group {} is gone", group.name));
            for parameter in &group.parameters {
                let kept = same.parameters.iter().any(|other| other == parameter);
                let changes = must_change(&group.name, parameter, &trial);
                assert!(kept || changes, "{name}: {}:{} changed", group.name, parameter.name);
            }
        }
        let (was, mut now) = (content(trial), content(again));
        now.parameters.clone_from(&was.parameters);
        now.source.declared_unit.clone_from(&was.source.declared_unit);
        assert_eq!(was.markers.len(), now.markers.len(), "{name}");
        for (a, b) in was.markers.iter().zip(&now.markers) {
            assert!(a == b, "{name}: marker {} changed", a.label);
        }
        // C3D has no mark for an analog value that is missing: it comes back as the offset, nothing measured.
        let bits = |trial: &Trial| -> Vec<_> {
            let bits = |c: &Channel| {
                let held = c.raw.iter().map(|v| if v.is_nan() { c.offset } else { *v });
                held.map(f64::to_bits).collect::<Vec<_>>()
            };
            let named = |c: &Channel| (c.label.clone(), c.unit.clone(), c.scale, c.offset, bits(c));
            trial.channels.iter().map(named).collect()
        };
        assert!(bits(&was) == bits(&now), "{name}: channels changed");
        let without_samples = |mut trial: Trial| {
            trial.markers.clear();
            trial.channels.clear();
            trial.parameters.clear();
            trial
        };
        let (was, now) = (without_samples(was), without_samples(now));
        assert!(was == now, "{name}: was {was:?}\nnow {now:?}");
        count += 1;
    }
    assert!(count > 90, "only {count} recordings were read");
}

#[test]
fn a_guess_of_what_is_up_is_not_written_into_a_file_that_says_otherwise() {
    let mut trial = Trial::new(Format::Trc, 100.0);
    trial.frames = 1;
    let standing = |i: u8| Point3::new(0.01, 0.05 * f64::from(i), 0.01 + 0.3 * f64::from(i));
    let marker = |i: u8| Marker::from_positions(format!("M{i}"), [Some(standing(i))]);
    trial.markers = (0..7).map(marker).collect();
    trial.source.up = Some(Axis::Y);
    let once = read(&written(&trial, WriteOptions::default()));
    let twice = read(&written(&once, WriteOptions::default()));
    for trial in [&once, &twice] {
        let source = &trial.source;
        assert_eq!((source.declared_up, source.up), (Some(Axis::Y), Some(Axis::Z)));
        assert!(source.up_is_guessed);
    }
    // Whoever asks for an axis says it.
    let asked = edit::with_up(once, Axis::Z).unwrap();
    let again = read(&written(&asked, WriteOptions::default()));
    assert_eq!(again.source.declared_up, Some(Axis::Z));
}

/// The largest difference of a coordinate between two trials of the same markers, in metres.
fn largest_difference_m(a: &Trial, b: &Trial) -> f64 {
    assert_eq!((a.markers.len(), a.frames), (b.markers.len(), b.frames));
    let mut largest: f64 = 0.0;
    for (a, b) in a.markers.iter().zip(&b.markers) {
        assert!(a.origins().eq(b.origins()), "{}", a.label);
        for frame in 0..a.frames() {
            if let (Some(p), Some(q)) = (a.position_m(frame), b.position_m(frame)) {
                largest = largest.max((p - q).amax());
            }
        }
    }
    largest
}

#[test]
fn twins_on_every_machine_agree_to_the_files_resolution() {
    let Some(folder) = recordings::folder() else { return };
    let folder = folder.join("c3dorg");
    let sets: [(&str, &[&str]); 3] = [
        ("sample_01", &["Eb015pi.c3d", "Eb015pr.c3d", "Eb015vi.c3d", "Eb015vr.c3d"]),
        ("sample_02", &["pc_int.c3d", "pc_real.c3d", "dec_int.c3d", "dec_real.c3d", "sgi_int.c3d"]),
        ("sample_08", &["TESTAPI.c3d", "TESTBPI.c3d", "TESTCPI.c3d"]),
    ];
    let open = |set: &str, file: &str| {
        read_path(&Path::new(&folder).join(set).join(file), &ReadOptions::default()).unwrap()
    };
    for (set, files) in sets {
        let first = open(set, files[0]);
        for file in &files[1..] {
            let twin = open(set, file);
            let difference_m = largest_difference_m(&first, &twin);
            // The twins were made from a finer original, each rounded in its own way.
            let allowed_m = f64::from(first.source.c3d.unwrap().scale) * 0.001 + 1e-12;
            println!("{set} {file}: {:.6} mm from {}", difference_m * 1e3, files[0]);
            assert!(
                difference_m <= allowed_m,
                "{set} {file}: {difference_m} m, {allowed_m} allowed"
            );
            let raw =
                |trial: &Trial| trial.channels.iter().map(|c| c.raw.clone()).collect::<Vec<_>>();
            assert_eq!(raw(&first), raw(&twin), "{set} {file}");
        }
    }
}

#[test]
fn a_recording_resampled_to_an_odd_rate_keeps_its_force_plates() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("opensim").join("walking2.c3d");
    let trial = read_path(&path, &ReadOptions::default()).unwrap();
    let labels = |trial: &Trial| trial.channels.iter().map(|c| c.label.clone()).collect::<Vec<_>>();
    let again = read(&written(&resample(trial.clone(), 60.0).unwrap(), WriteOptions::default()));
    assert_eq!((again.frames, again.rate_hz, again.channels.len()), (300, 60.0, 12));
    assert_eq!(labels(&again), labels(&trial));
    assert!(again.channels.iter().all(|c| c.rate_hz == 2040.0 && c.raw.len() == 300 * 34));
}

fn any_marker(frames: usize, step: f64) -> impl Strategy<Value = Marker> {
    let sample = prop_oneof![
        1 => Just(None),
        4 => (prop::array::uniform3(-30_000i32..30_000), 0u8..=255, 0u8..128)
            .prop_filter("not at the origin", |(at, ..)| *at != [0; 3])
            .prop_map(Some),
    ];
    let samples = prop::collection::vec(sample, frames);
    ("[A-Z]{1,4}(:[A-Z]{1,6})?", samples).prop_map(move |(label, samples)| {
        let place = |at: [i32; 3]| Point3::from(at.map(|v| f64::from(v) * step * 0.001));
        let mut marker = Marker::from_positions(
            label,
            samples.iter().map(|sample| sample.map(|(at, ..)| place(at))),
        );
        for (frame, sample) in samples.iter().enumerate() {
            if let Some((_, residual, cameras)) = sample {
                if (*residual, *cameras) != (0, 0) {
                    marker.set_residual_step_m(0.000_125);
                }
                marker.set_quality(frame, *residual, *cameras);
            }
        }
        marker
    })
}

fn any_trial() -> impl Strategy<Value = Trial> {
    (1usize..20, 0usize..4, 0usize..3, 1usize..4, 1i64..70_000).prop_flat_map(
        |(frames, markers, channels, ratio, first_frame)| {
            // Integers are signed or unsigned, but the same for all channels and offsets.
            let number = prop_oneof![Just(-32_768..32_768i32), Just(0..65_536)];
            let channels = number.prop_flat_map(move |number| {
                let values = prop::collection::vec(number.clone(), frames * ratio);
                prop::collection::vec((values, "[A-Z]{1,8}", number), channels)
            });
            let events = prop::collection::vec(("[a-z]{1,9}", "[A-Z]{0,5}", 0u16..5000), 0..4);
            (prop::collection::vec(any_marker(frames, 0.125), markers), channels, events).prop_map(
                move |(markers, channels, events)| {
                    let mut trial = Trial::new(Format::C3d, 100.0);
                    trial.frames = frames;
                    trial.first_frame = first_frame;
                    trial.start_s = (first_frame - 1) as f64 / 100.0;
                    trial.source.unit = condyle::trial::LengthUnit::Millimetre;
                    trial.source.c3d =
                        Some(C3dStorage { processor: Processor::Intel, float: true, scale: 0.125 });
                    trial.markers = markers;
                    trial.channels = channels
                        .into_iter()
                        .map(|(values, label, offset)| {
                            let raw = values.into_iter().map(f64::from).collect();
                            let rate_hz = 100.0 * ratio as f64;
                            let mut channel = Channel::from_values(label, "N", rate_hz, raw);
                            (channel.scale, channel.offset) = (0.5, offset.into());
                            channel
                        })
                        .collect();
                    trial.events = events
                        .into_iter()
                        .map(|(label, context, quarters)| {
                            let mut event = Event::new(label, f64::from(quarters) / 4.0);
                            event.context = context;
                            event
                        })
                        .collect();
                    trial
                },
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_trial_survives_on_every_machine_and_in_every_storage(trial in any_trial()) {
        prop_assume!(!trial.markers.is_empty() || !trial.channels.is_empty());
        for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
            for storage in [Storage::Float, Storage::Integer] {
                let options = WriteOptions { processor, storage: Some(storage) };
                let again = read(&written(&trial, options));
                prop_assert_eq!(&again.markers, &trial.markers);
                prop_assert_eq!(&again.channels, &trial.channels);
                prop_assert_eq!(&again.events, &trial.events);
                prop_assert_eq!(again.rate_hz, trial.rate_hz);
                prop_assert_eq!(again.first_frame, trial.first_frame);
                prop_assert_eq!(again.start_s, trial.start_s);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_resampled_trial_keeps_its_channels_and_their_clock(
        frames in 2usize..60, ratio in 1usize..9, rate_hz in 20.0..500.0f64,
    ) {
        let mut trial = long_trial(frames, 1);
        let ramp = (0..frames * ratio).map(|sample| sample as f64).collect();
        trial.channels = vec![Channel::from_values("Fz", "N", 100.0 * ratio as f64, ramp)];
        let again = read(&written(&resample(trial, rate_hz).unwrap(), WriteOptions::default()));
        let channel = &again.channels[0];
        prop_assert_eq!(channel.raw.len() % again.frames, 0);
        for (sample, value) in channel.raw.iter().enumerate() {
            let expected = sample as f64 / channel.rate_hz * 100.0 * ratio as f64;
            // Beyond the end of the ramp the last sample before it is held.
            let last = (frames * ratio - 1) as f64;
            let (expected, within) = if expected > last { (last, 1.0) } else { (expected, 1e-4) };
            prop_assert!((value - expected).abs() <= within, "{sample}: {value}, not {expected}");
        }
    }
}

fn long_trial(frames: usize, markers: usize) -> Trial {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = frames;
    for m in 0..markers {
        let at = |f: usize| Some(Point3::new(1.0 + m as f64 / 512.0, f as f64 / 8192.0, 0.5));
        trial.markers.push(Marker::from_positions(format!("M{m}"), (0..frames).map(at)));
    }
    trial
}

#[test]
fn more_than_65535_frames_and_more_than_255_labels_survive() {
    for trial in [long_trial(70_001, 1), long_trial(2, 600)] {
        let again = read(&written(&trial, WriteOptions::default()));
        assert_eq!(again.frames, trial.frames);
        assert!(again.markers == trial.markers);
    }
}

#[test]
fn parameters_and_rotations_survive() {
    let mut trial = long_trial(5, 2);
    trial.parameters.push(Group {
        name: "FORCE_PLATFORM".into(),
        description: "plates".into(),
        locked: true,
        parameters: vec![
            Parameter::with("CORNERS", vec![3, 4, 1], ParameterData::Real(vec![1.5; 12])),
            Parameter::with("RAW", vec![2], ParameterData::Byte(vec![7, 255])),
        ],
    });
    let mut body = Body::new("pelvis");
    for frame in 0..5 {
        let turn = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.2 * f64::from(frame), 1.0);
        let pose =
            nalgebra::Isometry3::from_parts(nalgebra::Translation3::new(0.5, 1.0, 2.0), turn);
        body.push((frame != 2).then_some(pose));
    }
    trial.bodies.push(body);
    let again = read(&written(&trial, WriteOptions::default()));
    assert!(again.parameters.contains(&trial.parameters[0]));
    assert_eq!(again.bodies.len(), 1);
    for frame in 0..5 {
        match (trial.bodies[0].world_from_body(frame), again.bodies[0].world_from_body(frame)) {
            (Some(a), Some(b)) => {
                assert!((a.translation.vector - b.translation.vector).norm() < 1e-6);
                assert!(a.rotation.angle_to(&b.rotation) < 1e-6);
            }
            (a, b) => assert_eq!(a, b),
        }
    }
    assert!(again.markers == trial.markers);
}

#[test]
fn labels_of_markers_taken_out_are_not_written() {
    let mut trial = read(&written(&long_trial(2, 5), WriteOptions::default()));
    trial.markers.truncate(3);
    let again = read(&written(&trial, WriteOptions::default()));
    assert_eq!((again.markers.len(), again.notes.len()), (3, 0), "{:?}", again.notes);
}

#[test]
fn a_frame_number_beyond_every_field_does_not_stop_writing() {
    for first_frame in [i64::MAX, i64::MIN, -5, 1 << 40] {
        let mut trial = long_trial(3, 1);
        trial.first_frame = first_frame;
        let mut bytes = Vec::new();
        let notes = c3d::write(&trial, &mut bytes).unwrap();
        assert!(notes.iter().any(|note| note.code == "first-frame"), "{first_frame}: {notes:?}");
        let again = read(&bytes);
        assert_eq!(again.frames, 3);
        assert!(again.markers == trial.markers);
    }
}

#[test]
fn what_a_file_cannot_hold_is_noted() {
    let codes = |trial: &Trial| -> Vec<std::borrow::Cow<'static, str>> {
        let notes = c3d::write(trial, &mut Vec::new()).unwrap();
        notes.into_iter().map(|note| note.code).collect()
    };
    assert_eq!(codes(&long_trial(3, 1)), [""; 0]);
    let mut late = long_trial(3, 1);
    late.start_s = 5.0;
    late.events.push(Event::new("HS", 5.01));
    assert_eq!(codes(&late), ["start-shifted"]);
    let again = read(&written(&late, WriteOptions::default()));
    assert!((again.events[0].time_s - 0.01).abs() < 1e-6, "{:?}", again.events);
    let far = |x| Marker::from_positions("A", [Some(Point3::new(x, 1.0, 1.0)); 3]);
    let mut huge = long_trial(3, 1);
    huge.markers = vec![far(1e300)];
    assert_eq!(codes(&huge), ["clipped"]);
    let mut coarse = long_trial(3, 1);
    coarse.markers = vec![far(1_234.567_890_123)];
    assert_eq!(codes(&coarse), ["rounded"]);
    let mut turning = Body::new("imu");
    turning.has_positions = false;
    (0..3).for_each(|_| turning.push(Some(nalgebra::Isometry3::identity())));
    let mut turned = long_trial(3, 1);
    turned.bodies = vec![turning];
    assert_eq!(codes(&turned), ["positions-made-up"]);
}
