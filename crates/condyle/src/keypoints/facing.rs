//! Which way a body faces, by its sides and by its nose and toes.

use nalgebra::Vector3;

use super::tracks::{Joint, Track, track};
use crate::marker_set::{Side, fits};
use crate::statistics::median;
use crate::trial::Trial;

/// What points ahead in a body: from the second, which is on the same side of it, to the first.
const AHEAD: [(&str, &str); 4] =
    [("NOSE", "?EAR"), ("?BIGTOE", "?HEEL"), ("?FOOTINDEX", "?HEEL"), ("?TOE", "?HEEL")];
/// Less than this ahead or behind, in the median, is neither.
const CLEARLY_M: f64 = 0.02;

/// Whether nose and toes, as far as they are there, all point to where the back is by shoulders and hips.
pub(super) fn faces_backwards(trial: &Trial, markers: &[usize]) -> bool {
    let find = |pattern: &str, side: Option<Side>| -> Option<Track> {
        let is_it = |marker: &&usize| {
            let found = fits(pattern, &trial.markers[**marker].label);
            found.is_some_and(|own| side.is_none_or(|side| own == side))
        };
        markers.iter().find(is_it).map(|marker| track(trial, *marker))
    };
    let joint = |joint: Joint, side: Side| -> Option<Track> {
        let is_it = |m: &&usize| Joint::of_label(&trial.markers[**m].label) == Some((joint, side));
        markers.iter().find(is_it).map(|marker| track(trial, *marker))
    };
    let corners = [
        joint(Joint::Hip, Side::Left),
        joint(Joint::Hip, Side::Right),
        joint(Joint::Shoulder, Side::Left),
        joint(Joint::Shoulder, Side::Right),
    ];
    let [Some(left_hip), Some(right_hip), Some(left_shoulder), Some(right_shoulder)] = corners
    else {
        return false;
    };
    let forward = |frame: usize| -> Option<Vector3<f64>> {
        let (lh, rh) = (left_hip[frame]?, right_hip[frame]?);
        let (ls, rs) = (left_shoulder[frame]?, right_shoulder[frame]?);
        (ls + rs - lh - rh).cross(&(rh + rs - lh - ls)).try_normalize(1e-6)
    };
    let ahead_m = |[tip, root]: [&Track; 2]| {
        let of_frame = |frame: usize| Some((tip[frame]? - root[frame]?).dot(&forward(frame)?));
        median((0..trial.frames).filter_map(of_frame))
    };
    let mut all = Vec::new();
    for (tip, root) in AHEAD {
        let own = [Side::Left, Side::Right].map(|side| {
            let own_tip = if tip.starts_with('?') { Some(side) } else { None };
            ahead_m([&find(tip, own_tip)?, &find(root, Some(side))?])
        });
        all.extend(own.into_iter().flatten());
    }
    !all.is_empty() && all.iter().all(|ahead_m| *ahead_m < -CLEARLY_M)
}

#[cfg(test)]
mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::trial::{Format, Marker};

    /// Somebody who looks along x, z up, and where some of its points are.
    fn body(points: &[(&str, [f64; 3])], mirrored: f64) -> Trial {
        let trunk = [
            ("LHip", [0.0, 0.1, 0.9]),
            ("RHip", [0.0, -0.1, 0.9]),
            ("LShoulder", [0.0, 0.2, 1.4]),
            ("RShoulder", [0.0, -0.2, 1.4]),
        ];
        let mut trial = Trial::new(Format::Trc, 30.0);
        trial.frames = 3;
        for (label, [x, y, z]) in trunk.iter().chain(points) {
            let mut marker = Marker { label: (*label).to_owned(), ..Marker::default() };
            (0..3).for_each(|_| marker.push(Some(Point3::new(*x, mirrored * y, *z))));
            trial.markers.push(marker);
        }
        trial
    }

    #[test]
    fn noses_and_toes_tell_left_from_right() {
        let nose = [("Nose", [0.1, 0.0, 1.6]), ("LEar", [0.0, 0.1, 1.6])];
        let foot = [("LHeel", [-0.05, 0.1, 0.0]), ("LBigToe", [0.15, 0.1, 0.0])];
        for points in [nose, foot] {
            let faces = |mirrored| {
                let trial = body(&points, mirrored);
                faces_backwards(&trial, &(0..trial.markers.len()).collect::<Vec<_>>())
            };
            assert!(!faces(1.0) && faces(-1.0), "{points:?}");
        }
    }

    #[test]
    fn whoever_turns_the_head_round_or_has_none_is_not_doubted() {
        let foot = [("LHeel", [-0.05, 0.1, 0.0]), ("LBigToe", [0.15, 0.1, 0.0])];
        let nose = [("Nose", [-0.1, 0.0, 1.6]), ("LEar", [0.0, 0.1, 1.6])];
        for trial in [body(&[foot, nose].concat(), 1.0), body(&[], -1.0)] {
            assert!(!faces_backwards(&trial, &(0..trial.markers.len()).collect::<Vec<_>>()));
        }
    }
}
