//! Keeping a stretch of the frames.

use std::ops::Range;

use super::motion;
use crate::error::{Error, Result};
use crate::trial::{Channel, Note, Trial};

/// The trial with only the frames of a half-open range of positions, counted from 0.
///
/// Analog channels are cut to the same stretch of time, and events outside it are left out, with a
/// note. The kept frames keep their file numbers and their times.
///
/// # Errors
/// The range is empty or reaches beyond the last frame.
pub fn with_frames(mut trial: Trial, range: Range<usize>) -> Result<Trial> {
    if range.is_empty() || range.end > trial.frames {
        return Err(Error::argument(format!(
            "frames: need a stretch within 1 to {}, got {}:{}",
            trial.frames,
            range.start.saturating_add(1),
            range.end
        )));
    }
    if range == (0..trial.frames) {
        return Ok(trial);
    }
    for channel in &mut trial.channels {
        *channel = cut_channel(channel, trial.rate_hz, &range);
    }
    leave_out_events(&mut trial, &range);
    let sources: Vec<Option<usize>> = range.clone().map(Some).collect();
    trial.markers.iter_mut().for_each(|marker| *marker = marker.rearranged(&sources));
    trial.bodies.iter_mut().for_each(|body| *body = body.rearranged(&sources));
    trial.motion = trial.motion.as_ref().map(|whole| motion::cut(whole, &range)).transpose()?;
    trial.start_s = trial.time_s(range.start);
    trial.first_frame = trial.first_frame.saturating_add_unsigned(range.start as u64);
    trial.frames = range.len();
    Ok(trial)
}

fn leave_out_events(trial: &mut Trial, range: &Range<usize>) {
    if trial.rate_hz <= 0.0 {
        return;
    }
    // An event belongs to the stretch from its first frame up to the frame after its last.
    let (from_s, to_s) = (trial.time_s(range.start), trial.time_s(range.end));
    let before = trial.events.len();
    trial.events.retain(|event| (from_s..=to_s).contains(&event.time_s));
    let left_out = before - trial.events.len();
    let text = "events outside the kept frames";
    trial.notes.extend(Note::counted(left_out, "events-left-out", text));
}

/// The samples from the first kept frame up to, and without, the first sample of the frame after.
fn cut_channel(channel: &Channel, frame_rate_hz: f64, range: &Range<usize>) -> Channel {
    let samples_per_frame = if frame_rate_hz > 0.0 { channel.rate_hz / frame_rate_hz } else { 1.0 };
    // The cast saturates, so a nonsense rate gives an empty stretch and not a wrong index.
    let sample =
        |frame: usize| ((frame as f64 * samples_per_frame).round() as usize).min(channel.raw.len());
    let raw = channel.raw[sample(range.start)..sample(range.end)].to_vec();
    Channel { raw, ..channel.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Event, Format, Marker};
    use nalgebra::Point3;
    use proptest::prelude::*;

    fn trial(frames: usize) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = frames;
        let position =
            |frame: usize| (frame % 3 != 1).then(|| Point3::new(frame as f64, 0.5, -1.0));
        trial.markers = vec![Marker::from_positions("A", (0..frames).map(position))];
        trial.markers[0].set_quality(0, 10, 3);
        let values = (0..frames * 10).map(|sample| sample as f64).collect();
        trial.channels = vec![Channel::from_values("Fz", "N", 1000.0, values)];
        let event = |time_s| Event { label: "Strike".into(), time_s, ..Event::default() };
        trial.events = vec![event(0.0), event(0.03)];
        trial
    }

    #[test]
    fn cuts_markers_channels_and_events_to_the_same_time() {
        let cut = with_frames(trial(6), 2..5).unwrap();
        assert_eq!((cut.frames, cut.first_frame, cut.start_s), (3, 3, 0.02));
        assert_eq!(cut.markers[0].position_m(1).map(|p| p.x), Some(3.0));
        assert_eq!(cut.markers[0].position_m(2), None);
        assert_eq!(cut.channels[0].raw.first(), Some(&20.0));
        assert_eq!(cut.channels[0].raw.len(), 30);
        assert_eq!(cut.events.len(), 1);
        assert_eq!(cut.notes[0].code, "events-left-out");
    }

    #[test]
    fn refuses_a_stretch_beyond_the_last_frame() {
        let error = with_frames(trial(6), 4..9).unwrap_err().to_string();
        assert_eq!(error, "frames: need a stretch within 1 to 6, got 5:9");
        assert!(with_frames(trial(6), 3..3).is_err());
    }

    proptest! {
        #[test]
        fn everything_is_the_identity(frames in 1usize..20) {
            prop_assert_eq!(with_frames(trial(frames), 0..frames).unwrap(), trial(frames));
        }

        #[test]
        fn cutting_twice_is_cutting_once(frames in 4usize..20, a in 0usize..2, b in 0usize..2) {
            let twice = with_frames(trial(frames), a..frames)
                .and_then(|t| { let n = t.frames; with_frames(t, b..n) }).unwrap();
            let once = with_frames(trial(frames), a + b..frames).unwrap();
            prop_assert_eq!(twice.markers, once.markers);
            prop_assert_eq!(twice.channels, once.channels);
            prop_assert_eq!(twice.first_frame, once.first_frame);
        }
    }
}
