//! A C3D file rearranged so that it compresses better; `condyle.mjs` puts it back, byte for byte.
//!
//! Of every stored number the difference to the one a frame before is taken, as integers whatever they mean, and the
//! lowest bytes of all stand together, then the next: what hardly changes is then runs of zeroes. Noise remains.

/// How what is rearranged begins; no recording does.
const MAGIC: &[u8; 8] = b"CONDYLE\x01";

/// A C3D file rearranged; `None` of anything else.
pub fn packed(file: &[u8]) -> Option<Vec<u8>> {
    let word = |at: usize| Some(u16::from_le_bytes(*file.get(at..at + 2)?.first_chunk()?));
    if file.get(1) != Some(&0x50) {
        return None;
    }
    let scale = f32::from_le_bytes(*file.get(12..16)?.first_chunk()?);
    let start = (usize::from(word(16)?).checked_sub(1)?) * 512;
    // Words of a frame: x, y, z and a residual a point, and the analog samples. Other layouts only compress worse.
    let stride = 4 * usize::from(word(2)?) + usize::from(word(4)?);
    let size = if scale < 0.0 { 4 } else { 2 };
    let data = file.get(start..).filter(|_| stride > 0)?;
    let count = data.len() / size;
    let at = |index: usize| {
        let bytes = &data[size * index..size * (index + 1)];
        bytes.iter().rev().fold(0, |sum: u32, byte| (sum << 8) | u32::from(*byte))
    };
    let mut packed = MAGIC.to_vec();
    for number in [start, stride, size, count] {
        packed.extend(u32::try_from(number).ok()?.to_le_bytes());
    }
    packed.extend(&file[..start]);
    let first = packed.len();
    packed.resize(first + size * count, 0);
    for index in 0..count {
        let before = if index < stride { 0 } else { at(index - stride) };
        let bits = 32 - 8 * size as u32;
        let step = (at(index).wrapping_sub(before) << bits).cast_signed() >> bits;
        // Small steps either way are small numbers.
        let coded = ((step << 1) ^ (step >> 31)).cast_unsigned();
        for plane in 0..size {
            packed[first + plane * count + index] = (coded >> (8 * plane)) as u8;
        }
    }
    packed.extend(&data[size * count..]);
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file as it was, as `condyle.mjs` has it.
    fn unpacked(packed: &[u8]) -> Vec<u8> {
        let fact = |index: usize| {
            let at = MAGIC.len() + 4 * index;
            u32::from_le_bytes(packed[at..at + 4].try_into().unwrap()) as usize
        };
        let [start, stride, size, count] = [0, 1, 2, 3].map(fact);
        let rest = &packed[MAGIC.len() + 16..];
        let mut file = rest[..start].to_vec();
        let planes = &rest[start..start + size * count];
        let mut words: Vec<u32> = Vec::new();
        for index in 0..count {
            let bytes = (0..size).map(|plane| u32::from(planes[plane * count + index]));
            let coded = bytes.rev().fold(0, |sum, byte| (sum << 8) | byte);
            let step = (coded >> 1) ^ (coded & 1).wrapping_neg();
            let before = index.checked_sub(stride).map_or(0, |before| words[before]);
            words.push(before.wrapping_add(step));
            file.extend(&words[index].to_le_bytes()[..size]);
        }
        file.extend(&rest[start + size * count..]);
        file
    }

    /// A file with so many points and analog values a frame, of floats or integers, and any bytes as data.
    fn file(points: u8, analog: u8, scale: f32, bytes: usize) -> Vec<u8> {
        let mut file = vec![2, 0x50, points, 0, analog, 0, 0, 0, 0, 0, 0, 0];
        file.extend(scale.to_le_bytes());
        file.extend([2, 0]);
        file.resize(512, 7);
        let mut random = 1_u32;
        file.extend((0..bytes).map(|_| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 24) as u8
        }));
        file
    }

    #[test]
    fn every_file_comes_back_byte_for_byte() {
        for (points, analog, scale, bytes) in [
            (3, 0, -0.1, 480),
            (3, 5, -0.1, 1003),
            (2, 1, 0.1, 333),
            (1, 0, -1.0, 3),
            (9, 9, 1.0, 0),
        ] {
            let file = file(points, analog, scale, bytes);
            let packed = packed(&file).unwrap();
            assert_eq!(packed.len(), file.len() + MAGIC.len() + 16);
            assert!(unpacked(&packed) == file, "{points} {analog} {scale} {bytes}");
        }
    }

    #[test]
    fn what_is_no_c3d_is_left_as_it_is() {
        assert!(packed(b"").is_none() && packed(b"PathFileType\t4").is_none());
        assert!(packed(&file(0, 0, -1.0, 100)).is_none());
        assert!(packed(&file(3, 0, -1.0, 100)[..300]).is_none());
    }
}
