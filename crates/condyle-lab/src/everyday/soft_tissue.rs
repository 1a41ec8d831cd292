//! Soft tissue of two kinds, neither of which an estimator can see in its residuals.

use std::f64::consts::TAU;

use condyle::Trial;
use condyle::simulate::Truth;
use condyle::trial::Origin;
use nalgebra::{Isometry3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// How the displacement of markers depends on the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Model {
    /// Linear in the angles of the joints beside the segment.
    #[default]
    Linear,
    /// The same, with the rms over markers of the frame where it is largest: as `condyle simulate` has it.
    LinearAtMost,
    /// Locked to the phase of the gait, with a wobble after every impact; slow waves where nobody walks.
    Wobble,
}

impl Model {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::LinearAtMost => "linear, at most",
            Self::Wobble => "wobble",
        }
    }
}

/// How far the markers of a segment slide, in three dimensions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slide {
    /// The root mean square over frames and markers.
    Rms(f64),
    /// The root mean square over markers in the frame where it is largest.
    AtMost(f64),
}

/// Harmonics of the gait that soft tissue follows.
const HARMONICS: usize = 4;
/// How fast soft tissue wobbles after an impact, and how long.
const WOBBLE_HZ: f64 = 9.0;
const WOBBLE_S: f64 = 0.08;
/// Slow waves in place of a gait.
const SLOW_WAVES: usize = 6;

/// Moves the markers of a simulated recording on their segments; `rms_m` is the root mean square over frames and
/// markers of the displacement of a segment whose share is 1, in three dimensions.
pub fn displace(trial: &mut Trial, truth: &Truth, model: Model, rms_m: f64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x50f7);
    for segment in 0..truth.segments.len() {
        let markers: Vec<usize> = (0..truth.markers.len())
            .filter(|marker| truth.markers[*marker].segment == segment)
            .collect();
        let signals = match model {
            Model::Linear | Model::LinearAtMost => angles_beside(truth, segment),
            Model::Wobble => gait_signals(trial, &truth.segments[segment].name, &mut rng),
        };
        let poses = |frame: usize| Some(truth.world_from_segment[frame][segment]);
        let share_m = rms_m * truth.segments[segment].skin;
        let slide = match model {
            Model::LinearAtMost => Slide::AtMost(share_m),
            _ => Slide::Rms(share_m),
        };
        displace_segment(trial, &markers, &signals, slide, poses, &mut rng);
    }
}

/// Moves the markers of one segment along random directions by signals, half of it common to all.
///
/// # Method
/// `d_m = a Σ_j s_j (c_j + o_mj) / 2` in the segment's frame, with signals `s_j` without their means, normal vectors
/// `c_j` common to the markers and `o_mj` of each marker's own; `a` makes them slide as far as is asked for.
pub fn displace_segment(
    trial: &mut Trial,
    markers: &[usize],
    signals: &[Vec<f64>],
    slide: Slide,
    world_from_segment: impl Fn(usize) -> Option<Isometry3<f64>>,
    rng: &mut ChaCha8Rng,
) {
    let mut normal = || Vector3::from_fn(|_, _| -> f64 { StandardNormal.sample(rng) });
    let common: Vec<Vector3<f64>> = signals.iter().map(|_| normal()).collect();
    let ways: Vec<Vec<Vector3<f64>>> = markers
        .iter()
        .map(|_| common.iter().map(|common| (common + normal()) / 2.0).collect())
        .collect();
    let centred: Vec<Vec<f64>> = signals.iter().map(|signal| without_mean(signal)).collect();
    let displacement = |marker: usize, frame: usize| -> Vector3<f64> {
        centred.iter().zip(&ways[marker]).map(|(signal, way)| way * signal[frame]).sum()
    };
    let frames = trial.frames;
    let in_frame = |frame: usize| -> f64 {
        let squares = (0..markers.len()).map(|marker| displacement(marker, frame).norm_squared());
        squares.sum::<f64>() / markers.len().max(1) as f64
    };
    let squares = (0..frames).map(in_frame);
    let (asked_m, found_m) = match slide {
        Slide::Rms(m) => (m, (squares.sum::<f64>() / frames.max(1) as f64).sqrt()),
        Slide::AtMost(m) => (m, squares.fold(0.0, f64::max).sqrt()),
    };
    if found_m.is_nan() || found_m <= 0.0 {
        return;
    }
    for (index, &marker) in markers.iter().enumerate() {
        for frame in 0..frames {
            let marker = &mut trial.markers[marker];
            let Some((position_m, pose)) = marker.position_m(frame).zip(world_from_segment(frame))
            else {
                continue;
            };
            let moved_m = pose.rotation * displacement(index, frame) * (asked_m / found_m);
            marker.set(frame, Some(position_m + moved_m), Origin::Measured);
        }
    }
}

fn without_mean(signal: &[f64]) -> Vec<f64> {
    let mean = signal.iter().sum::<f64>() / signal.len().max(1) as f64;
    signal.iter().map(|value| value - mean).collect()
}

/// The angles of the joints at both ends of a segment.
fn angles_beside(truth: &Truth, segment: usize) -> Vec<Vec<f64>> {
    let beside =
        truth.joints.iter().filter(|joint| joint.child == segment || joint.parent == segment);
    let angles = beside.flat_map(|joint| joint.angles.clone());
    angles.map(|angle| truth.angles_rad.iter().map(|angles| angles[angle]).collect()).collect()
}

/// What goes with the gait of a segment's side; slow waves without a gait.
fn gait_signals(trial: &Trial, segment: &str, rng: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let side = if segment.starts_with("right") { "Right" } else { "Left" };
    let strikes_s: Vec<f64> = trial
        .events
        .iter()
        .filter(|event| event.context == side && event.label == "Foot Strike")
        .map(|event| event.time_s)
        .collect();
    let times_s: Vec<f64> = (0..trial.frames).map(|frame| trial.time_s(frame)).collect();
    let [first_s, .., last_s] = strikes_s.as_slice() else {
        return (0..SLOW_WAVES)
            .map(|_| {
                let (hz, phase) = (0.3 + 2.2 * rng.random::<f64>(), rng.random::<f64>());
                times_s.iter().map(|time_s| (TAU * (hz * time_s + phase)).sin()).collect()
            })
            .collect();
    };
    let cycle_s = (last_s - first_s) / (strikes_s.len() - 1) as f64;
    let mut signals = Vec::new();
    for harmonic in 1..=HARMONICS {
        let turn = |time_s: f64| TAU * harmonic as f64 * (time_s - first_s) / cycle_s;
        let size = 1.0 / harmonic as f64;
        signals.push(times_s.iter().map(|time_s| size * turn(*time_s).cos()).collect());
        signals.push(times_s.iter().map(|time_s| size * turn(*time_s).sin()).collect());
    }
    let wobble = |time_s: f64| {
        let since_s = (time_s - first_s).rem_euclid(cycle_s);
        1.5 * (-since_s / WOBBLE_S).exp() * (TAU * WOBBLE_HZ * since_s).sin()
    };
    signals.push(times_s.iter().map(|time_s| wobble(*time_s)).collect());
    signals
}
