//! Poses by differences to the frame before, as they were printed.

use nalgebra::{Matrix4, Point3, Rotation3, Translation3, Unit, Vector3};

use super::tree::{Figure, FreedomKind};

/// A figure that is moved from frame to frame.
///
/// # Method
/// `MoveSegment(segment, motion)`: motion ← motion·T(p+d−d')·ΠR(angleᵢ−angleᵢ', axisᵢ)·T(−p), where a prime is the frame
/// before; joint, axes and the segment move along; its children go on with the motion. With more than one rotation a
/// joint's increments do not commute, so that this is right for small steps only, and rounding adds up:
/// [`Figure::pose`] is what is used.
///
/// # Reference
/// J. Knight 2005, section 2.4, procedures 2.3.1 and 2.3.2.
#[derive(Debug, Clone)]
pub struct IncrementalPose {
    centres_m: Vec<Point3<f64>>,
    axes: Vec<Unit<Vector3<f64>>>,
    before: Vec<f64>,
    /// For every segment how it moved since it was at rest.
    figure_from_rest: Vec<Matrix4<f64>>,
    motions: Vec<Matrix4<f64>>,
}

impl IncrementalPose {
    /// A figure at rest: all freedoms are 0.
    pub fn new(figure: &Figure) -> Self {
        let segments = figure.segments();
        Self {
            centres_m: segments.iter().map(|segment| segment.joint.centre_m).collect(),
            axes: figure.freedoms().map(|freedom| freedom.axis).collect(),
            before: vec![0.0; figure.freedom_count()],
            figure_from_rest: vec![Matrix4::identity(); segments.len()],
            motions: vec![Matrix4::identity(); segments.len()],
        }
    }

    /// For every segment how it moved since it was at rest: a rigid motion up to what rounding made of it.
    pub fn figure_from_rest(&self) -> &[Matrix4<f64>] {
        &self.figure_from_rest
    }

    /// Moves the figure to the next frame; limits are not looked at.
    pub fn step(&mut self, figure: &Figure, values: &[f64]) {
        for (at, segment) in figure.segments().iter().enumerate() {
            let own = figure.freedoms_of(at);
            let centre_m = self.centres_m[at].coords;
            let mut slide_m = Vector3::zeros();
            let mut turn = Rotation3::identity();
            for (freedom, of) in segment.joint.freedoms.iter().zip(own.clone()) {
                let value = values.get(of).copied().unwrap_or(freedom.value);
                let change = value - self.before[of];
                match freedom.kind {
                    FreedomKind::Rotation => {
                        turn *= Rotation3::from_axis_angle(&self.axes[of], change);
                    }
                    FreedomKind::Translation => slide_m += self.axes[of].into_inner() * change,
                }
                self.before[of] = value;
            }
            let movement = Translation3::from(centre_m + slide_m).to_homogeneous()
                * turn.to_homogeneous()
                * Translation3::from(-centre_m).to_homogeneous();
            let above = segment.parent.map_or_else(Matrix4::identity, |at| self.motions[at]);
            let motion = above * movement;
            self.motions[at] = motion;
            self.figure_from_rest[at] = motion * self.figure_from_rest[at];
            self.centres_m[at] = motion.transform_point(&self.centres_m[at]);
            for axis in &mut self.axes[own] {
                *axis = Unit::new_unchecked(motion.transform_vector(axis));
            }
        }
    }
}
