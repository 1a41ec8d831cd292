//! What is asked of an estimator, and what it answers.

use condyle::Trial;
use condyle::plan::Performer;
use condyle::solve::SolvedMotion;
use condyle::subject::Subject;
use condyle::whole_body::{Influence, SoftTissue};
use nalgebra::{Matrix3, Point3};

/// What an estimator is told beside the recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How far markers slide on the bone.
    pub soft_tissue: SoftTissue,
    /// Whether knowledge of bodies may be used.
    pub knowledge: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { soft_tissue: SoftTissue::Auto, knowledge: true }
    }
}

/// One that turns a recording into performers.
pub trait Estimator {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Fits and solves every performer of a recording; with a plan, that performer alone.
    ///
    /// # Errors
    /// Nothing can be fitted.
    fn estimate(
        &self,
        trial: &Trial,
        plan: Option<&Performer>,
        settings: &Settings,
    ) -> anyhow::Result<Vec<Estimate>>;
}

/// Where the joints of a performer are.
pub trait Motion {
    /// How many frames there are.
    fn frames(&self) -> usize;

    /// Where a joint is in a frame.
    fn position_m(&self, joint: usize, frame: usize) -> Option<Point3<f64>>;

    /// The covariance of a joint in a frame, in the world: centre and pose together.
    fn covariance_m2(&self, joint: usize, frame: usize) -> Option<Matrix3<f64>>;

    /// Where the joints are in a frame of another recording with the same markers.
    fn place_m(&self, positions_m: &[Option<Point3<f64>>]) -> Vec<Option<Point3<f64>>>;

    /// How errors move a joint in such a frame, where the estimator tells.
    fn influence(&self, _joint: usize, _positions_m: &[Option<Point3<f64>>]) -> Option<Influence> {
        None
    }
}

/// A performer as an estimator has it.
pub struct Estimate {
    /// The names of its joints.
    pub joints: Vec<String>,
    /// Where they are.
    pub motion: Box<dyn Motion>,
    /// The skeleton and its motion, for angles.
    pub solved: Option<(Subject, SolvedMotion)>,
    /// What was said about it.
    pub said: Vec<String>,
}

impl Estimate {
    /// The index of a joint by its name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint == name)
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.motion.frames()
    }

    /// Where a joint is in a frame.
    pub fn position_m(&self, joint: usize, frame: usize) -> Option<Point3<f64>> {
        self.motion.position_m(joint, frame)
    }

    /// The covariance of a joint in a frame, in the world.
    pub fn covariance_m2(&self, joint: usize, frame: usize) -> Option<Matrix3<f64>> {
        self.motion.covariance_m2(joint, frame)
    }

    /// The mean distance of two joints over the frames that show both.
    pub fn distance_m(&self, one: &str, other: &str) -> Option<f64> {
        let (one, other) = (self.joint(one)?, self.joint(other)?);
        let apart =
            |frame| Some((self.position_m(one, frame)? - self.position_m(other, frame)?).norm());
        let all: Vec<f64> = (0..self.frames()).filter_map(apart).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }
}
