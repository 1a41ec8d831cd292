//! Text of any origin: byte-order marks, line ends, and numbers that survive a change of unit.

use std::borrow::Cow;
use std::io::Write;

use crate::trial::LengthUnit;

/// Whether the bytes start with a UTF-16 byte-order mark.
pub(crate) fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// The text of a file: UTF-8 with or without a mark, UTF-16 with one, else Latin-1.
///
/// Line ends are left as they are: [`str::lines`] takes `\n` and `\r\n`.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if has_utf16_mark(bytes) {
        let little = bytes[0] == 0xff;
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        };
        let units = bytes[2..].chunks_exact(2).map(unit);
        return char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

/// The start of a text, short enough for a message.
pub(crate) fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A decimal number as files write it, with white space around it; `None` for anything else.
///
/// Takes a comma as the decimal sign where there is no point. `NaN` and `inf` are not numbers here.
pub(crate) fn number(token: &str) -> Option<f64> {
    let token = token.trim();
    let value = match token.parse::<f64>() {
        Ok(value) => value,
        Err(_) if token.contains(',') && !token.contains('.') => {
            token.replacen(',', ".", 1).parse().ok()?
        }
        Err(_) => return None,
    };
    value.is_finite().then_some(value)
}

/// A length written in a unit, in metres, correctly rounded where the unit is a power of ten.
///
/// Moving the decimal point instead of multiplying is what lets [`write_length`] invert it exactly.
pub(crate) fn length_m(token: &str, unit: LengthUnit) -> Option<f64> {
    let plain = number(token)?;
    match unit.decimal_exponent() {
        Some(0) => Some(plain),
        Some(exponent) => shifted(token.trim(), exponent).or(Some(plain * unit.metres())),
        None => Some(plain * unit.metres()),
    }
}

/// Parses `token` with its decimal point moved by `exponent` places.
fn shifted(token: &str, exponent: i32) -> Option<f64> {
    let mut buffer = [0u8; 64];
    let (digits, own) = match token.find(['e', 'E']) {
        Some(at) => (&token[..at], token[at + 1..].parse::<i32>().ok()?),
        None => (token, 0),
    };
    let mut rest = &mut buffer[..];
    write!(rest, "{digits}e{}", own.checked_add(exponent)?).ok()?;
    let unused = rest.len();
    let length = buffer.len() - unused;
    let text = std::str::from_utf8(&buffer[..length]).ok()?;
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Writes a length in a unit with the fewest digits that read back as the same metres.
pub(crate) fn write_length(out: &mut String, metres: f64, unit: LengthUnit) {
    match unit.decimal_exponent() {
        Some(0) => write_number(out, metres),
        Some(exponent) if metres.is_finite() => write_moved(out, metres, -exponent),
        _ => write_number(out, undo(metres, |value| value * unit.metres(), metres / unit.metres())),
    }
}

/// Writes a number with the fewest digits that read back as the same number.
pub(crate) fn write_number(out: &mut String, value: f64) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format(value);
    out.push_str(text.strip_suffix(".0").unwrap_or(text));
}

/// The number near `guess` that `read` maps to `wanted`, or `guess` if no neighbour does.
pub(crate) fn undo(wanted: f64, read: impl Fn(f64) -> f64, guess: f64) -> f64 {
    let mut below = guess;
    let mut above = guess;
    for _ in 0..4 {
        for candidate in [below, above] {
            if read(candidate) == wanted {
                return candidate;
            }
        }
        below = below.next_down();
        above = above.next_up();
    }
    guess
}

/// Writes a finite number with its decimal point moved to the right by `places`: no digit changes.
fn write_moved(out: &mut String, value: f64, places: i32) {
    use std::fmt::Write as _;
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    // The digits from the first to the last that is not 0, and how many stand before the point.
    let (mut digits, mut count, mut is_fraction) = ([0u8; 40], 0, false);
    let mut point = places + exponent.parse::<i32>().unwrap_or(0);
    for byte in mantissa.bytes() {
        match byte {
            b'-' => out.push('-'),
            b'.' => is_fraction = true,
            b'0' if count == 0 => point -= i32::from(is_fraction),
            digit => {
                digits[count] = digit;
                count += 1;
                point += i32::from(!is_fraction);
            }
        }
    }
    let digits = std::str::from_utf8(&digits[..count]).unwrap_or_default().trim_end_matches('0');
    let zeros = |count: i32| &"00000000000000000000"[..count.clamp(0, 20) as usize];
    let length = digits.len() as i32;
    // A string never fails to be written to.
    let _ = match point {
        _ if digits.is_empty() => write!(out, "0"),
        1..=16 if point >= length => write!(out, "{digits}{}", zeros(point - length)),
        1..=16 => {
            let (whole, fraction) = digits.split_at(point as usize);
            out.push_str(whole);
            out.push('.');
            out.write_str(fraction)
        }
        -4..=0 => write!(out, "0.{}{digits}", zeros(-point)),
        _ => write!(out, "{digits}e{}", point - length),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decodes_every_common_encoding() {
        assert_eq!(decode(b"\xef\xbb\xbfa"), "a");
        assert_eq!(decode(b"\xff\xfea\0b\0"), "ab");
        assert_eq!(decode(b"\xfe\xff\0a"), "a");
        assert_eq!(decode(b"caf\xe9"), "café");
    }

    #[test]
    fn reads_numbers_and_refuses_words() {
        assert_eq!(number(" 1.5e-3 "), Some(0.0015));
        assert_eq!(number("1,25"), Some(1.25));
        for word in ["", "NaN", "inf", "-Infinity", "1.2.3", "abc"] {
            assert_eq!(number(word), None, "{word}");
        }
    }

    #[test]
    fn millimetres_are_read_as_if_written_in_metres() {
        assert_eq!(length_m("123.456", LengthUnit::Millimetre), Some(0.123456));
        assert_eq!(length_m("-7.46E+02", LengthUnit::Millimetre), Some(-0.746));
        assert_eq!(length_m("12", LengthUnit::Inch), Some(12.0 * 0.0254));
    }

    #[test]
    fn writes_millimetres_plainly() {
        for (metres, text) in [
            (0.123456, "123.456"),
            (-1.5, "-1500"),
            (0.0, "0"),
            (1e-6, "0.001"),
            (-0.0, "-0"),
            (1.25e-5, "0.0125"),
            (-0.05, "-50"),
            (2.5e-10, "25e-8"),
            (1e17, "1e20"),
        ] {
            let mut out = String::new();
            write_length(&mut out, metres, LengthUnit::Millimetre);
            assert_eq!(out, text);
        }
    }

    proptest! {
        #[test]
        fn a_length_survives_writing_and_reading(
            metres in prop_oneof![-1e4..1e4f64, prop::num::f64::NORMAL.prop_filter("range", |v| v.abs() < 1e300)],
            unit in prop::sample::select(vec![LengthUnit::Metre, LengthUnit::Centimetre, LengthUnit::Millimetre]),
        ) {
            let mut out = String::new();
            write_length(&mut out, metres, unit);
            prop_assert_eq!(length_m(&out, unit), Some(metres), "{}", out);
        }

        #[test]
        fn a_length_read_in_inches_survives(inches in -1e4..1e4f64) {
            let metres = inches * LengthUnit::Inch.metres();
            let mut out = String::new();
            write_length(&mut out, metres, LengthUnit::Inch);
            prop_assert_eq!(length_m(&out, LengthUnit::Inch), Some(metres));
        }
    }
}
