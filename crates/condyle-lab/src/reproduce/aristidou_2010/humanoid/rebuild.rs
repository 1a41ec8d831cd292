//! A dance cut into runs, and each rebuilt from its ends.

use std::time::Instant;

use condyle::ik::{Solver, Target};
use nalgebra::Point3;

use super::model::{self, Row};
use super::recording::{Dance, EFFECTORS, Frame, INNER};

/// How far one deleted joint was from where it was recorded.
pub struct Miss {
    /// 0 for hips, 1 knees, 2 shoulders, 3 elbows.
    pub kind: usize,
    /// Since the pose that was known.
    pub after_s: f64,
    pub mm: f64,
}

/// What a method made of some runs.
#[derive(Default)]
pub struct Rebuilt {
    pub misses: Vec<Miss>,
    /// Of all thirteen: those that were kept count too.
    pub all_mm: Vec<f64>,
    pub iterations: Vec<f64>,
    pub seconds: Vec<f64>,
    pub reached: usize,
    /// Recorded and rebuilt, in the middle of the first run.
    pub shown: Option<[Vec<Point3<f64>>; 2]>,
}

/// Cuts dances into so many runs of about the same time: the frames of each.
pub fn runs(dances: &[Dance], wanted: usize) -> Vec<(&Dance, &[Frame])> {
    let seconds = |dance: &Dance| dance.frames.len() as f64 / dance.rate_hz;
    let each_s = dances.iter().map(seconds).sum::<f64>() / wanted.max(1) as f64;
    let mut all = Vec::new();
    for dance in dances {
        let parts = ((seconds(dance) / each_s).round() as usize).max(1);
        let frames = dance.frames.len().div_ceil(parts).max(1);
        all.extend(dance.frames.chunks(frames).map(|frames| (dance, frames)));
    }
    all
}

/// Rebuilds a run, whose first pose is known.
pub fn rebuild(
    rebuilt: &mut Rebuilt,
    (dance, frames): (&Dance, &[Frame]),
    row: &Row,
    rate_hz: f64,
) -> condyle::Result<()> {
    let mut solver = Solver::new(model::linkage(dance, row)?);
    let joints = solver.linkage().joints();
    let ends = if row.has_head { &EFFECTORS[..] } else { &EFFECTORS[..4] };
    let step = ((dance.rate_hz / rate_hz).round() as usize).max(1);
    let mut targets: Vec<Target> = Vec::new();
    for (index, frame) in frames.iter().step_by(step).enumerate() {
        if row.knows_pelvis {
            // All turns with the pelvis before anything reaches.
            solver.turn_base(frame.world_from_pelvis);
        }
        if index == 0 {
            solver.pose(&frame.at_m[..joints])?;
            continue;
        }
        solver.move_base(frame.at_m[0])?;
        // A head nods: it says less of the thorax than a wrist of its arm.
        let weight = |joint: usize| if joint == 13 { 0.5 } else { 1.0 };
        targets.clear();
        targets.extend(ends.iter().map(|joint| Target {
            weight: weight(*joint),
            ..Target::at(*joint, frame.at_m[*joint])
        }));
        let begun = Instant::now();
        let reach = solver.solve(&targets, &row.options)?;
        rebuilt.seconds.push(begun.elapsed().as_secs_f64());
        rebuilt.iterations.push(reach.iterations as f64);
        rebuilt.reached += usize::from(reach.is_reached());
        let off = |joint: usize| 1e3 * (solver.positions_m()[joint] - frame.at_m[joint]).norm();
        let after_s = (index * step) as f64 / dance.rate_hz;
        let misses = INNER
            .iter()
            .enumerate()
            .flat_map(|(kind, pair)| pair.map(|joint| Miss { kind, after_s, mm: off(joint) }));
        rebuilt.misses.extend(misses);
        rebuilt.all_mm.extend((0..13).map(off));
        if rebuilt.shown.is_none() && index >= frames.len() / step / 2 {
            rebuilt.shown = Some([frame.at_m.to_vec(), solver.positions_m().to_vec()]);
        }
    }
    Ok(())
}
