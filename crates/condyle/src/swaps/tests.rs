use nalgebra::{Point3, Vector3};

use super::*;
use crate::simulate::{self, Performer, simulate};
use crate::trial::{Format, Marker, Origin};

/// A person with 1 mm of noise: as recorded, and with every label on its own marker.
fn recording(options: simulate::Options) -> (Trial, Trial, simulate::Truth) {
    let options = simulate::Options { seconds: 8.0, noise_m: 1e-3, ..options };
    let simulate::Simulation { trial, truth, .. } =
        simulate(&Performer::human(), &options).unwrap();
    let mut right = trial.clone();
    truth.swaps.iter().for_each(|swap| swap.undo(&mut right));
    (trial, right, truth)
}

fn all(trial: &Trial) -> Vec<usize> {
    (0..trial.markers.len()).collect()
}

/// Samples that are under a wrong label.
fn wrong(trial: &Trial, right: &Trial) -> usize {
    let of_marker = |(one, other): (&Marker, &Marker)| {
        (0..right.frames).filter(|f| one.position_m(*f) != other.position_m(*f)).count()
    };
    trial.markers.iter().zip(&right.markers).map(of_marker).sum()
}

#[test]
fn three_exchanges_at_once_and_a_cycle_are_put_back_to_the_frame() {
    for seed in [1, 2, 3] {
        let options = simulate::Options { swaps: 3, swaps_at_once: 3, seed, ..Default::default() };
        let (mut trial, right, truth) = recording(simulate::Options { cycles: 1, ..options });
        let found = put_back(&mut trial, &all(&right));
        assert_eq!(wrong(&trial, &right), 0, "seed {seed}: {:?}\n{found:?}", truth.swaps);
        let frames = |swap: &simulate::Swap| swap.frames.clone();
        let mut expected: Vec<_> =
            truth.swaps.iter().map(frames).map(|f| (f.start, f.end)).collect();
        let mut found: Vec<_> = found.iter().map(|s| (s.frames.start, s.frames.end)).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn exchanges_behind_gaps_are_put_back_and_nothing_else_is_touched() {
    let (mut before, mut after) = (0, 0);
    for seed in 11..15 {
        let skin_m = if seed % 2 == 0 { 5e-3 } else { 0.0 };
        let options = simulate::Options { seed, skin_m, occlusion: 0.02, ..Default::default() };
        let (mut clean, right, _) = recording(options.clone());
        assert_eq!(put_back(&mut clean, &all(&right)), [], "seed {seed}");
        let swaps = simulate::Options { swaps: 4, swap_gap_s: 0.3, ..options };
        let (mut trial, right, _) = recording(swaps);
        let was_wrong = wrong(&trial, &right);
        put_back(&mut trial, &all(&right));
        let is_wrong = wrong(&trial, &right);
        assert!(is_wrong <= was_wrong, "seed {seed}");
        before += was_wrong;
        after += is_wrong;
    }
    assert!(50 * after <= before, "{after} of {before} samples are still wrong");
}

/// A plate of three markers; the first two are as far from the third.
fn plate(frames: usize) -> Trial {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = frames;
    for marker in 0..3 {
        let at = |frame: usize| {
            let t = frame as f64 * 0.01;
            let turn = nalgebra::Rotation3::from_euler_angles(t.sin(), 0.3 * t, (0.7 * t).cos());
            let on_plate = [[0.05, 0.0, 0.0], [-0.05, 0.0, 0.0], [0.0, 0.08, 0.0]][marker];
            Some(Point3::from(turn * Vector3::from(on_plate) + Vector3::new(0.3 * t.cos(), 0.0, t)))
        };
        trial.markers.push(Marker::from_positions(format!("m{marker}"), (0..frames).map(at)));
    }
    trial
}

#[test]
fn what_no_distance_shows_is_exchanged_between_two_jumps_and_left_alone_after_one() {
    let right = plate(600);
    let exchanged = |frames: Range<usize>| {
        let mut trial = right.clone();
        frames.for_each(|frame| trial.exchange(frame, [0, 1]));
        trial
    };
    let mut trial = exchanged(200..300);
    let found = put_back(&mut trial, &all(&right));
    assert_eq!(found, [Swap { markers: vec![0, 1], frames: 200..300 }]);
    assert_eq!(trial, right);
    // Behind gaps in which the plate turns anyhow nothing tells which of the ends is right.
    let mut open = exchanged(200..300);
    for gap in [280..420, 450..590] {
        for frame in gap {
            (0..3).for_each(|m| open.markers[m].set(frame, None, Origin::Missing));
        }
    }
    let before = open.clone();
    assert_eq!(put_back(&mut open, &all(&right)), []);
    assert_eq!(open, before);
}

#[test]
fn labels_exchanged_until_the_end_are_put_back() {
    let (right, _, _) = recording(simulate::Options::default());
    let mut trial = right.clone();
    (650..trial.frames).for_each(|frame| trial.exchange(frame, [3, 7]));
    assert_eq!(
        put_back(&mut trial, &all(&right)),
        [Swap { markers: vec![3, 7], frames: 650..800 }]
    );
    assert_eq!(trial, right);
}

#[test]
fn nothing_and_one_marker_and_markers_on_one_point_are_left_alone() {
    let mut none = Trial::new(Format::C3d, 100.0);
    assert_eq!(put_back(&mut none, &[]), []);
    let mut same = plate(100);
    same.markers = vec![same.markers[0].clone(), same.markers[0].clone()];
    assert_eq!(put_back(&mut same, &[0]), []);
    assert_eq!(put_back(&mut same, &[0, 1]), []);
}

#[test]
fn crossed_arms_stay_as_they_are_and_exchanged_wrists_do_not() {
    // Left and right of what people wear, and the forearms' markers by where the left wrist is across.
    let pairs = [("ASI", 0.12, 1.0), ("KNE", 0.13, 0.5), ("ANK", 0.12, 0.1), ("SHO", 0.18, 1.45)];
    let arm = [("ELB", 0.25, 1.15), ("FRM", 0.08, 1.18), ("WRA", -0.09, 1.2), ("WRB", -0.1, 1.17)];
    let person = |wrists_exchanged: bool| {
        let mut trial = Trial::new(Format::Csv, 100.0);
        trial.frames = 50;
        for (name, across_m, up_m) in pairs.iter().chain(&arm) {
            for (side, sign) in [("L", 1.0), ("R", -1.0)] {
                let sign = if wrists_exchanged && name.starts_with("WR") { -sign } else { sign };
                // Where arms are not crossed, they hang beside the body.
                let hangs = wrists_exchanged && *across_m < 0.1;
                let across_m = if hangs { 0.25 } else { *across_m };
                let sway = |frame: usize| 0.02 * (0.1 * frame as f64 + across_m).sin();
                let at = |frame| Some(Point3::new(sway(frame), sign * across_m, *up_m));
                let label = format!("{side}{name}");
                trial.markers.push(Marker::from_positions(label, (0..50).map(at)));
            }
        }
        trial
    };
    let index = |trial: &Trial, label: &str| {
        trial.markers.iter().position(|marker| marker.label == label).unwrap()
    };
    for wrists_exchanged in [false, true] {
        let mut trial = person(wrists_exchanged);
        let of = |labels: &[&str]| labels.iter().map(|label| index(&trial, label)).collect();
        let markers: Vec<Vec<usize>> = vec![
            of(&["LASI", "RASI"]),
            of(&["LKNE"]),
            of(&["RKNE"]),
            of(&["LANK"]),
            of(&["RANK"]),
            of(&["LSHO", "RSHO"]),
            of(&["LELB"]),
            of(&["RELB"]),
            of(&["LFRM", "LWRA", "LWRB"]),
            of(&["RFRM", "RWRA", "RWRB"]),
        ];
        let parents =
            [None, Some(0), Some(0), Some(1), Some(2), Some(0), Some(5), Some(5), Some(6), Some(7)];
        let segments = Segments { markers, parents: parents.to_vec() };
        let found = put_back_throughout(&mut trial, &segments);
        let mut labels: Vec<&str> =
            found.iter().flatten().map(|marker| trial.markers[*marker].label.as_str()).collect();
        labels.sort_unstable();
        let expected: &[&str] =
            if wrists_exchanged { &["LWRA", "LWRB", "RWRA", "RWRB"] } else { &[] };
        assert_eq!(labels, expected, "wrists exchanged: {wrists_exchanged}");
    }
}

#[test]
fn inner_and_outer_markers_of_knees_are_put_back_and_turned_out_legs_left_alone() {
    let worn = [("ASI", 0.12, 1.0), ("KNE", 0.13, 0.5), ("KNM", 0.04, 0.5), ("SHO", 0.18, 1.45)];
    let others = [("PSI", 0.05, 1.0), ("ELB", 0.25, 1.15), ("ANK", 0.12, 0.1)];
    // Knees turned out by so much: their markers lie behind each other at 90 degrees.
    let person = |turned_out_rad: f64| {
        let mut trial = Trial::new(Format::Csv, 100.0);
        trial.frames = 50;
        for (name, across_m, up_m) in worn.iter().chain(&others) {
            for (side, sign) in [("L", 1.0), ("R", -1.0)] {
                let from_knee_m = if name.starts_with("KN") { across_m - 0.085 } else { 0.0 };
                let forward_m = -from_knee_m * turned_out_rad.sin();
                let across_m = across_m - from_knee_m * (1.0 - turned_out_rad.cos());
                let at = |_| Some(Point3::new(forward_m, sign * across_m, *up_m));
                trial
                    .markers
                    .push(Marker::from_positions(format!("{side}{name}"), (0..50).map(at)));
            }
        }
        trial
    };
    let found = |trial: &mut Trial| {
        let of = |segment: &str| {
            let own = |label: &str| label[1..].starts_with(segment);
            (0..trial.markers.len()).filter(|m| own(&trial.markers[*m].label)).collect()
        };
        let markers: Vec<Vec<usize>> = ["ASI", "PSI", "KN", "ANK", "SHO", "ELB"].map(of).to_vec();
        let parents = vec![None, Some(0), Some(0), Some(2), Some(0), Some(4)];
        put_back_throughout(trial, &Segments { markers, parents })
    };
    for turned_out_rad in [0.0, 0.8] {
        let mut right = person(turned_out_rad);
        assert_eq!(found(&mut right), [] as [[usize; 2]; 0], "turned out by {turned_out_rad} rad");
        let mut wrong = right.clone();
        // The inner and the outer marker of the left knee, and of the right one.
        let pairs = [[4, 2], [5, 3]];
        pairs.iter().for_each(|pair| (0..50).for_each(|frame| wrong.exchange(frame, *pair)));
        assert_eq!(found(&mut wrong), pairs, "turned out by {turned_out_rad} rad");
        assert_eq!(wrong, right);
    }
}

/// The segments of a simulated performer.
fn segments_of(truth: &simulate::Truth) -> Segments {
    let segments = &truth.plan.performers[0].segments;
    Segments {
        markers: segments.iter().map(|segment| segment.markers.clone()).collect(),
        parents: segments.iter().map(|segment| segment.parent).collect(),
    }
}

#[test]
fn feet_lower_legs_and_forearms_whose_labels_are_exchanged_left_for_right_are_put_back() {
    for (routine, skin_m) in [(simulate::Routine::Walk, 0.008), (simulate::Routine::Rom, 0.0)] {
        let options = simulate::Options { routine, skin_m, seed: 5, ..Default::default() };
        let (right, _, truth) =
            recording(simulate::Options { marker_set: Some("cmu41".into()), ..options });
        let segments = segments_of(&truth);
        let index = |label: &str| right.markers.iter().position(|m| m.label == label).unwrap();
        for part in [
            &[][..],
            &["HEE", "TOE", "MT5"],
            &["ANK", "HEE", "TOE", "MT5"],
            &["SHN", "ANK", "HEE", "TOE", "MT5"],
            &["WRA", "WRB", "FIN"],
        ] {
            let mut trial = right.clone();
            for name in part {
                let pair = ["L", "R"].map(|side| index(&format!("{side}{name}")));
                (0..trial.frames).for_each(|frame| trial.exchange(frame, pair));
            }
            let found = put_back_throughout(&mut trial, &segments);
            assert_eq!(found.len(), part.len(), "{routine:?}: {part:?}");
            assert!(trial == right, "{routine:?}: {part:?}");
        }
    }
}

/// Two arms that bend to and fro with the thumbs up, and both sides of elbows and wrists marked.
fn bending_arms() -> (Trial, Segments) {
    let mut trial = Trial::new(Format::Csv, 100.0);
    trial.frames = 60;
    for (side, sign) in [("L", 1.0), ("R", -1.0)] {
        let places = |frame: usize| {
            let bent_rad = 1.0 + 0.8 * (0.2 * frame as f64).sin();
            let turned_rad = 0.3 * (0.1 * frame as f64).cos();
            let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), turned_rad);
            let (elbow, across) =
                (Vector3::new(0.0, 0.0, -0.3), Vector3::new(0.0, 0.04 * sign, 0.0));
            let fore = Vector3::new(bent_rad.sin(), 0.0, -bent_rad.cos());
            let thumb = Vector3::new(bent_rad.cos(), 0.0, bent_rad.sin()) * 0.03;
            let wrist = elbow + 0.25 * fore;
            let places =
                [Vector3::zeros(), elbow + across, elbow - across, wrist + thumb, wrist - thumb];
            places.map(|place| Point3::from(turn * place + Vector3::new(0.0, 0.2 * sign, 1.4)))
        };
        for (place, name) in ["ACR", "LEL", "MEL", "FAradius", "FAulna"].iter().enumerate() {
            let at = |frame| Some(places(frame)[place]);
            trial.markers.push(Marker::from_positions(format!("{side}{name}"), (0..60).map(at)));
        }
    }
    let markers = vec![vec![0, 5], vec![1, 2], vec![6, 7], vec![3, 4], vec![8, 9]];
    let parents = vec![None, Some(0), Some(0), Some(1), Some(2)];
    (trial, Segments { markers, parents })
}

#[test]
fn the_two_sides_of_elbows_and_wrists_are_told_by_the_way_elbows_bend() {
    let (right, segments) = bending_arms();
    let exchanges: [&[[usize; 2]]; 5] =
        [&[], &[[1, 2]], &[[1, 2], [6, 7]], &[[3, 4]], &[[3, 4], [6, 7], [8, 9]]];
    for pairs in exchanges {
        let mut trial = right.clone();
        pairs.iter().for_each(|pair| (0..60).for_each(|frame| trial.exchange(frame, *pair)));
        let found = put_back_throughout(&mut trial, &segments);
        assert!(trial == right, "{pairs:?}: {found:?}");
    }
}
