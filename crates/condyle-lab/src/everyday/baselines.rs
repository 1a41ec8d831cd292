//! Never worse than trivial: ours beside regressions, midpoints and bare markers.

use condyle::Trial;
use nalgebra::Point3;

use super::estimate::{Estimate, Estimator, Settings};
use super::recordings::{self, mean};
use super::scene::record;
use super::score::{TrueJoint, class};
use super::simulated::{scenes, truth_of};
use super::table::{Table, mm};
use super::trivial::baseline;
use super::walkers::{TREATMENTS, WALKERS, Walker};

/// Ours may be farther from the truth by this much.
const TOLERANCE_M: f64 = 0.003;

/// Distances are averaged over this many frames at most.
const MOST_FRAMES: usize = 200;

/// Recordings whose centres come from another rule than ours and the baselines': functional trials and clusters.
const REFERENCES: [(&str, [(&str, &str); 6]); 4] = [
    ("opensim/walking2.c3d", OPENSIM),
    ("opensim/std_walking2_markers.trc", OPENSIM),
    ("opensim/dataWithBlanksForMissingMarkers.trc", OPENSIM),
    ("fjc/TPoseCross_New.trc", OPENSIM),
];
const OPENSIM: [(&str, &str); 6] = [
    ("left hip", "LHJC"),
    ("right hip", "RHJC"),
    ("left knee", "LKJC"),
    ("right knee", "RKJC"),
    ("left ankle", "LAJC"),
    ("right ankle", "RAJC"),
];

/// One joint of one recording.
struct Compared {
    joint: String,
    rule: &'static str,
    ours_m: f64,
    theirs_m: f64,
}

impl Compared {
    fn is_worse(&self) -> bool {
        self.ours_m > self.theirs_m + TOLERANCE_M
    }

    fn exception(&self, seed: u64) -> String {
        let (ours, theirs) = (mm(self.ours_m), mm(self.theirs_m));
        format!("worse: seed {seed}, {}: {ours} mm, {} {theirs}", self.joint, self.rule)
    }
}

fn compare(trial: &Trial, estimate: &Estimate, truth: &[TrueJoint]) -> Vec<Compared> {
    let one = |truth: &TrueJoint| {
        let joint = estimate.joint(&truth.name)?;
        let baseline = baseline(trial, &truth.name)?;
        let distance = |place: &dyn Fn(usize) -> Option<Point3<f64>>| {
            let frames = (0..trial.frames).step_by(trial.frames.div_ceil(MOST_FRAMES).max(1));
            mean(frames.filter_map(|f| Some((place(f)? - (truth.position_m)(f)?).norm())))
        };
        Some(Compared {
            joint: truth.name.clone(),
            rule: baseline.rule,
            ours_m: distance(&|frame| estimate.position_m(joint, frame))?,
            theirs_m: distance(&|frame| baseline.positions_m[frame])?,
        })
    };
    truth.iter().filter_map(one).collect()
}

const HEADERS: [&str; 6] = ["joint", "rule", "joints", "ours/mm", "rule/mm", "worse by 3 mm"];

/// One row for every class of joints.
fn by_class(title: String, all: &[Compared]) -> Table {
    let mut table = Table::new(title, &HEADERS);
    let mut classes: Vec<&str> = Vec::new();
    for one in all {
        if !classes.contains(&class(&one.joint)) {
            classes.push(class(&one.joint));
        }
    }
    for name in classes {
        let of: Vec<&Compared> = all.iter().filter(|one| class(&one.joint) == name).collect();
        let average =
            |pick: fn(&&Compared) -> f64| mm(mean(of.iter().map(pick)).unwrap_or(f64::NAN));
        table.row(vec![
            name.to_owned(),
            of[0].rule.to_owned(),
            of.len().to_string(),
            average(|one| one.ours_m),
            average(|one| one.theirs_m),
            of.iter().filter(|one| one.is_worse()).count().to_string(),
        ]);
    }
    table
}

/// The tables of simulated people, walkers and recordings with centres of another make.
///
/// # Errors
/// The recordings are not there.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let name = estimator.name();
    for (what, scene) in scenes() {
        let (mut all, mut worse) = (Vec::new(), Vec::new());
        for seed in seeds.clone() {
            let recorded = record(&scene, seed)?;
            if let Ok([estimate, ..]) =
                estimator.estimate(&recorded.trial, None, settings).as_deref()
            {
                let truth = truth_of(&recorded, scene.creature);
                let own = compare(&recorded.trial, estimate, &truth);
                let exceptions = own.iter().filter(|one| one.is_worse());
                worse.extend(exceptions.map(|one| one.exception(seed)));
                all.extend(own);
            }
        }
        let mut table = by_class(format!("{what} [{name}]"), &all);
        worse.into_iter().for_each(|text| table.remark(text));
        show(&table);
    }
    let folder = recordings::folder()?;
    for walker in WALKERS {
        let read = Walker::read(&folder, walker)?;
        for treatment in &TREATMENTS {
            let trial = read.treated(treatment, seeds.start);
            if let Ok([estimate, ..]) = estimator.estimate(&trial, None, settings).as_deref() {
                let all = compare(&trial, estimate, &read.truth());
                show(&by_class(format!("OpenSim {walker}, {} [{name}]", treatment.name), &all));
            }
        }
    }
    show(&references(&folder, estimator, settings)?);
    Ok(())
}

/// Every joint of the recordings with centres of another make.
fn references(
    folder: &std::path::Path,
    estimator: &dyn Estimator,
    settings: &Settings,
) -> anyhow::Result<Table> {
    let title = format!(
        "Against centres that are neither ours nor a baseline's, mm [{}]",
        estimator.name()
    );
    let mut table =
        Table::new(title, &["recording", "joint", "rule", "ours/mm", "rule/mm", "worse by 3 mm"]);
    for (name, joints) in REFERENCES {
        let trial = recordings::read(folder, name)?;
        let estimates = estimator.estimate(&trial, None, settings);
        let Ok([estimate, ..]) = estimates.as_deref() else {
            table.row(vec![name.to_owned(), "refused".to_owned()]);
            continue;
        };
        let truth: Vec<TrueJoint> = joints
            .iter()
            .filter_map(|(joint, label)| {
                let marker = trial.marker(label)?;
                Some(TrueJoint {
                    name: (*joint).to_owned(),
                    kind: "",
                    position_m: Box::new(move |frame| marker.position_m(frame)),
                })
            })
            .collect();
        for one in compare(&trial, estimate, &truth) {
            let worse = if one.is_worse() { "worse" } else { "" };
            table.row(vec![
                name.to_owned(),
                one.joint.clone(),
                one.rule.to_owned(),
                mm(one.ours_m),
                mm(one.theirs_m),
                worse.to_owned(),
            ]);
        }
    }
    Ok(table)
}
