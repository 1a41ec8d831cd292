use super::*;
use crate::simulate::{self, Performer, simulate};

fn found(options: &simulate::Options) -> (Vec<Slip>, simulate::Truth) {
    let options = simulate::Options { seconds: 10.0, noise_m: 1e-3, ..options.clone() };
    let simulate::Simulation { trial, truth, .. } =
        simulate(&Performer::human(), &options).unwrap();
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    (find(&trial, &markers), truth)
}

#[test]
fn a_marker_that_slips_by_a_centimetre_is_found_in_time_and_size() {
    for (seed, skin_m) in [(1, 0.0), (2, 5e-3), (4, 0.0)] {
        let options =
            simulate::Options { seed, skin_m, slips: 1, slip_m: 0.01, ..Default::default() };
        let (slips, truth) = found(&options);
        let [slip] = slips[..] else { panic!("seed {seed}: {slips:?}, not {:?}", truth.slips) };
        assert_eq!(slip.marker, truth.slips[0].marker, "seed {seed}");
        assert!(slip.frame.abs_diff(truth.slips[0].frame) <= 10, "{slip:?} {:?}", truth.slips);
        assert!((slip.shift_m - 0.01).abs() < 3e-3, "{slip:?}");
    }
}

#[test]
fn markers_that_stay_in_place_do_not_slip() {
    for (seed, skin_m) in [(4, 0.0), (5, 5e-3)] {
        let (slips, _) = found(&simulate::Options { seed, skin_m, ..Default::default() });
        assert_eq!(slips, [], "seed {seed}");
    }
}
