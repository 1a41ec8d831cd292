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
