//! Misprints of the thesis and faults of its program, shown in numbers, with what is right.

use condyle::centre::{Method, Moments, Noise, sphere};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use crate::centre::bound;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use crate::spheres::{Cap, Cloud};
use condyle_page::terminal::table::short;

mod incremental;

/// Runs all of them.
pub fn run(lab: &Lab) -> Section {
    let cap = Cap { samples: 60, sigma: 0.02, radius: 1.2, ..Cap::default() };
    let cloud = cap.points(&mut lab.random(0, 0));
    let mut lines: Vec<Line> = [
        gander_sign(&cloud, &cap),
        determinant(&Cap { sigma: 0.0, radius: 2.0, ..cap }.points(&mut lab.random(0, 1))),
        eigenvector(60.0),
        radius_identity(&cloud),
        centre_identity(&cloud),
    ]
    .into_iter()
    .flatten()
    .collect();
    lines.extend(incremental::lines(lab));
    lines.extend(program_radius(lab));
    Section {
        text: vec![
            "Each line has the printed formula or the program's statement in the document's \
             column and what it should be in ours, both in numbers, on seeded points. Further \
             ones stand where they belong: (106), (182), (183) and (233) above, and in the \
             examples. (142), (161), (347), (349) and (351) need high moments and are left to \
             the literature; (237) and (245) concern the frames of segments."
                .into(),
        ],
        lines,
        ..Section::default()
    }
}

/// A misprint: what is printed must be off, what is right must not.
pub(super) fn misprint(
    what: &str,
    source: &str,
    [printed, right]: [String; 2],
    is_so: bool,
) -> Line {
    Line::new(what, source).compare(printed, right).corrected(is_so)
}

/// (8) has the sign of 2c wrong.
fn gander_sign(cloud: &Cloud, cap: &Cap) -> Option<Line> {
    let mut sum = SMatrix::<f64, 5, 5>::zeros();
    for x in cloud.rows() {
        let row = SVector::<f64, 5>::new(x.norm_squared(), x.x, x.y, x.z, 1.0);
        sum += row * row.transpose();
    }
    let eigen = sum.symmetric_eigen();
    let v = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
    let half = Vector3::new(v[1], v[2], v[3]) / (2.0 * v[0]);
    let [printed, right] = [half, -half].map(|centre| (centre - cap.centre).norm());
    let texts = [printed, right].map(|off| format!("centre off by {}", short(off)));
    Some(misprint("sign of 2c", "(8)", texts, printed > 1.0 && right < 0.1))
}

/// (22) has r to the power 2D + 2 instead of 2D.
fn determinant(truth: &Cloud) -> Option<Line> {
    let rows: Vec<Vector3<f64>> = truth.rows().collect();
    let (n, centre) = (rows.len() as f64, Cap::default().centre);
    let variance = 0.01;
    let general = bound::general(&rows, &centre, &(Matrix3::identity() * variance))?;
    let rho = || rows.iter().map(|x| x - centre);
    let r = rho().next()?.norm();
    let b = rho().map(|d| d * d.transpose()).sum::<Matrix3<f64>>() / n;
    let m = rho().sum::<Vector3<f64>>() / n;
    let alpha = 1.0 / (1.0 - m.dot(&(b.try_inverse()? * m)));
    let right = (variance / n).powi(4) * r.powi(6) * alpha / b.determinant();
    let printed = right * r * r;
    let measured = general.determinant();
    let texts = [printed, right].map(|value| format!("{:.6} of the determinant", value / measured));
    Some(misprint("power of r in |CRLB|", "(22)", texts, (right / measured - 1.0).abs() < 1e-8))
}

/// (49) has a wrong denominator.
fn eigenvector(degrees: f64) -> Option<Line> {
    let theta = degrees.to_radians();
    let (c, half) = (theta.cos(), (theta / 2.0).cos().powi(2));
    let inner = 131.0
        + 124.0 * c
        + 28.0 * (2.0 * theta).cos()
        + 4.0 * (3.0 * theta).cos()
        + (4.0 * theta).cos();
    let root = (2.0 * inner).sqrt();
    let first = -(2.0 + c) * (theta / 2.0).tan().powi(2) / 3.0;
    let printed = first + root / (12.0 * (1.0 - c) * half);
    let right = first + root / (24.0 * half);
    let truth = bound::cap(theta).eigen().alpha;
    let texts = [printed, right].map(|alpha| format!("α = {alpha:.6} at {degrees}°"));
    let is_so = (right - truth).abs() < 1e-9 && (printed - truth).abs() > 1e-3;
    Some(misprint("denominator of α", "(49)", texts, is_so).because(format!(
        "the eigenvector has α = {truth:.6}; the signs of α in (48) and (51) are exchanged as well"
    )))
}

/// s²(c, r²) of (73).
fn spread(cloud: &Cloud, centre: &Vector3<f64>, squared_radius: f64) -> f64 {
    let squares = cloud.rows().map(|x| ((x - centre).norm_squared() - squared_radius).powi(2));
    squares.sum::<f64>() / (cloud.axes()[0].len() as f64 - 1.0)
}

/// (76) lacks N/(N-1).
fn radius_identity(cloud: &Cloud) -> Option<Line> {
    let fit = sphere(cloud.axes(), Method::Gdke).ok()?;
    let (centre, r2) = (fit.centre.coords, fit.radius.powi(2));
    let other = r2 * 1.1;
    let left = spread(cloud, &centre, other) - spread(cloud, &centre, r2);
    let n = cloud.axes()[0].len() as f64;
    let printed = (other - r2).powi(2) / left;
    let right = printed * n / (n - 1.0);
    let texts = [printed, right].map(|ratio| format!("{ratio:.6} of the left side"));
    Some(misprint("factor N/(N-1)", "(76)", texts, (right - 1.0).abs() < 1e-8))
}

/// (87) lacks a factor 4.
fn centre_identity(cloud: &Cloud) -> Option<Line> {
    let fit = sphere(cloud.axes(), Method::Gdke).ok()?;
    let centre = fit.centre.coords;
    let step = Vector3::new(0.02, -0.03, 0.01);
    let moments = Moments::<3>::from_points(cloud.axes());
    // The radius of (75) goes with the centre.
    let squared = |c: &Vector3<f64>| {
        let n = moments.samples as f64;
        moments.a.trace() / n + (c - moments.mean).norm_squared()
    };
    let of = |c: Vector3<f64>| spread(cloud, &c, squared(&c));
    let left = of(centre + step) - of(centre);
    let printed = step.dot(&(moments.covariance() * step)) / left;
    let texts = [printed, 4.0 * printed].map(|ratio| format!("{ratio:.6} of the left side"));
    Some(misprint("factor 4", "(87)", texts, (4.0 * printed - 1.0).abs() < 1e-8))
}

/// 7.6.1 and 7.6.2 take (N-1)/N of a moment that is divided by N already.
fn program_radius(lab: &Lab) -> Option<Line> {
    let cap = Cap { samples: 20, radius: 1.2, ..Cap::default() };
    let cloud = cap.points(&mut lab.random(0, 2));
    let moments = Moments::<3>::from_points(cloud.axes());
    let centre = sphere(cloud.axes(), Method::Ugdk(Noise::Sigma(0.0))).ok()?.centre.coords;
    let n = moments.samples as f64;
    let (m2, offset) = (moments.a.trace() / n, (centre - moments.mean).norm_squared());
    let printed = ((n - 1.0) / n * m2 + offset).sqrt();
    let right = (m2 + offset).sqrt();
    let texts = [printed, right].map(|radius| format!("{radius:.6} for 1.2, N = 20, no noise"));
    Some(misprint("radius of the program", "7.6.1, 7.6.2", texts, (right - 1.2).abs() < 1e-9))
}
