//! Where segments are, from the values of the freedoms.

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};

use super::tree::{Figure, FreedomKind, Joint};

/// Where the segments of a figure are in a frame. Made once, it is used again for every frame: nothing is allocated.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// For every segment how it moved since it was at rest, in the axes of the figure.
    pub figure_from_rest: Vec<Isometry3<f64>>,
    /// So many freedoms were outside their limits and held there.
    pub clamped: usize,
}

impl Figure {
    /// A pose with room for this figure, at rest.
    pub fn rest_pose(&self) -> Pose {
        Pose { figure_from_rest: vec![Isometry3::identity(); self.segments().len()], clamped: 0 }
    }

    /// Poses the figure. Values beyond the last freedom are ignored, and missing ones are those of the figure; a value
    /// outside its limits is held there and counted.
    ///
    /// # Method
    /// figure_from_rest(child) = figure_from_rest(parent)·T(p+d)·ΠR(angleᵢ, axisᵢ)·T(−p), with the joint p and the axes
    /// as they are at rest, d = Σ value·axis of the slides, and the first rotation outermost.
    pub fn pose(&self, values: &[f64], pose: &mut Pose) {
        pose.clamped = 0;
        pose.figure_from_rest.resize(self.segments().len(), Isometry3::identity());
        let mut values = values.iter();
        for (at, segment) in self.segments().iter().enumerate() {
            let moved = parent_from_child(&segment.joint, &mut values, &mut pose.clamped);
            pose.figure_from_rest[at] = match segment.parent {
                Some(parent) => pose.figure_from_rest[parent] * moved,
                None => moved,
            };
        }
    }
}

fn parent_from_child(
    joint: &Joint,
    values: &mut std::slice::Iter<f64>,
    clamped: &mut usize,
) -> Isometry3<f64> {
    let mut turn = UnitQuaternion::identity();
    let mut slide_m = Vector3::zeros();
    for freedom in &joint.freedoms {
        let value = values.next().copied().unwrap_or(freedom.value);
        let [from, to] = freedom.limits;
        let held = if value < from {
            from
        } else if value > to {
            to
        } else {
            value
        };
        *clamped += usize::from(held != value);
        match freedom.kind {
            FreedomKind::Rotation => {
                turn *= UnitQuaternion::from_axis_angle(&freedom.axis, held);
            }
            FreedomKind::Translation => slide_m += freedom.axis.into_inner() * held,
        }
    }
    let centre_m = joint.centre_m.coords;
    let shift = centre_m + slide_m - turn * centre_m;
    Isometry3::from_parts(Translation3::from(shift), turn)
}

impl Pose {
    /// The vertices of all segments, one segment after the other, into a buffer that is used again.
    pub fn vertices_m(&self, figure: &Figure, vertices_m: &mut Vec<Point3<f64>>) {
        vertices_m.clear();
        for (segment, moved) in figure.segments().iter().zip(&self.figure_from_rest) {
            let turn: Matrix3<f64> = moved.rotation.to_rotation_matrix().into_inner();
            let shift = moved.translation.vector;
            let own = segment.solid.vertices_m().iter();
            vertices_m.extend(own.map(|vertex_m| Point3::from(turn * vertex_m.coords + shift)));
        }
    }
}
