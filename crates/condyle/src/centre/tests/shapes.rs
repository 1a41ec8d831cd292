//! Check 7: plane, circle and cylinder.

use super::*;
use nalgebra::{Unit, UnitVector3};

#[test]
fn check_07_a_plane_and_a_circle_in_space() {
    let cloud = hinge_of(60.0, 0.0).points(11);
    let flat = plane(cloud.axes()).unwrap();
    assert!((flat.sigma - 1.0).abs() < 0.1 && flat.normal.direction.xy().norm() < 0.003);
    assert!((flat.point.z - 50.0).abs() < 0.2);
    let round = circle(cloud.axes()).unwrap();
    assert!((round.centre - Point3::new(0.0, 0.0, 50.0)).norm() < 1.0, "{}", round.centre);
    assert!((round.radius - 300.0).abs() < 1.0 && (round.sigma - 1.0).abs() < 0.1);
    assert!((round.coverage_rad / DEGREE - 60.0).abs() < 2.0, "{}", round.coverage_rad / DEGREE);
    assert_eq!(round.verdict, Verdict::Hinge);
    let ball = cap(500, 90.0, 0.01).points(1);
    assert_eq!(circle(ball.axes()).unwrap().verdict, Verdict::Insufficient);
}

/// Points on a cylinder about an axis of any direction, uniform over an arc and a length.
#[derive(Debug, Clone, Copy)]
struct Tube {
    samples: usize,
    radius: f64,
    half_angle_rad: f64,
    half_length: f64,
    sigma: f64,
    direction: UnitVector3<f64>,
}

const ON_AXIS: Vector3<f64> = Vector3::new(4.0, -1.0, 2.0);

impl Default for Tube {
    fn default() -> Self {
        Self {
            samples: 300,
            radius: 1.0,
            half_angle_rad: 90.0 * DEGREE,
            half_length: 1.0,
            sigma: 0.01,
            direction: Unit::new_normalize(Vector3::new(0.3, -0.5, 0.8)),
        }
    }
}

impl Tube {
    fn points(&self, seed: u64) -> Cloud {
        let mut rng = generator(seed);
        let upright = nalgebra::Rotation3::rotation_between(&Vector3::z(), &self.direction)
            .unwrap_or_else(nalgebra::Rotation3::identity);
        Cloud::from_rows((0..self.samples).map(|_| {
            let mut within = |half: f64| half * (2.0 * uniform(&mut rng) - 1.0);
            let (angle, height) = (within(self.half_angle_rad), within(self.half_length));
            let on = Vector3::new(self.radius * angle.cos(), self.radius * angle.sin(), height);
            ON_AXIS + upright * on + noise(&mut rng, self.sigma)
        }))
    }

    /// How far an axis is off at the height of the true point, and by which angle.
    fn errors(&self, fit: &CylinderFit) -> (f64, f64) {
        let from = ON_AXIS - fit.point.coords;
        let off = from - fit.axis.direction.into_inner() * fit.axis.direction.dot(&from);
        (off.norm(), fit.axis.direction.cross(&self.direction).norm().asin())
    }
}

#[test]
fn check_07_a_cylinder_without_noise_is_exact_whatever_its_axis_length_and_arc() {
    let directions = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.8], [-1.0, 1.0, 0.01]];
    for direction in directions {
        for (half_length, degrees) in
            [(1.0, 180.0), (20.0, 180.0), (0.2, 180.0), (1.0, 60.0), (1.0, 30.0), (0.2, 60.0)]
        {
            let tube = Tube {
                half_length,
                half_angle_rad: degrees * DEGREE,
                sigma: 0.0,
                direction: Unit::new_normalize(direction.into()),
                ..Tube::default()
            };
            let fit = cylinder(tube.points(3).axes(), CylinderAxis::Free).unwrap();
            let (off, tilt) = tube.errors(&fit);
            let case = format!("{direction:?}, length {half_length}, {degrees} degrees: {fit:?}");
            assert!(off < 1e-8 && tilt < 1e-8, "{off} {tilt} {case}");
            assert!((fit.radius - 1.0).abs() < 1e-8, "{case}");
            assert!(fit.converged && fit.verdict == Verdict::Hinge, "{case}");
        }
    }
}

#[test]
fn check_07_a_cylinder_errs_as_its_covariance_says() {
    const TRIALS: u64 = 400;
    for (degrees, half_length) in [(180.0, 1.0), (60.0, 1.0), (90.0, 10.0)] {
        let tube = Tube { half_angle_rad: degrees * DEGREE, half_length, ..Tube::default() };
        let (mut off, mut tilt, mut radius, mut sigma) = (0.0, 0.0, 0.0, 0.0);
        let mut predicted = [0.0; 3];
        let (mut bias, mut covered) = (0.0, 0);
        for seed in 0..TRIALS {
            let fit = cylinder(tube.points(seed).axes(), CylinderAxis::Free).unwrap();
            assert_eq!(fit.verdict, Verdict::Hinge, "{seed}: {fit:?}");
            // Where the axis was found to be nearest to the mean, which is the true height too.
            let (o, t) = tube.errors(&fit);
            off += o * o;
            tilt += t * t;
            radius += (fit.radius - 1.0).powi(2);
            bias += fit.radius - 1.0;
            sigma += fit.sigma;
            predicted[0] += fit.covariance.trace();
            predicted[1] += fit.axis.standard_error_rad.powi(2);
            predicted[2] += fit.radius_standard_error.powi(2);
            covered += i32::from((fit.radius - 1.0).abs() < 1.96 * fit.radius_standard_error);
        }
        let n = TRIALS as f64;
        let ratios = [off, tilt, radius].map(|square| square / n);
        let ratios: Vec<f64> =
            ratios.iter().zip(predicted).map(|(got, want)| (got / (want / n)).sqrt()).collect();
        println!(
            "check 7: cylinder ±{degrees} degrees, ±{half_length}: error over predicted: position {:.3}, tilt {:.3}, radius {:.3} (bias {:.3} sigma), sigma {:.4}, radius covered {:.3}",
            ratios[0],
            ratios[1],
            ratios[2],
            bias / n / tube.sigma,
            sigma / n / tube.sigma,
            f64::from(covered) / n
        );
        // 400 trials know a standard deviation to 3.5 %.
        assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.12), "{degrees}: {ratios:?}");
        assert!((sigma / n / tube.sigma - 1.0).abs() < 0.01, "{degrees}");
        assert!((bias / n).abs() < 0.2 * (predicted[2] / n).sqrt(), "{degrees}");
    }
}

#[test]
fn a_cylinder_about_a_known_axis_needs_no_spread_along_it() {
    const TRIALS: u64 = 400;
    let tube = Tube { half_length: 0.0, ..Tube::default() };
    let (mut off, mut radius, mut predicted) = (0.0, 0.0, [0.0; 2]);
    for seed in 0..TRIALS {
        let axis = CylinderAxis::Known(tube.direction);
        let fit = cylinder(tube.points(seed).axes(), axis).unwrap();
        assert_eq!(fit.verdict, Verdict::Hinge);
        off += tube.errors(&fit).0.powi(2);
        radius += (fit.radius - 1.0).powi(2);
        predicted[0] += fit.covariance.trace();
        predicted[1] += fit.radius_standard_error.powi(2);
    }
    let ratios = [off / predicted[0], radius / predicted[1]].map(f64::sqrt);
    println!("check 7: cylinder, known axis: error over predicted {ratios:?}");
    assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.12), "{ratios:?}");
}

#[test]
fn the_axis_of_a_cylinder_comes_from_the_arcs_of_several_markers() {
    let near = Arc { axial_offset: -200.0, ..hinge_of(60.0, 0.0) }.points(1);
    let far = Arc { axial_offset: 150.0, ..hinge_of(40.0, 0.0) }.points(2);
    let axis = common_normal(&[near.axes(), far.axes()]).unwrap();
    let tilt = axis.direction.xy().norm();
    println!(
        "check 7: common normal off by {tilt:.5}, standard error {:.5}",
        axis.standard_error_rad
    );
    assert!(tilt < 3.0 * axis.standard_error_rad && axis.standard_error_rad < 1e-3);
    // One marker alone knows less.
    let alone = common_normal(&[far.axes()]).unwrap();
    assert!(alone.standard_error_rad > axis.standard_error_rad);
    assert_eq!(alone.direction, circle(far.axes()).unwrap().axis.direction);
    let both = Cloud::from_rows(near.rows().into_iter().chain(far.rows()));
    let fit = cylinder(both.axes(), CylinderAxis::Known(axis.direction)).unwrap();
    assert!(fit.point.xy().coords.norm() < 1.0 && (fit.radius - 300.0).abs() < 1.0, "{fit:?}");
    let free = cylinder(both.axes(), CylinderAxis::Free).unwrap();
    assert!(free.axis.direction.xy().norm() < 0.003, "{free:?}");
    assert!(common_normal(&[]).unwrap_err().to_string().contains("need at least 1"));
}

#[test]
fn a_ball_a_patch_and_a_single_arc_are_no_cylinder() {
    let ball = cap(500, 120.0, 0.01).points(1);
    let patch = Tube { half_angle_rad: 3.0 * DEGREE, ..Tube::default() }.points(2);
    let arc = hinge_of(60.0, 0.0).points(3);
    for (cloud, name) in [(ball, "ball"), (patch, "patch"), (arc, "arc")] {
        match cylinder(cloud.axes(), CylinderAxis::Free) {
            Ok(fit) => assert_eq!(fit.verdict, Verdict::Insufficient, "{name}: {fit:?}"),
            Err(error) => assert!(error.to_string().contains("need"), "{name}: {error}"),
        }
    }
}
