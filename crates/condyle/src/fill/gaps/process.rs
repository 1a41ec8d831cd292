//! A Gaussian process in a local frame: where one marker is in one gap, by one choice of neighbours.
#![allow(clippy::needless_range_loop, reason = "several slices of one length, side by side")]

use crate::order;
use nalgebra::{Isometry3, Vector3};
use pulp::Arch;

use super::cholesky::Cholesky;
use super::features::Features;
use super::kernel::Kernel;
use super::lanes::{dot, products};
use super::local_frame::LocalFrame;
use super::maximise::{Pairs, most_probable};
use super::neighbours::{Neighbour, Neighbours};
use super::tracks::{Estimate, Gap, Tracks};
use super::training;

/// Frames whose poses are found, to choose those to learn from among them.
const POOL_FRAMES: usize = 600;
/// Frames learnt from at most.
const LEARNT_FRAMES: usize = 150;
/// Of these, as many are enough for the numbers of the kernel.
const MAXIMISED_FRAMES: usize = 80;
/// Frames of alike poses are this far apart, at 120 frames a second.
const APART_AT_120_HZ: f64 = 3.0;
/// The variance is found in at least so many frames of a gap.
const VARIANCE_FRAMES: usize = 60;
/// At least so many frames are learnt from.
const MIN_FRAMES: usize = 12;

/// Which neighbours make the local frame, and what is looked at in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// How many neighbours make the local frame.
    pub in_frame: usize,
    /// How many neighbours are looked at.
    pub informing: usize,
    /// Whether acceleration, turning and the vertical are looked at.
    pub is_inertial: bool,
    /// The frame is of the nearest among the most rigid dozen, not of the most rigid.
    pub is_nearest: bool,
}

/// The nearest are looked for among so many of the most rigid.
const NEAREST_AMONG: usize = 12;

/// Estimates the positions in a gap by one variant; `None` if there is too little to learn from.
///
/// # Method
/// The position of the marker in the frame of its most rigid neighbours is a Gaussian process of the pose of more of
/// them, of how that frame moves, and of time, the same for the three axes. See [`kernel`](super::kernel) for the
/// covariance and [`most_probable`] for its numbers.
pub fn estimate(
    tracks: &Tracks,
    gap: &Gap,
    neighbours: &Neighbours,
    variant: &Variant,
) -> Option<Estimate> {
    let (frame, frames) = local_frame(tracks, neighbours, variant)?;
    let pool = training::thinned(&frames, &gap.frames, POOL_FRAMES);
    let posed = |frames: &mut dyn Iterator<Item = usize>| -> Vec<(usize, Isometry3<f64>)> {
        frames.filter_map(|t| Some((t, frame.pose(tracks, t)?))).collect()
    };
    let mut poses = posed(&mut pool.iter().copied());
    let learnable = poses.len();
    poses.extend(posed(&mut gap.frames.clone()));
    if learnable < MIN_FRAMES || poses.len() != learnable + gap.len() {
        return None;
    }
    let informing = &neighbours.ranked[..variant.informing.min(neighbours.ranked.len())];
    let pose_at = |t: usize| frame.pose(tracks, t);
    let features =
        Features::of(tracks, informing, &poses, learnable, variant.is_inertial.then_some(&pose_at));
    let in_order: Vec<usize> = poses[..learnable].iter().map(|(t, _)| *t).collect();
    let apart = tracks.frames_at_120_hz(APART_AT_120_HZ);
    let chosen = training::choose(&in_order, &gap.frames, &features, LEARNT_FRAMES, apart);
    let local = |place: &usize| {
        let (t, pose) = &poses[*place];
        pose.inverse_transform_point(&tracks.positions_m[gap.marker][*t].into()).coords
    };
    let mut targets_m: Vec<Vector3<f64>> = chosen.iter().map(local).collect();
    let mean = targets_m.iter().sum::<Vector3<f64>>() / targets_m.len() as f64;
    targets_m.iter_mut().for_each(|target| *target -= mean);

    let times_s: Vec<f64> = poses.iter().map(|(t, _)| *t as f64 / tracks.rate_hz).collect();
    let fewer: Vec<usize> = evenly(chosen.len(), MAXIMISED_FRAMES);
    let few: Vec<usize> = fewer.iter().map(|i| chosen[*i]).collect();
    let few_targets: Vec<Vector3<f64>> = fewer.iter().map(|i| targets_m[*i]).collect();
    let kernel = most_probable(&pairs(&features, &times_s, &few), &few_targets);
    let local = predict(&features, &times_s, &chosen, &targets_m, &kernel, learnable)?;

    let in_world = |(index, local): (usize, &Vector3<f64>)| {
        (poses[learnable + index].1 * nalgebra::Point3::from(local + mean)).coords
    };
    let positions_m = local.positions_m.iter().enumerate().map(in_world).collect();
    Some(Estimate { positions_m, variances_m2: local.variances_m2 })
}

/// The local frame of a variant, and the frames of the recording that it can be learnt from.
fn local_frame(
    tracks: &Tracks,
    neighbours: &Neighbours,
    variant: &Variant,
) -> Option<(LocalFrame, Vec<usize>)> {
    let mut chosen: Vec<Neighbour> = neighbours.ranked.clone();
    if variant.is_nearest {
        chosen.truncate(NEAREST_AMONG);
        order::by(&mut chosen, |a, b| a.distance_m.total_cmp(&b.distance_m));
    }
    // Neighbours on a line have no orientation: more are taken in until they are off it.
    let frames = &neighbours.frames;
    (variant.in_frame..=chosen.len().min(variant.in_frame + 3))
        .find_map(|count| LocalFrame::of(tracks, &chosen[..count], frames))
        .map(|frame| (frame, frames.clone()))
}

/// At most `most` of `count` places, evenly.
fn evenly(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| i * (count - 1) / (most - 1)).collect()
}

/// What is known of the frames at some places, pair by pair.
fn pairs(features: &Features, times_s: &[f64], places: &[usize]) -> Pairs {
    Arch::new().dispatch(|| all_pairs(features, times_s, places))
}

#[inline(always)]
fn all_pairs(features: &Features, times_s: &[f64], places: &[usize]) -> Pairs {
    let n = places.len();
    let columns = features.columns(places.iter().copied());
    let squares: Vec<f64> =
        places.iter().map(|i| dot(features.row(*i), features.row(*i))).collect();
    let times: Vec<f64> = places.iter().map(|i| times_s[*i]).collect();
    let (mut product, mut square, mut time_s) =
        (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    for i in 0..n {
        let row = i * n..(i + 1) * n;
        products(features.row(places[i]), &columns, &mut product[row.clone()]);
        let product = &product[row.clone()];
        let (square, time_s) = (&mut square[row.clone()], &mut time_s[row]);
        for j in 0..n {
            square[j] = (squares[i] + squares[j] - 2.0 * product[j]).max(0.0);
            time_s[j] = (times[i] - times[j]).abs();
        }
    }
    Pairs { size: n, product, square, time_s }
}

/// Mean and variance in the frames after the first `learnable`, in the local frame.
fn predict(
    features: &Features,
    times_s: &[f64],
    chosen: &[usize],
    targets_m: &[Vector3<f64>],
    kernel: &Kernel,
    learnable: usize,
) -> Option<Estimate> {
    let n = chosen.len();
    let known = pairs(features, times_s, chosen);
    let factors = Cholesky::of(Arch::new().dispatch(|| kernel.matrix(&known)), n)?;
    let mut alpha: Vec<f64> = targets_m.iter().flat_map(|y| [y.x, y.y, y.z]).collect();
    factors.solve(&mut alpha, 3);
    let wanted = times_s.len() - learnable;
    let mut cross = vec![0.0; n * wanted];
    let fill = |cross: &mut [f64]| covariances(features, times_s, chosen, kernel, learnable, cross);
    Arch::new().dispatch(|| fill(&mut cross));
    let mut positions_m = vec![Vector3::zeros(); wanted];
    for (row, a) in cross.chunks_exact(wanted).zip(alpha.as_chunks::<3>().0) {
        let a = Vector3::from(*a);
        positions_m.iter_mut().zip(row).for_each(|(position, k)| *position += a * *k);
    }
    // The variance changes slowly: in long gaps it is found in some frames, and on lines between.
    let stride = (wanted / VARIANCE_FRAMES).max(1);
    let some: Vec<usize> = (0..wanted - 1).step_by(stride).chain([wanted - 1]).collect();
    let mut thin: Vec<f64> =
        cross.chunks_exact(wanted).flat_map(|row| some.iter().map(|i| row[*i])).collect();
    factors.forward(&mut thin, some.len());
    let square = |i: &usize| dot(features.row(learnable + i), features.row(learnable + i));
    let mut variances: Vec<f64> = some.iter().map(|i| kernel.variance(square(i))).collect();
    for row in thin.chunks_exact(some.len()) {
        variances.iter_mut().zip(row).for_each(|(variance, c)| *variance -= c * c);
    }
    let noise = kernel.noise_m.powi(2);
    let variance = |i: usize| {
        let before = i / stride;
        let after = (before + 1).min(some.len() - 1);
        let share = (i - some[before]) as f64 / (some[after] - some[before]).max(1) as f64;
        let between = variances[before] + share * (variances[after] - variances[before]);
        between.max(0.0) + noise
    };
    Some(Estimate { positions_m, variances_m2: (0..wanted).map(variance).collect() })
}

/// The covariance of each chosen frame with each that is wanted, by rows.
#[inline(always)]
fn covariances(
    features: &Features,
    times_s: &[f64],
    chosen: &[usize],
    kernel: &Kernel,
    learnable: usize,
    cross: &mut [f64],
) {
    let wanted = times_s.len() - learnable;
    let columns = features.columns(learnable..times_s.len());
    let times_s_wanted = &times_s[learnable..];
    let square = |place| dot(features.row(place), features.row(place));
    let squares: Vec<f64> = (learnable..times_s.len()).map(square).collect();
    let mut product = vec![0.0; wanted];
    for (place, row) in chosen.iter().zip(cross.chunks_exact_mut(wanted)) {
        products(features.row(*place), &columns, &mut product);
        let own = square(*place);
        for column in 0..wanted {
            let apart = (own + squares[column] - 2.0 * product[column]).max(0.0);
            let time_s = (times_s[*place] - times_s_wanted[column]).abs();
            row[column] = kernel.between(product[column], apart, time_s);
        }
    }
}
