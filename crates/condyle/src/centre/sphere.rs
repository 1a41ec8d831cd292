//! The centre of a sphere, by any method.

use nalgebra::{Matrix3, Point3, Vector3};

use super::acceptance::sphere_coverage_rad;
use super::circle::{CircleFit, circle_of, flattened};
use super::fit::{Acceptance, Evidence, Shortfall, SphereFit, Verdict};
use super::geometric::{Geometric, MAX_STEPS, geometric, polished};
use super::input;
use super::linear;
use super::method::{Method, Noise};
use super::moments::Moments;
use super::noise_root::{self, Family, noise_root, self_calibrated};
use super::points::Points;
use super::shape::Shape;
use super::spectrum::Spectrum;
use super::verdict::{Across, MAX_RELATIVE_ERROR, Shown, judge};
use crate::error::{Error, Result};

/// Finds the centre that points rotate about, with the evidence for it.
///
/// `points` are one contiguous slice an axis, or [`Points`] that know of their noise. Plain methods return exactly their closed form,
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
/// It is a ball if λ_min - η > 5η√(2/N), √(η/(N(λ_min - η))) < 0.1 and √η < 0.2 r. Where the circle in
/// the plane of the points passes the same test, and they do not leave that plane by 0.2 r or more, it
/// is a hinge if it is no ball, or if √λ_min, the way along the axis, is less than twice the noise (η, or
/// what [`Points::noise`] says) or the off-axis angle √(λ_min - η)/r less than half a degree. Otherwise it is
/// insufficient; so is a method that is off the others where it need not be.
///
/// # Errors
/// Fewer than 4 points; points that are not finite, all in one place or on one line; a given noise
/// that is larger than the spread of the points; [`Method::Gander`] and [`Method::Lls`] where their
/// system has no unique solution.
///
/// # Reference
/// J. K. Knight (2008), *Rotation Points From Motion Capture Data Using a Closed Form Solution*,
/// its misprints corrected; SC-GDK and the rule are ours.
pub fn sphere<'a>(points: impl Into<Points<'a>>, method: Method) -> Result<SphereFit> {
    let points = points.into();
    let scaled = input::scaled(points.axes, 4)?;
    let moments = match method {
        Method::Igdk => {
            let [x, y, z] = scaled.points();
            Moments::from_rows((0..x.len()).map(|i| Vector3::new(x[i], y[i], z[i])))
        }
        _ => scaled.moments(),
    };
    let shape = input::spread_out(&Shape::from(&moments))?;
    let method_in_unit = method.in_unit(scaled.unit);
    let noise = points.noise.map(|noise| noise / scaled.unit / scaled.unit);
    let judged = Judged::of(&shape, Some(scaled.points()), noise.as_ref());
    let candidate = match method_in_unit {
        Method::Gander => Candidate::given(&shape, linear::gander(scaled.points()))?,
        Method::Lls => Candidate::given(&shape, linear::lls(scaled.points()))?,
        Method::Mle => {
            let found = geometric(scaled.points(), &shape, judged.sphere_in(&shape), MAX_STEPS);
            Candidate::iterated(&shape, &found)
        }
        Method::ScGdkPolished if judged.verdict == Verdict::Ball => {
            let found = polished(scaled.points(), &shape, judged.sphere_in(&shape));
            found.map_or(judged.sphere, |found| Candidate::iterated(&shape, &found))
        }
        method => closed_form(&shape, &judged, method, scaled.unit)?,
    };
    Ok(judged.fit(&shape, method, candidate).scaled_by(scaled.unit))
}

/// The same from moments alone, which may come from many blocks, trials or threads.
///
/// On a hinge what is across its plane is then taken for noise that has nothing to do with what is in it.
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
        return Err(Error::argument(format!("weights: need {needed}, one a point, got {got}")));
    }
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite() || **weight < 0.0) {
        return Err(Error::argument(format!(
            "weights: need finite numbers from 0 up, got {weight}"
        )));
    }
    // Only the ratios matter, and only those have squares that stay in range.
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let relative: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
    let mut moments = Moments::<3>::default();
    let [xs, ys, zs] = scaled.points();
    for (((x, y), z), weight) in xs.iter().zip(ys).zip(zs).zip(&relative) {
        moments.push_weighted(&Vector3::new(*x, *y, *z), *weight);
    }
    if moments.samples < 4 {
        return Err(Error::undetermined(format!(
            "weights: need 4 above 0, got {}",
            moments.samples
        )));
    }
    from_shape(&Shape::from(&moments), method, scaled.unit)
}

fn from_shape(shape: &Shape<3>, method: Method, unit: f64) -> Result<SphereFit> {
    if shape.samples < 4 {
        return Err(Error::undetermined(format!("points: need 4, got {}", shape.samples)));
    }
    if matches!(method, Method::Gander | Method::Lls | Method::Mle | Method::ScGdkPolished) {
        return Err(Error::argument(format!(
            "{method}: need the points themselves, got their moments"
        )));
    }
    input::in_range(shape)?;
    let shape = input::spread_out(shape)?;
    let judged = Judged::of(&shape, None, None);
    let candidate = closed_form(&shape, &judged, method.in_unit(unit), unit)?;
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
    fn given(shape: &Shape<3>, found: Option<(Vector3<f64>, f64)>) -> Result<Self> {
        let (centre, radius) = found.ok_or_else(|| {
            Error::undetermined("points: the linear system has no unique solution")
        })?;
        let offset = centre - shape.mean;
        let variance = shape.noise_variance(&offset, radius);
        Ok(Self { offset, radius, variance, converged: true })
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

fn closed_form(shape: &Shape<3>, judged: &Judged, method: Method, unit: f64) -> Result<Candidate> {
    Ok(match method {
        Method::Ugdk(noise) => known_noise(shape, &noise, unit)?,
        Method::Taubin => Candidate::of_family(shape, noise_root::TAUBIN).0,
        Method::Pratt => Candidate::of_family(shape, noise_root::PRATT).0,
        Method::Hyper => Candidate::of_family(shape, noise_root::HYPER).0,
        Method::ScGdk | Method::ScGdkPolished | Method::Igdk | Method::Sgdk => judged.sphere,
        Method::SgdkPrinted if judged.verdict != Verdict::Ball => in_plane(shape),
        _ => gdke(shape, shape.offset(0.0)),
    })
}

fn gdke(shape: &Shape<3>, offset: Vector3<f64>) -> Candidate {
    let radius = (shape.z + offset.norm_squared()).sqrt();
    let variance = shape.noise_variance(&offset, radius);
    Candidate { offset, radius, variance, converged: true }
}

/// SGDK (217), (218): the direction of least spread is left out.
fn in_plane(shape: &Shape<3>) -> Candidate {
    let [across, u, w] = shape.spectrum.values;
    let mut offset = Vector3::zeros();
    for (i, value) in [(1, u), (2, w)] {
        offset += shape.spectrum.vector(i) * (0.5 * shape.s_eigen[i] / value);
    }
    let radius = (u + w + offset.norm_squared()).max(0.0).sqrt();
    Candidate { offset, radius, variance: across.max(0.0) * shape.redundancy(), converged: true }
}

/// UGDK: C' = C - Σ, of which at least a tenth of the least spread must be left; a plane, where no noise
/// is to be taken off, is left out as in (217).
fn known_noise(shape: &Shape<3>, noise: &Noise, unit: f64) -> Result<Candidate> {
    let n = shape.n;
    let unbiased = n / (n - 1.0);
    let noise = noise.covariance();
    let c = shape.c * unbiased - noise;
    let spectrum = Spectrum::new(&c);
    let least = shape.spectrum.values[0] * unbiased;
    if spectrum.values[0].is_nan() || spectrum.values[0] < 0.1 * least - shape.floor {
        let sigma = (noise.trace() / 3.0).sqrt();
        return Err(too_much_noise(least * unit * unit, sigma * unit));
    }
    let s = spectrum.vectors.tr_mul(&(shape.s * unbiased));
    let mut offset = Vector3::zeros();
    for (i, value) in spectrum.values.iter().enumerate() {
        if *value > shape.floor {
            offset += spectrum.vector(i) * (0.5 * s[i] / value);
        }
    }
    let radius = ((n - 1.0) / n * c.trace() + offset.norm_squared()).max(0.0).sqrt();
    let variance = shape.noise_variance(&offset, radius);
    Ok(Candidate { offset, radius, variance, converged: true })
}

/// Refuses to take off more than nine tenths of the least spread, `least` as a variance.
pub(super) fn too_much_noise(least: f64, sigma: f64) -> Error {
    Error::undetermined(format!(
        "sigma: need less than {:.3e} for points that spread this little, got {sigma:.3e}",
        (0.9 * least.max(0.0)).sqrt(),
    ))
}

/// What the points allow to be said, whatever method then says it.
pub(super) struct Judged {
    pub verdict: Verdict,
    pub sphere: Candidate,
    shortfall: Option<Shortfall>,
    eta: f64,
    circle: Option<CircleFit>,
}

impl Judged {
    pub fn of(shape: &Shape<3>, points: Option<[&[f64]; 3]>, noise: Option<&Matrix3<f64>>) -> Self {
        let (sphere, eta) = Candidate::of_family(shape, self_calibrated::<3>());
        let excess = shape.spectrum.values[0] - eta;
        let shown = Shown {
            n: shape.n,
            eta,
            excess,
            floor: shape.floor,
            error: sphere.radius * (eta / (shape.n * excess)).sqrt(),
            radius: sphere.radius,
        };
        let across = Across::of(shape, noise);
        let (verdict, shortfall, circle) = judge(&shown, &across, || {
            let flat = match points {
                Some(points) => flattened(shape, points),
                None => shape.flattened(),
            };
            circle_of(shape, &flat, &across)
        });
        // Four points lie on some sphere, whatever they are.
        let (verdict, shortfall) = match shape.redundancy() > 0.0 {
            true => (verdict, shortfall),
            false => (Verdict::Insufficient, Some(Shortfall::Samples)),
        };
        Self { verdict, sphere, shortfall, eta, circle }
    }

    /// The self-calibrated sphere in the coordinates of the points: where iterations start.
    fn sphere_in(&self, shape: &Shape<3>) -> (Vector3<f64>, f64) {
        (shape.mean + self.sphere.offset, self.sphere.radius)
    }

    /// Whether a method is off in a way that the points give no reason for: further than a centre may
    /// err, and with a worse fit; bias alone makes none worse. The place along a hinge is any.
    fn is_astray(&self, shape: &Shape<3>, candidate: &Candidate) -> bool {
        let mut off = candidate.offset - self.sphere.offset;
        let (mut radius, mut variance) = (self.sphere.radius, self.sphere.variance);
        if let (Verdict::Hinge, Some(circle)) = (self.verdict, &self.circle) {
            let axis = circle.axis.direction;
            off = shape.mean + candidate.offset - circle.centre.coords;
            off -= axis.into_inner() * axis.dot(&off);
            (radius, variance) = (circle.radius, circle.sigma.powi(2));
        }
        let is_near = off.norm() <= MAX_RELATIVE_ERROR * radius;
        let is_as_good = candidate.variance <= 4.0 * variance;
        self.verdict != Verdict::Insufficient && !is_near && !is_as_good
    }

    /// The candidate with its evidence; hinge-aware methods take the circle where there is one.
    pub fn fit(&self, shape: &Shape<3>, method: Method, candidate: Candidate) -> SphereFit {
        let is_hinge = self.verdict == Verdict::Hinge;
        let is_calibrated =
            matches!(method, Method::ScGdk | Method::ScGdkPolished | Method::Igdk | Method::Sgdk);
        // The plane is all that SGDK looks at.
        let takes_circle =
            is_calibrated && (is_hinge || method == Method::Sgdk && self.verdict != Verdict::Ball);
        let excess = (shape.spectrum.values[0] - self.eta).max(0.0);
        let (radius, variance) = (candidate.radius, candidate.variance);
        let noise_ratio = self.eta / excess;
        let known = match is_calibrated {
            true => shape.covariance(self.eta, (&candidate.offset, radius), variance),
            false => shape.inverse(self.eta) * (variance * radius.powi(2) / shape.n),
        };
        let mut evidence = Evidence {
            sigma: variance.max(0.0).sqrt(),
            covariance: known + shape.open_directions(self.eta) * radius.powi(2),
            samples: shape.samples,
            smallest_eigenvalue: excess,
            coverage_rad: sphere_coverage_rad(excess / self.sphere.radius.powi(2)),
            noise_ratio,
            acceptance: Acceptance::of(noise_ratio),
            verdict: self.verdict,
            shortfall: self.shortfall,
            axis: None,
        };
        let (mut centre, mut radius) = (Point3::from(shape.mean + candidate.offset), radius);
        if let Some(circle) = &self.circle {
            if is_hinge {
                let Evidence { sigma, covariance, .. } = evidence;
                evidence = Evidence { sigma, covariance, ..circle.evidence };
            }
            if takes_circle || method == Method::SgdkPrinted {
                evidence.covariance = circle.covariance;
            }
            if takes_circle {
                (centre, radius, evidence.sigma) = (circle.centre, circle.radius, circle.sigma);
            }
        }
        if !takes_circle && self.is_astray(shape, &candidate) {
            evidence.verdict = Verdict::Insufficient;
            evidence.shortfall = Some(Shortfall::Method);
        }
        SphereFit { method, centre, radius, converged: candidate.converged, evidence }
    }
}

impl Method {
    /// The method for points divided by `unit`.
    fn in_unit(self, unit: f64) -> Self {
        match self {
            Self::Ugdk(Noise::Sigma(sigma)) => Self::Ugdk(Noise::Sigma(sigma / unit)),
            Self::Ugdk(Noise::Covariance(c)) => Self::Ugdk(Noise::Covariance(c / unit / unit)),
            method => method,
        }
    }
}

impl SphereFit {
    fn scaled_by(self, unit: f64) -> Self {
        Self {
            centre: self.centre * unit,
            radius: self.radius * unit,
            evidence: self.evidence.scaled_by(unit),
            ..self
        }
    }
}
