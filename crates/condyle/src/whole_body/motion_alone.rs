//! Anything that moves, from its motion alone: the fit of the whole body that begins at separate fits.

use nalgebra::{Matrix3, Vector3};

use super::camera::MARKER_NOISE_M;
use super::fit::{Options, SoftTissue};
use super::gauss_newton::{self, State};
use super::guards::Guarded;
use super::knowledge::{Knowledge, Limit};
use super::model::{Angle, Joint, Marker, Model, Segment};
use super::noise::NoiseRule;
use super::posterior::Posterior;
use super::problem::{Problem, Seen};
use super::result::{Fitted, WholeBody};
use super::rows::{BlockKind, Rows};
use super::skin::COMMON;
use super::start::Observed;
use super::tree::Structure;
use super::{choose, start};
use crate::error::{Error, Result};
use crate::marker_set::Side;
use crate::rigid::Traces;
use crate::statistics::{mean, median};
use crate::subject::Subject;

/// Where markers do not move on the skin, noise is new in every frame, and frames are independent.
const RIGID_FRAMES: usize = 200;
/// What markers and joints are assumed to stray by on a rig, and on something with a skin.
const RIGID_SIGMA_M: f64 = 1e-3;
const SKIN_SIGMA_M: f64 = 5e-3;
/// Where no motion tells it a joint is as far off as markers are beside the bones: so much of the distance between the
/// nearest markers of its two segments, and of the mean distance between them at most. One standard deviation.
const OF_NEAREST: f64 = 0.7;
const OF_DISTANCE: f64 = 0.4;
/// The frame of a segment with two markers turns with its joints, so that what is said of a neighbour counts for a joint
/// too, about twice as much as it should: this much wider. Chosen on simulated dogs.
const BESIDE_TWO_MARKERS: f64 = 1.5;
/// A segment stands as on average, to so much: only where nothing else tells.
const REST_SD_RAD: f64 = 1.0;
const REST_FRAMES: f64 = 0.01;
/// A frame of arbitrary axes is that to so much.
const FRAME_SD: f64 = 1e-4;
/// What the joint to the parent and other joints count beside a marker for the frame of a segment: only about a line on
/// which all markers are, and only where the one before does not tell.
const ORIGIN_IN_FRAME: f64 = 1e-2;
const JOINT_IN_FRAME: f64 = 1e-4;

/// Fits the whole body of a subject again, all of it at once, from its motion alone.
///
/// `labels` are those of a frame's positions.
///
/// # Method
/// As [`fit`](super::fit()), without any knowledge; it begins at the subject. The axes of every segment are those
/// of the subject: the turn of its markers, and of a root also their mean, are held.
///
/// Noise of orientations looks like motion about a second axis: the information that it makes up is taken off. What
/// nothing tells, as along the axis of a hinge, stays where the subject has it.
///
/// # Errors
/// The labels are not the subject's, a segment hangs on nothing and has fewer than three markers, or no frame
/// shows the subject.
///
/// # Reference
/// As [`fit`](super::fit()).
pub fn fit_motion(
    subject: &Subject,
    labels: &[&str],
    frames: &dyn Traces,
    options: &Options,
) -> Result<WholeBody> {
    let columns = crate::solve::columns(subject, labels)?;
    let (model, parameters) = model(subject, &columns, options);
    let count = match options.soft_tissue {
        SoftTissue::None => RIGID_FRAMES,
        _ => options.frames,
    };
    let places: Vec<usize> = model.markers.iter().map(|marker| marker.column).collect();
    let weights = vec![1.0; places.len()];
    let (mut chosen, mut observed_m, mut poses) = (Vec::new(), Vec::new(), Vec::new());
    for frame in choose::frames(&places, frames, &[], count) {
        let seen_m = choose::positions_m(&model, frames, frame);
        if let Some(posed) = start::pose(&model, &weights, &parameters, &seen_m) {
            chosen.push(frame);
            observed_m.push(seen_m);
            poses.push(posed);
        }
    }
    if chosen.is_empty() {
        let what = "whole body: need a frame that shows three points of its root, got none";
        return Err(Error::undetermined(what));
    }
    let mut state = State { parameters, poses };
    let noise = match options.soft_tissue {
        SoftTissue::None => NoiseRule::RIGID,
        _ => NoiseRule::SKIN,
    };
    let minimise = |problem: &mut Problem, state: State| {
        let minimum = gauss_newton::minimise(problem, state, &noise, gauss_newton::FROM_START);
        minimum.ok_or_else(|| {
            let what = "whole body: need every part observable, got a singular fit";
            Error::undetermined(what)
        })
    };
    let mut problem = problem(model, &state.parameters, observed_m, options);
    gauss_newton::pose_frames(&problem, &mut state, 4);
    let state = minimise(&mut problem, state)?.state;
    // Noise is taken off a fit to it: far from one, what is left of weakly observable directions leads astray.
    problem.is_noise_taken_off = true;
    let minimum = minimise(&mut problem, state)?;
    if options.soft_tissue != SoftTissue::None {
        problem.skin_m = skin_shown_m(&problem, &minimum.state);
    }
    let fitted = Fitted { frames: chosen, posterior: Posterior::new(problem, minimum) };
    Ok(WholeBody::new(fitted, Guarded::default(), &Knowledge::none()))
}

/// What is minimised.
fn problem(model: Model, parameters: &[f64], observed_m: Observed, options: &Options) -> Problem {
    let frames = observed_m.len();
    Problem {
        structure: Structure::of(&model),
        rows: rows(&model, parameters, &observed_m),
        observed_m,
        effective_frames: match options.soft_tissue {
            SoftTissue::None => frames as f64,
            skin => skin.effective_frames(frames),
        },
        camera_m: MARKER_NOISE_M,
        sliding: None,
        is_noise_taken_off: false,
        skin_m: vec![skin_m(options); model.markers.len()],
        sigma_m: model.markers.iter().map(|marker| marker.sigma_m).collect(),
        closure_m: model.joints.iter().map(|joint| joint.closure_m).collect(),
        model,
    }
}

/// How far the skin slides: sd a coordinate.
fn skin_m(options: &Options) -> f64 {
    match options.soft_tissue {
        SoftTissue::None => 0.0,
        SoftTissue::Auto => SKIN_SIGMA_M,
        SoftTissue::Metres(rms_m) => rms_m / 3f64.sqrt(),
    }
}

/// How far the skin under every marker slides, by how far the markers of its segment move against each other: what is
/// stated is that of the segment whose skin slides most. Half of what skin does is a marker's own, and shows; of a
/// segment with fewer than three markers it does not, and there all is as stated.
fn skin_shown_m(problem: &Problem, state: &State) -> Vec<f64> {
    let segments = problem.model.segments.len();
    let mut shown = vec![(0.0, 0.0); segments];
    for (at_m, poses) in problem.observed_m.iter().zip(&state.poses) {
        let in_frame = Seen { at_m, signals: None };
        let mut seen = vec![0.0_f64; segments];
        for (index, marker) in problem.model.markers.iter().enumerate() {
            if let Some(point) = problem.marker(in_frame, index, poses, &state.parameters) {
                shown[marker.segment].0 += point.off.norm_squared();
                seen[marker.segment] += 3.0;
            }
        }
        let free = seen.iter().map(|coordinates| (coordinates - 6.0).max(0.0));
        shown.iter_mut().zip(free).for_each(|(shown, free)| shown.1 += free);
    }
    let of_marker = |(index, marker): (usize, &Marker)| {
        let stated_m = problem.skin_m[index];
        let (square_m2, freedom) = shown[marker.segment];
        if freedom < MIN_SHOWN_FREEDOM {
            return stated_m;
        }
        let own_m2 = (square_m2 / freedom - MARKER_NOISE_M.powi(2)).max(0.0);
        (own_m2 / (1.0 - COMMON)).sqrt().clamp(LEAST_SKIN * stated_m, stated_m)
    };
    problem.model.markers.iter().enumerate().map(of_marker).collect()
}

/// Residuals in fewer coordinates than this tell nothing of the skin.
const MIN_SHOWN_FREEDOM: f64 = 30.0;
/// However little markers move against each other, skin slides by this share of what is stated.
const LEAST_SKIN: f64 = 0.2;

/// The subject with the origin of every segment in its joint to its parent.
fn model(subject: &Subject, columns: &[Option<usize>], options: &Options) -> (Model, Vec<f64>) {
    let sigma_m = skin_m(options).hypot(RIGID_SIGMA_M);
    let mut model = Model {
        segments: Vec::new(),
        joints: Vec::new(),
        markers: Vec::new(),
        angles: Vec::new(),
        sizes: 0,
        offsets: Vec::new(),
        left_out: Vec::new(),
    };
    let mut origins = Vec::new();
    let (mut of_joints, mut of_markers) = (Vec::new(), Vec::new());
    let mut columns = columns.iter();
    for (index, segment) in subject.segments.iter().enumerate() {
        let joint = subject.joint_of(index);
        let origin = joint.map_or_else(Vector3::zeros, |joint| joint.centre_in_child_m.coords);
        origins.push(origin);
        let mut rest = Matrix3::identity();
        if let Some(joint) = joint {
            rest = joint.parent_from_child_rest.to_rotation_matrix().into_inner();
            of_joints.push(joint.centre_in_parent_m.coords - origins[joint.parent]);
            model.joints.push(Joint {
                name: joint.name.clone(),
                kind: 0,
                side: Side::Unsaid,
                parent: joint.parent,
                child: Some(index),
                // Of arbitrary axes none is that of a hinge: the motion shows it.
                is_hinge: false,
                closure_m: sigma_m,
            });
            for axes in [[1, 2], [1, 0], [0, 2]] {
                model.angles.push(Angle {
                    parent: joint.parent,
                    child: index,
                    axes,
                    limit: Limit::Near(rest[(axes[0], axes[1])]),
                    sd: REST_SD_RAD,
                    frames: Some(REST_FRAMES),
                });
            }
        }
        model.segments.push(Segment {
            name: segment.name.clone(),
            kind: 0,
            side: Side::Unsaid,
            parent: joint.map(|joint| joint.parent),
            joint: joint.map(|_| model.joints.len() - 1),
            bone: None,
            planned: Some(index),
            rest,
        });
        for marker in &segment.markers {
            let Some(Some(column)) = columns.next() else { continue };
            of_markers.push(marker.position_in_segment_m.coords - origin);
            model.markers.push(Marker {
                label: marker.label.clone(),
                column: *column,
                segment: index,
                landmark: None,
                side: Side::Unsaid,
                is_on_belt: false,
                is_offset: true,
                sigma_m,
                weight: 1.0,
            });
        }
    }
    let points = of_joints.iter().chain(&of_markers);
    let parameters = points.flat_map(|point| point.iter().copied()).collect();
    (model, parameters)
}

/// The frames of segments, held where they are; joints, barely.
fn rows(model: &Model, parameters: &[f64], observed_m: &Observed) -> Rows {
    let mut rows = Rows::default();
    let frames = rows.open("frames of segments", BlockKind::Frame);
    let centres = rows.open("joints near where separate fits have them", BlockKind::Rule);
    let point = |at: usize| Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2]);
    for segment in 0..model.segments.len() {
        let markers = model.markers_of(segment).map(|marker| (1.0, model.marker_at(marker)));
        let of_joints = (0..model.joints.len())
            .filter(|joint| model.joints[*joint].parent == segment)
            .map(|joint| (JOINT_IN_FRAME, model.joint_at(joint)));
        let points: Vec<(f64, usize)> = markers.clone().chain(of_joints).collect();
        // The joint to the parent is the origin: it takes part, and never moves.
        let origin = if model.segments[segment].parent.is_some() { ORIGIN_IN_FRAME } else { 0.0 };
        let total = points.iter().map(|(weight, _)| weight).sum::<f64>() + origin;
        let sum: Vector3<f64> = points.iter().map(|(weight, at)| point(*at) * *weight).sum();
        let mean = sum / total.max(f64::MIN_POSITIVE);
        let square = |(weight, at): &(f64, usize)| weight * (point(*at) - mean).norm_squared();
        let spread = points.iter().map(square).sum::<f64>() + origin * mean.norm_squared();
        for axis in 0..3 {
            let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut terms = Vec::new();
            for (weight, at) in &points {
                let arm = (point(*at) - mean) * (*weight / spread.max(1e-9));
                // The part of arm × (now − start) along the axis.
                terms.push((arm[y], at + z));
                terms.push((-arm[z], at + y));
            }
            rows.push_linear(frames, FRAME_SD, &terms, parameters);
            if model.segments[segment].parent.is_none() {
                let share = 1.0 / markers.clone().count().max(1) as f64;
                let mean: Vec<_> = markers.clone().map(|(_, at)| (share, at + axis)).collect();
                rows.push_linear(frames, FRAME_SD, &mean, parameters);
            }
        }
    }
    for joint in 0..model.joints.len() {
        let Some(sd_m) = untold_sd_m(model, observed_m, joint) else { continue };
        let at = model.joint_at(joint);
        // From the markers of its parent: the origin of that is a joint itself.
        let own: Vec<usize> = model.markers_of(model.joints[joint].parent).collect();
        for axis in 0..3 {
            let mut terms = vec![(1.0, at + axis)];
            let share = -1.0 / own.len().max(1) as f64;
            terms.extend(own.iter().map(|marker| (share, model.marker_at(*marker) + axis)));
            rows.push_linear(centres, sd_m, &terms, parameters);
        }
    }
    rows
}

/// How far a joint may be off in a direction that nothing tells: one standard deviation. `None` if no frame shows a
/// marker of each of its segments.
fn untold_sd_m(model: &Model, observed_m: &Observed, joint: usize) -> Option<f64> {
    let Joint { parent, child, .. } = model.joints[joint];
    let child = child?;
    let pairs = model.markers_of(parent).flat_map(|a| model.markers_of(child).map(move |b| (a, b)));
    let distance_m = |(a, b): (usize, usize)| {
        median(observed_m.iter().filter_map(|seen_m| Some((seen_m[a]? - seen_m[b]?).norm())))
    };
    let distances_m: Vec<f64> = pairs.filter_map(distance_m).collect();
    let nearest_m = distances_m.iter().copied().min_by(f64::total_cmp)?;
    let mean_m = mean(distances_m)?;
    let is_open = [parent, child].iter().any(|segment| model.markers_of(*segment).count() < 3);
    let wider = if is_open { BESIDE_TWO_MARKERS } else { 1.0 };
    Some(wider * (OF_NEAREST * nearest_m).min(OF_DISTANCE * mean_m))
}
