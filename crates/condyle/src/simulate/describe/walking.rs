//! Legs, gaits and exercises.

use nalgebra::Point3;
use toml::Spanned;

use super::super::leg::knee_straightens;
use super::super::performer::{Exercise, Gait, JointAxis, Leg, Performer, Swing};
use super::entries::{ExerciseEntry, GaitEntry, LegEntry, Named, SwingEntry};
use super::names::Names;
use crate::error::Result;

/// The shortest cycle; shorter ones are no walk.
const SHORTEST_CYCLE_S: f64 = 0.05;

/// Reads a leg.
pub(super) fn leg(entry: &LegEntry, performer: &Performer, names: &Names) -> Result<Leg> {
    let [hip, knee, ankle] = [&entry.hip, &entry.knee, &entry.ankle];
    let segments = [names.below(hip)?, names.below(knee)?, names.below(ankle)?];
    let above = [None, Some(segments[0]), Some(segments[1])];
    let least_axes = [3, 1, 2];
    for (place, joint) in [hip, knee, ankle].into_iter().enumerate() {
        let segment = &performer.segments[segments[place]];
        if above[place].is_some() && segment.parent != above[place] {
            return Err(wrong(names, joint, "need hip, knee and ankle one below the other"));
        }
        let axes = &segment.joint.axes;
        if axes.len() < least_axes[place] {
            let what = format!("need {} axes or more, got {}", least_axes[place], axes.len());
            return Err(wrong(names, joint, &what));
        }
        if !are_square(axes) {
            return Err(wrong(names, joint, "need axes at right angles"));
        }
    }
    let leg = Leg {
        side: entry.side.clone(),
        segments,
        heel_in_foot_m: Point3::from(entry.heel),
        ball_in_foot_m: Point3::from(entry.ball),
        phase: entry.phase,
    };
    if !knee_straightens(performer, &leg) {
        return Err(wrong(names, knee, "need a range_deg that goes from straight to bent"));
    }
    Ok(leg)
}

fn wrong(names: &Names, joint: &Named, what: &str) -> crate::error::Error {
    names.wrong(joint, format!("leg, {:?}: {what}", joint.get_ref()))
}

fn are_square(axes: &[JointAxis]) -> bool {
    let mut pairs = (0..axes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs.all(|(i, j)| axes[i].direction.dot(&axes[j].direction).abs() < 1e-9)
}

/// Reads a gait.
pub(super) fn gait(entry: &GaitEntry, performer: &Performer, names: &Names) -> Result<Gait> {
    let at_least = |value: &Spanned<f64>, least: f64, what: &str| match *value.get_ref() {
        value if value >= least => Ok(value),
        got => Err(names.wrong(value, format!("{what}: need {least} or more, got {got}"))),
    };
    let stance = *entry.stance.get_ref();
    if !(0.3..=0.9).contains(&stance) {
        let what = format!("stance: need a share from 0.3 to 0.9, got {stance}");
        return Err(names.wrong(&entry.stance, what));
    }
    let radius = entry.turn_radius_m.as_ref();
    let swings = entry.swing.iter().map(|entry| swing(entry, performer, names));
    Ok(Gait {
        speed_m_s: entry.speed_m_s,
        cycle_s: at_least(&entry.cycle_s, SHORTEST_CYCLE_S, "cycle_s")?,
        stance,
        turn_radius_m: radius.map_or(Ok(f64::INFINITY), |r| at_least(r, 0.1, "turn_radius_m"))?,
        lift_m: entry.lift_m,
        spread_m: entry.spread_m,
        strike_rad: entry.strike_deg.to_radians(),
        toe_off_rad: entry.toe_off_deg.to_radians(),
        hang_rad: entry.hang_deg.to_radians(),
        bob_m: entry.bob_m,
        sway_m: entry.sway_m,
        crouch_m: entry.crouch_m,
        lean_rad: entry.lean_deg.to_radians(),
        yaw_rad: entry.yaw_deg.to_radians(),
        roll_rad: entry.roll_deg.to_radians(),
        swings: swings.collect::<Result<_>>()?,
        driven: names.below_all(&entry.drive)?,
    })
}

fn swing(entry: &SwingEntry, performer: &Performer, names: &Names) -> Result<Swing> {
    let segment = names.below(&entry.joint)?;
    let axes = &performer.segments[segment].joint.axes;
    let axis = *entry.axis.get_ref();
    let Some(JointAxis { range_rad, .. }) = axes.get(axis) else {
        let what = format!("axis: need one of {}, counted from 0, got {axis}", axes.len());
        return Err(names.wrong(&entry.axis, what));
    };
    let (mean_deg, amplitude_deg) = (entry.mean_deg, entry.amplitude_deg.abs());
    let [least_deg, most_deg] = range_rad.map(f64::to_degrees);
    // Radians and back leave a trace of rounding.
    let slack_deg = 1e-9;
    if mean_deg - amplitude_deg < least_deg - slack_deg
        || mean_deg + amplitude_deg > most_deg + slack_deg
    {
        let what = format!(
            "swing of {:?}: need {least_deg:.0} to {most_deg:.0} degrees, got {mean_deg} with \
             amplitude {amplitude_deg}",
            entry.joint.get_ref()
        );
        return Err(names.wrong(&entry.joint, what));
    }
    Ok(Swing {
        segment,
        axis,
        mean_rad: mean_deg.to_radians(),
        amplitude_rad: entry.amplitude_deg.to_radians(),
        phase: entry.phase,
        harmonic: entry.harmonic.unwrap_or(1.0),
    })
}

/// Reads an exercise.
pub(super) fn exercise(entry: &ExerciseEntry, names: &Names) -> Result<Exercise> {
    Ok(Exercise {
        name: entry.name.clone(),
        driven: names.below_all(&entry.joints)?,
        high_step_m: entry.high_step_m,
    })
}
