//! The subject file: versioned JSON, described in docs/subject.md.

use serde::{Deserialize, Serialize};

use super::{CentreKnown, Joint, MarkerPoses, Provenance, Segment, Subject};
use crate::error::{Error, Result};
use crate::note::Note;

/// The version of the subject file that is written; older ones are read too.
pub const VERSION: u32 = 2;
/// The oldest version that is read: it has no poses of markers.
const OLDEST: u32 = 1;

/// A subject with its segments called by name.
#[derive(Serialize, Deserialize)]
pub(super) struct File {
    version: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    provenance: Provenance,
    segments: Vec<Child>,
    joints: Vec<Link>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marker_poses: Option<MarkerPoses>,
    #[serde(default)]
    notes: Vec<Remark>,
}

#[derive(Serialize, Deserialize)]
struct Child {
    parent: Option<String>,
    #[serde(flatten)]
    segment: Segment,
}

#[derive(Serialize, Deserialize)]
struct Link {
    parent: String,
    child: String,
    /// For those who read the file; the covariance tells it.
    #[serde(skip_deserializing)]
    centre: Option<CentreKnown>,
    #[serde(skip_deserializing)]
    sd_m: Option<f64>,
    #[serde(skip_deserializing)]
    from_motion: Option<f64>,
    #[serde(flatten)]
    joint: Joint,
}

/// A note, or one as files had them before notes had fields.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Remark {
    Note(Note),
    Text(String),
}

/// Only what is needed to refuse another version by name.
#[derive(Deserialize)]
struct Versioned {
    version: serde_json::Value,
}

impl Subject {
    /// The subject file's text.
    ///
    /// # Errors
    /// A subject that contradicts itself, or has a number that is not finite, which JSON cannot hold.
    pub fn to_json(&self) -> Result<String> {
        self.check()?;
        serde_json::to_string_pretty(self)
            .map_err(|error| Error::malformed(format!("subject: {error}")))
    }

    /// Reads a subject file.
    ///
    /// # Errors
    /// Text that is not a subject file of this version or an older one, or one that contradicts itself.
    pub fn from_json(text: &str) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let versioned: Versioned = serde_json::from_str(text).map_err(|error| {
            let got =
                if text.trim().is_empty() { "an empty file".into() } else { error.to_string() };
            Error::malformed(format!("subject file: need JSON with a version, got {got}"))
                .with_code("not-a-subject")
        })?;
        let is_known = |version| (u64::from(OLDEST)..=u64::from(VERSION)).contains(&version);
        if !versioned.version.as_u64().is_some_and(is_known) {
            return Err(other_version(&versioned.version));
        }
        let file: File = serde_json::from_str(text).map_err(|error| {
            Error::malformed(format!("subject file: {error}")).with_code("not-a-subject")
        })?;
        file.try_into()
    }
}

impl From<Subject> for File {
    fn from(subject: Subject) -> Self {
        let names: Vec<String> = subject.segments.iter().map(|s| s.name.clone()).collect();
        let name = |segment: usize| names.get(segment).cloned().unwrap_or_default();
        let child = |segment: Segment| Child { parent: segment.parent.map(name), segment };
        let link = |joint: Joint| {
            let [parent, child] = [joint.parent, joint.child].map(name);
            let (centre, sd_m) = (Some(joint.centre_known()), Some(joint.worst_sd_m()));
            let from_motion = Some(1.0 - joint.from_knowledge);
            Link { parent, child, centre, sd_m, from_motion, joint }
        };
        Self {
            version: VERSION,
            name: subject.name,
            provenance: subject.provenance,
            segments: subject.segments.into_iter().map(child).collect(),
            joints: subject.joints.into_iter().map(link).collect(),
            marker_poses: subject.marker_poses,
            notes: subject.notes.into_iter().map(Remark::Note).collect(),
        }
    }
}

impl TryFrom<File> for Subject {
    type Error = Error;

    fn try_from(file: File) -> Result<Self> {
        if !(OLDEST..=VERSION).contains(&file.version) {
            return Err(other_version(&file.version));
        }
        let names: Vec<String> = file.segments.iter().map(|c| c.segment.name.clone()).collect();
        let index = |name: &str, kind: &str, by: &str| {
            names.iter().position(|other| other == name).ok_or_else(|| {
                Error::malformed(format!("{kind} '{by}': need a segment of the file, got '{name}'"))
            })
        };
        let segments = file.segments.into_iter().map(|Child { parent, mut segment }| {
            let parent = parent.map(|parent| index(&parent, "segment", &segment.name));
            segment.parent = parent.transpose()?;
            Ok(segment)
        });
        let joints = file.joints.into_iter().map(|Link { parent, child, mut joint, .. }| {
            joint.parent = index(&parent, "joint", &joint.name)?;
            joint.child = index(&child, "joint", &joint.name)?;
            Ok(joint)
        });
        let (segments, joints) = (segments.collect::<Result<_>>()?, joints.collect::<Result<_>>()?);
        let mut subject = Self::new(file.name, segments, joints)?;
        subject.provenance = file.provenance;
        subject.marker_poses = file.marker_poses;
        subject.notes = file.notes.into_iter().map(Note::from).collect();
        Ok(subject)
    }
}

impl From<Remark> for Note {
    fn from(remark: Remark) -> Self {
        let is_code = |code: &str| {
            !code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        };
        match remark {
            Remark::Note(note) => note,
            Remark::Text(text) => match text.split_once(": ") {
                Some((code, text)) if is_code(code) => Self::new(code.to_owned(), text),
                _ => Self::new("subject-file", text),
            },
        }
    }
}

fn other_version(got: &dyn std::fmt::Display) -> Error {
    Error::malformed(format!(
        "subject file: need version {OLDEST} to {VERSION}, got {got}: fit the subject again with this version"
    ))
}
