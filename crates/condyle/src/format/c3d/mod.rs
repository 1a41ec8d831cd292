//! C3D: the binary exchange format of motion-capture laboratories.
//!
//! # Reference
//! The C3D File Format: A Technical User Guide, c3d.org.

mod axes;
mod change;
mod channels;
mod declared;
mod describe;
mod estimated;
mod events;
mod frames;
mod header;
mod labels;
mod layout;
mod losses;
mod number;
mod offsets;
mod parameters;
mod read;
mod rotation;
mod samples;
mod tracks;
mod write;

pub use read::{read, read_into};
pub use write::{Storage, WriteOptions, write, write_with};
