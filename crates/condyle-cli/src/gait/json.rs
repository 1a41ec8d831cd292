//! The machine-readable form of `condyle gait`, documented in docs/json.md.

use condyle::gait::{self, Gait, MeanCentre, MeanCycle, Parameter, PerformerGait, Point, Stride};
use condyle::trial::Note;
use serde_json::{Value, json};

use super::mean_cycles;

/// The gait of everybody in a recording.
pub struct RecordingGait {
    pub recording: String,
    /// Recordings with one number are of one performer, or of the same several.
    pub performer: usize,
    pub first_frame: i64,
    pub start_s: f64,
    pub rate_hz: f64,
    pub performers: Vec<PerformerGait>,
    /// About the recording itself.
    pub notes: Vec<Note>,
}

impl RecordingGait {
    /// Everything worth saying.
    pub fn all_notes(&self) -> Vec<Note> {
        let of_performers = self.performers.iter().flat_map(|performer| &performer.gait.notes);
        self.notes.iter().chain(of_performers).cloned().collect()
    }

    /// Whether anybody has a stride.
    pub fn has_strides(&self) -> bool {
        self.performers.iter().any(|performer| !performer.gait.strides.is_empty())
    }
}

/// What all recordings of a performer have together.
pub struct Pooled {
    pub name: String,
    pub recordings: Vec<String>,
    pub parameters: Vec<Parameter>,
    pub cycles: Vec<MeanCycle>,
    pub centres: Vec<MeanCentre>,
    strides: Vec<Stride>,
}

/// The recordings of each performer together.
pub fn pooled(recordings: &[RecordingGait]) -> Vec<Pooled> {
    let mut groups: Vec<(usize, Vec<(&str, &PerformerGait)>)> = Vec::new();
    for recording in recordings {
        for performer in &recording.performers {
            let own = (recording.recording.as_str(), performer);
            let same = |(performers, group): &&mut (usize, Vec<(&str, &PerformerGait)>)| {
                // Two in one recording are two.
                *performers == recording.performer
                    && group[0].1.name == performer.name
                    && group.iter().all(|(name, _)| *name != own.0)
            };
            match groups.iter_mut().find(same) {
                Some((_, group)) => group.push(own),
                None => groups.push((recording.performer, vec![own])),
            }
        }
    }
    let pool = |group: Vec<(&str, &PerformerGait)>| Pooled {
        name: group[0].1.name.clone(),
        recordings: group.iter().map(|(name, _)| (*name).to_owned()).collect(),
        parameters: Parameter::pooled(group.iter().flat_map(|(_, own)| &own.gait.parameters)),
        cycles: mean_cycles(group.iter().map(|(_, own)| *own)),
        centres: gait::mean_centres(group.iter().flat_map(|(_, own)| &own.centres)),
        strides: group.iter().flat_map(|(_, own)| own.gait.strides.iter().copied()).collect(),
    };
    groups.into_iter().map(|(_, group)| pool(group)).collect()
}

/// The array: an object a recording and performer, then one a performer.
pub fn answer(recordings: &[RecordingGait], pooled: &[Pooled], reference: &[MeanCycle]) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for recording in recordings {
        all.extend(recording.performers.iter().map(|own| of_recording(recording, own, reference)));
        if recording.performers.is_empty() {
            all.push(json!({
                "recording": recording.recording,
                "performer": null,
                "kind": null,
                "events": [],
                "parameters": [],
                "cycles": [],
                "scores": [],
                "notes": in_words(&recording.notes),
            }));
        }
    }
    let together = |own: &Pooled| {
        json!({
            "recording": null,
            "recordings": own.recordings,
            "performer": own.name,
            "parameters": parameters(&own.parameters),
            "cycles": strides(&own.strides),
            "scores": scores(&own.cycles, reference),
            "curves": own.cycles.iter().map(angle_curve).collect::<Vec<_>>(),
            "centres": own.centres.iter().map(centre_curve).collect::<Vec<_>>(),
        })
    };
    all.extend(pooled.iter().map(together));
    Value::Array(all)
}

/// One performer of one recording.
pub fn of_recording(
    recording: &RecordingGait,
    own: &PerformerGait,
    reference: &[MeanCycle],
) -> Value {
    let Gait { kind, events, notes, .. } = &own.gait;
    let event = |event: &gait::GaitEvent| {
        let frame = ((event.time_s - recording.start_s) * recording.rate_hz).round() as i64;
        json!({
            "side": event.side,
            "kind": event.kind,
            "time_s": event.time_s,
            "frame": recording.first_frame.saturating_add(frame),
            "source": event.source,
            "confidence": event.sd_s,
        })
    };
    let notes: Vec<Note> = recording.notes.iter().chain(notes).cloned().collect();
    json!({
        "recording": recording.recording,
        "performer": own.name,
        "kind": kind,
        "events": events.iter().map(event).collect::<Vec<_>>(),
        "parameters": parameters(&own.gait.parameters),
        "cycles": strides(&own.gait.strides),
        "scores": scores(&mean_cycles([own]), reference),
        "notes": in_words(&notes),
    })
}

fn in_words(notes: &[Note]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn parameters(all: &[Parameter]) -> Vec<Value> {
    let one = |own: &Parameter| {
        json!({
            "name": own.name,
            "side": own.side,
            "value": own.value,
            "unit": own.unit,
            "sd": own.sd,
            "n": own.strides.len(),
            "strides": own.strides,
        })
    };
    all.iter().map(one).collect()
}

fn strides(all: &[Stride]) -> Vec<Value> {
    let one = |own: &Stride| json!({"side": own.side, "start_s": own.start_s, "end_s": own.end_s});
    all.iter().map(one).collect()
}

fn angle_curve(own: &MeanCycle) -> Value {
    let [mean, sd] = mean_and_sd(&own.points, 1e4);
    json!({
        "side": own.side,
        "joint": own.joint,
        "angle": own.angle,
        "unit": "deg",
        "mean": mean,
        "sd": sd,
        "n": strides_of(&own.points),
    })
}

fn centre_curve(own: &MeanCentre) -> Value {
    let [mean, sd] = mean_and_sd(&own.points, 1e5);
    json!({
        "side": own.side,
        "joint": own.joint,
        "axis": own.axis,
        "unit": "m",
        "mean": mean,
        "sd": sd,
        "n": strides_of(&own.points),
    })
}

/// Both at every point, with as many places as the tables have.
fn mean_and_sd(points: &[Option<Point>], per_unit: f64) -> [Vec<Option<f64>>; 2] {
    let rounded = |value: f64| (value * per_unit).round() / per_unit;
    let of = |which: fn(&Point) -> f64| {
        points.iter().map(|point| Some(rounded(which(point.as_ref()?)))).collect()
    };
    [of(|point| point.0), of(|point| point.1)]
}

/// How many strides a curve is the mean of: as many at all of its points.
fn strides_of(points: &[Option<Point>]) -> usize {
    points.iter().flatten().map(|(.., n)| *n).next().unwrap_or(0)
}

fn scores(cycles: &[MeanCycle], reference: &[MeanCycle]) -> Vec<Value> {
    let one = |own: &gait::Score| {
        let side = own.side.map_or("both", gait::Side::name);
        json!({"name": own.name, "side": side, "value": own.value_deg, "unit": "deg"})
    };
    gait::scores(cycles, reference).iter().map(one).collect()
}
