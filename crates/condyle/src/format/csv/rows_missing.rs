//! Rows that a table lacks: where its clock jumps by whole steps, frames without samples are put in.

use crate::format::table;
use crate::statistics::median;
use crate::trial::Note;

use super::columns::Rows;

/// Fewer steps than these do not show what the usual one is.
const LEAST_STEPS: usize = 8;
/// How far from a whole number of steps a jump may be, in steps.
const NEAR_STEPS: f64 = 0.1;
/// The same for long jumps, as a share of them: clocks of trackers do not resume on the beat.
const NEAR_SHARE: f64 = 0.01;
/// Decimals of a clock that are coarser than this share of a step do not tell one step from two.
const QUANTUM_SHARE: f64 = 0.45;
/// One step in this many may be no whole number of the usual ones before time counts as uneven.
const STEPS_PER_MISFIT: usize = 20;
/// Frames are not put in if the recording would become so many times longer.
const MOST_GROWTH: usize = 20;

/// Where rows are missing.
#[derive(Debug, PartialEq)]
struct Holes {
    /// The usual step of the clock.
    step: f64,
    /// The row after the hole, and how many are missing before it.
    before: Vec<(usize, usize)>,
}

/// Puts frames without samples where most steps of the clock are equal and others are whole multiples.
///
/// `columns` and `file_bytes` keep the memory in proportion to the file.
pub(super) fn put_in(mut rows: Rows, columns: usize, file_bytes: usize) -> Rows {
    let Some(holes) = find(&rows) else { return rows };
    let missing = holes.before.iter().fold(0usize, |sum, hole| sum.saturating_add(hole.1));
    let longest = holes.before.iter().map(|hole| hole.1).max().unwrap_or(0);
    let longest = match rows.stamps_s.is_empty() {
        true => format!("{longest} frames"),
        false => format!("{} s", (longest as f64 * holes.step * 1e3).round() / 1e3),
    };
    let what =
        format!("{missing} rows are missing in {} places (longest {longest})", holes.before.len());
    let frames = rows.frames.saturating_add(missing);
    let is_too_many = frames > rows.frames.saturating_mul(MOST_GROWTH)
        || table::check_size(frames, columns, file_bytes).is_err();
    if is_too_many {
        let text = format!("{what}, too many to put in: the rows are taken as consecutive frames");
        rows.notes.push(Note::new("rows-missing", text));
        return rows;
    }
    rows.notes.push(Note::new("rows-missing", format!("{what}: put in as missing frames")));
    let mut sources: Vec<Option<usize>> = Vec::with_capacity(frames);
    let mut holes = holes.before.into_iter().peekable();
    for row in 0..rows.frames {
        if let Some((_, missing)) = holes.next_if(|hole| hole.0 == row) {
            sources.extend(std::iter::repeat_n(None, missing));
        }
        sources.push(Some(row));
    }
    rows.put_in = missing;
    rows.rearranged(&sources)
}

/// Whether stamps at one rate, rounded to the ticks of the clock, would look like this.
fn is_even(stamped: &[(usize, f64)], quantum: f64) -> bool {
    let [first, .., last] = stamped else { return true };
    let slope = (last.1 - first.1) / (last.0 - first.0) as f64;
    let expected = |row: usize| first.1 + (row - first.0) as f64 * slope;
    stamped.iter().all(|(row, stamp)| (stamp - expected(*row)).abs() <= 1.01 * quantum)
}

fn find(rows: &Rows) -> Option<Holes> {
    let stamped: Vec<(usize, f64)> =
        rows.clock().iter().enumerate().filter_map(|(row, stamp)| Some((row, (*stamp)?))).collect();
    if stamped.len() <= LEAST_STEPS {
        return None;
    }
    let quantum = rows.clock_quantum(&stamped);
    // How far the clock goes from one stamp to the next, and in how many rows.
    let jumps: Vec<(f64, usize)> =
        stamped.windows(2).map(|pair| (pair[1].1 - pair[0].1, pair[1].0 - pair[0].0)).collect();
    if !jumps.iter().all(|(jump, _)| *jump > 0.0 && jump.is_finite()) {
        return None;
    }
    let steps: Vec<f64> = jumps.iter().map(|(jump, rows)| jump / *rows as f64).collect();
    let usual = median(steps.iter().copied())?;
    let is_usual = |step: f64| (step - usual).abs() <= 2.0 * quantum + NEAR_STEPS * usual;
    let (sum, count) = steps
        .iter()
        .filter(|step| is_usual(**step))
        .fold((0.0, 0usize), |(sum, count), step| (sum + step, count + 1));
    let step = sum / count as f64;
    if 2 * count < steps.len() {
        return None;
    }
    // Where one step is about one tick of the clock, the stamps must be exact to tell anything.
    let is_coarse = quantum > QUANTUM_SHARE * step;
    let is_exact = |other: &&f64| (**other - step).abs() <= NEAR_SHARE * step;
    let exact = steps.iter().filter(is_exact).count();
    if is_coarse && (exact < count || is_even(&stamped, quantum)) {
        return None;
    }
    let quantum = if is_coarse { 0.0 } else { quantum };
    let in_steps = |jump: f64| (jump / step).round();
    let is_near = |jump: f64| {
        let off = (jump - in_steps(jump) * step).abs();
        off <= 2.0 * quantum + (NEAR_STEPS * step).max(NEAR_SHARE * jump)
    };
    let misfits =
        jumps.iter().filter(|(jump, _)| in_steps(*jump) == 0.0 || !is_near(*jump)).count();
    if misfits * STEPS_PER_MISFIT > jumps.len() {
        return None;
    }
    let mut before = Vec::new();
    for (at, (jump, rows)) in jumps.iter().enumerate() {
        // A row that was stamped late is followed by a short step, not by a hole.
        let is_late = jumps.get(at + 1).is_some_and(|(next, _)| in_steps(*next) == 0.0);
        // A cast saturates, so a silly jump stays a number.
        let missing = (in_steps(*jump) as usize).saturating_sub(rows + usize::from(is_late));
        if missing > 0 {
            before.push((stamped[at + 1].0, missing));
        }
    }
    (!before.is_empty()).then_some(Holes { step, before })
}
