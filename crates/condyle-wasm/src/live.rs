//! The main job for a stream of markers.

use condyle::job::{Options, Performance};
use condyle::live::{Live, LivePerformer};
use condyle::nalgebra::Point3;
use condyle::{Error, Result};
use serde_json::{Value, json};

use crate::numbers::{Numbers, place, pose};
use crate::session::wrong;

/// A stream of markers.
pub struct Stream {
    live: Live,
    markers: usize,
}

impl Stream {
    /// Begins a stream of markers with these labels.
    pub fn new(labels: &[String], rate_hz: f64, options: &Options) -> Result<Self> {
        let names: Vec<&str> = labels.iter().map(String::as_str).collect();
        Ok(Self { live: Live::new(&names, rate_hz, options)?, markers: names.len() })
    }

    /// Takes a frame, x, y and z of every marker, NaN where it is not seen. The numbers of the answer are those of one
    /// performer after the other: joints, their standard errors, poses of segments.
    pub fn push(&mut self, frame: &[f64], numbers: &mut Numbers) -> Result<Value> {
        if frame.len() != 3 * self.markers {
            let (need, got) = (3 * self.markers, frame.len());
            return Err(wrong(format!("frame: need {need} numbers, got {got}")));
        }
        let is_seen = |at: &[f64; 3]| at.iter().all(|number| number.is_finite());
        let places = frame.as_chunks::<3>().0.iter();
        let positions_m: Vec<Option<Point3<f64>>> =
            places.map(|at| is_seen(at).then(|| Point3::from(*at))).collect();
        self.live.push(&*positions_m)?;
        let performers = self.live.performers().iter().map(|performer| {
            let joints = performer.joints().map(|joint| {
                json!({
                    "name": joint.name,
                    "kind": joint.certainty.kind,
                    "centre": joint.certainty.centre_known,
                    "sd_m": joint.certainty.worst_sd_m,
                })
            });
            let segments = performer.segments().map(|segment| segment.name.to_owned());
            json!({
                "name": performer.subject().name,
                "joints": joints.collect::<Vec<_>>(),
                "segments": segments.collect::<Vec<_>>(),
            })
        });
        let performers: Vec<Value> = performers.collect();
        Ok(json!({
            "frames": self.live.frames(),
            "performers": performers,
            "notes": self.live.notes(),
            "whyNobody": self.live.last_fit_error().map(Error::to_string),
            "numbers": numbers.collect(self.live.performers().iter().flat_map(numbers_of)),
        }))
    }

    /// Ends the stream.
    pub fn finish(self) -> Result<Performance> {
        self.live.finish()
    }
}

fn numbers_of(performer: &LivePerformer) -> impl Iterator<Item = f64> {
    let joints = performer.joints().flat_map(|joint| place(joint.position_m));
    let sds_m = performer.pose().joint_sds_m.iter().copied();
    let segments = performer.segments().flat_map(|segment| pose(segment.world_from_segment));
    joints.chain(sds_m).chain(segments)
}
