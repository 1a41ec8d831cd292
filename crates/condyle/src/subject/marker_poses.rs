//! Where a subject's markers were in some frames of its calibration: what labelling knows it by.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Positions of all markers of a calibration in a few of its frames, in the recording's axes.
///
/// Distances between markers, how far they change, and on which side of its neighbours each one sits follow from
/// them; so does everything that a better labeller will want.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct MarkerPoses {
    labels: Vec<String>,
    poses_m: Vec<Vec<Option<Point3<f64>>>>,
}

impl MarkerPoses {
    /// Poses of labelled markers: in each a position for each label, or nothing.
    ///
    /// # Errors
    /// A label twice, a pose of another number of markers, or a number that is not finite.
    pub fn new(labels: Vec<String>, poses_m: Vec<Vec<Option<Point3<f64>>>>) -> Result<Self> {
        for (index, label) in labels.iter().enumerate() {
            if labels[..index].contains(label) {
                let what = format!("marker poses: need labels once each, got '{label}' twice");
                return Err(Error::malformed(what));
            }
        }
        for pose_m in &poses_m {
            let (need, got) = (labels.len(), pose_m.len());
            if need != got {
                return Err(Error::malformed(format!(
                    "marker poses: need {need} markers, got {got}"
                )));
            }
            if let Some(wrong) = pose_m.iter().flatten().find(|p| !p.iter().all(|c| c.is_finite()))
            {
                return Err(Error::malformed(format!(
                    "marker poses: need finite numbers, got {wrong}"
                )));
            }
        }
        Ok(Self { labels, poses_m })
    }

    /// The labels, without the performer's prefix.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// For every pose the position of every label, nothing where it was not seen.
    pub fn poses_m(&self) -> &[Vec<Option<Point3<f64>>>] {
        &self.poses_m
    }
}

/// Poses as text, a line each: a number on a line of its own would make the file ten times as long.
#[derive(Serialize, Deserialize)]
struct File {
    labels: Vec<String>,
    poses_m: Vec<String>,
}

const MISSING: &str = "-";

impl From<MarkerPoses> for File {
    fn from(poses: MarkerPoses) -> Self {
        let word = |position_m: &Option<Point3<f64>>| match position_m {
            Some(p) => format!("{:.4} {:.4} {:.4}", p.x, p.y, p.z),
            None => MISSING.to_owned(),
        };
        let line =
            |pose: &Vec<Option<Point3<f64>>>| pose.iter().map(word).collect::<Vec<_>>().join(" ");
        Self { poses_m: poses.poses_m.iter().map(line).collect(), labels: poses.labels }
    }
}

impl TryFrom<File> for MarkerPoses {
    type Error = Error;

    fn try_from(file: File) -> Result<Self> {
        let poses_m = file.poses_m.iter().map(|line| read_pose(line)).collect::<Result<_>>()?;
        Self::new(file.labels, poses_m)
    }
}

fn read_pose(line: &str) -> Result<Vec<Option<Point3<f64>>>> {
    let wrong = |got: &str| {
        Error::malformed(format!("marker poses: need three numbers or - a marker, got '{got}'"))
    };
    let number = |word: Option<&str>| {
        let word = word.ok_or_else(|| wrong("the end of the line"))?;
        word.parse::<f64>().map_err(|_| wrong(word))
    };
    let mut words = line.split_whitespace();
    let mut pose = Vec::new();
    while let Some(first) = words.next() {
        pose.push(match first {
            MISSING => None,
            _ => Some(Point3::new(
                number(Some(first))?,
                number(words.next())?,
                number(words.next())?,
            )),
        });
    }
    Ok(pose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_and_read_to_a_tenth_of_a_millimetre() {
        let at = |x| Some(Point3::new(x, -0.25, 1e3));
        let poses = [vec![at(0.12344), None], vec![None, at(-2.0)]];
        let labels = vec!["A".to_owned(), "B".to_owned()];
        let poses = MarkerPoses::new(labels, poses.to_vec()).unwrap();
        let text = serde_json::to_string(&poses).unwrap();
        assert!(text.contains("\"0.1234 -0.2500 1000.0000 -\""), "{text}");
        let read: MarkerPoses = serde_json::from_str(&text).unwrap();
        assert_eq!(read.labels(), poses.labels());
        assert_eq!(read.poses_m()[0][0], at(0.1234));
        assert_eq!(read.poses_m()[1], poses.poses_m()[1]);
    }

    #[test]
    fn refuses_labels_twice_poses_of_other_sizes_and_what_is_no_number() {
        let refuse =
            |text: &str| serde_json::from_str::<MarkerPoses>(text).unwrap_err().to_string();
        let error = refuse(r#"{"labels": ["A", "A"], "poses_m": []}"#);
        assert!(error.contains("'A' twice"), "{error}");
        let error = refuse(r#"{"labels": ["A", "B"], "poses_m": ["1 2 3"]}"#);
        assert!(error.contains("need 2 markers, got 1"), "{error}");
        let error = refuse(r#"{"labels": ["A"], "poses_m": ["1 2"]}"#);
        assert!(error.contains("three numbers or -"), "{error}");
        let error = refuse(r#"{"labels": ["A"], "poses_m": ["1 2 inf"]}"#);
        assert!(error.contains("finite"), "{error}");
    }
}
