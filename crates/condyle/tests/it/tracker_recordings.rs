//! Recordings of trackers, which are not part of the project.

use crate::recordings;
use std::path::Path;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::rigid::{Pair, Shape, place};
use condyle::subject::{CentreKnown, JointKind};
use condyle::trackers::{self, pivot};
use nalgebra::{Isometry3, Point3};

fn read(path: &Path) -> Trial {
    read_path(path, &ReadOptions::default()).unwrap()
}

#[test]
fn two_polhemus_sensors_on_a_hinge_are_on_one() {
    let Some(folder) = recordings::folder() else { return };
    for (name, most_m) in
        [("Polhemus_90degX(clean)_2data.csv", 0.003), ("Polhemus_90degY_2data.csv", 0.010)]
    {
        let trial = read(&folder.join("magnetic/polhemus_liberty").join(name));
        assert_eq!(trial.bodies.len(), 2);
        let codes: Vec<_> = trial.notes.iter().map(|note| &*note.code).collect();
        assert_eq!(codes, ["unit-assumed", "time-not-uniform", "poses-repeated"]);
        let fitted = trackers::fit(&trial.bodies, &trackers::Options::default()).unwrap();
        let joint = &fitted.subject.joints()[0];
        let turned_deg = joint.range_rad.to_degrees();
        println!(
            "{name}: {:?}, {turned_deg:.1} degrees, {:.1} mm left",
            joint.kind,
            joint.separation_m * 1e3
        );
        assert_eq!(joint.kind, JointKind::Hinge);
        assert!((85.0..110.0).contains(&turned_deg) && joint.separation_m < most_m, "{turned_deg}");
    }
}

/// The poses of what carries all markers of a recording.
fn poses(trial: &Trial) -> Vec<Option<Isometry3<f64>>> {
    let markers: Vec<usize> = (0..trial.markers.len()).collect();
    let shape = Shape::learn(trial, &markers).unwrap();
    let pose = |frame: usize| {
        let pairs = shape.points_in_segment_m.iter().zip(&markers).map(|(point, marker)| Pair {
            in_segment_m: *point,
            in_world_m: trial.markers[*marker].position_m(frame).unwrap(),
            weight: 1.0,
        });
        Some(place(pairs)?.world_from_segment)
    };
    (0..trial.frames).map(pose).collect()
}

/// The three numbers after a key of an auxiliary file, in metres.
fn stated(folder: &Path, set: &str, key: &str) -> Point3<f64> {
    let path = folder.join(format!("magnetic/jhu_pivot/pa1-debug-{set}-auxilliary1.txt"));
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().find(|line| line.starts_with(key)).unwrap();
    let numbers = line.rsplit('=').next().unwrap().split(',');
    let numbers: Vec<f64> = numbers.map(|n| n.trim().parse::<f64>().unwrap() * 1e-3).collect();
    Point3::new(numbers[0], numbers[1], numbers[2])
}

#[test]
fn pivots_without_distortion_are_where_they_are_stated() {
    let Some(folder) = recordings::folder() else { return };
    for set in ["a", "b", "d", "e", "g"] {
        let path = folder.join(format!("magnetic/jhu_pivot/pa1-debug-{set}-empivot.txt"));
        let found = pivot(&poses(&read(&path)), false).unwrap();
        let off_m = (found.pivot_in_world_m - stated(&folder, set, "EM pivot post actual")).norm();
        println!(
            "{set}: {:.3} mm off, standard error {:.3}, residual {:.3}",
            off_m * 1e3,
            found.pivot_sd_m() * 1e3,
            found.residual_m * 1e3
        );
        assert_eq!(found.verdict(), "ball");
        // Sets a and d have neither noise nor distortion, b half a millimetre of noise; e and g are bent.
        if ["a", "d"].contains(&set) {
            assert!(off_m < 0.05e-3, "{set}: {off_m}");
        }
        // 99 % of a ball whose every axis has this standard error.
        assert!(off_m < 3.37 * found.pivot_sd_m(), "{set}: {off_m} against {}", found.pivot_sd_m());
        assert!(off_m > 0.01 * found.pivot_sd_m(), "{set}: an error bar beyond reason");
    }
}

/// Where an MVNX file says that a point of a segment is.
fn point_in_segment(text: &str, segment: &str, point: &str) -> Option<Point3<f64>> {
    let after = |text: &str, key: &str| text.split_once(key).map(|(_, rest)| rest.to_owned());
    let of_segment = after(text, &format!("<segment label=\"{segment}\""))?;
    let of_point = after(&of_segment, &format!("<point label=\"{point}\">"))?;
    let numbers = after(&of_point, "<pos_b>")?;
    let numbers: Vec<f64> =
        numbers.split('<').next()?.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    Some(Point3::new(*numbers.first()?, *numbers.get(1)?, *numbers.get(2)?))
}

#[test]
fn joints_of_an_inertial_suit_are_where_its_file_says() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("mvnx/test_mocap.mvnx");
    let text = std::fs::read_to_string(&path).unwrap();
    let fitted = trackers::fit(&read(&path).bodies, &trackers::Options::default()).unwrap();
    let subject = &fitted.subject;
    let points = ["jC1Head", "jLeftShoulder", "jLeftElbow", "jLeftWrist"];
    let moved = subject.joints().iter().filter(|joint| joint.kind != JointKind::Fixed);
    let mut count = 0;
    for (joint, point) in moved.zip(points) {
        let parent = &subject.segments()[joint.parent].name;
        let off_m =
            (joint.centre_in_parent_m - point_in_segment(&text, parent, point).unwrap()).norm();
        println!("{}: {:.3} mm off {point} of {parent}", joint.name, off_m * 1e3);
        assert!(off_m < 0.05e-3, "{}: {off_m}", joint.name);
        assert_eq!(joint.centre_known(), CentreKnown::Well, "{}", joint.name);
        count += 1;
    }
    assert_eq!((count, subject.joints().len()), (4, 22));
    // The legs do not move: their joints are those of the file.
    let knee = subject.joints().iter().find(|joint| joint.name == "left knee").unwrap();
    let stated = point_in_segment(&text, "LeftUpperLeg", "jLeftKnee").unwrap();
    assert!((knee.centre_in_parent_m - stated).norm() < 1e-3, "{knee:?}");
    assert_eq!((knee.kind, knee.centre_known()), (JointKind::Fixed, CentreKnown::Fairly));
}

#[test]
fn lists_of_poses_are_read() {
    let Some(folder) = recordings::folder() else { return };
    let cup = read(&folder.join("magnetic/polhemus_fastrak/user1_cup0.traj"));
    assert_eq!((cup.frames, cup.bodies[0].missing_samples()), (290, 0));
    let probe = read(&folder.join("magnetic/plus/SlidingProbeTrackingData.igs.mha"));
    let names: Vec<&str> = probe.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!((probe.frames, names), (85, vec!["Needle", "Probe", "Reference"]));
    // It slides and is never turned: it has no tip.
    let slid: Vec<_> =
        (0..85).map(|frame| probe.bodies[1].world_from_body(frame).copied()).collect();
    assert_eq!(pivot(&slid, false).unwrap().verdict(), "none");
}
