//! What is recorded: three markers a segment, written down before anything was tuned on it.

use condyle::Trial;
use condyle::predict::{Body, BodyJoint, BodySegment};
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::trial::{Format, Marker};
use nalgebra::Point3;

/// Markers in every frame.
pub type Frames = Vec<Vec<Option<Point3<f64>>>>;

/// Frames a second, as the document's cameras take them, and seconds: more than 10,000 frames.
pub const RATE_HZ: f64 = 480.0;
const SECONDS: f64 = 22.0;
/// Noise of a coordinate, and skin: as usual in a laboratory.
const NOISE_M: f64 = 0.5e-3;
const SKIN_M: f64 = 5e-3;
/// The document has three markers on a segment.
const MARKERS_A_SEGMENT: usize = 3;

/// A recording with its body.
pub struct Scene {
    /// What it stands for.
    pub name: &'static str,
    /// Frames a second.
    pub rate_hz: f64,
    /// Where every marker is.
    pub frames: Frames,
    /// Which markers are on which segment, and which segments meet.
    pub body: Body,
    /// Where the joints truly are, in the order of the body's.
    pub joints_m: Vec<Vec<Point3<f64>>>,
    /// For every joint the one above it.
    pub joint_parents: Vec<Option<usize>>,
}

/// Who performs what, with which seed, and which parts wear markers: fixed before tuning.
const SCENES: [(&str, Routine, u64, &[&str]); 3] = [
    (
        "dancing body, 14 segments",
        Routine::Rom,
        4101,
        &["pelvis", "chest", "upper arm", "forearm", "hand", "thigh", "shank", "foot"],
    ),
    ("fast walking, 7 segments", Routine::Walk, 4102, &["pelvis", "thigh", "shank", "foot"]),
    ("boxing arms, 5 segments", Routine::ChickenWalk, 4103, &["chest", "upper arm", "forearm"]),
];

/// The document's three recordings, made up.
pub fn all() -> Vec<Scene> {
    SCENES
        .iter()
        .filter_map(|(name, routine, seed, parts)| scene(name, *routine, *seed, parts))
        .collect()
}

fn scene(name: &'static str, routine: Routine, seed: u64, parts: &[&str]) -> Option<Scene> {
    let options = Options {
        routine,
        seed,
        seconds: SECONDS,
        rate_hz: RATE_HZ,
        noise_m: NOISE_M,
        skin_m: SKIN_M,
        ..Options::default()
    };
    let simulation = simulate(&Performer::human(), &options).ok()?;
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let planned = &truth.plan.performers[0].segments;
    let is_worn = |segment: usize| parts.iter().any(|part| planned[segment].name.ends_with(part));
    let chosen: Vec<usize> = (0..planned.len()).filter(|segment| is_worn(*segment)).collect();
    let (mut markers, mut segments) = (Vec::<usize>::new(), Vec::new());
    for segment in &chosen {
        let first = markers.len();
        markers.extend(planned[*segment].markers.iter().take(MARKERS_A_SEGMENT));
        segments
            .push(BodySegment { markers: (first..markers.len()).collect(), in_segment_m: None });
    }
    let place = |segment: usize| chosen.iter().position(|at| *at == segment);
    let (mut joints, mut true_joints) = (Vec::new(), Vec::new());
    for (index, joint) in truth.joints.iter().enumerate() {
        if let (Some(parent), Some(child)) = (place(joint.parent), place(joint.child)) {
            joints.push(BodyJoint { segments: [parent, child], centres_m: None });
            true_joints.push(index);
        }
    }
    let above = |joint: &BodyJoint| joints.iter().position(|j| j.segments[1] == joint.segments[0]);
    let joint_parents = joints.iter().map(above).collect();
    let frame =
        |frame: usize| markers.iter().map(|m| trial.markers[*m].position_m(frame)).collect();
    let joints_m = (truth.joint_positions_m.iter())
        .map(|places| true_joints.iter().map(|joint| places[*joint]).collect())
        .collect();
    Some(Scene {
        name,
        rate_hz: RATE_HZ,
        frames: (0..trial.frames).map(frame).collect(),
        body: Body { markers: markers.len(), segments, joints },
        joints_m,
        joint_parents,
    })
}

impl Scene {
    /// The frames with some markers missing for a while.
    pub fn without(&self, hidden: &[usize], frames: std::ops::Range<usize>) -> Frames {
        let mut holed = self.frames.clone();
        for frame in &mut holed[frames] {
            hidden.iter().for_each(|marker| frame[*marker] = None);
        }
        holed
    }
}

/// Frames as a recording.
pub fn trial(frames: &Frames, rate_hz: f64) -> Trial {
    let mut trial = Trial::new(Format::Csv, rate_hz);
    trial.frames = frames.len();
    let markers = frames.first().map_or(0, Vec::len);
    trial.markers = (0..markers)
        .map(|marker| {
            Marker::from_positions(format!("M{marker}"), frames.iter().map(|f| f[marker]))
        })
        .collect();
    trial
}
