//! Which markers are on which segment, and which segments meet.

use std::collections::HashMap;

use nalgebra::Vector3;

use crate::error::{Error, Result};
use crate::plan::Performer;
use crate::subject::Subject;

/// What a predictor works on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// How many markers there are.
    pub markers: usize,
    /// The segments; a marker on none of them goes its own way.
    pub segments: Vec<BodySegment>,
    /// Where they meet.
    pub joints: Vec<BodyJoint>,
}

/// A rigid part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodySegment {
    /// Its markers, by their places among all markers.
    pub markers: Vec<usize>,
    /// Where they are in the segment's frame, in metres, if that is known beforehand.
    pub in_segment_m: Option<Vec<Vector3<f64>>>,
}

/// Two segments that meet.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyJoint {
    /// Both segments.
    pub segments: [usize; 2],
    /// The centre in the frame of each, in metres, if that is known beforehand.
    pub centres_m: Option<[Vector3<f64>; 2]>,
}

impl Body {
    /// The segments of planned performers.
    pub fn of_performers(performers: &[Performer], markers: usize) -> Self {
        let mut body = Self { markers, ..Self::default() };
        for performer in performers {
            let first = body.segments.len();
            for (index, segment) in performer.segments.iter().enumerate() {
                body.segments
                    .push(BodySegment { markers: segment.markers.clone(), in_segment_m: None });
                let parent = segment.parent.filter(|_| performer.is_tree_known);
                body.joints.extend(parent.map(|parent| BodyJoint {
                    segments: [first + parent, first + index],
                    centres_m: None,
                }));
            }
        }
        body
    }

    /// The segments of a subject, as far as its markers are among the labels; its shape and joints are known.
    ///
    /// # Errors
    /// A subject of bodies, or none of whose markers are there.
    pub fn of_subject(subject: &Subject, labels: &[&str]) -> Result<Self> {
        if subject.is_of_bodies() {
            return Err(Error::argument("subject: need one with markers, got one of bodies"));
        }
        let prefixed = |label: &str| match subject.name.is_empty() {
            true => label.to_owned(),
            false => format!("{}:{label}", subject.name),
        };
        let places: HashMap<&str, usize> =
            labels.iter().enumerate().map(|(i, l)| (*l, i)).collect();
        let mut body = Self { markers: labels.len(), ..Self::default() };
        for segment in subject.segments() {
            let found = segment.markers.iter().filter_map(|marker| {
                let full = prefixed(&marker.label);
                let place =
                    places.get(full.as_str()).or_else(|| places.get(marker.label.as_str()))?;
                Some((*place, marker.position_in_segment_m.coords))
            });
            let (markers, in_segment_m): (Vec<usize>, Vec<Vector3<f64>>) = found.unzip();
            body.segments.push(BodySegment { markers, in_segment_m: Some(in_segment_m) });
        }
        if body.segments.iter().all(|segment| segment.markers.is_empty()) {
            return Err(Error::argument("subject: none of its markers are in the recording"));
        }
        body.joints = (subject.joints().iter())
            .map(|joint| BodyJoint {
                segments: [joint.parent, joint.child],
                centres_m: Some([joint.centre_in_parent_m.coords, joint.centre_in_child_m.coords]),
            })
            .collect();
        Ok(body)
    }

    /// Markers whose distances hardly change through some frames, as segments; each meets the nearest before it.
    ///
    /// # Method
    /// Pairs are joined while the standard deviation of every distance within a segment is below `spread_m`, the most
    /// rigid pairs first (complete linkage).
    ///
    /// # Reference
    /// A. Aristidou (2010), section 4.2.1; threshold and linkage are ours.
    pub fn of_distances(frames: &[Vec<Option<Vector3<f64>>>], spread_m: f64) -> Self {
        super::clusters::body(frames, spread_m)
    }

    /// # Errors
    /// A marker or a segment that is not there, a marker on two segments, or a shape of another size.
    pub(super) fn check(&self) -> Result<()> {
        let mut on = vec![false; self.markers];
        for (index, segment) in self.segments.iter().enumerate() {
            for marker in &segment.markers {
                match on.get_mut(*marker) {
                    Some(taken) if !*taken => *taken = true,
                    Some(_) => {
                        return Err(Error::argument(format!("marker {marker}: on two segments")));
                    }
                    None => {
                        let most = self.markers;
                        return Err(Error::argument(format!(
                            "segment {index}: need markers below {most}, got {marker}"
                        )));
                    }
                }
            }
            if let Some(shape) = &segment.in_segment_m
                && shape.len() != segment.markers.len()
            {
                return Err(Error::argument(format!(
                    "segment {index}: need a place for each of its markers"
                )));
            }
        }
        let count = self.segments.len();
        match self.joints.iter().flat_map(|joint| joint.segments).find(|s| *s >= count) {
            Some(unknown) => {
                Err(Error::argument(format!("joint: need segments below {count}, got {unknown}")))
            }
            None => Ok(()),
        }
    }
}
