//! Which markers are each other's mirror images.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::label::assign::assign;
use crate::label::pose::Pose;

/// Markers are each other's mirror images if they are no further apart than this in a pose that is mirrored.
const MIRRORED_M: f64 = 0.12;
const POSES_TRIED: usize = 8;
const PLANES_REFINED: usize = 3;

/// The mirror image of every label, or itself.
pub(super) fn partners(labels: usize, poses: &[Pose]) -> Vec<usize> {
    let mut best = (0.0, (0..labels).collect::<Vec<usize>>());
    let tried = poses.len().min(POSES_TRIED);
    for index in 0..tried {
        let pose = &poses[index * poses.len() / tried];
        let seen: Vec<(usize, Point3<f64>)> =
            pose.iter().enumerate().filter_map(|(label, p)| Some((label, (*p)?))).collect();
        let count = seen.len() as f64;
        let middle = seen.iter().map(|(_, p)| p.coords).sum::<Vector3<f64>>() / count.max(1.0);
        let scatter: Matrix3<f64> = seen
            .iter()
            .map(|(_, p)| {
                let off = p.coords - middle;
                off * off.transpose()
            })
            .sum();
        let axes = scatter.symmetric_eigen().eigenvectors;
        for axis in 0..3 {
            let (mut normal, mut through) = (axes.column(axis).into_owned(), middle);
            for _ in 0..PLANES_REFINED {
                let mirrored =
                    |p: &Point3<f64>| p - normal * (2.0 * (p.coords - through).dot(&normal));
                let gain =
                    |i: usize, j: usize| MIRRORED_M - (mirrored(&seen[i].1) - seen[j].1).norm();
                let found = assign(seen.len(), seen.len(), gain);
                let total: f64 =
                    found.iter().enumerate().filter_map(|(i, j)| Some(gain(i, (*j)?))).sum();
                if total > best.0 {
                    let mut partner: Vec<usize> = (0..labels).collect();
                    for (i, j) in found.iter().enumerate() {
                        if let Some(j) = j.filter(|j| found[*j] == Some(i)) {
                            partner[seen[i].0] = seen[j].0;
                        }
                    }
                    best = (total, partner);
                }
                let pairs = found
                    .iter()
                    .enumerate()
                    .filter_map(|(i, j)| Some((seen[i].1.coords, seen[(*j)?].1.coords)));
                let pairs: Vec<_> = pairs.collect();
                let across: Matrix3<f64> =
                    pairs.iter().map(|(a, b)| (a - b) * (a - b).transpose()).sum();
                let eigen = across.symmetric_eigen();
                let Some(next) = eigen
                    .eigenvectors
                    .column(eigen.eigenvalues.imax())
                    .into_owned()
                    .try_normalize(1e-9)
                else {
                    break;
                };
                normal = next;
                let sum: Vector3<f64> = pairs.iter().map(|(a, b)| (a + b) / 2.0).sum();
                through = sum / pairs.len().max(1) as f64;
            }
        }
    }
    best.1
}
