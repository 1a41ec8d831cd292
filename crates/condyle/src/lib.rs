//! Markers in, skeleton out.
//!
//! ```no_run
//! # fn main() -> condyle::Result<()> {
//! use condyle::format::{ReadOptions, read_path};
//! use condyle::job;
//!
//! let trial = read_path("walk.c3d".as_ref(), &ReadOptions::default())?;
//! let performance = job::run(trial, &job::Options::default())?;
//! for joint in performance.performers[0].subject.joints() {
//!     println!("{}: centre known to {:.0} mm", joint.name, 1e3 * joint.worst_sd_m());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Positions are metres in the recording's own right-handed axes; a missing sample is `None`.
//!
//! | wanted | where |
//! |---|---|
//! | all of it, from a recording to its solved performers | [`job::run`] |
//! | one subject for many recordings | [`job::fit`], then [`job::Options::subject`]; kept in a file by [`subject::Subject::to_json`] |
//! | a solved recording as CSV, TRC, C3D, BVH, glTF or MOT | [`export::Export::write`] |
//! | the same for a stream, frame by frame | [`live::Live`] |
//! | gait: events, cycles, parameters, scores | [`gait`] |
//! | coordinates and forces for OpenSim | [`opensim`] |
//! | a robot for pinocchio, ROS and MuJoCo | [`robotics`] |
//! | centre of mass, momentum and energy of a solved performer | [`physics`] |
//! | volume, mass and inertia of solid bodies | [`solid`] |
//! | solid figures: segments with joints, freedoms and limits | [`figure`] |
//! | a solid figure for a subject | [`mannequin::Mannequin`] |
//! | solid bodies, figures and their motions from files | [`format::mesh`], [`format::ply`], [`format::atm`], [`format::figure_motion`] |
//! | ground reaction forces from force plates | [`force_plates::read`] |
//! | what one recording holds | [`Trial`]: its [`Marker`](trial::Marker)s, [`Body`](trial::Body)s, [`Channel`](trial::Channel)s, [`Event`](trial::Event)s |
//! | a recording from a file or from memory | [`format::read_path`], [`format::read_bytes`] |
//! | to know better than the file | [`format::ReadOptions`] |
//! | the format of some bytes | [`format::sniff`] |
//! | a file in another format | [`format::write()`] |
//! | one format by name | [`format::c3d`], [`trc`](format::trc), [`csv`](format::csv), [`bvh`](format::bvh), [`asf`](format::asf), [`amc`](format::amc), [`sto`](format::sto), [`gltf`](format::gltf), [`mvnx`](format::mvnx) |
//! | some of the markers or frames | [`trial::edit::with_markers`], [`trial::edit::with_frames`] |
//! | another axis up, another unit when written | [`trial::edit::with_up`], [`trial::edit::with_unit`] |
//! | another rate | [`resample::resample`] |
//! | short gaps closed | [`fill::bridge`] |
//! | any gap filled, with how far off that may be | [`fill::fill`](fn@fill::fill) |
//! | the C3D parameters kept for writing back | [`trial::parameters`] |
//! | which markers are on which segment | [`plan::Plan`]: by names [`marker_set::recognise`], from a file [`marker_set::from_text`] |
//! | joints and how they hang together | [`skeleton::Skeleton`] |
//! | a skeleton that moves, and where its joints are | [`motion::Motion`], [`motion::Motion::world_from_joints`] |
//! | a performer's skeleton, and where it is in every frame | [`calibrate::Calibration`], [`subject::Subject`], [`solve::Solver`] |
//! | a calibrated subject as a skeleton that moves, for animation | [`rig::Rig`], written by [`format::bvh`] and [`format::gltf`] |
//! | joint centres as points | [`rig::joint_centres`], [`rig::with_joint_centres`] |
//! | the lines that a subject is drawn as | [`stick::Stick`] |
//! | joint angles, their ranges and rates | [`angles::joint_angles`] |
//! | sensors with six degrees of freedom: a subject, playback, trouble, pointers | [`trackers`], [`joint`] |
//! | joints that reach for targets, within limits | [`ik::Solver`] |
//! | the same for a subject, a recorded skeleton, a robot arm | [`limbs`] |
//! | labels that changed places for a while, put back | [`swaps::put_back`] |
//! | markers that slipped on their segment | [`slips::find`] |
//! | what segments are, by the shape of their tree | [`naming::name`] |
//! | up and forward, with how sure they are | [`orientation::infer`] |
//! | names for trajectories that have none | [`label::label`], [`label::apply`] |
//! | a recording whose truth is known | [`simulate::simulate`] with a [`simulate::Performer`] |
//! | a hand from its back and its finger tips | [`hand::Tracker`] |
//! | a surface that goes with a skeleton | [`skin::Skin`] |
//! | markers that are not seen, predicted frame by frame | [`predict::Predictor`] |
//! | a signal in a window as a polynomial | [`taylor::Taylor`] |
//! | medians, quantiles, spreads | [`statistics`] |
//! | what went wrong, and where | [`Error`], [`ErrorKind`] |
//! | what was odd but could be repaired | [`note::Note`] in [`Trial::notes`] |
//!
//! # Features
//!
//! Recordings, motions and edits of them are always there. `default-features = false` and some of these take
//! a part of the rest:
//!
//! | feature | brings | default |
//! |---|---|---|
//! | `formats` | [`format`](mod@format): reading and writing files | yes |
//! | `skeleton` | everything from markers or sensors to subjects, poses and angles | yes |
//! | `ik` | [`ik`], [`limbs`] | yes |
//! | `simulate` | [`simulate`] | yes |
//! | `skin` | [`skin`]: surfaces that go with a skeleton | yes |
//! | `parquet` | tables as Apache Parquet | no |
//! | `urdf` | robot arms in [`limbs`] | no |
#![cfg_attr(
    not(all(feature = "formats", feature = "skeleton")),
    allow(
        dead_code,
        unused_imports,
        reason = "some of what is always there serves one feature only"
    )
)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

/// The mathematics that positions and poses are given in.
pub use nalgebra;

#[cfg(feature = "skeleton")]
pub mod anatomy;
#[cfg(feature = "skeleton")]
pub mod angles;
pub mod blend;
#[cfg(feature = "skeleton")]
pub mod calibrate;
pub mod cardan;
#[cfg(feature = "skeleton")]
pub mod centre;
pub mod error;
#[cfg(all(feature = "formats", feature = "skeleton"))]
pub mod export;
pub mod figure;
pub mod fill;
pub mod force_plates;
#[cfg(feature = "formats")]
pub mod format;
#[cfg(feature = "skeleton")]
pub mod gait;
#[cfg(feature = "skeleton")]
pub mod grouping;
#[cfg(all(feature = "ik", feature = "skeleton"))]
pub mod hand;
#[cfg(feature = "ik")]
pub mod ik;
#[cfg(feature = "skeleton")]
pub mod job;
#[cfg(feature = "skeleton")]
pub mod joint;
#[cfg(feature = "skeleton")]
pub mod keypoints;
#[cfg(feature = "skeleton")]
pub mod label;
#[cfg(feature = "ik")]
pub mod limbs;
#[cfg(feature = "skeleton")]
pub mod live;
#[cfg(feature = "skeleton")]
pub mod mannequin;
#[cfg(feature = "skeleton")]
pub mod marker_set;
pub mod motion;
#[cfg(feature = "skeleton")]
pub mod naming;
pub mod note;
#[cfg(feature = "skeleton")]
pub mod opensim;
#[cfg(any(feature = "formats", feature = "ik", feature = "skeleton"))]
mod order;
pub mod orientation;
#[cfg(feature = "skeleton")]
pub mod physics;
pub mod plan;
#[cfg(feature = "skeleton")]
pub mod predict;
pub mod resample;
#[cfg(feature = "skeleton")]
pub mod rig;
#[cfg(feature = "skeleton")]
pub mod rigid;
#[cfg(feature = "skeleton")]
pub mod robotics;
#[cfg(feature = "simulate")]
pub mod simulate;
pub mod skeleton;
#[cfg(feature = "skin")]
pub mod skin;
#[cfg(feature = "skeleton")]
pub mod slips;
pub mod solid;
#[cfg(feature = "skeleton")]
pub mod solve;
pub mod statistics;
#[cfg(feature = "skeleton")]
pub mod stick;
#[cfg(feature = "skeleton")]
pub mod subject;
#[cfg(feature = "skeleton")]
pub mod swaps;
#[cfg(any(feature = "simulate", feature = "skeleton"))]
mod tables;
pub mod taylor;
#[cfg(feature = "skeleton")]
pub mod topology;
#[cfg(feature = "skeleton")]
pub mod trackers;
pub mod trial;
#[cfg(feature = "skeleton")]
pub mod whole_body;
#[cfg(any(feature = "formats", feature = "urdf"))]
mod xml;

pub use error::{Error, ErrorKind, Result};
pub use trial::Trial;
