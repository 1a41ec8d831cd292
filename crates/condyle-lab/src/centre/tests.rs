//! The comparison methods on seeded points.

use condyle::centre::acceptance::sphere_noise_limit;
use condyle::centre::{Method, Moments, Noise, sphere};
use nalgebra::{Point3, Vector3};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::linear::{CentreAndRadius, delogne, kasa, zelniker};
use super::{Incremental, Recurrence, Tracker};
use crate::spheres::{Cap, Cloud};

mod incremental;
mod tracking;

type Form = fn([&[f64]; 3]) -> Option<CentreAndRadius>;
const FORMS: [Form; 3] = [delogne, kasa, zelniker];

fn cap(samples: usize, theta_deg: f64, sigma: f64) -> Cap {
    Cap { samples, theta_deg, sigma, ..Cap::default() }
}

fn points(cap: &Cap, seed: u64) -> Cloud {
    cap.points(&mut ChaCha8Rng::seed_from_u64(seed))
}

#[test]
fn check_02_all_linear_forms_agree_and_are_exact_without_noise() {
    for (sigma, seed) in [(0.0, 1), (0.05, 2), (0.1, 3)] {
        let cap = cap(200, 90.0, sigma);
        let cloud = points(&cap, seed);
        let gdke = sphere(cloud.axes(), Method::Gdke).unwrap();
        let lls = sphere(cloud.axes(), Method::Lls).unwrap();
        let others = FORMS.map(|form| form(cloud.axes()).unwrap());
        for (centre, radius) in others.into_iter().chain([(lls.centre.coords, lls.radius)]) {
            assert!((centre - gdke.centre.coords).norm() < 1e-9);
            assert!((radius - gdke.radius).abs() < 1e-9);
        }
        if sigma == 0.0 {
            assert!((gdke.centre.coords - cap.centre).norm() < 1e-12);
            assert!((gdke.radius - 1.0).abs() < 1e-12);
        }
    }
}

/// Axes of points that leave the answer open.
fn open_ended() -> Vec<[Vec<f64>; 3]> {
    let line: Vec<f64> = (0..20).map(f64::from).collect();
    let slant = |factor: f64| line.iter().map(|t| 7.0 - 0.1 * factor * t).collect::<Vec<f64>>();
    let flat = points(&cap(30, 90.0, 0.0), 1);
    let with = |odd: f64| {
        let cloud = points(&cap(30, 90.0, 0.01), 1);
        let mut axes = cloud.axes().map(<[f64]>::to_vec);
        axes[1][1] = odd;
        axes
    };
    vec![
        [vec![], vec![], vec![]],
        [vec![1.0, 2.0], vec![2.0, 1.0], vec![3.0, 0.5]],
        [vec![1.1; 50], vec![2.2; 50], vec![3.3; 50]],
        [vec![1e15; 50], vec![-1e15; 50], vec![1.0; 50]],
        [line.clone(), line.clone(), vec![1.0; 20]],
        [slant(1.0), slant(0.3), slant(-0.7)],
        [flat.axes()[0].to_vec(), flat.axes()[1].to_vec(), vec![0.0; 30]],
        with(f64::NAN),
        with(f64::INFINITY),
        with(1e300),
    ]
}

#[test]
fn points_that_leave_the_answer_open_start_nothing() {
    for axes in open_ended() {
        let axes = axes.each_ref().map(Vec::as_slice);
        assert!(Recurrence::from_start(&Moments::<3>::from_points(axes)).is_none(), "{axes:?}");
        assert!(Tracker::from_start(axes, 0.01, 0.0).is_none(), "{axes:?}");
        assert!(FORMS.iter().all(|form| form(axes).is_none()), "{axes:?}");
    }
    let good = points(&cap(30, 90.0, 0.01), 1);
    for (sigma, drift) in [(f64::NAN, 0.0), (-1.0, 0.0), (0.01, f64::INFINITY), (0.01, -1.0)] {
        assert!(Tracker::from_start(good.axes(), sigma, drift).is_none());
    }
}

#[test]
fn a_bad_point_changes_nothing() {
    let good = points(&cap(60, 90.0, 0.01), 1);
    let mut incremental = Incremental::default();
    good.rows().for_each(|row| assert!(incremental.push(&Point3::from(row))));
    let mut recurrence = Recurrence::from_start(incremental.moments()).unwrap();
    let mut tracker = Tracker::from_start(good.axes(), 0.01, 0.01).unwrap();
    let before = (recurrence.centre(), tracker.centre(), *incremental.moments());
    for bad in [f64::NAN, f64::INFINITY, 1e300, -1e61] {
        let point = Point3::new(0.0, bad, 0.0);
        assert!(!incremental.push(&point));
        recurrence.push(&point);
        tracker.push(&point);
    }
    assert_eq!(before, (recurrence.centre(), tracker.centre(), *incremental.moments()));
}

proptest! {
    #[test]
    fn no_points_whatever_bring_it_to_a_panic(rows in prop::collection::vec(prop::array::uniform3(any::<f64>()), 0..12)) {
        let axes = [0, 1, 2].map(|axis| rows.iter().map(|row| row[axis]).collect::<Vec<f64>>());
        let axes = axes.each_ref().map(Vec::as_slice);
        let _ = Recurrence::from_start(&Moments::<3>::from_points(axes));
        let _ = super::known_sphere::noise_on_known_sphere(axes, &Point3::origin(), 1.0);
        let _ = FORMS.map(|form| form(axes));
        let mut incremental = Incremental::default();
        let mut tracker = Tracker::from_start(points(&cap(10, 90.0, 0.1), 1).axes(), 0.1, 0.1).unwrap();
        for point in rows.iter().map(|row| Point3::from(*row)) {
            incremental.push_until(&point, 0.01);
            tracker.push(&point);
            prop_assert!(tracker.centre().iter().all(|v| v.is_finite()));
        }
    }
}
