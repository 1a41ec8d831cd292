use nalgebra::{Point3, Vector3};

use super::*;
use crate::trial::{Axis, Event, Format, Marker};

/// A walker along x whose feet rest 0.6 s and swing 0.4 s, half a cycle apart, with markers of Plug-in Gait.
fn walker(frames: usize, speed_m_s: f64, belt_m_s: f64) -> Trial {
    let rate_hz = 100.0;
    let mut trial = Trial::new(Format::C3d, rate_hz);
    trial.source.up = Some(Axis::Z);
    let stride_m = speed_m_s;
    let foot_m = |t: f64, phase: f64| {
        let cycle = (t - phase).floor();
        let at = t - phase - cycle;
        let swing = ((at - 0.6) / 0.4).clamp(0.0, 1.0);
        let ahead = swing * swing * (3.0 - 2.0 * swing);
        let lift = 0.08 * (std::f64::consts::PI * swing).sin().powi(2);
        Vector3::new((cycle + phase + ahead) * stride_m, 0.0, lift)
    };
    let mut add = |label: &str, place: &dyn Fn(f64) -> Vector3<f64>| {
        let belt = |t: f64| Vector3::new(-belt_m_s * t, 0.0, 0.0);
        let positions = (0..frames).map(|frame| {
            let t = frame as f64 / rate_hz;
            Some(Point3::from(place(t) + belt(t)))
        });
        trial.markers.push(Marker::from_positions(label, positions));
    };
    for (label, x, y) in
        [("LASI", 0.1, 0.12), ("RASI", 0.1, -0.12), ("LPSI", -0.1, 0.05), ("RPSI", -0.1, -0.05)]
    {
        add(label, &move |t| Vector3::new(speed_m_s * (t - 0.3) + x, y, 0.95));
    }
    for (side, phase, y) in [("L", 0.0, 0.1), ("R", 0.5, -0.1)] {
        let foot = |t: f64| foot_m(t, phase);
        for (name, x, z) in [("HEE", -0.05, 0.04), ("TOE", 0.14, 0.05), ("ANK", 0.0, 0.08)] {
            add(&format!("{side}{name}"), &move |t| foot(t) + Vector3::new(x, y, z));
        }
        add(&format!("{side}TIB"), &move |t| foot(t) + Vector3::new(0.03, y, 0.3));
        add(&format!("{side}KNE"), &move |t| foot(t) + Vector3::new(0.03, y, 0.5));
        add(&format!("{side}THI"), &move |t| {
            foot(t) * 0.5 + Vector3::new(speed_m_s * t / 2.0, y, 0.7)
        });
    }
    trial.frames = frames;
    trial
}

fn gait(trial: &Trial, from: EventsFrom) -> Gait {
    analyse(trial, &feet(trial).unwrap()[0], from)
}

fn parameter(gait: &Gait, name: &str, side: Side) -> f64 {
    gait.parameters.iter().find(|own| own.name == name && own.side == side).unwrap().value
}

#[test]
fn a_walker_has_its_events_and_its_parameters() {
    for belt_m_s in [0.0, 1.2] {
        let gait = gait(&walker(600, 1.2, belt_m_s), EventsFrom::Markers);
        assert_eq!(gait.kind, Some(GaitKind::Walking), "{:?}", gait.notes);
        let strikes = gait.events.iter().filter(|e| e.kind == EventKind::FootStrike);
        for strike in strikes {
            let phase = if strike.side == Side::Left { 0.0 } else { 0.5 };
            let off_s = (strike.time_s - phase) - (strike.time_s - phase).round();
            assert!(off_s.abs() < 0.06, "{strike:?}");
        }
        for side in [Side::Left, Side::Right] {
            assert!((parameter(&gait, "stride_time", side) - 1.0).abs() < 0.005);
            assert!((parameter(&gait, "cadence", side) - 120.0).abs() < 0.6);
            assert!(
                (parameter(&gait, "stride_length", side) - 1.2).abs() < 0.01,
                "{belt_m_s} {}",
                parameter(&gait, "stride_length", side)
            );
            assert!((parameter(&gait, "step_length", side) - 0.6).abs() < 0.02);
            assert!((parameter(&gait, "step_width", side) - 0.2).abs() < 0.005);
            assert!((parameter(&gait, "opposite_foot_contact", side) - 50.0).abs() < 1.0);
        }
    }
}

#[test]
fn whoever_walks_backwards_has_the_events_of_the_reverse() {
    let ahead = walker(601, 1.2, 0.0);
    let mut back = ahead.clone();
    for (marker, own) in back.markers.iter_mut().zip(&ahead.markers) {
        let places = (0..601).rev().map(|frame| own.position_m(frame));
        *marker = Marker::from_positions(&own.label, places);
    }
    let [ahead, back] = [ahead, back].map(|trial| gait(&trial, EventsFrom::Markers));
    assert!(!ahead.notes.iter().any(|note| note.code == "gait-backwards"));
    assert!(back.notes.iter().any(|note| note.code == "gait-backwards"), "{:?}", back.notes);
    assert_eq!(ahead.events.len(), back.events.len());
    for (event, mirrored) in ahead.events.iter().zip(back.events.iter().rev()) {
        assert!((event.time_s + mirrored.time_s - 6.0).abs() < 1e-6, "{event:?} {mirrored:?}");
        assert!(event.kind != mirrored.kind && event.side == mirrored.side);
        assert!(mirrored.sd_s > event.sd_s);
    }
}

#[test]
fn one_step_standing_and_missing_feet_say_so() {
    let step = gait(&walker(60, 1.2, 0.0), EventsFrom::Auto);
    assert!(step.parameters.is_empty(), "{:?}", step.parameters);
    let standing = gait(&walker(600, 0.0, 0.0), EventsFrom::Auto);
    assert!(standing.events.is_empty());
    assert_eq!(standing.notes[0].code, "no-gait");
    let mut footless = walker(100, 1.2, 0.0);
    footless.markers.retain(|m| !["RHEE", "RTOE"].contains(&m.label.as_str()));
    let error = feet(&footless).unwrap_err();
    assert_eq!(error.to_string(), "need markers on the right foot, got none that are seen");
    assert_eq!(error.code(), Some("no-feet"));
    let mut lost = walker(100, 1.2, 0.0);
    lost.source.up = None;
    assert!(feet(&lost).unwrap_err().to_string().contains("which axis is up"));
}

fn with_events(events: &[(&str, &str, f64)]) -> Trial {
    let mut trial = walker(600, 1.2, 0.0);
    let event = |(label, context, time_s): &(&str, &str, f64)| {
        let mut event = Event::new(*label, *time_s);
        event.context = (*context).to_owned();
        event
    };
    trial.events = events.iter().map(event).collect();
    trial
}

#[test]
fn events_of_the_file_count_first_and_make_exact_parameters() {
    let trial = with_events(&[
        ("Foot Strike", "Left", 1.0),
        ("Foot Off", "Right", 1.1),
        ("Foot Strike", "Right", 1.5),
        ("Foot Off", "Left", 1.6),
        ("Foot Strike", "Left", 2.0),
    ]);
    let gait = gait(&trial, EventsFrom::Auto);
    assert!(gait.events.iter().all(|event| event.source == Source::File));
    for (name, wanted) in [
        ("stride_time", 1.0),
        ("step_time", 0.5),
        ("single_support", 0.4),
        ("double_support", 0.2),
        ("foot_off", 60.0),
        ("opposite_foot_off", 10.0),
        ("opposite_foot_contact", 50.0),
        ("cadence", 120.0),
        ("stride_length", 1.2),
        ("speed", 1.2),
        ("step_length", 0.6),
        ("step_width", 0.2),
    ] {
        assert!((parameter(&gait, name, Side::Left) - wanted).abs() < 1e-9, "{name}");
    }
    assert!(!gait.parameters.iter().any(|own| own.side == Side::Right));
}

#[test]
fn events_in_no_order_are_said_and_markers_count_instead() {
    let trial = with_events(&[
        ("Foot Strike", "Left", 1.0),
        ("Foot Strike", "Left", 1.3),
        ("Foot Off", "Left", 1.6),
    ]);
    let found = gait(&trial, EventsFrom::Auto);
    assert!(found.notes.iter().any(|note| note.code == "gait-events-order"), "{:?}", found.notes);
    assert!(found.events.iter().all(|event| event.source == Source::Markers));
    let none = gait(&trial, EventsFrom::File);
    assert!(none.events.is_empty() && none.notes.iter().any(|note| note.code == "no-gait-events"));
    let two = with_events(&[("Foot Strike", "Left", 1.0), ("Foot Off", "Left", 1.6)]);
    assert!(gait(&two, EventsFrom::File).notes.iter().any(|note| note.code == "no-stride"));
}

#[test]
fn the_score_is_the_rms_difference_and_tables_come_back() {
    let curve = |side, joint: &str, angle: &str, mean: f64| MeanCycle {
        side,
        joint: joint.into(),
        angle: angle.into(),
        points: (0..POINTS).map(|_| Some((mean, 1.0, 3))).collect(),
    };
    let all = |mean: f64| -> Vec<MeanCycle> {
        let sides = [Side::Left, Side::Right].into_iter();
        sides
            .flat_map(|side| VARIABLES.map(|(joint, angle)| curve(side, joint, angle, mean)))
            .collect()
    };
    let found = scores(&all(5.0), &all(2.0));
    assert_eq!(found.len(), 2 * 10 + 1);
    assert!(found.iter().all(|score| (score.value_deg - 3.0).abs() < 1e-9));
    let partial: Vec<MeanCycle> = all(5.0).into_iter().skip(1).collect();
    assert!(
        !scores(&partial, &all(2.0)).iter().any(|s| s.name == "gps" && s.side != Some(Side::Right))
    );
    let read = from_csv(&to_csv(&all(5.0))).unwrap();
    assert_eq!(scores(&read, &all(2.0)), found);
    assert!(from_csv("side,joint\n").unwrap_err().to_string().contains("got no angle"));
    assert!(from_csv(&format!("{COLUMNS}\nleft,knee,flexion,101,1,1,1\n")).is_err());
    assert!(from_csv("").is_err());
}
