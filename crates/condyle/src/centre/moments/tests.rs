use super::*;
use crate::centre::synthetic::Cap;
use nalgebra::Vector3;
use proptest::prelude::*;

/// The definition, in two passes.
fn two_pass(points: &[Vector3<f64>]) -> Moments<3> {
    let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
    let mut sums = Sums::default();
    points.iter().for_each(|point| sums.add(&(point - mean)));
    let n = points.len() as f64;
    let (samples, weight, weight_squared) = (points.len(), n, n);
    Moments { samples, weight, weight_squared, mean, a: sums.a, t: sums.t, q: sums.q }
}

fn assert_near(got: &Moments<3>, want: &Moments<3>, tolerance: f64) {
    let scale = (want.a.trace() / want.samples as f64).sqrt();
    let n = want.samples as f64;
    assert_eq!(got.samples, want.samples);
    assert!((got.mean - want.mean).norm() <= tolerance * (scale + want.mean.norm()));
    assert!((got.a - want.a).norm() <= tolerance * n * scale.powi(2), "{} {}", got.a, want.a);
    assert!((got.t - want.t).norm() <= tolerance * n * scale.powi(3), "{} {}", got.t, want.t);
    assert!((got.q - want.q).abs() <= tolerance * n * scale.powi(4), "{} {}", got.q, want.q);
}

#[test]
fn one_streaming_pass_equals_the_two_pass_definition() {
    for samples in [1, 2, 3, 5, 8, 255, 256, 257, 4400, 16_384, 16_385, 33_001] {
        let cap = Cap { samples, sigma: 0.01, ..Cap::default() }.points(7);
        assert_near(&Moments::<3>::from_points(cap.axes()), &two_pass(&cap.rows()), 1e-12);
    }
}

#[test]
fn points_that_drift_away_from_the_first_block_lose_nothing() {
    let rows: Vec<Vector3<f64>> = (0..20_000)
        .map(|i| f64::from(i) * 1e-3)
        .map(|s| Vector3::new(s, s.sin(), s.cos() * 0.5 + 3.0))
        .collect();
    let axes: [Vec<f64>; 3] = [0, 1, 2].map(|axis| rows.iter().map(|row| row[axis]).collect());
    let moments = Moments::<3>::from_points([&axes[0], &axes[1], &axes[2]]);
    assert_near(&moments, &two_pass(&rows), 1e-12);
}

#[test]
fn any_number_of_dimensions_equals_point_by_point() {
    fn check<const D: usize>() {
        let axes: [Vec<f64>; D] = std::array::from_fn(|axis| {
            (0..5001).map(|i| ((i * (axis + 2)) as f64 * 0.37).sin() + axis as f64).collect()
        });
        let axes = axes.each_ref().map(Vec::as_slice);
        let got = Moments::<D>::from_points(axes);
        let want = Moments::<D>::from_rows((0..5001).map(|i| SVector::from(axes.map(|a| a[i]))));
        assert!((got.mean - want.mean).norm() < 1e-12, "{D}");
        assert!((got.a - want.a).norm() < 1e-10 && (got.t - want.t).norm() < 1e-10, "{D}");
        assert!((got.q - want.q).abs() < 1e-12 * want.q, "{D}");
    }
    check::<1>();
    check::<2>();
    check::<3>();
    check::<4>();
}

#[test]
fn equal_weights_are_no_weights() {
    let cap = Cap { samples: 300, sigma: 0.05, ..Cap::default() }.points(3);
    let plain = Moments::<3>::from_points(cap.axes());
    let mut weighted = Moments::<3>::default();
    cap.rows().iter().for_each(|row| weighted.push_weighted(row, 2.5));
    assert!((weighted.a / 2.5 - plain.a).norm() < 1e-12 * plain.a.norm());
    assert!((weighted.t / 2.5 - plain.t).norm() < 1e-11 * plain.a.norm());
    assert!((weighted.q / 2.5 - plain.q).abs() < 1e-12 * plain.q);
    assert!((weighted.effective_samples() - 300.0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn check_01_merge_of_blocks_equals_one_pass(cuts in prop::collection::vec(0usize..700, 0..6), seed in 0u64..1000) {
        let cap = Cap { samples: 700, sigma: 0.02, ..Cap::default() }.points(seed);
        let mut cuts = cuts;
        cuts.extend([0, 700]);
        cuts.sort_unstable();
        let mut merged = Moments::<3>::default();
        for pair in cuts.windows(2) {
            merged.merge(&Moments::<3>::from_points(cap.axes().map(|axis| &axis[pair[0]..pair[1]])));
        }
        assert_near(&merged, &Moments::<3>::from_points(cap.axes()), 1e-12);
    }
}
