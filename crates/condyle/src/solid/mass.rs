//! Mass, centre of mass and inertia of a rigid body.

use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, SymmetricEigen, Vector3};

use super::moments::Moments;

/// Principal moments nearer to each other than this share of the largest are equal: their axes are a matter of choice.
const EQUAL: f64 = 1e-9;

/// What the mass of a rigid body is, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Of the space it fills.
    pub volume_m3: f64,
    /// Of all of it.
    pub mass_kg: f64,
    /// The middle of the volume.
    pub centroid_m: Point3<f64>,
    /// The middle of the mass.
    pub centre_of_mass_m: Point3<f64>,
    /// About the centre of mass, along x, y and z.
    pub inertia_kg_m2: Matrix3<f64>,
}

impl MassProperties {
    pub(super) fn of(moments: &Moments) -> Self {
        Self {
            volume_m3: moments.volume_m3,
            mass_kg: moments.mass_kg,
            centroid_m: moments.centroid_m(),
            centre_of_mass_m: moments.centre_of_mass_m(),
            inertia_kg_m2: moments.inertia_kg_m2(),
        }
    }

    /// The same body with another mass, its distribution kept.
    #[must_use]
    pub fn with_mass_kg(mut self, mass_kg: f64) -> Self {
        self.inertia_kg_m2 *= mass_kg / self.mass_kg;
        self.mass_kg = mass_kg;
        self
    }

    /// The same body elsewhere.
    #[must_use]
    pub fn moved(&self, to_from_here: &Isometry3<f64>) -> Self {
        let turn = to_from_here.rotation.to_rotation_matrix();
        Self {
            centroid_m: to_from_here * self.centroid_m,
            centre_of_mass_m: to_from_here * self.centre_of_mass_m,
            inertia_kg_m2: turn.matrix() * self.inertia_kg_m2 * turn.matrix().transpose(),
            ..*self
        }
    }

    /// The inertia tensor about any point: the parallel-axis rule.
    pub fn inertia_about_kg_m2(&self, point_m: &Point3<f64>) -> Matrix3<f64> {
        let off = self.centre_of_mass_m - point_m;
        self.inertia_kg_m2
            + (Matrix3::identity() * off.norm_squared() - off * off.transpose()) * self.mass_kg
    }

    /// The moment of inertia about an axis through a point.
    pub fn moment_about_axis_kg_m2(&self, axis: &Vector3<f64>, point_m: &Point3<f64>) -> f64 {
        let axis = axis.normalize();
        axis.dot(&(self.inertia_about_kg_m2(point_m) * axis))
    }

    /// The angular momentum about a point of a body that turns about it.
    pub fn angular_momentum_kg_m2_s(
        &self,
        angular_velocity_rad_s: &Vector3<f64>,
        point_m: &Point3<f64>,
    ) -> Vector3<f64> {
        self.inertia_about_kg_m2(point_m) * angular_velocity_rad_s
    }

    /// Principal moments and axes about the centre of mass.
    pub fn principal_axes(&self) -> PrincipalAxes {
        PrincipalAxes::of(&self.inertia_kg_m2)
    }
}

/// Principal moments, smallest first, and their axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrincipalAxes {
    /// About the axes, in their order.
    pub moments_kg_m2: Vector3<f64>,
    /// Columns are the axes, right-handed; each points to the positive side of the coordinate it is nearest to, but the
    /// last, which follows from the others. Where moments are equal the axes are those nearest to x, y and z.
    pub axes: Rotation3<f64>,
    /// Whether two moments are equal, so that their axes were chosen.
    pub are_chosen: bool,
}

impl PrincipalAxes {
    fn of(inertia_kg_m2: &Matrix3<f64>) -> Self {
        let eigen = SymmetricEigen::new(*inertia_kg_m2);
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
        let moments = Vector3::from_fn(|at, _| eigen.eigenvalues[order[at]]);
        let mut axes = order.map(|at| eigen.eigenvectors.column(at).into_owned());
        let is_equal = |a: usize, b: usize| moments[b] - moments[a] <= EQUAL * moments[2].abs();
        match (is_equal(0, 1), is_equal(1, 2)) {
            (true, true) => axes = [Vector3::x(), Vector3::y(), Vector3::z()],
            (true, false) => axes[0] = nearest_coordinate_across(&axes[2]),
            (false, true) => axes[1] = nearest_coordinate_across(&axes[0]),
            (false, false) => {}
        }
        if is_equal(0, 1) && !is_equal(1, 2) {
            axes[1] = axes[2].cross(&axes[0]);
        }
        for axis in &mut axes[..2] {
            if axis[axis.iamax()] < 0.0 {
                axis.neg_mut();
            }
        }
        axes[2] = axes[0].cross(&axes[1]);
        Self {
            moments_kg_m2: moments,
            axes: Rotation3::from_matrix_unchecked(Matrix3::from_columns(&axes)),
            are_chosen: is_equal(0, 1) || is_equal(1, 2),
        }
    }
}

/// The direction across an axis that is nearest to one of x, y and z.
fn nearest_coordinate_across(axis: &Vector3<f64>) -> Vector3<f64> {
    let coordinate = Vector3::ith(axis.iamin(), 1.0);
    (coordinate - axis * axis.dot(&coordinate)).normalize()
}
