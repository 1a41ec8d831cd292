//! How well the frames of a motion fit its subject.

use nalgebra::Point3;

use crate::statistics::median_in_place;
use crate::subject::Subject;

/// How well the frames of a motion fit its subject, in the subject's order.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Evidence {
    /// For every joint how far its two segments put it apart: rms over the frames that show both.
    pub separations_m: Vec<Option<f64>>,
    /// For every joint the standard deviation of the bone from its parent's joint, as the markers have
    /// it; `None` if it has no such bone.
    pub bone_sd_m: Vec<Option<f64>>,
    /// For every marker of the subject the median of its residuals.
    pub marker_residual_m: Vec<Option<f64>>,
    /// The median over all markers and frames.
    pub residual_m: Option<f64>,
}

impl Evidence {
    /// Before anything is known.
    pub(super) fn none(subject: &Subject) -> Self {
        Tally::new(subject).finish(subject)
    }
}

/// What is counted over the frames.
pub(crate) struct Tally {
    /// Σ |gap|² and the frames, of every joint.
    gaps: Vec<(f64, f64)>,
    /// Σ length, Σ length², frames, of the bone of every joint.
    bones: Vec<(f64, f64, f64)>,
    /// For every joint the joint that its bone begins at.
    bone_from: Vec<Option<usize>>,
    residuals_m: Vec<Vec<f64>>,
}

impl Tally {
    pub(crate) fn new(subject: &Subject) -> Self {
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

    /// Takes in a frame: the centre of every joint as its parent and its child have it, and the residual of every
    /// marker of the subject.
    pub(crate) fn add(
        &mut self,
        sides_m: impl Fn(usize) -> [Option<Point3<f64>>; 2],
        residuals_m: impl Iterator<Item = Option<f64>>,
    ) {
        for (joint, from) in self.bone_from.iter().enumerate() {
            let sides = sides_m(joint);
            if let [Some(a), Some(b)] = sides {
                self.gaps[joint].0 += (a - b).norm_squared();
                self.gaps[joint].1 += 1.0;
            }
            let middle = |[a, b]: [Option<Point3<f64>>; 2]| match (a, b) {
                (Some(a), Some(b)) => Some(nalgebra::center(&a, &b)),
                (a, b) => a.or(b),
            };
            let near = from.and_then(|from| middle(sides_m(from)));
            if let (Some(near), Some(far)) = (near, middle(sides)) {
                let length_m = (far - near).norm();
                let bone = &mut self.bones[joint];
                (bone.0, bone.1, bone.2) =
                    (bone.0 + length_m, bone.1 + length_m * length_m, bone.2 + 1.0);
            }
        }
        for (all, one) in self.residuals_m.iter_mut().zip(residuals_m) {
            all.extend(one);
        }
    }

    pub(crate) fn finish(mut self, subject: &Subject) -> Evidence {
        let rms = |&(square, count): &(f64, f64)| (count > 0.0).then(|| (square / count).sqrt());
        let sd = |&(sum, square, count): &(f64, f64, f64)| {
            (count > 1.0).then(|| (square / count - (sum / count).powi(2)).max(0.0).sqrt())
        };
        // Markers that hold up a segment of fewer than three say nothing about how well it fits; a recorded body
        // is one point with an orientation of its own.
        let counts = subject.segments.iter().flat_map(|segment| {
            let counts = segment.markers.len() >= 3 || segment.orientation_sigma_rad.is_some();
            std::iter::repeat_n(counts, segment.markers.len())
        });
        let counted = self.residuals_m.iter().zip(counts).filter(|(_, counts)| *counts);
        let mut all: Vec<f64> = counted.flat_map(|(own, _)| own.iter().copied()).collect();
        Evidence {
            separations_m: self.gaps.iter().map(rms).collect(),
            bone_sd_m: self.bones.iter().map(sd).collect(),
            residual_m: median_in_place(&mut all),
            marker_residual_m: self
                .residuals_m
                .iter_mut()
                .map(|all| median_in_place(all))
                .collect(),
        }
    }
}
