//! The data section: frames of points and analog values, decoded into contiguous trajectories.

use std::io::Read;

use super::layout::Layout;
use super::number::f32_from_vax;
use crate::error::Result;
use crate::trial::{Channel, Marker, Origin, Processor};

/// How much is read at once: large enough to be fast, small enough to stay in the cache.
const CHUNK_BYTES: usize = 256 * 1024;
/// How much of a chunk is turned from frames into trajectories at a time.
const TILE_BYTES: usize = 16 * 1024;

/// How many samples were odd.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// Valid by their flag but exactly at the origin.
    pub at_origin: u64,
    /// Valid by their flag but not a number.
    pub not_finite: u64,
    /// Flagged invalid although they have coordinates.
    pub flagged_with_coordinates: u64,
    /// With a fourth word that cannot be a residual and a camera mask.
    pub quality_out_of_range: u64,
}

impl Oddities {
    fn add(&mut self, other: Self) {
        self.at_origin += other.at_origin;
        self.not_finite += other.not_finite;
        self.flagged_with_coordinates += other.flagged_with_coordinates;
        self.quality_out_of_range += other.quality_out_of_range;
    }
}

/// How stored numbers become metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaling {
    /// Metres in one stored coordinate unit.
    pub coordinate_m: f64,
    /// Metres in one unit of the residual byte.
    pub residual_m: f32,
    /// Keep coordinates that the file flags as invalid.
    pub keep_invalid: bool,
}

/// Reads all frames into markers and channels that already have their final lengths.
///
/// Nothing is allocated per frame. Residuals and camera masks are emptied where all are zero.
pub(super) fn read(
    source: &mut impl Read,
    layout: &Layout,
    processor: Processor,
    analog_unsigned: bool,
    scaling: Scaling,
    (markers, channels): (&mut [Marker], &mut [Channel]),
) -> Result<Oddities> {
    let frame_bytes = layout.frame_bytes();
    let mut oddities = Oddities::default();
    if frame_bytes == 0 {
        return Ok(oddities);
    }
    let tile_frames = (TILE_BYTES / frame_bytes).max(1);
    let chunk_frames = (CHUNK_BYTES / frame_bytes).max(1);
    let mut chunk = vec![0; chunk_frames.min(layout.frames) * frame_bytes];
    // The bits of the fourth word that any sample of a marker sets.
    let mut has_quality = vec![0; markers.len()];
    let mut frame = 0;
    while frame < layout.frames {
        let frames = chunk_frames.min(layout.frames - frame);
        let bytes = &mut chunk[..frames * frame_bytes];
        source.read_exact(bytes)?;
        for (index, tile) in bytes.chunks(tile_frames * frame_bytes).enumerate() {
            let at = frame + index * tile_frames;
            let tile = Tile { bytes: tile, frame_bytes, at };
            oddities.add(match (processor, layout.float) {
                (Processor::Intel, true) => {
                    tile.points(scaling, float(f32::from_le_bytes), markers, &mut has_quality)
                }
                (Processor::Dec, true) => {
                    tile.points(scaling, float(f32_from_vax), markers, &mut has_quality)
                }
                (Processor::Mips, true) => {
                    tile.points(scaling, float(f32::from_be_bytes), markers, &mut has_quality)
                }
                (Processor::Mips, false) => {
                    tile.points(scaling, integer(i16::from_be_bytes), markers, &mut has_quality)
                }
                (_, false) => {
                    tile.points(scaling, integer(i16::from_le_bytes), markers, &mut has_quality)
                }
            });
            let skip = layout.points * 4 * layout.word_bytes();
            let analog = Analog { skip, ratio: layout.ratio };
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
        }
        frame += frames;
    }
    for (marker, quality) in markers.iter_mut().zip(has_quality) {
        if quality & 0xff == 0 {
            marker.residual_m.clear();
        }
        if quality >> 8 == 0 {
            marker.cameras.clear();
        }
    }
    Ok(oddities)
}

/// Where the analog values sit in a frame.
#[derive(Clone, Copy)]
struct Analog {
    skip: usize,
    ratio: usize,
}

/// A stored point: three coordinates and the fourth word as an integer.
///
/// The fourth word is a residual in its low byte and a camera mask in its high byte, negative where
/// the point is invalid. Some producers write that 16-bit word unsigned, so 65,535 means -1.
type Decoded = ([f64; 3], i32);

/// The fourth word where it can be no residual and camera mask.
const OUT_OF_RANGE: i32 = i32::MAX;

fn float(read: impl Fn([u8; 4]) -> f32 + Copy) -> impl Fn(&[u8; 16]) -> Decoded + Copy {
    move |b: &[u8; 16]| {
        let at = |i: usize| read([b[i], b[i + 1], b[i + 2], b[i + 3]]);
        let word = at(12);
        let quality = if word < 0.0 {
            -1
        } else if word <= 65_535.0 {
            i32::from(word as i32 as i16)
        } else {
            OUT_OF_RANGE
        };
        ([at(0).into(), at(4).into(), at(8).into()], quality)
    }
}

fn integer(read: impl Fn([u8; 2]) -> i16 + Copy) -> impl Fn(&[u8; 8]) -> Decoded + Copy {
    move |b: &[u8; 8]| {
        let at = |i: usize| read([b[i], b[i + 1]]);
        ([at(0).into(), at(2).into(), at(4).into()], i32::from(at(6)))
    }
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
        decode: impl Fn(&[u8; BYTES]) -> Decoded + Copy,
        markers: &mut [Marker],
        has_quality: &mut [i32],
    ) -> Oddities {
        let mut oddities = Oddities::default();
        let frames = self.bytes.len() / self.frame_bytes;
        let range = self.at..self.at + frames;
        for (index, marker) in markers.iter_mut().enumerate() {
            let samples = self.bytes[index * BYTES..].chunks(self.frame_bytes);
            let x = marker.x_m[range.clone()].iter_mut();
            let y = marker.y_m[range.clone()].iter_mut();
            let z = marker.z_m[range.clone()].iter_mut();
            let origin = marker.origin[range.clone()].iter_mut();
            let residual = &mut marker.residual_m[range.clone()];
            let cameras = &mut marker.cameras[range.clone()];
            let mut any_quality = 0;
            for (frame, ((((sample, x), y), z), origin)) in
                samples.zip(x).zip(y).zip(z).zip(origin).enumerate()
            {
                let Some(sample) = sample.first_chunk() else { continue };
                let ([a, b, c], mut quality) = decode(sample);
                // Positive where any coordinate is not zero, not finite where any is not.
                let magnitude = a.abs() + b.abs() + c.abs();
                let flagged = quality < 0 && !scaling.keep_invalid;
                let valid = !flagged && magnitude > 0.0 && magnitude < f64::INFINITY;
                if !valid {
                    oddities.at_origin += u64::from(!flagged && magnitude == 0.0);
                    oddities.not_finite += u64::from(!flagged && magnitude != 0.0);
                    oddities.flagged_with_coordinates += u64::from(flagged && magnitude != 0.0);
                    (*x, *y, *z, *origin) = (0.0, 0.0, 0.0, Origin::Missing);
                    (residual[frame], cameras[frame]) = (0.0, 0);
                    continue;
                }
                if quality == OUT_OF_RANGE {
                    oddities.quality_out_of_range += 1;
                    quality = 0;
                }
                let quality = quality.max(0);
                any_quality |= quality;
                *x = a * scaling.coordinate_m;
                *y = b * scaling.coordinate_m;
                *z = c * scaling.coordinate_m;
                *origin = Origin::Measured;
                residual[frame] = (quality & 0xff) as f32 * scaling.residual_m;
                cameras[frame] = (quality >> 8) as u8;
            }
            has_quality[index] |= any_quality;
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
