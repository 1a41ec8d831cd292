//! The header: the first 512 bytes of a C3D file.

use super::number::{f32_from, u16_from};
use crate::trial::Processor;

/// The size of a block; every section starts on one.
pub(super) const BLOCK_BYTES: u64 = 512;
/// The byte that marks a C3D file.
pub(super) const KEY: u8 = 0x50;
/// The value of the header word that says event labels have four characters.
pub(super) const FOUR_CHARACTERS: u16 = 12345;
/// How many events the header has room for.
pub(super) const EVENT_SLOTS: usize = 18;

const EVENT_COUNT_AT: usize = 300;
const EVENT_TIMES_AT: usize = 304;
const EVENT_HIDDEN_AT: usize = 376;
const EVENT_LABELS_AT: usize = 396;

/// What the header says, word for word.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    pub points: u16,
    /// Analog values per frame over all channels.
    pub analog_per_frame: u16,
    pub first_frame: u16,
    pub last_frame: u16,
    pub max_gap_frames: u16,
    pub scale: f32,
    /// The block where the samples start, counted from 1.
    pub data_start: u16,
    /// Analog samples per frame and channel.
    pub analog_ratio: u16,
    pub rate_hz: f32,
    pub events: Vec<HeaderEvent>,
}

/// An event of the header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeaderEvent {
    pub label: [u8; 4],
    pub time_s: f32,
}

impl Header {
    /// Reads a header block; `None` if it is shorter than one.
    pub(super) fn parse(block: &[u8], processor: Processor) -> Option<Self> {
        if block.len() < BLOCK_BYTES as usize {
            return None;
        }
        let word = |at: usize| u16_from(processor, [block[at], block[at + 1]]);
        let real = |at: usize| {
            f32_from(processor, [block[at], block[at + 1], block[at + 2], block[at + 3]])
        };
        let event_count = usize::from(word(EVENT_COUNT_AT)).min(EVENT_SLOTS);
        let event = |i: usize| {
            let at = EVENT_LABELS_AT + 4 * i;
            HeaderEvent {
                label: [block[at], block[at + 1], block[at + 2], block[at + 3]],
                time_s: real(EVENT_TIMES_AT + 4 * i),
            }
        };
        Some(Self {
            points: word(2),
            analog_per_frame: word(4),
            first_frame: word(6),
            last_frame: word(8),
            max_gap_frames: word(10),
            scale: real(12),
            data_start: word(16),
            analog_ratio: word(18),
            rate_hz: real(20),
            events: (0..event_count).map(event).collect(),
        })
    }

    /// The header as a block of bytes.
    pub(super) fn to_block(&self, processor: Processor) -> [u8; BLOCK_BYTES as usize] {
        use super::number::{f32_to, u16_to};
        let mut block = [0; BLOCK_BYTES as usize];
        block[0] = 2;
        block[1] = KEY;
        let mut word =
            |at: usize, value: u16| block[at..at + 2].copy_from_slice(&u16_to(processor, value));
        word(2, self.points);
        word(4, self.analog_per_frame);
        word(6, self.first_frame);
        word(8, self.last_frame);
        word(10, self.max_gap_frames);
        word(16, self.data_start);
        word(18, self.analog_ratio);
        word(298, FOUR_CHARACTERS);
        word(EVENT_COUNT_AT, self.events.len() as u16);
        let mut real =
            |at: usize, value: f32| block[at..at + 4].copy_from_slice(&f32_to(processor, value));
        real(12, self.scale);
        real(20, self.rate_hz);
        for (i, event) in self.events.iter().take(EVENT_SLOTS).enumerate() {
            real(EVENT_TIMES_AT + 4 * i, event.time_s);
        }
        for (i, event) in self.events.iter().take(EVENT_SLOTS).enumerate() {
            block[EVENT_HIDDEN_AT + i] = 1;
            block[EVENT_LABELS_AT + 4 * i..EVENT_LABELS_AT + 4 * i + 4]
                .copy_from_slice(&event.label);
        }
        block
    }

    /// Whether the numbers make sense, to tell the machine where the file does not say it.
    pub(super) fn is_plausible(&self) -> bool {
        let scale = self.scale.abs();
        (1e-9..1e6).contains(&scale)
            && (0.01..=1e5).contains(&self.rate_hz)
            && self.data_start >= 2
            && (self.points > 0 || self.analog_per_frame > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_writing_and_reading_on_every_machine() {
        let header = Header {
            points: 41,
            analog_per_frame: 160,
            first_frame: 7,
            last_frame: 40_000,
            max_gap_frames: 10,
            scale: -0.05,
            data_start: 13,
            analog_ratio: 10,
            rate_hz: 119.88,
            events: vec![HeaderEvent { label: *b"RTO ", time_s: 1.25 }],
        };
        for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
            let block = header.to_block(processor);
            assert_eq!(Header::parse(&block, processor), Some(header.clone()));
        }
    }
}
