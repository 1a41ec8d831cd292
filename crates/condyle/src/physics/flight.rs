//! Free flight: what the centre of mass does when nothing holds the body.

use std::ops::Range;

use nalgebra::{Matrix3, Point3, Vector3};

use super::Physics;
use super::doubt::{self, Image};
use crate::statistics::median;

/// Frames that a flight needs at least: three numbers a coordinate are fitted, and their spread is to be seen.
const LEAST_FRAMES: usize = 6;
/// Flights that are looked for last at least so long, and in them the lowest marker is so much higher than it mostly is: a
/// sole rolls, and skin gives way, by less.
const LEAST_FLIGHT_S: f64 = 0.08;
const OFF_GROUND_M: f64 = 0.03;
/// What strays farther from a parabola is held by something, a bar or a hand.
const MOST_RESIDUAL_M: f64 = 0.02;

/// A flight, with its evidence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Flight {
    /// The frames that were used.
    pub frames: Range<usize>,
    /// The acceleration downwards.
    pub gravity_m_s2: f64,
    /// Its standard error: from how far the centre of mass strays from its parabola, from the table of masses and from the
    /// joints.
    pub gravity_sd_m_s2: f64,
    /// The part of that by the table of masses, which all flights of a person have in common.
    pub gravity_sd_by_masses_m_s2: f64,
    /// The acceleration across, which should be none.
    pub across_m_s2: f64,
    /// How far the centre of mass strays from its parabola: rms a coordinate.
    pub residual_m: f64,
    /// How far the angular momentum strays from its mean, as a share of that: rms.
    pub angular_momentum_change: f64,
    /// What the first body says by itself, taken for the centre of mass: the pelvis of a person.
    pub gravity_by_first_body_m_s2: f64,
    /// The independent part of the standard error.
    own_sd_m_s2: f64,
}

/// Gravity from all flights of a performer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gravity {
    /// Every flight.
    pub flights: Vec<Flight>,
    /// Their mean by information.
    pub gravity_m_s2: f64,
    /// Its standard error.
    pub sd_m_s2: f64,
    /// The part of that by the table of masses.
    pub sd_by_masses_m_s2: f64,
}

impl Physics {
    /// The flights of a performer: frames in which its lowest marker is well above where it mostly is. Nothing where no
    /// axis points up or masses belong to no performer.
    pub fn flights(&self) -> Vec<Range<usize>> {
        let Some(ground_m) = median(self.lowest_m.iter().copied().flatten()) else {
            return Vec::new();
        };
        let is_off =
            |low_m: &Option<f64>| low_m.is_some_and(|low_m| low_m > ground_m + OFF_GROUND_M);
        let mut flights = Vec::new();
        let mut from = 0;
        for run in self.lowest_m.chunk_by(|a, b| is_off(a) == is_off(b)) {
            let range = from..from + run.len();
            from = range.end;
            let is_long = run.len() >= LEAST_FRAMES.max((LEAST_FLIGHT_S * self.rate_hz) as usize);
            // What begins or ends with the recording may have begun on something.
            let is_whole = range.start > 0 && range.end < self.lowest_m.len();
            if is_off(&run[0]) && is_long && is_whole {
                flights.push(range);
            }
        }
        flights
    }

    /// Gravity from all flights of a performer; `None` where there is none that is a parabola.
    ///
    /// # Method
    /// Flights count by the inverse of their whole variance. What the table of masses and the joints make wrong is the same
    /// body in all of them, and its standard errors are added. They might cancel, where the body turns otherwise in
    /// another flight; but only if a trunk were rigid. The rest is independent.
    pub fn gravity(&self) -> Option<Gravity> {
        let up = self.up?;
        let flights = self.flights().into_iter();
        let flights = flights.filter_map(|frames| self.flight(frames, self.rate_hz, &up));
        let flights: Vec<Flight> = flights.filter(|own| own.residual_m < MOST_RESIDUAL_M).collect();
        let weights: Vec<f64> = flights.iter().map(|own| own.gravity_sd_m_s2.powi(-2)).collect();
        let sum: f64 = weights.iter().sum();
        if !sum.is_finite() || sum <= 0.0 {
            return None;
        }
        let weighted = || flights.iter().zip(weights.iter().map(|weight| weight / sum));
        let mean = |of: &dyn Fn(&Flight) -> f64| -> f64 {
            weighted().map(|(own, weight)| weight * of(own)).sum()
        };
        let gravity_m_s2 = mean(&|own| own.gravity_m_s2);
        let sd_by_masses_m_s2 = mean(&|own| own.gravity_sd_by_masses_m_s2);
        let in_common =
            mean(&|own| (own.gravity_sd_m_s2.powi(2) - own.own_sd_m_s2.powi(2)).max(0.0).sqrt());
        let own: f64 = weighted().map(|(own, weight)| (weight * own.own_sd_m_s2).powi(2)).sum();
        let sd_m_s2 = (own + in_common.powi(2)).sqrt();
        Some(Gravity { gravity_m_s2, sd_m_s2, sd_by_masses_m_s2, flights })
    }

    /// The variance of an acceleration along up by the table of masses and by the joints, from what every frame counts.
    fn doubts_of_gravity(&self, curvature: &[f64], first: usize, up: &Vector3<f64>) -> [f64; 2] {
        if self.doubts.is_empty() {
            return [0.0; 2];
        }
        let own = doubt::variances(&self.bodies, &self.doubts, |body| {
            let mut image = Image { centre: Vector3::zeros(), axes: Matrix3::zeros() };
            let frames = self.world_from_bodies[first..].iter().zip(curvature);
            for (poses, weight) in frames.filter(|(_, weight)| **weight != 0.0) {
                let Some(pose) = poses[body] else { continue };
                image.centre += (pose * self.bodies[body].centre_of_mass_m).coords * *weight;
                image.axes += pose.rotation.to_rotation_matrix().matrix() * *weight;
            }
            // Along up alone.
            Image { centre: up * image.centre.dot(up), axes: up * (up.transpose() * image.axes) }
        });
        [own.masses.sum(), own.joints.sum()]
    }

    /// The flight in some frames; `None` where fewer than six of them have a centre of mass.
    ///
    /// # Method
    /// Least squares of a parabola for every coordinate; the acceleration is twice the last coefficient. The residual
    /// over all coordinates, with three numbers a coordinate taken off, is the noise of a frame. Where neighbouring
    /// frames have it in common, by ρ, n frames count as n(1 − ρ)/(1 + ρ) (M. Bartlett 1946). How the masses and the
    /// joints make it wrong is carried through the same least squares.
    pub fn flight(&self, frames: Range<usize>, rate_hz: f64, up: &Vector3<f64>) -> Option<Flight> {
        let frames = frames.start..frames.end.min(self.states.len());
        let known = |frame: usize| Some((frame, self.states.get(frame)?.as_ref()?));
        let states: Vec<_> = frames.clone().filter_map(known).collect();
        let samples: Vec<(f64, Point3<f64>)> = states
            .iter()
            .map(|(frame, state)| (*frame as f64 / rate_hz, state.centre_of_mass_m))
            .collect();
        let parabola = Parabola::through(&samples)?;
        let momenta: Vec<Vector3<f64>> = states
            .iter()
            .filter_map(|(_, state)| Some(state.moving?.angular_momentum_kg_m2_s))
            .collect();
        let mean = momenta.iter().sum::<Vector3<f64>>() / momenta.len().max(1) as f64;
        let strayed: f64 = momenta.iter().map(|own| (own - mean).norm_squared()).sum();
        let strayed = (strayed / momenta.len().max(1) as f64).sqrt();
        let mut curvature = vec![0.0; frames.len()];
        let mut of_first = Vector3::zeros();
        for ((frame, _), weight) in states.iter().zip(&parabola.curvature) {
            curvature[frame - frames.start] = *weight;
            if let (Some(body), Some(pose)) =
                (self.bodies.first(), self.world_from_bodies[*frame][0])
            {
                of_first += (pose * body.centre_of_mass_m).coords * *weight;
            }
        }
        let [masses, joints] = self.doubts_of_gravity(&curvature, frames.start, up);
        let acceleration = parabola.acceleration_m_s2;
        Some(Flight {
            gravity_m_s2: -acceleration.dot(up),
            gravity_sd_m_s2: (parabola.sd_m_s2.powi(2) + masses + joints).sqrt(),
            gravity_sd_by_masses_m_s2: masses.sqrt(),
            across_m_s2: (acceleration - up * acceleration.dot(up)).norm(),
            residual_m: parabola.residual_m,
            angular_momentum_change: strayed / mean.norm(),
            gravity_by_first_body_m_s2: -of_first.dot(up),
            own_sd_m_s2: parabola.sd_m_s2,
            frames,
        })
    }
}

/// A parabola through points.
struct Parabola {
    acceleration_m_s2: Vector3<f64>,
    /// The standard error of a coordinate of that.
    sd_m_s2: f64,
    /// The noise of a coordinate.
    residual_m: f64,
    /// What every point counts in the acceleration.
    curvature: Vec<f64>,
}

impl Parabola {
    fn through(samples: &[(f64, Point3<f64>)]) -> Option<Self> {
        if samples.len() < LEAST_FRAMES {
            return None;
        }
        let count = samples.len() as f64;
        let middle_s = samples.iter().map(|(time_s, _)| time_s).sum::<f64>() / count;
        let middle_m = samples.iter().map(|(_, at)| at.coords).sum::<Vector3<f64>>() / count;
        let half_s =
            samples.iter().map(|(time_s, _)| (time_s - middle_s).abs()).fold(0.0, f64::max);
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
        let off: Vec<Vector3<f64>> = samples
            .iter()
            .map(|(time_s, at)| at.coords - middle_m - powers.transpose() * row(*time_s))
            .collect();
        let square: f64 = off.iter().map(Vector3::norm_squared).sum();
        let beside: f64 = off.windows(2).map(|pair| pair[0].dot(&pair[1])).sum();
        let in_common = if square > 0.0 { (beside / square).clamp(0.0, 0.99) } else { 0.0 };
        let variance_m2 = square / (3.0 * (count - 3.0));
        let scale = 2.0 / (half_s * half_s);
        let widened = (1.0 + in_common) / (1.0 - in_common);
        Some(Self {
            acceleration_m_s2: powers.row(2).transpose() * scale,
            sd_m_s2: (variance_m2 * widened * inverse[(2, 2)]).sqrt() * scale,
            residual_m: variance_m2.sqrt(),
            curvature: samples
                .iter()
                .map(|(time_s, _)| scale * inverse.row(2).transpose().dot(&row(*time_s)))
                .collect(),
        })
    }
}
