//! How long it takes.

use std::hint::black_box;
use std::time::Instant;

use condyle::joint::{AllPairs, PairRule, PairSums, Poses};
use condyle::topology;

use super::lengths::Staged;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

const ROUNDS: usize = 15;

fn best_s(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// Times the joints of a person with 15 sensors, hierarchy known and unknown.
pub fn run(lab: &Lab) -> Section {
    let staged = Staged { noise_m: 4e-3, noise_deg: 0.3, rate_hz: 100.0, ..Staged::CLEAN };
    let mut lines = Vec::new();
    if let Ok(simulation) = staged.recorded(lab.seed) {
        let poses: Vec<Poses> = simulation.trial.bodies.iter().map(Poses::from_body).collect();
        let rule = PairRule::default();
        let known_s = best_s(|| {
            for joint in &simulation.truth.joints {
                let sums = PairSums::from_poses(&poses[joint.child], &poses[joint.parent]);
                black_box(sums.fit(&rule).ok());
            }
        });
        let unknown_s = best_s(|| {
            black_box(topology::infer_from_pairs(&AllPairs::from_poses(&poses), None));
        });
        let line = |what: &str, theirs: &str, wanted_s: f64, ours_s: f64| {
            Line::new(what, "section 4")
                .compare(format!("{theirs} on 195 MHz"), format!("{:.2} ms", ours_s * 1e3))
                .reproduced(ours_s < wanted_s)
        };
        lines.push(line(
            "45 s of a person, hierarchy known (16 sensors there, 15 here)",
            "less than 4 s",
            4.0,
            known_s,
        ));
        lines.push(line("the same, hierarchy unknown", "less than 14 s", 14.0, unknown_s));
    }
    let text = vec![
        "15 sensors, 45 s at 100 Hz (the document does not say its rate), poses in \
         memory: sums over the frames, fits, and the spanning tree of 105 pairs. The best of 15 \
         rounds; benches/run trackers compares with NumPy."
            .into(),
    ];
    Section { text, lines, ..Section::default() }
}
