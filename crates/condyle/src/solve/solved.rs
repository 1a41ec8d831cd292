//! A whole trial of a subject: every frame, and what the frames say about the fit.

use nalgebra::{Isometry3, Point3};

use super::{Placed, Solver};
use crate::error::Result;
use crate::subject::Subject;
use crate::trial::Trial;

/// The motion of a subject in a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// For every frame the centre of every joint; `None` where it could not be placed.
    pub joints_m: Vec<Vec<Option<Point3<f64>>>>,
    /// For every frame the pose of every segment, bones at their lengths.
    pub world_from_segments: Vec<Vec<Option<Isometry3<f64>>>>,
    /// For every segment in how many frames it was placed, and how.
    pub placed: Vec<PlacedFrames>,
    /// For every joint how far its two segments put it apart: rms over the frames that show both.
    pub gaps_m: Vec<Option<f64>>,
    /// For every joint the standard deviation of the bone from its parent's joint, as the markers have
    /// it; `None` if it has no such bone.
    pub bone_sd_m: Vec<Option<f64>>,
    /// For every marker of the subject the median of its residuals.
    pub marker_residual_m: Vec<Option<f64>>,
    /// The median over all markers and frames.
    pub residual_m: Option<f64>,
}

/// In how many frames a segment was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlacedFrames {
    /// By three or more of its own markers.
    pub by_markers: usize,
    /// With the help of its joints.
    pub with_joints: usize,
    /// With its twist open.
    pub twist_open: usize,
}

impl PlacedFrames {
    /// All of them.
    pub fn total(&self) -> usize {
        self.by_markers + self.with_joints + self.twist_open
    }
}

/// Poses a subject in every frame of a trial.
///
/// # Errors
/// The trial does not show the subject's markers.
pub fn trial(subject: &Subject, trial: &Trial) -> Result<Solved> {
    let solver = Solver::new(subject, &trial.labels())?;
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut tally = Tally::new(subject);
    let mut solved = Solved {
        joints_m: Vec::with_capacity(trial.frames),
        world_from_segments: Vec::with_capacity(trial.frames),
        placed: vec![PlacedFrames::default(); subject.segments.len()],
        gaps_m: Vec::new(),
        bone_sd_m: Vec::new(),
        marker_residual_m: Vec::new(),
        residual_m: None,
    };
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        for (count, placed) in solved.placed.iter_mut().zip(&pose.placed) {
            match placed {
                Placed::Not => {}
                Placed::ByMarkers => count.by_markers += 1,
                Placed::WithJoints => count.with_joints += 1,
                Placed::TwistOpen => count.twist_open += 1,
            }
        }
        tally.add(&solver, &pose);
        solved.joints_m.push(pose.joints_m.clone());
        solved.world_from_segments.push(pose.world_from_segments.clone());
    }
    tally.finish(subject, &mut solved);
    Ok(solved)
}

/// What is counted over the frames.
struct Tally {
    /// Σ |gap|² and the frames, of every joint.
    gaps: Vec<(f64, f64)>,
    /// Σ length, Σ length², frames, of the bone of every joint.
    bones: Vec<(f64, f64, f64)>,
    /// For every joint the joint that its bone begins at.
    bone_from: Vec<Option<usize>>,
    residuals_m: Vec<Vec<f64>>,
}

impl Tally {
    fn new(subject: &Subject) -> Self {
        let joints = subject.joints.len();
        let of_child = |child: usize| subject.joints.iter().position(|joint| joint.child == child);
        let markers = subject.segments.iter().map(|segment| segment.markers.len()).sum();
        Self {
            gaps: vec![(0.0, 0.0); joints],
            bones: vec![(0.0, 0.0, 0.0); joints],
            bone_from: subject.joints.iter().map(|joint| of_child(joint.parent)).collect(),
            residuals_m: vec![Vec::new(); markers],
        }
    }

    fn add(&mut self, solver: &Solver, pose: &super::Pose) {
        for (joint, from) in self.bone_from.iter().enumerate() {
            let sides = solver.measured_joint_m(joint, pose);
            if let [Some(a), Some(b)] = sides {
                self.gaps[joint].0 += (a - b).norm_squared();
                self.gaps[joint].1 += 1.0;
            }
            let middle = |[a, b]: [Option<Point3<f64>>; 2]| match (a, b) {
                (Some(a), Some(b)) => Some(nalgebra::center(&a, &b)),
                (a, b) => a.or(b),
            };
            let near = from.and_then(|from| middle(solver.measured_joint_m(from, pose)));
            if let (Some(near), Some(far)) = (near, middle(sides)) {
                let length_m = (far - near).norm();
                let bone = &mut self.bones[joint];
                (bone.0, bone.1, bone.2) =
                    (bone.0 + length_m, bone.1 + length_m * length_m, bone.2 + 1.0);
            }
        }
        for (all, one) in self.residuals_m.iter_mut().zip(pose.residuals_m()) {
            all.extend(one);
        }
    }

    fn finish(mut self, subject: &Subject, solved: &mut Solved) {
        let rms = |&(square, count): &(f64, f64)| (count > 0.0).then(|| (square / count).sqrt());
        solved.gaps_m = self.gaps.iter().map(rms).collect();
        let sd = |&(sum, square, count): &(f64, f64, f64)| {
            (count > 1.0).then(|| (square / count - (sum / count).powi(2)).max(0.0).sqrt())
        };
        solved.bone_sd_m = self.bones.iter().map(sd).collect();
        // Markers that hold up a segment of fewer than three say nothing about how well it fits.
        let sizes = subject
            .segments
            .iter()
            .flat_map(|segment| std::iter::repeat_n(segment.markers.len(), segment.markers.len()));
        let mut all: Vec<f64> = self
            .residuals_m
            .iter()
            .zip(sizes)
            .filter(|(_, size)| *size >= 3)
            .flat_map(|(residuals_m, _)| residuals_m.iter().copied())
            .collect();
        solved.residual_m = median(&mut all);
        solved.marker_residual_m = self.residuals_m.iter_mut().map(|all| median(all)).collect();
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
