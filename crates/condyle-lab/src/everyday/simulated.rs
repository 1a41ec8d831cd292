//! Simulated people: error and coverage by joint.

use super::estimate::{Estimate, Estimator, Settings};
use super::people::{Source, Worn};
use super::said::Said;
use super::scene::{Creature, Recorded, Scene, kind, record};
use super::score::{self, JointScore, TrueJoint};
use super::soft_tissue::Model;
use super::table::Table;
use super::trivial;
use condyle::simulate::Routine;

/// The joints of a person that are scored, without their sides.
const SCORED: [&str; 6] = ["hip", "knee", "ankle", "shoulder", "elbow", "wrist"];

/// Everything that came of simulating a scene again and again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// Every scored joint of everyone.
    pub scores: Vec<JointScore>,
    /// How often nothing was estimated at all.
    pub refused: usize,
    /// What was said.
    pub said: Said,
}

/// The joints of a simulated recording that are scored.
pub fn truth_of<'a>(recorded: &'a Recorded, creature: Creature) -> Vec<TrueJoint<'a>> {
    let truth = &recorded.truth;
    let is_scored = |name: &str| match creature {
        Creature::Person(..) => SCORED.contains(&score::class(name)),
        Creature::Dog(_) => true,
    };
    let joints = truth.joints.iter().enumerate().filter(|(_, joint)| is_scored(&joint.name));
    joints
        .map(|(index, joint)| TrueJoint {
            name: joint.name.clone(),
            kind: kind(creature, &joint.name, joint.kind),
            position_m: Box::new(move |frame| {
                truth.joint_positions_m.get(frame)?.get(index).copied()
            }),
        })
        .collect()
}

/// Simulates a scene for every seed, estimates and scores.
///
/// # Errors
/// A scene cannot be simulated.
pub fn run(
    estimator: &dyn Estimator,
    scene: &Scene,
    settings: &Settings,
    seeds: impl IntoIterator<Item = u64>,
) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    for seed in seeds {
        let recorded = record(scene, seed)?;
        let truth = truth_of(&recorded, scene.creature);
        let estimates = estimator.estimate(&recorded.trial, recorded.plan.as_ref(), settings);
        let first = estimates.ok().and_then(|estimates| estimates.into_iter().next());
        let trivial = truth.iter().map(|joint| trivial::off_m(&recorded, joint)).collect();
        outcome.add(first.as_ref(), &truth, trivial);
    }
    Ok(outcome)
}

impl Outcome {
    fn add(
        &mut self,
        estimate: Option<&Estimate>,
        truth: &[TrueJoint],
        trivial_m: Vec<Option<f64>>,
    ) {
        let mut scores = match estimate {
            Some(estimate) => score::score(estimate, truth),
            None => truth.iter().map(JointScore::missing).collect(),
        };
        scores.iter_mut().zip(trivial_m).for_each(|(score, off_m)| score.trivial_m = off_m);
        self.scores.extend(scores);
        match estimate {
            Some(estimate) => self.said.add(&estimate.said),
            None => self.refused += 1,
        }
    }
}

/// The scenes of the table, and the other set, source and soft tissue.
pub fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for routine in [Routine::Walk, Routine::Rom] {
        let base = Scene::everyday(routine);
        let person = |source, worn| Creature::Person(source, worn);
        let variants = [
            ("CMU 41, Dumas", Scene { ..base }),
            (
                "Plug-in Gait, Dumas",
                Scene { creature: person(Source::Dumas, Worn::PlugInGait), ..base },
            ),
            ("CMU 41, Drillis", Scene { creature: person(Source::Drillis, Worn::Cmu41), ..base }),
            ("CMU 41, Dumas, wobbling skin", Scene { skin: Model::Wobble, ..base }),
            ("CMU 41, Dumas, skin at most", Scene { skin: Model::LinearAtMost, ..base }),
        ];
        let named = |(name, scene): (&str, Scene)| (format!("{}, {name}", routine.name()), scene);
        scenes.extend(variants.map(named));
    }
    scenes
}

/// What is other than in [`scenes`].
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// How long.
    pub frames: Option<usize>,
    /// The noise of each coordinate.
    pub noise_m: Option<f64>,
    /// The rms of a thigh's skin.
    pub skin_m: Option<f64>,
    /// The share of samples that are missing.
    pub gaps: Option<f64>,
    /// Only scenes whose name contains this.
    pub only: Option<String>,
}

impl Changes {
    fn apply(&self, scene: Scene) -> Scene {
        Scene {
            frames: self.frames.unwrap_or(scene.frames),
            noise_m: self.noise_m.unwrap_or(scene.noise_m),
            skin_m: self.skin_m.unwrap_or(scene.skin_m),
            gaps: self.gaps.unwrap_or(scene.gaps),
            ..scene
        }
    }
}

/// The tables of all scenes.
///
/// # Errors
/// A scene cannot be simulated.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    changes: &Changes,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let is_wanted = |name: &str| changes.only.as_deref().is_none_or(|only| name.contains(only));
    for (name, scene) in scenes().into_iter().filter(|(name, _)| is_wanted(name)) {
        let scene = changes.apply(scene);
        let outcome = run(estimator, &scene, settings, seeds.clone())?;
        let title = format!(
            "{} people, {name}: {} mm of noise, {} mm of skin, gaps {} %, {} frames [{}]",
            seeds.end - seeds.start,
            scene.noise_m * 1e3,
            scene.skin_m * 1e3,
            scene.gaps * 100.0,
            scene.frames,
            estimator.name()
        );
        let mut table = score::by_class(&title, &outcome.scores);
        if outcome.refused > 0 {
            table.remark(format!("{} recordings refused", outcome.refused));
        }
        outcome.said.remarks().for_each(|remark| table.remark(remark));
        show(&table);
    }
    Ok(())
}
