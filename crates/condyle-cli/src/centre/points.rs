//! The points that `condyle centre` fits: markers of recordings, or bare tables of x, y, z.

use std::path::Path;

use condyle::centre::Points;
use condyle::marker_set::recognise_trial;
use condyle::plan::{Performer, PlanOrigin};
use condyle::rigid::Cluster;
use condyle::trial::edit::with_markers;
use condyle::trial::{Format, Marker};
use condyle::{Error, Result, Trial};
use nalgebra::{Matrix3, Point3};

use super::CentreArgs;
use crate::terminal::input;
use crate::terminal::say;

/// One marker's points, those that are there.
pub struct Track {
    /// The file as given.
    pub source: String,
    /// The marker's label.
    pub label: String,
    /// How many frames have no point.
    pub missing: usize,
    /// Whether lengths are metres, or in whatever unit a bare table is.
    is_in_metres: bool,
    /// How far skin carries it where it moves most.
    pub soft_tissue_m: f64,
    /// The segment that it is seen from.
    segment: Option<Cluster>,
    /// The noise that the points have for certain, being seen from a segment.
    noise: Option<Matrix3<f64>>,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
}

impl Track {
    /// One slice an axis.
    pub fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    /// The same with what is known of their noise.
    pub fn points(&self) -> Points<'_> {
        Points { axes: self.axes(), noise: self.noise }
    }

    /// How far skin displaces it as seen from its segment, whose own markers slide too: a pose that errs moves the centre.
    pub fn slide_m(&self, centre: &Point3<f64>) -> f64 {
        let [x, y, z] = [centre.x, centre.y, centre.z].map(|value| [value]);
        let as_seen = |segment: &Cluster| segment.noise_of(self.soft_tissue_m, [&x, &y, &z]);
        let seen_m2 = self.segment.as_ref().and_then(as_seen).map(|noise| noise.trace() / 3.0);
        seen_m2.map_or(self.soft_tissue_m, f64::sqrt)
    }

    /// The marker's label, or its file where that has only one without a name.
    pub fn name(&self) -> String {
        if self.label == UNNAMED { self.source.clone() } else { self.label.clone() }
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
            is_in_metres: true,
            soft_tissue_m: 0.0,
            segment: None,
            noise: None,
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

/// The label of a bare table's only marker.
const UNNAMED: &str = "point";

/// Whether lengths are metres.
pub fn are_in_metres(tracks: &[Track]) -> bool {
    tracks.iter().all(|track| track.is_in_metres)
}

/// Reads every file and takes the markers asked for.
pub fn read(args: &CentreArgs) -> Result<Vec<Track>> {
    let options = args.reading.options();
    let mut tracks = Vec::new();
    for path in &args.files {
        let trial = input::read(path, &options)?;
        // Time does not matter to a centre.
        for note in trial.notes.iter().filter(|note| note.code != "rate-unknown") {
            match args.files.as_slice() {
                [_] => say::note(&say::in_words(note)),
                _ => say::note(&format!("{}: {}", path.display(), say::in_words(note))),
            }
        }
        let taken = with_bare_table(trial).and_then(|trial| tracks_of(path, &trial, args));
        tracks.extend(taken.map_err(|error| error.with_path(path))?);
    }
    Ok(tracks)
}

fn tracks_of(path: &Path, trial: &Trial, args: &CentreArgs) -> Result<Vec<Track>> {
    let names: Vec<&str> = args.marker.iter().map(|name| name.trim()).collect();
    let chosen = match (names.as_slice(), trial.markers.as_slice()) {
        ([], [marker]) => vec![marker.clone()],
        ([], markers) => {
            let labels: Vec<&str> = markers.iter().take(8).map(|m| m.label.as_str()).collect();
            let more = if markers.len() > labels.len() { ", …" } else { "" };
            let (count, listed) = (markers.len(), labels.join(", "));
            let what = format!("need --marker to choose from {count} markers: {listed}{more}");
            return Err(Error::argument(what));
        }
        (names, _) => with_markers(trial.clone(), names)?.markers,
    };
    let seen_from = match args.segment.as_slice() {
        [] => None,
        names => Some(SeenFrom::of(trial, names)?),
    };
    let is_bare = trial.source.format == Format::Csv
        && trial.source.declared_unit.is_none()
        && args.reading.units.is_none();
    let skin = recognise_trial(trial).plan;
    let is_on_person = |label: &str| {
        let performers = skin.performers.iter().filter(|performer| is_by_names(performer));
        let mut markers =
            performers.flat_map(|performer| &performer.segments).flat_map(|s| &s.markers);
        markers.any(|marker| trial.markers[*marker].label == label)
    };
    let track = |marker: &Marker| {
        let is_in_metres = !(is_bare && marker.label == UNNAMED);
        let rms_m = args.soft_tissue.rms_m(is_on_person(&marker.label));
        if !is_in_metres && rms_m > 0.0 {
            let what = "--soft-tissue: need --units, got a table that does not say its unit";
            return Err(Error::argument(what));
        }
        Ok(Track { is_in_metres, ..track_of(path, marker, seen_from.as_ref(), rms_m) })
    };
    chosen.iter().map(track).collect()
}

fn is_by_names(performer: &Performer) -> bool {
    matches!(performer.origin, PlanOrigin::Names { .. })
}

/// The segment that markers are seen from.
struct SeenFrom {
    cluster: Cluster,
    /// Where it is in every frame.
    world_from_segment: Vec<Option<nalgebra::Isometry3<f64>>>,
    /// The noise of its markers.
    sigma_m: Option<f64>,
}

impl SeenFrom {
    fn of(trial: &Trial, names: &[String]) -> Result<Self> {
        let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        let markers = with_markers(trial.clone(), &names)?.markers;
        let seen_in = |frame| markers.iter().map(|marker| marker.position_m(frame)).collect();
        let frames: Vec<Vec<Option<Point3<f64>>>> = (0..trial.frames).map(seen_in).collect();
        let cluster = Cluster::new(&frames)?;
        Ok(Self {
            world_from_segment: frames.iter().map(|seen| cluster.pose(seen)).collect(),
            sigma_m: cluster.sigma(&frames),
            cluster,
        })
    }
}

fn track_of(
    path: &Path,
    marker: &Marker,
    seen_from: Option<&SeenFrom>,
    soft_tissue_m: f64,
) -> Track {
    let point = |frame: usize| {
        let position = marker.position_m(frame)?;
        let Some(segment) = seen_from else { return Some(position) };
        let world_from_segment = segment.world_from_segment.get(frame)?.as_ref()?;
        Some(world_from_segment.inverse_transform_point(&position))
    };
    let frames = marker.frames();
    let mut track = Track::of(path, &marker.label, frames, (0..frames).filter_map(point));
    track.noise =
        seen_from.and_then(|segment| segment.cluster.noise_of(segment.sigma_m?, track.axes()));
    track.segment = seen_from.map(|segment| segment.cluster.clone());
    track.soft_tissue_m = soft_tissue_m;
    track
}

/// A table of three columns without names is a marker too; other columns are not.
fn with_bare_table(mut trial: Trial) -> Result<Trial> {
    if trial.source.format != Format::Csv || !trial.markers.is_empty() || trial.channels.is_empty()
    {
        return Ok(trial);
    }
    let labels: Vec<&str> = trial.channels.iter().map(|c| c.label.as_str()).collect();
    let has_names = labels.iter().any(|label| !label.starts_with("column_"));
    if has_names || labels.len() != 3 {
        let count = labels.len();
        let got = match has_names {
            true => format!("the columns {}", labels[..count.min(8)].join(", ")),
            false => format!("{count} columns without names"),
        };
        let what = "need a marker, columns x,y,z or three without names, got";
        return Err(Error::argument(format!("{what} {got}")));
    }
    let channels = std::mem::take(&mut trial.channels);
    let point = |frame: usize| {
        let at = |axis: usize| channels[axis].value(frame);
        Some(Point3::new(at(0)?, at(1)?, at(2)?))
    };
    trial.markers.push(Marker::from_positions(UNNAMED, (0..trial.frames).map(point)));
    Ok(trial)
}
