//! Halves of a recording fitted apart: do they differ by what their error bars say?

use condyle::Trial;
use condyle::trial::edit;

use super::estimate::{Estimate, Estimator, Settings};
use super::recordings;
use super::table::{Table, mm, percent};

/// The shortest recording that is halved.
const LEAST_FRAMES: usize = 60;
/// The frame that is compared is at most so far from the middle.
const NEAR: usize = 20;
/// A coordinate farther off than this many standard deviations is beyond.
const BEYOND: f64 = 1.96;

/// The table of all public recordings, and the shares over all of them.
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
        format!("Halves of recordings fitted apart [{}]", estimator.name()),
        &["recording", "joints", "difference/mm", "sd/mm", "beyond 1.96/%"],
    );
    let (mut all, mut beyond) = (0usize, 0usize);
    let mut twins = recordings::Twins::default();
    for name in recordings::all(&folder) {
        let Ok(trial) = recordings::read(&folder, &name) else { continue };
        let is_made_up = name.starts_with("nimble_synthetic");
        if trial.frames < LEAST_FRAMES || is_made_up || !twins.is_new(&trial) {
            continue;
        }
        let Some(found) = compare(estimator, settings, &trial) else { continue };
        let joints = found.len();
        let scores: Vec<f64> = found.iter().flat_map(|one| one.scores).collect();
        let far = scores.iter().filter(|score| score.abs() > BEYOND).count();
        (all, beyond) = (all + scores.len(), beyond + far);
        let median = |pick: fn(&Difference) -> f64| {
            let mut values: Vec<f64> = found.iter().map(pick).collect();
            super::score::quantile(&mut values, 0.5)
        };
        table.row(vec![
            name,
            joints.to_string(),
            mm(median(|one| one.difference_m)),
            mm(median(|one| one.sd_m)),
            percent(far as f64 / scores.len() as f64),
        ]);
    }
    table.remark(format!(
        "beyond {BEYOND} standard deviations: {} % of {all} coordinates (wanted 2 to 8)",
        percent(beyond as f64 / all as f64)
    ));
    show(&table);
    Ok(())
}

struct Difference {
    difference_m: f64,
    sd_m: f64,
    /// Along the principal axes of the predicted covariance, in its standard deviations.
    scores: [f64; 3],
}

fn compare(
    estimator: &dyn Estimator,
    settings: &Settings,
    trial: &Trial,
) -> Option<Vec<Difference>> {
    let middle = trial.frames / 2;
    let half = |frames| -> Option<Estimate> {
        let half = edit::with_frames(trial.clone(), frames).ok()?;
        estimator.estimate(&half, None, settings).ok()?.into_iter().next()
    };
    let (first, second) = (half(0..middle)?, half(middle..trial.frames)?);
    // Both skeletons in the same frame, near the middle: poses come from the same markers.
    let frames = (0..NEAR).flat_map(|away| [middle.saturating_sub(away), middle + away]);
    let placed: Vec<_> = frames
        .filter(|frame| *frame < trial.frames)
        .map(|frame| {
            let mut positions_m = vec![None; trial.markers.len()];
            trial.positions_m(frame, &mut positions_m);
            let [one, other] =
                [&first, &second].map(|estimate| estimate.motion.place_m(&positions_m));
            (frame, positions_m, one, other)
        })
        .collect();
    let mut found = Vec::new();
    for (index, name) in first.joints.iter().enumerate() {
        let Some(same) = second.joint(name) else { continue };
        let compared = placed.iter().find_map(|(frame, positions_m, one, other)| {
            let difference = (*one.get(index)?)? - (*other.get(same)?)?;
            let influences = first
                .motion
                .influence(index, positions_m)
                .zip(second.motion.influence(same, positions_m));
            if let Some(covariance) = influences.and_then(|(a, b)| a.difference_m2(&b)) {
                return Some((difference, covariance));
            }
            let in_first = (*frame).min(middle - 1);
            let in_second = (*frame).max(middle) - middle;
            let covariance = first.motion.covariance_m2(index, in_first)?;
            Some((difference, covariance + second.motion.covariance_m2(same, in_second)?))
        });
        let Some((difference, covariance)) = compared else { continue };
        let eigen = covariance.symmetric_eigen();
        let along = eigen.eigenvectors.transpose() * difference;
        let sds = eigen.eigenvalues.map(|value| value.max(1e-14).sqrt());
        found.push(Difference {
            difference_m: difference.norm(),
            sd_m: sds.max(),
            scores: std::array::from_fn(|i| along[i] / sds[i]),
        });
    }
    (!found.is_empty()).then_some(found)
}
