//! IGDK: recurrences (229) and (230), and the program of 7.6.2.

use condyle::centre::{Method, Moments, Noise, sphere};
use nalgebra::{Matrix3, Point3, Vector3};

use super::misprint;
use crate::centre::Recurrence;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::Line;
use crate::spheres::Cap;

const START: usize = 20;
const SAMPLES: usize = 3000;
const SIGMA: f64 = 0.025;
/// After so many points the program is looked at.
const LOOKS: [usize; 3] = [25, 220, SAMPLES];

pub(super) fn lines(lab: &Lab) -> Vec<Line> {
    let cap = Cap { samples: SAMPLES, theta_deg: 70.0, sigma: SIGMA, ..Cap::default() };
    let rows: Vec<Vector3<f64>> = cap.points(&mut lab.random(0, 3)).rows().collect();
    let found = [inverse(&rows), third(&rows), centre(&rows), unbiased(&rows)];
    found.into_iter().flatten().collect()
}

fn moments(rows: &[Vector3<f64>]) -> Moments<3> {
    Moments::from_rows(rows.iter().copied())
}

fn centre_of(rows: &[Vector3<f64>], method: Method) -> Option<Vector3<f64>> {
    let axes = [0, 1, 2].map(|axis| rows.iter().map(|x| x[axis]).collect::<Vec<f64>>());
    Some(sphere(axes.each_ref().map(Vec::as_slice), method).ok()?.centre.coords)
}

/// (229) has a plus for a minus.
fn inverse(rows: &[Vector3<f64>]) -> Option<Line> {
    let begin = moments(&rows[..START]);
    let mut inverses = [begin.covariance().try_inverse()?; 2];
    let mut mean = begin.mean;
    for (n, x) in (START..).zip(&rows[START..100]) {
        let n = n as f64;
        mean += (x - mean) / (n + 1.0);
        let delta = x - mean;
        for (inverse, sign) in inverses.iter_mut().zip([1.0, -1.0]) {
            let b = *inverse * delta;
            let divisor = n * (n - 1.0) / (n + 1.0) + delta.dot(&b);
            *inverse = (*inverse + b * b.transpose() * (sign / divisor)) * (n / (n - 1.0));
        }
    }
    let truth = moments(&rows[..100]).covariance().try_inverse()?;
    let off = inverses.map(|inverse| (inverse - truth).norm() / truth.norm());
    let texts = off.map(|off| format!("C⁻¹ off by {off:.1e} after 80 points"));
    Some(misprint("sign in the recurrence of C⁻¹", "(229)", texts, off[1] < 1e-10 && off[0] > 0.1))
}

/// (230) is right as printed.
fn third(rows: &[Vector3<f64>]) -> Option<Line> {
    let begin = moments(&rows[..START]);
    let (mut mean, mut c, mut s) = (begin.mean, begin.covariance(), begin.third());
    for (n, x) in (START..).zip(&rows[START..]) {
        let n = n as f64;
        mean += (x - mean) / (n + 1.0);
        let d = x - mean;
        c = c * ((n - 1.0) / n) + d * d.transpose() * ((n + 1.0) / (n * n));
        let inner = c * -2.0 - Matrix3::identity() * c.trace()
            + d * d.transpose() * ((n + 1.0) * (n + 2.0) / (n * n));
        s = s * ((n - 1.0) / n) + inner * d / n;
    }
    let truth = moments(rows).third();
    let off = (s - truth).norm() / truth.norm();
    let texts = ["exact".into(), format!("off by {off:.1e} after 3000 points")];
    Some(Line::new("recurrence of S", "(230)").texts(texts).reproduced(off < 1e-11))
}

/// The program of 7.6.2.
struct Program {
    n: f64,
    mean: Vector3<f64>,
    moment_2: f64,
    inverse: Matrix3<f64>,
    centre: Vector3<f64>,
}

impl Program {
    /// As 7.6.1 begins it; the noise is taken off the diagonal, as was meant.
    fn started(rows: &[Vector3<f64>], sigma: f64) -> Option<Self> {
        let start = moments(rows);
        let c = start.covariance() - Matrix3::identity() * (sigma * sigma);
        let inverse = c.try_inverse()?;
        let n = start.samples as f64;
        let centre = start.mean + inverse * start.third() * 0.5;
        Some(Self { n, mean: start.mean, moment_2: start.a.trace() / n, inverse, centre })
    }

    fn push(&mut self, x: &Vector3<f64>) {
        let n = self.n;
        self.mean += (x - self.mean) / (n + 1.0);
        let d = x - self.mean;
        let square = d.norm_squared();
        let b = self.inverse * d;
        self.moment_2 += ((n + 1.0) / n * square - self.moment_2) / (n + 1.0);
        let divisor = (n - 1.0) * (n / (n + 1.0)) + d.dot(&b);
        self.inverse += (self.inverse - b * b.transpose() * (n / divisor)) / (n - 1.0);
        let excess = d.dot(&(x - self.centre)) - 0.5 * (self.moment_2 + square);
        self.centre += self.inverse * d * (excess / (n + 1.0));
        self.n += 1.0;
    }
}

/// The centre is only approximately carried along.
fn centre(rows: &[Vector3<f64>]) -> Option<Line> {
    let mut program = Program::started(&rows[..START], 0.0)?;
    let mut exact = Recurrence::from_start(&moments(&rows[..START]))?;
    let mut drifts = Vec::new();
    let mut most = 0f64;
    for (n, x) in (START + 1..).zip(&rows[START..]) {
        program.push(x);
        // Points that are finite are always taken.
        exact.push(&Point3::from(*x));
        if LOOKS.contains(&n) {
            let batch = centre_of(&rows[..n], Method::Gdke)?;
            drifts.push(format!("{:.0e}", (program.centre - batch).norm()));
            most = most.max((exact.centre().coords - batch).norm());
        }
    }
    let texts = [
        format!("off by {} at n = 25, 220, 3000", drifts.join(", ")),
        format!("{most:.0e} with (|a-c|² - r²)/(2n)"),
    ];
    Some(misprint("centre of the program, from batch GDKE", "7.6.2", texts, most < 1e-10))
}

/// The noise is taken off at the start and never again.
fn unbiased(rows: &[Vector3<f64>]) -> Option<Line> {
    let mut program = Program::started(&rows[..START], SIGMA)?;
    rows[START..].iter().for_each(|x| program.push(x));
    let mut right = Moments::<3>::default();
    rows.iter().for_each(|x| right.push(x));
    let method = Method::Ugdk(Noise::Sigma(SIGMA));
    let unbiased = centre_of(rows, method)?;
    let ours = condyle::centre::sphere_from_moments(&right, method).ok()?.centre.coords;
    let biased = centre_of(rows, Method::Gdke)?;
    let [from_unbiased, from_biased] = [unbiased, biased].map(|c| (program.centre - c).norm());
    let off = (ours - unbiased).norm();
    let texts = [
        format!("{from_unbiased:.4} from UGDK, {from_biased:.4} from GDKE"),
        format!("{off:.0e} from UGDK, moments kept raw"),
    ];
    let is_so = off < 1e-10 && from_biased < from_unbiased;
    Some(
        misprint("unbiased IGDK of the program, n = 3000", "(228), 7.6.2", texts, is_so)
            .because("the updates never take off Σ/n: the answer decays to the biased one"),
    )
}
