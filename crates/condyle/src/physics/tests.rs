use std::f64::consts::TAU;

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

use super::*;
use crate::job;
use crate::rigid::{Pair, place};
use crate::simulate::{self, Performer};

fn body(mass_kg: f64, moments: [f64; 3]) -> MassProperties {
    let centre_m = Point3::new(0.02, -0.01, 0.1);
    MassProperties {
        volume_m3: 0.0,
        mass_kg,
        centroid_m: centre_m,
        centre_of_mass_m: centre_m,
        inertia_kg_m2: Matrix3::from_diagonal(&Vector3::from(moments)),
    }
}

#[test]
fn what_flies_follows_its_parabola_and_keeps_its_angular_momentum() {
    // Two bodies that move towards each other and apart, each spinning, thrown together.
    let bodies = [body(3.0, [0.1, 0.1, 0.04]), body(1.0, [0.02, 0.02, 0.02])];
    let spins = [Vector3::z() * 4.0, Vector3::new(1.0, 2.0, -3.0)];
    let rate_hz = 200.0;
    let pose = |frame: usize, which: usize| {
        let t = frame as f64 / rate_hz;
        let fall = Vector3::new(1.5 * t, 0.3 * t, 3.0 * t - 0.5 * GRAVITY_M_S2 * t * t);
        let apart = Vector3::new(0.6, 0.0, 0.8) * (0.4 + 0.1 * (TAU * 1.3 * t).sin());
        // Their middle, weighed by mass, stays where it is.
        let own = fall + apart * [0.25, -0.75][which];
        let turn = UnitQuaternion::from_scaled_axis(spins[which] * t);
        let origin = own - turn * bodies[which].centre_of_mass_m.coords;
        Some(Isometry3::from_parts(Translation3::from(origin), turn))
    };
    let physics = Physics::of_bodies(&bodies, 121, rate_hz, Some(Vector3::z()), pose);
    assert!(
        physics.states[0].unwrap().moving.is_none()
            && physics.states[120].unwrap().moving.is_none()
    );
    let spin = bodies[0].inertia_kg_m2 * spins[0] + bodies[1].inertia_kg_m2 * spins[1];
    for (frame, state) in physics.states.iter().enumerate() {
        let state = state.unwrap();
        let t = frame as f64 / rate_hz;
        let height = 3.0 * t - 0.5 * GRAVITY_M_S2 * t * t;
        assert!((state.centre_of_mass_m - Point3::new(1.5 * t, 0.3 * t, height)).norm() < 1e-12);
        assert!((state.potential_j.unwrap() - 4.0 * GRAVITY_M_S2 * height).abs() < 1e-9);
        let Some(moving) = state.moving else { continue };
        assert!((moving.angular_momentum_kg_m2_s - spin).norm() < 1e-9, "{moving:?}");
        let expected = Vector3::new(1.5, 0.3, 3.0 - GRAVITY_M_S2 * t) * 4.0;
        assert!((moving.momentum_kg_m_s - expected).norm() < 1e-9);
    }
}

#[test]
fn energy_of_a_spinning_body_is_that_of_textbooks() {
    let bodies = [body(2.0, [0.1, 0.2, 0.3])];
    let pose = |frame: usize, _| {
        (frame != 7).then(|| {
            let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * (0.02 * frame as f64));
            let centre = bodies[0].centre_of_mass_m.coords;
            let origin = Vector3::x() * (0.01 * frame as f64) - turn * centre;
            Isometry3::from_parts(Translation3::from(origin), turn)
        })
    };
    let physics = Physics::of_bodies(&bodies, 10, 100.0, None, pose);
    let moving = physics.states[3].unwrap().moving.unwrap();
    // ½ 2 kg (1 m/s)² + ½ 0.3 kg m² (2 rad/s)².
    assert!((moving.kinetic_j - 1.6).abs() < 1e-9, "{moving:?}");
    assert!(physics.states[3].unwrap().potential_j.is_none());
    // A frame without poses has no state, and its neighbours have no velocity.
    assert!(physics.states[7].is_none() && physics.placed[7] == 0.0 && physics.placed[6] == 1.0);
    assert!(
        physics.states[6].unwrap().moving.is_none() && physics.states[5].unwrap().moving.is_some()
    );
}

#[test]
fn a_walker_has_its_weight_and_moves_as_fast_as_its_pelvis() {
    let options = simulate::Options {
        routine: simulate::Routine::Walk,
        seconds: 4.0,
        ..simulate::Options::default()
    };
    let trial = simulate::simulate(&Performer::human(), &options).unwrap().trial;
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let (trial, performer) = (&performance.trial, &performance.performers[0]);
    let physics = Physics::of_person(trial, performer, Some(62.0)).unwrap();
    assert!((physics.mass_kg - 62.0).abs() < 1e-9);
    let known: Vec<State> = physics.states.iter().flatten().copied().collect();
    assert!(known.len() > trial.frames / 2, "{} of {}", known.len(), trial.frames);
    let travelled = |points: Vec<Point3<f64>>| points[points.len() - 1] - points[0];
    let by_mass = travelled(known.iter().map(|state| state.centre_of_mass_m).collect());
    let by_pelvis = travelled(performer.motion.segments()[0].origin().iter_m().flatten().collect());
    assert!((by_mass - by_pelvis).norm() < 0.15, "{by_mass} {by_pelvis}");
    let mut table = Vec::new();
    physics.write_csv(trial, &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert_eq!(table.lines().count(), 1 + trial.frames);
    assert!(table.lines().all(|line| line.split(',').count() == 17));
    // Nobody knows the masses of a dog.
    let options = simulate::Options { seconds: 2.0, ..simulate::Options::default() };
    let trial = simulate::simulate(&Performer::dog(), &options).unwrap().trial;
    let performance = job::run(trial, &job::Options::default()).unwrap();
    assert!(Physics::of_person(&performance.trial, &performance.performers[0], None).is_err());
}

/// Eleven limbs that spin and swing about their common centre of mass, which is thrown: momenta are conserved exactly.
fn thrown(t: f64, which: usize) -> Isometry3<f64> {
    let fall = Vector3::new(1.2 * t, -0.4 * t, 2.4 * t - 0.5 * GRAVITY_M_S2 * t * t);
    let pair = which.div_ceil(2);
    let side = if which.is_multiple_of(2) { 1.0 } else { -1.0 };
    let phase = 0.9 * pair as f64;
    // Two of a pair, equally heavy, move on opposite sides along one line: they add no angular momentum.
    let out = Vector3::new(phase.cos(), phase.sin(), 0.3 * pair as f64 - 0.9);
    let reach = if pair == 0 { 0.0 } else { 0.3 + 0.1 * (TAU * 1.7 * t + phase).sin() };
    let spin = Vector3::new(0.5 * phase, 3.0, 1.0 - phase);
    let turn = UnitQuaternion::from_scaled_axis(spin * t);
    let centre = Point3::from(fall + out * (side * reach));
    Isometry3::from_parts(
        Translation3::from(centre.coords - turn * Point3::new(0.02, -0.01, 0.1).coords),
        turn,
    )
}

#[test]
fn gravity_is_found_in_flight_with_an_error_bar_that_holds() {
    let limb = |which: usize| body(1.0 + which.div_ceil(2) as f64, [0.05, 0.05, 0.05]);
    let bodies: Vec<MassProperties> = (0..11).map(limb).collect();
    let (rate_hz, frames) = (100.0, 50);
    let exact = |frame: usize, which: usize| Some(thrown(frame as f64 / rate_hz, which));
    let physics = Physics::of_bodies(&bodies, frames, rate_hz, Some(Vector3::z()), exact);
    let flight = physics.flight(0..frames, rate_hz, &Vector3::z()).unwrap();
    assert!((flight.gravity_m_s2 - GRAVITY_M_S2).abs() < 1e-9, "{flight:?}");
    assert!(flight.residual_m < 1e-12 && flight.angular_momentum_change < 1e-6, "{flight:?}");
    // Four markers on every limb, each off by 1 mm a coordinate in every frame.
    let markers = [[0.1, 0.0, 0.0], [-0.1, 0.05, 0.1], [0.0, -0.1, 0.2], [0.05, 0.1, -0.1]];
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let noise = Normal::new(0.0, 1e-3).unwrap();
    let (mut held, mut worst, rounds) = (0, 0.0f64, 400);
    let mut errors = Vec::new();
    for _ in 0..rounds {
        let poses: Vec<Vec<Isometry3<f64>>> = (0..frames)
            .map(|frame| {
                let own = |which: usize| {
                    let pose = thrown(frame as f64 / rate_hz, which);
                    let pair = |marker: &[f64; 3]| {
                        let in_segment_m = Point3::from(*marker);
                        let off = Vector3::from_fn(|_, _| noise.sample(&mut random));
                        let in_world_m = pose * in_segment_m + off;
                        Pair { in_segment_m, in_world_m, weight: 1.0 }
                    };
                    place(markers.iter().map(pair)).unwrap().world_from_segment
                };
                (0..bodies.len()).map(own).collect()
            })
            .collect();
        let found = |frame: usize, which: usize| Some(poses.get(frame)?[which]);
        let physics = Physics::of_bodies(&bodies, frames, rate_hz, Some(Vector3::z()), found);
        let flight = physics.flight(0..frames, rate_hz, &Vector3::z()).unwrap();
        let error = flight.gravity_m_s2 - GRAVITY_M_S2;
        held += usize::from(error.abs() < 1.96 * flight.gravity_sd_m_s2);
        worst = worst.max(error.abs());
        errors.push(error);
    }
    let share = f64::from(held as u32) / f64::from(rounds);
    println!("gravity within {worst:.4} m/s², error bars hold {:.1} %", 100.0 * share);
    assert!(worst < 0.01 * GRAVITY_M_S2, "{worst}");
    assert!((0.92..=0.98).contains(&share), "{share}");
}
