//! The centre of a sphere, by any method.

use nalgebra::{Point3, Vector3};

use super::acceptance::sphere_coverage_rad;
use super::circle::{CircleFit, circle_of, is_determined};
use super::fit::{Acceptance, Evidence, SphereFit, Verdict};
use super::geometric::{Geometric, MAX_STEPS, geometric, polished};
use super::input::{self, undetermined};
use super::linear;
use super::method::{Method, Noise};
use super::moments::{Moments, WeightedMoments};
use super::noise_root::{self, Family, noise_root, self_calibrated};
use super::shape::Shape;
use super::spectrum::Spectrum;
use crate::error::{ErrorKind, Result};

/// Finds the centre that points rotate about, with the evidence for it.
///
/// `points` are one contiguous slice an axis. Plain methods return exactly their closed form,
/// whatever the verdict; [`Method::ScGdk`] and [`Method::Igdk`] return the centre of the arc where
/// the verdict is a hinge, since a sphere through an arc has its centre anywhere on the axis;
/// [`Method::Sgdk`] returns it wherever the verdict is not a ball.
///
/// # Method
/// GDKE (86): c = x̄ + ½ C⁻¹ S, r² = (N-1)/N tr C + |c - x̄|². UGDK (171), (175), (176): the same with
/// C - Σ for C. SC-GDK: the same with Ĉ - ηI, η the root of
/// V - Ŝᵀ(Ĉ - ηI)⁻¹Ŝ - 4ηz̄ + 2Dη² (hats: divided by N), σ² = ηN/(N - D - 1). The covariance of the
/// centre is σ²r²/N (Ĉ - ηI)⁻¹, (10), which is the Cramér-Rao bound; for SC-GDK with its terms of
/// the next order, which matter near the limit (212).
///
/// It is a ball if λ_min - η > 5η√(2/N) and √(η/(N(λ_min - η))) < 0.1; otherwise a hinge, if the
/// circle in the plane of the points passes the same test and is round; otherwise insufficient.
///
/// # Errors
/// Fewer than 4 points; points that are not finite, all in one place or on one line; a given noise
/// that is larger than the spread of the points; [`Method::Gander`] and [`Method::Lls`] on points
/// whose squares leave the range of numbers.
///
/// # Reference
/// J. K. Knight (2008), *Rotation Points From Motion Capture Data Using a Closed Form Solution*,
/// its misprints corrected; SC-GDK and the rule are ours.
pub fn sphere(points: [&[f64]; 3], method: Method) -> Result<SphereFit> {
    let scaled = input::scaled(points, 4)?;
    let moments = match method {
        Method::Igdk => {
            let [x, y, z] = scaled.points();
            Moments::of_rows((0..x.len()).map(|i| Vector3::new(x[i], y[i], z[i])))
        }
        _ => scaled.moments(),
    };
    let shape = input::spread_out(&Shape::from(&moments))?;
    let method_in_unit = method.in_unit(scaled.unit);
    let judged = Judged::of(&shape, Some(scaled.points()));
    let candidate = match method_in_unit {
        Method::Gander => Candidate::given(&shape, linear::gander(scaled.points())?),
        Method::Lls => Candidate::given(&shape, linear::lls(scaled.points())?),
        Method::Mle => {
            let found = geometric(scaled.points(), &shape, judged.sphere_in(&shape), MAX_STEPS);
            Candidate::iterated(&shape, &found)
        }
        Method::ScGdkPolished if judged.verdict == Verdict::Ball => {
            let found = polished(scaled.points(), &shape, judged.sphere_in(&shape));
            found.map_or(judged.sphere, |found| Candidate::iterated(&shape, &found))
        }
        method => closed_form(&shape, &judged, method)?,
    };
    Ok(judged.fit(&shape, method, candidate).scaled_by(scaled.unit))
}

/// The same from moments alone, which may come from many blocks, trials or threads.
///
/// On a hinge the noise is then taken from the spread across the plane.
///
/// # Errors
/// As [`sphere`]; and for [`Method::Gander`], [`Method::Lls`], [`Method::Mle`] and
/// [`Method::ScGdkPolished`], which need the points.
pub fn sphere_from_moments(moments: &Moments<3>, method: Method) -> Result<SphereFit> {
    from_shape(&Shape::from(moments), method, 1.0)
}

/// The same for points that do not all count the same: weights go with the inverse of the variance.
///
/// # Errors
/// As [`sphere_from_moments`]; and for weights that are not one a point.
pub fn sphere_weighted(points: [&[f64]; 3], weights: &[f64], method: Method) -> Result<SphereFit> {
    let scaled = input::scaled(points, 4)?;
    if weights.len() != points[0].len() {
        let (needed, got) = (points[0].len(), weights.len());
        return Err(
            ErrorKind::Argument(format!("weights: need {needed}, one a point, got {got}")).into()
        );
    }
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite() || **weight < 0.0) {
        return Err(ErrorKind::Argument(format!(
            "weights: need finite numbers from 0 up, got {weight}"
        ))
        .into());
    }
    // Only the ratios matter, and only those have squares that stay in range.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let relative: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
    let moments = WeightedMoments::<3>::of(scaled.points(), &relative);
    if moments.samples < 4 {
        return Err(undetermined(format!("weights: need 4 above 0, got {}", moments.samples)));
    }
    from_shape(&Shape::from(&moments), method, scaled.unit)
}

fn from_shape(shape: &Shape<3>, method: Method, unit: f64) -> Result<SphereFit> {
    if shape.samples < 4 {
        return Err(undetermined(format!("points: need 4, got {}", shape.samples)));
    }
    if matches!(method, Method::Gander | Method::Lls | Method::Mle | Method::ScGdkPolished) {
        return Err(ErrorKind::Argument(format!(
            "{method}: need the points themselves, got their moments"
        ))
        .into());
    }
    input::in_range(shape)?;
    let shape = input::spread_out(shape)?;
    let judged = Judged::of(&shape, None);
    let candidate = closed_form(&shape, &judged, method.in_unit(unit))?;
    Ok(judged.fit(&shape, method, candidate).scaled_by(unit))
}

/// A sphere in the making.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// From the mean of the points.
    pub offset: Vector3<f64>,
    pub radius: f64,
    pub variance: f64,
    pub converged: bool,
}

impl Candidate {
    fn given(shape: &Shape<3>, (centre, radius): (Vector3<f64>, f64)) -> Self {
        let offset = centre - shape.mean;
        let variance = shape.noise_variance(&offset, radius);
        Self { offset, radius, variance, converged: true }
    }

    fn iterated(shape: &Shape<3>, found: &Geometric) -> Self {
        Self {
            offset: found.centre - shape.mean,
            radius: found.radius,
            variance: found.variance,
            converged: found.converged,
        }
    }

    fn of_family(shape: &Shape<3>, family: Family) -> (Self, f64) {
        let eta = noise_root(shape, family);
        let offset = shape.offset(eta);
        let radius = (shape.z + family.k * eta + offset.norm_squared()).max(0.0).sqrt();
        (Self { offset, radius, variance: eta * shape.redundancy(), converged: true }, eta)
    }
}

fn closed_form(shape: &Shape<3>, judged: &Judged, method: Method) -> Result<Candidate> {
    Ok(match method {
        Method::Ugdk(noise) => known_noise(shape, &noise)?,
        Method::Taubin => Candidate::of_family(shape, noise_root::TAUBIN).0,
        Method::Pratt => Candidate::of_family(shape, noise_root::PRATT).0,
        Method::Hyper => Candidate::of_family(shape, noise_root::HYPER).0,
        Method::ScGdk | Method::ScGdkPolished | Method::Igdk | Method::Sgdk => judged.sphere,
        Method::SgdkPrinted if judged.verdict != Verdict::Ball => in_plane(shape, 0.0),
        _ => gdke(shape, shape.offset(0.0)),
    })
}

fn gdke(shape: &Shape<3>, offset: Vector3<f64>) -> Candidate {
    let radius = (shape.z + offset.norm_squared()).sqrt();
    let variance = shape.noise_variance(&offset, radius);
    Candidate { offset, radius, variance, converged: true }
}

/// SGDK (217), (218): the direction of least spread is left out.
fn in_plane(shape: &Shape<3>, eta: f64) -> Candidate {
    let [across, u, w] = shape.spectrum.values;
    let mut offset = Vector3::zeros();
    for (i, value) in [(1, u), (2, w)] {
        offset += shape.spectrum.vector(i) * (0.5 * shape.s_eigen[i] / (value - eta));
    }
    let radius = (u + w - 2.0 * eta + offset.norm_squared()).max(0.0).sqrt();
    Candidate { offset, radius, variance: across.max(0.0) * shape.redundancy(), converged: true }
}

/// UGDK: C' = C - Σ, of which at least a tenth of the least spread must be left.
fn known_noise(shape: &Shape<3>, noise: &Noise) -> Result<Candidate> {
    let n = shape.n;
    let unbiased = n / (n - 1.0);
    let noise = noise.covariance();
    let c = shape.c * unbiased - noise;
    let spectrum = Spectrum::of(&c);
    let least = shape.spectrum.values[0] * unbiased;
    if spectrum.values[0].is_nan() || spectrum.values[0] < 0.1 * least {
        return Err(undetermined(format!(
            "sigma: need less than {:.3e} for points that spread this little, got {:.3e}",
            (0.9 * least.max(0.0)).sqrt(),
            (noise.trace() / 3.0).sqrt()
        )));
    }
    let s = spectrum.vectors.tr_mul(&(shape.s * unbiased));
    let mut offset = Vector3::zeros();
    for (i, value) in spectrum.values.iter().enumerate() {
        offset += spectrum.vector(i) * (0.5 * s[i] / value);
    }
    let radius = ((n - 1.0) / n * c.trace() + offset.norm_squared()).max(0.0).sqrt();
    let variance = shape.noise_variance(&offset, radius);
    Ok(Candidate { offset, radius, variance, converged: true })
}

/// What the points allow to be said, whatever method then says it.
pub(super) struct Judged {
    pub verdict: Verdict,
    pub sphere: Candidate,
    eta: f64,
    circle: Option<CircleFit>,
}

impl Judged {
    pub fn of(shape: &Shape<3>, points: Option<[&[f64]; 3]>) -> Self {
        let (sphere, eta) = Candidate::of_family(shape, self_calibrated::<3>());
        let excess = shape.spectrum.values[0] - eta;
        // Four points lie on some sphere, whatever they are.
        let is_checked = shape.redundancy() > 0.0;
        if is_checked && is_determined(eta, excess, shape) {
            return Self { verdict: Verdict::Ball, sphere, eta, circle: None };
        }
        let circle = match points {
            Some(points) => circle_of(shape, points),
            None => circle_of_shape(shape),
        };
        let is_hinge = is_checked && circle.verdict == Verdict::Hinge;
        let verdict = if is_hinge { Verdict::Hinge } else { Verdict::Insufficient };
        Self { verdict, sphere, eta, circle: Some(circle) }
    }

    /// The self-calibrated sphere in the coordinates of the points: where iterations start.
    fn sphere_in(&self, shape: &Shape<3>) -> (Vector3<f64>, f64) {
        (shape.mean + self.sphere.offset, self.sphere.radius)
    }

    /// The candidate with its evidence; hinge-aware methods take the circle where there is one.
    pub fn fit(&self, shape: &Shape<3>, method: Method, candidate: Candidate) -> SphereFit {
        let is_hinge = self.verdict == Verdict::Hinge;
        let takes_circle = match method {
            Method::ScGdk | Method::ScGdkPolished | Method::Igdk => is_hinge,
            // The plane is all that it looks at.
            Method::Sgdk => self.verdict != Verdict::Ball,
            _ => false,
        };
        let excess = (shape.spectrum.values[0] - self.eta).max(0.0);
        let (radius, variance) = (candidate.radius, candidate.variance);
        let noise_ratio = self.eta / excess;
        let evidence = Evidence {
            sigma: variance.max(0.0).sqrt(),
            covariance: match method {
                Method::ScGdk | Method::ScGdkPolished | Method::Igdk | Method::Sgdk => {
                    shape.covariance(self.eta, (&candidate.offset, radius), variance)
                }
                _ => shape.inverse(self.eta) * (variance * radius.powi(2) / shape.n),
            },
            samples: shape.samples,
            smallest_eigenvalue: excess,
            coverage_rad: sphere_coverage_rad(excess / self.sphere.radius.powi(2)),
            noise_ratio,
            acceptance: Acceptance::of(noise_ratio),
            verdict: self.verdict,
            axis: None,
        };
        let centre = Point3::from(shape.mean + candidate.offset);
        let converged = candidate.converged;
        let mut fit = SphereFit { method, centre, radius, converged, evidence };
        if let Some(circle) = &self.circle {
            if is_hinge {
                let Evidence { sigma, covariance, .. } = evidence;
                fit.evidence = Evidence { sigma, covariance, ..circle.evidence };
            }
            if takes_circle || method == Method::SgdkPrinted {
                fit.evidence.covariance = circle.covariance;
            }
            if takes_circle {
                fit.centre = circle.centre;
                fit.radius = circle.radius;
                fit.evidence.sigma = circle.sigma;
            }
        }
        fit
    }
}

/// The circle from moments alone: the spread across the plane is the noise, and η too.
fn circle_of_shape(shape: &Shape<3>) -> CircleFit {
    let eta = shape.spectrum.values[0].max(0.0);
    let Candidate { offset, radius, variance, .. } = in_plane(shape, eta);
    let excess = shape.spectrum.values[1] - eta;
    let normal = shape.spectrum.vector(0);
    let plane_position = normal * normal.transpose() * (eta / shape.n);
    let covariance = shape.inverse(eta) * (variance * radius * radius / shape.n) + plane_position;
    CircleFit::of(shape, (shape.mean + offset, radius), (eta, excess), (variance, covariance))
}

impl Method {
    fn in_unit(self, unit: f64) -> Self {
        match self {
            Self::Ugdk(Noise::Sigma(sigma)) => Self::Ugdk(Noise::Sigma(sigma / unit)),
            Self::Ugdk(Noise::Covariance(c)) => Self::Ugdk(Noise::Covariance(c / unit / unit)),
            method => method,
        }
    }
}

impl SphereFit {
    pub(super) fn scaled_by(self, unit: f64) -> Self {
        Self {
            centre: self.centre * unit,
            radius: self.radius * unit,
            evidence: self.evidence.scaled_by(unit),
            ..self
        }
    }
}
