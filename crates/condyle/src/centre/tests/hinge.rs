//! Check 7: a hinge is never taken for a ball, nor a ball for a hinge.

use super::*;

const TRIALS: u64 = 2000;

fn root_mean(sum: f64) -> f64 {
    (sum / TRIALS as f64).sqrt()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn check_07_a_pure_hinge_is_no_ball_and_its_centre_is_at_the_bound() {
    for (degrees, most_mm) in [(60.0, 0.2), (30.0, 0.8)] {
        let (mut balls, mut others, mut square, mut tilt) = (0, 0, 0.0, 0.0);
        let mut errors = Vec::new();
        for seed in 0..TRIALS {
            let fit = sphere(hinge_of(degrees, 0.0).points(seed).axes(), Method::ScGdk).unwrap();
            balls += i32::from(fit.verdict == Verdict::Ball);
            others += i32::from(fit.verdict == Verdict::Insufficient);
            if fit.verdict == Verdict::Hinge {
                errors.push(fit.centre.coords.xy().norm());
                square += fit.centre.coords.xy().norm_squared();
                tilt += fit.axis.unwrap().direction.xy().norm_squared();
            }
        }
        // The Cramér-Rao bound of the centre of an arc, (28) to (37), in units of σ²/N.
        let theta = degrees * DEGREE;
        let along = 2.0 * theta / (theta - theta.cos() * theta.sin());
        let out = 1.0 / acceptance::circle_smallest_eigenvalue(theta);
        let bound_mm = ((along + out) / 1000.0).sqrt();
        let (median_mm, rms_mm) = (median(errors), root_mean(square));
        println!(
            "check 7: ±{degrees}: of {TRIALS} pure hinges {balls} balls, {others} insufficient; in plane median {median_mm:.3} mm, RMS {rms_mm:.3} mm (bound {bound_mm:.3}), axis {:.3} degrees",
            root_mean(tilt) / DEGREE
        );
        assert!(balls <= (TRIALS / 200) as i32, "{balls} of {TRIALS} are above 0.5 %");
        assert_eq!(others, 0);
        // The figures of the documents are medians: as RMS the first would be below the bound.
        assert!(median_mm <= most_mm, "{median_mm}");
        assert!(rms_mm <= 1.08 * bound_mm, "{rms_mm} {bound_mm}");
    }
}

#[test]
fn check_07_a_degree_of_wobble_always_makes_it_a_ball() {
    for degrees in [60.0, 30.0] {
        let mut errors = Vec::new();
        for seed in 0..TRIALS {
            let fit = sphere(hinge_of(degrees, 1.0).points(seed).axes(), Method::ScGdk).unwrap();
            assert_eq!(fit.verdict, Verdict::Ball, "±{degrees}, {seed}");
            errors.push(fit.centre.coords.norm());
        }
        println!(
            "check 7: ±{degrees}, 1 degree of wobble: {TRIALS} balls of {TRIALS}, median error {:.2} mm",
            median(errors)
        );
    }
}

#[test]
fn check_07_sgdk_is_unbiased_where_the_printed_form_is_not() {
    let experiment = Arc { sigma: 5.0, ..hinge_of(30.0, 0.0) };
    let mut bias = [0.0; 2];
    for seed in 0..200 {
        let points = experiment.points(seed);
        for (bias, method) in bias.iter_mut().zip([Method::Sgdk, Method::SgdkPrinted]) {
            let fit = sphere(points.axes(), method).unwrap();
            *bias += fit.centre.x / 200.0;
        }
    }
    println!("check 7: ±30, sigma 5 mm: bias {:.2} mm, as printed {:.2} mm", bias[0], bias[1]);
    // The standard error of these means is 0.3 mm.
    assert!(bias[0].abs() < 1.5 && bias[1].abs() > 30.0, "{bias:?}");
}

#[test]
fn sgdk_stays_in_the_plane_where_the_motion_is_too_little() {
    let patch = Arc { sigma: 5.0, ..hinge_of(4.0, 0.0) }.points(1);
    let fit = sphere(patch.axes(), Method::Sgdk).unwrap();
    assert_eq!(fit.verdict, Verdict::Insufficient);
    assert_eq!(fit.centre, circle(patch.axes()).unwrap().centre);
}
