//! The chain on a circular arc through base and target: closed form but for one scalar root.

use nalgebra::Vector3;

use super::linkage::Bone;
use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;

/// Lays the chain on the arc, bent to the side to which it was bent.
///
/// # Method
/// On a circle of curvature κ a bone of length d spans twice the angle asin(dκ/2). With
/// S(κ) = Σ asin(dᵢκ/2) the ends of the chain are (2/κ) sin S apart: one equation for κ, rising to
/// the left of its root, solved by Newton's method. Angles are never formed: bones are unit complex
/// numbers √(1-x²) + ix with x = dκ/2, their product has the angle S, and the running product places
/// the joints. If the longest bone is longer than the arc of the others allows, its centre is on the
/// other side and its angle is π - asin.
///
/// Beyond the document: it reaches every target that can be reached, in time that hardly depends on
/// where the target is.
pub(super) fn solve(solver: &mut Solver, target: &Target) -> Reach {
    solver.is_stale = true;
    let bones = &solver.linkage.bones[1..];
    let at_m = &mut solver.pose.at_m;
    let far_m = target.at_m - at_m[0];
    let far = far_m.norm();
    let last = at_m.len() - 1;
    let towards = match far > 0.0 {
        true => far_m / far,
        false => (at_m[last] - at_m[0]).try_normalize(1e-12).unwrap_or_else(Vector3::z),
    };
    // The side to which most of the chain lies.
    let lean: Vector3<f64> = at_m.iter().map(|at| at - at_m[0]).sum();
    let side = (lean - towards * lean.dot(&towards))
        .try_normalize(1e-9)
        .unwrap_or_else(|| super::turn::across(&towards));
    let bend = curvature(bones, far);
    // The first bone leaves the chord by S; each turns on by twice its own half angle.
    let mut turn = (bend.cos, bend.sin);
    let mut from_m = at_m[0];
    for (index, (at, bone)) in at_m.iter_mut().skip(1).zip(bones).enumerate() {
        let half = bend.half(bone, Some(index) == bend.flipped);
        let middle = times_conjugate(turn, half);
        from_m += (towards * middle.0 + side * middle.1) * bone.length_m;
        *at = from_m;
        turn = times_conjugate(middle, half);
    }
    Reach::of(((solver.pose.at_m[last] - target.at_m).norm(), 0.0), bend.steps)
}

/// a times the conjugate of b.
fn times_conjugate(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 + a.1 * b.1, a.1 * b.0 - a.0 * b.1)
}

/// A curvature and the angle S at it.
struct Bend {
    half_kappa: f64,
    cos: f64,
    sin: f64,
    flipped: Option<usize>,
    steps: usize,
}

impl Bend {
    fn half(&self, bone: &Bone, is_flipped: bool) -> (f64, f64) {
        half(bone.length_m * self.half_kappa, is_flipped)
    }
}

/// e^{i asin x}, or e^{i(π - asin x)}.
fn half(x: f64, is_flipped: bool) -> (f64, f64) {
    let cos = (1.0 - x * x).max(0.0).sqrt();
    (if is_flipped { -cos } else { cos }, x)
}

const MOST: usize = 40;

/// The curvature at which the ends are so far apart.
fn curvature(bones: &[Bone], far: f64) -> Bend {
    let full: f64 = bones.iter().map(|bone| bone.length_m).sum();
    let (longest, longest_m) = bones.iter().enumerate().fold((0, 0.0), |best, (i, bone)| {
        if bone.length_m > best.1 { (i, bone.length_m) } else { best }
    });
    let straight = Bend { half_kappa: 0.0, cos: 1.0, sin: 0.0, flipped: None, steps: 1 };
    if far >= full {
        return straight;
    }
    // h = κ/2 runs up to 1/longest; there the longest bone is a diameter.
    let top = 1.0 / longest_m;
    let at_top = evaluate(bones, top * (1.0 - 1e-15), None, far);
    let flipped = (!at_top.is_past_half && at_top.gap > 0.0).then_some(longest);
    if flipped.is_some() && far <= 2.0 * longest_m - full {
        // Nearer than the long bone lets the others come: fold back as far as it goes.
        return Bend { half_kappa: 0.0, cos: -1.0, sin: 0.0, flipped, steps: 1 };
    }
    // sinc(S) = far/full with S ≈ full h: its inverse by a short series that is right at both ends.
    let y = 1.0 - far / full;
    let s = (6.0 * y + 1.8 * y * y + 2.07 * y.powi(4)).sqrt();
    let (mut low, mut high) = (0.0, top);
    let mut h = (s / full).min(0.999 * top);
    if flipped.is_some() {
        h = 0.5 * top;
    }
    let mut found = evaluate(bones, h, flipped, far);
    let mut steps = 1;
    while steps < MOST && found.gap.abs() > 1e-15 * full * h {
        // Ends too far apart: bend more; on the flipped branch, less.
        if (found.gap > 0.0) == flipped.is_none() {
            low = h;
        } else {
            high = h;
        }
        let newton = h - found.gap / found.slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - h).abs() <= 1e-16 * h {
            break;
        }
        h = next;
        found = evaluate(bones, h, flipped, far);
        steps += 1;
    }
    Bend { half_kappa: h, cos: found.cos, sin: found.sin, flipped, steps }
}

struct Evaluated {
    /// sin S - far·h, which has the sign of how much too far apart the ends are.
    gap: f64,
    slope: f64,
    cos: f64,
    sin: f64,
    /// Whether S is above π: more than a whole circle.
    is_past_half: bool,
}

fn evaluate(bones: &[Bone], h: f64, flipped: Option<usize>, far: f64) -> Evaluated {
    let (mut re, mut im) = (1.0, 0.0);
    let mut rate = 0.0;
    let mut is_past_half = false;
    for (index, bone) in bones.iter().enumerate() {
        let (cos, sin) = half(bone.length_m * h, flipped == Some(index));
        (re, im) = (re * cos - im * sin, re * sin + im * cos);
        rate += bone.length_m / cos;
        is_past_half |= im < 0.0;
    }
    if is_past_half {
        // Wound too far: as good as too near together, with a slope that leads back.
        return Evaluated {
            gap: -1.0 - far * h,
            slope: -rate.abs(),
            cos: re,
            sin: im,
            is_past_half,
        };
    }
    Evaluated { gap: im - far * h, slope: re * rate - far, cos: re, sin: im, is_past_half }
}
