//! Noise, skin, gaps, swaps and sensors are what was asked for.

use nalgebra::Vector3;

use super::super::*;
use super::{human, short};

/// What a disturbed recording shows, minus what the segment without skin and noise would.
fn errors_m(simulation: &Simulation, marker: usize) -> Vec<Vector3<f64>> {
    let at = simulation.truth.markers[marker];
    let mut errors = Vec::new();
    for (frame, poses) in simulation.truth.world_from_segment.iter().enumerate() {
        let seen = simulation.trial.markers[marker].position_m(frame);
        errors.extend(seen.map(|seen| {
            let pose = &poses[at.segment];
            pose.inverse_transform_vector(&(seen - pose * at.in_segment_m))
        }));
    }
    errors
}

#[test]
fn noise_has_the_standard_deviation_asked_for() {
    let noisy = human(&Options { noise_m: 2e-3, ..short(Routine::Rom) });
    let errors: Vec<f64> = (0..noisy.trial.markers.len())
        .flat_map(|marker| errors_m(&noisy, marker))
        .flat_map(|error| [error.x, error.y, error.z])
        .collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let sd = (errors.iter().map(|error| error * error).sum::<f64>() / count).sqrt();
    // Five standard errors.
    assert!((sd / 2e-3 - 1.0).abs() < 5.0 / (2.0 * count).sqrt(), "{sd}");
    assert!(mean.abs() < 5.0 * 2e-3 / count.sqrt(), "{mean}");
}

#[test]
fn disturbances_change_no_motion_and_each_other_not() {
    let plain = human(&short(Routine::Rom));
    let disturbed = human(&Options {
        noise_m: 1e-3,
        skin_m: 5e-3,
        occlusion: 0.1,
        dropout: 0.05,
        ..short(Routine::Rom)
    });
    assert_eq!(plain.truth.world_from_segment, disturbed.truth.world_from_segment);
    let only_noise = human(&Options { noise_m: 1e-3, ..short(Routine::Rom) });
    let with_gaps = human(&Options { noise_m: 1e-3, occlusion: 0.2, ..short(Routine::Rom) });
    for (a, b) in only_noise.trial.markers.iter().zip(&with_gaps.trial.markers) {
        for frame in (0..b.frames()).filter(|frame| b.origin(*frame).is_present()) {
            assert_eq!(a.position_m(frame), b.position_m(frame));
        }
    }
}

#[test]
fn skin_carries_markers_as_far_as_asked_and_half_of_it_together() {
    let skin_m = 10e-3;
    let moved = human(&Options { skin_m, seconds: 20.0, ..short(Routine::Rom) });
    let mut common = Vec::new();
    for (index, segment) in moved.truth.segments.iter().enumerate() {
        let own: Vec<Vec<Vector3<f64>>> = (0..moved.truth.markers.len())
            .filter(|marker| moved.truth.markers[*marker].segment == index)
            .map(|marker| errors_m(&moved, marker))
            .collect();
        let frames = 0..moved.trial.frames;
        let rms_m = |frame: usize| {
            let squares = own.iter().map(|errors| errors[frame].norm_squared()).sum::<f64>();
            (squares / own.len() as f64).sqrt()
        };
        let greatest_m = frames.clone().map(rms_m).fold(0.0, f64::max);
        assert!((greatest_m - skin_m * segment.skin).abs() < 1e-9, "{}", segment.name);
        for errors in &own {
            let mean: Vector3<f64> = errors.iter().sum::<Vector3<f64>>() / errors.len() as f64;
            assert!(mean.norm() < 1e-9, "{}: {mean}", segment.name);
        }
        // Two markers share one of the two equal parts: their displacements correlate by a half.
        for a in 0..own.len() {
            for b in 0..a {
                let dot = |x: usize, y: usize| {
                    frames.clone().map(|frame| own[x][frame].dot(&own[y][frame])).sum::<f64>()
                };
                common.push(dot(a, b) / (dot(a, a) * dot(b, b)).sqrt());
            }
        }
    }
    let mean = common.iter().sum::<f64>() / common.len() as f64;
    assert!((mean - 0.5).abs() < 0.12, "{mean}");
    let share = |name: &str| moved.truth.segments[moved.truth.segment(name).unwrap()].skin;
    assert_eq!((share("pelvis"), share("left thigh")), (0.4, 1.0));
}

#[test]
fn the_share_of_occluded_samples_is_met_to_the_sample_and_comes_in_bursts() {
    for share in [0.01, 0.3, 0.95] {
        let Simulation { trial, truth, .. } =
            human(&Options { occlusion: share, ..short(Routine::Walk) });
        let samples = trial.markers.len() * trial.frames;
        let missing: usize = trial.markers.iter().map(|marker| marker.missing_samples()).sum();
        assert_eq!(missing, (share * samples as f64).round() as usize);
        let gaps: usize = truth.hidden.iter().map(Vec::len).sum();
        assert!(missing > 4 * gaps, "{missing} in {gaps}");
        for (marker, hidden) in trial.markers.iter().zip(&truth.hidden) {
            assert_eq!(&marker.gaps(), hidden);
        }
    }
}

#[test]
fn dropouts_are_single_samples() {
    let Simulation { trial, truth, .. } = human(&Options { dropout: 0.02, ..short(Routine::Walk) });
    let samples = (trial.markers.len() * trial.frames) as f64;
    let missing = trial.missing_fraction() * samples;
    // Five standard deviations of a binomial count.
    assert!((missing - 0.02 * samples).abs() < 5.0 * (0.02 * samples).sqrt(), "{missing}");
    let single = truth.hidden.iter().flatten().filter(|gap| gap.len() == 1).count();
    assert!(single as f64 > 0.9 * missing, "{single} of {missing}");
}

#[test]
fn swaps_are_listed_and_exchanging_the_labels_undoes_them() {
    let plain = human(&short(Routine::Walk));
    let Simulation { mut trial, truth, .. } = human(&Options { swaps: 5, ..short(Routine::Walk) });
    assert_eq!(truth.swaps.len(), 5);
    assert_ne!(plain.trial, trial);
    for Swap { markers, frames } in &truth.swaps {
        let [a, b] = &markers[..] else { panic!("{markers:?}") };
        assert!(a < b && !frames.is_empty());
        for frame in frames.clone() {
            let (of_a, of_b) = (trial.markers[*a].clone(), trial.markers[*b].clone());
            trial.markers[*a].copy_sample(frame, &of_b, frame);
            trial.markers[*b].copy_sample(frame, &of_a, frame);
        }
    }
    assert_eq!(plain.trial, trial);
}

#[test]
fn labels_change_places_in_cycles_and_at_once_and_behind_gaps() {
    let options = Options { swaps: 2, cycles: 1, swaps_at_once: 3, ..short(Routine::Walk) };
    let plain = human(&short(Routine::Walk));
    let Simulation { mut trial, truth, .. } = human(&options);
    let [first, ..] = &truth.swaps[..] else { panic!("{:?}", truth.swaps) };
    assert!(truth.swaps.iter().all(|swap| swap.frames.start == first.frames.start));
    assert!(truth.swaps.iter().any(|swap| swap.markers.len() == 3));
    truth.swaps.iter().for_each(|swap| swap.undo(&mut trial));
    assert_eq!(plain.trial, trial);
    let hidden = human(&Options { swap_gap_s: 0.2, ..options });
    assert!(hidden.trial.missing_fraction() > 0.0);
    assert_eq!(hidden.truth.swaps, truth.swaps);
}

#[test]
fn a_slip_shifts_one_marker_from_its_frame_on_and_a_moved_cluster_all_of_a_segment() {
    let plain = human(&short(Routine::Walk));
    let slipped = human(&Options { slips: 1, slip_m: 0.015, ..short(Routine::Walk) });
    let [slip] = slipped.truth.slips[..] else { panic!("{:?}", slipped.truth.slips) };
    for marker in 0..plain.trial.markers.len() {
        for frame in 0..plain.trial.frames {
            let at = |trial: &Trial| trial.markers[marker].position_m(frame).unwrap();
            let off_m = (at(&slipped.trial) - at(&plain.trial)).norm();
            let has_slipped = marker == slip.marker && frame >= slip.frame;
            assert!((off_m - if has_slipped { 0.015 } else { 0.0 }).abs() < 1e-9);
        }
    }
    let moved = human(&Options { moved_clusters: 1, ..short(Routine::Walk) });
    let [cluster] = moved.truth.moved[..] else { panic!("{:?}", moved.truth.moved) };
    for (marker, at) in plain.truth.markers.iter().enumerate() {
        let off_m = (moved.truth.markers[marker].in_segment_m - at.in_segment_m).norm();
        assert!((off_m - if at.segment == cluster.segment { 0.02 } else { 0.0 }).abs() < 1e-12);
    }
}

#[test]
fn sensors_sit_on_their_segments_with_the_noise_asked_for() {
    let exact = human(&Options { sensors: true, ..short(Routine::Exercise) });
    assert!(exact.trial.markers.is_empty());
    assert_eq!(exact.trial.bodies.len(), 15);
    for (body, sensor) in exact.trial.bodies.iter().zip(&exact.truth.sensors) {
        assert_eq!(body.name, exact.truth.segments[sensor.segment].name);
        for (frame, poses) in exact.truth.world_from_segment.iter().enumerate() {
            let apart = (poses[sensor.segment] * sensor.segment_from_sensor).inverse()
                * body.world_from_body(frame).unwrap();
            assert!(apart.translation.vector.norm() < 1e-12 && apart.rotation.angle() < 1e-7);
        }
    }
    let noisy = human(&Options {
        sensors: true,
        noise_m: 4e-3,
        orientation_noise_rad: 5e-3,
        occlusion: 0.1,
        ..short(Routine::Exercise)
    });
    let (mut places, mut turns, mut count) = (0.0, 0.0, 0.0);
    for (a, b) in noisy.trial.bodies.iter().zip(&exact.trial.bodies) {
        for frame in 0..a.frames() {
            let Some(seen) = a.world_from_body(frame) else { continue };
            let apart = b.world_from_body(frame).unwrap().inverse() * seen;
            places += apart.translation.vector.norm_squared() / 3.0;
            turns += apart.rotation.angle().powi(2) / 3.0;
            count += 1.0;
        }
    }
    assert!((f64::sqrt(places / count) / 4e-3 - 1.0).abs() < 0.05);
    assert!((f64::sqrt(turns / count) / 5e-3 - 1.0).abs() < 0.05);
    let missing: usize = noisy.trial.bodies.iter().map(|body| body.missing_samples()).sum();
    assert_eq!(missing, (0.1 * 15.0 * noisy.trial.frames as f64).round() as usize);
}
