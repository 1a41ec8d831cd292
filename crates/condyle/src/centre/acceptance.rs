//! When a fit can succeed at all, and how many samples it takes: (191) to (213), (53), (54).
//!
//! θ is the half-angle of the cap or arc that holds the points: π for a whole sphere or circle.

use std::f64::consts::PI;

/// The largest noise, over the radius, that a sphere fit can stand: σ/r < sin²(θ/2)/√3, (212).
pub fn sphere_noise_limit(theta_rad: f64) -> f64 {
    (theta_rad / 2.0).sin().powi(2) / 3f64.sqrt()
}

/// The largest noise, over the radius, that a circle fit can stand, (213).
pub fn circle_noise_limit(theta_rad: f64) -> f64 {
    circle_smallest_eigenvalue(theta_rad).sqrt()
}

/// λ_min/r² of points uniform on an arc, (203).
pub fn circle_smallest_eigenvalue(theta_rad: f64) -> f64 {
    let t = theta_rad;
    if t < 0.05 {
        // The closed form subtracts nearly equal numbers; this is its series.
        return t.powi(4) / 45.0 * (1.0 - t * t / 7.0);
    }
    (t * (2.0 * t + (2.0 * t).sin()) - 4.0 * t.sin().powi(2)) / (4.0 * t * t)
}

/// λ_min/r² of points uniform on a cap, (210).
pub fn sphere_smallest_eigenvalue(theta_rad: f64) -> f64 {
    (theta_rad / 2.0).sin().powi(4) / 3.0
}

/// The samples at which the centre of a sphere is as sure as one sample: 3/sin⁴(θ/2), (54).
pub fn sphere_samples_needed(theta_rad: f64) -> f64 {
    1.0 / sphere_smallest_eigenvalue(theta_rad)
}

/// The samples at which the centre of a circle is as sure as one sample, (53).
pub fn circle_samples_needed(theta_rad: f64) -> f64 {
    1.0 / circle_smallest_eigenvalue(theta_rad)
}

/// The half-angle of a uniform cap with this λ_min/r²: sin²(θ/2) = √(3 λ_min)/r.
pub fn sphere_coverage_rad(smallest_eigenvalue: f64) -> f64 {
    2.0 * (3.0 * smallest_eigenvalue.max(0.0)).sqrt().min(1.0).sqrt().asin()
}

/// The half-angle of a uniform arc with this λ_min/r²: (203) solved for θ by bisection.
pub fn circle_coverage_rad(smallest_eigenvalue: f64) -> f64 {
    let (mut low, mut high) = (0.0, PI);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if circle_smallest_eigenvalue(middle) < smallest_eigenvalue {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEGREES: [f64; 5] = [30.0, 60.0, 90.0, 120.0, 180.0];

    fn assert_digits(got: impl Fn(f64) -> f64, want: [f64; 5]) {
        for (degrees, want) in DEGREES.iter().zip(want) {
            let got = got(degrees.to_radians());
            // Half a unit of the third digit.
            let digit = 10f64.powi(want.log10().floor() as i32 - 2);
            assert!((got - want).abs() <= 0.501 * digit, "{degrees}: {got} {want}");
        }
    }

    #[test]
    fn check_12_limits_and_sample_sizes_are_those_of_the_thesis() {
        assert_digits(sphere_noise_limit, [0.0387, 0.144, 0.289, 0.433, 0.577]);
        assert_digits(circle_noise_limit, [0.0401, 0.151, 0.308, 0.475, 0.707]);
        assert_digits(sphere_samples_needed, [669.0, 48.0, 12.0, 5.33, 3.0]);
        assert_digits(circle_samples_needed, [623.0, 43.8, 10.6, 4.43, 2.0]);
    }

    #[test]
    fn coverage_is_the_inverse_of_the_smallest_eigenvalue() {
        for degrees in [0.5, 2.0, 2.8, 3.0, 10.0, 45.0, 100.0, 170.0] {
            let theta = f64::to_radians(degrees);
            let sphere = sphere_coverage_rad(sphere_smallest_eigenvalue(theta));
            let circle = circle_coverage_rad(circle_smallest_eigenvalue(theta));
            assert!((sphere - theta).abs() < 1e-9, "{degrees}: {sphere}");
            assert!((circle - theta).abs() < 1e-6, "{degrees}: {circle}");
        }
    }
}
