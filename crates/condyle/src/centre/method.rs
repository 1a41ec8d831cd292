//! The methods by name.

use std::fmt;

use nalgebra::Matrix3;

/// How a centre is found. The quantity is the verb ([`super::sphere`]), the method a value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Method {
    /// GDKE, c = x̄ + ½C⁻¹S (86): the plain closed form, biased by the noise.
    Gdke,
    /// UGDK, (171) to (176): GDKE with known noise taken off.
    Ugdk(Noise),
    /// SC-GDK: finds the noise itself, and knows a hinge. The default.
    #[default]
    ScGdk,
    /// SC-GDK, then one step of Newton's method over the points where it is a ball: a second pass, worth
    /// its time only where the noise is above a twentieth of the radius.
    ScGdkPolished,
    /// SGDK made unbiased: the self-calibrated circle in the plane of the motion, wherever the
    /// points do not determine a sphere.
    Sgdk,
    /// SGDK as printed, (217): the same with GDKE, biased by the noise.
    SgdkPrinted,
    /// G. Taubin's algebraic fit.
    Taubin,
    /// V. Pratt's algebraic fit.
    Pratt,
    /// The hyper-accurate algebraic fit of K. Kanatani, A. Al-Sharadqah and N. Chernov.
    Hyper,
    /// W. Gander's algebraic fit (8), which depends on where the origin is.
    Gander,
    /// Linear least squares by singular values, (62) to (67).
    Lls,
    /// Maximum likelihood: geometric distances, iterated, the bias of the radius removed.
    Mle,
    /// IGDK made exact and unbiased: one point after the other, then as SC-GDK.
    Igdk,
}

/// Noise that is known beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    /// One standard deviation for every axis.
    Sigma(f64),
    /// A covariance.
    Covariance(Matrix3<f64>),
}

impl Noise {
    /// The noise as a covariance.
    pub fn covariance(&self) -> Matrix3<f64> {
        match self {
            Self::Sigma(sigma) => Matrix3::identity() * (sigma * sigma),
            Self::Covariance(covariance) => *covariance,
        }
    }
}

impl Method {
    /// The name in small letters, which does not change.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gdke => "gdke",
            Self::Ugdk(_) => "ugdk",
            Self::ScGdk => "sc-gdk",
            Self::ScGdkPolished => "sc-gdk-polished",
            Self::Sgdk => "sgdk",
            Self::SgdkPrinted => "sgdk-printed",
            Self::Taubin => "taubin",
            Self::Pratt => "pratt",
            Self::Hyper => "hyper",
            Self::Gander => "gander",
            Self::Lls => "lls",
            Self::Mle => "mle",
            Self::Igdk => "igdk",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
