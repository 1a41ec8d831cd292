//! The fitted body as a subject, to be solved, drawn and written like any other.

use nalgebra::{Isometry3, Vector3};

use super::result::{FittedJoint, FittedSegment, WholeBody};
use crate::calibrate::range::{Range, range};
use crate::subject::{Joint, JointKind, JointMethod, Provenance, Segment, SegmentMarker, Subject};

/// The axis of knees and elbows in both their segments: from right to left.
const HINGE_AXIS: Vector3<f64> = Vector3::new(0.0, 1.0, 0.0);

impl WholeBody {
    /// The body as a subject of a name. Labels are as they were given.
    pub fn subject(&self, name: &str) -> Subject {
        Subject {
            name: name.to_owned(),
            provenance: Provenance { frames: self.frames.len(), ..Provenance::default() },
            segments: self.segments.iter().map(segment).collect(),
            joints: self.joints.iter().map(|joint| self.subject_joint(joint)).collect(),
            notes: Vec::new(),
        }
    }

    fn subject_joint(&self, joint: &FittedJoint) -> Joint {
        let poses = |segment: usize| -> Vec<Option<Isometry3<f64>>> {
            (0..self.frames.len()).map(|frame| self.world_from_segment(frame, segment)).collect()
        };
        let turned = range(&poses(joint.child), &poses(joint.parent));
        let ranges_rad = turned.as_ref().map_or([0.0; 3], |turned| turned.ranges_rad);
        let rest = turned.as_ref().map(|turned| turned.parent_from_child).unwrap_or_default();
        let axis = match joint.kind {
            JointKind::Hinge => Some(HINGE_AXIS),
            _ => turned.as_ref().and_then(main_axis),
        };
        Joint {
            name: joint.name.clone(),
            parent: joint.parent,
            child: joint.child,
            kind: joint.kind,
            centre_in_parent_m: joint.centre_in_parent_m,
            centre_in_child_m: joint.centre_in_child_m,
            covariance_m2: joint.covariance_m2,
            axis_in_parent: axis,
            axis_in_child: match joint.kind {
                JointKind::Hinge => Some(HINGE_AXIS),
                _ => axis.map(|axis| rest.inverse() * axis),
            },
            parent_from_child_rest: rest,
            range_rad: ranges_rad[0],
            ranges_rad,
            method: JointMethod::TwoSided,
            samples: self.frames.len(),
            gap_m: joint.closure_sd_m * 3f64.sqrt(),
            wander_m: joint.closure_sd_m * 3f64.sqrt(),
            advice: None,
        }
    }
}

/// The axis turned about most, unless that is less than a degree.
fn main_axis(turned: &Range) -> Option<Vector3<f64>> {
    (turned.ranges_rad[0] > 1f64.to_radians()).then(|| turned.axes_in_parent[0])
}

fn segment(fitted: &FittedSegment) -> Segment {
    let count = fitted.markers.len().max(1) as f64;
    let mean_m2 = fitted.markers.iter().map(|m| m.sigma_m.powi(2)).sum::<f64>() / count;
    let precision = |sigma_m: f64| sigma_m.powi(-2);
    let mean_precision = fitted.markers.iter().map(|m| precision(m.sigma_m)).sum::<f64>() / count;
    let marker = |marker: &super::result::FittedMarker| SegmentMarker {
        label: marker.label.clone(),
        position_in_segment_m: marker.in_segment_m,
        weight: precision(marker.sigma_m) / mean_precision,
        rms_m: marker.sigma_m * 3f64.sqrt(),
    };
    Segment {
        name: fitted.name.clone(),
        parent: fitted.parent,
        markers: fitted.markers.iter().map(marker).collect(),
        sigma_m: mean_m2.sqrt(),
        orientation_sigma_rad: None,
    }
}
