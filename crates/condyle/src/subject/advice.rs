//! What to do about a joint that is not well known.

use super::verdict::MIN_RANGE_RAD;
use super::{CentreKnown, Joint, JointKind, JointMethod, Segment};

/// A centre that wanders by more than this has no fixed place.
const MAX_WANDER_M: f64 = 0.01;

/// Said of a hinge whose second range looks like a turn.
const SECOND_IS_UNSURE: &str = ", which noise, skin or markers nearly in line explain as well";

/// A sentence for the one who records, or nothing if the joint is as good as it gets.
pub(crate) fn advice(joint: &Joint, parent: &Segment, child: &Segment) -> Option<String> {
    let [most_deg, second_deg, _] =
        joint.ranges_rad.map(|range_rad| range_rad.to_degrees().round());
    let (name, parent) = (&joint.name, &parent.name);
    let (what, carrier) = match child.orientation_sigma_rad {
        Some(_) => ("a loose sensor", "sensor"),
        None => ("too few markers", "marker"),
    };
    let child = &child.name;
    let sd_mm = joint.worst_sd_m() * 1e3;
    let unsure = if joint.ranges_rad[1] >= MIN_RANGE_RAD { SECOND_IS_UNSURE } else { "" };
    match (joint.kind, joint.centre_known()) {
        _ if joint.method == JointMethod::Guess => Some(format!(
            "{name}: this is only halfway between the nearest markers: move {child} against {parent}, with three \
             markers on each, seen together"
        )),
        (JointKind::Fixed, _) => Some(format!(
            "{name}: move {child} against {parent} in the calibration trial by 30 degrees about one axis and 15 about \
             another (it turned {most_deg} and {second_deg} degrees)"
        )),
        _ if joint.wander_m > MAX_WANDER_M => Some(format!(
            "{name}: its centre wanders by {:.0} mm: skin motion, a loose {carrier}, or a joint without a fixed centre",
            joint.wander_m * 1e3
        )),
        (_, CentreKnown::Well) => None,
        (JointKind::Hinge, _) => Some(format!(
            "{name}: turned {most_deg} degrees about one axis and {second_deg} about another{unsure}: its place along the \
             first is known to {sd_mm:.0} mm only (one standard error); if it can, turn it about another axis too"
        )),
        (JointKind::Ball, CentreKnown::Barely) => Some(format!(
            "{name}: turned {most_deg} and {second_deg} degrees, but its centre is known to {sd_mm:.0} mm only (one \
             standard error): turn it more widely about all axes; skin motion or {what} may be the reason too"
        )),
        (JointKind::Ball, _) => None,
    }
}
