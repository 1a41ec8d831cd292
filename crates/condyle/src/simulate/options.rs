//! What to simulate.

use serde::{Deserialize, Serialize};

use super::performer::Performer;
use super::routine::Routine;
use crate::error::{Error, Result};

/// The most samples that are made: performers times markers times frames.
const MOST_SAMPLES: f64 = 1e8;
/// The most cameras about a room.
const MOST_CAMERAS: usize = 1000;
/// The largest share of samples that can be hidden.
const MOST_HIDDEN: f64 = 0.95;

/// What to simulate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// What is performed.
    pub routine: Routine,
    /// For how long.
    pub seconds: f64,
    /// Frames a second.
    pub rate_hz: f64,
    /// What all chance comes from.
    pub seed: u64,
    /// How many performers; from two on, their labels begin with `P1:`, `P2:` and so on, and each
    /// is a twentieth smaller than the one before.
    pub performers: usize,
    /// The marker set, if not the performer's usual one.
    pub marker_set: Option<String>,
    /// One sensor with six degrees of freedom on every segment instead of markers.
    pub sensors: bool,
    /// Joints as a detector sees them in films, instead of markers: with offset, correlated noise, jumps and gaps as
    /// filmed recordings have them, and as many exchanges of the legs as there are `swaps`.
    pub keypoints: bool,
    /// The standard deviation of the noise of each coordinate, in metres.
    pub noise_m: f64,
    /// The standard deviation of a sensor's orientation about each axis.
    pub orientation_noise_rad: f64,
    /// How far the skin carries the markers of a segment when it has moved most: their root mean
    /// square, in metres, for a segment whose share is 1.
    ///
    /// The displacement is linear in the angles of the adjacent joints and zero on average; half of
    /// it is common to the segment's markers. A sensor is shifted, not turned.
    pub skin_m: f64,
    /// The share of samples lost in bursts of a fifth of a second on average, 0 to 0.95.
    pub occlusion: f64,
    /// The share of samples lost one by one, 0 to 0.95.
    pub dropout: f64,
    /// How many times two labels are exchanged for a while.
    pub swaps: usize,
    /// Cameras about the room: what fewer than two see past the bodies is missing. 0 for no cameras: all is seen.
    pub cameras: usize,
    /// So many exchanges begin in the same frame, of different markers.
    pub swaps_at_once: usize,
    /// How many times three labels change places in a cycle for a while.
    pub cycles: usize,
    /// Markers whose labels change places are hidden meanwhile, every second time, for up to so long, in seconds.
    pub swap_gap_s: f64,
    /// How many markers slip once, each on a segment of its own, and stay there.
    pub slips: usize,
    /// How far they slip, in metres.
    pub slip_m: f64,
    /// How many segments have all their markers elsewhere than the performer's description says.
    pub moved_clusters: usize,
    /// How far these were moved, in metres.
    pub moved_m: f64,
    /// Of a hand: the end joints of fingers bend so many times as far as the middle ones, each time by chance between
    /// the two, instead of the hand's own ratio.
    pub end_joint_ratio: Option<[f64; 2]>,
    /// Of a hand: its palm hides the tips of fingers that are closed over it.
    pub palm_hides_tips: bool,
}

impl Default for Options {
    /// Thirty seconds of range of motion at 100 Hz, undisturbed.
    fn default() -> Self {
        Self {
            routine: Routine::Rom,
            seconds: 30.0,
            rate_hz: 100.0,
            seed: 1,
            performers: 1,
            marker_set: None,
            sensors: false,
            keypoints: false,
            noise_m: 0.0,
            orientation_noise_rad: 0.0,
            skin_m: 0.0,
            occlusion: 0.0,
            dropout: 0.0,
            swaps: 0,
            cameras: 0,
            swaps_at_once: 1,
            cycles: 0,
            swap_gap_s: 0.0,
            slips: 0,
            slip_m: 0.01,
            moved_clusters: 0,
            moved_m: 0.02,
            end_joint_ratio: None,
            palm_hides_tips: false,
        }
    }
}

impl Options {
    /// The marker set that a performer wears.
    pub fn marker_set_of<'a>(&'a self, performer: &'a Performer) -> &'a str {
        self.marker_set.as_deref().unwrap_or(&performer.marker_set)
    }

    /// Checks everything; returns the number of frames.
    pub(super) fn check(&self, performer: &Performer) -> Result<usize> {
        let (set, sets) = (self.marker_set_of(performer), performer.marker_sets());
        if !sets.contains(&set) {
            return Err(Error::argument(format!("marker set: need one of {sets:?}, got {set:?}")));
        }
        for (what, value) in [("seconds", self.seconds), ("rate", self.rate_hz)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::argument(format!(
                    "{what}: need a positive number, got {value}"
                )));
            }
        }
        for (what, value) in [
            ("noise", self.noise_m),
            ("orientation noise", self.orientation_noise_rad),
            ("skin motion", self.skin_m),
            ("gap at swaps", self.swap_gap_s),
            ("slip", self.slip_m),
            ("moved by", self.moved_m),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(Error::argument(format!(
                    "{what}: need a number from 0 up, got {value}"
                )));
            }
        }
        for (what, share) in [("occlusion", self.occlusion), ("dropout", self.dropout)] {
            if !(0.0..=MOST_HIDDEN).contains(&share) {
                return Err(Error::argument(format!(
                    "{what}: need a share from 0 to {MOST_HIDDEN}, got {share}"
                )));
            }
        }
        if let Some([least, most]) = self.end_joint_ratio
            && !(0.0 <= least && least <= most && most <= 2.0)
        {
            return Err(Error::argument(format!(
                "ratio of end joints: need two numbers from 0 to 2, the smaller first, got {least} and {most}"
            )));
        }
        if self.cameras > MOST_CAMERAS {
            let got = self.cameras;
            return Err(Error::argument(format!(
                "cameras: need at most {MOST_CAMERAS}, got {got}"
            )));
        }
        if self.cameras > 0 && self.sensors {
            return Err(Error::argument("cameras: need markers, got sensors"));
        }
        for (what, count) in
            [("performers", self.performers), ("swaps at once", self.swaps_at_once)]
        {
            if count == 0 {
                return Err(Error::argument(format!("{what}: need one or more, got 0")));
            }
        }
        let frames = (self.seconds * self.rate_hz).round().max(1.0);
        let per_frame: usize = performer.segments.iter().map(|s| s.sites.len().max(1)).sum();
        let samples = frames * per_frame as f64 * self.performers as f64;
        if samples > MOST_SAMPLES {
            return Err(Error::argument(format!(
                "samples: need at most {MOST_SAMPLES:.0e}, got {samples:.1e}: ask for less time, a \
                 lower rate or fewer performers"
            )));
        }
        Ok(frames as usize)
    }
}
