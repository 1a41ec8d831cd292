//! The objective: markers, joints and postures of every frame, and knowledge of the body.

use nalgebra::{Matrix3, Vector3};

use super::knowledge::Limit;
use super::model::{Angle, Model};
use super::point::{Weighed, add_columns, add_direct, add_point, robust};
use super::rows::{BlockKind, Row, Rows};
use super::sliding::Sliding;
use super::tree::{FrameNormal, SharedNormal, Structure};
use crate::statistics::median;

/// Degrees of freedom of the Student t distribution of knowledge.
const KNOWLEDGE_FREEDOM: f64 = 8.0;
/// What strays by less than so many times the noise of most markers may be noise.
const MOST_BY_NOISE: f64 = 2.0;
/// What goes with the motion does so this many times independently, as joints fitted by themselves have it.
const INDEPENDENT_WANDERS: f64 = 4.0;

/// Where a segment is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SegmentPose {
    pub rotation: Matrix3<f64>,
    pub origin_m: Vector3<f64>,
}

/// Everything that is minimised over, except the poses.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    pub model: Model,
    pub structure: Structure,
    pub rows: Rows,
    /// For every frame the position of every marker.
    pub observed_m: Vec<Vec<Option<Vector3<f64>>>>,
    /// As many independent frames the recording counts for.
    pub effective_frames: f64,
    /// Of every marker.
    pub sigma_m: Vec<f64>,
    /// Of every joint.
    pub closure_m: Vec<f64>,
    /// Of every marker, how far the skin slides: sd a coordinate; nothing on rigs.
    pub skin_m: Vec<f64>,
    /// What cameras add to every coordinate: one standard deviation.
    pub camera_m: f64,
    /// The skin, once it is fitted too.
    pub sliding: Option<Sliding>,
    /// Whether information that noise of the poses makes up is taken off: where nothing but motion tells.
    pub is_noise_taken_off: bool,
}

/// What is seen of a frame.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    /// For every marker.
    pub at_m: &'a [Option<Vector3<f64>>],
    /// For every segment what its skin follows; `None` where skin is not fitted.
    pub signals: Option<&'a [Vec<f64>]>,
}

impl Problem {
    /// How much a frame counts.
    pub(super) fn tempering(&self) -> f64 {
        self.effective_frames / self.observed_m.len().max(1) as f64
    }

    /// What is new in every frame of a marker's coordinate: what cameras add, or all where there is no skin.
    pub(super) fn noise_m(&self, marker: usize) -> f64 {
        if self.skin_m[marker] > 0.0 { self.camera_m } else { self.sigma_m[marker] }
    }

    /// Whether nothing but motion tells, and markers sit on bones.
    pub(super) fn is_rigid_motion(&self) -> bool {
        self.is_noise_taken_off && self.skin_m.iter().all(|skin_m| *skin_m == 0.0)
    }

    /// In how many frames every marker strays alike, and every joint: where nothing but motion tells, and markers sit on
    /// bones, what is beyond noise goes with the motion.
    pub(super) fn repeats(&self) -> [Vec<f64>; 2] {
        let noise_m = median(self.sigma_m.iter().copied()).filter(|_| self.is_rigid_motion());
        let most = (self.effective_frames / INDEPENDENT_WANDERS).max(1.0);
        let repeats = |strays_m: &f64| {
            let by_noise =
                noise_m.map_or(1.0, |noise_m| (MOST_BY_NOISE * noise_m / strays_m).powi(2));
            1.0 + (1.0 - by_noise).max(0.0) * (most - 1.0)
        };
        [&self.sigma_m, &self.closure_m].map(|all| all.iter().map(repeats).collect())
    }

    pub(super) fn point(&self, parameters: &[f64], at: usize) -> Vector3<f64> {
        Vector3::new(parameters[at], parameters[at + 1], parameters[at + 2])
    }

    /// A marker in a frame, if it is seen.
    pub(super) fn marker(
        &self,
        seen: Seen,
        marker: usize,
        poses: &[SegmentPose],
        parameters: &[f64],
    ) -> Option<Weighed> {
        let seen_m = seen.at_m[marker]?;
        let pose = &poses[self.model.markers[marker].segment];
        let mut own_m = self.point(parameters, self.model.marker_at(marker));
        let mut sd_m = self.sigma_m[marker];
        if let Some((sliding, signals)) = self.slid(seen, marker) {
            sd_m = sliding.sigma_m[marker];
            for (k, signal) in signals.iter().enumerate() {
                own_m += self.point(parameters, sliding.at[marker] + 3 * k) * *signal;
            }
        }
        let arm = pose.rotation * own_m;
        let off = arm + pose.origin_m - seen_m;
        Some(Weighed { arm, off, robust: robust(&off, sd_m), sd_m })
    }

    /// What the skin under a marker follows, where that is fitted.
    pub(super) fn slid<'a>(
        &'a self,
        seen: Seen<'a>,
        marker: usize,
    ) -> Option<(&'a Sliding, &'a [f64])> {
        let signals = seen.signals?;
        Some((self.sliding.as_ref()?, &signals[self.model.markers[marker].segment]))
    }

    /// What is seen of a frame that is fitted.
    pub(super) fn seen(&self, frame: usize) -> Seen<'_> {
        let signals = self.sliding.as_ref().map(|sliding| sliding.signals[frame].as_slice());
        Seen { at_m: &self.observed_m[frame], signals }
    }

    /// How far the two sides of a joint are apart, and its child.
    pub(super) fn joint(
        &self,
        joint: usize,
        poses: &[SegmentPose],
        parameters: &[f64],
    ) -> Option<(Weighed, usize)> {
        let this = &self.model.joints[joint];
        let child = this.child?;
        let pose = &poses[this.parent];
        let arm = pose.rotation * self.point(parameters, self.model.joint_at(joint));
        let off = arm + pose.origin_m - poses[child].origin_m;
        let sd_m = self.closure_m[joint];
        Some((Weighed { arm, off, robust: robust(&off, sd_m), sd_m }, child))
    }

    /// The residual of an angle, the axis it turns about, and its weight; `None` where a limit is kept.
    pub(super) fn angle(
        &self,
        angle: &Angle,
        poses: &[SegmentPose],
    ) -> Option<(f64, Vector3<f64>, f64)> {
        let u = poses[angle.parent].rotation.column(angle.axes[0]).into_owned();
        let v = poses[angle.child].rotation.column(angle.axes[1]).into_owned();
        let cosine = u.dot(&v);
        let residual = match angle.limit {
            Limit::Near(sine) => cosine - sine,
            Limit::AtLeast(least) => (cosine - least).min(0.0),
            Limit::AtMost(most) => (cosine - most).max(0.0),
        };
        let frames = angle.frames.unwrap_or(self.effective_frames);
        let weight = frames / self.observed_m.len().max(1) as f64 / (angle.sd * angle.sd);
        let is_kept = !matches!(angle.limit, Limit::Near(_)) && residual == 0.0;
        (!is_kept).then(|| (residual, u.cross(&v), weight))
    }

    /// The normal equations of a frame; what it says of the parameters directly goes to `shared`.
    pub(super) fn add_frame(
        &self,
        seen: Seen,
        poses: &[SegmentPose],
        parameters: &[f64],
        normal: &mut FrameNormal,
        mut shared: Option<&mut SharedNormal>,
    ) {
        normal.clear();
        let tempering = self.tempering();
        for marker in 0..self.model.markers.len() {
            let Some(point) = self.marker(seen, marker, poses, parameters) else { continue };
            let weight = tempering * point.weight();
            let segment = self.model.markers[marker].segment;
            let node = &mut normal.nodes[segment];
            add_point(&mut node.own, &mut node.gradient, &point, weight);
            if let Some(shared) = &mut shared {
                let rotation = &poses[segment].rotation;
                let own = [(self.structure.marker[marker], self.model.marker_at(marker), 1.0)];
                let slid = self.slid(seen, marker).into_iter().flat_map(|(sliding, signals)| {
                    let (to, at) = (self.structure.skin[marker], sliding.at[marker]);
                    signals.iter().enumerate().map(move |(k, s)| (to + 3 * k, at + 3 * k, *s))
                });
                let parts: Vec<(usize, usize, f64)> = own.into_iter().chain(slid).collect();
                for (to, _, factor) in &parts {
                    let columns = &mut node.columns[*to..];
                    add_columns(columns, &point.arm, rotation, weight * factor);
                }
                add_direct(shared, &parts, &(rotation.transpose() * point.off), weight);
            }
        }
        for joint in 0..self.model.joints.len() {
            let Some((point, child)) = self.joint(joint, poses, parameters) else { continue };
            let weight = tempering * point.weight();
            let parent = self.model.joints[joint].parent;
            let rotation = &poses[parent].rotation;
            let [in_parent, in_child] = self.structure.joint[joint];
            let node = &mut normal.nodes[parent];
            add_point(&mut node.own, &mut node.gradient, &point, weight);
            if let Some(shared) = &mut shared {
                add_columns(&mut node.columns[in_parent..], &point.arm, rotation, weight);
                let part = (in_parent, self.model.joint_at(joint), 1.0);
                add_direct(shared, &[part], &(rotation.transpose() * point.off), weight);
            }
            let node = &mut normal.nodes[child];
            let cross = point.arm.cross_matrix() * weight;
            for i in 0..3 {
                node.own[(i, i)] += weight;
                node.gradient[i] -= weight * point.off[i];
                node.with_parent[(i, i)] -= weight;
                for j in 0..3 {
                    node.with_parent[(i, 3 + j)] += cross[(i, j)];
                    if shared.is_some() {
                        node.columns[in_child + j][i] -= weight * rotation[(i, j)];
                    }
                }
            }
        }
        for angle in &self.model.angles {
            let Some((residual, axis, weight)) = self.angle(angle, poses) else { continue };
            let square = axis * axis.transpose() * weight;
            let push = axis * (weight * residual);
            for (segment, sign) in [(angle.parent, 1.0), (angle.child, -1.0)] {
                let node = &mut normal.nodes[segment];
                for i in 0..3 {
                    node.gradient[3 + i] += sign * push[i];
                    for j in 0..3 {
                        node.own[(3 + i, 3 + j)] += square[(i, j)];
                    }
                }
            }
            let node = &mut normal.nodes[angle.child];
            for i in 0..3 {
                for j in 0..3 {
                    node.with_parent[(3 + i, 3 + j)] -= square[(i, j)];
                }
            }
        }
    }

    /// The objective, halved, so that the normal equations hold its gradient.
    pub(super) fn energy(&self, poses: &[Vec<SegmentPose>], parameters: &[f64]) -> f64 {
        let log = |freedom: f64, dimensions: f64, square: f64| {
            0.5 * (freedom + dimensions) * (1.0 + square / freedom).ln()
        };
        let tempering = self.tempering();
        let mut sum = 0.0;
        for (frame, poses) in poses.iter().enumerate() {
            for marker in 0..self.model.markers.len() {
                if let Some(point) = self.marker(self.seen(frame), marker, poses, parameters) {
                    let square = point.off.norm_squared() / point.sd_m.powi(2);
                    sum += tempering * log(super::point::POINT_FREEDOM, 3.0, square);
                }
            }
            for (joint, closure_m) in self.closure_m.iter().enumerate() {
                if let Some((point, _)) = self.joint(joint, poses, parameters) {
                    let square = point.off.norm_squared() / closure_m.powi(2);
                    sum += tempering * log(super::point::POINT_FREEDOM, 3.0, square);
                }
            }
            for angle in &self.model.angles {
                if let Some((residual, _, weight)) = self.angle(angle, poses) {
                    sum += 0.5 * weight * residual * residual;
                }
            }
        }
        for row in &self.rows.rows {
            let square = (row.at(parameters).value / self.rows.sd(row)).powi(2);
            sum += match self.rows.blocks[row.block].kind {
                BlockKind::Frame => 0.5 * square,
                _ => log(KNOWLEDGE_FREEDOM, 1.0, square),
            };
        }
        sum + self.sliding.as_ref().map_or(0.0, |sliding| sliding.energy(parameters))
    }

    /// The normal equations of the wanted kinds of knowledge, added to those of the parameters.
    pub(super) fn add_knowledge(
        &self,
        parameters: &[f64],
        shared: &mut SharedNormal,
        is_wanted: impl Fn(BlockKind) -> bool,
    ) {
        if let Some(sliding) = &self.sliding {
            sliding.add_expected(parameters, shared);
        }
        let is_wanted = |row: &&Row| is_wanted(self.rows.blocks[row.block].kind);
        for row in self.rows.rows.iter().filter(is_wanted) {
            let slope = row.at(parameters);
            let sd = self.rows.sd(row);
            let weight = self.row_weight(row.block, slope.value / sd) / (sd * sd);
            shared.add(&slope.gradient, slope.value, weight);
        }
    }

    /// The robust weight of a row of knowledge.
    pub(super) fn row_weight(&self, block: usize, standardised: f64) -> f64 {
        match self.rows.blocks[block].kind {
            BlockKind::Frame => 1.0,
            _ => (KNOWLEDGE_FREEDOM + 1.0) / (KNOWLEDGE_FREEDOM + standardised * standardised),
        }
    }
}
