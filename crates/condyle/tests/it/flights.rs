//! Gravity from the flights of real people.

use crate::recordings;
use condyle::format::{ReadOptions, read_path};
use condyle::job;
use condyle::physics::{GRAVITY_M_S2, Physics};

#[test]
fn somebody_who_leaps_falls_with_gravity_within_the_error_bar() {
    let Some(folder) = recordings::folder() else { return };
    let trial = read_path(&folder.join("cmu/85_02.c3d"), &ReadOptions::default()).unwrap();
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let (trial, performer) = (&performance.trial, &performance.performers[0]);
    let physics = Physics::of_person(trial, performer, None).unwrap();
    let own = physics.gravity().unwrap();
    for flight in &own.flights {
        println!(
            "frames {:?}: {:.2} ± {:.2} m/s², {:.1} mm off, angular momentum {:.1} %, pelvis alone {:.2}",
            flight.frames,
            flight.gravity_m_s2,
            flight.gravity_sd_m_s2,
            1e3 * flight.residual_m,
            1e2 * flight.angular_momentum_change,
            flight.gravity_by_first_body_m_s2,
        );
    }
    println!(
        "{:.3} ± {:.3}, by masses {:.3}",
        own.gravity_m_s2, own.sd_m_s2, own.sd_by_masses_m_s2
    );
    // The leap of half a second is among them; hands on the floor, near frame 620, are not.
    assert!(own.flights.iter().any(|own| own.frames.contains(&540) && own.frames.len() > 50));
    assert!(own.flights.iter().all(|own| !own.frames.contains(&620)));
    let off = own.gravity_m_s2 - GRAVITY_M_S2;
    assert!(off.abs() < 0.1 * GRAVITY_M_S2, "{off}");
    assert!(off.abs() < 1.96 * own.sd_m_s2, "{off} with {}", own.sd_m_s2);
    // An error bar that holds everything would say nothing.
    assert!(own.sd_m_s2 < 0.1 * GRAVITY_M_S2, "{}", own.sd_m_s2);
}

#[test]
fn somebody_who_walks_does_not_fly() {
    let Some(folder) = recordings::folder() else { return };
    let trial = read_path(&folder.join("cmu/02_01.c3d"), &ReadOptions::default()).unwrap();
    let performance = job::run(trial, &job::Options::default()).unwrap();
    let (trial, performer) = (&performance.trial, &performance.performers[0]);
    let physics = Physics::of_person(trial, performer, None).unwrap();
    assert!(physics.flights().is_empty(), "{:?}", physics.flights());
}
