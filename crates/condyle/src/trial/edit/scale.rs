//! All lengths by a factor.

use crate::trial::Trial;

/// The trial with every length multiplied, with a note: the scale of a tracking system that is off.
pub fn scaled(mut trial: Trial, factor: f64) -> Trial {
    let is_position = trial.is_position();
    for (marker, _) in trial.markers.iter_mut().zip(is_position).filter(|(_, is)| *is) {
        marker.map_positions(|p| p * factor);
    }
    trial.bodies.iter_mut().for_each(|body| body.scale_lengths(factor));
    trial.note("scaled", format!("all lengths were multiplied by {factor}"));
    trial
}
