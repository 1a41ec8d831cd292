//! One performer of CMU's library in two trials, fitted apart: do bones repeat?

use std::path::Path;

use super::estimate::{Estimate, Estimator, Settings};
use super::recordings::{self, Centres, mean};
use super::table::{Table, mm};

const BONES: [(&str, &str, &str); 10] = [
    ("left thigh", "left hip", "left knee"),
    ("right thigh", "right hip", "right knee"),
    ("left shank", "left knee", "left ankle"),
    ("right shank", "right knee", "right ankle"),
    ("left upper arm", "left shoulder", "left elbow"),
    ("right upper arm", "right shoulder", "right elbow"),
    ("left forearm", "left elbow", "left wrist"),
    ("right forearm", "right elbow", "right wrist"),
    ("hip to hip", "left hip", "right hip"),
    ("shoulder to shoulder", "left shoulder", "right shoulder"),
];

/// Joints of the ASF that are comparable with ours.
const ASF: [(&str, [&str; 2]); 5] = [
    ("hip", ["lhip", "rhip"]),
    ("knee", ["lknee", "rknee"]),
    ("ankle", ["lankle", "rankle"]),
    ("shoulder", ["lshoulder", "rshoulder"]),
    ("elbow", ["lelbow", "relbow"]),
];

/// The tables of performer 02, and the distances to the ASF of 01 and 02.
///
/// # Errors
/// The recordings are not there.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let folder = recordings::folder()?;
    let estimate = |name: &str| -> anyhow::Result<Estimate> {
        let trial = recordings::read(&folder, &format!("cmu/{name}.c3d"))?;
        let mut estimates = estimator.estimate(&trial, None, settings)?;
        Ok(estimates.swap_remove(0))
    };
    let trials = ["02_01", "02_05", "01_01"];
    let estimates =
        trials.iter().map(|name| estimate(name)).collect::<anyhow::Result<Vec<Estimate>>>()?;
    show(&bones(&estimates[..2], estimator.name()));
    let mut table = Table::new(
        format!(
            "CMU against the centres of the ASF, mean of both sides, mm [{}]",
            estimator.name()
        ),
        &["joint", "02_01", "02_05", "01_01"],
    );
    for (joint, columns) in ASF {
        let mut row = vec![joint.to_owned()];
        for (name, estimate) in trials.iter().zip(&estimates) {
            row.push(mm(to_asf(&folder, name, estimate, joint, columns)?));
        }
        table.row(row);
    }
    show(&table);
    Ok(())
}

fn bones(trials: &[Estimate], estimator: &str) -> Table {
    let mut table = Table::new(
        format!("CMU 02, 02_01 and 02_05 fitted apart: bones, mm [{estimator}]"),
        &["bone", "02_01", "02_05", "difference"],
    );
    let lengths = |estimate: &Estimate| -> Vec<f64> {
        BONES.iter().map(|(_, a, b)| estimate.distance_m(a, b).unwrap_or(f64::NAN)).collect()
    };
    let [a, b] = [lengths(&trials[0]), lengths(&trials[1])];
    for (index, (bone, ..)) in BONES.iter().enumerate() {
        let cells = [a[index], b[index], b[index] - a[index]].map(mm);
        table.row([vec![(*bone).to_owned()], cells.to_vec()].concat());
    }
    let rms = |differences: &[f64]| {
        mean(differences.iter().filter(|d| d.is_finite()).map(|d| d * d)).unwrap_or(f64::NAN).sqrt()
    };
    let between: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let sides: Vec<f64> =
        [&a, &b].iter().flat_map(|l| (0..4).map(|i| l[2 * i] - l[2 * i + 1])).collect();
    table.remark(format!("rms difference of the trials: {} mm", mm(rms(&between))));
    table.remark(format!("rms difference of left and right: {} mm", mm(rms(&sides))));
    table
}

/// The mean distance of a joint to the ASF's, both sides.
fn to_asf(
    folder: &Path,
    trial: &str,
    estimate: &Estimate,
    joint: &str,
    columns: [&str; 2],
) -> anyhow::Result<f64> {
    let centres = Centres::read(folder, &format!("cmu_{trial}_joint_centres.csv"), 1e-3)?;
    let mut distances = Vec::new();
    for (side, column) in ["left", "right"].into_iter().zip(columns) {
        let Some(index) = estimate.joint(&format!("{side} {joint}")) else { continue };
        for (row, frame) in centres.keys.iter().enumerate() {
            let ours = estimate.position_m(index, *frame as usize - 1);
            let theirs = centres.position_m(row, column);
            distances.extend(ours.zip(theirs).map(|(a, b)| (a - b).norm()));
        }
    }
    Ok(mean(distances).unwrap_or(f64::NAN))
}
