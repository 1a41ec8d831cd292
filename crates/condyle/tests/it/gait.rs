//! Gait in public recordings: parameters as the file's own program has them, and no steps where there are none.
use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::gait::{self, EventKind, EventsFrom, Gait, GaitKind, Side};
use condyle::trial::parameters::{self, Parameter};
use nalgebra::{UnitQuaternion, Vector3};

use crate::recordings;

fn read(name: &str) -> Option<Trial> {
    Some(read_path(&recordings::folder()?.join(name), &ReadOptions::default()).unwrap())
}

fn analysed(trial: &Trial, from: EventsFrom) -> Gait {
    gait::analyse(trial, &gait::feet(trial).unwrap()[0], from)
}

/// Name, side and value of every entry of the group ANALYSIS.
fn stored(trial: &Trial) -> Vec<(String, Side, f64)> {
    let find = |name| parameters::find(&trial.parameters, "ANALYSIS", name).unwrap();
    let names = find("NAMES").to_strings();
    let sides = find("CONTEXTS").to_strings();
    let values = Parameter::to_numbers(find("VALUES"));
    let side = |text: &str| if text == "Left" { Side::Left } else { Side::Right };
    let rows = names.into_iter().zip(sides).zip(values);
    rows.map(|((name, context), value)| (name, side(&context), value)).collect()
}

/// The value of the first stride of a side that has all events.
fn first(gait: &Gait, name: &str, side: Side) -> f64 {
    let complete = |stride: &&gait::Stride| {
        stride.opposite_strike_s.is_some()
            && stride.opposite_off_s.is_some()
            && stride.off_s.is_some()
    };
    let own: Vec<_> = gait.strides.iter().filter(|stride| stride.side == side).collect();
    let at = own.iter().position(complete).unwrap();
    let found = gait.parameters.iter().find(|own| own.name == name && own.side == side).unwrap();
    // Strides before the first complete one may lack this parameter.
    let missing = own.len() - found.strides.len();
    found.strides[at.saturating_sub(missing)]
}

#[test]
fn all_values_that_plug_in_gait_stored_come_out_of_the_files_own_events() {
    let Some(trial) = read("btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d") else { return };
    let gait = analysed(&trial, EventsFrom::File);
    let stored = stored(&trial);
    assert_eq!(stored.len(), 22);
    for (name, side, value) in stored {
        let ours = match name.as_str() {
            "Walking Speed" => "speed".to_owned(),
            other => other.to_lowercase().replace(' ', "_"),
        };
        let found = first(&gait, &ours, side);
        assert!((found / value - 1.0).abs() < 1e-3, "{name} {side:?}: {found}, stored {value}");
    }
}

#[test]
fn all_values_of_an_older_dialect_come_out_of_its_definitions() {
    // Cadence in strides a second, times in per cent of the stride, lengths in millimetres, all of the first stride of a
    // side. Its step length is straight, from the side's own strike to the opposite one. Where no opposite off is within
    // the stride it takes the next there is, and so gets 122 % of double support, which ours leave out.
    let Some(trial) = read("c3dorg/sample_03/gait-pig.c3d") else { return };
    let gait = analysed(&trial, EventsFrom::File);
    let toe_m = |side: Side, time_s: f64| {
        let label = if side == Side::Left { "LTOE" } else { "RTOE" };
        let toe = trial.markers.iter().find(|marker| marker.name() == label).unwrap();
        toe.position_m(((time_s - trial.start_s) * trial.rate_hz).round() as usize).unwrap()
    };
    let stored = stored(&trial);
    assert_eq!(stored.len(), 21);
    for (name, side, value) in stored {
        let of = |name: &str| {
            let found = gait.parameters.iter().find(|own| own.name == name && own.side == side);
            found.unwrap().strides[0]
        };
        let stride = gait.strides.iter().find(|stride| stride.side == side).unwrap();
        let opposite_strike_s = stride.opposite_strike_s.unwrap();
        let percent = |s: f64| 100.0 * s / stride.time_s();
        let is_off = |e: &&gait::GaitEvent| e.side != side && e.kind == EventKind::FootOff;
        let next_off_s = || gait.events.iter().filter(is_off).map(|event| event.time_s);
        let opposite_off_s = next_off_s().find(|s| *s > stride.start_s).unwrap();
        let found = match name.as_str() {
            "Cadence" => of("cadence") / 120.0,
            "Stride Time" => stride.time_s(),
            "Opposite Foot Off" => percent(opposite_off_s - stride.start_s),
            "Opposite Foot Contact" => of("opposite_foot_contact"),
            "Step Time" => percent(of("step_time")),
            "Single Support" => percent(of("single_support")),
            "Double Support" => {
                percent(opposite_off_s - stride.start_s + stride.off_s.unwrap() - opposite_strike_s)
            }
            "Foot Off" => of("foot_off"),
            "Stride Length" => 1e3 * of("stride_length"),
            "Step Length" => {
                let there_m = toe_m(side.opposite(), opposite_strike_s);
                1e3 * (there_m - toe_m(side, stride.start_s)).norm()
            }
            "Walking Speed" => 1e3 * of("speed"),
            other => panic!("{other} is no value of this dialect"),
        };
        assert!((found / value - 1.0).abs() < 1e-3, "{name} {side:?}: {found}, stored {value}");
    }
    // Of two left strides ours count the double support of the second alone.
    let of_left = |name: &str| {
        let of = gait.parameters.iter().find(|p| p.name == name && p.side == Side::Left);
        of.unwrap().strides.len()
    };
    let counts = ["stride_time", "double_support", "opposite_foot_off"].map(of_left);
    assert_eq!(counts, [2, 1, 1]);
}

#[test]
fn detected_events_measure_what_the_files_events_do() {
    let Some(trial) = read("btkdata/PiG/PiG_Motion3_FF.c3d") else { return };
    let [file, markers] =
        [EventsFrom::File, EventsFrom::Markers].map(|from| analysed(&trial, from));
    let value = |gait: &Gait, name: &str, side| {
        let found = gait.parameters.iter().find(|own| own.name == name && own.side == side);
        found.unwrap().value
    };
    for side in [Side::Left, Side::Right] {
        let [a, b] = [&file, &markers].map(|gait| value(gait, "speed", side));
        assert!((a / b - 1.0).abs() < 0.02, "{side:?}: speed {a}, {b}");
        let [a, b] = [&file, &markers].map(|gait| value(gait, "stride_time", side));
        assert!((a - b).abs() < 0.015, "{side:?}: stride time {a}, {b}");
        let [a, b] = [&file, &markers].map(|gait| value(gait, "foot_off", side));
        assert!((a - b).abs() < 2.5, "{side:?}: foot off {a}, {b}");
    }
    for event in &file.events {
        let same = |own: &&gait::GaitEvent| own.side == event.side && own.kind == event.kind;
        let near = markers.events.iter().filter(same).map(|own| (own.time_s - event.time_s).abs());
        assert!(near.fold(1.0, f64::min) < 0.03, "{event:?}");
    }
}

#[test]
fn what_is_no_gait_has_no_events_and_running_and_stairs_are_known() {
    let Some(folder) = recordings::folder() else { return };
    for name in [
        "cmu/01_01.c3d",
        "cmu/02_05.c3d",
        "cmu/85_02.c3d",
        "btkdata/others/FunctionalStatic.c3d",
        "btkdata/others/FunctionalLHip.c3d",
        "btkdata/PiG/PiG_Calibration3_FF.c3d",
        "millard2017/stoop1.c3d",
        "biomechzoo/Wrist_Shot_Top_Left_009kin_fit.c3d",
        "numediart/LShoulderFlexExt.c3d",
    ] {
        let trial = read_path(&folder.join(name), &ReadOptions::default()).unwrap();
        for feet in gait::feet(&trial).unwrap_or_default() {
            let gait = gait::analyse(&trial, &feet, EventsFrom::Markers);
            assert!(gait.events.is_empty(), "{name}: {:?}", gait.events);
            assert_eq!(gait.notes.last().unwrap().code, "no-gait", "{name}");
        }
    }
    let kind = |name| analysed(&read(name).unwrap(), EventsFrom::Markers).kind;
    assert_eq!(kind("nimble/JA1Gait35.c3d"), Some(GaitKind::Running));
    assert_eq!(kind("wkiro/AJ026_Run_Comfortable1.c3d"), Some(GaitKind::Running));
    let stairs = analysed(&read("pycgm/Movement_trial.c3d").unwrap(), EventsFrom::Markers);
    assert_eq!((stairs.kind, stairs.events.len()), (Some(GaitKind::Stairs), 0));
    assert!(stairs.notes.iter().any(|note| note.code == "gait-stairs"));
}

#[test]
fn plates_of_types_2_and_4_with_the_same_feet_have_the_same_events() {
    let (Some(two), Some(four)) =
        (read("c3dorg/sample_10/TYPE-2.C3D"), read("c3dorg/sample_10/TYPE-4.C3D"))
    else {
        return;
    };
    let [two, four] = [two, four].map(|trial| analysed(&trial, EventsFrom::Plates));
    assert_eq!((two.events.len(), four.events.len()), (2, 2));
    for (a, b) in two.events.iter().zip(&four.events) {
        assert!((a.time_s - b.time_s).abs() < 1e-3 && a.kind == b.kind, "{a:?} {b:?}");
    }
    assert_eq!(two.events[0].kind, EventKind::FootStrike);
}

#[test]
fn events_outside_the_recording_are_said_and_not_used() {
    use condyle::simulate::{Options, Performer, Routine, simulate};
    let marker_set = Some("plug-in-gait".into());
    let options =
        Options { routine: Routine::Walk, seconds: 5.0, marker_set, ..Options::default() };
    let mut trial = simulate(&Performer::human(), &options).unwrap().trial;
    let before = analysed(&trial, EventsFrom::File);
    assert!(before.notes.iter().all(|note| note.code != "gait-events-outside"));
    assert!(before.events.len() > 6);
    trial.events.iter_mut().for_each(|event| event.time_s += 100.0);
    let gait = analysed(&trial, EventsFrom::File);
    assert!(gait.events.is_empty());
    assert!(gait.notes.iter().any(|note| note.code == "gait-events-outside"), "{:?}", gait.notes);
}

#[test]
fn feet_point_as_plug_in_gait_has_them_also_near_foot_off() {
    // The line from heel to toe stands nearly upright there: its level direction was up to 40 degrees off.
    for name in ["btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d", "c3dorg/sample_03/gait-pig.c3d"] {
        let Some(trial) = read(name) else { return };
        let own = condyle::job::run(trial.clone(), &condyle::job::Options::default()).unwrap();
        let found = gait::of_performance(&trial, Some(&own), EventsFrom::File).unwrap();
        let mut apart_deg = Vec::new();
        let is_foot = |cycle: &&gait::Cycle| cycle.joint == "foot";
        for side in [Side::Left, Side::Right] {
            let label =
                if side == Side::Left { "LFootProgressAngles" } else { "RFootProgressAngles" };
            let stored = trial.markers.iter().find(|marker| marker.name() == label).unwrap();
            let strides = found[0].gait.strides.iter().filter(|stride| stride.side == side);
            let cycles = found[0].cycles.iter().filter(is_foot).filter(|cycle| cycle.side == side);
            for (stride, cycle) in strides.zip(cycles) {
                for (percent, ours) in cycle.values_deg.iter().enumerate() {
                    let time_s = stride.start_s + stride.time_s() * percent as f64 / 100.0;
                    let frame = ((time_s - trial.start_s) * trial.rate_hz).round() as usize;
                    // Angles stand among the points in degrees, which are read as millimetres.
                    let theirs = stored.position_m(frame).map(|angles| 1e3 * angles.z);
                    apart_deg.extend(ours.zip(theirs).map(|(ours, theirs)| (ours - theirs).abs()));
                }
            }
        }
        assert!(apart_deg.len() > 250, "{name}: {}", apart_deg.len());
        let most = apart_deg.iter().copied().fold(0.0, f64::max);
        let rms = condyle::statistics::rms(apart_deg).unwrap();
        assert!(rms < 5.0 && most < 15.0, "{name}: {rms} rms, {most} at most");
    }
}

#[test]
fn joint_centres_over_the_stride_are_seen_from_beside_the_walker() {
    let options = condyle::simulate::Options {
        routine: condyle::simulate::Routine::Walk,
        seconds: 5.0,
        marker_set: Some("plug-in-gait".into()),
        seed: 5,
        ..Default::default()
    };
    let person = condyle::simulate::Performer::human();
    let trial = condyle::simulate::simulate(&person, &options).unwrap().trial;
    let mean = |trial: &Trial| {
        let own = condyle::job::run(trial.clone(), &condyle::job::Options::default()).unwrap();
        let found = gait::of_performance(trial, Some(&own), EventsFrom::Markers).unwrap();
        gait::mean_centres(&found[0].centres)
    };
    let centres = mean(&trial);
    let curve = |centres: &[gait::MeanCentre], side: Side, joint: &str, axis: &str| -> Vec<f64> {
        let is_it = |own: &&gait::MeanCentre| {
            (own.side, own.joint.as_str(), own.axis) == (side, joint, axis)
        };
        let found = centres.iter().find(is_it).unwrap();
        found.points.iter().map(|point| point.unwrap().0).collect()
    };
    for side in [Side::Left, Side::Right] {
        let own = |joint: &str, axis: &str| {
            curve(&centres, side, &format!("{} {joint}", side.name()), axis)
        };
        let other = |joint: &str, axis: &str| {
            curve(&centres, side, &format!("{} {joint}", side.opposite().name()), axis)
        };
        for axis in gait::AXES {
            // The middle of the hips is the origin at both strikes.
            let middle = |at: usize| own("hip", axis)[at] + other("hip", axis)[at];
            assert!(middle(0).abs().max(middle(100).abs()) < 1e-9, "{side:?} {axis}");
        }
        let to_the_right = if side == Side::Right { 1.0 } else { -1.0 };
        let hips = own("hip", "right").into_iter().zip(other("hip", "right"));
        for (own_m, other_m) in hips {
            assert!(to_the_right * (own_m - other_m) > 0.1, "{side:?}: {own_m} {other_m}");
        }
        assert!(own("ankle", "up").iter().all(|up_m| (-1.1..-0.5).contains(up_m)));
        // The foot strikes ahead of the body, the other one is behind it then, and both change over.
        let [own, other] = [own("ankle", "ahead"), other("ankle", "ahead")];
        assert!(own[0] > 0.1 && other[0] < -0.1, "{} {}", own[0], other[0]);
        assert!(own[50] < 0.0 && other[50] > 0.0, "{} {}", own[50], other[50]);
    }
    // Whoever walks elsewhere in another direction has the same curves.
    let up = trial.source.up.unwrap().direction();
    let turn = UnitQuaternion::from_scaled_axis(1.0 * up);
    let mut moved = trial.clone();
    for marker in &mut moved.markers {
        for frame in 0..trial.frames {
            let there = marker.position_m(frame).map(|at_m| turn * at_m + Vector3::repeat(0.7));
            let origin = marker.origin(frame);
            marker.set(frame, there, origin);
        }
    }
    let again = mean(&moved);
    assert_eq!(again.len(), centres.len());
    for own in &centres {
        let before = curve(&centres, own.side, &own.joint, own.axis);
        let after = curve(&again, own.side, &own.joint, own.axis);
        let apart = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 2e-3, "{:?} {} {}: {apart} m", own.side, own.joint, own.axis);
    }
}
