//! Residual removal: a recording played back through its subject, joints staying together.

use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use serde::{Deserialize, Serialize};

use super::{exchange, silence};
use crate::error::{Error, Result};
use crate::solve::{PlacedBy, Pose, SolvedMotion, Solver, Tally};
use crate::subject::{Segment, SegmentMarker, Subject};
use crate::trial::{Body, Trial};

/// What gives way when joints are to stay together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Playback {
    /// Every body shifts and turns as little as its noise allows: the least squares of the whole figure.
    #[default]
    LeastSquares,
    /// Orientations and the root's position are those recorded; all others hang on their joints, as in
    /// O'Brien (2000), section 3.4. Errors add up towards the ends.
    Orientations,
}

/// The ratio of noise of position and of orientation is taken to be within this: an arm in metres.
const ARMS_M: [f64; 2] = [0.05, 0.5];

/// Plays a recording back through a subject of bodies.
///
/// Names that were exchanged in the recording are put right first, and poses that a frozen sensor repeats count as
/// missing. The rms gap of every joint as recorded
/// is in [`crate::solve::Evidence::separations_m`]; played back there is none. A body's marker residual is how far it was
/// moved.
///
/// # Errors
/// Fewer than half of the subject's bodies are in the recording.
pub fn playback(subject: &Subject, trial: &Trial, how: Playback) -> Result<SolvedMotion> {
    let recorded: Vec<&Body> = trial.bodies.iter().filter(|body| body.has_positions).collect();
    let names: Vec<&str> = recorded.iter().map(|body| body.name.as_str()).collect();
    let mut player = Player::new(subject, &names, how)?;
    let mut bodies: Vec<Body> = player
        .columns
        .iter()
        .zip(&subject.segments)
        .map(|(column, segment)| match column {
            Some(column) => recorded[*column].clone(),
            None => never_seen(&segment.name, trial.frames),
        })
        .collect();
    exchange::repair(&mut bodies);
    bodies.iter_mut().for_each(|body| drop(silence::leave_out_frozen(body)));
    let mut pose = player.pose();
    let mut motion = SolvedMotion::with_room(subject, trial.frames);
    let mut tally = Tally::new(subject);
    for frame in 0..trial.frames {
        let recorded = |segment: usize| bodies[segment].world_from_body(frame);
        player.place(recorded, &mut pose);
        count(&mut tally, subject, recorded, &pose);
        motion.push(&pose);
    }
    Ok(motion.with_evidence(tally.finish(subject)))
}

fn never_seen(name: &str, frames: usize) -> Body {
    let mut body = Body::new(name);
    (0..frames).for_each(|_| body.push(None));
    body
}

/// A subject of bodies ready to be placed frame by frame; frames do not depend on each other, and nothing is
/// allocated.
#[derive(Debug, Clone)]
pub struct Player {
    how: Playback,
    /// For every segment the place of its body in a frame.
    columns: Vec<Option<usize>>,
    stand_ins: StandIns,
    solver: Solver,
    points_m: Vec<Option<Point3<f64>>>,
}

impl Player {
    /// Finds a subject's bodies among names.
    ///
    /// # Errors
    /// Fewer than half of the subject's bodies are there.
    pub fn new(subject: &Subject, names: &[&str], how: Playback) -> Result<Self> {
        let columns = columns(subject, names)?;
        let stand_ins = StandIns::of(subject);
        let labels = stand_ins.labels();
        let solver = Solver::new(&stand_ins.subject, &labels)?;
        let points_m = vec![None; labels.len()];
        Ok(Self { how, columns, stand_ins, solver, points_m })
    }

    /// A pose with room for everything, to be filled by [`Player::play`].
    pub fn pose(&self) -> Pose {
        self.solver.pose()
    }

    /// Poses one frame, as its sensors have it: one pose a name, `None` where a sensor is not seen.
    pub fn play(&mut self, world_from_bodies: &[Option<Isometry3<f64>>], pose: &mut Pose) {
        let columns = std::mem::take(&mut self.columns);
        self.place(|segment| world_from_bodies.get(columns[segment]?)?.as_ref(), pose);
        self.columns = columns;
    }

    /// Poses one frame, given the recorded pose of every segment.
    fn place<'a>(
        &mut self,
        recorded: impl Fn(usize) -> Option<&'a Isometry3<f64>>,
        pose: &mut Pose,
    ) {
        match self.how {
            Playback::LeastSquares => {
                self.stand_ins.place(recorded, &mut self.points_m);
                self.solver.solve(&self.points_m, pose);
            }
            Playback::Orientations => hang(&self.stand_ins.subject, recorded, pose),
        }
    }
}

/// For every segment of a subject the body of its name.
fn columns(subject: &Subject, names: &[&str]) -> Result<Vec<Option<usize>>> {
    let column = |segment: &Segment| names.iter().position(|name| *name == segment.name);
    let columns: Vec<Option<usize>> = subject.segments.iter().map(column).collect();
    let found = columns.iter().flatten().count();
    if 2 * found < columns.len() || found == 0 {
        let lost = subject.segments.iter().zip(&columns).rfind(|(_, column)| column.is_none());
        let lost = lost.map_or("", |(segment, _)| segment.name.as_str());
        return Err(Error::argument(format!(
            "bodies: need those of the subject, got {found} of {} ('{lost}' is not there): is it another \
             performer, or were sensors renamed?",
            subject.segments.len()
        )));
    }
    Ok(columns)
}

/// Points about every body that tell as much as its pose does, so that the solver for markers solves it.
///
/// # Method
/// Six points at ±a on the axes, each known to s, are worth 6/s² about the position and 4a²/s² about the
/// orientation. With s = σ√6 and a = σ√(3/2)/θ that is a pose with noise σ and θ.
#[derive(Debug, Clone)]
struct StandIns {
    subject: Subject,
    points_m: Vec<[Point3<f64>; 6]>,
}

impl StandIns {
    fn of(subject: &Subject) -> Self {
        let mut twin = subject.clone();
        let mut points_m = Vec::with_capacity(twin.segments.len());
        for (index, segment) in twin.segments.iter_mut().enumerate() {
            let noise_rad = segment.orientation_sigma_rad.unwrap_or(0.0).max(1e-6);
            let arm_m = 1.5f64.sqrt() * segment.sigma_m / noise_rad;
            let arm_m = arm_m.clamp(ARMS_M[0], ARMS_M[1]);
            let points: [Point3<f64>; 6] = std::array::from_fn(|k| {
                let side = if k % 2 == 0 { arm_m } else { -arm_m };
                Point3::from(Vector3::ith(k / 2, side))
            });
            segment.sigma_m *= 6f64.sqrt();
            segment.markers =
                (0..6).map(|k| SegmentMarker::new(format!("{index}/{k}"), points[k])).collect();
            points_m.push(points);
        }
        Self { subject: twin, points_m }
    }

    fn labels(&self) -> Vec<&str> {
        let markers = self.subject.segments.iter().flat_map(|segment| &segment.markers);
        markers.map(|marker| marker.label.as_str()).collect()
    }

    fn place<'a>(
        &self,
        recorded: impl Fn(usize) -> Option<&'a Isometry3<f64>>,
        points_m: &mut [Option<Point3<f64>>],
    ) {
        for (body, points) in self.points_m.iter().enumerate() {
            for (k, point) in points.iter().enumerate() {
                points_m[6 * body + k] = recorded(body).map(|pose| pose * point);
            }
        }
    }
}

/// Orientations as recorded, every segment where its parent has their joint.
fn hang<'a>(
    subject: &Subject,
    recorded: impl Fn(usize) -> Option<&'a Isometry3<f64>>,
    pose: &mut Pose,
) {
    let poses = &mut pose.world_from_segments;
    for segment in 0..subject.segments.len() {
        let own = recorded(segment).copied();
        let joint = subject.joint_of(segment);
        let joint_m = joint.and_then(|joint| Some(poses[joint.parent]? * joint.centre_in_parent_m));
        poses[segment] = own.map(|mut own| {
            if let Some((joint, joint_m)) = joint.zip(joint_m) {
                let origin_m = joint_m - own.rotation * joint.centre_in_child_m.coords;
                own.translation = Translation3::from(origin_m.coords);
            }
            own
        });
        pose.placed[segment] = own.map_or(PlacedBy::Missing, |_| PlacedBy::ByMarkers);
    }
    for (at_m, joint) in pose.joints_m.iter_mut().zip(&subject.joints) {
        let by_parent = poses[joint.parent].map(|pose| pose * joint.centre_in_parent_m);
        *at_m = by_parent.or_else(|| poses[joint.child].map(|pose| pose * joint.centre_in_child_m));
    }
    for (index, joint) in subject.joints.iter().enumerate() {
        // Errors add up: of the joint above, of the turn about it, of the centre.
        let parent = &subject.segments[joint.parent];
        let above = subject.joints[..index].iter().position(|above| above.child == joint.parent);
        let (above_m, above_m2) = match above {
            Some(above) => {
                (subject.joints[above].centre_in_child_m, pose.joint_sds_m[above].powi(2))
            }
            None => (Point3::origin(), parent.sigma_m.powi(2) / 6.0),
        };
        let turn_m = parent.orientation_sigma_rad.unwrap_or(0.0)
            * (joint.centre_in_parent_m - above_m).norm();
        pose.joint_sds_m[index] = (above_m2 + turn_m.powi(2) + joint.worst_sd_m().powi(2)).sqrt();
    }
}

/// Counts how far playback moved bodies in a frame, and how far joints were apart as recorded.
fn count<'a>(
    tally: &mut Tally,
    subject: &Subject,
    recorded: impl Fn(usize) -> Option<&'a Isometry3<f64>>,
    pose: &Pose,
) {
    // A joint counts only where both of its bodies are recorded.
    let sides = |joint: usize| {
        let joint = &subject.joints[joint];
        match (recorded(joint.parent), recorded(joint.child)) {
            (Some(parent), Some(child)) => {
                [Some(parent * joint.centre_in_parent_m), Some(child * joint.centre_in_child_m)]
            }
            _ => [None, None],
        }
    };
    let shifts_m = pose.world_from_segments.iter().enumerate().map(|(segment, pose)| {
        let (pose, own) = pose.as_ref().zip(recorded(segment))?;
        Some((pose.translation.vector - own.translation.vector).norm())
    });
    tally.add(sides, shifts_m);
}
