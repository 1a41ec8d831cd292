//! Motion that looks like motion.

use nalgebra::{Point3, Vector3};

use super::super::*;
use super::{human, short};

/// Every routine that each built-in performer can perform, for some seeds.
fn everything() -> Vec<(Performer, Simulation)> {
    let mut all = Vec::new();
    for performer in Performer::BUILT_IN.map(|name| Performer::built_in(name).unwrap()) {
        for routine in Routine::OF_BODIES {
            let can = performer.gait(routine).is_some()
                || matches!(routine, Routine::Rom | Routine::Exercise);
            for seed in 0..if can { 4 } else { 0 } {
                let options =
                    Options { routine, seed, seconds: 20.0, rate_hz: 10.0, ..Options::default() };
                let simulation = simulate(&performer, &options);
                let what = format!("{} {}: ", performer.name, routine.name());
                let simulation = simulation.unwrap_or_else(|error| panic!("{what}{error}"));
                all.push((performer.clone(), simulation));
            }
        }
    }
    all
}

#[test]
fn every_joint_stays_within_its_range() {
    for (_, Simulation { truth, .. }) in everything() {
        for joint in &truth.joints {
            for angles_rad in &truth.angles_rad {
                for (angle, range) in angles_rad[joint.angles.clone()].iter().zip(&joint.range_rad)
                {
                    assert!((range[0]..=range[1]).contains(angle), "{}: {angle}", joint.name);
                }
            }
        }
    }
}

#[test]
fn no_foot_goes_through_the_ground() {
    for (performer, Simulation { truth, .. }) in everything() {
        for leg in &performer.legs {
            for poses in &truth.world_from_segment {
                for contact in [leg.heel_in_foot_m, leg.ball_in_foot_m] {
                    let height_m = (poses[leg.segments[2]] * contact).z;
                    assert!(height_m > -1e-3, "{}: {height_m}", performer.name);
                }
            }
        }
    }
}

/// Whether a leg is on the ground at a time, by the events.
fn stands(trial: &Trial, side: &str, time_s: f64) -> bool {
    let mut before = trial.events.iter().filter(|e| e.context == side && e.time_s <= time_s);
    before.next_back().is_some_and(|event| event.label == "Foot Strike")
}

#[test]
fn a_foot_on_the_ground_does_not_slide() {
    for routine in [Routine::Walk, Routine::ChickenWalk] {
        let performer = Performer::human();
        let Simulation { trial, truth, .. } = human(&short(routine));
        let mut stood = 0;
        for leg in &performer.legs {
            for frame in 1..trial.frames {
                let [before_s, now_s] = [frame - 1, frame].map(|frame| trial.time_s(frame));
                if !(stands(&trial, &leg.side, before_s) && stands(&trial, &leg.side, now_s)) {
                    continue;
                }
                stood += 1;
                let moved_m = |contact: Point3<f64>| {
                    let [before, now] = [frame - 1, frame]
                        .map(|frame| truth.world_from_segment[frame][leg.segments[2]] * contact);
                    (now - before).norm()
                };
                // It rolls over the heel first and over the ball last.
                let still_m = moved_m(leg.heel_in_foot_m).min(moved_m(leg.ball_in_foot_m));
                assert!(still_m < 1e-9, "{} at {now_s}: {still_m}", leg.side);
            }
        }
        assert!(stood > trial.frames / 2, "{stood}");
    }
}

#[test]
fn velocities_do_not_jump() {
    let performers = [Performer::human(), Performer::dog()];
    for (routine, seconds) in [
        (Routine::Rom, 16.0),
        (Routine::Exercise, 20.0),
        (Routine::Walk, 2.0),
        (Routine::ChickenWalk, 2.0),
    ] {
        for performer in &performers {
            // A jump of velocity makes the acceleration grow with the rate.
            let [coarse, fine] = [60.0, 240.0].map(|rate_hz| {
                let options = Options { routine, seconds, rate_hz, ..Options::default() };
                greatest_acceleration(&simulate(performer, &options).unwrap().trial)
            });
            assert!(fine < 1.4 * coarse, "{} {routine:?}: {coarse} {fine}", performer.name);
            assert!(fine < 100.0, "{} {routine:?}: {fine} m/s2", performer.name);
        }
    }
}

fn greatest_acceleration(trial: &Trial) -> f64 {
    let mut greatest = 0.0_f64;
    for marker in &trial.markers {
        for frame in 1..trial.frames - 1 {
            let at = |frame| marker.position_m(frame).unwrap().coords;
            let bend: Vector3<f64> = at(frame + 1) - 2.0 * at(frame) + at(frame - 1);
            greatest = greatest.max(bend.norm() * trial.rate_hz * trial.rate_hz);
        }
    }
    greatest
}

/// A joint's place in the frame of the root, through all frames.
fn from_root(truth: &Truth, joint: &str) -> Vec<Point3<f64>> {
    let joint = truth.joint(joint).unwrap();
    let frames = truth.world_from_segment.iter().zip(&truth.joint_positions_m);
    frames.map(|(poses, joints)| poses[0].inverse() * joints[joint]).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let dot = |f: &dyn Fn(usize) -> f64| (0..a.len()).map(f).sum::<f64>();
    let ab = dot(&|i| (a[i] - ma) * (b[i] - mb));
    ab / (dot(&|i| (a[i] - ma).powi(2)) * dot(&|i| (b[i] - mb).powi(2))).sqrt()
}

#[test]
fn arms_swing_against_the_legs_and_knees_bend_forwards() {
    let truth = human(&short(Routine::Walk)).truth;
    for side in ["left", "right"] {
        let of = |joint: &str| from_root(&truth, &format!("{side} {joint}"));
        let (hip, knee, ankle, wrist) = (of("hip"), of("knee"), of("ankle"), of("wrist"));
        let forwards = |places: &[Point3<f64>]| places.iter().map(|p| p.x).collect::<Vec<f64>>();
        let swing = correlation(&forwards(&ankle), &forwards(&wrist));
        assert!(swing < -0.7, "{side}: {swing}");
        for frame in 0..knee.len() {
            let share = (knee[frame].z - hip[frame].z) / (ankle[frame].z - hip[frame].z);
            let straight = hip[frame] + (ankle[frame] - hip[frame]) * share;
            assert!(knee[frame].x > straight.x, "{side} {frame}");
        }
        let lifts = ankle.iter().map(|p| p.x);
        let (least, most) = (lifts.clone().fold(1.0, f64::min), lifts.fold(-1.0, f64::max));
        assert!(most - least > 0.6, "{side}: a step of {}", most - least);
    }
}

#[test]
fn a_walk_goes_at_its_speed_about_its_circle() {
    let options = Options { seconds: 20.0, ..short(Routine::Walk) };
    let truth = human(&options).truth;
    let gait = Performer::human().walk.unwrap();
    let root = |frame: usize| truth.world_from_segment[frame][0].translation.vector.xy();
    let way_m: f64 =
        (1..truth.world_from_segment.len()).map(|f| (root(f) - root(f - 1)).norm()).sum();
    let expected_m = gait.speed_m_s * (options.seconds - 1.0 / options.rate_hz);
    assert!((way_m / expected_m - 1.0).abs() < 0.03, "{way_m}");
    for frame in 0..truth.world_from_segment.len() {
        assert!((root(frame).norm() - gait.turn_radius_m).abs() < 0.05);
    }
}

#[test]
fn range_of_motion_and_exercise_use_nearly_all_of_every_range() {
    for performer in Performer::BUILT_IN.map(|name| Performer::built_in(name).unwrap()) {
        for routine in [Routine::Rom, Routine::Exercise] {
            let options = Options { routine, seconds: 60.0, rate_hz: 10.0, ..Options::default() };
            let truth = simulate(&performer, &options).unwrap().truth;
            let first = performer.first_angles();
            for (index, segment) in performer.segments.iter().enumerate() {
                for (axis, range) in segment.joint.axes.iter().enumerate() {
                    let angles = truth.angles_rad.iter().map(|angles| angles[first[index] + axis]);
                    let least = angles.clone().fold(f64::INFINITY, f64::min);
                    let most = angles.fold(f64::NEG_INFINITY, f64::max);
                    let used = (most - least) / (range.rom_rad[1] - range.rom_rad[0]);
                    let name =
                        format!("{} {routine:?} {} {axis}", performer.name, segment.joint.name);
                    assert!(used > 0.85, "{name}: {used}");
                }
            }
        }
    }
}
