//! Recordings that carry joint centres of their own: references, not truth.

use condyle::Trial;
use condyle::trial::Marker;
use nalgebra::Point3;

use super::estimate::{Estimate, Estimator, Settings};
use super::recordings::{self, mean};
use super::table::{Table, mm};

/// How files spell the centres of hips, knees and ankles, without a side letter.
const SPELLINGS: [[&str; 3]; 2] = [["FEP", "FEO", "TIO"], ["HJC", "KJC", "AJC"]];

/// The joints, in the order of their spellings.
pub const JOINTS: [&str; 3] = ["hip", "knee", "ankle"];

/// The markers of a recording that are centres of hips, knees and ankles: of both sides, if there are any.
pub fn centres(trial: &Trial) -> Option<[[&Marker; 2]; 3]> {
    let find =
        |name: &str| trial.marker(name).filter(|marker| marker.missing_samples() < trial.frames);
    SPELLINGS.iter().find_map(|spelling| {
        let joint = |name: &str| Some([find(&format!("L{name}"))?, find(&format!("R{name}"))?]);
        let [hip, knee, ankle] = spelling;
        Some([joint(hip)?, joint(knee)?, joint(ankle)?])
    })
}

/// The mean distance of a joint to a point of the file.
pub fn distance_m(estimate: &Estimate, joint: &str, marker: &Marker) -> Option<f64> {
    let joint = estimate.joint(joint)?;
    let apart = |frame| {
        let theirs: Point3<f64> = marker.position_m(frame)?;
        Some((estimate.position_m(joint, frame)? - theirs).norm())
    };
    mean((0..marker.frames()).filter_map(apart))
}

/// The table of all recordings with centres, one row each, and the mean over files.
///
/// # Errors
/// The recordings are not there.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let folder = recordings::folder()?;
    let mut table = Table::new(
        format!(
            "Distance to the file's own centres, mean of both sides, mm [{}]",
            estimator.name()
        ),
        &["recording", "hip", "knee", "ankle", "hip to hip", "file's"],
    );
    let mut sums = [const { Vec::new() }; 3];
    for name in recordings::all(&folder) {
        let Ok(trial) = recordings::read(&folder, &name) else { continue };
        let Some(centres) = centres(&trial) else { continue };
        if name.starts_with("nimble_synthetic") {
            continue;
        }
        let estimates = estimator.estimate(&trial, None, settings);
        let Some(estimate) = estimates.as_ref().ok().and_then(|all| all.first()) else {
            let why = estimates.err().map_or_else(String::new, |error| format!("{error:#}"));
            table.remark(format!("{name}: {why}"));
            table.row(vec![name, "refused".into()]);
            continue;
        };
        for text in &estimate.said {
            table.remark(format!("{name}: {text}"));
        }
        let mut row = vec![name];
        for ((joint, pair), sum) in JOINTS.iter().zip(&centres).zip(&mut sums) {
            let sides = ["left", "right"].into_iter().zip(pair);
            let distances = sides.filter_map(|(side, marker)| {
                distance_m(estimate, &format!("{side} {joint}"), marker)
            });
            let distance_m = mean(distances);
            sum.extend(distance_m);
            row.push(mm(distance_m.unwrap_or(f64::NAN)));
        }
        row.push(mm(estimate.distance_m("left hip", "right hip").unwrap_or(f64::NAN)));
        let [left, right] = centres[0];
        let apart = |frame| Some((left.position_m(frame)? - right.position_m(frame)?).norm());
        row.push(mm(mean((0..trial.frames).filter_map(apart)).unwrap_or(f64::NAN)));
        table.row(row);
    }
    let means = sums.map(|sum| mm(mean(sum).unwrap_or(f64::NAN)));
    table.row([vec!["mean over files".to_owned()], means.to_vec()].concat());
    show(&table);
    Ok(())
}
