//! Left-handed axes made right-handed.

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion};

use crate::trial::{Axis, Trial};

/// The trial seen in the mirror z to -z, with a note.
///
/// Programs such as Unity have left-handed axes. Read as they are, everything would be its own mirror
/// image: left would be right, and angles would have the wrong sign. A solved skeleton is left as it is.
pub fn mirrored(mut trial: Trial) -> Trial {
    let flipped = |p: Point3<f64>| Point3::new(p.x, p.y, -p.z);
    trial.markers.iter_mut().for_each(|marker| marker.map_positions(flipped));
    for body in &mut trial.bodies {
        body.joint_in_body_m = body.joint_in_body_m.map(flipped);
        body.map_poses(|pose| {
            let (t, q) = (pose.translation.vector, pose.rotation.quaternion());
            let turned = UnitQuaternion::new_unchecked(Quaternion::new(q.w, -q.i, -q.j, q.k));
            Isometry3::from_parts(Translation3::new(t.x, t.y, -t.z), turned)
        });
    }
    let is_z = |up: Axis| up.index() == Axis::Z.index();
    trial.source.up = trial.source.up.map(|up| if is_z(up) { up.flipped() } else { up });
    trial.note("mirrored", "left-handed axes: everything was mirrored, z to -z");
    trial
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Body, Format};
    use nalgebra::Vector3;

    #[test]
    fn a_mirrored_body_maps_mirrored_points_and_twice_is_nothing() {
        let pose = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.8, 1.1));
        let mut trial = Trial::new(Format::Csv, 100.0);
        let mut body = Body::new("a");
        body.push(Some(pose));
        (trial.frames, trial.bodies) = (1, vec![body]);
        let once = mirrored(trial.clone());
        let flip = |p: Point3<f64>| Point3::new(p.x, p.y, -p.z);
        let point = Point3::new(0.1, -0.4, 0.7);
        let seen = once.bodies[0].world_from_body(0).unwrap() * flip(point);
        assert!((seen - flip(pose * point)).norm() < 1e-12);
        assert_eq!(mirrored(once).bodies, trial.bodies);
    }
}
