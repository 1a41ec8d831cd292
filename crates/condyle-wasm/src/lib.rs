//! Condyle in a browser: a recording's bytes in, its joints out. `condyle.mjs` beside this crate calls it.
//!
//! One recording at a time, by pointers into the module's memory: a page writes bytes into what a `Vec` here owns
//! and reads numbers from others. No pointer is followed on this side, so there is no `unsafe` block.
#![allow(unsafe_code, reason = "to export a name unmangled counts as unsafe")]

use std::cell::RefCell;
use std::ptr::null;

use condyle::format::{ReadOptions, read_bytes};
use condyle::job::{self, Performance};
use condyle::solve::PointTrack;
use condyle::{Error, ErrorKind};
use serde_json::{Value, json};

#[derive(Default)]
struct Session {
    recording: Vec<u8>,
    options: Vec<u8>,
    report: Vec<u8>,
    performance: Option<Performance>,
}

impl Session {
    fn run(&self) -> Result<Performance, Error> {
        let invalid = |error| ErrorKind::Argument(format!("options: {error}"));
        let options = match self.options.as_slice() {
            [] => job::Options::default(),
            text => serde_json::from_slice(text).map_err(invalid)?,
        };
        job::run(read_bytes(&self.recording, &ReadOptions::default())?, &options)
    }

    fn joint(&self, performer: usize, joint: usize) -> Option<&PointTrack> {
        let performers = &self.performance.as_ref()?.performers;
        performers.get(performer)?.motion.joints().get(joint)
    }
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// What a page reads as text; the motion it reads as numbers.
fn report(performance: &Performance) -> Value {
    let performers = performance.performers.iter().map(|performer| {
        let joints = performer.subject.joints().iter();
        let joints = joints.map(|joint| json!({ "name": joint.name, "sd_m": joint.worst_sd_m() }));
        json!({ "name": performer.subject.name, "joints": joints.collect::<Vec<_>>() })
    });
    json!({
        "frames": performance.trial.frames,
        "rate_hz": performance.trial.rate_hz,
        "performers": performers.collect::<Vec<_>>(),
        "notes": performance.all_notes(),
    })
}

/// Makes room for a recording; returns where its bytes go.
#[unsafe(no_mangle)]
extern "C" fn condyle_recording(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.recording = vec![0; bytes];
        session.recording.as_mut_ptr()
    })
}

/// Makes room for [`job::Options`] as JSON; returns where the text goes. None is needed.
#[unsafe(no_mangle)]
extern "C" fn condyle_options(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.options = vec![0; bytes];
        session.options.as_mut_ptr()
    })
}

/// Runs the job and forgets the recording's bytes; returns whether it went well. The report is JSON: what was found,
/// or the error.
#[unsafe(no_mangle)]
extern "C" fn condyle_run() -> bool {
    SESSION.with_borrow_mut(|session| {
        let performance = session.run();
        let report = match &performance {
            Ok(performance) => report(performance),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let performance = performance.ok();
        let is_run = performance.is_some();
        *session = Session { report: report.to_string().into(), performance, ..Session::default() };
        is_run
    })
}

/// Where the report is.
#[unsafe(no_mangle)]
extern "C" fn condyle_report() -> *const u8 {
    SESSION.with_borrow(|session| session.report.as_ptr())
}

/// How long the report is, in bytes.
#[unsafe(no_mangle)]
extern "C" fn condyle_report_bytes() -> usize {
    SESSION.with_borrow(|session| session.report.len())
}

/// Where the positions of a joint are: x, y and z in metres, frame after frame. Null if there is no such joint.
#[unsafe(no_mangle)]
extern "C" fn condyle_joint_m(performer: usize, joint: usize) -> *const f64 {
    SESSION.with_borrow(|session| {
        let track = session.joint(performer, joint);
        track.map_or(null(), |track| track.positions_m().as_flattened().as_ptr())
    })
}

/// Where it is said how a joint was placed, a byte a frame, 0 for missing. Null if there is no such joint.
#[unsafe(no_mangle)]
extern "C" fn condyle_joint_placed(performer: usize, joint: usize) -> *const u8 {
    SESSION.with_borrow(|session| {
        session.joint(performer, joint).map_or(null(), |track| track.placed().as_ptr().cast())
    })
}
