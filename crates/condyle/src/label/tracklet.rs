//! Tracklets: what a recording saw of a point without a break, and the frames in which they are looked at.

use nalgebra::Point3;

use crate::trial::Trial;

/// Frames a second that are looked at.
const LOOKS_HZ: f64 = 10.0;
/// Every tracklet is looked at so many times, or in every frame.
const LEAST_LOOKS: usize = 3;

/// A stretch of a trajectory without a gap.
pub(super) struct Tracklet {
    /// The index of the trajectory.
    pub(super) track: usize,
    /// Its first frame, counted from 0.
    pub(super) first: usize,
    pub(super) positions_m: Vec<Point3<f64>>,
}

impl Tracklet {
    /// The frame after its last.
    pub(super) fn end(&self) -> usize {
        self.first + self.positions_m.len()
    }

    pub(super) fn frames(&self) -> usize {
        self.positions_m.len()
    }

    /// How many frames it shares with another.
    pub(super) fn overlap(&self, other: &Self) -> usize {
        self.end().min(other.end()).saturating_sub(self.first.max(other.first))
    }
}

/// Every trajectory of a recording, cut at its gaps.
pub(super) fn cut(trial: &Trial) -> Vec<Tracklet> {
    let mut tracklets: Vec<Tracklet> = Vec::new();
    for (track, marker) in trial.markers.iter().enumerate() {
        for frame in 0..trial.frames {
            let Some(position_m) = marker.position_m(frame) else { continue };
            match tracklets.last_mut().filter(|last| last.track == track && last.end() == frame) {
                Some(last) => last.positions_m.push(position_m),
                None => {
                    let positions_m = vec![position_m];
                    tracklets.push(Tracklet { track, first: frame, positions_m });
                }
            }
        }
    }
    tracklets
}

/// One frame that is looked at: which tracklets are seen in it, and where.
pub(super) struct Look {
    pub(super) frame: usize,
    pub(super) tracklets: Vec<usize>,
    pub(super) positions_m: Vec<Point3<f64>>,
}

/// The frames to look at: ten a second, and three of every tracklet.
pub(super) fn looks(tracklets: &[Tracklet], frames: usize, rate_hz: f64) -> Vec<Look> {
    let mut is_wanted = vec![false; frames];
    let step = if rate_hz > 0.0 { ((rate_hz / LOOKS_HZ).round() as usize).max(1) } else { 1 };
    (0..frames).step_by(step).for_each(|frame| is_wanted[frame] = true);
    for tracklet in tracklets {
        let wanted = is_wanted[tracklet.first..tracklet.end()].iter().filter(|is| **is).count();
        if wanted < LEAST_LOOKS {
            for look in 0..LEAST_LOOKS {
                let along = (tracklet.frames() - 1) * look / (LEAST_LOOKS - 1);
                is_wanted[tracklet.first + along] = true;
            }
        }
    }
    let mut looks: Vec<Look> = (0..frames)
        .filter(|frame| is_wanted[*frame])
        .map(|frame| Look { frame, tracklets: Vec::new(), positions_m: Vec::new() })
        .collect();
    for (index, tracklet) in tracklets.iter().enumerate() {
        let start = looks.partition_point(|look| look.frame < tracklet.first);
        for look in looks[start..].iter_mut().take_while(|look| look.frame < tracklet.end()) {
            look.tracklets.push(index);
            look.positions_m.push(tracklet.positions_m[look.frame - tracklet.first]);
        }
    }
    looks
}
