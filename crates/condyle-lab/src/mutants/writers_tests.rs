//! No writer lets a number out that is not finite, whatever it is given.

use std::sync::OnceLock;

use condyle::figure::Figure;
use condyle::format::atm::Atm;
use condyle::format::mesh::{self, Mesh};
use condyle::format::{self, c3d, gltf, ply};
use condyle::job::{self, Performance};
use condyle::mannequin::Mannequin;
use condyle::motion::Motion;
use condyle::simulate::{self, Performer, simulate};
use condyle::skeleton::{Joint, JointChannel, Skeleton};
use condyle::solid::TriangleMesh;
use condyle::subject::Subject;
use condyle::trial::{Axis, Body, Channel, Format, LengthUnit, Marker, Processor, pose_from_wxyz};
use condyle::{Trial, opensim, robotics};
use nalgebra::{Point3, Vector3};
use proptest::prelude::*;

use super::finite::wrong;

const EXTREME: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    1e12,
    -1e30,
    3.5e38,
    -1e39,
    1e155,
    1e303,
    -1.7e308,
    5e-324,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

fn numbers(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop::sample::select(EXTREME.to_vec()), count)
}

/// A recording with markers, a body, channels and, where its numbers allow one, a skeleton that moves.
fn trial(n: &[f64], unit: LengthUnit) -> Trial {
    let mut trial = Trial::new(Format::Csv, 100.0);
    trial.source.unit = unit;
    trial.frames = 3;
    let point = |at: usize| Some(Point3::new(n[at], n[at + 1], n[at + 2]));
    trial.markers = ["A", "B"]
        .map(|label| Marker::from_positions(label, [point(0), point(3), point(6)]))
        .into();
    let mut body = Body::new("T");
    for at in [0, 4, 8] {
        body.push(pose_from_wxyz([n[at], n[at + 1], n[at + 2]], [n[at + 3], 1.0, 0.5, 0.0]));
    }
    trial.bodies.push(body);
    let mut channel = Channel::from_values("EMG", "V", 100.0, n[9..12].to_vec());
    (channel.scale, channel.offset) = (n[12], n[13]);
    trial.channels.push(channel);
    let mut root = Joint::new("root", None, Vector3::new(n[14], 0.0, 0.0));
    root.channels = vec![JointChannel::Translation(1), JointChannel::Rotation(0)];
    let tip = Joint::new("tip", Some(0), Vector3::new(0.0, n[15], 0.0));
    let motion =
        Skeleton::new(vec![root, tip]).and_then(|own| Motion::new(own, 3, n[..6].to_vec()));
    trial.motion = motion.ok();
    trial
}

/// A file of a kind, unless it was refused, has only numbers that are finite.
fn check(name: &str, write: impl FnOnce(&mut Vec<u8>) -> condyle::Result<()>) {
    let mut bytes = Vec::new();
    if write(&mut bytes).is_ok() {
        assert_eq!(wrong(name, &bytes), None, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_recording_is_written_in_numbers_that_are_finite(
        n in numbers(16),
        rates in numbers(2),
        unit in prop::sample::select(vec![LengthUnit::Metre, LengthUnit::Millimetre, LengthUnit::Inch]),
    ) {
        let mut trial = trial(&n, unit);
        let formats = [
            (Format::Trc, "trc"), (Format::Csv, "csv"), (Format::Sto, "sto"), (Format::Bvh, "bvh"), (Format::Gltf, "glb"),
            (Format::C3d, "c3d"),
        ];
        for turn in 0..3 {
            for (format, ending) in formats {
                check(&format!("a.{ending}"), |out| format::write(&trial, format, out).map(drop));
            }
            let options = c3d::WriteOptions { processor: Processor::Intel, storage: Some(c3d::Storage::Float) };
            check("a.c3d", |out| c3d::write_with(&trial, options, out).map(drop));
            // Without channels a table holds the markers, and at other rates and times.
            trial.channels.clear();
            if turn == 1 {
                [trial.rate_hz, trial.start_s] = [rates[0], rates[1]];
            }
        }
    }

    #[test]
    fn surfaces_are_written_in_numbers_that_are_finite(n in numbers(12)) {
        let vertices_m: Vec<Point3<f64>> = n.chunks_exact(3).map(|p| Point3::new(p[0], p[1], p[2])).collect();
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        if let Ok(own) = Mesh::new(&vertices_m, &triangles, &[]) {
            check("a.mesh", |out| mesh::write(&own, mesh::Storage::Text, out).map(drop));
        }
        let own = TriangleMesh { vertices_m, triangles };
        check("a.txt", |out| ply::write(&own, ply::Storage::Text, out));
    }
}

/// A performer that is solved, once.
fn solved() -> &'static Performance {
    static SOLVED: OnceLock<Performance> = OnceLock::new();
    SOLVED.get_or_init(|| {
        let options =
            simulate::Options { seconds: 1.5, rate_hz: 20.0, ..simulate::Options::default() };
        let trial = simulate(&Performer::human(), &options).unwrap().trial;
        job::run(trial, &job::Options::default()).unwrap()
    })
}

/// The subject with another number in one place of its file, where that is still a subject.
fn with_number(subject: &Subject, place: usize, number: f64) -> Option<Subject> {
    let mut value: serde_json::Value = serde_json::from_str(&subject.to_json().unwrap()).unwrap();
    let mut numbers = Vec::new();
    let mut waiting = vec![&mut value];
    while let Some(value) = waiting.pop() {
        match value {
            serde_json::Value::Array(own) => waiting.extend(own.iter_mut()),
            serde_json::Value::Object(own) => waiting.extend(own.values_mut()),
            serde_json::Value::Number(own) if own.is_f64() => numbers.push(own),
            _ => {}
        }
    }
    let count = numbers.len();
    *numbers[place % count] = serde_json::Number::from_f64(number)?;
    Subject::from_json(&value.to_string()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_subject_is_written_in_numbers_that_are_finite(
        place in 0..5_000_usize,
        number in prop::sample::select(EXTREME.to_vec()),
    ) {
        let Performance { trial, performers, .. } = solved();
        let mut performer = performers[0].clone();
        let Some(subject) = with_number(&performer.subject, place, number) else { return Ok(()) };
        performer.subject = subject;
        let text = |name: &str, text: condyle::Result<String>| check(name, |out| text.map(|text| out.extend(text.bytes())));
        text("a.osim", opensim::model(trial, &performer, None));
        text("a.urdf", robotics::urdf(trial, &performer, None));
        text("a.xml", robotics::mjcf(trial, &performer, None));
        let figure: Option<Figure> = Mannequin::of_subject(&performer.subject, None).ok().map(|own| own.figure);
        if let Some(figure) = figure {
            check("a.glb", |out| gltf::write_figure(&figure, None, Axis::Y, out));
            if let Ok((atm, meshes)) = Atm::of_figure(&figure, "f") {
                text("a.atm", Ok(atm.to_text()));
                for (_, own) in meshes {
                    check("a.mesh", |out| mesh::write(&own, mesh::Storage::Text, out).map(drop));
                }
            }
        }
    }
}
