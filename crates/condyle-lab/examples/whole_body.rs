//! The whole-body fit on simulated people and on recordings: errors, coverage, time.
//!
//! `cargo run --release -p condyle-lab --example whole_body -- [DATA] [PEOPLE]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::marker_set::recognise_trial;
use condyle::plan::Performer;
use condyle::simulate::{self, Routine, Simulation, simulate};
use condyle::whole_body::{self, Input, Knowledge, Options, WholeBody};
use nalgebra::{Point3, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// The 95 % point of χ² with three degrees of freedom.
const CHI2_95: f64 = 7.815;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().unwrap_or_else(|| "../shared/data".into());
    let people: u64 = arguments.next().map_or(8, |text| text.parse().unwrap());
    let knowledge = Knowledge::human().unwrap();
    for routine in [Routine::Walk, Routine::Rom] {
        simulated(&knowledge, routine, people);
    }
    let data = Path::new(&data);
    cmu(&knowledge, data);
    walkers(&knowledge, data);
}

#[derive(Default)]
struct Tally(BTreeMap<String, Vec<(f64, bool)>>);

impl Tally {
    fn add(&mut self, joint: &str, off_m: Vector3<f64>, covariance_m2: nalgebra::Matrix3<f64>) {
        let inverse = covariance_m2.try_inverse().unwrap();
        let is_inside = off_m.dot(&(inverse * off_m)) < CHI2_95;
        let name = joint.split_whitespace().last().unwrap().to_owned();
        self.0.entry(name).or_default().push((off_m.norm() * 1e3, is_inside));
    }

    fn print(&self, what: &str) {
        let all: Vec<&(f64, bool)> = self.0.values().flatten().collect();
        let mean =
            |values: &[&(f64, bool)]| values.iter().map(|v| v.0).sum::<f64>() / values.len() as f64;
        let inside = |values: &[&(f64, bool)]| {
            values.iter().filter(|v| v.1).count() as f64 / values.len() as f64
        };
        print!("{what}: {:.1} mm, {:.2} inside;", mean(&all), inside(&all));
        for (name, values) in &self.0 {
            let values: Vec<&(f64, bool)> = values.iter().collect();
            print!(" {name} {:.1} ({:.2})", mean(&values), inside(&values));
        }
        println!();
    }
}

const JOINTS: [&str; 6] = ["hip", "knee", "ankle", "shoulder", "elbow", "wrist"];

fn simulated(knowledge: &Knowledge, routine: Routine, people: u64) {
    let mut tally = Tally::default();
    let mut time_s = 0.0;
    for seed in 0..people {
        let options = simulate::Options {
            routine,
            seconds: 10.0,
            noise_m: 1e-3,
            skin_m: 0.01,
            seed,
            marker_set: Some("cmu41".into()),
            ..simulate::Options::default()
        };
        let Simulation { trial, truth, .. } = simulate(&varied(seed), &options).unwrap();
        let begun = Instant::now();
        let body = fit(&trial, &truth.plan.performers[0], knowledge);
        time_s += begun.elapsed().as_secs_f64();
        let middle = body.frames.len() / 2;
        for (index, joint) in body.joints.iter().enumerate() {
            if !JOINTS.iter().any(|name| joint.name.ends_with(name)) {
                continue;
            }
            let number = truth.joint(&joint.name).unwrap();
            let (found_m, covariance_m2) = body.joint_in_world(middle, index).unwrap();
            let true_m = truth.joint_positions_m[body.frames[middle]][number];
            tally.add(&joint.name, found_m - true_m, covariance_m2);
        }
    }
    tally
        .print(&format!("{people} simulated, {routine:?}, {:.0} ms", 1e3 * time_s / people as f64));
}

/// A person of other proportions: every length and landmark varied.
fn varied(seed: u64) -> simulate::Performer {
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1000);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let mut performer = simulate::Performer::human();
    let size = 1.0 + 0.06 * normal();
    let mut lengths: BTreeMap<String, f64> = BTreeMap::new();
    let bare = |name: &str| name.replace("left ", "").replace("right ", "");
    for segment in &performer.segments {
        lengths.entry(bare(&segment.name)).or_insert_with(|| 1.0 + 0.04 * normal());
    }
    let names: Vec<String> = performer.segments.iter().map(|s| bare(&s.name)).collect();
    for index in 0..performer.segments.len() {
        let own = size * lengths[&names[index]];
        let parent = performer.segments[index].parent;
        let of_parent = parent.map_or(size, |parent| size * lengths[&names[parent]]);
        let segment = &mut performer.segments[index];
        segment.joint_in_parent_m.coords *= of_parent;
        for site in &mut segment.sites {
            site.in_segment_m.coords *= own;
            site.in_segment_m += Vector3::new(normal(), normal(), normal()) * 0.006;
        }
    }
    performer
}

fn fit(trial: &Trial, performer: &Performer, knowledge: &Knowledge) -> WholeBody {
    let input = Input { performer, labels: &trial.labels(), frames: trial };
    whole_body::fit(&input, knowledge, &Options::default()).unwrap()
}

fn cmu(knowledge: &Knowledge, data: &Path) {
    let mut lengths = Vec::new();
    for name in ["02_01", "02_05", "01_01"] {
        let path = data.join("cmu").join(format!("{name}.c3d"));
        let Ok(trial) = read_path(&path, &ReadOptions::default()) else { continue };
        let plan = recognise_trial(&trial).plan;
        let begun = Instant::now();
        let body = fit(&trial, &plan.performers[0], knowledge);
        let time_ms = begun.elapsed().as_secs_f64() * 1e3;
        println!(
            "{name}: {time_ms:.0} ms, {} iterations, converged {}, stature {:.0}",
            body.iterations,
            body.has_converged,
            body.sizes[0].1 * 1e3
        );
        for (name, value, sd) in &body.sizes[1..] {
            print!("  {name} {:.0} ± {:.0}", value * 1e3, sd * 1e3);
        }
        println!();
        let mut own = Vec::new();
        for segment in ["thigh", "shank", "upper arm", "forearm"] {
            for side in ["left", "right"] {
                let index = body
                    .segments
                    .iter()
                    .position(|s| s.name == format!("{side} {segment}"))
                    .unwrap();
                let bone = body.joints.iter().find(|j| j.parent == index).unwrap();
                own.push(bone.centre_in_parent_m.coords.norm() * 1e3);
            }
        }
        let at = |name: &str| body.joints[body.joint(name).unwrap()].centre_in_parent_m;
        own.push((at("left hip") - at("right hip")).norm() * 1e3);
        println!("  lengths {own:.0?}");
        for joint in &body.joints {
            print!("  {} ±{:.0} {:.2};", joint.name, joint.sd_m() * 1e3, joint.shares.from_motion);
        }
        println!();
        if let Some(centres) = centres(&data.join(format!("derived/cmu_{name}_joint_centres.csv")))
        {
            for (joint, column) in [
                ("hip", "hip"),
                ("knee", "knee"),
                ("ankle", "ankle"),
                ("shoulder", "shoulder"),
                ("elbow", "elbow"),
            ] {
                let mut all = Vec::new();
                for (side, letter) in [("left", "l"), ("right", "r")] {
                    let index = body.joint(&format!("{side} {joint}")).unwrap();
                    for (k, frame) in body.frames.iter().enumerate() {
                        let reference = centres.point(&format!("{letter}{column}"), *frame, 1e-3);
                        let (found, _) = body.joint_in_world(k, index).unwrap();
                        all.extend(reference.map(|r| (found - r).norm() * 1e3));
                    }
                }
                print!("  {joint} to ASF {:.0}", all.iter().sum::<f64>() / all.len() as f64);
            }
            println!();
        }
        lengths.push(own);
    }
    if let [one, other, ..] = &lengths[..] {
        let rms = |pairs: Vec<f64>| {
            (pairs.iter().map(|v| v * v).sum::<f64>() / pairs.len() as f64).sqrt()
        };
        println!(
            "02_01 and 02_05: rms {:.1} mm",
            rms(one.iter().zip(other).map(|(a, b)| a - b).collect())
        );
        let sides = |own: &Vec<f64>| rms(own[..8].chunks(2).map(|c| c[0] - c[1]).collect());
        println!("left and right: {:.1} and {:.1} mm", sides(one), sides(other));
    }
}

struct Centres {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Centres {
    fn point(&self, name: &str, frame: usize, scale: f64) -> Option<Point3<f64>> {
        let at = self.columns.iter().position(|c| *c == format!("{name}_x"))?;
        let is_counted = self.columns[0] == "frame";
        let is_it = |row: &&Vec<f64>| row[0] == (frame + 1) as f64;
        let row = if is_counted { self.rows.iter().find(is_it) } else { self.rows.get(frame) }?;
        Some(Point3::new(row[at], row[at + 1], row[at + 2]) * scale)
    }
}

fn centres(path: &Path) -> Option<Centres> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.lines();
    let columns = lines.next()?.split(',').map(str::to_owned).collect();
    let rows = lines.map(|line| line.split(',').map(|v| v.parse().unwrap_or(f64::NAN)).collect());
    Some(Centres { columns, rows: rows.collect() })
}

fn walkers(knowledge: &Knowledge, data: &Path) {
    for (what, noise_m, skin_m, two) in [
        ("all markers, 1 mm", 1e-3, 0.0, false),
        ("with skin", 1e-3, 0.01, false),
        ("two markers", 1e-3, 0.0, true),
        ("two markers with skin", 1e-3, 0.01, true),
    ] {
        let mut tally = Tally::default();
        for subject in ["subject01", "subject18"] {
            let path = data.join("nimble_synthetic").join(subject).join("markers.trc");
            let Ok(trial) = read_path(&path, &ReadOptions::default()) else { continue };
            let path = data.join(format!("derived/nimble_synthetic_{subject}_joint_centres.csv"));
            let Some(centres) = centres(&path) else { continue };
            let (trial, performer) = disturbed(trial, noise_m, skin_m, two);
            let body = fit(&trial, &performer, knowledge);
            let middle = body.frames.len() / 2;
            for (joint, column) in [
                ("hip", "hip"),
                ("knee", "walker_knee"),
                ("ankle", "ankle"),
                ("shoulder", "acromial"),
                ("elbow", "elbow"),
            ] {
                for (side, letter) in [("left", "l"), ("right", "r")] {
                    let index = body.joint(&format!("{side} {joint}")).unwrap();
                    let (found_m, covariance) = body.joint_in_world(middle, index).unwrap();
                    let truth = centres
                        .point(&format!("{column}_{letter}"), body.frames[middle], 1.0)
                        .unwrap();
                    tally.add(joint, found_m - truth, covariance);
                }
            }
        }
        tally.print(&format!("OpenSim walkers, {what}"));
    }
}

/// Noise, skin that follows the time of the step, and fewer markers.
fn disturbed(mut trial: Trial, noise_m: f64, skin_m: f64, two: bool) -> (Trial, Performer) {
    let mut performer = recognise_trial(&trial).plan.performers.remove(0);
    if two {
        let keep = [
            "ASI", "PSI", "TH1", "LFC", "TB1", "LMAL", "CAL", "TOE", "ACR", "UA1", "LEL",
            "FAradius", "FAulna", "C7", "CLAV",
        ];
        for segment in &mut performer.segments {
            segment.markers.retain(|m| {
                keep.iter()
                    .any(|k| trial.markers[*m].label[1..] == **k || trial.markers[*m].label == *k)
            });
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let frames = trial.frames;
    for segment in &performer.segments {
        // Half of it is common to the segment.
        let mut way = || Vector3::new(normal(), normal(), normal());
        let common = [way(), way(), way()];
        for &marker in &segment.markers {
            let own = [way(), way(), way()];
            let mut shifts: Vec<Vector3<f64>> = (0..frames)
                .map(|frame| {
                    let phase = std::f64::consts::TAU * frame as f64 / 220.0;
                    let [a, b, c] = [phase.sin(), phase.cos(), (2.0 * phase).sin()];
                    (common[0] + own[0]) * a + (common[1] + own[1]) * b + (common[2] + own[2]) * c
                })
                .collect();
            let rms = (shifts.iter().map(|s| s.norm_squared()).sum::<f64>() / frames as f64).sqrt();
            shifts.iter_mut().for_each(|s| *s *= skin_m / rms);
            let positions: Vec<Option<Point3<f64>>> = (0..frames)
                .map(|frame| {
                    let position = trial.markers[marker].position_m(frame)?;
                    Some(position + shifts[frame] + way() * noise_m)
                })
                .collect();
            let label = trial.markers[marker].label.clone();
            trial.markers[marker] = condyle::trial::Marker::from_positions(label, positions);
        }
    }
    (trial, performer)
}
