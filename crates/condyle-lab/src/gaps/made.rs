//! Gaps made in recordings: how often the 95 % regions of markers, joints and turns hold what was recorded.

use condyle::Trial;
use condyle::fill;
use condyle::job::MAX_FILL_ERROR_M;
use condyle::solve::{self, Pose, Solver};
use condyle::subject::Subject;
use condyle::trial::Origin;
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The 95 % quantile of χ² with three degrees of freedom.
const CHI_SQUARED_95: f64 = 7.815;
/// What no region is smaller than along any axis, in metres and radians: rounding and the noise of the recording.
const FLOOR_M: f64 = 2e-4;
const FLOOR_RAD: f64 = 2e-3;

/// How many markers of a segment are gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// One.
    One,
    /// Two.
    Two,
    /// All.
    All,
}

/// What came of gaps of one kind.
#[derive(Debug, Default, Clone)]
pub struct Cell {
    /// How many gaps were made.
    pub gaps: usize,
    /// Those that were not filled.
    pub left: usize,
    /// Marker samples within their region, and all.
    pub markers: [usize; 2],
    /// The same of joints.
    pub joints: [usize; 2],
    /// The same of turns.
    pub turns: [usize; 2],
    /// The square of the distance of filled markers from the truth, summed.
    pub marker_m2: f64,
    /// The same of joints of segments with a gap.
    pub joint_m2: f64,
    /// The same of those joints without filling, where they are placed, and how many are.
    pub unfilled_m2: f64,
    /// How many are placed without filling.
    pub unfilled: usize,
}

impl Cell {
    /// Takes in what came of other gaps.
    pub fn add(&mut self, other: &Self) {
        self.gaps += other.gaps;
        self.left += other.left;
        for (mine, theirs) in [
            (&mut self.markers, other.markers),
            (&mut self.joints, other.joints),
            (&mut self.turns, other.turns),
        ] {
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        self.marker_m2 += other.marker_m2;
        self.joint_m2 += other.joint_m2;
        self.unfilled_m2 += other.unfilled_m2;
        self.unfilled += other.unfilled;
    }
}

/// Makes gaps of a kind and length in a recording, one after the other, and adds up what came of them.
///
/// # Errors
/// The recording does not show the subject, or cannot be filled.
pub fn measure(
    trial: &Trial,
    subject: &Subject,
    (missing, seconds): (Missing, f64),
    (gaps, seed): (usize, u64),
    cell: &mut Cell,
) -> anyhow::Result<()> {
    let columns = solve::columns(subject, &trial.labels())?;
    let mut rest = columns.iter().copied();
    let segments: Vec<Vec<usize>> = subject
        .segments()
        .iter()
        .map(|segment| rest.by_ref().take(segment.markers.len()).flatten().collect())
        .collect();
    let own: Vec<usize> = segments.iter().flatten().copied().collect();
    let solver = Solver::new(subject, &trial.labels())?;
    let frames = ((seconds * trial.rate_hz).round() as usize).max(1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut made, mut tries) = (0, 0);
    while made < gaps && tries < 60 * gaps && 2 * frames < trial.frames {
        tries += 1;
        let segment = random.random_range(0..segments.len());
        let mut gone = segments[segment].clone();
        gone.shuffle(&mut random);
        let count = match missing {
            Missing::One => 1,
            Missing::Two => 2,
            Missing::All => gone.len(),
        };
        let start = random.random_range(5..trial.frames.saturating_sub(frames + 5).max(6));
        let span = start..(start + frames).min(trial.frames);
        let is_seen = |marker: &usize| {
            (start - 1..span.end + 1).all(|t| trial.markers[*marker].origin(t) == Origin::Measured)
        };
        if gone.len() < count.max(2) || (missing == Missing::Two && gone.len() == 2) {
            continue;
        }
        gone.truncate(count);
        if !gone.iter().all(is_seen) {
            continue;
        }
        made += 1;
        let mut holed = trial.clone();
        for marker in &gone {
            span.clone().for_each(|t| holed.markers[*marker].set(t, None, Origin::Missing));
        }
        let mut filled = holed.clone();
        let options = fill::Options {
            max_error_m: MAX_FILL_ERROR_M,
            knows_up: false,
            ..fill::Options::default()
        };
        let outcomes = fill::fill_markers(&mut filled, &own, &options)?;
        let is_left = |marker: &usize| {
            outcomes
                .iter()
                .any(|gap| gap.marker == *marker && gap.frames.contains(&start) && !gap.is_filled)
        };
        cell.gaps += 1;
        if gone.iter().any(is_left) {
            cell.left += 1;
            continue;
        }
        compare([trial, &holed, &filled], (subject, &solver), (segment, &gone, span), cell);
    }
    Ok(())
}

fn compare(
    [whole, holed, filled]: [&Trial; 3],
    (subject, solver): (&Subject, &Solver),
    (segment, gone, span): (usize, &[usize], std::ops::Range<usize>),
    cell: &mut Cell,
) {
    let joints = subject.joints();
    let near: Vec<usize> = (0..joints.len())
        .filter(|j| joints[*j].child == segment || joints[*j].parent == segment)
        .collect();
    let mut poses = [solver.pose(), solver.pose(), solver.pose()];
    for frame in span {
        for (trial, pose) in [whole, holed, filled].into_iter().zip(&mut poses) {
            posed(trial, frame, solver, pose);
        }
        let [truth, without, found] = &poses;
        for marker in gone {
            let at = |trial: &Trial| trial.markers[*marker].position_m(frame);
            if let (Some(a), Some(b), Some(sd_m)) =
                (at(whole), at(filled), filled.markers[*marker].sd_m(frame))
            {
                let squares = (a - b).norm_squared() / sd_m.powi(2);
                count(&mut cell.markers, squares);
                cell.marker_m2 += (a - b).norm_squared();
            }
        }
        for joint in &near {
            let at = |pose: &Pose| pose.joints_m[*joint];
            let left_open = found.left_open_by_estimates(*joint);
            let (Some(a), Some(b), Some((place_m2, turn_rad2))) = (at(truth), at(found), left_open)
            else {
                continue;
            };
            count(&mut cell.joints, distance(&(b - a), &place_m2, FLOOR_M));
            cell.joint_m2 += (b - a).norm_squared();
            if let Some(c) = at(without) {
                cell.unfilled_m2 += (c - a).norm_squared();
                cell.unfilled += 1;
            }
            let turn = |pose: &Pose| {
                let sides = [joints[*joint].parent, joints[*joint].child];
                let [parent, child] = sides.map(|side| pose.world_from_segments[side]);
                Some((parent?.rotation, child?.rotation))
            };
            if let (Some((p, c)), Some((q, d))) = (turn(truth), turn(found)) {
                // In the axes of the world: the child's turn beyond the parent's.
                let off = (d * c.inverse()).scaled_axis() - (q * p.inverse()).scaled_axis();
                count(&mut cell.turns, distance(&off, &turn_rad2, FLOOR_RAD));
            }
        }
    }
}

fn posed(trial: &Trial, frame: usize, solver: &Solver, pose: &mut Pose) {
    let mut positions_m = vec![None; trial.markers.len()];
    let mut variances_m2 = vec![0.0; trial.markers.len()];
    trial.positions_m(frame, &mut positions_m);
    trial.variances_m2(frame, &mut variances_m2);
    solver.solve_estimated(&positions_m, &variances_m2, pose);
}

fn count([inside, all]: &mut [usize; 2], squares: f64) {
    *inside += usize::from(squares <= CHI_SQUARED_95);
    *all += 1;
}

/// The square of an error in standard errors: how far a joint is from where it is without the gap, by the covariance that
/// is given for what estimates leave open.
fn distance(error: &Vector3<f64>, covariance: &Matrix3<f64>, floor: f64) -> f64 {
    let symmetric = (covariance + covariance.transpose()) * 0.5;
    let eigen = symmetric.symmetric_eigen();
    let along = eigen.eigenvectors.transpose() * error;
    (0..3).map(|i| along[i].powi(2) / (eigen.eigenvalues[i].max(0.0) + floor * floor)).sum()
}
