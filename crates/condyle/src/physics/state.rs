//! Bodies that move: their centre of mass, momentum and energy in a frame.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::GRAVITY_M_S2;
use crate::solid::MassProperties;

/// The physics of all bodies in a frame, in the axes of the recording.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// Of all bodies together.
    pub centre_of_mass_m: Point3<f64>,
    /// Above the origin of the recording; `None` where nobody knows which way is up.
    pub potential_j: Option<f64>,
    /// `None` at the ends of a recording and beside frames without poses.
    pub moving: Option<Moving>,
}

/// What needs velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Moving {
    /// Mass times velocity of the centre of mass.
    pub momentum_kg_m_s: Vector3<f64>,
    /// About the centre of mass.
    pub angular_momentum_kg_m2_s: Vector3<f64>,
    /// Of travelling and of turning.
    pub kinetic_j: f64,
    /// The moment of inertia about the axis through the centre of mass that the whole spins about: that of J⁻¹L, with J
    /// of all bodies as they are in the frame. `None` of what does not spin.
    pub inertia_about_spin_kg_m2: Option<f64>,
}

impl State {
    /// From the poses in a frame, and those before and after it.
    ///
    /// # Method
    /// Velocities are central differences: v = (c₊ − c₋)/2Δt, ω = log(R₊R₋ᵀ)/2Δt. p = Σmv, L = Σ m (c − C)×(v − V) + Jω
    /// with J = R J₀ Rᵀ, and the kinetic energy is Σ ½mv² + ½ωᵀJω.
    pub(super) fn new(
        bodies: &[MassProperties],
        now: &[Isometry3<f64>],
        around: Option<[&[Isometry3<f64>]; 2]>,
        rate_hz: f64,
        up: Option<Vector3<f64>>,
    ) -> Self {
        let mass_kg: f64 = bodies.iter().map(|body| body.mass_kg).sum();
        let moment: Vector3<f64> = bodies
            .iter()
            .zip(now)
            .map(|(body, pose)| (pose * body.centre_of_mass_m).coords * body.mass_kg)
            .sum();
        let centre_of_mass_m = Point3::from(moment / mass_kg);
        let height_m = up.map(|up| up.dot(&centre_of_mass_m.coords));
        let moving =
            around.map(|around| Moving::new(bodies, now, around, rate_hz, centre_of_mass_m));
        let potential_j = height_m.map(|height_m| mass_kg * GRAVITY_M_S2 * height_m);
        Self { centre_of_mass_m, potential_j, moving }
    }
}

impl Moving {
    fn new(
        bodies: &[MassProperties],
        now: &[Isometry3<f64>],
        [before, after]: [&[Isometry3<f64>]; 2],
        rate_hz: f64,
        centre_of_mass_m: Point3<f64>,
    ) -> Self {
        let mut moving = Self {
            momentum_kg_m_s: Vector3::zeros(),
            angular_momentum_kg_m2_s: Vector3::zeros(),
            kinetic_j: 0.0,
            inertia_about_spin_kg_m2: None,
        };
        let mut inertia_kg_m2 = Matrix3::zeros();
        for (at, body) in bodies.iter().enumerate() {
            let here = body.moved(&now[at]);
            let travelled_m =
                after[at] * body.centre_of_mass_m - before[at] * body.centre_of_mass_m;
            let velocity_m_s = travelled_m * (0.5 * rate_hz);
            let turned = after[at].rotation * before[at].rotation.inverse();
            let spin_rad_s = turned.scaled_axis() * (0.5 * rate_hz);
            let momentum = velocity_m_s * body.mass_kg;
            let spin = here.inertia_kg_m2 * spin_rad_s;
            moving.momentum_kg_m_s += momentum;
            // About the centre of all, whose own velocity adds nothing: Σ m (c − C) is zero.
            let arm_m = here.centre_of_mass_m - centre_of_mass_m;
            moving.angular_momentum_kg_m2_s += arm_m.cross(&momentum) + spin;
            moving.kinetic_j += 0.5 * (velocity_m_s.dot(&momentum) + spin_rad_s.dot(&spin));
            let beside = Matrix3::identity() * arm_m.norm_squared() - arm_m * arm_m.transpose();
            inertia_kg_m2 += here.inertia_kg_m2 + beside * body.mass_kg;
        }
        let spin = inertia_kg_m2.try_inverse().map(|own| own * moving.angular_momentum_kg_m2_s);
        let axis = spin.and_then(|spin| spin.try_normalize(1e-9));
        moving.inertia_about_spin_kg_m2 = axis.map(|axis| axis.dot(&(inertia_kg_m2 * axis)));
        moving
    }
}
