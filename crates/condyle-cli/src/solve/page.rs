//! A solved recording on the terminal: how well the subject fits it.

use condyle::job::{Performance, SolvedPerformer};

use crate::terminal::table;
use crate::terminal::{Out, Written};

const JOINTS: [&str; 5] = ["joint", "placed %", "gap mm", "bone mm", "bone sd mm"];

/// Prints the joints with the share of frames that have them.
pub fn print(performance: &Performance, performer: &SolvedPerformer, out: Out) -> Written {
    let (trial, SolvedPerformer { subject, motion: solved, .. }) = (&performance.trial, performer);
    let millimetres = |length_m: Option<f64>| {
        length_m.map_or_else(|| "-".to_owned(), |length_m| format!("{:.1}", length_m * 1e3))
    };
    let kind = if subject.is_of_bodies() { "bodies" } else { "markers" };
    writeln!(
        out,
        "{} frames, {} segments, {} joints, {kind} {} mm (median) from their places",
        trial.frames,
        subject.segments().len(),
        subject.joints().len(),
        millimetres(solved.evidence().residual_m)
    )?;
    let mut rows = table::table(&JOINTS, 1);
    for (index, joint) in subject.joints().iter().enumerate() {
        let placed = solved.joints()[index].frames_present();
        rows.add_row(vec![
            table::text(&joint.name),
            table::percent(placed, trial.frames),
            millimetres(solved.evidence().separations_m[index]),
            millimetres(subject.bone_length_m(joint.child)),
            millimetres(solved.evidence().bone_sd_m[index]),
        ]);
    }
    table::print(&rows, "  ", out)?;
    for (segment, track) in subject.segments().iter().zip(solved.segments()) {
        let placed = track.origin().frames_present();
        if placed < trial.frames {
            let missing = trial.frames - placed;
            writeln!(out, "  {}: could not be placed in {missing} frames", segment.name)?;
        }
    }
    Ok(())
}
