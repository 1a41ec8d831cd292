//! Flexion angles beside those that files store.

use condyle::Trial;
use condyle::angles;

use super::estimate::{Estimate, Estimator, Settings};
use super::recordings;
use super::table::Table;

/// The recordings with stored angles.
const RECORDINGS: [&str; 7] = [
    "btkdata/PiG/PiG_Motion-FlatFoot-Full.c3d",
    "btkdata/PiG/PiG_Motion3_FF.c3d",
    "c3dorg/sample_03/gait-pig.c3d",
    "c3dorg/sample_09/PlugInC3D.c3d",
    "c3dorg/sample_04/sub_labels.c3d",
    "pycgm/Movement_trial.c3d",
    "wkiro/AJ026_Run_Comfortable1.c3d",
];

/// The joint, the stored angle without a side, and the least correlation that is wanted.
const JOINTS: [(&str, &str, f64); 3] =
    [("knee", "KneeAngles", 0.98), ("hip", "HipAngles", 0.97), ("ankle", "AnkleAngles", 0.9)];
/// A correlation is wanted from this range on.
const LEAST_RANGE_DEG: f64 = 20.0;

/// The table of all recordings, joints and sides.
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
        format!("Flexion beside stored angles, degrees [{}]", estimator.name()),
        &["recording", "joint", "frames", "range", "stored", "correlation", "offset", "rms", ""],
    );
    for name in RECORDINGS {
        let trial = recordings::read(&folder, name)?;
        let estimates = estimator.estimate(&trial, None, settings);
        let short = name.rsplit('/').next().unwrap_or(name).to_owned();
        let Ok([estimate, ..]) = estimates.as_deref() else {
            table.row(vec![short, "refused".to_owned()]);
            continue;
        };
        let Some((subject, solved)) = &estimate.solved else {
            table.row(vec![short, "no skeleton".to_owned()]);
            continue;
        };
        let options = angles::Options::default();
        let ours = angles::joint_angles(subject, solved, trial.rate_hz, &options);
        for (joint, stored, least) in JOINTS {
            for side in ["left", "right"] {
                let joint = format!("{side} {joint}");
                let mut row = vec![short.clone(), joint.clone()];
                match compared(&trial, &ours, estimate, &joint, stored) {
                    Some(found) => row.extend(found.cells(least)),
                    None => row.push("-".to_owned()),
                }
                table.row(row);
            }
        }
    }
    show(&table);
    Ok(())
}

struct Compared {
    frames: usize,
    range_deg: f64,
    stored_deg: f64,
    correlation: f64,
    offset_deg: f64,
    rms_deg: f64,
}

impl Compared {
    fn cells(&self, least: f64) -> Vec<String> {
        let verdict = if self.correlation < 0.0 {
            "wrong sign"
        } else if self.stored_deg >= LEAST_RANGE_DEG && self.correlation < least {
            "low"
        } else {
            ""
        };
        vec![
            self.frames.to_string(),
            format!("{:.1}", self.range_deg),
            format!("{:.1}", self.stored_deg),
            format!("{:.3}", self.correlation),
            format!("{:.1}", self.offset_deg),
            format!("{:.1}", self.rms_deg),
            verdict.to_owned(),
        ]
    }
}

fn compared(
    trial: &Trial,
    ours: &angles::Angles,
    estimate: &Estimate,
    joint: &str,
    stored: &str,
) -> Option<Compared> {
    estimate.joint(joint)?;
    let letter = if joint.starts_with("left") { "L" } else { "R" };
    let marker = [stored.to_owned(), format!("{stored}V")]
        .iter()
        .find_map(|name| trial.marker(&format!("{letter}{name}")))?;
    let flexion = ours.joint(joint)?;
    let pairs: Vec<(f64, f64)> = (0..trial.frames)
        .filter_map(|frame| {
            let ours = flexion.angles_rad.get(frame).copied().flatten()?[0].to_degrees();
            Some((ours, stored_deg(marker.position_m(frame)?.x)))
        })
        .filter(|(_, stored)| *stored != 0.0)
        .collect();
    if pairs.len() < 5 {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / n;
    let (a, b) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |pick: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|(x, y)| pick(x - a, y - b)).sum::<f64>() / n
    };
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let values = pairs.iter().map(pick);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    };
    Some(Compared {
        frames: pairs.len(),
        range_deg: range(|p| p.0),
        stored_deg: range(|p| p.1),
        correlation: xy / (xx * yy).sqrt(),
        offset_deg: a - b,
        rms_deg: (xx + yy - 2.0 * xy).max(0.0).sqrt(),
    })
}

/// Angles are stored among the points, whose numbers become metres from millimetres.
fn stored_deg(x: f64) -> f64 {
    x * 1e3
}
