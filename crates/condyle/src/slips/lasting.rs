//! Whether a marker sits elsewhere among its mates from an instant on, and not for a moment only.

use nalgebra::{DMatrix, DVector, Isometry3, Point3, Vector3};

use super::Looked;
use crate::order;
use crate::rigid::{Pair, Shape, Traces, place};
use crate::statistics::{median, rms};

/// So many mates carry the frame that a marker is seen in: those that tell most are taken.
const CARRIERS: [usize; 3] = [4, 6, 8];
const LEAST_CARRIERS: usize = 3;
/// A carrier is seen in this share of what its marker is seen in.
const LEAST_SEEN: f64 = 0.7;
/// Samples a second that are enough here.
const SAMPLES_PER_S: f64 = 25.0;
/// How long before and after is compared, in seconds.
const WINDOWS_S: [f64; 3] = [1.5, 4.0, 12.0];
/// And so many samples at least on either side.
const LEAST_SAMPLES: usize = 12;
/// So many ways of how the carriers move against each other are taken off: joints turn, and skin with them.
const WAYS: usize = 8;
const SQUARES: usize = 2;
/// Ways that go less far than this, one standard deviation in metres, are noise.
const LEAST_WAY_M: f64 = 5e-4;
/// Less than this of a step is left beside the ways: they explain it.
const LEAST_INFORMATION: f64 = 0.5;
/// Steps are looked for at so many other instants, not nearer than this in seconds.
const ELSEWHERE: usize = 9;
const APART_S: f64 = 0.4;
/// The share of a shift that stays varies by so much beside what the samples show, one standard deviation.
const SHARE_SD: f64 = 0.15;
/// Where no jump tells, so many windows do, and all carriers say that it sits elsewhere, by so many standard deviations.
const LEAST_WINDOWS: usize = 2;
const LEAST_SDS_BY_ANY: f64 = 3.0;
/// Neighbouring samples tell of each other at least by this: an independent one comes every so many.
const LEAST_APART: f64 = 2.0;

/// How a marker sits among its mates, over the recording.
pub(super) struct Sitting {
    /// Samples of the recording from one to the next.
    step: usize,
    per_s: f64,
    seen: Vec<Option<Sample>>,
}

/// A sample: the marker in the frame that its mates carry, how these are bent, and where the frame is.
struct Sample {
    own_m: Vector3<f64>,
    bent_m: Vec<f64>,
    world_from_carriers: Isometry3<f64>,
}

/// The share of a shift that is there after an instant and was not before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Staying {
    /// 1 of a shift that stays, 0 of one that does not.
    pub share: f64,
    pub sd: f64,
}

/// How far a marker sits from where it sat, in the frame of its mates, and one standard deviation along every axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moved {
    pub shift_m: Vector3<f64>,
    pub sd_m: Vector3<f64>,
}

impl Moved {
    /// How many standard deviations it is.
    pub fn sds(&self) -> f64 {
        self.shift_m.component_div(&self.sd_m).norm()
    }

    /// The share of it that stays: all, as well as it is known.
    pub fn stays(&self) -> Staying {
        Staying { share: 1.0, sd: self.sds().max(f64::MIN_POSITIVE).recip() }
    }

    /// Its standard deviation in its own direction, in metres.
    fn own_sd_m(&self) -> f64 {
        self.shift_m.norm() / self.sds().max(f64::MIN_POSITIVE)
    }
}

impl Staying {
    /// How much likelier it is that all of it stays than that nothing does, as a logarithm.
    pub fn gain(&self) -> f64 {
        let variance = self.sd * self.sd + SHARE_SD * SHARE_SD;
        (2.0 * self.share - 1.0) / (2.0 * variance)
    }
}

/// Some samples of the mates.
struct Carriers<'a> {
    looked: &'a Looked,
    step: usize,
}

impl Traces for Carriers<'_> {
    fn frames(&self) -> usize {
        self.looked.places_m.first().map_or(0, Vec::len).div_ceil(self.step)
    }

    fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
        self.looked.places_m[marker][frame * self.step]
    }
}

impl Sitting {
    /// Every way to see it: of a marker with too few mates there is none.
    pub fn all(looked: &Looked, own: usize) -> Vec<Self> {
        CARRIERS.iter().filter_map(|count| Self::of(looked, own, *count)).collect()
    }

    fn of(looked: &Looked, own: usize, count: usize) -> Option<Self> {
        let step = ((looked.rate_hz / SAMPLES_PER_S) as usize).max(1);
        let traces = Carriers { looked, step };
        let own_at = |frame: usize| traces.position_m(frame, own);
        let seen = |marker: usize| {
            let both = |frame: &usize| {
                own_at(*frame).is_some() && traces.position_m(*frame, marker).is_some()
            };
            (0..traces.frames()).filter(both).count() as f64
        };
        let least = LEAST_SEEN * seen(own);
        let often = looked.mates[own].iter().copied().filter(|mate| seen(*mate) >= least);
        let carriers: Vec<usize> = often.take(count).collect();
        if carriers.len() < LEAST_CARRIERS {
            return None;
        }
        let shape = Shape::learn(&traces, &carriers)?;
        let sample = |frame: usize| {
            let own_m = own_at(frame)?;
            let all_m: Option<Vec<Point3<f64>>> =
                carriers.iter().map(|carrier| traces.position_m(frame, *carrier)).collect();
            let all_m = all_m?;
            let known = shape.points_in_segment_m.iter().zip(&shape.weights).zip(&all_m);
            let pairs = known.map(|((in_segment_m, weight), in_world_m)| Pair {
                in_segment_m: *in_segment_m,
                in_world_m: *in_world_m,
                weight: *weight,
            });
            let world_from_carriers = place(pairs)?.world_from_segment;
            let inside_m =
                |place_m: &Point3<f64>| world_from_carriers.inverse_transform_point(place_m).coords;
            let bent = all_m.iter().zip(&shape.points_in_segment_m);
            let bent_m = bent.flat_map(|(place_m, usual_m)| {
                let off_m = inside_m(place_m) - usual_m.coords;
                [off_m.x, off_m.y, off_m.z]
            });
            let bent_m = bent_m.collect();
            Some(Sample { own_m: inside_m(&own_m), bent_m, world_from_carriers })
        };
        let seen = (0..traces.frames()).map(sample).collect();
        Some(Self { step, per_s: looked.rate_hz / step as f64, seen })
    }

    /// Which share of a shift at a sample of the recording stays, by every window, in the order of these; `None` of one
    /// that has too few samples.
    ///
    /// # Method
    /// In the frame of its mates a marker is at r(t) = a + B z(t) + s v H(t - t0) + e: the principal ways z in which
    /// the mates move against each other take off what joints and skin do; v is the shift. s is found by least squares;
    /// its variance counts only samples that do not follow from those before.
    pub fn staying(&self, at: usize, shift_m: &Vector3<f64>) -> [Option<Staying>; WINDOWS_S.len()] {
        let at = at.div_ceil(self.step);
        let nearest = |index: &usize| index.abs_diff(at);
        let near =
            (0..self.seen.len()).filter(|index| self.seen[*index].is_some()).min_by_key(nearest);
        let Some(sample) = near.and_then(|index| self.seen[index].as_ref()) else {
            return Default::default();
        };
        let shift_m = sample.world_from_carriers.rotation.inverse() * shift_m;
        let size_m = shift_m.norm();
        let Some(along) = shift_m.try_normalize(0.0) else { return Default::default() };
        WINDOWS_S.map(|window_s| {
            let (step_m, sd_m) = Window::new(self, at, window_s)?.step_along(&along)?;
            Some(Staying { share: step_m / size_m, sd: sd_m / size_m })
        })
    }

    /// How far the marker sits from where it sat before a sample of the recording.
    fn moved(&self, at: usize, window_s: f64) -> Option<Moved> {
        let window = Window::new(self, at.div_ceil(self.step), window_s)?;
        let along = |axis: Vector3<f64>| window.step_along(&axis);
        let (x, y, z) = (along(Vector3::x())?, along(Vector3::y())?, along(Vector3::z())?);
        Some(Moved { shift_m: Vector3::new(x.0, y.0, z.0), sd_m: Vector3::new(x.1, y.1, z.1) })
    }
}

/// Samples before and after an instant, and what explains where the marker sits in them.
struct Window<'a> {
    samples: Vec<(usize, &'a Sample)>,
    /// 0 before the instant, 1 after it.
    step: DVector<f64>,
    /// Such steps at other instants.
    elsewhere: Vec<DVector<f64>>,
    /// Orthogonal columns: what explains where it sits, and the same with the step.
    usual: DMatrix<f64>,
    with_step: DMatrix<f64>,
}

impl<'a> Window<'a> {
    /// `None` with too few samples before or after.
    fn new(sitting: &'a Sitting, at: usize, window_s: f64) -> Option<Self> {
        let count = (window_s * sitting.per_s) as usize;
        let range = at.saturating_sub(count)..(at + count).min(sitting.seen.len());
        let samples: Vec<(usize, &Sample)> =
            range.filter_map(|index| Some((index, sitting.seen[index].as_ref()?))).collect();
        let is_told = |at: usize| {
            let after = samples.iter().filter(|(index, _)| *index >= at).count();
            after.min(samples.len() - after) >= LEAST_SAMPLES
        };
        if !is_told(at) {
            return None;
        }
        let step = |at: usize| {
            let is_after = |index: usize| if index >= at { 1.0 } else { 0.0 };
            DVector::from_iterator(samples.len(), samples.iter().map(|(index, _)| is_after(*index)))
        };
        let design = design(&samples);
        let with_step = {
            let mut with_step = design.clone().insert_column(0, 0.0);
            with_step.set_column(0, &step(at));
            base(with_step)
        };
        let (first, last) = (samples[0].0, samples[samples.len() - 1].0);
        let elsewhere = (1..ELSEWHERE).map(|part| first + (last - first) * part / ELSEWHERE);
        let apart = (APART_S * sitting.per_s) as usize;
        let elsewhere = elsewhere.filter(|other| other.abs_diff(at) > apart && is_told(*other));
        let elsewhere = elsewhere.map(step).collect();
        Some(Self { step: step(at), elsewhere, usual: base(design), with_step, samples })
    }

    /// The step along a direction, and its standard deviation.
    fn step_along(&self, along: &Vector3<f64>) -> Option<(f64, f64)> {
        let place_m = DVector::from_iterator(
            self.samples.len(),
            self.samples.iter().map(|(_, sample)| sample.own_m.dot(along)),
        );
        let (step_m, sd_m) = coefficient(&self.usual, &self.step, &place_m)?;
        // What steps at other instants come to, that nobody took: one standard deviation, if all is well.
        let sds = self.elsewhere.iter().filter_map(|step| {
            let (step_m, sd_m) = coefficient(&self.with_step, step, &place_m)?;
            Some(step_m / sd_m)
        });
        let wider = rms(sds.collect::<Vec<f64>>()).unwrap_or(1.0).max(1.0);
        Some((step_m, wider * sd_m))
    }
}

/// Orthogonal columns that span those of a design.
fn base(design: DMatrix<f64>) -> DMatrix<f64> {
    design.qr().q()
}

/// How much of a column is in the values beside a design, and its standard deviation.
fn coefficient(
    orthogonal: &DMatrix<f64>,
    column: &DVector<f64>,
    values: &DVector<f64>,
) -> Option<(f64, f64)> {
    // What the design explains is taken off.
    let rest = |values: &DVector<f64>| values - orthogonal * orthogonal.tr_mul(values);
    let (column, values) = (rest(column), rest(values));
    let information = column.norm_squared();
    if information < LEAST_INFORMATION {
        return None;
    }
    let size = column.dot(&values) / information;
    let left = &values - &column * size;
    let free = (values.len() as f64 - orthogonal.ncols() as f64 - 1.0).max(1.0);
    let square = left.norm_squared();
    let lagged: f64 = left.as_slice().windows(2).map(|pair| pair[0] * pair[1]).sum();
    let correlation = (lagged / square.max(f64::MIN_POSITIVE)).clamp(0.0, 0.95);
    let apart = ((1.0 + correlation) / (1.0 - correlation)).max(LEAST_APART);
    Some((size, (square / free * apart / information).sqrt().max(f64::MIN_POSITIVE)))
}

/// A constant, and the principal ways in which the mates move against each other.
fn design(samples: &[(usize, &Sample)]) -> DMatrix<f64> {
    let columns = samples[0].1.bent_m.len();
    let bent =
        DMatrix::from_fn(samples.len(), columns, |row, column| samples[row].1.bent_m[column]);
    let mean = bent.row_mean();
    let bent =
        DMatrix::from_fn(samples.len(), columns, |row, column| bent[(row, column)] - mean[column]);
    let eigen = bent.tr_mul(&bent).symmetric_eigen();
    let mut largest: Vec<usize> = (0..columns).collect();
    order::by(&mut largest, |a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let is_far =
        |way: &usize| eigen.eigenvalues[*way] / samples.len() as f64 > LEAST_WAY_M * LEAST_WAY_M;
    let most = WAYS.min(samples.len() / LEAST_SAMPLES);
    let ways = largest.into_iter().filter(is_far).take(most);
    let mut all: Vec<DVector<f64>> =
        ways.map(|way| (&bent * eigen.eigenvectors.column(way)).normalize()).collect();
    // Joints that turn far bend the ways: squares of the first.
    let squares = all.iter().take(SQUARES).map(|way| way.component_mul(way).normalize());
    let squares: Vec<DVector<f64>> = if all.len() == WAYS { squares.collect() } else { Vec::new() };
    all.extend(squares);
    all.push(DVector::from_element(samples.len(), 1.0));
    DMatrix::from_columns(&all)
}

/// How much likelier a shift is to stay than not, as a logarithm: the median over the windows, of each by the carriers
/// that tell it best; nothing where no window tells.
pub(super) fn gain(all: &[Sitting], at: usize, shift_m: &Vector3<f64>) -> Option<f64> {
    let staying: Vec<[Option<Staying>; WINDOWS_S.len()]> =
        all.iter().map(|sitting| sitting.staying(at, shift_m)).collect();
    let best = |window: usize| {
        let told = staying.iter().filter_map(|staying| staying[window]);
        told.min_by(|a, b| a.sd.total_cmp(&b.sd))
    };
    let told: Vec<Staying> = (0..WINDOWS_S.len()).filter_map(best).collect();
    median(told.iter().map(Staying::gain))
}

/// How far a marker sits from where it sat before an instant, with no jump to go by: at least so many standard deviations
/// by every window that tells, of each by the carriers that tell it best, and no carriers that contradict. The least
/// clear of the windows is the answer.
pub(super) fn moved(all: &[Sitting], at: usize, least_sds: f64) -> Option<Moved> {
    let mut least: Option<Moved> = None;
    let mut told = 0;
    for window_s in WINDOWS_S {
        let moved: Vec<Moved> =
            all.iter().filter_map(|sitting| sitting.moved(at, window_s)).collect();
        let best = moved.iter().min_by(|a, b| a.own_sd_m().total_cmp(&b.own_sd_m()));
        let Some(best) = best else { continue };
        if best.sds() < least_sds || moved.iter().any(|moved| moved.sds() < LEAST_SDS_BY_ANY) {
            return None;
        }
        told += 1;
        if least.is_none_or(|least| best.sds() < least.sds()) {
            least = Some(*best);
        }
    }
    least.filter(|_| told >= LEAST_WINDOWS)
}
