use nalgebra::Isometry3;

use super::*;
use crate::simulate::{self, Routine, simulate};

#[test]
fn the_skeleton_of_a_followed_hand_has_its_joints_where_the_poses_have_them() {
    for side in [Side::Right, Side::Left] {
        let model = Model::standard(side, 0.2).unwrap();
        let options = simulate::Options {
            routine: Routine::Fist,
            seconds: 3.0,
            ..simulate::Options::default()
        };
        let simulation = simulate(&performer(&model), &options).unwrap();
        let assignment = Assignment::by_model(&model, &simulation.trial.labels()).unwrap();
        let mut tracker = Tracker::new(&model, assignment, 100.0, Options::default()).unwrap();
        let followed = follow(&simulation.trial, &mut tracker, None);
        let motion = followed.motion().unwrap().unwrap();
        let mut places = vec![Isometry3::identity(); motion.skeleton().joints().len()];
        for (frame, pose) in followed.poses.iter().enumerate() {
            motion.world_from_joints(frame, &mut places).unwrap();
            for ((place, joint), name) in places.iter().zip(&pose.joints).zip(model.joint_names()) {
                let off_m = (place.translation.vector - joint.position_m.coords).norm();
                assert!(off_m < 1e-9, "{side} {frame} {name}: {off_m}");
            }
        }
        // At rest it is an open hand, not a bundle of parallel fingers.
        let at_m = motion.skeleton().rest_positions_m();
        let of = |name: &str| at_m[motion.skeleton().find(name).unwrap()];
        assert!((of("index_tip") - of("little_tip")).norm() > 0.06);
        assert!((of("thumb_tip") - of("index_tip")).norm() > 0.06);
    }
}

#[cfg(feature = "skin")]
#[test]
fn a_hand_has_a_surface_whose_fingers_are_apart_and_bend() {
    use crate::skin::{Blending, Skin, bones};
    let model = Model::standard(Side::Right, 0.19).unwrap();
    let skeleton = model.skeleton().unwrap();
    let surface = coat(&model, 5000).unwrap().surface().unwrap();
    let count = surface.vertices_m().len();
    assert!((2500..10_000).contains(&count), "{count}");
    assert_eq!(surface.open_edges(), 0);
    // Hands of 190 mm: 350 to 450 ml by immersion to the wrist.
    let ml = surface.volume_m3() * 1e6;
    assert!((250.0..500.0).contains(&ml), "{ml}");
    let tips_m = ["index_tip", "middle_tip", "ring_tip", "little_tip", "thumb_tip"]
        .map(|name| skeleton.rest_positions_m()[skeleton.find(name).unwrap()]);
    let skin = Skin::bind(surface, &skeleton).unwrap();
    assert_eq!(skin.pieces_without_bone(), 0);
    // What is near a tip goes with that finger's last bone; heat of the bone before falls to 1/e in about a radius, and
    // the last bone is two to three long.
    let last: Vec<usize> = bones(&skeleton)
        .iter()
        .filter(|bone| skeleton.joints()[bone.ends[1]].name.ends_with("_tip"))
        .map(|bone| bone.joint)
        .collect();
    for (tip_m, joint) in tips_m.iter().zip(last) {
        for (vertex, at_m) in skin.vertices_m().iter().enumerate() {
            if (at_m.coords - tip_m).norm() < 0.006 {
                let weights = skin.weights();
                assert_eq!(usize::from(weights.joints[vertex][0]), joint);
                assert!(weights.weights[vertex][0] > 0.85);
            }
        }
    }
    let rest: Vec<Isometry3<f64>> =
        skeleton.rest_positions_m().iter().map(|p| Isometry3::translation(p.x, p.y, p.z)).collect();
    assert!(skin.pose(&rest, Blending::DualQuaternion).len() == count);
}
