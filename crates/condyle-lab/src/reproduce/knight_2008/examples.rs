//! The worked examples of the draft of 2005: a sphere and a circle, ten points each.

use condyle::centre::{Method, Moments, Spectrum, Verdict as Motion, sphere};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Data, Line, Section};
use crate::reproduce::statistics::{Estimate, controlled_mean};
use condyle_page::terminal::table::short;

const SPHERE: &str = include_str!("example-1.csv");
const CIRCLE: &str = include_str!("example-2.csv");

/// Centre and radius of both examples.
const TRUTH: [f64; 3] = [0.6, -0.2, 0.9];
const NORMAL: [f64; 3] = [0.1, 0.2, 0.974679];

/// What the document's six digits allow.
const TOLERANCE: f64 = 2e-6;
/// So many draws tell how far the rounding of the points moves an answer.
const ROUNDINGS: usize = 400;
/// So many standard deviations of that are still rounding.
const BY_ROUNDING: f64 = 4.0;

/// The points of an example.
#[derive(Debug, Clone, Default)]
struct Points {
    axes: [Vec<f64>; 3],
}

impl Points {
    fn parsed(csv: &str, mut shift: impl FnMut(f64) -> f64) -> Self {
        let mut points = Self::default();
        for line in csv.lines().skip(1) {
            for (axis, text) in points.axes.iter_mut().zip(line.split(',')) {
                let value = text.parse::<f64>().unwrap_or(f64::NAN);
                axis.push(value + shift(value));
            }
        }
        points
    }

    /// The points as printed.
    fn printed(csv: &str) -> Self {
        Self::parsed(csv, |_| 0.0)
    }

    /// Points that would be printed the same.
    fn unrounded(csv: &str, random: &mut ChaCha8Rng) -> Self {
        Self::parsed(csv, |value| rounding(value) * (2.0 * random.random::<f64>() - 1.0))
    }

    fn axes(&self) -> [&[f64]; 3] {
        self.axes.each_ref().map(Vec::as_slice)
    }

    fn rows(&self) -> impl Iterator<Item = Vector3<f64>> {
        (0..self.axes[0].len()).map(|i| Vector3::from_fn(|axis, _| self.axes[axis][i]))
    }

    fn mean_distance(&self, centre: &Vector3<f64>) -> f64 {
        let sum: f64 = self.rows().map(|x| (x - centre).norm()).sum();
        sum / self.axes[0].len() as f64
    }

    /// Σ(l - l̄)², which least squares makes small.
    fn cost(&self, centre: &Vector3<f64>) -> f64 {
        let mean = self.mean_distance(centre);
        self.rows().map(|x| ((x - centre).norm() - mean).powi(2)).sum()
    }

    /// The minimum variance method: A (2.1.3) and b (2.1.4), the centre, and the centre projected
    /// onto the mean plane.
    fn solved(&self) -> Solved {
        let moments = Moments::<3>::from_points(self.axes());
        let a = moments.covariance();
        // b of the draft is about the origin: ½S + C x̄ is the same about the mean.
        let b = moments.third() * 0.5 + a * moments.mean;
        let spectrum = Spectrum::new(&a);
        let centre = sphere(self.axes(), Method::Gdke)
            .map_or(Vector3::repeat(f64::NAN), |fit| fit.centre.coords);
        let axis = spectrum.vector(0);
        let projected = centre + axis * axis.dot(&(moments.mean - centre));
        let condition = spectrum.values[2] / spectrum.values[0];
        Solved { a, b, condition, centre, axis: axis * axis.z.signum(), projected }
    }
}

/// What the draft computes of an example.
struct Solved {
    a: Matrix3<f64>,
    b: Vector3<f64>,
    condition: f64,
    centre: Vector3<f64>,
    axis: Vector3<f64>,
    projected: Vector3<f64>,
}

impl Solved {
    /// The six different elements of A.
    fn upper(&self) -> [f64; 6] {
        let a = self.a;
        [a[(0, 0)], a[(0, 1)], a[(0, 2)], a[(1, 1)], a[(1, 2)], a[(2, 2)]]
    }
}

/// Compares printed numbers with ours: to their last digits, or as far as the rounding of the
/// printed points moves ours.
struct Comparer<'a> {
    example: &'static str,
    page: &'static str,
    csv: &'static str,
    random: &'a mut ChaCha8Rng,
    lines: Vec<Line>,
    data: Vec<Vec<String>>,
}

impl Comparer<'_> {
    fn compare<const N: usize>(
        &mut self,
        what: &str,
        document: [f64; N],
        ours: impl Fn(&Points) -> [f64; N],
    ) {
        let found = ours(&Points::printed(self.csv));
        let drawn: Vec<[f64; N]> =
            (0..ROUNDINGS).map(|_| ours(&Points::unrounded(self.csv, self.random))).collect();
        let off: [f64; N] = std::array::from_fn(|i| (found[i] - document[i]).abs());
        let moved: [f64; N] = std::array::from_fn(|i| deviation(drawn.iter().map(|d| d[i])));
        let is_near = |i: usize| off[i] <= TOLERANCE.max(rounding(document[i]));
        let is_rounding = |i: usize| off[i] <= BY_ROUNDING * moved[i] + rounding(document[i]);
        let is_all_near = (0..N).all(is_near);
        let is_so = (0..N).all(|i| is_near(i) || is_rounding(i));
        let largest = off.iter().copied().fold(0.0, f64::max);
        let why = match is_all_near {
            true => format!("off by {largest:.1e} at most"),
            false => format!(
                "off by {} at most; the rounding of the printed points alone moves it by {} (one \
                 standard deviation)",
                short(largest),
                short(moved.iter().copied().fold(0.0, f64::max))
            ),
        };
        let texts = [document, found].map(|numbers| numbers.map(as_printed).join(" "));
        let line = Line::new(format!("{}: {what}", self.example), self.page).texts(texts);
        self.lines.push(line.reproduced(is_so).because(why));
        for i in 0..N {
            let numbers = [document[i], found[i], moved[i]].map(|number| number.to_string());
            let mut row = vec![self.example.to_owned(), format!("{what} [{i}]")];
            row.extend(numbers);
            self.data.push(row);
        }
    }
}

fn deviation(values: impl Iterator<Item = f64>) -> f64 {
    let pairs: Vec<(f64, f64)> = values.map(|value| (value, 0.0)).collect();
    let Estimate { error, .. } = controlled_mean(&pairs);
    error * (pairs.len() as f64).sqrt()
}

/// The draft prints six significant digits, and drops zeros at the end.
const DIGITS: i32 = 6;

/// How many of them are decimals.
fn decimals(value: f64) -> i32 {
    DIGITS - 1 - value.abs().log10().floor() as i32
}

/// Half a unit of the last digit.
fn rounding(value: f64) -> f64 {
    0.5 * 10f64.powi(-decimals(value))
}

fn as_printed(value: f64) -> String {
    format!("{value:.*}", decimals(value).clamp(0, 12) as usize)
}

fn from_truth(centre: &Vector3<f64>) -> f64 {
    (centre - Vector3::from(TRUTH)).norm()
}

/// Runs both examples.
pub fn run(lab: &Lab) -> Section {
    let mut random = lab.random(0, 0);
    let mut comparer = Comparer {
        example: "example 1",
        page: "2005, p. 14",
        csv: SPHERE,
        random: &mut random,
        lines: Vec::new(),
        data: Vec::new(),
    };
    a_sphere(&mut comparer);
    (comparer.example, comparer.page, comparer.csv) = ("example 2", "2005, p. 16", CIRCLE);
    a_circle(&mut comparer);
    let (mut lines, data) = (comparer.lines, comparer.data);
    lines.push(not_a_minimum());
    lines.push(unassigned_mean());
    lines.push(hinge_by_itself());
    let header = "example quantity printed ours moved_by_rounding";
    Section {
        text: vec![
            "Ten points on a sphere and ten on a circle, printed to six digits. Where a figure \
             is ill-conditioned the last digit of the points decides it: there, ours is computed \
             from 400 sets of points that would all be printed the same, and the spread is \
             shown."
                .into(),
        ],
        lines,
        data: vec![Data::new("examples", header, data)],
        ..Section::default()
    }
}

fn a_sphere(comparer: &mut Comparer) {
    let matrix = [0.540464, 0.0639822, -0.0671881, 0.462403, 0.0550300, 0.459960];
    comparer.compare("A (2.1.3)", matrix, |points| points.solved().upper());
    let vector = [0.251491, 0.00024245, 0.362261];
    comparer.compare("b (2.1.4)", vector, |points| points.solved().b.into());
    comparer.compare("condition of A", [1.63852], |points| [points.solved().condition]);
    let centre = [0.599337, -0.189249, 0.897781];
    comparer.compare("centre, minimum variance", centre, |points| points.solved().centre.into());
    comparer.compare("its L, the mean distance, and error", [1.19811, 0.0109972], |points| {
        let centre = points.solved().centre;
        [points.mean_distance(&centre), from_truth(&centre)]
    });
    let centre = [0.599084, -0.189018, 0.89785];
    comparer.compare("centre, least squares", centre, |points| least_squares(points).into());
    comparer.compare("its L and error", [1.19818, 0.0112276], |points| {
        let centre = least_squares(points);
        [points.mean_distance(&centre), from_truth(&centre)]
    });
}

fn least_squares(points: &Points) -> Vector3<f64> {
    let fit = sphere(points.axes(), Method::Mle);
    fit.map_or(Vector3::repeat(f64::NAN), |fit| fit.centre.coords)
}

fn a_circle(comparer: &mut Comparer) {
    let matrix = [1.02288, 0.110289, -0.129224, 0.448177, -0.100884, 0.0336710];
    comparer.compare("A (2.1.3)", matrix, |points| points.solved().upper());
    let vector = [0.475661, -0.119367, -0.0260505];
    comparer.compare("b (2.1.4)", vector, |points| points.solved().b.into());
    comparer.compare("condition of A", [67184.8], |points| [points.solved().condition]);
    let centre = [0.700154, -0.0243642, 1.8404];
    comparer.compare("centre, minimum variance", centre, |points| points.solved().centre.into());
    comparer.compare("its L, the mean distance, and error", [1.534, 0.961886], |points| {
        let centre = points.solved().centre;
        [points.mean_distance(&centre), from_truth(&centre)]
    });
    // The sign of a null vector is anybody's.
    let axis = [0.102284, 0.194435, 0.975568];
    comparer.compare("null vector, its sign aside", axis, |points| points.solved().axis.into());
    comparer.compare("its error", [0.0060804], |points| {
        [(points.solved().axis - Vector3::from(NORMAL)).norm()]
    });
    let centre = [0.60204, -0.210872, 0.904606];
    comparer.compare("centre, projected", centre, |points| points.solved().projected.into());
    comparer.compare("its L and error", [1.19708, 0.0119822], |points| {
        let centre = points.solved().projected;
        [points.mean_distance(&centre), from_truth(&centre)]
    });
}

/// The least-squares sphere of example 2.
fn not_a_minimum() -> Line {
    let points = Points::printed(CIRCLE);
    let document = Vector3::new(0.60523, -0.204356, 0.936388);
    let found = least_squares(&points);
    let [theirs, ours] = [document, found].map(|centre| points.cost(&centre));
    Line::new("example 2: centre, least squares", "2005, p. 16")
        .compare(
            <[f64; 3]>::from(document).map(as_printed).join(" "),
            <[f64; 3]>::from(found).map(as_printed).join(" "),
        )
        .reproduced((found - document).norm() < TOLERANCE)
        .because(format!(
            "what is printed is no minimum: Σ(l-r)² is {theirs:.3e} there and {ours:.3e} at ours. \
         Ten points on a circle do not determine a sphere; an iteration was stopped on its way"
        ))
}

/// The program of 2008 projects with a mean that is never assigned: through the origin.
fn unassigned_mean() -> Line {
    let solved = Points::printed(CIRCLE).solved();
    let wrong = solved.centre - solved.axis * solved.axis.dot(&solved.centre);
    let [wrong, right] = [wrong, solved.projected].map(|centre| from_truth(&centre));
    let texts = [wrong, right].map(|error| format!("off by {error:.4}"));
    Line::new("example 2: the projection of the program", "7.6.4")
        .texts(texts)
        .corrected(wrong > 0.1)
        .because("the vector p is never assigned; through the mean of the points it is right")
}

/// The default method sees the hinge without being told.
fn hinge_by_itself() -> Line {
    let points = Points::printed(CIRCLE);
    let fit = sphere(points.axes(), Method::ScGdk);
    let (ours, is_so) = match fit {
        Ok(fit) => {
            let error = from_truth(&fit.centre.coords);
            let text = format!("{}, centre off by {error:.4}", fit.verdict.name());
            (text, fit.verdict == Motion::Hinge && error < 0.0119822 + TOLERANCE)
        }
        Err(error) => (error.to_string(), false),
    };
    Line::new("example 2: SC-GDK sees the hinge", "7.6.4")
        .compare("condition above 100 (2005) or 10000 (2008)", ours)
        .holds(is_so)
        .because(
            "wanted: a hinge, found without a threshold, at least as near as the projected centre",
        )
}
