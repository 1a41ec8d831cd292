//! Two sensors at a known distance.

use condyle::trackers::scale_factor;
use condyle::trial::Body;
use nalgebra::{Isometry3, Vector3};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};

const DISTANCE_M: f64 = 0.565;
const FACTOR: f64 = 0.94;
const NOISE_M: f64 = 0.007;
const FRAMES: usize = 1350;

pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: FRAMES, trials: effort.trials(100, 1000) }]
}

fn trial(random: &mut ChaCha8Rng) -> Option<[f64; 2]> {
    let (mut one, mut other) = (Body::new("one"), Body::new("other"));
    for frame in 0..FRAMES {
        let t = frame as f64 / 30.0;
        let place = Vector3::new(t.sin(), (0.7 * t).cos(), 1.0 + 0.4 * (0.3 * t).sin());
        let pose = Isometry3::new(place, Vector3::new(0.4 * t, 0.3 * t.sin(), 0.0));
        let noise: f64 = StandardNormal.sample(random);
        one.push(Some(pose));
        let apart_m = (DISTANCE_M + NOISE_M * noise) / FACTOR;
        other.push(Some(pose * Isometry3::translation(apart_m, 0.0, 0.0)));
    }
    let scale = scale_factor(&one, &other, DISTANCE_M).ok()?;
    Some([scale.factor, scale.noise_m])
}

/// Moves a pair of sensors about.
pub fn run(lab: &Lab) -> Section {
    let results = lab.trials(&loads(&lab.effort), |_, random| trial(random));
    let found: Vec<[f64; 2]> = results.into_iter().flatten().flatten().collect();
    let spread = |which: usize| {
        let values = || found.iter().map(|v| v[which]);
        (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max))
    };
    let (factor, noise) = (spread(0), spread(1));
    let lines = vec![
        Line::new("scale factor of two sensors 56.5 cm apart", "section 4")
            .compare("0.94", format!("{:.4} to {:.4}", factor.0, factor.1))
            .reproduced(!found.is_empty() && factor.0 > 0.935 && factor.1 < 0.945),
        Line::new("standard deviation of the scaled distance", "section 4")
            .compare("0.7 cm", format!("{:.2} to {:.2} cm", noise.0 * 100.0, noise.1 * 100.0))
            .reproduced(!found.is_empty() && noise.0 > 0.0065 && noise.1 < 0.0075),
    ];
    let text = vec![
        "A pair of sensors moved about for 45 s at 30 Hz, reported too far apart by \
         a factor and with noise."
            .into(),
    ];
    Section { text, lines, ..Section::default() }
}
