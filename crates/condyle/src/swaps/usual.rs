//! How far markers are from each other as a rule, and how likely a place is for a label.

use nalgebra::Point3;

use super::tracks::Tracks;
use crate::order;
use crate::statistics::{median_in_place, quantile_in_place};

/// Distances are learned from so many frames at most, and from so many at least.
const MAX_FRAMES: usize = 300;
const MIN_FRAMES: usize = 10;
/// So many markers tell of a label: those whose distance to it varies least.
const MATES: usize = 10;
/// Scores are divided by so many markers at least: a few say little.
const LEAST_MATES: f64 = 4.0;
/// Noise and skin in every distance, in metres.
const FLOOR_M: f64 = 3e-3;
/// The rest of the mixture, as `labelling` has it: anywhere within reach, and what nothing explains.
const REACH_M: f64 = 1.5;
const SHARE_USUAL: f64 = 0.8;
const UNEXPLAINED: f64 = 0.3;
/// A median absolute deviation as a standard deviation.
const MAD_TO_SD: f64 = 1.4826;
/// The quantiles that bound the wide part, and how many standard deviations they are from the middle.
const WIDE: [f64; 2] = [0.05, 0.95];
const WIDE_SDS: f64 = 1.645;

/// The distance to one marker.
struct Mate {
    label: usize,
    apart_m: f64,
    sd_m: f64,
    wide_m: f64,
}

/// What is usual of every label.
pub(super) struct Usual {
    mates: Vec<Vec<Mate>>,
}

impl Usual {
    pub fn of(tracks: &Tracks) -> Self {
        let count = tracks.count();
        let frames: Vec<usize> = tracks.sampled(tracks.rate_hz, MAX_FRAMES).collect();
        let mut mates: Vec<Vec<Mate>> = (0..count).map(|_| Vec::new()).collect();
        let mut apart_m = Vec::with_capacity(frames.len());
        for one in 0..count {
            for other in 0..one {
                apart_m.clear();
                apart_m.extend(frames.iter().filter_map(|frame| {
                    let places_m = [one, other].map(|label| tracks.place_m(label, *frame));
                    Some((places_m[0]? - places_m[1]?).norm())
                }));
                if let Some(mate) = Mate::learn(&mut apart_m) {
                    mates[one].push(Mate { label: other, ..mate });
                    mates[other].push(Mate { label: one, ..mate });
                }
            }
        }
        for mates in &mut mates {
            order::by(mates, |a, b| (a.sd_m + a.wide_m).total_cmp(&(b.sd_m + b.wide_m)));
            mates.truncate(MATES);
        }
        Self { mates }
    }

    /// For every label the others whose distance to it varies least, so many at most.
    pub fn steadiest(&self, count: usize) -> Vec<Vec<usize>> {
        let of_label =
            |mates: &Vec<Mate>| mates.iter().take(count).map(|mate| mate.label).collect();
        self.mates.iter().map(of_label).collect()
    }

    /// The log-likelihood of a place for a label, a mean over its mates but `without`.
    pub fn score(
        &self,
        tracks: &Tracks,
        frame: usize,
        label: usize,
        (place_m, without): (Point3<f64>, usize),
    ) -> f64 {
        let (mut sum, mut seen) = (0.0, 0.0);
        for mate in self.mates[label].iter().filter(|mate| mate.label != without) {
            if let Some(mate_m) = tracks.place_m(mate.label, frame) {
                sum += mate.score((place_m - mate_m).norm());
                seen += 1.0;
            }
        }
        sum / f64::max(seen, LEAST_MATES)
    }
}

impl Mate {
    fn learn(apart_m: &mut [f64]) -> Option<Self> {
        if apart_m.len() < MIN_FRAMES {
            return None;
        }
        let usual_m = median_in_place(apart_m)?;
        let [low_m, high_m] = WIDE.map(|share| quantile_in_place(apart_m, share));
        apart_m.iter_mut().for_each(|apart_m| *apart_m = (*apart_m - usual_m).abs());
        let mad_m = median_in_place(apart_m)?;
        let sd_m = FLOOR_M.hypot(MAD_TO_SD * mad_m);
        let wide_m = f64::max(usual_m - low_m?, high_m? - usual_m) / WIDE_SDS;
        Some(Self { label: 0, apart_m: usual_m, sd_m, wide_m: wide_m.max(2.0 * sd_m) })
    }

    fn score(&self, apart_m: f64) -> f64 {
        let density = |sd_m: f64| {
            let z = (apart_m - self.apart_m) / sd_m;
            REACH_M / (sd_m * (2.0 * std::f64::consts::PI).sqrt()) * (-0.5 * z * z).exp()
        };
        let wide = 1.0 - SHARE_USUAL;
        (SHARE_USUAL * density(self.sd_m) + wide * density(self.wide_m) + UNEXPLAINED).ln()
    }
}
