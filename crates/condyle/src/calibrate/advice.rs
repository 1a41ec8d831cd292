//! What to do about a joint that is not well known.

use crate::centre::Verdict;
use crate::subject::{Joint, JointMethod, Segment};

/// A sentence for the one who records, or nothing if the joint is as good as it gets.
pub(crate) fn advice(joint: &Joint, parent: &Segment, child: &Segment) -> Option<String> {
    let degrees = joint.ranges_rad.map(|range_rad| range_rad.to_degrees().round());
    let Joint { name, .. } = joint;
    let is_sensor = child.orientation_sigma_rad.is_some();
    let too_few = if is_sensor { "a loose sensor" } else { "too few markers" };
    match (joint.verdict, joint.method) {
        (_, JointMethod::Guess) => Some(format!(
            "{name}: this is only halfway between the nearest markers: move {} against {}, with three markers on each, seen together",
            child.name, parent.name
        )),
        (Verdict::Insufficient, _) if degrees[0] >= 30.0 && degrees[1] >= 15.0 => Some(format!(
            "{name}: turned {} degrees, but no point is fixed in both {} and {}: skin motion, {too_few}, or a joint without a fixed centre",
            degrees[0], child.name, parent.name
        )),
        (Verdict::Insufficient, _) => Some(format!(
            "{name}: move {} against {} in the calibration trial by 30 degrees about one axis and 15 about another \
             (it turned {} and {} degrees)",
            child.name, parent.name, degrees[0], degrees[1]
        )),
        (Verdict::Hinge, _) if is_sensor && degrees[1] >= 10.0 => Some(format!(
            "{name}: turned {} degrees about one axis and {} about another, which under this noise tells its place along \
             the first only within {:.0} mm (one standard error)",
            degrees[0],
            degrees[1],
            joint.worst_sd_m() * 1e3
        )),
        (Verdict::Hinge, _) if degrees[1] >= 15.0 => Some(format!(
            "{name}: turned {} and {} degrees, but its markers do not tell where along one axis it is: skin motion, \
             or too few markers on {} or {}",
            degrees[0], degrees[1], parent.name, child.name
        )),
        (Verdict::Hinge, _) => Some(format!(
            "{name}: turned {} degrees about one axis: only that axis is known, the place along it is a guess; if it can, turn it about another axis too",
            degrees[0]
        )),
        (Verdict::Ball, _) if joint.wander_m > 0.01 => Some(format!(
            "{name}: its centre wanders by {:.0} mm: skin motion, a loose {}, or a joint without a fixed centre",
            joint.wander_m * 1e3,
            if is_sensor { "sensor" } else { "marker" }
        )),
        (Verdict::Ball, _) => None,
    }
}
