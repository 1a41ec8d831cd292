//! Another axis up, by turning everything.

use super::Turn;
use super::force_plates::map_force_plates;
use super::motion;
use crate::error::{Error, Result};
use crate::trial::{Axis, Group, Note, Parameter, Trial};

/// The trial turned so that another of its axes points up.
///
/// Markers, bodies, a solved skeleton, force-plate corners and the recorded screen axes turn by [`Turn::between`] the
/// old and the new up-axis: from z-up to y-up that is -90 degrees about x, `(x, y, z)` becomes
/// `(x, z, -y)`. A note says so. Points that a C3D file lists as angles, forces, moments, powers or
/// scalars are no places in the laboratory and stay as they are.
///
/// # Errors
/// The recording does not know which way is up.
pub fn with_up(mut trial: Trial, up: Axis) -> Result<Trial> {
    let Some(old) = trial.source.up else {
        return Err(Error::argument(
            "up-axis: need a recording that says which way is up, or to be told when reading it, got neither",
        ));
    };
    // Whoever asks for it says it.
    trial.source.up_is_guessed = false;
    let turn = Turn::between(old, up);
    if turn.is_identity() {
        return Ok(trial);
    }
    let is_position = trial.is_position();
    for (marker, _) in trial.markers.iter_mut().zip(&is_position).filter(|(_, is)| **is) {
        marker.map_positions(|p| turn.point(p));
    }
    let turned_from_world = turn.quaternion();
    for body in &mut trial.bodies {
        body.map_poses(|mut pose| {
            pose.rotation = turned_from_world * pose.rotation;
            pose.translation.vector = turn.vector(pose.translation.vector);
            pose
        });
    }
    trial.motion = trial.motion.as_ref().map(|old| motion::turned(old, &turn)).transpose()?;
    map_force_plates(&mut trial.parameters, "CORNERS", |v| turn.vector(v));
    turn_screen(&mut trial.parameters, &turn);
    trial.source.up = Some(up);
    trial.source.declared_up = trial.source.declared_up.map(|_| up);
    let words = turn.in_words();
    let but = if trial.channels.is_empty() { "" } else { "; channels are left as they are" };
    let text = format!(
        "points, bodies and skeleton turned by {words} to bring {up} up instead of {old}{but}"
    );
    trial.note("turned", text);
    let left = is_position.iter().filter(|is| !**is).count();
    let text = "points are angles, forces or the like: not turned";
    trial.notes.extend(Note::counted(left, "not-turned", text));
    Ok(trial)
}

/// Turns `POINT:X_SCREEN` and `Y_SCREEN`, which name the axes to the right and up on a screen.
fn turn_screen(groups: &mut [Group], turn: &Turn) {
    let points = groups.iter_mut().filter(|group| group.name.eq_ignore_ascii_case("POINT"));
    for parameter in points.flat_map(|group| &mut group.parameters) {
        let name = parameter.name.to_ascii_uppercase();
        if name != "X_SCREEN" && name != "Y_SCREEN" {
            continue;
        }
        let strings = parameter.to_strings();
        let Some(axis) = strings.first().and_then(|text| text.parse::<Axis>().ok()) else {
            continue;
        };
        let turned = turn.vector(axis.direction());
        let sign = if turned.sum() < 0.0 { '-' } else { '+' };
        let letter = ["X", "Y", "Z"][turned.iamax()];
        let text = Parameter::strings(&parameter.name, &[format!("{sign}{letter}")]);
        (parameter.dimensions, parameter.data) = (text.dimensions, text.data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Body, Format, Marker, ParameterData, pose_from_wxyz};
    use nalgebra::Point3;
    use proptest::prelude::*;

    fn trial(p: [f64; 3], wxyz: [f64; 4]) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 2;
        trial.source.up = Some(Axis::Z);
        trial.markers = vec![Marker::from_positions("A", [Some(Point3::from(p)), None])];
        trial.markers[0].set_quality(0, 20, 5);
        let mut body = Body::new("B");
        body.push(pose_from_wxyz(p, wxyz));
        body.push(None);
        trial.bodies = vec![body];
        let corners = ParameterData::Real(vec![1.0, 2.0, 3.0]);
        trial.parameters = vec![
            Group {
                name: "POINT".into(),
                parameters: vec![
                    Parameter::strings("X_SCREEN", &["+X"]),
                    Parameter::strings("Y_SCREEN", &["+Z"]),
                ],
                ..Group::default()
            },
            Group {
                name: "FORCE_PLATFORM".into(),
                parameters: vec![Parameter::with("CORNERS", vec![3, 1, 1], corners)],
                ..Group::default()
            },
        ];
        trial
    }

    #[test]
    fn z_up_becomes_y_up_by_a_quarter_turn_about_x() {
        let turned = with_up(trial([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]), Axis::Y).unwrap();
        assert_eq!(turned.markers[0].position_m(0), Some(Point3::new(1.0, 3.0, -2.0)));
        assert_eq!(turned.markers[0].cameras(0), Some(5));
        assert_eq!(turned.parameters[1].parameters[0].to_numbers(), [1.0, 3.0, -2.0]);
        assert_eq!(turned.parameters[0].parameters[1].to_strings(), ["+Y"]);
        assert_eq!(turned.source.up, Some(Axis::Y));
        assert!(turned.notes[0].text.contains("-90 degrees about x"), "{}", turned.notes[0]);
    }

    #[test]
    fn refuses_when_up_is_unknown() {
        let mut trial = trial([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
        trial.source.up = None;
        assert!(with_up(trial, Axis::Y).is_err());
    }

    proptest! {
        #[test]
        fn turning_there_and_back_is_the_identity(
            p in prop::array::uniform3(-1e3..1e3f64),
            wxyz in prop::array::uniform4(0.1..1.0f64),
            up in prop::sample::select(vec![Axis::X, Axis::Y, Axis::NegativeX, Axis::NegativeZ]),
        ) {
            let before = trial(p, wxyz);
            let after = with_up(before.clone(), up).and_then(|t| with_up(t, Axis::Z)).unwrap();
            prop_assert_eq!(&after.markers, &before.markers);
            prop_assert_eq!(&after.parameters, &before.parameters);
            let (a, b) = (after.bodies[0].world_from_body(0), before.bodies[0].world_from_body(0));
            let (a, b) = (a.unwrap(), b.unwrap());
            prop_assert_eq!(a.translation, b.translation);
            prop_assert!(a.rotation.angle_to(&b.rotation) < 1e-7);
            prop_assert!((a.rotation.coords - b.rotation.coords).norm() < 1e-12
                || (a.rotation.coords + b.rotation.coords).norm() < 1e-12);
        }
    }
}
