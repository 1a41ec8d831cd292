//! The pose of a body in every frame, from smoothed keypoints.

use std::ops::Range;

use nalgebra::{Isometry3, Point3, Vector3};

use super::smooth::smoothed;
use super::tracks::{Track, track};
use crate::error::{Error, Result};
use crate::solve::{PlacedBy, SolvedMotion, Solver, Tally};
use crate::subject::{Joint, Subject};
use crate::trial::Trial;
use crate::whole_body::{BodyPose, Knowledge, Poser};

/// Poses a subject that was fitted to keypoints in every frame of a recording; bad stretches by themselves.
///
/// # Errors
/// The recording does not show the subject's points, or does not say how fast it is.
pub fn solve_trial(subject: &Subject, trial: &Trial, bad: &[Range<usize>]) -> Result<SolvedMotion> {
    if trial.rate_hz <= 0.0 {
        let what = "keypoints: need frames a second, got a recording that does not say them";
        return Err(Error::argument(what).with_code("rate-missing"));
    }
    let labels = trial.labels();
    let poser = Poser::new(subject, &labels, &Knowledge::keypoints()?)?;
    let columns: Vec<usize> = poser.columns().collect();
    let seen: Vec<Track> = columns.iter().map(|column| track(trial, *column)).collect();
    let smooth: Vec<Track> =
        seen.iter().map(|track| smoothed(track, trial.rate_hz, bad).0).collect();
    let poses = pose_frames(&poser, &smooth, trial.frames, bad);
    motion(subject, trial, &poser, &poses)
}

/// The pose of every frame, each from the one before it.
fn pose_frames(
    poser: &Poser,
    targets: &[Track],
    frames: usize,
    bad: &[Range<usize>],
) -> Vec<Option<BodyPose>> {
    let mut poses: Vec<Option<BodyPose>> = Vec::with_capacity(frames);
    let mut at_m: Vec<Option<Vector3<f64>>> = vec![None; targets.len()];
    for frame in 0..frames {
        for (at_m, track) in at_m.iter_mut().zip(targets) {
            *at_m = track[frame];
        }
        let is_any = at_m.iter().flatten().count() >= MIN_POINTS;
        // What a bad stretch ends with is no place to begin from.
        let is_fresh = bad.iter().any(|range| range.start == frame || range.end == frame);
        let near = poses.last().and_then(Option::as_ref).filter(|_| !is_fresh);
        poses.push(if is_any { poser.pose(&at_m, near) } else { None });
    }
    poses
}

/// A frame that says where fewer points are is not posed.
const MIN_POINTS: usize = 4;

fn motion(
    subject: &Subject,
    trial: &Trial,
    poser: &Poser,
    poses: &[Option<BodyPose>],
) -> Result<SolvedMotion> {
    let labels = trial.labels();
    let solver = Solver::new(subject, &labels)?;
    let columns = crate::solve::columns(subject, &labels)?;
    let first = poses.iter().flatten().next().map(|body| poser.world_from_segments(body));
    let at_joints = first.map_or_else(Vec::new, |world| at_joints(subject, &columns, &world));
    let mut pose = solver.pose();
    let mut tally = Tally::new(subject);
    let mut motion = SolvedMotion::with_room(subject, trial.frames);
    for (frame, body) in poses.iter().enumerate() {
        let world: Vec<Option<Isometry3<f64>>> = match body {
            Some(body) => poser.world_from_segments(body).into_iter().map(Some).collect(),
            None => vec![None; subject.segments.len()],
        };
        let joint_m = |joint: usize| -> Option<Point3<f64>> {
            let joint = &subject.joints[joint];
            Some(world[joint.parent]? * joint.centre_in_parent_m)
        };
        for (index, placed) in pose.placed.iter_mut().enumerate() {
            // A foot or a hand of which nothing is seen hangs on its joint somehow.
            let is_end = subject.segments[index].markers.is_empty()
                && subject.joints.iter().all(|joint| joint.parent != index);
            *placed = match world[index] {
                Some(_) if !is_end => PlacedBy::WithJoints,
                _ => PlacedBy::Missing,
            };
        }
        pose.joints_m = (0..subject.joints.len()).map(joint_m).collect();
        pose.joint_sds_m = subject.joints.iter().map(|joint| joint.worst_sd_m()).collect();
        let mut column = columns.iter();
        let mut residuals_m = Vec::new();
        for (segment, world) in subject.segments.iter().zip(&world) {
            for marker in &segment.markers {
                let seen_m =
                    column.next().and_then(|column| trial.markers[(*column)?].position_m(frame));
                residuals_m.push(
                    world.zip(seen_m).map(|(world, seen_m)| {
                        (world * marker.position_in_segment_m - seen_m).norm()
                    }),
                );
            }
        }
        // How bones breathe is told by the keypoints: the body's own are constant.
        let keypoint_m = |joint: usize| trial.markers[(*at_joints.get(joint)?)?].position_m(frame);
        tally.add(|joint| [keypoint_m(joint); 2], residuals_m.into_iter());
        pose.world_from_segments = world;
        motion.push(&pose);
    }
    Ok(motion.with_evidence(tally.finish(subject)))
}

/// A keypoint of a joint is no farther from its centre.
const MAX_KEYPOINT_TO_JOINT_M: f64 = 0.08;

/// For every joint the column of the keypoint that means it: the nearest of its two segments'.
fn at_joints(
    subject: &Subject,
    columns: &[Option<usize>],
    world: &[Isometry3<f64>],
) -> Vec<Option<usize>> {
    let markers =
        subject.segments.iter().zip(world).enumerate().flat_map(|(index, (own, world))| {
            own.markers.iter().map(move |marker| (index, world * marker.position_in_segment_m))
        });
    let markers: Vec<(usize, Point3<f64>)> = markers.collect();
    let of_joint = |joint: &Joint| {
        let centre_m = world[joint.parent] * joint.centre_in_parent_m;
        let own = markers.iter().zip(columns);
        let near = own.filter(|((segment, _), _)| [joint.parent, joint.child].contains(segment));
        let away = near.map(|((_, at_m), column)| ((at_m - centre_m).norm(), *column));
        let (away_m, column) = away.min_by(|a, b| a.0.total_cmp(&b.0))?;
        column.filter(|_| away_m < MAX_KEYPOINT_TO_JOINT_M)
    };
    subject.joints.iter().map(of_joint).collect()
}
