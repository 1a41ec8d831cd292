//! What a picture shows, apart from where it is seen from.

use condyle::Trial;
use condyle::job::{Performance, SolvedPerformer};
use condyle::marker_set;
use condyle::motion::Motion;
use condyle::stick::{Limb, Stick, StickPoint};
use condyle::subject::{CentreKnown, Subject};
use condyle::trial::{Axis, Origin};
use nalgebra::{Isometry3, Point3, Vector3};

use super::view::Heading;

/// A point of the figure, as sure as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// How well it is known; nothing for points that are not estimated.
    pub known: Option<CentreKnown>,
    /// The standard error along its worst direction.
    pub sd_m: f64,
}

impl Dot {
    /// A point of a subject's stick figure.
    fn of(subject: &Subject, point: &StickPoint) -> Self {
        match point {
            StickPoint::Joint(joint) => {
                let joint = &subject.joints()[*joint];
                Self { known: Some(joint.centre_known()), sd_m: joint.worst_sd_m() }
            }
            StickPoint::On { .. } => Self { known: None, sd_m: 0.0 },
        }
    }
}

/// Points through the frames, the lines between them, and markers beside.
#[derive(Debug, Clone)]
pub struct Scene {
    /// For every frame every point.
    pub points_m: Vec<Vec<Option<Point3<f64>>>>,
    /// What each point is.
    pub dots: Vec<Dot>,
    /// From point to point.
    pub limbs: Vec<Limb>,
    /// The points round every trunk.
    pub trunks: Vec<Vec<usize>>,
    /// For every frame the markers that were measured.
    pub markers_m: Vec<Vec<Point3<f64>>>,
    /// For every frame those whose place is an estimate.
    pub filled_m: Vec<Vec<Point3<f64>>>,
    /// Where the figure faces.
    pub heading: Heading,
    /// Frames a second.
    pub rate_hz: f64,
}

impl Scene {
    /// The performers of a recording, with its markers.
    pub fn of_performance(performance: &Performance) -> Self {
        let (trial, performers) = (&performance.trial, &performance.performers);
        let mut scene = Self::of_markers(trial);
        let up = up(trial);
        for SolvedPerformer { subject, motion: solved, .. } in performers {
            let stick = Stick::from_subject(subject);
            let first = scene.dots.len();
            scene.dots.extend(stick.points.iter().map(|point| Dot::of(subject, point)));
            let moved = |limb: &Limb| Limb { ends: limb.ends.map(|point| first + point), ..*limb };
            scene.limbs.extend(stick.limbs.iter().map(moved));
            if !stick.trunk.is_empty() {
                scene.trunks.push(stick.trunk.iter().map(|point| first + point).collect());
            }
            for (frame, points_m) in scene.points_m.iter_mut().enumerate() {
                points_m.extend(stick.points_m(solved, frame));
            }
        }
        if let Some(SolvedPerformer { subject, motion: solved, .. }) = performers.first() {
            let names: Vec<&str> =
                subject.joints().iter().map(|joint| joint.name.as_str()).collect();
            let ahead = Heading::by_sides(
                &names,
                solved.frames(),
                |frame, joint| solved.joint_m(frame, joint),
                up,
            );
            scene.heading = ahead.unwrap_or(scene.heading);
        }
        scene
    }

    /// The markers of a trial alone.
    pub fn of_markers(trial: &Trial) -> Self {
        let mut is_position = trial.is_position();
        // What a model computed is no marker, and may be far off.
        for index in marker_set::computed(trial) {
            is_position[index] = false;
        }
        let shown = |frame: usize, is_estimated: bool| {
            let markers =
                trial.markers.iter().zip(&is_position).filter(|(_, is_position)| **is_position);
            let markers = markers.filter(move |(marker, _)| {
                let origin = marker.origin(frame);
                matches!(origin, Origin::Filled | Origin::Predicted) == is_estimated
            });
            markers.filter_map(move |(marker, _)| marker.position_m(frame))
        };
        let measured = |frame: usize| {
            let bodies = trial.bodies.iter().filter_map(move |body| body.position_m(frame));
            shown(frame, false).chain(bodies).collect()
        };
        let markers_m: Vec<Vec<Point3<f64>>> = (0..trial.frames).map(measured).collect();
        let filled_m = (0..trial.frames).map(|frame| shown(frame, true).collect()).collect();
        let heading = Heading::by_extent(&markers_m, up(trial));
        Self {
            points_m: vec![Vec::new(); trial.frames],
            dots: Vec::new(),
            limbs: Vec::new(),
            trunks: Vec::new(),
            markers_m,
            filled_m,
            heading,
            rate_hz: trial.rate_hz,
        }
    }

    /// A skeleton that a file holds, in its motion.
    pub fn of_motion(trial: &Trial, motion: &Motion) -> Self {
        let joints = motion.skeleton().joints();
        let limbs = joints.iter().enumerate();
        let limbs =
            limbs.filter_map(|(child, joint)| Some(Limb::of_segment("", [joint.parent?, child])));
        let limbs = limbs.collect();
        let mut poses = vec![Isometry3::identity(); joints.len()];
        let positions = |frame: usize| {
            let is_placed = motion.world_from_joints(frame, &mut poses).is_ok();
            let place = |pose: &Isometry3<f64>| is_placed.then(|| pose.translation.vector.into());
            poses.iter().map(place).collect()
        };
        let points_m: Vec<Vec<Option<Point3<f64>>>> = (0..trial.frames).map(positions).collect();
        let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
        let present: Vec<Vec<Point3<f64>>> =
            points_m.iter().map(|points| points.iter().copied().flatten().collect()).collect();
        let heading =
            Heading::by_sides(&names, points_m.len(), |frame, i| points_m[frame][i], up(trial))
                .unwrap_or_else(|| Heading::by_extent(&present, up(trial)));
        Self {
            dots: vec![Dot { known: None, sd_m: 0.0 }; joints.len()],
            limbs,
            trunks: Vec::new(),
            markers_m: vec![Vec::new(); points_m.len()],
            filled_m: vec![Vec::new(); points_m.len()],
            points_m,
            heading,
            rate_hz: trial.rate_hz,
        }
    }

    /// Some frames, evenly spread over those that show most of what is ever shown: people walk in and out.
    pub fn telling_frames(&self, count: usize) -> Vec<usize> {
        let shown: Vec<usize> =
            self.points_m.iter().map(|points| points.iter().flatten().count()).collect();
        let most = shown.iter().copied().max().unwrap_or(0);
        let telling: Vec<usize> = (0..self.frames())
            .filter(|f| 2 * shown.get(*f).copied().unwrap_or(0) >= most)
            .collect();
        spread(telling.len(), count).into_iter().map(|at| telling[at]).collect()
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.points_m.len()
    }
}

/// So many frames of `count`, in the middles of equal stretches.
pub fn spread(count: usize, wanted: usize) -> Vec<usize> {
    let wanted = wanted.min(count);
    (0..wanted).map(|k| (2 * k + 1) * count / (2 * wanted)).collect()
}

/// Which way is up; y if nobody knows, as what is exported has it.
fn up(trial: &Trial) -> Vector3<f64> {
    trial.source.up.unwrap_or(Axis::Y).direction()
}

#[cfg(test)]
mod tests {
    use condyle::trial::Format;

    use super::*;

    #[test]
    fn frames_that_show_less_than_half_are_not_drawn() {
        let shown = |count: usize| -> Vec<Option<Point3<f64>>> {
            (0..4).map(|point| (point < count).then(Point3::origin)).collect()
        };
        let mut scene = Scene::of_markers(&Trial::new(Format::C3d, 100.0));
        scene.points_m = [0, 1, 4, 3, 2, 0].map(shown).into();
        assert_eq!(scene.telling_frames(3), [2, 3, 4]);
        assert_eq!(scene.telling_frames(1), [3]);
        scene.points_m.clear();
        assert!(scene.telling_frames(3).is_empty());
    }

    #[test]
    fn frames_are_spread_evenly() {
        assert_eq!(spread(100, 5), [10, 30, 50, 70, 90]);
        assert_eq!(spread(2, 5), [0, 1]);
        assert!(spread(0, 5).is_empty());
    }
}
