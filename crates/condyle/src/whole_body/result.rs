//! The fitted body.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::checks::Check;
use super::guards::{Guarded, KnowledgeBlock};
use super::knowledge::Knowledge;
use super::posterior::{Posterior, Shares};
use super::problem::Problem;
use crate::note::Note;
use crate::subject::JointKind;

/// What came of a fit, before it is looked at.
pub(super) struct Fitted {
    pub frames: Vec<usize>,
    pub posterior: Posterior,
}

/// A body fitted as a whole, with how well each part of it is known.
#[derive(Debug, Clone)]
pub struct WholeBody {
    /// The segments, parents first, in anatomical frames: x forward, y left, z up, when standing. The origin
    /// is the joint to the parent; of the pelvis, the middle of the hips.
    pub segments: Vec<FittedSegment>,
    /// The joints whose both sides are part of the body.
    pub joints: Vec<FittedJoint>,
    /// The sizes of the body and their standard deviations, in metres: stature, widths.
    pub sizes: Vec<(String, f64, f64)>,
    /// The frames that were fitted.
    pub frames: Vec<usize>,
    /// Steps that were taken.
    pub iterations: usize,
    /// Whether the last of them was small.
    pub has_converged: bool,
    /// What was believed of the knowledge, block by block; empty without guards.
    pub blocks: Vec<KnowledgeBlock>,
    /// Whether the result looks like a body.
    pub checks: Vec<Check>,
    /// Whether left was taken for right.
    pub is_exchanged: bool,
    /// The columns of two markers that bear each other's label. The fit is as labelled; exchange them and fit again.
    pub labels_exchanged: Option<[usize; 2]>,
    /// What should be said.
    pub notes: Vec<Note>,
    pub(super) posterior: Posterior,
}

/// A segment and its markers.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedSegment {
    /// Its name: `left thigh`.
    pub name: String,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// The index of the plan's segment; `None` for one that the knowledge added.
    pub planned: Option<usize>,
    /// Its markers.
    pub markers: Vec<FittedMarker>,
}

/// A marker on a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedMarker {
    /// Its label.
    pub label: String,
    /// Its place in a frame.
    pub column: usize,
    /// Where it sits.
    pub in_segment_m: Point3<f64>,
    /// How well that is known.
    pub covariance_m2: Matrix3<f64>,
    /// How far it strays in each coordinate: one standard deviation.
    pub sigma_m: f64,
    /// The landmark that its label names.
    pub landmark: Option<String>,
}

/// A joint between two segments.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedJoint {
    /// Its name: `left knee`.
    pub name: String,
    /// The index of the segment above it.
    pub parent: usize,
    /// The index of the segment below it.
    pub child: usize,
    /// What it is taken for.
    pub kind: JointKind,
    /// The centre in the parent's frame.
    pub centre_in_parent_m: Point3<f64>,
    /// The centre in the child's frame: its origin.
    pub centre_in_child_m: Point3<f64>,
    /// The covariance of the centre in the parent's axes, in a frame that shows its two segments.
    pub covariance_m2: Matrix3<f64>,
    /// The axis of both its segments about which it bends, if it bends one way.
    pub flexion_axis: Option<Vector3<f64>>,
    /// Where the information about its least known direction came from.
    pub shares: Shares,
    /// How far its two sides are apart: one standard deviation a coordinate.
    pub closure_sd_m: f64,
    /// Its place among the joints of the model.
    pub(super) index: usize,
}

impl FittedJoint {
    /// The standard deviation of the centre along its least known direction.
    pub fn sd_m(&self) -> f64 {
        self.covariance_m2.symmetric_eigenvalues().max().max(0.0).sqrt()
    }
}

/// The fitted frame nearest to the middle of those that show most of both of two segments: in a frame that hardly shows
/// one of them, their joint is known worse than its centre is.
fn telling_frame(problem: &Problem, segments: [usize; 2]) -> usize {
    let middle = problem.observed_m.len() / 2;
    let shown = |seen_m: &[Option<Vector3<f64>>]| {
        segments.map(|segment| {
            let both = problem.model.markers.iter().zip(seen_m);
            let own = both.filter(|(marker, _)| marker.segment == segment);
            let (all, seen) = own.fold((0, 0), |(all, seen), (_, seen_m)| {
                (all + 1, seen + usize::from(seen_m.is_some()))
            });
            // In thousandths: a segment without markers is shown as well as it can be.
            (1000 * seen).checked_div(all).unwrap_or(1000)
        })
    };
    let frames = problem.observed_m.iter().enumerate();
    let best = frames.max_by_key(|(at, seen_m)| {
        let [one, other] = shown(seen_m);
        (one.min(other), one + other, std::cmp::Reverse(at.abs_diff(middle)))
    });
    best.map_or(0, |(at, _)| at)
}

impl WholeBody {
    pub(super) fn new(fitted: Fitted, guarded: Guarded, knowledge: &Knowledge) -> Self {
        let Fitted { frames, posterior } = fitted;
        let (problem, minimum) = (&posterior.problem, &posterior.minimum);
        let (model, parameters) = (&problem.model, &minimum.state.parameters);
        let mut segments: Vec<FittedSegment> = model
            .segments
            .iter()
            .map(|segment| FittedSegment {
                name: segment.name.clone(),
                parent: segment.parent,
                planned: segment.planned,
                markers: Vec::new(),
            })
            .collect();
        for (index, marker) in model.markers.iter().enumerate() {
            let at = model.marker_at(index);
            segments[marker.segment].markers.push(FittedMarker {
                label: marker.label.clone(),
                column: marker.column,
                in_segment_m: Point3::from(problem.point(parameters, at)),
                covariance_m2: posterior.covariance_m2(at),
                sigma_m: problem.sigma_m[index],
                landmark: marker
                    .landmark
                    .map(|landmark| knowledge.landmarks[landmark].name.clone()),
            });
        }
        let joints = model.joints.iter().enumerate().filter_map(|(index, joint)| {
            let child = joint.child?;
            let telling = telling_frame(problem, [joint.parent, child]);
            let rotation = posterior.poses()[telling][joint.parent].rotation;
            let in_parent = |in_world: Matrix3<f64>| rotation.transpose() * in_world * rotation;
            let frame = posterior.frame(telling);
            let covariance_m2 = posterior.joint_covariance_m2(frame, index);
            Some(FittedJoint {
                name: joint.name.clone(),
                parent: joint.parent,
                child,
                kind: if joint.is_hinge { JointKind::Hinge } else { JointKind::Ball },
                centre_in_parent_m: Point3::from(problem.point(parameters, model.joint_at(index))),
                centre_in_child_m: Point3::origin(),
                covariance_m2: in_parent(covariance_m2),
                flexion_axis: model.flexion_axis(child),
                shares: posterior.shares(frame, index, &covariance_m2),
                closure_sd_m: problem.closure_m[index],
                index,
            })
        });
        let joints = joints.collect();
        let size = |(index, size): (usize, &super::knowledge::Size)| {
            let (value_m, sd) = posterior.size(index);
            (size.name.clone(), value_m, value_m * sd)
        };
        let sizes = knowledge.sizes.iter().enumerate().map(size).collect();
        let (iterations, has_converged) = (minimum.iterations, minimum.has_converged);
        let Guarded { blocks, is_exchanged, labels_exchanged, notes } = guarded;
        Self {
            segments,
            joints,
            sizes,
            frames,
            iterations,
            has_converged,
            blocks,
            checks: posterior.checks(knowledge),
            is_exchanged,
            labels_exchanged,
            notes,
            posterior,
        }
    }

    /// The index of a joint by its name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The pose of a segment in one of the fitted frames, by its place among them.
    pub fn world_from_segment(&self, frame: usize, segment: usize) -> Option<Isometry3<f64>> {
        Some(self.posterior.poses().get(frame)?.get(segment)?.isometry())
    }

    /// A joint in one of the fitted frames, in the world, and its covariance.
    ///
    /// It is the middle of where its two segments put it.
    pub fn joint_in_world(
        &self,
        frame: usize,
        joint: usize,
    ) -> Option<(Point3<f64>, Matrix3<f64>)> {
        let index = self.joints.get(joint)?.index;
        if frame >= self.frames.len() {
            return None;
        }
        let frame = self.posterior.frame(frame);
        let centre_m = self.posterior.joint_m(frame.poses, index);
        Some((Point3::from(centre_m), self.posterior.joint_covariance_m2(frame, index)))
    }
}
