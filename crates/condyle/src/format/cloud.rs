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
/// Where those of someone who lies on it are: under the back, or over the thickness of a mat.
const LYING_M: std::ops::Range<f64> = -0.05..0.2;
/// Whoever lies does not rise or sink by more than this, a tenth of the frames left out.
const LYING_RANGE_M: f64 = 0.1;

/// The typical extent of the markers along each axis, over a few frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cloud {
    /// Of one performer.
    pub(super) extent_m: [f64; 3],
    /// Of all of them.
    pub(super) low_m: [f64; 3],
    high_m: [f64; 3],
    /// How far their lower and their upper bound range over the frames, without a tenth of these.
    range_m: [[f64; 2]; 3],
}

impl Cloud {
    /// # Method
    /// Two people side by side are no longer than one: extents are those of the labels that share a prefix, where
    /// there are enough of them. Medians are over frames and performers.
    pub(super) fn of(trial: &Trial) -> Option<Self> {
        let performers = performers(trial);
        let step = trial.frames.div_ceil(FRAMES_LOOKED_AT).max(1);
        let frames: Vec<usize> = (0..trial.frames).step_by(step).collect();
        let bounds: Vec<Vec<Option<Bounds>>> =
            performers.iter().map(|markers| bounds_m(markers, &frames)).collect();
        let mut low: [Vec<f64>; 3] = Default::default();
        let mut high: [Vec<f64>; 3] = Default::default();
        let mut extent: [Vec<f64>; 3] = Default::default();
        for at in 0..frames.len() {
            let boxes: Vec<Bounds> = bounds.iter().filter_map(|own| own[at]).collect();
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
        let middle = |values: Vec<f64>| median(values).unwrap_or(0.0);
        let range = |values: &[f64]| {
            let [least, most] = [0.05, 0.95].map(|share| quantile(values.iter().copied(), share));
            most.unwrap_or(0.0) - least.unwrap_or(0.0)
        };
        (!low[0].is_empty()).then(|| Self {
            range_m: [0, 1, 2].map(|axis| [range(&low[axis]), range(&high[axis])]),
            extent_m: extent.map(middle),
            low_m: low.map(middle),
            high_m: high.map(middle),
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
            range_m: self.range_m.map(|both| both.map(|v| v * factor)),
        }
    }

    /// The axis along which the cloud is longest, if it starts at the floor and goes up from it.
    pub(super) fn standing_axis(&self) -> Option<Axis> {
        let longest = self.longest_axis();
        let on_floor =
            FLOOR_M.contains(&self.low_m[longest]) && STANDING_M.contains(&self.extent_m[longest]);
        on_floor.then(|| [Axis::X, Axis::Y, Axis::Z][longest])
    }

    /// Whether the lowest of it rests on the floor if that way is up.
    pub(super) fn lies_on_floor(&self, up: Axis) -> bool {
        let i = up.index();
        let (low_m, range_m) = match up.is_negative() {
            false => (self.low_m[i], self.range_m[i][0]),
            true => (-self.high_m[i], self.range_m[i][1]),
        };
        LYING_M.contains(&low_m) && range_m < LYING_RANGE_M
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

/// From where to where markers are along every axis.
type Bounds = [[f64; 2]; 3];

/// From where to where these markers are in each of some frames; nothing if few are seen. Marker by marker, as they lie.
fn bounds_m(markers: &[&Marker], frames: &[usize]) -> Vec<Option<Bounds>> {
    let mut found = vec![([[f64::INFINITY, f64::NEG_INFINITY]; 3], 0); frames.len()];
    for marker in markers {
        for ((bounds, seen), frame) in found.iter_mut().zip(frames) {
            let Some(position) = marker.position_m(*frame) else { continue };
            *seen += 1;
            for ([low, high], value) in bounds.iter_mut().zip(position.iter()) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
    }
    let is_enough = |(bounds, seen)| (seen >= MARKERS_NEEDED).then_some(bounds);
    found.into_iter().map(is_enough).collect()
}

/// Model outputs share the list of points with markers but are angles, forces and powers; not
/// every file lists them as such.
fn sounds_like_position(marker: &Marker) -> bool {
    let label = marker.label.to_ascii_lowercase();
    !["angle", "force", "moment", "power"].iter().any(|word| label.contains(word))
}
