//! Points that are no places: angles, forces, moments, powers and scalars among the markers.

use std::collections::HashMap;

use super::{Group, Parameter, Trial, parameters, split_prefix};

/// The parameters of the `POINT` group of a C3D file that list them.
const LISTS: [&str; 5] = ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS"];

impl Trial {
    /// For every marker, whether it is a place, and not a quantity that the file lists as another.
    ///
    /// C3D files keep a model's outputs among the points, in the same three numbers a frame; the
    /// group `POINT` says which they are. They must be neither turned nor scaled.
    pub fn is_position(&self) -> Vec<bool> {
        are_positions(&self.parameters, self.markers.iter().map(|marker| marker.label.as_str()))
    }

    /// For every marker the parameter of the group `POINT` that lists it as no place: `ANGLES`.
    pub(crate) fn listed_as(&self) -> Vec<Option<&'static str>> {
        let lists = lists(&self.parameters);
        let listed = |label: &str| lists.get(label).or_else(|| lists.get(split_prefix(label).1));
        self.markers.iter().map(|marker| listed(&marker.label).copied()).collect()
    }
}

/// As [`Trial::is_position`], for labels and parameters that are in no trial yet.
pub(crate) fn are_positions<'a>(
    groups: &[Group],
    labels: impl IntoIterator<Item = &'a str>,
) -> Vec<bool> {
    let lists = lists(groups);
    let is_listed = |label: &str| lists.contains_key(label);
    let is_position = |label: &str| !is_listed(label) && !is_listed(split_prefix(label).1);
    labels.into_iter().map(is_position).collect()
}

/// Every label that is listed, with the parameter that does.
fn lists(groups: &[Group]) -> HashMap<String, &'static str> {
    let list = |name: &&'static str| Some((*name, parameters::find(groups, "POINT", name)?));
    let labels = LISTS.iter().filter_map(list).flat_map(|(name, parameter)| {
        let labels = Parameter::to_strings(parameter).into_iter();
        labels.filter(|label| !label.is_empty()).map(move |label| (label, name))
    });
    labels.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};

    #[test]
    fn knows_quantities_with_and_without_prefix() {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.markers = ["JOE:LKneeAngles", "JOE:LKNE", "LAnklePower"]
            .map(|label| Marker::all_missing(label, 0))
            .into();
        let lists = vec![
            Parameter::strings("ANGLES", &["LKneeAngles"]),
            Parameter::strings("POWERS", &["LAnklePower", ""]),
        ];
        trial.parameters =
            vec![Group { name: "POINT".into(), parameters: lists, ..Group::default() }];
        assert_eq!(trial.is_position(), [false, true, false]);
    }
}
