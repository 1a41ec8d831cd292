//! OpenSim's synthetic walkers, whose joints are known exactly.

use std::path::Path;

use condyle::marker_set;
use condyle::rigid::{Pair, place};
use condyle::trial::Origin;
use condyle::{Trial, plan};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::estimate::{Estimator, Settings};
use super::recordings::{self, Centres};
use super::said::Said;
use super::score::{self, TrueJoint};
use super::soft_tissue::{Slide, displace_segment};
use super::table::Table;

/// The walkers of the data folder.
pub const WALKERS: [&str; 2] = ["subject01", "subject18"];

/// The joints of a walker: ours, and the column of the table.
const JOINTS: [(&str, &str); 10] = [
    ("left hip", "hip_l"),
    ("right hip", "hip_r"),
    ("left knee", "walker_knee_l"),
    ("right knee", "walker_knee_r"),
    ("left ankle", "ankle_l"),
    ("right ankle", "ankle_r"),
    ("left shoulder", "acromial_l"),
    ("right shoulder", "acromial_r"),
    ("left elbow", "elbow_l"),
    ("right elbow", "elbow_r"),
];

/// Markers that are left where every segment of a limb has two, with one of each cluster.
const TWO: [&str; 12] =
    ["C7", "CLAV", "ACR", "LEL", "FAradius", "FAulna", "ASI", "PSI", "LFC", "LMAL", "CAL", "TOE"];
/// The clusters, of which one marker is left: another with every draw.
const CLUSTERS: [&str; 3] = ["UA", "TH", "TB"];

/// How soft a part of the body is against a thigh.
const SOFTNESS: [(&str, f64); 9] = [
    ("pelvis", 0.4),
    ("chest", 0.4),
    ("clavicle", 0.5),
    ("upper arm", 0.8),
    ("forearm", 0.6),
    ("hand", 0.3),
    ("thigh", 1.0),
    ("shank", 0.7),
    ("foot", 0.2),
];

/// What is done to a walker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Treatment {
    /// In words.
    pub name: &'static str,
    /// Whether only two markers a segment are left.
    pub two: bool,
    /// How far a thigh's skin slides.
    pub skin: Option<Slide>,
}

/// The four of the issue, and those with skin as `condyle simulate` has it.
pub const TREATMENTS: [Treatment; 6] = [
    Treatment { name: "all markers, 1 mm", two: false, skin: None },
    Treatment { name: "all markers, 10 mm of skin", two: false, skin: Some(Slide::Rms(0.010)) },
    Treatment { name: "two markers a segment, 1 mm", two: true, skin: None },
    Treatment { name: "two markers, 10 mm of skin", two: true, skin: Some(Slide::Rms(0.010)) },
    Treatment {
        name: "all markers, at most 10 mm of skin",
        two: false,
        skin: Some(Slide::AtMost(0.010)),
    },
    Treatment {
        name: "two markers, at most 10 mm of skin",
        two: true,
        skin: Some(Slide::AtMost(0.010)),
    },
];

const NOISE_M: f64 = 0.001;

/// A walker with its truth.
pub struct Walker {
    /// The markers, without the centres among them.
    pub trial: Trial,
    angles: Vec<(String, Vec<f64>)>,
    centres: Centres,
}

impl Walker {
    /// Reads a walker.
    ///
    /// # Errors
    /// Its files are not there.
    pub fn read(folder: &Path, name: &str) -> anyhow::Result<Self> {
        let mut trial = recordings::read(folder, &format!("nimble_synthetic/{name}/markers.trc"))?;
        trial.markers.retain(|marker| !marker.label.ends_with("JC"));
        let motion = recordings::read(folder, &format!("nimble_synthetic/{name}/coordinates.sto"))?;
        let angles = motion
            .channels
            .iter()
            .map(|channel| (channel.label.clone(), channel.values().collect()))
            .collect();
        let table = format!("nimble_synthetic_{name}_joint_centres.csv");
        Ok(Self { trial, angles, centres: Centres::read(folder, &table, 1.0)? })
    }

    /// The true joints.
    pub fn truth(&self) -> Vec<TrueJoint<'_>> {
        JOINTS
            .iter()
            .map(|(name, column)| TrueJoint {
                name: (*name).to_owned(),
                kind: "",
                position_m: Box::new(move |frame| self.centres.position_m(frame, column)),
            })
            .collect()
    }

    /// The walker with noise, skin and fewer markers.
    pub fn treated(&self, treatment: &Treatment, seed: u64) -> Trial {
        let mut trial = self.trial.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        if let Some(skin) = treatment.skin {
            let found = marker_set::recognise_trial(&self.trial);
            let segments = found.plan.performers.first().map_or(&[][..], |p| &p.segments[..]);
            for segment in segments {
                self.slide(&mut trial, segment, skin, &mut rng);
            }
        }
        for marker in &mut trial.markers {
            for frame in 0..marker.frames() {
                let noise = Vector3::from_fn(|_, _| -> f64 {
                    let value: f64 = StandardNormal.sample(&mut rng);
                    NOISE_M * value
                });
                let noisy = marker.position_m(frame).map(|position_m| position_m + noise);
                marker.set(frame, noisy, Origin::Measured);
            }
        }
        if treatment.two {
            let of_clusters = CLUSTERS.map(|name| format!("{name}{}", seed % 3 + 1));
            let is_kept = |name: &str| TWO.contains(&name) || of_clusters.iter().any(|c| c == name);
            // The first letter is the side, but for C7 and CLAV.
            trial.markers.retain(|marker| {
                is_kept(&marker.label) || marker.label.get(1..).is_some_and(is_kept)
            });
        }
        trial
    }

    /// Moves the markers of a segment with the angles beside it.
    fn slide(
        &self,
        trial: &mut Trial,
        segment: &plan::PlannedSegment,
        skin: Slide,
        rng: &mut ChaCha8Rng,
    ) {
        let Some((part, _)) = marker_set::body_part(&segment.name) else { return };
        let softness = SOFTNESS.iter().find(|(name, _)| *name == part).map_or(0.5, |(_, s)| *s);
        let side = if segment.name.starts_with("left") { "_l" } else { "_r" };
        let beside: &[&str] = match part {
            "pelvis" => &["hip_flexion", "hip_adduction", "hip_rotation", "lumbar"],
            "thigh" => &["hip_flexion", "hip_adduction", "hip_rotation", "knee_angle"],
            "shank" => &["knee_angle", "ankle_angle", "subtalar_angle"],
            "foot" => &["ankle_angle", "subtalar_angle", "mtp_angle"],
            "upper arm" => &["arm_flex", "arm_add", "arm_rot", "elbow_flex"],
            "forearm" => &["elbow_flex", "pro_sup"],
            _ => &["lumbar", "arm_flex", "arm_add"],
        };
        let is_trunk = matches!(part, "pelvis" | "chest");
        let signals: Vec<Vec<f64>> = self
            .angles
            .iter()
            .filter(|(name, _)| {
                let is_side = is_trunk || name.ends_with(side) || name.starts_with("lumbar");
                is_side && beside.iter().any(|beside| name.starts_with(beside))
            })
            .map(|(_, values)| values.clone())
            .collect();
        let poses = self.poses(&segment.markers);
        let of = |frame: usize| poses[frame];
        let slide = match skin {
            Slide::Rms(m) => Slide::Rms(softness * m),
            Slide::AtMost(m) => Slide::AtMost(softness * m),
        };
        displace_segment(trial, &segment.markers, &signals, slide, of, rng);
    }

    /// How markers that are exact have turned since the first frame.
    fn poses(&self, markers: &[usize]) -> Vec<Option<Isometry3<f64>>> {
        let at = |marker: usize, frame: usize| self.trial.markers[marker].position_m(frame);
        let pose = |frame: usize| {
            let pairs = markers.iter().filter_map(|&marker| {
                let (in_segment_m, in_world_m): (Point3<f64>, Point3<f64>) =
                    (at(marker, 0)?, at(marker, frame)?);
                Some(Pair { in_segment_m, in_world_m, weight: 1.0 })
            });
            Some(place(pairs)?.world_from_segment)
        };
        (0..self.trial.frames).map(pose).collect()
    }
}

/// The table of both walkers under the four treatments, each with several draws of noise and skin.
///
/// # Errors
/// The recordings are not there.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let folder = recordings::folder()?;
    let walkers = WALKERS
        .iter()
        .map(|name| Walker::read(&folder, name))
        .collect::<anyhow::Result<Vec<Walker>>>()?;
    for treatment in &TREATMENTS {
        let mut scores = Vec::new();
        let mut refused = 0;
        let mut said = Said::default();
        for walker in &walkers {
            for seed in seeds.clone() {
                let trial = walker.treated(treatment, seed);
                match estimator.estimate(&trial, None, settings).as_deref() {
                    Ok([estimate, ..]) => {
                        scores.extend(score::score(estimate, &walker.truth()));
                        said.add(&estimate.said);
                    }
                    _ => refused += 1,
                }
            }
        }
        let count = seeds.end - seeds.start;
        let title = format!(
            "OpenSim walkers 01 and 18, {}, {count} draws [{}]",
            treatment.name,
            estimator.name()
        );
        let mut table = score::by_class(&title, &scores);
        if refused > 0 {
            table.remark(format!("{refused} refused"));
        }
        said.remarks().for_each(|remark| table.remark(remark));
        show(&table);
    }
    Ok(())
}
