//! The variable-turn model: how a point goes on that turns and slows down as it did.

use std::array::from_fn;

use nalgebra::{Matrix3, Vector3};

/// Below this speed nothing turns: the acceleration stays as it is, in metres a second.
const MIN_SPEED_M_S: f64 = 5e-3;
/// Rates of turning and slowing are kept below this in a step: beyond, they are noise.
const MAX_STEP: f64 = 0.3;
/// A series is summed over a time with DT² at most this, which then is doubled: its roots are -α ± iω_c, of size √D.
const SERIES_D_T2: f64 = 0.01;
/// Below this DT² few terms do as well.
const FEW_D_T2: f64 = 5e-4;
const FEW: usize = 6;
/// Above this DT² the closed form is used.
const CLOSED_ABOVE_D_T2: f64 = 1.0;
/// 1/k: terms of the series, of which what is left out is below 1e-12 of what is kept.
const RECIPROCALS: [f64; 10] = [
    0.0,
    1.0,
    1.0 / 2.0,
    1.0 / 3.0,
    1.0 / 4.0,
    1.0 / 5.0,
    1.0 / 6.0,
    1.0 / 7.0,
    1.0 / 8.0,
    1.0 / 9.0,
];

/// The rates of a turn.
///
/// # Method
/// ȧ = -2αa - Dv + w, with α = -v·a/ν², ω = |v×a|/ν², ω_c² = α² + ω² and D = α² + ω_c²; the same for all axes.
///
/// # Reference
/// A. Aristidou (2010), (4.18) to (4.20).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Turn {
    /// α: how fast the speed falls, 1/s.
    alpha_hz: f64,
    /// D = α² + ω_c², 1/s².
    d_hz2: f64,
}

impl Turn {
    /// A turn by its rates α and ω_c.
    pub fn new(alpha_hz: f64, omega_c_hz: f64) -> Self {
        Self { alpha_hz, d_hz2: alpha_hz * alpha_hz + omega_c_hz * omega_c_hz }
    }

    /// The turn of a point with this velocity and acceleration, its rates kept below what a step of `step_s` can show.
    #[inline(always)]
    pub fn of(velocity_m_s: &Vector3<f64>, acceleration_m_s2: &Vector3<f64>, step_s: f64) -> Self {
        let square = velocity_m_s.norm_squared();
        let is_moving = square >= MIN_SPEED_M_S * MIN_SPEED_M_S;
        let per_square = if is_moving { square.recip() } else { 0.0 };
        let most = MAX_STEP / step_s;
        let alpha = (-velocity_m_s.dot(acceleration_m_s2) * per_square).clamp(-most, most);
        let turning = velocity_m_s.cross(acceleration_m_s2).norm_squared();
        let omega2 = (turning * per_square * per_square).min(most * most);
        Self { alpha_hz: alpha, d_hz2: 2.0 * alpha * alpha + omega2 }
    }

    /// ω_c: how fast the direction changes, rad/s.
    fn omega_c_hz(&self) -> f64 {
        (self.d_hz2 - self.alpha_hz * self.alpha_hz).max(0.0).sqrt()
    }

    /// (f13, f23, f33): the answer of position, velocity and acceleration to a unit of acceleration.
    #[inline(always)]
    fn answer(&self, t_s: f64) -> [f64; 3] {
        if self.d_hz2 * t_s * t_s < CLOSED_ABOVE_D_T2 {
            return answers(&[self.alpha_hz], &[self.d_hz2], [t_s]).map(|[f]| f);
        }
        let (alpha, d, omega_c) = (self.alpha_hz, self.d_hz2, self.omega_c_hz());
        let angle = omega_c * t_s;
        let sine = if angle.abs() < 1e-8 { t_s } else { angle.sin() / omega_c };
        let decay = (-alpha * t_s).exp();
        let f23 = decay * sine;
        let f33 = decay * (angle.cos() - alpha * sine);
        [(1.0 - f33 - 2.0 * alpha * f23) / d, f23, f33]
    }

    /// F of one axis over a time: (position, velocity, acceleration) from the same before.
    #[inline(always)]
    pub fn transition(&self, t_s: f64) -> Matrix3<f64> {
        let [f13, f23, f33] = self.answer(t_s);
        let (twice, d) = (2.0 * self.alpha_hz, self.d_hz2);
        Matrix3::new(1.0, f23 + twice * f13, f13, 0.0, f33 + twice * f23, f23, 0.0, -d * f23, f33)
    }

    /// Q of one axis over a time for noise w of unit density: ∫ f₃f₃ᵀ.
    #[inline(always)]
    pub fn noise(&self, t_s: f64) -> Matrix3<f64> {
        /// Gauss's five points and weights on 0 to 1.
        const NODES: [(f64, f64); 5] = [
            (0.046_910_077_030_668, 0.118_463_442_528_094_5),
            (0.230_765_344_947_158_4, 0.239_314_335_249_683_2),
            (0.5, 0.284_444_444_444_444_4),
            (0.769_234_655_052_841_6, 0.239_314_335_249_683_2),
            (0.953_089_922_969_332, 0.118_463_442_528_094_5),
        ];
        let pieces = (2.0 * self.d_hz2.sqrt() * t_s).ceil().clamp(1.0, 1e3);
        let piece_s = t_s / pieces;
        let mut sum = [0.0; 6];
        let mut add = |[f1, f2, f3]: [f64; 3], weight: f64| {
            let products = [f1 * f1, f1 * f2, f1 * f3, f2 * f2, f2 * f3, f3 * f3];
            sum.iter_mut().zip(products).for_each(|(sum, product)| *sum += weight * product);
        };
        for piece in 0..pieces as usize {
            let times_s = NODES.map(|(node, _)| (piece as f64 + node) * piece_s);
            // The series is for short times, which all but the last pieces of long steps are not.
            if self.d_hz2 * times_s[4] * times_s[4] < CLOSED_ABOVE_D_T2 {
                let [f13, f23, f33] = answers(&[self.alpha_hz; 5], &[self.d_hz2; 5], times_s);
                (0..5).for_each(|node| add([f13[node], f23[node], f33[node]], NODES[node].1));
            } else {
                (0..5).for_each(|node| add(self.answer(times_s[node]), NODES[node].1));
            }
        }
        let [q11, q12, q13, q22, q23, q33] = sum.map(|sum| sum * piece_s);
        Matrix3::new(q11, q12, q13, q12, q22, q23, q13, q23, q33)
    }
}

/// Several turns side by side: what a filter needs most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns<const L: usize> {
    alpha_hz: [f64; L],
    d_hz2: [f64; L],
}

impl<const L: usize> Turns<L> {
    /// The turns of points with these velocities and accelerations along x, y and z; see [`Turn::of`].
    #[inline(always)]
    pub fn of(v_m_s: [&[f64; L]; 3], a_m_s2: [&[f64; L]; 3], step_s: f64) -> Self {
        let turn = |i: usize| {
            let [v, a] = [v_m_s, a_m_s2].map(|of| Vector3::new(of[0][i], of[1][i], of[2][i]));
            Turn::of(&v, &a, step_s)
        };
        let (mut alpha_hz, mut d_hz2) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let Turn { alpha_hz: alpha, d_hz2: d } = turn(i);
            (alpha_hz[i], d_hz2[i]) = (alpha, d);
        }
        Self { alpha_hz, d_hz2 }
    }

    /// The rows (f12, f13), (f22, f23), (f32, f33) of each.
    #[inline(always)]
    pub fn transitions(&self, t_s: f64) -> [[[f64; L]; 2]; 3] {
        let (alpha, d) = (&self.alpha_hz, &self.d_hz2);
        let most = d.iter().fold(0.0, |most: f64, d| most.max(*d));
        let [f13, f23, f33] = if most * t_s * t_s < CLOSED_ABOVE_D_T2 {
            answers(alpha, d, [t_s; L])
        } else {
            let each: [[f64; 3]; L] =
                from_fn(|i| Turn { alpha_hz: alpha[i], d_hz2: d[i] }.answer(t_s));
            from_fn(|row| from_fn(|i| each[i][row]))
        };
        let f12 = from_fn(|i| f23[i] + 2.0 * alpha[i] * f13[i]);
        let f22 = from_fn(|i| f33[i] + 2.0 * alpha[i] * f23[i]);
        let f32 = from_fn(|i| -d[i] * f23[i]);
        [[f12, f13], [f22, f23], [f32, f33]]
    }
}

/// (f13, f23, f33) of several turns, each over its time: side by side, as a processor does them.
///
/// # Method
/// g'' = -2αg' - Dg with g(0) = 0, g'(0) = 1: g is f23, its integral f13, its derivative f33. The series of a time that is
/// halved until DT² is small, then F(2t) = F(t)².
#[inline(always)]
fn answers<const L: usize>(alpha: &[f64; L], d: &[f64; L], times_s: [f64; L]) -> [[f64; L]; 3] {
    let reach2 = (0..L).fold(0.0, |most: f64, i| most.max(d[i] * times_s[i] * times_s[i]));
    let (mut scale, mut halvings) = (1.0, 0);
    while reach2 * scale * scale > SERIES_D_T2 && halvings < 8 {
        scale *= 0.5;
        halvings += 1;
    }
    let t = times_s.map(|t| scale * t);
    let [mut f13, mut f23, mut f33] = match reach2 * scale * scale < FEW_D_T2 {
        true => series::<FEW, L>(alpha, d, t),
        false => series::<{ RECIPROCALS.len() - 2 }, L>(alpha, d, t),
    };
    for _ in 0..halvings {
        for i in 0..L {
            let (one, two, three) = (f13[i], f23[i], f33[i]);
            f13[i] = one + (two + 2.0 * alpha[i] * one) * two + one * three;
            f23[i] = (three + 2.0 * alpha[i] * two) * two + two * three;
            f33[i] = three * three - d[i] * two * two;
        }
    }
    [f13, f23, f33]
}

/// The same by so many terms, less one, of the series.
#[inline(always)]
fn series<const TERMS: usize, const L: usize>(
    alpha: &[f64; L],
    d: &[f64; L],
    t: [f64; L],
) -> [[f64; L]; 3] {
    let (mut term_before, mut term) = ([0.0; L], t);
    let (mut f13, mut f23, mut f33) = (t.map(|t| 0.5 * t * t), t, [1.0; L]);
    for k in 1..TERMS {
        for i in 0..L {
            // The term of tᵏ⁺¹ from those of tᵏ and tᵏ⁻¹.
            let slope = -2.0 * alpha[i] * term[i] - d[i] * term_before[i] * t[i] * RECIPROCALS[k];
            let next = slope * t[i] * RECIPROCALS[k + 1];
            f13[i] += next * t[i] * RECIPROCALS[k + 2];
            f23[i] += next;
            f33[i] += slope;
            (term_before[i], term[i]) = (term[i], next);
        }
    }
    [f13, f23, f33]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// F by the closed form of the document, f33 corrected.
    fn printed_transition(turn: Turn, t: f64) -> Matrix3<f64> {
        let (alpha, w) = (turn.alpha_hz, turn.omega_c_hz());
        let (e, c0, s0) = ((-alpha * t).exp(), (w * t).cos(), (w * t).sin());
        let d = alpha * alpha + w * w;
        let f12 =
            (2.0 * alpha * w - e * (2.0 * alpha * w * c0 + (alpha * alpha - w * w) * s0)) / (w * d);
        let f13 = (w - e * (w * c0 + alpha * s0)) / (w * d);
        let f22 = e * (w * c0 + alpha * s0) / w;
        let f33 = e * (w * c0 - alpha * s0) / w;
        Matrix3::new(1.0, f12, f13, 0.0, f22, e * s0 / w, 0.0, -d * e * s0 / w, f33)
    }

    /// Q by the closed form of the document, its powers and its symmetry corrected.
    fn printed_noise(turn: Turn, t: f64) -> Matrix3<f64> {
        let (a, w) = (turn.alpha_hz, turn.omega_c_hz());
        let (e, c0, s0) = ((-a * t).exp(), (w * t).cos(), (w * t).sin());
        let (e2, d, a2, w2) = (e * e, a * a + w * w, a * a, w * w);
        let (c, s) = (a2 * (2.0 * w * t).cos(), a * w * (2.0 * w * t).sin());
        let q11 = (e2 * ((a2 - 3.0 * w2) * c + (w2 - 3.0 * a2) * s - d * d)
            + 8.0 * e * a * w * (2.0 * a * w * c0 + (a2 - w2) * s0)
            + a2 * w2 * (4.0 * a * t - 11.0)
            + w2 * w2 * (1.0 + 4.0 * a * t))
            / (4.0 * a * w2 * d.powi(3));
        let q12 = (w - e * (w * c0 + a * s0)).powi(2) / (2.0 * w2 * d * d);
        let q13 = (e2 * (c - s - a2 + w2) + 4.0 * e * a * w * s0 - w2) / (4.0 * a * w2 * d);
        let q22 = (e2 * (c - s - a2 - w2) + w2) / (4.0 * a * w2 * d);
        let q23 = e2 * s0 * s0 / (2.0 * w2);
        let q33 = (e2 * (c + s - a2 - w2) + w2) / (4.0 * a * w2);
        Matrix3::new(q11, q12, q13, q12, q22, q23, q13, q23, q33)
    }

    /// F by Runge and Kutta's fourth-order steps.
    fn integrated(turn: Turn, t: f64) -> Matrix3<f64> {
        let flow =
            Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -turn.d_hz2, -2.0 * turn.alpha_hz);
        const STEPS: usize = 2000;
        let h = t / STEPS as f64;
        let mut f = Matrix3::identity();
        for _ in 0..STEPS {
            let k1 = flow * f;
            let k2 = flow * (f + k1 * (h / 2.0));
            let k3 = flow * (f + k2 * (h / 2.0));
            let k4 = flow * (f + k3 * h);
            f += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
        }
        f
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn check_18_the_transition_is_that_of_numerical_integration(
            alpha in -3.0..3.0f64, omega in 0.0..6.0f64, t in 0.002..0.9f64,
        ) {
            let turn = Turn::new(alpha, alpha.hypot(omega));
            let (got, want) = (turn.transition(t), integrated(turn, t));
            prop_assert!((got - want).amax() < 1e-9 * want.amax(), "{got} {want}");
        }

        #[test]
        fn check_18_the_closed_forms_with_their_misprints_corrected_are_the_same(
            alpha in 0.3..3.0f64, omega in 0.5..6.0f64, t in 0.2..0.9f64,
        ) {
            let turn = Turn::new(alpha, alpha.hypot(omega));
            let (got, want) = (turn.transition(t), printed_transition(turn, t));
            prop_assert!((got - want).amax() < 1e-9 * want.amax(), "{got} {want}");
            let (got, want) = (turn.noise(t), printed_noise(turn, t));
            prop_assert!((got - want).amax() < 1e-9 * want.amax(), "{got} {want}");
        }
    }

    #[test]
    fn check_18_without_turning_and_slowing_the_acceleration_stays() {
        let t: f64 = 0.37;
        for tiny in [0.0, 1e-12, 1e-7] {
            let turn = Turn::new(tiny, tiny);
            let want = Matrix3::new(1.0, t, t * t / 2.0, 0.0, 1.0, t, 0.0, 0.0, 1.0);
            assert!((turn.transition(t) - want).amax() < 1e-6, "{tiny}");
            let noise = turn.noise(t);
            assert!((noise[(0, 0)] - t.powi(5) / 20.0).abs() < 1e-8, "{tiny}: {noise}");
            assert!((noise[(2, 2)] - t).abs() < 1e-6, "{tiny}: {noise}");
        }
        let still = Turn::of(&Vector3::zeros(), &Vector3::x(), 0.01);
        assert_eq!(still, Turn::default());
    }

    #[test]
    fn a_point_on_a_circle_stays_on_it() {
        let (radius, rate, t) = (0.3, 4.0, 0.01);
        let at = |s: f64| Vector3::new((rate * s).cos(), (rate * s).sin(), 0.0) * radius;
        let velocity =
            |s: f64| Vector3::new(-(rate * s).sin(), (rate * s).cos(), 0.0) * (radius * rate);
        let turn = Turn::of(&velocity(0.0), &(at(0.0) * (-rate * rate)), t);
        let f = turn.transition(t);
        let next = at(0.0) + velocity(0.0) * f[(0, 1)] - at(0.0) * (rate * rate) * f[(0, 2)];
        assert!((next - at(t)).norm() < 1e-12, "{}", (next - at(t)).norm());
    }
}
