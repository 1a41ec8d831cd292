//! The subject file: versioned JSON, described in docs/subject.md.

use nalgebra::{Matrix3, Point3, Quaternion, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use super::{
    CentreKnown, Joint, JointKind, JointMethod, Provenance, Segment, SegmentMarker, Subject,
};
use crate::error::{Error, ErrorKind, Result};

/// The version of the subject file that is written, and the only one that is read.
pub const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    provenance: FileProvenance,
    segments: Vec<FileSegment>,
    joints: Vec<FileJoint>,
    #[serde(default)]
    notes: Vec<String>,
}

/// Only what is needed to refuse another version by name.
#[derive(Deserialize)]
struct Versioned {
    version: serde_json::Value,
}

#[derive(Serialize, Deserialize, Default)]
struct FileProvenance {
    recordings: Vec<String>,
    plan: String,
    frames: usize,
}

#[derive(Serialize, Deserialize)]
struct FileSegment {
    name: String,
    parent: Option<String>,
    markers: Vec<FileMarker>,
    #[serde(default)]
    sigma_m: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orientation_sigma_rad: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct FileMarker {
    label: String,
    position_in_segment_m: [f64; 3],
    #[serde(default = "one")]
    weight: f64,
    #[serde(default)]
    rms_m: f64,
}

fn one() -> f64 {
    1.0
}

#[derive(Serialize, Deserialize)]
struct FileJoint {
    name: String,
    parent: String,
    child: String,
    kind: JointKind,
    /// Files of older versions have none: the covariance tells it.
    #[serde(rename = "centre")]
    centre_known: Option<CentreKnown>,
    centre_in_parent_m: [f64; 3],
    centre_in_child_m: [f64; 3],
    covariance_m2: [[f64; 3]; 3],
    axis_in_parent: Option<[f64; 3]>,
    axis_in_child: Option<[f64; 3]>,
    /// w, x, y, z.
    parent_from_child_rest: [f64; 4],
    range_rad: f64,
    ranges_rad: [f64; 3],
    method: JointMethod,
    samples: usize,
    gap_m: f64,
    wander_m: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Subject {
    /// The subject file's text.
    ///
    /// # Errors
    /// A number that is not finite, which JSON cannot hold.
    pub fn to_json(&self) -> Result<String> {
        let name = |segment: usize| self.segments.get(segment).map(|s| s.name.clone());
        let file = File {
            version: VERSION,
            name: self.name.clone(),
            provenance: FileProvenance {
                recordings: self.provenance.recordings.clone(),
                plan: self.provenance.plan.clone(),
                frames: self.provenance.frames,
            },
            segments: self
                .segments
                .iter()
                .map(|segment| FileSegment {
                    name: segment.name.clone(),
                    parent: segment.parent.and_then(name),
                    markers: segment.markers.iter().map(FileMarker::from).collect(),
                    sigma_m: segment.sigma_m,
                    orientation_sigma_rad: segment.orientation_sigma_rad,
                })
                .collect(),
            joints: self
                .joints
                .iter()
                .map(|joint| {
                    let [parent, child] =
                        [joint.parent, joint.child].map(|i| name(i).unwrap_or_default());
                    FileJoint::of(joint, parent, child)
                })
                .collect(),
            notes: self.notes.clone(),
        };
        file.check()?;
        let text = serde_json::to_string_pretty(&file);
        text.map_err(|error| refusal(format!("subject: {error}")))
    }

    /// Reads a subject file.
    ///
    /// # Errors
    /// Text that is not a subject file of this version, or one that contradicts itself.
    pub fn from_json(text: &str) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let versioned: Versioned = serde_json::from_str(text).map_err(|error| {
            let got =
                if text.trim().is_empty() { "an empty file".into() } else { error.to_string() };
            refusal(format!(
                "subject file: need what condyle fit writes, JSON with a version, got {got}"
            ))
        })?;
        if versioned.version != serde_json::json!(VERSION) {
            return Err(refusal(format!(
                "subject file: need version {VERSION}, got {}: fit the subject again with this version",
                versioned.version
            )));
        }
        let file: File = serde_json::from_str(text)
            .map_err(|error| refusal(format!("subject file: {error}")))?;
        file.check()?;
        file.into_subject()
    }
}

impl File {
    /// All numbers finite, all names single.
    fn check(&self) -> Result<()> {
        let of_markers = self
            .segments
            .iter()
            .flat_map(|segment| &segment.markers)
            .flat_map(|m| m.position_in_segment_m.into_iter().chain([m.weight, m.rms_m]));
        let of_joints = self.joints.iter().flat_map(|joint| {
            let vectors = [joint.centre_in_parent_m, joint.centre_in_child_m, joint.ranges_rad];
            vectors
                .into_iter()
                .flatten()
                .chain(joint.covariance_m2.into_iter().flatten())
                .chain(joint.axis_in_parent.into_iter().flatten())
                .chain(joint.axis_in_child.into_iter().flatten())
                .chain(joint.parent_from_child_rest)
                .chain([joint.range_rad, joint.gap_m, joint.wander_m])
        });
        let of_segments = self
            .segments
            .iter()
            .flat_map(|segment| segment.orientation_sigma_rad.into_iter().chain([segment.sigma_m]));
        let mut all = of_segments.chain(of_markers).chain(of_joints);
        if let Some(wrong) = all.find(|number| !number.is_finite()) {
            return Err(refusal(format!("subject: need finite numbers, got {wrong}")));
        }
        let mut names: Vec<&str> =
            self.segments.iter().map(|segment| segment.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(refusal(format!(
                "subject: need segments of different names, got '{}' twice",
                pair[0]
            ))),
            None => Ok(()),
        }
    }

    fn into_subject(self) -> Result<Subject> {
        let names: Vec<String> = self.segments.iter().map(|segment| segment.name.clone()).collect();
        let index = |name: &str, by: &str| {
            names
                .iter()
                .position(|other| other == name)
                .ok_or_else(|| refusal(format!("{by}: need a segment of the file, got '{name}'")))
        };
        let mut segments = Vec::new();
        for segment in self.segments {
            let by = format!("segment '{}'", segment.name);
            let parent = match &segment.parent {
                Some(parent) => Some(index(parent, &by)?),
                None => None,
            };
            if parent.is_some_and(|parent| parent >= segments.len()) {
                return Err(refusal(format!("{by}: need its parent before it in the file")));
            }
            segments.push(Segment {
                name: segment.name,
                parent,
                markers: segment.markers.into_iter().map(SegmentMarker::from).collect(),
                sigma_m: segment.sigma_m,
                orientation_sigma_rad: segment.orientation_sigma_rad,
            });
        }
        let mut joints = Vec::new();
        for joint in self.joints {
            let by = format!("joint '{}'", joint.name);
            let (parent, child) = (index(&joint.parent, &by)?, index(&joint.child, &by)?);
            if segments[child].parent != Some(parent) {
                return Err(refusal(format!(
                    "{by}: need a child of '{}', got '{}'",
                    joint.parent, joint.child
                )));
            }
            joints.push(joint.into_joint(parent, child)?);
        }
        Ok(Subject {
            name: self.name,
            provenance: Provenance {
                recordings: self.provenance.recordings,
                plan: self.provenance.plan,
                frames: self.provenance.frames,
            },
            segments,
            joints,
            notes: self.notes,
        })
    }
}

impl From<&SegmentMarker> for FileMarker {
    fn from(marker: &SegmentMarker) -> Self {
        Self {
            label: marker.label.clone(),
            position_in_segment_m: marker.position_in_segment_m.into(),
            weight: marker.weight,
            rms_m: marker.rms_m,
        }
    }
}

impl From<FileMarker> for SegmentMarker {
    fn from(marker: FileMarker) -> Self {
        Self {
            label: marker.label,
            position_in_segment_m: marker.position_in_segment_m.into(),
            weight: marker.weight,
            rms_m: marker.rms_m,
        }
    }
}

impl FileJoint {
    fn of(joint: &Joint, parent: String, child: String) -> Self {
        let q = joint.parent_from_child_rest.quaternion();
        Self {
            name: joint.name.clone(),
            parent,
            child,
            kind: joint.kind,
            centre_known: Some(joint.centre_known),
            centre_in_parent_m: joint.centre_in_parent_m.into(),
            centre_in_child_m: joint.centre_in_child_m.into(),
            covariance_m2: joint.covariance_m2.transpose().into(),
            axis_in_parent: joint.axis_in_parent.map(Into::into),
            axis_in_child: joint.axis_in_child.map(Into::into),
            parent_from_child_rest: [q.w, q.i, q.j, q.k],
            range_rad: joint.range_rad,
            ranges_rad: joint.ranges_rad,
            method: joint.method,
            samples: joint.samples,
            gap_m: joint.gap_m,
            wander_m: joint.wander_m,
            advice: joint.advice.clone(),
        }
    }

    fn into_joint(self, parent: usize, child: usize) -> Result<Joint> {
        let [w, i, j, k] = self.parent_from_child_rest;
        let quaternion = Quaternion::new(w, i, j, k);
        if !(0.5..2.0).contains(&quaternion.norm()) {
            return Err(refusal(format!(
                "joint '{}': need a unit quaternion, got norm {}",
                self.name,
                quaternion.norm()
            )));
        }
        let covariance_m2 = Matrix3::from(self.covariance_m2).transpose();
        let by_covariance = || CentreKnown::from_covariance_m2(&covariance_m2);
        Ok(Joint {
            name: self.name,
            parent,
            child,
            kind: self.kind,
            centre_known: self.centre_known.unwrap_or_else(by_covariance),
            centre_in_parent_m: Point3::from(self.centre_in_parent_m),
            centre_in_child_m: Point3::from(self.centre_in_child_m),
            covariance_m2,
            axis_in_parent: self.axis_in_parent.map(Vector3::from),
            axis_in_child: self.axis_in_child.map(Vector3::from),
            parent_from_child_rest: unit(quaternion),
            range_rad: self.range_rad,
            ranges_rad: self.ranges_rad,
            method: self.method,
            samples: self.samples,
            gap_m: self.gap_m,
            wander_m: self.wander_m,
            advice: self.advice,
        })
    }
}

/// A quaternion that was written as a unit one stays as it is, to the last bit.
fn unit(quaternion: Quaternion<f64>) -> UnitQuaternion<f64> {
    match (quaternion.norm_squared() - 1.0).abs() < 1e-12 {
        true => UnitQuaternion::new_unchecked(quaternion),
        false => UnitQuaternion::new_normalize(quaternion),
    }
}

fn refusal(text: String) -> Error {
    ErrorKind::Malformed(text).into()
}
