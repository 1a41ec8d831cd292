//! A functional calibration of a hip: ours beside the two methods of the literature.

use condyle::Trial;
use condyle::rigid::{Pair, place};
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Point3, Vector3};

use super::estimate::{Estimator, Settings};
use super::recordings::{self, mean};
use super::score::largest_sd_m;
use super::table::{Table, mm};

const RECORDING: &str = "btkdata/others/FunctionalLHip.c3d";
const PELVIS: [&str; 5] = ["LASI", "RASI", "LPSI", "RPSI", "SACR"];
const THIGH: [&str; 5] = ["LF01", "LF02", "LF03", "LF04", "LF05"];

/// The table of the functional trial.
///
/// # Errors
/// The recording is not there or cannot be fitted.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let folder = recordings::folder()?;
    let trial = recordings::read(&folder, RECORDING)?;
    let estimates = estimator.estimate(&trial, None, settings)?;
    let estimate = &estimates[0];
    let joint = estimate.joint("left hip");
    let sd_m = joint.and_then(|joint| estimate.covariance_m2(joint, trial.frames / 2));
    let ours: Vec<Option<Point3<f64>>> = (0..trial.frames)
        .map(|frame| joint.and_then(|joint| estimate.position_m(joint, frame)))
        .collect();
    let (gamage, score) = solve(&trial);
    let marker = |label: &str| -> Vec<Option<Point3<f64>>> {
        let marker = trial.marker(label);
        (0..trial.frames).map(|frame| marker.and_then(|m| m.position_m(frame))).collect()
    };
    let all = [
        ("ours", ours),
        ("Gamage and Lasenby", gamage),
        ("SCoRE", score),
        ("Plug-in Gait (LFEP)", marker("LFEP")),
        ("LeftHipCenter", marker("LeftHipCenter")),
    ];
    let mut table = Table::new(
        format!("{RECORDING}: left hip, mean distances, mm [{}]", estimator.name()),
        &["", "ours", "Gamage and Lasenby", "SCoRE"],
    );
    for (name, one) in &all {
        let distances = all[..3].iter().map(|(_, other)| {
            let apart = one.iter().zip(other).filter_map(|(a, b)| Some(((*a)? - (*b)?).norm()));
            mm(mean(apart).unwrap_or(f64::NAN))
        });
        table.row(std::iter::once((*name).to_owned()).chain(distances).collect());
    }
    let sd_m = sd_m.map_or(f64::NAN, |covariance| largest_sd_m(&covariance));
    table.remark(format!("our largest standard deviation: {} mm", mm(sd_m)));
    show(&table);
    Ok(())
}

/// The poses of a few markers against the first frame that shows them all.
fn poses(trial: &Trial, labels: &[&str]) -> Vec<Option<Isometry3<f64>>> {
    let markers: Vec<_> = labels
        .iter()
        .filter_map(|label| trial.marker(label))
        .filter(|marker| marker.missing_samples() < trial.frames / 2)
        .collect();
    let at = |frame: usize| -> Option<Vec<Point3<f64>>> {
        markers.iter().map(|marker| marker.position_m(frame)).collect()
    };
    let Some(shape) = (0..trial.frames).find_map(at) else { return vec![None; trial.frames] };
    let pose = |frame: usize| {
        let pairs = shape.iter().zip(at(frame)?);
        let pairs = pairs.map(|(s, w)| Pair { in_segment_m: *s, in_world_m: w, weight: 1.0 });
        Some(place(pairs)?.world_from_segment)
    };
    (0..trial.frames).map(pose).collect()
}

/// A point in every frame.
type Track = Vec<Option<Point3<f64>>>;

/// The hip by both methods, in the world.
///
/// # Reference
/// S. Gamage, J. Lasenby 2002, *New least squares solutions for estimating the average centre of rotation and the axis of
/// rotation*, equation 5; R. Ehrig and others 2006, *A survey of formal methods for determining the centre of rotation of
/// ball joints* (SCoRE), equation 6.
fn solve(trial: &Trial) -> (Track, Track) {
    let (pelvis, thigh) = (poses(trial, &PELVIS), poses(trial, &THIGH));
    let both: Vec<(Isometry3<f64>, Isometry3<f64>)> =
        pelvis.iter().zip(&thigh).filter_map(|(p, t)| Some(((*p)?, (*t)?))).collect();
    // SCoRE: R_p c_p + t_p = R_t c_t + t_t.
    let (mut left, mut right) = (DMatrix::zeros(3 * both.len(), 6), DVector::zeros(3 * both.len()));
    for (row, (p, t)) in both.iter().enumerate() {
        let [rp, rt] = [p, t].map(|pose| pose.rotation.to_rotation_matrix().into_inner());
        left.fixed_view_mut::<3, 3>(3 * row, 0).copy_from(&rp);
        left.fixed_view_mut::<3, 3>(3 * row, 3).copy_from(&-rt);
        right
            .fixed_rows_mut::<3>(3 * row)
            .copy_from(&(t.translation.vector - p.translation.vector));
    }
    let solution = left.svd(true, true).solve(&right, 1e-9).unwrap_or_else(|_| DVector::zeros(6));
    let pick = |first: usize| Point3::from(solution.fixed_rows::<3>(first).into_owned());
    let [in_pelvis, in_thigh] = [pick(0), pick(3)];
    let score = pelvis
        .iter()
        .zip(&thigh)
        .map(|(p, t)| Some(nalgebra::center(&((*p)? * in_pelvis), &((*t)? * in_thigh))))
        .collect();
    // Gamage and Lasenby: every marker of the thigh on a sphere about one centre in the pelvis.
    let (mut a, mut b) = (Matrix3::zeros(), Vector3::zeros());
    for label in THIGH {
        let Some(marker) = trial.marker(label) else { continue };
        let seen = pelvis.iter().enumerate();
        let points: Vec<Vector3<f64>> = seen
            .filter_map(|(frame, pose)| {
                Some(((*pose)?.inverse() * marker.position_m(frame)?).coords)
            })
            .collect();
        let n = points.len().max(1) as f64;
        let first = points.iter().sum::<Vector3<f64>>() / n;
        let outer = points.iter().map(|v| v * v.transpose()).sum::<Matrix3<f64>>() / n;
        let second = points.iter().map(|v| v.norm_squared()).sum::<f64>() / n;
        let third = points.iter().map(|v| v * v.norm_squared()).sum::<Vector3<f64>>() / n;
        a += 2.0 * (outer - first * first.transpose());
        b += third - first * second;
    }
    let centre = a.try_inverse().map(|inverse| Point3::from(inverse * b));
    let gamage = pelvis.iter().map(|pose| Some((*pose)? * centre?)).collect();
    (gamage, score)
}
