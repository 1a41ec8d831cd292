//! Page 105: how many pairs of limbs a second.

use std::time::Instant;

use condyle::predict::{Body, BodyJoint, BodySegment, Options, Predictor};
use nalgebra::{Point3, UnitQuaternion, Vector3};

use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

/// Gaps of so many frames, one after the other; the fastest of them counts, for other programs only slow them down.
const GAPS: usize = 60;
const GAP_FRAMES: usize = 960;
/// What is wanted, a second, on one core.
const WANTED: f64 = 200_000.0;

/// Two segments of three markers that swing about a common centre.
fn frame(index: usize) -> Vec<Option<Point3<f64>>> {
    let t = index as f64 / 480.0;
    let shape = [
        Vector3::new(0.05, 0.0, 0.1),
        Vector3::new(-0.04, 0.03, 0.2),
        Vector3::new(0.0, -0.05, 0.3),
    ];
    let turn = |phase: f64| {
        UnitQuaternion::new(Vector3::new(
            (2.0 * t + phase).sin(),
            0.5 * (3.1 * t).cos(),
            0.4 * (1.7 * t + phase).sin(),
        ))
    };
    let centre = Point3::new((0.7 * t).sin(), 0.0, 1.0);
    let upper = shape.map(|at| Some(centre + turn(0.0) * at));
    let lower = shape.map(|at| Some(centre - turn(1.3) * at));
    upper.into_iter().chain(lower).collect()
}

fn pairs_a_second(hidden: &[usize], options: Options) -> f64 {
    let segment =
        |first: usize| BodySegment { markers: (first..first + 3).collect(), in_segment_m: None };
    let joints = vec![BodyJoint { segments: [0, 1], centres_m: None }];
    let body = Body { markers: 6, segments: vec![segment(0), segment(3)], joints };
    let Ok(mut predictor) = Predictor::new(&body, 480.0, options) else { return 0.0 };
    (0..960).for_each(|index| {
        predictor.step(&frame(index), &[]);
    });
    let mut frames: Vec<_> = (960..960 + GAP_FRAMES).map(frame).collect();
    frames.iter_mut().for_each(|frame| hidden.iter().for_each(|marker| frame[*marker] = None));
    let seconds = (0..GAPS).map(|_| {
        let mut predictor = predictor.clone();
        let since = Instant::now();
        frames.iter().for_each(|frame| {
            predictor.step(frame, &[]);
        });
        since.elapsed().as_secs_f64()
    });
    GAP_FRAMES as f64 / seconds.fold(f64::INFINITY, f64::min)
}

/// One, two and all markers of both segments missing.
pub fn run(_: &Lab) -> Section {
    let cases = [
        ("one marker of each missing", &[0, 3][..]),
        ("two markers of each missing", &[0, 1, 3, 4][..]),
        ("all markers of both missing", &[0, 1, 2, 3, 4, 5][..]),
    ];
    let lines = cases.map(|(name, hidden)| {
        let got = pairs_a_second(hidden, Options::as_printed());
        Line::new(format!("pairs of segments a second on one core, {name}"), "table 4.1, page 105")
            .compare("315; wanted 200,000", format!("{got:.0}"))
            .holds(got >= WANTED)
    });
    Section {
        text: vec!["Two segments of three markers each; every frame both of them predict, in gaps of two seconds.".into()],
        lines: lines.into(),
        ..Section::default()
    }
}
