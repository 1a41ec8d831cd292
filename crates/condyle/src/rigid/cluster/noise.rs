//! How noisy a position is when it is seen from a segment, whose own pose errs.

use nalgebra::{Matrix3, Point3, Vector3};

use super::Cluster;

impl Cluster {
    /// The noise of the segment's own markers, one standard deviation an axis, from how they disagree
    /// with their shape; `None` if no frame shows three of them.
    pub fn sigma(&self, frames: &[Vec<Option<Point3<f64>>>]) -> Option<f64> {
        let (mut square, mut freedom) = (0.0, 0.0);
        for frame in frames {
            let Some(world_from_segment) = self.pose(frame) else { continue };
            // Six numbers of the pose come from the same markers.
            freedom -= 6.0;
            for (shape, seen) in self.markers_in_segment.iter().zip(frame) {
                if let Some(seen) = seen {
                    square += (world_from_segment * shape - seen).norm_squared();
                    freedom += 3.0;
                }
            }
        }
        (freedom > 0.0).then(|| (square / freedom).sqrt())
    }

    /// The mean covariance of the noise of points in the segment's frame, where `sigma` is the noise of
    /// theirs and of the segment's markers. `None` if the markers give no orientation.
    ///
    /// # Method
    /// `σ²[I + I/n + mean of [x]× Θ [x]×ᵀ]`, x from the middle of the n markers p and
    /// Θ = [Σ(|p|²I - ppᵀ)]⁻¹: the error of the best rotation, to the first order, at the end of the
    /// lever x.
    pub fn noise_of(&self, sigma: f64, points: [&[f64]; 3]) -> Option<Matrix3<f64>> {
        let n = self.markers_in_segment.len() as f64;
        let mean = self.markers_in_segment.iter().map(|p| p.coords).sum::<Vector3<f64>>() / n;
        let mut inertia = Matrix3::zeros();
        for p in self.markers_in_segment.iter().map(|p| p.coords - mean) {
            inertia += Matrix3::identity() * p.norm_squared() - p * p.transpose();
        }
        let theta = inertia.try_inverse()?;
        let [xs, ys, zs] = points;
        let mut lever = Matrix3::zeros();
        for ((x, y), z) in xs.iter().zip(ys).zip(zs) {
            let x = (Vector3::new(*x, *y, *z) - mean).cross_matrix();
            lever += x * theta * x.transpose();
        }
        let own = Matrix3::identity() * (1.0 + 1.0 / n);
        Some((own + lever / xs.len().max(1) as f64) * (sigma * sigma))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn the_noise_seen_from_a_segment_is_what_it_turns_out_to_be() {
        const SIGMA: f64 = 1e-3;
        let shape: Vec<Point3<f64>> =
            [[0.0, 0.0, 0.0], [0.06, 0.03, 0.0], [0.02, -0.05, 0.1], [-0.05, 0.02, 0.04]]
                .map(Point3::from)
                .to_vec();
        let marker = Point3::new(0.03, -0.02, -0.4);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut noise = || {
            Vector3::from_fn(|_, _| SIGMA * Distribution::<f64>::sample(&StandardNormal, &mut rng))
        };
        let mut all = Vec::new();
        let frames: Vec<Vec<Option<Point3<f64>>>> = (0..2000)
            .map(|_| {
                all.push(marker + noise());
                shape.iter().map(|p| Some(p + noise())).collect()
            })
            .collect();
        let cluster = Cluster::new(&frames).unwrap();
        let seen: Vec<Point3<f64>> = frames
            .iter()
            .zip(&all)
            .map(|(frame, p)| cluster.pose(frame).unwrap().inverse_transform_point(p))
            .collect();
        let axes = [0, 1, 2].map(|axis| seen.iter().map(|p| p[axis]).collect::<Vec<f64>>());
        let points = axes.each_ref().map(Vec::as_slice);
        let sigma = cluster.sigma(&frames).unwrap();
        assert!((sigma / SIGMA - 1.0).abs() < 0.05, "{sigma}");
        let predicted = cluster.noise_of(sigma, points).unwrap();
        let n = seen.len() as f64;
        let mean = seen.iter().map(|p| p.coords).sum::<Vector3<f64>>() / n;
        let squares = seen.iter().map(|p| (p.coords - mean) * (p.coords - mean).transpose());
        let found = squares.sum::<Matrix3<f64>>() / (n - 1.0);
        println!("predicted {predicted:.3e} found {found:.3e}");
        assert!((predicted - found).norm() < 0.1 * found.norm());
        assert!(predicted.trace() > 20.0 * SIGMA * SIGMA, "the lever counts");
    }
}
