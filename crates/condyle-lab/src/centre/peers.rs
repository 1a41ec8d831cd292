//! The centres of rotation that A. Aristidou (2010) names beside its own: fits of spheres to markers seen from the
//! other segment.

use nalgebra::{Matrix3, Vector3};

/// The positions of some markers, each through the frames.
pub type Markers = [Vec<Vector3<f64>>];

/// K. Halvorsen et al. (1999): perpendicular bisectors, (x_a - x_b)·C = ½(|x_a|² - |x_b|²), by least squares over pairs
/// `apart` frames from each other.
pub fn halvorsen(markers: &Markers, apart: usize) -> Option<Vector3<f64>> {
    let (mut matrix, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for marker in markers {
        for (a, b) in marker.iter().zip(marker.iter().skip(apart.max(1))) {
            let d = a - b;
            matrix += d * d.transpose();
            right += d * (0.5 * (a.norm_squared() - b.norm_squared()));
        }
    }
    matrix.lu().solve(&right)
}

/// S. Gamage and J. Lasenby (2002): Σ(|x - C|² - r²)², in closed form: A C = ½ b with
/// A = Σ(⟨xxᵀ⟩ - x̄x̄ᵀ), b = Σ(⟨x|x|²⟩ - x̄⟨|x|²⟩).
pub fn gamage_lasenby(markers: &Markers) -> Option<Vector3<f64>> {
    let (mut matrix, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for marker in markers.iter().filter(|marker| !marker.is_empty()) {
        let n = marker.len() as f64;
        let mean = marker.iter().sum::<Vector3<f64>>() / n;
        for x in marker {
            let d = x - mean;
            matrix += d * d.transpose() / n;
            // About the mean of the marker the squares of distances to the origin drop out.
            right += d * (d.norm_squared() / (2.0 * n));
        }
        let own: Matrix3<f64> =
            marker.iter().map(|x| (x - mean) * (x - mean).transpose() / n).sum();
        right += own * mean;
    }
    matrix.lu().solve(&right)
}

/// M.-C. Silaghi et al. (1998): Σ(|x - C| - r_m)², by Gauss and Newton's steps from a start.
pub fn silaghi(markers: &Markers, start: Vector3<f64>) -> Vector3<f64> {
    const STEPS: usize = 50;
    let mut centre = start;
    for _ in 0..STEPS {
        let (mut matrix, mut right) = (Matrix3::zeros(), Vector3::zeros());
        for marker in markers.iter().filter(|marker| !marker.is_empty()) {
            let n = marker.len() as f64;
            let radius = marker.iter().map(|x| (x - centre).norm()).sum::<f64>() / n;
            let unit = |x: &Vector3<f64>| (x - centre).try_normalize(1e-12).unwrap_or_default();
            let mean_unit = marker.iter().map(unit).sum::<Vector3<f64>>() / n;
            for x in marker {
                // The radius goes along with the centre.
                let slope = mean_unit - unit(x);
                matrix += slope * slope.transpose();
                right -= slope * ((x - centre).norm() - radius);
            }
        }
        let Some(step) = matrix.lu().solve(&right) else { break };
        centre += step;
        if step.norm() < 1e-12 {
            break;
        }
    }
    centre
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;

    use super::*;

    #[test]
    fn without_noise_all_of_them_find_the_centre() {
        let centre = Vector3::new(0.3, -0.2, 1.1);
        let arms = [Vector3::new(0.1, 0.02, 0.3), Vector3::new(-0.05, 0.1, 0.25)];
        let turn = |i: u32| {
            let t = f64::from(i);
            Rotation3::new(Vector3::new(
                (0.31 * t).sin(),
                0.7 * (0.17 * t).cos(),
                0.4 * (0.05 * t).sin(),
            ))
        };
        let markers = arms.map(|arm| (0..200).map(|i| centre + turn(i) * arm).collect::<Vec<_>>());
        let start = centre + Vector3::new(0.05, 0.03, -0.04);
        for found in
            [halvorsen(&markers, 20), gamage_lasenby(&markers), Some(silaghi(&markers, start))]
        {
            assert!((found.unwrap() - centre).norm() < 1e-8, "{found:?}");
        }
    }
}
