//! Hands of people who differ from the standard one.

use condyle::hand::{Model, Side};
use nalgebra::{UnitQuaternion, Vector3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Distribution, StandardNormal};

/// A hand whose size, proportions, knuckles, thumb, couplings and markers differ as those of people do: sizes by 6 %,
/// bones by 5 %, bases by 3 mm, directions by 4 degrees (thumbs 10), couplings by a sixth, tip markers by 2 mm.
///
/// # Errors
/// The standard hand cannot be read.
pub fn somebody(side: Side, seed: u64) -> condyle::Result<Model> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(21);
    let mut normal = move || -> f64 { StandardNormal.sample(&mut random) };
    let mut model = Model::standard(side, 0.186 * (0.06 * normal()).exp())?;
    for finger in &mut model.fingers {
        let is_thumb = finger.metacarpal.is_none();
        finger.base_in_hand_m += 3e-3 * Vector3::from_fn(|_, _| normal());
        let turn_rad = if is_thumb { 0.17 } else { 0.07 };
        finger.hand_from_rest *= UnitQuaternion::new(turn_rad * Vector3::from_fn(|_, _| normal()));
        finger.tip_marker_m += 2e-3 * Vector3::from_fn(|_, _| normal());
        for joint in &mut finger.joints {
            joint.length_m *= (0.05 * normal()).exp();
            joint.coupling_sd = 0.0;
            if joint.coupling > 0.0 && joint.coupling != 1.0 {
                joint.coupling *= (0.16 * normal()).exp();
            }
        }
    }
    Ok(model)
}
