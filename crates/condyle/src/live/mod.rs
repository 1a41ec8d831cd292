//! The main job for a stream: a frame in; pose, joint angles, and how well each joint centre is known, out.
//!
//! How well one frame fits is [`Pose::rms_m`](crate::solve::Pose::rms_m) and [`LiveSegment::placed`].
//!
//! ```
//! use condyle::{job, live::Live, simulate};
//!
//! # let options = simulate::Options { seconds: 2.0, rate_hz: 50.0, ..Default::default() };
//! # let trial = simulate::simulate(&simulate::Performer::human(), &options)?.trial;
//! let mut positions_m = vec![None; trial.markers.len()];
//! let mut live = Live::new(&trial.labels(), trial.rate_hz, &job::Options::default())?;
//! for frame in 0..trial.frames {
//!     trial.positions_m(frame, &mut positions_m); // From a camera system, in earnest.
//!     for performer in live.push(&positions_m)? {
//!         for joint in performer.joints().filter(|joint| joint.certainty.worst_sd_m < 0.01) {
//!             println!("{} is at {:?}", joint.name, joint.position_m);
//!         }
//!     }
//! }
//! let performance = live.finish()?;
//! # assert_eq!(performance.performers[0].motion.frames(), trial.frames);
//! # Ok::<(), condyle::Error>(())
//! ```
//!
//! With a subject in the options ([`job::Options::subject`](crate::job::Options::subject)) every frame is placed from
//! the first on. Without one the frames are kept, and the subject is fitted to them again and again, by the same code
//! as for a recording: when 16 have come, and each time there are a quarter more.
//!
//! The kind of a joint and how well its centre is known ([`Certainty`]) are said when three calibrations in a row agree,
//! of two seconds of motion at least, and taken back in the same way: they do not flicker.
//!
//! # Causal
//! What [`Live::push`] gives for a frame depends on that frame and the ones before it. So it leaves out of
//! [`job::run`] what needs later ones: markers that are not seen are predicted from those that are and weighed by how
//! sure that is ([`Live::predicted_m`]; by what the last calibration learnt of them) instead of filled, angles are not smoothed, labels or
//! sensors that have changed places are not exchanged back in the frame that is placed (a calibration does so in the
//! frames that are kept), a frozen sensor is believed, and the axis that points up is not inferred. [`Live::finish`]
//! does all of it.
//!
//! # Memory
//! At most [`MAX_FRAMES`](crate::calibrate::MAX_FRAMES) frames are kept, evenly spread over the stream, of sensors in
//! stretches of 64. Room for them is taken when the stream begins: 256 KiB a marker, 512 KiB a sensor.
//!
//! # Cost
//! To place a frame takes some microseconds and allocates nothing. A calibration takes as long as
//! [`job::fit`] of the kept frames. As they come at growing intervals, all of them together take
//! five times as long as the last one, and less and less a frame once the memory is full. The frame that one is due
//! with waits for it, unless it is run elsewhere:
//!
//! ```no_run
//! # use condyle::live::{Live, Refitted};
//! # fn positions_m() -> Vec<Option<nalgebra::Point3<f64>>> { Vec::new() }
//! # fn stream(mut live: Live) -> condyle::Result<()> {
//! let (sender, receiver) = std::sync::mpsc::channel::<Refitted>();
//! loop {
//!     let performers = live.push_without_refit(&positions_m())?;
//!     if let Some(refit) = live.due_refit() {
//!         let sender = sender.clone();
//!         std::thread::spawn(move || sender.send(refit.run()));
//!     }
//!     receiver.try_iter().for_each(|refitted| live.adopt(refitted));
//! }
//! # }
//! ```

mod certainty;
mod frame;
mod hidden;
mod performer;
mod refit;
mod stream;

pub use certainty::Certainty;
pub use frame::Frame;
pub use performer::{LiveJoint, LivePerformer, LiveSegment};
pub use refit::{Refit, Refitted};

use crate::error::{Error, Result};
use crate::job::{self, Options, Performance};
use crate::plan::Plan;
use crate::trial::Note;
use certainty::Memory;
use frame::OwnedFrame;
use hidden::Hidden;
use nalgebra::Point3;
use stream::Stream;

/// The first calibration is tried with so many frames.
const FIRST_REFIT: usize = 16;
/// The next one when a share of one in so many has come in addition.
const GROWTH: usize = 4;

/// A stream of frames, and its performers in the last of them.
#[derive(Debug)]
pub struct Live {
    options: Options,
    stream: Stream,
    hidden: Hidden,
    performers: Vec<LivePerformer>,
    memory: Memory,
    plan: Option<Plan>,
    notes: Vec<Note>,
    refused: Option<Error>,
    /// The frame in which all angles are zero, once it has come.
    zero: Option<OwnedFrame>,
    /// How many frames the next calibration needs.
    next_refit: usize,
    /// How many frames the last one had.
    fitted_frames: usize,
}

impl Live {
    /// Begins a stream of markers with these labels; `rate_hz` is 0 if it is not known.
    ///
    /// # Errors
    /// No label, a rate that is not positive, names asked for that nobody knows, or a subject whose markers are not there.
    pub fn new(labels: &[&str], rate_hz: f64, options: &Options) -> Result<Self> {
        let stream = Stream::of_markers(labels, rate_hz)?;
        let plan = match options.subject {
            Some(_) => None,
            None => job::plan_labels(labels, options)?,
        };
        Self::with_stream(stream, plan, options, false)
    }

    /// Begins a stream of sensors, bodies with poses of their own, with these names.
    ///
    /// # Errors
    /// No name, a rate that is not positive, or a subject whose sensors are not there.
    pub fn from_sensors(names: &[&str], rate_hz: f64, options: &Options) -> Result<Self> {
        let stream = Stream::of_sensors(names, rate_hz)?;
        Self::with_stream(stream, None, options, true)
    }

    fn with_stream(
        stream: Stream,
        plan: Option<Plan>,
        options: &Options,
        is_of_sensors: bool,
    ) -> Result<Self> {
        let mut live = Self {
            options: options.clone(),
            memory: Memory::new(stream.rate_hz()),
            hidden: Hidden::new(stream.names().len(), stream.rate_hz(), options),
            stream,
            performers: Vec::new(),
            plan,
            notes: Vec::new(),
            refused: None,
            zero: None,
            next_refit: FIRST_REFIT,
            fitted_frames: 0,
        };
        if let Some(subject) = &options.subject {
            if subject.is_of_bodies() != is_of_sensors {
                let word = |is_of_sensors| if is_of_sensors { "sensors" } else { "markers" };
                let (needed, got) = (word(is_of_sensors), word(subject.is_of_bodies()));
                let what = format!("subject: need one of {needed}, got one of {got}");
                return Err(Error::argument(what));
            }
            let certainties = subject.joints.iter().map(Certainty::of).collect();
            let names = live.stream.names();
            live.performers =
                vec![LivePerformer::new(subject.clone(), &names, options, certainties)?];
        }
        Ok(live)
    }

    /// Takes the next frame and says where everyone is in it; nobody until a first calibration succeeds.
    ///
    /// If a calibration is due it is done first, with this frame.
    ///
    /// # Errors
    /// A frame of something else than the stream was begun with, or of another number of them.
    pub fn push<'a>(&mut self, frame: impl Into<Frame<'a>>) -> Result<&[LivePerformer]> {
        self.take(frame.into())?;
        if let Some(refit) = self.due_refit() {
            self.adopt(refit.run());
        }
        Ok(self.place())
    }

    /// The same, but a calibration that is due waits for [`Live::due_refit`].
    ///
    /// # Errors
    /// As those of [`Live::push`].
    pub fn push_without_refit<'a>(
        &mut self,
        frame: impl Into<Frame<'a>>,
    ) -> Result<&[LivePerformer]> {
        self.take(frame.into())?;
        Ok(self.place())
    }

    fn take(&mut self, frame: Frame<'_>) -> Result<()> {
        self.stream.push(frame)?;
        if let OwnedFrame::Markers(positions_m) = self.stream.last() {
            self.hidden.push(positions_m);
        }
        if self.options.zero_frame.is_some_and(|zero| zero + 1 == self.stream.frames()) {
            self.zero = Some(self.stream.last().clone());
            self.set_zero();
        }
        Ok(())
    }

    fn set_zero(&mut self) {
        if let (Some(frame), Some(number)) = (&self.zero, self.options.zero_frame) {
            for performer in &mut self.performers {
                performer.set_zero(number, frame.as_frame());
            }
        }
    }

    fn place(&mut self) -> &[LivePerformer] {
        let Hidden { positions_m, variances_m2, .. } = &self.hidden;
        let frame = match self.stream.last() {
            OwnedFrame::Markers(_) => Frame::Markers(positions_m),
            OwnedFrame::Sensors(_) => self.stream.last().as_frame(),
        };
        self.performers.iter_mut().for_each(|performer| performer.push(frame, variances_m2));
        &self.performers
    }

    /// A calibration with all frames that are kept, if one is due; the next is due when a quarter more have come.
    ///
    /// With a subject in the options it learns where hidden markers are and nothing else; of sensors, and where nothing
    /// is to be filled, none is due then.
    pub fn due_refit(&mut self) -> Option<Refit> {
        let frames = self.stream.frames();
        let is_learning = self.stream.is_of_markers() && hidden::is_asked_for(&self.options);
        if (self.options.subject.is_some() && !is_learning) || frames < self.next_refit {
            return None;
        }
        self.next_refit = frames + frames.div_ceil(GROWTH);
        Some(Refit { frames, trial: self.stream.trial(), options: self.options.clone() })
    }

    /// Takes over what came of a calibration, unless it is older than the last one.
    ///
    /// If it failed, everything stays as it was.
    pub fn adopt(&mut self, refitted: Refitted) {
        if refitted.frames < self.fitted_frames {
            return;
        }
        self.fitted_frames = refitted.frames;
        if refitted.fitted.is_ok() {
            self.hidden.adopt(refitted.learnt);
        }
        if self.options.subject.is_some() {
            return;
        }
        let adopted = refitted.fitted.and_then(|fitted| self.adopt_subjects(fitted));
        self.refused = adopted.err();
    }

    fn adopt_subjects(&mut self, fitted: refit::Fitted) -> Result<()> {
        let mut performers = Vec::new();
        for subject in fitted.subjects {
            let certainties = self.memory.hear(&subject, self.fitted_frames);
            let names = self.stream.names();
            let mut performer = LivePerformer::new(subject, &names, &self.options, certainties)?;
            let name = &performer.subject().name;
            if let Some(before) = self.performers.iter().find(|p| p.subject().name == *name) {
                performer.continue_from(before);
            }
            performers.push(performer);
        }
        self.performers = performers;
        self.plan = fitted.plan;
        self.notes = fitted.notes;
        self.set_zero();
        self.place();
        Ok(())
    }

    /// Everyone who is known, in the last frame.
    pub fn performers(&self) -> &[LivePerformer] {
        &self.performers
    }

    /// Where a marker that is not seen is taken to be in the last frame, by its place among the labels, and the standard
    /// deviation of that along each axis; `None` of one that is seen, or not predicted.
    pub fn predicted_m(&self, marker: usize) -> Option<(Point3<f64>, f64)> {
        let variance_m2 = self.hidden.variances_m2.get(marker).copied().filter(|v| *v > 0.0)?;
        Some(((*self.hidden.positions_m.get(marker)?)?, variance_m2.sqrt()))
    }

    /// Which markers are on which segment, as soon as that is known: at once if labels tell, later if the motion does.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// What is doubtful, as the last calibration has it.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Why the last calibration gave no subject, if it did not.
    pub fn last_fit_error(&self) -> Option<&Error> {
        self.refused.as_ref()
    }

    /// How many frames have come.
    pub fn frames(&self) -> usize {
        self.stream.frames()
    }

    /// Which of them are kept, counted from 0.
    pub fn kept_frames(&self) -> Vec<usize> {
        self.stream.kept_frames()
    }

    /// Ends the stream: what [`job::run`] makes of the frames that are kept, everything that needs later frames
    /// included.
    ///
    /// These are all frames of a stream of up to [`MAX_FRAMES`](crate::calibrate::MAX_FRAMES), and the result is that
    /// of its recording. Of a longer stream of markers every second, fourth or eighth frame is there, which are those
    /// that a calibration from the whole recording takes too; of sensors some stretches are, with gaps between them.
    ///
    /// # Errors
    /// As those of [`job::run`].
    pub fn finish(self) -> Result<Performance> {
        job::run(self.stream.trial(), &self.options)
    }
}
