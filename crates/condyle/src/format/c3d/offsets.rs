//! Analog offsets that wrapped: 32,768 and more, kept in signed 16-bit integers.

use crate::trial::{Channel, Note};

/// Offsets of 32,768 and more do not fit the signed integers that hold them: they wrap.
///
/// A file should say that its analog integers are unsigned. Where it does not, stored numbers
/// beyond the signed range say so, and the negative offset of a channel that never goes below zero
/// is then one that wrapped.
pub(super) fn unwrap(channels: &mut [Channel], notes: &mut Vec<Note>) {
    let may_wrap = |c: &Channel| c.offset < 0.0 && c.offset.fract() == 0.0 && c.offset >= -32_768.0;
    if !channels.iter().any(may_wrap) {
        return;
    }
    let is_unsigned =
        |c: &Channel| c.raw.iter().all(|v| v.fract() == 0.0 && (0.0..=65_535.0).contains(v));
    let exceeds_signed = |c: &Channel| c.raw.iter().any(|&v| v > 32_767.0);
    if !channels.iter().any(|c| exceeds_signed(c) && is_unsigned(c)) {
        return;
    }
    let mut wrapped = 0;
    for channel in channels.iter_mut().filter(|c| may_wrap(c) && is_unsigned(c)) {
        channel.offset += 65_536.0;
        wrapped += 1;
    }
    let text = "analog offsets are negative among unsigned samples: unwrapped";
    notes.extend(Note::counted(wrapped, "analog-offset", text));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(offset: f64, raw: &[f64]) -> Channel {
        Channel { offset, ..Channel::from_values("A", "V", 100.0, raw.to_vec()) }
    }

    fn unwrapped(mut channels: Vec<Channel>) -> (Vec<f64>, usize) {
        let mut notes = Vec::new();
        unwrap(&mut channels, &mut notes);
        (channels.iter().map(|channel| channel.offset).collect(), notes.len())
    }

    #[test]
    fn unsigned_samples_unwrap_negative_offsets() {
        let channels = vec![
            channel(32_767.0, &[32_760.0, 32_780.0]),
            channel(-32_768.0, &[32_734.0, 32_764.0]),
            channel(-5.0, &[-3.0, 4.0]),
        ];
        assert_eq!(unwrapped(channels), (vec![32_767.0, 32_768.0, -5.0], 1));
    }

    #[test]
    fn signed_samples_and_physical_values_keep_their_offsets() {
        let signed = vec![channel(-2048.0, &[-2050.0, 12.0]), channel(-5.0, &[0.0, 32_767.0])];
        assert_eq!(unwrapped(signed), (vec![-2048.0, -5.0], 0));
        let physical = vec![channel(-5.0, &[0.0, 1.0]), channel(0.0, &[40_000.25])];
        assert_eq!(unwrapped(physical), (vec![-5.0, 0.0], 0));
    }
}
