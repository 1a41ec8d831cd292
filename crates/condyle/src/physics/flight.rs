//! Free flight: what the centre of mass does when nothing holds the body.

use nalgebra::{Matrix3, Point3, Vector3};

use super::Physics;

/// Frames that a flight needs at least: three numbers a coordinate are fitted, and their spread is to be seen.
const LEAST_FRAMES: usize = 6;

/// A flight, with its evidence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Flight {
    /// The frames that were used.
    pub frames: std::ops::Range<usize>,
    /// The acceleration downwards.
    pub gravity_m_s2: f64,
    /// Its standard error, from how far the centre of mass strays from its parabola. What frames have in common, such as
    /// a wrong table of masses, is not in it.
    pub gravity_sd_m_s2: f64,
    /// The acceleration across, which should be none.
    pub across_m_s2: f64,
    /// How far the centre of mass strays from its parabola: rms a coordinate.
    pub residual_m: f64,
    /// How far the angular momentum strays from its mean, as a share of that: rms.
    pub angular_momentum_change: f64,
}

impl Physics {
    /// The flight in some frames; `None` where fewer than six of them have a centre of mass.
    ///
    /// # Method
    /// Least squares of a parabola for every coordinate; the acceleration is twice the last coefficient. The residual
    /// over all coordinates, with three numbers a coordinate taken off, is the noise of a frame, frames being independent
    /// of each other.
    pub fn flight(
        &self,
        frames: std::ops::Range<usize>,
        rate_hz: f64,
        up: &Vector3<f64>,
    ) -> Option<Flight> {
        let frames = frames.start..frames.end.min(self.states.len());
        let known = |frame: usize| Some((frame, self.states.get(frame)?.as_ref()?));
        let states: Vec<_> = frames.clone().filter_map(known).collect();
        let samples: Vec<(f64, Point3<f64>)> = states
            .iter()
            .map(|(frame, state)| (*frame as f64 / rate_hz, state.centre_of_mass_m))
            .collect();
        let (acceleration, sd, residual_m) = parabola(&samples)?;
        let momenta: Vec<Vector3<f64>> = states
            .iter()
            .filter_map(|(_, state)| Some(state.moving?.angular_momentum_kg_m2_s))
            .collect();
        let mean = momenta.iter().sum::<Vector3<f64>>() / momenta.len().max(1) as f64;
        let strayed: f64 = momenta.iter().map(|own| (own - mean).norm_squared()).sum();
        let strayed = (strayed / momenta.len().max(1) as f64).sqrt();
        Some(Flight {
            frames,
            gravity_m_s2: -acceleration.dot(up),
            gravity_sd_m_s2: sd,
            across_m_s2: (acceleration - up * acceleration.dot(up)).norm(),
            residual_m,
            angular_momentum_change: strayed / mean.norm(),
        })
    }
}

/// The acceleration of points on a parabola, its standard error a coordinate, and the noise of a coordinate.
fn parabola(samples: &[(f64, Point3<f64>)]) -> Option<(Vector3<f64>, f64, f64)> {
    if samples.len() < LEAST_FRAMES {
        return None;
    }
    let count = samples.len() as f64;
    let middle_s = samples.iter().map(|(time_s, _)| time_s).sum::<f64>() / count;
    let middle_m = samples.iter().map(|(_, at)| at.coords).sum::<Vector3<f64>>() / count;
    let half_s = samples.iter().map(|(time_s, _)| (time_s - middle_s).abs()).fold(0.0, f64::max);
    let row = |time_s: f64| {
        let s = (time_s - middle_s) / half_s;
        Vector3::new(1.0, s, s * s)
    };
    let mut normal = Matrix3::zeros();
    let mut side = Matrix3::zeros();
    for (time_s, at) in samples {
        let row = row(*time_s);
        normal += row * row.transpose();
        side += row * (at.coords - middle_m).transpose();
    }
    let inverse = normal.try_inverse()?;
    // A row a power of time, a column a coordinate.
    let powers = inverse * side;
    let off = samples.iter().map(|(time_s, at)| {
        (at.coords - middle_m - powers.transpose() * row(*time_s)).norm_squared()
    });
    let variance_m2 = off.sum::<f64>() / (3.0 * (count - 3.0));
    let scale = 2.0 / (half_s * half_s);
    let acceleration = powers.row(2).transpose() * scale;
    let sd = (variance_m2 * inverse[(2, 2)]).sqrt() * scale;
    Some((acceleration, sd, variance_m2.sqrt()))
}
