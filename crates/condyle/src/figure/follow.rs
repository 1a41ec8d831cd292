//! The freedoms of a figure that follows poses.

use std::f64::consts::{PI, TAU};

use nalgebra::{Isometry3, Matrix3, SMatrix, UnitQuaternion, Vector3};

use super::tree::{Figure, Freedom, FreedomKind, Joint};

/// Axes whose scalar product is below this are at right angles.
const SQUARE: f64 = 1e-9;
/// Steps of Gauss and Newton at most.
const STEPS: usize = 50;

/// What a frame gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The value of every freedom, in the order of the figure; `None` where its segment or what that hangs on is not
    /// placed.
    pub values: Vec<Option<f64>>,
    /// For every segment the turn that its freedoms leave, in radians; 0 where it is not placed.
    pub residual_rad: Vec<f64>,
    /// The same of its displacement, in metres.
    pub residual_m: Vec<f64>,
}

/// Follows poses from frame to frame: angles go on from those before.
#[derive(Debug, Clone)]
pub struct Follower<'a> {
    figure: &'a Figure,
    before: Vec<f64>,
}

impl<'a> Follower<'a> {
    /// Begins at the values of the figure.
    pub fn new(figure: &'a Figure) -> Self {
        Self { figure, before: figure.values() }
    }

    /// The freedoms of a frame, from how every segment moved since it was at rest.
    ///
    /// # Method
    /// Against its parent a segment moved by T(p+d)·R·T(−p). Three axes at right angles take R by their Cardan angles in
    /// closed form, on the branch that is nearest to the frame before; other axes by Gauss and Newton from there. Slides
    /// are the least-squares share of d. Limits are not looked at.
    pub fn follow(&mut self, figure_from_rest: &[Option<Isometry3<f64>>]) -> Followed {
        let segments = self.figure.segments();
        let mut followed = Followed {
            values: vec![None; self.figure.freedom_count()],
            residual_rad: vec![0.0; segments.len()],
            residual_m: vec![0.0; segments.len()],
        };
        let place = |at: usize| figure_from_rest.get(at).copied().flatten();
        for (at, segment) in segments.iter().enumerate() {
            let above = segment.parent.map_or_else(|| Some(Isometry3::identity()), place);
            let Some((above, own)) = above.zip(place(at)) else { continue };
            let moved = above.inverse() * own;
            let range = self.figure.freedoms_of(at);
            let before = &mut self.before[range.clone()];
            followed.residual_rad[at] = turns(&segment.joint, &moved.rotation, before);
            followed.residual_m[at] = slides(&segment.joint, &moved, before);
            for (value, known) in followed.values[range].iter_mut().zip(before) {
                *value = Some(*known);
            }
        }
        followed
    }
}

fn of_kind(joint: &Joint, kind: FreedomKind) -> impl Iterator<Item = (usize, &Freedom)> {
    joint.freedoms.iter().enumerate().filter(move |(_, own)| own.kind == kind)
}

/// Finds the rotations; the turn that is left.
fn turns(joint: &Joint, turned: &UnitQuaternion<f64>, values: &mut [f64]) -> f64 {
    let axes: Vec<Vector3<f64>> =
        of_kind(joint, FreedomKind::Rotation).map(|(_, own)| own.axis.into_inner()).collect();
    let count = axes.len();
    match axes[..] {
        [] => return turned.angle(),
        [a, b, c]
            if a.dot(&b).abs() < SQUARE && b.dot(&c).abs() < SQUARE && c.dot(&a).abs() < SQUARE =>
        {
            cardan([a, b, c], turned, &mut values[..3]);
        }
        _ => gauss_newton(&axes, turned, &mut values[..count]),
    }
    let model =
        axes.iter().zip(&*values).fold(UnitQuaternion::identity(), |model, (axis, value)| {
            model * UnitQuaternion::from_scaled_axis(axis * *value)
        });
    model.angle_to(turned)
}

/// Angles about three axes at right angles.
fn cardan(axes: [Vector3<f64>; 3], turned: &UnitQuaternion<f64>, values: &mut [f64]) {
    let [a, b, c] = axes;
    // With a left-handed triple the third axis and its angle are taken the other way.
    let sign = a.cross(&b).dot(&c).signum();
    let basis = Matrix3::from_columns(&[a, b, c * sign]);
    let m = basis.transpose() * turned.to_rotation_matrix().matrix() * basis;
    let middle = m[(0, 2)].clamp(-1.0, 1.0).asin();
    let (first, third) = match m[(0, 2)].abs() < 1.0 - 1e-14 {
        true => ((-m[(1, 2)]).atan2(m[(2, 2)]), (-m[(0, 1)]).atan2(m[(0, 0)])),
        // First and third turn about one line: the third stays.
        false => {
            let third = values[2] * sign;
            let both = m[(1, 0)].atan2(m[(1, 1)]);
            (if m[(0, 2)] > 0.0 { both - third } else { third - both }, third)
        }
    };
    let near = |angle: f64, before: f64| angle + TAU * ((before - angle) / TAU).round();
    let branch =
        |[x, y, z]: [f64; 3]| [near(x, values[0]), near(y, values[1]), near(z * sign, values[2])];
    let branches = [branch([first, middle, third]), branch([first + PI, PI - middle, third + PI])];
    let away = |own: &[f64; 3]| own.iter().zip(&*values).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let nearest = if away(&branches[0]) <= away(&branches[1]) { 0 } else { 1 };
    values.copy_from_slice(&branches[nearest]);
}

/// Angles about any axes, as near to the turn as they come.
fn gauss_newton(axes: &[Vector3<f64>], turned: &UnitQuaternion<f64>, values: &mut [f64]) {
    for _ in 0..STEPS {
        let mut model = UnitQuaternion::identity();
        // What a little more of each angle does, in the axes of the figure.
        let mut columns = Vec::with_capacity(axes.len());
        for (axis, value) in axes.iter().zip(&*values) {
            columns.push(model * axis);
            model *= UnitQuaternion::from_scaled_axis(axis * *value);
        }
        let left = (turned * model.inverse()).scaled_axis();
        let jacobian = nalgebra::DMatrix::from_fn(3, columns.len(), |row, at| columns[at][row]);
        let normal = jacobian.transpose() * &jacobian;
        let side = jacobian.transpose() * left;
        let lean = 1e-12 * normal.trace();
        let damped = normal + nalgebra::DMatrix::identity(columns.len(), columns.len()) * lean;
        let Some(step) = damped.cholesky().map(|own| own.solve(&side)) else { return };
        values.iter_mut().zip(step.iter()).for_each(|(value, step)| *value += step);
        if step.amax() < 1e-13 {
            return;
        }
    }
}

/// Finds the slides; the displacement that is left.
fn slides(joint: &Joint, moved: &Isometry3<f64>, values: &mut [f64]) -> f64 {
    let shift_m = moved * joint.centre_m - joint.centre_m;
    let mut normal = SMatrix::<f64, 3, 3>::zeros();
    let own: Vec<(usize, Vector3<f64>)> = of_kind(joint, FreedomKind::Translation)
        .map(|(at, own)| (at, own.axis.into_inner()))
        .collect();
    let mut left_m = shift_m;
    match own[..] {
        [] => {}
        [(at, axis)] => {
            values[at] = axis.dot(&shift_m);
            left_m -= axis * values[at];
        }
        _ => {
            for (row, (_, a)) in own.iter().enumerate().take(3) {
                for (column, (_, b)) in own.iter().enumerate().take(3) {
                    normal[(row, column)] = a.dot(b);
                }
            }
            (own.len()..3).for_each(|at| normal[(at, at)] = 1.0);
            let side = Vector3::from_fn(|at, _| own.get(at).map_or(0.0, |(_, a)| a.dot(&shift_m)));
            let found = normal.pseudo_inverse(1e-12).map_or(Vector3::zeros(), |inv| inv * side);
            for (share, (at, axis)) in found.iter().zip(&own) {
                values[*at] = *share;
                left_m -= axis * *share;
            }
        }
    }
    left_m.norm()
}
