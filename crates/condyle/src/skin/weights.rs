//! Four bones a vertex: what files and graphics cards hold.

use super::heat::Heat;

/// So many joints hold a vertex at most.
pub const AT_MOST: usize = 4;

/// How much joints hold each vertex: the four that hold it most, sums brought back to 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Weights {
    /// For every vertex its joints, the strongest first.
    pub joints: Vec<[u16; AT_MOST]>,
    /// How much each holds it; 0 where there are fewer.
    pub weights: Vec<[f64; AT_MOST]>,
    /// The most that was dropped of a vertex.
    pub largest_dropped: f64,
}

impl Weights {
    /// The four strongest of every vertex.
    pub fn of(heat: &Heat) -> Self {
        let mut all = Self::default();
        let mut order: Vec<usize> = Vec::new();
        for row in heat.weights.row_iter() {
            order.clear();
            order.extend(0..row.len());
            order.sort_by(|a, b| row[*b].total_cmp(&row[*a]));
            let (mut joints, mut weights) = ([0; AT_MOST], [0.0; AT_MOST]);
            for (slot, column) in order.iter().take(AT_MOST).enumerate() {
                if row[*column] > 0.0 {
                    // Files hold 16 bits; skeletons with more joints are refused where they are written.
                    joints[slot] = u16::try_from(heat.joints[*column]).unwrap_or(u16::MAX);
                    weights[slot] = row[*column];
                }
            }
            let kept: f64 = weights.iter().sum();
            all.largest_dropped = all.largest_dropped.max(1.0 - kept);
            weights.iter_mut().for_each(|weight| *weight /= kept);
            all.joints.push(joints);
            all.weights.push(weights);
        }
        all
    }
}
