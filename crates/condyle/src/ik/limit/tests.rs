use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::{Unit, Vector2};
use proptest::prelude::*;

use super::*;

fn direction() -> impl Strategy<Value = Vector3<f64>> {
    (-1.0..1.0_f64, 0.0..TAU).prop_map(|(z, phi)| {
        let across = (1.0 - z * z).sqrt();
        Vector3::new(across * phi.cos(), across * phi.sin(), z)
    })
}

fn swings() -> Vec<Swing> {
    let polygon = |corners: &[[f64; 2]]| {
        Polygon::new(corners.iter().map(|c| Vector2::from(*c)).collect()).unwrap()
    };
    let hinge = |axis: [f64; 3], range| Hinge::new(Vector3::from(axis), range).unwrap();
    vec![
        Swing::Free,
        Swing::Fixed,
        Swing::Cone { half_rad: 0.7 },
        Swing::Cone { half_rad: 2.6 },
        Swing::Ellipse { angles_rad: [0.2, 0.5, 1.2, 0.9] },
        Swing::Ellipse { angles_rad: [2.0, 0.5, 1.9, 3.0] },
        Swing::Ellipse { angles_rad: [0.0, 0.5, 0.0, 0.9] },
        Swing::Conic { angles_rad: [0.2, 0.5, 1.2, 0.9] },
        Swing::Conic { angles_rad: [2.2, 2.5, 1.9, 2.9] },
        Swing::Polygon(polygon(&[[0.5, 0.1], [0.1, 0.9], [-0.6, 0.2], [-0.1, -0.7]])),
        Swing::Hinge(hinge([1.0, 0.0, 0.0], [-0.3, 2.0])),
        Swing::Hinge(hinge([0.3, 1.0, 0.4], [-2.0, 1.0])),
    ]
}

proptest! {
    #[test]
    fn what_is_clamped_is_allowed_and_stays_where_it_is(wanted in direction()) {
        for swing in swings() {
            let allowed = swing.clamp(&wanted);
            prop_assert!((allowed.norm() - 1.0).abs() < 1e-9, "{swing:?}: {allowed:?}");
            prop_assert!(swing.violation_rad(&allowed) < 1e-7, "{swing:?}: {allowed:?}");
            prop_assert!((swing.clamp(&allowed) - allowed).norm() < 1e-7, "{swing:?}: {allowed:?}");
            if swing.violation_rad(&wanted) == 0.0 {
                prop_assert!((allowed - wanted).norm() < 1e-7, "{swing:?}: {wanted:?}");
            }
        }
    }

    #[test]
    fn a_turn_is_its_swing_after_its_twist(d in direction(), tau in -3.1..3.1_f64) {
        let turn = swing_to(&d) * twist_by(tau);
        prop_assert!((turn * Vector3::z() - d).norm() < 1e-9);
        prop_assert!((twist_rad(&turn) - tau).abs() < 1e-6, "{} {tau}", twist_rad(&turn));
    }

    #[test]
    fn a_carried_frame_does_not_jump(d in direction(), step in direction()) {
        // Away from the one direction behind, a small move of the bone is a small move of the frame.
        prop_assume!(d.z > -0.99);
        let moved = (d + step * 1e-6).normalize();
        prop_assert!(swing_to(&d).angle_to(&swing_to(&moved)) < 1e-4);
    }
}

#[test]
fn ranges_that_are_none_are_refused() {
    let refused = |limit: Limit| limit.check().unwrap_err().to_string();
    let text = refused(Limit::pivot([1.0, -1.0]));
    assert!(text.contains("need a smallest angle not above the largest"), "{text}");
    assert!(Limit::hinge(Vector3::x(), [1.0, 0.5]).is_err());
    assert!(Limit::hinge(Vector3::z(), [0.0, 0.5]).is_err());
    assert!(Limit::hinge(Vector3::zeros(), [0.0, 0.5]).is_err());
    for limit in [
        Limit::cone(-0.1),
        Limit::cone(4.0),
        Limit::cone(f64::NAN),
        Limit::saddle([0.1, 0.1, f64::INFINITY, 0.1]),
        Limit { swing: Swing::Conic { angles_rad: [0.5, 2.0, 0.5, 0.5] }, twist: Twist::Free },
    ] {
        assert!(limit.check().is_err(), "{limit:?}");
    }
    assert!(Polygon::new(vec![Vector2::new(0.1, 0.0), Vector2::new(0.2, 0.0)]).is_err());
    assert!(Polygon::new(vec![Vector2::new(0.1, 0.0); 4]).is_err());
    assert!(Polygon::new(vec![Vector2::new(f64::NAN, 0.0); 4]).is_err());
}

#[test]
fn a_target_behind_comes_out_on_the_cone_of_its_own_side() {
    let conic = Swing::Conic { angles_rad: [0.5; 4] };
    let behind = Vector3::new(0.3, 0.0, -0.9).normalize();
    let allowed = conic.clamp(&behind);
    assert!((allowed - Vector3::new(0.5_f64.sin(), 0.0, 0.5_f64.cos())).norm() < 1e-9);
}

#[test]
fn with_equal_angles_conic_ellipse_and_cone_are_one() {
    for angle in [0.4, 1.1] {
        let wanted = Vector3::new(0.6, -0.7, 0.2).normalize();
        let cone = Swing::Cone { half_rad: angle }.clamp(&wanted);
        for swing in
            [Swing::Ellipse { angles_rad: [angle; 4] }, Swing::Conic { angles_rad: [angle; 4] }]
        {
            assert!((swing.clamp(&wanted) - cone).norm() < 1e-9, "{swing:?}");
        }
    }
}

#[test]
fn a_twist_is_taken_the_short_way_round() {
    let twist = Twist::Range { min_rad: 2.5, max_rad: 3.5 };
    assert!((twist.clamp(-3.0) - (-3.0 + 2.0 * PI)).abs() < 1e-12);
    assert!(twist.violation_rad(-3.0) == 0.0);
    assert!((twist.violation_rad(2.0) - 0.5).abs() < 1e-12);
    assert!(Twist::LOCKED.is_locked() && !Twist::Free.is_locked());
}

#[test]
fn a_hinge_reaches_the_nearest_point_of_its_arc() {
    let hinge = Hinge { axis: Unit::new_normalize(Vector3::x()), min_rad: 0.0, max_rad: FRAC_PI_2 };
    let wanted = Vector3::new(0.5, -0.5, 0.5).normalize();
    let best = (0..=9000).map(|k| hinge.turn_by(f64::from(k) * FRAC_PI_2 / 9000.0) * Vector3::z());
    let best = best.max_by(|a, b| a.dot(&wanted).total_cmp(&b.dot(&wanted))).unwrap();
    assert!((hinge.turn(&wanted) * Vector3::z() - best).norm() < 1e-3);
}
