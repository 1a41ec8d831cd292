//! An arm that follows a moving target within the limits of its joints, each step from where the last one ended.
//!
//! `cargo run --example ik_in_a_loop`
#![allow(clippy::print_stdout)]

use condyle::ik::{Limit, Linkage, Options, Solver, Target};
use nalgebra::{Point3, Vector3};

fn main() -> condyle::Result<()> {
    // Shoulder, elbow, wrist, tip of the hand: 0.3, 0.25 and 0.15 m.
    let heights_m = [0.0, 0.3, 0.55, 0.7];
    let mut arm = Linkage::chain(&heights_m.map(|z| Point3::new(0.0, 0.0, z)))?;
    arm.limit(1, Limit::cone(100_f64.to_radians()))?;
    arm.limit(2, Limit::hinge(Vector3::y(), [0.0, 2.4])?)?;
    arm.limit(3, Limit::cone(40_f64.to_radians()))?;

    let mut solver = Solver::new(arm);
    let options = Options { tolerance_m: 1e-4, ..Options::default() };
    for step in 0..=10 {
        let angle_rad = 0.2 * f64::from(step);
        let target_m = Point3::new(0.35 + 0.1 * angle_rad.cos(), 0.1 * angle_rad.sin(), 0.2);
        let reach = solver.solve(&[Target::at(3, target_m)], &options)?;
        let (elbow_m, off_mm) = (solver.positions_m()[1], 1e3 * reach.distance_m);
        println!(
            "{step:2}: {:.1} mm off after {} iterations, elbow at {elbow_m:.3}",
            off_mm, reach.iterations
        );
    }
    Ok(())
}
