//! What the recording system sees: markers or sensors on moving skin, with noise.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand_distr::{Distribution, StandardNormal};

use super::chance::{Purpose, normal_vector, stream};
use super::options::Options;
use super::skin::Skin;
use super::truth::{TrueSensor, Truth};
use crate::trial::Trial;

/// Gives every marker or sensor of the trial its samples.
pub(super) fn samples(options: &Options, trial: &mut Trial, truth: &mut Truth) {
    let mut rng = stream(options.seed, Purpose::Noise, 0);
    if options.sensors {
        truth.sensors = mounts(options, truth);
    }
    let skin = Skin::of(options, truth);
    for (index, (marker, at)) in trial.markers.iter_mut().zip(&truth.markers).enumerate() {
        marker.reserve(trial.frames);
        let slip = truth.slips.iter().find(|slip| slip.marker == index);
        for (frame, poses) in truth.world_from_segment.iter().enumerate() {
            let slipped = slip.filter(|slip| slip.frame <= frame);
            let shift_m = slipped.map_or_else(Vector3::zeros, |slip| slip.shift_m);
            let in_segment_m = at.in_segment_m + shift_m + skin.displacement_m(index, truth, frame);
            let seen_m = poses[at.segment] * in_segment_m;
            marker.push(Some(seen_m + noise(&mut rng, options.noise_m)));
        }
    }
    for (index, (body, at)) in trial.bodies.iter_mut().zip(&truth.sensors).enumerate() {
        body.reserve(trial.frames);
        for (frame, poses) in truth.world_from_segment.iter().enumerate() {
            let shift_m = skin.displacement_m(index, truth, frame);
            let on_skin = Translation3::from(shift_m) * at.segment_from_sensor;
            let seen = poses[at.segment] * on_skin;
            let tilt = UnitQuaternion::new(noise(&mut rng, options.orientation_noise_rad));
            let place = seen.translation.vector + noise(&mut rng, options.noise_m);
            let seen = Isometry3::from_parts(Translation3::from(place), seen.rotation * tilt);
            body.push(Some(seen));
        }
    }
}

/// Noise of a standard deviation; none costs nothing.
fn noise(rng: &mut rand_chacha::ChaCha8Rng, sd: f64) -> Vector3<f64> {
    if sd > 0.0 { normal_vector(rng, sd) } else { Vector3::zeros() }
}

/// A sensor on every segment, somewhere on its surface, turned anyhow.
fn mounts(options: &Options, truth: &Truth) -> Vec<TrueSensor> {
    let mut rng = stream(options.seed, Purpose::Mount, 0);
    let mount = |(segment, at): (usize, &super::TrueSegment)| {
        let mut random = || -> f64 { StandardNormal.sample(&mut rng) };
        let turned = nalgebra::Quaternion::new(random(), random(), random(), random());
        let turned = UnitQuaternion::new_normalize(turned);
        let place = Translation3::from(at.middle_m.coords);
        TrueSensor { segment, segment_from_sensor: Isometry3::from_parts(place, turned) }
    };
    truth.segments.iter().enumerate().map(mount).collect()
}
