//! Matrices and rotations as a subject file has them.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of rows.
pub(super) mod rows {
    use super::*;
    use nalgebra::Matrix3;

    pub fn serialize<S: Serializer>(matrix: &Matrix3<f64>, to: S) -> Result<S::Ok, S::Error> {
        <[[f64; 3]; 3]>::from(matrix.transpose()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Matrix3<f64>, D::Error> {
        Ok(Matrix3::from(<[[f64; 3]; 3]>::deserialize(from)?).transpose())
    }
}

/// `w, x, y, z`.
pub(super) mod w_first {
    use super::*;
    use nalgebra::{Quaternion, UnitQuaternion};

    type Rotation = UnitQuaternion<f64>;

    pub fn serialize<S: Serializer>(rotation: &Rotation, to: S) -> Result<S::Ok, S::Error> {
        [rotation.w, rotation.i, rotation.j, rotation.k].serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rotation, D::Error> {
        let [w, i, j, k] = <[f64; 4]>::deserialize(from)?;
        let quaternion = Quaternion::new(w, i, j, k);
        match quaternion.norm() {
            // What was written as a unit quaternion stays as it is, to the last bit.
            norm if (norm - 1.0).abs() < 1e-12 => Ok(Rotation::new_unchecked(quaternion)),
            0.5..2.0 => Ok(Rotation::new_normalize(quaternion)),
            norm => Err(D::Error::custom(format!("need a unit quaternion, got norm {norm}"))),
        }
    }
}
