//! Microseconds a solve of the k crate, on the targets of a file.
//!
//! `condyle-bench-ik CHAIN.urdf TARGETS.csv TOLERANCE` prints a line a setting: name, microseconds,
//! per cent reached. The joint `tip` reaches; orientations are free.

use std::error::Error;
use std::time::Instant;

use k::nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use k::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [urdf, targets, tolerance] = arguments.as_slice() else {
        return Err("usage: condyle-bench-ik CHAIN.urdf TARGETS.csv TOLERANCE".into());
    };
    let tolerance: f64 = tolerance.parse()?;
    let targets = read(targets)?;
    let chain = k::Chain::<f64>::from_urdf_file(urdf)?;
    let tip = chain.find("tip").ok_or("no joint is called tip")?;
    let arm = k::SerialChain::from_end(tip);
    // Its usual step is half of the way; the whole is what reaches fastest, where it does not overshoot.
    for multiplier in [0.5, 1.0] {
        let solver = k::JacobianIkSolver::new(tolerance, 1.0, multiplier, 500);
        let (us, reached) = time(&arm, &solver, &targets, tolerance)?;
        println!("k, step {multiplier}\t{us}\t{reached}");
    }
    Ok(())
}

fn read(file: &str) -> Result<Vec<Point3<f64>>, Box<dyn Error>> {
    let mut targets = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let numbers: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        let [x, y, z] = numbers[..] else { return Err(format!("need x,y,z, got '{line}'").into()) };
        targets.push(Point3::new(x, y, z));
    }
    Ok(targets)
}

/// Microseconds a solve, the best of three for each target, and the share that was reached in per cent.
fn time(
    arm: &k::SerialChain<f64>,
    solver: &k::JacobianIkSolver<f64>,
    targets: &[Point3<f64>],
    tolerance: f64,
) -> Result<(f64, f64), Box<dyn Error>> {
    let place_only = k::Constraints {
        rotation_x: false,
        rotation_y: false,
        rotation_z: false,
        ..k::Constraints::default()
    };
    let start = vec![0.1; arm.dof()];
    let (mut seconds, mut reached) = (0.0, 0);
    for target in targets {
        let pose = Isometry3::from_parts(Translation3::from(target.coords), UnitQuaternion::identity());
        let mut best = f64::INFINITY;
        let mut distance = f64::INFINITY;
        for _ in 0..3 {
            arm.set_joint_positions(&start)?;
            arm.update_transforms();
            let begun = Instant::now();
            // Not to reach is an error to it, and a distance to us; it then goes back to its start.
            let solved = solver.solve_with_constraints(arm, &pose, &place_only);
            best = best.min(begun.elapsed().as_secs_f64());
            distance = match solved {
                Ok(()) => (arm.end_transform().translation.vector - target.coords).norm(),
                Err(_) => f64::INFINITY,
            };
        }
        seconds += best;
        reached += usize::from(distance <= tolerance);
    }
    let count = targets.len().max(1) as f64;
    Ok((1e6 * seconds / count, 100.0 * reached as f64 / count))
}
