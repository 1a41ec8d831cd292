//! The files of one performer.

use std::io::{BufWriter, Write};
use std::path::Path;

use condyle::Trial;
use condyle::subject::Subject;
use condyle::trial::Format;
use tempfile::NamedTempFile;

use super::ours;
use crate::pipeline::Performed;
use crate::report::PerformerResult;
use crate::solve;

type Out<'a, 'b> = &'a mut BufWriter<&'b mut NamedTempFile>;

/// Writes files into a folder and remembers their names.
pub struct Writer<'a> {
    pub folder: &'a Path,
    pub outputs: &'a mut Vec<String>,
}

/// What the names of a performer's files begin with: nothing if it is alone.
pub fn prefix(subject: &Subject, performers: usize, index: usize) -> String {
    if performers == 1 {
        return String::new();
    }
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let name: String = subject.name.chars().map(plain).collect();
    if name.is_empty() { format!("{}-", index + 1) } else { format!("{name}-") }
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
        _result: &mut PerformerResult,
    ) -> anyhow::Result<()> {
        let Performed { subject, solved } = performed;
        let text = subject.to_json()?;
        self.write(&format!("{prefix}subject.json"), |out| Ok(writeln!(out, "{text}")?))?;
        self.write(&format!("{prefix}joints.csv"), |out| {
            Ok(solve::write_csv(subject, trial, solved, out)?)
        })?;
        let joints = solve::as_markers(subject, trial, solved);
        self.write(&format!("{prefix}joints.trc"), |out| {
            condyle::format::write(&joints, Format::Trc, out)?;
            Ok(())
        })?;
        Ok(())
    }
}
