//! Recordings with exchanged labels, and how many samples are under the right label before and after repair.

use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::{Trial, swaps};

/// A kind of recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kind {
    /// The marker set of the simulated person.
    pub markers: &'static str,
    /// How far skin moves, in metres.
    pub skin_m: f64,
    /// For how long markers are hidden at an exchange, every second time, in seconds.
    pub gap_s: f64,
}

const fn kind(markers: &'static str, skin_m: f64, gap_s: f64) -> Kind {
    Kind { markers, skin_m, gap_s }
}

/// All kinds, in the order of the seeds.
pub const KINDS: [Kind; 8] = [
    kind("clusters", 0.0, 0.0),
    kind("clusters", 0.0, 0.3),
    kind("cmu41", 0.0, 0.0),
    kind("cmu41", 0.0, 0.3),
    kind("clusters", 5e-3, 0.3),
    kind("cmu41", 5e-3, 0.3),
    kind("plug-in-gait", 0.0, 0.3),
    kind("plug-in-gait", 5e-3, 0.0),
];

/// What became of one recording, or of several: samples under a wrong label.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// How many recordings.
    pub recordings: usize,
    /// Wrong before.
    pub before: usize,
    /// Wrong after, of those that were wrong before.
    pub still: usize,
    /// Wrong after, of those that were right before.
    pub spoilt: usize,
    /// Recordings with more wrong samples than before.
    pub worse: usize,
    /// Recordings in which anything was exchanged.
    pub touched: usize,
}

impl Score {
    /// Of a repaired recording against how it was before and how it should be.
    pub fn of([before, after, right]: [&Trial; 3]) -> Self {
        let mut score = Self { recordings: 1, ..Self::default() };
        for (marker, right) in right.markers.iter().enumerate() {
            for frame in 0..right.frames() {
                let is = |trial: &Trial| trial.markers[marker].position_m(frame);
                let truth_m = right.position_m(frame);
                let [was_wrong, is_wrong] = [is(before) != truth_m, is(after) != truth_m];
                score.before += usize::from(was_wrong);
                score.still += usize::from(was_wrong && is_wrong);
                score.spoilt += usize::from(!was_wrong && is_wrong);
            }
        }
        score.worse = usize::from(score.still + score.spoilt > score.before);
        score
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.recordings += other.recordings;
        self.before += other.before;
        self.still += other.still;
        self.spoilt += other.spoilt;
        self.worse += other.worse;
        self.touched += other.touched;
    }
}

/// What is simulated for a seed: 20 s with 1 mm of noise and 2 % of the samples missing.
pub fn options(seed: u64, kind: &Kind) -> Options {
    let routines = [Routine::Rom, Routine::Walk, Routine::Exercise, Routine::ChickenWalk];
    Options {
        routine: routines[(seed / KINDS.len() as u64 % 4) as usize],
        seconds: 20.0,
        seed,
        marker_set: Some(kind.markers.to_owned()),
        noise_m: 1e-3,
        skin_m: kind.skin_m,
        occlusion: 0.02,
        ..Options::default()
    }
}

/// The same with 4 to 12 exchanges: one, two or three at once, every fourth a cycle of three labels.
pub fn swapped(seed: u64, kind: &Kind) -> Options {
    let all = 4 + (seed as usize * 7 + 3) % 9;
    let cycles = all / 4;
    Options {
        swaps: all - cycles,
        cycles,
        swaps_at_once: 1 + seed as usize % 3,
        swap_gap_s: kind.gap_s,
        ..options(seed, kind)
    }
}

/// A recording as it was, and with every label on its own marker.
///
/// # Errors
/// It cannot be simulated.
pub fn simulated(options: &Options) -> condyle::Result<(Simulation, Trial)> {
    let simulation = simulate(&Performer::human(), options)?;
    let mut right = simulation.trial.clone();
    simulation.truth.swaps.iter().for_each(|swap| swap.undo(&mut right));
    Ok((simulation, right))
}

/// Puts labels back, and says how well.
pub fn score(before: &Trial, right: &Trial) -> (Score, Vec<swaps::Swap>) {
    let mut after = before.clone();
    let markers: Vec<usize> = (0..before.markers.len()).collect();
    let found = swaps::put_back(&mut after, &markers);
    let mut score = Score::of([before, &after, right]);
    score.touched = usize::from(!found.is_empty());
    (score, found)
}
