//! Loops over numbers that compilers turn into vector instructions, when called within `Arch::dispatch`.
#![allow(clippy::needless_range_loop, reason = "several slices of one length, side by side")]

/// to += factor · from.
#[inline(always)]
pub fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// to += Σ factor · from, for four rows at once: a quarter of the traffic.
#[inline(always)]
pub fn add_four(to: &mut [f64], factors: [f64; 4], from: [&[f64]; 4]) {
    let length = to.len();
    let [a, b, c, d] = from.map(|row| &row[..length]);
    let [fa, fb, fc, fd] = factors;
    for i in 0..length {
        to[i] += (fa * a[i] + fb * b[i]) + (fc * c[i] + fd * d[i]);
    }
}

/// The inner products of one vector with many, which are the columns of `many`, given by rows.
#[inline(always)]
pub fn products(one: &[f64], many: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let columns = out.len();
    let (fours, rest) = one.as_chunks::<4>();
    for (four, rows) in fours.iter().zip(many.chunks_exact(4 * columns)) {
        let row = |i: usize| &rows[i * columns..(i + 1) * columns];
        add_four(out, *four, [row(0), row(1), row(2), row(3)]);
    }
    let last = many.chunks_exact(columns).skip(4 * fours.len());
    for (value, row) in rest.iter().zip(last) {
        add(out, *value, row);
    }
}

/// The inner product, in sums that run side by side.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    folded(a, b, |a, b| a * b)
}

/// The square of the distance.
#[inline(always)]
pub fn distance_squared(a: &[f64], b: &[f64]) -> f64 {
    folded(a, b, |a, b| (a - b) * (a - b))
}

#[inline(always)]
fn folded(a: &[f64], b: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut sums = [0.0; 8];
    let ((a_eights, a_rest), (b_eights, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a_eights.iter().zip(b_eights) {
        for lane in 0..8 {
            sums[lane] += term(a[lane], b[lane]);
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| term(*a, *b)).sum();
    sums.iter().sum::<f64>() + rest
}

/// eˣ for x ≤ 0, to about 14 digits; what is below e⁻⁷⁰⁰ is e⁻⁷⁰⁰.
///
/// # Method
/// x = n ln 2 + r with |r| ≤ ½ ln 2, the series of eʳ to the eleventh power, and n added to the exponent.
#[inline(always)]
pub fn exp_negative(x: f64) -> f64 {
    /// Added to a number, leaves it rounded, as an integer in the last bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = if x > -700.0 { x } else { -700.0 };
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    let mut series = 1.0 / 39_916_800.0;
    for divisor in [3_628_800.0, 362_880.0, 40_320.0, 5_040.0, 720.0, 120.0, 24.0, 6.0, 2.0] {
        series = series * r + 1.0 / divisor;
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    ((series * r + 1.0) * r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_that_of_the_library() {
        for i in 0..20_000 {
            let x = -0.0351 * f64::from(i);
            let wanted = x.max(-700.0).exp();
            assert!((exp_negative(x) - wanted).abs() <= 1e-13 * wanted, "{x}");
        }
        assert_eq!(exp_negative(0.0), 1.0);
        assert!(exp_negative(f64::NEG_INFINITY) < 1e-300);
    }

    #[test]
    fn sums_are_those_of_plain_loops() {
        let a: Vec<f64> = (0..21).map(|i| f64::from(i) * 0.3 - 2.0).collect();
        let b: Vec<f64> = (0..21).map(|i| 1.0 - f64::from(i * i) * 0.01).collect();
        let plain: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        assert!((dot(&a, &b) - plain).abs() < 1e-12);
        let plain: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
        assert!((distance_squared(&a, &b) - plain).abs() < 1e-12);
    }
}
