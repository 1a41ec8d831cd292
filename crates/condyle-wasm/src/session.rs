//! What is open, and the one call that does everything.

use std::collections::BTreeMap;

use condyle::format::{self, ReadOptions, read_bytes};
use condyle::job::{self, Recording};
use condyle::taylor::Taylor;
use condyle::trial::Format;
use condyle::{Error, ErrorKind, Result, Trial};
use serde_json::{Value, json};

use crate::edit;
use crate::live::Stream;
use crate::numbers::{Numbers, f64s};
use crate::performance::Found;
use crate::reach::Reacher;
use crate::recording;
use crate::request::Request;

/// Everything that the module remembers between calls.
#[derive(Default)]
pub struct Session {
    /// The request.
    pub text: Vec<u8>,
    /// The bytes that come with it.
    pub data: Vec<u8>,
    /// The answer to it.
    pub answer: Vec<u8>,
    open: BTreeMap<u32, Open>,
    last_handle: u32,
    numbers: Numbers,
}

/// Something with a handle.
enum Open {
    Recording(Box<Recording>),
    Performance(Box<Found>),
    Reacher(Box<Reacher>),
    Live(Box<Stream>),
}

impl Session {
    /// Does what the request says; whether it went well.
    pub fn call(&mut self) -> bool {
        let text = std::mem::take(&mut self.text);
        let data = std::mem::take(&mut self.data);
        let request = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()));
        let answer = request.and_then(|request| self.do_it(request, &data));
        self.answer = match &answer {
            Ok(answer) => answer.to_string().into(),
            Err(error) => in_json(error).to_string().into(),
        };
        answer.is_ok()
    }

    fn do_it(&mut self, request: Request, data: &[u8]) -> Result<Value> {
        match request {
            Request::Read { name, options, motion_bytes } => {
                let trial = read(data, &options, motion_bytes)?;
                Ok(self.open_recording(name, trial))
            }
            Request::Edit { recording, edits } => {
                let whole = self.recording(recording)?;
                let name = whole.name.clone();
                let trial = edit::edited(whole.trial.clone(), edits)?;
                Ok(self.open_recording(name, trial))
            }
            Request::Plan { recording, options } => {
                recording::plan(&self.recording(recording)?.trial, &options)
            }
            Request::Run { recording, options } => {
                let found = job::run(self.recording(recording)?.clone(), &options)?;
                self.open_performance(Found::new(found))
            }
            Request::OfRecording { recording, row, index } => {
                let Self { open, numbers, .. } = self;
                let Some(Open::Recording(own)) = open.get(&recording) else {
                    return Err(closed("recording"));
                };
                recording::row(&own.trial, row, index, numbers)
            }
            Request::OfPerformance { performance, row, performer, index } => {
                let Self { open, numbers, .. } = self;
                let Some(Open::Performance(found)) = open.get(&performance) else {
                    return Err(closed("performance"));
                };
                found.row(row, performer, index, numbers)
            }
            Request::Write { recording, format } => {
                let wanted = Format::from_extension(&format);
                let wanted = wanted.ok_or_else(|| wrong(format!("format: got '{format}'")))?;
                let mut bytes = Vec::new();
                let notes = format::write(&self.recording(recording)?.trial, wanted, &mut bytes)?;
                Ok(self.numbers.file(bytes, &notes))
            }
            Request::Export { performance, performer, format, names } => {
                let found = self.found(performance)?;
                let (bytes, notes) = match names.is_empty() {
                    true => found.export(performer, &format)?,
                    false => found.renamed(&names)?.export(performer, &format)?,
                };
                Ok(self.numbers.file(bytes, &notes))
            }
            Request::Reacher { model } => {
                let reacher = Reacher::new(model)?;
                let facts = reacher.facts();
                Ok(self.keep(Open::Reacher(Box::new(reacher)), facts))
            }
            Request::Reach { reacher, targets, options } => {
                let Self { open, numbers, .. } = self;
                reacher_in(open, reacher)?.reach(&targets, &options, numbers)
            }
            Request::Rest { reacher } => {
                let Self { open, numbers, .. } = self;
                Ok(reacher_in(open, reacher)?.rest(numbers))
            }
            Request::MoveBase { reacher, at_m } => {
                let Self { open, numbers, .. } = self;
                reacher_in(open, reacher)?.move_base(at_m, numbers)
            }
            Request::Live { labels, rate_hz, options } => {
                let stream = Stream::new(&labels, rate_hz, &options)?;
                Ok(self.keep(Open::Live(Box::new(stream)), json!({})))
            }
            Request::Push { live } => {
                let Self { open, numbers, .. } = self;
                let Some(Open::Live(stream)) = open.get_mut(&live) else {
                    return Err(closed("stream"));
                };
                stream.push(&f64s(data), numbers)
            }
            Request::Finish { live } => match self.open.remove(&live) {
                Some(Open::Live(stream)) => self.open_performance(Found::new(stream.finish()?)),
                other => {
                    self.open.extend(other.map(|other| (live, other)));
                    Err(closed("stream"))
                }
            },
            Request::Taylor { rate_hz, from, to, order } => {
                let fit = Taylor::fit(&f64s(data), rate_hz, from..to, order)?;
                Ok(json!({
                    "coefficients": fit.coefficients,
                    "centre_s": fit.centre_s,
                    "residual": fit.residual,
                    "next": fit.next,
                    "fitted": self.numbers.hold(fit.fitted),
                }))
            }
            Request::Close { handle } => Ok(json!(self.open.remove(&handle).is_some())),
            Request::Version => Ok(json!(env!("CARGO_PKG_VERSION"))),
            Request::DefaultOptions => Ok(json!(job::Options::default())),
        }
    }

    fn keep(&mut self, open: Open, mut facts: Value) -> Value {
        self.last_handle += 1;
        self.open.insert(self.last_handle, open);
        facts["handle"] = json!(self.last_handle);
        facts
    }

    fn open_recording(&mut self, name: String, mut trial: Trial) -> Value {
        // The main job works on a copy, which shares what it does not change.
        trial.markers.iter_mut().for_each(condyle::trial::Marker::share_columns);
        let facts = recording::facts(&name, &trial);
        self.keep(Open::Recording(Box::new(Recording::new(name, trial))), facts)
    }

    fn open_performance(&mut self, found: Found) -> Result<Value> {
        let facts = found.facts();
        Ok(self.keep(Open::Performance(Box::new(found)), facts))
    }

    fn recording(&self, handle: u32) -> Result<&Recording> {
        match self.open.get(&handle) {
            Some(Open::Recording(recording)) => Ok(recording),
            _ => Err(closed("recording")),
        }
    }

    fn found(&self, handle: u32) -> Result<&Found> {
        match self.open.get(&handle) {
            Some(Open::Performance(found)) => Ok(found),
            _ => Err(closed("performance")),
        }
    }
}

fn reacher_in(open: &mut BTreeMap<u32, Open>, handle: u32) -> Result<&mut Reacher> {
    match open.get_mut(&handle) {
        Some(Open::Reacher(reacher)) => Ok(reacher),
        _ => Err(closed("linkage")),
    }
}

fn read(data: &[u8], options: &ReadOptions, motion_bytes: Option<usize>) -> Result<Trial> {
    match motion_bytes.and_then(|bytes| data.split_at_checked(bytes)) {
        Some((motion, skeleton)) => format::amc::read(motion, skeleton, options),
        None => read_bytes(data, options),
    }
}

/// A request that makes no sense.
pub fn wrong(what: String) -> Error {
    ErrorKind::Argument(what).into()
}

fn closed(what: &str) -> Error {
    wrong(format!("need a {what} that is open, got one that is closed"))
}

/// The kind of an error in a word that does not change, its stable code, and its text.
fn in_json(error: &Error) -> Value {
    let kind = match error.kind() {
        ErrorKind::Empty => "empty",
        ErrorKind::NotRecognised(_) => "not-recognised",
        ErrorKind::Malformed(_) => "malformed",
        ErrorKind::CannotHold(_) => "cannot-hold",
        ErrorKind::Undetermined(_) => "undetermined",
        ErrorKind::Argument(_) => "argument",
        _ => "io",
    };
    let place = error.place().map(|place| match place {
        condyle::error::Place::Byte(byte) => json!({ "byte": byte }),
        condyle::error::Place::Line(line) => json!({ "line": line }),
    });
    json!({ "kind": kind, "code": error.code(), "message": error.to_string(), "place": place })
}
