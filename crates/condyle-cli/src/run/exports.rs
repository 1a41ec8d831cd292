//! The files of one performer.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use condyle::Trial;
use condyle::angles::{self, Angles, Smoothing};
use condyle::rig;
use condyle::trial::{Axis, Format, edit};
use tempfile::NamedTempFile;

use super::ours;
use crate::exports::{Export, Solution};
use crate::pipeline::Performed;
use crate::report::{AngleResult, PerformerResult};

type Out<'a, 'b> = &'a mut BufWriter<&'b mut NamedTempFile>;

/// The files of a performer that is solved.
const EXPORTS: &[(&str, Export)] = &[
    ("joints.csv", Export::CentresCsv),
    ("joints.trc", Export::CentresTrc),
    ("angles.csv", Export::AnglesCsv),
    ("angles.mot", Export::AnglesSto),
    ("skeleton.bvh", Export::Bvh),
    ("skeleton.glb", Export::Glb),
    #[cfg(feature = "parquet")]
    ("motion.parquet", Export::Parquet),
];

/// Points of an angle's curve in the report.
const CHART_POINTS: usize = 400;

/// Writes files into a folder and remembers their names.
pub struct Writer<'a> {
    pub folder: &'a Path,
    pub smoothing: Smoothing,
    pub outputs: &'a mut Vec<String>,
}

/// What the names of performers' files begin with: nothing if there is one, else its name or its number, no two
/// alike.
pub fn prefixes(names: &[&str]) -> Vec<String> {
    if names.len() == 1 {
        return vec![String::new()];
    }
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let mut taken = BTreeSet::new();
    let mut prefixes = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let name: String = name.chars().map(plain).collect();
        let number = index + 1;
        let mut prefix = if name.is_empty() { number.to_string() } else { name };
        // Letter case does not tell files apart everywhere.
        while !taken.insert(prefix.to_lowercase()) {
            prefix = format!("{prefix}-{number}");
        }
        prefixes.push(format!("{prefix}-"));
    }
    prefixes
}

impl Writer<'_> {
    /// Writes one file, whole or not at all.
    pub fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(Out) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        ours(&self.folder.join(name))?.write(fill)?;
        self.outputs.push(name.to_owned());
        Ok(())
    }

    /// Writes everything of one performer.
    pub fn performer(
        &mut self,
        trial: &Trial,
        performed: &Performed,
        prefix: &str,
        result: &mut PerformerResult,
    ) -> anyhow::Result<()> {
        let Performed { subject, solved } = performed;
        let text = subject.to_json()?;
        self.write(&format!("{prefix}subject.json"), |out| Ok(writeln!(out, "{text}")?))?;
        if subject.joints.is_empty() {
            result
                .notes
                .push("no-joints: one segment by itself: there are no joints to write".into());
            return Ok(());
        }
        let options = angles::Options { smoothing: self.smoothing, ..angles::Options::default() };
        let angles = &angles::of(subject, solved, trial.rate_hz, &options);
        result.angles = thinned(angles);
        let solution = Solution { subject, trial, solved, angles, unit: None };
        let mut noted = BTreeSet::new();
        for (name, export) in EXPORTS {
            self.write(&format!("{prefix}{name}"), |out| {
                let notes = export.write(&solution, out)?;
                // That skeletons are turned to have y up is said in the help, and nothing odd.
                let odd = notes.iter().filter(|note| note.code != "turned");
                noted.extend(odd.map(ToString::to_string));
                Ok(())
            })?;
        }
        result.notes.extend(noted);
        Ok(())
    }

    /// Writes what belongs to the whole recording: its markers, with the joints of all performers.
    pub fn recording(&mut self, trial: &Trial, performers: &[Performed]) -> anyhow::Result<()> {
        if trial.markers.is_empty() {
            self.trial("bodies.csv", trial, Format::Csv)?;
        } else {
            let markers = edit::with_up(trial.clone(), Axis::Y).unwrap_or_else(|_| trial.clone());
            self.trial("markers.trc", &markers, Format::Trc)?;
        }
        let mut enriched = trial.clone();
        for Performed { subject, solved } in performers {
            enriched = rig::with_joint_centres(&enriched, subject, solved);
        }
        self.trial("with-joints.c3d", &enriched, Format::C3d)
    }

    fn trial(&mut self, name: &str, trial: &Trial, format: Format) -> anyhow::Result<()> {
        self.write(name, |out| {
            // What a format cannot hold is said where a single file is asked for, by convert.
            condyle::format::write(trial, format, out)?;
            Ok(())
        })
    }
}

/// Angles thinned out for charts.
fn thinned(angles: &Angles) -> Vec<AngleResult> {
    let stride = angles.frames.div_ceil(CHART_POINTS).max(1);
    let time_s = |frame: usize| (frame as f64 / angles.rate_hz) as f32;
    let mut thinned = Vec::new();
    for joint in &angles.joints {
        let Some(ranges) = joint.range_rad else { continue };
        for (i, component) in joint.components.iter().enumerate() {
            let value = |frame: usize| Some(joint.angles_rad[frame]?[i].to_degrees() as f32);
            let frames = || (0..angles.frames).step_by(stride);
            thinned.push(AngleResult {
                joint: joint.name.clone(),
                name: component.name.to_string(),
                zero: joint.zero.in_words(),
                smoothed_hz: joint.smoothed_hz,
                near_gimbal_frames: joint.near_gimbal_frames(),
                least_deg: ranges[i][0].to_degrees(),
                most_deg: ranges[i][1].to_degrees(),
                times_s: frames().map(time_s).collect(),
                values_deg: frames().map(value).collect(),
            });
        }
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_performers_have_files_of_the_same_name() {
        assert_eq!(prefixes(&["ANNA"]), [""]);
        assert_eq!(prefixes(&["A B", "A_B", "", "a b"]), ["A_B-", "A_B-2-", "3-", "a_b-4-"]);
    }
}
