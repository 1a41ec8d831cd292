//! The cloud of markers: how long it is, and how far from the floor.

use std::collections::BTreeMap;

use crate::statistics::{median, quantile};
use crate::trial::{Axis, Marker, Trial};

/// How many frames are looked at.
pub(super) const FRAMES_LOOKED_AT: usize = 64;
/// The fewest markers whose cloud says something about size.
pub(super) const MARKERS_NEEDED: usize = 5;
/// Someone standing or crouching, without and with markers on the head.
pub(super) const STANDING_M: std::ops::Range<f64> = 0.5..2.5;
/// Where the lowest markers of someone on the floor are.
pub(super) const FLOOR_M: std::ops::Range<f64> = -0.15..0.4;
/// Where they are of someone who lies on it: on the back, or on heels and elbows.
const LYING_M: std::ops::Range<f64> = -0.05..0.2;
/// How high the markers of someone who lies are above each other, at most: where nobody says that it is up, and where the
/// file says so: legs and arms may be raised.
const LYING_EXTENT_M: f64 = 0.6;
const DECLARED_LYING_EXTENT_M: f64 = 1.0;
/// How long somebody is of whom it is guessed.
const WHOLE_M: std::ops::Range<f64> = 1.2..2.5;
/// Hardly ever is a marker below the floor: the share of frames in which one may be.
const BELOW_FLOOR: f64 = 0.05;

/// The typical extent of the markers along each axis, over a few frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cloud {
    /// Of one performer.
    pub(super) extent_m: [f64; 3],
    /// Of all of them.
    pub(super) low_m: [f64; 3],
    high_m: [f64; 3],
    /// What the lowest marker is above in nearly all frames.
    floor_m: [f64; 3],
}

impl Cloud {
    /// # Method
    /// Two people side by side are no longer than one: extents are those of the labels that share a prefix, where
    /// there are enough of them. Medians are over frames and performers.
    pub(super) fn of(trial: &Trial) -> Option<Self> {
        let performers = performers(trial);
        let step = trial.frames.div_ceil(FRAMES_LOOKED_AT).max(1);
        let mut low: [Vec<f64>; 3] = Default::default();
        let mut high: [Vec<f64>; 3] = Default::default();
        let mut extent: [Vec<f64>; 3] = Default::default();
        for frame in (0..trial.frames).step_by(step) {
            let boxes = performers.iter().filter_map(|markers| bounds_m(markers, frame));
            let boxes: Vec<[[f64; 2]; 3]> = boxes.collect();
            for axis in (0..3).filter(|_| !boxes.is_empty()) {
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                for [low_m, high_m] in boxes.iter().map(|bounds| bounds[axis]) {
                    (least, most) = (least.min(low_m), most.max(high_m));
                    extent[axis].push(high_m - low_m);
                }
                low[axis].push(least);
                high[axis].push(most);
            }
        }
        let floor = |values: &Vec<f64>| quantile(values.iter().copied(), BELOW_FLOOR);
        let floor_m = [0, 1, 2].map(|axis| floor(&low[axis]).unwrap_or(0.0));
        let middle = |values: Vec<f64>| median(values).unwrap_or(0.0);
        (!low[0].is_empty()).then(|| Self {
            extent_m: extent.map(middle),
            low_m: low.map(middle),
            high_m: high.map(middle),
            floor_m,
        })
    }

    pub(super) fn size_m(&self) -> f64 {
        self.extent_m.iter().copied().fold(0.0, f64::max)
    }

    pub(super) fn longest_axis(&self) -> usize {
        let longer = |a: &usize, b: &usize| self.extent_m[*a].total_cmp(&self.extent_m[*b]);
        (0..3).max_by(longer).unwrap_or(0)
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        let scale = |values: [f64; 3]| values.map(|v| v * factor);
        Self {
            extent_m: scale(self.extent_m),
            low_m: scale(self.low_m),
            high_m: scale(self.high_m),
            floor_m: scale(self.floor_m),
        }
    }

    /// The axis along which the cloud is longest, if it starts at the floor and goes up from it.
    pub(super) fn standing_axis(&self) -> Option<Axis> {
        let longest = self.longest_axis();
        let on_floor =
            FLOOR_M.contains(&self.low_m[longest]) && STANDING_M.contains(&self.extent_m[longest]);
        on_floor.then(|| [Axis::X, Axis::Y, Axis::Z][longest])
    }

    /// Whether the lowest markers would be on the floor all the time, and none below it, if that axis were up.
    pub(super) fn rests_on_floor(&self, axis: usize) -> bool {
        LYING_M.contains(&self.low_m[axis]) && self.floor_m[axis] >= LYING_M.start
    }

    /// Whether an axis that is declared can be up of someone who lies on the floor.
    pub(super) fn may_lie(&self, axis: usize) -> bool {
        self.rests_on_floor(axis) && self.extent_m[axis] < DECLARED_LYING_EXTENT_M
    }

    /// The only axis that can be up of someone who lies on the floor and stands along no other.
    pub(super) fn lying_axis(&self) -> Option<Axis> {
        let stands = self.standing_axis().filter(|up| self.rests_on_floor(up.index()));
        let mut lying = (0..3)
            .filter(|axis| self.rests_on_floor(*axis) && self.extent_m[*axis] < LYING_EXTENT_M);
        let axis = lying.next().filter(|_| stands.is_none() && WHOLE_M.contains(&self.size_m()));
        axis.filter(|_| lying.next().is_none()).map(|axis| [Axis::X, Axis::Y, Axis::Z][axis])
    }

    /// Whether everything would be below ground if that way were up.
    pub(super) fn hangs_below(&self, up: Axis) -> bool {
        let i = up.index();
        let (low, high) = match up.is_negative() {
            false => (self.low_m[i], self.high_m[i]),
            true => (-self.high_m[i], -self.low_m[i]),
        };
        low < -0.5 && high < FLOOR_M.end / 2.0
    }
}

/// The markers of everyone who has enough of them; all of them together if nobody has.
fn performers(trial: &Trial) -> Vec<Vec<&Marker>> {
    let listed = trial.markers.iter().zip(trial.is_position());
    let places = listed.filter(|(m, is_position)| *is_position && sounds_like_position(m));
    let mut by_prefix: BTreeMap<Option<&str>, Vec<&Marker>> = BTreeMap::new();
    for (marker, _) in places {
        by_prefix.entry(marker.subject()).or_default().push(marker);
    }
    let all: Vec<Vec<&Marker>> = by_prefix.into_values().collect();
    let is_enough = |markers: &Vec<&Marker>| markers.len() >= MARKERS_NEEDED;
    match all.iter().any(is_enough) {
        true => all.into_iter().filter(is_enough).collect(),
        false => vec![all.concat()],
    }
}

/// From where to where these markers are along every axis; nothing if few are seen.
fn bounds_m(markers: &[&Marker], frame: usize) -> Option<[[f64; 2]; 3]> {
    let seen: Vec<_> = markers.iter().filter_map(|marker| marker.position_m(frame)).collect();
    let along = |axis: usize| {
        let values = seen.iter().map(|position| position[axis]);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
            [low.min(value), high.max(value)]
        })
    };
    (seen.len() >= MARKERS_NEEDED).then(|| [along(0), along(1), along(2)])
}

/// Model outputs share the list of points with markers but are angles, forces and powers; not
/// every file lists them as such.
fn sounds_like_position(marker: &Marker) -> bool {
    let label = marker.label.to_ascii_lowercase();
    !["angle", "force", "moment", "power"].iter().any(|word| label.contains(word))
}
