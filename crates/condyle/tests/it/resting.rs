//! Markers that fall off, and programs that repeat the last place of a marker that they lost.

use condyle::job::{self, Options, Repair};
use condyle::simulate::{self, Performer, Simulation, simulate};
use condyle::trial::{Origin, Trial};
use nalgebra::Point3;

fn walk(options: simulate::Options) -> Trial {
    let options = simulate::Options { seconds: 6.0, noise_m: 1e-3, ..options };
    let Simulation { trial, .. } = simulate(&Performer::human(), &options).unwrap();
    trial
}

/// Label, first frame, frames and whether samples repeat of every marker that rests.
fn rests(trial: &mut Trial) -> Vec<(String, usize, usize, bool)> {
    let repairs = job::exchange_labels_back(trial, &Options::default()).unwrap();
    let rest = |repair| match repair {
        Repair::MarkerRests { label, frame, frames, is_held } => {
            Some((label, frame, frames, is_held))
        }
        Repair::LabelsExchangedThroughout { pairs } => panic!("{pairs:?}"),
        _ => None,
    };
    repairs.into_iter().filter_map(rest).collect()
}

#[test]
fn a_marker_that_fell_off_is_left_out_from_then_on() {
    for fell in [0, 300] {
        let mut trial = walk(simulate::Options { seed: 3, ..Default::default() });
        let (label, frames) = (trial.markers[20].label.clone(), trial.frames);
        for frame in fell..frames {
            let noise_m = 1e-3 * (frame as f64 * 2.4).sin();
            let floor_m = Point3::new(0.3 + noise_m, 0.4, 0.01);
            trial.markers[20].set(frame, Some(floor_m), Origin::Measured);
        }
        assert_eq!(rests(&mut trial), [(label, fell, frames - fell, false)]);
        assert!((fell..frames).all(|frame| trial.markers[20].position_m(frame).is_none()));
        assert!(fell == 0 || trial.markers[20].position_m(fell - 1).is_some());
    }
}

#[test]
fn samples_that_are_repeated_while_the_segment_moves_are_left_out() {
    let mut trial = walk(simulate::Options { seed: 4, ..Default::default() });
    let label = trial.markers[20].label.clone();
    let held_m = trial.markers[20].position_m(200);
    for frame in 200..280 {
        trial.markers[20].set(frame, held_m, Origin::Measured);
    }
    // The first of them was seen.
    assert_eq!(rests(&mut trial), [(label, 201, 79, true)]);
    assert_eq!(trial.markers[20].position_m(200), held_m);
    // Before a marker is first seen, that place is repeated.
    let mut trial = walk(simulate::Options { seed: 4, ..Default::default() });
    let (label, held_m) = (trial.markers[20].label.clone(), trial.markers[20].position_m(79));
    (0..80).for_each(|frame| trial.markers[20].set(frame, held_m, Origin::Measured));
    assert_eq!(rests(&mut trial), [(label, 0, 79, true)]);
}

#[test]
fn feet_that_stand_and_people_who_do_are_left_alone() {
    for seed in 5..9 {
        let skin_m = if seed % 2 == 0 { 5e-3 } else { 0.0 };
        let options =
            simulate::Options { seed, skin_m, occlusion: 0.02, swaps: 2, ..Default::default() };
        assert_eq!(rests(&mut walk(options)), [], "seed {seed}");
    }
    let mut still = walk(simulate::Options { seed: 5, ..Default::default() });
    for marker in &mut still.markers {
        let place_m = marker.position_m(0);
        (0..600).for_each(|frame| marker.set(frame, place_m, Origin::Measured));
    }
    assert_eq!(rests(&mut still), []);
}
