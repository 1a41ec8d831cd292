//! A hand in every frame: markers in, joints out, frame by frame.

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

use super::assignment::Assignment;
use super::finger::{FingerSolver, Solved};
use super::lost::{Sight, Tip, Tips};
use super::model::{MAX_FINGERS, Model, Side};
use super::palm::{Palm, PalmPose, carried, place_jacobian};
use super::pose::{FingerState, HandPose, How, JointPose};
use super::spheres::Spheres;
use crate::error::{Error, Result};

/// How fingers are posed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Method {
    /// In closed form, with FABRIK within limits where the closed form does not hold: ours.
    #[default]
    Closed,
    /// FABRIK within limits from the last pose.
    Fabrik,
    /// The document's sequence: the palm by spheres, the last pose turned into the new plane, FABRIK within limits.
    Document,
    /// FABRIK without limits from the last pose.
    Unlimited,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Closed, Self::Fabrik, Self::Document, Self::Unlimited];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Fabrik => "fabrik",
            Self::Document => "document",
            Self::Unlimited => "unlimited",
        }
    }
}

/// Settings of a tracker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How fingers are posed.
    pub method: Method,
    /// The noise of a marker: one standard deviation an axis.
    pub noise_m: f64,
    /// Whether further markers on fingers are used.
    pub uses_finger_markers: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::Closed, noise_m: 5e-4, uses_finger_markers: true }
    }
}

/// A hand that is followed.
#[derive(Debug, Clone)]
pub struct Tracker {
    model: Model,
    assignment: Assignment,
    options: Options,
    palm: Palm,
    spheres: Spheres,
    fingers: Vec<FingerSolver>,
    tips: Tips,
    pose: HandPose,
}

impl Tracker {
    /// Makes ready to follow a hand in frames of so many a second.
    ///
    /// # Errors
    /// A rate that is not positive, a model that cannot be posed, markers that do not place it.
    pub fn new(
        model: &Model,
        assignment: Assignment,
        rate_hz: f64,
        options: Options,
    ) -> Result<Self> {
        model.check()?;
        assignment.check()?;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(Error::argument(format!(
                "rate: need a positive number of hertz, got {rate_hz}"
            )));
        }
        if !(options.noise_m.is_finite() && (0.0..0.1).contains(&options.noise_m)) {
            let got = options.noise_m;
            return Err(Error::argument(format!("noise: need 0 to 0.1 m, got {got}")));
        }
        let palm = Palm::new(model, rate_hz, options.noise_m)?;
        let ready =
            |finger| FingerSolver::new(finger, options.method, options.noise_m, palm.covariance());
        let fingers = model.fingers.iter().map(ready);
        Ok(Self {
            fingers: fingers.collect::<Result<_>>()?,
            palm,
            spheres: Spheres::default(),
            tips: Tips::new(model.fingers.len(), rate_hz, options.noise_m),
            pose: HandPose::of(model),
            model: model.clone(),
            assignment,
            options,
        })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Which marker is which.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The pose of the last frame.
    pub fn pose(&self) -> &HandPose {
        &self.pose
    }

    /// Takes in a frame, the markers of the recording in their order; nothing is allocated.
    pub fn step(&mut self, seen_m: &[Option<Point3<f64>>]) -> &HandPose {
        let find = |column: Option<usize>| {
            let at_m = column.and_then(|column| seen_m.get(column).copied().flatten());
            at_m.filter(|at_m| at_m.iter().all(|x| x.is_finite()))
        };
        let palm_markers = &self.assignment.palm;
        let placed = self.palm.place(|index| find(palm_markers.get(index).copied().flatten()));
        let Some(mut palm) = placed else {
            self.unplace();
            return &self.pose;
        };
        if self.options.method == Method::Document {
            let at_m = |index: usize| {
                let at_m = find(palm_markers.get(index).copied().flatten())?;
                Some(Point3::from(self.model.side.mirrored(at_m.coords)))
            };
            palm.world_from_hand =
                self.spheres.place(&self.model, at_m).unwrap_or(palm.world_from_hand);
        }
        let hand_from_world = palm.world_from_hand.inverse();
        let mut tips_m = [None; MAX_FINGERS];
        for (slot, column) in tips_m.iter_mut().zip(&self.assignment.tips) {
            let in_hand_m = find(*column).map(|at_m| {
                let at_m = self.model.side.mirrored(at_m.coords);
                (hand_from_world * Point3::from(at_m)).coords
            });
            *slot = in_hand_m.filter(|at_m| at_m.norm() < FARTHEST_TIP_M);
        }
        self.tips.step(&tips_m);
        self.place(&palm);
        &self.pose
    }

    fn unplace(&mut self) {
        self.pose.world_from_hand = None;
        self.pose.joints.iter_mut().for_each(|joint| joint.how = How::Unplaced);
        self.pose.fingers.iter_mut().for_each(|finger| {
            *finger = FingerState { lost_frames: finger.lost_frames + 1, ..Default::default() };
        });
    }

    /// Fills the pose from where palm and tips are.
    fn place(&mut self, palm: &PalmPose) {
        let side = self.model.side;
        let noise_m = self.options.noise_m;
        let noise_m2 = Matrix3::identity() * (noise_m * noise_m);
        let rotation = palm.world_from_hand.rotation.to_rotation_matrix().into_inner();
        let put = Put { side, palm, rotation };
        self.pose.world_from_hand = Some(side.mirrored_pose(&palm.world_from_hand));
        self.pose.palm_rms_m = palm.rms_m;
        let of_palm = if palm.is_predicted { How::Predicted } else { How::Measured };
        self.pose.joints[0] = put.on_palm(&Point3::origin(), &UnitQuaternion::identity(), of_palm);
        let mut next = 1;
        for (index, finger) in self.model.fingers.iter().enumerate() {
            let solver = &mut self.fingers[index];
            let tip: Tip = self.tips.tips()[index];
            if let Some((_, at_m)) = &finger.metacarpal {
                self.pose.joints[next] = put.on_palm(at_m, &finger.hand_from_rest, of_palm);
                next += 1;
            }
            let is_never = tip.sight == Sight::Never;
            let tip_m = match is_never {
                true => solver.chain.marker_m(&Default::default()),
                false => Point3::from(tip.at_m),
            };
            let solved: Solved = solver.solve(&tip_m, noise_m, self.options.method);
            let angles = solved.angles;
            let never_m2 = if is_never { NEVER_M * NEVER_M } else { 0.0 };
            let tip_m2 = noise_m2 + tip.covariance_m2 + Matrix3::identity() * never_m2;
            let covariances = solver.covariances_m2(&solved, &tip_m, &tip_m2, &palm.covariance);
            let places = solver.chain.places_m(&angles);
            let marker_m = places[solver.chain.joints + 1];
            let how = match tip.sight {
                Sight::Seen | Sight::Returning if !palm.is_predicted => How::Solved,
                Sight::Seen | Sight::Returning | Sight::Predicted => How::Predicted,
                Sight::Held | Sight::Never => How::Held,
            };
            for joint in 0..=solver.chain.joints {
                let is_tip = joint == solver.chain.joints;
                let bone = if is_tip { joint - 1 } else { joint };
                let turned = solver.chain.hand_from_bone(bone, &angles);
                let how = match (joint, how) {
                    (0, _) => of_palm,
                    (_, How::Solved) if is_tip => How::Measured,
                    _ => how,
                };
                let mut pose = put.placed(&places[joint], &turned, how);
                pose.covariance_m2 = put.turned(&covariances[joint]);
                if !is_tip {
                    pose.flexion_rad = Some(angles.flexion_rad[joint]);
                    let turns = finger.joints[joint].abduction_rad.is_some();
                    let abduction_rad = if joint == 0 { angles.abduction_rad } else { 0.0 };
                    pose.abduction_rad = turns.then_some(abduction_rad);
                }
                self.pose.joints[next + joint] = pose;
            }
            next += solver.chain.joints + 1;
            let is_lost = matches!(tip.sight, Sight::Predicted | Sight::Held);
            if is_lost {
                self.tips.correct(index, marker_m.coords);
            }
            let is_seen = tip.sight == Sight::Seen;
            self.pose.fingers[index] = FingerState {
                tip_residual_m: is_seen.then_some(solved.residual_m),
                tip_marker_m: put.placed(&marker_m, &UnitQuaternion::identity(), how).position_m,
                tip_covariance_m2: put.turned(&put.with_palm(&marker_m, &tip_m2)),
                limits_active: solved.limits_active,
                is_repaired: solved.is_repaired,
                lost_frames: tip.lost_frames,
            };
        }
    }
}

/// Farther from the hand there is no tip: a sample that says so is broken, and its square would be all that is learnt.
const FARTHEST_TIP_M: f64 = 1e3;

/// How far a tip that was never seen may be from where it is drawn.
const NEVER_M: f64 = 0.05;

/// From the hand, seen as a right one, to the world.
struct Put<'a> {
    side: Side,
    palm: &'a PalmPose,
    rotation: Matrix3<f64>,
}

impl Put<'_> {
    fn placed(&self, at_m: &Point3<f64>, turned: &UnitQuaternion<f64>, how: How) -> JointPose {
        let world_from_hand = &self.palm.world_from_hand;
        let pose = Isometry3::from_parts(
            (world_from_hand * at_m).coords.into(),
            world_from_hand.rotation * turned,
        );
        let pose = self.side.mirrored_pose(&pose);
        JointPose {
            position_m: Point3::from(pose.translation.vector),
            world_from_bone: pose.rotation,
            how,
            ..JointPose::default()
        }
    }

    /// A joint that goes with the palm.
    fn on_palm(&self, at_m: &Point3<f64>, turned: &UnitQuaternion<f64>, how: How) -> JointPose {
        let covariance_m2 = self.turned(&self.with_palm(at_m, &Matrix3::zeros()));
        JointPose { covariance_m2, ..self.placed(at_m, turned, how) }
    }

    /// What the palm adds to how sure a place of it is.
    fn with_palm(&self, at_m: &Point3<f64>, own_m2: &Matrix3<f64>) -> Matrix3<f64> {
        let moves = place_jacobian(at_m);
        own_m2 + carried(&moves, &self.palm.covariance)
    }

    /// A covariance of the hand's axes in the world's.
    fn turned(&self, covariance_m2: &Matrix3<f64>) -> Matrix3<f64> {
        let turned = self.rotation * covariance_m2 * self.rotation.transpose();
        match self.side {
            Side::Right => turned,
            Side::Left => {
                let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
                mirror * turned * mirror
            }
        }
    }
}
