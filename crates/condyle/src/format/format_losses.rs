//! What a format has no room for, said when it is left out.

use std::collections::HashSet;

use crate::error::Error;
use crate::trial::{Axis, Format, Marker, Note, Origin, Trial};

/// A note for everything in a trial that neither TRC, CSV, STO, BVH nor glTF can hold.
pub(super) fn notes(trial: &Trial, format: Format) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut lost = |count: usize, what: &str| {
        let text = format!("{what} left out: the format has no room");
        notes.extend(Note::counted(count, "not-written", &text));
    };
    lost(trial.events.len(), "events");
    lost(trial.parameters.len(), "parameter groups");
    let holds_motion = matches!(format, Format::Bvh | Format::Gltf);
    if !holds_motion {
        lost(usize::from(trial.motion.is_some()), "solved skeleton with its motion");
    }
    let has_quality = |marker: &&Marker| {
        (0..marker.frames()).any(|f| {
            marker.residual_m(f).is_some_and(|r| r != 0.0)
                || marker.cameras(f).is_some_and(|c| c != 0)
        })
    };
    lost(trial.markers.iter().filter(has_quality).count(), "markers' residuals and camera masks");
    let described = trial.markers.iter().filter(|marker| !marker.description.is_empty()).count()
        + trial.channels.iter().filter(|channel| !channel.description.is_empty()).count();
    lost(described, "descriptions");
    let prefixes: HashSet<&str> = trial.markers.iter().filter_map(Marker::subject).collect();
    let unnamed = trial.subjects.iter().filter(|subject| !prefixes.contains(subject.as_str()));
    lost(unnamed.count(), "subjects that no label starts with");
    notes.extend(unknown_rate(trial));
    // Readers of BVH and glTF take y for up.
    let implied = holds_motion.then_some(Axis::Y);
    if let Some(up) = trial.source.up.filter(|up| Some(*up) != implied) {
        let text = format!("{up} cannot be said in {format}: whoever reads the file must say it");
        notes.push(Note::new("up", text));
    }
    notes
}

/// The error of a format that holds nothing but the motion of a skeleton.
pub(super) fn no_skeleton(trial: &Trial, format: Format) -> Error {
    let what = format!(
        "{format} holds a skeleton's motion; this recording has {} markers and no skeleton yet: fit one first",
        trial.markers.len()
    );
    Error::cannot_hold(what).with_code("no-skeleton")
}

/// A note if samples that nobody measured are written as if somebody had.
pub(super) fn origins(origins: impl Iterator<Item = Origin>) -> Option<Note> {
    let made_up = origins.filter(|o| matches!(o, Origin::Filled | Origin::Predicted)).count();
    let text = "filled or predicted samples were written as if measured";
    Note::counted(made_up, "origin-lost", text)
}

/// A note if some of the written points are no places.
pub(super) fn quantities(is_position: &[bool]) -> Option<Note> {
    let count = is_position.iter().filter(|is_position| !**is_position).count();
    let text =
        "points are angles, forces, moments or powers: written in the file's own units, not metres";
    Note::counted(count, "quantities", text)
}

/// A note if nobody knows when the frames were.
pub(super) fn unknown_rate(trial: &Trial) -> Option<Note> {
    let text = "frames a second are not known: written without times";
    (trial.rate_hz <= 0.0 && trial.frames > 1).then(|| Note::new("rate-unknown", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::write;
    use crate::motion::Motion;
    use crate::skeleton::{Joint, Skeleton};
    use crate::trial::{Group, Parameter};
    use nalgebra::Point3;

    const WRITTEN: [Format; 4] = [Format::Csv, Format::Trc, Format::Sto, Format::Bvh];

    fn trial() -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 1;
        let position_m = Point3::new(0.0191, 0.001, -0.0025);
        trial.markers.push(Marker::from_positions("JOE:A", [Some(position_m)]));
        let joint = Joint::new("JOE:A", None, nalgebra::Vector3::zeros());
        let skeleton = Skeleton::new(vec![joint]).unwrap();
        trial.motion = Motion::new(skeleton, 1, Vec::new()).ok();
        trial
    }

    fn texts(trial: &Trial, format: Format) -> (Vec<String>, String) {
        let mut out = Vec::new();
        let notes = write(trial, format, &mut out).unwrap();
        let texts = notes.into_iter().map(|note| format!("{}: {}", note.code, note.text));
        (texts.collect(), String::from_utf8(out).unwrap())
    }

    #[test]
    fn every_format_says_that_up_and_subjects_without_a_prefix_are_lost() {
        let mut trial = trial();
        trial.subjects = vec!["JOE".into(), "ANN".into()];
        for format in WRITTEN {
            trial.source.up = Some(Axis::Z);
            let (notes, _) = texts(&trial, format);
            let up =
                format!("up: z cannot be said in {format}: whoever reads the file must say it");
            assert!(notes.contains(&up), "{notes:?}");
            let subjects = "not-written: 1 subjects that no label starts with left out";
            assert!(notes.iter().any(|note| note.starts_with(subjects)), "{notes:?}");
            trial.source.up = Some(Axis::Y);
            let is_said = texts(&trial, format).0.iter().any(|note| note.starts_with("up:"));
            assert_eq!(is_said, format != Format::Bvh, "{format}");
        }
    }

    #[test]
    fn points_that_are_no_places_are_written_as_the_file_had_them() {
        let mut trial = trial();
        trial.motion = None;
        trial.source.unit = crate::trial::LengthUnit::Millimetre;
        trial.parameters = vec![Group {
            name: "POINT".into(),
            parameters: vec![Parameter::strings("ANGLES", &["A"])],
            ..Group::default()
        }];
        for (format, row) in [
            (Format::Csv, "19.1,1,-2.5"),
            (Format::Trc, "19.1\t1\t-2.5"),
            (Format::Sto, "19.1,1,-2.5"),
        ] {
            let (notes, text) = texts(&trial, format);
            assert!(text.trim_end().ends_with(row), "{text}");
            assert!(notes.iter().any(|note| note.starts_with("quantities: 1 points")), "{notes:?}");
        }
        trial.parameters.clear();
        assert!(texts(&trial, Format::Csv).1.trim_end().ends_with("0.0191,0.001,-0.0025"));
    }

    #[test]
    fn tables_of_points_say_that_origins_are_lost() {
        let mut trial = trial();
        let marker = &mut trial.markers[0];
        marker.set(0, marker.position_m(0), Origin::Filled);
        for format in [Format::Trc, Format::Sto] {
            let (notes, _) = texts(&trial, format);
            assert!(notes.iter().any(|note| note.starts_with("origin-lost: 1 ")), "{notes:?}");
        }
    }
}
