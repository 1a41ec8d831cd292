//! Frames are placed, and taken in by a calibration, without allocating.
#![allow(missing_docs, clippy::unwrap_used)]

use allocation_counter::measure;
use condyle::calibrate::{Calibration, MAX_FRAMES};
use condyle::simulate::{Options, Performer, simulate};
use condyle::solve::Solver;

#[test]
fn neither_a_pose_nor_a_frame_that_is_taken_in_allocates() {
    // Markers that hide make the solver take every way it knows.
    let options = Options {
        seconds: 4.0,
        noise_m: 1e-3,
        occlusion: 0.2,
        marker_set: Some("cmu41".into()),
        ..Options::default()
    };
    let simulation = simulate(&Performer::human(), &options).unwrap();
    let trial = &simulation.trial;
    let labels = trial.labels();
    let frames: Vec<_> = (0..trial.frames)
        .map(|frame| {
            let mut positions_m = vec![None; labels.len()];
            trial.positions_m(frame, &mut positions_m);
            positions_m
        })
        .collect();
    let performer = &simulation.truth.plan.performers[0];
    let mut calibration = Calibration::new(performer, &labels).unwrap();
    frames.iter().for_each(|frame| calibration.push(frame));
    let subject = calibration.fit().unwrap();

    let solver = Solver::new(&subject, &labels).unwrap();
    let mut pose = solver.pose();
    let posing = measure(|| frames.iter().for_each(|frame| solver.solve(frame, &mut pose)));
    assert_eq!(posing.count_total, 0, "posing {} frames: {posing:?}", frames.len());

    // Memory grows until the most frames that are kept are there, and never again.
    let mut stream = frames.iter().cycle();
    stream.by_ref().take(MAX_FRAMES).for_each(|frame| calibration.push(frame));
    let feeding = measure(|| stream.take(2 * MAX_FRAMES).for_each(|frame| calibration.push(frame)));
    assert_eq!(feeding.count_total, 0, "feeding {} frames: {feeding:?}", 2 * MAX_FRAMES);
}
