//! Units and up-axis as a C3D file declares them.

use crate::trial::{Axis, Group, LengthUnit, parameters};

/// The unit text of the points, if the file has one.
pub(super) fn declared_unit(groups: &[Group]) -> Option<String> {
    let text = parameters::find(groups, "POINT", "UNITS")?.to_strings();
    // Written as a list of strings or as one string spread over the dimensions.
    let first = text.first()?.trim_matches([' ', '\0']).to_owned();
    (!first.is_empty()).then_some(first)
}

/// The unit a text means, also where the file cut it short: `mete`.
pub(super) fn unit_from(text: &str) -> Option<LengthUnit> {
    if let Ok(unit) = text.parse() {
        return Some(unit);
    }
    let word = text.trim().to_ascii_lowercase();
    let spelled = ["meters", "millimeters", "centimeters", "decimeters", "inches", "feet"];
    let found = spelled.into_iter().find(|full| word.len() >= 3 && full.starts_with(&word))?;
    found.parse().ok()
}

/// The axis that `POINT:Y_SCREEN` says points up the screen.
pub(super) fn declared_up(groups: &[Group]) -> Option<Axis> {
    declared_axis(groups, "Y_SCREEN")
}

/// The axis that `POINT:X_SCREEN` says points to the right of the screen.
pub(super) fn declared_across(groups: &[Group]) -> Option<Axis> {
    declared_axis(groups, "X_SCREEN")
}

fn declared_axis(groups: &[Group], name: &str) -> Option<Axis> {
    let text = parameters::find(groups, "POINT", name)?.to_strings().concat();
    text.trim_matches([' ', '\0']).parse().ok()
}

/// An axis as C3D files spell it: `+Z`.
pub(super) fn text(axis: Axis) -> String {
    let symbol = axis.symbol().to_ascii_uppercase();
    if symbol.starts_with('-') { symbol } else { format!("+{symbol}") }
}

/// Whether two axes lie along the same line.
pub(super) fn are_parallel(a: Axis, b: Axis) -> bool {
    a.direction().dot(&b.direction()) != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Parameter;

    #[test]
    fn units_are_read_whole_cut_short_and_padded() {
        assert_eq!(unit_from("mete"), Some(LengthUnit::Metre));
        assert_eq!(unit_from("MM"), Some(LengthUnit::Millimetre));
        assert_eq!(unit_from("furlong"), None);
        let parameters = vec![Parameter::strings("UNITS", &["mm\0\0"])];
        let groups = [Group { name: "POINT".into(), parameters, ..Group::default() }];
        assert_eq!(declared_unit(&groups).as_deref(), Some("mm"));
    }

    #[test]
    fn axes_are_read_as_they_are_written() {
        for axis in [Axis::X, Axis::Y, Axis::Z, Axis::NegativeX, Axis::NegativeY, Axis::NegativeZ] {
            let parameters = vec![Parameter::strings("Y_SCREEN", &[text(axis)])];
            let groups = [Group { name: "POINT".into(), parameters, ..Group::default() }];
            assert_eq!(declared_up(&groups), Some(axis));
            assert!(are_parallel(axis, axis));
        }
        assert!(are_parallel(Axis::X, Axis::NegativeX) && !are_parallel(Axis::X, Axis::Y));
    }
}
