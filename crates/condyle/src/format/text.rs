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
        Some(exponent) => {
            let scientific = format!("{metres:e}");
            let (digits, own) = scientific.split_once('e').unwrap_or((&scientific, "0"));
            let moved = own.parse::<i32>().unwrap_or(0) - exponent;
            write_decimal(out, digits, moved);
        }
        None => {
            write_number(out, undo(metres, |value| value * unit.metres(), metres / unit.metres()));
        }
    }
}

/// Writes a number with the fewest digits that read back as the same number.
pub(crate) fn write_number(out: &mut String, value: f64) {
    use std::fmt::Write as _;
    let magnitude = value.abs();
    // A string never fails to be written to.
    let _ = if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        write!(out, "{value:e}")
    } else {
        write!(out, "{value}")
    };
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

/// Writes `digits` (one digit, perhaps a point and more) times ten to the `exponent`, plainly.
fn write_decimal(out: &mut String, digits: &str, exponent: i32) {
    use std::fmt::Write as _;
    if !(-6..=15).contains(&exponent) {
        let _ = write!(out, "{digits}e{exponent}");
        return;
    }
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    out.push_str(sign);
    if exponent < 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        out.push_str(whole);
        out.push_str(fraction);
        if whole == "0" && fraction.is_empty() {
            out.truncate(out.len() - (-exponent) as usize - 1);
        }
        return;
    }
    let places = exponent as usize;
    if whole == "0" && fraction.is_empty() {
        out.push('0');
    } else if fraction.len() <= places {
        out.push_str(whole);
        out.push_str(fraction);
        out.extend(std::iter::repeat_n('0', places - fraction.len()));
    } else {
        out.push_str(whole);
        out.push_str(&fraction[..places]);
        out.push('.');
        out.push_str(&fraction[places..]);
    }
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
        for (metres, text) in
            [(0.123456, "123.456"), (-1.5, "-1500"), (0.0, "0"), (1e-6, "0.001"), (-0.0, "-0")]
        {
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
