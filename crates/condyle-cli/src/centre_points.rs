//! The points that `condyle centre` fits: markers of recordings, or bare tables of x, y, z.

use std::path::Path;

use condyle::centre::Cluster;
use condyle::trial::edit::with_markers;
use condyle::trial::{Format, Marker};
use condyle::{ErrorKind, Result, Trial};
use nalgebra::Point3;

use crate::args::CentreArgs;
use crate::input;

/// One marker's points, those that are there.
pub struct Track {
    /// The file as given.
    pub source: String,
    /// The marker's label.
    pub label: String,
    /// How many frames have no point.
    pub missing: usize,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
}

impl Track {
    /// One slice an axis.
    pub fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    fn of(
        source: &Path,
        label: &str,
        frames: usize,
        points: impl Iterator<Item = Point3<f64>>,
    ) -> Self {
        let mut track = Self {
            source: source.to_string_lossy().into_owned(),
            label: label.to_owned(),
            missing: 0,
            x: Vec::with_capacity(frames),
            y: Vec::with_capacity(frames),
            z: Vec::with_capacity(frames),
        };
        for point in points {
            track.x.push(point.x);
            track.y.push(point.y);
            track.z.push(point.z);
        }
        track.missing = frames - track.x.len();
        track
    }
}

/// Reads every file and takes the markers asked for.
pub fn read(args: &CentreArgs) -> Result<Vec<Track>> {
    let options = args.reading.options();
    let mut tracks = Vec::new();
    for path in &args.files {
        let trial = with_bare_table(input::read(path, &options)?);
        tracks.extend(tracks_of(path, &trial, args).map_err(|error| error.with_path(path))?);
    }
    Ok(tracks)
}

fn tracks_of(path: &Path, trial: &Trial, args: &CentreArgs) -> Result<Vec<Track>> {
    let names: Vec<&str> = args.marker.iter().map(|name| name.trim()).collect();
    let chosen = match (names.as_slice(), trial.markers.as_slice()) {
        ([], [marker]) => vec![marker.clone()],
        ([], markers) => {
            let labels: Vec<&str> = markers.iter().take(8).map(|m| m.label.as_str()).collect();
            return Err(ErrorKind::Argument(format!(
                "need --marker to choose from {} markers: {}{}",
                markers.len(),
                labels.join(", "),
                if markers.len() > labels.len() { ", …" } else { "" }
            ))
            .into());
        }
        (names, _) => with_markers(trial.clone(), names)?.markers,
    };
    let poses = match args.segment.as_slice() {
        [] => None,
        names => Some(poses(trial, names)?),
    };
    Ok(chosen.iter().map(|marker| track_of(path, marker, poses.as_deref())).collect())
}

type Pose = nalgebra::Isometry3<f64>;

/// Where the segment is in every frame.
fn poses(trial: &Trial, names: &[String]) -> Result<Vec<Option<Pose>>> {
    let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
    let markers = with_markers(trial.clone(), &names)?.markers;
    let seen_in = |frame| markers.iter().map(|marker| marker.position_m(frame)).collect();
    let frames: Vec<Vec<Option<Point3<f64>>>> = (0..trial.frames).map(seen_in).collect();
    let cluster = Cluster::of(&frames)?;
    Ok(frames.iter().map(|seen| cluster.pose(seen)).collect())
}

fn track_of(path: &Path, marker: &Marker, poses: Option<&[Option<Pose>]>) -> Track {
    let point = |frame: usize| {
        let position = marker.position_m(frame)?;
        match poses {
            None => Some(position),
            Some(poses) => Some(poses.get(frame)?.as_ref()?.inverse_transform_point(&position)),
        }
    };
    let frames = marker.frames();
    Track::of(path, &marker.label, frames, (0..frames).filter_map(point))
}

/// A table of three columns without names is a marker too.
fn with_bare_table(mut trial: Trial) -> Trial {
    if trial.source.format == Format::Csv && trial.markers.is_empty() && trial.channels.len() == 3 {
        let channels = std::mem::take(&mut trial.channels);
        let point = |frame: usize| {
            let at = |axis: usize| channels[axis].value(frame);
            Some(Point3::new(at(0)?, at(1)?, at(2)?))
        };
        trial.markers.push(Marker::from_positions("point", (0..trial.frames).map(point)));
    }
    trial
}
