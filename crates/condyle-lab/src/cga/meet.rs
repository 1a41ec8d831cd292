//! What two objects have in common.

use nalgebra::Point3;

use super::Multivector;
use super::objects::{point, position};

const N: Multivector = Multivector::INFINITY;

/// D∨E = [⟨DE⟩ of grade 2p - m - s]* with p = 5 and m, s the grades of the two (2.90).
pub fn meet(d: &Multivector, grade_d: u32, e: &Multivector, grade_e: u32) -> Multivector {
    let grade = 10_u32.saturating_sub(grade_d + grade_e);
    (*d * *e).grade(grade).dual()
}

/// The points of a point pair, or of a point at which two objects touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Points {
    /// The objects miss each other.
    None,
    /// They touch.
    One(Point3<f64>),
    /// They cross.
    Two(Point3<f64>, Point3<f64>),
}

/// The points of a 2-blade T = A∧B by projectors: A = -½(1 - F)[T·n], B = ½(1 + F)[T·n] with
/// F = T/√(T²) (2.56 to 2.66); of a flat point A∧n its one point, by the corrected formula.
pub fn points_of(pair: &Multivector) -> Points {
    let scale = pair.largest();
    if scale == 0.0 {
        return Points::None;
    }
    let pair = *pair * (1.0 / scale);
    if pair.wedge(&N).largest() < 1e-9 {
        // A∧n: λ = ½(B·N), a = ((B∧n̄)·N)/4λ with N = n∧n̄, for either order and any scale.
        let n = N.wedge(&Multivector::ORIGIN);
        let lambda = 0.5 * pair.dot(&n).real();
        let at = pair.wedge(&Multivector::ORIGIN).dot(&n) * (0.25 / lambda);
        let at = Point3::new(at.0[1], at.0[2], at.0[4]);
        return if at.iter().all(|x| x.is_finite()) { Points::One(at) } else { Points::None };
    }
    let square = pair.square();
    if square < -1e-12 {
        return Points::None;
    }
    if square < 1e-12 {
        return Points::One(position(&(pair * N * pair)));
    }
    let f = pair * (1.0 / square.sqrt());
    let flat = pair.dot(&N);
    let one = Multivector::scalar(1.0);
    Points::Two(position(&-((one - f) * flat)), position(&((one + f) * flat)))
}

/// Where two lines meet; halfway between them where they pass each other.
///
/// # Method
/// Page 31: with L_P = L1 - L2L1L2 any point is reflected in it and then in L2, halving each time.
/// What is left after both halvings lies on both lines, where they meet.
pub fn line_line(one: &Multivector, other: &Multivector) -> Point3<f64> {
    let unit = |line: &Multivector| *line * (1.0 / line.square().abs().sqrt());
    let (one, other) = (unit(one), unit(other));
    let across = unit(&(one - other * one * other));
    let halfway = |x: &Multivector, line: &Multivector| {
        let reflected = *line * *x * *line;
        let reflected = reflected * (-1.0 / reflected.dot(&N).real());
        (*x + reflected) * 0.5
    };
    let start = point(&Point3::new(0.3, -0.2, 0.5));
    let first = halfway(&start, &across);
    let second = halfway(&first, &other);
    // P = -(P'nP')/2(P'·n)²: the centre of what two halvings leave (2.92).
    position(&(second * N * second))
}
