//! The data section: frames of points and analog values, decoded into contiguous trajectories.

use std::io::Read;

use super::layout::Layout;
use super::number::f32_from_vax;
use super::tracks::Track;
use crate::error::Result;
use crate::trial::{Channel, Origin, Processor};

/// How much is read at once and turned from frames into trajectories: large enough to be fast, small
/// enough to stay in the second-level cache with the page cache it is copied from.
const CHUNK_BYTES: usize = 128 * 1024;

/// How many samples were odd.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// Valid by their flag but exactly at the origin.
    pub at_origin: u64,
    /// Valid by their flag but not a number.
    pub not_finite: u64,
    /// Flagged invalid although they have coordinates.
    pub flagged_with_coordinates: u64,
    /// Flagged invalid by a fourth word written unsigned: 65,535 for -1.
    pub flagged_unsigned: u64,
    /// With a fourth word that cannot be a residual and a camera mask.
    pub quality_out_of_range: u64,
}

impl Oddities {
    fn add(&mut self, other: Self) {
        self.at_origin += other.at_origin;
        self.not_finite += other.not_finite;
        self.flagged_with_coordinates += other.flagged_with_coordinates;
        self.flagged_unsigned += other.flagged_unsigned;
        self.quality_out_of_range += other.quality_out_of_range;
    }
}

/// How stored numbers become metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaling {
    /// Metres in one stored coordinate unit.
    pub coordinate_m: f64,
    /// Keep coordinates that the file flags as invalid.
    pub keep_invalid: bool,
}

/// Reads all frames into tracks and channels that already have their final lengths.
///
/// Nothing is allocated per frame.
pub(super) fn read(
    source: &mut impl Read,
    layout: &Layout,
    processor: Processor,
    analog_unsigned: bool,
    scaling: Scaling,
    (tracks, channels): (&mut [Track<'_>], &mut [Channel]),
) -> Result<Oddities> {
    let frame_bytes = layout.frame_bytes();
    let mut oddities = Oddities::default();
    if frame_bytes == 0 {
        return Ok(oddities);
    }
    let chunk_frames = (CHUNK_BYTES / frame_bytes).max(1);
    let mut chunk = vec![0; chunk_frames.min(layout.frames) * frame_bytes];
    let skip = layout.points * 4 * layout.word_bytes();
    let analog = Analog { skip, ratio: layout.ratio };
    let mut at = 0;
    while at < layout.frames {
        let frames = chunk_frames.min(layout.frames - at);
        let bytes = &mut chunk[..frames * frame_bytes];
        source.read_exact(bytes)?;
        let tile = Tile { bytes, frame_bytes, at };
        oddities.add(match (processor, layout.float) {
            (Processor::Intel, true) => tile.points(scaling, float(f32::from_le_bytes), tracks),
            (Processor::Dec, true) => tile.points(scaling, float(f32_from_vax), tracks),
            (Processor::Mips, true) => tile.points(scaling, float(f32::from_be_bytes), tracks),
            (Processor::Mips, false) => tile.points(scaling, integer(i16::from_be_bytes), tracks),
            (_, false) => tile.points(scaling, integer(i16::from_le_bytes), tracks),
        });
        match (processor, layout.float) {
            (Processor::Intel, true) => {
                tile.analog(analog, |b: [u8; 4]| f32::from_le_bytes(b).into(), channels);
            }
            (Processor::Dec, true) => {
                tile.analog(analog, |b: [u8; 4]| f32_from_vax(b).into(), channels);
            }
            (Processor::Mips, true) => {
                tile.analog(analog, |b: [u8; 4]| f32::from_be_bytes(b).into(), channels);
            }
            (Processor::Mips, false) if analog_unsigned => {
                tile.analog(analog, |b: [u8; 2]| u16::from_be_bytes(b).into(), channels);
            }
            (Processor::Mips, false) => {
                tile.analog(analog, |b: [u8; 2]| i16::from_be_bytes(b).into(), channels);
            }
            (_, false) if analog_unsigned => {
                tile.analog(analog, |b: [u8; 2]| u16::from_le_bytes(b).into(), channels);
            }
            (_, false) => {
                tile.analog(analog, |b: [u8; 2]| i16::from_le_bytes(b).into(), channels);
            }
        }
        at += frames;
    }
    Ok(oddities)
}

/// Where the analog values sit in a frame.
#[derive(Clone, Copy)]
struct Analog {
    skip: usize,
    ratio: usize,
}

/// A stored point: three coordinates and the fourth word.
type Stored = [f32; 4];

fn float(read: impl Fn([u8; 4]) -> f32 + Copy) -> impl Fn(&[u8; 16]) -> Stored + Copy {
    move |b: &[u8; 16]| {
        let at = |i: usize| read([b[i], b[i + 1], b[i + 2], b[i + 3]]);
        [at(0), at(4), at(8), at(12)]
    }
}

fn integer(read: impl Fn([u8; 2]) -> i16 + Copy) -> impl Fn(&[u8; 8]) -> Stored + Copy {
    move |b: &[u8; 8]| {
        let at = |i: usize| f32::from(read([b[i], b[i + 1]]));
        [at(0), at(2), at(4), at(6)]
    }
}

/// The largest fourth word of a valid point: 15 bits.
const MOST_QUALITY: f32 = 32_767.0;

/// What is left of a sample that is not plainly valid: its coordinates if they count, and a note.
///
/// The fourth word is negative where the point is invalid. Some producers write its 16 bits
/// unsigned, so 65,535 means -1; what exceeds 16 bits can be no residual and mask at all. A place
/// at exactly 0, 0, 0 was not seen, but a joint power of 0, 0, 0 is one that the integers round to
/// zero.
#[cold]
fn odd_sample(
    stored: Stored,
    is_position: bool,
    keep_invalid: bool,
    oddities: &mut Oddities,
) -> Option<[f32; 3]> {
    let [a, b, c, word] = stored;
    let finite = a.is_finite() && b.is_finite() && c.is_finite();
    let at_origin = a == 0.0 && b == 0.0 && c == 0.0;
    let flagged_unsigned = word > MOST_QUALITY && word <= 65_535.0;
    let flagged = word < 0.0 || flagged_unsigned;
    oddities.flagged_unsigned += u64::from(flagged_unsigned);
    oddities.flagged_with_coordinates += u64::from(flagged && !at_origin);
    if flagged && !keep_invalid {
        return None;
    }
    let unseen = at_origin && (is_position || flagged);
    oddities.at_origin += u64::from(unseen);
    oddities.not_finite += u64::from(!finite);
    let counts = finite && !unseen;
    let has_quality = (0.0..=MOST_QUALITY).contains(&word);
    oddities.quality_out_of_range += u64::from(counts && !flagged && !has_quality);
    counts.then_some([a, b, c])
}

/// A few whole frames, small enough for the first-level cache.
struct Tile<'a> {
    bytes: &'a [u8],
    frame_bytes: usize,
    /// The index of the first of these frames in the trial.
    at: usize,
}

impl Tile<'_> {
    fn points<const BYTES: usize>(
        &self,
        scaling: Scaling,
        decode: impl Fn(&[u8; BYTES]) -> Stored + Copy,
        tracks: &mut [Track<'_>],
    ) -> Oddities {
        let mut oddities = Oddities::default();
        let frames = self.bytes.len() / self.frame_bytes;
        let range = self.at..self.at + frames;
        let metres = |stored: f32| f64::from(stored) * scaling.coordinate_m;
        for (index, track) in tracks.iter_mut().enumerate() {
            let x = track.x_m[range.clone()].iter_mut();
            let y = track.y_m[range.clone()].iter_mut();
            let z = track.z_m[range.clone()].iter_mut();
            let origin = track.origin[range.clone()].iter_mut();
            let quality = track.quality[range.clone()].iter_mut();
            let samples = self.bytes[index * BYTES..].chunks(self.frame_bytes);
            for (((((sample, x), y), z), origin), quality) in
                samples.zip(x).zip(y).zip(z).zip(origin).zip(quality)
            {
                let Some(sample) = sample.first_chunk() else { continue };
                let stored @ [a, b, c, word] = decode(sample);
                // Positive where any coordinate is not zero, not finite where any is not.
                let magnitude = a.abs() + b.abs() + c.abs();
                if (0.0..=MOST_QUALITY).contains(&word)
                    && magnitude > 0.0
                    && magnitude < f32::INFINITY
                {
                    (*x, *y, *z) = (metres(a), metres(b), metres(c));
                    *origin = Origin::Measured as u8;
                    *quality = word as u16;
                    continue;
                }
                let is_position = track.is_position;
                let kept = odd_sample(stored, is_position, scaling.keep_invalid, &mut oddities);
                let [a, b, c] = kept.unwrap_or([f32::NAN; 3]);
                (*x, *y, *z) = (metres(a), metres(b), metres(c));
                let seen = if kept.is_some() { Origin::Measured } else { Origin::Missing };
                *origin = seen as u8;
                let has_quality = kept.is_some() && (0.0..=MOST_QUALITY).contains(&word);
                *quality = if has_quality { word as u16 } else { 0 };
            }
        }
        oddities
    }

    fn analog<const BYTES: usize>(
        &self,
        analog: Analog,
        decode: impl Fn([u8; BYTES]) -> f64 + Copy,
        channels: &mut [Channel],
    ) {
        let count = channels.len();
        for (index, channel) in channels.iter_mut().enumerate() {
            let out = channel.raw[self.at * analog.ratio..].chunks_mut(analog.ratio.max(1));
            for (frame, out) in self.bytes.chunks(self.frame_bytes).zip(out) {
                let values = frame[analog.skip + index * BYTES..].chunks(count * BYTES);
                for (bytes, out) in values.zip(out) {
                    if let Some(bytes) = bytes.first_chunk() {
                        *out = decode(*bytes);
                    }
                }
            }
        }
    }
}
