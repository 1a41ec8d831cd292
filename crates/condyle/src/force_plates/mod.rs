//! Force plates as a C3D file describes them: ground reaction force, where it acts, and contacts.
//!
//! # Method
//! The corners give the plate's axes: x from the middle of the second and third to that of the first and fourth, y
//! from that of the third and fourth to that of the first and second, z across both. What the channels hold follows
//! from the type: 1 force, centre of pressure and free moment; 2 force and moment about the origin of the transducer;
//! 3 eight forces of four sensors; 4 as 2 after a matrix of calibration. The baseline is taken away, and the sign is
//! turned where the force would point down: a plate pushes.
//!
//! # Reference
//! The C3D File Format, a technical user guide (Motion Lab Systems 2021), FORCE_PLATFORM.

mod baseline;
mod declared;
mod wrench;

use nalgebra::{Point3, Vector3};

use crate::trial::{Note, Trial};
use baseline::Baseline;

/// A force plate and what it measured.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ForcePlate {
    /// Its number in the file, counted from 1.
    pub number: usize,
    /// Its type in the file: 1 to 4.
    pub plate_type: u8,
    /// Its corners, in the recording's axes.
    pub corners_m: [Point3<f64>; 4],
    /// Samples a second.
    pub rate_hz: f64,
    /// The force on the performer, in the recording's axes, without the baseline.
    pub forces_n: Vec<Vector3<f64>>,
    /// The moment about the middle of the surface, in the recording's axes.
    pub moments_nm: Vec<Vector3<f64>>,
    /// The force upwards above which somebody is on it: 20 N or four standard deviations of the baseline.
    pub threshold_n: f64,
    /// The axis across the surface, upwards.
    pub up: Vector3<f64>,
}

/// A stretch of time in which a plate is loaded, in seconds from the first frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// When the threshold was crossed upwards; nothing if it is loaded from the beginning.
    pub begin_s: Option<f64>,
    /// When the threshold was crossed downwards; nothing if it is loaded to the end.
    pub end_s: Option<f64>,
    /// First and last sample.
    pub samples: [usize; 2],
}

/// The force plates of a recording, and what is wrong with those that are left out.
///
/// `up` is the direction upwards in the recording's axes.
pub fn read(trial: &Trial, up: Vector3<f64>) -> (Vec<ForcePlate>, Vec<Note>) {
    let mut notes = Vec::new();
    let mut plates = Vec::new();
    for declared in declared::plates(trial) {
        match declared.and_then(|declared| plate(trial, &declared, up)) {
            Ok(plate) => plates.push(plate),
            Err(why) => notes.push(Note::new("force-plate", why)),
        }
    }
    (plates, notes)
}

fn plate(
    trial: &Trial,
    declared: &declared::Declared,
    up: Vector3<f64>,
) -> Result<ForcePlate, String> {
    let mut raw = wrench::measured(trial, declared, up)?;
    let along = |forces: &[Vector3<f64>]| -> Vec<f64> {
        forces.iter().map(|force_n| force_n.dot(&raw.up)).collect()
    };
    let vertical_n = along(&raw.forces_n);
    let baseline = Baseline::of(&vertical_n);
    let sign = if baseline.is_reversed { -1.0 } else { 1.0 };
    baseline::remove(&mut raw.forces_n, &vertical_n, &baseline, sign);
    baseline::remove(&mut raw.moments_nm, &vertical_n, &baseline, sign);
    Ok(ForcePlate {
        number: declared.number,
        plate_type: declared.plate_type,
        corners_m: declared.corners_m,
        rate_hz: raw.rate_hz,
        forces_n: raw.forces_n,
        moments_nm: raw.moments_nm,
        threshold_n: baseline.threshold_n,
        up: raw.up,
    })
}

impl ForcePlate {
    /// The middle of its surface.
    pub fn centre_m(&self) -> Point3<f64> {
        let sum = self.corners_m.iter().fold(Vector3::zeros(), |sum, corner| sum + corner.coords);
        Point3::from(sum / 4.0)
    }

    /// The force upwards in every sample.
    pub fn vertical_n(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.forces_n.iter().map(|force_n| force_n.dot(&self.up))
    }

    /// Where the force acts on the surface; nothing while nobody is on it.
    pub fn centre_of_pressure_m(&self, sample: usize) -> Option<Point3<f64>> {
        let (force_n, moment_nm) = (self.forces_n.get(sample)?, self.moments_nm.get(sample)?);
        let vertical_n = force_n.dot(&self.up);
        // r with r × F = M but for a moment along up, r in the surface: r = up × M / (F · up).
        (vertical_n > self.threshold_n)
            .then(|| self.centre_m() + self.up.cross(moment_nm) / vertical_n)
    }

    /// The moment about the vertical through the centre of pressure, as a vector upwards.
    pub fn free_moment_nm(&self, sample: usize) -> Option<Vector3<f64>> {
        let arm_m = self.centre_of_pressure_m(sample)? - self.centre_m();
        let moment_nm = self.moments_nm[sample] - arm_m.cross(&self.forces_n[sample]);
        Some(self.up * moment_nm.dot(&self.up))
    }

    /// Whether a point is over the surface, or beyond it by no more than a margin.
    pub fn is_over(&self, point_m: &Point3<f64>, margin_m: f64) -> bool {
        let [a, b, _, d] = self.corners_m;
        let from_m = point_m - self.centre_m();
        [b - a, d - a].iter().all(|edge| {
            let length_m = edge.norm();
            length_m > 0.0 && from_m.dot(edge).abs() <= length_m * (length_m / 2.0 + margin_m)
        })
    }

    /// The stretches of time in which it is loaded for at least `shortest_s`.
    pub fn contacts(&self, shortest_s: f64) -> Vec<Contact> {
        let vertical_n: Vec<f64> = self.vertical_n().collect();
        let is_loaded = |sample: &usize| vertical_n[*sample] > self.threshold_n;
        // On a straight line between two samples.
        let crossing_s = |before: usize| {
            let [low, high] = [vertical_n[before], vertical_n[before + 1]];
            (before as f64 + (self.threshold_n - low) / (high - low)) / self.rate_hz
        };
        let mut contacts = Vec::new();
        let mut at = 0;
        while let Some(first) = (at..vertical_n.len()).find(is_loaded) {
            let after = (first..vertical_n.len()).find(|sample| !is_loaded(sample));
            at = after.unwrap_or(vertical_n.len());
            if (at - first) as f64 >= shortest_s * self.rate_hz {
                contacts.push(Contact {
                    begin_s: first.checked_sub(1).map(crossing_s),
                    end_s: after.map(|after| crossing_s(after - 1)),
                    samples: [first, at - 1],
                });
            }
        }
        contacts
    }
}

#[cfg(test)]
mod tests;
