//! Times inverse kinematics: microseconds a solve, an iteration and a tracked frame, and how often
//! constrained chains reach what a legal pose reaches.
//!
//! `ik_speed [SOLVES]` prints a line a case; 20 solves a case unless told. `benches/run ik` reads it.
#![allow(clippy::print_stdout, missing_docs)]

use std::f64::consts::{PI, TAU};
use std::time::Instant;

use condyle::ik::limit::{Limit, Twist};
use condyle::ik::{Linkage, Method, Options, Solver, Target};
use condyle_lab::cga::reach_in_spheres;
use nalgebra::{Point3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> condyle::Result<()> {
    let solves: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20);
    let options = Options { tolerance_m: 1e-3, ..Options::default() };
    for joints in [10, 100] {
        let linkage = Linkage::chain(&straight(joints))?;
        let targets = in_ball(joints, solves, 1);
        report(&format!("free {joints} fabrik"), &linkage, &targets, &options)?;
        let plain = Options { finish: false, ..options };
        report(&format!("free {joints} plain"), &linkage, &targets, &plain)?;
        for method in [Method::Arc, Method::Ccd, Method::GaussNewton, Method::Dls] {
            // A sweep of coordinate descent is quadratic in the joints: minutes for 100.
            if joints > 10 && method == Method::Ccd {
                continue;
            }
            report(
                &format!("free {joints} {method}"),
                &linkage,
                &targets,
                &Options { method, ..options },
            )?;
        }
    }
    for (name, mixed) in [("cone45", false), ("mixed", true)] {
        let linkage = limited(mixed)?;
        let targets = from_poses(&linkage, solves, 2)?;
        report(&format!("{name} 10 fabrik"), &linkage, &targets, &options)?;
        report(
            &format!("{name} 10 fabrik free"),
            &Linkage::chain(&straight(10))?,
            &targets,
            &options,
        )?;
        for (what, changed) in [
            ("no restarts", Options { restarts: 0, ..options }),
            ("plain", Options { finish: false, restarts: 0, ..options }),
            ("ccd", Options { method: Method::Ccd, max_iterations: 500, ..options }),
            ("gauss-newton", Options { method: Method::GaussNewton, ..options }),
        ] {
            report(&format!("{name} 10 {what}"), &linkage, &targets, &changed)?;
        }
    }
    in_spheres(solves)?;
    track(&Linkage::chain(&straight(10))?, "free")?;
    track(&limited(false)?, "cone45")?;
    track(&limited(true)?, "mixed")
}

fn straight(joints: usize) -> Vec<Point3<f64>> {
    (0..joints).map(|i| Point3::new(0.0, 0.0, i as f64)).collect()
}

fn bent(joints: usize) -> Vec<Point3<f64>> {
    (0..joints)
        .scan(Point3::origin(), |at, i| {
            let was = *at;
            let a = 0.1 * i as f64;
            *at += Vector3::new(a.sin(), 0.3 * a.sin(), a.cos()).normalize();
            Some(was)
        })
        .collect()
}

/// Algorithm 5, in conformal geometry, beside Algorithm 1 to the letter; both with the same passes.
fn in_spheres(solves: usize) -> condyle::Result<()> {
    let start = bent(10);
    // Milliseconds a solve: a few tell.
    let targets = in_ball(10, solves.min(20), 1);
    let mut solver = Solver::new(Linkage::chain(&start)?);
    let options = Options { tolerance_m: 1e-3, shortcut: false, ..Options::plain(Method::Fabrik) };
    let (mut lines, mut spheres) = (0.0, 0.0);
    for target in &targets {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..5 {
            solver.pose(&start)?;
            let begun = Instant::now();
            let reach = solver.solve(&[Target::at(9, *target)], &options)?;
            best[0] = best[0].min(begun.elapsed().as_secs_f64());
            let mut at = start.clone();
            let begun = Instant::now();
            reach_in_spheres(&mut at, target, 1e-3, reach.iterations);
            best[1] = best[1].min(begun.elapsed().as_secs_f64());
        }
        lines += best[0];
        spheres += best[1];
    }
    let us = 1e6 / targets.len() as f64;
    println!(
        "algorithm 5: {:.3} us a solve in spheres, {:.3} in lines, {:.1} times",
        spheres * us,
        lines * us,
        spheres / lines
    );
    Ok(())
}

fn limited(mixed: bool) -> condyle::Result<Linkage> {
    let mut linkage = Linkage::chain(&straight(10))?;
    for end in 1..10 {
        let limit = match (mixed, end % 3) {
            (true, 0) => Limit::hinge(Vector3::x(), [0.0, 2.0])?,
            (true, 1) => Limit::ellipsoidal(
                [0.4, 0.6, 1.0, 0.8],
                Twist::Range { min_rad: -0.8, max_rad: 0.8 },
            ),
            _ => Limit::cone(PI / 4.0),
        };
        linkage.limit(end, limit)?;
    }
    Ok(linkage)
}

fn in_ball(joints: usize, count: usize, seed: u64) -> Vec<Point3<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let full = (joints - 1) as f64;
    (0..count)
        .map(|_| {
            let r = full * random.random::<f64>().cbrt();
            let z = 2.0 * random.random::<f64>() - 1.0;
            let phi = TAU * random.random::<f64>();
            let across = (1.0 - z * z).sqrt();
            Point3::new(r * across * phi.cos(), r * across * phi.sin(), r * z)
        })
        .collect()
}

fn from_poses(linkage: &Linkage, count: usize, seed: u64) -> condyle::Result<Vec<Point3<f64>>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut solver = Solver::new(linkage.clone());
    let mut targets = Vec::new();
    for _ in 0..count {
        let turns: Vec<UnitQuaternion<f64>> = (0..linkage.joints())
            .map(|_| {
                UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| {
                    random.random_range(-1.0..1.0)
                }))
            })
            .collect();
        solver.turn(&turns)?;
        targets.push(solver.positions_m()[linkage.joints() - 1]);
    }
    Ok(targets)
}

fn report(
    name: &str,
    linkage: &Linkage,
    targets: &[Point3<f64>],
    options: &Options,
) -> condyle::Result<()> {
    let mut solver = Solver::new(linkage.clone());
    let start = bent(linkage.joints());
    // The best of five for each target: what else the machine does only adds.
    let mut best = vec![f64::INFINITY; targets.len()];
    let (mut reached, mut iterations) = (0, 0);
    for _ in 0..5 {
        (reached, iterations) = (0, 0);
        for (target, best) in targets.iter().zip(&mut best) {
            solver.pose(&start)?;
            let begun = Instant::now();
            let reach = solver.solve(&[Target::at(linkage.joints() - 1, *target)], options)?;
            *best = best.min(begun.elapsed().as_secs_f64());
            reached += usize::from(reach.is_reached());
            iterations += reach.iterations;
        }
    }
    let best: f64 = best.iter().sum();
    let n = targets.len() as f64;
    println!(
        "{name}: {:.3} us a solve, {:.4} us an iteration, {:.2} iterations, {:.2} % reached",
        best / n * 1e6,
        best / iterations as f64 * 1e6,
        iterations as f64 / n,
        100.0 * reached as f64 / n
    );
    Ok(())
}

fn track(linkage: &Linkage, name: &str) -> condyle::Result<()> {
    let options = Options { tolerance_m: 1e-3, ..Options::tracking() };
    let mut best = f64::INFINITY;
    let (mut worst, mut reached) = (0.0_f64, 0);
    let steps = 1000;
    for _ in 0..5 {
        let mut solver = Solver::new(linkage.clone());
        let mut before: Vec<Point3<f64>> = Vec::new();
        let mut last = Point3::origin();
        let mut spent = 0.0;
        (worst, reached) = (0.0, 0);
        for step in 0..steps {
            let t = TAU * f64::from(step) / f64::from(steps);
            let target =
                Point3::new(3.0 * t.sin(), 2.0 * (2.0 * t).cos(), 6.0 + 0.8 * (3.0 * t).sin());
            let begun = Instant::now();
            let reach = solver.solve(&[Target::at(9, target)], &options)?;
            spent += begun.elapsed().as_secs_f64();
            reached += usize::from(reach.is_reached());
            if step > 5 {
                let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
                worst = worst.max(moved.fold(0.0, f64::max) / (target - last).norm());
            }
            before = solver.positions_m().to_vec();
            last = target;
        }
        best = best.min(spent);
    }
    println!(
        "track {name}: {:.3} us a frame, largest step {worst:.2} of the target's, {reached} of {steps} reached",
        best / f64::from(steps) * 1e6
    );
    Ok(())
}
