//! The hand whose skeleton this is, as far as thickness goes.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::model::{Model, Side, WRIST};
use crate::skeleton::Skeleton;

impl Model {
    /// A hand with the bones of a skeleton, if that is a hand's by the names of its joints; limits are the usual ones.
    pub fn of_skeleton(skeleton: &Skeleton) -> Option<Self> {
        let at_m = skeleton.rest_positions_m();
        let mut model = Self::from_toml(Self::STANDARD).ok()?;
        let of = |name: &str| Some(at_m[skeleton.find(name)?]);
        let is_all = model.joint_names().iter().all(|name| skeleton.find(name).is_some());
        if !is_all || model.joint_names().len() != skeleton.joints().len() {
            return None;
        }
        let wrist_m = of(WRIST)?;
        model.hand_length_m = (of("middle_tip")? - wrist_m).norm();
        let thumb_m = of("thumb_tip")? - of("little_tip")?;
        model.side = if thumb_m.y < 0.0 { Side::Left } else { Side::Right };
        let right = |v: Vector3<f64>| match model.side {
            Side::Right => v,
            Side::Left => Vector3::new(v.x, -v.y, v.z),
        };
        for finger in &mut model.fingers {
            if let Some((name, place_m)) = &mut finger.metacarpal {
                *place_m = Point3::from(right(of(name)? - wrist_m));
            }
            let mut places_m = Vec::new();
            for name in finger.joints.iter().map(|joint| &joint.name).chain([&finger.tip]) {
                places_m.push(right(of(name)? - wrist_m));
            }
            finger.base_in_hand_m = Point3::from(places_m[0]);
            for (joint, pair) in finger.joints.iter_mut().zip(places_m.windows(2)) {
                joint.length_m = (pair[1] - pair[0]).norm();
            }
            let along = (places_m[1] - places_m[0]).normalize();
            finger.hand_from_rest = UnitQuaternion::rotation_between(&Vector3::x(), &along)?;
        }
        Some(model)
    }
}
