//! Conformal geometric algebra.
