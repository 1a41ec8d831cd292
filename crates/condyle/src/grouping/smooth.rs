//! Noise filtered out of trajectories before they are compared: a low-pass at a cut-off found from the data.

use nalgebra::Vector3;

use super::spectrum::cutoff_hz;
use crate::statistics::median_in_place;

/// A marker's positions in every frame.
pub(super) type Track = Vec<Option<Vector3<f64>>>;

/// Third differences of white noise have √20 times its standard deviation.
const THIRD_DIFFERENCE: f64 = 4.472_135_955;
/// The median of |normal| in standard deviations.
const MEDIAN_OF_NORMAL: f64 = 0.6745;
/// A run breaks where a second difference exceeds so many times what noise gives it.
const JUMP: f64 = 8.0;
/// And so much at least, in metres.
const MIN_JUMP_M: f64 = 0.015;
/// Above this share of the rate the motion fills the band: nothing is filtered.
const MAX_CUTOFF: f64 = 0.4;
/// The filter passes this many times the cut-off.
const MARGIN: f64 = 1.1;
/// Half the length of the filter, in periods of the cut-off.
const HALF_LENGTH: f64 = 1.5;
/// Runs that are shorter are left as they are, in frames.
const MIN_RUN: usize = 8;

/// A low-pass filter of zero phase.
///
/// # Method
/// σᵢ, the white noise of a marker, is the median of its third differences. Runs end at gaps and at jumps, so that
/// what changed places is not smeared. The cut-off is one for the recording. A run is convolved with a windowed sinc;
/// beyond its ends it is reflected through the line fitted to the end.
pub(super) struct LowPass {
    /// Taps from the middle outwards; only one if nothing is filtered.
    taps: Vec<f64>,
    /// What white noise is left in a coordinate: a standard deviation in metres; zero if it is not known.
    pub noise_m: f64,
}

impl LowPass {
    /// The filter for these trajectories.
    pub fn for_tracks(tracks: impl Iterator<Item = Track>, rate_hz: f64) -> Self {
        let (mut noises_m, mut runs) = (Vec::new(), Vec::new());
        for track in tracks {
            let noise_m = noise_of_m(&track);
            noises_m.extend(noise_m);
            let longest = runs_of(&track, noise_m).into_iter().max_by_key(|run| run.len());
            let run = longest.into_iter().flatten().map(|frame| track[frame].unwrap_or_default());
            runs.push(run.collect::<Vec<_>>());
        }
        let noise_m = median_in_place(&mut noises_m).unwrap_or(0.0);
        let cutoff_hz = cutoff_hz(&runs, rate_hz);
        let cutoff_hz = cutoff_hz.filter(|cutoff_hz| *cutoff_hz <= MAX_CUTOFF * rate_hz);
        let taps = cutoff_hz.map_or_else(|| vec![1.0], |cutoff_hz| taps(cutoff_hz / rate_hz));
        let power = taps[0].powi(2) + 2.0 * taps[1..].iter().map(|tap| tap * tap).sum::<f64>();
        Self { taps, noise_m: noise_m * power.sqrt() }
    }

    /// Whether anything is filtered.
    pub fn is_filtering(&self) -> bool {
        self.taps.len() > 1
    }

    /// The filtered position in each of these frames, ascending; `None` where the marker is not seen.
    pub fn at(&self, track: &Track, frames: &[usize]) -> Vec<Option<Vector3<f64>>> {
        if !self.is_filtering() {
            return frames.iter().map(|frame| track[*frame]).collect();
        }
        let mut filtered: Vec<Option<Vector3<f64>>> =
            frames.iter().map(|frame| track[*frame]).collect();
        let runs = runs_of(track, noise_of_m(track)).into_iter();
        for run in runs.filter(|run| run.len() >= MIN_RUN) {
            let seen: Vec<Vector3<f64>> =
                run.clone().map(|frame| track[frame].unwrap_or_default()).collect();
            let reflected = Reflected::new(&seen, self.taps.len());
            let first = frames.partition_point(|frame| *frame < run.start);
            let end = frames.partition_point(|frame| *frame < run.end);
            for (frame, place) in frames[first..end].iter().zip(&mut filtered[first..end]) {
                *place = Some(self.convolved(&reflected, (frame - run.start) as isize));
            }
        }
        filtered
    }

    fn convolved(&self, run: &Reflected, frame: isize) -> Vector3<f64> {
        let sides = self.taps.iter().enumerate().skip(1);
        sides.fold(run.at(frame) * self.taps[0], |sum, (away, tap)| {
            let away = away as isize;
            sum + (run.at(frame - away) + run.at(frame + away)) * *tap
        })
    }
}

/// A run that goes on beyond its ends as its own point reflection about the end of a fitted line.
struct Reflected<'a> {
    seen: &'a [Vector3<f64>],
    /// Twice the ends that it is reflected about.
    twice_ends: [Vector3<f64>; 2],
}

impl<'a> Reflected<'a> {
    fn new(seen: &'a [Vector3<f64>], taps: usize) -> Self {
        let fitted = (taps / 3).clamp(2, seen.len());
        let first = line_end(seen[..fitted].iter().rev());
        let last = line_end(seen[seen.len() - fitted..].iter());
        Self { seen, twice_ends: [2.0 * first, 2.0 * last] }
    }

    fn at(&self, frame: isize) -> Vector3<f64> {
        let last = self.seen.len() as isize - 1;
        let clamped = |frame: isize| self.seen[frame.clamp(0, last) as usize];
        match frame {
            frame if frame < 0 => self.twice_ends[0] - clamped(-frame),
            frame if frame > last => self.twice_ends[1] - clamped(2 * last - frame),
            frame => clamped(frame),
        }
    }
}

/// The last point of the line fitted to points at equal steps.
fn line_end<'a>(points: impl ExactSizeIterator<Item = &'a Vector3<f64>>) -> Vector3<f64> {
    let count = points.len() as f64;
    let middle = 0.5 * (count - 1.0);
    let (mut sum, mut slope, mut squares) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for (index, point) in points.enumerate() {
        let at = index as f64 - middle;
        sum += point;
        slope += point * at;
        squares += at * at;
    }
    sum / count + slope * (middle / squares.max(f64::MIN_POSITIVE))
}

/// The white noise of a trajectory, by its third differences; `None` if it is too short.
fn noise_of_m(track: &Track) -> Option<f64> {
    let mut thirds: Vec<f64> = Vec::new();
    for four in track.windows(4) {
        if let [Some(a), Some(b), Some(c), Some(d)] = four {
            thirds.extend((d - c * 3.0 + b * 3.0 - a).iter().map(|third| third.abs()));
        }
    }
    Some(median_in_place(&mut thirds)? / (MEDIAN_OF_NORMAL * THIRD_DIFFERENCE))
}

/// The runs of frames without a gap or a jump, of a trajectory with this white noise.
fn runs_of(track: &Track, noise_m: Option<f64>) -> Vec<std::ops::Range<usize>> {
    let limit_m = (JUMP * 6_f64.sqrt() * noise_m.unwrap_or(0.0)).max(MIN_JUMP_M);
    let mut runs = Vec::new();
    let mut start = None;
    for frame in 0..track.len() {
        let Some(here) = track[frame] else {
            runs.extend(start.take().map(|start| start..frame));
            continue;
        };
        if let Some(first) = start
            && frame >= first + 2
            && let (Some(before), Some(last)) = (track[frame - 2], track[frame - 1])
            && (here - last * 2.0 + before).norm() > limit_m
        {
            runs.push(first..frame);
            start = None;
        }
        start = start.or(Some(frame));
    }
    runs.extend(start.map(|start| start..track.len()));
    runs
}

/// A sinc with a Hamming window that passes up to a share of the rate, from its middle outwards.
fn taps(cutoff: f64) -> Vec<f64> {
    use std::f64::consts::PI;
    let half = (HALF_LENGTH / cutoff).ceil();
    let pass = 2.0 * MARGIN * cutoff;
    let tap = |k: f64| {
        let window = 0.54 + 0.46 * (PI * k / (half + 1.0)).cos();
        let sinc = if k == 0.0 { 1.0 } else { (PI * pass * k).sin() / (PI * pass * k) };
        window * sinc
    };
    let mut taps: Vec<f64> = (0..=half as usize).map(|k| tap(k as f64)).collect();
    let sum = taps[0] + 2.0 * taps[1..].iter().sum::<f64>();
    taps.iter_mut().for_each(|tap| *tap /= sum);
    taps
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    const RATE_HZ: f64 = 100.0;

    fn swing(frame: usize, phase: f64) -> Vector3<f64> {
        let t = frame as f64 / RATE_HZ;
        Vector3::new((5.0 * t + phase).sin(), (3.0 * t).cos(), 0.3 * (11.0 * t + phase).sin()) * 0.4
    }

    fn tracks(noise_m: f64) -> Vec<Track> {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut noise = || Vector3::from_fn(|_, _| StandardNormal.sample(&mut rng));
        let at = |phase: f64, noise: &mut dyn FnMut() -> Vector3<f64>| {
            (0..2000).map(|frame| Some(swing(frame, phase) + noise() * noise_m)).collect()
        };
        (0..6).map(|marker| at(f64::from(marker), &mut noise)).collect()
    }

    fn rms_m(filtered: &[Option<Vector3<f64>>], frames: &[usize]) -> f64 {
        let off = filtered.iter().zip(frames);
        let off = off.filter_map(|(at, frame)| Some(((*at)? - swing(*frame, 0.0)).norm_squared()));
        (off.sum::<f64>() / (3 * frames.len()) as f64).sqrt()
    }

    #[test]
    fn noise_goes_and_motion_stays_up_to_the_ends_of_a_run() {
        let tracks = tracks(1e-3);
        let low_pass = LowPass::for_tracks(tracks.iter().cloned(), RATE_HZ);
        assert!(low_pass.is_filtering());
        assert!((1e-4..5e-4).contains(&low_pass.noise_m), "{}", low_pass.noise_m);
        let all: Vec<usize> = (0..2000).collect();
        assert!(rms_m(&low_pass.at(&tracks[0], &all), &all) < 1.3 * low_pass.noise_m);
        let ends: Vec<usize> = (0..10).chain(1990..2000).collect();
        assert!(rms_m(&low_pass.at(&tracks[0], &ends), &ends) < 1.2e-3);
    }

    #[test]
    fn a_jump_is_not_smeared_and_a_gap_stays() {
        let mut tracks = tracks(2e-4);
        let low_pass = LowPass::for_tracks(tracks.iter().cloned(), RATE_HZ);
        let aside = Vector3::new(0.2, 0.0, 0.0);
        tracks[0][1000..].iter_mut().flatten().for_each(|place| *place += aside);
        tracks[0][500] = None;
        let near: Vec<usize> = (995..1005).collect();
        let filtered = low_pass.at(&tracks[0], &near);
        for (at, frame) in filtered.iter().zip(&near) {
            let jump = if *frame < 1000 { Vector3::zeros() } else { aside };
            assert!((at.unwrap() - jump - swing(*frame, 0.0)).norm() < 2e-3, "{frame}");
        }
        assert_eq!(low_pass.at(&tracks[0], &[500]), [None]);
    }
}
