//! What can be asked of the module.

use std::collections::BTreeMap;

use condyle::format::ReadOptions;
use condyle::job;
use serde::Deserialize;

use crate::edit::Edit;
use crate::reach::{ModelFrom, ReachOptions};

/// A request, by its name. Handles stand for what is open.
///
/// A tag inside would be shorter to write, and have everything below read twice: 40 kB of code.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Reads the bytes that come with it; where they are a motion and its skeleton, `motion_bytes` are the motion's.
    Read {
        name: String,
        #[serde(default)]
        options: ReadOptions,
        motion_bytes: Option<usize>,
    },
    /// A copy of a recording, changed.
    Edit { recording: u32, edits: Vec<Edit> },
    /// Which markers are on which segment.
    Plan { recording: u32, options: job::Options },
    /// The main job.
    Run { recording: u32, options: job::Options },
    /// A row of numbers of a recording.
    OfRecording { recording: u32, row: RecordingRow, index: usize },
    /// A row of numbers of what was found in it.
    OfPerformance { performance: u32, row: PerformanceRow, performer: usize, index: usize },
    /// A recording in a file format.
    Write { recording: u32, format: String },
    /// What was found as a file, with other names for markers by their labels.
    Export {
        performance: u32,
        performer: usize,
        format: String,
        #[serde(default)]
        names: BTreeMap<String, String>,
    },
    /// A linkage that reaches.
    Reacher { model: ModelFrom },
    /// Reaches for targets: a place or nothing for every effector.
    Reach { reacher: u32, targets: Vec<Option<[f64; 3]>>, options: ReachOptions },
    /// Goes back to rest.
    Rest { reacher: u32 },
    /// Moves the base.
    MoveBase { reacher: u32, at_m: [f64; 3] },
    /// Begins a stream of markers.
    Live { labels: Vec<String>, rate_hz: f64, options: job::Options },
    /// Takes a frame: the bytes that come with it are x, y and z of every marker.
    Push { live: u32 },
    /// Ends a stream: what the main job makes of it.
    Finish { live: u32 },
    /// A polynomial through a window of the numbers that come with it.
    Taylor { rate_hz: f64, from: usize, to: usize, order: usize },
    /// Forgets what has this handle.
    Close { handle: u32 },
    /// The options of the main job where nothing is said.
    DefaultOptions,
    /// The version of the library.
    Version,
}

/// A row of numbers of a recording.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordingRow {
    /// x, y and z of a marker in every frame.
    Marker,
    /// Where its samples come from, a byte a frame.
    Origin,
    /// A body in every frame: its orientation w, x, y, z, and its place.
    Body,
    /// A joint of the skeleton that the file holds: x, y and z in every frame.
    Joint,
    /// The samples of a channel, at its own rate.
    Channel,
    /// The force of a plate in every frame.
    Force,
    /// Where it acts.
    CentreOfPressure,
}

/// A row of numbers of what was found in a recording.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerformanceRow {
    /// x, y and z of a marker in every frame, as it was solved.
    Marker,
    /// Where its samples come from, a byte a frame.
    Origin,
    /// How far estimated samples may be off, along each axis.
    MarkerSd,
    /// x, y and z of a joint in every frame.
    Joint,
    /// How it was placed, a byte a frame.
    Placed,
    /// How far it may be off along its worst direction.
    JointSd,
    /// A segment in every frame: its orientation w, x, y, z, and its place.
    Segment,
    /// A point of the figure in every frame.
    Point,
    /// One of the angles of a joint, in degrees: three a joint.
    Angle,
    /// The length of the bone from the joint above, as the markers of every frame have it.
    Bone,
    /// How far markers are from where their segments have them, rms in every frame.
    Residual,
    /// The same of one marker of the subject.
    MarkerResidual,
}
