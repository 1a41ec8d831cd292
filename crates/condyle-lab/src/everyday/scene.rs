//! A simulated recording: who, what markers, what disturbs them.

use anyhow::Context;
use condyle::Trial;
use condyle::plan;
use condyle::simulate::{JointKind, Options, Performer, Routine, Simulation, Truth, simulate};

use super::people::{Source, Unusual, Worn, person};
use super::quadruped;
use super::soft_tissue::{self, Model};

/// Frames a second of everything that is simulated.
pub const RATE_HZ: f64 = 100.0;

/// Who is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creature {
    /// A person of the population of a source, with the markers of a set.
    Person(Source, Worn),
    /// A dog with so many markers on every segment, 2 to 5.
    Dog(usize),
}

/// What is simulated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scene {
    /// Who.
    pub creature: Creature,
    /// What is unusual about a person.
    pub unusual: Unusual,
    /// What is performed.
    pub routine: Routine,
    /// For how long.
    pub frames: usize,
    /// The noise of each coordinate.
    pub noise_m: f64,
    /// How far markers slide: rms over the frames for a thigh.
    pub skin_m: f64,
    /// How they slide.
    pub skin: Model,
    /// The share of samples that are missing, in stretches of a fifth of a second.
    pub gaps: f64,
}

impl Scene {
    /// A person of the other source with CMU's markers, 1 mm of noise and 10 mm of skin.
    pub fn everyday(routine: Routine) -> Self {
        Self {
            creature: Creature::Person(Source::default(), Worn::Cmu41),
            unusual: Unusual::default(),
            routine,
            frames: 1500,
            noise_m: 0.001,
            skin_m: 0.010,
            skin: Model::Linear,
            gaps: 0.0,
        }
    }
}

/// A simulated recording with its truth.
pub struct Recorded {
    /// The recording.
    pub trial: Trial,
    /// The truth.
    pub truth: Truth,
    /// The plan, for creatures whose labels mean nothing.
    pub plan: Option<plan::Performer>,
}

/// A gait is slowed down this often until legs can follow it.
const ATTEMPTS: usize = 8;
/// So often another one is drawn in place of one that cannot move so at all.
const REPLACEMENTS: u64 = 10;

/// Simulates a scene.
///
/// # Errors
/// Nobody that is drawn can perform the routine.
pub fn record(scene: &Scene, seed: u64) -> anyhow::Result<Recorded> {
    let simulation = (0..REPLACEMENTS)
        .map(|replacement| simulated(scene, seed | replacement << 32))
        .find_map(Result::ok);
    let simulation = simulation.with_context(|| format!("seed {seed}: nobody can do this"))?;
    let (mut trial, truth) = (simulation.trial, simulation.truth);
    if scene.skin_m > 0.0 {
        soft_tissue::displace(&mut trial, &truth, scene.skin, scene.skin_m, seed);
    }
    let plan = match scene.creature {
        Creature::Person(..) => None,
        Creature::Dog(_) => truth.plan.performers.first().cloned(),
    };
    Ok(Recorded { trial, truth, plan })
}

/// One draw, its gait slowed down until legs can follow it.
fn simulated(scene: &Scene, seed: u64) -> condyle::Result<Simulation> {
    let (mut performer, worn) = match scene.creature {
        Creature::Person(source, worn) => (person(source, &scene.unusual, seed), worn.set()),
        Creature::Dog(markers) => (quadruped::dog(markers, seed), quadruped::SET),
    };
    let options = Options {
        routine: scene.routine,
        seconds: scene.frames as f64 / RATE_HZ,
        rate_hz: RATE_HZ,
        seed,
        marker_set: Some(worn.to_owned()),
        noise_m: scene.noise_m,
        occlusion: scene.gaps,
        ..Options::default()
    };
    let mut simulation = simulate(&performer, &options);
    for _ in 0..ATTEMPTS {
        if simulation.is_ok() {
            break;
        }
        slow_down(&mut performer);
        simulation = simulate(&performer, &options);
    }
    simulation
}

/// Shorter, lower and straighter steps.
fn slow_down(performer: &mut Performer) {
    for gait in performer.walk.iter_mut().chain(&mut performer.chicken_walk) {
        gait.speed_m_s *= 0.88;
        gait.toe_off_rad *= 0.93;
        gait.crouch_m += 0.004;
    }
}

/// The kind of a true joint in a word; persons' knees turn about one axis but for a little play.
pub fn kind(creature: Creature, name: &str, kind: JointKind) -> &'static str {
    match creature {
        Creature::Person(..) if name.ends_with("knee") => "hinge with play",
        _ => kind.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use condyle::marker_set;

    fn short(routine: Routine) -> Scene {
        Scene { frames: 120, noise_m: 0.0, skin_m: 0.0, ..Scene::everyday(routine) }
    }

    #[test]
    fn every_set_of_a_person_is_recognised_with_all_its_markers() {
        let sets =
            [(Worn::Cmu41, 41), (Worn::PlugInGait, 39), (Worn::Limbs(2), 39), (Worn::Limbs(5), 75)];
        for (worn, count) in sets {
            let creature = Creature::Person(Source::Dumas, worn);
            let recorded = record(&Scene { creature, ..short(Routine::Walk) }, 3).unwrap();
            assert_eq!(recorded.trial.markers.len(), count, "{worn:?}");
            let found = marker_set::recognise_trial(&recorded.trial);
            assert!(found.is_good(), "{worn:?}");
            let placed: usize =
                found.plan.performers[0].segments.iter().map(|segment| segment.markers.len()).sum();
            assert_eq!(placed, count, "{worn:?}");
        }
    }

    #[test]
    fn twenty_people_and_dogs_can_walk_and_bend() {
        for seed in 0..20 {
            for routine in [Routine::Walk, Routine::Rom] {
                for source in [Source::Dumas, Source::Drillis] {
                    let creature = Creature::Person(source, Worn::Cmu41);
                    record(&Scene { creature, ..short(routine) }, seed).unwrap();
                }
                record(&Scene { creature: Creature::Dog(4), ..short(routine) }, seed).unwrap();
            }
        }
    }

    #[test]
    fn skin_moves_the_markers_of_a_thigh_by_the_rms_that_was_asked_for() {
        for model in [Model::Linear, Model::Wobble] {
            let still = record(&Scene { frames: 600, ..short(Routine::Walk) }, 5).unwrap();
            let scene = Scene { frames: 600, skin_m: 0.01, skin: model, ..short(Routine::Walk) };
            let moved = record(&scene, 5).unwrap();
            let thigh = still.truth.segment("left thigh").unwrap();
            let (mut square, mut count) = (0.0, 0.0);
            for (index, marker) in still.truth.markers.iter().enumerate() {
                for frame in (0..600).filter(|_| marker.segment == thigh) {
                    let [a, b] = [&still, &moved].map(|r| r.trial.markers[index].position_m(frame));
                    square += (a.unwrap() - b.unwrap()).norm_squared();
                    count += 1.0;
                }
            }
            assert!((f64::sqrt(square / count) - 0.01).abs() < 1e-9, "{model:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_person_and_another_seed_another() {
        let [one, same, other] =
            [3, 3, 4].map(|seed| record(&short(Routine::Walk), seed).unwrap().trial);
        assert_eq!(one.markers, same.markers);
        assert_ne!(one.markers, other.markers);
    }
}
