//! Points of filmed performers where they were posed, for inverse kinematics that knows nothing of bodies.

use nalgebra::Point3;

use crate::job::Performance;
use crate::marker_set::KEYPOINTS;
use crate::solve;
use crate::subject::Subject;
use crate::trial::{Marker, Origin, Trial};

/// How far the second and the third point of a segment are from the first, which is its joint.
const ARM_M: f64 = 0.2;

/// A point of a segment that was not seen but follows from its pose.
pub(super) struct PosedPoint {
    pub label: String,
    pub segment: usize,
    pub position_in_segment_m: Point3<f64>,
}

/// Three points for every segment of a filmed subject that has a pose; nothing of any other.
///
/// One keypoint a segment leaves its turn open, and noise of some centimetres turns the rest: what knows no bodies, as
/// OpenSim's inverse kinematics, takes points that were made of the whole, as other programs do that film.
pub(super) fn posed_points(subject: &Subject) -> Vec<PosedPoint> {
    if subject.provenance.plan != KEYPOINTS {
        return Vec::new();
    }
    let has_child = |index: usize| subject.joints().iter().any(|joint| joint.parent == index);
    let mut points = Vec::new();
    for (segment, own) in subject.segments().iter().enumerate() {
        if own.markers.is_empty() && !has_child(segment) {
            continue;
        }
        let name = match subject.name.as_str() {
            "" => own.name.replace(' ', "_"),
            subject => format!("{subject}:{}", own.name.replace(' ', "_")),
        };
        let arms = [Point3::origin(), Point3::new(ARM_M, 0.0, 0.0), Point3::new(0.0, ARM_M, 0.0)];
        for (position_in_segment_m, end) in arms.into_iter().zip(["origin", "x", "y"]) {
            let label = format!("{name}_{end}");
            points.push(PosedPoint { label, segment, position_in_segment_m });
        }
    }
    points
}

/// The markers of a recording as OpenSim's inverse kinematics is to have them, under the labels of [`super::model`]: points
/// of filmed performers where they were posed; samples that filled a gap drawn towards the pose by as much as they count
/// less than measured ones, since there all samples of a marker weigh the same.
pub fn with_posed_points(performance: &Performance) -> Trial {
    let mut trial = performance.trial.clone();
    for performer in &performance.performers {
        // Whose markers are not there has nothing to be drawn.
        let _ = solve::draw_estimates(&performer.subject, &performer.motion, &mut trial);
        for point in posed_points(&performer.subject) {
            let mut marker = Marker::all_missing(point.label, trial.frames);
            for frame in 0..trial.frames {
                let world = performer.motion.world_from_segment(frame, point.segment);
                let at_m = world.map(|world| world * point.position_in_segment_m);
                let origin = if at_m.is_some() { Origin::Predicted } else { Origin::Missing };
                marker.set(frame, at_m, origin);
            }
            trial.markers.push(marker);
        }
    }
    trial
}
