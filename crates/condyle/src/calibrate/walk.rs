//! From segment to segment along the tree: each gets its pose from what its neighbours know.

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

use super::SegmentFrame;
use super::body::{Body, Known, Points};
use super::edge::{EdgeFit, Watched, from_both, from_one};
use super::frames::Frames;
use super::prior::Prior;
use super::range::{Range, range};
use crate::centre::Verdict;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::plan::{JointRule, Performer};
use crate::rigid::Traces;
use crate::statistics::{centroid, median};
use crate::subject::advice::advice;
use crate::subject::{Joint, JointKind, JointMethod, Segment, SegmentMarker, Subject};

/// A fit from one side has to promise an error so much smaller to be preferred.
const MAX_SD_RATIO: f64 = 0.7;
/// A step along a hinge's axis that stands in for a second point on it.
const AXIS_STEP_M: f64 = 0.1;

struct Walk<'a> {
    performer: &'a Performer,
    frames: &'a Frames,
    markers: &'a [Vec<usize>],
    bodies: Vec<Option<Body>>,
    /// For every segment the joint to its parent.
    edges: Vec<Option<EdgeFit>>,
    priors: Vec<Option<Prior>>,
    segment_frame: SegmentFrame,
    /// How far markers of this performer slide on the skin, typically: the variance of one along one axis.
    skin_m2: f64,
}

/// Fits every segment and joint that the frames determine.
pub(crate) fn fit(
    performer: &Performer,
    frames: &Frames,
    markers: &[Vec<usize>],
    labels: &[String],
    segment_frame: SegmentFrame,
) -> Result<Subject> {
    let count = performer.segments.len();
    let mut walk = Walk {
        performer,
        frames,
        markers,
        bodies: Vec::with_capacity(count),
        edges: vec![None; count],
        priors: Vec::with_capacity(count),
        segment_frame,
        skin_m2: 0.0,
    };
    for (segment, planned) in performer.segments.iter().enumerate() {
        let own = Points { frames, markers: &markers[segment], known: &[] };
        walk.bodies.push(Body::learn(&own, segment_frame));
        let prior = planned
            .parent
            .and_then(|parent| Prior::between(frames, &markers[segment], &markers[parent]));
        walk.priors.push(prior);
    }
    if walk.bodies.iter().all(Option::is_none) {
        return Err(Error::undetermined(format!(
            "segments: need one with 3 markers, off a line, that are seen together, got none among {count}"
        )));
    }
    let slides_m2 = walk.bodies.iter().flatten().map(|body| body.skin_m2);
    walk.skin_m2 = median(slides_m2).unwrap_or(0.0);
    while let Some(segment) = walk.most_determined() {
        if !walk.pose_by_neighbours(segment) {
            break;
        }
    }
    walk.fit_posed_edges();
    walk.into_subject(labels)
}

impl Walk<'_> {
    /// The segments at the joints of a segment, with the index of the joint (its child).
    fn neighbours(&self, segment: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let parent = self.performer.segments[segment].parent.map(|parent| (parent, segment));
        let children = self.performer.segments.iter().enumerate();
        let children = children
            .filter(move |(_, other)| other.parent == Some(segment))
            .map(|(child, _)| (child, child));
        parent.into_iter().chain(children)
    }

    /// The segment without a pose that its markers and posed neighbours say most about.
    fn most_determined(&self) -> Option<usize> {
        let points = |segment: usize| {
            let posed = self.neighbours(segment).filter(|(other, _)| self.bodies[*other].is_some());
            (posed.count(), self.markers[segment].len())
        };
        (0..self.bodies.len())
            .rev()
            .filter(|segment| self.bodies[*segment].is_none() && self.edges[*segment].is_none())
            .filter(|segment| points(*segment).0 > 0)
            .max_by_key(|segment| {
                let (posed, markers) = points(*segment);
                posed + markers
            })
    }

    /// Fits the joints of a segment to its posed neighbours, then the segment by them.
    ///
    /// Returns whether anything was learned.
    fn pose_by_neighbours(&mut self, segment: usize) -> bool {
        let posed: Vec<(usize, usize)> =
            self.neighbours(segment).filter(|(other, _)| self.bodies[*other].is_some()).collect();
        let mut any = false;
        for &(other, edge) in &posed {
            if self.edges[edge].is_some() {
                continue;
            }
            let method =
                if edge == segment { JointMethod::FromParent } else { JointMethod::FromChild };
            if let (Some(onlooker), Some(prior)) = (&self.bodies[other], &self.priors[edge]) {
                self.edges[edge] =
                    from_one(self.frames, onlooker, &self.watched(segment), prior, method);
                any |= self.edges[edge].is_some();
            }
        }
        let mut known = Vec::new();
        for &(other, edge) in &posed {
            let (Some(body), Some(fit)) = (&self.bodies[other], &self.edges[edge]) else {
                continue;
            };
            let mut add = |in_neighbour_m| {
                known
                    .push(Known { world_from_neighbour: &body.world_from_segment, in_neighbour_m });
            };
            add(fit.centre_m);
            // One marker and a hinge: the axis gives the third point.
            if let (Some(axis), 1) = (fit.axis, self.markers[segment].len()) {
                add(fit.centre_m + axis * AXIS_STEP_M);
            }
        }
        let points = Points { frames: self.frames, markers: &self.markers[segment], known: &known };
        self.bodies[segment] = match points.markers.len() {
            1 => Body::learn(&points, self.segment_frame).or_else(|| Body::swinging(&points)),
            _ => Body::learn(&points, self.segment_frame),
        };
        // Two markers and a joint show little of what their skin does.
        if let Some(body) = &mut self.bodies[segment] {
            body.skin_m2 = body.skin_m2.max(self.skin_m2);
        }
        any || self.bodies[segment].is_some()
    }

    /// The markers of a segment as its neighbours see them.
    fn watched(&self, segment: usize) -> Watched<'_> {
        let own = self.bodies[segment].as_ref().map(|body| body.skin_m2);
        Watched { markers: &self.markers[segment], skin_m2: own.unwrap_or(self.skin_m2) }
    }

    /// Joints between segments that got their poses without them.
    fn fit_posed_edges(&mut self) {
        for child in 0..self.bodies.len() {
            let planned = &self.performer.segments[child];
            let Some(parent) = planned.parent.filter(|_| self.edges[child].is_none()) else {
                continue;
            };
            let (Some(c), Some(p)) = (&self.bodies[child], &self.bodies[parent]) else { continue };
            let Some(prior) = &self.priors[child] else { continue };
            let rule = planned.joint_rule;
            let supposed = prior.supposed();
            let supposed_m =
                |body: &Body| prior.in_segment_m(self.frames, &body.world_from_segment);
            let both =
                || from_both(&[c.side(supposed_m(c)?), p.side(supposed_m(p)?)], supposed, rule);
            let from_parent =
                || from_one(self.frames, p, &self.watched(child), prior, JointMethod::FromParent);
            let is_open = c.is_twist_open || p.is_twist_open;
            self.edges[child] = match rule {
                _ if is_open => from_parent(),
                JointRule::OneSided => from_parent(),
                JointRule::TwoSided | JointRule::Hinge => both(),
                JointRule::Auto => better(both(), from_parent()),
            };
        }
    }

    fn into_subject(self, labels: &[String]) -> Result<Subject> {
        let mut segments = Vec::new();
        for (index, planned) in self.performer.segments.iter().enumerate() {
            segments.push(Segment {
                name: planned.name.clone(),
                parent: planned.parent,
                markers: self.segment_markers(index, labels),
                sigma_m: self.bodies[index].as_ref().map_or(0.0, |body| body.shape.sigma_m),
                orientation_sigma_rad: None,
                is_anatomical: false,
            });
        }
        let joints: Vec<Joint> =
            (0..segments.len()).filter_map(|child| self.joint(child, &segments)).collect();
        let mut notes = Vec::new();
        for (index, segment) in segments.iter().enumerate() {
            let odd = self.bodies[index].as_ref().map_or(0, |body| body.odd_frames.len());
            if odd > 0 {
                let text = format!(
                    "{}: its markers disagree in {odd} of {} frames, which the fit leaves out: exchanged or \
                     jumping markers?",
                    segment.name,
                    self.frames.frames()
                );
                notes.push(Note::new("markers-disagree", text).about(&segment.name));
            }
            if segment.parent.is_some() && !joints.iter().any(|joint| joint.child == index) {
                let text = format!(
                    "{}: no joint to its parent: need markers of both seen in the same frames",
                    segment.name
                );
                notes.push(Note::new("no-joint", text).about(&segment.name));
            }
        }
        let mut subject = Subject::new(&self.performer.name, segments, joints)?;
        subject.notes = notes;
        Ok(subject)
    }

    fn segment_markers(&self, segment: usize, labels: &[String]) -> Vec<SegmentMarker> {
        let markers = &self.markers[segment];
        let named = |i: usize, position_in_segment_m, weight, rms_m| SegmentMarker {
            label: labels[markers[i]].clone(),
            position_in_segment_m,
            weight,
            rms_m,
        };
        match &self.bodies[segment] {
            Some(body) => (0..body.markers)
                .map(|i| {
                    let shape = &body.shape;
                    named(i, shape.points_in_segment_m[i], shape.weights[i], shape.rms_m[i])
                })
                .collect(),
            None => (0..markers.len()).map(|i| named(i, Point3::origin(), 1.0, 0.0)).collect(),
        }
    }

    fn joint(&self, child: usize, segments: &[Segment]) -> Option<Joint> {
        let planned = &self.performer.segments[child];
        let parent = planned.parent?;
        let fit = self.edges[child].as_ref()?;
        let (turned, errors_rad) = match (&self.bodies[child], &self.bodies[parent]) {
            (Some(c), Some(p)) => {
                let turned = range(&c.world_from_segment, &p.world_from_segment);
                let errors_rad = turned.as_ref().map(|turned| turned.errors_rad(c, p));
                (turned, errors_rad.unwrap_or_default())
            }
            _ => (None, [0.0; 3]),
        };
        let rest = turned
            .as_ref()
            .map_or_else(UnitQuaternion::identity, |turned| turned.parent_from_child);
        let seen = self.seen_from_both(child, parent, fit, &rest);
        let ranges_rad = turned.as_ref().map_or([0.0; 3], |turned| turned.ranges_rad);
        let kind = match JointKind::from_turns(&ranges_rad, &errors_rad) {
            JointKind::Ball if planned.joint_rule == JointRule::Hinge => JointKind::Hinge,
            kind => kind,
        };
        let of_hinge = seen.axis_in_parent.filter(|_| kind == JointKind::Hinge);
        let axis_in_parent = of_hinge.or_else(|| main_axis(turned.as_ref()));
        let mut covariance_m2 = seen.covariance_m2;
        if kind == JointKind::Fixed {
            let prior_sd_m = self.priors[child].as_ref().map_or(0.0, |prior| prior.sd_m);
            covariance_m2 += Matrix3::identity() * (0.5 * prior_sd_m).powi(2);
        }
        let name = joint_name(planned.joint_name.as_deref(), &segments[parent], &segments[child]);
        let centres_m = (seen.centre_in_parent_m, seen.centre_in_child_m);
        let mut joint = Joint {
            kind,
            covariance_m2,
            axis_in_parent,
            axis_in_child: axis_in_parent.map(|axis| rest.inverse() * axis),
            parent_from_child_rest: rest,
            range_rad: ranges_rad[0],
            ranges_rad,
            method: fit.method,
            samples: fit.samples,
            separation_m: fit.separation_m,
            wander_m: fit.wander_m,
            ..Joint::new(name, [parent, child], centres_m.0, centres_m.1)
        };
        joint.advice = advice(&joint, &segments[parent], &segments[child]);
        Some(joint)
    }

    /// A fit in the frames of both segments.
    fn seen_from_both(
        &self,
        child: usize,
        parent: usize,
        fit: &EdgeFit,
        rest: &UnitQuaternion<f64>,
    ) -> BothSides {
        let turn: Matrix3<f64> = *rest.to_rotation_matrix().matrix();
        if fit.method == JointMethod::FromChild {
            let carried = self.carried(child, parent, fit.centre_m);
            return BothSides {
                centre_in_parent_m: carried.unwrap_or(fit.centre_m),
                centre_in_child_m: fit.centre_m,
                covariance_m2: turn * fit.covariance_m2 * turn.transpose(),
                axis_in_parent: fit.axis.map(|axis| rest * axis),
            };
        }
        let in_child = fit.centre_in_child_m.or_else(|| self.carried(parent, child, fit.centre_m));
        BothSides {
            centre_in_parent_m: fit.centre_m,
            centre_in_child_m: in_child.unwrap_or_else(Point3::origin),
            covariance_m2: fit.covariance_m2,
            axis_in_parent: fit.axis,
        }
    }

    /// A point fixed to one segment, as the mean of its places in another's frame.
    fn carried(&self, from: usize, to: usize, point_m: Point3<f64>) -> Option<Point3<f64>> {
        let poses = |segment: usize| -> Option<&[Option<Isometry3<f64>>]> {
            Some(&self.bodies[segment].as_ref()?.world_from_segment)
        };
        let both = poses(from)?.iter().zip(poses(to)?);
        centroid(both.filter_map(|(from, to)| {
            Some(to.as_ref()?.inverse_transform_point(&(from.as_ref()? * point_m)))
        }))
    }
}

/// The fit that promises the smaller error; from both sides unless the other is clearly better.
fn better(both: Option<EdgeFit>, from_parent: Option<EdgeFit>) -> Option<EdgeFit> {
    let sd_m = |fit: &EdgeFit| fit.covariance_m2.trace().max(0.0).sqrt();
    match (both, from_parent) {
        (Some(both), Some(one)) => {
            let are_balls = [&both, &one].iter().all(|fit| fit.verdict == Verdict::Ball);
            let is_preferred = are_balls && sd_m(&one) < MAX_SD_RATIO * sd_m(&both);
            Some(if is_preferred { one } else { both })
        }
        (both, one) => both.or(one),
    }
}

impl Range {
    /// The error of the child's orientation against the parent's about each of the axes.
    fn errors_rad(&self, child: &Body, parent: &Body) -> [f64; 3] {
        let turn = self.parent_from_child.to_rotation_matrix();
        let of_child = turn.matrix() * child.orientation_rad2() * turn.matrix().transpose();
        let both = of_child + parent.orientation_rad2();
        self.axes_in_parent.map(|axis| axis.dot(&(both * axis)).max(0.0).sqrt())
    }
}

struct BothSides {
    centre_in_parent_m: Point3<f64>,
    centre_in_child_m: Point3<f64>,
    covariance_m2: Matrix3<f64>,
    axis_in_parent: Option<Vector3<f64>>,
}

fn main_axis(turned: Option<&Range>) -> Option<Vector3<f64>> {
    let turned = turned?;
    // Below a degree there is no axis to speak of.
    (turned.ranges_rad[0] > 1f64.to_radians()).then(|| turned.axes_in_parent[0])
}

fn joint_name(given: Option<&str>, parent: &Segment, child: &Segment) -> String {
    given.map_or_else(|| format!("{} to {}", parent.name, child.name), str::to_owned)
}
