//! One answer of `condyle centre`, whichever way it was found.

use condyle::centre::known_sphere::Calibrated;
use condyle::centre::{
    Agreement, Evidence, HingeAxis, ManyFit, ManyMethod, Shortfall, SphereFit, Verdict,
};
use condyle::subject::CentreKnown;
use nalgebra::{Matrix3, Point3};

use super::points::Track;

/// An answer, or why there is none.
#[derive(Default)]
pub struct Answer {
    pub shape: &'static str,
    pub method: &'static str,
    pub error: Option<String>,
    pub centre: Option<Point3<f64>>,
    /// One a marker.
    pub radii: Vec<f64>,
    pub radius_standard_error: Option<f64>,
    pub sigma: Option<f64>,
    pub covariance: Option<Matrix3<f64>>,
    pub verdict: Option<Verdict>,
    /// Why the verdict is insufficient.
    pub shortfall: Option<Shortfall>,
    pub axis: Option<HingeAxis>,
    pub coverage_rad: Option<f64>,
    pub samples: usize,
    pub smallest_eigenvalue: Option<f64>,
    pub noise_ratio: Option<f64>,
    pub acceptance: Option<&'static str>,
    pub converged: bool,
    /// Samples that a robust fit left out.
    pub rejected: Option<usize>,
    /// The noise, where the radius of the sphere is known.
    pub calibrated: Option<Calibrated>,
    /// Of several markers, how each agrees with the others.
    pub markers: Vec<AnswerMarker>,
}

/// One of several markers.
pub struct AnswerMarker {
    pub label: String,
    pub agreement: Agreement,
}

impl Answer {
    pub fn failed(method: &'static str, error: &condyle::Error) -> Self {
        Self { shape: "sphere", method, error: Some(error.to_string()), ..Self::default() }
    }

    /// The part that every fit has alike.
    pub fn resting_on(evidence: &Evidence) -> Self {
        Self {
            sigma: Some(evidence.sigma),
            covariance: Some(evidence.covariance),
            verdict: Some(evidence.verdict),
            shortfall: evidence.shortfall,
            axis: evidence.axis,
            coverage_rad: Some(evidence.coverage_rad),
            samples: evidence.samples,
            smallest_eigenvalue: Some(evidence.smallest_eigenvalue),
            noise_ratio: Some(evidence.noise_ratio),
            acceptance: Some(evidence.acceptance.name()),
            ..Self::default()
        }
    }

    pub fn of_sphere(fit: &SphereFit) -> Self {
        Self {
            shape: "sphere",
            method: fit.method.name(),
            centre: Some(fit.centre),
            radii: vec![fit.radius],
            converged: fit.converged,
            ..Self::resting_on(&fit.evidence)
        }
    }

    pub fn of_many(fit: &ManyFit, tracks: &[Track]) -> Self {
        let method = match fit.method {
            ManyMethod::Plain => "mgdk-plain",
            ManyMethod::Unbiased { .. } => "mgdk-unbiased",
            ManyMethod::SelfCalibrated => "mgdk",
        };
        let with_label = |(track, agreement): (&Track, &Agreement)| AnswerMarker {
            label: track.name(),
            agreement: *agreement,
        };
        Self {
            shape: "sphere",
            method,
            markers: tracks.iter().zip(&fit.agreements).map(with_label).collect(),
            centre: Some(fit.centre),
            radii: fit.radii.clone(),
            converged: true,
            ..Self::resting_on(&fit.evidence)
        }
    }

    /// The radius, or the mean of several.
    pub fn radius(&self) -> Option<f64> {
        let count = self.radii.len();
        (count > 0).then(|| self.radii.iter().sum::<f64>() / count as f64)
    }

    /// How well the centre is known, if lengths are metres.
    pub fn centre_known(&self) -> Option<CentreKnown> {
        self.covariance.as_ref().map(CentreKnown::from_covariance_m2)
    }

    /// The root-mean-square error to expect of the centre.
    pub fn standard_error(&self) -> Option<f64> {
        self.covariance.map(|covariance| covariance.trace().max(0.0).sqrt())
    }
}
