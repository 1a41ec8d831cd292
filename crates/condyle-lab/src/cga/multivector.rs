//! The algebra of e1, e2, e3, e, ē with squares +1, +1, +1, +1, -1 (2.34).

use std::ops::{Add, Mul, Neg, Sub};

/// An element: one number for each of the 32 products of basis vectors. Bit k of an index says whether
/// the k-th of e1, e2, e3, e, ē is in the product.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multivector(pub [f64; 32]);

impl Multivector {
    /// Nothing.
    pub const ZERO: Self = Self([0.0; 32]);

    /// A number.
    pub const fn scalar(value: f64) -> Self {
        let mut values = [0.0; 32];
        values[0] = value;
        Self(values)
    }

    /// A vector of the five basis vectors.
    pub const fn vector([x, y, z, e, e_bar]: [f64; 5]) -> Self {
        let mut values = [0.0; 32];
        values[1] = x;
        values[2] = y;
        values[4] = z;
        values[8] = e;
        values[16] = e_bar;
        Self(values)
    }

    /// n = e + ē, the point at infinity.
    pub const INFINITY: Self = Self::vector([0.0, 0.0, 0.0, 1.0, 1.0]);
    /// n̄ = e - ē, twice the negative of the origin.
    pub const ORIGIN: Self = Self::vector([0.0, 0.0, 0.0, 1.0, -1.0]);
    /// I = e1e2e3eē, with I² = -1.
    pub const PSEUDOSCALAR: Self = {
        let mut values = [0.0; 32];
        values[31] = 1.0;
        Self(values)
    };

    /// The part of one grade.
    pub fn grade(&self, grade: u32) -> Self {
        let mut part = Self::ZERO;
        for (index, value) in self.0.iter().enumerate() {
            if index.count_ones() == grade {
                part.0[index] = *value;
            }
        }
        part
    }

    /// Sums products of parts by a rule on their grades.
    fn product(&self, other: &Self, keeps: impl Fn(u32, u32, u32) -> bool) -> Self {
        let mut product = Self::ZERO;
        for (a, x) in self.0.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for (b, y) in other.0.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                if keeps(a.count_ones(), b.count_ones(), (a ^ b).count_ones()) {
                    product.0[a ^ b] += sign(a, b) * x * y;
                }
            }
        }
        product
    }

    /// A∧B: the part of the product of grade r + s (2.15).
    pub fn wedge(&self, other: &Self) -> Self {
        self.product(other, |r, s, grade| grade == r + s)
    }

    /// A·B: the part of grade |r - s|, nothing with a scalar (2.14).
    pub fn dot(&self, other: &Self) -> Self {
        self.product(other, |r, s, grade| r > 0 && s > 0 && grade == r.abs_diff(s))
    }

    /// The scalar part.
    pub fn real(&self) -> f64 {
        self.0[0]
    }

    /// Products in reverse order: grades 2 and 3 change sign.
    pub fn reverse(&self) -> Self {
        let mut reversed = *self;
        for (index, value) in reversed.0.iter_mut().enumerate() {
            if matches!(index.count_ones() % 4, 2 | 3) {
                *value = -*value;
            }
        }
        reversed
    }

    /// M* = M I (2.23).
    pub fn dual(&self) -> Self {
        *self * Self::PSEUDOSCALAR
    }

    /// The scalar part of its square.
    pub fn square(&self) -> f64 {
        (*self * *self).real()
    }

    /// The largest number in it.
    pub fn largest(&self) -> f64 {
        self.0.iter().fold(0.0, |most, value| most.max(value.abs()))
    }
}

/// The sign of a product of two products of basis vectors: -1 for every swap that sorts it, and for ē².
fn sign(a: usize, b: usize) -> f64 {
    let swaps: u32 = (1..5).map(|k| ((a >> k) & b).count_ones()).sum();
    let squared = a & b & 16 != 0;
    if (swaps % 2 == 1) != squared { -1.0 } else { 1.0 }
}

impl Mul for Multivector {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.product(&other, |_, _, _| true)
    }
}

impl Mul<f64> for Multivector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|value| value * factor))
    }
}

impl Add for Multivector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl Sub for Multivector {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Multivector {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}
