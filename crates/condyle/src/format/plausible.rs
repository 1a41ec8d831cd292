//! Is this a body? A check of units and up-axis against the size of things people record.
//!
//! What a file declares is kept unless it is impossible; what it does not declare is guessed from
//! the data. Either way a note says so, and the caller's own word overrides both.

use super::ReadOptions;
use super::cloud::{Cloud, FLOOR_M, FRAMES_LOOKED_AT, STANDING_M};
use crate::statistics::median;
use crate::trial::{Axis, LengthUnit, Marker, Trial};

/// Markers nearer together or further apart than this are in no recording of a body, whatever a file
/// says: it takes a unit that is wrong by a thousand, as metres for millimetres, to get there.
const POSSIBLE_SIZE_M: std::ops::Range<f64> = 0.005..100.0;
/// A limb, or someone crouching or standing.
const BODY_SIZE_M: std::ops::Range<f64> = 0.25..2.5;
/// Someone who moves, between crouching and standing.
const TYPICAL_SIZE_M: f64 = 1.2;
/// The height of people in feet, mistaken for metres.
const HEIGHT_IN_FEET: std::ops::Range<f64> = 3.5..7.5;
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
        return cloud;
    }
    let is_height_in_feet =
        |i: usize| read_as == LengthUnit::Metre && HEIGHT_IN_FEET.contains(&cloud.extent_m[i]);
    let stands_in_feet = trial.source.up.is_some_and(|up| is_height_in_feet(up.index()));
    if unit_declared && !impossible && !stands_in_feet {
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
            if let Some(other) = standing.filter(|other| is_flat(up, other)) {
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
mod tests {
    use super::*;
    use crate::trial::Format;
    use nalgebra::Point3;

    /// Someone 1.7 units tall along z, read in a unit.
    fn standing(scale: f64, unit: LengthUnit) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 3;
        trial.source.unit = unit;
        for i in 0..10 {
            let height = 0.05 + 1.65 * f64::from(i) / 9.0;
            let at = Point3::new(0.3 + 0.1 * f64::from(i % 3), -0.2, height) * scale;
            trial.markers.push(Marker::from_positions(format!("M{i}"), [Some(at); 3]));
        }
        trial
    }

    fn named(trial: &mut Trial) {
        for (index, label) in [(0, "LTOE"), (1, "RHEE"), (8, "LFHD"), (9, "RBHD")] {
            trial.markers[index].label = label.into();
        }
    }

    #[test]
    fn heads_above_feet_are_not_overruled_and_heads_below_feet_are() {
        let mut right = standing(1.0, LengthUnit::Metre);
        named(&mut right);
        right.source.up = Some(Axis::Z);
        // Points of a model that lie far from everything, and would make the person lie.
        for (index, away_m) in [2.0, -2.4].into_iter().enumerate() {
            let at = Point3::new(0.1, away_m + 2.45, 0.2);
            let label = format!("P{index}_Global");
            right.markers.push(Marker::from_positions(label, [Some(at); 3]));
        }
        let right = checked(right, true);
        assert_eq!((right.source.up, right.notes.len()), (Some(Axis::Z), 0), "{:?}", right.notes);

        let mut wrong = standing(1.0, LengthUnit::Metre);
        named(&mut wrong);
        // Upside down about the middle, so that nothing is below ground.
        wrong.markers.iter_mut().for_each(|marker| {
            for frame in 0..3 {
                let at = marker.position_m(frame).map(|p| Point3::new(p.x, p.y, 1.75 - p.z));
                marker.set(frame, at, crate::trial::Origin::Measured);
            }
        });
        wrong.source.up = Some(Axis::Z);
        let wrong = checked(wrong, true);
        assert_eq!(wrong.source.up, Some(Axis::Z.flipped()));
        assert!(wrong.notes[0].text.contains("heads below feet"), "{:?}", wrong.notes);
    }

    #[test]
    fn what_the_user_says_is_kept_and_its_sense_is_remarked_upon() {
        // Millimetres read as metres.
        let mut trial = standing(1000.0, LengthUnit::Metre);
        trial.source.up = Some(Axis::Z);
        let options = ReadOptions { unit: Some(LengthUnit::Metre), ..ReadOptions::default() };
        check(&mut trial, &options, UnitTrust::Declared);
        assert_eq!(trial.source.unit, LengthUnit::Metre);
        let text = &trial.notes[0].text;
        assert!(text.contains("as asked for") && text.contains("in mm it would be"), "{text}");

        let mut trial = standing(1.0, LengthUnit::Metre);
        trial.source.up = Some(Axis::X);
        let options = ReadOptions { up: Some(Axis::X), ..ReadOptions::default() };
        check(&mut trial, &options, UnitTrust::Declared);
        assert_eq!(trial.source.up, Some(Axis::X));
        let text = &trial.notes[0].text;
        assert!(text.contains("lays everything down") && text.contains("along z"), "{text}");
    }

    fn checked(mut trial: Trial, declared: bool) -> Trial {
        let trust = if declared { UnitTrust::Declared } else { UnitTrust::Assumed };
        check(&mut trial, &ReadOptions::default(), trust);
        trial
    }

    fn height_m(trial: &Trial) -> f64 {
        trial.markers.iter().filter_map(|m| m.position_m(0)).map(|p| p.z).fold(0.0, f64::max)
    }

    #[test]
    fn feet_stored_as_metres_are_found() {
        let mut trial = standing(1.0 / 0.3048, LengthUnit::Metre);
        trial.source.up = Some(Axis::Z);
        let trial = checked(trial, true);
        assert_eq!(trial.source.unit, LengthUnit::Foot);
        assert!((height_m(&trial) - 1.7).abs() < 1e-9);
        assert_eq!(trial.notes[0].code, "units");
    }

    #[test]
    fn metres_declared_as_millimetres_are_found() {
        let trial = checked(standing(0.001, LengthUnit::Millimetre), true);
        assert_eq!(trial.source.unit, LengthUnit::Metre);
        assert!((height_m(&trial) - 1.7).abs() < 1e-9);
    }

    #[test]
    fn a_declared_unit_is_overruled_only_by_a_power_of_ten() {
        for (scale, unit) in [(15.0, LengthUnit::Metre), (0.01, LengthUnit::Millimetre)] {
            let trial = standing(scale, unit);
            let checked = checked(trial.clone(), true);
            assert_eq!((checked.source.unit, checked.markers), (unit, trial.markers));
        }
    }

    #[test]
    fn feet_called_metres_without_an_up_axis_are_only_doubted() {
        let trial = checked(standing(1.0 / 0.3048, LengthUnit::Metre), true);
        assert_eq!(trial.source.unit, LengthUnit::Metre);
        assert!(trial.notes[0].text.contains("these are feet"), "{:?}", trial.notes);
    }

    #[test]
    fn a_plausible_declaration_is_left_alone() {
        let mut trial = standing(1.0, LengthUnit::Millimetre);
        trial.source.up = Some(Axis::Z);
        assert_eq!(checked(trial.clone(), true), trial);
    }

    #[test]
    fn the_callers_unit_and_axis_are_kept_whatever_is_said_of_them() {
        let mut trial = standing(1000.0, LengthUnit::Metre);
        let options = ReadOptions {
            unit: Some(LengthUnit::Metre),
            up: Some(Axis::Y),
            ..ReadOptions::default()
        };
        trial.source.up = options.up;
        let before = trial.clone();
        check(&mut trial, &options, UnitTrust::Declared);
        assert_eq!((&trial.markers, &trial.source), (&before.markers, &before.source));
        assert!(trial.notes.iter().all(|note| note.text.contains("as asked for")));
    }

    #[test]
    fn up_is_guessed_flipped_or_doubted_with_a_note() {
        let guessed = checked(standing(1.0, LengthUnit::Metre), true);
        assert_eq!(guessed.source.up, Some(Axis::Z));
        let mut upside_down = standing(1.0, LengthUnit::Metre);
        upside_down.source.up = Some(Axis::NegativeZ);
        assert_eq!(checked(upside_down, true).source.up, Some(Axis::Z));
        let mut lying = standing(1.0, LengthUnit::Metre);
        lying.source.up = Some(Axis::Y);
        let lying = checked(lying, true);
        assert_eq!(lying.source.up, Some(Axis::Z));
        assert!(lying.notes[0].text.contains("up-axis y, as declared, would lay everything down"));
        // Arms spread wide might as well be what stands.
        let mut doubtful = standing(1.0, LengthUnit::Metre);
        for (y, label) in [(-0.8, "LFIN"), (0.7, "RFIN")] {
            let hand = Some(Point3::new(0.3, y, 1.4));
            doubtful.markers.push(Marker::from_positions(label, [hand; 3]));
        }
        doubtful.source.up = Some(Axis::Y);
        let doubtful = checked(doubtful, true);
        assert_eq!(doubtful.source.up, Some(Axis::Y));
        assert!(doubtful.notes[0].text.contains("the markers stand along z"));
    }
}
