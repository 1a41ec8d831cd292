//! Residual removal: a recording played back through its subject, joints staying together.

use nalgebra::{Isometry3, Point3, Translation3, Vector3};

use super::{exchange, silence};
use crate::error::{ErrorKind, Result};
use crate::solve::{PlacedFrames, Solved, Solver};
use crate::subject::{Segment, SegmentMarker, Subject};
use crate::trial::{Body, Trial};

/// What gives way when joints are to stay together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Playback {
    /// Every body shifts and turns as little as its noise allows: the least squares of the whole figure.
    #[default]
    LeastSquares,
    /// Orientations and the root's position are those recorded; all others hang on their joints, as in
    /// O'Brien (2000), section 3.4. Errors add up towards the ends.
    Orientations,
}

/// A recording played back.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The motion.
    pub solved: Solved,
    /// What was discarded of the positions: for every segment the rms distance from where it was recorded.
    pub discarded_m: Vec<Option<f64>>,
    /// The same of the orientations, as an angle.
    pub discarded_rad: Vec<Option<f64>>,
}

/// The ratio of noise of position and of orientation is taken to be within this: an arm in metres.
const ARMS_M: [f64; 2] = [0.05, 0.5];

/// Plays a recording back through a subject of bodies.
///
/// Names that were exchanged in the recording are put right first, and poses that a frozen sensor repeats count as
/// missing. The rms gap of every joint as recorded
/// is in [`Solved::gaps_m`]; played back there is none. A body's marker residual is how far it was moved.
///
/// # Errors
/// Fewer than half of the subject's bodies are in the recording.
pub fn playback(subject: &Subject, trial: &Trial, how: Playback) -> Result<Played> {
    let mut bodies = find(subject, &trial.bodies)?;
    exchange::repair(&mut bodies);
    bodies.iter_mut().for_each(|body| drop(silence::leave_out_frozen(body)));
    let frames = trial.frames;
    let segments = subject.segments.len();
    let stand_ins = StandIns::of(subject);
    let labels = stand_ins.labels();
    let solver = Solver::new(&stand_ins.subject, &labels)?;
    let mut pose = solver.pose();
    let mut points_m = vec![None; labels.len()];
    let mut world_from_segments = Vec::with_capacity(frames);
    for frame in 0..frames {
        let recorded: Vec<Option<&Isometry3<f64>>> =
            bodies.iter().map(|body| body.world_from_body(frame)).collect();
        world_from_segments.push(match how {
            Playback::LeastSquares => {
                stand_ins.place(&recorded, &mut points_m);
                solver.solve(&points_m, &mut pose);
                pose.world_from_segments.clone()
            }
            Playback::Orientations => hang(subject, &recorded),
        });
    }
    let mut moved = Moved::new(segments, subject.joints.len());
    let mut joints_m = Vec::with_capacity(frames);
    for (frame, poses) in world_from_segments.iter().enumerate() {
        let recorded = |segment: usize| bodies[segment].world_from_body(frame);
        moved.add(subject, recorded, poses);
        joints_m.push(joints(subject, poses));
    }
    Ok(moved.finish(subject, &bodies, world_from_segments, joints_m))
}

/// The bodies of a subject, in the order of its segments; one that is not there is never seen.
fn find(subject: &Subject, bodies: &[Body]) -> Result<Vec<Body>> {
    let frames = bodies.iter().map(Body::frames).max().unwrap_or(0);
    let mut found = 0;
    let mut lost = "";
    let of = |segment: &Segment| bodies.iter().find(|body| body.name == segment.name);
    let all = subject.segments.iter().map(|segment| {
        let body = of(segment).filter(|body| body.has_positions);
        found += usize::from(body.is_some());
        if body.is_none() {
            lost = &segment.name;
        }
        body.cloned().unwrap_or_else(|| {
            let mut never = Body::new(segment.name.clone());
            (0..frames).for_each(|_| never.push(None));
            never
        })
    });
    let all: Vec<Body> = all.collect();
    if 2 * found < subject.segments.len() || found == 0 {
        return Err(ErrorKind::Argument(format!(
            "bodies: need those of the subject, got {found} of {} ('{lost}' is not there): is it another \
             performer, or were sensors renamed?",
            subject.segments.len()
        ))
        .into());
    }
    Ok(all)
}

/// Points about every body that tell as much as its pose does, so that the solver for markers solves it.
///
/// # Method
/// Six points at ±a on the axes, each known to s, are worth 6/s² about the position and 4a²/s² about the
/// orientation. With s = σ√6 and a = σ√(3/2)/θ that is a pose with noise σ and θ.
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
            segment.markers = (0..6)
                .map(|k| SegmentMarker {
                    label: format!("{index}/{k}"),
                    position_in_segment_m: points[k],
                    weight: 1.0,
                    rms_m: 0.0,
                })
                .collect();
            points_m.push(points);
        }
        Self { subject: twin, points_m }
    }

    fn labels(&self) -> Vec<&str> {
        let markers = self.subject.segments.iter().flat_map(|segment| &segment.markers);
        markers.map(|marker| marker.label.as_str()).collect()
    }

    fn place(&self, recorded: &[Option<&Isometry3<f64>>], points_m: &mut [Option<Point3<f64>>]) {
        for (body, (pose, points)) in recorded.iter().zip(&self.points_m).enumerate() {
            for (k, point) in points.iter().enumerate() {
                points_m[6 * body + k] = pose.map(|pose| pose * point);
            }
        }
    }
}

/// Orientations as recorded, every segment where its parent has their joint.
fn hang(subject: &Subject, recorded: &[Option<&Isometry3<f64>>]) -> Vec<Option<Isometry3<f64>>> {
    let mut poses: Vec<Option<Isometry3<f64>>> = Vec::with_capacity(recorded.len());
    for (segment, pose) in recorded.iter().enumerate() {
        let own = pose.map(|pose| match subject.joint_of(segment) {
            Some(joint) => match poses[joint.parent] {
                Some(world_from_parent) => {
                    let joint_m: Point3<f64> = world_from_parent * joint.centre_in_parent_m;
                    let origin = joint_m - pose.rotation * joint.centre_in_child_m.coords;
                    Isometry3::from_parts(Translation3::from(origin.coords), pose.rotation)
                }
                None => *pose,
            },
            None => *pose,
        });
        poses.push(own);
    }
    poses
}

fn joints(subject: &Subject, poses: &[Option<Isometry3<f64>>]) -> Vec<Option<Point3<f64>>> {
    let place = |joint: &crate::subject::Joint| {
        let by_parent = poses[joint.parent].map(|pose| pose * joint.centre_in_parent_m);
        by_parent.or_else(|| poses[joint.child].map(|pose| pose * joint.centre_in_child_m))
    };
    subject.joints.iter().map(place).collect()
}

/// How far playback moved things, and what joints did as recorded.
struct Moved {
    shifts_m: Vec<Vec<f64>>,
    turns_rad2: Vec<f64>,
    placed: Vec<PlacedFrames>,
    /// Σ |gap|² and frames.
    gaps: Vec<(f64, f64)>,
    /// Σ length, Σ length² and frames of the bone of every joint as recorded.
    bones: Vec<(f64, f64, f64)>,
}

impl Moved {
    fn new(segments: usize, joints: usize) -> Self {
        Self {
            shifts_m: vec![Vec::new(); segments],
            turns_rad2: vec![0.0; segments],
            placed: vec![PlacedFrames::default(); segments],
            gaps: vec![(0.0, 0.0); joints],
            bones: vec![(0.0, 0.0, 0.0); joints],
        }
    }

    fn add<'a>(
        &mut self,
        subject: &Subject,
        recorded: impl Fn(usize) -> Option<&'a Isometry3<f64>>,
        poses: &[Option<Isometry3<f64>>],
    ) {
        for (segment, pose) in poses.iter().enumerate() {
            let (Some(pose), own) = (pose, recorded(segment)) else { continue };
            match own {
                Some(own) => {
                    self.placed[segment].by_markers += 1;
                    let shift_m = pose.translation.vector - own.translation.vector;
                    self.shifts_m[segment].push(shift_m.norm());
                    self.turns_rad2[segment] += pose.rotation.angle_to(&own.rotation).powi(2);
                }
                None => self.placed[segment].with_joints += 1,
            }
        }
        let sides = |joint: &crate::subject::Joint| {
            let by_parent = recorded(joint.parent).map(|pose| pose * joint.centre_in_parent_m);
            (by_parent, recorded(joint.child).map(|pose| pose * joint.centre_in_child_m))
        };
        for (index, joint) in subject.joints.iter().enumerate() {
            let (by_parent, by_child) = sides(joint);
            if let (Some(a), Some(b)) = (by_parent, by_child) {
                self.gaps[index].0 += (a - b).norm_squared();
                self.gaps[index].1 += 1.0;
            }
            // The bone as recorded: between the middles of both sides of its joints.
            let middle = |(a, b): (Option<Point3<f64>>, Option<Point3<f64>>)| {
                Some(nalgebra::center(&a?, &b?))
            };
            let near = subject.joint_of(joint.parent).and_then(|near| middle(sides(near)));
            if let (Some(near), Some(far)) = (near, middle((by_parent, by_child))) {
                let length_m: f64 = nalgebra::distance(&near, &far);
                let bone = &mut self.bones[index];
                (bone.0, bone.1, bone.2) =
                    (bone.0 + length_m, bone.1 + length_m * length_m, bone.2 + 1.0);
            }
        }
    }

    fn finish(
        mut self,
        subject: &Subject,
        bodies: &[Body],
        world_from_segments: Vec<Vec<Option<Isometry3<f64>>>>,
        joints_m: Vec<Vec<Option<Point3<f64>>>>,
    ) -> Played {
        let rms = |values: &Vec<f64>| {
            let square: f64 = values.iter().map(|value| value * value).sum();
            (!values.is_empty()).then(|| (square / values.len() as f64).sqrt())
        };
        let discarded_m: Vec<Option<f64>> = self.shifts_m.iter().map(rms).collect();
        let seen = self.shifts_m.iter().map(Vec::len);
        let discarded_rad = seen
            .zip(&self.turns_rad2)
            .map(|(count, square)| (count > 0).then(|| (square / count as f64).sqrt()))
            .collect();
        let mut all: Vec<f64> = self.shifts_m.iter().flatten().copied().collect();
        let marker_residual_m = self.shifts_m.iter_mut().map(|own| median(own)).collect();
        debug_assert_eq!(bodies.len(), subject.segments.len());
        let solved = Solved {
            joints_m,
            world_from_segments,
            placed: self.placed,
            gaps_m: self
                .gaps
                .iter()
                .map(|(square, count)| (*count > 0.0).then(|| (square / count).sqrt()))
                .collect(),
            bone_sd_m: self
                .bones
                .iter()
                .map(|(sum, square, count)| {
                    let variance = square / count - (sum / count).powi(2);
                    (*count > 1.0).then(|| variance.max(0.0).sqrt())
                })
                .collect(),
            marker_residual_m,
            residual_m: median(&mut all),
        };
        Played { solved, discarded_m, discarded_rad }
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
