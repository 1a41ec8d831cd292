//! Is this a body? A check of units and up-axis against the size of things people record.
//!
//! What a file declares is kept unless it is impossible; what it does not declare is guessed from
//! the data. Either way a note says so, and the caller's own word overrides both.

use super::ReadOptions;
use super::cloud::{Cloud, FLOOR_M, FRAMES_LOOKED_AT, STANDING_M};
use super::people;
use crate::statistics::median;
use crate::trial::{Axis, LengthUnit, Marker, Note, Trial};

/// Markers nearer together or further apart than this are in no recording of a body, whatever a file
/// says: it takes a unit that is wrong by a thousand, as metres for millimetres, to get there.
const POSSIBLE_SIZE_M: std::ops::Range<f64> = 0.005..100.0;
/// A limb, or someone crouching or standing.
const BODY_SIZE_M: std::ops::Range<f64> = 0.25..2.5;
/// Someone who moves, between crouching and standing.
const TYPICAL_SIZE_M: f64 = 1.2;
/// The height of people in feet, mistaken for metres.
const HEIGHT_IN_FEET: std::ops::Range<f64> = 3.5..7.5;
/// People who stand and walk, toddlers included.
const PEOPLE_M: std::ops::Range<f64> = 0.72..2.3;
/// Whom one may meet at all: outside it is asked whether the unit is right.
const MET_M: std::ops::Range<f64> = 0.65..2.35;
/// Nobody is shorter or taller: newborns and giants included.
const ANYBODY_M: std::ops::Range<f64> = 0.5..2.6;
/// The extent of somebody of an ordinary size, sitting or with arms raised: labels need not be asked.
const ORDINARY_SIZE_M: std::ops::Range<f64> = 0.8..2.2;
/// So long a recording has to be to show that somebody rests.
const MIN_LYING_S: f64 = 1.0;
/// A performer who is so much less high than long lies.
const FLAT: f64 = 0.75;

/// How far the unit of length of a file is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitTrust {
    /// The format leaves no choice.
    Certain,
    /// The file says it, or nearly all of its kind have it.
    Declared,
    /// The file does not say it.
    Assumed,
}

/// Fills in the unit and up-axis that the file does not give, and notes those that cannot be.
pub(super) fn check(trial: &mut Trial, options: &ReadOptions, trust: UnitTrust) {
    let Some(cloud) = Cloud::of(trial) else {
        if trust == UnitTrust::Assumed && options.unit.is_none() && !trial.markers.is_empty() {
            let unit = trial.source.unit;
            let text = format!("no unit of length and too few points to guess: took {unit}");
            trial.note("units", text);
        }
        return;
    };
    let cloud = check_unit(trial, options, trust, cloud);
    check_up(trial, options, &cloud);
}

fn check_unit(trial: &mut Trial, options: &ReadOptions, trust: UnitTrust, cloud: Cloud) -> Cloud {
    let unit_declared = trust == UnitTrust::Declared;
    let size_m = cloud.size_m();
    let read_as = trial.source.unit;
    let impossible = !POSSIBLE_SIZE_M.contains(&size_m);
    if options.unit.is_some() && impossible {
        let better = best_unit(size_m / read_as.metres(), read_as, &UNITS);
        let rather = better.map_or(String::new(), |unit| format!("; in {unit} it would be a body"));
        let text = format!("in {read_as}, as asked for, the markers span {size_m:.4} m{rather}");
        trial.note("units", text);
    }
    if options.unit.is_some() || trust == UnitTrust::Certain {
        if !impossible && let Some(tall_m) = odd_height_m(trial, size_m) {
            let text = format!(
                "in {read_as} the performer would be {tall_m:.2} m tall: is that the unit?"
            );
            trial.notes.insert(0, Note::new("units", text));
        }
        return cloud;
    }
    let is_height_in_feet =
        |i: usize| read_as == LengthUnit::Metre && HEIGHT_IN_FEET.contains(&cloud.extent_m[i]);
    let stands_in_feet = trial.source.up.is_some_and(|up| is_height_in_feet(up.index()));
    let is_kept = !impossible && !stands_in_feet;
    if !stands_in_feet && let Some(tall_m) = odd_height_m(trial, size_m) {
        return check_height(trial, unit_declared, tall_m, cloud);
    }
    if unit_declared && is_kept {
        // Without an up-axis it may as well be two people side by side.
        let longest = cloud.longest_axis();
        let from_floor = FLOOR_M.contains(&cloud.low_m[longest]);
        if trial.source.up.is_none() && from_floor && is_height_in_feet(longest) {
            let text = format!(
                "the markers rise {size_m:.2} m from the floor: if that is one body, these are feet"
            );
            trial.note("units", text);
        }
        return cloud;
    }
    let better = match (stands_in_feet, unit_declared) {
        (true, _) => Some(LengthUnit::Foot),
        (false, true) => best_unit(size_m / read_as.metres(), read_as, &UNITS[..METRIC]),
        (false, false) => best_unit(size_m / read_as.metres(), read_as, &UNITS),
    };
    match better {
        Some(unit) if unit != read_as => {
            let text = format!("in {read_as} the markers would span {size_m:.4} m: read as {unit}");
            trial.note("units", text);
            let factor = unit.metres() / read_as.metres();
            trial.scale_lengths(factor);
            trial.source.unit = unit;
            cloud.scaled(factor)
        }
        Some(_) => {
            trial.note("units", format!("no unit of length: {read_as} fits the size of a body"));
            cloud
        }
        None => {
            let text = format!("in {read_as} the markers span {size_m:.4} m: is that the unit?");
            trial.note("units", text);
            cloud
        }
    }
}

/// The height of the people of a recording by their labels, where one hardly meets them so short or tall.
fn odd_height_m(trial: &Trial, size_m: f64) -> Option<f64> {
    if ORDINARY_SIZE_M.contains(&size_m) {
        return None;
    }
    people::typical_height_m(trial).filter(|tall_m| !MET_M.contains(tall_m))
}

/// Reads people whom the unit makes impossibly short or tall in the one unit that makes them people; else says so.
fn check_height(trial: &mut Trial, unit_declared: bool, tall_m: f64, cloud: Cloud) -> Cloud {
    let read_as = trial.source.unit;
    let stored = tall_m / read_as.metres();
    let says = if unit_declared { "as the file says" } else { "taken for want of a word" };
    let people = |unit: &LengthUnit| PEOPLE_M.contains(&(stored * unit.metres()));
    let in_words = |unit: &LengthUnit| format!("{unit} ({:.2} m)", stored * unit.metres());
    let fitting: Vec<LengthUnit> = UNITS.into_iter().filter(people).collect();
    let would_be = format!("in {read_as}, {says}, the performer would be {tall_m:.3} m tall");
    let is_impossible = !ANYBODY_M.contains(&tall_m);
    let rather = fitting.iter().map(in_words).collect::<Vec<_>>().join(" or ");
    let text = match (is_impossible, fitting.as_slice()) {
        (true, [unit]) => {
            let factor = unit.metres() / read_as.metres();
            trial.scale_lengths(factor);
            trial.source.unit = *unit;
            let text = format!("{would_be}, which nobody is: read as {rather}");
            trial.notes.insert(0, Note::new("units", text));
            return cloud.scaled(factor);
        }
        (true, []) => {
            format!(
                "{would_be}, which nobody is in any unit: the scale is wrong, lengths are as they are"
            )
        }
        (true, _) => format!("{would_be}, which nobody is: say which unit it is, {rather}"),
        (false, []) => format!("{would_be}: is that the unit?"),
        (false, _) => format!("{would_be}: is that the unit, or is it {rather}?"),
    };
    trial.notes.insert(0, Note::new("units", text));
    cloud
}

/// How many of the units below are metric: a declared unit may be off by a power of ten.
const METRIC: usize = 3;

/// What a unit that nobody declared may be, the metric ones first.
const UNITS: [LengthUnit; 5] = [
    LengthUnit::Millimetre,
    LengthUnit::Metre,
    LengthUnit::Centimetre,
    LengthUnit::Inch,
    LengthUnit::Foot,
];

/// The unit in which a span of `stored` comes nearest to a body; the one it was read in if that fits.
fn best_unit(stored: f64, read_as: LengthUnit, units: &[LengthUnit]) -> Option<LengthUnit> {
    let fits = |unit: &LengthUnit| BODY_SIZE_M.contains(&(stored * unit.metres()));
    let misfit = |unit: &LengthUnit| (stored * unit.metres() / TYPICAL_SIZE_M).ln().abs();
    Some(read_as).filter(fits).or_else(|| {
        let fitting = units.iter().copied().filter(fits);
        fitting.min_by(|a, b| misfit(a).total_cmp(&misfit(b)))
    })
}

fn guess(trial: &mut Trial, up: Axis) {
    trial.source.up = Some(up);
    trial.source.up_is_guessed = true;
}

fn check_up(trial: &mut Trial, options: &ReadOptions, cloud: &Cloud) {
    let standing = cloud.standing_axis();
    let rise_m = options.up.or(trial.source.up).and_then(|up| {
        let rise_m = head_above_feet_m(trial, up.index())?;
        Some(if up.is_negative() { -rise_m } else { rise_m })
    });
    let is_flat =
        |up: Axis, other: &Axis| cloud.extent_m[up.index()] < FLAT * cloud.extent_m[other.index()];
    if let Some(up) = options.up {
        let is_upside_down = rise_m.is_some_and(|rise_m| rise_m < -STANDING_M.start);
        let lies = standing.filter(|other| other.index() != up.index() && is_flat(up, other));
        if is_upside_down {
            let text = format!("up-axis {up}, as asked for, puts heads below feet");
            trial.note("up", text);
        } else if let Some(other) = lies.filter(|_| rise_m.is_none_or(|m| m < STANDING_M.start)) {
            let text = format!(
                "up-axis {up}, as asked for, lays everything down: the markers stand along {other}"
            );
            trial.note("up", text);
        }
        return;
    }
    match trial.source.up {
        None => {
            if let Some(up) = standing {
                guess(trial, up);
                trial
                    .note("up", format!("no up-axis: {up} guessed, along which the markers stand"));
            }
        }
        // Heads above feet: nothing else can overrule that.
        Some(_) if rise_m.is_some_and(|rise_m| rise_m > STANDING_M.start) => {}
        Some(up) if rise_m.is_some_and(|rise_m| rise_m < -STANDING_M.start) => {
            let flipped = up.flipped();
            guess(trial, flipped);
            let text = format!("up-axis {up} would put heads below feet: took {flipped}");
            trial.note("up", text);
        }
        Some(up) if cloud.hangs_below(up) => {
            let flipped = up.flipped();
            guess(trial, flipped);
            let text = format!("up-axis {up} would put all markers below ground: took {flipped}");
            trial.note("up", text);
        }
        Some(up) => {
            let lying = standing.filter(|other| is_flat(up, other));
            let is_long = trial.rate_hz > 0.0 && trial.frames as f64 / trial.rate_hz >= MIN_LYING_S;
            if let Some(other) = lying.filter(|_| is_long && cloud.lies_on_floor(up)) {
                let text = format!(
                    "up-axis {up}, as declared, has everything lie on the floor, along {other}: kept"
                );
                trial.note("up", text);
            } else if let Some(other) = lying {
                guess(trial, other);
                let text = format!(
                    "up-axis {up}, as declared, would lay everything down: took {other}, along which \
                     the markers stand"
                );
                trial.note("up", text);
            } else if let Some(other) = standing.filter(|other| other.index() != up.index()) {
                let text = format!(
                    "up-axis {up} as declared, but the markers stand along {other}: is that up?"
                );
                trial.note("up", text);
            }
        }
    }
}

/// Ends of labels of markers on heads and on feet, whoever named them.
const HEAD: [&str; 5] = ["FHD", "BHD", "HEAD", "HEADTOP", "HEADFRONT"];
const FEET: [&str; 8] = ["TOE", "HEE", "HEEL", "ANK", "ANKLE", "MT5", "FOO", "FOOT"];

/// How far markers called heads are above those called feet along an axis: the median over some frames, and
/// nothing if there are none of either.
fn head_above_feet_m(trial: &Trial, axis: usize) -> Option<f64> {
    let called = |ends: &[&str]| -> Vec<&Marker> {
        let is_called = |marker: &&Marker| {
            let letters = marker.name().chars().filter(|c| c.is_alphanumeric());
            let name: String = letters.map(|c| c.to_ascii_uppercase()).collect();
            ends.iter().any(|end| name.ends_with(end))
        };
        trial.markers.iter().filter(is_called).collect()
    };
    let (heads, feet) = (called(&HEAD), called(&FEET));
    let step = trial.frames.div_ceil(FRAMES_LOOKED_AT).max(1);
    let middle = |markers: &[&Marker], frame: usize| {
        median(markers.iter().filter_map(|marker| Some(marker.position_m(frame)?[axis])))
    };
    let frames = (0..trial.frames).step_by(step);
    median(frames.filter_map(|frame| Some(middle(&heads, frame)? - middle(&feet, frame)?)))
}

#[cfg(test)]
mod tests;
