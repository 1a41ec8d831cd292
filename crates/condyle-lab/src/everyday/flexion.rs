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
        &[
            "recording",
            "joint",
            "frames",
            "range",
            "stored",
            "correlation",
            "offset",
            "rms",
            "bend",
            "stored adduction",
            "",
        ],
    );
    table.remark(
        "bend: the correlation of the angles between the long axes of thigh and shank, in which an axis of the knee that is \
         turned has no part; a stored knee that adducts as it bends has one",
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
    /// Of knees.
    knee: Option<Knee>,
}

/// What is said of a knee beside its flexion.
struct Knee {
    bend_correlation: f64,
    stored_adduction_deg: [f64; 2],
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
        let knee = self.knee.as_ref();
        let [least_deg, most_deg] = knee.map_or([0.0; 2], |knee| knee.stored_adduction_deg);
        vec![
            self.frames.to_string(),
            format!("{:.1}", self.range_deg),
            format!("{:.1}", self.stored_deg),
            format!("{:.3}", self.correlation),
            format!("{:.1}", self.offset_deg),
            format!("{:.1}", self.rms_deg),
            knee.map_or_else(String::new, |knee| format!("{:.3}", knee.bend_correlation)),
            knee.map_or_else(String::new, |_| format!("{least_deg:.0} to {most_deg:.0}")),
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
    // Flexion and adduction, ours and the stored ones.
    let angles_deg: Vec<[[f64; 2]; 2]> = (0..trial.frames)
        .filter_map(|frame| {
            let [flexion, adduction, _] = flexion.angles_rad.get(frame).copied().flatten()?;
            let stored = marker.position_m(frame)?;
            let ours = [flexion.to_degrees(), adduction.to_degrees()];
            Some([ours, [stored_deg(stored.x), stored_deg(stored.y)]])
        })
        .filter(|[_, stored]| stored[0] != 0.0)
        .collect();
    if angles_deg.len() < 5 {
        return None;
    }
    let flexion: Vec<(f64, f64)> =
        angles_deg.iter().map(|[ours, stored]| (ours[0], stored[0])).collect();
    let Moments { offset, xx, yy, xy } = Moments::of(&flexion);
    let between = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::MAX, f64::MIN], |[least, most], v| [least.min(v), most.max(v)])
    };
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let [least, most] = between(&mut flexion.iter().map(pick));
        most - least
    };
    let knee = || {
        let bend: Vec<(f64, f64)> =
            angles_deg.iter().map(|[ours, stored]| (bend_deg(ours), bend_deg(stored))).collect();
        Knee {
            bend_correlation: Moments::of(&bend).correlation(),
            stored_adduction_deg: between(&mut angles_deg.iter().map(|[_, stored]| stored[1])),
        }
    };
    Some(Compared {
        frames: flexion.len(),
        range_deg: range(|p| p.0),
        stored_deg: range(|p| p.1),
        correlation: Moments::of(&flexion).correlation(),
        offset_deg: offset,
        rms_deg: (xx + yy - 2.0 * xy).max(0.0).sqrt(),
        knee: joint.ends_with("knee").then(knee),
    })
}

/// The mean difference of two series, and their second moments about their means.
struct Moments {
    offset: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Moments {
    fn of(pairs: &[(f64, f64)]) -> Self {
        let n = pairs.len() as f64;
        let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / n;
        let (a, b) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |pick: &dyn Fn(f64, f64) -> f64| -> f64 {
            pairs.iter().map(|(x, y)| pick(x - a, y - b)).sum::<f64>() / n
        };
        let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
        Self { offset: a - b, xx, yy, xy }
    }

    fn correlation(&self) -> f64 {
        self.xy / (self.xx * self.yy).sqrt()
    }
}

/// The angle between the long axes of two segments that are flexed and then adducted.
fn bend_deg([flexion_deg, adduction_deg]: &[f64; 2]) -> f64 {
    (flexion_deg.to_radians().cos() * adduction_deg.to_radians().cos()).acos().to_degrees()
}

/// Angles are stored among the points, whose numbers become metres from millimetres.
fn stored_deg(x: f64) -> f64 {
    x * 1e3
}
