//! Condyle in a browser or in Node. `condyle.mjs` beside this crate calls it, and `condyle.d.ts` says what it offers.
//!
//! One call does everything: a request as JSON, with bytes beside it where there are some, and an answer as JSON. Long
//! rows of numbers stay where they are: the answer says where in the module's memory they lie. Whatever is open has a
//! handle until it is closed. No pointer is followed on this side, so there is no `unsafe` block.
#![allow(unsafe_code, reason = "to export a name unmangled counts as unsafe")]

mod edit;
mod live;
mod numbers;
mod performance;
mod reach;
mod recording;
mod request;
mod session;

use std::cell::RefCell;

use session::Session;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Makes room for a request; returns where its JSON goes.
#[unsafe(no_mangle)]
extern "C" fn condyle_text(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.text = vec![0; bytes];
        session.text.as_mut_ptr()
    })
}

/// Makes room for the bytes that come with a request; returns where they go.
#[unsafe(no_mangle)]
extern "C" fn condyle_data(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.data = vec![0; bytes];
        session.data.as_mut_ptr()
    })
}

/// Does what is asked, and forgets the request and its bytes; returns whether it went well. The answer is JSON: what
/// was asked for, or the error.
#[unsafe(no_mangle)]
extern "C" fn condyle_call() -> bool {
    SESSION.with_borrow_mut(Session::call)
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn condyle_answer() -> *const u8 {
    SESSION.with_borrow(|session| session.answer.as_ptr())
}

/// How long the answer is, in bytes.
#[unsafe(no_mangle)]
extern "C" fn condyle_answer_bytes() -> usize {
    SESSION.with_borrow(|session| session.answer.len())
}
