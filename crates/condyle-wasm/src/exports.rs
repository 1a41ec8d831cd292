//! What the module exports: one recording at a time, by pointers into the module's memory.
//!
//! A page writes bytes into memory that a `Vec` here owns and reads numbers from others; no pointer is followed on
//! this side, so there is no `unsafe` block.
#![allow(unsafe_code, reason = "to export a name unmangled counts as unsafe")]

use std::cell::RefCell;
use std::ptr::null;

use condyle::solve::PointTrack;

use crate::{Found, Performer};

#[derive(Default)]
struct Session {
    recording: Vec<u8>,
    report: Vec<u8>,
    performers: Vec<Performer>,
}

impl Session {
    fn joint(&self, performer: usize, joint: usize) -> Option<&PointTrack> {
        self.performers.get(performer)?.motion.joints().get(joint)
    }
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Makes room for a recording; returns where its bytes go.
#[unsafe(no_mangle)]
extern "C" fn condyle_recording(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.recording = vec![0; bytes];
        session.recording.as_mut_ptr()
    })
}

/// Runs the job on the recording and forgets its bytes; returns whether it went well. The report is JSON: what was
/// found, or the error.
#[unsafe(no_mangle)]
extern "C" fn condyle_run() -> bool {
    SESSION.with_borrow_mut(|session| {
        session.performers.clear();
        let found = crate::run(&std::mem::take(&mut session.recording));
        let report = match &found {
            Ok(found) => serde_json::to_vec(found),
            Err(error) => serde_json::to_vec(&serde_json::json!({ "error": error.to_string() })),
        };
        session.report = report.unwrap_or_default();
        let is_run = found.is_ok();
        session.performers = found.map(|Found { performers, .. }| performers).unwrap_or_default();
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
        session.joint(performer, joint).map_or(null(), |track| track.placed_bytes().as_ptr())
    })
}
