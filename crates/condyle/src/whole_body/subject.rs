//! The fitted body as a subject, to be solved, drawn and written like any other.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::posed::PosedFrame;
use super::result::{FittedJoint, FittedMarker, FittedSegment, WholeBody};
use crate::calibrate::range::{Range, range};
use crate::rigid::Traces;
use crate::solve::typical_spreads_m2;
use crate::statistics::{MAD_TO_SD, median, rms};
use crate::subject::{Joint, JointKind, JointMethod, Provenance, Segment, SegmentMarker, Subject};

/// The axis of knees and elbows in both their segments: from right to left.
const HINGE_AXIS: Vector3<f64> = Vector3::new(0.0, 1.0, 0.0);
/// How much skin turns a segment, one standard deviation: it is no motion of a joint.
const SKIN_TURN_RAD: f64 = 0.035;
/// How often three frames in a row are posed to measure how far joints turned, at most.
const POSED: usize = 120;

impl WholeBody {
    /// The body as a subject of a name. Labels are as they were given.
    ///
    /// How far its joints turned and how far markers stray is measured in frames of the whole recording: those that
    /// were fitted are few, and a movement may be brief.
    pub fn subject(&self, name: &str, frames: &dyn Traces) -> Subject {
        let posed = self.posed(frames);
        let segments = self.segments.iter().enumerate();
        let mut subject = Subject {
            name: name.to_owned(),
            provenance: Provenance { frames: self.frames.len(), ..Provenance::default() },
            segments: segments
                .map(|(index, fitted)| Segment {
                    // What nothing but motion tells has no anatomy.
                    is_anatomical: !self.sizes.is_empty(),
                    ..segment(index, fitted, &posed)
                })
                .collect(),
            joints: self.joints.iter().map(|joint| self.subject_joint(joint, &posed)).collect(),
            marker_poses: None,
            notes: Vec::new(),
        };
        // The covariance is that of a joint in a frame: what the pose has in it must not count again.
        let frames_m2 = typical_spreads_m2(&subject);
        for (joint, frame_m2) in subject.joints.iter_mut().zip(frames_m2) {
            joint.frame_m2 = part_of(&frame_m2, &joint.covariance_m2);
        }
        subject
    }

    /// The body in three frames in a row, again and again.
    fn posed(&self, frames: &dyn Traces) -> Vec<Posed> {
        let stride = frames.frames().div_ceil(POSED).max(3);
        let markers = &self.posterior.problem.model.markers;
        let columns = markers.iter().map(|marker| marker.column + 1).max().unwrap_or(0);
        let mut posed = Vec::new();
        for frame in (0..frames.frames()).filter(|frame| frame % stride < 3) {
            let mut positions_m = vec![None; columns];
            for marker in markers {
                positions_m[marker.column] = frames.position_m(frame, marker.column);
            }
            // Every three frames by themselves: a bad one does not spoil those after it.
            let is_first = frame % stride == 0;
            let near = posed.last().filter(|last: &&Posed| last.frame + 1 == frame && !is_first);
            if let Some(body) = self.pose(&positions_m, near.map(|last| &last.body)) {
                posed.push(Posed { frame, positions_m, body });
            }
        }
        posed
    }

    /// Whether a frame shows two markers of a segment, or all of fewer: where it does not, the pose is what is assumed.
    fn is_seen(&self, segment: usize, positions_m: &[Option<Point3<f64>>]) -> bool {
        let own = self.segments[segment].markers.iter();
        let seen = own.clone().filter(|marker| positions_m[marker.column].is_some()).count();
        seen >= own.count().min(2)
    }

    fn subject_joint(&self, joint: &FittedJoint, posed: &[Posed]) -> Joint {
        let poses = |segment: usize| -> Vec<Option<Isometry3<f64>>> {
            let is_seen = |posed: &&Posed| self.is_seen(segment, &posed.positions_m);
            let of_frame = |posed: &Posed| {
                Some(posed).filter(is_seen).and_then(|posed| posed.body.world_from_segment(segment))
            };
            posed.iter().map(of_frame).collect()
        };
        let (children, parents) = (poses(joint.child), poses(joint.parent));
        let turned = range(&children, &parents);
        let ranges_rad = turned.as_ref().map_or([0.0; 3], |turned| turned.ranges_rad);
        let rest = turned.as_ref().map(|turned| turned.parent_from_child).unwrap_or_default();
        let axis = match joint.kind {
            JointKind::Hinge => Some(HINGE_AXIS),
            _ => turned.as_ref().and_then(main_axis),
        };
        let error_rad = SKIN_TURN_RAD.hypot(jitter_rad(posed, joint));
        let separations_m = children.iter().zip(&parents).filter_map(|(child, parent)| {
            let [child, parent] = [(*child)?, (*parent)?];
            Some((child * joint.centre_in_child_m - parent * joint.centre_in_parent_m).norm())
        });
        let separation_m = rms(separations_m).unwrap_or(0.0);
        Joint {
            name: joint.name.clone(),
            parent: joint.parent,
            child: joint.child,
            kind: match (joint.kind, JointKind::from_ranges(&ranges_rad, error_rad)) {
                (_, JointKind::Fixed) => JointKind::Fixed,
                (JointKind::Hinge, _) => JointKind::Hinge,
                (_, moved) => moved,
            },
            centre_in_parent_m: joint.centre_in_parent_m,
            centre_in_child_m: joint.centre_in_child_m,
            covariance_m2: joint.covariance_m2,
            frame_m2: Matrix3::zeros(),
            from_knowledge: joint.shares.from_knowledge,
            axis_in_parent: axis,
            axis_in_child: match joint.kind {
                JointKind::Hinge => Some(HINGE_AXIS),
                _ => axis.map(|axis| rest.inverse() * axis),
            },
            flexion_axis: joint.flexion_axis,
            parent_from_child_rest: rest,
            range_rad: ranges_rad[0],
            ranges_rad,
            method: JointMethod::TwoSided,
            samples: posed.len(),
            separation_m,
            wander_m: separation_m,
            advice: None,
        }
    }
}

/// A covariance as part of another: no more than half of it in any direction.
///
/// What remains of the other when the part is taken away is a covariance again.
fn part_of(part_m2: &Matrix3<f64>, whole_m2: &Matrix3<f64>) -> Matrix3<f64> {
    let Some(cholesky) = whole_m2.cholesky() else { return Matrix3::zeros() };
    let root = cholesky.l();
    let Some(inverse) = root.try_inverse() else { return Matrix3::zeros() };
    let eigen = (inverse * part_m2 * inverse.transpose()).symmetric_eigen();
    let shares = eigen.eigenvalues.map(|share| share.clamp(0.0, 0.5));
    let axes = root * eigen.eigenvectors;
    axes * Matrix3::from_diagonal(&shares) * axes.transpose()
}

/// The body in a frame of the recording, and where that shows every label.
struct Posed {
    frame: usize,
    positions_m: Vec<Option<Point3<f64>>>,
    body: PosedFrame,
}

/// The standard deviation by which noise turns one segment against the other, about any axis: from second
/// differences, which hold next to nothing of the movement.
fn jitter_rad(posed: &[Posed], joint: &FittedJoint) -> f64 {
    let relative = |posed: &Posed| {
        let [parent, child] =
            [joint.parent, joint.child].map(|segment| posed.body.world_from_segment(segment));
        Some(parent?.rotation.inverse() * child?.rotation)
    };
    let bends_rad = posed.windows(3).filter_map(|three| {
        let is_in_a_row = three[0].frame + 2 == three[2].frame;
        let [a, b, c] = [relative(&three[0])?, relative(&three[1])?, relative(&three[2])?];
        let bend = (b.inverse() * a).scaled_axis() + (b.inverse() * c).scaled_axis();
        is_in_a_row.then(|| bend.amax() / 6f64.sqrt())
    });
    median(bends_rad).map_or(0.0, |half| half * MAD_TO_SD)
}

/// The axis turned about most, unless that is less than a degree.
fn main_axis(turned: &Range) -> Option<Vector3<f64>> {
    (turned.ranges_rad[0] > 1f64.to_radians()).then(|| turned.axes_in_parent[0])
}

fn segment(index: usize, fitted: &FittedSegment, posed: &[Posed]) -> Segment {
    let count = fitted.markers.len().max(1) as f64;
    let mean_m2 = fitted.markers.iter().map(|m| m.sigma_m.powi(2)).sum::<f64>() / count;
    let precision = |sigma_m: f64| sigma_m.powi(-2);
    let mean_precision = fitted.markers.iter().map(|m| precision(m.sigma_m)).sum::<f64>() / count;
    let strays_m = |marker: &FittedMarker| {
        let distances_m = posed.iter().filter_map(|posed| {
            let world_from_segment = posed.body.world_from_segment(index)?;
            let seen_m = posed.positions_m.get(marker.column).copied().flatten()?;
            Some((world_from_segment * marker.in_segment_m - seen_m).norm())
        });
        rms(distances_m).unwrap_or(0.0)
    };
    let marker = |marker: &FittedMarker| SegmentMarker {
        label: marker.label.clone(),
        position_in_segment_m: marker.in_segment_m,
        weight: precision(marker.sigma_m) / mean_precision,
        rms_m: strays_m(marker),
    };
    Segment {
        name: fitted.name.clone(),
        parent: fitted.parent,
        markers: fitted.markers.iter().map(marker).collect(),
        sigma_m: mean_m2.sqrt(),
        orientation_sigma_rad: None,
        is_anatomical: false,
    }
}
