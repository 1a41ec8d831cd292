//! Damage that knows where formats hurt: numbers, counts, names, lines, and the fields of C3D.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Numbers at the edges of what a format or the arithmetic behind it can hold.
const NUMBERS: &[&str] = &[
    "1e155",
    "-1e155",
    "1.7e308",
    "-1e308",
    "5e-324",
    "1e-155",
    "1e39",
    "3.5e38",
    "1e30",
    "-1e16",
    "1e12",
    "1e9",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "0",
    "-0",
    "-1",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "1e-9",
    "",
    ".",
    "-",
    "1,5",
    "0x10",
    "1e",
    "+1",
];
/// Names that something behind a reader may trip over.
const NAMES: &[&str] = &[
    "",
    " ",
    "=1+1",
    "+A",
    "@A",
    "../x",
    "a/b",
    "a:b",
    ":",
    "*",
    "*3",
    "\"",
    "'",
    "<g>&",
    "{",
    "}",
    "]]>",
    "\u{202e}x",
    "\u{0}",
    "caf\u{e9}",
    "LASI",
    "RKNE",
    "A_x",
    "time",
    "_",
    "#",
    "%s",
    "\\",
    "NULL",
];
/// 32-bit floats at the edges.
const FLOATS: &[f32] = &[
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1e-45,
    0.0,
    -0.0,
    -1.0,
    1.0,
    1e20,
    1e30,
    32768.0,
    65535.0,
    65536.0,
    1e-20,
];
/// The longest that an input grows to.
const LONGEST_BYTES: usize = 1 << 20;

/// A damaged copy of an input; pieces of another may come in.
pub fn damaged(bytes: &[u8], other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 << rng.random_range(0..3) {
        bytes = if rng.random_range(0..12) == 0 {
            any_bytes(bytes, other, rng)
        } else if is_text(&bytes) {
            text(&bytes, other, rng)
        } else {
            binary(bytes, rng)
        };
        bytes.truncate(LONGEST_BYTES);
    }
    bytes
}

fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(512)].contains(&0)
}

fn pick<'a, T: ?Sized>(of: &[&'a T], rng: &mut ChaCha8Rng) -> &'a T {
    of[rng.random_range(0..of.len())]
}

/// Damage that asks for no format: cut, flipped, repeated, joined.
fn any_bytes(mut bytes: Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    if bytes.is_empty() {
        return other.to_vec();
    }
    let at = rng.random_range(0..bytes.len());
    match rng.random_range(0..5) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << rng.random_range(0..8),
        2 => bytes[at] = rng.random(),
        3 => {
            let piece = other[..other.len().min(rng.random_range(1..4096))].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => {
            let end = (at + rng.random_range(1..512)).min(bytes.len());
            let piece = bytes[at..end].repeat(rng.random_range(1..64));
            bytes.splice(at..end, piece);
        }
    }
    bytes
}

/// Where cells begin and end: what stands between blanks, commas, brackets and the like.
fn cells(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut cells = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let splits = c.is_whitespace() || ",;<>=\"[]{}".contains(c);
        match (splits, start) {
            (true, Some(begin)) => {
                cells.push(begin..at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    cells.extend(start.map(|begin| begin..text.len()));
    cells
}

fn text(bytes: &[u8], other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    if rng.random_range(0..3) == 0 {
        return lines(&text, other, rng).into_bytes();
    }
    let cells = cells(&text);
    if cells.is_empty() {
        return any_bytes(bytes.to_vec(), other, rng);
    }
    let is_number = |cell: &std::ops::Range<usize>| text[cell.clone()].parse::<f64>().is_ok();
    let first = rng.random_range(0..cells.len());
    // One cell, some after each other, or the same column of many rows.
    let (count, step) = match rng.random_range(0..4) {
        0 => (rng.random_range(2..20), 1),
        1 => (usize::MAX, rng.random_range(1..130)),
        _ => (1, 1),
    };
    let chosen: Vec<_> = cells.iter().skip(first).step_by(step).take(count).collect();
    let number = pick(NUMBERS, rng);
    let long = "x".repeat(rng.random_range(300..70_000));
    let name = if rng.random_range(0..8) == 0 { long.as_str() } else { pick(NAMES, rng) };
    let mut damaged = String::with_capacity(text.len() + name.len());
    let mut at = 0;
    for cell in chosen {
        damaged.push_str(&text[at..cell.start]);
        damaged.push_str(if is_number(cell) { number } else { name });
        at = cell.end;
        if damaged.len() > LONGEST_BYTES {
            break;
        }
    }
    damaged.push_str(&text[at..]);
    damaged.into_bytes()
}

/// Lines that go, come twice, change places, or come from elsewhere.
fn lines(text: &str, other: &[u8], rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let other = String::from_utf8_lossy(other);
    let at = rng.random_range(0..lines.len().max(1)).min(lines.len().saturating_sub(1));
    match rng.random_range(0..5) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at]),
        2 => {
            let with = rng.random_range(0..lines.len());
            lines.swap(at, with);
        }
        3 => {
            let from: Vec<&str> = other.split_inclusive('\n').collect();
            lines.insert(
                at,
                from.get(rng.random_range(0..from.len().max(1))).copied().unwrap_or("\n"),
            );
        }
        _ => {
            let line = lines[at];
            let times = (LONGEST_BYTES / line.len().max(1)).min(rng.random_range(2..3000));
            lines.splice(at..at, std::iter::repeat_n(line, times));
        }
    }
    lines.concat()
}

/// Words and floats of a binary format, most of them where a C3D file has its header, parameters and samples.
fn binary(mut bytes: Vec<u8>, rng: &mut ChaCha8Rng) -> Vec<u8> {
    if bytes.len() < 64 {
        return any_bytes(bytes, &[], rng);
    }
    match rng.random_range(0..4) {
        // A word of the header.
        0 => {
            let at = 2 * rng.random_range(0..12);
            let words = [0, 1, 2, 255, 256, 0x7fff, 0x8000, 0xffff, rng.random()];
            let word: u16 = words[rng.random_range(0..words.len())];
            bytes[at..at + 2].copy_from_slice(&word.to_le_bytes());
        }
        // A byte of the parameters: lengths, types, dimensions, names.
        1 => {
            let end = bytes.len().min(512 * 6);
            let at = rng.random_range(0..end);
            let values = [0, 1, 2, 4, 127, 128, 254, 255, rng.random()];
            bytes[at] = values[rng.random_range(0..values.len())];
        }
        // Floats, one or a column of them.
        _ => {
            let start = 4 * rng.random_range(0..bytes.len() / 4);
            let float = FLOATS[rng.random_range(0..FLOATS.len())];
            let step = if rng.random() { bytes.len() } else { 4 * rng.random_range(1..200) };
            for at in (start..bytes.len() - 3).step_by(step) {
                bytes[at..at + 4].copy_from_slice(&float.to_le_bytes());
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_same_seed_damages_alike_and_another_does_not() {
        let table = "time_s,A_x,A_y,A_z\n0,1,2,3\n1,4,5,6\n".as_bytes();
        let of = |seed| damaged(table, b"other\n", &mut ChaCha8Rng::seed_from_u64(seed));
        assert!((0..50).all(|seed| of(seed) == of(seed)));
        let kinds: std::collections::HashSet<_> = (0..50).map(of).collect();
        // A digit may be replaced by itself.
        let unchanged = (0..50).filter(|seed| of(*seed) == table).count();
        assert!(kinds.len() > 40 && unchanged < 5, "{} kinds, {unchanged} unchanged", kinds.len());
    }
}
