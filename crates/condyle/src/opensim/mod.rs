//! What OpenSim takes: models, coordinates under the names, signs and zero of its models, and ground reaction forces.
//!
//! | wanted | function |
//! |---|---|
//! | coordinates of a solved performer as a table | [`coordinates`] |
//! | a subject as a model | [`model`] |
//! | the setup of its inverse kinematics | [`inverse_kinematics()`] |
//! | what the segments of a person weigh | [`segment_masses_kg`] |
//! | points for it that filmed performers lack | [`with_posed_points`] |
//! | ground reaction forces as a table | [`ground_reaction`] |

mod coordinates;
mod forces;
mod inverse_kinematics;
mod linkage;
mod masses;
mod model;
mod posed_points;

use serde::{Deserialize, Serialize};

pub use coordinates::coordinates;
pub use forces::ground_reaction;
pub use inverse_kinematics::{TaskFiles, inverse_kinematics};
pub(crate) use linkage::{Linkage, LinkageJoint};
pub use linkage::{USUAL_WEIGHT_KG, segment_masses_kg};
pub use masses::{PARTS, PartMass};
pub use model::model;
pub(crate) use model::{marker_name, marker_names};
pub use posed_points::with_posed_points;

/// The model whose names, signs and zero coordinates follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MotModel {
    /// The full body of Rajagopal and others (2016): knees bend with a positive angle.
    #[default]
    Rajagopal,
    /// Delp's (1990) legs and trunk: knees bend with a negative angle, and there are no arms.
    Gait2392,
}

impl MotModel {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rajagopal => "Rajagopal2016",
            Self::Gait2392 => "gait2392",
        }
    }
}
