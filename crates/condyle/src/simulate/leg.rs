//! The angles of a leg whose foot is to be somewhere.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::performer::{Joint, JointAxis, Leg, Performer};
use crate::error::{Error, Result};

/// Halvings of the interval in which the knee's angle lies: down to 1e-15 rad.
const HALVINGS: usize = 52;

/// Angles of hip, knee and ankle, as many of each as there are axes.
pub(super) type LegAngles = [[f64; 3]; 3];

/// The farthest that hip and ankle can be apart, in metres.
pub(super) fn reach_m(performer: &Performer, leg: &Leg) -> f64 {
    let straight_rad = performer.segments[leg.segments[1]].joint.axes[0].range_rad[0];
    ankle_in_thigh(performer, leg, straight_rad).norm()
}

/// Whether the knee is straightest at the lower end of its range, and most bent at the upper one.
pub(super) fn knee_straightens(performer: &Performer, leg: &Leg) -> bool {
    let range_rad = performer.segments[leg.segments[1]].joint.axes[0].range_rad;
    let [straight, bent] = range_rad.map(|knee| ankle_in_thigh(performer, leg, knee).norm());
    straight > bent
}

/// How much higher a hip may go until it is as far from its ankle as it can be; `None` if it is
/// farther even at the ankle's height.
pub(super) fn height_above(hip: Vector3<f64>, ankle: Vector3<f64>, reach_m: f64) -> Option<f64> {
    let level = ankle - hip;
    let up_squared = reach_m * reach_m - level.x * level.x - level.y * level.y;
    (up_squared > 0.0).then(|| level.z + up_squared.sqrt())
}

/// The angles that put the foot where it is to be.
///
/// # Method
/// The distance from hip to ankle gives the knee's first angle; its other angles follow from that
/// one, as those of a person's knee do. The thigh may still turn about the line from hip to ankle;
/// it turns so that two angles of the ankle suffice: `F a2` must be square to `S a1`, where `F` and
/// `S` are the orientations of foot and shank and `a1`, `a2` the ankle's axes.
///
/// # Errors
/// The foot is out of reach, or a joint would leave its range.
pub(super) fn solve(
    performer: &Performer,
    leg: &Leg,
    world_from_parent: &Isometry3<f64>,
    world_from_foot: &Isometry3<f64>,
) -> Result<LegAngles> {
    let [thigh, shank, foot] = leg.segments.map(|index| &performer.segments[index]);
    let hip = world_from_parent * thigh.joint_in_parent_m;
    let hip_to_ankle = world_from_foot.translation.vector - hip.coords;
    let knee_rad = knee_angle(performer, leg, hip_to_ankle.norm())?;
    let knee_angles = knee_angles(&shank.joint, knee_rad);
    let thigh_from_shank = shank.joint.rotation(&knee_angles);
    let in_thigh = ankle_in_thigh(performer, leg, knee_rad);
    let towards = UnitQuaternion::rotation_between(&in_thigh, &hip_to_ankle)
        .unwrap_or_else(UnitQuaternion::identity);

    let [first, second] = [&foot.joint.axes[0], &foot.joint.axes[1]].map(|axis| axis.direction);
    let line = hip_to_ankle.normalize();
    let turned = towards * (thigh_from_shank * first.into_inner());
    let wanted = world_from_foot.rotation * second.into_inner();
    // turned(psi) . wanted = along + across cos psi + out sin psi = 0
    let along = line.dot(&turned) * line.dot(&wanted);
    let across = turned.dot(&wanted) - along;
    let out = line.cross(&turned).dot(&wanted);
    let size = across.hypot(out);
    let half = if size > 0.0 { (-along / size).clamp(-1.0, 1.0).acos() } else { 0.0 };
    let forward = world_from_parent.rotation * first.into_inner();
    let turn =
        |psi: f64| UnitQuaternion::from_axis_angle(&nalgebra::Unit::new_unchecked(line), psi);
    let [one, other] = [half, -half].map(|half| turn(out.atan2(across) + half));
    let swivel =
        if (one * turned).dot(&forward) >= (other * turned).dot(&forward) { one } else { other };

    let world_from_thigh = swivel * towards;
    let world_from_shank = world_from_thigh * thigh_from_shank;
    let angles = [
        angles_of(&thigh.joint.axes, world_from_parent.rotation.inverse() * world_from_thigh),
        knee_angles,
        angles_of(&foot.joint.axes, world_from_shank.inverse() * world_from_foot.rotation),
    ];
    for (segment, angles) in [thigh, shank, foot].iter().zip(&angles) {
        check_range(&segment.joint, angles)?;
    }
    Ok(angles)
}

/// The ankle's place in the thigh's frame.
fn ankle_in_thigh(performer: &Performer, leg: &Leg, knee_rad: f64) -> Vector3<f64> {
    let [_, shank, foot] = leg.segments.map(|index| &performer.segments[index]);
    let turned = shank.joint.rotation(&knee_angles(&shank.joint, knee_rad));
    shank.joint_in_parent_m.coords + turned * foot.joint_in_parent_m.coords
}

/// The knee's other angles as it bends: they grow to most of what routines use of them.
fn knee_angles(joint: &Joint, knee_rad: f64) -> [f64; 3] {
    let mut angles = [knee_rad, 0.0, 0.0];
    for (angle, axis) in angles.iter_mut().zip(&joint.axes).skip(1) {
        *angle = 0.8 * axis.rom_rad[1] * knee_rad.sin();
    }
    angles
}

fn knee_angle(performer: &Performer, leg: &Leg, distance_m: f64) -> Result<f64> {
    let joint = &performer.segments[leg.segments[1]].joint;
    let [mut straight, mut bent] = joint.axes[0].range_rad;
    let distance_at = |knee_rad: f64| ankle_in_thigh(performer, leg, knee_rad).norm();
    let (longest, shortest) = (distance_at(straight), distance_at(bent));
    if !(shortest..=longest).contains(&distance_m) {
        return Err(Error::undetermined(format!(
            "{}: need the foot within {:.3} to {:.3} m of the hip, got {distance_m:.3} m",
            joint.name, shortest, longest
        )));
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(straight, bent);
        match distance_at(middle) > distance_m {
            true => straight = middle,
            false => bent = middle,
        }
    }
    Ok(f64::midpoint(straight, bent))
}

/// The angles about axes at right angles to each other that make up a rotation `R = R1 R2 R3`.
///
/// Of two axes the third, which would be left over, is dropped.
fn angles_of(axes: &[JointAxis], rotation: UnitQuaternion<f64>) -> [f64; 3] {
    let [a1, a2] = [&axes[0], &axes[1]].map(|axis| axis.direction.into_inner());
    let a3 = axes.get(2).map_or_else(|| a1.cross(&a2), |axis| axis.direction.into_inner());
    let hand = a1.cross(&a2).dot(&a3).signum();
    let (turned3, back1) = (rotation * a3, rotation.inverse() * a1);
    [
        (-hand * turned3.dot(&a2)).atan2(turned3.dot(&a3)),
        (hand * turned3.dot(&a1)).clamp(-1.0, 1.0).asin(),
        (-hand * back1.dot(&a2)).atan2(back1.dot(&a1)),
    ]
}

/// Refuses angles that a joint does not allow.
fn check_range(joint: &Joint, angles_rad: &[f64]) -> Result<()> {
    for (index, (axis, angle_rad)) in joint.axes.iter().zip(angles_rad).enumerate() {
        let [least, most] = axis.range_rad;
        if !(least..=most).contains(angle_rad) {
            return Err(Error::undetermined(format!(
                "{}: need an angle within {:.0} to {:.0} degrees about its axis {index}, got {:.1}",
                joint.name,
                least.to_degrees(),
                most.to_degrees(),
                angle_rad.to_degrees()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn human() -> Performer {
        Performer::human()
    }

    proptest! {
        #[test]
        fn angles_make_up_the_rotation_they_came_from(
            first in -3.0..3.0_f64, second in -1.5..1.5_f64, third in -3.0..3.0_f64,
        ) {
            for segment in human().segments.iter().filter(|segment| segment.joint.axes.len() == 3) {
                let angles = [first, second, third];
                let found = angles_of(&segment.joint.axes, segment.joint.rotation(&angles));
                for (found, angle) in found.iter().zip(angles) {
                    prop_assert!((found - angle).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn the_foot_comes_to_be_where_it_is_wanted(
            forward in -0.3..0.4_f64, sideways in -0.05..0.1_f64, up in 0.0..0.2_f64,
            pitch in -0.3..0.3_f64, yaw in -0.2..0.2_f64,
        ) {
            let performer = human();
            for leg in &performer.legs {
                let parent = Isometry3::translation(0.0, 0.0, 0.87);
                let side = performer.segments[leg.segments[0]].joint_in_parent_m.y;
                let foot = Isometry3::from_parts(
                    nalgebra::Translation3::new(forward, side * (1.0 + sideways), 0.07 + up),
                    UnitQuaternion::from_euler_angles(0.0, pitch, yaw),
                );
                let Ok(angles) = solve(&performer, leg, &parent, &foot) else { continue };
                let mut pose = parent;
                for (segment, angles) in leg.segments.iter().zip(angles) {
                    pose *= performer.segments[*segment].parent_from_segment(&angles);
                }
                let apart = foot.inverse() * pose;
                prop_assert!(apart.translation.vector.norm() < 1e-12, "{apart}");
                prop_assert!(apart.rotation.angle() < 1e-7, "{apart}");
            }
        }
    }

    #[test]
    fn a_foot_out_of_reach_is_refused() {
        let performer = human();
        let far = Isometry3::translation(0.0, 0.0, -2.0);
        let error = solve(&performer, &performer.legs[0], &Isometry3::identity(), &far);
        assert!(error.unwrap_err().to_string().contains("left knee: need the foot within"));
    }
}
