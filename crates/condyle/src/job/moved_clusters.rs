//! Clusters that sit elsewhere on a segment than when a subject was fitted.

use nalgebra::Vector3;

use crate::solve::{PlacedBy, Solver};
use crate::statistics::median;
use crate::subject::Subject;
use crate::trial::{Note, Trial};

/// Frames looked at, at most.
const FRAMES: usize = 300;
/// So many of them have to show both sides of a joint.
const LEAST_FRAMES: usize = 20;
/// A cluster that moved by less may be skin, in metres: 5 mm of skin come to 7 mm on simulated people (seeds 1 to 8).
const LEAST_M: f64 = 1e-2;
/// And so many times what is not known of its joints, most of which both sides share and does not part them.
const LEAST_SDS: f64 = 1.0;
/// A joint is never known better than this, in metres.
const FLOOR_M: f64 = 2e-3;

/// A joint as one of its segments has it, against how its neighbour has it.
struct Side {
    segment: usize,
    joint: usize,
    /// Medians over the frames, in the segment's frame.
    off_m: Vector3<f64>,
}

/// Says which segments have all their markers elsewhere than the subject.
///
/// # Method
/// A cluster that is put on again takes its joints along: seen from its segment, all of them are off their neighbours
/// by the same vector, in every frame. The segment whose vector explains most of all gaps is told first; its joints
/// tell nothing more of its neighbours. Only segments that three markers place can be asked.
pub(super) fn notes(subject: &Subject, trial: &Trial) -> Vec<Note> {
    let mut sides = sides(subject, trial);
    let mut notes = Vec::new();
    loop {
        let moved = (0..subject.segments.len()).filter_map(|segment| {
            let own: Vec<&Side> = sides.iter().filter(|side| side.segment == segment).collect();
            let count = own.len() as f64;
            let shift_m = own.iter().map(|side| side.off_m).sum::<Vector3<f64>>() / count;
            let variance = |side: &&Side| {
                let joint = &subject.joints[side.joint];
                FLOOR_M.powi(2) + joint.worst_sd_m().powi(2) + joint.separation_m.powi(2) / 3.0
            };
            let sd_m = (own.iter().map(variance).sum::<f64>() / count / count).sqrt();
            let sds = shift_m.norm() / sd_m;
            let is_clear = shift_m.norm() > LEAST_M && sds > LEAST_SDS;
            is_clear.then_some((segment, shift_m, sds, count * shift_m.norm_squared()))
        });
        let Some((segment, shift_m, sds, _)) = moved.max_by(|a, b| a.3.total_cmp(&b.3)) else {
            return notes;
        };
        let joints: Vec<usize> =
            sides.iter().filter(|side| side.segment == segment).map(|side| side.joint).collect();
        let names: Vec<&str> = joints.iter().map(|j| subject.joints[*j].name.as_str()).collect();
        let name = &subject.segments[segment].name;
        let text = format!(
            "the markers of {name} sit {:.0} mm from where the subject has them, by {} ({sds:.1} standard \
             deviations): were they put on again? fit the subject again",
            shift_m.norm() * 1e3,
            names.join(" and ")
        );
        notes.push(Note::new("cluster-moved", text).about(name));
        sides.retain(|side| !joints.contains(&side.joint));
    }
}

/// Both sides of every joint whose segments are placed by their markers.
fn sides(subject: &Subject, trial: &Trial) -> Vec<Side> {
    let Ok(solver) = Solver::new(subject, &trial.labels()) else { return Vec::new() };
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut offs: Vec<[Vec<Vector3<f64>>; 2]> = vec![Default::default(); subject.joints.len()];
    for frame in (0..trial.frames).step_by(trial.frames.div_ceil(FRAMES).max(1)) {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        for (index, joint) in subject.joints.iter().enumerate() {
            let placed = |segment: usize| {
                let by_markers = pose.placed.get(segment) == Some(&PlacedBy::ByMarkers);
                pose.measured(segment).filter(|_| by_markers)
            };
            let (Some(parent), Some(child)) = (placed(joint.parent), placed(joint.child)) else {
                continue;
            };
            let separation_m = child * joint.centre_in_child_m - parent * joint.centre_in_parent_m;
            offs[index][0].push(-parent.inverse_transform_vector(&separation_m));
            offs[index][1].push(child.inverse_transform_vector(&separation_m));
        }
    }
    let middle = |all: &[Vector3<f64>]| {
        let along = |axis: usize| median(all.iter().map(|off_m| off_m[axis]));
        Some(Vector3::new(along(0)?, along(1)?, along(2)?))
    };
    let mut sides = Vec::new();
    for (index, (joint, of_joint)) in subject.joints.iter().zip(&offs).enumerate() {
        for (segment, all) in [joint.parent, joint.child].into_iter().zip(of_joint) {
            let off_m = middle(all).filter(|_| all.len() >= LEAST_FRAMES);
            sides.extend(off_m.map(|off_m| Side { segment, joint: index, off_m }));
        }
    }
    sides
}
