//! What counts how much when a figure is put together, for programs that put it together otherwise.

use super::Solver;
use super::seen::{Estimates, Samples};
use super::spread::typical_pose;
use crate::subject::Subject;
use crate::trial::Trial;

/// What a segment counts in a frame that shows all markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Influence {
    /// What its markers count against those of the root: less by the share that joints whose centres wander keep back.
    pub share: f64,
    /// How strongly it is held as it mostly stands against its parent: one over the variance of a turn, in radians squared.
    pub held_per_rad2: f64,
}

/// What every segment of a subject counts.
///
/// # Method
/// A child whose joint's centre wanders by the variance s² tells its parent (I + s² A)⁻¹ A of the A that it knows; the
/// share is the ratio of their traces, and the product of those of all joints down to the segment.
///
/// Where two markers or more know m of the turn that they know least of, they are asked twice: a segment is placed by them
/// and the hold h, and then held there by h while all is put together. It ends (h / (m + h))² of the way from where they
/// have it, as if it were held once by h² / (m + 2 h).
pub(crate) fn influences(subject: &Subject) -> Vec<Influence> {
    let Some((solver, pose)) = typical_pose(subject) else {
        return vec![Influence { share: 1.0, held_per_rad2: 0.0 }; subject.segments.len()];
    };
    let mut influences: Vec<Influence> = Vec::new();
    for (part, node) in solver.segments.iter().zip(&pose.nodes) {
        let own = part.own_joint.map(|joint| &solver.joints[joint]);
        let share = own.and_then(|link| {
            let mut hung = *node;
            let (information, push) = hung.of_pivot()?;
            let (kept, _) = link.loosened(&information, &push);
            Some(kept.trace() / information.trace() * influences[link.parent].share)
        });
        let share = share.filter(|share| share.is_finite()).unwrap_or(1.0);
        let held_per_rad2 = match part.markers.len() {
            0 | 1 => node.held,
            _ => {
                let known = (node.turn.symmetric_eigenvalues().min() - node.held).max(0.0);
                // Nothing holds what has no place.
                node.held.powi(2) / (known + 2.0 * node.held).max(f64::MIN_POSITIVE)
            }
        };
        influences.push(Influence { share, held_per_rad2 });
    }
    influences
}

/// Draws estimates of markers towards the poses of their segments, for programs that weigh all samples of a marker alike.
///
/// An estimate that counts a share of what a measured sample counts pulls as much as a sample that lies by this share of
/// the way from where the pose has the marker to the estimate. Measured samples stay.
///
/// # Errors
/// The recording has none of the subject's markers.
pub(crate) fn draw_estimates(
    subject: &Subject,
    motion: &super::SolvedMotion,
    trial: &mut Trial,
) -> crate::error::Result<()> {
    let solver = Solver::new(subject, &trial.labels())?;
    let (mut positions_m, mut variances_m2) =
        (vec![None; trial.markers.len()], vec![0.0; trial.markers.len()]);
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        trial.variances_m2(frame, &mut variances_m2);
        let samples = Samples {
            positions_m: &positions_m,
            variances_m2: &variances_m2,
            moved: None,
            estimates: Estimates::Weighed,
        };
        for (segment, part) in solver.segments.iter().enumerate() {
            let Some(world_from_segment) = motion.world_from_segment(frame, segment) else {
                continue;
            };
            let shares = samples.shares(part);
            for (column, in_segment_m, _) in &part.markers {
                let share = shares.of(&samples, *column);
                let Some((column, at_m)) =
                    column.zip(samples.at_m(*column)).filter(|_| share < 1.0)
                else {
                    continue;
                };
                let posed_m = world_from_segment * in_segment_m;
                let origin = trial.markers[column].origin(frame);
                let sd_m = trial.markers[column].sd_m(frame);
                trial.markers[column].set(frame, Some(posed_m + (at_m - posed_m) * share), origin);
                trial.markers[column].set_sd_m(frame, sd_m.unwrap_or(0.0));
            }
        }
    }
    Ok(())
}
