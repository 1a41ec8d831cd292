use nalgebra::{DMatrix, Isometry3, Point3, UnitQuaternion, Vector3};

use super::*;
use crate::skeleton::{Joint, JointChannel};

/// Three bones in a row along x.
fn arm() -> Skeleton {
    let along = Vector3::new(0.3, 0.0, 0.0);
    let turns = |joint: Joint| Joint { channels: vec![JointChannel::Rotation(0)], ..joint };
    let mut joints = vec![turns(Joint::new("a", None, Vector3::zeros()))];
    joints.extend(
        ["b", "c", "end"]
            .iter()
            .enumerate()
            .map(|(i, name)| turns(Joint::new(*name, Some(i), along))),
    );
    Skeleton::new(joints).unwrap()
}

fn coated(skeleton: &Skeleton, vertices: usize) -> Surface {
    Coat::usual(&bones(skeleton), vertices).surface().unwrap()
}

fn at_rest(skeleton: &Skeleton) -> Vec<Isometry3<f64>> {
    let at_m = skeleton.rest_positions_m();
    at_m.iter().map(|at_m| Isometry3::translation(at_m.x, at_m.y, at_m.z)).collect()
}

#[test]
fn weights_are_shares_that_sum_to_one() {
    let skeleton = arm();
    let heat = heat(&coated(&skeleton, 1500), &bones(&skeleton)).unwrap();
    assert_eq!((heat.joints.as_slice(), heat.pieces_without_bone), (&[0, 1, 2][..], 0));
    for row in heat.weights.row_iter() {
        assert!(row.iter().all(|weight| (0.0..=1.0).contains(weight)), "{row}");
        assert!((row.sum() - 1.0).abs() < 1e-12, "{row}");
    }
    let weights = Weights::of(&heat);
    for shares in &weights.weights {
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
    }
    assert!(weights.largest_dropped < 1e-9);
}

#[test]
fn the_equations_themselves_give_shares_that_sum_to_one() {
    // Not what is left after clamping: the matrix is a Stieltjes matrix, and its rows sum to what heats.
    let skeleton = arm();
    let System { matrix, right, .. } =
        heat::system(&coated(&skeleton, 800), &bones(&skeleton)).unwrap();
    let dense = DMatrix::from(&matrix);
    let solved = dense.cholesky().unwrap().solve(&right);
    for row in solved.row_iter() {
        assert!((row.sum() - 1.0).abs() < 1e-9, "{row}");
        assert!(row.iter().all(|weight| (-1e-12..=1.0 + 1e-12).contains(weight)), "{row}");
    }
}

#[test]
fn sparse_and_dense_solutions_agree() {
    let skeleton = arm();
    let surface = coated(&skeleton, 800);
    let own = bones(&skeleton);
    let System { matrix, right, order, .. } = heat::system(&surface, &own).unwrap();
    let dense = DMatrix::from(&matrix).lu().solve(&right).unwrap();
    let sparse = heat(&surface, &own).unwrap();
    for (row, vertex) in order.into_iter().enumerate() {
        let off = (dense.row(row) - sparse.weights.row(vertex)).abs().max();
        assert!(off < 1e-9, "{vertex}: {off}");
    }
}

#[test]
fn each_bone_holds_its_own_middle_and_neighbours_share_a_joint() {
    let skeleton = arm();
    let surface = coated(&skeleton, 2000);
    let heat = heat(&surface, &bones(&skeleton)).unwrap();
    for (vertex, at_m) in surface.vertices_m().iter().enumerate() {
        let row = heat.weights.row(vertex);
        let own = ((at_m.x / 0.3).floor().max(0.0) as usize).min(2);
        let from_joint_m = [0.3, 0.6].map(|joint_m| (at_m.x - joint_m).abs());
        let nearest_m = from_joint_m[0].min(from_joint_m[1]);
        // Heat of the next bone falls to 1/e in about a radius, which is 0.048 m.
        if nearest_m > 0.12 {
            assert!(row[own] > 0.88, "{at_m} {row}");
        }
        if nearest_m > 0.02 {
            assert_eq!(row.transpose().imax(), own, "{at_m} {row}");
        }
        if nearest_m < 0.005 {
            assert!(row.max() < 0.75, "{at_m} {row}");
        }
    }
}

#[test]
fn a_rigid_motion_of_all_bones_moves_the_skin_rigidly() {
    let skeleton = arm();
    let skin = Skin::bind(coated(&skeleton, 600), &skeleton).unwrap();
    let moved = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.4, 2.1, -1.0));
    let poses: Vec<_> = at_rest(&skeleton).iter().map(|rest| moved * rest).collect();
    for blending in [Blending::Linear, Blending::DualQuaternion] {
        for (rest_m, moved_m) in skin.vertices_m().iter().zip(skin.pose(&poses, blending)) {
            assert!((moved * rest_m - moved_m).norm() < 1e-9, "{blending:?}");
        }
    }
}

#[test]
fn a_half_turn_collapses_linear_blending_and_not_dual_quaternions() {
    let skeleton = arm();
    let surface = coated(&skeleton, 4000);
    let volume_m3 = surface.volume_m3();
    let skin = Skin::bind(surface, &skeleton).unwrap();
    let mut poses = at_rest(&skeleton);
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI - 1e-3);
    poses[1..].iter_mut().for_each(|pose| pose.rotation = turn);
    let left = [Blending::Linear, Blending::DualQuaternion].map(|blending| {
        skin.surface().with_vertices_m(skin.pose(&poses, blending)).volume_m3() / volume_m3
    });
    assert!(left[0] < 0.97 && left[1] > 0.99, "{left:?}");
}

#[test]
fn a_surface_of_our_own_is_closed_and_as_large_as_its_bones() {
    let skeleton = arm();
    let surface = coated(&skeleton, 6000);
    assert_eq!(surface.open_edges(), 0);
    // A tube of 0.9 m with round ends.
    let radius_m: f64 = 0.16 * 0.3;
    let expected_m3 = std::f64::consts::PI * radius_m.powi(2) * (0.9 + 4.0 / 3.0 * radius_m);
    let share = surface.volume_m3() / expected_m3;
    assert!((0.97..1.03).contains(&share), "{share}");
}

#[test]
fn what_is_no_surface_or_no_skeleton_is_refused_in_words() {
    let skeleton = arm();
    let one_place = Skeleton::new(vec![Joint::new("a", None, Vector3::zeros())]).unwrap();
    let surface = coated(&skeleton, 300);
    let error = heat(&surface, &bones(&one_place)).unwrap_err();
    assert!(error.to_string().contains("need a bone"), "{error}");
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(Point3::from);
    assert!(Surface::new(&points, &[[0, 1, 2]]).unwrap_err().to_string().contains("area"));
    assert!(Surface::new(&points, &[[0, 1, 3]]).unwrap_err().to_string().contains("below 3"));
    let lost = [Point3::new(f64::NAN, 0.0, 0.0); 3];
    assert!(Surface::new(&lost, &[[0, 1, 2]]).unwrap_err().to_string().contains("finite"));
}

#[test]
fn a_skeleton_outside_its_surface_and_a_piece_without_bone_are_held_by_the_nearest() {
    let skeleton = arm();
    let surface = coated(&skeleton, 400);
    let away: Vec<Point3<f64>> =
        surface.vertices_m().iter().map(|at_m| at_m + Vector3::new(0.0, 2.0, 0.0)).collect();
    let mut both = surface.vertices_m().to_vec();
    let first = both.len() as u32;
    both.extend(&away);
    let mut triangles = surface.triangles().to_vec();
    triangles.extend(surface.triangles().iter().map(|corners| corners.map(|at| at + first)));
    let heat = heat(&Surface::new(&both, &triangles).unwrap(), &bones(&skeleton)).unwrap();
    assert_eq!(heat.pieces_without_bone, 1);
    assert!(heat.weights.iter().all(|weight| weight.is_finite()));
}

#[test]
fn a_surface_with_holes_still_has_its_weights() {
    let skeleton = arm();
    let surface = coated(&skeleton, 900);
    let kept: Vec<[u32; 3]> = surface
        .triangles()
        .iter()
        .enumerate()
        .filter(|(at, _)| at % 17 != 0)
        .map(|(_, t)| *t)
        .collect();
    let open = Surface::new(surface.vertices_m(), &kept).unwrap();
    assert!(open.open_edges() > 0);
    let skin = Skin::bind(open, &skeleton).unwrap();
    assert!(
        skin.pose(&at_rest(&skeleton), Blending::Linear)
            .iter()
            .all(|p| p.iter().all(|x| x.is_finite()))
    );
}
