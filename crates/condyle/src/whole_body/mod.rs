//! One fit of the whole body: its segments, joints, markers and poses together, from motion and knowledge.
//!
//! ```
//! use condyle::simulate::{Options, Performer, Routine, simulate};
//! use condyle::whole_body::{self, Input, Knowledge};
//!
//! let options = Options {
//!     routine: Routine::Walk,
//!     seconds: 4.0,
//!     marker_set: Some("cmu41".into()),
//!     noise_m: 1e-3,
//!     skin_m: 0.01,
//!     ..Options::default()
//! };
//! let simulation = simulate(&Performer::human(), &options)?;
//! let trial = &simulation.trial;
//! let input = Input {
//!     performer: &simulation.truth.plan.performers[0],
//!     labels: &trial.labels(),
//!     frames: trial,
//! };
//! let body = whole_body::fit(&input, &Knowledge::human()?, &whole_body::Options::default())?;
//! let hip = body.joint("left hip").unwrap();
//! println!("{} ± {:.3} m", body.joints[hip].name, body.joints[hip].sd_m());
//! # Ok::<(), condyle::Error>(())
//! ```

mod camera;
mod checks;
mod cholesky;
mod choose;
mod doubt;
mod exchanged;
mod fit;
mod gauss_newton;
mod guards;
mod influence;
mod jitter;
mod knowledge;
mod model;
mod motion_alone;
mod noise;
mod point;
mod posed;
mod poser;
mod posterior;
mod problem;
mod readings;
mod result;
mod rows;
mod skin;
mod skin_evidence;
mod sliding;
mod start;
mod stated;
mod subject;
mod tree;

pub use checks::Check;
pub use fit::{Input, Options, SoftTissue, fit};
pub use guards::{BlockStatus, KnowledgeBlock};
pub use influence::Influence;
pub use knowledge::{Knowledge, Source};
pub use motion_alone::fit_motion;
pub use posed::PosedFrame;
pub use poser::{BodyPose, Poser};
pub use posterior::Shares;
pub use result::{FittedJoint, FittedMarker, FittedSegment, WholeBody};

#[cfg(all(test, feature = "simulate"))]
mod tests;
