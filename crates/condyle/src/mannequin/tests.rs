use super::*;
use crate::figure::Follower;
use crate::job;
use crate::simulate::{self, Performer};
use crate::solid::ClosedSurface;

fn solved(performer: &Performer) -> job::Performance {
    let options = simulate::Options { seconds: 3.0, rate_hz: 50.0, ..simulate::Options::default() };
    let trial = simulate::simulate(performer, &options).unwrap().trial;
    job::run(trial, &job::Options::default()).unwrap()
}

#[test]
fn a_figure_weighs_what_is_said_and_hangs_together() {
    for performer in [Performer::human(), Performer::dog(), Performer::arm()] {
        let performance = solved(&performer);
        let subject = &performance.performers[0].subject;
        let own = Mannequin::of_subject(subject, Some(62.5)).unwrap();
        assert!((own.figure.mass_kg() - 62.5).abs() < 1e-9);
        for (at, segment) in own.figure.segments().iter().enumerate() {
            let solid = &segment.solid;
            // No tetrahedron is inverted, and the outside encloses what they fill.
            let surface =
                ClosedSurface::new(solid.vertices_m().to_vec(), solid.triangles().to_vec());
            let surface = surface.unwrap();
            let volume = surface.mass_properties(1.0).volume_m3;
            assert!((volume - solid.mass_properties(1.0).volume_m3).abs() < 1e-9 * volume);
            assert!(surface.crossings(1).is_empty(), "{}", segment.name);
            // A flat one is refused when the figure is read again, for what rounding makes of it.
            let angle_rad = solid.tetrahedra().unwrap().smallest_dihedral_rad();
            assert!(angle_rad > 1e-2, "{}: {angle_rad}", segment.name);
            let Some(parent) = segment.parent else { continue };
            // Both solids hold the joint: none is detached.
            let centre_m = segment.joint.centre_m;
            assert!(surface.contains(&centre_m), "{}", segment.name);
            let above = &own.figure.segments()[parent].solid;
            let above = ClosedSurface::new(above.vertices_m().to_vec(), above.triangles().to_vec());
            assert!(above.unwrap().contains(&centre_m), "{} {at}", segment.name);
        }
        let taller = own.clone().with_height_m(1.9);
        assert!((taller.height_m - 1.9).abs() < 1e-12);
        assert!((taller.figure.mass_kg() - 62.5).abs() < 1e-9);
    }
}

#[test]
fn a_person_has_a_persons_masses_and_stands_upright() {
    let performance = solved(&Performer::human());
    let performer = &performance.performers[0];
    let own = Mannequin::of_subject(&performer.subject, None).unwrap();
    assert!(own.has_masses_of_people && own.notes.is_empty());
    assert!((own.figure.mass_kg() - opensim::USUAL_WEIGHT_KG).abs() < 1e-9);
    assert!((1.3..2.1).contains(&own.height_m), "{}", own.height_m);
    // It follows the motion it came from, as far as its freedoms go.
    let mut follower = Follower::new(&own.figure);
    let frame = performance.trial.frames / 2;
    let poses: Vec<Option<Isometry3<f64>>> = (0..own.figure.segments().len())
        .map(|segment| {
            let pose = performer.motion.world_from_segment(frame, segment)?;
            Some(own.world_from_rest(segment, &pose))
        })
        .collect();
    let followed = follower.follow(&poses);
    assert!(followed.values.iter().all(Option::is_some));
    assert!(followed.residual_m.iter().all(|left_m| *left_m < 0.02), "{:?}", followed.residual_m);
}

#[test]
fn a_person_has_the_volume_and_the_breadth_of_a_person() {
    let performance = solved(&Performer::human());
    let own = Mannequin::of_subject(&performance.performers[0].subject, None).unwrap();
    let segments = own.figure.segments();
    let volume_m3 = |name: &str| -> f64 {
        let of = segments.iter().filter(|segment| segment.name.ends_with(name));
        of.map(|segment| segment.solid.mass_properties(1.0).volume_m3).sum()
    };
    let stature_m = own.height_m;
    // A body is about as heavy as water: 70 kg at 1.75 m, as the cube of the stature; joints are counted twice.
    let expected_m3 = 0.070 * (stature_m / 1.75).powi(3);
    let share = volume_m3("") / expected_m3;
    assert!((0.75..1.35).contains(&share), "{share} at {stature_m} m");
    // The table has 31 % of the mass in the chest and 3 % in both forearms.
    let chest = volume_m3("chest") / volume_m3("");
    assert!((0.18..0.40).contains(&chest), "{chest}");
    assert!((0.015..0.06).contains(&(volume_m3("forearm") / volume_m3(""))));
    let breadth_m = |name: &str| {
        let segment = segments.iter().find(|segment| segment.name.ends_with(name)).unwrap();
        let across = || segment.solid.vertices_m().iter().map(|vertex_m| vertex_m.y);
        across().fold(f64::NEG_INFINITY, f64::max) - across().fold(f64::INFINITY, f64::min)
    };
    for (name, range) in [("chest", 0.13..0.23), ("pelvis", 0.15..0.24), ("head", 0.07..0.11)] {
        assert!(range.contains(&(breadth_m(name) / stature_m)), "{name} {}", breadth_m(name));
    }
}

#[test]
fn a_dog_is_not_stood_on_its_hind_legs() {
    let performance = solved(&Performer::dog());
    let own = Mannequin::of_subject(&performance.performers[0].subject, None).unwrap();
    let first = own.figure_from_segments[0];
    assert!(first.rotation.angle() < 1e-9, "{first}");
}
