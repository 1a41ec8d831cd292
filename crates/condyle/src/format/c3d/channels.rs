//! Which analog channels a C3D file can hold: a whole number of samples a frame, the same for all.

use crate::trial::{Channel, Note, Trial};

/// How far, relative to it, a ratio of rates may be from a whole number that it means.
const WHOLE: f64 = 1e-6;

/// The channels that share one rate, a multiple of the frame rate, and how many samples that is.
///
/// A channel need not end with the last frame: what is beyond is cut, and what is lacking of that
/// frame holds the last value. One that lacks more than a frame is left out, as nothing is made up.
pub(super) fn writable<'a>(trial: &'a Trial, notes: &mut Vec<Note>) -> (Vec<&'a Channel>, usize) {
    let mut say = |count: usize, code, text: &str| {
        notes.extend(Note::counted(count, code, &format!("channels {text}")));
    };
    let Some(ratio) = trial.channels.iter().find_map(|channel| ratio(trial, channel)) else {
        say(trial.channels.len(), "not-written", "do not fit the frames: left out");
        return (Vec::new(), 0);
    };
    let fits = |channel: &&Channel| self::ratio(trial, channel) == Some(ratio);
    let channels: Vec<&Channel> = trial.channels.iter().filter(fits).collect();
    say(trial.channels.len() - channels.len(), "not-written", "of another rate left out");
    let samples = trial.frames * ratio;
    let longer = channels.iter().filter(|channel| channel.raw.len() > samples).count();
    say(longer, "channels-cut", "go on after the last frame: cut there");
    let shorter = channels.iter().filter(|channel| channel.raw.len() < samples).count();
    say(shorter, "channels-padded", "end within the last frame: their last value is repeated");
    (channels, ratio)
}

/// The sample of a channel, or its last one beyond its end.
pub(super) fn sample_or_last(channel: &Channel, sample: usize) -> f64 {
    channel.raw.get(sample).or(channel.raw.last()).copied().unwrap_or(0.0)
}

/// How many samples a channel has in a frame, by its rate or, where that is unknown, its length.
fn ratio(trial: &Trial, channel: &Channel) -> Option<usize> {
    if trial.frames == 0 || channel.raw.is_empty() {
        return None;
    }
    if !(trial.rate_hz > 0.0 && channel.rate_hz > 0.0) {
        let divides = channel.raw.len().is_multiple_of(trial.frames);
        return divides.then_some(channel.raw.len() / trial.frames);
    }
    let per_frame = channel.rate_hz / trial.rate_hz;
    let whole = per_frame.round();
    let is_whole = (1.0..=65_535.0).contains(&whole) && (per_frame - whole).abs() <= WHOLE * whole;
    let ratio = is_whole.then_some(whole as usize)?;
    (channel.raw.len() > (trial.frames - 1).saturating_mul(ratio)).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Format;

    fn written(rate_hz: f64, samples: usize) -> (usize, usize, Vec<&'static str>) {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 3;
        trial.channels = vec![Channel::from_values("Fz", "N", rate_hz, vec![1.0; samples])];
        let mut notes = Vec::new();
        let (channels, ratio) = writable(&trial, &mut notes);
        (channels.len(), ratio, notes.iter().map(|note| note.static_code()).collect())
    }

    #[test]
    fn a_channel_fits_if_its_rate_does_and_it_reaches_the_last_frame() {
        assert_eq!(written(1000.0, 30), (1, 10, vec![]));
        assert_eq!(written(1000.0, 21), (1, 10, vec!["channels-padded"]));
        assert_eq!(written(1000.0, 45), (1, 10, vec!["channels-cut"]));
        assert_eq!(written(1000.0, 20), (0, 0, vec!["not-written"]));
        assert_eq!(written(1005.0, 30), (0, 0, vec!["not-written"]));
        assert_eq!(written(50.0, 3), (0, 0, vec!["not-written"]));
    }

    #[test]
    fn a_channel_of_unknown_rate_fits_by_its_length() {
        assert_eq!(written(0.0, 6), (1, 2, vec![]));
        assert_eq!(written(0.0, 7), (0, 0, vec!["not-written"]));
    }

    #[test]
    fn channels_of_a_second_rate_are_left_out_with_a_note() {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 3;
        trial.channels = [200.0, 300.0]
            .map(|rate_hz| Channel::from_values("Fz", "N", rate_hz, vec![1.0; 9]))
            .into();
        let mut notes = Vec::new();
        let (channels, ratio) = writable(&trial, &mut notes);
        assert_eq!((channels.len(), ratio), (1, 2));
        let codes: Vec<_> = notes.iter().map(|note| &*note.code).collect();
        assert_eq!(codes, ["not-written", "channels-cut"]);
    }
}
