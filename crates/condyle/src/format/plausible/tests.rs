use super::*;
use crate::trial::Format;
use nalgebra::Point3;

/// Frames of a second.
const SECOND: usize = 100;

/// Someone 1.7 units tall along z, read in a unit.
fn standing(scale: f64, unit: LengthUnit) -> Trial {
    standing_for(3, scale, unit)
}

fn standing_for(frames: usize, scale: f64, unit: LengthUnit) -> Trial {
    let mut trial = Trial::new(Format::C3d, SECOND as f64);
    trial.frames = frames;
    trial.source.unit = unit;
    for i in 0..10 {
        let height = 0.05 + 1.65 * f64::from(i) / 9.0;
        let at = Point3::new(0.3 + 0.1 * f64::from(i % 3), -0.2, height) * scale;
        trial.markers.push(Marker::from_positions(format!("M{i}"), (0..frames).map(|_| Some(at))));
    }
    trial
}

fn named(trial: &mut Trial) {
    for (index, label) in [(0, "LTOE"), (1, "RHEE"), (8, "LFHD"), (9, "RBHD")] {
        trial.markers[index].label = label.into();
    }
}

#[test]
fn heads_above_feet_are_not_overruled_and_heads_below_feet_are() {
    let mut right = standing(1.0, LengthUnit::Metre);
    named(&mut right);
    right.source.up = Some(Axis::Z);
    // Points of a model that lie far from everything, and would make the person lie.
    for (index, away_m) in [2.0, -2.4].into_iter().enumerate() {
        let at = Point3::new(0.1, away_m + 2.45, 0.2);
        let label = format!("P{index}_Global");
        right.markers.push(Marker::from_positions(label, [Some(at); 3]));
    }
    let right = checked(right, true);
    assert_eq!((right.source.up, right.notes.len()), (Some(Axis::Z), 0), "{:?}", right.notes);

    let mut wrong = standing(1.0, LengthUnit::Metre);
    named(&mut wrong);
    // Upside down about the middle, so that nothing is below ground.
    wrong.markers.iter_mut().for_each(|marker| {
        for frame in 0..3 {
            let at = marker.position_m(frame).map(|p| Point3::new(p.x, p.y, 1.75 - p.z));
            marker.set(frame, at, crate::trial::Origin::Measured);
        }
    });
    wrong.source.up = Some(Axis::Z);
    let wrong = checked(wrong, true);
    assert_eq!(wrong.source.up, Some(Axis::Z.flipped()));
    assert!(wrong.notes[0].text.contains("heads below feet"), "{:?}", wrong.notes);
}

#[test]
fn someone_who_lies_on_the_floor_keeps_the_declared_axis_and_someone_beside_it_does_not() {
    // Standing along z at some distance from the origin along y, which is declared: on their back with 0.1 m, since
    // then everything rests on a floor.
    for (at_m, up) in [(0.1, Axis::Y), (-0.3, Axis::Z), (0.9, Axis::Z)] {
        let mut trial = standing_for(SECOND, 1.0, LengthUnit::Metre);
        named(&mut trial);
        trial.source.up = Some(Axis::Y);
        let frames = trial.frames;
        for (index, marker) in trial.markers.iter_mut().enumerate() {
            for frame in 0..frames {
                let thick_m = 0.02 * (index % 5) as f64;
                let at = marker.position_m(frame).map(|p| Point3::new(p.x, at_m + thick_m, p.z));
                marker.set(frame, at, crate::trial::Origin::Measured);
            }
        }
        let trial = checked(trial, true);
        assert_eq!(trial.source.up, Some(up), "{at_m}: {:?}", trial.notes);
        let text = &trial.notes[0].text;
        assert_eq!(text.contains("lie on the floor"), up == Axis::Y, "{text}");
    }
    // Whoever rises and sinks by more than they are thick does not lie.
    let mut trial = standing_for(SECOND, 1.0, LengthUnit::Metre);
    trial.source.up = Some(Axis::Y);
    for marker in &mut trial.markers {
        for frame in 0..SECOND {
            let away_m = 0.2 * frame as f64 / SECOND as f64;
            let at = marker.position_m(frame).map(|p| Point3::new(p.x, away_m, p.z));
            marker.set(frame, at, crate::trial::Origin::Measured);
        }
    }
    assert_eq!(checked(trial, true).source.up, Some(Axis::Z));
    // A moment does not show that somebody rests.
    let mut trial = standing(1.0, LengthUnit::Metre);
    trial.source.up = Some(Axis::Y);
    for marker in &mut trial.markers {
        for frame in 0..3 {
            let at = marker.position_m(frame).map(|p| Point3::new(p.x, 0.1, p.z));
            marker.set(frame, at, crate::trial::Origin::Measured);
        }
    }
    assert_eq!(checked(trial, true).source.up, Some(Axis::Z));
}

#[test]
fn what_the_user_says_is_kept_and_its_sense_is_remarked_upon() {
    // Millimetres read as metres.
    let mut trial = standing(1000.0, LengthUnit::Metre);
    trial.source.up = Some(Axis::Z);
    let options = ReadOptions { unit: Some(LengthUnit::Metre), ..ReadOptions::default() };
    check(&mut trial, &options, UnitTrust::Declared);
    assert_eq!(trial.source.unit, LengthUnit::Metre);
    let text = &trial.notes[0].text;
    assert!(text.contains("as asked for") && text.contains("in mm it would be"), "{text}");

    let mut trial = standing(1.0, LengthUnit::Metre);
    trial.source.up = Some(Axis::X);
    let options = ReadOptions { up: Some(Axis::X), ..ReadOptions::default() };
    check(&mut trial, &options, UnitTrust::Declared);
    assert_eq!(trial.source.up, Some(Axis::X));
    let text = &trial.notes[0].text;
    assert!(text.contains("lays everything down") && text.contains("along z"), "{text}");
}

fn checked(mut trial: Trial, declared: bool) -> Trial {
    let trust = if declared { UnitTrust::Declared } else { UnitTrust::Assumed };
    check(&mut trial, &ReadOptions::default(), trust);
    trial
}

fn height_m(trial: &Trial) -> f64 {
    trial.markers.iter().filter_map(|m| m.position_m(0)).map(|p| p.z).fold(0.0, f64::max)
}

#[test]
fn feet_stored_as_metres_are_found() {
    let mut trial = standing(1.0 / 0.3048, LengthUnit::Metre);
    trial.source.up = Some(Axis::Z);
    let trial = checked(trial, true);
    assert_eq!(trial.source.unit, LengthUnit::Foot);
    assert!((height_m(&trial) - 1.7).abs() < 1e-9);
    assert_eq!(trial.notes[0].code, "units");
}

#[test]
fn metres_declared_as_millimetres_are_found() {
    let trial = checked(standing(0.001, LengthUnit::Millimetre), true);
    assert_eq!(trial.source.unit, LengthUnit::Metre);
    assert!((height_m(&trial) - 1.7).abs() < 1e-9);
}

#[test]
fn a_declared_unit_is_overruled_only_by_a_power_of_ten() {
    for (scale, unit) in [(15.0, LengthUnit::Metre), (0.01, LengthUnit::Millimetre)] {
        let trial = standing(scale, unit);
        let checked = checked(trial.clone(), true);
        assert_eq!((checked.source.unit, checked.markers), (unit, trial.markers));
    }
}

#[test]
fn feet_called_metres_without_an_up_axis_are_only_doubted() {
    let trial = checked(standing(1.0 / 0.3048, LengthUnit::Metre), true);
    assert_eq!(trial.source.unit, LengthUnit::Metre);
    assert!(trial.notes[0].text.contains("these are feet"), "{:?}", trial.notes);
}

#[test]
fn a_plausible_declaration_is_left_alone() {
    let mut trial = standing(1.0, LengthUnit::Millimetre);
    trial.source.up = Some(Axis::Z);
    assert_eq!(checked(trial.clone(), true), trial);
}

#[test]
fn the_callers_unit_and_axis_are_kept_whatever_is_said_of_them() {
    let mut trial = standing(1000.0, LengthUnit::Metre);
    let options =
        ReadOptions { unit: Some(LengthUnit::Metre), up: Some(Axis::Y), ..ReadOptions::default() };
    trial.source.up = options.up;
    let before = trial.clone();
    check(&mut trial, &options, UnitTrust::Declared);
    assert_eq!((&trial.markers, &trial.source), (&before.markers, &before.source));
    assert!(trial.notes.iter().all(|note| note.text.contains("as asked for")));
}

#[test]
fn up_is_guessed_flipped_or_doubted_with_a_note() {
    let guessed = checked(standing(1.0, LengthUnit::Metre), true);
    assert_eq!(guessed.source.up, Some(Axis::Z));
    let mut upside_down = standing(1.0, LengthUnit::Metre);
    upside_down.source.up = Some(Axis::NegativeZ);
    assert_eq!(checked(upside_down, true).source.up, Some(Axis::Z));
    let mut lying = standing(1.0, LengthUnit::Metre);
    lying.source.up = Some(Axis::Y);
    let lying = checked(lying, true);
    assert_eq!(lying.source.up, Some(Axis::Z));
    assert!(lying.notes[0].text.contains("up-axis y, as declared, would lay everything down"));
    // Arms spread wide might as well be what stands.
    let mut doubtful = standing(1.0, LengthUnit::Metre);
    for (y, label) in [(-0.8, "LFIN"), (0.7, "RFIN")] {
        let hand = Some(Point3::new(0.3, y, 1.4));
        doubtful.markers.push(Marker::from_positions(label, [hand; 3]));
    }
    doubtful.source.up = Some(Axis::Y);
    let doubtful = checked(doubtful, true);
    assert_eq!(doubtful.source.up, Some(Axis::Y));
    assert!(doubtful.notes[0].text.contains("the markers stand along z"));
}

/// A person of another size, walking, as a file has it whose numbers are so many of its units a metre.
#[cfg(feature = "simulate")]
fn walker(size: f64, units_of_a_metre: f64, unit: LengthUnit) -> Trial {
    use crate::simulate::{Options, Performer, Routine, simulate};
    let options = Options {
        routine: Routine::Walk,
        seconds: 1.0,
        rate_hz: 50.0,
        marker_set: Some("plug-in-gait".into()),
        ..Options::default()
    };
    let mut trial = simulate(&Performer::human().scaled(size), &options).unwrap().trial;
    trial.scale_lengths(units_of_a_metre * unit.metres());
    trial.source.unit = unit;
    trial
}

#[cfg(feature = "simulate")]
#[test]
fn people_whom_the_declared_unit_makes_dwarfs_are_read_in_the_one_that_makes_them_people() {
    use LengthUnit::{Centimetre, Foot, Inch, Metre, Millimetre};
    for (declared, stored, units) in [
        (Millimetre, Centimetre, 1e2),
        (Millimetre, Inch, 1.0 / 0.0254),
        (Centimetre, Millimetre, 1e3),
        (Inch, Centimetre, 1e2),
        (Centimetre, Foot, 1.0 / 0.3048),
        (Metre, Inch, 1.0 / 0.0254),
        (Millimetre, Foot, 1.0 / 0.3048),
        (Millimetre, Metre, 1.0),
    ] {
        let trial = checked(walker(1.0, units, declared), true);
        assert_eq!(trial.source.unit, stored, "{declared}: {:?}", trial.notes);
        let note = &trial.notes[0];
        assert!(note.code == "units" && note.text.contains("read as"), "{note:?}");
    }
    // No unit, or more than one, makes people of them.
    for (size, units, wanted) in [
        (0.2, 1e3, "in any unit"),
        (3.0, 1e3, "in any unit"),
        (1.15, 1.0 / 0.0254, "say which unit"),
    ] {
        let trial = checked(walker(size, units, Millimetre), true);
        assert_eq!(trial.source.unit, Millimetre);
        assert!(trial.notes[0].text.contains(wanted), "{size}: {:?}", trial.notes);
    }
}

#[cfg(feature = "simulate")]
#[test]
fn toddlers_and_giants_raise_no_question_of_units() {
    for size in [0.44, 0.6, 1.0, 1.25] {
        let trial = checked(walker(size, 1e3, LengthUnit::Millimetre), true);
        assert!(trial.notes.iter().all(|n| n.code != "units"), "{size}: {:?}", trial.notes);
    }
}
