//! The centre that points rotate about, with its evidence, as JSON.

use condyle::centre::known_sphere::Calibrated;
use condyle::centre::{
    CylinderAxis, Evidence, ManyMethod, Method, Noise, circle, cylinder, plane, sphere,
    sphere_many, sphere_robust,
};
use nalgebra::{Matrix3, Point3};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays;
use crate::error::{Answer, wrong};

/// Points that are there, one list an axis.
fn axes(array: &PyReadonlyArray2<'_, f64>) -> Answer<[Vec<f64>; 3]> {
    let points: Vec<Point3<f64>> = arrays::points(array)?.into_iter().flatten().collect();
    Ok([0, 1, 2].map(|axis| points.iter().map(|at| at[axis]).collect()))
}

/// A method by its name on the command line.
fn method(name: &str, sigma: Option<f64>) -> Answer<Method> {
    const PLAIN: [Method; 12] = [
        Method::Gdke,
        Method::ScGdk,
        Method::ScGdkPolished,
        Method::Sgdk,
        Method::SgdkPrinted,
        Method::Taubin,
        Method::Pratt,
        Method::Hyper,
        Method::Gander,
        Method::Lls,
        Method::Mle,
        Method::Igdk,
    ];
    match (name, sigma) {
        ("auto", _) => Ok(Method::default()),
        ("ugdk", Some(sigma)) => Ok(Method::Ugdk(Noise::Sigma(sigma))),
        ("ugdk", None) => Err(wrong("sigma: need the noise of the points for ugdk, got none")),
        _ => PLAIN.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let names = PLAIN.map(|method| method.name()).join(", ");
            wrong(format!("method: need auto, ugdk, {names}; got '{name}'"))
        }),
    }
}

fn rows(matrix: &Matrix3<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn evidence(own: &Evidence) -> Value {
    json!({
        "sigma": own.sigma,
        "covariance": rows(&own.covariance),
        "samples": own.samples,
        "smallest_eigenvalue": own.smallest_eigenvalue,
        "coverage_rad": own.coverage_rad,
        "noise_ratio": own.noise_ratio,
        "acceptance": own.acceptance.name(),
        "verdict": own.verdict.name(),
        "axis": own.axis.map(|axis| axis.direction.into_inner().data.0[0]),
        "axis_standard_error_rad": own.axis.map(|axis| axis.standard_error_rad),
        "standard_error": own.standard_error(),
    })
}

fn with(mut evidence: Value, fields: Value) -> String {
    if let (Value::Object(all), Value::Object(fields)) = (&mut evidence, fields) {
        all.extend(fields);
    }
    evidence.to_string()
}

fn at(point: &Point3<f64>) -> [f64; 3] {
    [point.x, point.y, point.z]
}

/// The centre of one marker's points; skin carries it by `soft_tissue_m`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "Python says them by name")]
#[pyo3(signature = (points, shape, method, sigma=None, robust=false, soft_tissue_m=0.0, known_radius=None, known_centre=None))]
pub fn centre(
    py: Python<'_>,
    points: &Bound<'_, numpy::PyArray2<f64>>,
    shape: &str,
    method: &str,
    sigma: Option<f64>,
    robust: bool,
    soft_tissue_m: f64,
    known_radius: Option<f64>,
    known_centre: Option<[f64; 3]>,
) -> Answer<String> {
    use numpy::PyArrayMethods;
    let all = axes(&points.readonly())?;
    let axes = all.each_ref().map(Vec::as_slice);
    if shape != "sphere" && (method != "auto" || robust || sigma.is_some()) {
        return Err(wrong(format!("method, sigma and robust: need shape sphere, got '{shape}'")));
    }
    Ok(match shape {
        "sphere" => {
            let method = self::method(method, sigma)?;
            let (fit, rejected) = py.detach(|| match robust {
                true => sphere_robust(axes, method).map(|own| (own.fit, own.rejected.len())),
                false => sphere(axes, method).map(|fit| (fit, 0)),
            })?;
            let fit = fit.with_soft_tissue(soft_tissue_m);
            let (centre, radius, converged) = (at(&fit.centre), fit.radius, fit.converged);
            let known_centre = known_centre.map(Point3::from);
            let noise = known_radius
                .and_then(|radius| Calibrated::of(axes, radius, known_centre, Some(fit.centre)));
            let fields = json!({ "method": fit.method.name(), "centre": centre, "radius": radius,
                "converged": converged, "rejected": rejected,
                "known_radius_sigma": noise.map(|own| own.radial_sigma),
                "known_radius_sigma_standard_error": noise.map(|own| own.radial_standard_error),
                "known_radius_sigma_by_177": noise.and_then(|own| own.trace_sigma) });
            with(evidence(&fit.evidence), fields)
        }
        "circle" => {
            let fit = py.detach(|| circle(axes))?.with_soft_tissue(soft_tissue_m);
            let fields = json!({ "centre": at(&fit.centre), "radius": fit.radius });
            with(evidence(&fit.evidence), fields)
        }
        "plane" => {
            let fit = py.detach(|| plane(axes))?;
            let normal = fit.normal.direction.into_inner().data.0[0];
            json!({ "centre": at(&fit.point), "axis": normal, "sigma": fit.sigma,
                "axis_standard_error_rad": fit.normal.standard_error_rad,
                "covariance": rows(&fit.covariance), "samples": fit.samples })
            .to_string()
        }
        "cylinder" => {
            let fit = py.detach(|| cylinder(axes, CylinderAxis::Free))?;
            let axis = fit.axis.direction.into_inner().data.0[0];
            json!({ "centre": at(&fit.point), "axis": axis, "sigma": fit.sigma,
                "axis_standard_error_rad": fit.axis.standard_error_rad, "radius": fit.radius,
                "radius_standard_error": fit.radius_standard_error,
                "verdict": fit.verdict.name(), "converged": fit.converged,
                "covariance": rows(&fit.covariance), "samples": fit.samples })
            .to_string()
        }
        _ => {
            let what = "shape: need sphere, circle, plane or cylinder, got";
            return Err(wrong(format!("{what} '{shape}'")));
        }
    })
}

/// The centre that several markers share.
#[pyfunction]
#[pyo3(signature = (markers, method, sigma=None, soft_tissue_m=0.0))]
pub fn centre_many(
    py: Python<'_>,
    markers: Vec<PyReadonlyArray2<'_, f64>>,
    method: &str,
    sigma: Option<f64>,
    soft_tissue_m: f64,
) -> Answer<String> {
    let method = match (method, sigma) {
        ("auto" | "mgdk" | "sc-gdk", _) => ManyMethod::SelfCalibrated,
        ("gdke", _) => ManyMethod::Plain,
        ("ugdk", Some(sigma)) => ManyMethod::Unbiased { sigma },
        _ => {
            let what = "several markers: need method mgdk, sc-gdk, gdke, or ugdk with sigma; got";
            return Err(wrong(format!("{what} '{method}'")));
        }
    };
    let all = markers.iter().map(axes).collect::<Answer<Vec<_>>>()?;
    let all: Vec<[&[f64]; 3]> = all.iter().map(|axes| axes.each_ref().map(Vec::as_slice)).collect();
    let fit = py.detach(|| sphere_many(&all, method))?.with_soft_tissue(soft_tissue_m);
    let fields = json!({ "centre": at(&fit.centre), "radii": fit.radii,
        "disagreement": fit.disagreement });
    Ok(with(evidence(&fit.evidence), fields))
}
