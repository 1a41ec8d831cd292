//! BVH, the Biovision hierarchy: a skeleton, then one row of channel values a frame.
//!
//! # What the file means
//! - `OFFSET` is the joint's position in its parent at rest. A position channel **replaces** the
//!   offset along its axis (it does not add to it): what Blender and MotionBuilder do.
//! - Rotation channels are multiplied in the order they are listed: `Zrotation Xrotation
//!   Yrotation` is `Rz * Rx * Ry`, in degrees. See [`Motion`](crate::motion::Motion).
//! - An `End Site` is a joint without channels, named `<parent>_End`.
//! - BVH states no unit of length. Unless the caller says one, it is guessed from the size of the
//!   skeleton at rest, and a note says so. Y is up by convention.
//! - The rate is the decimal rate that explains the written frame time: `.0083333` is 120 Hz.
//!
//! Reading fills both the motion and, as markers, the centres of all joints and end sites.

mod cursor;
mod hierarchy;
mod read;
mod rows;
mod unit;
mod write;

pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;
