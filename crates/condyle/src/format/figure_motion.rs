//! Motion files: the freedoms of a figure as Taylor polynomials of time.
//!
//! ```text
//! MOTION <name of the figure>
//! SEGMENT <name>
//!   DOF <number from 1, rotations first> FROM <t0> TO <t1> CENTRE <tc> ORDER <n>
//!     a0 a1 … an
//! ENDMOTION
//! ```
//!
//! A value is Σ aᵢ(t−tc)ⁱ, in degrees or metres, with seconds. Names go to the end of the line, `//` begins a comment.
//! Several windows of one freedom may follow each other; they must not overlap.
//!
//! # Reference
//! J. Knight 2008, 7.4.1, says that motions drive any or all freedoms by Taylor polynomials and may be written by hand;
//! the grammar is ours.

use std::fmt::Write as _;
use std::io::Write;

use crate::error::{Error, Result, check_finite};
use crate::figure::{Figure, FigureMotion, FreedomKind, TaylorWindow};
use crate::format::atm::degrees;
use crate::format::text::{decode, write_number};
use crate::format::words::Words;

/// Whether a file begins like one of these.
pub fn is_motion(head: &[u8]) -> bool {
    Words::new(&decode(head)).next() == Some("MOTION")
}

/// The kind of a freedom of a segment; `None` if there is none.
fn kind(figure: &Figure, segment: &str, freedom: usize) -> Option<FreedomKind> {
    let segment = &figure.segments()[figure.find(segment)?];
    Some(segment.joint.freedoms.get(freedom)?.kind)
}

/// Reads a motion for a figure, which says what turns and what slides.
///
/// # Errors
/// The file breaks the grammar, the figure has no such segment or freedom, or windows overlap; with the line.
pub fn read(bytes: &[u8], figure: &Figure) -> Result<FigureMotion> {
    let text = decode(bytes);
    let mut words = Words::new(&text);
    words.expect("MOTION")?;
    let name = words.name("MOTION")?;
    let mut windows: Vec<TaylorWindow> = Vec::new();
    let mut lines = Vec::new();
    let mut segment: Option<String> = None;
    loop {
        match words.next() {
            Some("SEGMENT") => {
                let name = words.name("SEGMENT")?;
                if figure.find(&name).is_none() {
                    return Err(words.wrong("SEGMENT: need one of the figure", Some(&name)));
                }
                segment = Some(name);
            }
            Some("DOF") => {
                let Some(segment) = &segment else {
                    return Err(words.wrong("need SEGMENT first", Some("DOF")));
                };
                lines.push(words.line());
                windows.push(window(&mut words, segment, figure)?);
            }
            Some("ENDMOTION") => {
                check_apart(&windows, &lines)?;
                return FigureMotion::new(name, windows);
            }
            found => return Err(words.wrong("need SEGMENT, DOF or ENDMOTION", found)),
        }
    }
}

/// Windows of a freedom, in the order of time, may touch; the lines are those that they begin in.
fn check_apart(windows: &[TaylorWindow], lines: &[usize]) -> Result<()> {
    let mut order: Vec<usize> = (0..windows.len()).collect();
    let freedom = |at: usize| (&windows[at].segment, windows[at].freedom);
    let start_s = |at: usize| windows[at].span_s[0];
    order.sort_by(|a, b| freedom(*a).cmp(&freedom(*b)).then(start_s(*a).total_cmp(&start_s(*b))));
    for pair in order.windows(2) {
        let [first, second] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        if freedom(first) == freedom(second) && windows[pair[0]].span_s[1] > start_s(pair[1]) {
            let [from, to] = windows[first].span_s;
            let what = format!("DOF: need windows apart, got one from {from} to {to} before");
            return Err(Error::at_line(lines[second], what));
        }
    }
    Ok(())
}

fn window(words: &mut Words, segment: &str, figure: &Figure) -> Result<TaylorWindow> {
    let number = words.whole("DOF")? as usize;
    let freedom = number.wrapping_sub(1);
    let Some(kind) = kind(figure, segment, freedom) else {
        let what = format!("DOF: need a freedom of segment '{segment}', got {number}");
        return Err(Error::at_line(words.line(), what));
    };
    words.expect("FROM")?;
    let from = words.real("FROM")?;
    words.expect("TO")?;
    let to = words.real("TO")?;
    if from > to {
        return Err(Error::at_line(
            words.line(),
            format!("DOF: need FROM below TO, got {from} and {to}"),
        ));
    }
    words.expect("CENTRE")?;
    let centre_s = words.real("CENTRE")?;
    words.expect("ORDER")?;
    let order = words.count("ORDER")?;
    let mut coefficients = Vec::new();
    for _ in 0..=order {
        let a = words.real("coefficient")?;
        coefficients.push(if kind == FreedomKind::Rotation { a.to_radians() } else { a });
    }
    let segment = segment.to_owned();
    Ok(TaylorWindow { segment, freedom, span_s: [from, to], centre_s, coefficients })
}

/// Writes a motion of a figure.
///
/// # Errors
/// The figure has no such segment or freedom, a number is not finite, or writing fails.
pub fn write(motion: &FigureMotion, figure: &Figure, out: &mut impl Write) -> Result<()> {
    let mut text = format!("MOTION {}\n", motion.figure);
    let mut before = None;
    for own in motion.windows() {
        let TaylorWindow { segment, freedom, span_s: [from, to], centre_s, coefficients } = own;
        let Some(kind) = kind(figure, segment, *freedom) else {
            let number = freedom + 1;
            let what = format!("motion: need a freedom of segment '{segment}', got {number}");
            return Err(Error::argument(what));
        };
        let in_file = |a: &f64| if kind == FreedomKind::Rotation { degrees(*a) } else { *a };
        let in_file: Vec<f64> = coefficients.iter().map(in_file).collect();
        check_finite("motion", [*from, *to, *centre_s].into_iter().chain(in_file.iter().copied()))?;
        if before != Some(segment) {
            let _ = writeln!(text, "SEGMENT {segment}");
            before = Some(segment);
        }
        let _ = write!(text, "  DOF {}", freedom + 1);
        for (word, value) in [(" FROM ", from), (" TO ", to), (" CENTRE ", centre_s)] {
            text.push_str(word);
            write_number(&mut text, *value);
        }
        let _ = write!(text, " ORDER {}\n   ", coefficients.len() - 1);
        for a in in_file {
            text.push(' ');
            write_number(&mut text, a);
        }
        text.push('\n');
    }
    text.push_str("ENDMOTION\n");
    Ok(out.write_all(text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::atm::tests::arm;

    const MOTION: &str = "MOTION 5R1P // by hand\nSEGMENT extendArm\n  DOF 1 FROM 0 TO 1 CENTRE 0.5 ORDER 1\n\
        \x20   10 20\n  DOF 1 FROM 1 TO 2 CENTRE 1 ORDER 0\n    20\nSEGMENT Hand\n  DOF 4 FROM 0 TO 2 CENTRE 0 ORDER 2\n\
        \x20   0 0.1 0.05\nENDMOTION\n";

    #[test]
    fn a_motion_is_read_in_radians_and_written_as_it_was() {
        let figure = arm();
        let motion = read(MOTION.as_bytes(), &figure).unwrap();
        let mut values = Vec::new();
        motion.values(&figure, 1.0, &mut values).unwrap();
        assert!((values[0] - 20f64.to_radians()).abs() < 1e-15);
        assert!((values[5] - 0.15).abs() < 1e-15);
        let mut bytes = Vec::new();
        write(&motion, &figure, &mut bytes).unwrap();
        assert_eq!(read(&bytes, &figure).unwrap(), motion);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let figure = arm();
        let refused = |from: &str, to: &str| {
            let text = MOTION.replace(from, to);
            assert_ne!(text, MOTION);
            read(text.as_bytes(), &figure).unwrap_err().to_string()
        };
        let overlap = refused("FROM 1 TO 2", "FROM 0.5 TO 2");
        assert!(overlap.starts_with("line 5: DOF: need windows apart"), "{overlap}");
        assert!(refused("DOF 4", "DOF 5").starts_with("line 8: DOF: need a freedom"));
        assert!(refused("SEGMENT Hand", "SEGMENT Foot").contains("line 7"));
        assert!(refused("ORDER 2", "ORDER 4000000000").contains("got room for"));
        assert!(refused("ORDER 2", "ORDER 3").contains("'ENDMOTION'"));
        assert!(refused("FROM 1 TO 2", "FROM 3 TO 2").contains("need FROM below TO"));
        assert!(refused("ENDMOTION", "").contains("the end of the file"));
        (0..MOTION.len()).for_each(|end| drop(read(&MOTION.as_bytes()[..end], &figure)));
    }
}
