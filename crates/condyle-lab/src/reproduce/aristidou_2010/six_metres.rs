//! Table 3.1 over many targets 6000 mm from the end of the chain, as its text has them.

use condyle::ik::Linkage;
use condyle::ik::Solver;
use nalgebra::Vector3;
use rand_distr::{Distribution, UnitSphere};

use super::chain;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::Line;
use crate::reproduce::statistics::median;

const TARGETS: usize = 1000;
const FROM_END_M: f64 = 6.0;
/// Nearer than this to full extension what the thesis prints cannot be told from how near.
const MOST_RATIO: f64 = 0.8;
/// What the thesis prints for FABRIK.
const PRINTED: f64 = 15.461;

/// Mean iterations of Algorithm 1 from a bent chain: of targets within 0.8 of the reach, and of all that can be reached.
pub fn lines(lab: &Lab) -> Vec<Line> {
    let start_m = chain::start(true);
    let Ok(linkage) = Linkage::chain(&start_m) else { return Vec::new() };
    let mut solver = Solver::new(linkage);
    let options = chain::rows()[0].options;
    let end_m = start_m[start_m.len() - 1];
    let mut random = lab.random(0, 6000);
    let (mut near, mut all) = (Vec::new(), Vec::new());
    let mut missed = 0;
    while near.len() < TARGETS {
        let direction: [f64; 3] = UnitSphere.sample(&mut random);
        let at_m = end_m + Vector3::from(direction) * FROM_END_M;
        let ratio = at_m.coords.norm() / chain::REACH_M;
        if ratio >= 1.0 {
            continue;
        }
        let Some([iterations, _, reached]) = chain::solve(&mut solver, &start_m, at_m, &options)
        else {
            return Vec::new();
        };
        missed += usize::from(reached < 1.0);
        all.push(iterations);
        if ratio <= MOST_RATIO {
            near.push(iterations);
        }
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (ours, whole) = (mean(&near), mean(&all));
    vec![
        Line::new(
            format!(
                "fabrik: mean iterations to {TARGETS} targets 6000 mm from the end, \
             within 0.8 of the reach"
            ),
            "table 3.1",
        )
        .compare(
            format!("{PRINTED}"),
            format!("{ours:.1}, median {:.0}", median(near.iter().copied())),
        )
        .reproduced(ours <= PRINTED),
        Line::new("the same to all within reach; not reached", "table 3.1")
            .compare(
                format!("{PRINTED}; 0"),
                format!(
                    "{whole:.1}, median {:.0}; {missed} of {}",
                    median(all.iter().copied()),
                    all.len()
                ),
            )
            .reproduced(whole <= PRINTED && missed == 0)
            .because(
                "targets near full extension take most of the iterations, and how many the \
             thesis had is not published",
            ),
    ]
}
