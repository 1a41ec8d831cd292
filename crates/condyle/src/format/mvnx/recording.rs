//! What has been read of an MVNX file so far.

use nalgebra::Point3;

use crate::error::{Error, Result};
use crate::format::proportion::{POSE_BYTES, in_proportion};
use crate::format::{ReadOptions, table, text};
use crate::trial::{Body, Event, Note, Trial, pose_from_wxyz};

/// Which element's text is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Orientation,
    Position,
    Marker,
    /// The place of a point in its segment.
    Point,
    /// `segment/point`, where the lower segment of a joint hangs.
    Connector,
}

/// The frame being read.
#[derive(Debug, Default)]
struct Frame {
    wxyz: Vec<f64>,
    position: Vec<f64>,
    has_position: bool,
    labels: Vec<String>,
    /// Numbers beyond the segments, or that are none.
    odd_numbers: usize,
}

/// The recording so far.
#[derive(Debug, Default)]
pub(super) struct Recording {
    metres_per_unit: f64,
    file_bytes: usize,
    subjects: Vec<String>,
    rate_hz: Option<f64>,
    bodies: Vec<Body>,
    frames: usize,
    calibration_frames: usize,
    start_s: Option<f64>,
    first_index: Option<i64>,
    last_index: Option<i64>,
    jumps: usize,
    /// Whether the first frame has positions: then all are expected to.
    has_positions: Option<bool>,
    frames_short: usize,
    frames_odd: usize,
    events: Vec<(usize, String)>,
    frame: Option<Frame>,
    reading: Option<Reading>,
    in_segments: bool,
    /// The points of the segments: which segment, what point, where.
    points: Vec<(usize, String, Vec<f64>)>,
    connectors: usize,
}

/// Points of segments and joints that are looked at: suits have a few dozen.
const MOST_POINTS: usize = 2048;

impl Recording {
    pub(super) fn new(metres_per_unit: f64, file_bytes: usize) -> Self {
        Self { metres_per_unit, file_bytes, ..Self::default() }
    }

    /// How many whole frames have been read.
    pub(super) fn frames(&self) -> usize {
        self.frames
    }

    /// Whether elements belong to the first subject, the only one that is kept.
    fn is_first_subject(&self) -> bool {
        self.subjects.len() <= 1
    }

    /// An element begins.
    pub(super) fn start(&mut self, name: &str, attribute: &dyn Fn(&str) -> Option<String>) {
        match name {
            "subject" => {
                self.subjects.push(attribute("label").unwrap_or_default());
                if self.is_first_subject() {
                    let rate = attribute("frameRate").as_deref().and_then(text::number);
                    self.rate_hz = rate.filter(|rate_hz| *rate_hz > 0.0);
                }
            }
            "segments" => self.in_segments = true,
            "segment" if self.in_segments && self.frames == 0 && self.is_first_subject() => {
                let label = attribute("label")
                    .unwrap_or_else(|| format!("segment {}", self.bodies.len() + 1));
                self.bodies.push(Body::new(label));
            }
            "point" if self.in_segments && self.is_first_subject() && !self.bodies.is_empty() => {
                let label = attribute("label").unwrap_or_default();
                if self.points.len() < MOST_POINTS {
                    self.points.push((self.bodies.len() - 1, label, Vec::new()));
                }
            }
            "pos_b" => self.reading = Some(Reading::Point),
            "connector2" if self.is_first_subject() => self.reading = Some(Reading::Connector),
            "frame" if self.is_first_subject() => {
                let kind = attribute("type").unwrap_or_else(|| "normal".to_owned());
                if kind != "normal" {
                    self.calibration_frames += 1;
                    return;
                }
                let time_ms = attribute("time").as_deref().and_then(text::number);
                let index = attribute("index").and_then(|index| index.trim().parse::<i64>().ok());
                if self.frames == 0 {
                    self.start_s = time_ms.map(|time_ms| time_ms / 1000.0);
                    self.first_index = index;
                }
                if let (Some(last), Some(index)) = (self.last_index, index) {
                    self.jumps += usize::from(last.checked_add(1) != Some(index));
                }
                self.last_index = index.or(self.last_index);
                self.frame = Some(Frame::default());
            }
            "orientation" => self.reading = Some(Reading::Orientation),
            "position" => {
                self.reading = Some(Reading::Position);
                if let Some(frame) = &mut self.frame {
                    frame.has_position = true;
                }
            }
            "marker" => self.reading = Some(Reading::Marker),
            _ => self.reading = None,
        }
    }

    /// Text inside an element.
    pub(super) fn text(&mut self, content: &str) {
        let segments = self.bodies.len();
        match self.reading {
            Some(Reading::Point) => {
                let numbers = content.split_whitespace().filter_map(text::number);
                let missing =
                    self.points.last().map_or(0, |point| 3_usize.saturating_sub(point.2.len()));
                let last = self.points.last_mut();
                last.into_iter().for_each(|point| point.2.extend(numbers.clone().take(missing)));
                return;
            }
            Some(Reading::Connector) => return self.connect(content.trim()),
            _ => {}
        }
        let (Some(frame), Some(reading)) = (&mut self.frame, self.reading) else { return };
        let (numbers, most) = match reading {
            Reading::Orientation => (&mut frame.wxyz, 4 * segments),
            Reading::Position => (&mut frame.position, 3 * segments),
            Reading::Marker => {
                let label = content.trim();
                frame.labels.extend((!label.is_empty()).then(|| label.to_owned()));
                return;
            }
            Reading::Point | Reading::Connector => return,
        };
        for token in content.split_whitespace() {
            match text::number(token) {
                // What is no number holds its place, so that the segments after it keep theirs.
                number if numbers.len() < most => {
                    frame.odd_numbers += usize::from(number.is_none());
                    numbers.push(number.unwrap_or(f64::NAN));
                }
                _ => frame.odd_numbers += 1,
            }
        }
    }

    /// Notes where a segment hangs on the one above it.
    fn connect(&mut self, connector: &str) {
        self.connectors += 1;
        let Some((segment, point)) = connector.split_once('/') else { return };
        if self.connectors.max(self.bodies.len()) > MOST_POINTS {
            return;
        }
        let Some(index) = self.bodies.iter().position(|body| body.name == segment) else { return };
        let found = self.points.iter().find(|(of, label, _)| *of == index && label == point);
        if let Some((_, _, numbers)) = found
            && let [x, y, z] = numbers[..]
        {
            let at_m = Point3::new(x, y, z) * self.metres_per_unit;
            self.bodies[index].joint_in_body_m = Some(at_m);
        }
    }

    /// An element ends.
    pub(super) fn end(&mut self, name: &str) -> Result<()> {
        self.reading = None;
        match name {
            "segments" => self.in_segments = false,
            "frame" => {
                if let Some(frame) = self.frame.take() {
                    self.add(frame)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, frame: Frame) -> Result<()> {
        if !in_proportion(self.frames + 1, self.bodies.len(), POSE_BYTES, self.file_bytes) {
            let what = format!(
                "frames: need the poses of {} segments, got nearly none",
                self.bodies.len()
            );
            return Err(Error::malformed(what));
        }
        let has_positions = *self.has_positions.get_or_insert(frame.has_position);
        let mut is_short = false;
        for (segment, body) in self.bodies.iter_mut().enumerate() {
            let wxyz = frame.wxyz.get(4 * segment..4 * segment + 4);
            let wxyz = wxyz.and_then(|part| <[f64; 4]>::try_from(part).ok());
            let position = frame.position.get(3 * segment..3 * segment + 3);
            let position = position.and_then(|part| <[f64; 3]>::try_from(part).ok());
            let position_m = match has_positions {
                true => position.map(|part| part.map(|x| x * self.metres_per_unit)),
                false => Some([0.0; 3]),
            };
            let pose = wxyz.zip(position_m).and_then(|(wxyz, p)| pose_from_wxyz(p, wxyz));
            is_short |= pose.is_none();
            body.has_positions = has_positions;
            body.push(pose);
        }
        self.frames_short += usize::from(is_short);
        self.frames_odd += usize::from(frame.odd_numbers > 0);
        self.events.extend(frame.labels.into_iter().map(|label| (self.frames, label)));
        self.frames += 1;
        Ok(())
    }

    /// Moves everything into a trial.
    pub(super) fn finish(self, trial: &mut Trial, options: &ReadOptions) -> Result<()> {
        if self.bodies.is_empty() {
            return Err(Error::malformed("mvnx: need segments, got none"));
        }
        trial.rate_hz = options.rate_hz.or(self.rate_hz).unwrap_or(0.0);
        trial.frames = self.frames;
        trial.first_frame = self.first_index.unwrap_or(0);
        trial.start_s = self.start_s.unwrap_or(0.0);
        self.note(trial);
        trial.bodies = self.bodies;
        for (frame, label) in self.events {
            let time_s = trial.time_s(frame);
            trial.events.push(Event { label, time_s, ..Event::default() });
        }
        trial.subjects = self.subjects.into_iter().filter(|subject| !subject.is_empty()).collect();
        Ok(())
    }

    fn note(&self, trial: &mut Trial) {
        if trial.rate_hz == 0.0 {
            trial.note("rate-unknown", "the subject has no frameRate: the rate is unknown");
        }
        let skipped = "calibration poses before the recording are skipped";
        trial.notes.extend(Note::counted(self.calibration_frames, "calibration-frames", skipped));
        if self.has_positions == Some(false) {
            trial.note("no-positions", "the frames have orientations without positions");
        }
        let short = "frames lack the pose of a segment: missing there";
        trial.notes.extend(Note::counted(self.frames_short, "poses-missing", short));
        let odd = "frames have too many numbers, or words for numbers";
        trial.notes.extend(Note::counted(self.frames_odd, "numbers-odd", odd));
        trial.notes.extend(table::note_jumps(self.jumps));
        if self.subjects.len() > 1 {
            let text = format!("{} subjects: only the first one is read", self.subjects.len());
            trial.note("subjects", text);
        }
    }
}
