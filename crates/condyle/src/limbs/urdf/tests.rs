use nalgebra::{Translation3, UnitQuaternion};

use super::*;
use crate::ik::{Options, Solver, Target};

/// An arm of six turning joints with a wrist whose three axes meet in a point, and a flange.
const SIX: &str = r#"<robot name="six">
  <link name="base"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/><link name="l5"/><link name="l6"/>
  <link name="flange"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="j2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.05 0 0.1" rpy="0 0.2 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="j3" type="revolute"><parent link="l2"/><child link="l3"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>
  <joint name="j4" type="revolute"><parent link="l3"/><child link="l4"/><origin xyz="0 0 0.4" rpy="0.1 0 0"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="j5" type="revolute"><parent link="l4"/><child link="l5"/><axis xyz="0 1 0"/><limit lower="-2" upper="1.9" effort="1" velocity="1"/></joint>
  <joint name="j6" type="continuous"><parent link="l5"/><child link="l6"/><axis xyz="0 0 1"/></joint>
  <joint name="mount" type="fixed"><parent link="l6"/><child link="flange"/><origin xyz="0.02 0 0.1"/></joint>
</robot>"#;

/// Where the flange is at joint values, by the chain of transforms.
fn flange_m(text: &str, values: &[f64]) -> Point3<f64> {
    let robot = read::read(text).unwrap();
    let mut world = Isometry3::identity();
    let mut values = values.iter();
    for joint in &robot.joints {
        world *= joint.parent_from_joint;
        let axis = Unit::new_normalize(joint.axis);
        world *= match joint.kind {
            JointKind::Fixed => Isometry3::identity(),
            JointKind::Prismatic => {
                Translation3::from(axis.into_inner() * *values.next().unwrap()).into()
            }
            _ => Isometry3::rotation(axis.into_inner() * *values.next().unwrap()),
        };
    }
    Point3::from(world.translation.vector)
}

#[test]
fn the_arm_stands_as_the_transforms_say_and_every_bone_turns_about_its_axis() {
    let model = from_urdf(SIX).unwrap();
    let end = model.effectors[0];
    assert_eq!((model.effectors.len(), model.names[end].as_str()), (1, "flange"));
    let mut solver = Solver::new(model.linkage.clone());
    assert!((solver.positions_m()[end] - flange_m(SIX, &[0.0; 6])).norm() < 1e-12);
    let values = [0.7, -0.4, 1.1, 0.9, -0.8, 2.0];
    // Each bone's own turn, about the axis that its limit knows.
    let mut turns = vec![UnitQuaternion::identity(); model.linkage.joints()];
    let mut next = values.iter();
    for (joint, turn) in turns.iter_mut().enumerate().skip(1) {
        let limit = model.linkage.limit_of(joint).unwrap();
        let axis = match &limit.swing {
            Swing::Hinge(hinge) => hinge.axis,
            // The one pivot, whose bone points against its axis: its range is turned round with it.
            Swing::Fixed if !limit.twist.is_locked() => {
                assert_eq!(limit.twist, Twist::Range { min_rad: -1.9, max_rad: 2.0 });
                -Vector3::z_axis()
            }
            _ => continue,
        };
        *turn = UnitQuaternion::from_axis_angle(&axis, *next.next().unwrap());
    }
    assert!(next.next().is_none(), "six joints turn");
    solver.turn(&turns).unwrap();
    let error_m = (solver.positions_m()[end] - flange_m(SIX, &values)).norm();
    assert!(error_m < 1e-9, "{error_m}");
}

#[test]
fn what_the_arm_can_do_is_reached_within_its_limits() {
    let model = from_urdf(SIX).unwrap();
    let end = model.effectors[0];
    let options = Options { tolerance_m: 1e-5, ..Options::default() };
    let mut reached = 0;
    for step in 0..50 {
        let value = |k: f64, most: f64| most * (f64::from(step) * k).sin();
        let values = [
            value(1.1, 2.9),
            value(1.7, 1.9),
            value(2.3, 2.4),
            value(2.9, 2.9),
            value(3.1, 1.8),
            value(3.7, 3.0),
        ];
        let mut solver = Solver::new(model.linkage.clone());
        let target = Target::at(end, flange_m(SIX, &values));
        reached += usize::from(solver.solve(&[target], &options).unwrap().is_reached());
        assert!(solver.violation_rad() < 1e-6);
    }
    assert!(reached >= 49, "{reached} of 50");
}

#[test]
fn a_slide_takes_the_length_that_is_needed() {
    let text = r#"<robot name="crane"><link name="mast"/><link name="boom"/><link name="rail"/><link name="hook"/>
      <joint name="turn" type="continuous"><parent link="mast"/><child link="boom"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
      <joint name="reach" type="prismatic"><parent link="boom"/><child link="rail"/><origin xyz="0.5 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="2" effort="1" velocity="1"/></joint>
      <joint name="tip" type="fixed"><parent link="rail"/><child link="hook"/><origin xyz="0 0 -0.2"/></joint></robot>"#;
    let model = from_urdf(text).unwrap();
    let mut solver = Solver::new(model.linkage.clone());
    let end = model.effectors[0];
    assert!((solver.positions_m()[end] - flange_m(text, &[0.0; 2])).norm() < 1e-12);
    let target = Target::at(end, flange_m(text, &[1.2, 1.3]));
    let reach = solver.solve(&[target], &Options::default()).unwrap();
    assert!(reach.is_reached(), "{reach:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let error = |text: &str| from_urdf(text).unwrap_err().to_string();
    assert!(error("<robot").contains("not a URDF"));
    assert!(error("<mjcf/>").contains("need an element <robot>"));
    assert!(error(&"<a>".repeat(100_000)).contains("deep"));
    let nested = "<a>".repeat(20_000) + &"</a>".repeat(20_000);
    assert!(error(&format!("<robot>{nested}</robot>")).contains("at most 100 deep"));
    let crooked = SIX.replacen("0 0 0.3", "0 0 1e999", 1);
    assert!(error(&crooked).contains("joint 'j1': need three numbers as xyz"));
    let free = SIX.replacen("type=\"revolute\"", "type=\"planar\"", 1);
    assert!(error(&free).contains("joint 'j1': need revolute"), "{}", error(&free));
    let swapped = SIX.replacen("lower=\"-3\" upper=\"3\"", "lower=\"3\" upper=\"-3\"", 1);
    assert!(error(&swapped).contains("need a smallest angle"), "{}", error(&swapped));
    let two = SIX.replacen("<link name=\"base\"/>", "<link name=\"base\"/><link name=\"x\"/>", 1);
    assert!(error(&two).contains("'base' and 'x'"), "{}", error(&two));
}
