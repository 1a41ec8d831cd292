//! A progress bar on standard error, for work that takes more than two seconds.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long work may take before it shows.
const PATIENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);

/// Progress of one piece of work; it vanishes when dropped.
///
/// Nothing is shown before two seconds have passed, nor where standard error is no terminal.
pub struct Progress {
    bar: ProgressBar,
    waiter: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Progress over a number of items; a bar over a single one would stand empty to the end.
    pub fn over(what: &'static str, items: usize) -> Self {
        if items == 1 {
            return Self::through_stages(what);
        }
        let bar = ProgressBar::with_draw_target(Some(items as u64), ProgressDrawTarget::hidden());
        Self::start(bar, "{msg} {wide_bar} {pos}/{len}", what)
    }

    /// Progress through stages of unknown length.
    pub fn through_stages(first: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self::start(bar, "{spinner} {msg}, {elapsed}", first)
    }

    fn start(bar: ProgressBar, template: &str, message: &'static str) -> Self {
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(message);
        let waiter = std::io::stderr().is_terminal().then(|| show_later(bar.clone()));
        Self { bar, waiter }
    }

    /// One more item is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// The next stage begins.
    pub fn stage(&self, what: &'static str) {
        self.bar.set_message(what);
    }
}

/// Waits on a thread of its own, so that one long step shows as well as many short ones.
fn show_later(bar: ProgressBar) -> (Sender<()>, JoinHandle<()>) {
    let (stop, stopped) = mpsc::channel();
    let wait = move || {
        if stopped.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    };
    (stop, thread::spawn(wait))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, waiter)) = self.waiter.take() {
            drop(stop);
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
